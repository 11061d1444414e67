#include "methods/mpm/any/density_target.h"

#include "methods/mpm/any/density.h"
#include "methods/mpm/any/rest_strain.h"
#include "methods/mpm/any/transfer.h"
#include "methods/mpm/any/walls.h"

/* An excess is believed as far as this. */
#define MOST_EXCESS ((real)0.2)

/* Where all its nodes are so many cells from one with the surface in it a cube is full: one in space, two in the plane
 * (with one a disc of 16 cells swings 0.8 % too fast), by cells of more than two spacings (a ball 3 of them in radius
 * is 3 % too dense with one), and where a node is nearer than AT_WALLS cells to a solid, so that the level is not that
 * of free liquid (level_set.c). Elsewhere it has no more than that, and DOUBT of it for particles that lie unevenly:
 * without that a cap that spreads gains 2 % of energy (trial_rest_60), with it 0.5 %. */
enum { WELL_INSIDE = 1, WELL_INSIDE_ELSE = 2 };
#define COARSE 2.01 /* spacings */
#define AT_WALLS ((real)3)
#define DOUBT ((real)0.1)

/* Walls leave no particle less than that of the nodes around. */
#define LEAST_OPEN ((real)0.1)
static inline real clamped(real a, real low, real high) { return a < low ? low : a < high ? a : high; }

/* --- what there is --- */

static void add_counts(int block, void *context)
{
    const density_work *w = context;
    const grid *g = &w->f->g;
    const real none[DIM] = {0};
    real count[TILE_ROOM] = {0};
    stencil s;
    for (int i = first_in(g, block); i < first_in(g, block + 1); i++) {
        stencil_of(&s, grid_arm(g, &w->f->a.x[i]), g->inverse, &g->first[block]);
        deposit_scalar(count, &s, 1, none);
    }
    tile_each(g, block, count, w->count, stretch_add_real);
}

/* --- what there should be --- */

/* Of a node's spline, what is on the outer side of a plane at a distance s, in cells. */
static inline real spline_beyond(real s)
{
    real away = s < 0 ? -s : s, rest = (real)1.5 - away;
    real in =
        away > (real)0.5 ? (rest > 0 ? rest * rest * rest / 6 : 0) : (real)0.5 - away * ((real)0.75 - away * away / 3);
    return s < 0 ? in : 1 - in;
}

/* Finds what solids leave of the splines of nodes that have particles, and how far these must be from the surface. */
static void find_beyond(int block, void *context)
{
    const density_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    const real reach = (real)1.5 * f->dx, near = AT_WALLS * f->dx;
    const bool is_fine = DIM == 3 && f->p->dx < COARSE * f->w->spacing;
    real4 x[CELLS], seen[CELLS];
    int which[CELLS], count = 0;
    for (int c = 0; c < CELLS; c++) {
        const int node = block * CELLS + c;
        w->beyond[node] = 1, w->well_inside[node] = is_fine ? WELL_INSIDE : WELL_INSIDE_ELSE;
        if (!(w->count[node] > 0)) continue;
        x[count] = real4_of(grid_place(g, node), 0);
        which[count++] = node;
    }
    for (int s = 0; s < solids_count(f->w->solids) && count > 0; s++) {
        solids_distance(f->w->solids, s, (double)near, count, x, seen);
        for (int n = 0; n < count; n++) {
            real4 side[MOST_WALLS];
            if (seen[n].w < near) w->well_inside[which[n]] = WELL_INSIDE_ELSE;
            int faces = seen[n].w < reach ? solid_faces(f->w->solids, s, reach, x[n], side) : 0;
            for (int k = 0; k < faces; k++) w->beyond[which[n]] *= spline_beyond(side[k].w / f->dx);
        }
    }
}

real density_excess(const density_work *w, int cube, bool *is_sure)
{
    const fluid *f = w->f;
    int at[DIM];
    real found = 0, full = 0;
    *is_sure = true;
    local_of(cube % CELLS, at);
    for (int k = 0; k < CUBE_CORNERS; k++) {
        int64_t node = corner_node(&f->g, cube / CELLS, at, k);
        if (node < 0) return *is_sure = false, 0;
        found += w->count[node] / w->full, full += w->beyond[node];
        *is_sure = *is_sure && f->depth[node] >= w->well_inside[node];
    }
    real excess = (found - full) / real_max(found, full) + f->strain[cube] + rest_strain_of_cube(f, cube);
    return *is_sure ? clamped(excess, -MOST_EXCESS, MOST_EXCESS) : clamped(excess - DOUBT, 0, MOST_EXCESS);
}

dew_result density_find(density_work *w, fluid *f)
{
    const int nodes = f->g.block_count * CELLS;
    *w = (density_work){.f = f, .full = (real)pow(f->p->dx / f->w->spacing, DIM)};
    ARENA_TRY_ZEROED(f->g.memory, nodes, w->count);
    ARENA_TRY(f->g.memory, nodes, w->beyond);
    ARENA_TRY(f->g.memory, nodes, w->well_inside);
    each_home_colour(&f->g, add_counts, w);
    each_block(&f->g, find_beyond, w);
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
        stencil_of(&s, grid_arm(g, &f->a.x[i]), g->inverse, &g->first[block]);
        gather_scalar(count, &s, &found, slope), gather_scalar(beyond, &s, &open, slope);
        f->a.pushed[i] *= clamped(2 * found / (w->full * real_max(open, LEAST_OPEN)) - 1, 0, 1);
    }
}
