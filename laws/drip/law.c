/* Drops that fall from a nozzle.
 *
 * Physics. A drop that grows slowly on a nozzle falls when it weighs 2 pi r gamma psi (Harkins, Brown 1919), psi of
 * r/V^(1/3). While it parts more flows in, and what flows in has momentum: how much that is the equations of slender
 * jets say (slender.c). Scheele and Meister's correlation (1968), V = psi (pi gamma D/(rho g) - 4 Q U/(3 g) + 4.5 (Q^2
 * D^2 gamma/(rho g^2))^(1/3)), is of drops in liquids, which part more slowly: at We 0.2 it has 64.8 mm3 here, the
 * equations 52.9.
 *
 * Set-up. A pipe five spacings wide whose mouth the liquid meets at 120 degrees, so that it stays at the inner edge; a
 * half ball hangs from it at the start. Walls let slip.
 *
 * Measurement. Volume of the largest body when first there are two. */
#include "../law.h"
#include "../nozzle.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"slow drop",
     "m3",
     LAW_RELATIVE,
     {0.12, 0.12, 0.12},
     "volume that falls where We < 0.01, against Harkins and Brown"},
    {"fast drop", "m3", LAW_RELATIVE, {0.2, 0.2, 0.2}, "at a larger We, against the equations of slender jets"},
};

static const law_option options[] = {
    {"across", "1", {5, 7, 10}, "spacings in the nozzle's width", LAW_SPACINGS},
    {"radius", "m", {1.2e-3, 1.2e-3, 1.2e-3}, "of the nozzle: psi is known from r/V^(1/3) = 0.3 on"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(5e-3)},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"slow",
     "1",
     {NAN, 0.008, 0.008},
     "We of the slow drop; unset: the fast one only, for it takes five times as long"},
    {"fast", "1", {0.2, 0.2, 0.2}, "We of the fast drop"},
};

extern const law law_drip;

double theory_dripping(double radius, double density, double tension, double gravity)
{
    double sum = 2 * M_PI * radius * tension / (density * gravity), volume = 0.65 * sum;
    for (int k = 0; k < 60; k++) volume = 0.5 * (volume + theory_harkins_brown(radius / cbrt(volume)) * sum);
    return volume;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          double weber, bool is_slow, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_drip, settings, resolution, name)
    double start = law_cpu_seconds(), gravity = OPTION("gravity"), fallen = NAN;
    law_space space;
    nozzle n;
    dew_simulation_def def = law_definition(method, settings, &space);
    const dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_drip, settings, resolution, &space.material);
    double speed = sqrt(weber * liquid->surface_tension / (liquid->density * 2 * radius));
    double theory = is_slow ? theory_dripping(radius, liquid->density, liquid->surface_tension, gravity)
                            : theory_slender_drop(radius, speed, liquid->density, liquid->surface_tension,
                                                  liquid->viscosity, gravity);
    double needed = theory / (M_PI * radius * radius * speed); /* s, at this flow */
    def.spacing = 2 * radius / OPTION("across");
    def.gravity = (dew_vec3){0, 0, -gravity};
    space.solids[0].contact_angle = 120;
    nozzle_define(&def, &space, &n, radius, speed, 1);
    def.duration = 2 * needed;
    enum { FRAMES = 400 };
    def.frame_rate = FRAMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char label[64];
    snprintf(label, sizeof label, "We %g", weber);
    for (int k = 0; k < FRAMES && !status && isnan(fallen); k++) {
        double volumes[DEW_MOST_COLUMNS];
        law_report(settings, part + share * k / FRAMES, "%s", label);
        status = law_advance(simulation, 1, NULL, NULL);
        if (!status) status = dew_simulation_measure(simulation, "drop_volumes", volumes);
        if (!status && volumes[1] > 0.02 * theory) fallen = volumes[0];
    }
    if (!status) {
        law_show(settings, simulation, "%s, when it has fallen", label);
        law_add(results, &law_drip, resolution, is_slow ? "slow drop" : "fast drop", label,
                dew_simulation_particle_count(simulation), fallen, theory, law_cpu_seconds() - start);
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    double slow = law_option_value(&law_drip, settings, resolution, "slow");
    double fast = law_option_value(&law_drip, settings, resolution, "fast"), first = isnan(slow) ? 1 : 0.2;
    dew_result status = measure(method, resolution, settings, fast, false, 0, first, results);
    return status || isnan(slow) ? status
                                 : measure(method, resolution, settings, slow, true, first, 1 - first, results);
}

const law law_drip = {
    .name = "drip",
    .title = "Drops that fall from a nozzle (Harkins, Brown 1919; Eggers, Dupont 1994)",
    .physics = "A drop grows at the end of a nozzle until its weight is more than its edge can hold, necks, and falls. "
               "Not all "
               "that hung there goes; and where more flows in while it parts, drops are larger.",
    .equation = "V = psi pi gamma D/(rho g), slowly; else rho dv/dt = -dp/dz + rho g + 3 mu/h^2 d(h^2 dv/dz)/dz",
    .group = LAW_JETS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .breaks_up = true,
    .run = run,
};
