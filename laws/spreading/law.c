/* A drop finds its contact angle on a plate that holds the liquid.
 *
 * Physics. Without gravity a drop ends as the cap of its contact angle theta (Young 1805), whether it starts flatter or
 * steeper and whether the plate holds the liquid: that slows the line (Huh, Scriven 1971; Cox 1986), and never turns it
 * round.
 *
 * Set-up. Caps of 150 and of 20 degrees on a plate that holds the liquid (slip_length 0) at 60 and at 120 degrees.
 *
 * Measurement. End angle: a sphere through the surface particles farther than 1.5 spacings from the plate, as in the
 * law of the contact angle. Way back: the largest return of the foot's radius against its way, over the way of theory;
 * the foot is what lies within 1.5 spacings of the plate. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"end angle", "deg", LAW_DEGREES, {5, 5, 5}, "at the end of the run"},
    {"way back", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "of the foot's radius, over its whole way"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_RADIUS("of the drop before it touches")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.1)},
    {LAW_VISCOSITY(NAN)},
    {"all_angles", "1", {0, 1, 1}, "1: 30 and 90 degrees too, besides 60 and 120"},
    {"duration", "1", {20, 20, 20}, "capillary times sqrt(rho R^3/gamma) to run"},
};

extern const law law_spreading;

typedef struct watch {
    law_progress progress;
    double unit, spacing; /* s, m */
    series foot;          /* m */
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    law_report_progress(&w->progress, simulation);
    return series_add(&w->foot, dew_simulation_time(simulation) / w->unit,
                      measure_outline(dew_simulation_frame(simulation), 1.5 * w->spacing));
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

/* Of a sphere through the surface on the plane z = 0; NaN: it has left, or there is no sphere. */
static double angle_of(const dew_simulation *simulation)
{
    double *points, spacing = dew_simulation_spacing(simulation);
    int count = surface_points(simulation, &points), kept = 0;
    for (int i = 0; i < count; i++) {
        if (points[3 * i + 2] < 1.5 * spacing) continue;
        for (int k = 0; k < 3; k++) points[3 * kept + k] = points[3 * i + k];
        kept++;
    }
    sphere_fit fit = fit_sphere(kept, points);
    free(points);
    double cosine = -fit.centre.z / (fit.radius + 0.5 * spacing);
    return fabs(cosine) <= 1 ? acos(cosine) * 180 / M_PI : NAN;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          double angle, double from, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_spreading, settings, resolution, name)
    double start = law_cpu_seconds(), height, end_height;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_spreading, settings, resolution, &space.material);
    double volume = 4 * M_PI / 3 * pow(radius, 3);
    def.spacing = spacing_of_count(volume, (int)OPTION("particles"));
    double cap = theory_cap_radius(0, cos(from * M_PI / 180), volume, &height);
    double end = theory_cap_radius(0, cos(angle * M_PI / 180), volume, &end_height);
    double way = end * sin(angle * M_PI / 180) - cap * sin(from * M_PI / 180);
    space.solids[0].name = "plate";
    space.solids[0].shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    space.solids[0].contact_angle = angle;
    space.solids[0].slip_length = 0;
    def.solid_count = 1;
    const dew_shape_def parts[2] = {dew_sphere((dew_vec3){0, 0, height}, cap), space.solids[0].shape};
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 2;
    int frames = law_plan(&def, radius, OPTION("duration"), 1);
    char label[64];
    snprintf(label, sizeof label, "%g deg from %g", angle, from);
    watch w = {.progress = {settings, def.duration, part, share, 0, label},
               .unit = law_capillary_time(&space.material, radius),
               .spacing = def.spacing};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        int particles = dew_simulation_particle_count(simulation);
        double seconds = law_cpu_seconds() - start;
        law_show(settings, simulation, "%s", label);
        law_add(results, &law_spreading, resolution, "end angle", label, particles, angle_of(simulation), angle,
                seconds);
        law_add(results, &law_spreading, resolution, "way back", label, particles, largest_return(&w.foot, way), 0,
                seconds);
        law_plot_begin(results, label, "time, sqrt(rho R^3/gamma)", "radius of the foot, mm");
        series_plot(&w.foot, results, LAW_CURVE_MEASURED, "measured", 1, 1e-3);
        double rest = 1e3 * end * sin(angle * M_PI / 180);
        law_plot_curve(results, LAW_CURVE_THEORY, "at rest", 2, (double[]){0, OPTION("duration")},
                       (double[]){rest, rest});
    }
    series_free(&w.foot);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    static const double angles[] = {60, 120, 30, 90};
    int count = law_option_value(&law_spreading, settings, resolution, "all_angles") != 0 ? 8 : 4;
    dew_result status = DEW_OK;
    for (int i = 0; i < count && !status; i++)
        status = measure(method, resolution, settings, angles[i / 2], i % 2 ? 20 : 150, (double)i / count, 1.0 / count,
                         results);
    return status;
}

const law law_spreading = {
    .name = "spreading",
    .title = "A drop finds its contact angle on a plate that holds the liquid",
    .physics = "A drop on a plate that holds the liquid goes to the same angle as on one that lets it slip, only more "
               "slowly: the plate brakes the line and cannot drive it. A line that goes away from rest, or swings far "
               "beyond it, is moved by a wall's force that is counted wrongly.",
    .equation = "gamma cos(theta) = gamma_solid - gamma_between, whatever the wall's slip",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_NO_SLIP,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
