/* A slab that must be pushed hard enough to flow.
 *
 * Physics. A slab of height H on a plate is driven along it by g: at the height z its shear stress is rho g (H - z).
 * What yields at tau_y and flows beyond with a viscosity eta (Bingham 1922) stays where it is, bent a little, until rho
 * g H = tau_y; from then on its foot is sheared, below a plug which moves at
 *
 *     u = rho g H^2 (1 - tau_y/(rho g H))^2/(2 eta).
 *
 * So the square root of the speed grows straight from the stress at which flow starts, which speeds thus tell:
 * tau_y = rho g H (1 - sqrt(2 eta u/(rho g H^2))).
 *
 * Set-up. A layer on a floor that holds it, periodic along and across, without tension, with half the yield stress of
 * weight that keeps it there. Its stress above tau_y relaxes in lambda, and a solvent damps what swings: eta = mu + G
 * lambda. One run: g rises in steps (changes of the scene) from 0.5 to 1.7 of what makes it flow, each held for 2.5 rho
 * H^2/eta.
 *
 * Measurement. The mean velocity of the upper half in the last quarter of each step. Below 0.9 it is to be none; from
 * 1.3 on each gives a yield stress, whose mean is taken. */
#include "../shear_flow.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"yield stress", "Pa", LAW_RELATIVE, {0.15, 0.15, 0.15}, "at which it starts to flow"},
    {"creep", "1", LAW_ABSOLUTE, {0.02, 0.02, 0.02}, "largest speed before, over tau_y H/eta"},
};

static const law_option options[] = {
    {"across", "1", {12, 16, 24}, "spacings from floor to surface", LAW_SPACINGS},
    {"height", "m", {1e-3, 1e-3, 1e-3}, "of the slab"},
    {LAW_DENSITY},
    {"yield_stress", "Pa", {10, 10, 10}, "of the slab"},
    {"stiffness", "1", {5, 5, 5}, "shear modulus over yield stress"},
    {LAW_VISCOSITY(0.1)},
    {"relaxing", "1", {1, 1, 1}, "G lambda over the viscosity"},
    {"weight", "1", {0.5, 0.5, 0.5}, "of the slab on its floor, over the yield stress: it keeps it there"},
};

extern const law law_slab;

enum { STEPS = 7, HELD = 8 }; /* of g; frames of each */
#define FIRST 0.5
#define STEP 0.2
#define STILL 0.9
#define FLOWING 1.3
#define VISCOUS_TIMES 2.5

double theory_bingham_plug(double stress, double yield, double height, double viscosity)
{
    double sheared = fmax(1 - yield / stress, 0);
    return stress * height * sheared * sheared / (2 * viscosity);
}

double yield_by_plug(double stress, double speed, double height, double viscosity)
{
    return stress * (1 - sqrt(fmax(2 * viscosity * speed / (stress * height), 0)));
}

double measure_plug(const dew_frame *frame, double height)
{
    dew_field x, v;
    double sum = 0;
    int count = 0;
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "velocity", &v)) return NAN;
    for (int i = 0; i < x.count; i++) {
        double up = (double)((const dew_real *)x.data)[(size_t)i * x.stride + (size_t)frame->dimension - 1];
        if (up < height / 2) continue;
        sum += (double)((const dew_real *)v.data)[(size_t)i * v.stride], count++;
    }
    return count > 0 ? sum / count : NAN;
}

typedef struct slab {
    shear_flow flow;
    dew_setting_def set[STEPS];
    dew_change_def changes[STEPS];
    double yield, viscosity, hold; /* Pa, Pa s, s */
    double speed[STEPS], stress[STEPS];
} slab;

