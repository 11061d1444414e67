/* A drop that a plate holds back.
 *
 * Physics. Where the contact angle advances at theta_a and recedes at theta_r, the line stays between the two, and
 * holds the drop against a force along the plate (Furmidge 1962) of at most
 *
 *     F = k gamma w (cos theta_r - cos theta_a),
 *
 * w the width of the outline, k = 24/pi^3 for a round one whose angle goes from the one to the other as a cubic of the
 * azimuth's (ElSherbini, Jacobi 2006). In two dimensions there is one line on either side, and exactly
 *
 *     F = gamma (cos theta_r - cos theta_a)
 *
 * a metre of depth holds. Below that it stays for ever: a held line does not creep.
 *
 * Set-up. A cap of the angle whose cosine is the mean of the two, on a plate that holds the liquid; the weight acts
 * along the plate alone, at 0.55 times F, and then between 0.55 and 1.45 by halves.
 *
 * Measurement. Way of the centre of mass along the plate after the first third of the run, in spacings: below half a
 * spacing it is held. Tilt: the mean of the largest force that is held and the least that is not, 0.056 apart, over F.
 * Creep: that way at 0.55, in 100 capillary times. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"tilt", "1", LAW_RELATIVE, {0.15, 0.15, 0.15}, "force at which it begins to slide, over Furmidge's"},
    {"creep", "1", LAW_ABSOLUTE, {0.5, 0.5, 0.5}, "spacings that it goes at 0.55 of that in 100 capillary times"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 5000, 10000)},
    {LAW_PLANE_PARTICLES(400, 1000, 2000)},
    {LAW_RADIUS("of the drop before it touches")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.3)},
    {LAW_VISCOSITY(NAN)},
    {"advancing", "deg", {110, 110, 110}, "contact angle"},
    {"receding", "deg", {60, 60, 60}, "contact angle"},
    {"duration", "1", {30, 100, 100}, "capillary times sqrt(rho R^3/gamma) to run each force but the least"},
    {"creep_duration", "1", {150, 150, 150}, "capillary times to run the least, the first third to come to rest"},
};

/* Over Furmidge's force; how many are tried, the least among them. */
#define LEAST_FORCE 0.55
#define MOST_FORCE 1.45
enum { FORCES = 5 };

extern const law law_retention;

double theory_retention(double advancing, double receding)
{
    const double k = 24 / pow(M_PI, 3), degree = M_PI / 180;
    return k * (cos(receding * degree) - cos(advancing * degree));
}

double theory_flat_retention(double advancing, double receding)
{
    return cos(receding * M_PI / 180) - cos(advancing * M_PI / 180);
}

void retention_narrow(retention_interval *of, double force, double way, double most)
{
    if (fabs(way) < most)
        of->held = force;
    else
        of->slides = force;
}

double retention_limit(retention_interval of) { return 0.5 * (of.held + of.slides); }

static dew_result slide(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                        int dimension, double force, double part, double *way, int *particles)
{
#define OPTION(name) law_option_value(&law_retention, settings, resolution, name)
    double height, advancing = OPTION("advancing"), receding = OPTION("receding");
    double cosine = 0.5 * (cos(advancing * M_PI / 180) + cos(receding * M_PI / 180));
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_drop(&law_retention, settings, resolution, dimension, &def, &space.material);
    double volume = drop_volume(dimension, radius), cap = theory_cap(dimension, cosine, volume, &height);
    double width = 2 * cap * sqrt(1 - cosine * cosine);
    space.solids[0].name = "plate";
    space.solids[0].shape = dew_plane((dew_vec3){0}, law_place(dimension, 0, 0, 1));
    space.solids[0].has_hysteresis = true;
    space.solids[0].hysteresis = (dew_hysteresis){advancing, receding};
    space.solids[0].slip_length = 0;
    def.solid_count = 1;
    const dew_shape_def parts[2] = {dew_sphere(law_place(dimension, 0, 0, height), cap), space.solids[0].shape};
    space.liquids[0].shape = dew_default_shape_def();
    space.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space.liquids[0].shape.combination.children = parts;
    space.liquids[0].shape.combination.count = 2;
    double held =
        dimension == 2 ? theory_flat_retention(advancing, receding) : theory_retention(advancing, receding) * width;
    double most = held * space.material.surface_tension; /* N, or N/m */
    def.gravity = (dew_vec3){force * most / (space.material.density * volume), 0, 0};
    double times = OPTION(force == LEAST_FORCE ? "creep_duration" : "duration");
    int frames = 3 * (int)ceil(times / 3);
    law_plan(&def, radius, times, 1);
    def.frame_rate = frames / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    *particles = dew_simulation_particle_count(simulation);
    law_report(settings, part, "%.3g of Furmidge's force", force);
    status = law_advance(simulation, frames / 3, NULL, NULL);
    double from = measure_bulk(simulation).centre.x;
    if (!status) status = law_advance(simulation, frames - frames / 3, NULL, NULL);
    *way = (measure_bulk(simulation).centre.x - from) / def.spacing;
    if (!status) law_show(settings, simulation, "%.3g of Furmidge's force", force);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    const char *label = dimension == 2 ? "2D" : "";
    double start = law_cpu_seconds(), force[FORCES], way[FORCES] = {0};
    retention_interval of = {NAN, MOST_FORCE};
    int particles = 0;
    for (int i = 0; i < FORCES; i++) {
        force[i] = i == 0 ? LEAST_FORCE : 0.5 * (of.held + of.slides);
        double at = part + share * i / FORCES;
        dew_result status = slide(method, resolution, settings, dimension, force[i], at, &way[i], &particles);
        if (status) return status;
        retention_narrow(&of, force[i], way[i], 0.5);
        if (i == 0 && isnan(of.held)) break;
    }
    double seconds = law_cpu_seconds() - start;
    law_add(results, &law_retention, resolution, "tilt", label, particles, retention_limit(of), 1, seconds);
    law_add(results, &law_retention, resolution, "creep", label, particles, way[0], 0, seconds);
    law_plot_begin(results, dimension == 2 ? "Way along the line" : "Way along the plate", "force over Furmidge's",
                   "spacings");
    law_plot_curve(results, LAW_CURVE_POINTS, "measured", isnan(of.held) ? 1 : FORCES, force, way);
    return DEW_OK;
}

const law law_retention = {
    .name = "retention",
    .title = "A drop that a plate holds back: hysteresis (Furmidge 1962)",
    .physics =
        "On a plate whose contact angle advances at more than it recedes at, a drop bulges downhill and flattens "
        "uphill before its line moves at all. The difference holds its weight, up to a limit; below that it "
        "stays where it is for as long as one looks.",
    .equation = "rho g V sin(alpha) = k gamma w (cos(theta_r) - cos(theta_a)), k = 24/pi^3; in two dimensions k w = 1",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_NO_SLIP | DEW_FEATURE_HYSTERESIS,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
