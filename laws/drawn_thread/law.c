/* A thread that is drawn out.
 *
 * Physics. Liquid that is drawn out keeps its volume: what is stretched `stretch` times has 1/stretch of the section.
 * Its particles cannot stay the layers that they were: across the thread they would come nearer by sqrt(stretch), along
 * it layers would part. They have to change places, so that they lie as evenly as before.
 *
 * Set-up. A cylinder without gravity, whose velocity is that of a stretch along it at the rate e, (-x/2, -y/2, z) e, so
 * fast that each slice flies on: e sqrt(rho R^3/gamma) = 10, and inertia is 30 times the pull of viscosity. Then a
 * slice stays as fast as it was, and is 1 + e t times as far from the middle. Water, whose tension moves the spacing
 * between particles in a step, and a liquid whose viscosity holds that.
 *
 * Measurement. In the middle third, when it is `stretch` times as long, of the slices' places: the mean distance from
 * a particle to the nearest other, in spacings; the density, volume of the particles over that of a round thread of
 * their second moment, mean r^2 = R^2/2. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"nearest", "1", LAW_ABSOLUTE, {0.2, 0.2, 0.2}, "spacings from a particle to the nearest other, on average"},
    {"density", "1", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of the thread, over that at rest"},
};

static const law_option options[] = {
    {"across", "1", {6, 8, 12}, "spacings of the thread's radius at the start", LAW_SPACINGS},
    {LAW_RADIUS("of the thread at the start")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {"rate", "1", {10, 10, 10}, "at which it is drawn out, over sqrt(gamma/(rho R^3))"},
    {"length", "1", {6, 6, 6}, "of the thread at the start, over its radius"},
    {"stretch", "1", {3, 3, 3}, "its length at the end over that at the start"},
};

extern const law law_drawn_thread;
#define OPTION(name) law_option_value(&law_drawn_thread, settings, resolution, name)

/* Ohnesorge numbers mu/sqrt(rho gamma R). */
static const struct {
    const char *label;
    double ohnesorge;
} cases[] = {{"water", 0.004}, {"Oh 1", 1}};

drawn_found measure_drawn(const dew_frame *frame, double half_length)
{
    drawn_found found = {NAN, NAN};
    double s = frame->spacing, nearest = 0, square = 0, edge = half_length + 2 * s;
    int count = 0;
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return found;
#define PLACE(i) ((const dew_real *)x.data + (size_t)(i) * (size_t)x.stride)
    for (int i = 0; i < x.count; i++) {
        const dew_real *a = PLACE(i);
        if (!(fabs((double)a[2]) < half_length)) continue;
        double least = INFINITY;
        for (int j = 0; j < x.count; j++) {
            const dew_real *b = PLACE(j);
            if (j == i || !(fabs((double)b[2]) < edge)) continue;
            least = fmin(least, hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2])));
        }
        count++, nearest += least, square += (double)(a[0] * a[0] + a[1] * a[1]);
    }
#undef PLACE
    /* A particle is as wide as a spacing, which adds s^2/12 along each axis. */
    found.nearest = nearest / count / s;
    found.density = count * s * s * s / (2 * half_length * 2 * M_PI * (square / count + s * s / 6));
    return found;
}

static void velocity(double factor, int axis, double rate, int count, const double *const *inputs, double *output)
{
    for (int i = 0; i < count; i++) output[i] = factor * rate * inputs[axis][i];
}
static void velocity_x(void *rate, int count, const double *const *inputs, double *output)
{
    velocity(-0.5, 0, *(double *)rate, count, inputs, output);
}
static void velocity_y(void *rate, int count, const double *const *inputs, double *output)
{
    velocity(-0.5, 1, *(double *)rate, count, inputs, output);
}
static void velocity_z(void *rate, int count, const double *const *inputs, double *output)
{
    velocity(1, 2, *(double *)rate, count, inputs, output);
}

/* The n-th case. */
static dew_result draw(const dew_method_info *method, law_resolution resolution, const law_settings *settings, int n,
                       law_results *results)
{
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = OPTION("radius"), stretch = OPTION("stretch"), half = OPTION("length") * radius / 2;
    dew_material_def *liquid = &space.material;
    liquid->density = OPTION("density"), liquid->surface_tension = OPTION("surface_tension");
    liquid->viscosity = cases[n].ohnesorge * sqrt(liquid->density * liquid->surface_tension * radius);
    def.spacing = radius / OPTION("across");
    double rate = OPTION("rate") / law_capillary_time(liquid, radius);
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_CYLINDER;
    space.liquids[0].shape.cylinder.from = (dew_vec3){0, 0, -half};
    space.liquids[0].shape.cylinder.to = (dew_vec3){0, 0, half};
    space.liquids[0].shape.cylinder.radius = radius;
    space.liquids[0].velocity_of[0] = (dew_function){velocity_x, &rate};
    space.liquids[0].velocity_of[1] = (dew_function){velocity_y, &rate};
    space.liquids[0].velocity_of[2] = (dew_function){velocity_z, &rate};
    def.duration = (stretch - 1) / rate, def.frame_rate = 10 / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    law_report(settings, n / 2., "%s", cases[n].label);
    status = law_advance(simulation, 10, NULL, NULL);
    if (!status) {
        drawn_found found = measure_drawn(dew_simulation_frame(simulation), stretch * half / 3);
        int particles = dew_simulation_particle_count(simulation);
        double seconds = law_cpu_seconds() - start;
        law_add(results, &law_drawn_thread, resolution, "nearest", cases[n].label, particles, found.nearest, 1,
                seconds);
        law_add(results, &law_drawn_thread, resolution, "density", cases[n].label, particles, found.density, 1,
                seconds);
        law_show(settings, simulation, "%s, %.3g times as long", cases[n].label, stretch);
    }
    dew_simulation_destroy(simulation);
    return status;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    dew_result status = DEW_OK;
    for (int n = 0; n < 2 && !status; n++) status = draw(method, resolution, settings, n, results);
    return status;
}

const law law_drawn_thread = {
    .name = "drawn_thread",
    .group = LAW_THREADS,
    .title = "A thread that is drawn out: particles lie as evenly as before",
    .physics = "Honey poured from a spoon, a jet that speeds up, a bridge before it parts: liquid is drawn out to "
               "many times its length. Its section shrinks as much, and particles that lay in layers across it have "
               "to change places, or they are pressed together across the thread and parted along it.",
    .equation = "section ~ 1/length, distance of neighbours the same",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
