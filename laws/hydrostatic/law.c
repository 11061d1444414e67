/* A column of liquid at rest under gravity.
 *
 * Physics. In a liquid at rest each layer carries the weight of those above it (Stevin 1586, Pascal 1663):
 *
 *     p(z) = rho g (H - z),
 *
 * H the height of the free surface. The liquid does not yield: H is the volume over the base, whatever the weight, and
 * stays so however long one looks.
 *
 * Set-up. A column twice as high as wide on a plane, periodic sides where the method has them, else walls (contact
 * angle 90 degrees: the surface is flat either way), filled without order as liquids are: a lattice would stay one, its
 * layers pushing by turns too much and too little. H is the particles' volume over the base. It runs for a number of
 * steps, not for a time: a solver's error adds up by steps. Coarse and medium take fewer than 10,000.
 *
 * Measurement. Over the last fifth of the steps: the volume, as twice the height of the centre of mass over H (a column
 * that sags or swells anywhere shows there, and no surface need be found); the height, as that of the surface particles
 * and half a spacing; the pressure by layers a spacing thick, its root mean square deviation from theory over rho g H.
 */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const law_target targets[] = {
    {"volume", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "by the centre of mass, at the end, over that of the particles"},
    {"height", "1", LAW_RELATIVE, {0.02, 0.02, 0.02}, "of the free surface over H"},
    {"mean pressure", "Pa", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of all particles, against rho g H/2"},
    {"pressure", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "rms deviation of the layers from theory over rho g H"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0.02)},
    {"height", "m", {5e-3, 5e-3, 5e-3}, "of the column, twice its width"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"steps", "1", {2000, 5000, 10000}, "to take"},
    {"walls", "1", {NAN, NAN, NAN}, "1: walls at the sides, 0: periodic, instead of by what the method can"},
};

enum { LAYERS = 256 };

typedef struct watch {
    const law_settings *settings;
    int64_t steps, from; /* to take, from which one on it is measured */
    double spacing, height;
    series volume, surface; /* over the filling's */
    double weight[LAYERS], pressure[LAYERS], place[LAYERS];
    int particles;
} watch;

/* The mean height of what is flagged as surface in the upper half, half a spacing added; NaN: there is none. */
static double surface_height(const dew_simulation *simulation, const watch *w)
{
    double *points, sum = 0;
    int count = surface_points(simulation, &points), kept = 0;
    for (int i = 0; i < count; i++)
        if (points[3 * i + 2] > 0.5 * w->height) {
            sum += points[3 * i + 2];
            kept++;
        }
    free(points);
    return kept > 0 ? sum / kept + 0.5 * w->spacing : NAN;
}

static void add_layers(const dew_simulation *simulation, watch *w)
{
    dew_field x, p;
    if (!dew_simulation_field(simulation, "position", &x) || !dew_simulation_field(simulation, "pressure", &p) ||
        p.type != DEW_FIELD_REAL)
        return;
    for (int i = 0; i < x.count; i++) {
        double z = ((const dew_real *)x.data)[(size_t)i * x.stride + 2];
        int layer = (int)floor(z / w->spacing);
        if (layer < 0 || layer >= LAYERS) continue;
        w->weight[layer]++;
        w->place[layer] += z;
        w->pressure[layer] += ((const dew_real *)p.data)[(size_t)i * p.stride];
    }
}

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    int64_t step = dew_simulation_step_count(simulation);
    bulk b = measure_bulk(simulation);
    if (step >= w->from) add_layers(simulation, w);
    if (step % 50 == 0) law_report(w->settings, (double)step / (double)w->steps, "%d particles", b.count);
    w->particles = b.count;
    bool is_kept = series_add(&w->volume, (double)step, 2 * b.centre.z / w->height);
    if (step % 10 == 0)
        is_kept = is_kept && series_add(&w->surface, (double)step, surface_height(simulation, w) / w->height);
    return is_kept && step < w->steps;
}

extern const law law_hydrostatic;

