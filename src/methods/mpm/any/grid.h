/* The grid: nodes dx apart, in blocks of 4 along each axis, kept only where there is liquid and one block around it.
 * A cell is what is nearer to a node than to any other, so cell and node share their number, and within a cell the
 * weights of the quadratic splines are one polynomial. Particles stand sorted by block, within it by cell.
 *
 * Work on a block goes through a tile: the block with two nodes around it (one for the reach of a particle's weights,
 * one that it may move before it is sorted again), a copy small enough for the nearest cache. Blocks are coloured by
 * the parity of their coordinates; tiles of one colour share no node, so blocks of one colour are added to the grid in
 * parallel, colour after colour, and each node takes its terms in the same order for any number of threads.
 *
 * Along a periodic axis the block after the last is the first one. What goes by nodes and cells never sees that. Places
 * are those of one round, which begins at a block: what is found by places of others, which may lie across the seam,
 * takes the image that is nearest (grid_nearest).
 *
 * Where the cells of a round are no multiple of four its last blocks, one to three, have three cells each; of a round
 * of five the first has three, the last two. Rounds begin and end with a whole block so, and what is three nodes from a
 * block is in a block beside it. Such a block has room for four still: its numbers of nodes beyond its own are void,
 * without particles, mass or cube, and no neighbour leads to them (grid_is_void).
 *
 * Between planes of symmetry blocks are those of a round. A node beyond a plane is the one before it that is as far,
 * and vectors turn round across the plane as they pass (tile_load, tile_add). Cubes of nodes that a plane halves are
 * cubes of their own, with what they have on this side; at the lower plane they stand in the block beyond. */
#ifndef METHODS_MPM_ANY_GRID_H
#define METHODS_MPM_ANY_GRID_H

#include "base/parallel.h"
#include "base/simd.h"
#include "methods/mpm/any/names.h"
#include "methods/mpm/mpm.h"

#include <string.h>

enum {
    SIDE = 4, /* nodes of a block along an axis */
    HALO = 2,
    TILE_SIDE = SIDE + 2 * HALO,
    CELLS = DIM == 3 ? 64 : 16,   /* of a block */
    TILE = DIM == 3 ? 512 : 64,   /* nodes of a tile */
    TILE_ROOM = TILE + 4,         /* and what a row of four reaches beyond it, with weight 0 */
    AROUND = DIM == 3 ? 27 : 9,   /* a block and its neighbours */
    COLOURS = DIM == 3 ? 64 : 16, /* along an axis two, and two of the last blocks of rounds (colour_of) */
    ROW_AXIS = DIM - 1,           /* along which nodes lie one behind the other */
};

typedef struct block_place {
    int32_t at[DIM];
} block_place;

typedef struct grid {
    double dx;
    real inverse;                         /* 1/dx */
    bool is_periodic, has_planes, is_cut; /* along any axis; is_cut: some blocks have fewer than four cells */
    real4 origin;                         /* of the first node of the block at 0, m; 0 along axes that are open */
    int32_t blocks[DIM];   /* of an axis that is periodic or between planes of symmetry, from 0 on; 0: it is open */
    int32_t nodes[DIM];    /* of such an axis */
    int32_t fours[DIM];    /* the first blocks of such a round, with four cells each; the others have three */
    bool is_mirrored[DIM]; /* between planes of symmetry */
    real period[DIM];      /* m; 0 where an axis is not periodic */
    real face[DIM][2];     /* of an axis that is not open, the lower and the upper one, m */
    int block_count;
    int home_count;          /* blocks with particles: the first ones */
    block_place *block;      /* coordinates, counted in blocks */
    block_place *first;      /* of the first node of each, counted in nodes; without cuts SIDE times the block's */
    block_place *side;       /* how many nodes each has along each axis: SIDE without cuts */
    int32_t *neighbour;      /* AROUND for each block: blocks around it, -1 where there is none */
    int32_t *particle_begin; /* for each cell of the home blocks, one more: particles in order */
    int32_t *by_colour;      /* blocks, colour after colour */
    int32_t *colour_begin;   /* COLOURS + 1 */
    int32_t *table;          /* hash: block + 1, or 0 */
    uint32_t table_mask;
    int block_room;
    arena *memory;
} grid;

