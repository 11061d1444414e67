#include "laplacian/turning.h"

#include <string.h>

#include "base/parallel.h"
#include "particles/bodies.h"

/* What is summed over each body at the beginning, places x against the origin: d; d x; d times xx, yy, zz, yz, zx, xy;
 * g = b - d x0; x x g; what walls hold. */
enum { MASS, FIRST, SECOND = FIRST + 3, GIVEN = SECOND + 6, SPIN = GIVEN + 3, WALLS = SPIN + 3, COLUMNS };

typedef struct opening {
    turning *t;
    const real4 *hold, *walls, *b, *guess;
    int wall_stride;
    double (*of_cell)[COLUMNS];
    real4 *lever; /* d y of a particle */
} opening;

static void add_particle(const opening *o, int i, double *sum)
{
    const real *at = &o->t->position[i].x;
    double x[3] = {at[0], at[1], at[2]}, g[3], d = (double)o->hold[i].x;
    if (!(d > 0)) return;
    for (int a = 0; a < 3; a++) g[a] = (double)(&o->b[i].x)[a] - (o->guess ? d * (double)(&o->guess[i].x)[a] : 0);
    sum[MASS] += d;
    for (int a = 0; a < 3; a++) {
        int p = (a + 1) % 3, q = (a + 2) % 3;
        sum[FIRST + a] += d * x[a], sum[GIVEN + a] += g[a];
        sum[SECOND + a] += d * x[a] * x[a], sum[SECOND + 3 + a] += d * x[p] * x[q];
        sum[SPIN + a] += x[p] * g[q] - x[q] * g[p];
    }
    if (!o->walls) return;
    const real4 *w = &o->walls[(size_t)o->wall_stride * (size_t)i];
    sum[WALLS] += (double)(w->x + w->y + w->z);
}

static void add_cells(int begin, int end, void *context)
{
    const opening *o = context;
    const level *v = &o->t->grid->level[0];
    for (int c = begin; c < end; c++) {
        memset(o->of_cell[c], 0, sizeof *o->of_cell);
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) add_particle(o, v->point[k].index, o->of_cell[c]);
    }
}

static void set_turn(body_turning *body, const double spin[3], double sign)
{
    double turn[3] = {0};
    if (body->is_there) bodies_turn(body->square, spin, turn);
    for (int a = 0; a < 3; a++) body->turn[a] = (real)(sign * turn[a]);
}

/* Against the centre. */
static void open_body(body_turning *body, const double *sum)
{
    body->is_there = sum[MASS] > 0 && !(sum[WALLS] > 0);
    if (!body->is_there) return;
    double c[3], spin[3];
    for (int a = 0; a < 3; a++) c[a] = sum[FIRST + a] / sum[MASS], body->centre[a] = (real)c[a];
    for (int a = 0; a < 3; a++) {
        int p = (a + 1) % 3, q = (a + 2) % 3;
        body->square[a] = sum[SECOND + a] - sum[MASS] * c[a] * c[a];
        body->square[3 + a] = sum[SECOND + 3 + a] - sum[MASS] * c[p] * c[q];
        spin[a] = sum[SPIN + a] - (c[p] * sum[GIVEN + q] - c[q] * sum[GIVEN + p]);
    }
    set_turn(body, spin, 1);
}

static void find_levers(int begin, int end, void *context)
{
    const opening *o = context;
    for (int i = begin; i < end; i++) {
        const body_turning *body = &o->t->body[o->t->grid->body_of[i]];
        real3 y = real3_sub(real3_of(o->t->position[i]), (real3){body->centre[0], body->centre[1], body->centre[2]});
        o->lever[i] = real4_of(real3_scale(body->is_there ? o->hold[i].x : 0, y), 0);
    }
}

/* Where a node is: by a particle in a cell at it, since cells may begin anew. */
static void place_nodes(int begin, int end, void *context)
{
    const turning *t = context;
    const level *v = &t->grid->level[0];
    for (int node = begin; node < end; node++) {
        int k = 0;
        while (v->around[node][k] == v->cells) k++;
        int cell = v->around[node][k];
        const level_point *p = &v->point[v->begin[cell]];
        const real *x = &t->position[p->index].x, *within = &p->x;
        for (int a = 0; a < 3; a++)
            (&t->place_of_nodes[node].x)[a] =
                x[a] + (real)v->h[a] * ((real)(k >> a & 1) - within[a]) - t->body[t->grid->body[cell]].centre[a];
    }
}

dew_result turning_open(turning *t, arena *scratch, levels *grid, const real4 *position, const real4 *hold,
                        const real4 *walls, int wall_stride, const real4 *b, const real4 *x)
{
    const level *v = &grid->level[0];
    int count = v->begin[v->cells];
    *t = (turning){.grid = grid, .position = position};
    opening o = {.t = t, .hold = hold, .walls = walls, .wall_stride = wall_stride, .b = b, .guess = x};
    double(*sum)[COLUMNS];
    ARENA_TRY(scratch, v->cells, o.of_cell, t->of_cell);
    ARENA_TRY(scratch, grid->bodies, t->sum);
    ARENA_TRY_ZEROED(scratch, grid->bodies, sum, t->body);
    ARENA_TRY(scratch, v->nodes, t->place_of_nodes, t->lever_of_nodes);
    ARENA_TRY(scratch, count, o.lever);
    parallel_for(v->cells, LEVEL_GRAIN, add_cells, &o);
    for (int c = 0; c < v->cells; c++)
        for (int n = 0; n < COLUMNS; n++) sum[grid->body[c]][n] += o.of_cell[c][n];
    for (int k = 0; k < grid->bodies; k++) open_body(&t->body[k], sum[k]);
    parallel_for(count, 4096, find_levers, &o);
    levels_sum_up(grid, &o.lever->x, &t->lever_of_nodes->x);
    parallel_for(v->nodes, LEVEL_GRAIN, place_nodes, t);
    return DEW_OK;
}

static int body_of_node(const turning *t, int node)
{
    const level *v = &t->grid->level[0];
    int k = 0;
    while (v->around[node][k] == v->cells) k++;
    return t->grid->body[v->around[node][k]];
}

static void turn_nodes(int begin, int end, void *context)
{
    const turning *t = context;
    real4 *x = (real4 *)t->grid->level[0].x;
    for (int node = begin; node < end; node++) {
        const real *turn = t->body[body_of_node(t, node)].turn;
        real4_add(&x[node], real3_cross((real3){turn[0], turn[1], turn[2]}, real3_of(t->place_of_nodes[node])));
    }
}

void turning_turn_nodes(turning *t)
{
    const level *v = &t->grid->level[0];
    memset(t->sum, 0, (size_t)t->grid->bodies * sizeof *t->sum);
    for (int c = 0; c < v->cells; c++)
        for (int n = 0; n < 3; n++) t->sum[t->grid->body[c]][n] += t->of_cell[c][n];
    for (int node = 0; node < v->nodes; node++) {
        real3 spin = real3_cross(real3_of(t->lever_of_nodes[node]), real3_of(((const real4 *)v->x)[node]));
        double *sum = t->sum[body_of_node(t, node)];
        sum[0] += (double)spin.x, sum[1] += (double)spin.y, sum[2] += (double)spin.z;
    }
    for (int k = 0; k < t->grid->bodies; k++) set_turn(&t->body[k], t->sum[k], -1);
    parallel_for(v->nodes, LEVEL_GRAIN, turn_nodes, t);
}
