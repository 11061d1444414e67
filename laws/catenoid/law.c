/* A liquid film between two coaxial rings that move apart.
 *
 * Physics. A thin film without pressure across it is a surface of least area: r(z) = c cosh(z/c) through both rings,
 * R = c cosh(h/(2c)), h the rings' separation (Euler 1744, Plateau 1873). There is one for h < 1.32549 R only; beyond,
 * the film collapses onto two discs (catenoid.csv).
 *
 * Set-up. Two layers and a half of particles on the catenoid of h = R (two would stretch into holes), held at their
 * ends by tori of adhesion 1. What is held are the particles within a spacing of a torus, the film's last row, half a
 * spacing to one from it; so "the ring" of the theory is the circle three quarters of a spacing from the torus, and the
 * tori stand that much farther out. After a rest the rings move apart, slowly against the film's capillary time
 * sqrt(rho thickness R^2/(2 gamma)), still slower beyond h = 1.2 R.
 *
 * Measurement. Neck radius: mean over the particles within 1.5 spacings of the middle plane of r - z^2/(2c), c the
 * theory's; both layers count, so it is the middle of the film. Collapse: the separation at which the neck falls below
 * 0.5 R (theory: it is 0.552 R at the last catenoid), or the film has a hole: a sector of 30 degrees with hardly a
 * particle. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"neck", "R", LAW_RELATIVE, {0.02, 0.02, 0.02}, "neck radius over R"},
    {"collapse", "R", LAW_RELATIVE, {0.04, 0.04, 0.04}, "separation at which the film collapses over R"},
};

static const law_option options[] = {
    {"spacing", "1", {0.06, 0.045, 0.035}, "between particles, over R", LAW_SPACING},
    {LAW_RADIUS("of the rings")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0.05)},
    {"speed", "1", {0.1, 0.1, 0.1}, "of separation up to 1.2 R, over sqrt(gamma/(rho R))"},
    {"slow_speed", "1", {0.03, 0.03, 0.03}, "of separation beyond 1.2 R, over sqrt(gamma/(rho R))"},
    {"contact_angle", "deg", {60, 60, 60}, "on the rings"},
    {"adhesion", "1", {1, 1, 1}, "of the rings"},
    {"layers", "1", {2.5, 2.5, 2.5}, "of particles across the film at the start", LAW_SPACINGS},
    {"ring", "1", {0.75, 0.75, 0.75}, "minor radius of the rings, spacings", LAW_SPACINGS},
};

static const double separations[] = {1.1, 1.2, 1.25}; /* at which the neck is measured, over R */
enum { SEPARATIONS = sizeof separations / sizeof *separations };
static const double start_separation = 1.0, slow_separation = 1.2, last_separation = 1.45, rest_time = 1;
static const double critical_separation = 1.3254868, profile_separation = 1.2; /* the latter is drawn */

/* The stable catenoid's c/R, from cosh(u)/u = 2R/h with u = h/(2c) below the root of u tanh u = 1. */
double theory_catenoid_neck(double separation)
{
    double low = 1e-9, high = 1.1996786;
    if (separation >= critical_separation) return separation / (2 * high);
    for (int i = 0; i < 100; i++) {
        double u = 0.5 * (low + high);
        if (cosh(u) / u > 2 / separation)
            low = u;
        else
            high = u;
    }
    return separation / (2 * low);
}

/* The film that is filled: lengths in m. */
typedef struct film {
    double c, half_height, half_thickness;
} film;

static void film_value(void *context, int count, const double *const *inputs, double *output)
{
    const film *f = context;
    for (int i = 0; i < count; i++) {
        double z = inputs[2][i], r = hypot(inputs[0][i], inputs[1][i]), slope = cosh(z / f->c);
        double across = fabs(r - f->c * slope) / slope - f->half_thickness; /* along the film's normal */
        output[i] = fmax(across, fabs(z) - f->half_height);
    }
}

typedef struct watch {
    const law_settings *settings;
    const dew_keyframe *keys; /* of the upper ring: translation.z is half the way apart */
    int key_count;
    double radius, end, reported;
    double neck[SEPARATIONS], collapse; /* over R */
    int full_count;                     /* particles in a sector of the middle at the start, on the average */
    law_results *results;
    bool has_profile;
    series course; /* neck against separation, both over R */
} watch;

static double separation_at(const watch *w, double time)
{
    int k = 1;
    while (k + 1 < w->key_count && w->keys[k].time < time) k++;
    const dew_keyframe *a = &w->keys[k - 1], *b = &w->keys[k];
    double f = fmin(1, fmax(0, (time - a->time) / (b->time - a->time)));
    return start_separation + 2 * ((1 - f) * a->translation.z + f * b->translation.z) / w->radius;
}

