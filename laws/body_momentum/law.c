/* A ball and a drop collide in free space.
 *
 * Physics. No force acts from outside: the momentum of liquid and body together is constant, and so is their angular
 * momentum.
 *
 * Set-up. A drop meets a ball of 0.8 of its radius, their axes 0.4 R apart, at We = rho u^2 2R/gamma = 10. The ball is
 * a twentieth as dense as the liquid, as dense, and twenty times.
 *
 * Measurement. The largest deviation at any frame, with what is on the way between the two: |P - P0| over the sum of
 * |m v| at the start, |L - L0| about the origin over the sum of |m r v|. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

/* What rounding allows in the scalar that dew was built for. */
#define ROUNDING (sizeof(dew_real) == 8 ? 1e-9 : 1e-6)

static const law_target targets[] = {
    {"linear momentum",
     "1",
     LAW_ABSOLUTE,
     {ROUNDING, ROUNDING, ROUNDING},
     "largest change over the sum of |m v|",
     LAW_MOMENTUM_FAULT},
    {"angular momentum", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "largest change over the sum of |m r v|"},
};

static const law_option options[] = {
    {LAW_PARTICLES(1000, 4000, 10000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(1e-3)},
    {"weber", "1", {10, 10, 10}, "rho u^2 2R/gamma, u the relative speed"},
    {"duration", "1", {3, 3, 3}, "capillary times sqrt(rho R^3/gamma) to run"},
};

enum { FRAMES = 8, CASES = 3 };

extern const law law_body_momentum;

/* Of liquid and ball; angular about the origin. */
static dew_impulse momentum_of(const dew_simulation *simulation, double mass)
{
    bulk b = measure_bulk(simulation);
    dew_vec3 within = measure_angular(simulation), c = b.centre, v = b.velocity;
    dew_impulse all = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    if (dew_simulation_solid_momentum(simulation, 0, (dew_vec3){0}, &all)) return all;
    all.linear.x += mass * v.x, all.linear.y += mass * v.y, all.linear.z += mass * v.z;
    all.angular.x += mass * (within.x + c.y * v.z - c.z * v.y);
    all.angular.y += mass * (within.y + c.z * v.x - c.x * v.z);
    all.angular.z += mass * (within.z + c.x * v.y - c.y * v.x);
    return all;
}

static dew_result collide(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          double density, double part, law_results *results)
{
#define OPTION(name) law_option_value(&law_body_momentum, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    const dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_body_momentum, settings, resolution, &space.material), small = 0.8 * radius;
    double speed = sqrt(OPTION("weber") * liquid->surface_tension / (liquid->density * 2 * radius));
    double half = 0.5 * (radius + small + 0.2 * radius), volume = 4 * M_PI / 3 * radius * radius * radius;
    space.liquids[0].shape = dew_sphere((dew_vec3){-half, 0, -0.2 * radius}, radius);
    space.liquids[0].velocity = (dew_vec3){0.5 * speed, 0, 0};
    law_ball(&space, 0, (dew_vec3){half, 0, 0.2 * radius}, small, density);
    space.solids[0].rigid.velocity = (dew_vec3){-0.5 * speed, 0, 0};
    def.solid_count = 1;
    def.spacing = spacing_of_count(volume, (int)OPTION("particles"));
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char label[64];
    snprintf(label, sizeof label, "density ratio %g", density);
    int count = dew_simulation_particle_count(simulation);
    double mass = count * liquid->density * pow(def.spacing, 3), ball = density * liquid->density * volume * 0.512;
    double scale = 0.5 * speed * (mass + ball), swirl = scale * half, off = 0, off_angular = 0;
    dew_impulse first = momentum_of(simulation, mass);
    for (int k = 0; k < frames && !status; k++) {
        law_report(settings, part + (double)k / frames / CASES, "%s", label);
        status = law_advance(simulation, 1, NULL, NULL);
        dew_impulse now = momentum_of(simulation, mass);
        off = fmax(off, distance_of(now.linear, first.linear) / scale);
        off_angular = fmax(off_angular, distance_of(now.angular, first.angular) / swirl);
        if (!status && k == frames / 2) law_show(settings, simulation, "%s", label);
    }
    double seconds = law_cpu_seconds() - start;
    dew_simulation_destroy(simulation);
    if (status) return status;
    law_add(results, &law_body_momentum, resolution, "linear momentum", label, count, off, 0, seconds);
    law_add(results, &law_body_momentum, resolution, "angular momentum", label, count, off_angular, 0, seconds);
    return DEW_OK;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    static const double densities[CASES] = {0.05, 1, 20};
    dew_result status = DEW_OK;
    for (int k = 0; k < CASES && !status; k++)
        status = collide(method, resolution, settings, densities[k], (double)k / CASES, results);
    return status;
}

const law law_body_momentum = {
    .name = "body_momentum",
    .group = LAW_CONSERVATION,
    .title = "A rigid ball and a drop collide in free space: what must be conserved",
    .physics = "A drop meets a ball that is free to move, off its axis, and wets it. Nothing pushes from outside, so "
               "what the liquid loses of momentum the ball gets, however light or heavy it is.",
    .equation = "P = sum m v + M V, L = sum m x (v) + X x M V + I w constant",
    .features = DEW_FEATURE_3D | DEW_FEATURE_RIGID_COUPLING,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
