#include "methods/mps/mps.h"

#include "particles/kernels.h"
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
                     "area: energy of the surface; pairs: a potential between particles; paper: its forces word by "
                     "word, by which drops leave plates"},
    [MPS_SWEEPS] = {"sweeps", "1", 1, 1, 10, NULL, "how often the pressure is corrected in a step"},
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
    {"strain", "1", "elastic strain b - 1: xx, yy, zz", FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_RESTART},
    {"strain_across", "1", "elastic strain b: yz, zx, xy", FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_RESTART},
    {"hold", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART | FIELD_GHOST},
    {"went", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART | FIELD_GHOST | FIELD_VECTOR},
    {"pressure", "Pa", "pressure, less that of the potential", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
};

/* --- numbers --- */

/* The square is the mean of q^2 over a plane through a kernel's centre: so bent solids fill what they do. */
#define SIGHT 0.447

/* h in spacings (r_e of the paper). */
#define REACH 3.1
/* Up to it |F| over that of a plane through the particle tells the depth; edges have more. */
#define MOST_FACING 0.9
/* Of the kernel that finds the contact line, in spacings. */
#define LINE_REACH 2.7

static double square(double q) { return q < 1 ? (1 - q) * (1 - q) : 0; }
static double laplace(double q) { return q > 0 && q < 1 ? 1 / q - 1 : 0; }
static real viscous_slope(real q) { return -real_max(1 - q, 0); }

/* Sums over the lattice that liquids are filled with: n0, and sum of w q. */
static void sum_lattice(int dimension, double *n0, double *moment, double *spline)
{
    int most = 4;
    *n0 = *moment = *spline = 0;
    for (int x = -most; x <= most; x++)
        for (int y = -most; y <= most; y++)
            for (int z = dimension == 3 ? -most : 0; z <= (dimension == 3 ? most : 0); z++) {
                double q = sqrt(x * x + y * y + z * z) / REACH, w = fmax(1 - q, 0);
                *spline += (double)cubic_spline((real)q);
                if (q == 0) continue;
                *n0 += w * w, *moment += w * q;
            }
}

/* What a half space gives, by the slope that `crowd` has at the same distance; straight on from MOST_FACING. */
static void make_by_facing(real *table, const half_space *crowd, const half_space *of, real scale)
{
    int at = HALF_SPACE_STEPS, straight = (int)((real)MOST_FACING * MPS_MISSING_STEPS);
    for (int k = 0; k <= straight; k++) {
        real facing = (real)k / MPS_MISSING_STEPS * crowd->slope[0];
        while (at > 0 && crowd->slope[at] < facing) at--;
        real low = crowd->slope[at + 1], high = crowd->slope[at];
        real part = high > low ? (facing - low) / (high - low) : 1;
        table[k] = scale * (of->sum[at + 1] + part * (of->sum[at] - of->sum[at + 1]));
    }
    for (int k = straight + 1; k < MPS_MISSING_STEPS + 2; k++)
        table[k] = table[k - 1] + (table[straight] - table[straight - 8]) / 8;
}

/* Liquid next to a wall lies in layers, the first half a spacing away, and so does what is thought behind it: of an
 * integral over u their sum is the midpoint rule, (s/h)^2/24 of the integrand's slope there away from it. Without that
 * a wall pushes off by 0.03 spacings, and a pool 10 spacings wide is 1 % too deep. */
static void make_filled(mps_state *p)
{
    double rule = p->is_area ? 1 / (24 * REACH * REACH) : 0, step = 1.0 / HALF_SPACE_STEPS;
    for (int k = 0; k <= HALF_SPACE_STEPS; k++) {
        int low = k > 0 ? k - 1 : 0, high = k < HALF_SPACE_STEPS ? k + 1 : k;
        double bend = (double)(p->crowd.slope[high] - p->crowd.slope[low]) / ((high - low) * step);
        p->filled[k] = p->crowd.sum[k] + (real)(rule * bend);
    }
    p->filled[HALF_SPACE_STEPS + 1] = p->filled[HALF_SPACE_STEPS];
}

