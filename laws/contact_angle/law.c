/* Contact angle of a drop at rest on a solid.
 *
 * Physics. Without gravity a drop at rest on a plane, on a ball or in a bowl is bounded by a sphere that meets the
 * solid at the angle theta, measured in the liquid (Young 1805).
 *
 * Set-up. Four places: a plane, a plane tilted against the axes (along which particles, cells and directions may be
 * ordered), for each angle otherwise, a ball of 24 spacings' radius, and a bowl, the inside of a sphere of six of the
 * drop's radii. The drop starts as the cap of its volume whose angle is 25 degrees below theta, or above, but within 15
 * (25 in the bowl, where caps end) and 160, where a contact is left; without hysteresis both end at theta. On the plane
 * it also starts at theta, to be held. A drop that has lost contact counts as 180 degrees.
 *
 * In two dimensions the same on a line, level and tilted: a drop's surface is then a piece of a circle.
 *
 * On a post with a sharp edge the line may stay at the edge while the angle with the top is between theta and theta +
 * 90 (Gibbs; Oliver, Huh, Mason 1977): a drop whose volume makes that 90 or 120 on a post of 60, which starts there, or
 * on the top and spreads to it.
 *
 * Caps of 10, 15, 160 and 170 degrees, which are few particles high or stand on few, take 20 000 particles. They start
 * at theta, and their height and contact radius are judged, since what the angle follows from there is small.
 *
 * Leaving is no error where the start has the energy for it: gamma (A_free - cos(theta) A_wet) of a cap of 125 degrees
 * is more than that of a whole ball where theta is 150. So the start is moved towards theta until its energy is at
 * most six tenths of the way from that at rest to that of a ball.
 *
 * Measurement. A sphere (a circle) is fitted by least squares to the surface particles farther than 1.5 spacings from
 * the solid; its radius plus half a spacing is b, its centre's distance from the plane or the post's top z, from the
 * ball's or the bowl's centre d:
 *
 *     cos theta = -z/b on the plane,  (A^2 + b^2 - d^2)/(2 A b) on a ball of radius A, in a bowl of radius -A.
 *
 * The run ends when the angle has changed by less than 0.3 degrees in two capillary times. Height of extreme caps:
 * paraboloid through the surface particles about the axis, plus half a spacing. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"plane", "deg", LAW_DEGREES, {5, 5, 5}, "contact angle on a plane"},
    {"tilted plane", "deg", LAW_DEGREES, {5, 5, 5}, "contact angle on a plane tilted by 15 to 160 degrees"},
    {"ball", "deg", LAW_DEGREES, {7, 7, 7}, "contact angle on a ball of 24 spacings"},
    {"bowl", "deg", LAW_DEGREES, {7, 7, 7}, "contact angle inside a sphere of six of the drop's radii"},
    {"sharp edge", "deg", LAW_DEGREES, {5, 5, 5}, "angle at the edge of a post that meets the liquid at 60 degrees"},
    {"extreme height", "R", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of caps of 10 to 170 degrees, over R"},
    {"extreme contact radius", "R", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of the same"},
    {"midpoint", "deg", LAW_DEGREES, {5, 5, 5}, "on a plane, of where it ends from below and from above, 60 to 120"},
    {"difference", "deg", LAW_DEGREES, {10, 10, 10}, "of the two: the method's own hysteresis"},
};

enum { PLANE, TILTED, BALL, BOWL, EDGE, PLACES, EXTREME = PLACES, WAYS };
enum { FROM_BELOW, FROM_ABOVE, HELD, STARTS };
static const char *const start_names[STARTS] = {"from below", "from above", "held"};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_PLANE_PARTICLES(500, 1000, 2000)},
    {LAW_RADIUS("of the drop before it touches")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"all_angles", "1", {0, 1, 1}, "1: 45 and 135 too, besides 20, 30, 60, 90, 120, 150"},
    {"angle", "deg", {NAN, NAN, NAN}, "this one only"},
    {"place",
     "1",
     {NAN, NAN, NAN},
     "0: plane, 1: tilted plane, 2: ball, 3: bowl, 4: edge, 5: extreme caps; unset: all"},
    {"above", "1", {NAN, NAN, NAN}, "0: from below only, 1: from above only, 2: held only; unset: all"},
    {"energies", "1", {0, 0, 0}, "1: the solid has surface energies, from which the angle follows, in its place"},
    {"ball_radius", "1", {24, 24, 24}, "spacings", LAW_SPACINGS},
    {"bowl_radius", "1", {6, 6, 6}, "over the drop's radius"},
    {"offset", "deg", {25, 25, 25}, "by how much the start's angle differs at most"},
    {"duration", "1", {10, 10, 10}, "capillary times sqrt(rho R^3/gamma) to run at most"},
    {"extreme_particles", "1", {20000, 20000, 20000}, "particles of the extreme caps, about", LAW_COUNT},
    {"extreme_duration", "1", {6, 10, 10}, "capillary times to run them"},
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

/* The segment of a circle of radius 1 that its chord meets at `angle` has the area angle - sin(angle) cos(angle). */
double theory_cap(int dimension, double cosine, double volume, double *height)
{
    if (dimension == 3) return theory_cap_radius(0, cosine, volume, height);
    double angle = acos(cosine), radius = sqrt(volume / (angle - sin(angle) * cosine));
    *height = -radius * cosine;
    return radius;
}

