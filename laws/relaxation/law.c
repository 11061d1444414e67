/* A cube of liquid becomes a sphere.
 *
 * Physics. Without gravity the shape of least area for its volume is the ball: at rest every point of the surface is
 * at R = (3 V/4 pi)^(1/3) from the centre of mass, and V is what it was.
 *
 * Set-up. A cube on a cubic lattice, at rest; Oh = mu/sqrt(rho gamma R) = 0.3, so that it comes to rest in a few
 * capillary times tau = sqrt(rho R^3/gamma).
 *
 * Measurement. Distances of the surface particles from the centre of mass: standard deviation over R, and the volume
 * of the ball of their mean plus half a spacing (where the true surface is), against the particles' own. The largest
 * speed at the end tells whether it has come to rest: u sqrt(rho 2R/gamma). */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdlib.h>

static const law_target targets[] = {
    {"radius s.d.", "1", LAW_ABSOLUTE, {0.005, 0.005, 0.005}, "standard deviation of the surface's radius over R"},
    {"volume", "1", LAW_RELATIVE, {0.01, 0.01, 0.01}, "of the ball of the mean surface over that of the particles"},
    {"speed at rest", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "largest speed at the end over sqrt(gamma/(rho 2R))"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_RADIUS("of the ball that it becomes")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"duration", "1", {8, 8, 8}, "capillary times to run"},
};

typedef struct watch {
    const law_settings *settings;
    double end, reported;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double done = dew_simulation_time(simulation) / w->end;
    if (done > w->reported + 0.02) {
        w->reported = done;
        law_report(w->settings, done, "%d particles", dew_simulation_particle_count(simulation));
    }
    return true;
}

extern const law law_relaxation;

/* The figures of the drop as it stands. */
static void add_figures(const dew_simulation *simulation, const dew_simulation_def *def, law_resolution resolution,
                        double start, law_results *results)
{
    const law *l = &law_relaxation;
    bulk b = measure_bulk(simulation);
    double *points, radius = radius_of_count(b.count, def->spacing), mean = 0, square = 0;
    int count = surface_points(simulation, &points);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++) {
            const double *p = points + 3 * i;
            double r = sqrt(pow(p[0] - b.centre.x, 2) + pow(p[1] - b.centre.y, 2) + pow(p[2] - b.centre.z, 2));
            if (pass == 0)
                mean += r / count;
            else
                square += (r - mean) * (r - mean) / count;
        }
    free(points);
    if (count == 0) mean = square = NAN;
    double volume = pow((mean + 0.5 * def->spacing) / radius, 3);
    double unit = sqrt(def->materials[0].surface_tension / (def->materials[0].density * 2 * radius));
    double seconds = law_cpu_seconds() - start;
    law_add(results, l, resolution, "radius s.d.", "", b.count, sqrt(square) / radius, 0, seconds);
    law_add(results, l, resolution, "volume", "", b.count, volume, 1, seconds);
    law_add(results, l, resolution, "speed at rest", "", b.count, b.speed_max / unit, 0, seconds);
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_relaxation, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_relaxation, settings, resolution, &space.material);
    double side = cbrt(4 * M_PI / 3) * radius, cells = round(cbrt(OPTION("particles")));
    dew_vec3 corner = {side / 2, side / 2, side / 2};
    space.liquids[0].shape = dew_box((dew_vec3){-corner.x, -corner.y, -corner.z}, corner);
    space.liquids[0].fill = DEW_FILL_CUBIC;
    def.spacing = side / cells;
    int frames = law_plan(&def, radius, OPTION("duration"), 4);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    watch w = {.settings = settings, .end = def.duration};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) add_figures(simulation, &def, resolution, start, results);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_relaxation = {
    .name = "relaxation",
    .title = "A cube of liquid becomes a sphere: evenness of its radius, volume",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