static void add_figures(watch *w, double unit, double seconds, law_resolution resolution, law_results *results)
{
    const law *l = &law_hydrostatic;
    double x[LAYERS], y[LAYERS], square = 0, sum = 0, all = 0;
    int layers = 0;
    for (int k = 0; k < LAYERS; k++) {
        if (w->weight[k] == 0) continue;
        double z = w->place[k] / w->weight[k] / w->height, p = w->pressure[k] / w->weight[k] / unit;
        double miss = p - fmax(0, 1 - z);
        square += miss * miss;
        sum += w->pressure[k];
        all += w->weight[k];
        x[layers] = p;
        y[layers++] = z;
    }
    double from = (double)w->from;
    law_add(results, l, resolution, "volume", "", w->particles, series_mean(&w->volume, from, INFINITY), 1, seconds);
    law_add(results, l, resolution, "height", "", w->particles, series_mean(&w->surface, from, INFINITY), 1, seconds);
    law_add(results, l, resolution, "mean pressure", "", w->particles, all > 0 ? sum / all : NAN, unit / 2, seconds);
    law_add(results, l, resolution, "pressure", "", w->particles, layers > 0 ? sqrt(square / layers) : NAN, 0, seconds);
    law_plot_begin(results, "Pressure over height", "p/(rho g H)", "z/H");
    law_plot_curve(results, LAW_CURVE_POINTS, "measured, layers", layers, x, y);
    law_plot_curve(results, LAW_CURVE_THEORY, "rho g (H - z)", 2, (double[]){1, 0}, (double[]){0, 1});
    law_plot_begin(results, "Volume kept", "steps", "over that of the particles");
    series_plot(&w->volume, results, LAW_CURVE_MEASURED, "volume, by the centre of mass", 1, 1);
    series_plot(&w->surface, results, LAW_CURVE_MEASURED, "height of the surface", 1, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "kept", 2, (double[]){0, (double)w->steps}, (double[]){1, 1});
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_hydrostatic, settings, resolution, name)
    double start = law_cpu_seconds(), height = OPTION("height"), gravity = OPTION("gravity"), walls = OPTION("walls");
    double across = fmax(8, round(cbrt(OPTION("particles") / 2))); /* particles in a row */
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    law_liquid(&law_hydrostatic, settings, resolution, &space.material);
    if (isnan(walls)) walls = !(method->features & DEW_FEATURE_PERIODIC);
    def.spacing = height / (2 * across);
    double half = 0.25 * height;
    def.gravity = (dew_vec3){0, 0, -gravity};
    def.domain.min = (dew_vec3){-half, -half, 0}, def.domain.max = (dew_vec3){half, half, height};
    def.domain.axis[0] = def.domain.axis[1] = walls != 0 ? DEW_WALL : DEW_PERIODIC;
    space.solids[0].name = "floor";
    space.solids[0].shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    def.solid_count = 1;
    space.liquids[0].shape = dew_box((dew_vec3){-half, -half, 0}, (dew_vec3){half, half, height});
    def.duration = 1000; /* it ends by steps */
    def.frame_rate = 4 * sqrt(gravity / height);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    height = dew_simulation_particle_count(simulation) * pow(def.spacing, 3) / (4 * half * half);
    watch w = {.settings = settings, .spacing = def.spacing, .height = height, .steps = (int64_t)OPTION("steps")};
    w.from = w.steps - w.steps / 5;
    status = law_advance(simulation, (int)(def.duration * def.frame_rate), after_step, &w);
    if (!status) {
        law_show(settings, simulation, "%d particles after %d steps", w.particles, (int)w.steps);
        add_figures(&w, space.material.density * gravity * height, law_cpu_seconds() - start, resolution, results);
    }
    series_free(&w.volume);
    series_free(&w.surface);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_hydrostatic = {
    .name = "hydrostatic",
    .group = LAW_STATICS,
    .title = "A column at rest under gravity: its pressure, and its volume over many steps",
    .physics =
        "In a liquid at rest every layer carries the weight of those above it, so the pressure grows evenly with "
        "depth, "
        "from nothing at the free surface. The liquid does not yield to it: the column keeps its volume, at the "
        "bottom as at the top, for as long as one looks. A method whose pressure solver lags behind the weight sags, "
        "little by little, and the centre of mass shows it.",
    .equation = "p(z) = rho g (H - z), V = const",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
