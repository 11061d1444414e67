/* A liquid for tests of methods (pbf unless they say another), with the arrays that its definition points to, and its
 * particles from inside. */
#ifndef PBF_SETUP_H
#define PBF_SETUP_H

#include "methods/pbf/pbf.h"
#include "sim/simulation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Nothing is 1, so that a forgotten factor shows. The time scale of a drop of radius 1 is sqrt(density/tension). */
#define SPACING 0.02
#define DENSITY 800.0
#define TENSION 0.5

enum { SETUP_MOST = 6 };

typedef struct setup {
    dew_simulation_def def;
    dew_material_def material;
    dew_liquid_def liquids[2];
    dew_solid_def solids[2];
    dew_emitter_def emitter;
    dew_keyframe keys[2];
    dew_parameter_value parameters[SETUP_MOST];
} setup;

/* One liquid, at rest, without gravity and viscosity. */
static inline void begin(setup *s, dew_shape_def shape)
{
    memset(s, 0, sizeof *s);
    s->def = dew_default_simulation_def();
    s->material = dew_default_material_def();
    s->material.name = "liquid", s->material.density = DENSITY, s->material.viscosity = 0;
    s->material.surface_tension = TENSION;
    for (int k = 0; k < 2; k++) s->liquids[k] = dew_default_liquid_def(), s->solids[k] = dew_default_solid_def();
    s->liquids[0].shape = shape;
    s->solids[0].name = "solid", s->solids[1].name = "other";
    s->emitter = dew_default_emitter_def();
    s->def.title = "test", s->def.method = "pbf", s->def.spacing = SPACING, s->def.gravity = (dew_vec3){0, 0, 0};
    s->def.materials = &s->material, s->def.material_count = 1;
    s->def.liquids = s->liquids, s->def.liquid_count = 1;
    s->def.solids = s->solids, s->def.emitters = &s->emitter, s->def.parameters = s->parameters;
    s->def.threads = 1;
}

/* The solid moves at a constant velocity. */
static inline void set_in_motion(setup *s, dew_vec3 velocity)
{
    double long_time = 1e3;
    s->keys[0] = (dew_keyframe){.time = 0};
    s->keys[1] = (dew_keyframe){.time = long_time, .translation = vec3_scale(long_time, velocity)};
    s->solids[0].motion.keyframes = s->keys, s->solids[0].motion.keyframe_count = 2;
}

static inline void check_ok(dew_result result)
{
    if (result != DEW_OK) fail_msg("%s", dew_message());
}

static inline void check_below(double value, double most, const char *what)
{
    if (!(value <= most)) fail_msg("%s: %.4g > %.4g", what, value, most);
}

static inline void check_above(double least, double value, const char *what)
{
    if (!(value >= least)) fail_msg("%s: %.4g < %.4g", what, value, least);
}

static inline void check_close(double value, double expected, double tolerance, const char *what)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.6g is not %.6g +- %.2g", what, value, expected, tolerance);
}

static inline dew_simulation *create(const setup *s)
{
    dew_simulation *simulation;
    check_ok(dew_simulation_create(&s->def, &simulation));
    return simulation;
}

static inline void advance(dew_simulation *simulation, double time)
{
    check_ok(dew_simulation_advance(simulation, dew_simulation_time(simulation) + time, NULL, NULL));
}

static inline double measure(const dew_simulation *simulation, const char *quantity)
{
    double values[8];
    check_ok(dew_simulation_measure(simulation, quantity, values));
    return values[0];
}

/* Repeatable, in (-1/2, 1/2). */
static inline double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0 - 0.5;
}

/* Tolerances of single precision; double is as good at least. */
#define ROUNDING 1e-6

#endif
