#include "methods/mpm/any/level_set.h"

typedef struct level_work {
    const grid *g;
    const real4 *x;
    real4 *sums;     /* for each node: of the weights of the particles around, times where they are from it, in cells;
                        w: of the weights */
    real difference; /* of the balls' level from that of weighted means, in cells */
    real height, radius; /* of the net, of the balls, in cells */
    const real *at_wall; /* of each particle: see wall_work; from 1 on it counts as at a wall. NULL without walls */
    real *near;          /* for each node: of the weights, times at_wall */
    real *square;        /* for each node: squared distance to the nearest particle at a wall, in cells */
    real *level;         /* for each node: height over the liquid, in cells, less that of the net */
    uint8_t *is_inner;   /* for each cell: all cells within LEVEL_CELLS of it have particles */
    real volume;         /* of a particle, over the weights of a neighbourhood that is full */
    real *lack, *sure; /* for each node: by how much the level is to rise, in cells, times how far it is known; this */
    real *next_lack, *next_sure;
} level_work;

/* Reach of the weights, in cells. */
#define LEVEL_REACH ((real)2)
enum { LEVEL_CELLS = 3 };

static bool is_full(const grid *g, int64_t cell)
{
    return cell >= 0 && cell < (int64_t)g->home_count * CELLS && g->particle_begin[cell + 1] > g->particle_begin[cell];
}

/* Whether the cells of a block lie so deep that their particles do not touch the surface. Cells along the row axis are
 * the bits of a row; a cell stays if those on either side do, axis after axis. */
static void find_inner(int block, void *context)
{
    level_work *w = context;
    enum { WIDE = SIDE + 2 * LEVEL_CELLS, ROWS = DIM == 3 ? WIDE * WIDE : WIDE };
    uint8_t *inner = w->is_inner + (size_t)block * CELLS;
    int64_t cell[ROWS * WIDE];
    unsigned row[ROWS];
    const int low[3] = {-LEVEL_CELLS, -LEVEL_CELLS, -LEVEL_CELLS};
    grid_box(w->g, block, low, WIDE, cell);
    for (int r = 0; r < ROWS; r++) {
        row[r] = 0;
        for (int k = 0; k < WIDE; k++) row[r] |= (unsigned)is_full(w->g, cell[r * WIDE + k]) << k;
        for (int k = 0; k < LEVEL_CELLS; k++) row[r] &= row[r] >> 1 & row[r] << 1;
    }
    /* Rows that have no others so far on either side are not asked for. */
    for (int pitch = 1; pitch < ROWS; pitch *= WIDE) {
        unsigned kept[ROWS];
        for (int r = 0; r < ROWS; r++) {
            kept[r] = row[r];
            for (int k = r - LEVEL_CELLS * pitch; k <= r + LEVEL_CELLS * pitch; k += pitch)
                kept[r] &= k >= 0 && k < ROWS ? row[k] : 0;
        }
        memcpy(row, kept, sizeof row);
    }
    for (int c = 0; c < CELLS; c++) {
        int at[DIM], r = 0;
        local_of(c, at);
        for (int a = 0; a < DIM - 1; a++) r = r * WIDE + at[a] + LEVEL_CELLS;
        inner[c] = row[r] >> (at[DIM - 1] + LEVEL_CELLS) & 1;
    }
}

/* Adds a particle to the nodes of the tile within LEVEL_REACH: w (x - node) and w = (1 - (r/reach)^2)^3; along the row
 * axis to four of the five nodes as a row, then to the last. */
