/* The Laplace pressure at the step's end, `laplace: implicit`: unknowns of the surface points in the system of the
 * implicit pressure. */
#ifndef METHODS_SPH_LAPLACE_H
#define METHODS_SPH_LAPLACE_H

#include "methods/sph/flow.h"

typedef struct laplace_pressure {
    flow *k;
    surface_points *points; /* its fields `smooth` and `curvature` have done their work by now: u, y */
    const int32_t *slot;
    int count; /* of the points; 0: no tension, no surface, or `laplace: explicit` */
    /* By point. y: a pressure, Pa; u: velocity. */
    real4 *u;
    real *y, *residual, *solution, *product;
    real scale;     /* d of laplace.c over that of a Laplacian by plain weights t^3, 1/m2 */
    real stiffness; /* dt rho c^2, Pa s */
    real length;    /* of a turn */
} laplace_pressure;

/* After the curvature of the step. `stiffness`: dt rho c^2. DEW_NO_MEMORY. */
dew_result sph_laplace_open(laplace_pressure *l, flow *k, real stiffness);
/* Adds to the velocities `change` what y makes of them in the step. */
void sph_laplace_push(laplace_pressure *l, real4 *change);
/* product: D of the velocities `change`. */
void sph_laplace_pull(laplace_pressure *l, const real4 *change);

/* The points' part of the conjugate gradients, turn by turn as in projection.c; each returns its part of the sum. */
double sph_laplace_residual(laplace_pressure *l);
double sph_laplace_curve(laplace_pressure *l);
double sph_laplace_advance(laplace_pressure *l, real length);
void sph_laplace_turn(laplace_pressure *l, real length);
/* Takes what has been found off the velocities again and leaves it in k->pull, m/s2, which is zero: there it is
 * balanced. */
void sph_laplace_hand_over(laplace_pressure *l);

#endif
