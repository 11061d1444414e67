/* Split and merge (section 4.1.3, 5): a particle that owns n samples shares its mass evenly with them and with n
 * balance points b = 2 x - s. Such particles are handled as a list of points, sorted anew by block in every substep;
 * all others go straight from their slots to the grid. A point at q carries v + A (q - x) and A. In the paper all carry
 * v and what is kept of A, which so bent a flow that varies evenly: A here is what their moments say, B D^-1, with
 * B = (dx^2/4) `affine` and D = dx^2/4 + mean (q - x)(q - x)^T.
 *
 * Merged: v = mean of the points' v; affine = (4/dx^2) mean of sum N v (node - x)^T, arms from the particle. So mass,
 * centre of mass, linear and angular momentum are kept. */
#ifndef METHODS_MPM_ANY_POINTS_H
#define METHODS_MPM_ANY_POINTS_H

#include "methods/mpm/any/fluid.h"
#include "methods/mpm/any/samples.h"

/* Makes the owners, and room for their points. */
dew_result points_make(fluid *f, const samples *s);

/* Orders the points by cell. A point beyond the grid has moved by more than a block: it is left out, and told. */
dew_result points_sort(fluid *f);

/* The points of a block are order[points_begin(block)] .. order[points_begin(block + 1) - 1]. */
static inline int points_begin(const points *p, int block) { return p->cell_begin[(size_t)block * CELLS]; }

static inline bool has_points(const points *p, int block)
{
    return points_begin(p, block) < points_begin(p, block + 1);
}

/* Brings the points of a block to the nodes. */
void points_to_tile(const grid *g, const points *p, int block, real4 *tile);

/* Finds what the nodes have for the points of a block. */
void points_from_tile(const grid *g, const points *p, int block, const real4 *tile);

#endif
