/* Implicit pressure: one unknown a cube, so that sound does not bound the step (README.md, "The implicit pressure").
 *
 * Stress of the cube c is lambda e_c, that of the end of the step; v = v* - (dt/m) G (lambda e), where v* is what all
 * other forces make of the nodes, and G^T, which gives the cubes' divergences, the exact transpose of G, walls
 * included. For z = (1 + e_old) e this is, with a = c dt/dx,
 *
 *     [n/(1 + e)^2 + a^2 g^T M^-1 g] z = n e/(1 + e) + (dt/dx) g^T v*
 *
 * n: particles of the cube; M: mass of the nodes, in particles'; g = G dx/V0, sums of the slopes of splines per cell.
 * Conjugate gradients with the diagonal as preconditioner start from the last strain. Momentum does not depend on how
 * far they get, as the columns of g have neither sum nor moment; nor does volume, as what is left of the residual goes
 * to the strain.
 *
 * A column of g is a block of 4^d nodes, an entry, which the cube's particles fill. Images in walls lie in other cubes:
 * each pair (where it is, whose pressure it has) is one more entry. Deep in the liquid, where neither surface nor walls
 * are near, the slopes' mean over the whole cube takes the place of that over its particles: one entry for all of
 * them, times n, and nothing to read but the nodes. These stand in columns along the row axis, unbroken as far as
 * blocks go, so that an entry is a few rows of four nodes and no tile is needed. */
#ifndef METHODS_MPM_ANY_PRESSURE_H
#define METHODS_MPM_ANY_PRESSURE_H

#include "methods/mpm/any/split.h"

enum {
    ENTRY_ROWS = DIM == 3 ? 16 : 4,
    ENTRY = 4 * ENTRY_ROWS,  /* nodes */
    LINES = CELLS / SIDE,    /* of cubes in a block */
    FULL = DIM == 3 ? 4 : 2, /* particles: a cube whose neighbours have so many is deep in the liquid */
    COLUMN_COLOURS = COLOURS / 2,
    MOST_ITERATIONS = 2000,
};

/* Left of the residual, over the right side, both in the norm of the preconditioner. */
#define PRESSURE_TOLERANCE 1e-3

/* Nodes of less mass, in particles', keep their velocity: nothing notices. */
#define LEAST_MASS ((real)1e-20)

/* Four full cubes in a line reach seven nodes a row. The means are products: `across` holds what rows have by their
 * place, along[k] what the eight nodes from the line's first have of cube k. */
typedef struct full_line {
    real4 across[ENTRY_ROWS], along[SIDE][8];
} full_line;

/* An image of a particle in a wall, or what a wall leaves of the particle, with a pressure of 1. */
typedef struct wall_push {
    point at;
    int32_t cube;    /* where, of the grid; -1: nowhere */
    int32_t unknown; /* whose pressure */
    int32_t entry;
} wall_push;

typedef struct pressure_system {
    flow *f;
    int node_count;
    int32_t *start, *stride; /* of each block: node (row, k) is at start + row stride + k */
    int column_count;
    int32_t *column;       /* blocks, column by column */
    int32_t *column_begin; /* column_count + 1, of column[] */
    int32_t *by_colour;    /* columns */
    int colour_begin[COLUMN_COLOURS + 1];
    int count;              /* unknowns: cubes with particles, column by column */
    int32_t *unknown;       /* of each cube of the grid; -1: none */
    int32_t *cube;          /* of each entry: where it lies */
    int32_t *unknown_begin; /* of each column, in unknowns */
    int entry_count;        /* the first ones are the unknowns' own */
    int32_t *slot;          /* of each entry in entry[]; 0: that of a full cube; -1: and so have the next three */
    real *weight;           /* of each entry: n for full cubes, 1 for others */
    int32_t *owner;         /* of entries beyond: their unknowns */
    int32_t *more;          /* entries beyond of an unknown: sorted, from more_begin[unknown] */
    int32_t *more_begin;    /* NULL: there are none */
    int32_t *lying;         /* and sorted by column, from lying_begin[column] */
    int32_t *lying_begin;
    int32_t *row; /* of each line of cubes in a block: where the rows of its first cube's entry begin */
    real4 *entry;
    full_line line;
    int push_count;
    wall_push *push;
    int32_t *first_push;                                       /* of each owner */
    int32_t *push_order, *push_begin;                          /* by entry, from the first one that has any */
    real *inverse_mass;                                        /* of the nodes */
    real4 *u;                                                  /* g z, then M^-1 g z */
    real *z, *residual, *direction, *image, *shift, *diagonal; /* of unknowns; shift: n/(1 + e)^2 */
    real stiffness;                                            /* a^2 */
    real beta, step;
} pressure_system;

