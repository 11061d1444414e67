#include "laplacian/balance.h"

#include <string.h>

#include "base/matrix.h"
#include "base/parallel.h"

/* What is summed over each body at the beginning: those that take part; A 1, as a symmetric matrix; b; x; A 1 x. */
enum { PART, HELD, SUM_OF_B = HELD + 6, SUM_OF_X = SUM_OF_B + 3, HELD_X = SUM_OF_X + 3, COLUMNS = HELD_X + 3 };

typedef struct opening {
    const balance *l;
    const real *takes_part, *b, *x;
    double (*of_cell)[COLUMNS];
} opening;

static void add_particle(const opening *o, int i, double *sum)
{
    int width = o->l->width;
    const real *hold = o->l->hold + width * i;
    if (!(o->takes_part[i] > 0)) return;
    sum[PART] += 1;
    for (int n = 0; n < width && n < 3; n++) {
        sum[HELD + n] += (double)hold[n];
        sum[SUM_OF_B + n] += (double)o->b[width * i + n];
        if (!o->x) continue;
        sum[SUM_OF_X + n] += (double)o->x[width * i + n];
        sum[HELD_X + n] += (double)(hold[n] * o->x[width * i + n]);
    }
    if (!o->l->mixing) return;
    real4 a = o->l->mixing[i].across;
    for (int n = 0; n < 3; n++) sum[HELD + 3 + n] += (double)(&a.x)[n];
    if (!o->x) return;
    const real *x = o->x + 4 * i;
    sum[HELD_X] += (double)(a.z * x[1] + a.y * x[2]);
    sum[HELD_X + 1] += (double)(a.z * x[0] + a.x * x[2]);
    sum[HELD_X + 2] += (double)(a.y * x[0] + a.x * x[1]);
}

static void add_cells(int begin, int end, void *context)
{
    const opening *o = context;
    const level *v = &o->l->grid->level[0];
    for (int c = begin; c < end; c++) {
        double sum[COLUMNS] = {0};
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) add_particle(o, v->point[k].index, sum);
        memcpy(o->of_cell[c], sum, sizeof sum);
    }
}

/* held^-1 sum */
static void solve_body(const body_balance *body, bool mixes, const double *sum, double x[3])
{
    double asked[3];
    for (int n = 0; n < 3; n++) asked[n] = body->is_left[n] ? 0 : sum[n];
    if (mixes && matrix_solve_symmetric(body->held, asked, 1e-20, x)) return;
    for (int n = 0; n < 3; n++) x[n] = body->held[n] > 0 ? asked[n] / body->held[n] : 0;
}

/* Returns whether nothing holds some component. */
static bool open_body(body_balance *body, int width, bool mixes, const bool is_mirrored[3], const double *sum)
{
    double left[3] = {0}, shift[3];
    memcpy(body->held, sum + HELD, sizeof body->held);
    for (int n = 0; n < width && n < 3; n++) {
        body->is_left[n] = is_mirrored[n];
        if (is_mirrored[n]) {
            for (int m = 0; m < 3; m++) body->held[m == n ? n : 3 + m] = m == n;
            continue;
        }
        left[n] = sum[SUM_OF_B + n] - sum[HELD_X + n];
        if (body->held[n] > 0) continue;
        body->is_free[n] = true, body->held[n] = sum[PART], left[n] = -sum[SUM_OF_X + n];
        if (sum[PART] > 0) body->mean[n] = (real)(sum[SUM_OF_B + n] / sum[PART]);
    }
    solve_body(body, mixes, left, shift);
    for (int n = 0; n < 3; n++) body->shift[n] = (real)shift[n];
    return body->is_free[0] || body->is_free[1] || body->is_free[2];
}

static void hold_what_is_free(int begin, int end, void *context)
{
    const opening *o = context;
    const balance *l = o->l;
    for (int i = begin; i < end; i++)
        for (int n = 0; n < l->width && n < 3; n++)
            if (l->body[l->grid->body_of[i]].is_free[n]) l->hold[l->width * i + n] = o->takes_part[i] > 0;
}