static inline void splat_weights(real4 *tile, vquad x, real inverse, const block_place *p)
{
    enum { WIDTH = 5, Z = DIM - 1 };
    const vrow none = row_repeat(quad_set(0));
    const vquad along = {0, Z == 1, Z == 2, 0};
    real arm[DIM][WIDTH], square[DIM][WIDTH];
    int low[DIM];
    for (int a = 0; a < DIM; a++) {
        real t = x[a] * inverse - (real)(p->at[a] - HALO);
        int cell = (int)(t + (real)0.5) - 2;
        low[a] = cell < 0 ? 0 : cell > TILE_SIDE - WIDTH ? TILE_SIDE - WIDTH : cell;
        for (int k = 0; k < WIDTH; k++) {
            arm[a][k] = t - (real)(low[a] + k);
            square[a][k] = arm[a][k] * arm[a][k] * (1 / (LEVEL_REACH * LEVEL_REACH));
        }
    }
    const vquad last = arm[Z][4] * along;
    const vrow arms = row_join(arm[Z][0] * along, arm[Z][1] * along, arm[Z][2] * along, arm[Z][3] * along);
    const vrow less = row_spread((vquad){-square[Z][0], -square[Z][1], -square[Z][2], -square[Z][3]});
    for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j < (DIM == 3 ? WIDTH : 1); j++) {
            real rest = DIM == 3 ? 1 - square[0][i] - square[1][j] : 1 - square[0][i];
            int first = DIM == 3 ? ((low[0] + i) * TILE_SIDE + low[1] + j) * TILE_SIDE : (low[0] + i) * TILE_SIDE;
            real4 *row = tile + first + low[Z];
            vquad d = {arm[0][i], DIM == 3 ? arm[1][j] : 0, 0, 1};
            vrow t = row_max(row_add(less, row_repeat(quad_set(rest))), none);
            vquad s = quad_max(quad_set(rest - square[Z][4]), quad_set(0));
            t = row_times(row_times(t, t), t), s = s * s * s;
            row_store(row, row_plus(row_load(row), t, row_add(row_repeat(d), arms)));
            quad_store(&row[4], quad_load(&row[4]) + s * (d + last));
        }
}

/* Farther than any node whose level matters: in cells, squared. */
#define LEVEL_FAR ((real)9)

static void stretch_least(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    real *to = (real *)nodes + in_grid;
    const real *from = (const real *)tile + in_tile;
    for (int k = 0; k < count; k++) to[k] = to[k] < from[k] ? to[k] : from[k];
}

/* Takes into account, at the nodes of the tile within two of a particle's cell, the squared distance to it and, where
 * it is near a wall, its weight times how near it is. */
static inline void splat_distance(real *square, real *near, vquad x, real at_wall, real inverse, const block_place *p)
{
    real along[DIM][TILE_SIDE];
    int low[DIM];
    for (int a = 0; a < DIM; a++) {
        real t = x[a] * inverse - (real)(p->at[a] - HALO);
        int cell = (int)(t + (real)0.5) - 2;
        low[a] = cell < 0 ? 0 : cell > TILE_SIDE - 5 ? TILE_SIDE - 5 : cell;
        for (int k = 0; k < TILE_SIDE; k++) along[a][k] = (t - (real)k) * (t - (real)k);
    }
    for (int r = 0; r < (DIM == 3 ? 25 : 5); r++) {
        int i = low[0] + (DIM == 3 ? r / 5 : r), j = low[1] + r % 5,
            row = (DIM == 3 ? i * TILE_SIDE + j : i) * TILE_SIDE;
        real across = along[0][i] + (DIM == 3 ? along[1][j] : 0);
        for (int k = 0; k < TILE_SIDE; k++) {
            real d = across + along[DIM - 1][k];
            square[row + k] = square[row + k] < d ? square[row + k] : d;
        }
        for (int k = 0; k < TILE_SIDE && at_wall > 0; k++) {
            real t = 1 - (across + along[DIM - 1][k]) / (LEVEL_REACH * LEVEL_REACH);
            t = t > 0 ? t * t * t : 0;
            near[row + k] += at_wall * t;
        }
    }
}

static void splat_block(int block, void *context)
{
    level_work *w = context;
    const grid *g = w->g;
    const block_place *place = &g->first[block];
    real4 tile[TILE_ROOM];
    real square[TILE], near[TILE] = {0};
    bool is_empty = true, is_near = false;
    tile_clear(tile);
    for (int k = 0; k < TILE; k++) square[k] = LEVEL_FAR;
    for (int c = block * CELLS; c < (block + 1) * CELLS; c++) {
        for (int i = g->particle_begin[c]; i < g->particle_begin[c + 1] && !w->is_inner[c]; i++) {
            is_empty = false;
            const vquad arm = grid_arm(g, &w->x[i]);
            splat_weights(tile, arm, g->inverse, place);
            if (!w->at_wall) continue;
            real at_wall = real_min(w->at_wall[i], (real)1);
            is_near = is_near || at_wall > 0;
            splat_distance(square, near, arm, at_wall, g->inverse, place);
        }
    }
    if (is_empty) return;
    tile_add(g, block, tile, w->sums);
    if (w->at_wall) tile_each(g, block, square, w->square, stretch_least);
    if (is_near) tile_each(g, block, near, w->near, stretch_add_real);
}