static dew_result no_memory(void) { return result_fail(DEW_NO_MEMORY, "no memory for the pressure"); }

/* --- nodes in columns --- */

static int32_t block_beside(const grid *g, int b, const int *step)
{
    return g->neighbour[b * AROUND + around_of(step)];
}

static dew_result columns_make(pressure_system *q, const grid *g)
{
    size_t n = (size_t)g->block_count + 1;
    q->start = arena_alloc(g->memory, n * sizeof *q->start), q->stride = arena_alloc(g->memory, n * sizeof *q->stride);
    q->column = arena_alloc(g->memory, n * sizeof *q->column);
    q->column_begin = arena_alloc(g->memory, n * sizeof *q->column_begin);
    q->by_colour = arena_alloc(g->memory, n * sizeof *q->by_colour);
    if (!q->start || !q->stride || !q->column || !q->column_begin || !q->by_colour) return no_memory();
    int below[DIM] = {0}, above[DIM] = {0}, next[COLUMN_COLOURS + 1] = {0}, length = 0;
    below[ROW_AXIS] = -1, above[ROW_AXIS] = 1;
    q->column_count = q->node_count = 0;
    for (int b = 0; b < g->block_count; b++) {
        if (block_beside(g, b, below) >= 0) continue;
        int first = length;
        for (int32_t k = b; k >= 0; k = block_beside(g, k, above)) q->column[length++] = k;
        for (int k = first; k < length; k++) {
            q->start[q->column[k]] = q->node_count + SIDE * (k - first);
            q->stride[q->column[k]] = SIDE * (length - first);
        }
        q->column_begin[q->column_count++] = first;
        q->node_count += (length - first) * CELLS;
        next[(colour_of(&g->block[b]) >> 1) + 1]++;
    }
    q->column_begin[q->column_count] = length;
    for (int c = 0; c < COLUMN_COLOURS; c++) next[c + 1] += next[c];
    memcpy(q->colour_begin, next, sizeof next);
    for (int c = 0; c < q->column_count; c++)
        q->by_colour[next[colour_of(&g->block[q->column[q->column_begin[c]]]) >> 1]++] = c;
    return DEW_OK;
}

/* Where the rows of entries begin, for each line of cubes: of the cube k along it, k further. */
static void find_rows(int begin, int end, void *context)
{
    const pressure_system *q = context;
    const grid *g = &q->f->g;
    for (int line = begin; line < end; line++) {
        int b = line / LINES, at[DIM - 1], step[DIM] = {0};
        for (int a = DIM - 2, k = line % LINES; a >= 0; a--, k /= SIDE) at[a] = k % SIDE - 1;
        for (int r = 0; r < ENTRY_ROWS; r++) {
            int in_block = 0;
            for (int a = 0; a < DIM - 1; a++) {
                int node = at[a] + (r >> 2 * (DIM - 2 - a)) % 4;
                step[a] = node < 0 ? -1 : node >= SIDE;
                in_block = in_block * SIDE + (node & (SIDE - 1));
            }
            int32_t here = block_beside(g, b, step);
            q->row[line * ENTRY_ROWS + r] = here < 0 ? -1 : q->start[here] + in_block * q->stride[here] - 1;
        }
    }
}

/* Whether the grid has all nodes of an entry in the cube. */
static bool entry_fits(const grid *g, int32_t cube)
{
    int b = cube / CELLS, step[DIM], low[DIM], high[DIM];
    for (int a = DIM - 1, k = cube % CELLS; a >= 0; a--, k /= SIDE)
        low[a] = k % SIDE < 1 ? -1 : 0, high[a] = k % SIDE + 2 >= SIDE;
    for (int k = 0; k < AROUND; k++) {
        bool is_reached = true;
        for (int a = DIM - 1, j = k; a >= 0; a--, j /= 3) {
            step[a] = j % 3 - 1;
            is_reached = is_reached && step[a] >= low[a] && step[a] <= high[a];
        }
        if (is_reached && block_beside(g, b, step) < 0) return false;
    }
    return true;
}

/* --- unknowns --- */