static void make_constants(mps_state *p, const world *w)
{
    double n0, moment, spline, h = (double)p->h, number = pow(REACH, w->dimension);
    int D = w->dimension;
    half_space_make(&p->crowd, square, D, number);
    half_space_make(&p->bond, p->is_paper ? mps_potential_of_paper : mps_potential, D, number);
    sum_lattice(D, &n0, &moment, &spline);
    p->kernel = (real)(1 / spline);
    p->c = (mps_constants){.n0 = (real)n0,
                           .gradient = (real)(D / (moment * h)),
                           .laplacian = (real)(2 * D / (moment * h * h)),
                           .full = 2 * p->crowd.sum[0],
                           .slope0 = p->crowd.slope[0]};
    for (int k = 0; k < HALF_SPACE_STEPS; k++)
        p->c.cohesion += (double)(p->bond.sum[k] + p->bond.sum[k + 1]) / 2 / HALF_SPACE_STEPS;
    double norm = D == 3 ? 7.5 / PI : 6 / PI;
    p->c.viscous = 4 * (D + 2) * norm / number / (h * h);
    half_space_make(&p->laplace, laplace, D, number);
    make_by_facing(p->missing, &p->crowd, &p->crowd, 1 / p->c.full);
    for (int k = 0; k <= MPS_MISSING_STEPS; k++)
        p->growth[k] = p->c.n0 * (p->missing[k + 1] - p->missing[k]) * MPS_MISSING_STEPS / (p->c.slope0 / 2);
    p->growth[MPS_MISSING_STEPS + 1] = 0;
    make_by_facing(p->air, &p->crowd, &p->laplace, 1);
}

/* --- life --- */

dew_result mps_make(mps_state *p, const world *w)
{
    p->s = (real)w->spacing, p->h = (real)(REACH * w->spacing);
    make_constants(p, w);
    make_filled(p);
    half_space_brace(&p->crowd, p->bracing);
    if (p->is_area && !(p->fractions = fractions_create()))
        return result_fail(DEW_NO_MEMORY, "no memory for the tables of kernel fractions");
    line_table_make(&p->line_table, w->dimension, w->spacing, LINE_REACH * w->spacing);
    return DEW_OK;
}

