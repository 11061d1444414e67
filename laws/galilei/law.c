/* What happens does not depend on the velocity of the whole.
 *
 * Physics. Newton's laws are the same in every frame of reference that moves evenly (Galilei 1632): a drop that flies
 * at 10 m/s swings as one at rest, and one that meets a plate flying along with it spreads as on a plate at rest. What
 * is done once a step, or set by absolute speeds, breaks that.
 *
 * Set-up. Each run is made twice, at rest and with all of it at 10 m/s in a direction against the axes: the drop of the
 * law of oscillation, and a drop that meets a plane at 0.3 m/s more than the plane has. In two dimensions the same of a
 * disc and a line.
 *
 * Measurement. Swinging: frequency and damping as in the law of oscillation, the moving one's against those at rest.
 * Impact: radial and axial standard deviation of the mass at 20 times, the largest difference over the drop's radius.
 */
#include "../law.h"
#include "../measure.h"

#include <math.h>

static const law_target targets[] = {
    {"frequency", "rad/s", LAW_RELATIVE, {0.01, 0.01, 0.01}, "of a flying drop's oscillation, against that at rest"},
    {"damping", "1/s", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of the same"},
    {"shape", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "of an impact on a plate that flies along: largest difference/R"},
};

static const law_option options[] = {
    {LAW_PARTICLES(1000, 4000, 10000)},
    {LAW_PLANE_PARTICLES(1000, 2000, 4000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.05)},
    {LAW_VISCOSITY(NAN)},
    {"speed", "m/s", {10, 10, 10}, "of the whole"},
    {"amplitude", "1", {0.04, 0.04, 0.04}, "of the oscillation, over R"},
    {"periods", "1", {2.5, 2.5, 2.5}, "of the oscillation to run"},
    {"impact", "m/s", {0.3, 0.3, 0.3}, "of the drop against the plate"},
    {"duration", "1", {2, 2, 2}, "of the impact, capillary times sqrt(rho R^3/gamma)"},
};

enum { FRAMES = 20 };

extern const law law_galilei;

static dew_vec3 along(int dimension, double speed)
{
    return dimension == 2 ? (dew_vec3){speed * 5 / 13, speed * 12 / 13, 0}
                          : (dew_vec3){speed * 2 / 7, speed * 3 / 7, speed * 6 / 7};
}

static double still_frequency(int dimension) { return dimension == 2 ? sqrt(6) : sqrt(8); }

static double still_period(int dimension) { return dimension == 2 ? 2 * M_PI / sqrt(6) : M_PI / sqrt(2); }

/* --- swinging --- */

static dew_result swing(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                        int dimension, double speed, double part, double share, mode_watch *w, int *particles)
{
#define OPTION(name) law_option_value(&law_galilei, settings, resolution, name)
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_galilei, settings, resolution, dimension, &def, &space.material);
    space.liquids[0].shape = law_stretched_drop(dimension, radius, OPTION("amplitude"));
    space.liquids[0].velocity = along(dimension, speed);
    int frames = law_plan(&def, radius, OPTION("periods") * still_period(dimension), 2);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    w->progress =
        (law_progress){settings, def.duration, part, share, 0, speed > 0 ? "swings, flying" : "swings, at rest"};
    *particles = dew_simulation_particle_count(simulation);
    status = law_advance(simulation, frames, mode_watch_step, w);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run_swing(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                            int dimension, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_galilei, settings, resolution, name)
    double start = law_cpu_seconds();
    mode_watch w[2] = {0};
    int particles = 0;
    dew_result status = swing(method, resolution, settings, dimension, 0, part, share / 2, &w[0], &particles);
    if (!status)
        status = swing(method, resolution, settings, dimension, OPTION("speed"), part + share / 2, share / 2, &w[1],
                       &particles);
    if (!status) {
        dew_material_def liquid;
        double unit = law_capillary_time(&liquid, law_liquid(&law_galilei, settings, resolution, &liquid));
        double from = 0.25 * still_period(dimension) * unit, omega = still_frequency(dimension) / unit;
        const char *label = dimension == 2 ? "2D" : "";
        decay_fit rest = fit_decay(&w[0].amplitude, from, INFINITY, omega);
        decay_fit fly = fit_decay(&w[1].amplitude, from, INFINITY, omega);
        double seconds = law_cpu_seconds() - start;
        law_add(results, &law_galilei, resolution, "frequency", label, particles, fly.omega, rest.omega, seconds);
        law_add(results, &law_galilei, resolution, "damping", label, particles, fly.beta, rest.beta, seconds);
        law_plot_begin(results, dimension == 2 ? "2D, oscillation" : "Oscillation", "time, ms", "amplitude over R");
        series_plot(&w[1].amplitude, results, LAW_CURVE_MEASURED, "flying", 1e-3, 1);
        series_plot(&w[0].amplitude, results, LAW_CURVE_THEORY, "at rest", 1e-3, 1);
    }
    for (int i = 0; i < 2; i++) series_free(&w[i].amplitude);
    return status;
#undef OPTION
}

