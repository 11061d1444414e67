#include "methods/mpm/mpm.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const dew_parameter parameters[MPM_PARAMETER_COUNT] = {
    [MPM_CELL] = {"cell", "1", 2, 1, 4, NULL, "between nodes of the grid, in particle spacings"},
    [MPM_SOUND] = {"sound", "1", 12, 3, 100, NULL,
                   "speed of sound over the largest of the gravity, capillary and flow speeds of the scene"},
    [MPM_SOUND_SPEED] = {"sound_speed", "m/s", 0, 0, 1e6, NULL, "speed of sound; 0: by `sound`"},
    [MPM_STEP] = {"step", "1", 0.5, 0.05, 0.9, NULL, "share of the time that sound takes for a cell a substep takes"},
    [MPM_REUSE] = {"reuse", "1", 10, 1, 50, NULL, "substeps for which the samples of the surface are kept"},
    [MPM_CFL] = {"cfl", "1", 0.5, 0.05, 0.9, NULL, "cells that the fastest particle or solid moves in a step, at most"},
    [MPM_HEAT_STEP] =
        {"heat_step", "1", 0.5, 0.01, 1e6, NULL,
         "step over the time in which heat, or what is dissolved, spreads over a cell, at most; for accuracy only"},
    [MPM_SOLVER] = {"solver", "1", MPM_AUTO, 0, 2, "explicit|implicit|auto",
                    "pressures of this substep; of the next one, by a linear system; auto: implicit where it is three "
                    "times as fast"},
    [MPM_SHIFT] = {"shift", "1", 0.07, 0, 1, NULL,
                   "how fast particles move to where there are fewer, without velocity"},
};

static const field_info fields[] = {
    {"affine_x", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"affine_y", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"affine_z", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"strain", "1", "volume over that at rest, less 1", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"pressure", "Pa", "pressure", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"is_surface", "1", "1 for particles within a spacing of the free surface", FIELD_UINT8, 1,
     FIELD_OUTPUT | FIELD_RESTART},
    {"warmth", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART},
    {"viscosity", "Pa s", "dynamic viscosity", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"richness", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART},
};

mpm_arrays mpm_arrays_of(const mpm_state *p, const world *w)
{
    particles *s = w->particles;
    mpm_arrays a = {.x = s->position,
                    .v = s->velocity,
                    .count = s->count,
                    .strain = particles_field(s, p->strain),
                    .pressure = particles_field(s, p->pressure)};
    for (int k = 0; k < w->dimension; k++) a.affine[k] = particles_field(s, p->affine[k]);
    if (w->heat) a.temperature = heat_temperatures(w->heat, s), a.warmth = particles_field(s, p->warmth);
    if (w->solute) a.concentration = solute_concentrations(w->solute, s), a.richness = particles_field(s, p->richness);
    if (p->viscosity >= 0) a.viscosity = particles_field(s, p->viscosity);
    return a;
}

static double largest(const real *values, int count)
{
    real most = 0;
    for (int i = 0; i < count; i++) most = values[i] > most ? values[i] : most;
    return (double)most;
}

dew_result mpm_find_viscosities(mpm_state *p, const world *w)
{
    const material *m = &w->materials[0];
    mpm_arrays a = mpm_arrays_of(p, w);
    char what[96];
    snprintf(what, sizeof what, "the viscosity of '%s'", m->name);
    RESULT_TRY(
        heat_evaluate(m->viscosity_of_temperature, what, "Pa s", a.count, a.temperature, a.concentration, a.viscosity));
    p->most_viscosity = largest(a.viscosity, a.count);
    return DEW_OK;
}

