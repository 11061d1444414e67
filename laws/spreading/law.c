/* A drop finds its contact angle on a plate that holds the liquid.
 *
 * Physics. Without gravity a drop ends as the cap of its contact angle theta (Young 1805), whether it starts flatter or
 * steeper and whether the plate holds the liquid: that slows the line (Huh, Scriven 1971; Cox 1986), and never turns it
 * round. Inertia does: a drop swings while its slowest mode is periodic, which of a free one is so below an Ohnesorge
 * number of 0.77 (law oscillation). At 0.1 the foot of one of 120 degrees that was set down at 150 goes back by a tenth
 * of its way, whatever the method and the resolution, at 0.3 by a 25th. So its way is judged where viscosity rules.
 *
 * While the line moves at a speed u, viscosity bends the surface near it: at a distance L from the line it stands at
 * (Voinov 1976, Cox 1986)
 *
 *     theta_d^3 = theta^3 + 9 Ca ln(L/l),  Ca = mu u/gamma,
 *
 * l the slip length there, for theta_d < 135 degrees and small Ca; with Navier's condition exactly ln(e theta L/(3 l))
 * at small angles (Hocking 1983), which at 60 degrees is that within 5 % of l. Nearer than l, or as far as the drop is
 * wide, it does not hold, and the angle of the whole drop is none of this.
 *
 * In two dimensions the same of a drop on a line, whose surface at rest is an arc of a circle; but for the slope.
 *
 * Set-up. Caps of 150 and of 20 degrees on a plate that holds the liquid (slip_length 0) at 60 and at 120 degrees. For
 * the way and the slope, at Oh 1, so that viscosity rules, caps of 150 and of 20 degrees at 120, of 100 and of 45 at
 * 60; the slope is that of the latter, by methods that state l.
 *
 * Measurement. End angle: a sphere (a circle) through the surface particles farther than 1.5 spacings from the plate,
 * as in the law of the contact angle. Way back: the largest return of the foot's radius against its way, over the way
 * of theory; the foot is what lies within 1.5 spacings of the plate. Slope: the surface's inclination between 1.5
 * and 4.5 spacings above the plate, by their distance from the axis, without what the sphere's curvature makes of it
 * from the line up there (cosine less height over radius), cubed, less that at rest, over Ca while that is below 0.1
 * and the line draws back so slowly that theory has an angle for it (faster, it leaves a film); against 9 ln(L/l). A
 * line that draws back does so at nearly one speed all along, so that a slope by its changes alone, without the angle
 * at rest, would be noise. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"end angle", "deg", LAW_DEGREES, {5, 5, 5}, "at the end of the run"},
    {"way back", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "of the foot's radius, over its whole way"},
    {"slope", "1", LAW_RELATIVE, {0.3, 0.3, 0.3}, "of the cube of the moving line's angle over Ca"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_PLANE_PARTICLES(500, 1000, 2000)},
    {LAW_RADIUS("of the drop before it touches")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.1)},
    {LAW_VISCOSITY(NAN)},
    {"all_angles", "1", {0, 1, 1}, "1: 30 and 90 degrees too, besides 60 and 120"},
    {"duration", "1", {20, 20, 20}, "capillary times sqrt(rho R^3/gamma) to run"},
    {"line_slip", "m", {NAN, NAN, NAN}, "l, instead of what the method states"},
    {"line_ohnesorge", "1", {1, 1, 1}, "mu/sqrt(rho gamma R) for the way and the slope"},
};

extern const law law_spreading;

static bool after_step(void *context, const dew_simulation *simulation)
{
    law_report_progress(context, simulation);
    return true;
}

double largest_return(const series *s, double way)
{
    double largest = 0, farthest = -INFINITY, sign = way < 0 ? -1 : 1;
    for (int i = 0; i < s->count; i++) {
        farthest = fmax(farthest, sign * s->value[i]);
        largest = fmax(largest, farthest - sign * s->value[i]);
    }
    return largest / fabs(way);
}

/* A sphere through the surface on the plane z = 0, or a circle on the line y = 0, half a spacing beyond the particles
 * that lie in it. */
static sphere_fit sphere_of(int dimension, int count, const double *points, double spacing)
{
    double *kept = malloc((size_t)count * 3 * sizeof *kept + 1);
    int kept_count = 0;
    for (int i = 0; i < count && kept; i++) {
        if (points[3 * i + dimension - 1] < 1.5 * spacing) continue;
        for (int k = 0; k < 3; k++) kept[3 * kept_count + k] = points[3 * i + k];
        kept_count++;
    }
    sphere_fit fit = fit_sphere(dimension, kept_count, kept);
    free(kept);
    fit.radius += 0.5 * spacing;
    return fit;
}

/* NaN: the drop has left, or there is no sphere. */
static double angle_of(const dew_simulation *simulation, int dimension)
{
    double *points;
    int count = surface_points(simulation, &points);
    sphere_fit fit = sphere_of(dimension, count, points, dew_simulation_spacing(simulation));
    free(points);
    double cosine = -(dimension == 2 ? fit.centre.y : fit.centre.z) / fit.radius;
    return fabs(cosine) <= 1 ? acos(cosine) * 180 / M_PI : NAN;
}

