/* The grid: nodes dx apart, in blocks of 4 along each axis, kept only where there is liquid and one block around it.
 * A cell is what is nearer to a node than to any other, so cell and node share their number, and within a cell the
 * weights of the quadratic splines are one polynomial. Particles stand sorted by block, within it by cell.
 *
 * Work on a block goes through a tile: the block with two nodes around it (one for the reach of a particle's weights,
 * one that it may move before it is sorted again), a copy small enough for the nearest cache. Blocks are coloured by
 * the parity of their coordinates; tiles of one colour share no node, so blocks of one colour are added to the grid in
 * parallel, colour after colour, and each node takes its terms in the same order for any number of threads. */
#ifndef METHODS_MPM_ANY_GRID_H
#define METHODS_MPM_ANY_GRID_H

#include "base/group.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "methods/mpm/mpm.h"

#include <string.h>

enum {
    SIDE = 4, /* nodes of a block along an axis */
    HALO = 2,
    TILE_SIDE = SIDE + 2 * HALO,
    CELLS = DIM == 3 ? 64 : 16, /* of a block */
    TILE = DIM == 3 ? 512 : 64, /* nodes of a tile */
    TILE_ROOM = TILE + 4,       /* and what a row of four reaches beyond it, with weight 0 */
    AROUND = DIM == 3 ? 27 : 9, /* a block and its neighbours */
    COLOURS = DIM == 3 ? 8 : 4,
    ROW_AXIS = DIM - 1, /* along which nodes lie one behind the other */
};

typedef struct block_place {
    int32_t at[DIM];
} block_place;

typedef struct grid {
    double dx;
    real inverse; /* 1/dx */
    int block_count;
    int home_count;          /* blocks with particles: the first ones */
    block_place *block;      /* coordinates; the first node of block b is at SIDE block[b] */
    int32_t *neighbour;      /* AROUND for each block: blocks around it, -1 where there is none */
    int32_t *particle_begin; /* for each cell of the home blocks, one more: particles in order */
    int32_t *by_colour;      /* blocks, colour after colour */
    int32_t *colour_begin;   /* COLOURS + 1 */
    int32_t *table;          /* hash: block + 1, or 0 */
    uint32_t table_mask;
    int block_room;
    arena *memory;
} grid;

/* --- places --- */

/* The cell of a point along one axis. */
static inline int32_t cell_of(real x, real inverse) { return (int32_t)floor(x * inverse + (real)0.5); }

static inline block_place block_of_point(const grid *g, const real4 *x)
{
    block_place p;
    for (int a = 0; a < DIM; a++) p.at[a] = cell_of((&x->x)[a], g->inverse) >> 2;
    return p;
}

static inline bool place_equal(const block_place *a, const block_place *b) { return memcmp(a, b, sizeof *a) == 0; }

