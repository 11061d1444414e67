/* Heat of insulated liquid.
 *
 * Physics. A drop that is hotter on one side swings between prolate and oblate; heat is conducted and carried about in
 * it, but none passes through its surface. So its heat stays, and no place becomes hotter or colder than any was.
 *
 * Set-up. The ellipsoid of the oscillation law, drawn out along z, hotter along x by `warmer` over its diameter, of a
 * conductivity such that heat spreads over the radius in ten capillary times.
 *
 * Measurement. Every step: the mean temperature against that at the start, over the range at the start, and by how much
 * the range is left; the worst counts. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"heat", "1", LAW_ABSOLUTE, {1e-6, 1e-6, 1e-6}, "change of the mean temperature over the range at the start"},
    {"range", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "by how much the range of temperatures is left, over the range"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 8000, 20000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0.001)},
    {"warmer", "K", {10, 10, 10}, "across the diameter"},
    {"amplitude", "1", {0.2, 0.2, 0.2}, "of the swing over R"},
    {"times", "1", {4, 4, 4}, "capillary times to run"},
};

extern const law law_heat_kept;

typedef struct watch {
    law_progress progress;
    double mean, low, high; /* at the start */
    series change, left;
} watch;

static double mean_of(const dew_simulation *s, double *low, double *high)
{
    dew_field t;
    double sum = 0;
    *low = INFINITY, *high = -INFINITY;
    if (!dew_simulation_field(s, "temperature", &t)) return NAN;
    for (int i = 0; i < t.count; i++) {
        double value = (double)((const dew_real *)t.data)[(ptrdiff_t)i * t.stride];
        sum += value, *low = fmin(*low, value), *high = fmax(*high, value);
    }
    return sum / t.count;
}

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double low, high, range = w->high - w->low, mean = mean_of(simulation, &low, &high);
    double time = dew_simulation_time(simulation);
    law_report_progress(&w->progress, simulation);
    return series_add(&w->change, time, fabs(mean - w->mean) / range) &&
           series_add(&w->left, time, fmax(0, fmax(w->low - low, high - w->high)) / range);
}

/* The temperature at the start. */
static void warm_side(void *context, int count, const double *const *inputs, double *output)
{
    const double *slope = context;
    for (int i = 0; i < count; i++) output[i] = 300 + *slope * inputs[0][i];
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_heat_kept, settings, resolution, name)
    double start = law_cpu_seconds(), a = OPTION("amplitude");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_heat_kept, settings, resolution, &space.material);
    double stretch = 1 / cbrt((1 + a) * (1 - a / 2) * (1 - a / 2)), across = radius * stretch * (1 - a / 2);
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_ELLIPSOID;
    space.liquids[0].shape.ellipsoid.semi_axes = (dew_vec3){across, across, radius * stretch * (1 + a)};
    double slope = OPTION("warmer") / (2 * radius);
    space.liquids[0].temperature_of = (dew_function){warm_side, &slope};
    space.material.conductivity = 0.1 * space.material.density * space.material.heat_capacity * radius * radius /
                                  law_capillary_time(&space.material, radius);
    def.has_heat = true;
    def.spacing = spacing_of_count(4 * M_PI / 3 * pow(radius, 3), (int)OPTION("particles"));
    int frames = law_plan(&def, radius, OPTION("times"), 4);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[64];
    snprintf(what, sizeof what, "%d particles", dew_simulation_particle_count(simulation));
    watch w = {.progress = {settings, def.duration, 0, 1, 0, what}};
    w.mean = mean_of(simulation, &w.low, &w.high);
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        double seconds = law_cpu_seconds() - start, unit = law_capillary_time(&space.material, radius);
        int count = dew_simulation_particle_count(simulation);
        law_add(results, &law_heat_kept, resolution, "heat", "", count, series_largest(&w.change, 0, INFINITY), 0,
                seconds);
        law_add(results, &law_heat_kept, resolution, "range", "", count, series_largest(&w.left, 0, INFINITY), 0,
                seconds);
        law_plot_begin(results, "Heat of an insulated drop", "t/sqrt(rho R^3/gamma)", "change over the range");
        series_plot(&w.change, results, LAW_CURVE_MEASURED, "mean temperature", unit, 1);
        law_show(settings, simulation, "after %g capillary times", OPTION("times"));
    }
    series_free(&w.change);
    series_free(&w.left);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_heat_kept = {
    .name = "heat_kept",
    .group = LAW_HEAT,
    .title = "Heat of an insulated drop",
    .physics =
        "A drop that is hotter on one side swings freely. Heat is conducted and carried about in it, none passes "
        "through its surface: all of it stays, and no place becomes hotter or colder than any was.",
    .equation = "sum of m c T constant; min T(0) <= T <= max T(0)",
    .features = DEW_FEATURE_3D | DEW_FEATURE_HEAT,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
