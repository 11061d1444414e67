/* Contact angle of a drop in another liquid.
 *
 * Physics. Where two liquids meet on a solid, the tension between them and what the solid costs under either balance at
 * one angle, measured in the drop (Young 1805, with a liquid in the air's place):
 *
 *     cos theta = (gamma_s,around - gamma_s,drop)/gamma.
 *
 * The tensions of both against the air have no part in it.
 *
 * Set-up. No gravity. A cap of 25 degrees less than theta, or more, in the other liquid, which fills a box of two and a
 * half of the drop's radii; the drop's axis is where two planes of symmetry meet, and a quarter is made, or walls stand
 * around, and all of it is. The solid has energies alone, and the drop's is the same for all angles.
 *
 * Measurement. A sphere is fitted to the drop's particles that have one of the other liquid within 1.3 spacings and are
 * farther than 1.5 spacings from the solid; its radius plus half a spacing is b, its centre's height z: cos theta =
 * -z/b. The mean over the last quarter of the run. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"midpoint", "deg", LAW_DEGREES, {5, 5, 5}, "of the angles that it ends at from below and from above"},
    {"difference", "deg", LAW_DEGREES, {10, 10, 10}, "of the two: the method's own hysteresis"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 6000, 16000)},
    {LAW_RADIUS("of the drop before it touches")},
    {LAW_DENSITY},
    {"surface_tension", "N/m", {0.04, 0.04, 0.04}, "between the two"},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"density_ratio", "1", {0.9, 0.9, 0.9}, "of the liquid around to the drop's"},
    {"viscosity_ratio", "1", {1, 1, 1}, "likewise"},
    {"angle_set", "deg", {NAN, NAN, NAN}, "this one only, in place of 60, 90 and 120"},
    {"offset", "deg", {25, 25, 25}, "by how much the start's angle differs"},
    {"box", "1", {2.5, 2.5, 2.5}, "its height and half its width over the drop's radius"},
    {"duration", "1", {10, 10, 10}, "capillary times sqrt(rho R^3/gamma) to run"},
};

extern const law law_liquid_angle;
#define OPTION(name) law_option_value(&law_liquid_angle, settings, resolution, name)
enum { FRAMES = 4 }; /* in a capillary time */

static bool has_near(const dew_field *x, const uint8_t *is_around, const dew_real *at, double reach)
{
    for (int j = 0; j < x->count; j++) {
        const dew_real *other = (const dew_real *)x->data + (size_t)j * x->stride;
        double u = other[0] - at[0], v = other[1] - at[1], w = other[2] - at[2];
        if (is_around[j] != 0 && u * u + v * v + w * w < reach * reach) return true;
    }
    return false;
}

double measure_liquid_angle(const dew_frame *frame)
{
    dew_field x, material;
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "material", &material)) return NAN;
    const uint8_t *is_around = material.data;
    const double spacing = frame->spacing;
    double *points = malloc(12 * (size_t)x.count * sizeof *points + 1);
    int count = 0;
    for (int i = 0; i < x.count && points; i++) {
        const dew_real *at = (const dew_real *)x.data + (size_t)i * x.stride;
        if (is_around[i] != 0 || at[2] < 1.5 * spacing || !has_near(&x, is_around, at, 1.3 * spacing)) continue;
        for (int image = 0; image < 4; image++, count++) { /* by which the sphere's centre is on the axis */
            points[3 * count] = image & 1 ? -at[0] : at[0], points[3 * count + 1] = image & 2 ? -at[1] : at[1];
            points[3 * count + 2] = at[2];
        }
    }
    sphere_fit fit = points ? fit_sphere(3, count, points) : (sphere_fit){.radius = NAN};
    free(points);
    double cosine = -fit.centre.z / (fit.radius + 0.5 * spacing);
    return isfinite(cosine) ? acos(fmin(1, fmax(-1, cosine))) * 180 / M_PI : NAN;
}

typedef struct watch {
    law_progress progress;
    series angle;
} watch;

