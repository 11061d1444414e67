/* Oscillation of a free drop.
 *
 * Physics. A drop without gravity, drawn out slightly along z, swings between prolate and oblate. Without viscosity its
 * mode n = 2 has (Rayleigh 1879)
 *
 *     omega^2 = n (n - 1)(n + 2) gamma/(rho R^3) = 8 gamma/(rho R^3)
 *
 * and no damping; a disc, a drop of two dimensions, n (n^2 - 1) = 6 in place of 8. With viscosity: the root of
 * Chandrasekhar's equation, or of the disc's (lamb_viscous_exact.csv).
 *
 * Set-up. An ellipsoid of semi-axes R (1 + a), R (1 - a/2), of the ball's volume, at rest; in two dimensions an ellipse
 * of R (1 + a), R (1 - a). Viscosity 0 by default, so that what damping there is belongs to the method.
 *
 * Measurement. The amplitude is that of the mass's quadrupole moment: to first order in a,
 * mean of (z^2 - (x^2 + y^2)/2) = (3/5) R^2 a, and of y^2 - x^2 = R^2 a, with R from the particles' mass. All particles
 * take part, so no surface need be found. Every step from a quarter period (the start from a filling that no method
 * would have made) to two and a half is fitted by least squares with offset + exp(-beta t)(p cos omega t + q sin omega
 * t). */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"frequency", "rad/s", LAW_RELATIVE, {0.04, 0.02, 0.015}, "of the mode n = 2"},
    {"damping ratio", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "beta/sqrt(omega^2 + beta^2)"},
    {"spread", "1", LAW_ABSOLUTE, {0.02, 0.02, 0.02}, "of measured/theory over 10 x surface tension: largest - least"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_PLANE_PARTICLES(1000, 4000, 8000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0)},
    {"amplitude", "1", {0.04, 0.04, 0.04}, "of the mode over R, at most 0.05 for the linear law"},
    {"skip", "1", {0.25, 0.25, 0.25}, "periods before the fit begins"},
    {"periods", "1", {2.5, 2.5, 2.5}, "periods to run"},
    {"spread", "1", {1, 0, 0}, "1: run also at 1/sqrt(10) and sqrt(10) of the surface tension"},
};

/* Roots for n = 2 in units sqrt(gamma/(rho R^3)) by Oh = mu/sqrt(rho gamma R), of a ball and of a disc: the rows of
 * lamb_viscous_exact.csv. */
typedef struct root {
    double ohnesorge, omega[2], beta[2];
} root;
static const root roots[] = {
    {0, {2.8284271, 2.4494897}, {0, 0}},
    {0.001, {2.8283453, 2.4494303}, {0.004920018, 0.0039427083}},
    {0.002, {2.8281935, 2.4493191}, {0.0097731996, 0.0078375508}},
    {0.005, {2.8274897, 2.4487976}, {0.024096797, 0.019353084}},
    {0.01, {2.8257424, 2.4474832}, {0.047414844, 0.038147819}},
    {0.02, {2.8207616, 2.4436599}, {0.092524201, 0.074635469}},
    {0.05, {2.7985224, 2.4258686}, {0.2187347, 0.17733416}},
    {0.1, {2.7512259, 2.3856177}, {0.40667588, 0.32982651}},
    {0.2, {2.6488577, 2.3006782}, {0.75224276, 0.60086718}},
};
enum { ROOTS = sizeof roots / sizeof *roots };

void theory_drop_mode(int dimension, double ohnesorge, double *omega, double *beta)
{
    int k = dimension == 2;
    *omega = *beta = NAN;
    for (int i = 0; i + 1 < ROOTS; i++)
        if (ohnesorge >= roots[i].ohnesorge && ohnesorge <= roots[i + 1].ohnesorge) {
            double f = (ohnesorge - roots[i].ohnesorge) / (roots[i + 1].ohnesorge - roots[i].ohnesorge);
            *omega = (1 - f) * roots[i].omega[k] + f * roots[i + 1].omega[k];
            *beta = (1 - f) * roots[i].beta[k] + f * roots[i + 1].beta[k];
        }
}

typedef struct swing {
    int particles;
    double theory_omega, theory_beta, cpu_seconds;
    double tension, end; /* N/m, s */
    decay_fit fit;
    series amplitude; /* freed by whoever called swing_once() */
} swing;

extern const law law_oscillation;

