#include "methods/mpm/any/passes.h"

#include "methods/mpm/any/points.h"
#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/transfer.h"

/* --- the mean strain of cubes --- */

void add_strains(int block, void *context)
{
    const fluid *f = context;
    const grid *g = &f->g;
    const real *strain = f->a.strain;
    real sum[TILE] = {0}, count[TILE] = {0};
    batch q;
    for (int i = first_in(g, block);
         batch_take(&q, g, f->a.x, f->points.kind, IS_SOLID, 0, &i, first_in(g, block + 1));) {
        batch_cubes(&q, g->inverse, &g->first[block]);
        for (int l = 0; l < q.count; l++) sum[q.cube[l]] += strain[q.which[l]], count[q.cube[l]] += 1;
    }
    tile_cubes(g, block, sum, f->strain, stretch_add_real);
    tile_cubes(g, block, count, f->in_cube, stretch_add_real);
}

void find_means(int begin, int end, void *context)
{
    fluid *f = context;
    for (int k = begin; k < end; k++) f->strain[k] = f->in_cube[k] > 0 ? f->strain[k] / f->in_cube[k] : 0;
}

/* --- to the grid --- */

/* Brings those particles of a block that go straight to the grid to the nodes of its tile. */
static void particles_to_tile(const fluid *whole, int block, real4 *tile)
{
    const fluid local = *whole, *f = &local; /* for registers: nothing else can point at it */
    const grid *g = &f->g;
    const uint8_t *kind = f->points.kind;
    const vrow kick = row_repeat(quad_load(&f->kick));
    real strains[TILE];
    real4 stress[BATCH][4];
    batch q;
    patch at;
    tile_cubes(g, block, strains, f->strain, stretch_load_real);
    patch_load(&at, tile, 0);
    for (int i = first_in(g, block); batch_take(&q, g, f->a.x, kind, 0, 0, &i, first_in(g, block + 1));) {
        batch_cubes(&q, g->inverse, &g->first[block]);
        batch_weigh(&q, g->inverse, &g->first[block], f->dx);
        for (int l = 0; l < q.count; l++) {
            int k = q.which[l];
            if (!(kind[k] & IS_SOLID)) f->a.strain[k] = strains[q.cube[l]];
            if (is_straight(kind[k])) row_store(stress[l], own_stress(f, k, f->a.strain[k]));
        }
        for (int l = 0; l < q.count; l++) {
            int k = q.which[l];
            vrow b[DIM], s[DIM], momentum = row_add(row_repeat(quad_load(&f->a.v[k])), kick);
            if (!is_straight(kind[k])) continue;
            for (int a = 0; a < DIM; a++)
                b[a] = row_repeat(quad_load(&f->a.affine[a][k])), s[a] = row_repeat(quad_load(&stress[l][a]));
            if (f->a.material) {
                real mass = mass_of(f, k);
                momentum = row_scale(mass, momentum);
                for (int a = 0; a < DIM; a++) b[a] = row_scale(mass, b[a]);
            }
            deposit(&at, tile, &q, l, f->dx, momentum, b, s);
        }
    }
    patch_store(&at, tile);
}

void particles_to_grid(int block, void *context)
{
    const fluid *f = context;
    const grid *g = &f->g;
    const points *p = &f->points;
    bool has_particles = block < g->home_count, are_points = has_points(p, block);
    if (!has_particles && !are_points) return;
    real4 tile[TILE_ROOM];
    tile_clear(tile);
    if (has_particles) particles_to_tile(f, block, tile);
    if (are_points) points_to_tile(g, p, block, tile);
    tile_add(g, block, tile, f->node);
}

/* Moves the particles of particles_to_tile by the nodes' velocities; false where one has strayed. */
static bool particles_from_tile(const fluid *whole, int block, const real4 *tile)
{
    const fluid local = *whole, *f = &local;
    const grid *g = &f->g;
    const uint8_t *kind = f->points.kind;
    const vquad one = {1, 1, 1, 0};
    const vrow xyz = row_repeat(one);
    const real unit = 4 * g->inverse;
    vquad low = quad_set(INFINITY), high = -low;
    real4 slope[BATCH][4];
    batch q;
    patch at;
    gathered got;
    patch_load(&at, tile, 0);
    for (int i = first_in(g, block); batch_take(&q, g, f->a.x, kind, ~IS_SOLID, 0, &i, first_in(g, block + 1));) {
        batch_weigh(&q, g->inverse, &g->first[block], unit);
        for (int l = 0; l < q.count; l++) {
            int k = q.which[l];
            gather(&at, tile, &q, l, unit, &got);
            got.b = row_times(xyz, got.b);
            row_store(slope[l], got.g);
            move_place(f, k, gathered_v(&got), got.b);
            low = quad_min(low, quad_load(&f->a.x[k])), high = quad_max(high, quad_load(&f->a.x[k]));
        }
        for (int l = 0; l < q.count; l++) stretch_particle(f, q.which[l], slope[l]);
    }
    if (!(low[0] <= high[0])) return true;
    return is_served(f, block, low) && is_served(f, block, high);
}

void particles_from_grid(int block, void *context)
{
    const fluid *f = context;
    const grid *g = &f->g;
    const points *p = &f->points;
    bool has_particles = block < g->home_count, are_points = has_points(p, block);
    f->has_strayed[block] = 0;
    if (!has_particles && !are_points) return;
    real4 tile[TILE_ROOM];
    tile_clear(tile);
    tile_load(g, block, tile, f->node);
    if (has_particles) f->has_strayed[block] = !particles_from_tile(f, block, tile);
    if (are_points) points_from_tile(g, p, block, tile);
}

void clear_nodes(int begin, int end, void *context)
{
    fluid *f = context;
    memset(f->node + begin, 0, (size_t)(end - begin) * sizeof *f->node);
    memset(f->in_cube + begin, 0, (size_t)(end - begin) * sizeof *f->in_cube);
    memset(f->strain + begin, 0, (size_t)(end - begin) * sizeof *f->strain);
}