static dew_result unknowns_make(pressure_system *q)
{
    const flow *f = q->f;
    const grid *g = &f->g;
    size_t cubes = (size_t)g->block_count * CELLS;
    q->unknown = arena_alloc(g->memory, (cubes + 4) * sizeof *q->unknown);
    q->cube = arena_alloc(g->memory, (cubes + (size_t)q->push_count + 4) * sizeof *q->cube);
    q->row = arena_alloc(g->memory, ((size_t)g->block_count * LINES + 1) * ENTRY_ROWS * sizeof *q->row);
    q->unknown_begin = arena_alloc(g->memory, ((size_t)q->column_count + 1) * sizeof *q->unknown_begin);
    if (!q->unknown || !q->cube || !q->row || !q->unknown_begin) return no_memory();
    q->count = 0;
    for (int c = 0; c < q->column_count; c++) {
        q->unknown_begin[c] = q->count;
        for (int k = q->column_begin[c]; k < q->column_begin[c + 1]; k++) {
            int first = q->column[k] * CELLS;
            for (int i = first; i < first + CELLS; i++) {
                bool has_liquid = f->sums[i].count > 0;
                q->unknown[i] = has_liquid ? q->count : -1;
                q->cube[q->count] = i;
                q->count += has_liquid;
            }
        }
    }
    q->unknown_begin[q->column_count] = q->count;
    parallel_for(g->block_count * LINES, 64, find_rows, q);
    return DEW_OK;
}

/* --- entries --- */

