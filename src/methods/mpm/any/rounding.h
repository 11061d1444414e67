/* Momentum that sums in float lose. */
#ifndef METHODS_MPM_ANY_ROUNDING_H
#define METHODS_MPM_ANY_ROUNDING_H

#include "methods/mpm/any/fluid.h"

/* Momentum over f->mass; then the sum of its components' sizes; mass. */
enum { MOMENTUM_SIZE = 3, MOMENTUM_MASS, MOMENTUM_SUMS };
void sum_momentum(int begin, int end, void *context, double *sums);

/* Liquid has the momentum that gravity and walls give it, to rounding; sums over a node's particles, in float, lose a
 * part in 1e8 a substep, always the same way while the particles hardly move. That is given back, and no more than
 * rounding can be: what a fault loses stays lost, and the laws see it. */
void give_back_rounding(fluid *f, const double before[MOMENTUM_SUMS], double dt);

#endif
