/* Pools of any depth keep it.
 *
 * Physics. A liquid at rest bears its own weight without yielding: the depth is the volume over the floor, whether five
 * layers of particles lie on one another or sixty. What a method lets pressure be too low by, or a sum at the floor or
 * the surface be off by, shows in the one or the other.
 *
 * Set-up. Water, 5, 15 and 60 spacings of 4 mm deep, on a floor, eight spacings wide and periodic or between walls that
 * let slip; in two dimensions too where the method has them. It runs 12 times as long as a wave takes for the depth.
 *
 * Measurement. Twice the height of the centre of mass over the depth that the particles should have, the mean of the
 * last fifth. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"depth", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "by the centre of mass, over that of the particles"},
};

static const law_option options[] = {
    {"layer", "m", {4e-3, 4e-3, 4e-3}, "a spacing", LAW_SPACING},
    {"deepest", "1", {60, 60, 60}, "spacings, besides 5 and 15"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(1e-3)},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"duration", "1", {12, 12, 12}, "times sqrt(depth/g) to run"},
};

enum { WIDTH = 8, CASES = 3 };

extern const law law_pool;

typedef struct watch {
    law_progress progress;
    double area, unit; /* of the floor, m2 (2D: m); sqrt(depth/g), s */
    series depth;      /* over that of the particles */
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    const dew_frame *frame = dew_simulation_frame(simulation);
    bulk b = measure_bulk(simulation);
    double depth = b.count * pow(frame->spacing, frame->dimension) / w->area;
    law_report_progress(&w->progress, simulation);
    return series_add(&w->depth, dew_simulation_time(simulation) / w->unit,
                      2 * (frame->dimension == 2 ? b.centre.y : b.centre.z) / depth);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double layers, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_pool, settings, resolution, name)
    double start = law_cpu_seconds(), gravity = OPTION("gravity");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    law_liquid(&law_pool, settings, resolution, &space.material);
    def.spacing = OPTION("layer");
    double width = WIDTH * def.spacing, depth = layers * def.spacing;
    law_tank(&def, &space, dimension, law_place(dimension, width, width, 2 * depth), law_repeats(method),
             law_repeats(method));
    def.gravity = law_place(dimension, 0, 0, -gravity);
    space.liquids[0].shape = dew_box(law_place(dimension, 0, 0, 0), law_place(dimension, width, width, depth));
    if (dimension == 2) space.liquids[0].shape.box.min.z = -width, space.liquids[0].shape.box.max.z = width;
    char label[64];
    snprintf(label, sizeof label, "%dD, %g layers", dimension, layers);
    watch w = {.area = dimension == 2 ? width : width * width, .unit = sqrt(depth / gravity)};
    def.duration = OPTION("duration") * w.unit;
    int frames = (int)ceil(OPTION("duration"));
    def.frame_rate = frames / def.duration;
    w.progress = (law_progress){settings, def.duration, part, share, 0, label};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        double end = w.depth.time[w.depth.count - 1];
        law_add(results, &law_pool, resolution, "depth", label, dew_simulation_particle_count(simulation),
                series_mean(&w.depth, 0.8 * end, INFINITY), 1, law_cpu_seconds() - start);
        law_plot_begin(results, label, "time, sqrt(depth/g)", "depth over that of the particles");
        series_plot(&w.depth, results, LAW_CURVE_MEASURED, "measured", 1, 1);
        law_plot_curve(results, LAW_CURVE_THEORY, "kept", 2, (double[]){0, end}, (double[]){1, 1});
    }
    series_free(&w.depth);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    double layers[CASES] = {5, 15, law_option_value(&law_pool, settings, resolution, "deepest")};
    int dimensions[2], count = CASES * law_dimensions(method, dimensions);
    dew_result status = DEW_OK;
    for (int i = 0; i < count && !status; i++)
        status = measure(method, resolution, settings, dimensions[i / CASES], layers[i % CASES], (double)i / count,
                         1.0 / count, results);
    return status;
}

const law law_pool = {
    .name = "pool",
    .title = "Pools of 5 to 60 layers of particles keep their depth",
    .physics =
        "A pool is as deep as its volume over its floor, however few or many particles lie on one another. What a "
        "method gets wrong at the floor or the surface weighs most in a shallow one, what its pressure lacks in a deep "
        "one.",
    .equation = "depth = V/A",
    .group = LAW_STATICS,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
