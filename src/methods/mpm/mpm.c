#include "methods/mpm/mpm.h"

#include "base/parallel.h"
#include "definition/definition.h"
#include "particles/kernels.h"
#include "solids/moving_line.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const dew_parameter parameters[MPM_PARAMETER_COUNT] = {
    [MPM_CELL] =
        {"cell", "1", 0, 0, 4, NULL,
         "between nodes of the grid, in particle spacings; below 1: 1.4 in 3D, but 2 with elastic solids and in 2D"},
    [MPM_SOUND] = {"sound", "1", 12, 3, 100, NULL,
                   "speed of sound over the largest of the gravity, capillary and flow speeds of the scene"},
    [MPM_SOUND_SPEED] = {"sound_speed", "m/s", 0, 0, 1e6, NULL, "speed of sound; 0: by `sound`"},
    [MPM_STEP] = {"step", "1", 0.5, 0.05, 0.9, NULL, "share of the time that sound takes for a cell a substep takes"},
    [MPM_REUSE] = {"reuse", "1", 10, 1, 50, NULL, "substeps for which the samples of the surface are kept"},
    [MPM_CFL] = {"cfl", "1", 0.5, 0.05, 0.9, NULL, "cells that the fastest particle or solid moves in a step, at most"},
    [MPM_HEAT_STEP] =
        {"heat_step", "1", 0.5, 0.01, 1e6, NULL,
         "step over the time in which heat, or what is dissolved, spreads over a cell, at most; for accuracy only"},
    [MPM_SOLVER] = {"solver", "1", MPM_AUTO, 0, 3, "explicit|implicit|auto|backward_euler",
                    "forces of this substep; pressures and viscosity of the next one, by linear systems; the faster of "
                    "both; tension and elastic solids of the next one too"},
    [MPM_SHIFT] = {"shift", "1", 0.07, 0, 1, NULL,
                   "how fast particles move to where there are fewer, without velocity"},
};

