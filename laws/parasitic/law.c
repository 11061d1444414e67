/* How still a drop at rest is.
 *
 * Physics. A ball of liquid without gravity is in equilibrium: nothing moves. What a method moves all the same, because
 * its tension and its pressure do not cancel particle by particle, are parasitic currents. Their scale is the capillary
 * speed sqrt(gamma/(rho D)), D = 2R; how strong they become, and how long they last, depends on the viscosity by the
 * Laplace number La = gamma rho D/mu^2. The test and its two values, La = 120 and 12000 (Oh = mu/sqrt(rho gamma R) =
 * 0.129 and 0.0129), are those of Popinet (J. Comput. Phys. 228, 5838, 2009, section 5.1), after Lafaurie et al. 1994.
 *
 * Set-up. A ball filled with evenly spaced particles, at rest. The filling is not the method's own equilibrium and the
 * pressure begins at zero, so the first `rest` capillary times sqrt(rho R^3/gamma) do not count: so long does it take
 * until the surface has as many particles as it holds and they no longer change places.
 *
 * Measurement. Velocities against that of the centre of mass, over `window` capillary times after that, every step: the
 * fastest particle at any time, the time's mean of the fastest, and the root of the mean square of all. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"largest speed", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "of any particle at any time, over sqrt(gamma/(rho D))"},
    {"mean largest speed", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "of the fastest particle, mean over time, likewise"},
    {"rms speed", "1", LAW_ABSOLUTE, {0.02, 0.02, 0.02}, "of all particles at all times, likewise"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {"laplace", "1", {NAN, NAN, NAN}, "number gamma rho D/mu^2: this one only, instead of 120 and 12000"},
    {"rest", "1", {25, 25, 25}, "capillary times before the measurement"},
    {"window", "1", {10, 10, 10}, "capillary times of the measurement"},
};

typedef struct watch {
    law_progress progress;
    double unit; /* sqrt(gamma/(rho D)), m/s */
    series fastest, square;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    law_report_progress(&w->progress, simulation);
    bulk b = measure_bulk(simulation);
    double time = dew_simulation_time(simulation), u2 = w->unit * w->unit;
    double drift = b.velocity.x * b.velocity.x + b.velocity.y * b.velocity.y + b.velocity.z * b.velocity.z;
    return series_add(&w->fastest, time, b.speed_max / w->unit) &&
           series_add(&w->square, time, fmax(0, b.speed_squared - drift) / u2);
}

extern const law law_parasitic;

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          double laplace, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_parasitic, settings, resolution, name)
    double start = law_cpu_seconds(), rest = OPTION("rest"), window = OPTION("window");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_parasitic, settings, resolution, liquid);
    liquid->viscosity = sqrt(liquid->surface_tension * liquid->density * 2 * radius / laplace);
    def.spacing = spacing_of_count(4 * M_PI / 3 * pow(radius, 3), (int)OPTION("particles"));
    space.liquids[0].shape = dew_sphere((dew_vec3){0}, radius);
    int frames = law_plan(&def, radius, rest + window, 4);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char label[64];
    snprintf(label, sizeof label, "La %g", laplace);
    watch w = {{settings, def.duration, part, share, 0, label},
               sqrt(liquid->surface_tension / (liquid->density * 2 * radius)),
               {0},
               {0}};
    status = law_advance(simulation, frames, after_step, &w);
    int particles = dew_simulation_particle_count(simulation);
    if (!status) law_show(settings, simulation, "%s, at the end", label);
    dew_simulation_destroy(simulation);
    if (!status) {
        const law *l = &law_parasitic;
        double from = def.duration * rest / (rest + window), seconds = law_cpu_seconds() - start;
        law_add(results, l, resolution, "largest speed", label, particles, series_largest(&w.fastest, from, INFINITY),
                0, seconds);
        law_add(results, l, resolution, "mean largest speed", label, particles, series_mean(&w.fastest, from, INFINITY),
                0, seconds);
        law_add(results, l, resolution, "rms speed", label, particles, sqrt(series_mean(&w.square, from, INFINITY)), 0,
                seconds);
        law_plot_begin(results, label, "time, sqrt(rho R^3/gamma)", "speed, sqrt(gamma/(rho D))");
        double unit = law_capillary_time(liquid, radius);
        series_plot(&w.fastest, results, LAW_CURVE_MEASURED, "fastest particle", unit, 1);
        for (int i = 0; i < w.square.count; i++) w.square.value[i] = sqrt(w.square.value[i]);
        series_plot(&w.square, results, LAW_CURVE_MEASURED, "root mean square", unit, 1);
        law_plot_curve(results, LAW_CURVE_THEORY, "target", 2, (double[]){0, rest + window},
                       (double[]){targets[0].target[resolution], targets[0].target[resolution]});
    }
    series_free(&w.fastest);
    series_free(&w.square);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    const double standard[] = {120, 12000};
    double chosen = law_option_value(&law_parasitic, settings, resolution, "laplace");
    if (!isnan(chosen)) return measure(method, resolution, settings, chosen, 0, 1, results);
    for (int k = 0; k < 2; k++) {
        dew_result status = measure(method, resolution, settings, standard[k], 0.5 * k, 0.5, results);
        if (status) return status;
    }
    return DEW_OK;
}

const law law_parasitic = {
    .name = "parasitic",
    .group = LAW_STATICS,
    .title = "A drop at rest: the currents that should not be there",
    .physics =
        "A ball of liquid without gravity is in equilibrium, so every speed should be zero. Where a method's surface "
        "tension and pressure do not cancel exactly, particles move all the same. Such parasitic currents stir what "
        "should be still, carry heat and dye, and hide motion weaker than themselves. They are given over the "
        "capillary speed, at a large and at a small viscosity, after the drop has come to rest from its filling.",
    .equation = "u = 0; the unit is sqrt(gamma/(rho D)), the viscosity that of La = gamma rho D/mu^2 = 120 and 12000",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
