/* A thread of liquid parts into drops.
 *
 * Physics. A wave of wave number k on a column of radius a shrinks the column's surface where x = k a < 1, so it grows
 * (Plateau 1873), as exp(s t): without viscosity (Rayleigh 1878)
 *
 *     s^2 = gamma/(rho a^3) x (1 - x^2) I1(x)/I0(x),
 *
 * with it the root of Chandrasekhar's equation (column.csv). A short thread between two drops is drawn into them, yet
 * water's parts at both ends sooner than it is swallowed: its middle stays behind as a third drop.
 *
 * Set-up. A column along x, one wave length long, periodic or between walls at 90 degrees, which are planes of symmetry
 * of the wave; let go from rest with an amplitude of 3 % of a. And two balls of 0.75 mm joined by a thread of 0.25 mm
 * that is 2.9 mm long.
 *
 * Measurement. Column: amplitude over a = mean of cos(k x) over all particles, to first order; s by least squares of
 * its logarithm while theory lets it grow from 1.5 to 4.5 times, where a wave let go from rest grows as cosh(s t): the
 * same fit is made to that. Dumbbell: bodies at the end. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"growth", "1/s", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of a wave on a column"},
    {"bodies", "1", LAW_ABSOLUTE, {0, 0, 0}, "that a dumbbell leaves"},
};

static const law_option options[] = {
    {"across", "1", {5, 8, 12}, "spacings in the column's radius", LAW_SPACINGS},
    {LAW_RADIUS("of the column")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.02)},
    {LAW_VISCOSITY(NAN)},
    {"amplitude", "1", {0.03, 0.03, 0.03}, "of the wave at the start, over a"},
    {"thread", "1", {2.5, 4, 6}, "spacings in the radius of the dumbbell's thread", LAW_SPACINGS},
    {"duration", "s", {3e-3, 3e-3, 3e-3}, "of the dumbbell"},
};

extern const law law_thread;

/* --- theory --- */

/* I1(x)/I0(x), by its continued fraction. */
static double bessel_ratio(double x)
{
    int first = 2 * (20 + (int)x);
    double below = first;
    for (int k = first - 2; k >= 2; k -= 2) below = k + x * x / below;
    return x / below;
}

/* Chandrasekhar's equation in units a = rho = gamma = 1, left less right: it grows with s. */
static double miss(double s, double x, double ohnesorge)
{
    double y = sqrt(x * x + s / ohnesorge), p = bessel_ratio(x), slope = 1 - p / x; /* I1'(x)/I0(x) */
    double outer = x * x + y * y, slope_y = 1 / bessel_ratio(y) - 1 / y;            /* I1'(y)/I1(y) */
    double left = 2 * x * x * outer * slope * (1 - 2 * x * y / outer * p / slope * slope_y) - (pow(x, 4) - pow(y, 4));
    return left * ohnesorge * ohnesorge - x * (1 - x * x) * p;
}

