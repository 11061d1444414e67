/* A step: sort, contour, samples; then substeps, each of them
 *
 *   1. mean strain of each cube of nodes (F-bar: one pressure a cube, so that no particle's strain strays from its
 * neighbours')
 *   2. points: mass and momentum split (points.h)
 *   3. particles and points to the grid, with the momentum that their stress gives: -dt V sigma grad N (eq. 16)
 *   4. velocities of the nodes
 *   5. grid to particles and points; merge; x, J, and the samples move
 *
 * Surface energy k |a|: a sample's stress is k |a| (I - n n^T), the first variation of k |cof(F) a| at F = I. */
#ifndef METHODS_MPM_ANY_STEP_H
#define METHODS_MPM_ANY_STEP_H

#include "methods/mpm/any/density.h"
#include "methods/mpm/any/friction.h"
#include "methods/mpm/any/heat.h"
#include "methods/mpm/any/properties.h"
#include "methods/mpm/any/shift.h"
#include "methods/mpm/any/solute.h"
#include "methods/mpm/any/velocities.h"

/* --- the mean strain of cubes --- */

static void add_strains(int block, void *context)
{
    const fluid *f = context;
    const grid *g = &f->g;
    const real *strain = f->a.strain;
    real sum[TILE] = {0}, count[TILE] = {0};
    batch q;
    for (int i = first_in(g, block); batch_take(&q, f->a.x, f->points.kind, IS_SOLID, 0, &i, first_in(g, block + 1));) {
        batch_cubes(&q, g->inverse, &g->block[block]);
        for (int l = 0; l < q.count; l++) sum[q.cube[l]] += strain[q.which[l]], count[q.cube[l]] += 1;
    }
    tile_each(g, block, sum, f->strain, stretch_add_real);
    tile_each(g, block, count, f->in_cube, stretch_add_real);
}

static void find_means(int begin, int end, void *context)
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
    tile_each(g, block, strains, f->strain, stretch_load_real);
    patch_load(&at, tile, 0);
    for (int i = first_in(g, block); batch_take(&q, f->a.x, kind, 0, 0, &i, first_in(g, block + 1));) {
        batch_cubes(&q, g->inverse, &g->block[block]);
        batch_weigh(&q, g->inverse, &g->block[block], f->dx);
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

static void to_grid(int block, void *context)
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
    tile_each(g, block, tile, f->node, stretch_add);
}

/* --- from the grid --- */