double theory_segment_energy(double angle, double theta, double area)
{
    double height, a = angle * M_PI / 180, r = theory_cap(2, cos(a), area, &height);
    return 2 * r * (a - cos(theta * M_PI / 180) * sin(a));
}

static double energy_of(int dimension, double bend, double angle, double theta, double volume)
{
    return dimension == 2 ? theory_segment_energy(angle, theta, volume) : theory_cap_energy(bend, angle, theta, volume);
}

/* The angle to start from: at most `offset` from theta, without the energy to leave. */
static double start_angle_of(int dimension, double bend, double theta, double offset, double volume)
{
    double ball = dimension == 2 ? 2 * sqrt(M_PI * volume) : 4 * M_PI * pow(volume * 3 / (4 * M_PI), 2.0 / 3),
           rest = energy_of(dimension, bend, theta, theta, volume);
    for (;; offset *= 0.9) {
        double start = fmin(160, fmax(bend < 0 ? 25 : 15, theta + offset));
        if (fabs(offset) < 1 || energy_of(dimension, bend, start, theta, volume) - rest <= 0.6 * (ball - rest))
            return start;
    }
}

/* --- measurement --- */

/* One drop: where it sits, the angle that it has at rest, and what it starts from. */
typedef struct drop {
    int dimension, place, start;
    double angle, solid_angle; /* at rest; of the solid, which on a post's edge is another. degrees */
    dew_vec3 up;               /* the solid's normal under the drop */
    double bend;
    double cap, height, foot; /* at rest, m: radius of the sphere, the top's height, contact radius on a plane */
} drop;

