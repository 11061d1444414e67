/* A plane begins to move along itself.
 *
 * Physics. Liquid at rest on a plane that moves along itself at U from time 0 on follows as far as vorticity has spread
 * (Stokes 1851; Rayleigh 1911):
 *
 *     u(y, t) = U erfc(y/(2 sqrt(nu t))),  wall shear rho U sqrt(nu/(pi t)).
 *
 * Set-up. A layer of height H below a lid that holds it too, periodic along and across. It ends at t = 0.06 H^2/nu,
 * when the lid feels 0.4 % of U.
 *
 * Measurement. In the last two fifths: rms of velocity less theory over U, mean velocity, and the impulse that the
 * plane gets. */
#include "../law.h"
#include "../shear_flow.h"

#include <math.h>

static const law_target targets[] = {
    SHEAR_TARGETS(0.03, "mean velocity", "force on the moving plane"),
    SHEAR_ORDER,
};

static const law_option options[] = {
    {"across", "1", {16, 24, 32}, "spacings in the layer", LAW_SPACINGS},
    SHEAR_OPTIONS,
};

extern const law law_start_up;

static double speed(const shear_flow *f, double y, double time)
{
    return f->drive * erfc(y / (2 * sqrt(f->viscosity * time)));
}

static double pull(const shear_flow *f, double time)
{
    return -f->density * f->drive * sqrt(f->viscosity / (M_PI * time)) * f->area;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      int dimension, int across, double *coarser, double part, double share, law_results *results)
{
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    shear_flow f = {
        .dimension = dimension, .speed = speed, .pull = pull, .from = 0.6, .flux = "flux", .coarser = coarser};
    shear_liquid(&law_start_up, settings, resolution, &space, &f);
    f.drive = f.scale;
    shear_layer(&def, &space, &f, across, true, 0);
    def.duration = 0.06 * f.size * f.size / f.viscosity;
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = {f.drive, 0, 0}}};
    space.solids[0].motion.keyframes = keys, space.solids[0].motion.keyframe_count = 2;
    return shear_run(&law_start_up, settings, resolution, &def, &f, dimension == 2 ? "2D" : "3D", part, share, results);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    int across = (int)law_option_value(&law_start_up, settings, resolution, "across");
    return shear_run_for_order(run, method, resolution, settings, dimension, across, part, share, results);
}

const law law_start_up = {
    .name = "start_up",
    .title = "Liquid above a plane that begins to move (Stokes 1851)",
    .physics = "A plane that begins to move along itself drags the liquid on it, and that drags what is above: motion "
               "spreads as "
               "heat does, as the root of time.",
    .equation = "u = U erfc(y/(2 sqrt(nu t)))",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_NO_SLIP | DEW_FEATURE_PERIODIC,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