static inline uint32_t place_hash(const block_place *p)
{
    uint64_t h = 0;
    for (int k = 0; k < DIM; k++) h = (h ^ (uint32_t)p->at[k]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

/* Where the table has the block at a place, or has room for it. */
static inline int32_t *grid_slot(const grid *g, const block_place *p)
{
    uint32_t h = place_hash(p) & g->table_mask;
    while (g->table[h] && !place_equal(&g->block[g->table[h] - 1], p)) h = (h + 1) & g->table_mask;
    return &g->table[h];
}

/* The block at a place, or -1. */
static inline int32_t grid_find(const grid *g, const block_place *p) { return *grid_slot(g, p) - 1; }

/* The number, among a block's AROUND, of the one that is a step of -1, 0 or 1 along each axis from it. */
static inline int around_of(const int *step)
{
    int k = 0;
    for (int a = 0; a < DIM; a++) k = 3 * k + step[a] + 1;
    return k;
}

static inline block_place place_around(const block_place *p, int around)
{
    block_place q = *p;
    for (int a = DIM - 1; a >= 0; a--, around /= 3) q.at[a] += around % 3 - 1;
    return q;
}

/* Where the cell c of a block is in it, in cells along each axis. */
static inline void local_of(int c, int *at)
{
    for (int a = 0, shift = DIM - 1; a < DIM; a++, shift--) at[a] = c >> 2 * shift & (SIDE - 1);
}

/* The number of the cell c of a block among the cells of a cube around the block, with `side` of them along each axis
 * and `margin` of them on either side. */
static inline int cell_in(int c, int side, int margin)
{
    int at = 0;
    for (int a = 0, shift = DIM - 1; a < DIM; a++, shift--) at = at * side + (c >> 2 * shift & (SIDE - 1)) + margin;
    return at;
}

/* The node `at` (each -SIDE .. 2 SIDE - 1) from the first of block b: its number, or -1. */
static inline int64_t grid_node(const grid *g, int b, const int *at)
{
    int step[DIM], local = 0;
    for (int a = 0; a < DIM; a++) {
        step[a] = at[a] < 0 ? -1 : at[a] >= SIDE;
        local = local * SIDE + (at[a] & (SIDE - 1));
    }
    int32_t other = g->neighbour[b * AROUND + around_of(step)];
    return other < 0 ? -1 : (int64_t)other * CELLS + local;
}

/* The numbers of the nodes in a box with `side` of them along each axis, the lowest at `low` from the first of block b
 * (as in grid_node); -1 where there is none. The row axis runs fastest. */
static inline void grid_box(const grid *g, int b, const int *low, int side, int64_t *node)
{
    enum { WIDEST = 3 * SIDE };
    int near[DIM][WIDEST], local[DIM][WIDEST];
    const int32_t *neighbour = g->neighbour + b * AROUND;
    for (int a = DIM - 1, step = 1, pitch = 1; a >= 0; a--, step *= 3, pitch *= SIDE)
        for (int k = 0; k < side; k++) {
            int at = low[a] + k;
            near[a][k] = step * (at < 0 ? 0 : at < SIDE ? 1 : 2), local[a][k] = pitch * (at & (SIDE - 1));
        }
    for (int row = 0; row < (DIM == 3 ? side * side : side); row++) {
        int i = DIM == 3 ? row / side : row, j = row % side;
        int block = near[0][i] + (DIM == 3 ? near[1][j] : 0), first = local[0][i] + (DIM == 3 ? local[1][j] : 0);
        for (int k = 0; k < side; k++) {
            int32_t other = neighbour[block + near[DIM - 1][k]];
            *node++ = other < 0 ? -1 : (int64_t)other * CELLS + first + local[DIM - 1][k];
        }
    }
}

/* The node at corner k (bit a: one further along axis a) of a cube whose lowest node is at `cube` from the first of
 * block b: its number, or -1. */
static inline int64_t corner_node(const grid *g, int b, const int *cube, int k)
{
    int at[DIM];
    for (int a = 0; a < DIM; a++) at[a] = cube[a] + (k >> a & 1);
    return grid_node(g, b, at);
}

/* The nodes around a node and this itself, as grid_box has them. */
static inline void nodes_around(const grid *g, int node, int64_t around[AROUND])
{
    int low[DIM];
    local_of(node % CELLS, low);
    for (int a = 0; a < DIM; a++) low[a]--;
    grid_box(g, node / CELLS, low, 3, around);
}

/* Which cell of its block a point is in. */
static inline int local_cell(const grid *g, const real4 *x)
{
    int local = 0;
    for (int a = 0; a < DIM; a++) local = local * SIDE + (cell_of((&x->x)[a], g->inverse) & (SIDE - 1));
    return local;
}

/* The cell of a point (offset 1/2), or the cube of nodes that it is in (0), numbered as its lowest node; -1: the grid
 * has none. */
static inline int32_t grid_number(const grid *g, real3 x, real offset)
{
    block_place p;
    int local = 0;
    for (int a = 0; a < DIM; a++) {
        int32_t k = (int32_t)floor((&x.x)[a] * g->inverse + offset);
        p.at[a] = k >> 2;
        local = local * SIDE + (k & (SIDE - 1));
    }
    int32_t b = grid_find(g, &p);
    return b < 0 ? -1 : b * CELLS + local;
}
static inline int32_t grid_cell(const grid *g, real3 x) { return grid_number(g, x, (real)0.5); }
static inline int32_t grid_cube(const grid *g, real3 x) { return grid_number(g, x, 0); }

/* The cube of a particle of a block. Cubes between nodes, not the cells around them: of these, every other one could
 * have a pressure too high without any force to tell. */
static inline int32_t cube_in(const grid *g, int block, const real4 *x)
{
    int at[DIM];
    for (int a = 0; a < DIM; a++) at[a] = (int32_t)floor((&x->x)[a] * g->inverse) - SIDE * g->block[block].at[a];
    return (int32_t)grid_node(g, block, at);
}

/* grid_cell for a point that is likely to be near `block`, whose place is `home`; the block may be -1. */
static inline int32_t grid_cell_near(const grid *g, const block_place *home, int32_t block, real3 x)
{
    int at[DIM];
    bool is_near = block >= 0;
    for (int a = 0; a < DIM; a++) {
        at[a] = cell_of((&x.x)[a], g->inverse) - SIDE * home->at[a];
        is_near = is_near && at[a] >= -SIDE && at[a] < 2 * SIDE;
    }
    return is_near ? (int32_t)grid_node(g, block, at) : grid_cell(g, x);
}

/* The particles of a block are those from first_in(block) to first_in(block + 1) - 1. */
static inline int first_in(const grid *g, int block) { return g->particle_begin[(size_t)block * CELLS]; }

/* --- making it --- */

/* Enters all blocks into the table. */
static void grid_index(grid *g)
{
    memset(g->table, 0, ((size_t)g->table_mask + 1) * sizeof *g->table);
    for (int b = 0; b < g->block_count; b++) *grid_slot(g, &g->block[b]) = b + 1;
}

static dew_result grid_grow(grid *g)
{
    int room = g->block_room ? 2 * g->block_room : 256;
    ARENA_ARRAY(g->memory, room, block_place, block);
    ARENA_TRY(g->memory, 4 * room, g->table);
    if (g->block_count > 0) memcpy(block, g->block, (size_t)g->block_count * sizeof *block);
    g->block = block, g->table_mask = 4 * (uint32_t)room - 1, g->block_room = room;
    grid_index(g);
    return DEW_OK;
}

/* The block at a place, made if it is not there. */
static dew_result grid_add(grid *g, const block_place *p, int32_t *block)
{
    if (g->block_count == g->block_room) RESULT_TRY(grid_grow(g));
    int32_t *slot = grid_slot(g, p);
    if (!*slot) {
        g->block[g->block_count++] = *p;
        *slot = g->block_count;
    }
    *block = *slot - 1;
    return DEW_OK;
}

static inline bool place_less(const block_place *a, const block_place *b)
{
    for (int k = 0; k < DIM; k++)
        if (a->at[k] != b->at[k]) return a->at[k] < b->at[k];
    return false;
}

/* Puts blocks in the order of their places (Shell's sort: blocks are few). */
static void sort_places(block_place *block, int count)
{
    int gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < count; i++) {
            block_place moved = block[i];
            int k = i;
            for (; k >= gap && place_less(&moved, &block[k - gap]); k -= gap) block[k] = block[k - gap];
            block[k] = moved;
        }
}

/* Particles one behind the other that lie in the same block; the next run's begin is their end. */
typedef struct slot_run {
    int32_t home, begin;
} slot_run;

/* What sorts particles by block, then by cell. Particles that were sorted before come in few and long runs. */
typedef struct sorting {
    grid *g;
    const real4 *x;
    slot_run *run; /* by their begin */
    int run_count, *chunk_runs;
    int32_t *of_home, *home_begin; /* runs by home, of each in order; where those of a home begin */
    int32_t *first;                /* particles in the homes before each */
    int32_t *order;
} sorting;

enum { RUN_CHUNK = 4096 };

/* Finds the runs of a chunk of particles; they stand in s->run from the chunk's first particle on. */
static void find_runs(int begin, int end, void *context)
{
    sorting *s = context;
    block_place last = {{0}};
    int count = 0;
    for (int i = begin; i < end; i++) {
        block_place p = block_of_point(s->g, &s->x[i]);
        if (i == begin || !place_equal(&p, &last)) s->run[begin + count++].begin = i;
        last = p;
    }
    s->chunk_runs[begin / RUN_CHUNK] = count;
}

static dew_result list_runs(sorting *s, int count)
{
    int chunks = (count + RUN_CHUNK - 1) / RUN_CHUNK;
    ARENA_TRY(s->g->memory, count, s->run);
    ARENA_TRY(s->g->memory, chunks, s->chunk_runs);
    parallel_for(count, RUN_CHUNK, find_runs, s);
    for (int c = 0; c < chunks; c++) {
        memmove(s->run + s->run_count, s->run + (size_t)c * RUN_CHUNK, (size_t)s->chunk_runs[c] * sizeof *s->run);
        s->run_count += s->chunk_runs[c];
    }
    s->run[s->run_count].begin = count;
    return DEW_OK;
}

/* Makes the blocks that hold particles, in the order of their places. */
static dew_result find_homes(sorting *s)
{
    grid *g = s->g;
    for (int k = 0; k < s->run_count; k++) {
        block_place p = block_of_point(g, &s->x[s->run[k].begin]);
        RESULT_TRY(grid_add(g, &p, &s->run[k].home));
    }
    g->home_count = g->block_count;
    sort_places(g->block, g->home_count);
    grid_index(g);
    for (int k = 0; k < s->run_count; k++) {
        block_place p = block_of_point(g, &s->x[s->run[k].begin]);
        s->run[k].home = grid_find(g, &p);
    }
    return group_items(g->memory, &s->run[0].home, 2, s->run_count, g->home_count, &s->of_home, &s->home_begin);
}

/* Sorts the particles of blocks by cell; within a cell they keep their order. */
static void sort_homes(int begin, int end, void *context)
{
    const sorting *s = context;
    for (int b = begin; b < end; b++) {
        int32_t next[CELLS] = {0}, total = s->first[b], *cell = s->g->particle_begin + (size_t)b * CELLS;
        for (int k = s->home_begin[b]; k < s->home_begin[b + 1]; k++)
            for (int i = s->run[s->of_home[k]].begin; i < s->run[s->of_home[k] + 1].begin; i++)
                next[local_cell(s->g, &s->x[i])]++;
        for (int c = 0; c < CELLS; c++) {
            int32_t count = next[c];
            cell[c] = next[c] = total;
            total += count;
        }
        for (int k = s->home_begin[b]; k < s->home_begin[b + 1]; k++)
            for (int i = s->run[s->of_home[k]].begin; i < s->run[s->of_home[k] + 1].begin; i++)
                s->order[next[local_cell(s->g, &s->x[i])]++] = i;
    }
}

/* Sorts the particles by block, then by cell: s->order[k] is the slot from which the new slot k takes its particle. */
static dew_result sort_particles(sorting *s, int count)
{
    grid *g = s->g;
    size_t homes = (size_t)g->home_count;
    ARENA_TRY(g->memory, homes * CELLS, g->particle_begin);
    ARENA_TRY_ZEROED(g->memory, homes, s->first);
    for (int k = 0; k < s->run_count; k++) s->first[s->run[k].home + 1] += s->run[k + 1].begin - s->run[k].begin;
    for (size_t b = 0; b < homes; b++) s->first[b + 1] += s->first[b];
    parallel_for(g->home_count, 4, sort_homes, s);
    g->particle_begin[homes * CELLS] = count;
    return DEW_OK;
}

/* Adds the blocks around all that there are. */
static dew_result add_around(grid *g)
{
    for (int b = 0, end = g->block_count; b < end; b++)
        for (int k = 0; k < AROUND; k++) {
            block_place q = place_around(&g->block[b], k);
            int32_t found;
            RESULT_TRY(grid_add(g, &q, &found));
        }
    return DEW_OK;
}

static int colour_of(const block_place *p)
{
    int colour = 0;
    for (int a = 0; a < DIM; a++) colour = 2 * colour + (p->at[a] & 1);
    return colour;
}

static dew_result link_blocks(grid *g)
{
    ARENA_TRY(g->memory, (size_t)g->block_count * AROUND, g->neighbour);
    ARENA_ARRAY(g->memory, g->block_count, int32_t, colour);
    for (int b = 0; b < g->block_count; b++) {
        for (int k = 0; k < AROUND; k++) {
            block_place q = place_around(&g->block[b], k);
            g->neighbour[b * AROUND + k] = grid_find(g, &q);
        }
        colour[b] = colour_of(&g->block[b]);
    }
    return group_items(g->memory, colour, 1, g->block_count, COLOURS, &g->by_colour, &g->colour_begin);
}

/* Makes the grid and sorts the particles into it. `around` is how many blocks the grid reaches beyond those with
 * particles; *order becomes the order of the sort, as particles_reorder takes it. */
static dew_result grid_make(grid *g, particles *p, double dx, int around, arena *memory, int32_t **order)
{
    *g = (grid){.dx = dx, .inverse = (real)(1 / dx), .memory = memory};
    ARENA_TRY(memory, p->count, *order);
    sorting s = {.g = g, .x = p->position, .order = *order};
    RESULT_TRY(grid_grow(g));
    RESULT_TRY(list_runs(&s, p->count));
    RESULT_TRY(find_homes(&s));
    RESULT_TRY(sort_particles(&s, p->count));
    RESULT_TRY(particles_reorder(p, *order));
    for (int r = 0; r < around; r++) RESULT_TRY(add_around(g));
    return link_blocks(g);
}

/* --- loops --- */

typedef void block_fcn(int block, void *context);

typedef struct block_loop {
    const int32_t *blocks; /* which ones; NULL: all from 0 on */
    int limit;             /* blocks from this one on are left out */
    block_fcn *fcn;
    void *context;
} block_loop;

static void loop_blocks(int begin, int end, void *context)
{
    block_loop *l = context;
    for (int k = begin; k < end; k++) {
        int block = l->blocks ? l->blocks[k] : k;
        if (block < l->limit) l->fcn(block, l->context);
    }
}

static void loop(const int32_t *blocks, int count, int limit, block_fcn *fcn, void *context)
{
    block_loop l = {blocks, limit, fcn, context};
    parallel_for(count, 1, loop_blocks, &l);
}

static void loop_colours(const grid *g, int limit, block_fcn *fcn, void *context)
{
    for (int c = 0; c < COLOURS; c++)
        loop(g->by_colour + g->colour_begin[c], g->colour_begin[c + 1] - g->colour_begin[c], limit, fcn, context);
}

/* Calls fcn for every block, or for every block with particles, colour after colour: it may add to the tile around its
 * block. */
static void each_colour(const grid *g, block_fcn *fcn, void *context) { loop_colours(g, g->block_count, fcn, context); }
static void each_home_colour(const grid *g, block_fcn *fcn, void *context)
{
    loop_colours(g, g->home_count, fcn, context);
}

/* Calls fcn for every block, or for every block with particles, in any order: it may write what belongs to its block.
 */
static void each_block(const grid *g, block_fcn *fcn, void *context)
{
    loop(NULL, g->block_count, g->block_count, fcn, context);
}
static void each_home(const grid *g, block_fcn *fcn, void *context)
{
    loop(NULL, g->home_count, g->home_count, fcn, context);
}

/* --- tiles --- */

/* What is done with `count` nodes that lie one behind the other both in the tile and in the grid. */
typedef void stretch_fcn(void *tile, void *nodes, int in_tile, size_t in_grid, int count);

/* Calls stretch for all nodes of the tile around a block that the grid has. */
static inline void tile_each(const grid *g, int block, void *tile, void *nodes, stretch_fcn *stretch)
{
    for (int row = 0; row < TILE / TILE_SIDE; row++) {
        int local = 0, around = 0, in_tile = row * TILE_SIDE;
        for (int pitch = TILE / TILE_SIDE / TILE_SIDE; pitch > 0; pitch /= TILE_SIDE) {
            int at = row / pitch % TILE_SIDE - HALO;
            local = local * SIDE + (at & (SIDE - 1));
            around = 3 * around + (at < 0 ? 0 : at < SIDE ? 1 : 2);
        }
        const int32_t *other = &g->neighbour[block * AROUND + 3 * around];
        const int64_t first = local * SIDE, low = (int64_t)other[0] * CELLS + first;
        const int64_t own = (int64_t)other[1] * CELLS + first, high = (int64_t)other[2] * CELLS + first;
        if (other[0] >= 0) stretch(tile, nodes, in_tile, (size_t)low + SIDE - HALO, HALO);
        if (other[1] >= 0) stretch(tile, nodes, in_tile + HALO, (size_t)own, SIDE);
        if (other[2] >= 0) stretch(tile, nodes, in_tile + HALO + SIDE, (size_t)high, HALO);
    }
}

/* Copies nodes of the grid into a tile, one record a node. */
static void stretch_load(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    memcpy((real4 *)tile + in_tile, (const real4 *)nodes + in_grid, (size_t)count * sizeof(real4));
}

/* Adds a tile to the grid, one record a node. */
static void stretch_add(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    real4 *to = (real4 *)nodes + in_grid;
    const real4 *from = (const real4 *)tile + in_tile;
    for (int k = 0; k < count; k++) quad_store(&to[k], quad_load(&to[k]) + quad_load(&from[k]));
}

/* Adds a tile to the grid, one real a node. */
static void stretch_add_real(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    real *to = (real *)nodes + in_grid;
    const real *from = (const real *)tile + in_tile;
    for (int k = 0; k < count; k++) to[k] += from[k];
}

/* Copies nodes of the grid into a tile, one real a node. */
static void stretch_load_real(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    memcpy((real *)tile + in_tile, (const real *)nodes + in_grid, (size_t)count * sizeof(real));
}

static inline void tile_clear(real4 *tile) { memset(tile, 0, TILE_ROOM * sizeof *tile); }

#endif
