#include "laplacian/balance.h"

#include "base/matrix.h"
#include "base/parallel.h"

#include <string.h>

typedef struct summing {
    const balance *l;
    const real *x; /* NULL: 1 for all that take part */
    bool is_held;  /* against A 1; else sums of x alone */
} summing;

static void sum_cells(int begin, int end, void *context)
{
    const summing *s = context;
    const balance *l = s->l;
    const level *v = &l->grid->level[0];
    for (int c = begin; c < end; c++) {
        double sum[6] = {0};
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) {
            int i = v->point[k].index;
            if (s->is_held)
                balance_add_particle(l, i, s->x + l->width * i, sum, l->width);
            else
                for (int n = 0; n < l->width; n++) sum[n] += (double)s->x[l->width * i + n];
        }
        memcpy(l->of_cell[c], sum, sizeof sum);
    }
}

/* What takes part, and 1 . A 1. */
static void sum_held(int begin, int end, void *context)
{
    const summing *s = context;
    const balance *l = s->l;
    const level *v = &l->grid->level[0];
    for (int c = begin; c < end; c++) {
        double *sum = l->of_cell[c];
        memset(sum, 0, sizeof *l->of_cell);
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) {
            int i = v->point[k].index;
            if (!(l->takes_part[i] > 0)) continue;
            for (int n = 0; n < l->width && n < 3; n++) sum[n] += s->is_held ? (double)l->hold[l->width * i + n] : 1;
            for (int n = 0; l->mixing && s->is_held && n < 3; n++) sum[3 + n] += (double)(&l->mixing[i].across.x)[n];
        }
    }
}

static void add_cells(const balance *l, double (*sum)[6])
{
    memset(sum, 0, (size_t)l->grid->bodies * sizeof *sum);
    for (int c = 0; c < l->grid->level[0].cells; c++)
        for (int n = 0; n < 6; n++) sum[l->grid->body[c]][n] += l->of_cell[c][n];
}

static void sum_bodies(const balance *l, parallel_fcn *fcn, summing s, double (*sum)[6])
{
    parallel_for(l->grid->level[0].cells, LEVEL_GRAIN, fcn, &s);
    add_cells(l, sum);
}

static void hold_what_is_free(int begin, int end, void *context)
{
    const balance *l = context;
    const level *v = &l->grid->level[0];
    for (int c = begin; c < end; c++)
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++)
            for (int n = 0, i = v->point[k].index; n < l->width; n++)
                if (l->is_free[l->grid->body[c]][n]) l->hold[l->width * i + n] = l->takes_part[i] > 0;
}

/* (A 1)^T P, by which sums over particles are sums over nodes. */
static dew_result find_nodes(balance *l, arena *scratch, int count)
{
    int nodes = l->grid->level[0].nodes;
    ARENA_TRY(scratch, l->width * nodes, l->hold_of_nodes);
    levels_sum_up(l->grid, l->hold, l->hold_of_nodes);
    if (!l->mixing) return DEW_OK;
    ARENA_ARRAY(scratch, count, real4, across);
    ARENA_TRY(scratch, nodes, l->across_of_nodes);
    for (int i = 0; i < count; i++) across[i] = l->takes_part[i] > 0 ? l->mixing[i].across : (real4){0, 0, 0, 0};
    levels_sum_up(l->grid, &across->x, &l->across_of_nodes->x);
    return DEW_OK;
}

dew_result balance_open(balance *l, arena *scratch, levels *grid, const real *takes_part, real *hold,
                        const laplacian_mixing *mixing)
{
    *l = (balance){.grid = grid, .width = grid->width, .takes_part = takes_part, .hold = hold, .mixing = mixing};
    const level *v = &grid->level[0];
    ARENA_TRY(scratch, v->cells, l->of_cell);
    ARENA_TRY(scratch, grid->bodies, l->sum, l->of_guess, l->held);
    ARENA_TRY_ZEROED(scratch, grid->bodies, l->is_free, l->shift, l->mean);
    sum_bodies(l, sum_held, (summing){l, NULL, false}, l->sum);
    sum_bodies(l, sum_held, (summing){l, NULL, true}, l->held);
    bool any = false;
    for (int k = 0; k < grid->bodies; k++)
        for (int n = 0; n < l->width && n < 3; n++) {
            if (l->held[k][n] > 0) continue;
            l->is_free[k][n] = 1, l->held[k][n] = l->sum[k][n], any = true;
        }
    if (any) parallel_for(v->cells, LEVEL_GRAIN, hold_what_is_free, l);
    return find_nodes(l, scratch, v->begin[v->cells]);
}

