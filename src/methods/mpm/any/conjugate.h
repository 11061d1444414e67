/* Conjugate gradients with the diagonal as preconditioner and without a matrix: what multiplies is the caller's.
 * Vectors are floats, their products doubles in fixed blocks, so that the result does not depend on the number of
 * threads. */
#ifndef METHODS_MPM_ANY_CONJUGATE_H
#define METHODS_MPM_ANY_CONJUGATE_H

#include "base/parallel.h"
#include "methods/mpm/mpm.h"

typedef struct conjugate {
    int count;
    real *x, *residual, *direction, *image; /* image: the matrix times the direction */
    const real *inverse;                    /* of the diagonal; 0: an unknown that takes no part */
    double (*multiply)(void *context);      /* finds the image; the product of both */
    void *context;
    real step, beta;
} conjugate;

/* x += step direction, residual -= step image; the residual's square by the preconditioner. */
static void conjugate_go(int begin, int end, void *context, double *sums)
{
    const conjugate *c = context;
    for (int k = begin; k < end; k++) {
        c->x[k] += c->step * c->direction[k];
        real r = c->residual[k] -= c->step * c->image[k];
        sums[0] += (double)(r * r * c->inverse[k]);
    }
}

static void conjugate_turn(int begin, int end, void *context)
{
    const conjugate *c = context;
    for (int k = begin; k < end; k++) c->direction[k] = c->inverse[k] * c->residual[k] + c->beta * c->direction[k];
}

/* Starts from x, 0 before, along the direction that is there by a step of 1; returns the residual's square. */
static double conjugate_start(conjugate *c)
{
    double square;
    c->multiply(c->context);
    c->step = 1;
    parallel_sum(c->count, 1, conjugate_go, c, &square);
    return square;
}

/* Until the residual's square, now `square`, is `least`; how many iterations that took, or -1 where it has not come
 * to that in `most`. *square is what is left. */
static int conjugate_solve(conjugate *c, double *square, double least, int most)
{
    int k = 0;
    c->beta = 0;
    for (; *square > least; k++) {
        if (k == most || !isfinite(*square)) return -1;
        double before = *square;
        parallel_for(c->count, 4096, conjugate_turn, c);
        c->step = (real)(before / c->multiply(c->context));
        parallel_sum(c->count, 1, conjugate_go, c, square);
        c->beta = (real)(*square / before);
    }
    return isfinite(*square) ? k : -1;
}

#endif
