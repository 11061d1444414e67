/* A bridge of liquid between two plates: at rest, and pulled until it parts.
 *
 * Physics. Without gravity the free surface of a bridge at rest has one mean curvature (Young, Laplace); with its
 * pressure p it draws the plates together by the same force at every height,
 *
 *     F = 2 pi r gamma cos(slope) - p pi r^2.
 *
 * and in two dimensions, where its two sides are arcs of radius H/(2 cos(theta)) and w is half of its width,
 *
 *     F = 2 gamma cos(slope) - 2 p w,  p = -2 gamma cos(theta)/H.
 *
 * bridge.csv holds shapes by shooting. Where the plates part, so does the bridge, and what was one body is two (and
 * what its thread may leave), whose volumes sum to its own.
 *
 * Set-up. A cylinder of radius R between plates at a distance of 1.2 R, which it meets at 60 and at 120 degrees; from
 * that of 60, when it rests, the upper plate is drawn away to four times the distance. In two dimensions a box as wide,
 * and six times: arcs of that area meet at 4.4 times.
 *
 * Measurement. Neck: root mean square radius of the middle third, by the volume of the particles there, against the
 * same of the theory's shape (the half width). Force: the impulse that the liquid gave the upper plate in the last
 * quarter of the time at rest. Sum of volumes: of the eight largest bodies at the end, over all. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"neck", "m", LAW_RELATIVE, {0.05, 0.05, 0.05}, "radius of the middle third, at rest"},
    {"force", "N", LAW_RELATIVE, {0.05, 0.05, 0.05}, "that draws the plates together, at 60 degrees"},
    {"push", "1", LAW_ABSOLUTE, {0.25, 0.25, 0.25}, "the same force over gamma H, at 120 degrees, where it is small"},
    {"parted", "1", LAW_ABSOLUTE, {0, 0, 0}, "bodies of a tenth of the liquid and more, when the plates are apart"},
    {"sum of volumes", "1", LAW_RELATIVE, {0.005, 0.005, 0.005}, "of the bodies then, over what the bridge had"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 6000, 15000)},
    {LAW_PLANE_PARTICLES(500, 1500, 4000)},
    {LAW_RADIUS("of the cylinder that the bridge starts from")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.2)},
    {LAW_VISCOSITY(NAN)},
    {"distance", "1", {1.2, 1.2, 1.2}, "of the plates, over R"},
    {"rest", "1", {10, 10, 10}, "capillary times sqrt(rho R^3/gamma) at rest"},
    {"pull", "1", {10, 10, 10}, "capillary times in which the distance becomes four times as much"},
};

extern const law law_bridge;

/* --- theory: lengths over the plates' distance, pressure over gamma over it --- */

/* From the middle to the plate: r, dr/dz, volume (of both halves), and the mean of r^2 over the middle third. */
typedef struct shape {
    double r, slope, volume, middle;
} shape;

static shape shoot(double neck, double p)
{
    enum { STEPS = 600 };
    double h = 0.5 / STEPS, y[2] = {neck, 0}, sum = 0, middle = 0;
    for (int i = 0; i < STEPS; i++) {
        double k[4][2], at[2] = {y[0], y[1]}, r_middle = 0;
        for (int j = 0; j < 4; j++) {
            double q = 1 + at[1] * at[1], step = j < 2 ? 0.5 * h : h;
            k[j][0] = at[1], k[j][1] = q / at[0] - p * q * sqrt(q);
            if (j == 1) r_middle = at[0];
            if (j < 3) at[0] = y[0] + step * k[j][0], at[1] = y[1] + step * k[j][1];
        }
        double before = y[0];
        for (int c = 0; c < 2; c++) y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
        double part = h / 6 * (before * before + 4 * r_middle * r_middle + y[0] * y[0]);
        sum += part;
        if (i < STEPS / 3) middle += part;
    }
    return (shape){y[0], y[1], 2 * M_PI * sum, 6 * middle};
}