/* Adds N p + f dN of a point to the entry of the cube it is in. */
static inline void entry_add(real4 *node, vquad x, real inverse, vquad p, const vquad f[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const block_place nowhere = {{0}};
    stencil s;
    stencil_of(&s, x, inverse, &nowhere);
    vquad t = x * inverse, skip = quad_floor(t + (real)0.5) - quad_floor(t); /* 0 or 1 along each axis */
    vquad n = quad_load(&s.n[Z]), slope = quad_load(&s.slope[Z]);
    if (skip[Z] > 0) n = (vquad){0, n[0], n[1], n[2]}, slope = (vquad){0, slope[0], slope[1], slope[2]};
    vrow wz = row_spread(n);
    vrow flat = row_plus(row_times(wz, row_repeat(p)), row_spread(slope), row_repeat(f[Z]));
    vrow fy = row_times(wz, row_repeat(f[Y]));
    const real *ny = &s.n[Y].x, *sy = &s.slope[Y].x;
    node += 4 * (int)skip[Y];
#if DIM == 3
    const real *nx = &s.n[0].x, *sx = &s.slope[0].x;
    vrow fx = row_times(wz, row_repeat(f[0]));
    node += 16 * (int)skip[0];
    for (int i = 0; i < 3; i++, node += 16) {
        vrow plane = row_madd(row_scale(nx[i], flat), sx[i], fx), f_row = row_scale(nx[i], fy);
#else
    {
        vrow plane = flat, f_row = fy;
#endif
        for (int j = 0; j < 3; j++) {
            vrow row = row_madd(row_madd(row_load(node + 4 * j), ny[j], plane), sy[j], f_row);
            row_store(node + 4 * j, row);
        }
    }
}

static void stretch_load_int(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    memcpy((int32_t *)tile + in_tile, (const int32_t *)nodes + in_grid, (size_t)count * sizeof(int32_t));
}

static const vquad unit_stress[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

/* The particles of a block that no wall is near. */
static void fill_entries(int block, void *context)
{
    const pressure_system *q = context;
    const flow *f = q->f;
    const grid *g = &f->g;
    if (block >= g->home_count) return;
    int begin = g->particle_begin[block * CELLS], end = g->particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    int32_t unknowns[TILE];
    tile_each(g, block, unknowns, q->unknown, stretch_load_int);
    const vquad none = quad_set(0);
    for (int i = begin; i < end; i++) {
        if (f->points.is_owner[i] > 1) continue;
        vquad x = quad_load(&f->a.x[i]);
        int slot = q->slot[unknowns[tile_cube(x, g->inverse, &g->block[block])]];
        if (slot > 0) entry_add(q->entry + (size_t)slot * ENTRY, x, g->inverse, none, unit_stress);
    }
}

/* --- walls --- */

/* The images of particles next to walls under a pressure of 1. */
static void find_pushes(int begin, int end, void *context)
{
    pressure_system *q = context;
    const flow *f = q->f;
    for (int k = begin; k < end; k++) {
        const owner *o = &f->points.owners[k];
        if (!o->wall_count) continue;
        int copies = 1 << o->wall_count;
        wall_push *to = &q->push[q->first_push[k]];
        real4 x = f->a.x[o->slot];
        point list[1 << MOST_WALLS];
        list[0] = (point){.x = {x.x, x.y, x.z, 1}};
        for (int a = 0; a < DIM; a++) quad_store(&list[0].f[a], unit_stress[a]);
        mirror_copies(f, o, list);
        int32_t cube = cube_at(&f->g, x), unknown = q->unknown[cube];
        for (int c = 0; c < copies; c++) {
            to[c] = (wall_push){.at = list[c], .cube = -1, .unknown = unknown, .entry = -1};
            if (list[c].x.w > 0) to[c].cube = cube_at(&f->g, list[c].x);
        }
    }
}

/* Which entry each push goes to: its unknown's own, or one more for the cube it lies in. */
static dew_result link_pushes(pressure_system *q)
{
    const grid *g = &q->f->g;
    size_t cubes = (size_t)g->block_count * CELLS, n = (size_t)q->push_count + 1;
    int32_t *head = arena_alloc(g->memory, (cubes + 1) * sizeof *head);
    int32_t *next = arena_alloc(g->memory, n * sizeof *next);
    q->owner = arena_alloc(g->memory, n * sizeof *q->owner);
    if (!head || !next || !q->owner) return no_memory();
    memset(head, 0xff, cubes * sizeof *head);
    q->entry_count = q->count;
    for (int k = 0; k < q->push_count; k++) {
        wall_push *w = &q->push[k];
        if (w->cube < 0) continue;
        if (w->cube == q->cube[w->unknown]) {
            w->entry = w->unknown;
            continue;
        }
        int32_t j = head[w->cube];
        while (j >= 0 && q->owner[j] != w->unknown) j = next[j];
        if (j < 0) {
            if (!entry_fits(g, w->cube)) continue;
            j = q->entry_count - q->count;
            q->cube[q->entry_count++] = w->cube, q->owner[j] = w->unknown;
            next[j] = head[w->cube], head[w->cube] = j;
        }
        w->entry = q->count + j;
    }
    return DEW_OK;
}

/* begin[group[k]] .. : the items k of each group, in order; items of group -1 are left out. */
static dew_result sort_by_group(arena *memory, const int32_t *group, size_t stride, int count, int groups,
                                int32_t **order, int32_t **begin)
{
    *order = arena_alloc(memory, ((size_t)count + 1) * sizeof **order);
    *begin = arena_zeroed(memory, ((size_t)groups + 2) * sizeof **begin);
    if (!*order || !*begin) return no_memory();
    for (int k = 0; k < count; k++)
        if (group[(size_t)k * stride] >= 0) (*begin)[group[(size_t)k * stride] + 2]++;
    for (int c = 0; c < groups; c++) (*begin)[c + 2] += (*begin)[c + 1];
    for (int k = 0; k < count; k++)
        if (group[(size_t)k * stride] >= 0) (*order)[(*begin)[group[(size_t)k * stride] + 1]++] = k;
    return DEW_OK;
}

/* Entries beyond the unknowns' own: those of an unknown together, and those that lie in a column. */
static dew_result sort_more(pressure_system *q)
{
    const grid *g = &q->f->g;
    int count = q->entry_count - q->count;
    int32_t *column_of = arena_alloc(g->memory, ((size_t)g->block_count + 1) * sizeof *column_of);
    int32_t *lies_in = arena_alloc(g->memory, ((size_t)count + 1) * sizeof *lies_in);
    if (!column_of || !lies_in) return no_memory();
    for (int c = 0; c < q->column_count; c++)
        for (int k = q->column_begin[c]; k < q->column_begin[c + 1]; k++) column_of[q->column[k]] = c;
    for (int k = 0; k < count; k++) lies_in[k] = column_of[q->cube[q->count + k] / CELLS];
    RESULT_TRY(sort_by_group(g->memory, q->owner, 1, count, q->count, &q->more, &q->more_begin));
    return sort_by_group(g->memory, lies_in, 1, count, q->column_count, &q->lying, &q->lying_begin);
}

/* How many images there may be. */
static dew_result count_pushes(pressure_system *q)
{
    const points *p = &q->f->points;
    q->push_count = 0, q->more_begin = q->lying_begin = q->push_begin = NULL;
    if (solids_count(q->f->w->solids) == 0) return DEW_OK;
    q->first_push = arena_alloc(q->f->g.memory, ((size_t)p->owner_count + 1) * sizeof *q->first_push);
    if (!q->first_push) return no_memory();
    for (int k = 0; k < p->owner_count; k++) {
        q->first_push[k] = q->push_count;
        if (p->owners[k].wall_count) q->push_count += 1 << p->owners[k].wall_count;
    }
    return DEW_OK;
}

static dew_result pushes_make(pressure_system *q)
{
    arena *memory = q->f->g.memory;
    q->entry_count = q->count;
    if (q->push_count == 0) return DEW_OK;
    q->push = arena_alloc(memory, ((size_t)q->push_count + 1) * sizeof *q->push);
    if (!q->push) return no_memory();
    parallel_for(q->f->points.owner_count, 32, find_pushes, q);
    RESULT_TRY(link_pushes(q));
    RESULT_TRY(sort_more(q));
    return sort_by_group(memory, &q->push[0].entry, sizeof(wall_push) / sizeof(int32_t), q->push_count, q->entry_count,
                         &q->push_order, &q->push_begin);
}

static void fill_pushes(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int e = begin; e < end; e++)
        for (int k = q->push_begin[e]; k < q->push_begin[e + 1]; k++) {
            const point *at = &q->push[q->push_order[k]].at;
            vquad f[DIM];
            for (int a = 0; a < DIM; a++) f[a] = quad_load(&at->f[a]);
            entry_add(q->entry + (size_t)q->slot[e] * ENTRY, quad_load(&at->x), q->f->g.inverse, quad_load(&at->p), f);
        }
}

/* --- full cubes --- */

static void stretch_load_count(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    for (int k = 0; k < count; k++) ((real *)tile)[in_tile + k] = ((const mean *)nodes)[in_grid + (size_t)k].count;
}

/* Weight n for cubes that are full and whose neighbours are, 1 for others. */
static void find_full(int block, void *context)
{
    const pressure_system *q = context;
    const grid *g = &q->f->g;
    bool is_empty = true;
    for (int k = block * CELLS; k < (block + 1) * CELLS; k++) is_empty = is_empty && q->unknown[k] < 0;
    if (is_empty) return;
    real counts[TILE];
    memset(counts, 0, sizeof counts);
    tile_each(g, block, counts, q->f->sums, stretch_load_count);
    for (int k = 0; k < CELLS; k++) {
        int e = q->unknown[block * CELLS + k], at = 0;
        if (e < 0) continue;
        for (int a = 0; a < DIM; a++) at = at * TILE_SIDE + HALO + (k >> 2 * (DIM - 1 - a)) % SIDE;
        real least = FULL;
        for (int j = 0; j < AROUND; j++) {
            int beside = 0;
            for (int a = 0, i = j; a < DIM; a++, i /= 3) beside = beside * TILE_SIDE + i % 3 - 1;
            least = real_min(least, counts[at + beside]);
        }
        bool is_full = least >= FULL && !(q->push_begin && q->push_begin[e] < q->push_begin[e + 1]);
        q->weight[e] = is_full ? counts[at] : 1;
        q->slot[e] = !is_full;
    }
    for (int line = block * CELLS; line < (block + 1) * CELLS; line += SIDE) {
        bool are_full = true;
        for (int k = line; k < line + SIDE; k++) are_full = are_full && q->unknown[k] >= 0 && !q->slot[q->unknown[k]];
        if (are_full) q->slot[q->unknown[line]] = -1;
    }
}

/* Means over a cube of a spline and of its slope, for the nodes before, at, behind and after the cube. */
static const real mean_n[4] = {(real)(1 / 48.0), (real)(23 / 48.0), (real)(23 / 48.0), (real)(1 / 48.0)};
static const real mean_slope[4] = {(real)-0.125, (real)-0.625, (real)0.625, (real)0.125};

/* The mean over a cube of the gradient of a product of splines. */
static void fill_full_entry(real4 *entry)
{
    for (int k = 0; k < ENTRY; k++) {
        real value[4] = {0, 0, 0, 0};
        for (int d = 0; d < DIM; d++) {
            value[d] = 1;
            for (int a = 0; a < DIM; a++) {
                int node = (k >> 2 * (DIM - 1 - a)) % 4;
                value[d] *= a == d ? mean_slope[node] : mean_n[node];
            }
        }
        entry[k] = (real4){value[0], value[1], value[2], 0};
    }
}

static void fill_full_line(full_line *l)
{
    memset(l, 0, sizeof *l);
    for (int r = 0; r < ENTRY_ROWS; r++) {
        real value[4] = {0, 0, 0, 0};
        for (int d = 0; d < DIM; d++) {
            value[d] = 1;
            for (int a = 0; a < DIM - 1; a++) {
                int node = (r >> 2 * (DIM - 2 - a)) % 4;
                value[d] *= a == d ? mean_slope[node] : mean_n[node];
            }
        }
        l->across[r] = (real4){value[0], value[1], value[2], 0};
    }
    for (int k = 0; k < SIDE; k++)
        for (int node = 0; node < 4; node++) {
            real *to = &l->along[k][k + node].x;
            for (int d = 0; d < DIM; d++) to[d] = d == ROW_AXIS ? mean_slope[node] : mean_n[node];
        }
}

static dew_result entries_make(pressure_system *q)
{
    const grid *g = &q->f->g;
    size_t n = (size_t)q->entry_count + 1;
    q->slot = arena_alloc(g->memory, n * sizeof *q->slot), q->weight = arena_alloc(g->memory, n * sizeof *q->weight);
    if (!q->slot || !q->weight) return no_memory();
    each_block(g, find_full, q);
    for (int e = q->count; e < q->entry_count; e++) q->slot[e] = 1, q->weight[e] = 1;
    int slots = 1;
    for (int e = 0; e < q->entry_count; e++)
        if (q->slot[e] > 0) q->slot[e] = slots++;
    q->entry = arena_zeroed(g->memory, (size_t)slots * ENTRY * sizeof *q->entry);
    if (!q->entry) return no_memory();
    fill_full_entry(q->entry);
    fill_full_line(&q->line);
    each_colour(g, fill_entries, q);
    if (q->push_begin) parallel_for(q->entry_count, 32, fill_pushes, q);
    return DEW_OK;
}

/* --- the matrix --- */

/* 1/M of the nodes, and u = v. */
static void take_nodes(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int b = begin; b < end; b++)
        for (int r = 0; r < CELLS; r++) {
            real4 n = q->f->node[(size_t)b * CELLS + (size_t)r];
            int to = q->start[b] + r / SIDE * q->stride[b] + r % SIDE;
            q->inverse_mass[to] = n.w > LEAST_MASS ? 1 / n.w : 0;
            q->u[to] = n.w > LEAST_MASS ? (real4){n.x, n.y, n.z, 0} : (real4){0, 0, 0, 0};
        }
}

/* v -= step u */
static void give_nodes(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int b = begin; b < end; b++)
        for (int r = 0; r < CELLS; r++) {
            real4 *n = &q->f->node[(size_t)b * CELLS + (size_t)r];
            const real4 *u = &q->u[q->start[b] + r / SIDE * q->stride[b] + r % SIDE];
            n->x -= q->step * u->x, n->y -= q->step * u->y, n->z -= q->step * u->z;
        }
}

