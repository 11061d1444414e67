#include "base/conjugate_gradient.h"

#include "base/parallel.h"

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

/* p = D^-1 r + beta p */
static void turn(int begin, int end, void *context)
{
    const conjugate_gradient *c = context;
    for (int k = begin; k < end; k++) c->p[k] = (c->inverse ? c->inverse[k] : 1) * c->r[k] + c->beta * c->p[k];
}

static double go_along(conjugate_gradient *c, double alpha)
{
    double square;
    c->alpha = (real)alpha;
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
    for (c->beta = 0; iterations<most && * square> least && isfinite(*square); iterations++) {
        double before = *square;
        parallel_for(c->count, 4096, turn, c);
        double curvature = c->multiply(c->context);
        if (!(curvature > 0)) break;
        *square = go_along(c, before / curvature);
        c->beta = (real)(*square / before);
    }
    return iterations;
}