/* The pressure at which it meets the plate at the angle of this cotangent. */
static double pressure_of(double neck, double cotangent)
{
    double low = 1 / neck, high = low;
    while (low > -20 && !(shoot(neck, low).slope >= cotangent)) low -= 0.1;
    while (high < 20 && !(shoot(neck, high).slope <= cotangent)) high += 0.1;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (shoot(neck, middle).slope > cotangent)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void theory_bridge(double angle, double volume, double *neck, double *pressure, double *middle)
{
    double cotangent = 1 / tan(angle * M_PI / 180), guess = sqrt(volume / M_PI), low = 0.7 * guess, high = 1.5 * guess;
    for (int k = 0; k < 45; k++) {
        double r = 0.5 * (low + high);
        if (shoot(r, pressure_of(r, cotangent)).volume < volume)
            low = r;
        else
            high = r;
    }
    *neck = low, *pressure = pressure_of(low, cotangent);
    *middle = sqrt(shoot(low, *pressure).middle);
}

/* How much farther out than in the middle an arc of this radius, which bends outwards, lies on the average within
 * `half` of the middle. */
static double arc_depth(double radius, double half)
{
    double under = half * sqrt(radius * radius - half * half) + radius * radius * asin(half / radius);
    return radius - under / (2 * half);
}

void theory_flat_bridge(double angle, double area, double *neck, double *pressure, double *middle)
{
    double cosine = cos(angle * M_PI / 180), radius = 0.5 / fabs(cosine), sign = cosine < 0 ? -1 : 1;
    bool is_straight = fabs(cosine) < 1e-6;
    *pressure = -2 * cosine;
    *neck = 0.5 * area - (is_straight ? 0 : sign * arc_depth(radius, 0.5));
    *middle = *neck + (is_straight ? 0 : sign * arc_depth(radius, 1.0 / 6));
}

/* --- measurement --- */

double measure_middle(const dew_frame *frame, double from, double to)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    bool is_flat = frame->dimension == 2;
    double count = 0, spacing = frame->spacing;
    for (int i = 0; i < x.count; i++) {
        double up = ((const dew_real *)x.data)[(size_t)i * x.stride + (is_flat ? 1 : 2)];
        if (is_flat) /* by how much of its spacing is there: few rows, which lie along the lines, count else as whole */
            count += fmax(0, fmin(1, fmin(up - from, to - up) / spacing + 0.5));
        else
            count += up > from && up < to;
    }
    return is_flat ? count * spacing * spacing / (2 * (to - from))
                   : sqrt(count * pow(spacing, 3) / (M_PI * (to - from)));
}

typedef struct watch {
    law_progress progress;
    int dimension;
    double distance, unit; /* m, s */
    series neck, impulse;  /* m; N s, upwards, on the upper plate */
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double time = dew_simulation_time(simulation) / w->unit;
    dew_solid_impulse impulse;
    law_report_progress(&w->progress, simulation);
    if (dew_simulation_solid_impulse(simulation, 1, (dew_vec3){0}, &impulse)) return false;
    return series_add(&w->neck, time,
                      measure_middle(dew_simulation_frame(simulation), w->distance / 3, 2 * w->distance / 3)) &&
           series_add(&w->impulse, time, w->dimension == 2 ? impulse.run.linear.y : impulse.run.linear.z);
}

static void add_rest(const watch *w, double angle, double rest, int particles, double spacing, double tension,
                     double seconds, law_resolution resolution, law_results *results)
{
    double h = w->distance, neck, pressure, middle, from = 0.75 * rest;
    double pull, scale; /* over gamma scale; m */
    if (w->dimension == 2) {
        theory_flat_bridge(angle, particles * pow(spacing / h, 2), &neck, &pressure, &middle);
        pull = 2 - 2 * pressure * neck, scale = 1;
    } else {
        theory_bridge(angle, particles * pow(spacing / h, 3), &neck, &pressure, &middle);
        pull = 2 * M_PI * neck - pressure * M_PI * neck * neck, scale = h;
    }
    double theory = pull * tension * scale;
    double force = -fit_slope(&w->impulse, from, rest) / w->unit;
    char label[LAW_LABEL];
    law_label(label, w->dimension, "%g deg", angle);
    law_add(results, &law_bridge, resolution, "neck", label, particles, series_mean(&w->neck, from, rest), middle * h,
            seconds);
    if (angle < 90)
        law_add(results, &law_bridge, resolution, "force", label, particles, force, theory, seconds);
    else
        law_add(results, &law_bridge, resolution, "push", label, particles, force / (tension * scale),
                theory / (tension * scale), seconds);
    law_plot_begin(results, label, "time, sqrt(rho R^3/gamma)", "radius of the middle third, mm");
    series_plot(&w->neck, results, LAW_CURVE_MEASURED, "measured", 1, 1e-3);
    law_plot_curve(results, LAW_CURVE_THEORY, "constant mean curvature", 2, (double[]){0, rest},
                   (double[]){1e3 * middle * h, 1e3 * middle * h});
}

