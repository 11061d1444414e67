/* Two drops that touch become one.
 *
 * Physics. Where two balls touch, the surface is bent without bound and draws them together; where inertia holds it
 * back the neck's radius grows as (Eggers, Lister, Stone 1999; Duchemin, Eggers, Josserand 2003)
 *
 *     neck/R = C sqrt(t/tau),  tau = sqrt(rho R^3/gamma),
 *
 * C between 1.1 and 1.6 in experiments and simulations (Aarts et al. 2005; Paulsen et al. 2014). On a plate at 90
 * degrees half balls do the same, for the plate is a plane of symmetry. In the end there is one ball of both volumes.
 * Two discs become one disc; how fast their neck opens when it is as wide as it is measured here no source tells, so
 * that C is judged in three dimensions alone.
 *
 * Set-up. Two balls of radius R along x, and two half balls on a plate, that touch at the start; Oh 0.05, low enough
 * for inertia, and rest within 20 tau.
 *
 * In two dimensions two discs and two halves, and 1.6 times as long: what their union swings dies at 4 nu/(2 R^2)
 * there, and at 5 nu/(2^(2/3) R^2) in three.
 *
 * Measurement. Cross section of the liquid within half a spacing of the plane x = 0, as pi neck^2 (on the plate half
 * of it), or 2 neck in two dimensions: volume of the particles there over the width. (neck/R)^2 = C^2 t/tau is fitted
 * by least squares while the neck opens from 0.4 to 0.7 of R, where the spacing, by which a method blurs the first
 * touch, counts little. End shape: sqrt(5 mean (x - c)^2)/R_end (a disc's: 4) along each axis, the worst, over the last
 * tau; bodies at the end. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"C", "1", LAW_ABSOLUTE, {0.25, 0.25, 0.25}, "neck/R over sqrt(t/tau): 1.1 to 1.6"},
    {"end shape",
     "1",
     LAW_ABSOLUTE,
     {0.03, 0.03, 0.03},
     "semi-axis over the ball's radius, the worst of three, less 1"},
    {"bodies", "1", LAW_ABSOLUTE, {0, 0, 0}, "at the end"},
};

static const law_option options[] = {
    {LAW_PARTICLES(4000, 10000, 20000)},
    {LAW_PLANE_PARTICLES(1000, 4000, 8000)},
    {LAW_RADIUS("of each drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.05)},
    {LAW_VISCOSITY(NAN)},
    {"duration", "1", {20, 20, 20}, "capillary times sqrt(rho R^3/gamma) to run"},
};

extern const law law_coalescence;

typedef struct watch {
    law_progress progress;
    double radius, unit; /* m, s */
    bool is_on_plate;
    series square, shape; /* (neck/R)^2; the worst semi-axis less 1 */
} watch;

double measure_bridge(const dew_frame *frame, double half_width, bool is_half)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    double count = 0;
    for (int i = 0; i < x.count; i++) {
        double inside = half_width - fabs((double)((const dew_real *)x.data)[(size_t)i * x.stride]);
        if (frame->dimension == 2) /* by how much of its spacing is within: of so few it would else be seen */
            count += fmax(0, fmin(1, inside / frame->spacing + 0.5));
        else
            count += inside > 0;
    }
    double whole = (is_half ? 2 : 1) * count * pow(frame->spacing, frame->dimension);
    return frame->dimension == 2 ? whole / (4 * half_width) : sqrt(whole / (2 * half_width * M_PI));
}

double worst_semi_axis(const bulk *b, double radius, bool is_half)
{
    double worst = 0;
    const double centre[3] = {b->centre.x, b->centre.y, b->centre.z};
    int up = b->dimension - 1;
    for (int k = 0; k <= up; k++) {
        double square = b->moment[k][k] + (k == up && is_half ? centre[k] * centre[k] : 0);
        double miss = sqrt((b->dimension + 2) * square) / radius - 1;
        if (fabs(miss) >= fabs(worst)) worst = miss;
    }
    return worst;
}

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double spacing = dew_simulation_spacing(simulation), time = dew_simulation_time(simulation) / w->unit;
    bulk b = measure_bulk(simulation);
    double end = drop_radius(b.dimension, (w->is_on_plate ? 2 : 1) * b.count, spacing);
    double neck = measure_bridge(dew_simulation_frame(simulation), 0.5 * spacing, w->is_on_plate) / w->radius;
    law_report_progress(&w->progress, simulation);
    return series_add(&w->square, time, neck * neck) &&
           series_add(&w->shape, time, worst_semi_axis(&b, end, w->is_on_plate));
}

