/* Sites at which sums over kernels are taken that must know nothing of how particles lie: middles of the grid's cells,
 * in the liquid, beside it, and as deep in solids as the kernel reaches. */
#ifndef MEASURE_SITES_H
#define MEASURE_SITES_H

#include "measure/quantities.h"
#include "particles/point_grid.h"

typedef struct site {
    point_cell cell;
    dew_vec3 x, foot; /* on the face of the solid that it is in; of one in no solid x */
    bool is_beside;   /* the liquid, or in it */
} site;

/* Chooses at most `samples` of them, at least half as many where there are so many: by a hash of where they are, so
 * that neither the order of particles nor that of threads matters. `grid`: of points of which the first are the frame's
 * particles, its cells `width` (m) wide. All from `memory`; DEW_NO_MEMORY. */
dew_result sites_choose(const measurement *m, const point_grid *grid, double width, double reach, int samples,
                        arena *memory, site **sites, int *count);

#endif
