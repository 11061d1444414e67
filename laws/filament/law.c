/* A thread of a liquid that remembers, which drains into baths.
 *
 * Physics. Its surface squeezes a thread between two baths; water's would part in a moment. Where the liquid remembers
 * how far it has been drawn, the tension of the thread, G (R_0/R)^4 exp(-t/lambda), holds the pressure of the surface:
 * the thread stays a cylinder and thins as fast as its stress relaxes (Entov and Hinch 1997, Oldroyd's liquid),
 *
 *     gamma/R = G (R_0/R)^4 exp(-t/lambda),  so  R ~ exp(-t/(3 lambda)).
 *
 * That is where molecules are drawn out faster than they relax, 2 e lambda > 1, and where nothing presses back at the
 * ends: between balls of 2.3 R_0, whose pressure is 0.87 gamma/R_0, it thins at a fifth of it (thread.py).
 *
 * Set-up. A chain of cylinders of R_0 = 12 spacings, 6 R_0 long, and of baths with a flat surface, 6 R_0 wide and 2 R_0
 * deep: a quarter of half of each between planes of symmetry. It starts without stress; G R_0/gamma = 0.3, De =
 * lambda/sqrt(rho R_0^3/gamma) = 2 and a solvent of Oh 0.3, by which such a thread thins at 0.88 to 1.01 of 1/(3
 * lambda) all the way from 10 to 4 spacings, 0.97 in the mean.
 *
 * Measurement. The radius in the middle, by the mass within R_0/2 of it; the slope of its logarithm while it goes from
 * 10 to 4 spacings. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"rate", "1/s", LAW_RELATIVE, {0.2, 0.2, 0.2}, "at which the thread thins: 1/(3 lambda)"},
    {"thinnest", "1", LAW_ABSOLUTE, {0.05, 0.05, 0.05}, "spacings of radius that it reached, beyond 4"},
};

static const law_option options[] = {
    {"across", "1", {12, 16, 20}, "spacings of the thread's radius at the start, R_0", LAW_SPACINGS},
    {"radius", "m", {5e-4, 5e-4, 5e-4}, "R_0"},
    {LAW_DENSITY},
    {"surface_tension", "N/m", {0.06, 0.06, 0.06}, "of the liquid"},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"deborah", "1", {2, 2, 2}, "lambda over sqrt(rho R_0^3/gamma), above 1"},
    {"elasticity", "1", {0.3, 0.3, 0.3}, "G R_0/gamma"},
};

extern const law law_filament;

#define HALF_LENGTH 3 /* of the thread, R_0 */
#define HALF_WIDTH 3  /* of a bath, R_0 */
#define HALF_DEPTH 1  /* likewise */
#define WIDEST 10.    /* spacings of radius, between which the rate is taken */
#define THINNEST 4.
#define LONGEST 5 /* relaxation times that it may take */
enum { FRAMES = 80 };

double measure_filament(const dew_frame *frame, double half_width)
{
    dew_field x;
    int count = 0;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    for (int i = 0; i < x.count; i++)
        count += (double)((const dew_real *)x.data)[(size_t)i * x.stride + 2] < half_width;
    return sqrt(4 * count * pow(frame->spacing, 3) / (M_PI * half_width));
}

double filament_rate(const series *radius, double widest, double thinnest)
{
    double from = NAN, to = NAN;
    for (int i = 0; i < radius->count; i++) {
        if (isnan(from) && radius->value[i] <= widest) from = radius->time[i];
        if (isnan(to) && radius->value[i] <= thinnest) to = radius->time[i];
    }
    return isnan(to) ? NAN : -fit_rate(radius, from, to);
}

/* The thread lies along z; planes of symmetry at its axis and middle, between baths, and through the bath's middle. */
static void fill(dew_simulation_def *def, law_space *space, dew_shape_def parts[2], double radius)
{
    double wide = HALF_WIDTH * radius, from = HALF_LENGTH * radius, to = from + HALF_DEPTH * radius;
    def->domain.max = (dew_vec3){wide, wide, to};
    for (int a = 0; a < 3; a++) def->domain.axis[a] = DEW_SYMMETRY;
    parts[0] = dew_box((dew_vec3){0, 0, from}, def->domain.max);
    parts[1] = dew_default_shape_def();
    parts[1].kind = DEW_SHAPE_CYLINDER;
    parts[1].cylinder.from = (dew_vec3){0, 0, -radius}, parts[1].cylinder.to = (dew_vec3){0, 0, to};
    parts[1].cylinder.radius = radius;
    space->liquids[0].shape = dew_default_shape_def();
    space->liquids[0].shape.kind = DEW_SHAPE_UNION;
    space->liquids[0].shape.combination.children = parts, space->liquids[0].shape.combination.count = 2;
}

