/* A ball of liquid, or a tap, for the toy method, and what tests with it check by. */
#ifndef TESTS_TOY_SET_UPS_H
#define TESTS_TOY_SET_UPS_H

#include "sim/simulation.h"
#include "toy_method.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static dew_material_def water;
static dew_liquid_def drop;

static inline dew_simulation_def ball_definition(void)
{
    water = dew_default_material_def();
    drop = dew_default_liquid_def();
    drop.shape = dew_sphere((dew_vec3){0.2, -0.1, 0.3}, 0.05);
    drop.velocity = (dew_vec3){0.5, 0.25, 1};
    dew_simulation_def def = dew_default_simulation_def();
    def.method = "toy", def.spacing = 0.01, def.frame_rate = 30;
    def.materials = &water, def.material_count = 1;
    def.liquids = &drop, def.liquid_count = 1;
    def.threads = 1;
    return def;
}

static inline dew_simulation *make(const dew_simulation_def *def)
{
    dew_simulation *s;
    if (simulation_create_with(&method_toy, def, &s) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

static inline void check_ok(dew_result result)
{
    if (result != DEW_OK) fail_msg("%s", dew_message());
}

static inline void check_close(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance)) fail_msg("%.9g is not %.9g +- %g", measured, expected, tolerance);
}

static inline void check_says(const char *part)
{
    if (!strstr(dew_message(), part)) fail_msg("\"%s\" is not in: %s", part, dew_message());
}

static inline void measure(const dew_simulation *s, const char *name, double *values)
{
    check_ok(dew_simulation_measure(s, name, values));
}

static dew_emitter_def tap;

static inline dew_simulation_def tap_definition(void)
{
    dew_simulation_def def = ball_definition();
    tap = dew_default_emitter_def();
    tap.shape.kind = DEW_SHAPE_DISC;
    tap.shape.disc.centre = (dew_vec3){1, 1, 1}, tap.shape.disc.normal = (dew_vec3){0, 0, -1};
    tap.shape.disc.radius = 0.055;
    tap.velocity = (dew_vec3){0, 0, -0.37};
    tap.to = 0.8;
    def.liquid_count = 0, def.emitters = &tap, def.emitter_count = 1;
    def.gravity = (dew_vec3){0, 0, 0};
    return def;
}

#endif