/* Height over a flat surface from which the weighted mean of the particles is d away, both over the reach: a fit for
 * -0.4 .. 0.8, to 0.009. */
static inline real height_of(real d)
{
#if DIM == 3
    static const real c[5] = {-0.5543, 3.1001, -4.5889, 5.3756, -2.4041};
#else
    static const real c[5] = {-0.5789, 3.0616, -4.2763, 4.8666, -2.1318};
#endif
    return c[0] + d * (c[1] + d * (c[2] + d * (c[3] + d * c[4])));
}

static inline real wall_part(const level_work *w, int k)
{
    real part = w->sums[k].w > 0 ? w->near[k] / w->sums[k].w : 0;
    return part < 1 ? part : 1;
}

/* Finds the level by weighted means and, next to walls, that of balls, which takes the place of the squared distances.
 */
static void finish_levels(int begin, int end, void *context)
{
    level_work *w = context;
    for (int k = begin; k < end; k++) {
        real4 q = w->sums[k];
        real d = q.w > 0 ? real3_length(real3_of(q)) / (q.w * LEVEL_REACH) : 1;
        w->level[k] = w->is_inner[k] ? INNER : LEVEL_REACH * height_of(d < 1 ? d : 1) - w->height;
        if (w->at_wall) w->square[k] = sqrt(w->square[k]) - w->radius;
    }
}

/* Sums up by how much balls are higher than weighted means at the net, away from walls. */
static void sum_differences(int begin, int end, void *context, double *sums)
{
    const level_work *w = context;
    const real within = (real)0.5;
    for (int k = begin; k < end; k++) {
        if (!(fabs(w->level[k]) < within) || !(fabs(w->square[k]) < within)) continue;
        double part = 1 - (double)wall_part(w, k);
        sums[0] += part, sums[1] += part * ((double)w->square[k] - (double)w->level[k]);
    }
}

static void blend_levels(int begin, int end, void *context)
{
    level_work *w = context;
    for (int k = begin; k < end; k++)
        if (!w->is_inner[k]) w->level[k] += wall_part(w, k) * (w->square[k] - w->difference - w->level[k]);
}

/* Next to walls the level is that of balls, as much higher or lower as makes them agree with the weighted means where
 * both are right: these lie lower on a surface that is curved, balls higher where particles are in disorder. */
static void blend_walls(level_work *w, int nodes)
{
    double sums[2];
    parallel_sum(nodes, 2, sum_differences, w, sums);
    w->difference = sums[0] > 1 ? (real)(sums[1] / sums[0]) : 0;
    parallel_for(nodes, 4096, blend_levels, w);
}

#if DIM == 3

/* --- how much liquid there is --- */

/* The share of the weights that a flat surface leaves at a height over it, both over the reach, and by how much it
 * falls with the height: planes of weights (1 - r^2)^3 hold (1 - z^2)^4. */
static inline real share_at(real h, real *fall)
{
    const real half = (real)(128 / 315.0), q = h * h, t = 1 - q;
    const real below = h * (1 - q * ((real)(4 / 3.0) - q * ((real)1.2 - q * ((real)(4 / 7.0) - q / 9))));
    *fall = t * t * t * t / (2 * half);
    return (real)0.5 - below / (2 * half);
}

/* Heights of the nodes that are asked how much liquid there is, in cells, and of those that hear of it. */
#define ASKED_FROM ((real)0)
#define ASKED_TO ((real)1)
#define HEARING ((real)2)

/* A level is put higher or lower by no more than that, cells. */
#define MOST_LACK ((real)0.25)

enum { LACK_ROUNDS = 2 };

static void find_lack(int begin, int end, void *context)
{
    level_work *w = context;
    for (int k = begin; k < end; k++) {
        const real h = w->level[k] + w->height;
        real fall;
        w->lack[k] = w->sure[k] = 0;
        if (w->is_inner[k] || !(h > ASKED_FROM && h < ASKED_TO)) continue;
        const real share = share_at(h / LEVEL_REACH, &fall), open = w->at_wall ? 1 - wall_part(w, k) : 1;
        w->sure[k] = open * fall, w->lack[k] = open * LEVEL_REACH * (share - w->sums[k].w * w->volume);
    }
}