static dew_result find_nodes(balance *l, arena *scratch, const real *takes_part)
{
    const level *v = &l->grid->level[0];
    int count = v->begin[v->cells];
    ARENA_TRY(scratch, l->width * v->nodes, l->hold_of_nodes);
    levels_sum_up(l->grid, l->hold, l->hold_of_nodes);
    if (!l->mixing) return DEW_OK;
    ARENA_ARRAY(scratch, count, real4, across);
    ARENA_TRY(scratch, v->nodes, l->across_of_nodes);
    for (int i = 0; i < count; i++) across[i] = takes_part[i] > 0 ? l->mixing[i].across : (real4){0, 0, 0, 0};
    levels_sum_up(l->grid, &across->x, &l->across_of_nodes->x);
    return DEW_OK;
}

dew_result balance_open(balance *l, arena *scratch, levels *grid, const real *takes_part, real *hold,
                        const laplacian_mixing *mixing, const bool is_mirrored[3], const real *b, const real *x)
{
    const level *v = &grid->level[0];
    *l = (balance){.grid = grid, .width = grid->width, .hold = hold, .mixing = mixing};
    opening o = {.l = l, .takes_part = takes_part, .b = b, .x = x};
    double(*sum)[COLUMNS];
    bool any_free = false;
    ARENA_TRY(scratch, v->cells, o.of_cell, l->of_cell);
    ARENA_TRY(scratch, grid->bodies, l->sum);
    ARENA_TRY_ZEROED(scratch, grid->bodies, sum, l->body);
    parallel_for(v->cells, LEVEL_GRAIN, add_cells, &o);
    for (int c = 0; c < v->cells; c++)
        for (int n = 0; n < COLUMNS; n++) sum[grid->body[c]][n] += o.of_cell[c][n];
    for (int k = 0; k < grid->bodies; k++)
        any_free |= open_body(&l->body[k], l->width, mixing != NULL, is_mirrored, sum[k]);
    if (any_free) parallel_for(v->begin[v->cells], 4096, hold_what_is_free, &o);
    if (any_free || mixing) return find_nodes(l, scratch, takes_part);
    l->hold_of_nodes = v->hold;
    return DEW_OK;
}

/* --- within an iteration --- */

static int body_of_node(const balance *l, int node)
{
    const level *v = &l->grid->level[0];
    int k = 0;
    while (v->around[node][k] == v->cells) k++;
    return l->grid->body[v->around[node][k]];
}

static void shift_nodes(int begin, int end, void *context)
{
    const balance *l = context;
    for (int v = begin; v < end; v++)
        for (int n = 0; n < l->width; n++)
            l->grid->level[0].x[l->width * v + n] += l->body[body_of_node(l, v)].shift[n];
}

void balance_shift_nodes(balance *l)
{
    const level *v = &l->grid->level[0];
    memset(l->sum, 0, (size_t)l->grid->bodies * sizeof *l->sum);
    for (int c = 0; c < v->cells; c++)
        for (int n = 0; n < l->width; n++) l->sum[l->grid->body[c]][n] += l->of_cell[c][n];
    for (int node = 0; node < v->nodes; node++) {
        double *sum = l->sum[body_of_node(l, node)];
        const real *x = v->x + l->width * node, *hold = l->hold_of_nodes + l->width * node;
        for (int n = 0; n < l->width; n++) sum[n] += (double)hold[n] * (double)x[n];
        if (!l->mixing) continue;
        real4 a = l->across_of_nodes[node];
        sum[0] += (double)(a.z * x[1] + a.y * x[2]);
        sum[1] += (double)(a.z * x[0] + a.x * x[2]);
        sum[2] += (double)(a.y * x[0] + a.x * x[1]);
    }
    for (int k = 0; k < l->grid->bodies; k++) {
        double shift[3];
        solve_body(&l->body[k], l->mixing != NULL, l->sum[k], shift);
        for (int n = 0; n < 3; n++) l->body[k].shift[n] = -(real)shift[n];
    }
    parallel_for(v->nodes, LEVEL_GRAIN, shift_nodes, l);
}
