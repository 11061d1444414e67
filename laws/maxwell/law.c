/* A shear wave in a liquid that remembers (Maxwell 1867).
 *
 * Physics. Where stress decays in a relaxation time lambda, the modes of the law of the shear wave go as exp(s t),
 *
 *     s^2 + s/lambda + K^2 G/rho = 0:
 *
 * with omega_0 = K sqrt(G/rho) and De = lambda omega_0 above 1/2 they swing as in a solid, and die at 1/(2 lambda)
 * whatever the wave is; below they die as in a liquid of viscosity G lambda, the slower root.
 *
 * Set-up. shear_mode.h, without viscosity beside; it starts without stress. De = 2 and 0.1; strained by 2 % at most.
 *
 * Measurement. De 2: least squares of a decaying cosine over one and a half periods; lambda = 1/(2 beta), and the
 * modulus by omega^2 + beta^2. De 0.1: the rate by least squares of the logarithm, from 5 lambda on, when the fast root
 * has gone, until a fifth is left; the viscosity by it, G lambda = rho s/K^2/(1 - s lambda). */
#include "../shear_mode.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"relaxation time", "s", LAW_RELATIVE, {0.1, 0.1, 0.1}, "in which stress decays to 1/e: half of that of the wave"},
    {"modulus", "Pa", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of the wave that swings"},
    {"viscosity", "Pa s", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of the wave that creeps: G lambda"},
};

static const law_option options[] = {
    SHEAR_MODE_OPTIONS,
    {"shear_modulus", "Pa", {100, 100, 100}, "of the liquid"},
    {"swinging", "1", {2, 2, 2}, "De of the one that swings, above 1/2"},
    {"creeping", "1", {0.1, 0.1, 0.1}, "De of the one that creeps, below 1/2"},
    {"strain", "1", {0.02, 0.02, 0.02}, "in shear, at most"},
    {"periods", "1", {1.5, 1.5, 1.5}, "of the swinging one, to run"},
};

extern const law law_maxwell;

#define LEFT 0.2     /* of the amplitude of the creeping one, at a run's end */
#define FAST_GONE 5. /* relaxation times */

typedef struct shear_case {
    dew_simulation_def def;
    law_space space;
    shear_mode m;
    double rate, omega; /* theory, 1/s */
} shear_case;

static void prepare(shear_case *c, const dew_method_info *method, law_resolution resolution,
                    const law_settings *settings, int dimension, double deborah)
{
#define OPTION(name) law_option_value(&law_maxwell, settings, resolution, name)
    dew_material_def *liquid = &c->space.material;
    c->def = law_definition(method, settings, &c->space);
    shear_mode_fill(&law_maxwell, settings, resolution, method, dimension, &c->def, &c->space, &c->m);
    liquid->viscosity = 0, liquid->shear_modulus = OPTION("shear_modulus");
    double omega = sqrt(c->m.square * liquid->shear_modulus / liquid->density);
    liquid->relaxation_time = deborah / omega;
    c->m.start = OPTION("strain") * omega / c->m.number;
    theory_shear_mode(&c->m, liquid->density, 0, liquid->shear_modulus, liquid->relaxation_time, &c->rate, &c->omega);
    c->def.duration = c->omega > 0 ? OPTION("periods") * 2 * M_PI / c->omega
                                   : FAST_GONE * liquid->relaxation_time + log(LEFT) / c->rate;
#undef OPTION
}

static void add_swinging(const shear_case *c, law_resolution resolution, const char *label, int particles,
                         const series *amplitude, double seconds, law_results *results)
{
    const dew_material_def *liquid = &c->space.material;
    decay_fit fit = fit_decay(amplitude, 0, c->def.duration, c->omega);
    law_add(results, &law_maxwell, resolution, "relaxation time", label, particles, 1 / (2 * fit.beta),
            liquid->relaxation_time, seconds);
    law_add(results, &law_maxwell, resolution, "modulus", label, particles,
            liquid->density * (fit.omega * fit.omega + fit.beta * fit.beta) / c->m.square, liquid->shear_modulus,
            seconds);
}

static void add_creeping(const shear_case *c, law_resolution resolution, const char *label, int particles,
                         const series *amplitude, double seconds, law_results *results)
{
    const dew_material_def *liquid = &c->space.material;
    double lambda = liquid->relaxation_time, rate = -fit_rate(amplitude, FAST_GONE * lambda, c->def.duration);
    law_add(results, &law_maxwell, resolution, "viscosity", label, particles,
            liquid->density * rate * (1 - rate * lambda) / c->m.square, liquid->shear_modulus * lambda, seconds);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    dew_result status = DEW_OK;
    for (int k = 0; k < 2 && !status; k++) {
        double start = law_cpu_seconds();
        double deborah = law_option_value(&law_maxwell, settings, resolution, k ? "creeping" : "swinging");
        shear_case c;
        prepare(&c, method, resolution, settings, dimension, deborah);
        char label[64];
        snprintf(label, sizeof label, "%dD, De %g", dimension, deborah);
        law_progress progress = {.settings = settings, .part = part + share * k / 2, .share = share / 2};
        series amplitude = {0};
        int particles = 0;
        status = shear_mode_run(&c.def, &c.m, label, &progress, &amplitude, &particles);
        if (!status) {
            (k ? add_creeping : add_swinging)(&c, resolution, label, particles, &amplitude, law_cpu_seconds() - start,
                                              results);
            shear_mode_plot(results, &c.m, label, &amplitude, &c.space.material, c.def.duration);
        }
        series_free(&amplitude);
    }
    return status;
}

const law law_maxwell = {
    .name = "maxwell",
    .group = LAW_WAVES,
    .title = "A shear wave in a liquid that remembers (Maxwell 1867): relaxation time and viscosity",
    .physics =
        "A liquid of long molecules is a solid for what is quick and a liquid for what is slow: its stress decays in a "
        "relaxation time. A short wave swings as in jelly and dies in twice that time, whatever its length; a long one "
        "creeps as in a liquid whose viscosity is modulus times relaxation time.",
    .equation = "s^2 + s/lambda + K^2 G/rho = 0",
    .features = DEW_FEATURE_ELASTIC | DEW_FEATURE_RELAXATION,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