/* --- the moving line --- */

double measure_moving_angle(int count, const double *points, double spacing, double *distance)
{
    const double low = 1.5 * spacing, high = 4.5 * spacing, middle = 0.5 * (low + high);
    double matrix[9] = {0}, right[3] = {0}, axis[2] = {0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) axis[k] += points[3 * i + k] / count;
    for (int i = 0; i < count; i++) {
        const double *p = points + 3 * i;
        if (p[2] < low || p[2] > high) continue;
        double r = hypot(p[0] - axis[0], p[1] - axis[1]) / spacing, z = (p[2] - middle) / spacing;
        const double row[3] = {1, z, z * z};
        for (int a = 0; a < 3; a++) {
            right[a] += row[a] * r;
            for (int b = 0; b < 3; b++) matrix[3 * a + b] += row[a] * row[b];
        }
    }
    *distance = NAN;
    if (!solve_small(3, matrix, right)) return NAN;
    double there = atan2(1, -right[1]), height = middle + 0.5 * spacing * cos(there);
    double cosine = cos(there) - height / sphere_of(3, count, points, spacing).radius;
    if (!(fabs(cosine) <= 1)) return NAN;
    *distance = height / sqrt(1 - cosine * cosine);
    return acos(cosine);
}

double line_slope(const series *foot, const series *cube, double rest, double unit, double least)
{
    enum { AROUND = 3 };
    double product = 0, square = 0;
    for (int i = AROUND; i + AROUND < foot->count && i < cube->count; i++) {
        double capillary = unit * fit_slope(foot, foot->time[i - AROUND], foot->time[i + AROUND]);
        if (!(capillary > least && capillary < 0.1)) continue;
        product += capillary * (cube->value[i] - rest);
        square += capillary * capillary;
    }
    return product / square;
}

/* A case's set-up; it must live until the simulation has been created. */
typedef struct plate_setup {
    law_space space;
    dew_simulation_def def;
    dew_shape_def parts[2];
    double radius, way, rest; /* of the drop; of the foot's radius, and that at the end, m */
} plate_setup;

static void set_up(plate_setup *p, const dew_method_info *method, const law_settings *settings,
                   law_resolution resolution, int dimension, double angle, double from)
{
    double height, end_height, degree = M_PI / 180;
    dew_solid_def *plate = &p->space.solids[0];
    dew_shape_def *liquid = &p->space.liquids[0].shape;
    p->def = law_definition(method, settings, &p->space);
    p->radius = law_drop(&law_spreading, settings, resolution, dimension, &p->def, &p->space.material);
    double volume = drop_volume(dimension, p->radius);
    double cap = theory_cap(dimension, cos(from * degree), volume, &height);
    p->rest = theory_cap(dimension, cos(angle * degree), volume, &end_height) * sin(angle * degree);
    p->way = p->rest - cap * sin(from * degree);
    plate->name = "plate";
    plate->shape = dew_plane((dew_vec3){0}, law_place(dimension, 0, 0, 1));
    plate->contact_angle = angle;
    plate->slip_length = 0;
    p->def.solid_count = 1;
    p->parts[0] = dew_sphere(law_place(dimension, 0, 0, height), cap);
    p->parts[1] = plate->shape;
    *liquid = dew_default_shape_def();
    liquid->kind = DEW_SHAPE_DIFFERENCE;
    liquid->combination.children = p->parts;
    liquid->combination.count = 2;
}

#define OPTION(name) law_option_value(&law_spreading, settings, resolution, name)

static dew_result measure_end(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                              int dimension, double angle, double from, double part, double share, law_results *results)
{
    double start = law_cpu_seconds();
    plate_setup p;
    set_up(&p, method, settings, resolution, dimension, angle, from);
    /* From 20 degrees to 60 a line of two dimensions goes 1.7 R, which is twice as far as one of three. */
    double longer = dimension == 2 ? 1.5 : 1;
    int frames = law_plan(&p.def, p.radius, longer * OPTION("duration"), 1);
    char label[LAW_LABEL];
    law_label(label, dimension, "%g deg from %g", angle, from);
    law_progress progress = {settings, p.def.duration, part, share, 0, label};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&p.def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_step, &progress);
    if (!status) {
        law_show(settings, simulation, "%s", label);
        law_add(results, &law_spreading, resolution, "end angle", label, dew_simulation_particle_count(simulation),
                angle_of(simulation, dimension), angle, law_cpu_seconds() - start);
    }
    dew_simulation_destroy(simulation);
    return status;
}

/* --- where viscosity rules --- */

typedef struct line_course {
    series foot, cube; /* m; of the angle that the line moves at; by time, s */
    double distance;   /* sum of the logarithms of its distance (m) from the line */
    int told;          /* of how many */
} line_course;

