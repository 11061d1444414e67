/* A drop that hangs from a tip, grows, and falls.
 *
 * Physics. A drop pinned at the edge of a tip of radius r is held by surface tension and by the pressure at the tip. As
 * it grows it passes through equilibria up to a largest volume, beyond which there is none (Padday & Pitt 1973); it
 * necks and a part of it falls, whose weight Harkins & Brown (1919) measured: m g = 2 pi r gamma psi(r/V^(1/3)). Both
 * depend on the Bond number Bo = rho g r^2/gamma (pendant_max_volume.csv, harkins_brown.csv).
 *
 * Set-up. The tip is a wetted disc (20 degrees) in a plate that repels (160), flush, so that the line is pinned at the
 * disc's edge whatever the drop's angle there. It is the centres of the outermost particles that stop at that edge;
 * the liquid's edge lies half a spacing farther out, so the disc is that much smaller than r. The drop starts as the
 * equilibrium of 0.7 of the largest volume and rests for two capillary times; then liquid flows in through a small disc
 * under the plate, at first by 0.03 of the largest volume in a capillary time, from 0.95 of it on by `rate`. The
 * capillary time is sqrt(rho R^3/gamma), R the radius of the ball of the largest volume.
 *
 * Measurement. Largest volume: all liquid at the moment when the drop first reaches down to where the largest drop of
 * the theory does; the volume of a drop near its limit hardly depends on its height (dV/dh = 0 there), so the figure
 * stands for the largest volume of the method though its heights be not exact. Detached volume: the larger body, when
 * the liquid has parted. What flows in while the drop falls adds to it, about two hundredths. */
#include "../law.h"
#include "../bashforth_adams.h"
#include "../measure.h"
#include "../theory.h"

#include <stdio.h>

static const law_target targets[] = {
    {"largest volume", "1", LAW_RELATIVE, {0.1, 0.05, 0.05}, "that hangs, over the theory's largest"},
    {"detached volume", "1", LAW_RELATIVE, {0.15, 0.1, 0.1}, "that falls, over the theory's largest that hangs"},
};

static const law_option options[] = {
    {LAW_PARTICLES(1500, 4000, 8000)},
    {LAW_RADIUS("of the ball of the largest volume that hangs")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_OHNESORGE(0.1)},
    {LAW_VISCOSITY(NAN)},
    {"bond", "1", {NAN, NAN, NAN}, "this one only, instead of 0.2, 0.5, 1, 2: rho g r^2/gamma of the tip"},
    {"start", "1", {0.7, 0.7, 0.7}, "volume at the start over the largest"},
    {"rate", "1", {0.005, 0.005, 0.005}, "inflow near the limit: largest volumes in a capillary time"},
    {"duration", "1", {80, 80, 80}, "capillary times sqrt(rho R^3/gamma) to run at most"},
};

extern const law law_pendant;

static const double wetted = 20, repelling = 160; /* degrees */
static const double first_rate = 0.03, slow_volume = 0.95, rest_time = 2, profile_volume = 0.9;

/* --- theory --- */

double theory_harkins_brown(double ratio)
{
    double f = 0.14782 + 0.27896 * ratio - 0.166 * ratio * ratio; /* Lando & Oakley 1967 */
    return 1 / (2 * M_PI * f);
}