static dew_result make_drop(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                            double angle, double start, int *frames, dew_simulation **simulation)
{
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_liquid_angle, settings, resolution, &space.material);
    double gamma = space.material.surface_tension, volume = 4 * M_PI / 3 * pow(radius, 3), centre;
    dew_material_def pair[2] = {space.material, space.material};
    pair[0].name = "drop", pair[1].name = "around";
    pair[0].surface_tension = 2 * gamma; /* both against an air that is not there */
    pair[1].surface_tension = 2 * gamma;
    pair[1].density *= OPTION("density_ratio"), pair[1].viscosity *= OPTION("viscosity_ratio");
    dew_interface_def interface = {{0, 1}, gamma};
    def.materials = pair, def.material_count = 2, def.interfaces = &interface, def.interface_count = 1;
    def.spacing = spacing_of_count(volume, (int)OPTION("particles"));
    bool is_quarter = method->features & DEW_FEATURE_SYMMETRY;
    double half = OPTION("box") * radius, low = is_quarter ? 0 : -half;
    def.domain.min = (dew_vec3){low, low, -6 * def.spacing}, def.domain.max = (dew_vec3){half, half, half};
    for (int a = 0; a < 2; a++) def.domain.axis[a] = is_quarter ? DEW_SYMMETRY : DEW_WALL;
    def.domain.axis[2] = DEW_WALL;
    dew_wets_def wets[2] = {{.material = 0, .contact_angle = NAN, .has_surface_energy = true},
                            {.material = 1, .contact_angle = NAN, .has_surface_energy = true}};
    wets[0].solid_energy = wets[1].solid_energy = 3 * gamma;
    wets[0].between_energy = 2 * gamma, wets[1].between_energy = 2 * gamma + gamma * cos(angle * M_PI / 180);
    space.solids[0].name = "base", space.solids[0].shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    space.solids[0].wets = wets, space.solids[0].wets_count = 2;
    def.solid_count = 1;
    double cap = theory_cap_radius(0, cos(start * M_PI / 180), volume, &centre);
    dew_shape_def room = dew_box((dew_vec3){low, low, 0}, def.domain.max);
    dew_shape_def parts[2] = {dew_sphere((dew_vec3){0, 0, centre}, cap), room};
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_INTERSECTION;
    space.liquids[0].shape.combination.children = parts, space.liquids[0].shape.combination.count = 2;
    space.liquids[1].shape = room, space.liquids[1].material = 1;
    def.liquid_count = 2;
    *frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    return dew_simulation_create(&def, simulation);
}

/* Runs one drop to rest; its angle there. */
static dew_result run_drop(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                           double angle, double start, series *course, int *particles, double *at_rest)
{
    dew_simulation *simulation;
    int frames;
    dew_result status = make_drop(method, resolution, settings, angle, start, &frames, &simulation);
    for (int k = 0; k <= frames && !status; k++) {
        double seen = measure_liquid_angle(dew_simulation_frame(simulation));
        if (!series_add(course, dew_simulation_time(simulation), seen)) status = DEW_NO_MEMORY;
        if (k < frames && !status) status = law_advance(simulation, 1, NULL, NULL);
    }
    if (!status) {
        double end = dew_simulation_time(simulation);
        *at_rest = series_mean(course, 0.75 * end, INFINITY);
        *particles = dew_simulation_particle_count(simulation);
        law_show(settings, simulation, "%g degrees, from %g", angle, start);
    }
    dew_simulation_destroy(simulation);
    return status;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    const double all[] = {60, 90, 120}, one = OPTION("angle_set"), offset = OPTION("offset");
    const law *l = &law_liquid_angle;
    int count = isnan(one) ? 3 : 1;
    for (int k = 0; k < count; k++) {
        double angle = isnan(one) ? all[k] : one, ends[2], begin = law_cpu_seconds();
        char label[64];
        int particles = 0;
        for (int side = 0; side < 2; side++) {
            series course = {0};
            snprintf(label, sizeof label, "%g deg, from %s", angle, side ? "above" : "below");
            law_report(settings, (k + side / 2.0) / count, "a drop in another liquid, %s", label);
            dew_result status = run_drop(method, resolution, settings, angle, angle + (side ? offset : -offset),
                                         &course, &particles, &ends[side]);
            if (!status) {
                law_plot_begin(results, label, "time, ms", "angle, degrees");
                series_plot(&course, results, LAW_CURVE_MEASURED, "measured", 1e-3, 1);
            }
            series_free(&course);
            if (status) return status;
        }
        snprintf(label, sizeof label, "%g deg", angle);
        law_add(results, l, resolution, "midpoint", label, particles, (ends[0] + ends[1]) / 2, angle,
                law_cpu_seconds() - begin);
        law_add(results, l, resolution, "difference", label, particles, ends[1] - ends[0], 0, 0);
    }
    return DEW_OK;
}

const law law_liquid_angle = {
    .name = "liquid_angle",
    .group = LAW_STATICS,
    .title = "A drop in another liquid on a solid: its contact angle by three energies",
    .physics =
        "A drop that sits on a solid under another liquid is held there by what the solid costs under the one and "
        "under the other, and by the tension between the two. At rest these balance along the line where all three "
        "meet, and without gravity the drop is a piece of a sphere.",
    .equation = "gamma cos(theta) = gamma_solid,around - gamma_solid,drop",
    .features = DEW_FEATURE_3D | DEW_FEATURE_SEVERAL_LIQUIDS | DEW_FEATURE_INTERFACES | DEW_FEATURE_WETTING_PAIRS,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
