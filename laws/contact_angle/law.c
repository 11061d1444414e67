/* Contact angle of a drop at rest on a solid.
 *
 * Physics. Without gravity a drop at rest on a plane, on a ball or in a bowl is bounded by a sphere that meets the
 * solid at the angle theta, measured in the liquid (Young 1805).
 *
 * Set-up. Four places: a plane, a plane tilted by 30 degrees (against the axes, along which particles, cells and
 * directions may be ordered), a ball of 24 spacings' radius, and a bowl, the inside of a sphere of six of the drop's
 * radii. The drop starts as the cap of its volume whose angle is 25 degrees below theta, or above, but within 15 (25 in
 * the bowl, where caps end) and 160, where a contact is left; without hysteresis both end at theta. A drop that has
 * lost contact counts as 180 degrees.
 *
 * Leaving is no error where the start has the energy for it: gamma (A_free - cos(theta) A_wet) of a cap of 125 degrees
 * is more than that of a whole ball where theta is 150. So the start is moved towards theta until its energy is at
 * most six tenths of the way from that at rest to that of a ball.
 *
 * Measurement. A sphere is fitted by least squares to the surface particles farther than 1.5 spacings from the solid;
 * its radius plus half a spacing is b, its centre's distance from the plane z, from the ball's or the bowl's centre d:
 *
 *     cos theta = -z/b on the plane,  (A^2 + b^2 - d^2)/(2 A b) on a ball of radius A, in a bowl of radius -A.
 *
 * The run ends when the angle has changed by less than 0.3 degrees in two capillary times. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"plane", "deg", LAW_DEGREES, {6, 6, 6}, "contact angle on a plane"},
    {"tilted plane", "deg", LAW_DEGREES, {6, 6, 6}, "contact angle on a plane tilted by 30 degrees"},
    {"ball", "deg", LAW_DEGREES, {8, 8, 8}, "contact angle on a ball of 24 spacings"},
    {"bowl", "deg", LAW_DEGREES, {8, 8, 8}, "contact angle inside a sphere of six of the drop's radii"},
};

enum { PLANE, TILTED, BALL, BOWL, PLACES };

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_RADIUS("of the drop before it touches")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"all_angles", "1", {0, 1, 1}, "1: 45 and 135 too, besides 30, 60, 90, 120, 150"},
    {"angle", "deg", {NAN, NAN, NAN}, "this one only"},
    {"place", "1", {NAN, NAN, NAN}, "0: the plane, 1: the tilted plane, 2: the ball, 3: the bowl only, instead of all"},
    {"above", "1", {NAN, NAN, NAN}, "0: from below only, 1: from above only, instead of both"},
    {"ball_radius", "1", {24, 24, 24}, "spacings", LAW_SPACINGS},
    {"bowl_radius", "1", {6, 6, 6}, "over the drop's radius"},
    {"offset", "deg", {25, 25, 25}, "by how much the start's angle differs at most"},
    {"duration", "1", {10, 10, 10}, "capillary times sqrt(rho R^3/gamma) to run at most"},
};

/* --- theory --- */

/* What the solid is: the ball about the origin of radius `bend`; where that is negative, all beyond the sphere of
 * radius -bend; where it is 0, the half space below the plane through the origin. */

static double cap_volume(double bend, double cosine, double r)
{
    if (bend == 0) return M_PI / 3 * r * r * r * (2 + cosine) * (1 - cosine) * (1 - cosine);
    double a = fabs(bend), d = sqrt(a * a + r * r - 2 * bend * r * cosine);
    double lens = M_PI * (a + r - d) * (a + r - d) * (d * d + 2 * d * (a + r) - 3 * (a - r) * (a - r)) / (12 * d);
    return bend < 0 ? lens : 4 * M_PI / 3 * r * r * r - lens;
}

double theory_cap_radius(double bend, double cosine, double volume, double *height)
{
    double low = 0, high = 100 * cbrt(volume);
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (cap_volume(bend, cosine, middle) < volume)
            low = middle;
        else
            high = middle;
    }
    *height = bend == 0 ? -low * cosine : copysign(sqrt(bend * bend + low * low - 2 * bend * low * cosine), bend);
    return low;
}

double theory_cap_energy(double bend, double angle, double theta, double volume)
{
    double height, c = cos(angle * M_PI / 180), r = theory_cap_radius(bend, c, volume, &height);
    double free_area = 2 * M_PI * r * r * (1 - c), wet_area = M_PI * r * r * (1 - c * c);
    if (bend != 0) {
        /* From the liquid's centre and from the solid's, the plane in which the spheres meet. */
        double a = fabs(bend), d = fabs(height), u = (a * a - d * d - r * r) / (2 * d),
               v = (a * a + d * d - r * r) / (2 * d);
        free_area = 2 * M_PI * r * (bend > 0 ? r - u : r + u);
        wet_area = 2 * M_PI * a * (a - v);
    }
    return free_area - cos(theta * M_PI / 180) * wet_area;
}

