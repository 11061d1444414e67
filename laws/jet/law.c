/* A jet from a nozzle.
 *
 * Physics. What flows into a nozzle flows out of it: mass rho pi R^2 U in a second, with the momentum rho pi R^2 U^2,
 * in a jet that is as dense as the liquid. In two dimensions rho 2 R U and rho 2 R U^2 for a metre of depth.
 *
 * Set-up. A pipe five spacings wide, full at the start, walls that let slip, without gravity; liquid comes in at its
 * upper end at U = 2 m/s, so fast that tension hardly counts (We 55). Measured when the jet is 14 diameters long. Then
 * the same by a pipe eight spacings wide, and the density of its jet. In two dimensions by two walls as far apart.
 *
 * Measurement. From two to eight diameters below the mouth, the mean of six times in the last quarter: mass and
 * momentum of the particles there times velocity, over the length; density: volume of the particles over that of a
 * round jet of their second moment, mean r^2 = R^2/2 (of a flat one R^2/3). What a particle adds to it by its own width
 * depends on how they lie: on an axis and rings of 1 and 2 spacings around it, with half a spacing of liquid beyond,
 * they seem 2.5 % too dense. */
#include "../law.h"
#include "../nozzle.h"

#include <math.h>

static const law_target targets[] = {
    {"mass flux", "kg/s", LAW_RELATIVE, {0.02, 0.02, 0.02}, "against rho pi R^2 U"},
    {"momentum flux", "N", LAW_RELATIVE, {0.04, 0.04, 0.04}, "against rho pi R^2 U^2"},
    {"density", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "of the wider jet, over that at rest"},
};

static const law_option options[] = {
    {"across", "1", {5, 7, 10}, "spacings in the nozzle's width", LAW_SPACINGS},
    {"wider", "1", {8, 10, 14}, "likewise, of the wider one, whose density is measured"},
    {"radius", "m", {0.5e-3, 0.5e-3, 0.5e-3}, "of the nozzle"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(1e-3)},
    {"speed", "m/s", {2, 2, 2}, "at which liquid comes in"},
};

enum { FRAMES = 24, MEASURED = 6 };

extern const law law_jet;

/* A jet from a nozzle so many spacings wide. */
static dew_result flow_out(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                           int dimension, bool is_wider, double part, double share_of_law, law_results *results)
{
#define OPTION(name) law_option_value(&law_jet, settings, resolution, name)
    double start = law_cpu_seconds(), speed = OPTION("speed");
    law_space space;
    nozzle n;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_jet, settings, resolution, &space.material), d = 2 * radius;
    def.spacing = d / (is_wider ? OPTION("wider") : OPTION("across"));
    def.dimension = dimension;
    nozzle_define(&def, &space, &n, radius, speed, 0);
    def.duration = 14 * d / speed;
    def.frame_rate = FRAMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    jet_found sum = {0};
    double time[FRAMES], mass[FRAMES], section = dimension == 2 ? d : M_PI * radius * radius,
                                       rate = space.material.density * section * speed;
    for (int k = 0; k < FRAMES && !status; k++) {
        law_report(settings, part + share_of_law * k / FRAMES, is_wider ? "wider jet" : "jet");
        status = law_advance(simulation, 1, NULL, NULL);
        if (status) break;
        jet_found f = jet_measure(dew_simulation_frame(simulation), -8 * d, -2 * d);
        time[k] = 1e3 * dew_simulation_time(simulation), mass[k] = f.mass / rate;
        if (k < FRAMES - MEASURED) continue;
        sum.mass += f.mass, sum.momentum += f.momentum, sum.density += f.density;
    }
    if (!status) {
        int particles = dew_simulation_particle_count(simulation);
        double seconds = law_cpu_seconds() - start, share = 1.0 / MEASURED;
        law_show(settings, simulation, "%d particles after %.3g ms", particles, 1e3 * def.duration);
        char label[LAW_LABEL], title[LAW_LABEL];
        law_label(label, dimension, "%s", is_wider ? "wider" : "");
        law_label(title, dimension, "Mass flux, two to eight diameters below the mouth");
        law_add(results, &law_jet, resolution, "mass flux", label, particles, share * sum.mass, rate, seconds);
        law_add(results, &law_jet, resolution, "momentum flux", label, particles, share * sum.momentum, rate * speed,
                seconds);
        if (is_wider) {
            law_add(results, &law_jet, resolution, "density", dimension == 2 ? "2D" : "", particles,
                    share * sum.density, 1, seconds);
        } else {
            law_plot_begin(results, title, "time, ms", "over what comes in");
            law_plot_curve(results, LAW_CURVE_POINTS, "measured", FRAMES, time, mass);
            law_plot_curve(results, LAW_CURVE_THEORY, "what comes in", 2, (double[]){0, time[FRAMES - 1]},
                           (double[]){1, 1});
        }
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    dew_result status = flow_out(method, resolution, settings, dimension, false, part, share / 2, results);
    return status ? status
                  : flow_out(method, resolution, settings, dimension, true, part + share / 2, share / 2, results);
}

const law law_jet = {
    .name = "jet",
    .title = "A jet from a nozzle five spacings wide: mass, momentum, density",
    .physics =
        "What is let into a nozzle comes out of it, no more and no less, as fast and as dense. A jet that is a few "
        "particles wide is mostly surface, and everything that a method does at surfaces and walls can brake, pack or "
        "thin it.",
    .equation = "mass flux rho pi R^2 U, momentum flux rho pi R^2 U^2; in two dimensions rho 2 R U, rho 2 R U^2",
    .group = LAW_JETS,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
