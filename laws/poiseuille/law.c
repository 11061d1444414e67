/* Flow between two planes, driven along them.
 *
 * Physics. Liquid between planes at a distance H that hold it, driven by an acceleration a (a slope or a drop of
 * pressure), flows in a parabola whose shear at the walls bears the whole drive (Poiseuille 1840):
 *
 *     u(y) = a y (H - y)/(2 nu),  wall shear rho a H/2 on either plane.
 *
 * Set-up. Periodic along and across, both planes hold the liquid (slip_length 0); gravity points along them. The liquid
 * starts with half of the profile; what is missing dies as exp(-pi^2 nu t/H^2).
 *
 * Measurement. From 0.6 H^2/nu on: rms of velocity less theory over the largest; mean velocity; the impulse that the
 * lower plane gets. */
#include "../law.h"
#include "../shear_flow.h"

#include <math.h>

static const law_target targets[] = {
    SHEAR_TARGETS(0.03, "mean velocity", "force on the lower plane"),
    SHEAR_ORDER,
};

static const law_option options[] = {
    {"across", "1", {10, 16, 24}, "spacings between the planes", LAW_SPACINGS},
    SHEAR_OPTIONS,
};

extern const law law_poiseuille;

static double speed(const shear_flow *f, double y, double time)
{
    (void)time;
    return f->drive * y * (f->size - y) / (2 * f->viscosity);
}

static double pull(const shear_flow *f, double time)
{
    (void)time;
    return f->density * f->drive * f->size / 2 * f->area;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      int dimension, int across, double *coarser, double part, double share, law_results *results)
{
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    shear_flow f = {
        .dimension = dimension, .speed = speed, .pull = pull, .from = 0.75, .flux = "flux", .coarser = coarser};
    shear_liquid(&law_poiseuille, settings, resolution, &space, &f);
    f.drive = 8 * f.viscosity * f.scale / (f.size * f.size);
    shear_layer(&def, &space, &f, across, true, 0.5);
    def.gravity = (dew_vec3){f.drive, 0, 0};
    def.duration = 0.8 * f.size * f.size / f.viscosity;
    return shear_run(&law_poiseuille, settings, resolution, &def, &f, dimension == 2 ? "2D" : "3D", part, share,
                     results);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    int across = (int)law_option_value(&law_poiseuille, settings, resolution, "across");
    return shear_run_for_order(run, method, resolution, settings, dimension, across, part, share, results);
}

const law law_poiseuille = {
    .name = "poiseuille",
    .title = "Flow between two planes (Poiseuille 1840)",
    .physics =
        "Liquid that is driven along between two planes which hold it is fastest in the middle. Each layer drags its "
        "neighbours, and the planes bear in the end all that drives it.",
    .equation = "u = a y (H - y)/(2 nu)",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_NO_SLIP | DEW_FEATURE_PERIODIC,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