double theory_column(double ohnesorge, double x)
{
    double high = sqrt(x * (1 - x * x) * bessel_ratio(x)), low = 0;
    if (ohnesorge <= 0) return high;
    for (int k = 0; k < 80; k++) {
        double middle = 0.5 * (low + high);
        if (miss(middle, x, ohnesorge) < 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- column --- */

typedef struct column {
    double radius, length, amplitude; /* m; over the radius */
} column;

/* Negative inside. */
static void column_value(void *context, int count, const double *const *inputs, double *output)
{
    const column *c = context;
    double scale = 1 / sqrt(1 + 0.5 * c->amplitude * c->amplitude); /* keeps the volume */
    for (int i = 0; i < count; i++)
        output[i] = hypot(inputs[1][i], inputs[2][i]) -
                    c->radius * scale * (1 + c->amplitude * cos(2 * M_PI * inputs[0][i] / c->length));
}

typedef struct watch {
    law_progress progress;
    double wave_number;
    series amplitude;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    law_report_progress(&w->progress, simulation);
    return series_add(&w->amplitude, dew_simulation_time(simulation),
                      measure_mode(dew_simulation_frame(simulation), 0, w->wave_number));
}

static void add_growth(const series *measured, double rate, double amplitude, const char *label, int particles,
                       double seconds, law_resolution resolution, law_results *results)
{
    double from = acosh(1.5) / rate, to = acosh(4.5) / rate;
    series theory = {0};
    for (int i = 0; i <= 200; i++) series_add(&theory, to * i / 200, amplitude * cosh(rate * to * i / 200));
    law_add(results, &law_thread, resolution, "growth", label, particles, fit_rate(measured, from, to),
            fit_rate(&theory, from, to), seconds);
    law_plot_begin(results, label, "time, ms", "amplitude over the radius");
    series_plot(measured, results, LAW_CURVE_MEASURED, "measured", 1e-3, 1);
    series_plot(&theory, results, LAW_CURVE_THEORY, "Chandrasekhar", 1e-3, 1);
    series_free(&theory);
}

static dew_result run_column(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                             double x, double part, law_results *results)
{
#define OPTION(name) law_option_value(&law_thread, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_thread, settings, resolution, &space.material);
    column c = {radius, 2 * M_PI * radius / x, OPTION("amplitude")};
    def.spacing = radius / OPTION("across");
    double size = 1.5 * radius;
    def.domain.max = (dew_vec3){c.length, size, size};
    def.domain.min = (dew_vec3){0, -size, -size};
    def.domain.axis[0] = law_repeats(method);
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_IMPLICIT;
    space.liquids[0].shape.implicit.value = (dew_function){column_value, &c};
    space.liquids[0].shape.implicit.min = def.domain.min;
    space.liquids[0].shape.implicit.max = def.domain.max;
    double unit = law_capillary_time(&space.material, radius);
    double ohnesorge = space.material.viscosity * unit / (space.material.density * radius * radius);
    double rate = theory_column(ohnesorge, x) / unit;
    def.duration = acosh(4.5) / rate;
    enum { FRAMES = 8 };
    def.frame_rate = FRAMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char label[64];
    snprintf(label, sizeof label, "k a = %g", x);
    watch w = {.progress = {settings, def.duration, part, 0.3, 0, label}, .wave_number = x / radius};
    status = law_advance(simulation, FRAMES, after_step, &w);
    if (!status) {
        law_show(settings, simulation, "%s, %.3g ms", label, 1e3 * def.duration);
        add_growth(&w.amplitude, rate, c.amplitude, label, dew_simulation_particle_count(simulation),
                   law_cpu_seconds() - start, resolution, results);
    }
    series_free(&w.amplitude);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

/* --- dumbbell --- */

static dew_result run_dumbbell(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                               double part, law_results *results)
{
#define OPTION(name) law_option_value(&law_thread, settings, resolution, name)
    const double thin = 0.25e-3, thick = 0.75e-3, apart = 2.2e-3;
    double start = law_cpu_seconds(), bodies = NAN;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    law_liquid(&law_thread, settings, resolution, &space.material);
    space.material.viscosity = 1e-3;
    def.spacing = thin / OPTION("thread");
    dew_shape_def parts[3] = {dew_sphere((dew_vec3){0, 0, apart}, thick), dew_sphere((dew_vec3){0, 0, -apart}, thick),
                              dew_default_shape_def()};
    parts[2].kind = DEW_SHAPE_CYLINDER;
    parts[2].cylinder.from = (dew_vec3){0, 0, -apart + 0.5 * thick};
    parts[2].cylinder.to = (dew_vec3){0, 0, apart - 0.5 * thick};
    parts[2].cylinder.radius = thin;
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_UNION;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 3;
    def.duration = OPTION("duration");
    enum { FRAMES = 12 };
    def.frame_rate = FRAMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    double x[FRAMES], y[FRAMES];
    for (int k = 0; k < FRAMES && !status; k++) {
        law_report(settings, part + (1 - part) * k / FRAMES, "dumbbell");
        status = law_advance(simulation, 1, NULL, NULL);
        if (!status) status = dew_simulation_measure(simulation, "drop_count", &bodies);
        x[k] = 1e3 * dew_simulation_time(simulation), y[k] = bodies;
    }
    if (!status) {
        law_show(settings, simulation, "dumbbell, %.3g ms", 1e3 * def.duration);
        law_add(results, &law_thread, resolution, "bodies", "", dew_simulation_particle_count(simulation), bodies, 3,
                law_cpu_seconds() - start);
        law_plot_begin(results, "Dumbbell", "time, ms", "bodies");
        law_plot_curve(results, LAW_CURVE_POINTS, "measured", FRAMES, x, y);
        law_plot_curve(results, LAW_CURVE_THEORY, "two drops and what is left between", 2, (double[]){0, x[FRAMES - 1]},
                       (double[]){3, 3});
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    dew_result status = run_column(method, resolution, settings, 0.7, 0, results);
    if (!status) status = run_column(method, resolution, settings, 0.45, 0.3, results);
    return status ? status : run_dumbbell(method, resolution, settings, 0.6, results);
}

const law law_thread = {
    .name = "thread",
    .title = "A wave that grows on a column (Rayleigh 1878), and a thread that parts",
    .physics =
        "A column of liquid has more surface than the drops it can part into. A wave longer than its circumference "
        "takes surface away as it grows, the faster the nearer its length is to nine radii; viscosity slows "
        "it. A dumbbell's thread parts at its ends, where it meets the drops, and leaves a third drop.",
    .equation = "s^2 = gamma/(rho a^3) x (1 - x^2) I1(x)/I0(x), x = k a; with viscosity after Chandrasekhar (1961)",
    .group = LAW_THREADS,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .breaks_up = true,
    .run = run,
};
