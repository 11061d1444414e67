/* The pressure in a drop at rest.
 *
 * Physics. A surface of tension gamma and principal radii R1, R2 holds a pressure gamma (1/R1 + 1/R2) higher on its
 * hollow side (Young 1805, Laplace 1806):
 *
 *     p = 2 gamma/R in a ball,  gamma/R in a disc (a liquid in two dimensions).
 *
 * Set-up. A ball without gravity, at three radii (particles of one size, so that a smaller drop has fewer) and, at the
 * middle one, over ten times the surface tension; the same in two dimensions where the method can. The viscosity is
 * that of Oh = mu/sqrt(rho gamma R) = 0.3 in the middle drop, the same liquid's in all.
 *
 * Measurement. The method's own mean pressure inside over that outside (quantity pressure_jump): the mean over
 * `window` capillary times sqrt(rho R^3/gamma), after `rest` of them. R is the radius of the particles' volume. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"pressure jump", "Pa", LAW_RELATIVE, {0.1, 0.1, 0.1}, "inside over outside"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_RADIUS("of the middle drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"rest", "1", {4, 4, 4}, "capillary times before the measurement"},
    {"window", "1", {4, 4, 4}, "capillary times of the measurement"},
};

/* The drops, by what multiplies radius and surface tension: the middle one first. */
static const double cases[][2] = {{1, 1}, {1, 0.316227766}, {1, 3.16227766}, {0.7, 1}, {1.4, 1}};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct watch {
    law_progress progress;
    series pressure;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double pressure;
    law_report_progress(&w->progress, simulation);
    if (dew_simulation_measure(simulation, "pressure_jump", &pressure)) pressure = NAN;
    return series_add(&w->pressure, dew_simulation_time(simulation), pressure);
}

typedef struct drop {
    int particles;
    double tension, radius;
    double measured, theory; /* Pa */
    double cpu_seconds;
    series pressure; /* Pa; freed by whoever called measure() */
} drop;

extern const law law_laplace;

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, int which, double part, double share, drop *d)
{
#define OPTION(name) law_option_value(&law_laplace, settings, resolution, name)
    double start = law_cpu_seconds(), rest = OPTION("rest"), window = OPTION("window");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_laplace, settings, resolution, &space.material);
    int particles = (int)OPTION("particles");
    def.dimension = dimension;
    def.spacing = dimension == 2 ? sqrt(M_PI * radius * radius / particles)
                                 : spacing_of_count(4 * M_PI / 3 * pow(radius, 3), particles);
    radius *= cases[which][0];
    space.material.surface_tension *= cases[which][1];
    space.liquids[0].shape = dew_sphere((dew_vec3){0}, radius);
    int frames = law_plan(&def, radius, rest + window, 4);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    d->particles = dew_simulation_particle_count(simulation);
    d->tension = space.material.surface_tension;
    d->radius =
        dimension == 2 ? disc_radius_of_count(d->particles, def.spacing) : radius_of_count(d->particles, def.spacing);
    char what[96];
    snprintf(what, sizeof what, "%dD, R %.3g mm, %.3g N/m", dimension, 1e3 * radius, d->tension);
    watch w = {.progress = {settings, def.duration, part, share, 0, what}};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status && which == 0) law_show(settings, simulation, "%d particles at rest", d->particles);
    dew_simulation_destroy(simulation);
    d->theory = (dimension - 1) * d->tension / d->radius;
    d->measured = series_mean(&w.pressure, def.duration * rest / (rest + window), def.duration);
    d->cpu_seconds = law_cpu_seconds() - start;
    d->pressure = w.pressure;
    return status;
#undef OPTION
}

static void plot_drops(const drop drops[CASES], int dimension, double time, law_results *results)
{
    double x[CASES + 1] = {0}, y[CASES + 1] = {0}, largest = 0;
    for (int k = 0; k < CASES; k++) {
        x[k] = drops[k].theory;
        y[k] = drops[k].measured;
        largest = fmax(largest, x[k]);
    }
    law_plot_begin(results, dimension == 2 ? "Pressure of discs" : "Pressure of drops",
                   dimension == 2 ? "gamma/R, Pa" : "2 gamma/R, Pa", "pressure inside over outside, Pa");
    law_plot_curve(results, LAW_CURVE_POINTS, "measured", CASES, x, y);
    law_plot_curve(results, LAW_CURVE_THEORY, "Young and Laplace", 2, (double[]){0, 1.1 * largest},
                   (double[]){0, 1.1 * largest});
    law_plot_begin(results, dimension == 2 ? "Middle disc" : "Middle drop", "time, sqrt(rho R^3/gamma)",
                   dimension == 2 ? "pressure/(gamma/R)" : "pressure/(2 gamma/R)");
    series_plot(&drops[0].pressure, results, LAW_CURVE_MEASURED, "measured", time, drops[0].theory);
    law_plot_curve(results, LAW_CURVE_THEORY, "Young and Laplace", 2,
                   (double[]){0, drops[0].pressure.time[drops[0].pressure.count - 1] / time}, (double[]){1, 1});
}

static dew_result run_dimension(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                                int dimension, double part, double share, law_results *results)
{
    drop drops[CASES] = {0};
    dew_result status = DEW_OK;
    for (int k = 0; k < CASES && !status; k++) {
        status =
            measure(method, resolution, settings, dimension, k, part + share * k / CASES, share / CASES, &drops[k]);
        if (status) break;
        char label[64];
        snprintf(label, sizeof label, "%dD, R %.3g mm, %.3g N/m", dimension, 1e3 * drops[k].radius, drops[k].tension);
        law_add(results, &law_laplace, resolution, "pressure jump", label, drops[k].particles, drops[k].measured,
                drops[k].theory, drops[k].cpu_seconds);
    }
    dew_material_def liquid;
    law_liquid(&law_laplace, settings, resolution, &liquid);
    if (!status && drops[0].pressure.count > 0)
        plot_drops(drops, dimension, law_capillary_time(&liquid, drops[0].radius), results);
    for (int k = 0; k < CASES; k++) series_free(&drops[k].pressure);
    return status;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    bool has_2d = method->features & DEW_FEATURE_2D, has_3d = method->features & DEW_FEATURE_3D;
    double share = has_2d && has_3d ? 0.5 : 1;
    dew_result status = DEW_OK;
    if (has_3d) status = run_dimension(method, resolution, settings, 3, 0, share, results);
    if (has_2d && !status) status = run_dimension(method, resolution, settings, 2, 1 - share, share, results);
    return status;
}

const law law_laplace = {
    .name = "laplace",
    .group = LAW_STATICS,
    .title = "The pressure in a drop at rest (Young 1805, Laplace 1806)",
    .physics =
        "A drop without gravity is a ball, and its surface, under tension, presses on what is inside. The pressure "
        "there exceeds that outside by the tension times the sum of the two curvatures: a smaller drop or a "
        "stronger surface presses harder. Drops of three sizes, and of one size over ten times the surface "
        "tension, come to rest; what is compared is the method's own pressure, the one it moves particles by.",
    .equation = "p = 2 gamma/R in a ball, p = gamma/R in a disc (two dimensions)",
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