/* Adds at the nodes of a block the means of a tile over the nodes around, by 1/4, 1/2, 1/4 along each axis. */
static void add_means(const real *tile, real *to)
{
    for (int row = 0; row < SIDE * SIDE; row++)
        for (int j = 0; j < AROUND; j++) {
            real weight = 1;
            for (int a = 0, i = j; a < DIM; a++, i /= 3) weight *= i % 3 == 1 ? (real)0.5 : (real)0.25;
            const int x = row / SIDE + j / 9 + HALO - 1, y = row % SIDE + j / 3 % 3 + HALO - 1;
            const real *from = tile + (x * TILE_SIDE + y) * TILE_SIDE + j % 3 + HALO - 1;
            for (int k = 0; k < SIDE; k++) to[SIDE * row + k] += weight * from[k];
        }
}

static void spread_lack(int block, void *context)
{
    level_work *w = context;
    const int first = block * CELLS;
    real lack[TILE] = {0}, sure[TILE] = {0}, all = 0;
    memset(w->next_lack + first, 0, CELLS * sizeof *w->next_lack);
    memset(w->next_sure + first, 0, CELLS * sizeof *w->next_sure);
    tile_each(w->g, block, sure, w->sure, stretch_load_real);
    for (int k = 0; k < TILE; k++) all = real_max(all, sure[k]);
    if (!(all > 0)) return;
    tile_each(w->g, block, lack, w->lack, stretch_load_real);
    add_means(lack, w->next_lack + first), add_means(sure, w->next_sure + first);
    for (int k = first; k < first + CELLS; k++)
        if (w->is_inner[k] || !(w->level[k] + w->height < HEARING)) w->next_lack[k] = w->next_sure[k] = 0;
}

static void add_lack(int begin, int end, void *context)
{
    level_work *w = context;
    for (int k = begin; k < end; k++)
        if (w->sure[k] > 0) w->level[k] += real_min(real_max(w->lack[k] / w->sure[k], -MOST_LACK), MOST_LACK);
}

/* Weighted means tell how high a node lies over the outermost particles. Where liquid is drawn out these lie deeper,
 * and the surface, half a spacing over them, followed a drop's swing by half a spacing over its radius too little. The
 * sum of the weights tells how much liquid there is, but not smoothly: what it makes of the height is taken from it in
 * the mean over two cells. A surface that is bent changes both alike. */
static dew_result level_by_mass(level_work *w, int nodes)
{
    ARENA_TRY(w->g->memory, nodes, w->lack, w->sure, w->next_lack, w->next_sure);
    parallel_for(nodes, 4096, find_lack, w);
    for (int k = 0; k < LACK_ROUNDS; k++) {
        real *lack = w->lack, *sure = w->sure;
        each_block(w->g, spread_lack, w);
        w->lack = w->next_lack, w->sure = w->next_sure, w->next_lack = lack, w->next_sure = sure;
    }
    parallel_for(nodes, 4096, add_lack, w);
    return DEW_OK;
}

#endif

dew_result level_set_find(const grid *g, const real4 *x, const real *at_wall, double spacing, real **level)
{
    size_t nodes = (size_t)g->block_count * CELLS;
    level_work w = {.g = g, .x = x, .at_wall = at_wall, .height = (real)net_height(spacing, g->dx)};
    w.radius = (real)balls_radius((double)w.height, spacing, g->dx);
    w.volume = (real)(pow(spacing / (g->dx * (double)LEVEL_REACH), 3) / (64 * PI / 315));
    ARENA_TRY_ZEROED(g->memory, nodes, w.sums, w.is_inner);
    ARENA_TRY(g->memory, nodes, w.level);
    if (at_wall) {
        ARENA_TRY_ZEROED(g->memory, nodes, w.near);
        ARENA_TRY(g->memory, nodes, w.square);
        for (size_t k = 0; k < nodes; k++) w.square[k] = LEVEL_FAR;
    }
    each_home(g, find_inner, &w);
    each_home_colour(g, splat_block, &w);
    parallel_for((int)nodes, 4096, finish_levels, &w);
    if (at_wall) blend_walls(&w, (int)nodes);
#if DIM == 3
    RESULT_TRY(level_by_mass(&w, (int)nodes));
#endif
    *level = w.level;
    return DEW_OK;
}
