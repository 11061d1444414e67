/* Two drops collide off-axis in free space.
 *
 * Physics. No force acts from outside: mass, linear momentum P and the angular momentum L about the centre of mass are
 * conserved, and the centre of mass moves at P/M.
 *
 * Set-up. Drops of radius R and 0.8 R (unequal, so that no symmetry hides an error) approach each other along x, their
 * axes 0.8 R apart, at We = rho u^2 2R/gamma = 10, u the relative speed. They meet, merge and spin.
 *
 * Measurement. The largest deviation in any step: |P - P0| over the sum of |m v| at the start, |L - L0| over the sum of
 * |m r v|, the centre of mass from its straight path over R, the mass relative to the first. */
#include "../law.h"
#include "../measure.h"

#include <math.h>

/* What rounding allows in the scalar that dew was built for. */
#define ROUNDING (sizeof(dew_real) == 8 ? 1e-12 : 1e-6)

static const law_target targets[] = {
    {"linear momentum", "1", LAW_ABSOLUTE, {ROUNDING, ROUNDING, ROUNDING}, "largest change over the sum of |m v|"},
    {"angular momentum", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "largest change over the sum of |m r v|"},
    {"mass", "1", LAW_ABSOLUTE, {0, 0, 0}, "largest relative change"},
    {"centre of mass", "1", LAW_ABSOLUTE, {1e-4, 1e-4, 1e-4}, "largest deviation from its straight path over R"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_RADIUS("of the larger drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(1e-3)},
    {"weber", "1", {10, 10, 10}, "rho u^2 2R/gamma, u the relative speed"},
    {"duration", "1", {3, 3, 3}, "capillary times sqrt(rho R^3/gamma) to run"},
};

typedef struct watch {
    const law_settings *settings;
    double end, reported, radius;
    bulk first;
    double linear, angular, mass, centre; /* the largest deviations */
} watch;

static double distance_of(dew_vec3 a, dew_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    bulk b = measure_bulk(simulation);
    double time = dew_simulation_time(simulation);
    const bulk *f = &w->first;
    dew_vec3 straight = {f->centre.x + time * f->velocity.x, f->centre.y + time * f->velocity.y,
                         f->centre.z + time * f->velocity.z};
    w->linear = fmax(w->linear, distance_of(b.velocity, f->velocity) / f->speed);
    w->angular = fmax(w->angular, distance_of(b.angular, f->angular) / f->swirl);
    w->mass = fmax(w->mass, fabs((double)b.count / f->count - 1));
    w->centre = fmax(w->centre, distance_of(b.centre, straight) / w->radius);
    if (time / w->end > w->reported + 0.02) {
        w->reported = time / w->end;
        law_report(w->settings, w->reported, "%d particles", b.count);
    }
    return true;
}

extern const law law_momentum;

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_momentum, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    const dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_momentum, settings, resolution, &space.material), small = 0.8 * radius;
    double speed = sqrt(OPTION("weber") * liquid->surface_tension / (liquid->density * 2 * radius));
    double gap = 0.2 * radius, half = 0.5 * (radius + small + gap);
    space.liquids[0].shape = dew_sphere((dew_vec3){-half, 0, -0.4 * radius}, radius);
    space.liquids[0].velocity = (dew_vec3){0.5 * speed, 0, 0};
    space.liquids[1].shape = dew_sphere((dew_vec3){half, 0, 0.4 * radius}, small);
    space.liquids[1].velocity = (dew_vec3){-0.5 * speed, 0, 0};
    def.liquid_count = 2;
    def.spacing = spacing_of_count(4 * M_PI / 3 * (pow(radius, 3) + pow(small, 3)), (int)OPTION("particles"));
    int frames = law_plan(&def, radius, OPTION("duration"), 4);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    watch w = {.settings = settings, .end = def.duration, .radius = radius, .first = measure_bulk(simulation)};
    status = law_advance(simulation, frames, after_step, &w);
    dew_simulation_destroy(simulation);
    if (status) return status;
    double seconds = law_cpu_seconds() - start;
    const law *l = &law_momentum;
    law_add(results, l, resolution, "linear momentum", "", w.first.count, w.linear, 0, seconds);
    law_add(results, l, resolution, "angular momentum", "", w.first.count, w.angular, 0, seconds);
    law_add(results, l, resolution, "mass", "", w.first.count, w.mass, 0, seconds);
    law_add(results, l, resolution, "centre of mass", "", w.first.count, w.centre, 0, seconds);
    return DEW_OK;
#undef OPTION
}

const law law_momentum = {
    .name = "momentum",
    .title = "Two drops collide off-axis in free space: what must be conserved",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