static void divide_by_mass(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int k = 4 * begin; k < 4 * end; k += 4)
        row_store(q->u + k, row_times(row_load(q->u + k), row_spread(quad_load((const real4 *)&q->inverse_mass[k]))));
}

/* What an entry is: its nodes begin at u + row[0], ... */
typedef struct entry_place {
    const real4 *g;
    const int32_t *row;
    real4 *u;
    real weight;
} entry_place;

static inline entry_place place_of(const pressure_system *q, int e)
{
    int32_t cube = q->cube[e];
    return (entry_place){q->entry + (size_t)(q->slot[e] > 0 ? q->slot[e] : 0) * ENTRY,
                         q->row + (size_t)(cube / SIDE) * ENTRY_ROWS, q->u + cube % SIDE, q->weight[e]};
}

static inline void entry_spread(const pressure_system *q, int e, real value)
{
    entry_place at = place_of(q, e);
    value *= at.weight;
    for (int r = 0; r < ENTRY_ROWS; r++) {
        real4 *u = at.u + at.row[r];
        row_store(u, row_madd(row_load(u), value, row_load(at.g + 4 * r)));
    }
}

static inline real entry_collect(const pressure_system *q, int e)
{
    entry_place at = place_of(q, e);
    vrow sum[4];
    for (int r = 0; r < 4; r++) sum[r] = row_times(row_load(at.u + at.row[r]), row_load(at.g + 4 * r));
    for (int r = 4; r < ENTRY_ROWS; r++)
        sum[r % 4] = row_plus(sum[r % 4], row_load(at.u + at.row[r]), row_load(at.g + 4 * r));
    for (int k = 0; k < ROW_PARTS; k++)
        sum[0].part[k] = (sum[0].part[k] + sum[1].part[k]) + (sum[2].part[k] + sum[3].part[k]);
    vquad total = row_sum(sum[0]);
    return at.weight * ((total[0] + total[1]) + total[2]);
}