static double dot(dew_vec3 a, dew_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static double distance_to_solid(const drop *d, dew_vec3 p)
{
    return d->bend == 0 ? dot(p, d->up) : copysign(sqrt(dot(p, p)), d->bend) - d->bend;
}

/* Keeps the surface's points that are farther than `least` from the solid; returns their number. */
static int surface_above(const dew_simulation *simulation, const drop *d, double least, double **points)
{
    int count = surface_points(simulation, points), kept = 0;
    for (int i = 0; i < count; i++) {
        const double *p = *points + 3 * i;
        if (distance_to_solid(d, (dew_vec3){p[0], p[1], p[2]}) < least) continue;
        for (int k = 0; k < 3; k++) (*points)[3 * kept + k] = p[k];
        kept++;
    }
    return kept;
}

/* In degrees; NaN where there is no profile to fit. */
static double measured_angle(const dew_simulation *simulation, const drop *d)
{
    double *points, spacing = dew_simulation_spacing(simulation);
    int count = surface_above(simulation, d, 1.5 * spacing, &points);
    sphere_fit fit = fit_sphere(d->dimension, count, points);
    free(points);
    double b = fit.radius + 0.5 * spacing, a = d->bend;
    double cosine = a == 0 ? -dot(fit.centre, d->up) / b : (a * a + b * b - dot(fit.centre, fit.centre)) / (2 * a * b);
    return isfinite(cosine) ? acos(fmin(1, fmax(-1, cosine))) * 180 / M_PI : NAN;
}

/* Of a cap on the plane z = 0, m. */
static double measured_height(const dew_simulation *simulation, const drop *d)
{
    double *points, within = fmin(0.5 * d->cap, 0.6 * (d->angle < 90 ? d->foot : d->cap));
    int count = surface_above(simulation, d, 0.5 * d->height, &points);
    double height = paraboloid_top(count, points, within) + 0.5 * dew_simulation_spacing(simulation);
    free(points);
    return height;
}

/* --- set-up --- */

enum { FRAMES = 4, HISTORY = 2 * FRAMES + 1, MOST_FRAMES = 400 }; /* in a capillary time; in two; in a run */

extern const law law_contact_angle;
#define OPTION(name) law_option_value(&law_contact_angle, settings, resolution, name)

static const double standard[] = {20, 30, 60, 90, 120, 150, 45, 135};
static const double edges[] = {90, 120};
static const double extremes[] = {10, 15, 160, 170};
/* Of the tilted plane against the others, by the angle on it: each against other axes. */
static const double tilts[] = {15, 50, 30, 75, 110, 160, 135, 60};
/* Angle of the post's material. */
#define POST_ANGLE 60

static double tilt_of(double angle)
{
    for (size_t k = 0; k < sizeof standard / sizeof *standard; k++)
        if (standard[k] == angle) return tilts[k] * M_PI / 180;
    return M_PI / 6;
}

/* Radius and height of the sphere that bounds the drop where it meets the solid at this angle, degrees. */
static double cap_of(const drop *d, double angle, double volume, double *centre)
{
    double cosine = cos(angle * M_PI / 180);
    return d->dimension == 2 ? theory_cap(2, cosine, volume, centre)
                             : theory_cap_radius(d->bend, cosine, volume, centre);
}

static drop drop_of(int dimension, int place, int start, double angle, double volume, double ball_radius,
                    double bowl_radius)
{
    drop d = {.dimension = dimension,
              .place = place,
              .start = start,
              .angle = angle,
              .solid_angle = angle,
              .up = law_place(dimension, 0, 0, 1)};
    double tilt = tilt_of(angle), turn = 2 * tilt / 3; /* about no axis of the particles' order */
    if (place == TILTED)
        d.up = dimension == 2 ? (dew_vec3){sin(tilt), cos(tilt), 0}
                              : (dew_vec3){sin(tilt) * cos(turn), sin(tilt) * sin(turn), cos(tilt)};
    if (place == BALL) d.bend = ball_radius;
    if (place == BOWL) d.bend = -bowl_radius;
    if (place == EDGE) d.solid_angle = POST_ANGLE;
    double centre;
    d.cap = cap_of(&d, angle, volume, &centre);
    d.height = centre + d.cap, d.foot = d.cap * sin(angle * M_PI / 180);
    return d;
}

/* The solid under the drop: `part` holds what a bowl is made of. */
static dew_shape_def solid_shape(const drop *d, double spacing, dew_shape_def *part)
{
    double wall = 6 * spacing; /* more than any method looks into a solid */
    dew_shape_def shape = dew_default_shape_def();
    if (d->place == EDGE) {
        shape.kind = DEW_SHAPE_CYLINDER;
        shape.cylinder.from = (dew_vec3){0, 0, -3 * wall}, shape.cylinder.to = (dew_vec3){0};
        shape.cylinder.radius = d->foot;
        return shape;
    }
    if (d->bend == 0) return dew_plane((dew_vec3){0}, d->up);
    if (d->bend > 0) return dew_sphere((dew_vec3){0}, d->bend);
    *part = dew_sphere((dew_vec3){0}, wall - d->bend);
    shape.kind = DEW_SHAPE_SHELL;
    shape.shell.child = part;
    shape.shell.thickness = wall;
    return shape;
}

/* The angle that the drop starts from. On a post it has room on the top alone, where less than the edge's angle holds
 * it back, so its energy does not matter. */
static double start_of(const drop *d, double offset, double volume)
{
    if (d->start == HELD) return d->angle;
    if (d->place == EDGE) return d->angle + offset;
    return start_angle_of(d->dimension, d->bend, d->angle, d->start == FROM_ABOVE ? offset : -offset, volume);
}

static dew_result make_drop(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                            int dimension, int place, int start, double angle, drop *d, int *frames,
                            dew_simulation **simulation)
{
    bool is_extreme = place == EXTREME;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_contact_angle, settings, resolution, dimension, &def, &space.material);
    double volume = drop_volume(dimension, radius), centre;
    if (is_extreme) def.spacing = spacing_of_count(volume, (int)OPTION("extreme_particles"));
    *d = drop_of(dimension, place, start, angle, volume, OPTION("ball_radius") * def.spacing,
                 OPTION("bowl_radius") * radius);
    double at_start = start_of(d, OPTION("offset"), volume);
    double cap = cap_of(d, at_start, volume, &centre);
    dew_shape_def part, parts[2];
    space.solids[0].name = "base";
    space.solids[0].shape = solid_shape(d, def.spacing, &part);
    space.solids[0].contact_angle = d->solid_angle;
    if (OPTION("energies") != 0) { /* Young: cos(theta) = (solid - between)/gamma, neither below 0 */
        double gamma = space.material.surface_tension;
        space.solids[0].has_surface_energy = true, space.solids[0].solid_energy = gamma;
        space.solids[0].between_energy = gamma * (1 - cos(d->solid_angle * M_PI / 180));
    }
    def.solid_count = 1;
    parts[0] = dew_sphere((dew_vec3){centre * d->up.x, centre * d->up.y, centre * d->up.z}, cap);
    parts[1] = d->bend < 0        ? dew_sphere((dew_vec3){0}, -d->bend)
               : d->place == EDGE ? dew_plane((dew_vec3){0}, d->up)
                                  : space.solids[0].shape;
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = d->bend < 0 ? DEW_SHAPE_INTERSECTION : DEW_SHAPE_DIFFERENCE;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 2;
    *frames = law_plan(&def, radius, OPTION(is_extreme ? "extreme_duration" : "duration"), FRAMES);
    return dew_simulation_create(&def, simulation);
}