double theory_falling_drop(double bond)
{
    double low = pow(1.2, -3), high = pow(0.3, -3); /* V/r^3; the weight Bo V grows faster than psi */
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (bond * middle < 2 * M_PI * theory_harkins_brown(1 / cbrt(middle)))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- a drop --- */

enum { FRAMES = 4 }; /* in a capillary time */

typedef struct drop {
    double bond, tip, most;   /* tip: r, m; most: the largest volume, m3 */
    double height;            /* of the largest drop, m */
    double capillary_time;    /* s */
    series course;            /* height over r against volume over the largest */
    double largest, detached; /* measured, over the largest of the theory; NaN: did not happen */
    bool has_profile;
    law_results *results;
} drop;

static void plot_profile(const dew_simulation *simulation, const drop *d, double volume)
{
    char title[96];
    drop_profile theory;
    drop_pendant(d->bond, volume * d->most / pow(d->tip, 3), &theory);
    drop_scale(&theory, d->tip);
    snprintf(title, sizeof title, "Profile at Bo %g, %.2f of the largest volume", d->bond, volume);
    law_plot_begin(d->results, title, "distance from the axis / r", "height / r");
    law_plot_equal_axes(d->results);
    drop_plot(d->results, simulation, &theory, d->tip, "same volume");
}

static void plot_course(const drop *d)
{
    enum { MOST = 400 };
    double volumes[MOST], heights[MOST];
    char title[96];
    int count = drop_pendant_family(d->bond, MOST, volumes, heights), first = 0;
    snprintf(title, sizeof title, "Height of the growing drop, Bo %g", d->bond);
    law_plot_begin(d->results, title, "volume / largest", "height / r");
    law_plot_curve(d->results, LAW_CURVE_MEASURED, "measured", d->course.count, d->course.time, d->course.value);
    for (int i = 0; i < count; i++) volumes[i] /= d->most / pow(d->tip, 3);
    while (first < count && d->course.count > 0 && volumes[first] < d->course.time[0]) first++;
    law_plot_curve(d->results, LAW_CURVE_THEORY, "equilibrium", count - first, volumes + first, heights + first);
}

/* Notes the drop as it is; true when it has parted. */
static bool watch_drop(const dew_simulation *simulation, const law_settings *settings, drop *d)
{
    double extent[3], volumes[8], all = dew_simulation_particle_count(simulation);
    all *= pow(dew_simulation_spacing(simulation), 3) / d->most;
    if (dew_simulation_measure(simulation, "extent", extent)) extent[2] = NAN;
    if (dew_simulation_measure(simulation, "drop_volumes", volumes)) volumes[1] = NAN;
    if (isnan(d->largest) && extent[2] > d->height) d->largest = all;
    bool has_parted = volumes[1] > 0.03 * d->most;
    if (has_parted) d->detached = volumes[0] / d->most;
    if (!series_add(&d->course, all, extent[2] / d->tip)) d->results->error_count++;
    if (!d->has_profile && isnan(d->largest) && all > profile_volume) {
        d->has_profile = true;
        plot_profile(simulation, d, all);
    }
    if (has_parted) law_show(settings, simulation, "Bo %g: the drop falls", d->bond);
    return has_parted;
}

static dew_result run_until_it_falls(dew_simulation *simulation, const law_settings *settings, int frames, drop *d)
{
    d->largest = d->detached = NAN;
    for (int k = 0; k < frames && !watch_drop(simulation, settings, d); k++) {
        dew_result status = law_advance(simulation, 1, NULL, NULL);
        if (status) return status;
    }
    plot_course(d);
    return DEW_OK;
}

/* --- its set-up --- */

static void make_tip(const drop *d, double spacing, dew_solid_def solids[2])
{
    solids[0].name = "plate";
    solids[0].shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, -1});
    solids[0].contact_angle = repelling;
    solids[1].name = "tip";
    solids[1].shape = dew_default_shape_def();
    solids[1].shape.kind = DEW_SHAPE_CYLINDER;
    solids[1].shape.cylinder.from = (dew_vec3){0, 0, -0.01 * spacing}; /* so that below the disc it is the nearer one */
    solids[1].shape.cylinder.to = (dew_vec3){0, 0, 6 * spacing};
    solids[1].shape.cylinder.radius = d->tip - 0.5 * spacing;
    solids[1].contact_angle = wetted;
}