enum { SECTORS = 12 };

/* Over R; *least: particles that were looked at in the emptiest of twelve sectors, *mean: of all. */
static double measure_neck(const dew_simulation *simulation, double radius, double c, int *least, int *mean)
{
    int in_sector[SECTORS] = {0}, count = 0;
    dew_field x;
    dew_simulation_field(simulation, "position", &x);
    double band = 1.5 * dew_simulation_spacing(simulation), sum = 0;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        double z = p[2];
        if (fabs(z) > band) continue;
        sum += hypot(p[0], p[1]) - z * z / (2 * c * radius);
        count++;
        in_sector[(int)((atan2(p[1], p[0]) / (2 * M_PI) + 0.5) * SECTORS) % SECTORS]++;
    }
    *least = *mean = count / SECTORS;
    for (int k = 0; k < SECTORS; k++)
        if (in_sector[k] < *least) *least = in_sector[k];
    return sum / (count * radius);
}

/* Every particle of the film at separation h beside the catenoid, lengths over R. */
static void plot_profile(const watch *w, const dew_simulation *simulation, double h)
{
    enum { MOST = 4000, CURVE = 101 };
    double r[MOST], z[MOST], c = theory_catenoid_neck(h);
    char title[96];
    dew_field x;
    dew_simulation_field(simulation, "position", &x);
    int step = 1 + x.count / MOST, count = 0;
    for (int i = 0; i < x.count; i += step, count++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        r[count] = hypot(p[0], p[1]) / w->radius;
        z[count] = p[2] / w->radius;
    }
    snprintf(title, sizeof title, "Profile at a separation of %.2f R", h);
    law_plot_begin(w->results, title, "distance from the axis / R", "height / R");
    law_plot_equal_axes(w->results);
    law_plot_curve(w->results, LAW_CURVE_POINTS, "particles", count, r, z);
    for (int i = 0; i < CURVE; i++) {
        z[i] = h * (i / (CURVE - 1.0) - 0.5);
        r[i] = c * cosh(z[i] / c);
    }
    law_plot_curve(w->results, LAW_CURVE_THEORY, "catenoid", CURVE, r, z);
    law_show(w->settings, simulation, "%s", title);
}

static void plot_course(const watch *w)
{
    enum { CURVE = 120 };
    double h[CURVE], neck[CURVE];
    law_plot_begin(w->results, "Neck as the rings move apart", "separation / R", "neck radius / R");
    law_plot_curve(w->results, LAW_CURVE_MEASURED, "measured", w->course.count, w->course.time, w->course.value);
    for (int i = 0; i < CURVE; i++) {
        h[i] = start_separation + (critical_separation - start_separation) * i / (CURVE - 1.0);
        neck[i] = theory_catenoid_neck(h[i]);
    }
    law_plot_curve(w->results, LAW_CURVE_THEORY, "stable catenoid", CURVE, h, neck);
}

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    int least, mean;
    double time = dew_simulation_time(simulation), h = separation_at(w, time);
    double neck = measure_neck(simulation, w->radius, theory_catenoid_neck(h), &least, &mean);
    if (w->full_count == 0) w->full_count = mean;
    for (int k = 0; k < SEPARATIONS; k++)
        if (h <= separations[k]) w->neck[k] = neck; /* the last before it stays */
    if (h > start_separation && (w->course.count == 0 || h > w->course.time[w->course.count - 1] + 2e-3) &&
        !series_add(&w->course, h, neck))
        w->results->error_count++;
    if (!w->has_profile && h >= profile_separation) {
        w->has_profile = true;
        plot_profile(w, simulation, h);
    }
    if (time > w->reported + 0.02 * w->end) {
        w->reported = time;
        law_report(w->settings, time / w->end, "separation %.3f R, neck %.3f R", h, neck);
    }
    if (!(neck < 0.5) && least > 0.1 * w->full_count) return true;
    w->collapse = h;
    for (int k = 0; k < SEPARATIONS; k++)
        if (h <= separations[k]) w->neck[k] = NAN;
    return false;
}

/* The upper ring's way: at rest, then apart, then slowly. `unit` = sqrt(gamma/(rho R)), m/s. */
static void plan_motion(double radius, double unit, double speed, double slow_speed, dew_keyframe keys[4])
{
    const double at[4] = {start_separation, start_separation, slow_separation, last_separation};
    const double speeds[4] = {1, 1, speed, slow_speed};
    double time = 0;
    for (int k = 0; k < 4; k++) {
        if (k == 1) time = rest_time * radius / unit;
        if (k > 1) time += (at[k] - at[k - 1]) * radius / (speeds[k] * unit);
        keys[k] = (dew_keyframe){.time = time, .translation = {0, 0, 0.5 * (at[k] - start_separation) * radius}};
    }
}

