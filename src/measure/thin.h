/* The density of bodies too thin for a kernel to lie within them (threads, films, small drops). */
#ifndef MEASURE_THIN_H
#define MEASURE_THIN_H

#include "base/arena.h"
#include "measure/quantities.h"

/* Puts into *worst (NaN: nothing is there yet) the excess of that body which is farther off than it; bodies by
 * measure_body_numbers, of which `is_told` are not looked at. Asks for the frame's mesh only where there is one to be
 * told. */
dew_result measure_thin_density(const measurement *m, const int32_t *body, const int32_t *size, const bool *is_told,
                                arena *memory, double *worst);

#endif
