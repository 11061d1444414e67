/* A shear wave that viscosity stops.
 *
 * Physics. Layers that slide past each other in a wave of length L pull at each other; without any other force the wave
 * stands and dies (Stokes 1851), and so do vortices in a box (Taylor and Green 1937):
 *
 *     A = A_0 exp(-nu K^2 t),  K^2 = k^2, 2 k^2,  k = 2 pi/L.
 *
 * Set-up. shear_mode.h. A_0 = 1 cm/s in L = 1 mm; viscosities by Re = A_0 L/nu. Each is run until a fifth is left.
 * Without viscosity as long as at the largest Re: what rate there is belongs to the method.
 *
 * Measurement. The amplitude by least squares over all particles; its rate by least squares of the logarithm, from a
 * tenth of the time on. */
#include "../shear_mode.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"rate", "1/s", LAW_RELATIVE, {0.1, 0.1, 0.1}, "at which the mode dies: nu K^2", LAW_DISSIPATION_FAULT},
    {"own viscosity", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "without any set, over A_0 L", LAW_DISSIPATION_FAULT},
};

static const law_option options[] = {
    SHEAR_MODE_OPTIONS,
    {"speed", "m/s", {0.01, 0.01, 0.01}, "A_0"},
    {"cases", "1", {3, 3, 3}, "of viscosity: at Re 1, 10, 100"},
    {"reynolds", "1", {NAN, NAN, NAN}, "of one case alone, in place of these"},
    {"own", "1", {1, 1, 1}, "1: run also without viscosity"},
};

extern const law law_shear_wave;

#define LEFT 0.2 /* of the amplitude, at a run's end */

/* `reynolds` INFINITY: without viscosity, as long as at `longest`. */
static dew_result measure_case(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                               int dimension, double reynolds, double longest, law_progress progress,
                               law_results *results)
{
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    shear_mode m = {.start = law_option_value(&law_shear_wave, settings, resolution, "speed")};
    shear_mode_fill(&law_shear_wave, settings, resolution, method, dimension, &def, &space, &m);
    double unit = m.start * m.length; /* m2/s */
    space.material.viscosity = space.material.density * unit / reynolds;
    def.duration = -log(LEFT) / (unit / fmin(reynolds, longest) * m.square);
    char label[64];
    snprintf(label, sizeof label, isfinite(reynolds) ? "%dD, Re %g" : "%dD, no viscosity", dimension, reynolds);
    series amplitude = {0};
    int particles = 0;
    dew_result status = shear_mode_run(&def, &m, label, &progress, &amplitude, &particles);
    if (!status) {
        double rate = -fit_rate(&amplitude, def.duration / 10, def.duration), seconds = law_cpu_seconds() - start;
        if (isfinite(reynolds))
            law_add(results, &law_shear_wave, resolution, "rate", label, particles, rate, unit / reynolds * m.square,
                    seconds);
        else
            law_add(results, &law_shear_wave, resolution, "own viscosity", label, particles, rate / (m.square * unit),
                    0, seconds);
        shear_mode_plot(results, &m, label, &amplitude, &space.material, def.duration);
    }
    series_free(&amplitude);
    return status;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_shear_wave, settings, resolution, name)
    double single = OPTION("reynolds"), largest = single;
    int cases = isnan(single) ? (int)OPTION("cases") : 1, all = cases + (OPTION("own") != 0);
    dew_result status = DEW_OK;
    for (int k = 0; k < all && !status; k++) {
        double reynolds = k == cases ? INFINITY : isnan(single) ? pow(10, k) : single;
        if (k < cases) largest = reynolds;
        law_progress progress = {.settings = settings, .part = part + share * k / all, .share = share / all};
        status = measure_case(method, resolution, settings, dimension, reynolds, largest, progress, results);
    }
    return status;
#undef OPTION
}

const law law_shear_wave = {
    .name = "shear_wave",
    .group = LAW_WAVES,
    .title = "A shear wave dies by viscosity (Stokes 1851; vortices: Taylor and Green 1937)",
    .physics = "Layers of liquid slide past each other, to and fro along the wave. No pressure and no surface plays a "
               "part: the "
               "wave can only die, by viscosity. So its rate is the viscosity, and where none is set what rate there "
               "is belongs "
               "to the method.",
    .equation = "A ~ exp(-nu K^2 t), K = 2 pi/L (of vortices sqrt 2 times as much)",
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
