/* Implicit pressure: one unknown a cube, so that sound does not bound the step (calibration.md, "The implicit
 * pressure").
 *
 * Stress of the cube c is lambda e_c, that of the end of the step; v = v* - (dt/m) G (lambda e), where v* is what all
 * other forces make of the nodes, and G^T, which gives the cubes' divergences, the exact transpose of G, walls
 * included. For z = (1 + e_old) e this is, with a = c dt/dx,
 *
 *     [n/(1 + e)^2 + a^2 g^T M^-1 g] z = n e/(1 + e) + (dt/dx) g^T v*
 *
 * where walls that move add to g^T v* what their mirrors turn of their own motion.
 *
 * n: particles of the cube; M: mass of the nodes, in particles'; g = G dx/V0, sums of the slopes of splines per cell.
 * Conjugate gradients with the diagonal as preconditioner start from the last strain. Momentum does not depend on how
 * far they get, as the columns of g have neither sum nor moment; nor does volume, as what is left of the residual goes
 * to the strain. */
#ifndef METHODS_MPM_ANY_PRESSURE_H
#define METHODS_MPM_ANY_PRESSURE_H

#include "base/conjugate_gradient.h"
#include "methods/mpm/any/pressure_matrix.h"

enum { MOST_PRESSURE_ITERATIONS = 2000, NODE_GRAIN = 8 * CELLS };

/* 1/M of the nodes, and u = from. */
void pressure_take_nodes(int begin, int end, void *context);

/* v -= step u */
void pressure_give_nodes(int begin, int end, void *context);

/* Adds to the owners' pushes what walls give by the pressures z in their mirrors, in what pressure_give_nodes does. */
void pressure_push_owners(int begin, int end, void *context);

/* The square of a cube's column, over the nodes' masses: of all its entries. */
real pressure_square(const pressure_system *q, int c);

/* u = M^-1 g value */
void pressure_spread(pressure_system *q, const real *value);

/* Ap = g^T u */
void pressure_collect(pressure_system *q);

/* Ap = g^T u, of velocities u, and what walls that move add to the divergence: a mirror turns what moves against it. */
void pressure_collect_flow(pressure_system *q);

/* Ap = A p, the whole matrix; p . Ap. */
double pressure_multiply(void *context);

/* Makes the right side, for Ap = g^T v*, and sums up its size. The iteration starts from the strain of now. */
void pressure_begin(int begin, int end, void *context, double *sums);

/* Finds the strains of the substep's end; what is left of the residual goes to them, so that their equation is met
 * exactly. */
void pressure_strains(int begin, int end, void *context);

conjugate_gradient pressure_gradients(pressure_system *q);

/* Solves for z, from the guess in p; size: of the right side. */
dew_result pressure_solve(pressure_system *q, double size);

/* Makes the system of now; u = v*. */
dew_result pressure_make(pressure_system *q, fluid *f);

/* Hands the cubes' strains to their particles. */
void pressure_take_strains(int block, void *context);

#endif
