/* A liquid of the methods that methods/flow serves, from inside: its steps opened by hand. */
#ifndef FLOW_INSIDE_H
#define FLOW_INSIDE_H

#include "methods/flow/flow.h"
#include "set_ups.h"

#include <math.h>

#define SPACING 1e-4
#define DENSITY 1000.0
#define TENSION 0.07

typedef struct liquid {
    set_up u;
    dew_parameter_value parameters[4];
} liquid;

/* A liquid of 0.1 mm in SI, without gravity; the rest as a test sets it. */
static inline void begin_liquid(liquid *l, int dimension, dew_shape_def shape)
{
    memset(l, 0, sizeof *l);
    begin(&l->u, dew_method_find("mps"), SPACING);
    l->u.def.dimension = dimension, l->u.def.threads = 1;
    l->u.water.density = DENSITY, l->u.water.surface_tension = TENSION, l->u.water.viscosity = 0.01;
    l->u.drops[0].shape = shape;
    l->u.def.parameters = l->parameters;
}

static inline void check_close(double measured, double expected, double tolerance, const char *what)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%s: %.9g is not %.9g +- %.3g", what, measured, expected, tolerance);
}

static inline dew_shape_def ball(double radius) { return dew_sphere((dew_vec3){0, 0, 0}, radius); }

static inline void advance(dew_simulation *s, int frames)
{
    for (int k = 0; k < frames; k++)
        if (dew_simulation_advance_frame(s, NULL, NULL)) fail_msg("%s", dew_message());
}

/* A step opened by hand, with densities found. */
static inline void open_step(dew_simulation *s, double dt, flow_step *k)
{
    if (world_update_neighbours(&s->w, true) || flow_open(s->state, &s->w, dt, k)) fail_msg("%s", dew_message());
    particles_update_ghosts(&s->particles, FIELD_POSITION_INDEX);
    if (flow_find_density(k)) fail_msg("%s", dew_message());
}

/* Pseudo-random, the same everywhere: -1 .. 1. */
static inline real noise(int i) { return (real)(((unsigned)i * 2654435761u >> 8) % 2001u) / 1000 - 1; }

static inline void shake(dew_simulation *s)
{
    for (int i = 0; i < s->particles.count; i++)
        s->particles.velocity[i] =
            (real4){noise(3 * i), noise(3 * i + 1), s->w.dimension == 3 ? noise(3 * i + 2) : 0, 0};
}

#endif
