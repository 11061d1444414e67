/* The energy of a drop that falls on a plate and bounces.
 *
 * Physics. Gravity, motion and surface exchange energy; viscosity takes from their sum and nothing adds to it:
 *
 *     E = M g z + (1/2) sum m v^2 + gamma (A - A_w cos theta)  never grows,
 *
 * z the height of the centre of mass, A the free surface, A_w the wetted area of the plate, theta the contact angle (by
 * Young's equation the plate's surface energy falls by gamma cos theta where it is wetted).
 *
 * Set-up. A ball, its centre 2 R above a plate that it does not wet (180 degrees: then every area counts the same, and
 * where precisely the liquid leaves the plate, which no mesh of particles resolves, does not matter), thrown down at
 * We = rho u^2 2R/gamma = 3: it spreads, retracts, leaves and falls again; once as viscous as Oh = mu/sqrt(rho gamma R)
 * = 0.1, once as water (0.004), where hardly anything covers up what a method adds.
 *
 * Measurement. The largest rise that the run's own watch finds (docs/watching.md), looking at every frame, 32 times a
 * capillary time sqrt(rho R^3/gamma), and again by a wider kernel where it finds one: of the sum averaged over a
 * quarter of a capillary time, over what there was to give. An area found from particles flickers by a percent, which
 * is no energy; what a method adds stays. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"growth", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "largest rise of the total over what there was to give"},
};

static const law_option options[] = {
    {LAW_PARTICLES(2000, 10000, 20000)},
    {LAW_RADIUS("of the drop")},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {"ohnesorge", "1", {NAN, NAN, NAN}, "mu/sqrt(rho gamma R): this one only, instead of 0.1 and 0.004"},
    {"gravity", "m/s2", {9.81, 9.81, 9.81}, "downwards"},
    {"weber", "1", {3, 3, 3}, "rho u^2 2R/gamma at the start"},
    {"contact_angle", "deg", {180, 180, 180}, "of the plate"},
    {"duration", "1", {6, 6, 6}, "capillary times to run"},
};

enum { FRAMES = 32 }; /* in a capillary time */

typedef struct energies {
    series kinetic, potential, surface, total;
} energies;

static dew_result add_energies(const dew_simulation *simulation, energies *e)
{
    double kinetic, potential, surface, time = dew_simulation_time(simulation);
    dew_result status = dew_simulation_measure(simulation, "kinetic_energy", &kinetic);
    if (!status) status = dew_simulation_measure(simulation, "potential_energy", &potential);
    if (!status) status = dew_simulation_measure(simulation, "surface_energy", &surface);
    if (status) return status;
    bool is_kept = series_add(&e->kinetic, time, kinetic) && series_add(&e->potential, time, potential) &&
                   series_add(&e->surface, time, surface) && series_add(&e->total, time, kinetic + potential + surface);
    return is_kept ? DEW_OK : DEW_NO_MEMORY;
}

static void plot_energies(energies *e, const char *title, double time, double unit, double ground[3],
                          law_results *results)
{
    series *parts[3] = {&e->kinetic, &e->potential, &e->surface};
    const char *labels[3] = {"kinetic", "gravity", "surface"};
    law_plot_begin(results, title, "time, sqrt(rho R^3/gamma)", "energy over that at the start");
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < parts[k]->count; i++) parts[k]->value[i] -= ground[k];
        series_plot(parts[k], results, LAW_CURVE_MEASURED, labels[k], time, unit);
    }
    for (int i = 0; i < e->total.count; i++) e->total.value[i] -= ground[0] + ground[1] + ground[2];
    series_plot(&e->total, results, LAW_CURVE_MEASURED, "total", time, unit);
    law_plot_curve(results, LAW_CURVE_THEORY, "without loss", 2,
                   (double[]){0, e->total.time[e->total.count - 1] / time}, (double[]){1, 1});
}

extern const law law_energy;

typedef struct plan {
    int frames;
    double part, share;
    const char *label;
} plan;

