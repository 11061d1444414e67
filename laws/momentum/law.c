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
#include <stdio.h>

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

enum { LINEAR, ANGULAR, MASS, CENTRE, FIGURES };

typedef struct watch {
    law_progress progress;
    double radius;
    bulk first;
    dew_vec3 angular; /* at the start, m2/s */
    series deviation[FIGURES];
} watch;

enum { FRAMES = 4 }; /* in a capillary time */

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    bulk b = measure_bulk(simulation);
    double time = dew_simulation_time(simulation);
    const bulk *f = &w->first;
    dew_vec3 straight = {f->centre.x + time * f->velocity.x, f->centre.y + time * f->velocity.y,
                         f->centre.z + time * f->velocity.z};
    law_report_progress(&w->progress, simulation);
    return series_add(&w->deviation[LINEAR], time, distance_of(b.velocity, f->velocity) / f->speed) &&
           series_add(&w->deviation[ANGULAR], time, distance_of(measure_angular(simulation), w->angular) / f->swirl) &&
           series_add(&w->deviation[MASS], time, fabs((double)b.count / f->count - 1)) &&
           series_add(&w->deviation[CENTRE], time, distance_of(b.centre, straight) / w->radius);
}

static void add_plots(const watch *w, double time, law_results *results)
{
    double ends[2] = {0, w->progress.end / time};
    law_plot_begin(results, "Angular momentum and centre of mass", "time, sqrt(rho R^3/gamma)", "deviation");
    series_plot(&w->deviation[ANGULAR], results, LAW_CURVE_MEASURED, "angular momentum over sum of |m r v|", time, 1);
    series_plot(&w->deviation[CENTRE], results, LAW_CURVE_MEASURED, "centre of mass over R", time, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "conserved", 2, ends, (double[]){0, 0});
    law_plot_begin(results, "Linear momentum", "time, sqrt(rho R^3/gamma)", "deviation over sum of |m v|");
    series_plot(&w->deviation[LINEAR], results, LAW_CURVE_MEASURED, "linear momentum", time, 1);
    law_plot_curve(results, LAW_CURVE_THEORY, "conserved", 2, ends, (double[]){0, 0});
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
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[64];
    snprintf(what, sizeof what, "%d particles", dew_simulation_particle_count(simulation));
    watch w = {
        .progress = {settings, def.duration, 0, 1, 0, what}, .radius = radius, .first = measure_bulk(simulation)};
    w.angular = measure_angular(simulation);
    for (int k = 0; k < frames && !status; k++) {
        status = law_advance(simulation, 1, after_step, &w);
        if (!status && k % FRAMES == FRAMES / 2) law_show(settings, simulation, "after %.3g tau", (k + 1.0) / FRAMES);
    }
    dew_simulation_destroy(simulation);
    static const char *const names[FIGURES] = {"linear momentum", "angular momentum", "mass", "centre of mass"};
    double seconds = law_cpu_seconds() - start;
    for (int k = 0; k < FIGURES && !status; k++)
        law_add(results, &law_momentum, resolution, names[k], "", w.first.count,
                series_largest(&w.deviation[k], 0, INFINITY), 0, seconds);
    if (!status) add_plots(&w, law_capillary_time(liquid, radius), results);
    for (int k = 0; k < FIGURES; k++) series_free(&w.deviation[k]);
    return status;
#undef OPTION
}

const law law_momentum = {
    .name = "momentum",
    .group = LAW_CONSERVATION,
    .title = "Two drops collide off-axis in free space: what must be conserved",
    .physics =
        "Two drops of unequal size meet off-axis in free space, merge and spin. Whatever happens between them, nothing "
        "pushes from outside: mass, linear momentum and angular momentum stay, and the centre of mass goes straight "
        "on. A method whose forces between particles are not equal and opposite, or not along their line, shows it "
        "here.",
    .equation = "M, P = sum m v, L = sum m (x - X) x (v - V) constant, X(t) = X(0) + t P/M",
    .features = DEW_FEATURE_3D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
