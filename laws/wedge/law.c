/* A drop in a corner.
 *
 * Physics. Two planes meet at 90 degrees. Where the contact angle theta is more than 45 degrees (Concus, Finn 1969) a
 * drop in the corner rests: its free surface is a sphere that meets both planes at theta, with its centre b cos(theta)
 * behind either. Where it is less, no drop rests: the liquid creeps along the corner without end, to where that is
 * closed.
 *
 * Where the planes hold the liquid, a long column in the corner, cut off at z = 0, creeps on by its suction gamma/(its
 * radius of curvature), h its width: flux ~ h^4 times the gradient of suction, ~ h^-2 dh/dz (Weislogel, Lichter 1998),
 *
 *     d(h^2)/dt = D d/dz(h^2 dh/dz),  D ~ gamma/mu,
 *
 * whose solution depends on z/sqrt(D h t) alone until it is felt at the column's end: 1 % there when the front is half
 * as far from the cut. That it goes as the root of time holds for any flux that depends on h alone, and so for planes
 * that let slip by a length; where they let slip freely, nothing but inertia brakes it, and its front goes as t: no
 * such figure. A line that moves over a plane which holds has a friction of its own, 9 Ca ln(s/1 nm) of Cox and Voinov
 * (solids/moving_line.h), by which the angle passes 45 degrees here, Ca 0.01, and no finger comes; the theory has a
 * line without, as there is where the slip length is a spacing.
 *
 * In two dimensions liquid rests in a corner at any angle, under an arc: of a circle whose centre is b cos(theta)
 * behind either line above 45 degrees, and as far before it below.
 *
 * Set-up. A quarter of a ball, which would rest at 90 degrees, at 60; it comes to rest within 20 capillary times. And
 * at 30, in a corner whose ends are walls, met at 90 degrees. The column, in such a corner that lets it slip by a
 * spacing: its surface met at 30 degrees, three widths long, with as much room beyond the cut. Oh is 0.2 by the width,
 * so that shear has crossed it, h^2/nu, by the time the measurement begins. In two dimensions a quarter of a disc, at
 * 60 and at 30.
 *
 * Measurement. Moments of the mass, against those of the sphere's part: the standard deviation along the corner as
 * length (in two dimensions that across the corner's bisector), the mean distance from the planes as centre, means of
 * the last fifth. Kept: the share of the particles at the
 * end between the ends and within a spacing of the sides of what holds them. Front: within it lie nineteen twentieths
 * of what has passed the cut, at 0.99 sqrt(D h t); growth: the slope of its logarithm over time's, while it is between
 * half a width and one and a half. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>

static const law_target targets[] = {
    {"length", "m", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of a drop at 60 degrees: standard deviation along the corner"},
    {"centre", "m", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of the same: mean distance from the planes"},
    {"kept", "1", LAW_RELATIVE, {0, 0, 0}, "share of the liquid that a closed corner of 30 degrees still holds"},
    {"growth", "1", LAW_RELATIVE, {0.05, 0.05, 0.05}, "exponent of a finger's front in time, with a slip length"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_PLANE_PARTICLES(500, 1000, 2000)},
    {LAW_RADIUS("of a ball of the drop's volume")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"angle", "deg", {60, 60, 60}, "contact angle of the drop that rests, more than 45"},
    {"duration", "1", {20, 20, 20}, "capillary times sqrt(rho R^3/gamma) to run"},
};

extern const law law_wedge;

void theory_wedge(double angle, double *volume, double *centre, double *length)
{
    enum { STEPS = 800 };
    double c = cos(angle * M_PI / 180), farthest = sqrt(1 - c * c), h = (farthest - c) / STEPS;
    double sum = 0, first = 0, second = 0;
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < STEPS; k++) {
            double x = c + (i + 0.5) * h, y = c + (k + 0.5) * h, z = sqrt(fmax(0, 1 - x * x - y * y));
            sum += 2 * z, first += 2 * z * (x - c), second += 2 * z * z * z / 3;
        }
    *volume = sum * h * h, *centre = first / sum, *length = sqrt(second / sum);
}

/* u is the distance from the corner along one line, v the liquid's height over it there: mean u as mean v, and the
 * square of (u - v)/sqrt 2 is on the average that of u less the product. */
