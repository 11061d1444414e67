/* A floating ball bobs, and comes to rest where Archimedes says.
 *
 * Physics. At rest a body displaces its own weight. A ball half as dense as the liquid floats half under, where a
 * contact angle of 90 degrees leaves the surface flat. Pushed down and let go it bobs by
 *
 *     omega^2 = rho g pi R^2/(M + m_a),  m_a = 0.43 rho V_under at omega^2 R/g near 1 (Hulme 1982),
 *
 * times 1/(1 - pi R^2/A) in a tank of area A, where the liquid rises as the ball sinks.
 *
 * Set-up. The ball in a tank five radii wide and 2.5 deep, let go a fifth of its radius too deep.
 *
 * Measurement. Depth of its lowest point under the level that the liquid has without it, mean of the last half; its
 * drift, what that changes by from the third quarter to the last, over the radius; the period by the first two times at
 * which it passes the depth at rest. */
#include "../floating.h"

#include <math.h>

static const law_target targets[] = {
    {"depth", "R", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of the lowest point under the liquid's level, over the radius"},
    {"drift", "R", LAW_ABSOLUTE, {0.02, 0.02, 0.02}, "of the depth in the last quarter, over the radius"},
    {"period", "s", LAW_RELATIVE, {0.15, 0.15, 0.15}, "of bobbing, twice the time between passes"},
};

static const law_option options[] = {
    {"per_radius", "1", {4, 5, 7}, "spacings in the ball's radius", LAW_SPACINGS},
    {"radius", "m", {1e-2, 1e-2, 1e-2}, "of the ball"},
    {"viscosity", "Pa s", {1e-3, 1e-3, 1e-3}, "of the liquid"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"duration", "1", {3, 3, 3}, "periods to run"},
};

extern const law law_buoyancy;

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_buoyancy, settings, resolution, name)
    enum { FRAMES = 120 };
    double r = OPTION("radius"), g = OPTION("gravity"), across = 5 * r;
    double share = M_PI * r * r / (across * across), under = 2 * M_PI / 3 * r * r * r;
    /* Without a ball the level is lower by what it displaces. */
    double theory = r - under / (across * across);
    double period = 2 * M_PI / sqrt(1.5 * g / (1.43 * r) / (1 - share));
    floating_case c = {.ball = {r, 0.5, M_PI / 2, 2.71e-3, across / sqrt(M_PI)},
                       .gravity = g,
                       .spacing = r / OPTION("per_radius"),
                       .pool = 2.5 * r,
                       .start = theory + 0.2 * r,
                       .duration = OPTION("duration") * period,
                       .frames = FRAMES,
                       .viscosity = OPTION("viscosity"),
                       .label = "bobs"};
    floating_seen seen;
    dew_result status = floating_run(method, settings, &c, 0, 1, &seen);
    if (!status) {
        const series *depth = &seen.depth;
        double end = c.duration, passes[2] = {NAN, NAN}, rest = series_mean(depth, end / 2, INFINITY);
        for (int i = 1, k = 0; i < depth->count && k < 2; i++) {
            double a = depth->value[i - 1] - rest, b = depth->value[i] - rest;
            if (a * b < 0) passes[k++] = depth->time[i - 1] + a / (a - b) * (depth->time[i] - depth->time[i - 1]);
        }
        double drift = series_mean(depth, 0.75 * end, INFINITY) - series_mean(depth, end / 2, 0.75 * end);
        law_add(results, &law_buoyancy, resolution, "depth", "", seen.particles, rest / r, theory / r, seen.seconds);
        law_add(results, &law_buoyancy, resolution, "drift", "", seen.particles, drift / r, 0, seen.seconds);
        law_add(results, &law_buoyancy, resolution, "period", "", seen.particles, 2 * (passes[1] - passes[0]), period,
                seen.seconds);
        law_plot_begin(results, "Bobbing", "time, s", "depth of the lowest point over R");
        series_plot(depth, results, LAW_CURVE_MEASURED, "measured", 1, r);
        law_plot_curve(results, LAW_CURVE_THEORY, "Archimedes", 2, (double[]){0, end},
                       (double[]){theory / r, theory / r});
    }
    floating_seen_free(&seen);
    return status;
#undef OPTION
}

const law law_buoyancy = {
    .name = "buoyancy",
    .group = LAW_WAVES,
    .title = "A floating ball: its depth (Archimedes) and its bobbing with added mass (Hulme 1982)",
    .physics =
        "A ball half as dense as the liquid floats half under. Pushed down it bobs, together with the liquid that "
        "it must move, until waves and viscosity have taken its energy; it must not creep up or down.",
    .equation = "V_under = M/rho; omega^2 = rho g pi R^2/((M + m_a)(1 - pi R^2/A))",
    .features = DEW_FEATURE_3D | DEW_FEATURE_RIGID_COUPLING,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