/* shift = sign held^-1 sum */
static void find_shifts(const balance *l, const double (*sum)[6], double sign)
{
    for (int k = 0; k < l->grid->bodies; k++) {
        const double *held = l->held[k];
        double x[3] = {0};
        if (!l->mixing || !matrix_solve_symmetric(held, sum[k], 1e-20, x))
            for (int n = 0; n < 3; n++) x[n] = held[n] > 0 ? sum[k][n] / held[n] : 0;
        for (int n = 0; n < 3; n++) l->shift[k][n] = (real)(sign * x[n]);
    }
}

typedef struct shifting {
    const balance *l;
    real *x, *r;
} shifting;

static void take_means(int begin, int end, void *context)
{
    const shifting *s = context;
    const balance *l = s->l;
    const level *v = &l->grid->level[0];
    for (int c = begin; c < end; c++)
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++)
            for (int n = 0, i = v->point[k].index; n < l->width; n++)
                if (l->takes_part[i] > 0) s->r[l->width * i + n] -= l->mean[l->grid->body[c]][n];
}

static void shift_cells(int begin, int end, void *context)
{
    const shifting *s = context;
    const balance *l = s->l;
    const level *v = &l->grid->level[0];
    for (int c = begin; c < end; c++) {
        const real *shift = l->shift[l->grid->body[c]];
        const uint8_t *is_free = l->is_free[l->grid->body[c]];
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) {
            int i = v->point[k].index, at = l->width * i;
            if (!(l->takes_part[i] > 0)) continue;
            for (int n = 0; n < l->width && n < 3; n++) s->x[at + n] += shift[n];
            double sum[4] = {0};
            balance_add_particle(l, i, shift, sum, l->width);
            for (int n = 0; n < l->width && n < 3; n++)
                if (!is_free[n]) s->r[at + n] -= (real)sum[n];
        }
    }
}

void balance_begin(balance *l, real *b, const real *x)
{
    bool any = false;
    sum_bodies(l, sum_cells, (summing){l, b, false}, l->sum);
    for (int k = 0; k < l->grid->bodies; k++)
        for (int n = 0; n < l->width && n < 3; n++) {
            if (!l->is_free[k][n]) continue;
            l->mean[k][n] = l->held[k][n] > 0 ? (real)(l->sum[k][n] / l->held[k][n]) : 0;
            l->sum[k][n] = 0, any = true;
        }
    shifting s = {l, NULL, b};
    if (any) parallel_for(l->grid->level[0].cells, LEVEL_GRAIN, take_means, &s);
    if (x) sum_bodies(l, sum_cells, (summing){l, x, true}, l->of_guess);
    for (int k = 0; x && k < l->grid->bodies; k++)
        for (int n = 0; n < 3; n++) l->sum[k][n] -= l->of_guess[k][n];
    find_shifts(l, (const double(*)[6])l->sum, 1);
}

void balance_shift(const balance *l, real *x, real *r)
{
    shifting s = {l, x, r};
    parallel_for(l->grid->level[0].cells, LEVEL_GRAIN, shift_cells, &s);
}

static int body_of_node(const balance *l, int node)
{
    const level *v = &l->grid->level[0];
    for (int k = 0; k < 7; k++)
        if (v->around[node][k] < v->cells) return l->grid->body[v->around[node][k]];
    return l->grid->body[v->around[node][7]];
}

static void shift_nodes(int begin, int end, void *context)
{
    const balance *l = context;
    for (int v = begin; v < end; v++)
        for (int n = 0; n < l->width; n++) l->grid->level[0].x[l->width * v + n] += l->shift[body_of_node(l, v)][n];
}

void balance_shift_nodes(balance *l)
{
    const level *v = &l->grid->level[0];
    add_cells(l, l->sum);
    for (int node = 0; node < v->nodes; node++) {
        double *sum = l->sum[body_of_node(l, node)];
        const real *x = v->x + l->width * node, *hold = l->hold_of_nodes + l->width * node;
        balance_add(hold, l->mixing ? l->across_of_nodes + node : NULL, x, sum, l->width);
    }
    find_shifts(l, (const double(*)[6])l->sum, -1);
    parallel_for(v->nodes, LEVEL_GRAIN, shift_nodes, l);
}
