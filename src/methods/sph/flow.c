/* One step of weakly compressible flow with surface tension.
 *
 *   1. density pass: rate of density by the velocities there are, filled part c of each kernel, S = sum V0 grad W;
 *   2. pressures by that rate;
 *   3. curvature, of the few surface particles alone (curvature.c);
 *   4. force pass: pressure and viscosity between pairs; near the surface also the Shepard mean of the tension that
 *      surface particles carry;
 *   5. velocities, then places.
 *
 * Pressures from old velocities, velocities from new pressures: the staggered order keeps sound stable. The force of
 * pressure, -V0 sum V0 (p_i + p_j) grad W, is the adjoint of the density's rate, and where p = gamma kappa everywhere
 * it is balanced by the tension 2 gamma kappa S V0 in each particle on which tension acts wholly, whatever their order:
 * so a drop can rest. */
#include "methods/sph/creep.h"
#include "methods/sph/projection.h"

#include "particles/ghosts.h"

#include <string.h>

static void accelerate(int begin, int end, void *context, solid_pushes *to)
{
    flow *k = context;
    real3 g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    for (int i = begin; i < end; i++) {
        real3 a = real3_add(real3_add(real3_of(k->force[i]), real3_of(k->pull[i])), g);
        if (sph_is_held(k, i)) {
            real3 pressure = sph_wall_pressure(k, i), friction = sph_wall_friction(k, i, pressure);
            a = real3_add(a, real3_add(pressure, friction));
            sph_push_solids(k, PUSH_PRESSURE, i, real3_scale(k->dt, pressure), to);
            solids_push(to, PUSH_SHEAR, k->wall_solid[i], real3_of(k->a.x[i]),
                        real3_scale(-k->dt * (real)k->w->particle_mass[0], friction));
        }
        if (sph_is_gas(k, i)) a = real3_madd(real3_scale(k->lightness, a), 1 - k->lightness, g);
        real4_add(&k->a.v[i], real3_scale(k->dt, a));
    }
}

static void move(int begin, int end, void *context)
{
    const flow *k = context;
    for (int i = begin; i < end; i++) {
        real4 *x = &k->a.x[i], v = k->a.v[i], d = k->shift[i];
        real3 way = {k->dt * v.x + d.x, k->dt * v.y + d.y, k->dt * v.z + d.z};
        if (k->held.line) held_line_moves(&k->held, i, way);
        real4_add(x, way);
    }
}

/* Bodies are balanced twice, as what shifts turn hangs on the velocities that pressure leaves: tension before a solver,
 * shifts after it. */
static void find_pulls(int begin, int end, void *context)
{
    flow *k = context;
    sph_find_depths(begin, end, k);
    sph_find_pulls(begin, end, k);
    for (int i = begin; i < end; i++) k->shift[i] = (real4){0, 0, 0, 0};
}

static void find_shifts(int begin, int end, void *context)
{
    flow *k = context;
    sph_find_shifts(begin, end, k);
    for (int i = begin; i < end; i++) { /* velocities have them */
        k->pull[i] = (real4){0, 0, 0, 0};
        k->force[i] = (real4){0, 0, 0, k->force[i].w};
    }
}

static void turn_and_move(int begin, int end, void *context, solid_pushes *to)
{
    const flow *k = context;
    (void)to;
    for (int i = begin; i < end; i++) {
        real turn = k->dt / sph_relative_mass(k, i);
        real4_add(&k->a.v[i], real3_scale(turn, real3_of(k->pull[i])));
    }
    move(begin, end, context);
}

/* Of pressures that are implicit the old one, here with what diffuses and drifts, makes forces. */
static void add_sources(int begin, int end, void *context)
{
    flow *k = context;
    for (int i = begin; i < end; i++) {
        k->a.pressure[i] += sph_pressure_source(k, i);
        k->a.x[i].w = k->a.pressure[i] / k->rho;
    }
}

/* From forces to places. */
static dew_result advance(flow *k, projection *implicit)
{
    real4 *before = NULL;
    if (k->is_creeping) {
        ARENA_TRY(k->w->scratch, k->count, before);
        memcpy(before, k->a.v, (size_t)k->count * sizeof *before);
    }
    RESULT_TRY(sph_balance_tension(k, find_pulls, accelerate));
    k->of_line = k->mended = NULL; /* are given */
    RESULT_TRY(sph_hold_at_walls(k));
    if (k->is_creeping)
        RESULT_TRY(sph_creep(k, before));
    else if (k->is_implicit)
        sph_project(implicit);
    return sph_balance_tension(k, find_shifts, turn_and_move);
}

dew_result sph_begin_step(flow *k, sph_state *p, world *w, double dt)
{
    RESULT_TRY(sph_update_lists(p, w, dt));
    if (!p->has_drops) RESULT_TRY(sph_find_drops(p, w));
    int count = w->particles->count;
    *k = (flow){.p = p,
                .w = w,
                .a = sph_arrays_of(p, w),
                .lists = neighbours_lists(w->neighbours),
                .count = count,
                .blocks = PAIR_BLOCKS(count),
                .dt = (real)dt,
                .is_implicit = p->is_implicit,
                .is_creeping = p->is_creeping,
                .is_open = p->saved_started > 0 && !p->is_full,
                .sound = (real)p->saved_sound,
                .order = (real)sph_order_speed(p, w),
                .delta = (real)fmin(p->parameter[SPH_DELTA], sph_most_delta(p, dt)),
                .rho = (real)w->materials[0].density,
                .gamma = (real)w->materials[0].surface_tension};
    ARENA_TRY(w->scratch, count, k->filled, k->force, k->pull, k->facing, k->shift, k->even, k->rate, k->spread);
    ARENA_TRY_ZEROED(w->scratch, count, k->is_near);
    RESULT_TRY(sph_open_gas(k));
    RESULT_TRY(sph_find_walls(k));
    sph_sum_density(k);
    return DEW_OK;
}

dew_result sph_flow_step(sph_state *p, world *w, double dt)
{
    flow k;
    projection implicit;
    RESULT_TRY(sph_begin_step(&k, p, w, dt));
    if (k.is_creeping)
        parallel_for(k.count, 4096, add_sources, &k);
    else if (k.is_implicit)
        RESULT_TRY(sph_projection_open(&implicit, &k));
    else
        parallel_for(k.count, 4096, sph_advance_pressure, &k);
    RESULT_TRY(sph_find_curvature(&k));
    sph_join_gas(&k);
    if (p->saved_started == 0) RESULT_TRY(sph_start_pressure(&k));
    sph_sum_forces(&k);
    if (k.wall) ARENA_TRY_ZEROED(w->scratch, k.count, k.mended);
    if (sph_tension_mode(p) == SPH_TENSION_AREA) RESULT_TRY(sph_find_area_tension(&k));
    RESULT_TRY(advance(&k, &implicit));
    sph_leave_walls(&k);
    return DEW_OK;
}
