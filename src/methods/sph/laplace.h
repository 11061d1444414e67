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
    /* By point. x, n: its place and sharpened normal; y: a pressure, Pa; u: velocity. */
    const real4 *x, *n;
    real4 *u;
    real *y, *product;
    pair_lists lists;
    real inv_reach; /* of the lists, 1/m */
    real4 *change;  /* of the particles' velocities: what a pass reads or adds to */
    real scale;     /* d of laplace.c over that of a Laplacian by plain weights t^3, 1/m2 */
} laplace_pressure;

/* After the curvature of the step. `product` is the caller's to set. */
void sph_laplace_open(laplace_pressure *l, flow *k);
/* Adds to the velocities `change` what y makes of them in the step. */
void sph_laplace_push(laplace_pressure *l, real4 *change);
/* product: D of the velocities `change`. */
void sph_laplace_pull(laplace_pressure *l, real4 *change);

/* Takes what the pressures y have made of the velocities off these again and leaves it in k->pull, m/s2, which is zero:
 * there it is balanced. */
void sph_laplace_hand_over(laplace_pressure *l, const real *y);

#endif
