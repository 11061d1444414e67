/* A drop that hits a dry plate.
 *
 * Physics. A drop of diameter D0 that hits a plate at the speed U flattens until tension and viscosity have taken its
 * motion. Its largest spread b = D/D0 (Lee et al. 2016, measured; lee.csv) is
 *
 *     sqrt(b^2 - b0^2) = Re^(1/5) sqrt(We)/(7.6 + sqrt(We)),  We = rho D0 U^2/gamma,  Re = rho D0 U/mu,
 *
 * b0 what it has without speed: at We 10 more than half of it. Here that is the foot of the cap at rest. Below sqrt(We)
 * Re^(1/4) = 57 nothing splashes (Mundo, Sommerfeld, Tropea 1995), so until it recoils there is one body.
 *
 * Set-up. Three speeds and three viscosities at 90 degrees, one speed each at 60 and 120, without gravity, on a plate
 * that holds the liquid. Where a method has no such wall the plate lets slip, the spread is not judged, and the bodies
 * are.
 *
 * Measurement. Spread: twice the mean over twelve sectors of the outermost particles' distance from the axis, half a
 * spacing added, the largest until it has gone back by a twentieth or three capillary times of the drop's
 * diameter are over. Bodies: the most until then. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"spread",
     "1",
     LAW_RELATIVE,
     {0.12, 0.12, 0.12},
     "largest, over the drop's diameter, on a plate that holds the liquid"},
    {"bodies", "1", LAW_ABSOLUTE, {0, 0, 0}, "the most there are until it recoils"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 8000, 20000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
};

extern const law law_impact;

double theory_impact_spread(double weber, double reynolds, double angle)
{
    double volume = 4 * M_PI / 3, height; /* of a drop of radius 1 */
    double rest = theory_cap_radius(0, cos(angle * M_PI / 180), volume, &height) * sin(angle * M_PI / 180);
    return hypot(pow(reynolds, 0.2) * sqrt(weber) / (7.6 + sqrt(weber)), rest);
}

double measure_outline(const dew_frame *frame, double below)
{
    enum { SECTORS = 12 };
    bool is_flat = frame->dimension == 2;
    int sectors = is_flat ? 2 : SECTORS;
    double farthest[SECTORS] = {0}, sum = 0;
    bulk b = bulk_of(frame);
    dew_field x;
    if (!dew_frame_field(frame, "position", &x)) return NAN;
    for (int i = 0; i < x.count; i++) {
        const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
        if ((double)p[is_flat ? 1 : 2] >= below) continue;
        double dx = (double)p[0] - b.centre.x, dy = is_flat ? 0 : (double)p[1] - b.centre.y;
        int k = is_flat ? dx > 0 : (int)((atan2(dy, dx) / (2 * M_PI) + 0.5) * SECTORS) % SECTORS;
        farthest[k] = fmax(farthest[k], hypot(dx, dy));
    }
    for (int k = 0; k < sectors; k++) sum += farthest[k] / sectors;
    return sum + 0.5 * frame->spacing;
}

typedef struct watch {
    law_progress progress;
    double diameter, unit; /* m, s */
    double largest, bodies;
    dew_result status;
    series spread;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double now = 2 * measure_outline(dew_simulation_frame(simulation), INFINITY) / w->diameter, bodies = 1;
    law_report_progress(&w->progress, simulation);
    if (dew_simulation_step_count(simulation) % 10 == 0)
        w->status = dew_simulation_measure(simulation, "drop_count", &bodies);
    w->largest = fmax(w->largest, now), w->bodies = fmax(w->bodies, bodies);
    return !w->status && series_add(&w->spread, dew_simulation_time(simulation) / w->unit, now) &&
           now > 0.95 * w->largest;
}

typedef struct impact_case {
    double weber, reynolds, angle;
} impact_case;

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          const impact_case *c, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_impact, settings, resolution, name)
    double start = law_cpu_seconds();
    bool holds = method->features & DEW_FEATURE_NO_SLIP;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_impact, settings, resolution, liquid), d = 2 * radius;
    double speed = sqrt(c->weber * liquid->surface_tension / (liquid->density * d));
    liquid->viscosity = liquid->density * d * speed / c->reynolds;
    def.spacing = spacing_of_count(4 * M_PI / 3 * pow(radius, 3), (int)OPTION("particles"));
    space.solids[0].name = "plate";
    space.solids[0].shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    space.solids[0].contact_angle = c->angle;
    if (holds) space.solids[0].slip_length = 0;
    def.solid_count = 1;
    space.liquids[0].shape = dew_sphere((dew_vec3){0, 0, radius + 0.5 * def.spacing}, radius);
    space.liquids[0].velocity = (dew_vec3){0, 0, -speed};
    int frames = law_plan(&def, d, 3, 4);
    char label[64];
    snprintf(label, sizeof label, "We %g, Re %g, %g deg", c->weber, c->reynolds, c->angle);
    watch w = {.progress = {settings, def.duration, part, share, 0, label},
               .diameter = d,
               .unit = law_capillary_time(liquid, d)};
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) status = w.status;
    if (!status) {
        int particles = dew_simulation_particle_count(simulation);
        double theory = theory_impact_spread(c->weber, c->reynolds, c->angle), seconds = law_cpu_seconds() - start;
        double end = w.spread.time[w.spread.count - 1];
        law_show(settings, simulation, "%s, after its largest spread", label);
        if (holds) law_add(results, &law_impact, resolution, "spread", label, particles, w.largest, theory, seconds);
        law_add(results, &law_impact, resolution, "bodies", label, particles, w.bodies, 1, seconds);
        law_plot_begin(results, label, "time, sqrt(rho D0^3/gamma)", "spread/D0");
        series_plot(&w.spread, results, LAW_CURVE_MEASURED, holds ? "measured" : "measured, on a wall that lets slip",
                    1, 1);
        law_plot_curve(results, LAW_CURVE_THEORY, "Lee et al. 2016, largest", 2, (double[]){0, end},
                       (double[]){theory, theory});
    }
    series_free(&w.spread);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    static const impact_case cases[] = {{10, 1000, 90}, {40, 1000, 90}, {40, 1000, 120}, {20, 1000, 90},
                                        {40, 500, 90},  {40, 200, 90},  {20, 200, 60}};
    int count = sizeof cases / sizeof *cases;
    dew_result status = DEW_OK;
    for (int i = 0; i < count && !status; i++)
        status = measure(method, resolution, settings, &cases[i], (double)i / count, 1.0 / count, results);
    return status;
}

const law law_impact = {
    .name = "impact",
    .title = "A drop that hits a dry plate: how far it spreads (Lee et al. 2016), and that it stays one",
    .physics =
        "A drop that hits a plate becomes a pancake. Viscosity in the layer on the plate and the surface it makes "
        "take its motion; what both leave has been measured over many liquids and speeds and falls on one curve. "
        "It does not splash unless it is much faster.",
    .equation = "sqrt(b^2 - b0^2) = Re^(1/5) sqrt(We)/(7.6 + sqrt(We)), b = D/D0, b0 at no speed",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