/* Fields of heat and of what is dissolved, and what the step must bear at the start. */
static dew_result create_carried(mpm_state *p, world *w)
{
    const material *m = &w->materials[0];
    p->warmth = p->richness = p->viscosity = -1;
    p->most_tension = m->surface_tension, p->most_viscosity = m->viscosity;
    if (!w->heat && !w->solute) return DEW_OK;
    if (w->heat) RESULT_TRY(particles_add_field(w->particles, &fields[6], &p->warmth));
    if (w->solute) RESULT_TRY(particles_add_field(w->particles, &fields[8], &p->richness));
    if (m->surface_tension_of_temperature.evaluate) {
        size_t n = (size_t)w->particles->count + 1, mark = arena_mark(w->scratch);
        real *tension = arena_alloc(w->scratch, n * sizeof *tension);
        char what[96];
        if (!tension) return result_fail(DEW_NO_MEMORY, "no memory for the surface tensions");
        snprintf(what, sizeof what, "the surface_tension of '%s'", m->name);
        RESULT_TRY(heat_evaluate(m->surface_tension_of_temperature, what, "N/m", w->particles->count,
                                 w->heat ? heat_temperatures(w->heat, w->particles) : NULL,
                                 w->solute ? solute_concentrations(w->solute, w->particles) : NULL, tension));
        if (w->particles->count > 0) p->most_tension = largest(tension, w->particles->count);
        arena_release(w->scratch, mark);
    }
    if (!m->viscosity_of_temperature.evaluate) return DEW_OK;
    RESULT_TRY(particles_add_field(w->particles, &fields[7], &p->viscosity));
    return w->particles->count > 0 ? mpm_find_viscosities(p, w) : DEW_OK;
}

/* Speeds that the scene brings with it: sqrt(2 g H) of a fall through the liquid's height H, and sqrt(gamma/(rho R)) of
 * the ball of its volume. Flow speeds raise the speed of sound as they come. */
static double scene_speed(const mpm_state *p, const world *w)
{
    const material *m = &w->materials[0];
    return fmax(sqrt(2 * vec3_length(w->gravity) * world_liquid_depth(w)),
                sqrt(p->most_tension / (m->density * world_ball_radius(w))));
}