/* Where a point is from the first node of the block at 0. */
static inline vquad grid_arm(const grid *g, const real4 *x) { return quad_load(x) - quad_load(&g->origin); }

/* The cell of a point along one axis, by its arm. */
static inline int32_t cell_of(real arm, real inverse) { return (int32_t)floor(arm * inverse + (real)0.5); }

/* Whether blocks along an axis are not all of four cells. */
static inline bool is_axis_cut(const grid *g, int axis) { return g->is_cut && g->fours[axis] < g->blocks[axis]; }

static inline int32_t floor_over(int32_t a, int32_t b) { return a / b - (a % b < 0); }

/* Along one axis, the first node of a block; rounds follow one another. */
static inline int32_t grid_first(const grid *g, int axis, int32_t block)
{
    if (!is_axis_cut(g, axis)) return SIDE * block;
    const int32_t round = floor_over(block, g->blocks[axis]), k = block - round * g->blocks[axis];
    return round * g->nodes[axis] + SIDE * k - (k > g->fours[axis] ? k - g->fours[axis] : 0);
}

/* Along one axis, the block of a node or cell. */
static inline int32_t grid_block(const grid *g, int axis, int32_t node)
{
    if (!is_axis_cut(g, axis)) return node >> 2;
    const int32_t round = floor_over(node, g->nodes[axis]), k = node - round * g->nodes[axis];
    const int32_t of_threes = k - SIDE * g->fours[axis];
    return round * g->blocks[axis] + (of_threes < 0 ? k / SIDE : g->fours[axis] + of_threes / (SIDE - 1));
}

