/* A drop too viscous to swing.
 *
 * Physics. A drop drawn out slightly along z creeps back to a ball: where Oh = mu/sqrt(rho gamma R) is above 0.77, the
 * mode n = 2 does not swing but dies as exp(-s t). With x^2 = s R^2/nu and Q = j3(x)/j2(x) (Chandrasekhar 1961, 98)
 *
 *     8 gamma R/(rho nu^2) = x^4 (6/(x^2 - 2 x Q) - 1 + 4/x^2 (1 - 3 Q/(x/2 - Q))),
 *
 * whose least root is s = (20/19) gamma/(mu R) as mu grows (aperiodic.csv). A disc, a drop of two dimensions, by the
 * same conditions on a stream function r^2 and J2 of r sqrt(s/nu): with Q = J3(x)/J2(x)
 *
 *     6 gamma R/(rho nu^2) = x^4 (4/(x^2 - 2 x Q) (1 - 4 Q/x) - 1 + 4/x^2),
 *
 * and s = gamma/(mu R); it does not swing above Oh 0.85.
 *
 * Set-up. An ellipsoid (an ellipse) as in the law of oscillation, of honey (10 Pa s: Oh 35) and of what is a hundred
 * times as viscous. A run goes on until the amplitude should have halved, or for a number of steps, whichever is
 * sooner.
 *
 * Measurement. The amplitude by the mass's quadrupole moment; the rate by least squares of its logarithm over the last
 * three quarters of the time. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"rate", "1/s", LAW_RELATIVE, {0.1, 0.1, 0.1}, "at which the mode n = 2 dies"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_PLANE_PARTICLES(1000, 2500, 5000)},
    {LAW_RADIUS("of the drop")},
    {"density", "kg/m3", {1400, 1400, 1400}, "of the liquid"},
    {"surface_tension", "N/m", {0.06, 0.06, 0.06}, "of the liquid"},
    {LAW_VISCOSITY(10)},
    {"amplitude", "1", {0.15, 0.15, 0.15}, "of the mode over R"},
    {"cases", "1", {2, 2, 2}, "1: this viscosity only, 2: a hundred times as much too"},
    {"steps", "1", {400, 4000, 16000}, "to take at most"},
};

extern const law law_honey;

/* j3(x)/j2(x), or J3(x)/J2(x) in two dimensions, by its continued fraction. */
static double bessel_ratio(int dimension, double x)
{
    int first = dimension == 2 ? 6 : 7;
    double below = first + 34;
    for (int k = first + 32; k >= first; k -= 2) below = k - x * x / below;
    return x / below;
}

/* Of the equation: right less left, from below 0 to above as x grows through the least root. */
static double miss(int dimension, double x, double ohnesorge)
{
    double q = bessel_ratio(dimension, x), x2 = x * x, oh2 = ohnesorge * ohnesorge;
    if (dimension == 2) return (4 / (x2 - 2 * x * q) * (1 - 4 * q / x) - 1 + 4 / x2) * x2 * x2 - 6 / oh2;
    double right = 6 / (x2 - 2 * x * q) - 1 + 4 / x2 * (1 - 3 * q / (x / 2 - q));
    return right * x2 * x2 - 8 / oh2;
}

/* The rate as mu grows, in gamma/(mu R). */
static double creeping_limit(int dimension) { return dimension == 2 ? 1 : 20.0 / 19; }

double theory_creeping_drop(int dimension, double ohnesorge)
{
    /* By steps from below the limit's root to the first change of sign, then halves. */
    double low = sqrt(0.9 * creeping_limit(dimension)) / ohnesorge, high = low;
    while (miss(dimension, high, ohnesorge) < 0 && high < 2.5) low = high, high *= 1.002;
    if (!(miss(dimension, high, ohnesorge) >= 0)) return NAN;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (miss(dimension, middle, ohnesorge) < 0)
            low = middle;
        else
            high = middle;
    }
    return low * low * ohnesorge * ohnesorge;
}

static dew_result creep(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                        int dimension, double factor, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_honey, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_honey, settings, resolution, dimension, &def, &space.material);
    dew_material_def *liquid = &space.material;
    liquid->viscosity *= factor;
    space.liquids[0].shape = law_stretched_drop(dimension, radius, OPTION("amplitude"));
    enum { FRAMES = 8 };
    double unit = liquid->surface_tension / (liquid->viscosity * radius);
    def.duration = log(2) / (creeping_limit(dimension) * unit);
    def.frame_rate = FRAMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char label[LAW_LABEL];
    law_label(label, dimension, "%g Pa s", liquid->viscosity);
    mode_watch w = {.progress = {settings, def.duration, part, share, 0, label}, .steps = (int64_t)OPTION("steps")};
    status = law_advance(simulation, FRAMES, mode_watch_step, &w);
    if (!status) {
        int count = dew_simulation_particle_count(simulation);
        double end = dew_simulation_time(simulation), true_radius = drop_radius(dimension, count, def.spacing);
        double ohnesorge = liquid->viscosity / sqrt(liquid->density * liquid->surface_tension * true_radius);
        double rate = theory_creeping_drop(dimension, ohnesorge) * unit * radius / true_radius;
        law_add(results, &law_honey, resolution, "rate", label, count, -fit_rate(&w.amplitude, end / 4, end), rate,
                law_cpu_seconds() - start);
        law_plot_begin(results, label, "time, s", "amplitude over R");
        series_plot(&w.amplitude, results, LAW_CURVE_MEASURED, "measured", 1, 1);
        double x[50], y[50];
        for (int i = 0; i < 50; i++) x[i] = end * i / 49, y[i] = OPTION("amplitude") * exp(-rate * x[i]);
        law_plot_curve(results, LAW_CURVE_THEORY, dimension == 2 ? "theory" : "Chandrasekhar", 50, x, y);
        if (factor == 1) law_show(settings, simulation, "%s, after %.3g s", label, end);
    }
    series_free(&w.amplitude);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    int cases = (int)law_option_value(&law_honey, settings, resolution, "cases");
    dew_result status = DEW_OK;
    for (int i = 0; i < cases && !status; i++)
        status = creep(method, resolution, settings, dimension, pow(100, i), part + share * i / cases, share / cases,
                       results);
    return status;
}

const law law_honey = {
    .name = "honey",
    .title = "A drop too viscous to swing: the rate at which it becomes round",
    .physics =
        "A drop of honey that has been drawn out does not swing; it creeps back to the ball, driven by its surface "
        "and held back by its viscosity alone. The rate tells whether the viscosity that was set is the one "
        "that acts, where a solver that has not come to its end makes liquids too thin.",
    .equation =
        "amplitude ~ exp(-s t), s = (20/19) gamma/(mu R) as mu grows (Chandrasekhar 1961); of a disc gamma/(mu R)",
    .group = LAW_WAVES,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