static dew_shape_def ring(double radius, double height, double thickness)
{
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_TORUS;
    shape.torus.centre = (dew_vec3){0, 0, height};
    shape.torus.axis = (dew_vec3){0, 0, 1};
    shape.torus.major_radius = radius;
    shape.torus.minor_radius = thickness;
    return shape;
}

/* The film less the rings in `parts`. */
static dew_shape_def film_shape(film *f, double radius, dew_shape_def parts[3])
{
    double across = 1.5 * radius, along = f->half_height;
    parts[0] = dew_default_shape_def();
    parts[0].kind = DEW_SHAPE_IMPLICIT;
    parts[0].implicit.value = (dew_function){film_value, f};
    parts[0].implicit.min = (dew_vec3){-across, -across, -along};
    parts[0].implicit.max = (dew_vec3){across, across, along};
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_DIFFERENCE;
    shape.combination.children = parts;
    shape.combination.count = 3;
    return shape;
}

extern const law law_catenoid;

static void add_figures(const watch *w, law_resolution resolution, int particles, double seconds, law_results *results)
{
    for (int k = 0; k < SEPARATIONS; k++) {
        char label[32];
        snprintf(label, sizeof label, "at %.2f R", separations[k]);
        law_add(results, &law_catenoid, resolution, "neck", label, particles, w->neck[k],
                theory_catenoid_neck(separations[k]), seconds);
    }
    law_add(results, &law_catenoid, resolution, "collapse", "", particles, w->collapse, critical_separation, seconds);
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_catenoid, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    const dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_catenoid, settings, resolution, &space.material);
    def.spacing = OPTION("spacing") * radius;
    dew_keyframe up[4], down[4];
    double unit = sqrt(liquid->surface_tension / (liquid->density * radius));
    plan_motion(radius, unit, OPTION("speed"), OPTION("slow_speed"), up);
    for (int k = 0; k < 4; k++) {
        down[k] = up[k];
        down[k].translation.z = -up[k].translation.z;
    }
    dew_shape_def parts[3];
    double c = theory_catenoid_neck(start_separation) * radius, half = 0.5 * start_separation * radius;
    double slope = atan(sinh(half / c)), thickness = OPTION("ring") * def.spacing,
           away = thickness + 0.75 * def.spacing;
    film f = {c, half + away * cos(slope), 0.5 * OPTION("layers") * def.spacing};
    for (int k = 0; k < 2; k++) {
        dew_solid_def *solid = &space.solids[k];
        solid->name = k ? "lower ring" : "upper ring";
        solid->shape = parts[k + 1] = ring(radius + away * sin(slope), k ? -f.half_height : f.half_height, thickness);
        solid->contact_angle = OPTION("contact_angle");
        solid->adhesion = OPTION("adhesion");
        solid->motion.keyframes = k ? down : up;
        solid->motion.keyframe_count = 4;
    }
    space.liquids[0].shape = film_shape(&f, radius, parts);
    def.solid_count = 2;
    def.duration = up[3].time;
    int frames = (int)ceil(4 * def.duration * unit / radius);
    def.frame_rate = frames / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    watch w = {.settings = settings,
               .keys = up,
               .key_count = 4,
               .radius = radius,
               .end = up[3].time,
               .neck = {NAN, NAN, NAN},
               .collapse = NAN,
               .results = results};
    status = law_advance(simulation, frames, after_step, &w);
    int particles = dew_simulation_particle_count(simulation);
    dew_simulation_destroy(simulation);
    if (!status) {
        add_figures(&w, resolution, particles, law_cpu_seconds() - start, results);
        plot_course(&w);
    }
    series_free(&w.course);
    return status;
#undef OPTION
}

const law law_catenoid = {
    .name = "catenoid",
    .group = LAW_THREADS,
    .title = "A film between two rings that move apart: its neck, and when it collapses",
    .physics =
        "A thin film between two rings has gas of one pressure on both sides, so its mean curvature is zero: it is a "
        "surface of least area, a catenoid. As the rings move apart its neck narrows, faster and faster, until "
        "there is no such surface any more and the film collapses onto the rings. Tension alone decides; the neck "
        "near the end magnifies every error of it.",
    .equation = "r(z) = c cosh(z/c), R = c cosh(h/(2c)); none beyond h = 1.32549 R",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .breaks_up = true,
    .run = run,
};