static dew_result follow_line(dew_simulation *simulation, const plate_setup *p, line_course *c)
{
    dew_result status = law_advance(simulation, 1, NULL, NULL);
    double *points, time = dew_simulation_time(simulation), distance = NAN, at = NAN;
    if (p->def.dimension == 3) {
        int count = surface_points(simulation, &points);
        at = measure_moving_angle(count, points, p->def.spacing, &distance);
        free(points);
    }
    if (!isnan(distance)) c->distance += log(distance), c->told++;
    double foot = measure_outline(dew_simulation_frame(simulation), 1.5 * p->def.spacing);
    if (!series_add(&c->foot, time, foot) || !series_add(&c->cube, time, pow(at, 3))) return DEW_NO_MEMORY;
    return status;
}

static void add_way(const line_course *c, const plate_setup *p, law_resolution resolution, const char *label,
                    int particles, double seconds, law_results *results)
{
    law_add(results, &law_spreading, resolution, "way back", label, particles, largest_return(&c->foot, p->way), 0,
            seconds);
    double ends[] = {0, p->def.duration};
    law_plot_begin(results, label, "time, s", "radius of the foot, mm");
    series_plot(&c->foot, results, LAW_CURVE_MEASURED, "measured", 1, 1e-3);
    law_plot_curve(results, LAW_CURVE_THEORY, "at rest", 2, ends, (double[]){1e3 * p->rest, 1e3 * p->rest});
}

/* The slope of Cox and Voinov, for a slip length in m. */
static void add_slope(const line_course *c, const plate_setup *p, law_resolution resolution, double slip,
                      const char *label, int particles, double seconds, law_results *results)
{
    const dew_material_def *liquid = &p->space.material;
    double rest = pow(p->space.solids[0].contact_angle * M_PI / 180, 3);
    double theory = 9 * (c->distance / c->told - log(slip));
    law_add(results, &law_spreading, resolution, "slope", label, particles,
            line_slope(&c->foot, &c->cube, rest, liquid->viscosity / liquid->surface_tension, -rest / theory), theory,
            seconds);
    law_plot_begin(results, label, "time, s", "cube of the angle that the line moves at");
    series_plot(&c->cube, results, LAW_CURVE_MEASURED, "measured", 1, 1);
}

/* slip: NAN where the slope is not asked for. */
static dew_result measure_line(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                               int dimension, double slip, double angle, double from, double part, double share,
                               law_results *results)
{
    enum { FRAMES = 100 };
    double start = law_cpu_seconds();
    plate_setup p;
    set_up(&p, method, settings, resolution, dimension, angle, from);
    dew_material_def *liquid = &p.space.material;
    liquid->viscosity = OPTION("line_ohnesorge") * sqrt(liquid->density * liquid->surface_tension * p.radius);
    law_plan(&p.def, p.radius, OPTION("duration"), 1);
    p.def.frame_rate = FRAMES / p.def.duration;
    char label[LAW_LABEL];
    law_label(label, dimension, "%g deg from %g", angle, from);
    line_course course = {0};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&p.def, &simulation);
    if (status) return status;
    for (int k = 0; k < FRAMES && !status; k++) {
        law_report(settings, part + share * k / FRAMES, "line, %s", label);
        status = follow_line(simulation, &p, &course);
    }
    if (!status) {
        int particles = dew_simulation_particle_count(simulation);
        double seconds = law_cpu_seconds() - start;
        law_show(settings, simulation, "line, %s", label);
        add_way(&course, &p, resolution, label, particles, seconds, results);
        if (slip > 0) add_slope(&course, &p, resolution, slip, label, particles, seconds, results);
    }
    series_free(&course.foot);
    series_free(&course.cube);
    dew_simulation_destroy(simulation);
    return status;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    enum { LINES = 4 };
    static const double angles[] = {60, 120, 30, 90}, lines[LINES][2] = {{60, 100}, {60, 45}, {120, 150}, {120, 20}};
    double slip = OPTION("line_slip");
    if (isnan(slip)) slip = method->line_slip;
    int ends = OPTION("all_angles") != 0 ? 8 : 4;
    share /= ends + LINES;
    if (!(slip > 0) && dimension == 3)
        law_add_absent(results, &law_spreading, "slope", "a stated slip length of moving lines (line_slip)");
    dew_result status = DEW_OK;
    for (int i = 0; i < ends && !status; i++)
        status = measure_end(method, resolution, settings, dimension, angles[i / 2], i % 2 ? 20 : 150, part + share * i,
                             share, results);
    for (int i = 0; i < LINES && !status; i++)
        status = measure_line(method, resolution, settings, dimension, lines[i][0] == 60 && dimension == 3 ? slip : NAN,
                              lines[i][0], lines[i][1], part + share * (ends + i), share, results);
    return status;
}

const law law_spreading = {
    .name = "spreading",
    .title = "A drop finds its contact angle on a plate that holds the liquid",
    .physics =
        "A drop on a plate that holds the liquid goes to the same angle as on one that lets it slip, only more "
        "slowly: the plate brakes the line and cannot drive it. Where viscosity rules, a line that goes away from "
        "rest is moved by a wall's force that is counted wrongly.",
    .equation = "gamma cos(theta) = gamma_solid - gamma_between, whatever the wall's slip; "
                "theta_d^3 = theta^3 + 9 Ca ln(L/l)",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_NO_SLIP,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
