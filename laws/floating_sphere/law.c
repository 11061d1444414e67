/* A small ball floats, carried by the liquid's weight and its surface.
 *
 * Physics. Besides what it displaces a ball of millimetres is carried by the pull of its contact line, which bends the
 * surface around it (Young, Laplace): a ball that repels the liquid floats higher than one that it wets, and one twice
 * as dense as the liquid does not sink. The theory is in floating.h.
 *
 * Set-up. A ball in a tank six radii wide, of walls met at 90 degrees, let go at the depth of the theory less a quarter
 * of its radius. It bobs for long where the liquid is thin (by 5 mPa s still by 0.08 and 0.17 R in the last third);
 * this one, Oh 0.37, has it at rest by then.
 *
 * Measurement. Depth of its lowest point under the level that the liquid has without it: mean of the last third. */
#include "../floating.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"depth", "R", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of the lowest point under the liquid's level, over the radius"},
};

static const law_option options[] = {
    {"per_radius", "1", {4, 5, 7}, "spacings in the ball's radius", LAW_SPACINGS},
    {"radius", "m", {1e-3, 1e-3, 1e-3}, "of the ball"},
    {"capillary_length", "m", {2.71e-3, 2.71e-3, 2.71e-3}, "sqrt(gamma/(rho g))"},
    {"viscosity", "Pa s", {0.1, 0.1, 0.1}, "of the liquid"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"duration", "1", {18, 18, 18}, "times sqrt(R^3/(l^2 g)) to run, l the capillary length"},
};

extern const law law_floating_sphere;

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_floating_sphere, settings, resolution, name)
    static const struct {
        double density, angle;
    } cases[] = {{0.5, 60}, {0.5, 120}, {2, 120}};
    enum { CASES = sizeof cases / sizeof *cases, FRAMES = 48 };
    dew_result status = DEW_OK;
    for (int k = 0; k < CASES && !status; k++) {
        double r = OPTION("radius"), l = OPTION("capillary_length"), g = OPTION("gravity");
        char label[64];
        snprintf(label, sizeof label, "density ratio %g, %g deg", cases[k].density, cases[k].angle);
        floating_ball ball = {r, cases[k].density, cases[k].angle * M_PI / 180, l, 6 * r / sqrt(M_PI)};
        double raised = 0, theory = floating_depth(&ball, &raised) - raised;
        floating_case c = {.ball = ball,
                           .gravity = g,
                           .spacing = r / OPTION("per_radius"),
                           .pool = 4 * r,
                           .start = theory - 0.25 * r,
                           .duration = OPTION("duration") * sqrt(r * r * r / (l * l * g)),
                           .frames = FRAMES,
                           .viscosity = OPTION("viscosity"),
                           .label = label};
        floating_seen seen;
        status = floating_run(method, settings, &c, (double)k / CASES, 1.0 / CASES, &seen);
        if (!status) {
            law_add(results, &law_floating_sphere, resolution, "depth", label, seen.particles,
                    series_mean(&seen.depth, 2 * c.duration / 3, INFINITY) / r, theory / r, seen.seconds);
            law_plot_begin(results, label, "time, s", "depth of the lowest point over R");
            series_plot(&seen.depth, results, LAW_CURVE_MEASURED, "measured", 1, r);
            law_plot_curve(results, LAW_CURVE_THEORY, "Young and Laplace", 2, (double[]){0, c.duration},
                           (double[]){theory / r, theory / r});
        }
        floating_seen_free(&seen);
    }
    return status;
#undef OPTION
}

const law law_floating_sphere = {
    .name = "floating_sphere",
    .group = LAW_STATICS,
    .title = "How deep a small ball floats, by density and contact angle (Young, Laplace)",
    .physics = "A ball of a millimetre is carried by its contact line as much as by what it displaces. The surface "
               "bends around it until the pull of the line, the pressure and its weight are even: one that repels "
               "the liquid floats higher, and may be twice as dense as the liquid and not sink.",
    .equation = "M g = rho g (V_cap - pi r^2 h) + 2 pi r gamma sin(beta + theta - pi)",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_RIGID_COUPLING,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