static dew_result create(void *state, world *w, const double *values)
{
    mpm_state *p = state;
    for (int k = 0; k < MPM_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    p->dx = values[MPM_CELL] * w->spacing;
    p->area = p->volume = p->energy = NAN;
    RESULT_TRY(create_carried(p, w));
    p->least_speed = scene_speed(p, w);
    for (int k = 0; k < w->dimension; k++) RESULT_TRY(particles_add_field(w->particles, &fields[k], &p->affine[k]));
    RESULT_TRY(particles_add_field(w->particles, &fields[3], &p->strain));
    RESULT_TRY(particles_add_field(w->particles, &fields[4], &p->pressure));
    return particles_add_field(w->particles, &fields[5], &p->is_surface);
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
    real *strain = particles_field(w->particles, p->strain);
    for (int i = 0; i < w->particles->count; i++)
        strain[i] = (real)fmin(fmax((double)strain[i] * ratio * ratio, -most), most);
}

/* Implicit substeps are bounded by capillary waves and cells, not by sound. On one contour no more of them than these,
 * about the time of ten explicit ones; and none longer than sound takes for so many cells, for the sake of drops at
 * rest. An implicit substep costs 3.4 explicit ones (`dew bench mpm-implicit`): from ten times their length on it is
 * taken where the solver is `auto`; below that, what it saves is not worth the currents that fewer transfers leave. */
enum { IMPLICIT_REUSE = 4, IMPLICIT_COURANT = 20, IMPLICIT_GAIN = 10 };

/* The longest substep under all limits but that of sound, s. */
static double silent_limit(const mpm_state *p, const world *w, const char **limit)
{
    const double pi = 3.14159265358979;
    double least = INFINITY;
    for (int k = 0; k < w->material_count; k++) {
        const material *m = &w->materials[k];
        double capillary = sqrt(m->density * p->dx * p->dx * p->dx / (2 * pi * p->most_tension));
        double viscous = m->density * p->dx * p->dx / (4 * w->dimension * p->most_viscosity);
        if (p->most_tension > 0 && capillary < least) least = capillary, *limit = "capillary waves";
        if (p->most_viscosity > 0 && viscous < least) least = viscous, *limit = "viscosity";
    }
    return least;
}

bool mpm_is_implicit(const mpm_state *p, const world *w)
{
    const char *limit;
    if (p->parameter[MPM_SOLVER] != MPM_AUTO) return p->parameter[MPM_SOLVER] == MPM_IMPLICIT;
    return silent_limit(p, w, &limit) * p->saved_sound > IMPLICIT_GAIN * p->parameter[MPM_STEP] * p->dx;
}

double mpm_substep_limit(const mpm_state *p, const world *w, const char **limit)
{
    double least = silent_limit(p, w, limit), cells = mpm_is_implicit(p, w) ? IMPLICIT_COURANT : p->parameter[MPM_STEP];
    double sound = cells * p->dx / p->saved_sound;
    if (sound < least) least = sound, *limit = "sound";
    return least;
}

static double max_time_step(void *state, world *w)
{
    mpm_state *p = state;
    double solid = solids_max_speed(w->solids, w->time, w->frame_interval);
    double speed = fmax(world_largest_speed(w), solid);
    update_sound(p, w, speed);
    double reuse = p->parameter[MPM_REUSE];
    if (mpm_is_implicit(p, w)) reuse = fmin(reuse, IMPLICIT_REUSE);
    double limit = reuse * mpm_substep_limit(p, w, &w->limit);
    double flow = p->parameter[MPM_CFL] * p->dx / speed;
    if (flow < limit) limit = flow, w->limit = "flow";
    const material *m = &w->materials[0];
    double spread = p->parameter[MPM_HEAT_STEP] * p->dx * p->dx * m->density * m->heat_capacity / m->conductivity;
    if (w->heat && spread < limit) limit = spread, w->limit = "heat";
    spread = p->parameter[MPM_HEAT_STEP] * p->dx * p->dx / m->diffusivity;
    if (w->solute && spread < limit) limit = spread, w->limit = "diffusion";
    return limit;
}

static dew_result step(void *state, world *w, double dt)
{
    mpm_state *p = state;
    const char *limit;
    int substeps = (int)ceil(dt / mpm_substep_limit(p, w, &limit) * (1 - 1e-9));
    const mpm_dimension *d = w->dimension == 2 ? &mpm_in_2d : &mpm_in_3d;
    return d->step(p, w, dt, substeps > 1 ? substeps : 1);
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
    if (strcmp(quantity, "volume") == 0) return *value = p->volume, true;
    return false;
}

/* The nodes' momentum about a particle: m (dx^2/4) sum_a e_a x A e_a, as sum N (node - x)(node - x)^T = dx^2/4. */
static dew_vec3 spin(const void *state, const world *w)
{
    const mpm_state *p = state;
    mpm_arrays a = mpm_arrays_of(p, w);
    dew_vec3 sum = {0, 0, 0};
    for (int i = 0; i < a.count; i++) {
        sum.z += (double)a.affine[0][i].y - (double)a.affine[1][i].x;
        if (w->dimension == 2) continue;
        sum.x += (double)a.affine[1][i].z - (double)a.affine[2][i].y;
        sum.y += (double)a.affine[2][i].x - (double)a.affine[0][i].z;
    }
    return vec3_scale(w->materials[0].particle_mass * p->dx * p->dx / 4, sum);
}

const method method_mpm = {
    .info = {.name = "mpm",
             .title = "material point method with surface energies",
             .source = "Chen, Kala, Marquez-Razon, Gueidon, Hyde, Teran: A momentum-conserving implicit material point "
                       "method for surface tension with contact angles and spatial gradients, ACM Transactions on "
                       "Graphics 40(4), 111, 2021",
             .features = DEW_FEATURE_3D | DEW_FEATURE_2D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_HEAT |
                         DEW_FEATURE_NO_SLIP | DEW_FEATURE_SOLUTE,
             .parameters = parameters,
             .parameter_count = MPM_PARAMETER_COUNT},
    .state_size = sizeof(mpm_state),
    .saved_size = offsetof(mpm_state, parameter),
    .create = create,
    .max_time_step = max_time_step,
    .step = step,
    .measure = measure,
    .spin = spin,
};
