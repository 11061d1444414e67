/* An ellipse swings in the plane (section 6.1 of Chen et al. 2021).
 *
 * Physics. Nothing acts from outside, so a drop that starts at rest keeps no momentum, no angular momentum and its
 * centre of mass, however far it swings; and what its surface encloses stays. A grid that moves with the drop, forces
 * of samples that go to nodes, particles that are moved for the sake of their order: each can lose some of it.
 *
 * Set-up. An ellipse with axes 3:1, whose area is that of a disc of radius R, at rest, without viscosity; off the
 * grid's own axes by its centre. It swings for five periods of the mode n = 2, omega^2 = 6 gamma/(rho R^3) (Rayleigh
 * 1879, in two dimensions).
 *
 * Measurement. The largest in any step: |P| over M U, |L| over M U R, U = sqrt(gamma/(rho R)); the centre of mass from
 * where it was, over R; the area that the method's surface encloses against that after the first step, relative. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

/* Rounding adds up over some ten thousand substeps. */
#define KEPT (sizeof(dew_real) == 8 ? 1e-11 : 1e-3)

static const law_target targets[] = {
    {"linear momentum", "1", LAW_ABSOLUTE, {KEPT, KEPT, KEPT}, "largest over M sqrt(gamma/(rho R))"},
    {"angular momentum", "1", LAW_ABSOLUTE, {KEPT, KEPT, KEPT}, "largest over M R sqrt(gamma/(rho R))"},
    {"centre of mass", "1", LAW_ABSOLUTE, {KEPT, KEPT, KEPT}, "largest distance from the first over R"},
    {"enclosed area", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "largest relative change"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 3400, 8000)},
    {LAW_RADIUS("of the disc of the same area")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0)},
    {"ratio", "1", {3, 3, 3}, "of the axes"},
    {"periods", "1", {5, 5, 5}, "of the mode n = 2 to run"},
};

enum { LINEAR, ANGULAR, CENTRE, AREA, FIGURES };

typedef struct watch {
    law_progress progress;
    double radius, speed;
    dew_vec3 centre;
    double area; /* after the first step; 0 before */
    series deviation[FIGURES];
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    const dew_vec3 none = {0, 0, 0};
    bulk b = measure_bulk(simulation);
    double time = dew_simulation_time(simulation), area = NAN;
    if (dew_simulation_measure(simulation, "own_volume", &area)) area = NAN;
    if (!(w->area > 0)) w->area = area;
    law_report_progress(&w->progress, simulation);
    return series_add(&w->deviation[LINEAR], time, distance_of(b.velocity, none) / w->speed) &&
           series_add(&w->deviation[ANGULAR], time,
                      distance_of(measure_angular(simulation), none) / (w->speed * w->radius)) &&
           series_add(&w->deviation[CENTRE], time, distance_of(b.centre, w->centre) / w->radius) &&
           series_add(&w->deviation[AREA], time, fabs(area / w->area - 1));
}

static void add_plots(const watch *w, double time, law_results *results)
{
    static const char *const titles[FIGURES] = {"Momentum", "Angular momentum", "Centre of mass", "Enclosed area"};
    double ends[2] = {0, w->progress.end / time};
    for (int k = 0; k < FIGURES; k++) {
        law_plot_begin(results, titles[k], "time, sqrt(rho R^3/gamma)", "deviation");
        series_plot(&w->deviation[k], results, LAW_CURVE_MEASURED, "measured", time, 1);
        law_plot_curve(results, LAW_CURVE_THEORY, "kept", 2, ends, (double[]){0, 0});
    }
}

extern const law law_conservation;

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
#define OPTION(name) law_option_value(&law_conservation, settings, resolution, name)
    enum { FRAMES = 4 }; /* in a capillary time */
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    const dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_conservation, settings, resolution, &space.material),
           longer = sqrt(OPTION("ratio"));
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_ELLIPSOID;
    space.liquids[0].shape.ellipsoid.centre = (dew_vec3){0.31 * radius, -0.17 * radius, 0};
    space.liquids[0].shape.ellipsoid.semi_axes = (dew_vec3){longer * radius, radius / longer, radius / longer};
    def.dimension = 2;
    def.spacing = radius * sqrt(M_PI / (int)OPTION("particles"));
    int frames = law_plan(&def, radius, OPTION("periods") * 2 * M_PI / sqrt(6), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[64];
    int particles = dew_simulation_particle_count(simulation);
    snprintf(what, sizeof what, "%d particles", particles);
    watch w = {.progress = {settings, def.duration, 0, 1, 0, what},
               .radius = radius,
               .speed = sqrt(liquid->surface_tension / (liquid->density * radius)),
               .centre = measure_bulk(simulation).centre};
    for (int k = 0; k < frames && !status; k++) {
        status = law_advance(simulation, 1, after_step, &w);
        if (!status && k % (2 * FRAMES) == FRAMES) law_show(settings, simulation, "after %.3g tau", (k + 1.0) / FRAMES);
    }
    dew_simulation_destroy(simulation);
    double seconds = law_cpu_seconds() - start;
    for (int k = 0; k < FIGURES && !status; k++)
        law_add(results, &law_conservation, resolution, targets[k].quantity, "", particles,
                series_largest(&w.deviation[k], 0, INFINITY), 0, seconds);
    if (!status) add_plots(&w, law_capillary_time(liquid, radius), results);
    for (int k = 0; k < FIGURES; k++) series_free(&w.deviation[k]);
    return status;
#undef OPTION
}

const law law_conservation = {
    .name = "conservation",
    .group = LAW_CONSERVATION,
    .title = "An ellipse swings in the plane: what must be conserved",
    .physics =
        "A long drop without viscosity swings through a disc and back, again and again. Nothing pushes from outside "
        "and "
        "it starts at rest: its momentum and its angular momentum stay zero, its centre of mass stays where it is, and "
        "what its surface encloses stays as large. The flow is as strong as capillarity makes it, so an imbalance in "
        "any "
        "of a method's forces has time to add up.",
    .equation = "P = 0, L = 0, X = X(0), area constant; omega^2 = 6 gamma/(rho R^3)",
    .features = DEW_FEATURE_2D,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
