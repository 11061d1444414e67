/* The physical mode: surface tension in N/m.
 *
 * A linear energy saturates a capped position-based multiplier at once, so tension is plainly the force -gamma grad(sum
 * A/3) of the local mesh, and the time step obeys the capillary limit. All of a step is measured at the places where it
 * starts, and makes two displacements: one is velocity, by forces, viscosity and the pressure that keeps the density
 * (pressure.c); the other mends what is left of density errors and uneven skins without velocity (mending.c):
 * corrections that make velocity heat the drop. What a full density is knows the free surface (rest_density.c): without
 * it the skin packs twice as dense. */
#include "methods/pbf/physical.h"

#include "methods/flow/flow.h"

/* The largest multiplier, p dt^2/(rho h^2), that frozen gradients bear over a whole region: at 0.006 a pool stands less
 * than 1 % too low, at 0.02 it falls in on itself, however many iterations the solver takes. */
#define LARGEST_MULTIPLIER 0.006

static double capillary_step(const pbf_state *p, const dew_material_def *m)
{
    double s = (double)p->s;
    return m->surface_tension > 0 ? sqrt(m->density * s * s * s / (8 * m->surface_tension)) : INFINITY;
}

static double pressing_step(const pbf_state *p, const world *w)
{
    double pressure = world_typical_pressure(w, pbf_arrays_of(p, w).pressure), h = (double)p->h;
    return pressure > 0 ? sqrt(LARGEST_MULTIPLIER * w->materials[0].density * h * h / pressure) : INFINITY;
}

/* Where viscosity rules forces move liquid by gamma/mu: mending in this part of the time in which that is a spacing.
 * With none of it honey relaxes a fifth too slowly (mending counters the flow); with 1 drops keep the unevenness they
 * began with. */
#define CREEPING 0.3

double pbf_pace_of(const pbf_state *p, const world *w, double dt)
{
    const dew_material_def *m = &w->materials[0];
    double viscous = m->surface_tension > 0 ? m->viscosity * (double)p->s / m->surface_tension : 0;
    double time = fmin(0.5 * capillary_step(p, m), pressing_step(p, w)) + CREEPING * viscous;
    return fmin(dt / time, 1);
}

double pbf_physical_time_step(pbf_state *p, world *w)
{
    const dew_material_def *m = &w->materials[0];
    double s = (double)p->s, capillary = p->parameter[PBF_CFL] * capillary_step(p, m);
    double speed = world_largest_speed(w), solid = solids_max_speed(w->solids, w->time, w->frame_interval);
    double g = sqrt(vec3_dot(w->gravity, w->gravity));
    /* No particle may cross 0.4 s: speed dt + g dt^2 / 2 = 0.4 s. */
    double fastest = fmax(speed, solid), reach = 0.4 * s;
    double moving = fastest > 0 || g > 0 ? 2 * reach / (fastest + sqrt(fastest * fastest + 2 * g * reach)) : INFINITY;
    /* Waves of speed sqrt(p/rho), gravity waves of a pool among them, may cross a quarter of s. */
    double pressing = pressing_step(p, w);
    double limit = fmin(capillary, fmin(moving, pressing));
    w->limit = limit == capillary ? "capillary" : limit == moving ? "speed" : "pressure";
    return limit;
}

static void accelerate(int begin, int end, void *context, solid_pushes *to)
{
    physical *k = context;
    const world *w = k->w;
    real dt = k->dt, inv_mass = (real)(1 / w->particle_mass[0]);
    real3 g = {(real)w->gravity.x, (real)w->gravity.y, (real)w->gravity.z};
    for (int i = begin; i < end; i++) {
        real4 *v = &k->a.v[i], f = k->force[i];
        v->x += dt * (g.x + f.x * inv_mass), v->y += dt * (g.y + f.y * inv_mass), v->z += dt * (g.z + f.z * inv_mass);
    }
    for (int i = begin; i < end && k->of_wall; i++)
        if (k->p->wall_solid[i] >= 0)
            solids_push(to, PUSH_LINE, k->p->wall_solid[i], real3_of(k->a.x[i]),
                        real3_scale(-dt, real3_of(k->of_wall[i])));
}

