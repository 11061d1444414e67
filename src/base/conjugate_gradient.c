#include "base/conjugate_gradient.h"

#include "base/parallel.h"
#include "base/simd.h"

/* x += alpha p, r -= alpha Ap. sums: r . D^-1 r. */
static void go(int begin, int end, void *context, double *sums)
{
    const conjugate_gradient *c = context;
    for (int k = begin; k < end; k++) {
        c->x[k] += c->alpha * c->p[k];
        real r = c->r[k] -= c->alpha * c->Ap[k];
        sums[0] += (double)(r * r * (c->inverse ? c->inverse[k] : 1));
    }
}

/* The same of records. */
static void go_records(int begin, int end, void *context, double *sums)
{
    const conjugate_gradient *c = context;
    dquad square = {0};
    vquad alpha = {c->alpha, c->alpha, c->alpha, 0};
    for (int i = begin; i < end; i++) {
        quad_store((real4 *)c->x + i, quad_load((real4 *)c->x + i) + alpha * quad_load((real4 *)c->p + i));
        vquad r = quad_load((real4 *)c->r + i) - alpha * quad_load((real4 *)c->Ap + i);
        quad_store((real4 *)c->r + i, r);
        square += __builtin_convertvector(r * r * (c->inverse ? c->inverse[i] : 1), dquad);
    }
    sums[0] += square[0] + square[1] + square[2];
}

/* p = z, z = D^-1 r where nobody else finds it. Callers need not have set p, and 0 times what memory holds may be no
 * number. */
static void start(int begin, int end, void *context)
{
    const conjugate_gradient *c = context;
    int shift = c->is_of_records ? 2 : 0;
    if (c->precondition)
        for (int k = begin; k < end; k++) c->p[k] = c->z[k];
    else
        for (int k = begin; k < end; k++) c->p[k] = (c->inverse ? c->inverse[k >> shift] : 1) * c->r[k];
}

/* p = z + beta p */
static void turn(int begin, int end, void *context)
{
    const conjugate_gradient *c = context;
    int shift = c->is_of_records ? 2 : 0;
    if (c->precondition)
        for (int k = begin; k < end; k++) c->p[k] = c->z[k] + c->beta * c->p[k];
    else
        for (int k = begin; k < end; k++)
            c->p[k] = (c->inverse ? c->inverse[k >> shift] : 1) * c->r[k] + c->beta * c->p[k];
}

static double go_along(conjugate_gradient *c, double alpha)
{
    double square;
    c->alpha = (real)alpha;
    if (c->is_of_records)
        parallel_sum(c->count / 4, 1, go_records, c, &square);
    else
        parallel_sum(c->count, 1, go, c, &square);
    if (c->advance) c->advance(c->context);
    return square;
}

double conjugate_gradient_guess(conjugate_gradient *c)
{
    c->multiply(c->context);
    return go_along(c, 1);
}

int conjugate_gradient_solve(conjugate_gradient *c, double *square, double least, int most)
{
    int iterations = 0;
    double before = 0;
    for (; iterations<most && * square> least && isfinite(*square); iterations++) {
        double now = c->precondition ? c->precondition(c->context) : *square;
        c->beta = iterations > 0 ? (real)(now / before) : 0;
        parallel_for(c->count, 4096, iterations > 0 ? turn : start, c);
        double curvature = c->multiply(c->context);
        if (!(curvature > 0)) break;
        *square = go_along(c, now / curvature);
        before = now;
    }
    return iterations;
}
