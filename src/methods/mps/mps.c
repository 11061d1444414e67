#include "methods/mps/mps.h"

#include "solids/moving_line.h"

#include <stdio.h>
#include <string.h>

static const dew_parameter parameters[MPS_PARAMETER_COUNT] = {
    [MPS_CFL] = {"cfl", "1", 0.25, 0.05, 0.5, NULL, "spacings that the fastest particle goes in a step"},
    [MPS_CAPILLARY] = {"capillary", "1", 0.5, 0.1, 2, NULL, "step over sqrt(rho s^3/(2 pi gamma))"},
    [MPS_CORRECTION] = {"correction", "1", 0.1, 0, 1, NULL, "of a density that is too high, the part that a step ends"},
    [MPS_TOLERANCE] = {"tolerance", "1", 1e-2, 1e-6, 0.1, NULL,
                       "residual of the pressure's equations, over their right side"},
    [MPS_OWN_VISCOSITY] = {"own_viscosity", "1", 0.01, 0, 1, NULL,
                           "the least kinematic viscosity, in sqrt(gamma s/rho): calms the particles"},
    [MPS_TENSION] = {"tension", "1", 0, 0, 2, "area|pairs|paper",
                     "area: energy of the surface; pairs: a potential between particles, of one liquid; paper: its "
                     "forces word by word, by which drops leave plates"},
};