/* Sum of g^2/M */
static real entry_square(const pressure_system *q, int e)
{
    entry_place at = place_of(q, e);
    vrow sum = row_repeat(quad_set(0));
    for (int r = 0; r < ENTRY_ROWS; r++) {
        vrow g = row_load(at.g + 4 * r);
        const real *inverse = q->inverse_mass + q->cube[e] % SIDE + at.row[r];
        sum = row_plus(sum, row_times(g, g), row_spread(quad_load((const real4 *)inverse)));
    }
    vquad total = row_sum(sum);
    return at.weight * at.weight * ((total[0] + total[1]) + total[2]);
}

/* The same for the four full cubes from e on. */
static inline void line_spread(const pressure_system *q, int e, const real *value)
{
    entry_place at = place_of(q, e);
    const full_line *l = &q->line;
    vrow near = row_repeat(quad_set(0)), far = near;
    for (int k = 0; k < SIDE; k++) {
        real v = q->weight[e + k] * value[e + k];
        near = row_madd(near, v, row_load(l->along[k])), far = row_madd(far, v, row_load(l->along[k] + 4));
    }
    for (int r = 0; r < ENTRY_ROWS; r++) {
        real4 *u = at.u + at.row[r];
        vrow across = row_repeat(quad_load(&l->across[r]));
        row_store(u, row_plus(row_load(u), across, near));
        row_store(u + 4, row_plus(row_load(u + 4), across, far));
    }
}