static const field_info fields[MPM_FIELD_COUNT] = {
    [MPM_VISCOSITY] = {"viscosity", "Pa s", "dynamic viscosity", FIELD_REAL, 1,
                       FIELD_OUTPUT | FIELD_RESTART | FIELD_OF_VISCOSITIES},
    [MPM_TEMPERATURE_SLOPE] = {"temperature_slope", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART},
    [MPM_CONCENTRATION_SLOPE] = {"concentration_slope", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART},
    [MPM_DEFORMATION_X] = {"deformation_x", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART},
    {"deformation_y", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"deformation_z", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    [MPM_AFFINE_X] = {"affine_x", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"affine_y", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"affine_z", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    [MPM_STRAIN] = {"strain", "1", "volume over that without a pressure, less 1", FIELD_REAL, 1,
                    FIELD_OUTPUT | FIELD_RESTART},
    [MPM_REST_STRAIN] = {"rest_strain", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    [MPM_PUSHED] = {"pushed", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    [MPM_PRESSURE] = {"pressure", "Pa", "pressure", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    [MPM_IS_SURFACE] = {"is_surface", "1", "1 for particles within a spacing of the free surface", FIELD_UINT8, 1,
                        FIELD_OUTPUT | FIELD_RESTART},
    [MPM_SPIN] = {"spin", "m2/s", "angular momentum within a particle over its mass: velocities vary across it",
                  FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_RESTART | FIELD_CARRIED},
};

static void *field_of(const mpm_state *p, const world *w, int field)
{
    return p->field[field] >= 0 ? particles_field(w->particles, p->field[field]) : NULL;
}

mpm_arrays mpm_arrays_of(const mpm_state *p, const world *w)
{
    particles *s = w->particles;
    mpm_arrays a = {.x = s->position,
                    .v = s->velocity,
                    .count = s->count,
                    .strain = field_of(p, w, MPM_STRAIN),
                    .rest_strain = field_of(p, w, MPM_REST_STRAIN),
                    .pressure = field_of(p, w, MPM_PRESSURE),
                    .is_surface = field_of(p, w, MPM_IS_SURFACE),
                    .spin = field_of(p, w, MPM_SPIN),
                    .viscosity = field_of(p, w, MPM_VISCOSITY),
                    .pushed = field_of(p, w, MPM_PUSHED),
                    .material = w->material_count > 1 ? s->material : NULL,
                    .melted = w->heat ? heat_melted(w->heat, s) : NULL};
    for (int k = 0; k < 3; k++) {
        a.affine[k] = field_of(p, w, MPM_AFFINE_X + k);
        a.deformation[k] = field_of(p, w, MPM_DEFORMATION_X + k);
    }
    if (w->heat)
        a.carried[MPM_TEMPERATURE] =
            (mpm_carried){heat_temperatures(w->heat, s), field_of(p, w, MPM_TEMPERATURE_SLOPE)};
    if (w->solute)
        a.carried[MPM_CONCENTRATION] =
            (mpm_carried){solute_concentrations(w->solute, s), field_of(p, w, MPM_CONCENTRATION_SLOPE)};
    return a;
}

static double largest(const real *values, int count)
{
    real most = 0;
    for (int i = 0; i < count; i++) most = values[i] > most ? values[i] : most;
    return (double)most;
}

static double smallest(const real *values, int count)
{
    real least = INFINITY;
    for (int i = 0; i < count; i++) least = values[i] < least ? values[i] : least;
    return (double)least;
}

/* --- materials --- */

static bool is_elastic(const dew_material_def *m) { return definition_shear_modulus(m) > 0; }

static bool has_elastic(const world *w)
{
    for (int k = 0; k < w->material_count; k++)
        if (is_elastic(&w->materials[k])) return true;
    return false;
}

/* Whether there may be liquid, or all is solid for ever. */
static bool has_liquid(const world *w)
{
    for (int k = 0; k < w->material_count; k++)
        if (!is_elastic(&w->materials[k]) || isfinite(w->materials[k].melting_point)) return true;
    return false;
}

/* Finds the extremes of what materials have: each has its own density, tension, viscosity and elasticity. */
static void find_extremes(mpm_state *p, const world *w)
{
    p->most_tension = p->most_viscosity = p->density = 0, p->least_density = p->least_viscosity = INFINITY;
    for (int k = 0; k < w->material_count; k++) {
        const dew_material_def *m = &w->materials[k];
        p->most_tension = fmax(p->most_tension, m->surface_tension);
        p->most_viscosity = fmax(p->most_viscosity, m->viscosity);
        p->least_viscosity = fmin(p->least_viscosity, m->viscosity);
        p->density = fmax(p->density, m->density), p->least_density = fmin(p->least_density, m->density);
    }
}

static dew_result check_materials(const world *w)
{
    if (w->material_count == 1 || (!w->heat && !w->solute)) return DEW_OK;
    return result_fail(DEW_INVALID, "mpm follows temperatures and concentrations in one material only; there are %d",
                       w->material_count);
}

/* Speeds that the scene brings with it: sqrt(2 g H) of a fall through the liquid's height H, and sqrt(gamma/(rho R)) of
 * the ball of its volume, as they are now. Flow speeds raise the speed of sound as they come. */
static double scene_speed(const mpm_state *p, const world *w)
{
    const double radius = world_ball_radius(w) * pow(mpm_parts_of_liquid(w), 1.0 / w->dimension);
    return fmax(sqrt(2 * vec3_length(w->gravity) * world_liquid_depth(w)),
                sqrt(p->most_tension / (p->least_density * radius)));
}

/* What particles find by expressions stays as it is. */
static void changed(void *state, world *w)
{
    mpm_state *p = state;
    const double tension = p->most_tension, most = p->most_viscosity, least = p->least_viscosity;
    find_extremes(p, w);
    if (w->materials[0].surface_tension_of_temperature.evaluate) p->most_tension = tension;
    if (w->materials[0].viscosity_of_temperature.evaluate) p->most_viscosity = most, p->least_viscosity = least;
    p->least_speed = scene_speed(p, w);
}

/* Whether particles differ in viscosity, now or later. */
static bool has_viscosities(const world *w)
{
    if (w->material_count > 1 && w->will_change & 1u << WORLD_VISCOSITY) return true;
    for (int k = 0; k < w->material_count; k++)
        if (w->materials[k].viscosity != w->materials[0].viscosity) return true;
    return w->materials[0].viscosity_of_temperature.evaluate;
}

static bool has_field(const world *w, int field)
{
    switch (field) {
    case MPM_VISCOSITY:
        return has_viscosities(w);
    case MPM_TEMPERATURE_SLOPE:
        return w->heat;
    case MPM_CONCENTRATION_SLOPE:
        return w->solute;
    case MPM_DEFORMATION_X:
    case MPM_DEFORMATION_X + 1:
        return has_elastic(w);
    case MPM_DEFORMATION_X + 2:
        return has_elastic(w) && w->dimension == 3;
    case MPM_AFFINE_X + 2:
        return w->dimension == 3;
    case MPM_PUSHED:
        return w->has_inflow;
    default:
        return true;
    }
}

static dew_result create_fields(mpm_state *p, world *w)
{
    for (int k = 0; k < MPM_FIELD_COUNT; k++) {
        p->field[k] = -1;
        if (has_field(w, k)) RESULT_TRY(particles_add_field(w->particles, &fields[k], &p->field[k]));
    }
    return DEW_OK;
}

dew_result mpm_find_tensions(const world *w, int count, const real *temperature, const real *concentration, real *out)
{
    const dew_material_def *m = &w->materials[0];
    char what[96];
    snprintf(what, sizeof what, "the surface_tension of '%s'", m->name);
    return heat_evaluate(m->surface_tension_of_temperature, what, "N/m", count, temperature, concentration, out);
}

typedef struct taking {
    mpm_arrays a;
    const dew_material_def *materials;
} taking;

static void take_viscosities(int begin, int end, void *context)
{
    const taking *t = context;
    for (int i = begin; i < end; i++) t->a.viscosity[i] = (real)t->materials[t->a.material[i]].viscosity;
}

dew_result mpm_find_viscosities(mpm_state *p, const world *w)
{
    const dew_material_def *m = &w->materials[0];
    mpm_arrays a = mpm_arrays_of(p, w);
    char what[96];
    if (a.material) {
        parallel_for(a.count, 4096, take_viscosities, &(taking){a, w->materials});
        return DEW_OK;
    }
    snprintf(what, sizeof what, "the viscosity of '%s'", m->name);
    RESULT_TRY(heat_evaluate(m->viscosity_of_temperature, what, "Pa s", a.count, a.carried[MPM_TEMPERATURE].value,
                             a.carried[MPM_CONCENTRATION].value, a.viscosity));
    p->most_viscosity = largest(a.viscosity, a.count), p->least_viscosity = smallest(a.viscosity, a.count);
    return DEW_OK;
}

/* Finds the tension and viscosity that a step must bear at first, by what the liquid carries. */
static dew_result create_properties(mpm_state *p, world *w)
{
    mpm_arrays a = mpm_arrays_of(p, w);
    if ((!w->heat && !w->solute) || a.count == 0) return DEW_OK;
    if (w->materials[0].surface_tension_of_temperature.evaluate) {
        size_t mark = arena_mark(w->scratch);
        ARENA_ARRAY(w->scratch, a.count, real, tension);
        RESULT_TRY(mpm_find_tensions(w, a.count, a.carried[MPM_TEMPERATURE].value, a.carried[MPM_CONCENTRATION].value,
                                     tension));
        p->most_tension = largest(tension, a.count);
        arena_release(w->scratch, mark);
    }
    return a.viscosity ? mpm_find_viscosities(p, w) : DEW_OK;
}

/* Cells of 1.4 spacings show necks, threads and contact lines that two spacings blur, at twice the time. They ask for
 * particles that shifts keep even, which elastic solids are not; in two dimensions they would hold two particles. */
#define FINE_CELL 1.4
#define PLAIN_CELL 2.0

static double cell_of(const mpm_state *p, const world *w)
{
    const double cell = p->parameter[MPM_CELL];
    const bool is_fine = w->dimension == 3 && !has_elastic(w);
    return w->spacing * (cell >= 1 ? cell : is_fine ? FINE_CELL : PLAIN_CELL);
}

static dew_result create(void *state, world *w, const double *values)
{
    mpm_state *p = state;
    for (int k = 0; k < MPM_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    p->dx = cell_of(p, w);
    RESULT_TRY(mpm_fit_cells(p, w));
    p->area = p->volume = p->energy = NAN, p->bend = MPM_MOST_BEND, p->lightest = 1;
    shear_table_make(&p->shear, wendland_slope, 1.5 * w->spacing, w->dimension, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    RESULT_TRY(check_materials(w));
    find_extremes(p, w);
    RESULT_TRY(create_fields(p, w));
    RESULT_TRY(create_properties(p, w));
    p->least_speed = scene_speed(p, w);
    return DEW_OK;
}

/* Sound fast enough for what flows now; it never slows down, so that pressures do not jump, unless a resumed run has
 * other parameters. Pressures stay when it changes. */
static void update_sound(mpm_state *p, const world *w, double speed)
{
    const double most = 0.5; /* of the volume: by how much liquid may be off */
    double sound = p->parameter[MPM_SOUND_SPEED], factor = sound > 0 ? 0 : p->parameter[MPM_SOUND];
    if (!(sound > 0)) sound = factor * fmax(p->least_speed, speed);
    if (!(sound > 0) || (sound < p->saved_sound && factor > 0 && factor == p->saved_factor)) return;
    double ratio = p->saved_sound > 0 ? p->saved_sound / sound : 1;
    p->saved_sound = sound, p->saved_factor = factor;
    if (ratio == 1) return;
    real *strain = field_of(p, w, MPM_STRAIN), *rest = field_of(p, w, MPM_REST_STRAIN);
    for (int i = 0; i < w->particles->count; i++) {
        strain[i] = (real)fmin(fmax((double)strain[i] * ratio * ratio, -most), most);
        rest[i] *= (real)(ratio * ratio);
    }
}

/* Implicit substeps are bounded by capillary waves and cells, not by sound. On one contour no more of them than these,
 * about the time of ten explicit ones; and none longer than sound takes for so many cells, for the sake of drops at
 * rest. An implicit substep costs 3.4 explicit ones (`dew bench mpm-implicit`): from ten times their length on it is
 * taken where the solver is `auto`; below that, what it saves is not worth the currents that fewer transfers leave. In
 * liquid faster than twice the scene's own speed nobody sees those: there, and where no solid wets, half of that is
 * enough. */
enum { IMPLICIT_REUSE = 4, IMPLICIT_COURANT = 20, IMPLICIT_GAIN = 10, FAST_GAIN = 5, FAST = 2 };

/* The share of the explicit limit of capillary waves that a substep takes, where only pressures are implicit and there
 * are solids: the limit is that of full cells, and in films on walls samples pull at less. A drop that spread at 45
 * degrees threw single particles off at 20 m/s by the whole of it, at 3 m/s by 0.7 of it. */
#define IMPLICIT_WAVES 0.5

/* The limit of capillary waves is that of full cells. A particle alone on its nodes that has a surface A bears less: a
 * motion of these nodes has the energy m sum N v^2/2 and, along the surface, the stiffness gamma A (sum v grad N)^2,
 * which is gamma A S sum N v^2/dx^2 at most, S = sum N'^2/N along an axis, 4 to 6. So w^2 = S gamma A/(m dx^2), and 2/w
 * over sqrt(rho dx^3/(2 pi gamma)) is the root of (8 pi/S) m/(rho A dx). A thread of single particles blew up without
 * (trial_dumbbell, after it has parted). */
#define LIGHT_WAVES (8 * PI / 6)

/* Backward Euler of tension: so many times the explicit limit of capillary waves, and so many substeps on a contour.
 * Four times with four substeps blow up; four with one bear it, but each new contour makes currents of its own. */
enum { IMPLICIT_CAPILLARY = 3, IMPLICIT_CONTOUR = 2 };

/* Backward Euler costs less than explicit substeps in stiff solids (`dew bench mpm-velocities`), but damps their waves.
 * Where the solver is `auto` it is taken where a frame holds so many explicit substeps that none of these waves shows,
 * and where there is no liquid: with pools and drops that have frozen it is no faster (scenes/mpm/candle.yaml).
 */
enum { STIFF_FRAME = 5000 };

/* So many times what viscosity bears explicitly is the most for implicit substeps: nodes that few points reach move
 * almost freely, and conjugate gradients in float do not tell what is so many times as soft as the rest. */
#define STIFFEST 3e6

/* How many times as long as viscosity bears explicitly a substep must be, for implicit viscosity where the solver is
 * `auto`. */
enum { VISCOUS_GAIN = 8 };

/* Explicit sound next to walls that are bent, whose mirrors stretch what they turn: a bend by so much a cell halves the
 * substep. A drop on a fibre of a radius of 1.5 cells blew up where the lowest layers lie, with substeps of 0.5 dx/c;
 * with 0.4 it does not (trial_fibre). */
#define HALVING_BEND 0.6

/* Cells that liquid would fall in an implicit substep, at most, over (dx/s)^2. Pressure has to take back all that
 * gravity gives, and takes it as particles sample it, which leaves hundredths, the more the fewer there are in a cell:
 * a pool of 10 layers stirs at 0.01 m/s, and sinks by 1.3 %, where it falls by 0.1 cells of two spacings. */
#define FALL 0.0015

/* Under implicit viscosity what swings is held back within the substep: x'' + 2 b x' + w^2 x = 0 with b x' implicit is
 * stable while w^2 dt^2 < 4 + 4 b dt. Capillary waves of wave number k have w^2 = gamma k^3/rho, b = 2 nu k^2 (Lamb);
 * sound has w = c k, b = nu k^2, and where all of a drop is pressed alike, in d dimensions, b is d times less. This is
 * the share of b dt that is taken: by half of it nothing overshoots, and of a quarter a drop that creeps goes (dx/R)/6
 * too fast, as forces of the beginning act for the whole substep. */
#define CREEPING_SHARE 0.25

/* Liquid creeps where the Ohnesorge number of a cell, mu/sqrt(rho gamma dx), is above this. Each contour of such steps
 * is new: samples that are carried for as long would fall 3 to 6 % behind (`honey`). Nearer to 1 inertia still takes
 * the mean over contours, whose currents are not of viscosity's size (`marangoni_drop`). */
#define CREEPING_FROM 10

/* The longest substeps that each of the forces bears explicitly, s. */
typedef struct limits {
    double sound, capillary, viscous, elastic;
    bool is_creeping;                          /* liquid of a cell's size is */
    double creeping_sound, creeping_capillary; /* the same under implicit viscosity */
    double stiffest;                           /* of implicit viscosity, where liquid creeps */
    double gravity;                            /* not for the sake of stability: see FALL */
    double implicit_waves;                     /* share of the capillary limit that implicit pressures bear, 1 */
} limits;

/* dt^2 = limit^2 + CREEPING_SHARE damping dt */
static double creeping(double limit, double damping)
{
    const double half = 0.5 * CREEPING_SHARE * damping;
    return half + sqrt(half * half + limit * limit);
}

static limits find_limits(const mpm_state *p, const world *w)
{
    limits l = {.sound = INFINITY,
                .capillary = INFINITY,
                .viscous = INFINITY,
                .elastic = mpm_elastic_limit(p, w),
                .creeping_sound = INFINITY,
                .creeping_capillary = INFINITY,
                .stiffest = INFINITY,
                .gravity = INFINITY,
                .implicit_waves = 1};
    l.gravity = p->dx / w->spacing * sqrt(2 * FALL * p->dx / vec3_length(w->gravity));
    if (solids_count(w->solids) > 0) l.implicit_waves = IMPLICIT_WAVES;
    if (!has_liquid(w)) return l;
    double density = p->least_density;
    l.sound = p->parameter[MPM_STEP] * p->dx / p->saved_sound * sqrt(density / p->density);
    if (solids_count(w->solids) > 0) l.sound /= 1 + p->bend / HALVING_BEND;
    if (p->most_tension > 0) l.capillary = sqrt(density * p->dx * p->dx * p->dx / (2 * PI * p->most_tension));
    l.capillary *= fmin(1, sqrt(LIGHT_WAVES * p->lightest));
    if (p->most_viscosity > 0) l.viscous = density * p->dx * p->dx / (4 * w->dimension * p->most_viscosity);
    l.creeping_sound = l.sound, l.creeping_capillary = l.capillary;
    l.is_creeping = p->most_tension > 0 && p->least_viscosity > CREEPING_FROM * sqrt(density * p->most_tension * p->dx);
    if (!l.is_creeping) return l;
    l.stiffest = STIFFEST * l.viscous;
    const double modulus = p->density * p->saved_sound * p->saved_sound;
    l.creeping_sound = creeping(l.sound, 4 * p->least_viscosity / (w->dimension * modulus));
    l.creeping_capillary = creeping(l.capillary, 8 * p->least_viscosity * p->dx / (PI * p->most_tension));
    return l;
}

static void shorten(mpm_scheme *s, double limit, const char *name)
{
    if (limit < s->longest) s->longest = limit, s->limit = name;
}

/* Finds the scheme's own limit: that of what is explicit, and so many cells for the waves of what is not. */
static void find_longest(const mpm_state *p, const limits *l, mpm_scheme *s)
{
    double cells = IMPLICIT_COURANT / p->parameter[MPM_STEP];
    s->longest = INFINITY;
    double waves = s->energy ? IMPLICIT_CAPILLARY : s->pressure ? l->implicit_waves : 1;
    double sound = s->viscosity ? l->creeping_sound : l->sound;
    shorten(s, waves * (s->viscosity ? l->creeping_capillary : l->capillary), "capillary waves");
    shorten(s, s->viscosity ? l->stiffest : l->viscous, "viscosity");
    shorten(s, s->pressure ? cells * sound : sound, "sound");
    shorten(s, s->energy ? cells * l->elastic : l->elastic, "elastic waves");
    if (s->pressure) shorten(s, l->gravity, "gravity");
}

bool mpm_has_friction(const world *w)
{
    for (int k = 0; k < solids_count(w->solids); k++)
        if (solids_info(w->solids, k, 0).friction > 0) return true;
    return false;
}

/* How many times as long as sound's a substep must be for implicit pressures where the solver is `auto`. Where a solid
 * wets, films on it run too far by long substeps (scenes/mpm/contact-angles.yaml, 45 degrees: by a fifth). */
static double gain_of(const mpm_state *p, const world *w)
{
    for (int k = 0; k < solids_count(w->solids); k++)
        if (solids_info(w->solids, k, p->most_tension).cos_contact_angle > 1e-6) return IMPLICIT_GAIN;
    return p->saved_sound > FAST * p->parameter[MPM_SOUND] * p->least_speed ? FAST_GAIN : IMPLICIT_GAIN;
}

/* Friction acts on the lowest layer, and viscosity hands it on in the next substep: a block that should rest creeps by
 * what a substep does to it. So where a wall rubs, `auto` leaves viscosity explicit. */
mpm_scheme mpm_scheme_of(const mpm_state *p, const world *w)
{
    limits l = find_limits(p, w);
    mpm_scheme s = {0};
    int solver = (int)p->parameter[MPM_SOLVER];
    bool is_auto = solver == MPM_AUTO;
    s.energy =
        solver == MPM_BACKWARD_EULER || (is_auto && !has_liquid(w) && STIFF_FRAME * l.elastic < w->frame_interval);
    s.pressure = has_liquid(w) && (solver == MPM_IMPLICIT || s.energy);
    double others = fmin(l.implicit_waves * l.capillary, l.elastic);
    double least = !is_auto ? 1 : mpm_has_friction(w) ? INFINITY : VISCOUS_GAIN;
    if (is_auto && !s.energy) { /* viscosity is no obstacle where it is far below the others: then it is implicit */
        double gain = gain_of(p, w) * l.sound;
        bool is_viscous = least * l.viscous < fmin(others, gain);
        if (is_viscous) {
            gain *= l.creeping_sound / l.sound;
            others = fmin(fmin(l.implicit_waves * l.creeping_capillary, l.elastic), l.stiffest);
        }
        s.pressure = has_liquid(w) && (is_viscous ? others : fmin(others, l.viscous)) > gain;
    }
    limits swinging = l; /* viscosity is implicit where it binds what there would be without creeping */
    swinging.creeping_sound = l.sound, swinging.creeping_capillary = l.capillary;
    s.viscosity = true;
    find_longest(p, &swinging, &s);
    s.viscosity = solver != MPM_EXPLICIT && least * l.viscous < s.longest && isfinite(s.longest);
    s.is_creeping = s.viscosity && l.is_creeping;
    find_longest(p, &l, &s);
    return s;
}

/* Notes how far an emitter has pushed a particle; any/density.c finds how much of that was into liquid. */
static void emitter_moved(void *state, world *w, int slot, double spacings)
{
    real *pushed = field_of(state, w, MPM_PUSHED);
    pushed[slot] += (real)spacings;
}

static double max_time_step(void *state, world *w)
{
    mpm_state *p = state;
    double solid = world_solid_speed(w);
    double speed = fmax(world_largest_speed(w), solid);
    update_sound(p, w, speed);
    double reuse = p->parameter[MPM_REUSE];
    mpm_scheme s = mpm_scheme_of(p, w);
    if (s.pressure || s.energy) reuse = fmin(reuse, s.pressure && s.energy ? IMPLICIT_CONTOUR : IMPLICIT_REUSE);
    if (s.is_creeping) reuse = 1;
    s.longest *= reuse;
    const dew_material_def *m = &w->materials[0];
    const double spread = p->parameter[MPM_HEAT_STEP] * p->dx * p->dx;
    shorten(&s, p->parameter[MPM_CFL] * p->dx / speed, "flow");
    if (w->heat) shorten(&s, spread * m->density * m->heat_capacity / m->conductivity, "heat");
    if (w->solute) shorten(&s, spread / m->diffusivity, "diffusion");
    shorten(&s, world_drag_step(w, s.longest), "drag");
    w->limit = s.limit;
    return s.longest;
}

/* The way from particles to the grid and back damps by substep. Measured by the law `oscillation` without viscosity. */
#define OWN_VISCOSITY 0.004

static double own_viscosity(void *state, world *w)
{
    const mpm_state *p = state;
    const double most = max_time_step(state, w), dt = fmin(mpm_scheme_of(p, w).longest, most);
    return OWN_VISCOSITY * w->spacing * w->spacing / dt;
}

typedef struct spin_pass {
    mpm_arrays a;
    real scale;
} spin_pass;

/* The nodes' momentum about a particle, over its mass: (dx^2/4) sum_a e_a x A e_a, as sum N (node - x)(node - x)^T =
 * dx^2/4. */
static void find_spins(int begin, int end, void *context)
{
    const spin_pass *s = context;
    for (int i = begin; i < end; i++) {
        real4 spin = {0, 0, 0, 0};
        for (int k = 0; k < 3; k++) {
            const real4 *column = s->a.affine[(k + 1) % 3], *next = s->a.affine[(k + 2) % 3];
            if (column && next) (&spin.x)[k] = s->scale * ((&column[i].x)[(k + 2) % 3] - (&next[i].x)[(k + 1) % 3]);
        }
        s->a.spin[i] = spin;
    }
}

static dew_result step(void *state, world *w, double dt)
{
    mpm_state *p = state;
    int substeps = (int)ceil(dt / mpm_scheme_of(p, w).longest * (1 - 1e-9));
    mpm_step *const of_dimension = w->dimension == 2 ? mpm_step_2d : mpm_step_3d;
    RESULT_TRY(of_dimension(p, w, dt, substeps > 1 ? substeps : 1));
    parallel_for(w->particles->count, 4096, find_spins, &(spin_pass){mpm_arrays_of(p, w), (real)(p->dx * p->dx / 4)});
    return DEW_OK;
}

static bool measure(const void *state, const world *w, const char *quantity, double *value)
{
    const mpm_state *p = state;
    if (strcmp(quantity, "pressure_jump") == 0) {
        mpm_arrays a = mpm_arrays_of(p, w);
        double sum = 0;
        for (int i = 0; i < a.count; i++) sum += (double)a.pressure[i];
        *value = a.count > 0 ? sum / a.count : NAN;
        return true;
    }
    if (strcmp(quantity, "surface_area") == 0) return *value = p->area, true;
    if (strcmp(quantity, "surface_energy") == 0) return *value = p->energy, true;
    if (strcmp(quantity, "own_volume") == 0) return *value = p->volume, true;
    if (strcmp(quantity, "elastic_energy") == 0) return *value = mpm_elastic_energy(p, w), true;
    return false;
}

static void visit(void *state, state_array_fcn *array, void *context)
{
    array(context, "state", DEW_ITEM_DOUBLE, offsetof(mpm_state, parameter) / sizeof(double), state);
}

const method method_mpm = {
    .info = {.name = "mpm",
             .title = "material point method with surface energies",
             .source = "Chen, Kala, Marquez-Razon, Gueidon, Hyde, Teran: A momentum-conserving implicit material point "
                       "method for surface tension with contact angles and spatial gradients, ACM Transactions on "
                       "Graphics 40(4), 111, 2021",
             .slip_length = 0,
             .line_slip = LINE_SLIP,
             .least_across = 5,
             .least_thick = 4,
             .features = DEW_FEATURE_3D | DEW_FEATURE_2D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_HEAT |
                         DEW_FEATURE_ELASTIC | DEW_FEATURE_NO_SLIP | DEW_FEATURE_SOLUTE | DEW_FEATURE_SEVERAL_LIQUIDS |
                         DEW_FEATURE_RIGID_COUPLING | DEW_FEATURE_PERIODIC | DEW_FEATURE_SYMMETRY,
             .parameters = parameters,
             .parameter_count = MPM_PARAMETER_COUNT,
             .measures = {"pressure_jump", "surface_area", "surface_energy", "own_volume", "elastic_energy"},
             .has_spin = true},
    .fields = fields,
    .field_count = MPM_FIELD_COUNT,
    .state_size = sizeof(mpm_state),
    .look_steps = 100,
    .create = create,
    .max_time_step = max_time_step,
    .own_viscosity = own_viscosity,
    .emitter_moved = emitter_moved,
    .held_layers = 3,
    .step = step,
    .measure = measure,
    .visit = visit,
    .may_change = 1u << WORLD_GRAVITY | 1u << WORLD_VISCOSITY | 1u << WORLD_SURFACE_TENSION |
                  1u << WORLD_YOUNGS_MODULUS | 1u << WORLD_SHEAR_MODULUS | 1u << WORLD_CONTACT_ANGLE |
                  1u << WORLD_SLIP_LENGTH | 1u << WORLD_FRICTION,
    .changed = changed,
};
