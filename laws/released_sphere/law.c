/* A light ball is let go under water.
 *
 * Physics. It is lifted by what it displaces, and must set liquid in motion: half of its own volume of it (Lamb 1932,
 * article 92). From rest, before drag counts,
 *
 *     a = (rho - rho_s) g/(rho_s + rho/2).
 *
 * Set-up. A ball a tenth as dense as the liquid, and one that is twice as dense, three radii over the floor of a tank
 * six radii wide, held until the liquid has settled around it. The tank's walls add about a tenth to what moves along
 * of the liquid, rho/2: that of a ball within a sphere as wide (Lamb, article 93), (1 + 2 (R/b)^3)/(1 - (R/b)^3),
 * counts.
 *
 * Measurement. The slope of its velocity while it moves from 0.05 to 0.4 of its radius, by least squares. */
#include "../floating.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"acceleration", "g", LAW_RELATIVE, {0.1, 0.1, 0.1}, "upwards, at first, over that of gravity"},
};

static const law_option options[] = {
    {"per_radius", "1", {4, 5, 7}, "spacings in the ball's radius", LAW_SPACINGS},
    {"radius", "m", {5e-3, 5e-3, 5e-3}, "of the ball"},
    {"viscosity", "Pa s", {1e-3, 1e-3, 1e-3}, "of the liquid"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"held", "1", {2, 2, 2}, "times sqrt(depth/g) for the liquid to settle"},
};

extern const law law_released_sphere;

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_released_sphere, settings, resolution, name)
    static const double densities[] = {0.1, 2};
    enum { CASES = sizeof densities / sizeof *densities, FRAMES = 60 };
    dew_result status = DEW_OK;
    for (int k = 0; k < CASES && !status; k++) {
        double start = law_cpu_seconds(), r = OPTION("radius"), g = OPTION("gravity"), s = densities[k];
        double shell = pow(1 / 3.0, 3), theory = (1 - s) / (s + 0.5 * (1 + 2 * shell) / (1 - shell));
        char label[64];
        snprintf(label, sizeof label, "density ratio %g", s);
        floating_case c = {.ball = {r, s, M_PI / 2, 2.71e-3, 6 * r / sqrt(M_PI)},
                           .gravity = g,
                           .spacing = r / OPTION("per_radius"),
                           .pool = 6 * r,
                           .start = 4 * r,
                           .held = OPTION("held") * sqrt(6 * r / g),
                           .duration = 1.5 * sqrt(2 * 0.4 * r / (fabs(theory) * g)),
                           .frames = FRAMES,
                           .viscosity = OPTION("viscosity"),
                           .label = label};
        series depth = {0}, speed = {0};
        int particles = 0;
        status = floating_run(method, settings, &c, (double)k / CASES, 1.0 / CASES, &depth, &speed, &particles);
        if (!status) {
            double from = INFINITY, to = c.duration;
            for (int i = depth.count; i-- > 0;) {
                double way = fabs(depth.value[i] - depth.value[0]) / r;
                if (way > 0.05) from = depth.time[i];
                if (way > 0.4) to = depth.time[i];
            }
            law_add(results, &law_released_sphere, resolution, "acceleration", label, particles,
                    fit_slope(&speed, from, to) / g, theory, law_cpu_seconds() - start);
            law_plot_begin(results, label, "time, s", "velocity upwards, m/s");
            series_plot(&speed, results, LAW_CURVE_MEASURED, "measured", 1, 1);
            law_plot_curve(results, LAW_CURVE_THEORY, "with added mass", 2, (double[]){0, c.duration},
                           (double[]){0, theory * g * c.duration});
        }
        series_free(&depth), series_free(&speed);
    }
    return status;
#undef OPTION
}

const law law_released_sphere = {
    .name = "released_sphere",
    .group = LAW_WAVES,
    .title = "A ball let go under water: its acceleration with added mass (Lamb 1932)",
    .physics = "A light ball let go under water is lifted by ten times its weight, but does not start at nine g: it "
               "must set liquid in motion, half of its own volume of it.",
    .equation = "a = (rho - rho_s) g/(rho_s + C_m rho), C_m = 1/2 and what the walls add",
    .features = DEW_FEATURE_3D | DEW_FEATURE_RIGID_COUPLING,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
