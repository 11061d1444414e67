/* What geometry tells before a run (dew_simulation_foresee, too). */
#ifndef SIM_FORESEE_H
#define SIM_FORESEE_H

#include "geometry/shape.h"
#include "sim/simulation.h"

/* The liquid before `index` in whose shape that lies all but wholly, so that it would have no particles; -1: none does.
 */
int foresee_covered(const dew_simulation *s, shape *const *liquids, int index);
/* Notes a solid that is thinner than two spacings between two liquids; of liquid j the particles begin[j] to
 * begin[j + 1] - 1, and its shape, NULL: it was not made. */
void foresee_thin_solids(const dew_simulation *s, shape *const *liquids, const int *begin, int count, failures *all);

#endif