/* The angle to start from: at most `offset` from theta, without the energy to leave. */
static double start_angle_of(double bend, double theta, double offset, double volume)
{
    double ball = 4 * M_PI * pow(volume * 3 / (4 * M_PI), 2.0 / 3),
           rest = theory_cap_energy(bend, theta, theta, volume);
    for (;; offset *= 0.9) {
        double start = fmin(160, fmax(bend < 0 ? 25 : 15, theta + offset));
        if (fabs(offset) < 1 || theory_cap_energy(bend, start, theta, volume) - rest <= 0.6 * (ball - rest))
            return start;
    }
}

/* --- measurement --- */

/* Where the drop sits: `up` is the solid's normal under the drop. */
typedef struct site {
    int place;
    dew_vec3 up;
    double bend;
} site;

static double dot(dew_vec3 a, dew_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static double distance_to_solid(const site *s, dew_vec3 p)
{
    return s->bend == 0 ? dot(p, s->up) : copysign(sqrt(dot(p, p)), s->bend) - s->bend;
}

/* In degrees; NaN where there is no profile to fit. */
static double measured_angle(const dew_simulation *simulation, const site *s)
{
    double *points, spacing = dew_simulation_spacing(simulation);
    int count = surface_points(simulation, &points), kept = 0;
    for (int i = 0; i < count; i++) {
        const double *p = points + 3 * i;
        if (distance_to_solid(s, (dew_vec3){p[0], p[1], p[2]}) < 1.5 * spacing) continue;
        for (int k = 0; k < 3; k++) points[3 * kept + k] = p[k];
        kept++;
    }
    sphere_fit fit = fit_sphere(kept, points);
    free(points);
    double b = fit.radius + 0.5 * spacing, a = s->bend;
    double cosine = a == 0 ? -dot(fit.centre, s->up) / b : (a * a + b * b - dot(fit.centre, fit.centre)) / (2 * a * b);
    return isfinite(cosine) ? acos(fmin(1, fmax(-1, cosine))) * 180 / M_PI : NAN;
}

/* --- runs --- */

extern const law law_contact_angle;

enum { FRAMES = 4, MOST_FRAMES = 400 }; /* in a capillary time; in a run */

typedef struct course {
    int particles, count;
    double time[MOST_FRAMES + 1], angle[MOST_FRAMES + 1]; /* capillary times, degrees */
} course;

/* Advances until the angle stands still. */
static dew_result come_to_rest(dew_simulation *simulation, const site *s, int frames, course *c)
{
    enum { HISTORY = 2 * FRAMES + 1 }; /* two capillary times */
    for (c->count = 0;;) {
        int k = c->count++;
        c->time[k] = k / (double)FRAMES;
        c->angle[k] = measured_angle(simulation, s);
        double low = INFINITY, high = 0;
        for (int i = k; i >= 0 && i > k - HISTORY; i--) {
            low = fmin(low, c->angle[i]);
            high = fmax(high, c->angle[i]);
        }
        c->particles = dew_simulation_particle_count(simulation);
        if (k >= frames || k == MOST_FRAMES || (k >= 3 * FRAMES && high - low < 0.3)) return DEW_OK;
        dew_result status = law_advance(simulation, 1, NULL, NULL);
        if (status) return status;
    }
}

/* The solid at the site: `parts` holds what a bowl is made of. */
static dew_shape_def solid_shape(const site *s, double spacing, dew_shape_def *part)
{
    if (s->bend == 0) return dew_plane((dew_vec3){0}, s->up);
    if (s->bend > 0) return dew_sphere((dew_vec3){0}, s->bend);
    double wall = 6 * spacing; /* more than any method looks into a solid */
    *part = dew_sphere((dew_vec3){0}, wall - s->bend);
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_SHELL;
    shape.shell.child = part;
    shape.shell.thickness = wall;
    return shape;
}

static site site_of(int place, double ball_radius, double bowl_radius)
{
    const double tilt = M_PI / 6, turn = M_PI / 9; /* about no axis of the particles' order */
    site s = {.place = place, .up = {0, 0, 1}};
    if (place == TILTED) s.up = (dew_vec3){sin(tilt) * cos(turn), sin(tilt) * sin(turn), cos(tilt)};
    if (place == BALL) s.bend = ball_radius;
    if (place == BOWL) s.bend = -bowl_radius;
    return s;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int place, double angle, double offset, const char *caption, course *c)
{
#define OPTION(name) law_option_value(&law_contact_angle, settings, resolution, name)
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_contact_angle, settings, resolution, &space.material);
    double volume = 4 * M_PI / 3 * pow(radius, 3), height;
    def.spacing = spacing_of_count(volume, (int)OPTION("particles"));
    site s = site_of(place, OPTION("ball_radius") * def.spacing, OPTION("bowl_radius") * radius);
    double start = start_angle_of(s.bend, angle, offset, volume);
    double cap = theory_cap_radius(s.bend, cos(start * M_PI / 180), volume, &height);
    dew_shape_def part, parts[2];
    space.solids[0].name = "base";
    space.solids[0].shape = solid_shape(&s, def.spacing, &part);
    space.solids[0].contact_angle = angle;
    def.solid_count = 1;
    parts[0] = dew_sphere((dew_vec3){height * s.up.x, height * s.up.y, height * s.up.z}, cap);
    parts[1] = s.bend < 0 ? dew_sphere((dew_vec3){0}, -s.bend) : space.solids[0].shape;
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = s.bend < 0 ? DEW_SHAPE_INTERSECTION : DEW_SHAPE_DIFFERENCE;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 2;
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = come_to_rest(simulation, &s, frames, c);
    if (!status && caption) law_show(settings, simulation, "%s", caption);
    dew_simulation_destroy(simulation);
    return status;
}