static void plan(slab *s, dew_simulation_def *def, law_space *space, law_resolution resolution,
                 const law_settings *settings, int dimension)
{
#define OPTION(name) law_option_value(&law_slab, settings, resolution, name)
    dew_material_def *m = &space->material;
    s->yield = OPTION("yield_stress");
    s->flow = (shear_flow){.dimension = dimension, .size = OPTION("height")};
    m->density = OPTION("density"), m->surface_tension = 0, m->viscosity = OPTION("viscosity");
    m->shear_modulus = OPTION("stiffness") * s->yield, m->yield_stress = s->yield;
    m->relaxation_time = OPTION("relaxing") * m->viscosity / m->shear_modulus;
    s->viscosity = m->viscosity + m->shear_modulus * m->relaxation_time;
    s->hold = VISCOUS_TIMES * m->density * s->flow.size * s->flow.size / s->viscosity;
    shear_layer(def, space, &s->flow, (int)OPTION("across"), false, 0);
    def->domain.axis[dimension - 1] = DEW_OPEN;
    for (int k = 0; k < STEPS; k++) {
        s->stress[k] = (FIRST + STEP * k) * s->yield;
        double unit = 1 / (m->density * s->flow.size);
        s->set[k] = (dew_setting_def){
            .path = "gravity",
            .value = law_place(dimension, unit * s->stress[k], 0, -unit * OPTION("weight") * s->yield)};
        s->changes[k] = dew_default_change_def();
        s->changes[k].at = k * s->hold, s->changes[k].set = &s->set[k], s->changes[k].set_count = 1;
    }
    def->changes = s->changes, def->change_count = STEPS;
    def->duration = STEPS * s->hold, def->frame_rate = HELD / s->hold;
#undef OPTION
}

static void add_figures(const slab *s, law_resolution resolution, const char *label, int particles, double seconds,
                        law_results *results)
{
    double unit = s->yield * s->flow.size / s->viscosity, creep = 0, sum = 0, x[STEPS], y[STEPS], theory[STEPS];
    int count = 0;
    for (int k = 0; k < STEPS; k++) {
        double ratio = s->stress[k] / s->yield;
        if (ratio < STILL + STEP / 2) creep = fmax(creep, fabs(s->speed[k]) / unit);
        if (ratio > FLOWING - STEP / 2)
            sum += yield_by_plug(s->stress[k], s->speed[k], s->flow.size, s->viscosity), count++;
        x[k] = ratio, y[k] = s->speed[k] / unit;
        theory[k] = theory_bingham_plug(s->stress[k], s->yield, s->flow.size, s->viscosity) / unit;
    }
    law_add(results, &law_slab, resolution, "yield stress", label, particles, sum / count, s->yield, seconds);
    law_add(results, &law_slab, resolution, "creep", label, particles, creep, 0, seconds);
    law_plot_begin(results, label, "stress at the floor over the yield stress", "speed over tau_y H/eta");
    law_plot_curve(results, LAW_CURVE_POINTS, "measured", STEPS, x, y);
    law_plot_curve(results, LAW_CURVE_THEORY, "Bingham", STEPS, x, theory);
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    double start = law_cpu_seconds();
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    slab s;
    plan(&s, &def, &space, resolution, settings, dimension);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    const char *label = dimension == 2 ? "2D" : "3D";
    int particles = dew_simulation_particle_count(simulation);
    for (int k = 0; k < STEPS && !status; k++) {
        s.speed[k] = 0;
        for (int f = 0; f < HELD && !status; f++) {
            law_report(settings, part + share * (k * HELD + f) / (STEPS * HELD), "%s", label);
            status = law_advance(simulation, 1, NULL, NULL);
            if (f >= 3 * HELD / 4)
                s.speed[k] += measure_plug(dew_simulation_frame(simulation), s.flow.size) / (HELD - 3 * HELD / 4);
        }
    }
    if (!status) {
        law_show(settings, simulation, "%s", label);
        add_figures(&s, resolution, label, particles, law_cpu_seconds() - start, results);
    }
    dew_simulation_destroy(simulation);
    return status;
}

const law law_slab = {
    .name = "slab",
    .group = LAW_WALLS,
    .title = "A slab that must be pushed hard enough to flow (Bingham 1922)",
    .physics = "Paste on a slope stays where it is until the slope is steep enough: below its yield stress it is a "
               "solid. Then its "
               "foot, where the stress is largest, begins to flow and carries the rest along as a plug, the faster the "
               "more the "
               "stress is above.",
    .equation = "tau_y = rho g H (1 - sqrt(2 eta u/(rho g H^2)))",
    .features =
        DEW_FEATURE_ELASTIC | DEW_FEATURE_PLASTIC | DEW_FEATURE_RELAXATION | DEW_FEATURE_NO_SLIP | DEW_FEATURE_PERIODIC,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