double coalescence_coefficient(const series *square)
{
    double product = 0, sum = 0, largest = 0;
    for (int i = 0; i < square->count && square->value[i] < 0.7 * 0.7; i++) { /* until it is that wide */
        double t = square->time[i];
        if (square->value[i] > 0.4 * 0.4) product += square->value[i] * t, sum += t * t;
        largest = square->value[i];
    }
    return largest > 0.65 * 0.65 ? sqrt(product / sum) : NAN;
}

static void add_figures(const watch *w, int dimension, const char *label, int particles, double bodies, double seconds,
                        law_resolution resolution, law_results *results)
{
    const law *l = &law_coalescence;
    double end = w->square.time[w->square.count - 1], x[60], y[60];
    if (dimension == 3)
        law_add(results, l, resolution, "C", label, particles, coalescence_coefficient(&w->square), 1.35, seconds);
    law_add(results, l, resolution, "end shape", label, particles, series_mean(&w->shape, end - 1, end), 0, seconds);
    law_add(results, l, resolution, "bodies", label, particles, bodies, 1, seconds);
    law_plot_begin(results, label, "time, sqrt(rho R^3/gamma)", "(neck/R)^2");
    series_plot(&w->square, results, LAW_CURVE_MEASURED, "measured", 1, 1);
    for (int k = 0; k < 2; k++) {
        double c = k ? 1.6 : 1.1;
        for (int i = 0; i < 60; i++) x[i] = 0.01 * i, y[i] = c * c * x[i];
        law_plot_curve(results, LAW_CURVE_THEORY, k ? "C = 1.6" : "C = 1.1", 60, x, y);
    }
}

static dew_result measure_drops(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                                int dimension, bool is_on_plate, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_coalescence, settings, resolution, name)
    char label[LAW_LABEL];
    law_label(label, dimension, "%s", is_on_plate ? "on a plate" : "free");
    double start = law_cpu_seconds(), bodies = NAN;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_coalescence, settings, resolution, dimension, &def, &space.material);
    double duration = (dimension == 2 ? 1.6 : 1) * OPTION("duration");
    if (dimension == 2) /* of both together */
        def.spacing *= sqrt(2);
    else
        def.spacing = spacing_of_count(8 * M_PI / 3 * pow(radius, 3), (int)OPTION("particles"));
    space.solids[0].name = "plate";
    space.solids[0].shape = dew_plane((dew_vec3){0}, law_place(dimension, 0, 0, 1));
    def.solid_count = is_on_plate ? 1 : 0;
    def.liquid_count = 2;
    dew_shape_def parts[2][2];
    for (int k = 0; k < 2; k++) {
        parts[k][0] = dew_sphere((dew_vec3){k ? radius : -radius, 0, 0}, radius);
        parts[k][1] = space.solids[0].shape;
        space.liquids[k].shape = parts[k][0];
        if (!is_on_plate) continue;
        space.liquids[k].shape = dew_default_shape_def();
        space.liquids[k].shape.kind = DEW_SHAPE_DIFFERENCE;
        space.liquids[k].shape.combination.children = parts[k];
        space.liquids[k].shape.combination.count = 2;
    }
    int frames = law_plan(&def, radius, duration, 1);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    watch w = {.progress = {settings, def.duration, part, share, 0, label},
               .radius = radius,
               .unit = law_capillary_time(&space.material, radius),
               .is_on_plate = is_on_plate};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) status = dew_simulation_measure(simulation, "drop_count", &bodies);
    if (!status) {
        law_show(settings, simulation, "%s, after %g capillary times", label, duration);
        add_figures(&w, dimension, label, dew_simulation_particle_count(simulation), bodies, law_cpu_seconds() - start,
                    resolution, results);
    }
    series_free(&w.square);
    series_free(&w.shape);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    bool has_plate = method->features & DEW_FEATURE_CONTACT_ANGLE;
    double free_share = has_plate ? 0.6 * share : share;
    dew_result status = measure_drops(method, resolution, settings, dimension, false, part, free_share, results);
    return status || !has_plate ? status
                                : measure_drops(method, resolution, settings, dimension, true, part + free_share,
                                                share - free_share, results);
}

const law law_coalescence = {
    .name = "coalescence",
    .title = "Two drops that touch become one, free and on a plate",
    .physics =
        "Where two drops touch, the surface is bent so sharply that it draws the liquid into the gap. A neck opens as "
        "the root of time while inertia alone holds it back, whatever the liquid, and the two end as one ball "
        "(on a plate that is met at 90 degrees, as half a ball).",
    .equation = "neck/R = C sqrt(t/sqrt(rho R^3/gamma)), C = 1.1 to 1.6",
    .group = LAW_THREADS,
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