static dew_result add_parted(const dew_simulation *simulation, int dimension, int particles, double seconds,
                             law_resolution resolution, law_results *results)
{
    double volumes[DEW_MOST_COLUMNS], sum = 0, all = particles * pow(dew_simulation_spacing(simulation), dimension);
    dew_result status = dew_simulation_measure(simulation, "drop_volumes", volumes);
    if (status) return status;
    int large = 0;
    const char *label = dimension == 2 ? "2D" : "";
    for (int k = 0; k < DEW_MOST_COLUMNS; k++) sum += volumes[k], large += volumes[k] > 0.1 * all;
    law_add(results, &law_bridge, resolution, "parted", label, particles, large, 2, seconds);
    law_add(results, &law_bridge, resolution, "sum of volumes", label, particles, sum / all, 1, seconds);
    return DEW_OK;
}

static dew_result measure_bridge_of(const dew_method_info *method, law_resolution resolution,
                                    const law_settings *settings, int dimension, double angle, bool is_pulled,
                                    double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_bridge, settings, resolution, name)
    double start = law_cpu_seconds(), rest = OPTION("rest"), pull = OPTION("pull");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_bridge, settings, resolution, &space.material), h = OPTION("distance") * radius;
    def.dimension = dimension;
    if (dimension == 2) {
        def.spacing = sqrt(2 * radius * h / (int)OPTION("plane_particles"));
        space.liquids[0].shape = dew_box((dew_vec3){-radius, 0, -1}, (dew_vec3){radius, h, 1});
    } else {
        def.spacing = spacing_of_count(M_PI * radius * radius * h, (int)OPTION("particles"));
        space.liquids[0].shape = dew_cylinder((dew_vec3){0}, (dew_vec3){0, 0, h}, radius);
    }
    space.solids[0].name = "lower", space.solids[1].name = "upper";
    space.solids[0].shape = dew_plane((dew_vec3){0}, law_place(dimension, 0, 0, 1));
    space.solids[1].shape = dew_plane(law_place(dimension, 0, 0, h), law_place(dimension, 0, 0, -1));
    space.solids[0].contact_angle = space.solids[1].contact_angle = angle;
    double unit = law_capillary_time(&space.material, radius);
    double way = (dimension == 2 ? 5 : 3) * h;
    /* Held for a while after it has been drawn away, for a thread to part. */
    const dew_keyframe keys[2] = {{.time = rest * unit},
                                  {.time = (rest + pull) * unit, .translation = law_place(dimension, 0, 0, way)}};
    if (is_pulled) space.solids[1].motion.keyframes = keys, space.solids[1].motion.keyframe_count = 2;
    def.solid_count = 2;
    int rest_frames = law_plan(&def, radius, rest, 1);
    int pull_frames = is_pulled ? (int)ceil(1.2 * pull * unit * def.frame_rate) : 0;
    def.duration = (rest_frames + pull_frames) / def.frame_rate;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    watch w = {.progress = {settings, def.duration, part, share, 0, is_pulled ? "pulled" : "at rest"},
               .dimension = dimension,
               .distance = h,
               .unit = unit};
    int particles = dew_simulation_particle_count(simulation);
    status = law_advance(simulation, rest_frames, after_step, &w);
    if (!status) {
        law_show(settings, simulation, "at rest, %g degrees", angle);
        add_rest(&w, angle, rest, particles, def.spacing, space.material.surface_tension, law_cpu_seconds() - start,
                 resolution, results);
    }
    if (!status && is_pulled) status = law_advance(simulation, pull_frames, NULL, NULL);
    if (!status && is_pulled) {
        law_show(settings, simulation, "pulled until it parts");
        status = add_parted(simulation, dimension, particles, law_cpu_seconds() - start, resolution, results);
    }
    series_free(&w.neck);
    series_free(&w.impulse);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    dew_result status =
        measure_bridge_of(method, resolution, settings, dimension, 120, false, part, 0.3 * share, results);
    return status ? status
                  : measure_bridge_of(method, resolution, settings, dimension, 60, true, part + 0.3 * share,
                                      0.7 * share, results);
}

const law law_bridge = {
    .name = "bridge",
    .title = "A bridge of liquid between two plates: its shape, its pull, and its end",
    .physics = "Liquid between two plates without gravity takes the shape of one mean curvature that meets both at the "
               "contact "
               "angle, waisted where it wets them. It draws the plates together by its tension around the neck, less "
               "what its pressure pushes. Drawn far enough apart it parts, and nothing is lost.",
    .equation = "F = 2 pi r gamma cos(slope) - p pi r^2, the same at every height; "
                "in two dimensions 2 gamma cos(slope) - 2 p w",
    .group = LAW_THREADS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .breaks_up = true,
    .measure = measure,
};
