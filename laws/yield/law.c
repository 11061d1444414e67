/* A shear wave in a paste, which yields.
 *
 * Physics. The wave of the law elastic_shear, started at a speed U, would reach the shear stress rho omega U/k. Below
 * the yield stress it swings and comes back whole. Where it would reach more, the layers flow past each other as long
 * as the stress is above tau_y, and the wave comes back smaller: what is above decays in lambda (Bingham 1922, elastic
 * below),
 *
 *     rho dv/dt = d tau/dx,  d tau/dt = G dv/dx - sign(tau) max(|tau| - tau_y, 0)/lambda.
 *
 * Set-up. shear_mode.h, without viscosity; stress of 0.8 and of 2 tau_y; lambda omega = 0.3. Where axes repeat only: in
 * vortices the stress has more components than one.
 *
 * Measurement. The amplitude farthest on the other side, -1 of what comes back whole. At 2 tau_y the yield stress is
 * that for which the equations, integrated in one dimension, come back as far. At 0.8 what is lost. */
#include "../shear_mode.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"yield stress", "Pa", LAW_RELATIVE, {0.15, 0.15, 0.15}, "at which the wave flows"},
    {"loss below", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "of the amplitude in half a period at 0.8 of it"},
};

static const law_option options[] = {
    SHEAR_MODE_OPTIONS,
    {"shear_modulus", "Pa", {100, 100, 100}, "of the paste"},
    {"strain", "1", {0.02, 0.02, 0.02}, "at which it yields"},
    {"below", "1", {0.8, 0.8, 0.8}, "stress over the yield stress of the one that holds"},
    {"above", "1", {2, 2, 2}, "and of the one that flows"},
    {"relaxing", "1", {0.3, 0.3, 0.3}, "lambda omega"},
};

extern const law law_yield;

#define PART_OF_PERIOD 0.7 /* that a run takes: the other side is at a half */

/* The least amplitude of v = cos x with stress in units of sqrt(G rho) U, time of 1/omega: staggered in place and time.
 */
double theory_yield_swing(double yield, double relaxation)
{
    enum { CELLS = 96 };
    double v[CELLS], tau[CELLS] = {0}, dx = 2 * M_PI / CELLS, dt = 0.2 * dx, least = 1;
    for (int i = 0; i < CELLS; i++) v[i] = cos(i * dx);
    for (double t = 0; t < PART_OF_PERIOD * 2 * M_PI; t += dt) {
        double amplitude = 0;
        for (int i = 0; i < CELLS; i++) {
            tau[i] += dt / dx * (v[(i + 1) % CELLS] - v[i]);
            double over = fmax(fabs(tau[i]) - yield, 0);
            tau[i] -= copysign(over * (1 - exp(-dt / relaxation)), tau[i]);
        }
        for (int i = 0; i < CELLS; i++) {
            v[i] += dt / dx * (tau[i] - tau[(i + CELLS - 1) % CELLS]);
            amplitude += 2 * v[i] * cos(i * dx) / CELLS;
        }
        least = fmin(least, amplitude);
    }
    return least;
}

double yield_by_swing(double least, double relaxation)
{
    double low = 0, high = 1; /* all is lost, and nothing */
    for (int k = 0; k < 30; k++) {
        double middle = (low + high) / 2;
        if (theory_yield_swing(middle, relaxation) > least)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static dew_result measure_case(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                               int dimension, bool is_above, law_progress progress, law_results *results)
{
#define OPTION(name) law_option_value(&law_yield, settings, resolution, name)
    double start = law_cpu_seconds(), ratio = OPTION(is_above ? "above" : "below");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *paste = &space.material;
    shear_mode m;
    shear_mode_fill(&law_yield, settings, resolution, method, dimension, &def, &space, &m);
    paste->viscosity = 0, paste->shear_modulus = OPTION("shear_modulus");
    paste->yield_stress = OPTION("strain") * paste->shear_modulus;
    double omega = sqrt(m.square * paste->shear_modulus / paste->density);
    paste->relaxation_time = OPTION("relaxing") / omega;
    m.start = ratio * OPTION("strain") * omega / m.number;
    def.duration = PART_OF_PERIOD * 2 * M_PI / omega;
    char label[64];
    snprintf(label, sizeof label, "%dD, %g of it", dimension, ratio);
    series amplitude = {0};
    int particles = 0;
    dew_result status = shear_mode_run(&def, &m, label, &progress, &amplitude, &particles);
    if (!status) {
        double least = 1, seconds = law_cpu_seconds() - start;
        for (int i = 0; i < amplitude.count; i++) least = fmin(least, amplitude.value[i]);
        if (is_above) /* the wave's own stress is the unit */
            law_add(results, &law_yield, resolution, "yield stress", label, particles,
                    ratio * paste->yield_stress * yield_by_swing(least, OPTION("relaxing")), paste->yield_stress,
                    seconds);
        else
            law_add(results, &law_yield, resolution, "loss below", label, particles, 1 + least, 0, seconds);
        law_plot_begin(results, label, "time, ms", "amplitude over that at the start");
        series_plot(&amplitude, results, LAW_CURVE_MEASURED, "measured", 1e-3, 1);
    }
    series_free(&amplitude);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    dew_result status = DEW_OK;
    for (int k = 0; k < 2 && !status; k++) {
        law_progress progress = {.settings = settings, .part = part + share * k / 2, .share = share / 2};
        status = measure_case(method, resolution, settings, dimension, k == 0, progress, results);
    }
    return status;
}

const law law_yield = {
    .name = "yield",
    .group = LAW_WAVES,
    .title = "A shear wave in a paste: the stress at which it flows (Bingham 1922)",
    .physics =
        "Paste is a solid for what pulls little and flows where it is pulled more. A gentle wave swings in it as in "
        "jelly; a stronger one makes its layers slip past each other, and comes back the smaller the more its stress "
        "would have been above the yield stress.",
    .equation = "d tau/dt = G dv/dx - sign(tau) max(|tau| - tau_y, 0)/lambda",
    .features = DEW_FEATURE_ELASTIC | DEW_FEATURE_PLASTIC | DEW_FEATURE_PERIODIC,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
