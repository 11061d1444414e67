/* Passes over a level's points, cells and nodes, for WIDTH numbers each. */
#include "laplacian/any/value.h"

/* Of each cell, what its corners get of its points. */
static void ANY(share_out)(int begin, int end, void *context)
{
    const passing *q = context;
    const level *l = q->l;
    for (int c = begin; c < end; c++) {
        VALUE share[8] = {0};
        for (int i = l->begin[c]; i < l->begin[c + 1]; i++) {
            real weight[8];
            corner_weights(&l->point[i], weight);
            VALUE from = ANY(value_at)(q->from, l->point[i].index);
            for (int k = 0; k < 8; k++) share[k] += weight[k] * from;
        }
        for (int k = 0; k < 8; k++) ANY(value_put)(l->share, 8 * c + k, share[k]);
    }
}

/* Of each node, the sum of its cells' shares. */
static void ANY(gather)(int begin, int end, void *context)
{
    const passing *q = context;
    const level *l = q->l;
    for (int v = begin; v < end; v++) {
        VALUE sum = {0};
        for (int k = 0; k < 8; k++) sum += ANY(value_at)(l->share, 8 * l->around[v][k] + k);
        ANY(value_put)(q->to, v, sum);
    }
}

/* Adds to points what nodes have. */
static void ANY(interpolate)(int begin, int end, void *context)
{
    const passing *q = context;
    const level *l = q->l;
    for (int c = begin; c < end; c++) {
        VALUE corner[8];
        for (int k = 0; k < 8; k++) corner[k] = ANY(value_at)(q->from, l->corner[c][k]);
        for (int i = l->begin[c]; i < l->begin[c + 1]; i++) {
            real weight[8];
            corner_weights(&l->point[i], weight);
            VALUE sum = ANY(value_at)(q->to, l->point[i].index);
            for (int k = 0; k < 8; k++) sum += weight[k] * corner[k];
            ANY(value_put)(q->to, l->point[i].index, sum);
        }
    }
}

/* b - A x of a node. */
static inline VALUE ANY(rest_at)(const level *l, const real *x, int v)
{
    VALUE own = ANY(value_at)(x, v), rest = ANY(value_at)(l->b, v) - ANY(value_at)(l->hold, v) * own;
    for (int k = 0; k < 6; k++) rest += l->spring[v][k] * (ANY(value_at)(x, l->near[v][k]) - own);
    return rest;
}

static void ANY(rest_of)(int begin, int end, void *context)
{
    const passing *q = context;
    for (int v = begin; v < end; v++) ANY(value_put)(q->to, v, ANY(rest_at)(q->l, q->from, v));
}

/* A damped step of Jacobi's; `inverse` has the damping. */
static void ANY(step_on)(int begin, int end, void *context)
{
    const passing *q = context;
    for (int v = begin; v < end; v++) ANY(value_put)
    (q->to, v, ANY(value_at)(q->from, v) + ANY(value_at)(q->l->inverse, v) * ANY(rest_at)(q->l, q->from, v));
}

/* The first one, from 0. */
static void ANY(begin_steps)(int begin, int end, void *context)
{
    const passing *q = context;
    for (int v = begin; v < end; v++)
        ANY(value_put)(q->to, v, ANY(value_at)(q->l->inverse, v) * ANY(value_at)(q->l->b, v));
}
