#include "methods/mpm/any/density_target.h"

#include "methods/mpm/any/density.h"
#include "methods/mpm/any/level_set.h"
#include "methods/mpm/any/surface.h"
#include "methods/mpm/any/transfer.h"
#include "methods/mpm/any/walls.h"

/* An excess is believed as far as this. */
#define MOST_EXCESS ((real)0.2)

/* Where the surface is so many cells away, and liquid fills more than that of a cube, it is well known how much there
 * should be; elsewhere no more than a full cube, and DOUBT of it for particles that lie unevenly: without that a cap
 * that spreads gains 2 % of energy (trial_rest_60), with it 0.5 %. */
enum { WELL_INSIDE = 2 };
#define DOUBT ((real)0.1)
#define WITHIN ((real)0.97)

/* Cells by which the level of a body may be put higher or lower. */
#define MOST_OFFSET 1.0

/* How far from a wall the level is what it would be without, cells. */
#define WALL_AWAY ((real)1.5)

/* A wall to which the liquid lies no nearer than so many cells is dry, wet from half of that on. */
#define DRY ((real)0.9)

/* Walls leave no particle less than that of the nodes around. */
#define LEAST_OPEN ((real)0.1)
static inline real clamped(real a, real low, real high) { return a < low ? low : a < high ? a : high; }

enum { OFFSET_ROUNDS = 4 };

/* --- what there is --- */

static void add_counts(int block, void *context)
{
    const density_work *w = context;
    const grid *g = &w->f->g;
    const real none[DIM] = {0};
    real count[TILE_ROOM] = {0};
    stencil s;
    for (int i = first_in(g, block); i < first_in(g, block + 1); i++) {
        stencil_of(&s, quad_load(&w->f->a.x[i]), g->inverse, &g->block[block]);
        deposit_scalar(count, &s, 1, none);
    }
    tile_each(g, block, count, w->count, stretch_add_real);
}

/* --- what there should be --- */

static int32_t body_near(const density_work *w, int node)
{
    const int32_t *of_node = w->f->surface.bodies.of_node;
    int64_t around[AROUND];
    if (of_node[node] >= 0) return of_node[node];
    nodes_around(&w->f->g, node, around);
    for (int j = 0; j < AROUND; j++)
        if (around[j] >= 0 && of_node[around[j]] >= 0) return of_node[around[j]];
    return -1;
}

/* The level at a point, between the nodes of its cube. */
static real level_at(const grid *g, const real *level, real4 x)
{
    const int32_t cube = grid_cube(g, real3_of(x));
    int at[DIM];
    real sum = 0;
    if (cube < 0) return 1;
    local_of(cube % CELLS, at);
    for (int k = 0; k < CUBE_CORNERS; k++) {
        int64_t node = corner_node(g, cube / CELLS, at, k);
        real part = 1;
        for (int a = 0; a < DIM; a++) {
            real t = (&x.x)[a] * g->inverse;
            t -= floor(t);
            part *= k >> a & 1 ? t : 1 - t;
        }
        sum += part * (node < 0 ? 1 : level[node]);
    }
    return sum;
}

/* Of a node's spline, what is on the outer side of a plane at a distance s, in cells. */
static inline real spline_beyond(real s)
{
    real away = s < 0 ? -s : s, rest = (real)1.5 - away;
    real in =
        away > (real)0.5 ? (rest > 0 ? rest * rest * rest / 6 : 0) : (real)0.5 - away * ((real)0.75 - away * away / 3);
    return s < 0 ? in : 1 - in;
}

/* What a node sees of solids: the first MOST_WALLS of them. */
typedef struct walls_near {
    int count;
    real4 wall[MOST_WALLS];
} walls_near;

static inline real4 moved_by(real4 x, real distance, real4 wall)
{
    return (real4){x.x + distance * wall.x, x.y + distance * wall.y, x.z + distance * wall.z, x.w};
}

/* Where the level of a node is taken: at a distance from each wall that is wet; w: how far that counts. Whether a wall
 * is wet its foot tells, away from the other walls. */
static real4 place_of_level(const density_work *w, real4 x, const walls_near *near)
{
    const fluid *f = w->f;
    const real away = WALL_AWAY * f->dx;
    real4 place = x;
    for (int k = 0; k < near->count; k++) {
        real4 foot = moved_by(x, -near->wall[k].w, near->wall[k]);
        for (int j = 0; j < near->count; j++)
            if (j != k) foot = moved_by(foot, away - near->wall[j].w, near->wall[j]);
        real height = level_at(&f->g, f->surface.level, foot) + w->net;
        real wet = clamped((DRY - height) / ((real)0.5 * DRY), 0, 1);
        if (wet > 0) place = moved_by(place, away - near->wall[k].w, near->wall[k]);
        place.w = real_max(place.w, wet);
    }
    return place;
}

/* Finds the levels of nodes that are near a body, and what solids leave of their cells. Next to solids the level is
 * that at a distance: the liquid's own edge at a wall is no surface. */
