/* Flow in a drop whose surface tension differs from side to side.
 *
 * Physics. gamma = gamma0 + gamma1 x/R on a free drop without gravity: its surface is drawn to where the tension is
 * higher and the inside flows back. Slow and viscous, the drop stays round and at rest, and inside
 * (marangoni_free_drop.csv)
 *
 *     v = A [(1 - c) (x/R) r/R - (1 - c r^2/R^2) e_x],   A = gamma1/(3 mu), c = 2;  in 2D A = gamma1/(4 mu), c = 3
 *
 * Set-up. A ball and a disc, tension by an expression of temperature, temperature linear in x and, as nothing conducts,
 * carried with the liquid; Re = rho gamma1 R/mu^2 is so small that it hardly moves while the flow develops, which takes
 * 0.2 rho R^2/mu.
 *
 * Measurement. After that, in the last third of the run: the amplitude of the flow in theory's form, by least squares
 * over all particles, and what of the velocities is not of that form. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"speed", "m/s", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of the flow at the centre: A"},
    {"other flow", "1", LAW_ABSOLUTE, {0.25, 0.2, 0.2}, "rms of what is not theory's flow over its rms"},
};

static const law_option options[] = {
    {"disc", "1", {24, 32, 48}, "spacings in the disc's radius", LAW_SPACINGS},
    {"ball", "1", {16, 20, 24}, "spacings in the ball's radius", LAW_SPACINGS},
    {LAW_RADIUS("of disc and ball")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {"difference", "1", {0.1, 0.1, 0.1}, "gamma1 over gamma0"},
    {"reynolds", "1", {0.05, 0.05, 0.05}, "rho gamma1 R/mu^2: sets the viscosity"},
    {"times", "1", {1.2, 1.2, 1.2}, "rho R^2/mu to run"},
};

extern const law law_marangoni_drop;

typedef struct tension_slope {
    double base, slope;
} tension_slope;

static void linear(void *context, int count, const double *const *inputs, double *output)
{
    const tension_slope *t = context;
    for (int i = 0; i < count; i++) output[i] = t->base + t->slope * inputs[0][i];
}

typedef struct watch {
    law_progress progress;
    int dimension;
    double unit_speed, unit_time; /* A; rho R^2/mu */
    series amplitude, other;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    dew_field x, v;
    law_report_progress(&w->progress, simulation);
    if (!dew_simulation_field(simulation, "position", &x) || !dew_simulation_field(simulation, "velocity", &v))
        return false;
    bulk b = measure_bulk(simulation);
    double spacing = dew_simulation_spacing(simulation), c = w->dimension == 2 ? 3 : 2;
    double radius = w->dimension == 2 ? disc_radius_of_count(b.count, spacing) : radius_of_count(b.count, spacing);
    double product = 0, square = 0, all = 0;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (ptrdiff_t)i * x.stride;
        const dew_real *u = (const dew_real *)v.data + (ptrdiff_t)i * v.stride;
        double r[3] = {(p[0] - b.centre.x) / radius, (p[1] - b.centre.y) / radius, (p[2] - b.centre.z) / radius};
        double flow = 1 - c * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        for (int k = 0; k < 3; k++) {
            double theory = (1 - c) * r[0] * r[k] - (k == 0 ? flow : 0);
            product += theory * (double)u[k], square += theory * theory, all += (double)u[k] * (double)u[k];
        }
    }
    double amplitude = product / square, time = dew_simulation_time(simulation);
    double rest = fmax(0, all - amplitude * amplitude * square);
    return series_add(&w->amplitude, time, amplitude) &&
           series_add(&w->other, time, sqrt(rest / square) / w->unit_speed);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_marangoni_drop, settings, resolution, name)
    double start = law_cpu_seconds(), radius = OPTION("radius");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *m = &space.material;
    double gamma0 = OPTION("surface_tension"), gamma1 = gamma0 * OPTION("difference");
    m->density = OPTION("density");
    m->viscosity = sqrt(m->density * gamma1 * radius / OPTION("reynolds"));
    m->conductivity = 0;
    /* 300 K in the middle, 10 K warmer at x = R; tension rises with temperature. */
    tension_slope temperature = {300, 10 / radius}, tension = {gamma0 - gamma1 * 30, gamma1 / 10};
    m->surface_tension_of_temperature = (dew_function){linear, &tension};
    space.liquids[0].temperature_of = (dew_function){linear, &temperature};
    space.liquids[0].shape = dew_sphere((dew_vec3){0, 0, 0}, radius);
    def.has_heat = true, def.dimension = dimension;
    def.spacing = radius / OPTION(dimension == 2 ? "disc" : "ball");
    watch w = {.dimension = dimension, .unit_speed = gamma1 / ((dimension == 2 ? 4 : 3) * m->viscosity)};
    w.unit_time = m->density * radius * radius / m->viscosity;
    def.duration = OPTION("times") * w.unit_time;
    def.frame_rate = 12 / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    const char *what = dimension == 2 ? "disc" : "ball";
    w.progress = (law_progress){settings, def.duration, part, share, 0, what};
    status = law_advance(simulation, 12, after_step, &w);
    if (!status) {
        double seconds = law_cpu_seconds() - start, from = 0.66 * def.duration;
        int count = dew_simulation_particle_count(simulation);
        law_add(results, &law_marangoni_drop, resolution, "speed", what, count,
                series_mean(&w.amplitude, from, INFINITY), w.unit_speed, seconds);
        law_add(results, &law_marangoni_drop, resolution, "other flow", what, count,
                series_mean(&w.other, from, INFINITY), 0, seconds);
        law_plot_begin(results, what, "t/(rho R^2/mu)", "speed over theory");
        series_plot(&w.amplitude, results, LAW_CURVE_MEASURED, "flow of theory's form", w.unit_time, w.unit_speed);
        series_plot(&w.other, results, LAW_CURVE_MEASURED, "other flow", w.unit_time, 1);
        law_plot_curve(results, LAW_CURVE_THEORY, "theory", 2, (double[]){0, OPTION("times")}, (double[]){1, 1});
        law_show(settings, simulation, "%s, after %g rho R^2/mu", what, OPTION("times"));
    }
    series_free(&w.amplitude);
    series_free(&w.other);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    dew_result status = DEW_OK;
    if (method->features & DEW_FEATURE_2D) status = measure(method, resolution, settings, 2, 0, 0.3, results);
    if (!status && method->features & DEW_FEATURE_3D)
        status = measure(method, resolution, settings, 3, 0.3, 0.7, results);
    return status;
}

const law law_marangoni_drop = {
    .name = "marangoni_drop",
    .group = LAW_HEAT,
    .title = "Flow in a drop whose surface tension differs from side to side",
    .physics = "The surface of a free drop is drawn to where its tension is higher, and the inside flows back the "
               "other way. The "
               "drop stays round and at rest. Nothing but the surface energy makes this flow: a method that smears "
               "gradients of "
               "tension, or has none, shows it here.",
    .equation =
        "v = A [(1 - c) (x/R) r/R - (1 - c r^2/R^2) e_x], A = gamma1/(3 mu), c = 2; 2D: A = gamma1/(4 mu), c = 3",
    .features = DEW_FEATURE_HEAT,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
