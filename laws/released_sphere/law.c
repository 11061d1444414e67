/* A light ball is let go under water.
 *
 * Physics. It is lifted by what it displaces, and must set liquid in motion: half of its own volume of it (Lamb 1932,
 * article 92). From rest, before drag counts,
 *
 *     a = (rho - rho_s) g/(rho_s + C rho),  C = 1/2 in a sea.
 *
 * Set-up. A ball that slips, a tenth as dense as the liquid or twice as dense, three radii over the floor of a tank six
 * radii wide and deep, held until the liquid has settled around it. Its dipole R^3 U (1 + e)/2 has images on all sides:
 * those at its own height, a square lattice of pitch L whose sum of (L/r)^3 is 9.0336 = 4 zeta(3/2) beta(3/2), flow
 * against it by e U; that in the floor and that in the free surface, which is of the other sign, cancel. So e = 9.0336
 * (R/L)^3 (1 + e)/2 and C = 1/2 + 3 e/2.
 *
 * Measurement. From rest to a way of 0.4 R the drag on it, that of potential flow 12 pi mu R v (Levich 1962), is as its
 * speed: v = a t - lambda x, by least squares for both. So a does not depend on what viscosity the method adds: at 4
 * spacings a radius that halves the speed at the end. */
#include "../floating.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"acceleration", "g", LAW_RELATIVE, {0.1, 0.1, 0.1}, "upwards, before drag counts, over that of gravity"},
};

static const law_option options[] = {
    {"per_radius", "1", {4, 5, 7}, "spacings in the ball's radius", LAW_SPACINGS},
    {"radius", "m", {5e-3, 5e-3, 5e-3}, "of the ball"},
    {"viscosity", "Pa s", {1e-3, 1e-3, 1e-3}, "of the liquid"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"held", "1", {2, 2, 2}, "times sqrt(depth/g) for the liquid to settle"},
};

extern const law law_released_sphere;

#define WAY 0.4     /* along which it is followed, R */
enum { WIDTH = 6 }; /* of the tank, and its depth, R */

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_released_sphere, settings, resolution, name)
    static const double densities[] = {0.1, 2};
    enum { CASES = sizeof densities / sizeof *densities, FRAMES = 60 };
    dew_result status = DEW_OK;
    for (int k = 0; k < CASES && !status; k++) {
        double r = OPTION("radius"), g = OPTION("gravity"), s = densities[k];
        double image = 9.0336 / 2 / pow(WIDTH, 3), added = 0.5 + 1.5 * image / (1 - image);
        double theory = (1 - s) / (s + added);
        char label[64];
        snprintf(label, sizeof label, "density ratio %g", s);
        floating_case c = {.ball = {r, s, M_PI / 2, 2.71e-3, WIDTH * r / sqrt(M_PI)},
                           .gravity = g,
                           .spacing = r / OPTION("per_radius"),
                           .pool = WIDTH * r,
                           .start = (WIDTH / 2. + 1) * r,
                           .held = OPTION("held") * sqrt(WIDTH * r / g),
                           .duration = 1.5 * sqrt(2 * WAY * r / (fabs(theory) * g)),
                           .frames = FRAMES,
                           .viscosity = OPTION("viscosity"),
                           .label = label};
        floating_seen seen;
        status = floating_run(method, settings, &c, (double)k / CASES, 1.0 / CASES, &seen);
        if (!status) {
            law_add(results, &law_released_sphere, resolution, "acceleration", label, seen.particles,
                    floating_first_acceleration(&seen, WAY * r) / g, theory, seen.seconds);
            law_plot_begin(results, label, "time, s", "velocity upwards, m/s");
            series_plot(&seen.speed, results, LAW_CURVE_MEASURED, "measured", 1, 1);
            law_plot_curve(results, LAW_CURVE_THEORY, "with added mass", 2, (double[]){0, c.duration},
                           (double[]){0, theory * g * c.duration});
        }
        floating_seen_free(&seen);
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
    .equation = "a = (rho - rho_s) g/(rho_s + C rho), C = 1/2 and what the walls add",
    .features = DEW_FEATURE_3D | DEW_FEATURE_RIGID_COUPLING,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