static void find_open(int block, void *context)
{
    const density_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    const real reach = WALL_AWAY * f->dx;
    real4 x[CELLS], seen[CELLS];
    walls_near near[CELLS];
    int which[CELLS], count = 0;
    for (int c = 0; c < CELLS; c++) {
        int node = block * CELLS + c, at[DIM];
        w->open[node] = 0, w->beyond[node] = 1, w->body[node] = -1, w->level[node] = f->surface.level[node];
        if (!(w->level[node] + w->net < (real)(1.5 + MOST_OFFSET))) continue;
        local_of(c, at);
        x[count] = (real4){0, 0, 0, 0};
        for (int a = 0; a < DIM; a++) (&x[count].x)[a] = (real)((SIDE * g->block[block].at[a] + at[a]) * g->dx);
        w->open[node] = 1, near[count].count = 0, which[count++] = node;
    }
    for (int s = 0; s < solids_count(f->w->solids) && count > 0; s++) {
        solids_distance(f->w->solids, s, (double)reach, count, x, seen);
        for (int n = 0; n < count; n++) {
            real4 side[MOST_WALLS];
            int faces = seen[n].w < reach ? solid_faces(f->w->solids, s, reach, x[n], side) : 0;
            for (int k = 0; k < faces; k++) {
                w->open[which[n]] *= clamped(side[k].w / f->dx + (real)0.5, 0, 1);
                w->beyond[which[n]] *= spline_beyond(side[k].w / f->dx);
                if (near[n].count < MOST_WALLS) near[n].wall[near[n].count++] = side[k];
            }
        }
    }
    for (int n = 0; n < count; n++) {
        real4 place = place_of_level(w, x[n], &near[n]);
        int32_t node = place.w > 0 ? grid_cell(g, real3_of(place)) : which[n];
        real *level = &w->level[which[n]];
        w->body[which[n]] = node < 0 ? -1 : body_near(w, node);
        if (place.w > 0) *level += place.w * (level_at(g, f->surface.level, place) - *level);
    }
}

/* The level in the part k of a node's cell (bit a: above the node along axis a), from the nodes around. */
static inline real part_level(const real *around, int k)
{
    real sum = 0;
    for (int c = 0; c < CUBE_CORNERS; c++) {
        real weight = 1;
        int at = 0;
        for (int a = 0; a < DIM; a++) {
            bool is_off = c >> a & 1;
            weight *= is_off ? (real)0.25 : (real)0.75;
            at = 3 * at + 1 + (is_off ? (k >> a & 1 ? 1 : -1) : 0);
        }
        sum += weight * around[at];
    }
    return sum;
}

/* Finds the levels of the parts of cells. */
static void find_parts(int begin, int end, void *context)
{
    const density_work *w = context;
    for (int node = begin; node < end; node++) {
        int64_t around[AROUND];
        real level[AROUND];
        real *part = w->part + (size_t)node * CUBE_CORNERS;
        bool is_plain = w->body[node] < 0 || w->level[node] <= INNER;
        for (int k = 0; k < CUBE_CORNERS; k++) part[k] = w->body[node] < 0 ? 1 - INNER : INNER;
        if (is_plain) continue;
        nodes_around(&w->f->g, node, around);
        for (int k = 0; k < AROUND; k++) level[k] = around[k] < 0 ? w->level[node] : w->level[around[k]];
        for (int k = 0; k < CUBE_CORNERS; k++) part[k] = part_level(level, k) + w->net;
    }
}

/* What the liquid should fill of a part of a cell, half a cell wide, where its body's surface lies `offset` higher. */
static inline real filled_by(real level, real offset) { return clamped((real)0.5 + 2 * (offset - level), 0, 1); }

/* Sums for each body: cells filled, and how many more a surface higher by a cell fills. */
static void sum_filled(int begin, int end, void *context, double *sums)
{
    const density_work *w = context;
    for (int node = begin; node < end; node++) {
        if (w->body[node] < 0) continue;
        double *own = sums + 2 * w->body[node], whole = (double)w->open[node] / CUBE_CORNERS;
        for (int k = 0; k < CUBE_CORNERS; k++) {
            real part = filled_by(w->part[(size_t)node * CUBE_CORNERS + (size_t)k], (real)w->offset[w->body[node]]);
            own[0] += whole * (double)part;
            if (part > 0 && part < 1) own[1] += 2 * whole;
        }
    }
}