static inline block_place block_of_point(const grid *g, const real4 *x)
{
    const vquad arm = grid_arm(g, x);
    block_place p;
    for (int a = 0; a < DIM; a++) p.at[a] = grid_block(g, a, cell_of(arm[a], g->inverse));
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

/* The place in the round of periodic axes. */
static inline block_place place_in_round(const grid *g, block_place p)
{
    for (int a = 0; a < DIM && g->is_periodic; a++) {
        if (!(g->period[a] > 0)) continue;
        const int32_t k = p.at[a] % g->blocks[a];
        p.at[a] = k < 0 ? k + g->blocks[a] : k;
    }
    return p;
}

/* The block at a place, or -1. */
static inline int32_t grid_find(const grid *g, const block_place *p)
{
    const block_place q = place_in_round(g, *p);
    return *grid_slot(g, &q) - 1;
}

/* What is taken off a place that is so far `away` along an axis, for the image that is nearest. */
static inline real grid_turn(const grid *g, int axis, real away)
{
    const real period = g->period[axis];
    return away > period / 2 ? period : away < -period / 2 ? -period : 0;
}

/* The image of x that is nearest to a place. */
real3 grid_image(const grid *g, real3 x, real3 to);
static inline real3 grid_nearest(const grid *g, real3 x, real3 to) { return g->is_periodic ? grid_image(g, x, to) : x; }

/* The image of a point of a block's cells that lies in them. */
static inline real4 grid_in_block(const grid *g, int block, real4 x)
{
    if (!g->is_periodic) return x;
    const block_place p = block_of_point(g, &x);
    for (int a = 0; a < DIM; a++)
        if (g->period[a] > 0) (&x.x)[a] -= g->period[a] * (real)((p.at[a] - g->block[block].at[a]) / g->blocks[a]);
    return x;
}

/* The number, among a block's AROUND, of the one that is a step of -1, 0 or 1 along each axis from it. */
static inline int around_of(const int *step)
{
    int k = 0;
    for (int a = 0; a < DIM; a++) k = 3 * k + step[a] + 1;
    return k;
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

/* Whether a plane of symmetry is the lower (upper) side of a block. */
static inline bool has_plane(const grid *g, int b, int axis, bool is_upper)
{
    return g->is_mirrored[axis] && g->block[b].at[axis] == (is_upper ? g->blocks[axis] - 1 : 0);
}

/* Along one axis, the node k from the first of block b, or that of which it is the image; from -SIDE to 2 SIDE - 1, or
 * it is not known. `planes`, or NULL, gets the bit of the lower plane, 1, or of the upper one, 2, that it lies beyond.
 */
static inline int grid_mirrored(const grid *g, int b, int axis, int k, unsigned *planes)
{
    if (planes) *planes = 0;
    if (!g->is_mirrored[axis]) return k;
    const int first = g->first[b].at[axis], count = g->nodes[axis], at = first + k;
    if (planes) *planes = at < 0 ? 1 : at >= count ? 2 : 0;
    return (at < 0 ? -1 - at : at >= count ? 2 * count - 1 - at : at) - first;
}

/* How far a block is served: nodes from -GRID_REACH to SIDE - 1 + GRID_REACH from its first are in blocks beside it. */
enum { GRID_REACH = SIDE - 1 };

/* Along one axis, takes the node *at from the first of block b for one of a block beside it: the step to that block,
 * and in *at the node from the first of that. Farther away than blocks beside it, NOT_BESIDE. */
enum { NOT_BESIDE = 2 };
static inline int grid_step(const grid *g, int b, int axis, int *at)
{
    if (!is_axis_cut(g, axis)) {
        const int step = *at < 0 ? -1 : *at >= SIDE;
        const bool is_beside = *at >= -SIDE && *at < 2 * SIDE;
        *at &= SIDE - 1;
        return is_beside ? step : NOT_BESIDE;
    }
    const int32_t node = g->first[b].at[axis] + *at, block = grid_block(g, axis, node);
    const int step = block - g->block[b].at[axis], round = g->blocks[axis];
    *at = node - grid_first(g, axis, block);
    if (step >= -1 && step <= 1) return step;
    if (g->is_mirrored[axis] || round > 3) return NOT_BESIDE;
    return (step % round + round + 1) % round - 1; /* all blocks of a short round are beside one another */
}

/* The cube whose lowest node is `at` from the first of block b (see GRID_REACH), numbered as this, or -1. */
static inline int64_t grid_cube_at(const grid *g, int b, const int *at)
{
    int step[DIM], local = 0;
    for (int a = 0; a < DIM; a++) {
        int k = at[a];
        step[a] = grid_step(g, b, a, &k);
        if (step[a] == NOT_BESIDE) return -1;
        local = local * SIDE + k;
    }
    int32_t other = g->neighbour[b * AROUND + around_of(step)];
    return other < 0 ? -1 : (int64_t)other * CELLS + local;
}

/* The node `at` from the first of block b, likewise: its number, or -1. */
static inline int64_t grid_node(const grid *g, int b, const int *at)
{
    int before[DIM];
    if (!g->has_planes) return grid_cube_at(g, b, at);
    for (int a = 0; a < DIM; a++) before[a] = grid_mirrored(g, b, a, at[a], NULL);
    return grid_cube_at(g, b, before);
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
            int at = g->has_planes ? grid_mirrored(g, b, a, low[a] + k, NULL) : low[a] + k;
            const int to = grid_step(g, b, a, &at);
            near[a][k] = to == NOT_BESIDE ? AROUND : step * (to + 1), local[a][k] = pitch * at;
        }
    for (int row = 0; row < (DIM == 3 ? side * side : side); row++) {
        int i = DIM == 3 ? row / side : row, j = row % side;
        int block = near[0][i] + (DIM == 3 ? near[1][j] : 0), first = local[0][i] + (DIM == 3 ? local[1][j] : 0);
        for (int k = 0; k < side; k++) {
            const int beside = block + near[DIM - 1][k];
            const int32_t other = beside < AROUND ? neighbour[beside] : -1;
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

/* Whether a block has a number for a node that it has not. */
static inline bool grid_is_void(const grid *g, int node)
{
    int at[DIM];
    bool is_void = false;
    if (!g->is_cut) return false;
    local_of(node % CELLS, at);
    for (int a = 0; a < DIM; a++) is_void = is_void || at[a] >= g->side[node / CELLS].at[a];
    return is_void;
}

/* Where a node is, m. */
static inline real3 grid_place(const grid *g, int node)
{
    int at[DIM];
    real3 x = {0, 0, 0};
    local_of(node % CELLS, at);
    for (int a = 0; a < DIM; a++)
        (&x.x)[a] = (&g->origin.x)[a] + (real)((g->first[node / CELLS].at[a] + at[a]) * g->dx);
    return x;
}

/* The cell of a point (offset 1/2), or the cube of nodes that it is in (0), numbered as its lowest node; -1: the grid
 * has none. */
static inline int32_t grid_number(const grid *g, real3 x, real offset)
{
    block_place p;
    int local = 0;
    for (int a = 0; a < DIM; a++) {
        int32_t k = (int32_t)floor(((&x.x)[a] - (&g->origin.x)[a]) * g->inverse + offset);
        if (g->is_mirrored[a] && offset > 0) k = k < 0 ? -1 - k : k >= g->nodes[a] ? 2 * g->nodes[a] - 1 - k : k;
        p.at[a] = grid_block(g, a, k);
        local = local * SIDE + (k - grid_first(g, a, p.at[a]));
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
    const vquad arm = grid_arm(g, x);
    int at[DIM];
    for (int a = 0; a < DIM; a++) at[a] = (int32_t)floor(arm[a] * g->inverse) - g->first[block].at[a];
    return (int32_t)grid_cube_at(g, block, at);
}

/* grid_cell for a point that is likely to be near `block`, whose place is `home`; the block may be -1. */
static inline int32_t grid_cell_near(const grid *g, const block_place *home, int32_t block, real3 x)
{
    int at[DIM];
    bool is_near = block >= 0;
    for (int a = 0; a < DIM; a++) {
        at[a] = cell_of((&x.x)[a] - (&g->origin.x)[a], g->inverse) - grid_first(g, a, home->at[a]);
        is_near = is_near && at[a] >= -GRID_REACH && at[a] < SIDE + GRID_REACH;
    }
    return is_near ? (int32_t)grid_node(g, block, at) : grid_cell(g, x);
}

/* The particles of a block are those from first_in(block) to first_in(block + 1) - 1. */
static inline int first_in(const grid *g, int block) { return g->particle_begin[(size_t)block * CELLS]; }

/* The number of a block's colour. */
int colour_of(const grid *g, const block_place *p);

/* Makes the grid and sorts the particles into it; along the domain's periodic axes, which must hold whole cells, they
 * come into its round. `around` is how many blocks the grid reaches beyond those with particles; *order becomes the
 * order of the sort, as particles_reorder takes it. */
dew_result grid_make(grid *g, particles *p, const dew_domain_def *domain, double dx, int around, arena *memory,
                     int32_t **order);

typedef void block_fcn(int block, void *context);

/* Calls fcn for every block, or for every block with particles, colour after colour: it may add to the tile around its
 * block. */
void each_colour(const grid *g, block_fcn *fcn, void *context);
void each_home_colour(const grid *g, block_fcn *fcn, void *context);

/* Calls fcn for every block, or for every block with particles, in any order: it may write what belongs to its block.
 */
void each_block(const grid *g, block_fcn *fcn, void *context);
void each_home(const grid *g, block_fcn *fcn, void *context);

/* What is done with `count` nodes that lie one behind the other both in the tile and in the grid. */
typedef void stretch_fcn(void *tile, void *nodes, int in_tile, size_t in_grid, int count);

/* Calls stretch for all nodes, or for all cubes, of the tile around a block that the grid has. */
static inline void tile_all(const grid *g, int block, void *tile, void *nodes, stretch_fcn *stretch, bool is_of_cubes)
{
    const bool has_planes = g->has_planes && !is_of_cubes;
    const bool below = has_planes && has_plane(g, block, ROW_AXIS, false);
    const bool above = has_planes && has_plane(g, block, ROW_AXIS, true);
    int beside[ROW_AXIS][TILE_SIDE], within[ROW_AXIS][TILE_SIDE], before = -HALO;
    const int side = g->side[block].at[ROW_AXIS];
    grid_step(g, block, ROW_AXIS, &before);
    for (int a = 0; a < ROW_AXIS; a++)
        for (int k = 0; k < TILE_SIDE; k++) {
            int at = k - HALO;
            const bool is_served = at < g->side[block].at[a] + HALO;
            if (has_planes) at = grid_mirrored(g, block, a, at, NULL);
            const int step = grid_step(g, block, a, &at);
            beside[a][k] = is_served && step != NOT_BESIDE ? step + 1 : -AROUND, within[a][k] = at;
        }
    for (int row = 0; row < TILE / TILE_SIDE; row++) {
        int local = 0, around = 0, in_tile = row * TILE_SIDE, axis = 0;
        for (int pitch = TILE / TILE_SIDE / TILE_SIDE; pitch > 0; pitch /= TILE_SIDE, axis++) {
            const int k = row / pitch % TILE_SIDE;
            local = local * SIDE + within[axis][k], around = 3 * around + beside[axis][k];
        }
        if (around < 0) continue;
        const int32_t *other = &g->neighbour[block * AROUND + 3 * around];
        const int64_t first = local * SIDE, low = (int64_t)other[0] * CELLS + first;
        const int64_t own = (int64_t)other[1] * CELLS + first, high = (int64_t)other[2] * CELLS + first;
        if (other[0] >= 0 && !below) stretch(tile, nodes, in_tile, (size_t)(low + before), HALO);
        if (other[1] >= 0 && side == SIDE) stretch(tile, nodes, in_tile + HALO, (size_t)own, SIDE);
        if (other[1] >= 0 && side < SIDE) stretch(tile, nodes, in_tile + HALO, (size_t)own, side);
        if (other[2] >= 0 && !above) stretch(tile, nodes, in_tile + HALO + side, (size_t)high, HALO);
        for (int k = 0; k < HALO && other[1] >= 0; k++) {
            if (below) stretch(tile, nodes, in_tile + k, (size_t)own + HALO - 1 - (size_t)k, 1);
            if (above) stretch(tile, nodes, in_tile + HALO + side + k, (size_t)(own + side - 1 - k), 1);
        }
    }
}

static inline void tile_each(const grid *g, int block, void *tile, void *nodes, stretch_fcn *stretch)
{
    tile_all(g, block, tile, nodes, stretch, false);
}
static inline void tile_cubes(const grid *g, int block, void *tile, void *cubes, stretch_fcn *stretch)
{
    tile_all(g, block, tile, cubes, stretch, true);
}

/* Copies nodes of the grid into a tile, one record a node. */
static inline void stretch_load(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    memcpy((real4 *)tile + in_tile, (const real4 *)nodes + in_grid, (size_t)count * sizeof(real4));
}

/* Adds a tile to the grid, one record a node. */
static inline void stretch_add(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    real4 *to = (real4 *)nodes + in_grid;
    const real4 *from = (const real4 *)tile + in_tile;
    for (int k = 0; k < count; k++) quad_store(&to[k], quad_load(&to[k]) + quad_load(&from[k]));
}

/* Adds a tile to the grid, one real a node. */
static inline void stretch_add_real(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    real *to = (real *)nodes + in_grid;
    const real *from = (const real *)tile + in_tile;
    for (int k = 0; k < count; k++) to[k] += from[k];
}

/* Copies nodes of the grid into a tile, one real a node. */
static inline void stretch_load_real(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    memcpy((real *)tile + in_tile, (const real *)nodes + in_grid, (size_t)count * sizeof(real));
}

/* Turns the vectors of a tile round that lie beyond planes of symmetry. */
void tile_turn(const grid *g, int block, real4 *tile);

/* Copies vectors of the nodes into a tile; adds a tile of vectors to the nodes. */
static inline void tile_load(const grid *g, int block, real4 *tile, const real4 *nodes)
{
    tile_each(g, block, tile, (void *)nodes, stretch_load);
    if (g->has_planes) tile_turn(g, block, tile);
}
static inline void tile_add(const grid *g, int block, real4 *tile, real4 *nodes)
{
    if (g->has_planes) tile_turn(g, block, tile);
    tile_each(g, block, tile, nodes, stretch_add);
}

static inline void tile_clear(real4 *tile) { memset(tile, 0, TILE_ROOM * sizeof *tile); }

/* Divides what has been summed up at each node by the weights, in w: momentum becomes velocity. */
void nodes_divide(int begin, int end, void *context);

#endif