void theory_flat_wedge(double angle, double *area, double *centre, double *length)
{
    enum { STEPS = 20000 };
    double c = cos(angle * M_PI / 180), side = sqrt(1 - c * c) - c, h = fabs(side) / STEPS;
    double sum = 0, first = 0, second = 0, product = 0;
    for (int i = 0; i < STEPS; i++) {
        double u = (i + 0.5) * h, v = side > 0 ? sqrt(1 - (u + c) * (u + c)) - c : c - sqrt(1 - (c - u) * (c - u));
        sum += v, first += u * v, second += u * u * v, product += 0.5 * u * v * v;
    }
    *area = sum * h, *centre = first / sum, *length = sqrt((second - product) / sum);
}

typedef struct watch {
    law_progress progress;
    double unit;           /* s */
    series length, centre; /* m */
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    bulk b = measure_bulk(simulation);
    double time = dew_simulation_time(simulation) / w->unit;
    double square = b.dimension == 2 ? 0.5 * (b.moment[0][0] + b.moment[1][1]) - b.moment[0][1] : b.moment[2][2];
    law_report_progress(&w->progress, simulation);
    return series_add(&w->length, time, sqrt(square)) && series_add(&w->centre, time, 0.5 * (b.centre.x + b.centre.y));
}

double measure_kept(const dew_frame *frame, dew_vec3 min, dew_vec3 max)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    const double low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    int kept = 0;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        bool is_in = true;
        for (int k = 0; k < 3; k++) is_in = is_in && (double)p[k] >= low[k] && (double)p[k] <= high[k];
        kept += is_in;
    }
    return (double)kept / x.count;
}

static void add_rest(const watch *w, int dimension, double angle, double end, int particles, double spacing,
                     double seconds, law_resolution resolution, law_results *results)
{
    double volume, centre, length;
    (dimension == 2 ? theory_flat_wedge : theory_wedge)(angle, &volume, &centre, &length);
    double b = spacing * (dimension == 2 ? sqrt(particles / volume) : cbrt(particles / volume)), from = 0.8 * end;
    char label[LAW_LABEL] = "", title[LAW_LABEL];
    if (dimension == 2) law_label(label, dimension, "%g deg", angle);
    law_label(title, dimension, "A drop in a corner%s%s", label[0] ? ", " : "", label[0] ? label + 4 : "");
    law_add(results, &law_wedge, resolution, "length", label, particles, series_mean(&w->length, from, INFINITY),
            b * length, seconds);
    law_add(results, &law_wedge, resolution, "centre", label, particles, series_mean(&w->centre, from, INFINITY),
            b * centre, seconds);
    law_plot_begin(results, title, "time, sqrt(rho R^3/gamma)", "over that of the sphere's part");
    series_plot(&w->length, results, LAW_CURVE_MEASURED, "length", 1, b * length);
    series_plot(&w->centre, results, LAW_CURVE_MEASURED, "centre", 1, b * centre);
    law_plot_curve(results, LAW_CURVE_THEORY, "at rest", 2, (double[]){0, end}, (double[]){1, 1});
}

static void define_corner(dew_simulation_def *def, law_space *space, double angle, double slip_length)
{
    for (int k = 0; k < 2; k++) {
        space->solids[k].name = k ? "side" : "base";
        space->solids[k].shape = dew_plane((dew_vec3){0}, (dew_vec3){k ? 1 : 0, k ? 0 : 1, 0});
        space->solids[k].contact_angle = angle;
        space->solids[k].slip_length = slip_length;
    }
    def->solid_count = 2;
}