/* Finds how much higher each body's surface must lie so that it holds the volume of its particles. */
static dew_result find_offsets(density_work *w, int nodes)
{
    const fluid *f = w->f;
    const int count = f->surface.bodies.count;
    ARENA_ARRAY(f->g.memory, count, double, volumes);
    ARENA_ARRAY(f->g.memory, (size_t)count * 2, double, sums);
    ARENA_TRY_ZEROED(f->g.memory, count, w->offset);
    liquid_bodies_sum(count, f->a.count, 1, sum_particle_volumes, w->f, volumes);
    for (int round = 0; round < OFFSET_ROUNDS; round++) {
        liquid_bodies_sum(count, nodes, 2, sum_filled, w, sums);
        for (int b = 0; b < count; b++) {
            double missing = volumes[b] / pow(f->p->dx, DIM) - sums[2 * b], area = fmax(sums[2 * b + 1], 1);
            w->offset[b] = fmin(fmax(w->offset[b] + missing / area, -MOST_OFFSET), MOST_OFFSET);
        }
    }
    return DEW_OK;
}

static void find_filled(int begin, int end, void *context)
{
    const density_work *w = context;
    for (int node = begin; node < end; node++)
        for (int k = 0; k < CUBE_CORNERS; k++) {
            real *part = &w->part[(size_t)node * CUBE_CORNERS + (size_t)k];
            *part = w->body[node] < 0 ? 0 : filled_by(*part, (real)w->offset[w->body[node]]);
        }
}

/* What the node should have over a full one: the parts of the cells around by their share of the spline, and what walls
 * leave of it. */
static void find_shares(int begin, int end, void *context)
{
    static const real weight[6] = {(real)(1 / 48.0),  (real)(7 / 48.0), (real)(16 / 48.0),
                                   (real)(16 / 48.0), (real)(7 / 48.0), (real)(1 / 48.0)};
    const density_work *w = context;
    for (int node = begin; node < end; node++) {
        int64_t around[AROUND];
        w->share[node] = 0;
        if (!(w->count[node] > 0)) continue;
        nodes_around(&w->f->g, node, around);
        for (int c = 0; c < AROUND; c++) {
            if (around[c] < 0) continue;
            const real *part = w->part + (size_t)around[c] * CUBE_CORNERS;
            for (int k = 0; k < CUBE_CORNERS; k++) {
                real share = part[k];
                for (int a = DIM - 1, rest = c; a >= 0; a--, rest /= 3) share *= weight[2 * (rest % 3) + (k >> a & 1)];
                w->share[node] += share;
            }
        }
        w->share[node] *= w->beyond[node];
    }
}

real density_excess(const density_work *w, int cube, bool *is_sure)
{
    const fluid *f = w->f;
    int at[DIM];
    real found = 0, share = 0, beyond = 0;
    bool is_inside = true;
    local_of(cube % CELLS, at);
    for (int k = 0; k < CUBE_CORNERS; k++) {
        int64_t node = corner_node(&f->g, cube / CELLS, at, k);
        if (node < 0) return *is_sure = false, 0;
        found += w->count[node] / w->full, share += w->share[node], beyond += w->beyond[node];
        is_inside = is_inside && f->depth[node] >= WELL_INSIDE;
    }
    is_inside = is_inside && share > WITHIN * beyond;
    *is_sure = is_inside;
    real most = is_inside ? share : beyond;
    real excess = (found - most) / real_max(found, most) + f->strain[cube];
    return is_inside ? clamped(excess, -MOST_EXCESS, MOST_EXCESS) : clamped(excess - DOUBT, 0, MOST_EXCESS);
}

dew_result density_find(density_work *w, fluid *f)
{
    arena *memory = f->g.memory;
    const int nodes = f->g.block_count * CELLS;
    *w = (density_work){.f = f, .full = (real)pow(f->p->dx / f->w->spacing, DIM)};
    w->net = (real)net_height(f->w->spacing, f->p->dx);
    ARENA_TRY_ZEROED(memory, nodes, w->count);
    ARENA_TRY(memory, nodes, w->open, w->beyond, w->share, w->level, w->body);
    ARENA_TRY(memory, (size_t)nodes * CUBE_CORNERS, w->part);
    each_home_colour(&f->g, add_counts, w);
    each_block(&f->g, find_open, w);
    parallel_for(nodes, 1024, find_parts, w);
    RESULT_TRY(find_offsets(w, nodes));
    parallel_for(nodes, 2048, find_filled, w);
    parallel_for(nodes, 512, find_shares, w);
    return DEW_OK;
}

void density_keep_pushed(int block, void *context)
{
    const density_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    real count[TILE_ROOM] = {0}, beyond[TILE_ROOM] = {0}, slope[DIM], found, open;
    stencil s;
    tile_each(g, block, count, w->count, stretch_load_real);
    tile_each(g, block, beyond, w->beyond, stretch_load_real);
    for (int i = first_in(g, block); i < first_in(g, block + 1); i++) {
        if (f->a.pushed[i] == 0) continue;
        stencil_of(&s, quad_load(&f->a.x[i]), g->inverse, &g->block[block]);
        gather_scalar(count, &s, &found, slope), gather_scalar(beyond, &s, &open, slope);
        f->a.pushed[i] *= clamped(2 * found / (w->full * real_max(open, LEAST_OPEN)) - 1, 0, 1);
    }
}
