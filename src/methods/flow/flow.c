/* What a step begins with: lists, arrays, the surface, forces. */
#include "methods/flow/flow.h"
#include "particles/ghosts.h"
#include "particles/trim.h"

/* Where viscosity rules, forces move liquid by gamma/mu: shifts take this part of the time in which that is a spacing,
 * or they would counter the flow. */
#define CREEPING 0.3

/* Lists that hold through the step, for every pair from both sides. The skin takes the step's motion and no more: where
 * liquid is fast they are built in each step, which costs less than lists that last. It depends on nothing that a
 * resumed run would not know. */
dew_result flow_update_lists(world *w, real h, double dt)
{
    double g = vec3_length(w->gravity), s = w->spacing, skin = 0.15 * s;
    double motion = (1.2 * world_largest_speed(w) + g * dt) * dt + 0.03 * s;
    while (skin < 2.1 * motion && skin < 2 * s) skin *= 1.2;
    if (skin != neighbours_skin(w->neighbours)) neighbours_set_reach(w->neighbours, (double)h, skin);
    neighbours_expect(w->neighbours, motion);
    return world_update_neighbours(w, false);
}

/* What the last step told of the pressure is the mean of a particle's own and of those around (projection.c). */
static void find_around(int begin, int end, void *context)
{
    flow_step *k = context;
    const real *told = particles_field(k->all, k->p->pressure);
    for (int i = begin; i < end; i++) k->around[i] = 2 * told[i] - k->pressure[i];
}

dew_result flow_open(flow_state *p, world *w, double dt, flow_step *k)
{
    particles *all = w->particles;
    int count = all->count;
    *k = (flow_step){.p = p, .w = w, .all = all, .lists = neighbours_lists(w->neighbours), .count = count};
    k->blocks = PAIR_BLOCKS(count), k->dt = (real)dt, k->h = p->h, k->inv_h = 1 / p->h;
    particles_update_ghosts(all, FIELD_POSITION_INDEX);
    RESULT_TRY(pairs_trim(&k->lists, all, k->h, w->scratch));
    k->x = all->position, k->v = all->velocity, k->change = particles_field(all, p->change);
    k->lean = particles_field(all, p->lean);
    k->normal = particles_field(all, p->normal), k->unrest = particles_field(all, p->unrest);
    k->wall_time = particles_field(all, p->wall_time);
    k->went = particles_field(all, p->went);
    k->pressure = particles_field(all, p->solver_pressure), k->is_surface = particles_field(all, p->is_surface);
    ARENA_TRY(w->scratch, all->end + 4, k->facing);
    ARENA_TRY(w->scratch, count, k->force, k->target, k->air, k->wall, k->beyond, k->grow);
    if (p->is_area) {
        ARENA_TRY_ZEROED(w->scratch, count, k->moment);
        ARENA_TRY(w->scratch, count, k->own, k->swirl, k->arm, k->around);
        parallel_for(count, 4096, find_around, k);
    }
    double g = vec3_length(w->gravity);
    double falling = g > 0 ? sqrt(2 * p->cfl * w->spacing / g) : INFINITY;
    k->calm_dt = (real)fmin(fmin(flow_capillary_time(w), falling), 1e30);
    const dew_material_def *m = &w->materials[flow_thinnest(w)];
    double creeping = m->surface_tension > 0 ? CREEPING * m->viscosity * w->spacing / m->surface_tension : 0;
    double forces = fmin(flow_capillary_time(w) / 2, flow_pressing_step(p, w));
    k->pace = (real)fmin(dt / (forces + creeping), 1);
    k->creeping = (real)(creeping / (forces + creeping));
    for (int n = 0; n < solids_count(w->solids) && !k->pressed; n++)
        if (solids_info(w->solids, n, 0).friction > 0) ARENA_TRY_ZEROED(w->scratch, count, k->pressed);
    RESULT_TRY(near_walls_find(&k->near, w->solids, w->scratch, p->h, (double)p->sight, count, k->x));
    return near_walls_take_back(&k->near, w->solids, w->scratch, k->dt, count, k->x);
}

static void mark_held(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        k->is_held[i] = world_held(k->w, i) != NULL, k->piston[i] = k->is_held[i];
        if (k->is_held[i]) k->wall[i] = (real4){0, 0, 0, 0};
    }
}

/* What an emitter holds is a piston, which no solid mirrors. */
static dew_result find_held(flow_step *k)
{
    if (k->w->held_count == 0) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->is_held, k->borne);
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, k->piston);
    parallel_for(k->count, 4096, mark_held, k);
    ghosts_copy(k->all, FIELD_REAL, k->piston);
    return DEW_OK;
}

dew_result flow_begin(flow_step *k)
{
    RESULT_TRY(flow_find_touch(k));
    RESULT_TRY(flow_find_density(k));
    RESULT_TRY(find_held(k));
    return flow_find_surface(k);
}

/* What is held goes its way: viscosity does not see what forces give it, or a piston that a pressure only seems to move
 * would draw the liquid next to it along, against what that pressure is for. */
static void bear(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        k->borne[i] = (real4){0, 0, 0, 0};
        if (!k->is_held[i]) continue;
        real3 way = world_held(k->w, i)->velocity;
        k->borne[i] = real4_of(real3_sub(real3_of(k->v[i]), way), 0);
        k->v[i] = real4_of(way, k->v[i].w);
    }
}

dew_result flow_force(flow_step *k)
{
    world_fall(k->w, (double)k->dt);
    RESULT_TRY(flow_push_as_before(k));
    RESULT_TRY(flow_tension(k));
    RESULT_TRY(flow_interfaces(k));
    real resisted = flow_viscous_part(k);
    if (k->moment && resisted > 0) RESULT_TRY(flow_turn_back(k, resisted));
    if (k->is_held) parallel_for(k->count, 4096, bear, k);
    return DEW_OK;
}