static dew_result measure_drop(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                               int dimension, bool is_closed, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_wedge, settings, resolution, name)
    double start = law_cpu_seconds(), angle = is_closed ? 30 : OPTION("angle"), end = OPTION("duration");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_wedge, settings, resolution, dimension, &def, &space.material), size = 4 * radius;
    define_corner(&def, &space, angle, INFINITY);
    const dew_shape_def parts[3] = {dew_sphere((dew_vec3){0}, radius * (dimension == 2 ? 2 : cbrt(4))),
                                    space.solids[0].shape, space.solids[1].shape};
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 3;
    if (is_closed && dimension == 3) {
        def.domain.min.z = -2 * radius, def.domain.max.z = 2 * radius;
        def.domain.axis[2] = DEW_WALL;
    }
    int frames = law_plan(&def, radius, end, 1);
    watch w = {.progress = {settings, def.duration, part, share, 0, is_closed ? "creeps" : "comes to rest"},
               .unit = law_capillary_time(&space.material, radius)};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        int particles = dew_simulation_particle_count(simulation);
        double seconds = law_cpu_seconds() - start, s = def.spacing;
        law_show(settings, simulation, "%g degrees", angle);
        if (is_closed)
            law_add(results, &law_wedge, resolution, "kept", dimension == 2 ? "2D" : "", particles,
                    measure_kept(dew_simulation_frame(simulation), (dew_vec3){-s, -s, -2 * radius - s},
                                 (dew_vec3){size, size, 2 * radius + s}),
                    1, seconds);
        if (!is_closed || dimension == 2)
            add_rest(&w, dimension, angle, end, particles, def.spacing, seconds, resolution, results);
    }
    series_free(&w.length);
    series_free(&w.centre);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

/* --- the finger --- */

/* Of a column a width wide: its cross section, and lengths over the width. */
static const double finger_angle = 30, column_length = 3, room = 3, finger_oh = 0.2;

double measure_finger(const dew_frame *frame, double cut)
{
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    const dew_real *z = (const dew_real *)x.data + 2;
    int passed = 0, ahead = 0;
    double farthest = cut, low = cut;
    for (int i = 0; i < x.count; i++) {
        double at = z[(size_t)i * x.stride];
        passed += at > cut, farthest = fmax(farthest, at);
    }
    if (passed < 20) return NAN; /* one of which is a twentieth */
    for (double high = farthest; high - low > 1e-3 * frame->spacing;) {
        double middle = 0.5 * (low + high);
        ahead = 0;
        for (int i = 0; i < x.count; i++) ahead += (double)z[(size_t)i * x.stride] > middle;
        *(20 * ahead > passed ? &low : &high) = middle;
    }
    return low - cut;
}

typedef struct finger_watch {
    law_progress progress;
    double width;
    series front; /* widths, over the logarithm of time */
} finger_watch;

static bool after_finger_step(void *context, const dew_simulation *simulation)
{
    finger_watch *w = context;
    double front = measure_finger(dew_simulation_frame(simulation), 0) / w->width;
    law_report_progress(&w->progress, simulation);
    if (isnan(front)) return true;
    return series_add(&w->front, log(dew_simulation_time(simulation)), front) && front < 1.5;
}

/* A column of the corner up to z = 0, whose surface is an arc that meets the planes at the finger's angle a width from
 * the corner. `parts` has room for two; returns its area over that of the square of the width. */
static double define_column(double width, dew_shape_def *parts, dew_shape_def *column)
{
    double theta = finger_angle * M_PI / 180, radius = width / (cos(theta) - sin(theta)), axis = radius * cos(theta);
    double length = column_length * width, opening = M_PI / 4 - theta;
    parts[0] = dew_box((dew_vec3){0, 0, -length}, (dew_vec3){width, width, 0});
    parts[1] = dew_default_shape_def();
    parts[1].kind = DEW_SHAPE_CYLINDER;
    parts[1].cylinder.from = (dew_vec3){axis, axis, -2 * length};
    parts[1].cylinder.to = (dew_vec3){axis, axis, length};
    parts[1].cylinder.radius = radius;
    *column = dew_default_shape_def();
    column->kind = DEW_SHAPE_DIFFERENCE;
    column->combination.children = parts;
    column->combination.count = 2;
    return 0.5 - pow(radius / width, 2) * (opening - sin(opening) * cos(opening));
}