static inline void line_collect(const pressure_system *q, int e, real *sum)
{
    entry_place at = place_of(q, e);
    const full_line *l = &q->line;
    vrow near[2], far[2];
    near[0] = near[1] = far[0] = far[1] = row_repeat(quad_set(0));
    for (int r = 0; r < ENTRY_ROWS; r++) {
        const real4 *u = at.u + at.row[r];
        vrow across = row_repeat(quad_load(&l->across[r]));
        near[r % 2] = row_plus(near[r % 2], across, row_load(u)),
                 far[r % 2] = row_plus(far[r % 2], across, row_load(u + 4));
    }
    for (int k = 0; k < ROW_PARTS; k++) near[0].part[k] += near[1].part[k], far[0].part[k] += far[1].part[k];
    for (int k = 0; k < SIDE; k++) {
        vquad total = row_sum(row_plus(row_times(near[0], row_load(l->along[k])), far[0], row_load(l->along[k] + 4)));
        sum[k] = q->weight[e + k] * ((total[0] + total[1]) + total[2]);
    }
}

typedef struct spreading {
    const pressure_system *q;
    const real *value;
    int first; /* of by_colour */
} spreading;

static void spread_columns(int begin, int end, void *context)
{
    const spreading *s = context;
    const pressure_system *q = s->q;
    for (int k = s->first + begin; k < s->first + end; k++) {
        int c = q->by_colour[k];
        for (int e = q->unknown_begin[c]; e < q->unknown_begin[c + 1]; e++)
            if (q->slot[e] < 0)
                line_spread(q, e, s->value), e += SIDE - 1;
            else
                entry_spread(q, e, s->value[e]);
        if (!q->lying_begin) continue;
        for (int j = q->lying_begin[c]; j < q->lying_begin[c + 1]; j++)
            entry_spread(q, q->count + q->lying[j], s->value[q->owner[q->lying[j]]]);
    }
}

/* u = M^-1 g value */
static void spread(pressure_system *q, const real *value)
{
    memset(q->u, 0, (size_t)q->node_count * sizeof *q->u);
    for (int c = 0; c < COLUMN_COLOURS; c++) {
        spreading s = {q, value, q->colour_begin[c]};
        parallel_for(q->colour_begin[c + 1] - s.first, 1, spread_columns, &s);
    }
    parallel_for(q->node_count / 4, 1024, divide_by_mass, q);
}

static void collect_columns(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int c = begin; c < end; c++)
        for (int e = q->unknown_begin[c]; e < q->unknown_begin[c + 1]; e++) {
            if (q->slot[e] < 0) {
                line_collect(q, e, q->image + e), e += SIDE - 1;
                continue;
            }
            q->image[e] = entry_collect(q, e);
            if (!q->more_begin) continue;
            for (int k = q->more_begin[e]; k < q->more_begin[e + 1]; k++)
                q->image[e] += entry_collect(q, q->count + q->more[k]);
        }
}

/* image = g^T u */
static void collect(pressure_system *q) { parallel_for(q->column_count, 1, collect_columns, q); }

/* image = A direction, of image = g^T M^-1 g direction; their product. */
static void add_shift(int begin, int end, void *context, double *sums)
{
    pressure_system *q = context;
    for (int c = begin; c < end; c++) {
        q->image[c] = q->shift[c] * q->direction[c] + q->stiffness * q->image[c];
        sums[0] += (double)q->image[c] * (double)q->direction[c];
    }
}

/* image = A direction; the product of both. */
static double multiply(pressure_system *q)
{
    double product;
    spread(q, q->direction);
    collect(q);
    parallel_sum(q->count, 1, add_shift, q, &product);
    return product;
}

/* --- solving --- */

/* The right side, for image = g^T v*, and its size. Starts from the strain of now. */
static void begin_solving(int begin, int end, void *context, double *sums)
{
    pressure_system *q = context;
    const flow *f = q->f;
    for (int c = begin; c < end; c++) {
        real e = f->strain[q->cube[c]], n = f->sums[q->cube[c]].count, square = entry_square(q, c);
        if (q->more_begin)
            for (int k = q->more_begin[c]; k < q->more_begin[c + 1]; k++)
                square += entry_square(q, q->count + q->more[k]);
        q->shift[c] = n / ((1 + e) * (1 + e));
        q->diagonal[c] = 1 / (q->shift[c] + q->stiffness * square);
        q->residual[c] = n * e / (1 + e) + f->dt * f->g.inverse * q->image[c];
        q->direction[c] = q->z[c] = (1 + e) * e;
        sums[0] += (double)q->residual[c] * (double)q->residual[c] * (double)q->diagonal[c];
    }
}