static bool is_chosen(double chosen, double value) { return isnan(chosen) || chosen == value; }

/* The angles measured in one place, set against measured. */
typedef struct record {
    double set[2][8], measured[2][8]; /* from below, from above */
    int count[2];
} record;

static void plot_place(const char *place, const record *r, law_results *results)
{
    char title[96];
    snprintf(title, sizeof title, "Measured against set: %s", place);
    law_plot_begin(results, title, "contact angle set, degrees", "contact angle measured, degrees");
    law_plot_equal_axes(results);
    law_plot_curve(results, LAW_CURVE_POINTS, "from below", r->count[0], r->set[0], r->measured[0]);
    law_plot_curve(results, LAW_CURVE_POINTS, "from above", r->count[1], r->set[1], r->measured[1]);
    law_plot_curve(results, LAW_CURVE_THEORY, "set", 2, (double[]){20, 160}, (double[]){20, 160});
}

static dew_result run_place(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                            int place, law_results *results)
{
    static const double standard[] = {30, 60, 90, 120, 150, 45, 135};
    double one = OPTION("angle");
    int angles = !isnan(one) ? 1 : OPTION("all_angles") != 0 ? 7 : 5;
    const char *name = targets[place].quantity;
    record all = {0};
    for (int k = 0; k < 2 * angles; k++) {
        int above = k % 2;
        if (!is_chosen(OPTION("above"), above)) continue;
        double start = law_cpu_seconds(), angle = angles == 1 ? one : standard[k / 2];
        double offset = (above ? 1 : -1) * OPTION("offset");
        char label[64], caption[128];
        snprintf(label, sizeof label, "%g deg, from %s", angle, above ? "above" : "below");
        snprintf(caption, sizeof caption, "%s, %s", name, label);
        law_report(settings, (place + k / (2.0 * angles)) / PLACES, "%s", caption);
        course c;
        bool is_picture = above && (angle == 60 || angle == 120);
        dew_result status =
            measure(method, resolution, settings, place, angle, offset, is_picture ? caption : NULL, &c);
        if (status) return status;
        double measured = c.angle[c.count - 1];
        law_add(results, &law_contact_angle, resolution, name, label, c.particles, measured, angle,
                law_cpu_seconds() - start);
        all.set[above][all.count[above]] = angle;
        all.measured[above][all.count[above]++] = measured;
    }
    plot_place(name, &all, results);
    return DEW_OK;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    double one = law_option_value(&law_contact_angle, settings, resolution, "place");
    for (int place = 0; place < PLACES; place++) {
        if (!is_chosen(one, place)) continue;
        dew_result status = run_place(method, resolution, settings, place, results);
        if (status) return status;
    }
    return DEW_OK;
}

const law law_contact_angle = {
    .name = "contact_angle",
    .group = LAW_STATICS,
    .title = "A drop at rest on a plane, on a ball and in a bowl: its contact angle, from below and from above",
    .physics =
        "Where liquid, solid and gas meet, three tensions pull at one line; they balance at one angle (Young 1805). "
        "Without gravity the pressure in a drop at rest is even, so its free surface is a piece of a sphere, and "
        "the sphere's place tells the angle from the whole profile rather than from the few particles at the "
        "line. A drop that starts too flat and one that starts too steep must end at the same angle.",
    .equation = "gamma cos(theta) = gamma_solid - gamma_between",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