static dew_result create(void *state, world *w, const double *values)
{
    mps_state *p = state;
    if (w->material_count > MPS_MOST_LIQUIDS)
        return result_fail(DEW_INVALID, "mps takes %d liquids at the most; there are %d materials", MPS_MOST_LIQUIDS,
                           w->material_count);
    for (int k = 0; k < MPS_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    int *index[] = {&p->change,          &p->lean,   &p->is_surface, &p->density,
                    &p->solver_pressure, &p->normal, &p->unrest,     &p->strain,
                    &p->strain_across,   &p->hold,   &p->went,       &p->pressure};
    RESULT_TRY(particles_add_fields(w->particles, sizeof index / sizeof *index, fields, index));
    p->is_area = w->dimension == 3 && w->material_count == 1 && p->parameter[MPS_TENSION] < 0.5;
    p->is_paper = p->parameter[MPS_TENSION] > 1.5;
    if (!p->is_area && mps_has_hysteresis(w))
        return result_fail(DEW_INVALID, "mps holds contact lines (advancing and receding angles) by the tension of the "
                                        "surface's area alone: 3D, one liquid, mps.tension: area");
    RESULT_TRY(mps_make(p, w));
    shear_table_make(&p->shear_table, viscous_slope, (double)p->h, w->dimension, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    neighbours_set_reach(w->neighbours, (double)p->h, 0.15 * w->spacing);
    return DEW_OK;
}

static void destroy(void *state) { fractions_destroy(((mps_state *)state)->fractions); }

double mps_viscosity_of(const mps_state *p, const world *w, int material)
{
    const dew_material_def *m = &w->materials[material];
    double calming = p->parameter[MPS_OWN_VISCOSITY] * sqrt(m->surface_tension * w->spacing / m->density);
    return fmax(m->viscosity / m->density, calming);
}

/* --- the step's length --- */

static void sum_velocity(int begin, int end, void *context, double *sums)
{
    const real4 *v = context;
    for (int i = begin; i < end; i++) sums[0] += (double)v[i].x, sums[1] += (double)v[i].y, sums[2] += (double)v[i].z;
}

typedef struct speeds {
    const real4 *v;
    double mean[3];
} speeds;

static void largest_square(int begin, int end, void *context, double *maxima)
{
    const speeds *s = context;
    for (int i = begin; i < end; i++) {
        double x = (double)s->v[i].x - s->mean[0], y = (double)s->v[i].y - s->mean[1],
               z = (double)s->v[i].z - s->mean[2];
        maxima[0] = fmax(maxima[0], x * x + y * y + z * z);
    }
}

/* The largest speed against the liquid's mean, m/s, and where there are solids of them too. */
static double largest_speed(const world *w)
{
    const particles *all = w->particles;
    speeds s = {all->velocity, {0, 0, 0}};
    double square_of;
    if (solids_count(w->solids) == 0 && !w->has_inflow && all->count > 0) {
        parallel_sum(all->count, 3, sum_velocity, all->velocity, s.mean);
        for (int a = 0; a < 3; a++) s.mean[a] /= all->count;
    }
    parallel_max(all->count, 1, largest_square, &s, &square_of);
    return fmax(square_of > 0 ? sqrt(square_of) : 0, solids_max_speed(w->solids, w->time, w->frame_interval));
}

/* Of what gamma/mu lets a particle go in a step, spacings; and of dt nu/s^2, beyond which floats cannot solve for
 * velocities. */
#define VISCOUS_STEP 0.1
#define MOST_SPREAD 400
/* Of p dt^2/(rho h^2), so that waves of speed sqrt(p/rho), those of a pool among them, cross a quarter of a spacing. */
#define MOST_PRESSED 0.006
/* Where viscosity rules, forces move liquid by gamma/mu: shifts take this part of the time in which that is a spacing,
 * or they would counter the flow. */
#define CREEPING 0.3
/* Of an inertial liquid, and of one that its viscosity holds, where forces move particles by gamma/mu. */
static double capillary_step(const mps_state *p, const world *w)
{
    double s = w->spacing, part = p->parameter[MPS_CAPILLARY], step = INFINITY;
    for (int a = 0; a < w->material_count; a++)
        for (int b = 0; b <= a; b++) {
            const dew_material_def *m = &w->materials[a], *n = &w->materials[b];
            double gamma = a == b ? m->surface_tension : mps_tension_between(w, a, b);
            double density = (m->density + n->density) / 2, mu = fmin(m->viscosity, n->viscosity);
            if (gamma > 0)
                step =
                    fmin(step, part * (sqrt(density * s * s * s / (2 * PI * gamma)) + VISCOUS_STEP * mu * s / gamma));
        }
    return step;
}

/* Over all liquids, m2/s. */
static double most_viscosity(const mps_state *p, const world *w)
{
    double most = 0;
    for (int m = 0; m < w->material_count; m++) most = fmax(most, mps_viscosity_of(p, w, m));
    return most;
}

static double pressing_step(const mps_state *p, const world *w)
{
    double pressure = world_typical_pressure(w, particles_field(w->particles, p->solver_pressure));
    return pressure > 0 ? sqrt(MOST_PRESSED * w->materials[0].density * (double)(p->h * p->h) / pressure) : INFINITY;
}

double mps_max_time_step(mps_state *p, world *w)
{
    double s = w->spacing, reach = p->parameter[MPS_CFL] * s, g = vec3_length(w->gravity);
    double capillary = capillary_step(p, w);
    double fastest = largest_speed(w);
    /* speed dt + g dt^2/2 = reach */
    double moving = fastest > 0 || g > 0 ? 2 * reach / (fastest + sqrt(fastest * fastest + 2 * g * reach)) : INFINITY;
    double spreading = MOST_SPREAD * w->spacing * w->spacing / most_viscosity(p, w);
    double waves = p->strain >= 0 ? mps_elastic_step(p, w) : INFINITY,
           limit = fmin(fmin(capillary, moving), fmin(spreading, waves));
    if (p->is_area) limit = fmin(limit, pressing_step(p, w));
    w->limit = limit == capillary   ? "capillary"
               : limit == moving    ? "motion"
               : limit == spreading ? "viscosity"
               : limit == waves     ? "elasticity"
                                    : "pressure";
    return limit;
}

/* --- the step --- */

/* Lists that hold through the step, for every pair from both sides. The skin takes the step's motion and leaves as much
 * for steps to come; it depends on nothing that a resumed run would not know. */
static dew_result update_lists(mps_state *p, world *w, double dt)
{
    double g = vec3_length(w->gravity), s = (double)p->s, skin = 0.15 * s;
    double motion = (1.2 * world_largest_speed(w) + g * dt) * dt + 0.03 * s;
    while (skin < 3 * motion && skin < 2 * s) skin *= 1.5;
    if (skin != neighbours_skin(w->neighbours)) neighbours_set_reach(w->neighbours, (double)p->h, skin);
    neighbours_expect(w->neighbours, motion);
    return world_update_neighbours(w, false);
}

dew_result mps_open(mps_state *p, world *w, double dt, mps_step *k)
{
    particles *all = w->particles;
    int count = all->count;
    *k = (mps_step){.p = p, .w = w, .all = all, .lists = neighbours_lists(w->neighbours), .count = count};
    k->blocks = PAIR_BLOCKS(count), k->dt = (real)dt, k->h = p->h, k->inv_h = 1 / p->h;
    k->x = all->position, k->v = all->velocity, k->change = particles_field(all, p->change);
    k->lean = particles_field(all, p->lean);
    k->normal = particles_field(all, p->normal), k->unrest = particles_field(all, p->unrest);
    k->hold = particles_field(all, p->hold), k->went = particles_field(all, p->went);
    k->pressure = particles_field(all, p->solver_pressure), k->is_surface = particles_field(all, p->is_surface);
    ARENA_TRY(w->scratch, count, k->facing, k->force, k->target, k->air, k->wall, k->grow);
    double g = vec3_length(w->gravity);
    double falling = g > 0 ? sqrt(2 * p->parameter[MPS_CFL] * w->spacing / g) : INFINITY;
    k->calm_dt = (real)fmin(fmin(capillary_step(p, w) / p->parameter[MPS_CAPILLARY], falling), 1e30);
    const dew_material_def *m = &w->materials[0];
    double creeping = m->surface_tension > 0 ? CREEPING * m->viscosity * w->spacing / m->surface_tension : 0;
    double forces = fmin(capillary_step(p, w) / (2 * p->parameter[MPS_CAPILLARY]), pressing_step(p, w));
    k->pace = (real)fmin(dt / (forces + creeping), 1);
    double sight = p->is_area ? SIGHT * (double)p->h : 0;
    return near_walls_find(&k->near, w->solids, w->scratch, p->h, sight, count, k->x);
}

static void fall(int begin, int end, void *context)
{
    mps_step *k = context;
    dew_vec3 g = vec3_scale((double)k->dt, k->w->gravity);
    for (int i = begin; i < end; i++) real4_add(&k->v[i], (real3){(real)g.x, (real)g.y, (real)g.z});
}

/* The pressure is the virial's, of the potential and of the pressure's forces, which balance it; over the part of them
 * that is liquid. */
static void tell_pressure(int begin, int end, void *context)
{
    const mps_step *k = context;
    const mps_state *p = k->p;
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

static void mark_held(int begin, int end, void *context)
{
    mps_step *k = context;
    for (int i = begin; i < end; i++) {
        k->is_held[i] = world_held(k->w, i) != NULL;
        if (k->is_held[i]) k->wall[i] = (real4){0, 0, 0, 0};
    }
}

/* What an emitter holds is a piston, which no solid mirrors. */
static dew_result find_held(mps_step *k)
{
    if (k->w->held_count == 0) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->is_held);
    parallel_for(k->count, 4096, mark_held, k);
    return DEW_OK;
}

dew_result mps_begin_area(mps_step *k)
{
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    mps_find_density(k);
    RESULT_TRY(find_held(k));
    return mps_find_skin(k);
}

dew_result mps_force_area(mps_step *k)
{
    parallel_for(k->count, 4096, fall, k);
    RESULT_TRY(mps_push_as_before(k));
    return mps_area_tension(k);
}

static dew_result area_step(mps_step *k)
{
    RESULT_TRY(mps_begin_area(k));
    RESULT_TRY(mps_elastic(k));
    RESULT_TRY(mps_force_area(k));
    size_t mark = arena_mark(k->w->scratch);
    RESULT_TRY(mps_viscosity(k));
    arena_release(k->w->scratch, mark);
    RESULT_TRY(mps_project(k));
    RESULT_TRY(mps_mend(k));
    mps_move(k);
    return mps_smooth(k);
}

static dew_result step(void *state, world *w, double dt)
{
    mps_step k;
    RESULT_TRY(update_lists(state, w, dt));
    RESULT_TRY(mps_open(state, w, dt, &k));
    if (k.p->is_area) return area_step(&k);
    particles_update_ghosts(k.all, FIELD_POSITION_INDEX);
    mps_find_density(&k);
    RESULT_TRY(mps_elastic(&k));
    parallel_for(k.count, 4096, fall, &k);
    RESULT_TRY(mps_tension(&k));
    mps_push(&k, k.pressure);
    RESULT_TRY(mps_viscosity(&k));
    RESULT_TRY(mps_solve_pressure(&k));
    parallel_for(k.count, 4096, tell_pressure, &k);
    mps_move(&k);
    return DEW_OK;
}

static double max_time_step(void *state, world *w) { return mps_max_time_step(state, w); }

/* --- what it tells --- */

static bool measure(const void *state, const world *w, const char *quantity, double *value)
{
    const mps_state *p = state;
    if (strcmp(quantity, "film_tension") == 0) return mps_film_tension(p, w, value);
    if (strcmp(quantity, "pressure_jump") != 0 || w->time == 0) return false;
    /* In the skin, h deep, the virial is that of tension too. */
    *value = world_deep_pressure(w, particles_field(w->particles, p->pressure),
                                 particles_field(w->particles, p->is_surface), p->h);
    return true;
}

static void viscosity_range(void *state, world *w, double range[2])
{
    range[0] = mps_viscosity_of(state, w, 0) - w->materials[0].viscosity / w->materials[0].density, range[1] = INFINITY;
}

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
             .measures = {"pressure_jump", "film_tension"}},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .state_size = sizeof(mps_state),
    .look_steps = 1000,
    .held_layers = 3,
    .create = create,
    .max_time_step = max_time_step,
    .step = step,
    .may_change = 1u << WORLD_GRAVITY | 1u << WORLD_VISCOSITY | 1u << WORLD_SURFACE_TENSION |
                  1u << WORLD_CONTACT_ANGLE | 1u << WORLD_SLIP_LENGTH | 1u << WORLD_FRICTION,
    .measure = measure,
    .viscosity_range = viscosity_range,
    .destroy = destroy,
};