/* z += step direction, residual -= step image; their size by the preconditioner. */
static void go_along(int begin, int end, void *context, double *sums)
{
    pressure_system *q = context;
    for (int c = begin; c < end; c++) {
        q->z[c] += q->step * q->direction[c];
        real r = q->residual[c] -= q->step * q->image[c];
        sums[0] += (double)(r * r * q->diagonal[c]);
    }
}

static void turn(int begin, int end, void *context)
{
    pressure_system *q = context;
    for (int c = begin; c < end; c++) q->direction[c] = q->diagonal[c] * q->residual[c] + q->beta * q->direction[c];
}

/* The strain that follows, its equation met exactly by what is left of the residual. */
static void new_strains(int begin, int end, void *context)
{
    const pressure_system *q = context;
    flow *f = q->f;
    for (int c = begin; c < end; c++) {
        real e = f->strain[q->cube[c]], n = f->sums[q->cube[c]].count;
        f->strain[q->cube[c]] = q->z[c] / (1 + e) + (1 + e) * q->residual[c] / n;
    }
}

static dew_result solve(pressure_system *q, double size, int *iterations)
{
    double rr;
    multiply(q);
    for (int c = 0; c < q->count; c++) q->z[c] = 0; /* go_along adds the start */
    q->step = 1;
    parallel_sum(q->count, 1, go_along, q, &rr);
    q->beta = 0;
    for (*iterations = 0; rr > PRESSURE_TOLERANCE * PRESSURE_TOLERANCE * size; ++*iterations) {
        if (*iterations == MOST_ITERATIONS || !isfinite(rr))
            return result_fail(DEW_FAILED, "the pressure has not been found in %d iterations", *iterations);
        parallel_for(q->count, 4096, turn, q);
        q->step = (real)(rr / multiply(q));
        double before = rr;
        parallel_sum(q->count, 1, go_along, q, &rr);
        q->beta = (real)(rr / before);
    }
    return DEW_OK;
}

static dew_result pressure_room(pressure_system *q)
{
    arena *memory = q->f->g.memory;
    size_t nodes = (size_t)q->node_count + 4, n = (size_t)q->count + 1;
    q->inverse_mass = arena_alloc(memory, nodes * sizeof *q->inverse_mass);
    q->u = arena_alloc(memory, nodes * sizeof *q->u);
    real **of_unknowns[] = {&q->z, &q->residual, &q->direction, &q->image, &q->shift, &q->diagonal};
    for (int k = 0; k < 6; k++)
        if (!(*of_unknowns[k] = arena_alloc(memory, n * sizeof(real)))) return no_memory();
    return q->inverse_mass && q->u ? DEW_OK : no_memory();
}

/* The system of now; u = v*. */
static dew_result pressure_make(pressure_system *q, flow *f)
{
    *q = (pressure_system){.f = f};
    double courant = (double)f->dt * f->p->saved_sound / f->p->dx;
    q->stiffness = (real)(courant * courant);
    RESULT_TRY(columns_make(q, &f->g));
    RESULT_TRY(count_pushes(q));
    RESULT_TRY(unknowns_make(q));
    RESULT_TRY(pushes_make(q));
    RESULT_TRY(entries_make(q));
    RESULT_TRY(pressure_room(q));
    parallel_for(f->g.block_count, 8, take_nodes, q);
    return DEW_OK;
}

/* Nodes with velocities v* get those of the end of the substep, cubes their strains. */
static dew_result find_pressures(flow *f)
{
    pressure_system q;
    int iterations;
    double size;
    RESULT_TRY(pressure_make(&q, f));
    collect(&q);
    parallel_sum(q.count, 1, begin_solving, &q, &size);
    RESULT_TRY(solve(&q, size, &iterations));
    spread(&q, q.z);
    q.step = f->dt * (real)(f->p->saved_sound * f->p->saved_sound / f->p->dx);
    parallel_for(f->g.block_count, 8, give_nodes, &q);
    parallel_for(q.count, 4096, new_strains, &q);
    f->p->iterations += iterations, f->p->solves++;
    return DEW_OK;
}

/* The cubes' strains to their particles. */
static void take_strains(int block, void *context)
{
    const flow *f = context;
    if (block >= f->g.home_count) return;
    int begin = f->g.particle_begin[block * CELLS], end = f->g.particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    real strains[TILE];
    tile_each(&f->g, block, strains, f->strain, stretch_load_real);
    for (int i = begin; i < end; i++)
        f->a.strain[i] = strains[tile_cube(quad_load(&f->a.x[i]), f->g.inverse, &f->g.block[block])];
}

#endif