/* --- runs --- */

/* Advances until the angle stands still, and leaves it in `angle`. */
static dew_result come_to_rest(dew_simulation *simulation, const drop *d, int frames, double *angle)
{
    double course[MOST_FRAMES + 1];
    for (int k = 0;; k++) {
        *angle = course[k] = measured_angle(simulation, d);
        double low = INFINITY, high = 0;
        for (int i = k; i >= 0 && i > k - HISTORY; i--) low = fmin(low, course[i]), high = fmax(high, course[i]);
        if (k >= frames || k == MOST_FRAMES || (k >= 3 * FRAMES && high - low < 0.3)) return DEW_OK;
        dew_result status = law_advance(simulation, 1, NULL, NULL);
        if (status) return status;
    }
}

/* The means of height and contact radius over the last two capillary times. */
static dew_result stay(dew_simulation *simulation, const drop *d, int frames, double *height, double *foot)
{
    double sum[2] = {0};
    int first = frames > HISTORY ? frames - HISTORY + 1 : 0;
    for (int k = 0; k <= frames; k++) {
        double contact_radius;
        if (k >= first) {
            if (dew_simulation_measure(simulation, "contact_radius", &contact_radius)) contact_radius = NAN;
            sum[0] += measured_height(simulation, d), sum[1] += contact_radius;
        }
        dew_result status = k < frames ? law_advance(simulation, 1, NULL, NULL) : DEW_OK;
        if (status) return status;
    }
    *height = sum[0] / (frames - first + 1), *foot = sum[1] / (frames - first + 1);
    return DEW_OK;
}

/* The angles measured in one place, set against measured. */
typedef struct record {
    double set[STARTS][8], measured[STARTS][8];
    int count[STARTS];
} record;

static void plot_place(const char *place, int dimension, const record *r, law_results *results)
{
    char title[LAW_LABEL];
    law_label(title, dimension, "Measured against set: %s", place);
    law_plot_begin(results, title, "contact angle set, degrees", "contact angle measured, degrees");
    law_plot_equal_axes(results);
    for (int start = 0; start < STARTS; start++)
        law_plot_curve(results, LAW_CURVE_POINTS, start_names[start], r->count[start], r->set[start],
                       r->measured[start]);
    law_plot_curve(results, LAW_CURVE_THEORY, "set", 2, (double[]){15, 160}, (double[]){15, 160});
}

static dew_result run_drop(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                           int dimension, int place, int start, double angle, record *r, law_results *results)
{
    double begin = law_cpu_seconds(), radius = OPTION("radius"), measured[2] = {NAN, NAN};
    drop d;
    int frames;
    dew_simulation *simulation;
    dew_result status =
        make_drop(method, resolution, settings, dimension, place, start, angle, &d, &frames, &simulation);
    if (status) return status;
    status = place == EXTREME ? stay(simulation, &d, frames, &measured[0], &measured[1])
                              : come_to_rest(simulation, &d, frames, &measured[0]);
    int particles = dew_simulation_particle_count(simulation);
    char label[LAW_LABEL];
    law_label(label, dimension, "%g deg, %s", angle, start_names[start]);
    if (status == DEW_FAILED) { /* has no angle; the others may have theirs */
        law_report(settings, place / (double)WAYS, "%s, %s: %s", targets[place].quantity, label, dew_message());
        measured[0] = measured[1] = NAN, status = DEW_OK;
    }
    if (!status && (place == EXTREME || (start == FROM_ABOVE && (angle == 60 || angle == 120))))
        law_show(settings, simulation, "%s, %s", place == EXTREME ? "extreme" : targets[place].quantity, label);
    dew_simulation_destroy(simulation);
    if (status) return status;
    double seconds = law_cpu_seconds() - begin;
    if (place == EXTREME) {
        snprintf(label, sizeof label, "%g deg", angle);
        law_add(results, &law_contact_angle, resolution, "extreme height", label, particles, measured[0] / radius,
                d.height / radius, seconds);
        law_add(results, &law_contact_angle, resolution, "extreme contact radius", label, particles,
                measured[1] / radius, d.foot / radius, seconds);
        return DEW_OK;
    }
    law_add(results, &law_contact_angle, resolution, targets[place].quantity, label, particles, measured[0], angle,
            seconds);
    r->set[start][r->count[start]] = angle, r->measured[start][r->count[start]++] = measured[0];
    return DEW_OK;
}

