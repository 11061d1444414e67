/* A drop that stands on a plane under gravity.
 *
 * Physics. The pressure under the surface grows with depth, and the surface's curvature with it (Bashforth & Adams
 * 1883): gamma kappa = p0 + rho g z, meeting the plane at the contact angle. The shape depends on that angle and on the
 * Bond number Bo = rho g V^(2/3)/gamma alone: from the cap of a sphere to a puddle (sessile_bashforth_adams.csv).
 *
 * Set-up. The drop has the volume of a ball of the given radius; gravity follows from Bo. It starts in the equilibrium
 * shape of a contact angle that is larger by `offset`, so it must spread to its place.
 *
 * Measurement. Contact radius: where the fitted profile meets the plane (quantity contact_radius). Height: paraboloid
 * by least squares through the surface particles within 0.6 contact radii of the axis, plus half a spacing. The run
 * ends when both stay within 1 % over two capillary times, whose mean counts. */
#include "../law.h"
#include "../bashforth_adams.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"height", "R", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of the drop over the radius of the ball of its volume"},
    {"contact radius", "R", LAW_RELATIVE, {0.05, 0.05, 0.05}, "over the radius of the ball of the drop's volume"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_RADIUS("of the ball of the drop's volume")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"bond", "1", {NAN, NAN, NAN}, "this one only, instead of 0.1, 0.3, 10"},
    {"angle", "deg", {NAN, NAN, NAN}, "this one only, instead of 60, 90, 120"},
    {"offset", "deg", {15, 15, 15}, "by how much the start's angle exceeds the contact angle"},
    {"duration", "1", {10, 10, 10}, "capillary times sqrt(rho R^3/gamma) to run at most"},
};

extern const law law_sessile;

enum { FRAMES = 4, HISTORY = 2 * FRAMES + 1 }; /* frames in a capillary time */

/* One drop. */
typedef struct drop {
    double bond, angle; /* degrees */
    double length;      /* V^(1/3), m */
    drop_profile theory;
    int particles;
    double height, contact_radius; /* measured, m */
} drop;

static void measure_drop(const dew_simulation *simulation, const drop *d, double *height, double *contact_radius)
{
    double *points;
    int count = surface_points(simulation, &points), kept = 0;
    double within = 0.6 * d->length * d->theory.foot.r, half = 0.5 * d->length * d->theory.foot.z;
    for (int i = 0; i < count; i++) { /* what is seen from above */
        if (points[3 * i + 2] < half) continue;
        for (int k = 0; k < 3; k++) points[3 * kept + k] = points[3 * i + k];
        kept++;
    }
    *height = paraboloid_top(kept, points, within) + 0.5 * dew_simulation_spacing(simulation);
    free(points);
    if (dew_simulation_measure(simulation, "contact_radius", contact_radius)) *contact_radius = NAN;
}

/* Advances until height and contact radius stand still; their mean over the last two capillary times is the drop's. */
static dew_result come_to_rest(dew_simulation *simulation, drop *d, int frames)
{
    double history[2][HISTORY];
    for (int k = 0;; k++) {
        measure_drop(simulation, d, &history[0][k % HISTORY], &history[1][k % HISTORY]);
        if (k >= HISTORY - 1) {
            double mean[2], change = 0;
            for (int q = 0; q < 2; q++) {
                double low = INFINITY, high = 0, sum = 0;
                int count = 0;
                for (int i = 0; i < HISTORY; i++) {
                    if (isnan(history[q][i])) continue; /* a profile that could not be fitted */
                    sum += history[q][i];
                    count++;
                    low = fmin(low, history[q][i]);
                    high = fmax(high, history[q][i]);
                }
                mean[q] = sum / count;
                change = fmax(change, high / low - 1);
            }
            d->height = mean[0];
            d->contact_radius = mean[1];
            if (k >= frames || (k >= 3 * FRAMES && change < 0.01)) return DEW_OK;
        }
        dew_result status = law_advance(simulation, 1, NULL, NULL);
        if (status) return status;
    }
}

static dew_result run_drop(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                           drop *d, law_results *results)
{
#define OPTION(name) law_option_value(&law_sessile, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    const dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_sessile, settings, resolution, &space.material);
    double volume = 4 * M_PI / 3 * pow(radius, 3);
    d->length = cbrt(volume);
    drop_sessile(d->bond, d->angle * M_PI / 180, &d->theory);
    drop_profile at_start;
    drop_sessile(d->bond, fmin(160, d->angle + OPTION("offset")) * M_PI / 180, &at_start);
    drop_scale(&at_start, d->length);
    def.gravity.z = -d->bond * liquid->surface_tension / (liquid->density * d->length * d->length);
    def.spacing = spacing_of_count(volume, (int)OPTION("particles"));
    space.solids[0].name = "plate";
    space.solids[0].shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    space.solids[0].contact_angle = d->angle;
    def.solid_count = 1;
    space.liquids[0].shape = drop_shape(&at_start);
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = come_to_rest(simulation, d, frames);
    d->particles = dew_simulation_particle_count(simulation);
    if (!status) {
        double seconds = law_cpu_seconds() - start, unit = d->length / radius;
        char label[64];
        snprintf(label, sizeof label, "Bo %g, %g deg", d->bond, d->angle);
        law_add(results, &law_sessile, resolution, "height", label, d->particles, d->height / radius,
                unit * d->theory.foot.z, seconds);
        law_add(results, &law_sessile, resolution, "contact radius", label, d->particles, d->contact_radius / radius,
                unit * d->theory.foot.r, seconds);
        char name[32];
        snprintf(name, sizeof name, "%g deg", d->angle);
        drop_scale(&d->theory, d->length);
        drop_plot(results, simulation, &d->theory, radius, name);
        if (d->angle == 90) law_show(settings, simulation, "%s", label);
    }
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    const double bonds[] = {0.1, 0.3, 10}, angles[] = {60, 90, 120};
    double one_bond = law_option_value(&law_sessile, settings, resolution, "bond");
    double one_angle = law_option_value(&law_sessile, settings, resolution, "angle");
    int bond_count = isnan(one_bond) ? 3 : 1, angle_count = isnan(one_angle) ? 3 : 1;
    for (int b = 0; b < bond_count; b++) {
        double bond = isnan(one_bond) ? bonds[b] : one_bond;
        char title[96];
        snprintf(title, sizeof title, "Profile at Bo %g", bond);
        law_plot_begin(results, title, "distance from the axis / R", "height / R");
        law_plot_equal_axes(results);
        for (int a = 0; a < angle_count; a++) {
            drop d = {.bond = bond, .angle = isnan(one_angle) ? angles[a] : one_angle};
            law_report(settings, (b * angle_count + a) / (double)(bond_count * angle_count), "Bo %g, %g deg", bond,
                       d.angle);
            dew_result status = run_drop(method, resolution, settings, &d, results);
            if (status) return status;
        }
    }
    return DEW_OK;
}

const law law_sessile = {
    .name = "sessile",
    .group = LAW_STATICS,
    .title = "A drop that stands on a plane under gravity: its height and contact radius",
    .physics =
        "Gravity presses a drop on a plate flat, surface tension pulls it round, and the plate fixes the angle at "
        "which the surface meets it. Pressure grows with depth and the surface's curvature with it. From one Bond "
        "number to the next the shape goes from the cap of a sphere to a puddle, so one law tests tension, "
        "pressure, weight and wetting against each other.",
    .equation = "gamma (dphi/ds + sin(phi)/r) = p0 + rho g z, phi = theta on the plate; Bo = rho g V^(2/3)/gamma",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
