#include "methods/ddr/ddr.h"

#include "definition/definition.h"
#include "solids/moving_line.h"

#include <stdio.h>
#include <string.h>

static const dew_parameter parameters[DDR_PARAMETER_COUNT] = {
    [DDR_TENSION] = {"tension", "1", 0, 0, 2, "area|densities|paper",
                     "area: energy of the surface; densities: of the two densities; paper: the numbers of "
                     "Clavet et al., large steps"},
    [DDR_CFL] = {"cfl", "1", 0.25, 0.05, 0.5, NULL, "physical: spacings that the fastest particle goes in a step"},
    [DDR_PROJECTIONS] = {"projections", "1", 2, 0, 20, NULL, "densities: turns that keep the density in a step"},
    [DDR_OWN_VISCOSITY] = {"own_viscosity", "1", 0.001, 0, 1, NULL,
                           "densities: the least kinematic viscosity, in h^2 sqrt(k/h): calms the particles"},
    [DDR_HYPERVISCOSITY] = {"hyperviscosity", "1", 2, 0, 3, NULL,
                            "densities: rate at which particles' motion against their neighbours dies, of sqrt(g H)/h "
                            "and a twentieth of sqrt(k/h)"},
    [DDR_BETA] = {"beta", "1", 0, 0, 10, NULL, "densities: quadratic impulses between what approaches, over h"},
    [DDR_BULK] = {"bulk", "1", 0.03, 0, 0.15, NULL,
                  "densities: damping of sound, of sqrt(h/k) for rho to be felt ahead"},
    [DDR_COMPRESSION_YIELD] = {"compression_yield", "1", 1, 0, 10, NULL,
                               "physical: deformation that compressed springs bear, over that of stretched ones"},
    [DDR_COMPRESSION_RELAXATION] = {"compression_relaxation", "1", 1, 0, 10, NULL,
                                    "physical: rate at which compressed springs relax, over that of stretched ones"},
    [DDR_PAPER_STEP] = {"paper_step", "s", 1.0 / 30, 1e-9, 10, NULL, "paper: time step, its unit of time"},
    [DDR_PAPER_REST_DENSITY] = {"paper_rest_density", "1", 10, 1, 100, NULL, "paper: rho0"},
    [DDR_PAPER_K] = {"paper_k", "1", 0.004, 0, 1, NULL, "paper: k, in h over its unit of time squared"},
    [DDR_PAPER_K_NEAR] = {"paper_k_near", "1", 0.01, 0, 1, NULL, "paper: k_near, likewise"},
    [DDR_PAPER_SIGMA] = {"paper_sigma", "1", 0, 0, 10, NULL, "paper: linear viscosity, over its unit of time"},
    [DDR_PAPER_BETA] = {"paper_beta", "1", 0.1, 0, 10, NULL, "paper: quadratic viscosity, over h"},
    [DDR_PAPER_SPRING] = {"paper_spring", "1", 0, 0, 0.4, NULL,
                          "paper: k_spring, over its unit of time squared, so far as such a step bears it; 0: no "
                          "springs; the paper has 0.3"},
    [DDR_PAPER_ALPHA] = {"paper_alpha", "1", 0.3, 0, 1, NULL, "paper: plasticity alpha, over its unit of time"},
    [DDR_PAPER_GAMMA] = {"paper_gamma", "1", 0.1, 0, 1, NULL, "paper: yield ratio gamma"},
    [DDR_PAPER_STICK] = {"paper_stick", "1", 0, 0, 10, NULL,
                         "paper: k_stick, over its unit of time squared, within a spacing of solids"},
};

