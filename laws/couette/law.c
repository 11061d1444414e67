/* Flow between walls of which one moves along itself.
 *
 * Physics. Between planes at a distance H, the upper one moving at U, and between cylinders, the inner one turning at
 * Omega (Couette 1890), the shear that one wall gives goes through all layers to the other:
 *
 *     u = U y/H,  wall shear rho nu U/H;
 *     u = A r + B/r,  A = -Omega R1^2/(R2^2 - R1^2),  B = -A R2^2,  moment 4 pi rho nu B a length.
 *
 * Set-up. Planes: periodic along and across, where a method can. Cylinders: a vessel twice as wide as what turns in it,
 * full, between walls at its ends that let slip, or in two dimensions. All hold the liquid.
 *
 * Measurement. In the last fourth, when what was missing at the start has died: rms of velocity less theory over the
 * moving wall's; mean velocity (round z: mean of velocity times distance); force or moment on the wall at rest. */
#include "../law.h"
#include "../shear_flow.h"

#include <math.h>

static const law_target targets[] = {
    SHEAR_TARGETS(0.03, "mean velocity; round an axis of velocity times distance",
                  "force (round an axis: moment) on the wall at rest"),
    SHEAR_ORDER,
};

static const law_option options[] = {
    {"across", "1", {8, 12, 16}, "spacings between the walls", LAW_SPACINGS},
    SHEAR_OPTIONS,
};

extern const law law_couette;

static double speed_of_planes(const shear_flow *f, double y, double time)
{
    (void)time;
    return f->drive * y / f->size;
}

static double pull_of_planes(const shear_flow *f, double time)
{
    (void)time;
    return f->density * f->viscosity * f->drive / f->size * f->area;
}

static double swirl(const shear_flow *f) /* B */
{
    return f->drive * pow(f->inner * f->size, 2) / (f->size * f->size - f->inner * f->inner);
}

static double speed_of_cylinders(const shear_flow *f, double r, double time)
{
    (void)time;
    return swirl(f) * (1 / r - r / (f->size * f->size));
}

static double pull_of_cylinders(const shear_flow *f, double time)
{
    (void)time;
    return 4 * M_PI * f->density * f->viscosity * swirl(f) * f->area;
}

static dew_result run_planes(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                             int dimension, int across, double part, double share, law_results *results)
{
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    shear_flow f = {
        .dimension = dimension, .speed = speed_of_planes, .pull = pull_of_planes, .from = 0.75, .flux = "flux"};
    shear_liquid(&law_couette, settings, resolution, &space, &f);
    f.drive = f.scale;
    shear_layer(&def, &space, &f, across, true, 0.5);
    def.duration = 0.8 * f.size * f.size / f.viscosity;
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = {f.drive, 0, 0}}};
    space.solids[1].motion.keyframes = keys, space.solids[1].motion.keyframe_count = 2;
    return shear_run(&law_couette, settings, resolution, &def, &f, dimension == 2 ? "2D, planes" : "3D, planes", part,
                     share, results);
}

static dew_result run_cylinders(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                                int dimension, int across, double *coarser, double part, double share,
                                law_results *results)
{
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    shear_flow f = {.dimension = dimension,
                    .is_round = true,
                    .speed = speed_of_cylinders,
                    .pull = pull_of_cylinders,
                    .from = 0.75,
                    .flux = "flux",
                    .coarser = coarser};
    shear_liquid(&law_couette, settings, resolution, &space, &f);
    f.inner = 0.5 * f.size, f.drive = f.scale / f.inner;
    shear_vessel(&def, &space, &f, across, method);
    def.duration = 0.15 * f.size * f.size / f.viscosity;
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .rotation = {0, 0, f.drive}}};
    space.solids[1].motion.keyframes = keys, space.solids[1].motion.keyframe_count = 2;
    return shear_run(&law_couette, settings, resolution, &def, &f, dimension == 2 ? "2D, cylinders" : "3D, cylinders",
                     part, share, results);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    int across = (int)law_option_value(&law_couette, settings, resolution, "across");
    if (method->features & DEW_FEATURE_PERIODIC) {
        dew_result status = run_planes(method, resolution, settings, dimension, across, part, 0.3 * share, results);
        if (status) return status;
    }
    part += 0.3 * share, share *= 0.7;
    if (dimension == 3) /* twice as fine takes too long */
        return run_cylinders(method, resolution, settings, dimension, across, NULL, part, share, results);
    return shear_run_for_order(run_cylinders, method, resolution, settings, dimension, across, part, share, results);
}

const law law_couette = {
    .name = "couette",
    .title = "Flow between planes and cylinders of which one moves (Couette 1890)",
    .physics = "Between two walls that hold the liquid, of which one moves along itself, layers slide on one another, "
               "and the shear "
               "that the one wall gives is what the other gets: that is how viscosity is measured.",
    .equation = "u = U y/H; u = A r + B/r",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_NO_SLIP,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