/* Whether a particle is still where the tile of its block serves it. */
static inline bool is_served(const fluid *f, int block, vquad x)
{
    bool is_inside = true;
    for (int a = 0; a < DIM; a++) {
        int k = cell_of(x[a], f->g.inverse) - SIDE * f->g.block[block].at[a];
        is_inside = is_inside && k >= 1 - HALO && k <= SIDE - 2 + HALO;
    }
    return is_inside;
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
    for (int i = first_in(g, block); batch_take(&q, f->a.x, kind, ~IS_SOLID, 0, &i, first_in(g, block + 1));) {
        batch_weigh(&q, g->inverse, &g->block[block], unit);
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

static void from_grid(int block, void *context)
{
    const fluid *f = context;
    const grid *g = &f->g;
    const points *p = &f->points;
    bool has_particles = block < g->home_count, are_points = has_points(p, block);
    f->has_strayed[block] = 0;
    if (!has_particles && !are_points) return;
    real4 tile[TILE_ROOM];
    tile_clear(tile);
    tile_each(g, block, tile, f->node, stretch_load);
    if (has_particles) f->has_strayed[block] = !particles_from_tile(f, block, tile);
    if (are_points) points_from_tile(g, p, block, tile);
}

/* --- the step --- */

static dew_result make_room(fluid *f)
{
    size_t nodes = (size_t)f->g.block_count * CELLS;
    arena *memory = f->g.memory;
    ARENA_TRY(memory, nodes, f->node, f->in_cube, f->strain);
    ARENA_TRY(memory, f->g.block_count, f->has_strayed);
    return DEW_OK;
}

/* Makes the grid, with the particles sorted into it, in *order. Images in walls lie farther out than samples. */
static dew_result fluid_sort(fluid *f, int32_t **order)
{
    const int around = solids_count(f->w->solids) > 0 ? 2 : 1;
    RESULT_TRY(grid_make(&f->g, f->w->particles, f->p->dx, around, f->w->scratch, order));
    f->a = mpm_arrays_of(f->p, f->w);
    return DEW_OK;
}

static void find_strayed(int block, void *context)
{
    const fluid *f = context;
    for (int i = first_in(&f->g, block); i < first_in(&f->g, block + 1) && !f->has_strayed[block]; i++)
        f->has_strayed[block] = !is_served(f, block, quad_load(&f->a.x[i]));
}

/* Whether a particle has left the reach of its block's tile; particles that own samples may stray too. */
static bool has_strayed(fluid *f, bool is_displaced)
{
    if (is_displaced) each_home(&f->g, find_strayed, f);
    for (int b = 0; b < f->g.block_count; b++)
        if (f->has_strayed[b]) return true;
    for (int b = 0, k = 0; b < f->g.home_count; b++) {
        int end = f->g.particle_begin[(b + 1) * CELLS];
        for (; k < f->points.owner_count && f->points.owners[k].slot < end; k++)
            if (!is_served(f, b, quad_load(&f->a.x[f->points.owners[k].slot]))) return true;
    }
    return false;
}

static void mark_solids(int begin, int end, void *context)
{
    fluid *f = context;
    for (int i = begin; i < end; i++)
        if (is_solid(&f->a, i)) f->points.kind[i] |= IS_SOLID;
}

/* Sorts the particles anew, and the owners of samples with them. The grid of before goes, what the surface needs stays.
 */
static dew_result sort_again(fluid *f)
{
    points *p = &f->points;
    int32_t *order;
    arena_release(f->w->scratch, f->mark);
    RESULT_TRY(fluid_sort(f, &order));
    ARENA_ARRAY(f->g.memory, f->a.count, int32_t, now);
    for (int k = 0; k < f->a.count; k++) now[order[k]] = k;
    memset(p->kind, 0, (size_t)f->a.count);
    for (int k = 0; k < p->owner_count; k++) {
        p->owners[k].slot = now[p->owners[k].slot];
        p->kind[p->owners[k].slot] = p->owners[k].wall_count ? IS_NEAR_WALL : IS_OWNER;
    }
    if (f->has_solids) parallel_for(f->a.count, 4096, mark_solids, f);
    /* Owners stand in the order of slots again: an insertion sort, since few are out of it. */
    for (int k = 1; k < p->owner_count; k++) {
        owner moved = p->owners[k];
        int j = k;
        for (; j > 0 && p->owners[j - 1].slot > moved.slot; j--) p->owners[j] = p->owners[j - 1];
        p->owners[j] = moved;
    }
    return make_room(f);
}

static void clear_nodes(int begin, int end, void *context)
{
    fluid *f = context;
    memset(f->node + begin, 0, (size_t)(end - begin) * sizeof *f->node);
    memset(f->in_cube + begin, 0, (size_t)(end - begin) * sizeof *f->in_cube);
    memset(f->strain + begin, 0, (size_t)(end - begin) * sizeof *f->strain);
}

/* Brings particles and points to the grid: nodes get their velocities after a substep of all forces but those that are
 * implicit. */
static dew_result find_nodes(fluid *f)
{
    const grid *g = &f->g;
    size_t nodes = (size_t)g->block_count * CELLS;
    parallel_for((int)nodes, 2048, clear_nodes, f);
    each_home_colour(g, add_strains, f);
    parallel_for((int)nodes, 2048, find_means, f);
    parallel_for(f->points.owner_count, 32, split, f);
    RESULT_TRY(points_sort(f));
    each_colour(g, to_grid, f);
    parallel_for((int)nodes, 2048, nodes_divide, f->node);
    return DEW_OK;
}

static dew_result substep(fluid *f, bool is_first)
{
    const grid *g = &f->g;
    size_t mark = arena_mark(g->memory);
    RESULT_TRY(find_nodes(f));
    RESULT_TRY(find_implicit(f));
    if (is_first && f->bulk > 0) RESULT_TRY(find_displacements(f));
    if (f->implicit.pressure || is_first) each_home(g, take_strains, f);
    each_block(g, from_grid, f);
    parallel_for(f->points.owner_count, 32, merge, f);
    if (mpm_has_friction(f->w)) parallel_for(f->points.owner_count, 32, rub, f);
    if (is_first && f->bulk > 0) RESULT_TRY(displace(f));
    arena_release(g->memory, mark);
    return DEW_OK;
}

static void write_pressures(int begin, int end, void *context)
{
    fluid *f = context;
    for (int i = begin; i < end; i++) f->a.pressure[i] = -f->bulk * f->a.strain[i];
    for (int i = begin; i < end && f->has_solids; i++) {
        matrix tau;
        double trace = 0;
        if (!is_solid(&f->a, i)) continue;
        solid_stress(&f->elastic[material_of(&f->a, i)], &f->a, i, tau);
        for (int a = 0; a < DIM; a++) trace += tau[a][a];
        f->a.pressure[i] = (real)(-trace / (DIM * (1 + (double)f->a.strain[i])));
    }
}

/* Lets nothing stay inside a solid. */
static void leave_walls(int begin, int end, void *context)
{
    fluid *f = context;
    for (int k = begin; k < end; k++) {
        const owner *o = &f->points.owners[k];
        for (int j = 0; j < o->wall_count && o->wall[j].seen.w < INFINITY; j++) {
            real4 *x = &f->a.x[o->slot], n;
            solids_distance(f->w->solids, o->wall[j].solid, (double)f->dx, 1, x, &n);
            real out = (real)1e-3 * f->dx - n.w;
            if (out > 0) x->x += out * n.x, x->y += out * n.y, x->z += out * n.z;
        }
    }
}

/* Surface particles: owners of samples of the free surface that lie within a spacing of it, so that they lie half a
 * spacing deep in the mean. */
static void mark_surface(fluid *f)
{
    const points *p = &f->points;
    memset(f->a.is_surface, 0, (size_t)f->a.count);
    for (int k = 0; k < p->owner_count; k++) {
        const owner *o = &p->owners[k];
        real depth = 0, area = 0;
        for (int q = o->first_sample; q < o->first_sample + o->sample_count; q++) {
            if (p->area[q].w != 0) continue;
            depth += real3_dot(real3_of(p->area[q]), real3_sub(real3_of(p->sample[q]), real3_of(f->a.x[o->slot])));
            area += real3_length(real3_of(p->area[q]));
        }
        f->a.is_surface[o->slot] = area > 0 && depth < (real)f->w->spacing * area;
    }
}

static dew_result find_elasticities(fluid *f)
{
    const world *w = f->w;
    f->has_solids = f->a.deformation[0] != NULL;
    if (!f->has_solids) return DEW_OK;
    ARENA_TRY(w->scratch, w->material_count, f->elastic);
    for (int k = 0; k < w->material_count; k++) f->elastic[k] = mpm_elastic_of(&w->materials[k]);
    parallel_for(f->a.count, 1024, change_phases, f);
    return DEW_OK;
}

static void set_numbers(fluid *f, double dt)
{
    const world *w = f->w;
    const dew_material_def *m = &w->materials[0];
    f->dt = (real)dt, f->dx = (real)f->p->dx, f->viscosity = (real)m->viscosity;
    f->bulk = (real)(f->p->density * f->p->saved_sound * f->p->saved_sound);
    f->implicit = mpm_scheme_of(f->p, f->w), f->modulus = f->implicit.pressure ? 0 : f->bulk;
    f->volume = (real)pow(w->spacing, DIM), f->mass = (real)(f->p->density * pow(w->spacing, DIM));
    f->kick = (real4){(real)(dt * w->gravity.x), (real)(dt * w->gravity.y), (real)(dt * w->gravity.z), 1};
}

/* Finds the contour of now, in which the particles of each body have their volume. */
static dew_result find_contour(fluid *f, contour *c)
{
    const grid *g = &f->g;
    const world *w = f->w;
    real *level = NULL;
    liquid_bodies b;
    RESULT_TRY(find_levels(g, f->a.x, f->at_wall, w->spacing, &level));
    RESULT_TRY(bodies_find(g, level, f->a.count, &b));
    ARENA_ARRAY(g->memory, b.count, double, volumes);
    f->body = b.of_particle;
    sum_bodies(b.count, f->a.count, 1, sum_volumes, f, volumes);
    RESULT_TRY(contour_make(g, level, net_height(w->spacing, g->dx), &b, volumes, w->solids,
                            w->materials[0].surface_tension, c));
    RESULT_TRY(contour_measure(c));
    f->p->volume = 0;
    for (int k = 0; k < b.count; k++) f->p->volume += c->sums[k * BODY_SUMS + BODY_VOLUME];
    return DEW_OK;
}

/* Finds the surface of now, its samples and who owns them; shifts the particles. `time`: of the step, s. */
static dew_result find_surface(fluid *f, double time)
{
    contour *c = &f->surface;
    samples s;
    RESULT_TRY(walls_find(f));
    RESULT_TRY(find_contour(f, c));
    RESULT_TRY(depths_find(c));
    f->depth = c->depth_of;
    /* Where the speed of sound is 0 nothing moves: there is no order to lose, and no pressure would follow a strain. */
    if (f->p->parameter[MPM_SHIFT] > 0 && f->bulk > 0) RESULT_TRY(shift_particles(f, c));
    RESULT_TRY(samples_make(c, f->a.x, f->w, &s));
    if (f->w->heat) RESULT_TRY(conduct(f, &s, time));
    if (f->w->solute) RESULT_TRY(dissolve(f, &s, time));
    RESULT_TRY(find_properties(f, &s));
    if (f->has_solids) parallel_for(f->a.count, 1024, change_phases, f);
    /* The surface of a solid has no tension: what it would do to one is hardly to be seen, and the samples of a liquid
     * that end on a solid's particles would draw them out. */
    for (int k = 0; k < s.count && f->has_solids; k++)
        if (s.owner[k] >= 0 && is_solid(&f->a, s.owner[k])) s.solid[k] = OWN_SOLID;
    samples_end(f->w, &s);
    RESULT_TRY(points_make(f, &s));
    if (f->has_solids) parallel_for(f->a.count, 4096, mark_solids, f);
    parallel_for(f->points.owner_count, 64, see_walls, f);
    f->p->area = s.free_area, f->p->energy = s.energy;
    mark_surface(f);
    return DEW_OK;
}

/* Momentum over f->mass; then the sum of its components' sizes; mass. */
enum { MOMENTUM_SIZE = 3, MOMENTUM_MASS, MOMENTUM_SUMS };

static void sum_momentum(int begin, int end, void *context, double *sums)
{
    const fluid *f = context;
    for (int i = begin; i < end; i++) {
        double mass = (double)mass_of(f, i);
        sums[MOMENTUM_MASS] += mass;
        for (int a = 0; a < 3; a++) {
            double part = mass * (double)(&f->a.v[i].x)[a];
            sums[a] += part, sums[MOMENTUM_SIZE] += fabs(part);
        }
    }
}

static void add_velocity(int begin, int end, void *context)
{
    const fluid *f = context;
    vquad change = quad_load(&f->owed);
    for (int i = begin; i < end; i++) quad_store(&f->a.v[i], quad_load(&f->a.v[i]) + change);
}

/* Liquid that nothing but gravity acts on keeps its momentum to rounding; sums over a node's particles, in float, lose
 * a part in 1e8 a substep, always the same way while the particles hardly move. That is given back, and no more than
 * rounding can be: what a fault loses stays lost, and the laws see it. */
static void give_back_rounding(fluid *f, const double before[MOMENTUM_SUMS], double dt)
{
    const double epsilon = sizeof(real) == 8 ? 2.2e-16 : 1.2e-7;
    double after[MOMENTUM_SUMS], g[3] = {f->w->gravity.x, f->w->gravity.y, f->w->gravity.z}, owed[3];
    parallel_sum(f->a.count, MOMENTUM_SUMS, sum_momentum, f, after);
    double mass = after[MOMENTUM_MASS], most = 100 * epsilon * (after[MOMENTUM_SIZE] / mass + f->p->least_speed);
    for (int k = 0; k < 3; k++) owed[k] = fmax(-most, fmin((before[k] - after[k]) / mass + g[k] * dt, most));
    f->owed = (real4){(real)owed[0], (real)owed[1], (real)owed[2], 0};
    parallel_for(f->a.count, 4096, add_velocity, f);
}

/* Sorts the particles and finds the surface: all is ready for substeps of dt. time: of the whole step, s. */
static dew_result fluid_begin(fluid *f, mpm_state *p, world *w, double dt, double time)
{
    *f = (fluid){.p = p, .w = w};
    int32_t *order;
    RESULT_TRY(fluid_sort(f, &order));
    set_numbers(f, dt);
    RESULT_TRY(find_elasticities(f));
    RESULT_TRY(find_surface(f, time));
    f->mark = arena_mark(w->scratch);
    return make_room(f);
}

/* The volume of what emitters have pushed into liquid is taken off its strain a part each substep: all at once it would
 * be a blow, and leave a void. */
static void take_pushed(int begin, int end, void *context)
{
    const fluid *f = context;
    for (int i = begin; i < end; i++) f->a.strain[i] -= f->share * f->a.pushed[i];
}

dew_result MPM_STEP_HERE(mpm_state *p, world *w, double dt, int substeps)
{
    double momentum[MOMENTUM_SUMS];
    bool is_free = solids_count(w->solids) == 0;
    fluid f = {.p = p, .w = w, .a = mpm_arrays_of(p, w)};
    if (is_free) parallel_sum(f.a.count, MOMENTUM_SUMS, sum_momentum, &f, momentum);
    RESULT_TRY(fluid_begin(&f, p, w, dt / substeps, dt));
    f.share = (real)1 / (real)substeps;
    for (int k = 0; k < substeps; k++) {
        RESULT_TRY(substep(&f, k == 0));
        if (f.a.pushed) parallel_for(f.a.count, 4096, take_pushed, &f);
        if (k + 1 < substeps && has_strayed(&f, k == 0)) RESULT_TRY(sort_again(&f));
    }
    if (!is_free) solids_each(w->solids, f.points.owner_count, push_walls, &f);
    parallel_for(f.points.owner_count, 64, leave_walls, &f);
    if (is_free) give_back_rounding(&f, momentum, dt);
    parallel_for(f.a.count, 4096, write_pressures, &f);
    if (f.a.pushed) memset(f.a.pushed, 0, (size_t)f.a.count * sizeof *f.a.pushed);
    return DEW_OK;
}

#endif