static const field_info fields[] = {
    {"place", NULL, NULL, FIELD_REAL4, 4, FIELD_GHOST | FIELD_POSITION | FIELD_FLEETING},
    {"ahead", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_POSITION | FIELD_FLEETING},
    {"near_pressure", NULL, NULL, FIELD_REAL, 1, FIELD_GHOST | FIELD_FLEETING},
    {"change", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"is_surface", "1", "1 for particles next to a free surface", FIELD_UINT8, 1,
     FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST},
    {"density", "1", "density over that of liquid at rest, solids included", FIELD_REAL, 1,
     FIELD_OUTPUT | FIELD_RESTART},
    {"pressure", "Pa", "pressure", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"lean", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"solver_pressure", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    {"normal", "1", "outward unit normal of the liquid", FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_GHOST | FIELD_VECTOR},
    {"unrest", NULL, NULL, FIELD_UINT8, 1, FIELD_RESTART},
    {"wall_time", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    {"hold", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART | FIELD_GHOST},
    {"went", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART | FIELD_GHOST | FIELD_VECTOR},
    {"anchor", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"tied", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART | FIELD_GHOST | FIELD_POSITION},
};

static bool is_paper(const ddr_state *p) { return p->parameter[DDR_TENSION] > 1.5; }

/* --- the numbers --- */

/* k_near over k. */
#define NEAR 2.5
/* By densities, measured once for it (calibration.md), by dimension, 2 and 3: h in spacings, the least of which no
 * lattice stands against its tension; what liquid at rest under no pressure has for rho, the rho0 that makes it so, and
 * G of gamma = G rho h^2 k. */
static const struct calibration {
    double reach, rho_eq, rho0, tension;
} calibration[2] = {{4.0, 7.50, 11.64, 0.46}, {3.1, 11.68, 16.23, 0.82}};

static const struct calibration *calibration_of(const world *w) { return &calibration[w->dimension - 2]; }

/* h in spacings, and particles within it over those within a spacing. The paper's rho0 is given, and so is h: rho goes
 * as its D-th power, so that liquid as dense as the scene says is at rest. */
static double reach_of(const ddr_state *p, const world *w)
{
    if (p->is_area) return FLOW_REACH;
    const struct calibration *c = calibration_of(w);
    return is_paper(p) ? c->reach * pow(p->parameter[DDR_PAPER_REST_DENSITY] / c->rho0, 1.0 / w->dimension) : c->reach;
}
static double number_within(const ddr_state *p, const world *w) { return pow(reach_of(p, w), w->dimension); }

/* Viscosity from sigma and modulus from k_spring alike: over n h^D, by integrals of w over all directions. */
static double stress_factor(int dimension) { return dimension == 3 ? PI / 450 : PI / 320; }
/* Of yield_stress over gamma G. By area springs are tied where none pulls, and in a paste that flows all of them bear
 * gamma: the mean of |n_x n_y| over that of its square, over all directions, 10/pi, and of the plane 8/pi. By
 * densities, whose particles at rest pull at some, by the law `yield`. */
static double yield_by_area(int dimension) { return (dimension == 3 ? 10 : 8) / PI; }
#define YIELD 2.15

/* Of hyperviscosity where tension stirs, over that where weight does: what moves by its tension stays liquid by the
 * heat of its particles (calibration.md). */
#define CAPILLARY_CALMING 0.05

static ddr_numbers paper_numbers(const ddr_state *p)
{
    const double *a = p->parameter;
    double T = a[DDR_PAPER_STEP], h = (double)p->h;
    ddr_numbers n = {.rho0 = a[DDR_PAPER_REST_DENSITY],
                     .k = a[DDR_PAPER_K] * h / (T * T),
                     .k_near = a[DDR_PAPER_K_NEAR] * h / (T * T),
                     .rho_eq = a[DDR_PAPER_REST_DENSITY] * 0.72,
                     .sigma = a[DDR_PAPER_SIGMA] / T,
                     .beta = a[DDR_PAPER_BETA] / h,
                     .ahead = T,
                     .stick = a[DDR_PAPER_STICK] / (T * T),
                     .is_paper = true};
    n.spring = (ddr_spring_numbers){.stiffness = a[DDR_PAPER_SPRING] / (T * T),
                                    .rate = {a[DDR_PAPER_ALPHA] / T, a[DDR_PAPER_ALPHA] / T},
                                    .yield = {a[DDR_PAPER_GAMMA], a[DDR_PAPER_GAMMA]},
                                    .is_printed = true};
    return n;
}

static ddr_spring_numbers spring_numbers(const ddr_state *p, const dew_material_def *m, int dimension, double factor)
{
    double modulus = definition_shear_modulus(m), h = (double)p->h;
    ddr_spring_numbers n = {.stiffness = modulus / (m->density * h * h * factor)};
    bool yields = isfinite(m->yield_stress), relaxes = isfinite(m->relaxation_time);
    n.rate[0] = relaxes ? 1 / m->relaxation_time : yields ? INFINITY : 0;
    n.yield[0] =
        yields && modulus > 0 ? m->yield_stress / ((p->is_area ? yield_by_area(dimension) : YIELD) * modulus) : 0;
    double compressed = p->parameter[DDR_COMPRESSION_RELAXATION];
    n.rate[1] = n.rate[0] > 0 && compressed > 0 ? n.rate[0] * compressed : 0;
    n.yield[1] = n.yield[0] * p->parameter[DDR_COMPRESSION_YIELD];
    n.is_lasting = !yields && !relaxes;
    return n;
}

/* p/rho of a pool at its floor, m2/s2. */
static double floor_potential(const world *w)
{
    return fmax(vec3_length(w->gravity) * (world_liquid_depth(w) - w->spacing), 0);
}

ddr_numbers ddr_numbers_of(const ddr_state *p, const world *w)
{
    if (is_paper(p)) return paper_numbers(p);
    const struct calibration *c = calibration_of(w);
    const dew_material_def *m = &w->materials[0];
    double h = (double)p->h, factor = number_within(p, w) * stress_factor(w->dimension);
    ddr_numbers n = {.rho0 = c->rho0, .rho_eq = c->rho_eq, .beta = p->parameter[DDR_BETA] / h};
    n.spring = spring_numbers(p, m, w->dimension, factor);
    if (p->is_area) {
        n.viscosity = flow_viscosity(&p->flow, w, 0);
        return n;
    }
    n.k = m->surface_tension / (c->tension * m->density * h * h), n.k_near = NEAR * n.k;
    n.viscosity = fmax(m->viscosity / m->density, p->parameter[DDR_OWN_VISCOSITY] * h * h * sqrt(n.k / h));
    n.bulk = n.k > 0 ? p->parameter[DDR_BULK] * sqrt(h / n.k) : 0;
    n.sigma = n.viscosity / (h * h * factor);
    double capillary = sqrt(n.k / h), falling = sqrt(floor_potential(w)) / h;
    n.pace = capillary + falling;
    n.calming = p->parameter[DDR_HYPERVISCOSITY] * (CAPILLARY_CALMING * capillary + falling);
    return n;
}

/* --- life --- */

/* The least kinematic viscosity by area, in sqrt(gamma s/rho). */
#define OWN_BY_AREA 0.01

/* dW/dq up to a factor of the kernel whose viscosity the impulses are: F = -W'/r goes as w. */
static real impulse_slope(real q) { return -q * real_max(1 - q, 0); }

static double square(double q) { return q < 1 ? (1 - q) * (1 - q) : 0; }
static double cube(double q) { return q < 1 ? (1 - q) * (1 - q) * (1 - q) : 0; }

static dew_result open_flow(ddr_state *p, world *w)
{
    flow_state *f = &p->flow;
    f->cfl = p->parameter[DDR_CFL], f->capillary = 0.5, f->own_viscosity = OWN_BY_AREA;
    f->change = p->change, f->is_surface = p->is_surface, f->density = p->density, f->pressure = p->pressure;
    f->is_area = true;
    return flow_make(f, w);
}

static dew_result create(void *state, world *w, const double *values)
{
    ddr_state *p = state;
    for (int k = 0; k < DDR_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    p->is_area = p->parameter[DDR_TENSION] < 0.5;
    p->s = (real)w->spacing, p->h = (real)(reach_of(p, w) * w->spacing);
    flow_state *f = &p->flow;
    int *index[] = {&p->place,    &p->ahead, &p->near_pressure,   &p->change,      &p->is_surface, &p->density,
                    &p->pressure, &f->lean,  &f->solver_pressure, &f->normal,      &f->unrest,     &f->wall_time,
                    &f->hold,     &f->went,  &p->anchor,          &p->springs.tied};
    RESULT_TRY(particles_add_fields(w->particles, sizeof index / sizeof *index, fields, index));
    p->old_springs.tied = p->springs.tied;
    half_space_make(&p->whole, square, w->dimension, number_within(p, w));
    half_space_make(&p->close, cube, w->dimension, number_within(p, w));
    if (p->is_area)
        RESULT_TRY(open_flow(p, w));
    else
        RESULT_TRY(world_refuse_held_lines(w, "ddr.tension: area"));
    if (is_paper(p)) RESULT_TRY(world_refuse_slip_lengths(w, "ddr.tension: area or densities"));
    shear_table_make(&p->shear_table, impulse_slope, (double)p->h, w->dimension, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    neighbours_set_reach(w->neighbours, (double)p->h, 0.15 * w->spacing);
    return DEW_OK;
}

static void destroy(void *state)
{
    ddr_state *p = state;
    ddr_springs_destroy(&p->springs), ddr_springs_destroy(&p->old_springs);
    fractions_destroy(p->flow.fractions);
}
static void reorder(void *state, world *w)
{
    (void)w;
    ((ddr_state *)state)->springs.is_stale = true;
}
static void visit(void *state, state_array_fcn *array, void *context)
{
    ddr_springs_visit(&((ddr_state *)state)->springs, array, context);
}
static dew_result resize(void *state, const int64_t *counts)
{
    return ddr_springs_resize(&((ddr_state *)state)->springs, counts);
}

/* Numbers are found anew in every step. What is not elastic any more has no springs, so that none comes back. */
static void changed(void *state, world *w)
{
    ddr_state *p = state;
    if (ddr_numbers_of(p, w).spring.stiffness > 0) return;
    ddr_springs_clear(&p->springs, w->particles);
    memset(particles_field(w->particles, p->anchor), 0, (size_t)w->particles->count * sizeof(real4));
}

/* --- the step's length --- */

/* dt^2 k/h; forces at the places of now bear twice as much. */
#define STIFF_STEP 0.006
/* dt^2 k_spring sum (1 - q)/3 */
#define SPRING_STEP 0.6
/* p dt^2/(rho h^2) of a pool at its floor, by which it stands 1 % too low. (The particles' own pressures cannot say:
 * what a projection finds too dense it pushes by 1/dt^2, so steps would shrink for ever.) */
#define PRESSED_STEP 0.005

static double max_time_step(void *state, world *w)
{
    ddr_state *p = state;
    if (is_paper(p)) return w->limit = "paper", p->parameter[DDR_PAPER_STEP];
    ddr_numbers n = ddr_numbers_of(p, w);
    double h = (double)p->h, reach = p->parameter[DDR_CFL] * (double)p->s;
    double capillary = n.k > 0 ? sqrt(STIFF_STEP * h / n.k) : INFINITY;
    double near = PI / 3 * number_within(p, w) / w->dimension;
    double elastic = n.spring.stiffness > 0 ? sqrt(SPRING_STEP / (near * n.spring.stiffness)) : INFINITY;
    if (p->is_area) {
        double flowing = flow_max_time_step(&p->flow, w);
        if (elastic < flowing) w->limit = "elastic";
        return fmin(flowing, elastic);
    }
    double fastest = fmax(world_largest_speed(w), world_solid_speed(w));
    double g = vec3_length(w->gravity);
    /* speed dt + g dt^2/2 = reach */
    double moving = fastest > 0 || g > 0 ? 2 * reach / (fastest + sqrt(fastest * fastest + 2 * g * reach)) : INFINITY;
    double potential = floor_potential(w);
    double pressing = potential > 0 ? h * sqrt(PRESSED_STEP / potential) : INFINITY;
    double limit = fmin(fmin(capillary, elastic), fmin(moving, pressing));
    w->limit = limit == capillary ? "capillary" : limit == elastic ? "elastic" : limit == moving ? "speed" : "pressure";
    return limit;
}

/* --- the step --- */

/* Padding and dummies lie far away in every array of places. */
static void clear_padding(const particles *all, real4 *place)
{
    for (int k = all->count; k < all->ghost_begin; k++) place[k] = all->position[k];
    for (int k = all->end; k < all->end + 4; k++) place[k] = all->position[k];
}

static dew_result open_step(ddr_state *p, world *w, double dt, ddr_step *k)
{
    particles *all = w->particles;
    int count = all->count;
    *k = (ddr_step){.p = p, .w = w, .all = all, .lists = neighbours_lists(w->neighbours), .n = ddr_numbers_of(p, w)};
    k->count = count, k->blocks = PAIR_BLOCKS(count), k->dt = (real)dt, k->h = p->h, k->inv_h = 1 / p->h;
    k->x = all->position, k->v = all->velocity;
    k->place = particles_field(all, p->place), k->ahead = particles_field(all, p->ahead);
    k->near_pressure = particles_field(all, p->near_pressure);
    clear_padding(all, k->place), clear_padding(all, k->ahead);
    ARENA_TRY(w->scratch, count, k->push, k->rho, k->rho_near, k->solid, k->nearing);
    return DEW_OK;
}

/* Where the forces are taken: as printed at the places predicted for the step's end; else at those of now. There no
 * force has the damping that the paper's appendix shows, -k dt v of a spring: viscosity is what the scene says,
 * whatever the step; and all act along lines between places of now, so that angular momentum is kept. */
static void predict(int begin, int end, void *context)
{
    ddr_step *k = context;
    real ahead = (real)k->n.ahead;
    for (int i = begin; i < end; i++)
        k->place[i] = real4_of(real3_madd(real3_of(k->x[i]), ahead, real3_of(k->v[i])), 0);
}

static dew_result open_flow_step(ddr_step *k, double dt)
{
    flow_state *f = &k->p->flow;
    f->is_solid = k->n.spring.stiffness > 0 && k->n.spring.is_lasting;
    RESULT_TRY(flow_open(f, k->w, dt, &k->flow));
    k->near = k->flow.near, k->place = k->x, k->lists = k->flow.lists;
    return DEW_OK;
}

static dew_result act_springs(ddr_step *k)
{
    if (!(k->n.spring.stiffness > 0)) return DEW_OK;
    ddr_springs *springs = &k->p->springs;
    RESULT_TRY(ddr_springs_update(springs, &k->p->old_springs, k->w, &k->n.spring, (double)k->h));
    ddr_anchor(k);
    return ddr_springs_act(springs, k->w, &k->n.spring, (double)k->h, k->place, k->v, (double)k->dt);
}

/* By area: forces, the last step's pressure, viscosity, what is left of the divergence; then order. */
static dew_result flow(ddr_step *k)
{
    RESULT_TRY(flow_begin(&k->flow));
    k->near = k->flow.near;
    RESULT_TRY(act_springs(k));
    RESULT_TRY(flow_force(&k->flow));
    size_t mark = arena_mark(k->w->scratch);
    RESULT_TRY(flow_resist(&k->flow));
    arena_release(k->w->scratch, mark);
    RESULT_TRY(flow_project(&k->flow));
    bool has_springs = k->n.spring.stiffness > 0;
    if (!has_springs || !k->n.spring.is_lasting) RESULT_TRY(ddr_order(k)); /* else springs keep it */
    if (has_springs && k->flow.shift)
        RESULT_TRY(ddr_springs_follow(&k->p->springs, k->w, &k->n.spring, (double)k->h, k->flow.shift));
    RESULT_TRY(flow_move(&k->flow));
    if (!k->p->flow.is_solid) RESULT_TRY(flow_smooth(&k->flow));
    return flow_turn_around_bodies(&k->flow), DEW_OK;
}

/* No nearer to solids than moving lets them: what is put back there later strains its springs (of a rubber cube on a
 * table, by 0.03). */
static void go_in_order(int begin, int end, void *context)
{
    ddr_step *k = context;
    const near_walls *near = &k->flow.near;
    for (int i = begin; i < end; i++) {
        real3 way = real3_of(k->flow.shift[i]);
        for (int a = NEAR_WALLS * i; near->wall && a < NEAR_WALLS * (i + 1) && near->solid[a] >= 0; a++) {
            real3 n = real3_of(near->wall[a]);
            way = real3_madd(way, real_max(k->p->flow.stop[0] - near->wall[a].w - real3_dot(way, n), 0), n);
        }
        real4_add(&k->x[i], way);
    }
}

/* Turns of order before springs are tied: a box that fills its periods is not filled as a lattice. */
#define SETTLING 60

/* What springs would keep, and pressures make velocity of. */
static dew_result settle(ddr_state *p, world *w, double dt)
{
    for (int turn = 0; turn < SETTLING; turn++) {
        ddr_step k;
        RESULT_TRY(flow_update_lists(w, p->h, dt));
        size_t mark = arena_mark(w->scratch);
        RESULT_TRY(open_step(p, w, dt, &k));
        RESULT_TRY(open_flow_step(&k, dt));
        RESULT_TRY(flow_find_density(&k.flow));
        flow_mark_surface(&k.flow);
        k.flow.pace = 1;
        RESULT_TRY(ddr_order(&k));
        parallel_for(k.count, 4096, go_in_order, &k);
        arena_release(w->scratch, mark);
    }
    return DEW_OK;
}

/* Algorithm 1. */
static dew_result step(void *state, world *w, double dt)
{
    ddr_state *p = state;
    ddr_step k;
    bool is_elastic = definition_shear_modulus(&w->materials[0]) > 0;
    if (p->is_area && is_elastic && w->time == 0) RESULT_TRY(settle(p, w, dt));
    RESULT_TRY(flow_update_lists(w, p->h, dt));
    RESULT_TRY(open_step(p, w, dt, &k));
    if (p->is_area) {
        RESULT_TRY(open_flow_step(&k, dt));
        return flow(&k);
    }
    RESULT_TRY(ddr_find_walls(&k));
    world_fall(w, dt);             /* lines 1 to 3 */
    RESULT_TRY(ddr_viscosity(&k)); /* 5 */
    parallel_for(k.count, 4096, predict, &k);
    particles_update_ghosts(k.all, p->place); /* 6 to 10 */
    RESULT_TRY(act_springs(&k));              /* 12 and 15 */
    ddr_relax(&k);                            /* 16 */
    if (!is_paper(p)) ddr_project(&k, (int)p->parameter[DDR_PROJECTIONS]);
    ddr_collide_and_move(&k); /* 17 to 20 */
    return DEW_OK;
}

/* --- what it tells --- */

static bool measure(const void *state, const world *w, const char *quantity, double *value)
{
    const ddr_state *p = state;
    if (strcmp(quantity, "elastic_energy") == 0) {
        ddr_numbers n = ddr_numbers_of(p, w);
        return *value = ddr_springs_energy(&p->springs, w, &n.spring, (double)p->h), true;
    }
    if (strcmp(quantity, "pressure_jump") != 0 || w->time == 0) return false;
    if (p->is_area) return *value = flow_mean_pressure(&p->flow, w), true;
    /* The skin of a liquid, h deep, is where its tension is: there the virial is that of tension too. */
    *value = world_deep_pressure(w, particles_field(w->particles, p->pressure),
                                 particles_field(w->particles, p->is_surface), p->h);
    return true;
}

/* Of what damps sound, and of projections, which the skin of a drop that swings feels, in h^2 sqrt(k/h): measured by
 * the law `oscillation`. */
#define OWN_VISCOSITY 0.15

static double own_viscosity(void *state, world *w)
{
    const ddr_state *p = state;
    if (is_paper(p)) return 0;
    ddr_numbers n = ddr_numbers_of(p, w);
    double h = (double)p->h, of_sound = n.k > 0 ? OWN_VISCOSITY * h * h * sqrt(n.k / h) : 0;
    return n.viscosity - w->materials[0].viscosity / w->materials[0].density + of_sound;
}

static void remark(const void *state, const world *w, char *text, size_t size)
{
    const ddr_state *p = state;
    ddr_numbers n = ddr_numbers_of(p, w);
    if (p->is_area) {
        snprintf(text, size, "k_spring = %.3g /s2", n.spring.stiffness);
        return;
    }
    snprintf(text, size, "k = %.3g m/s2, k_near = %.3g m/s2, sigma = %.3g /s, k_spring = %.3g /s2", n.k, n.k_near,
             n.sigma, n.spring.stiffness);
}

const method method_ddr = {
    .info = {.name = "ddr",
             .title = "double density relaxation, springs",
             .source = "Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005",
             .features = DEW_FEATURE_3D | DEW_FEATURE_2D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_PERIODIC |
                         DEW_FEATURE_SYMMETRY | DEW_FEATURE_NO_SLIP | DEW_FEATURE_SLIP_LENGTH | DEW_FEATURE_ELASTIC |
                         DEW_FEATURE_PLASTIC | DEW_FEATURE_RELAXATION | DEW_FEATURE_RIGID_COUPLING |
                         DEW_FEATURE_HYSTERESIS,
             .slip_length = 0,
             .line_slip = LINE_SLIP,
             .least_across = 4,
             .parameters = parameters,
             .parameter_count = DDR_PARAMETER_COUNT,
             .measures = {"pressure_jump", "elastic_energy"}},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .state_size = sizeof(ddr_state),
    .skin = {0.3, 0},
    .held_layers = 3,
    .look_steps = 500,
    .create = create,
    .max_time_step = max_time_step,
    .step = step,
    .reorder = reorder,
    .visit = visit,
    .resize = resize,
    .may_change = 1u << WORLD_GRAVITY | 1u << WORLD_VISCOSITY | 1u << WORLD_SURFACE_TENSION |
                  1u << WORLD_YOUNGS_MODULUS | 1u << WORLD_SHEAR_MODULUS | 1u << WORLD_YIELD_STRESS |
                  1u << WORLD_RELAXATION_TIME | 1u << WORLD_ELASTICITY | 1u << WORLD_CONTACT_ANGLE |
                  1u << WORLD_SLIP_LENGTH | 1u << WORLD_FRICTION | 1u << WORLD_ADHESION,
    .changed = changed,
    .measure = measure,
    .own_viscosity = own_viscosity,
    .remark = remark,
    .destroy = destroy,
};