static void plot(const series *radius, double unit, double lambda, law_results *results)
{
    enum { POINTS = 40 };
    double x[POINTS], y[POINTS], start = NAN, from = NAN, end = radius->time[radius->count - 1];
    for (int i = 0; i < radius->count && isnan(from); i++)
        if (radius->value[i] <= WIDEST * unit) from = radius->time[i], start = radius->value[i];
    for (int i = 0; i < POINTS; i++) {
        double t = end * i / (POINTS - 1);
        x[i] = t * 1e3, y[i] = t < from ? NAN : start / unit * exp(-(t - from) / (3 * lambda));
    }
    law_plot_begin(results, "Thread", "time, ms", "radius, spacings");
    series_plot(radius, results, LAW_CURVE_MEASURED, "measured", 1e-3, unit);
    law_plot_curve(results, LAW_CURVE_THEORY, "exp(-t/(3 lambda))", POINTS, x, y);
}

static dew_result follow(dew_simulation *simulation, const law_settings *settings, double radius, series *seen)
{
    double spacing = dew_simulation_spacing(simulation);
    for (int k = 0; k < FRAMES; k++) {
        dew_result status = law_advance(simulation, 1, NULL, NULL);
        if (status) return status;
        double now = measure_filament(dew_simulation_frame(simulation), radius / 2);
        if (!series_add(seen, dew_simulation_time(simulation), now)) return DEW_NO_MEMORY;
        law_report(settings, (double)k / FRAMES, "radius %.1f spacings", now / spacing);
        if (now <= THINNEST * spacing) break;
    }
    return DEW_OK;
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_filament, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_shape_def parts[2];
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_filament, settings, resolution, &space.material);
    dew_material_def *liquid = &space.material;
    fill(&def, &space, parts, radius);
    def.spacing = radius / OPTION("across");
    double lambda = OPTION("deborah") * law_capillary_time(liquid, radius);
    liquid->shear_modulus = OPTION("elasticity") * liquid->surface_tension / radius, liquid->relaxation_time = lambda;
    def.duration = LONGEST * lambda, def.frame_rate = FRAMES / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    int particles = dew_simulation_particle_count(simulation);
    series seen = {0};
    status = follow(simulation, settings, radius, &seen);
    if (!status) {
        double seconds = law_cpu_seconds() - start, thinnest = INFINITY;
        for (int i = 0; i < seen.count; i++) thinnest = fmin(thinnest, seen.value[i] / def.spacing);
        law_add(results, &law_filament, resolution, "rate", "", particles,
                filament_rate(&seen, WIDEST * def.spacing, THINNEST * def.spacing), 1 / (3 * lambda), seconds);
        law_add(results, &law_filament, resolution, "thinnest", "", particles, fmax(thinnest - THINNEST, 0), 0,
                seconds);
        plot(&seen, def.spacing, lambda, results);
        law_show(settings, simulation, "after %.3g ms", 1e3 * dew_simulation_time(simulation));
    }
    series_free(&seen);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

const law law_filament = {
    .name = "filament",
    .group = LAW_THREADS,
    .title = "A thread of a liquid that remembers thins as exp(-t/(3 lambda)) (Entov and Hinch 1997)",
    .physics = "Saliva and syrup of long molecules draw threads that will not part. The surface squeezes the thread, "
               "what has been "
               "drawn out holds it, and it thins no faster than its stress relaxes: straight, and slower the longer "
               "the liquid "
               "remembers.",
    .equation = "R ~ exp(-t/(3 lambda))",
    .features = DEW_FEATURE_3D | DEW_FEATURE_ELASTIC | DEW_FEATURE_RELAXATION | DEW_FEATURE_SYMMETRY,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
