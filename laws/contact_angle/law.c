/* Contact angle of a drop at rest on a solid.
 *
 * Physics. Without gravity a drop at rest on a plane or on a ball is a cap of a sphere that meets the solid at the
 * angle theta, measured in the liquid (Young 1805).
 *
 * Set-up. The drop starts as the cap of its volume whose angle is 25 degrees below theta, or above (but within 15 and
 * 160, where a contact is left), and comes to rest; without hysteresis both end at theta. The ball's radius is 24
 * spacings. A drop that has lost contact counts as 180 degrees.
 *
 * Measurement. A sphere is fitted by least squares to the surface particles farther than 1.5 spacings from the solid;
 * its radius plus half a spacing is b, its centre's distance from the plane z, from the ball's centre d:
 *
 *     cos theta = -z/b on the plane,  (A^2 + b^2 - d^2)/(2 A b) on a ball of radius A.
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
    {"ball", "deg", LAW_DEGREES, {8, 8, 8}, "contact angle on a ball of 24 spacings"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_RADIUS("of the drop before it touches")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"angle", "deg", {NAN, NAN, NAN}, "this one only, instead of 30, 60, 90, 120, 150"},
    {"ball_radius", "1", {24, 24, 24}, "spacings"},
    {"ball", "1", {NAN, NAN, NAN}, "0: the plane only, 1: the ball only, instead of both"},
    {"above", "1", {NAN, NAN, NAN}, "0: from below only, 1: from above only, instead of both"},
    {"offset", "deg", {25, 25, 25}, "by how much the start's angle differs"},
    {"duration", "1", {10, 10, 10}, "capillary times sqrt(rho R^3/gamma) to run at most"},
};

/* The solid is the ball about the origin of `ball_radius`, or, where that is 0, the half space below z = 0. */

static double cap_volume(double ball_radius, double cosine, double cap_radius)
{
    double r = cap_radius, a = ball_radius;
    if (a == 0) return M_PI / 3 * r * r * r * (2 + cosine) * (1 - cosine) * (1 - cosine);
    double d = sqrt(a * a + r * r - 2 * a * r * cosine);
    double lens = M_PI * (a + r - d) * (a + r - d) * (d * d + 2 * d * (a + r) - 3 * (a - r) * (a - r)) / (12 * d);
    return 4 * M_PI / 3 * r * r * r - lens;
}

double theory_cap_radius(double ball_radius, double cosine, double volume, double *height)
{
    double low = 0, high = 100 * cbrt(volume);
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (cap_volume(ball_radius, cosine, middle) < volume)
            low = middle;
        else
            high = middle;
    }
    double a = ball_radius;
    *height = a > 0 ? sqrt(a * a + low * low - 2 * a * low * cosine) : -low * cosine;
    return low;
}

/* In degrees; NaN where there is no profile to fit. */
static double measured_angle(const dew_simulation *simulation, double ball_radius)
{
    double *points, spacing = dew_simulation_spacing(simulation);
    int count = surface_points(simulation, &points), kept = 0;
    for (int i = 0; i < count; i++) {
        const double *p = points + 3 * i;
        double distance = ball_radius > 0 ? sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - ball_radius : p[2];
        if (distance < 1.5 * spacing) continue;
        for (int k = 0; k < 3; k++) points[3 * kept + k] = p[k];
        kept++;
    }
    sphere_fit fit = fit_sphere(kept, points);
    free(points);
    double r = fit.radius + 0.5 * spacing, a = ball_radius, cosine = -fit.centre.z / r;
    if (ball_radius > 0) {
        dew_vec3 c = fit.centre;
        cosine = (a * a + r * r - (c.x * c.x + c.y * c.y + c.z * c.z)) / (2 * a * r);
    }
    return isfinite(cosine) ? acos(fmin(1, fmax(-1, cosine))) * 180 / M_PI : NAN;
}

extern const law law_contact_angle;

enum { FRAMES = 4 }; /* in a capillary time */

typedef struct rest {
    int particles;
    double angle;
} rest;

/* Advances until the angle stands still. */
static dew_result come_to_rest(dew_simulation *simulation, double ball_radius, int frames, rest *r)
{
    enum { HISTORY = 2 * FRAMES + 1 }; /* two capillary times */
    double history[HISTORY] = {0};
    for (int k = 0;; k++) {
        double angle = history[k % HISTORY] = measured_angle(simulation, ball_radius), low = angle, high = angle;
        for (int i = 0; i < HISTORY; i++) {
            low = fmin(low, history[i]);
            high = fmax(high, history[i]);
        }
        *r = (rest){dew_simulation_particle_count(simulation), angle};
        if (k >= frames || (k >= 3 * FRAMES && high - low < 0.3)) return DEW_OK;
        dew_result status = law_advance(simulation, 1, NULL, NULL);
        if (status) return status;
    }
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          bool is_ball, double angle, double start_angle, rest *r)
{
#define OPTION(name) law_option_value(&law_contact_angle, settings, resolution, name)
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_contact_angle, settings, resolution, &space.material);
    double volume = 4 * M_PI / 3 * pow(radius, 3), height;
    def.spacing = spacing_of_count(volume, (int)OPTION("particles"));
    double ball_radius = is_ball ? OPTION("ball_radius") * def.spacing : 0;
    double cap = theory_cap_radius(ball_radius, cos(start_angle * M_PI / 180), volume, &height);
    space.solids[0].name = "base";
    space.solids[0].shape =
        is_ball ? dew_sphere((dew_vec3){0}, ball_radius) : dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    space.solids[0].contact_angle = angle;
    def.solid_count = 1;
    dew_shape_def parts[2] = {dew_sphere((dew_vec3){0, 0, height}, cap), space.solids[0].shape};
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 2;
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = come_to_rest(simulation, ball_radius, frames, r);
    dew_simulation_destroy(simulation);
    return status;
}

static bool is_chosen(double chosen, double value) { return isnan(chosen) || chosen == value; }

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    const double standard[] = {30, 60, 90, 120, 150};
    double one = OPTION("angle");
    int angles = isnan(one) ? 5 : 1;
    for (int ball = 0; ball < 2; ball++)
        for (int k = 0; k < angles; k++)
            for (int above = 0; above < 2; above++) {
                if (!is_chosen(OPTION("ball"), ball) || !is_chosen(OPTION("above"), above)) continue;
                double start = law_cpu_seconds(), angle = angles == 1 ? one : standard[k];
                double from = fmin(160, fmax(15, angle + (above ? 1 : -1) * OPTION("offset")));
                char label[64];
                snprintf(label, sizeof label, "%g deg, from %s", angle, above ? "above" : "below");
                law_report(settings, (ball * angles + k + 0.5 * above) / (2.0 * angles), "%s, %s",
                           ball ? "ball" : "plane", label);
                rest r;
                dew_result status = measure(method, resolution, settings, ball, angle, from, &r);
                if (status) return status;
                law_add(results, &law_contact_angle, resolution, ball ? "ball" : "plane", label, r.particles, r.angle,
                        angle, law_cpu_seconds() - start);
            }
    return DEW_OK;
#undef OPTION
}

const law law_contact_angle = {
    .name = "contact_angle",
    .title = "A drop at rest on a plane and on a ball: its contact angle, from below and from above",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
