/* Bodies of connected points: drops, films, threads. */
#ifndef PARTICLES_BODIES_H
#define PARTICLES_BODIES_H

#include "base/union_find.h"
#include "particles/point_grid.h"

/* Joins points whose cells are the same or touch: those nearer to each other than a cell's width, and some not quite so
 * near. Points with the parent -1 take no part. `parent`: see base/union_find.h. */
void bodies_join_cells(const point_grid *g, int32_t *parent);

/* Joins points nearer to each other than `reach` (m), at most the width of the grid's cells. period: of the domain
 * along each axis, m; 0: none. */
void bodies_join_near(const point_grid *g, const real4 *points, double reach, const double period[3], int32_t *parent);

/* The angular velocity of a rigid body: I turn = spin, I = sum m (r^2 - r r^T). square: sum m times xx, yy, zz, yz, zx,
 * xy of the places against the centre of mass; spin: sum m r x v. Zero for a body that is a line or a point. */
void bodies_turn(const double square[6], const double spin[3], double turn[3]);

#endif
