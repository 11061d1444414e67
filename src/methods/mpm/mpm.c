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
    [MPM_SHIFT] = {"shift", "1", 0.07, 0, 1, NULL, "how fast particles move to where there are fewer, without velocity"},
};

static const field_info fields[] = {
    {"affine_x", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"affine_y", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"affine_z", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART},
    {"strain", "1", "volume over that at rest, less 1", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"pressure", "Pa", "pressure", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"is_surface", "1", "1 for particles within a spacing of the free surface", FIELD_UINT8, 1,
     FIELD_OUTPUT | FIELD_RESTART},
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
    return a;
}

/* Speeds that the scene brings with it: sqrt(2 g H) of a fall through the liquid's height H, and sqrt(gamma/(rho R)) of
 * the ball of its volume. Flow speeds raise the speed of sound as they come. */
static double scene_speed(const world *w)
{
    const material *m = &w->materials[0];
    return fmax(sqrt(2 * vec3_length(w->gravity) * world_liquid_depth(w)),
                sqrt(m->surface_tension / (m->density * world_ball_radius(w))));
}

static dew_result create(void *state, world *w, const double *values)
{
    mpm_state *p = state;
    for (int k = 0; k < MPM_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    p->dx = values[MPM_CELL] * w->spacing;
    p->least_speed = scene_speed(w);
    p->area = p->volume = p->energy = NAN;
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

double mpm_substep_limit(const mpm_state *p, const world *w, const char **limit)
{
    const double pi = 3.14159265358979;
    double least = INFINITY;
    *limit = "sound";
    for (int k = 0; k < w->material_count; k++) {
        const material *m = &w->materials[k];
        double sound = p->parameter[MPM_STEP] * p->dx / p->saved_sound;
        double capillary = sqrt(m->density * p->dx * p->dx * p->dx / (2 * pi * m->surface_tension));
        double viscous = m->density * p->dx * p->dx / (4 * w->dimension * m->viscosity);
        if (m->surface_tension > 0 && capillary < least) least = capillary, *limit = "capillary waves";
        if (m->viscosity > 0 && viscous < least) least = viscous, *limit = "viscosity";
        if (sound < least) least = sound, *limit = "sound";
    }
    return least;
}

static double max_time_step(void *state, world *w)
{
    mpm_state *p = state;
    double solid = solids_max_speed(w->solids, w->time, w->frame_interval);
    double speed = fmax(world_largest_speed(w), solid);
    update_sound(p, w, speed);
    double limit = p->parameter[MPM_REUSE] * mpm_substep_limit(p, w, &w->limit);
    double flow = p->parameter[MPM_CFL] * p->dx / speed;
    if (flow < limit) limit = flow, w->limit = "flow";
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

static void remark(const void *state, const world *w, char *text, size_t size)
{
    (void)state;
    for (int k = 0; k < solids_count(w->solids); k++) {
        solid_info solid = solids_info(w->solids, k, w->materials[0].surface_tension);
        if (!(solid.friction > 0)) continue;
        snprintf(text, size, "friction %g of '%s' has no effect: to mpm every solid is slippery", solid.friction,
                 solid.name ? solid.name : "a wall");
        return;
    }
}

const method method_mpm = {
    .info = {.name = "mpm",
             .title = "material point method with surface energies",
             .source = "Chen, Kala, Marquez-Razon, Gueidon, Hyde, Teran: A momentum-conserving implicit material point "
                       "method for surface tension with contact angles and spatial gradients, ACM Transactions on "
                       "Graphics 40(4), 111, 2021",
             .features = DEW_FEATURE_3D | DEW_FEATURE_2D | DEW_FEATURE_CONTACT_ANGLE,
             .parameters = parameters,
             .parameter_count = MPM_PARAMETER_COUNT},
    .state_size = sizeof(mpm_state),
    .saved_size = offsetof(mpm_state, parameter),
    .create = create,
    .max_time_step = max_time_step,
    .step = step,
    .measure = measure,
    .spin = spin,
    .remark = remark,
};