static void begin_way(int begin, int end, void *context)
{
    const physical *k = context;
    for (int i = begin; i < end; i++) k->a.move[i] = real4_of(real3_scale(k->dt, real3_of(k->a.v[i])), 0);
}

static void go(int begin, int end, void *context)
{
    const physical *k = context;
    for (int i = begin; i < end; i++) real4_add(&k->a.x[i], real3_of(k->a.move[i]));
}

/* XSPH, and what viscosity takes out of the shortest waves: its sums over pairs, a kernel wide, hardly see them, though
 * they should be the first to go. Linear flow is untouched, so it vanishes with the spacing. */
static real smoothing_of(const pbf_state *p, const world *w, double dt)
{
    const dew_material_def *m = &w->materials[0];
    double s = (double)p->s, viscous = 4 * m->viscosity / m->density * dt / (s * s);
    return (real)(pbf_pace_of(p, w, dt) * p->parameter[PBF_XSPH] + fmin(viscous, 0.3));
}

physical pbf_physical_of(pbf_state *p, world *w, double dt)
{
    int count = w->particles->count;
    return (physical){.p = p,
                      .w = w,
                      .a = pbf_arrays_of(p, w),
                      .lists = neighbours_lists(w->neighbours),
                      .count = count,
                      .blocks = PAIR_BLOCKS(count),
                      .dt = (real)dt,
                      .pace = (real)pbf_pace_of(p, w, dt),
                      .shift = particles_field(w->particles, p->shift)};
}

static void mark_held(int begin, int end, void *context)
{
    const physical *k = context;
    for (int i = begin; i < end; i++) k->is_held[i] = world_held(k->w, i) != NULL;
}

static dew_result find_held(physical *k)
{
    if (k->w->held_count == 0) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->is_held);
    parallel_for(k->count, 4096, mark_held, k);
    return DEW_OK;
}

dew_result pbf_physical_step(pbf_state *p, world *w, double dt)
{
    const dew_material_def *m = &w->materials[0];
    RESULT_TRY(flow_update_lists(w, p->h, dt));
    physical k = pbf_physical_of(p, w, dt);
    int count = k.count;
    ARENA_TRY(w->scratch, count, k.fullness, k.inv_norm, k.own, k.ways, k.order);
    if (p->wall || solids_count(w->solids) > 0) ARENA_TRY(w->scratch, count, k.wet);
    RESULT_TRY(find_held(&k));
    RESULT_TRY(pbf_find_walls(p, w));
    pbf_leave_solids(&k);
    RESULT_TRY(pbf_find_surface(p, w, true));
    pbf_find_fullness(p, w, k.inv_norm, k.shift, k.ways, k.fullness, k.wet);
    pbf_sum_constraint(p, w, k.own, k.inv_norm);
    RESULT_TRY(pbf_find_solids(&k));
    RESULT_TRY(pbf_tension_force(&k, (real)m->surface_tension));
    solids_each(w->solids, count, accelerate, &k);
    RESULT_TRY(pbf_push_as_before(&k));
    size_t mark = arena_mark(w->scratch);
    RESULT_TRY(pbf_viscosity(&k));
    arena_release(w->scratch, mark);
    parallel_for(count, 4096, begin_way, &k);
    RESULT_TRY(pbf_solve_pressure(&k));
    p->virial = k.virial;
    pbf_mend(&k);
    parallel_for(count, 4096, go, &k);
    pbf_push_out(&k);
    pbf_end_moves(p, w, k.dt);
    pbf_apply_mending(&k);
    return pbf_smooth_velocity(p, w, smoothing_of(p, w, dt), k.is_held);
}
