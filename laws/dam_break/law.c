/* A column of water collapses, and the pool that it leaves.
 *
 * Physics. A column of width a, twice as high, is let go at one end of a tank. Its front runs along the dry floor;
 * Martin and Moyce (1952) measured where it was when (martin_moyce.csv, T = t sqrt(2 g/a)): three widths from the back
 * after T = 2.51. It runs up the far wall, falls back, and sloshes; the liquid's volume stays what it was.
 *
 * Set-up. a = 57.15 mm as theirs; a tank four times as long; water on walls that let slip, for its layer on a wall, 0.4
 * mm, is thinner than a spacing. Eight spacings between the sides in three dimensions, and two dimensions.
 *
 * Measurement. Front: the place that one row of particles has passed, half a spacing added; the time at which it is at
 * three widths. Volume: how thinly the lower part of the pool is filled, by a sum that counts particles wholly up to a
 * fifth of its mean depth and fades out at three fifths, below the troughs; the mean of the last fifth of a run ten
 * times as long as the front's. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"front", "1", LAW_RELATIVE, {0.06, 0.06, 0.06}, "T at which it is three widths from the back"},
    {"volume",
     "1",
     LAW_RELATIVE,
     {0.01, 0.01, 0.01},
     "of the pool at the end: rest density over that of its lower part"},
};

static const law_option options[] = {
    {"across", "1", {14, 20, 28}, "spacings in the column's width", LAW_SPACINGS},
    {"radius", "m", {57.15e-3, 57.15e-3, 57.15e-3}, "width a of the column"},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(1e-3)},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"times", "1", {10, 10, 10}, "the front's time of T = 2.51 to run"},
};

/* The rows of martin_moyce.csv. */
static const double fronts[][2] = {{0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
                                   {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
                                   {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};
enum { FRONTS = sizeof fronts / sizeof *fronts, ROW = 8, FRAMES = 100 };

double theory_front_time(double place)
{
    for (int i = 1; i < FRONTS; i++)
        if (place >= fronts[i - 1][1] && place <= fronts[i][1])
            return fronts[i - 1][0] +
                   (fronts[i][0] - fronts[i - 1][0]) * (place - fronts[i - 1][1]) / (fronts[i][1] - fronts[i - 1][1]);
    return NAN;
}

extern const law law_dam_break;

/* The place that `row` particles have reached along x. */
double measure_front(const dew_frame *frame, int row)
{
    enum { MOST = 16 };
    double farthest[MOST]; /* the largest first */
    dew_field x;
    if (!dew_frame_field(frame, "position", &x) || x.count < row || row > MOST) return NAN;
    for (int k = 0; k < row; k++) farthest[k] = -INFINITY;
    for (int i = 0; i < x.count; i++) {
        double at = ((const dew_real *)x.data)[(size_t)i * x.stride];
        for (int k = row - 1; k >= 0 && at > farthest[k]; k--) {
            if (k + 1 < row) farthest[k + 1] = farthest[k];
            farthest[k] = at;
        }
    }
    return farthest[row - 1] + 0.5 * frame->spacing;
}

double measure_filling(const dew_frame *frame, double area)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    double unit = pow(frame->spacing, frame->dimension), depth = x.count * unit / area, sum = 0;
    for (int i = 0; i < x.count; i++) {
        double up = ((const dew_real *)x.data)[(size_t)i * x.stride + frame->dimension - 1] / depth;
        sum += 0.5 + 0.5 * cos(M_PI * fmin(1, fmax(0, (up - 0.2) / 0.4)));
    }
    return sum * unit / (0.4 * depth * area);
}

typedef struct watch {
    law_progress progress;
    double width, unit, area; /* m, s; of the floor, m2 (2D: m) */
    int row;
    series front, volume; /* over a, over T; over the particles', over T */
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    law_report_progress(&w->progress, simulation);
    double time = dew_simulation_time(simulation) / w->unit;
    const dew_frame *frame = dew_simulation_frame(simulation);
    if (dew_simulation_step_count(simulation) % 10 == 0 &&
        !series_add(&w->volume, time, 1 / measure_filling(frame, w->area)))
        return false;
    return time > 4 || series_add(&w->front, time, measure_front(frame, w->row) / w->width); /* 4: at the far wall */
}

static void add_figures(const watch *w, const char *label, int particles, double seconds, law_resolution resolution,
                        law_results *results)
{
    double end = w->volume.time[w->volume.count - 1], x[FRONTS], y[FRONTS];
    law_add(results, &law_dam_break, resolution, "front", label, particles, series_reaches(&w->front, 3),
            theory_front_time(3), seconds);
    law_add(results, &law_dam_break, resolution, "volume", label, particles, series_mean(&w->volume, 0.8 * end, end), 1,
            seconds);
    for (int i = 0; i < FRONTS; i++) x[i] = fronts[i][0], y[i] = fronts[i][1];
    char title[96];
    snprintf(title, sizeof title, "Front, %s", label);
    law_plot_begin(results, title, "T = t sqrt(2 g/a)", "front/a");
    series_plot(&w->front, results, LAW_CURVE_MEASURED, "measured", 1, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "Martin, Moyce 1952", FRONTS, x, y);
    snprintf(title, sizeof title, "Volume, %s", label);
    law_plot_begin(results, title, "T = t sqrt(2 g/a)", "over that of the particles");
    series_plot(&w->volume, results, LAW_CURVE_MEASURED, "measured", 1, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "kept", 2, (double[]){0, end}, (double[]){1, 1});
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_dam_break, settings, resolution, name)
    double start = law_cpu_seconds(), gravity = OPTION("gravity");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double width = law_liquid(&law_dam_break, settings, resolution, &space.material);
    def.spacing = width / OPTION("across");
    double side = ROW * def.spacing;
    law_tank(&def, &space, dimension, law_place(dimension, 4 * width, side, 6 * width), DEW_WALL, law_repeats(method));
    def.gravity = law_place(dimension, 0, 0, -gravity);
    space.liquids[0].shape = dew_box(law_place(dimension, 0, 0, 0), law_place(dimension, width, side, 2 * width));
    if (dimension == 2) space.liquids[0].shape.box.min.z = -width, space.liquids[0].shape.box.max.z = width;
    char label[64];
    snprintf(label, sizeof label, "%dD", dimension);
    watch w = {.width = width, .unit = sqrt(width / (2 * gravity)), .row = dimension == 2 ? 2 : ROW};
    w.area = 4 * width * (dimension == 2 ? 1 : side);
    def.duration = OPTION("times") * theory_front_time(3) * w.unit;
    def.frame_rate = FRAMES / def.duration;
    w.progress = (law_progress){settings, def.duration, part, share, 0, label};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    int particles = dew_simulation_particle_count(simulation);
    for (int k = 0; k < FRAMES && !status; k++) {
        status = law_advance(simulation, 1, after_step, &w);
        if (k == FRAMES / 10 - 1) law_show(settings, simulation, "%s, at T = 2.51", label);
    }
    if (!status) add_figures(&w, label, particles, law_cpu_seconds() - start, resolution, results);
    series_free(&w.front);
    series_free(&w.volume);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_dam_break = {
    .name = "dam_break",
    .title = "A column of water that collapses (Martin, Moyce 1952), and the pool it leaves",
    .physics =
        "A column of water, let go, runs along the floor as fast as its weight drives it, whatever its size: its "
        "front has been measured. What it leaves is a pool that sloshes, and that is to hold as much as the "
        "column did, ten times as long after.",
    .equation = "front/a = Z(t sqrt(2 g/a)), Z = 3 at 2.51; V = const",
    .group = LAW_WAVES,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
