/* Oscillation of a free drop.
 *
 * Physics. A drop without gravity, drawn out slightly along z, swings between prolate and oblate. Without viscosity its
 * mode n = 2 has (Rayleigh 1879)
 *
 *     omega^2 = n (n - 1)(n + 2) gamma/(rho R^3) = 8 gamma/(rho R^3)
 *
 * and no damping. With viscosity: the root of Chandrasekhar's equation (lamb_viscous_exact.csv).
 *
 * Set-up. An ellipsoid of semi-axes R (1 + a), R (1 - a/2), of the ball's volume, at rest; viscosity 0 by default, so
 * that what damping there is belongs to the method.
 *
 * Measurement. The amplitude is that of the mass's quadrupole moment: to first order in a,
 * mean of (z^2 - (x^2 + y^2)/2) = (3/5) R^2 a, with R from the particles' mass. All particles take part, so no
 * surface need be found. Every step from a quarter period (the start from a filling that no method would have made)
 * to two and a half is fitted by least squares with offset + exp(-beta t)(p cos omega t + q sin omega t). */
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
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0)},
    {"amplitude", "1", {0.04, 0.04, 0.04}, "of the mode over R, at most 0.05 for the linear law"},
    {"skip", "1", {0.25, 0.25, 0.25}, "periods before the fit begins"},
    {"periods", "1", {2.5, 2.5, 2.5}, "periods to run"},
    {"spread", "1", {1, 0, 0}, "1: run also at 1/sqrt(10) and sqrt(10) of the surface tension"},
};

/* Roots for n = 2 in units sqrt(gamma/(rho R^3)) by Oh = mu/sqrt(rho gamma R): the rows of lamb_viscous_exact.csv. */
static const double roots[][3] = {
    {0, 2.8284271, 0},
    {0.001, 2.8283453, 0.004920018},
    {0.002, 2.8281935, 0.0097731996},
    {0.005, 2.8274897, 0.024096797},
    {0.01, 2.8257424, 0.047414844},
    {0.02, 2.8207616, 0.092524201},
    {0.05, 2.7985224, 0.2187347},
    {0.1, 2.7512259, 0.40667588},
    {0.2, 2.6488577, 0.75224276},
};
enum { ROOTS = sizeof roots / sizeof *roots };

void theory_drop_mode(double ohnesorge, double *omega, double *beta)
{
    *omega = *beta = NAN;
    for (int i = 0; i + 1 < ROOTS; i++)
        if (ohnesorge >= roots[i][0] && ohnesorge <= roots[i + 1][0]) {
            double f = (ohnesorge - roots[i][0]) / (roots[i + 1][0] - roots[i][0]);
            *omega = (1 - f) * roots[i][1] + f * roots[i + 1][1];
            *beta = (1 - f) * roots[i][2] + f * roots[i + 1][2];
        }
}

typedef struct watch {
    const law_settings *settings;
    series amplitude;
    double end, part, share, reported;
    const char *what;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    bulk b = measure_bulk(simulation);
    double radius = radius_of_count(b.count, dew_simulation_spacing(simulation));
    double quadrupole = b.moment[2][2] - 0.5 * (b.moment[0][0] + b.moment[1][1]);
    double time = dew_simulation_time(simulation), done = time / w->end;
    if (done > w->reported + 0.02) {
        w->reported = done;
        law_report(w->settings, w->part + w->share * done, "%s", w->what);
    }
    return series_add(&w->amplitude, time, quadrupole / (0.6 * radius * radius));
}

typedef struct swing {
    int particles;
    double omega, beta, theory_omega, theory_beta, cpu_seconds;
} swing;

extern const law law_oscillation;

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          double tension_factor, double part, double share, swing *result)
{
#define OPTION(name) law_option_value(&law_oscillation, settings, resolution, name)
    double start = law_cpu_seconds(), a = OPTION("amplitude");
    double stretch = 1 / cbrt((1 + a) * (1 - a / 2) * (1 - a / 2)); /* keeps the ball's volume */
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_oscillation, settings, resolution, &space.material);
    space.material.surface_tension *= tension_factor;
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_ELLIPSOID;
    double across = radius * stretch * (1 - a / 2);
    space.liquids[0].shape.ellipsoid.semi_axes = (dew_vec3){across, across, radius * stretch * (1 + a)};
    def.spacing = spacing_of_count(4 * M_PI / 3 * pow(radius, 3), (int)OPTION("particles"));
    double period = M_PI / sqrt(2) * sqrt(space.material.density * pow(radius, 3) / space.material.surface_tension);
    double end = OPTION("periods") * period, skip = OPTION("skip") * period;
    def.duration = end;
    int frames = (int)ceil(4 * OPTION("periods"));
    def.frame_rate = frames / end;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[64];
    snprintf(what, sizeof what, "%d particles, %.3g N/m", dew_simulation_particle_count(simulation),
             space.material.surface_tension);
    watch w = {.settings = settings, .end = end, .part = part, .share = share, .what = what};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        int count = dew_simulation_particle_count(simulation);
        double true_radius = radius_of_count(count, def.spacing);
        double unit = sqrt(space.material.surface_tension / (space.material.density * pow(true_radius, 3)));
        double ohnesorge =
            space.material.viscosity / sqrt(space.material.density * space.material.surface_tension * true_radius);
        decay_fit fit = fit_decay(&w.amplitude, skip, end, sqrt(8) * unit);
        *result = (swing){count, fit.omega, fit.beta, 0, 0, law_cpu_seconds() - start};
        theory_drop_mode(ohnesorge, &result->theory_omega, &result->theory_beta);
        result->theory_omega *= unit;
        result->theory_beta *= unit;
    }
    series_free(&w.amplitude);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    const law *l = &law_oscillation;
    bool has_spread = law_option_value(l, settings, resolution, "spread") != 0;
    double share = has_spread ? 1.0 / 3 : 1;
    swing s;
    dew_result status = measure(method, resolution, settings, 1, 0, share, &s);
    if (status) return status;
    law_add(results, l, resolution, "frequency", "", s.particles, s.omega, s.theory_omega, s.cpu_seconds);
    law_add(results, l, resolution, "damping ratio", "", s.particles, s.beta / hypot(s.omega, s.beta),
            s.theory_beta / hypot(s.theory_omega, s.theory_beta), s.cpu_seconds);
    if (!has_spread) return DEW_OK;
    double ratio[3] = {s.omega / s.theory_omega}, seconds = s.cpu_seconds;
    for (int i = 1; i < 3; i++) {
        status = measure(method, resolution, settings, pow(10, i - 1.5), i * share, share, &s);
        if (status) return status;
        ratio[i] = s.omega / s.theory_omega;
        seconds += s.cpu_seconds;
    }
    double largest = fmax(ratio[0], fmax(ratio[1], ratio[2])), least = fmin(ratio[0], fmin(ratio[1], ratio[2]));
    law_add(results, l, resolution, "spread", "", s.particles, largest - least, 0, seconds);
    return DEW_OK;
}

const law law_oscillation = {
    .name = "oscillation",
    .title = "A free drop's n = 2 oscillation: frequency (Rayleigh 1879) and damping",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