/* One emitter for each rate: the first fills up to the volume from which on the second is slow. */
static void make_inflow(const drop *d, double spacing, double start, double rate, dew_emitter_def emitters[2])
{
    double radius = 1.6 * spacing, area = M_PI * radius * radius;
    double begin = rest_time * d->capillary_time;
    double change = begin + fmax(0, slow_volume - start) / first_rate * d->capillary_time;
    for (int k = 0; k < 2; k++) {
        double inflow = (k ? rate : first_rate) * d->most / (area * d->capillary_time);
        emitters[k] = dew_default_emitter_def();
        emitters[k].shape = dew_default_shape_def();
        emitters[k].shape.kind = DEW_SHAPE_DISC;
        emitters[k].shape.disc.centre = (dew_vec3){0, 0, -0.5 * spacing};
        emitters[k].shape.disc.normal = (dew_vec3){0, 0, -1};
        emitters[k].shape.disc.radius = radius;
        emitters[k].velocity = (dew_vec3){0, 0, -inflow};
        emitters[k].from = k ? change : begin;
        if (k == 0) emitters[k].to = change;
    }
}

static dew_result run_drop(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                           double bond, law_results *results)
{
#define OPTION(name) law_option_value(&law_pendant, settings, resolution, name)
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    double radius = law_liquid(&law_pendant, settings, resolution, &space.material);
    drop_profile largest, first;
    drop_pendant_largest(bond, &largest);
    drop_pendant(bond, OPTION("start") * largest.foot.volume, &first);
    drop d = {.bond = bond, .most = 4 * M_PI / 3 * pow(radius, 3), .results = results};
    d.tip = cbrt(d.most / largest.foot.volume);
    d.height = d.tip * largest.foot.z;
    d.capillary_time = law_capillary_time(&space.material, radius);
    drop_scale(&first, d.tip);
    def.spacing = spacing_of_count(d.most, (int)OPTION("particles"));
    def.gravity.z = -bond * space.material.surface_tension / (space.material.density * d.tip * d.tip);
    make_tip(&d, def.spacing, space.solids);
    def.solid_count = 2;
    space.liquids[0].shape = drop_shape(&first);
    dew_emitter_def emitters[2];
    make_inflow(&d, def.spacing, OPTION("start"), OPTION("rate"), emitters);
    def.emitters = emitters;
    def.emitter_count = 2;
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    status = run_until_it_falls(simulation, settings, frames, &d);
    int particles = dew_simulation_particle_count(simulation);
    dew_simulation_destroy(simulation);
    series_free(&d.course);
    if (status) return status;
    char label[64];
    double seconds = law_cpu_seconds() - start;
    snprintf(label, sizeof label, "Bo %g", bond);
    law_add(results, &law_pendant, resolution, "largest volume", label, particles, d.largest, 1, seconds);
    law_add(results, &law_pendant, resolution, "detached volume", label, particles, d.detached,
            theory_falling_drop(bond) / largest.foot.volume, seconds);
    return DEW_OK;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    const double bonds[] = {0.2, 0.5, 1, 2};
    double one = law_option_value(&law_pendant, settings, resolution, "bond");
    int count = isnan(one) ? 4 : 1;
    for (int k = 0; k < count; k++) {
        double bond = isnan(one) ? bonds[k] : one;
        law_report(settings, k / (double)count, "Bo %g", bond);
        dew_result status = run_drop(method, resolution, settings, bond, results);
        if (status) return status;
    }
    return DEW_OK;
}

const law law_pendant = {
    .name = "pendant",
    .group = LAW_JETS,
    .title = "A drop that hangs from a tip and grows: its largest volume, and how much of it falls",
    .physics =
        "A drop at a tip is carried by the tension around its edge and by the pressure there. It grows through "
        "equilibria, each taller than the last, until there is no next one; then it necks, and a part of it falls "
        "while the rest stays. Weighing such drops is the oldest way to measure a surface tension, so the law "
        "weighs the tension that a method really has against gravity.",
    .equation = "rho g V = 2 pi r gamma sin(phi) - pi r^2 p at the tip; m g = 2 pi r gamma psi(r/V^(1/3)) falls",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .breaks_up = true,
    .run = run,
};