/* --- impact --- */

typedef struct course {
    double time[FRAMES], radial[FRAMES], axial[FRAMES]; /* s; over R */
} course;

static void fly_along(void *context, int count, const double *const *inputs, double *output)
{
    const double *speed = context;
    for (int i = 0; i < count; i++) output[i] = *speed * inputs[0][i];
}

static dew_result impact(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                         int dimension, double speed, double part, double share, course *c, int *particles)
{
#define OPTION(name) law_option_value(&law_galilei, settings, resolution, name)
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_galilei, settings, resolution, dimension, &def, &space.material);
    dew_vec3 velocity = along(dimension, speed), towards = law_place(dimension, 0, 0, -OPTION("impact"));
    double plate[3] = {velocity.x, velocity.y, velocity.z};
    space.solids[0].name = "plate";
    space.solids[0].shape = dew_plane((dew_vec3){0}, law_place(dimension, 0, 0, 1));
    if (speed > 0)
        for (int k = 0; k < 3; k++) space.solids[0].motion.translation_of[k] = (dew_function){fly_along, &plate[k]};
    def.solid_count = 1;
    space.liquids[0].shape = dew_sphere(law_place(dimension, 0, 0, radius + def.spacing), radius);
    space.liquids[0].velocity = (dew_vec3){velocity.x + towards.x, velocity.y + towards.y, velocity.z + towards.z};
    law_plan(&def, radius, OPTION("duration"), 1);
    def.frame_rate = FRAMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    *particles = dew_simulation_particle_count(simulation);
    for (int k = 0; k < FRAMES && !status; k++) {
        law_report(settings, part + share * k / FRAMES, "impact, %s", speed > 0 ? "flying" : "at rest");
        status = law_advance(simulation, 1, NULL, NULL);
        bulk b = measure_bulk(simulation);
        c->time[k] = 1e3 * dew_simulation_time(simulation);
        bool is_flat = dimension == 2;
        c->radial[k] = sqrt(is_flat ? b.moment[0][0] : 0.5 * (b.moment[0][0] + b.moment[1][1])) / radius;
        c->axial[k] = sqrt(b.moment[dimension - 1][dimension - 1]) / radius;
    }
    if (!status) law_show(settings, simulation, "impact on a plate, %g m/s, %d particles", speed, *particles);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run_impact(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                             int dimension, double part, double share, law_results *results)
{
    double start = law_cpu_seconds(), speed = law_option_value(&law_galilei, settings, resolution, "speed");
    double largest = 0;
    int particles = 0;
    course rest, fly;
    dew_result status = impact(method, resolution, settings, dimension, 0, part, share / 2, &rest, &particles);
    if (!status)
        status = impact(method, resolution, settings, dimension, speed, part + share / 2, share / 2, &fly, &particles);
    if (status) return status;
    for (int k = 0; k < FRAMES; k++)
        largest = fmax(largest, fmax(fabs(fly.radial[k] - rest.radial[k]), fabs(fly.axial[k] - rest.axial[k])));
    law_add(results, &law_galilei, resolution, "shape", dimension == 2 ? "2D" : "", particles, largest, 0,
            law_cpu_seconds() - start);
    law_plot_begin(results, dimension == 2 ? "2D, impact on a line" : "Impact on a plate", "time, ms",
                   "standard deviation of the mass over R");
    law_plot_curve(results, LAW_CURVE_POINTS, "radial, flying", FRAMES, fly.time, fly.radial);
    law_plot_curve(results, LAW_CURVE_THEORY, "radial, at rest", FRAMES, rest.time, rest.radial);
    law_plot_curve(results, LAW_CURVE_POINTS, "axial, flying", FRAMES, fly.time, fly.axial);
    law_plot_curve(results, LAW_CURVE_THEORY, "axial, at rest", FRAMES, rest.time, rest.axial);
    return DEW_OK;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    dew_result status = run_swing(method, resolution, settings, dimension, part, share / 2, results);
    return status ? status : run_impact(method, resolution, settings, dimension, part + share / 2, share / 2, results);
}

const law law_galilei = {
    .name = "galilei",
    .title = "An oscillation and an impact at 10 m/s are those at rest",
    .physics =
        "Nothing that happens within a body tells how fast the whole of it flies. A drop at 10 m/s swings as one at "
        "rest, and spreads on a plate that flies along with it as on a plate at rest; smoothing that is done once "
        "a step, steps that shrink with absolute speeds, and grids that stand still make a difference.",
    .equation = "x' = x - v t: the same course in either frame",
    .group = LAW_CONSERVATION,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
