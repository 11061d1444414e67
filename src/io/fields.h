/* Fields asked for by name. */
#ifndef IO_FIELDS_H
#define IO_FIELDS_H

#include "base/result.h"
#include "dew/simulation.h"

/* DEW_INVALID with the names that there are; `purpose`: "to write", "to colour by". */
dew_result io_find_field(const dew_simulation *simulation, const char *name, const char *purpose, dew_field *field);

#endif