static const field_info fields[] = {
    {"change", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"lean", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"is_surface", "1", "1 for particles next to a free surface", FIELD_UINT8, 1,
     FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST},
    {"density", "1", "particle number density over that of liquid at rest in its place", FIELD_REAL, 1,
     FIELD_OUTPUT | FIELD_RESTART},
    {"solver_pressure", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    {"normal", "1", "outward unit normal of the liquid", FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_GHOST | FIELD_VECTOR},
    {"unrest", NULL, NULL, FIELD_UINT8, 1, FIELD_RESTART},
    {"wall_time", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    {"strain", "1", "elastic strain b - 1: xx, yy, zz", FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_RESTART},
    {"strain_across", "1", "elastic strain b: yz, zx, xy", FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_RESTART},
    {"hold", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART | FIELD_GHOST},
    {"went", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART | FIELD_GHOST | FIELD_VECTOR},
    {"pressure", "Pa", "pressure, less that of the potential", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
};

/* --- life --- */

/* Of the potential. */
static void make_numbers(mps_state *p, const world *w)
{
    int D = w->dimension;
    half_space_make(&p->bond, p->is_paper ? mps_potential_of_paper : mps_potential, D, pow(FLOW_REACH, D));
    for (int k = 0; k < HALF_SPACE_STEPS; k++)
        p->cohesion += (double)(p->bond.sum[k] + p->bond.sum[k + 1]) / 2 / HALF_SPACE_STEPS;
}

static dew_result create(void *state, world *w, const double *values)
{
    mps_state *p = state;
    flow_state *f = &p->flow;
    if (w->material_count > FLOW_MOST_LIQUIDS)
        return result_under(result_fail(DEW_INVALID, "mps takes %d liquids at the most; there are %d materials",
                                        FLOW_MOST_LIQUIDS, w->material_count),
                            "materials[%d]", FLOW_MOST_LIQUIDS);
    for (int k = 0; k < MPS_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    f->cfl = values[MPS_CFL], f->capillary = values[MPS_CAPILLARY], f->own_viscosity = values[MPS_OWN_VISCOSITY];
    int *index[] = {&f->change, &f->lean,   &f->is_surface, &f->density, &f->solver_pressure,
                    &f->normal, &f->unrest, &f->wall_time,  &p->strain,  &p->strain_across,
                    &f->hold,   &f->went,   &f->pressure};
    RESULT_TRY(particles_add_fields(w->particles, sizeof index / sizeof *index, fields, index));
    f->is_area = values[MPS_TENSION] < 0.5;
    p->is_paper = values[MPS_TENSION] > 1.5;
    if (!f->is_area && w->material_count > 1)
        return result_under(result_fail(DEW_INVALID,
                                        "one liquid alone has a potential between its particles, and here are "
                                        "%d; mps.tension: area (the default) takes up to %d",
                                        w->material_count, FLOW_MOST_LIQUIDS),
                            "mps.tension");
    if (!f->is_area || w->material_count > 1) RESULT_TRY(world_refuse_held_lines(w, "one liquid, mps.tension: area"));
    RESULT_TRY(flow_make(f, w));
    make_numbers(p, w);
    neighbours_set_reach(w->neighbours, (double)f->h, 0.15 * w->spacing);
    return DEW_OK;
}

static void destroy(void *state) { fractions_destroy(((mps_state *)state)->flow.fractions); }

static double max_time_step(void *state, world *w)
{
    mps_state *p = state;
    double flowing = flow_max_time_step(&p->flow, w), waves = mps_elastic_step(p, w);
    if (waves < flowing) w->limit = "elastic";
    return fmin(flowing, waves);
}

/* --- the step --- */

/* The pressure is the virial's, of the potential and of the pressure's forces, which balance it; over the part of them
 * that is liquid. */
static void tell_pressure(int begin, int end, void *context)
{
    const flow_step *k = context;
    const flow_state *p = k->p;
    real *pressure = particles_field(k->all, p->pressure);
    for (int i = begin; i < end; i++) {
        real solid = 0;
        if (near_walls_has(&k->near, i)) {
            walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &p->crowd);
            for (int a = 0; a < here.count; a++) solid += here.share[a] * half_space_at(p->crowd.sum, here.distance[a]);
        }
        pressure[i] = k->force[i].w / (1 - real_min(solid / p->c.full, (real)0.8));
    }
}

static dew_result area_step(flow_step *k)
{
    RESULT_TRY(flow_begin(k));
    RESULT_TRY(mps_elastic(k));
    RESULT_TRY(flow_force(k));
    size_t mark = arena_mark(k->w->scratch);
    RESULT_TRY(flow_resist(k));
    arena_release(k->w->scratch, mark);
    RESULT_TRY(flow_project(k));
    RESULT_TRY(flow_begin_shift(k));
    flow_find_shift(k, &(flow_parting){FLOW_NEAR, FLOW_APART, FLOW_EVEN, NULL});
    RESULT_TRY(flow_move(k));
    RESULT_TRY(flow_smooth(k));
    return flow_turn_around_bodies(k), DEW_OK;
}

static dew_result pairs_step(flow_step *k)
{
    RESULT_TRY(flow_find_density(k));
    flow_mark_surface(k);
    RESULT_TRY(mps_elastic(k));
    world_fall(k->w, (double)k->dt);
    RESULT_TRY(mps_tension(k));
    mps_push(k, k->pressure);
    RESULT_TRY(flow_resist(k));
    RESULT_TRY(mps_solve_pressure(k));
    parallel_for(k->count, 4096, tell_pressure, k);
    RESULT_TRY(flow_move(k));
    return flow_turn_around_bodies(k), DEW_OK;
}

static dew_result step(void *state, world *w, double dt)
{
    flow_state *p = &((mps_state *)state)->flow;
    flow_step k;
    RESULT_TRY(flow_update_lists(w, p->h, dt));
    RESULT_TRY(flow_open(p, w, dt, &k));
    return p->is_area ? area_step(&k) : pairs_step(&k);
}

/* --- what it tells --- */

static bool measure(const void *state, const world *w, const char *quantity, double *value)
{
    const mps_state *p = state;
    const flow_state *f = &p->flow;
    if (strcmp(quantity, "film_tension") == 0) return mps_film_tension(p, w, value);
    if (strcmp(quantity, "elastic_energy") == 0) return *value = mps_elastic_energy(p, w), true;
    if (strcmp(quantity, "pressure_jump") != 0 || w->time == 0) return false;
    if (f->is_area && w->material_count == 1) return *value = flow_mean_pressure(f, w), true;
    if (w->material_count > 1)
        return *value = world_pressure_between(w, particles_field(w->particles, f->pressure),
                                               particles_field(w->particles, f->is_surface)),
               true;
    /* In the skin, h deep, the virial is that of tension too. */
    *value = world_deep_pressure(w, particles_field(w->particles, f->pressure),
                                 particles_field(w->particles, f->is_surface), f->h);
    return true;
}

static double own_viscosity(void *state, world *w) { return flow_added_viscosity(&((mps_state *)state)->flow, w); }

const method method_mps = {
    .info = {.name = "mps",
             .title = "moving particle semi-implicit, wettability from surface energies",
             .source = "Mukai, Natsume, Oishi, Oshima: Analysis of Wettability Model Using Adhesional and Spreading "
                       "Works, VISIGRAPP 2023",
             .features = DEW_FEATURE_3D | DEW_FEATURE_2D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_PERIODIC |
                         DEW_FEATURE_SYMMETRY | DEW_FEATURE_NO_SLIP | DEW_FEATURE_SLIP_LENGTH |
                         DEW_FEATURE_RIGID_COUPLING | DEW_FEATURE_SEVERAL_LIQUIDS | DEW_FEATURE_INTERFACES |
                         DEW_FEATURE_WETTING_PAIRS | DEW_FEATURE_HYSTERESIS | DEW_FEATURE_ELASTIC |
                         DEW_FEATURE_RELAXATION,
             .slip_length = 0,
             .line_slip = LINE_SLIP,
             .least_across = 4,
             .parameters = parameters,
             .parameter_count = MPS_PARAMETER_COUNT,
             .measures = {"pressure_jump", "film_tension", "elastic_energy"}},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .state_size = sizeof(mps_state),
    .look_steps = 500,
    .held_layers = 3,
    .create = create,
    .max_time_step = max_time_step,
    .step = step,
    .may_change = 1u << WORLD_GRAVITY | 1u << WORLD_VISCOSITY | 1u << WORLD_SURFACE_TENSION |
                  1u << WORLD_CONTACT_ANGLE | 1u << WORLD_SLIP_LENGTH | 1u << WORLD_FRICTION | 1u << WORLD_ADHESION,
    .measure = measure,
    .own_viscosity = own_viscosity,
    .destroy = destroy,
};
