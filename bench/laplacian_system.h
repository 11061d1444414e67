/* The systems of a pool, for measuring solvers: a jittered lattice of particles in a box, spacing 1, walls below and at
 * the sides, a free surface on top; weights of the moving particle semi-implicit method, reach/r - 1. */
#ifndef BENCH_LAPLACIAN_SYSTEM_H
#define BENCH_LAPLACIAN_SYSTEM_H

#include "laplacian/laplacian.h"

typedef struct laplacian_system {
    particles p;
    neighbours *n;
    arena *scratch;
    int side;
    double reach, scale; /* the Laplacian is scale sum (reach/r - 1) (x_j - x_i) */
    laplacian a;
    bool is_viscous, is_central; /* the latter is the caller's: pairs of velocities act along the line between them */
    real *b, *x;                 /* pressure */
    real4 *f, *v;
} laplacian_system;

dew_result laplacian_system_open(laplacian_system *s, int side, double reach);
void laplacian_system_close(laplacian_system *s);

/* mu dt/(rho s^2): velocities, which walls hold; 0: pressure, which ends at the surface. Makes a, b or f, and x or v =
 * 0.
 */
dew_result laplacian_system_make(laplacian_system *s, double number);
dew_result laplacian_system_solve(laplacian_system *s, double tolerance, int *iterations);

#endif