static dew_result swing_once(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                             int dimension, double tension_factor, double part, double share, swing *result)
{
#define OPTION(name) law_option_value(&law_oscillation, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_oscillation, settings, resolution, dimension, &def, &space.material);
    space.material.surface_tension *= tension_factor;
    space.liquids[0].shape = law_stretched_drop(dimension, radius, OPTION("amplitude"));
    bool is_disc = dimension == 2;
    double period = (is_disc ? 2 * M_PI / sqrt(6) : M_PI / sqrt(2)) *
                    sqrt(space.material.density * pow(radius, 3) / space.material.surface_tension);
    double end = OPTION("periods") * period, skip = OPTION("skip") * period;
    def.duration = end;
    int frames = (int)ceil(4 * OPTION("periods"));
    def.frame_rate = frames / end;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[LAW_LABEL];
    law_label(what, dimension, "%d particles, %.3g N/m", dew_simulation_particle_count(simulation),
              space.material.surface_tension);
    mode_watch w = {.progress = {settings, end, part, share, 0, what}};
    status = law_advance(simulation, frames, mode_watch_step, &w);
    if (!status) {
        int count = dew_simulation_particle_count(simulation);
        double true_radius = drop_radius(dimension, count, def.spacing);
        double unit = sqrt(space.material.surface_tension / (space.material.density * pow(true_radius, 3)));
        double ohnesorge =
            space.material.viscosity / sqrt(space.material.density * space.material.surface_tension * true_radius);
        *result = (swing){.particles = count, .tension = space.material.surface_tension, .end = end};
        result->fit = fit_decay(&w.amplitude, skip, end, sqrt(is_disc ? 6 : 8) * unit);
        theory_drop_mode(dimension, ohnesorge, &result->theory_omega, &result->theory_beta);
        result->theory_omega *= unit;
        result->theory_beta *= unit;
        result->cpu_seconds = law_cpu_seconds() - start;
        result->amplitude = w.amplitude;
        if (tension_factor == 1) law_show(settings, simulation, "%s, after %g periods", what, OPTION("periods"));
    } else {
        series_free(&w.amplitude);
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

/* Amplitude in time: measured, its fit, and the theory of the set-up's amplitude, let go from rest. */
static void plot_swing(const swing *s, int dimension, double amplitude, law_results *results)
{
    enum { POINTS = 200 };
    double x[POINTS], fit[POINTS], theory[POINTS], ms = 1e-3;
    for (int i = 0; i < POINTS; i++) {
        double t = s->end * i / (POINTS - 1);
        x[i] = t / ms;
        fit[i] = t < s->fit.from ? NAN : decay_value(&s->fit, t);
        theory[i] = amplitude * exp(-s->theory_beta * t) * cos(s->theory_omega * t);
    }
    char title[LAW_LABEL];
    law_label(title, dimension, "Mode n = 2, %d particles", s->particles);
    law_plot_begin(results, title, "time, ms", "amplitude over R");
    series_plot(&s->amplitude, results, LAW_CURVE_MEASURED, "measured", ms, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "least squares", POINTS, x, fit);
    law_plot_curve(results, LAW_CURVE_THEORY, "theory", POINTS, x, theory);
}

static void plot_spread(const swing swings[3], int dimension, law_results *results)
{
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        int k = (int[]){1, 0, 2}[i]; /* by surface tension */
        x[i] = swings[k].tension;
        y[i] = swings[k].fit.omega / swings[k].theory_omega;
    }
    char title[LAW_LABEL];
    law_label(title, dimension, "Frequency over ten times the surface tension");
    law_plot_begin(results, title, "surface tension, N/m", "measured/theory");
    law_plot_curve(results, LAW_CURVE_POINTS, "measured", 3, x, y);
    law_plot_curve(results, LAW_CURVE_THEORY, "theory", 2, (double[]){0, x[2]}, (double[]){1, 1});
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    const law *l = &law_oscillation;
    const char *label = dimension == 2 ? "2D" : "";
    swing s[3] = {0};
    int count = law_option_value(l, settings, resolution, "spread") != 0 ? 3 : 1;
    double largest = -INFINITY, least = INFINITY, seconds = 0;
    dew_result status = DEW_OK;
    for (int i = 0; i < count && !status; i++) {
        status = swing_once(method, resolution, settings, dimension, i ? pow(10, i - 1.5) : 1, part + share * i / count,
                            share / count, &s[i]);
        if (status) break;
        double ratio = s[i].fit.omega / s[i].theory_omega;
        largest = fmax(largest, ratio);
        least = isnan(ratio) ? NAN : fmin(least, ratio);
        seconds += s[i].cpu_seconds;
        if (i > 0) continue;
        law_add(results, l, resolution, "frequency", label, s[0].particles, s[0].fit.omega, s[0].theory_omega, seconds);
        law_add(results, l, resolution, "damping ratio", label, s[0].particles,
                s[0].fit.beta / hypot(s[0].fit.omega, s[0].fit.beta),
                s[0].theory_beta / hypot(s[0].theory_omega, s[0].theory_beta), seconds);
        plot_swing(&s[0], dimension, law_option_value(l, settings, resolution, "amplitude"), results);
    }
    if (!status && count == 3) {
        law_add(results, l, resolution, "spread", label, s[0].particles, largest - least, 0, seconds);
        plot_spread(s, dimension, results);
    }
    for (int i = 0; i < 3; i++) series_free(&s[i].amplitude);
    return status;
}

const law law_oscillation = {
    .name = "oscillation",
    .group = LAW_WAVES,
    .title = "A free drop's n = 2 oscillation: frequency (Rayleigh 1879) and damping",
    .physics =
        "A drop drawn out by a few per cent and let go swings between long and flat. Its surface pulls it back to "
        "the ball, its own mass carries it beyond; the smaller the drop and the stronger the surface, the faster. "
        "Without viscosity it swings for ever, so what damping is measured there is the method's own. The frequency "
        "tells whether the surface tension that was set is the one that acts.",
    .equation = "omega^2 = n (n - 1)(n + 2) gamma/(rho R^3) = 8 gamma/(rho R^3) for n = 2 (Rayleigh 1879); "
                "of a disc n (n^2 - 1) = 6",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
