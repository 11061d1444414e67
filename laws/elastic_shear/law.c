/* A shear wave in an elastic solid.
 *
 * Physics. In a solid the same modes as in the law of the shear wave swing, by its shear modulus:
 *
 *     omega^2 = K^2 G/rho,  K^2 = k^2, of vortices 2 k^2,  k = 2 pi/L,
 *
 * whatever Poisson's ratio is, since no volume changes; without viscosity they do not die.
 *
 * Set-up. shear_mode.h, without viscosity; it starts without strain, at a speed that strains it by 1 % at most. Two
 * moduli, a hundred times apart.
 *
 * Measurement. From two and a half periods, least squares of a decaying cosine to the amplitude of the velocity; the
 * modulus is rho (omega^2 + beta^2)/K^2, which is G for damping of any kind that goes by the velocity. */
#include "../shear_mode.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"modulus", "Pa", LAW_RELATIVE, {0.05, 0.05, 0.05}, "in shear"},
    {"damping ratio", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "beta/sqrt(omega^2 + beta^2)", LAW_DISSIPATION_FAULT},
};

static const law_option options[] = {
    SHEAR_MODE_OPTIONS,
    {"shear_modulus", "Pa", {100, 100, 100}, "of the softer one"},
    {"poisson_ratio", "1", {0.3, 0.3, 0.3}, "of the solid, where the method knows one"},
    {"cases", "1", {2, 2, 2}, "1: this modulus only, 2: a hundred times as much too"},
    {"strain", "1", {0.01, 0.01, 0.01}, "in shear, at most"},
    {"periods", "1", {2.5, 2.5, 2.5}, "periods to run"},
};

extern const law law_elastic_shear;

static dew_result measure_case(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                               int dimension, double factor, law_progress progress, law_results *results)
{
#define OPTION(name) law_option_value(&law_elastic_shear, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *solid = &space.material;
    shear_mode m;
    shear_mode_fill(&law_elastic_shear, settings, resolution, method, dimension, &def, &space, &m);
    solid->viscosity = 0, solid->shear_modulus = factor * OPTION("shear_modulus");
    solid->poisson_ratio = OPTION("poisson_ratio");
    double omega = sqrt(m.square * solid->shear_modulus / solid->density);
    m.start = OPTION("strain") * omega / m.number;
    def.duration = OPTION("periods") * 2 * M_PI / omega;
    char label[64];
    snprintf(label, sizeof label, "%dD, %g Pa", dimension, solid->shear_modulus);
    series amplitude = {0};
    int particles = 0;
    dew_result status = shear_mode_run(&def, &m, label, &progress, &amplitude, &particles);
    if (!status) {
        decay_fit fit = fit_decay(&amplitude, 0, def.duration, omega);
        double square = fit.omega * fit.omega + fit.beta * fit.beta, seconds = law_cpu_seconds() - start;
        law_add(results, &law_elastic_shear, resolution, "modulus", label, particles,
                solid->density * square / m.square, solid->shear_modulus, seconds);
        law_add(results, &law_elastic_shear, resolution, "damping ratio", label, particles, fit.beta / sqrt(square), 0,
                seconds);
        shear_mode_plot(results, &m, label, &amplitude, solid, def.duration);
    }
    series_free(&amplitude);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    int cases = (int)law_option_value(&law_elastic_shear, settings, resolution, "cases");
    dew_result status = DEW_OK;
    for (int k = 0; k < cases && !status; k++) {
        law_progress progress = {.settings = settings, .part = part + share * k / cases, .share = share / cases};
        status = measure_case(method, resolution, settings, dimension, pow(100, k), progress, results);
    }
    return status;
}

const law law_elastic_shear = {
    .name = "elastic_shear",
    .group = LAW_WAVES,
    .title = "A shear wave in an elastic solid swings: its modulus",
    .physics = "Layers of jelly that are pushed past each other come back, pulled by what they have been sheared by, "
               "and swing. "
               "How fast is told by the shear modulus alone: no volume changes, so that Poisson's ratio plays no part.",
    .equation = "omega^2 = K^2 G/rho, K = 2 pi/L (of vortices sqrt 2 times as much)",
    .features = DEW_FEATURE_ELASTIC,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
