/* Implicit velocities: backward Euler of surface energy, elastic energy and viscosity (paper, 4.3.1), of those that the
 * scheme names. One Newton iteration from x^n,
 *
 *     (M + K) v = M v*,   K w = sum V C : sym(grad w) grad N
 *
 * v* being what the forces of x^n make of the nodes. K is made of symmetric strains alone, E = sym(dt grad w):
 *
 *   surface   (tension > 0)    k |a| sym(n c^T), c = (I - n n^T) E n       (Gauss-Newton; of k < 0 nothing)
 *   elastic                    the second derivative of psi along E F, its negative part taken off
 *   viscosity                  2 mu V E/dt
 *
 * so stresses stay symmetric, and angular momentum about x^n is kept as momentum is, at any tolerance: conjugate
 * gradients with the nodes' masses as preconditioner add forces of stresses only. */
#ifndef METHODS_MPM_ANY_VELOCITIES_H
#define METHODS_MPM_ANY_VELOCITIES_H

#include "methods/mpm/any/pressure_matrix.h"
#include "methods/mpm/any/tangent.h"

typedef struct velocity_system {
    fluid *f;
    int count;                 /* nodes */
    real4 *r, *p, *Ap;         /* as conjugate gradients have them; w: nothing */
    real4 *inverse;            /* of the masses; w: 0 */
    tangent *solid;            /* of each slot; NULL without solids */
    const real4 *from;         /* what Ap is K of */
    real viscous, surface;     /* V dt/(m dx^2), dt^2/(m dx^2) */
    bool walls_give;           /* -K from is what the nodes get: so do owners what the mirrors make of it */
    real4 left;                /* what walls give besides, over that of stresses: see push_by_velocities */
    pressure_system *pressure; /* in K too: lambda of the cubes; NULL: it is not */
} velocity_system;

/* Ap = K from; walls that move are at rest for differences of velocities. */
void velocities_multiply(velocity_system *q, const real4 *from, bool is_difference);

/* Makes the system of now; `pressure`: what of it is in K, or NULL. */
dew_result velocities_make(velocity_system *q, fluid *f, pressure_system *pressure);

/* Nodes with velocities v* get those of backward Euler; with pressures, v* has the last ones in it. */
dew_result velocities_solve(fluid *f, pressure_system *pressure);

#endif