static void add_finger(const finger_watch *w, int particles, double kept, double seconds, law_resolution resolution,
                       law_results *results)
{
    enum { POINTS = 20 };
    const series *front = &w->front;
    double begin = series_reaches(front, 0.5), end = series_reaches(front, 1);
    law_add(results, &law_wedge, resolution, "growth", "finger", particles,
            isnan(begin) || isnan(end) ? NAN : fit_rate(front, begin, INFINITY), 0.5, seconds);
    law_add(results, &law_wedge, resolution, "kept", "finger", particles, kept, 1, seconds);
    if (isnan(begin)) return;
    double last = front->time[front->count - 1], place[POINTS], root[POINTS];
    for (int i = 0; i < POINTS; i++) {
        place[i] = begin + (last - begin) * i / (POINTS - 1);
        root[i] = 0.5 * exp(0.5 * (place[i] - begin));
    }
    law_plot_begin(results, "A finger in a corner", "logarithm of time in s", "front, widths of the column");
    series_plot(front, results, LAW_CURVE_MEASURED, "measured", 1, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "as the root of time", POINTS, place, root);
}

static dew_result measure_growth(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                                 double part, double share, law_results *results)
{
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double width = law_liquid(&law_wedge, settings, resolution, &space.material);
    dew_material_def *liquid = &space.material;
    liquid->viscosity = finger_oh * sqrt(liquid->density * liquid->surface_tension * width);
    dew_shape_def parts[2];
    double area = define_column(width, parts, &space.liquids[0].shape) * width * width;
    def.spacing = spacing_of_count(area * column_length * width,
                                   (int)law_option_value(&law_wedge, settings, resolution, "particles"));
    define_corner(&def, &space, finger_angle, def.spacing);
    def.domain.min.z = -column_length * width, def.domain.max.z = room * width;
    def.domain.axis[2] = DEW_WALL;
    /* Half as long again as it takes by Weislogel and Lichter's D = 0.0104 gamma/mu. */
    int frames = law_plan(&def, width, 1.5 * 2.31 / 0.0104 * finger_oh, 1);
    finger_watch w = {.progress = {settings, def.duration, part, share, 0, "finger"}, .width = width};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_finger_step, &w);
    if (!status) {
        double s = def.spacing, size = 4 * width;
        law_show(settings, simulation, "finger");
        add_finger(&w, dew_simulation_particle_count(simulation),
                   measure_kept(dew_simulation_frame(simulation), (dew_vec3){-s, -s, def.domain.min.z - s},
                                (dew_vec3){size, size, def.domain.max.z + s}),
                   law_cpu_seconds() - start, resolution, results);
    }
    series_free(&w.front);
    dew_simulation_destroy(simulation);
    return status;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    bool has_finger = (method->features & DEW_FEATURE_SLIP_LENGTH) && dimension == 3;
    share *= has_finger ? 1.0 / 3 : 0.5;
    dew_result status = measure_drop(method, resolution, settings, dimension, false, part, share, results);
    if (!status) status = measure_drop(method, resolution, settings, dimension, true, part + share, share, results);
    if (!has_finger && dimension == 3)
        law_add_absent(results, &law_wedge, "growth", dew_feature_name(DEW_FEATURE_SLIP_LENGTH));
    return status || !has_finger ? status
                                 : measure_growth(method, resolution, settings, part + 2 * share, share, results);
}

const law law_wedge = {
    .name = "wedge",
    .title = "A drop in a corner: at rest where it may (Concus, Finn 1969), kept where it creeps",
    .physics =
        "In a corner of 90 degrees a drop that meets both planes at more than 45 degrees rests as a part of a ball; at "
        "less it creeps along the corner as a thin finger for as long as there is a corner: where the planes brake it, "
        "as the root of time. Where the corner ends, the liquid ends too: none of it may leave.",
    .equation =
        "a sphere of radius b whose centre is b cos(theta) behind both planes, theta > 45 degrees; finger ~ t^1/2",
    .group = LAW_STATICS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
