/* Conjugate gradients (Hestenes, Stiefel 1952) for A x = b without a matrix, with a diagonal as preconditioner, or one
 * of the caller's. */
#ifndef BASE_CONJUGATE_GRADIENT_H
#define BASE_CONJUGATE_GRADIENT_H

#include "base/real.h"

#include <stdbool.h>

/* A is symmetric and positive; what multiplies by it is the caller's, who also owns the vectors. These are reals, their
 * products doubles in fixed blocks: the result does not depend on the number of threads. A solution keeps what all
 * columns of A keep (momentum, say), however early the iteration ends. */
typedef struct conjugate_gradient {
    int count;
    real *x, *r, *p, *Ap; /* r = b - A x */
    const real *inverse;  /* of the diagonal D; 0: an unknown that takes no part. NULL: D = 1 */
    bool is_of_records;   /* unknowns are real4 without their w, each with one entry of D; all w of p, r are 0 */
    double (*multiply)(void *context); /* finds Ap of p; returns p . Ap */
    /* NULL: D is the preconditioner. Else finds z of r, symmetric and positive; returns r . z. */
    double (*precondition)(void *context);
    real *z;
    /* After x has gone by alpha p: takes along what else goes with x. NULL: there is nothing. */
    void (*advance)(void *context);
    void *context;
    real alpha, beta;
} conjugate_gradient;

/* From r = b - A x on, whose square r . D^-1 r is *square, until that is `least` or less, `most` iterations at the
 * most. Returns how many it took; *square: what is left, which is above `least`, or no number, where it has not
 * converged. */
int conjugate_gradient_solve(conjugate_gradient *c, double *square, double least, int most);

/* For a first guess: p holds it, x is 0 and r = b. Makes it x, and r what that leaves; returns the square. */
double conjugate_gradient_guess(conjugate_gradient *c);

#endif