static dew_result fall(dew_simulation *simulation, const law_settings *settings, const plan *p, energies *e)
{
    int frames = p->frames;
    dew_result status = DEW_OK;
    for (int k = 0; k < frames && !status; k++) {
        if (k % 4 == 0) law_report(settings, p->part + p->share * k / frames, "%s", p->label);
        if (k % (2 * FRAMES) == FRAMES)
            law_show(settings, simulation, "%s, after %d capillary times", p->label, k / FRAMES);
        status = law_advance(simulation, 1, NULL, NULL);
        if (!status) status = add_energies(simulation, e);
    }
    return status;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          double ohnesorge, double part, double share, law_results *results)
{
#define OPTION(name) law_option_value(&law_energy, settings, resolution, name)
    double start = law_cpu_seconds(), gravity = OPTION("gravity");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *liquid = &space.material;
    double radius = law_liquid(&law_energy, settings, resolution, liquid);
    liquid->viscosity = ohnesorge * sqrt(liquid->density * liquid->surface_tension * radius);
    double speed = sqrt(OPTION("weber") * liquid->surface_tension / (liquid->density * 2 * radius));
    def.gravity = (dew_vec3){0, 0, -gravity};
    def.spacing = spacing_of_count(4 * M_PI / 3 * pow(radius, 3), (int)OPTION("particles"));
    space.liquids[0].shape = dew_sphere((dew_vec3){0, 0, 2 * radius}, radius);
    space.liquids[0].velocity = (dew_vec3){0, 0, -speed};
    space.solids[0].name = "plate";
    space.solids[0].shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1});
    space.solids[0].contact_angle = OPTION("contact_angle");
    def.solid_count = 1;
    def.watch.steps = 1;
    def.watch.limit[DEW_WATCHED_ENERGY] = targets[0].target[resolution];
    int frames = law_plan(&def, radius, OPTION("duration"), FRAMES);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    energies e = {0};
    char label[64];
    snprintf(label, sizeof label, "Oh %g", ohnesorge);
    status = fall(simulation, settings, &(plan){frames, part, share, label}, &e);
    if (!status) {
        int particles = dew_simulation_particle_count(simulation);
        double mass = liquid->density * pow(def.spacing, 3) * particles, time = law_capillary_time(liquid, radius);
        double true_radius = radius_of_count(particles, def.spacing);
        double ground[3] = {0, mass * gravity * radius, 4 * M_PI * true_radius * true_radius * liquid->surface_tension};
        double unit = 0.5 * mass * speed * speed + mass * gravity * radius;
        dew_watched gain = dew_simulation_watched(simulation, DEW_WATCHED_ENERGY);
        law_add(results, &law_energy, resolution, "growth", label, particles, law_worst(&gain), 0,
                law_cpu_seconds() - start);
        plot_energies(&e, label, time, unit, ground, results);
    }
    series_free(&e.kinetic);
    series_free(&e.potential);
    series_free(&e.surface);
    series_free(&e.total);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    const double standard[] = {0.1, 0.004};
    double chosen = law_option_value(&law_energy, settings, resolution, "ohnesorge");
    if (!isnan(chosen)) return measure(method, resolution, settings, chosen, 0, 1, results);
    for (int k = 0; k < 2; k++) {
        dew_result status = measure(method, resolution, settings, standard[k], 0.5 * k, 0.5, results);
        if (status) return status;
    }
    return DEW_OK;
}

const law law_energy = {
    .name = "energy",
    .group = LAW_CONSERVATION,
    .title = "A drop falls on a plate and bounces: its energy never grows",
    .physics =
        "A drop that falls on a plate gives its motion to its surface as it spreads, takes it back as it retracts, and "
        "rises against gravity. The three energies pass into one another; viscosity and the plate take from their "
        "sum, and nothing adds to it. A method that makes energy, in its solver or by a force without a potential, "
        "shows it here as a total that rises.",
    .equation = "M g z + sum m v^2/2 + gamma (A - A_wetted cos theta) never grows",
    .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
