/* Order among particles: displacements without velocity, once a step, to where there are fewer (particle shifting; Xu,
 * Stansby, Laurence 2009; Lind, Xu, Stansby, Rogers 2012).
 *
 * Particles that only follow the flow stretch into rows and leave voids; the grid feels volume, not place, so nothing
 * brings them back, and a surface whose outermost particles lie at all depths is rough by parts of a cell that no
 * force can level. What is missing around a particle is
 *
 *     S(x) = sum_j V grad W(x - x_j) + sum_r W(x - s_r) a_r,
 *
 * the second sum over the contour, outward areas: by Gauss' theorem it is the gradient that liquid beyond the contour
 * would have. So S = 0 where particles are even and the outermost lie half a spacing under the contour, whether that
 * is free, on a wall, in a corner of walls or around a film. Particles move by -S.
 *
 * Where a body touches a wall, what the grid sees of its displacements, their mean around each node, is taken off:
 * it is a flow that no pressure or tension made, and drops on repelling walls stood 1 to 2 degrees too steep by it. So
 * it is where liquid is at rest: where it flows fast that flow is nothing beside it, and voids close by it (the energy
 * of a bouncing drop grew by 0.02 without, by 0.008 with it).
 *
 * At contact lines, next to a wall and to the free surface at once, particles stay: shifts there made drops of 120
 * degrees stand at 127 on a ball and those of 150 let go of a bowl.
 */
#ifndef METHODS_MPM_ANY_SHIFT_H
#define METHODS_MPM_ANY_SHIFT_H

#include "methods/mpm/any/fluid.h"

/* The free surface counts for a little more than its area: with that the outermost particles lie half a spacing deep.
 * Lattices ask for 1.003, particles in layers that are not as even for a little more: with 1 a cube that becomes a ball
 * is 1.4 % too large by its outermost particles (law relaxation), and single ones stand out at the rim of a wedge. */
#define FILM_WEIGHT 1.03

/* Spacings that a particle is shifted in a step at most. */
#define MOST_SHIFT 0.1

/* Points along each side of a face of the contour, at which its integral is taken. */
enum { FACE_SIDE = 3, FACE_POINTS = DIM == 3 ? FACE_SIDE * FACE_SIDE : FACE_SIDE };

/* What shifts are found from. Coordinates stand in an array for each axis, sorted by cell. */
typedef struct shift_work {
    fluid *f;
    const contour *c;
    real support;         /* of W, m */
    real *x[DIM];         /* of the particles */
    real *film[DIM];      /* points of the contour: where they are */
    real *film_area[DIM]; /* and their areas */
    int32_t *film_begin;  /* by node, one more */
    real4 *shift;         /* of each particle, m */
} shift_work;

/* The point of a face at (u, v) of its sides, and its share of area. */
void shift_face_point(const contour *c, const face *f, int k, real3 *x, real3 *area);

/* Makes the points of the contour, sorted by cell. */
dew_result shift_film(shift_work *w);

/* Finds the shifts of a block's particles, from streams of their coordinates. */
void shift_block(int block, void *context);
void shift_streams(int begin, int end, void *context);

/* Moves the particles by their shifts. */
dew_result shift_particles(fluid *f, const contour *c);

#endif
