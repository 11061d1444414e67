#include "io/fields.h"

#include <stdio.h>
#include <string.h>

dew_result io_find_field(const dew_simulation *simulation, const char *name, const char *purpose, dew_field *field)
{
    if (dew_simulation_field(simulation, name, field)) return DEW_OK;
    char known[1024] = "";
    for (int k = 0; k < dew_simulation_field_count(simulation); k++) {
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", k ? ", " : "",
                 dew_simulation_field_at(simulation, k).name);
    }
    return result_fail(DEW_INVALID, "no field \"%s\" %s; method %s has: %s", name, purpose,
                       dew_simulation_method(simulation)->name, known);
}