/* Of angles that were approached from both sides, not too near to either end. */
static void add_approaches(const record *r, int dimension, law_resolution resolution, int particles,
                           law_results *results)
{
    for (int i = 0; i < r->count[FROM_BELOW]; i++)
        for (int k = 0; k < r->count[FROM_ABOVE]; k++) {
            double angle = r->set[FROM_BELOW][i], below = r->measured[FROM_BELOW][i],
                   above = r->measured[FROM_ABOVE][k];
            if (angle != r->set[FROM_ABOVE][k] || angle < 60 || angle > 120) continue;
            char label[LAW_LABEL];
            law_label(label, dimension, "%g deg", angle);
            law_add(results, &law_contact_angle, resolution, "midpoint", label, particles, (below + above) / 2, angle,
                    0);
            law_add(results, &law_contact_angle, resolution, "difference", label, particles, above - below, 0, 0);
        }
}

static bool is_chosen(double chosen, double value) { return isnan(chosen) || chosen == value; }

/* Which starts a place is judged from. */
static bool has_start(int place, int start)
{
    if (place == EXTREME) return start == HELD;
    if (place == EDGE) return start != FROM_BELOW;
    return place == PLANE || start != HELD;
}

static dew_result run_place(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                            int dimension, int place, double part, double share, law_results *results)
{
    const double *angles = place == EDGE ? edges : place == EXTREME ? extremes : standard, one = OPTION("angle");
    int count = place == EDGE ? 2 : place == EXTREME ? 4 : OPTION("all_angles") != 0 ? 8 : 6;
    if (!isnan(one)) angles = &one, count = 1;
    record all = {0};
    for (int k = 0; k < STARTS * count; k++) {
        int start = k % STARTS;
        double angle = angles[k / STARTS];
        if (!has_start(place, start) || !is_chosen(OPTION("above"), start)) continue;
        if (place == BOWL && angle < 25) continue; /* such caps do not exist there */
        law_report(settings, part + share * (place + k / ((double)STARTS * count)) / WAYS, "%s, %g deg, %s",
                   place == EXTREME ? "extreme" : targets[place].quantity, angle, start_names[start]);
        dew_result status = run_drop(method, resolution, settings, dimension, place, start, angle, &all, results);
        if (status) return status;
    }
    if (place != EXTREME) plot_place(targets[place].quantity, dimension, &all, results);
    if (place == PLANE)
        add_approaches(&all, dimension, resolution, (int)OPTION(dimension == 2 ? "plane_particles" : "particles"),
                       results);
    return DEW_OK;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    double one = law_option_value(&law_contact_angle, settings, resolution, "place");
    for (int place = 0; place < WAYS; place++) {
        if (!is_chosen(one, place) || (dimension == 2 && place > TILTED)) continue;
        dew_result status = run_place(method, resolution, settings, dimension, place, part, share, results);
        if (status) return status;
    }
    return DEW_OK;
}

const law law_contact_angle = {
    .name = "contact_angle",
    .group = LAW_STATICS,
    .title = "A drop at rest on planes, on a ball, in a bowl and at an edge: its contact angle, reached and held",
    .physics =
        "Where liquid, solid and gas meet, three tensions pull at one line; they balance at one angle (Young 1805). "
        "Without gravity the pressure in a drop at rest is even, so its free surface is a piece of a sphere, and "
        "the sphere's place tells the angle from the whole profile rather than from the few particles at the "
        "line. A drop that starts too flat and one that starts too steep must end at the same angle. At a sharp edge "
        "the "
        "line stays while the angle with either face is no more than the solid's (Gibbs).",
    .equation = "gamma cos(theta) = gamma_solid - gamma_between",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
