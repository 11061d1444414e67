/* A full vessel begins to turn.
 *
 * Physics. Liquid at rest in a vessel of radius R that turns at Omega from time 0 on takes up the rotation from the
 * wall inwards, until all turns as one body (Batchelor 1967, 4.5):
 *
 *     u(r, t) = Omega r + 2 Omega R sum of J1(b r/R)/(b J0(b)) exp(-b^2 nu t/R^2),  J1(b) = 0.
 *
 * Set-up. An upright vessel full of liquid, its wall holds it; between walls at its ends that let slip, or in two
 * dimensions.
 *
 * Measurement. From 0.02 to 0.04 R^2/nu, when half to two thirds of the rotation is there: mean of r u against theory;
 * rms of velocity less theory over Omega R; the impulse of rotation that the vessel gets. */
#include "../law.h"
#include "../shear_flow.h"

#include <math.h>

static const law_target targets[] = {
    {"rotation", "m2/s", LAW_RELATIVE, {0.05, 0.05, 0.05}, "mean of distance times velocity"},
    {"profile", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "rms of velocity less theory, over the largest"},
    {"wall shear", "N m", LAW_RELATIVE, {0.05, 0.05, 0.05}, "moment of the liquid on the vessel"},
};

static const law_option options[] = {
    {"across", "1", {16, 24, 32}, "spacings in the radius", LAW_SPACINGS},
    SHEAR_OPTIONS,
};

extern const law law_spin_up;

enum { ROOTS = 40 };

/* The k-th root of J1 above 0: from McMahon's expansion by Newton's steps. */
static double root_of(int k)
{
    double b = (k + 0.25) * M_PI;
    for (int i = 0; i < 6; i++) b -= j1(b) / (j0(b) - j1(b) / b);
    return b;
}

static double speed(const shear_flow *f, double r, double time)
{
    double sum = r / f->size;
    for (int k = 1; k <= ROOTS; k++) {
        double b = root_of(k), fade = b * b * f->viscosity * time / (f->size * f->size);
        if (fade > 40) break;
        sum += 2 * j1(b * r / f->size) / (b * j0(b)) * exp(-fade);
    }
    return f->drive * f->size * sum;
}

/* d(u/r)/dr at the wall: J1' = J0 there. */
static double pull(const shear_flow *f, double time)
{
    double sum = 0;
    for (int k = 1; k <= ROOTS; k++) {
        double b = root_of(k);
        sum += 2 * exp(-b * b * f->viscosity * time / (f->size * f->size));
    }
    return -2 * M_PI * f->size * f->size * f->area * f->density * f->viscosity * f->drive * sum;
}

double theory_spin_up(double r, double time)
{
    const shear_flow f = {.size = 1, .viscosity = 1, .drive = 1};
    return speed(&f, r, time);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    int across = (int)law_option_value(&law_spin_up, settings, resolution, "across");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    shear_flow f = {
        .dimension = dimension, .is_round = true, .speed = speed, .pull = pull, .from = 0.5, .flux = "rotation"};
    shear_liquid(&law_spin_up, settings, resolution, &space, &f);
    f.drive = f.scale / f.size;
    shear_vessel(&def, &space, &f, across, method);
    def.duration = 0.04 * f.size * f.size / f.viscosity;
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .rotation = {0, 0, f.drive}}};
    space.solids[0].motion.keyframes = keys, space.solids[0].motion.keyframe_count = 2;
    return shear_run(&law_spin_up, settings, resolution, &def, &f, dimension == 2 ? "2D" : "3D", part, share, results);
}

const law law_spin_up = {
    .name = "spin_up",
    .title = "A full vessel that begins to turn",
    .physics = "A vessel that begins to turn drags the liquid at its wall, and rotation spreads inwards until the "
               "liquid turns with "
               "the vessel as one body.",
    .equation = "u -> Omega r, by exp(-14.7 nu t/R^2)",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_NO_SLIP,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
