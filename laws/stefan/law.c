/* Melting from a hot wall.
 *
 * Physics. A solid at its melting point T_m touches a wall at T_w > T_m. It melts from there, the front moving into it
 * as heat is conducted through the liquid that has come to be; one phase, as the solid stays at T_m (Stefan 1889;
 * Carslaw & Jaeger 1959, 11.2):
 *
 *     s = 2 lambda sqrt(alpha t),   sqrt(pi) lambda exp(lambda^2) erf(lambda) = Ste = c (T_w - T_m)/L
 *
 * (stefan_one_phase.csv). Set-up. A strip in two dimensions, no gravity, no surface tension; the wall by a very large
 * heat transfer coefficient, everything else insulated.
 *
 * Measurement. The front is the melted share of the strip, at the end and over the last half of the run. */
#include "../law.h"
#include "../measure.h"
#include "../theory.h"

#include <math.h>
#include <stdio.h>

static const law_target targets[] = {
    {"front", "m", LAW_RELATIVE, {0.03, 0.03, 0.03}, "s at the end"},
    {"course", "1", LAW_ABSOLUTE, {0.03, 0.03, 0.03}, "largest error of s over s in the last half of the run"},
    {"heat", "1", LAW_ABSOLUTE, {0.03, 0.03, 0.03}, "heat come in over that of theory, less 1"},
};

static const law_option options[] = {
    {"layers", "1", {40, 64, 96}, "spacings along the strip", LAW_SPACINGS},
    {"width", "1", {8, 8, 8}, "spacings across", LAW_SPACINGS},
    {"length", "m", {1e-2, 1e-2, 1e-2}, "of the strip"},
    {"front", "1", {0.75, 0.75, 0.75}, "where the run ends: s over the length"},
    {LAW_DENSITY},
};

extern const law law_stefan;

double theory_stefan(double stefan)
{
    double low = 0, high = 5;
    for (int k = 0; k < 80; k++) {
        double l = 0.5 * (low + high);
        if (sqrt(M_PI) * l * exp(l * l) * erf(l) < stefan)
            low = l;
        else
            high = l;
    }
    return 0.5 * (low + high);
}

typedef struct watch {
    law_progress progress;
    double length, speed; /* s = speed sqrt(t) */
    series front, theory;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double share, time = dew_simulation_time(simulation);
    law_report_progress(&w->progress, simulation);
    if (dew_simulation_measure(simulation, "melted_fraction", &share)) return false;
    return series_add(&w->front, time, share * w->length) && series_add(&w->theory, time, w->speed * sqrt(time));
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          double stefan, double part, law_results *results)
{
#define OPTION(name) law_option_value(&law_stefan, settings, resolution, name)
    double start = law_cpu_seconds(), length = OPTION("length"), melting_point = 300, wall = 310;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_material_def *m = &space.material;
    m->density = OPTION("density"), m->surface_tension = 0;
    m->melting_point = melting_point, m->latent_heat = m->heat_capacity * (wall - melting_point) / stefan;
    double alpha = m->conductivity / (m->density * m->heat_capacity), lambda = theory_stefan(stefan);
    def.has_heat = true, def.dimension = 2, def.spacing = length / OPTION("layers");
    double half = 0.5 * OPTION("width") * def.spacing;
    space.liquids[0].shape = dew_box((dew_vec3){0, -half, -1}, (dew_vec3){length, half, 1});
    space.liquids[0].fill = DEW_FILL_CUBIC, space.liquids[0].temperature = melting_point;
    space.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){1, 0, 0});
    space.solids[0].heat = (dew_heat_boundary){.transfer = 200 * m->conductivity / def.spacing, .surroundings = wall};
    def.solid_count = 1;
    double ratio = OPTION("front") * length / (2 * lambda);
    def.duration = ratio * ratio / alpha, def.frame_rate = 4 / def.duration;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    char what[32];
    snprintf(what, sizeof what, "Ste %g", stefan);
    watch w = {{settings, def.duration, part, 0.5, 0, what}, length, 2 * lambda * sqrt(alpha), {0}, {0}};
    double heat[2] = {0};
    status = dew_simulation_measure(simulation, "heat", &heat[0]);
    if (!status) status = law_advance(simulation, 4, after_step, &w);
    if (!status) status = dew_simulation_measure(simulation, "heat", &heat[1]);
    if (!status && w.front.count > 0) {
        double seconds = law_cpu_seconds() - start, worst = 0, end = w.front.value[w.front.count - 1];
        /* The flux through the wall is k (T_w - T_m)/(erf(lambda) sqrt(pi alpha t)). */
        double came =
            2 * half * 2 * m->conductivity * (wall - melting_point) * sqrt(def.duration / (M_PI * alpha)) / erf(lambda);
        int count = dew_simulation_particle_count(simulation);
        for (int k = w.front.count / 2; k < w.front.count; k++)
            worst = fmax(worst, fabs(w.front.value[k] / w.theory.value[k] - 1));
        law_add(results, &law_stefan, resolution, "front", what, count, end, w.speed * sqrt(def.duration), seconds);
        law_add(results, &law_stefan, resolution, "course", what, count, worst, 0, seconds);
        law_add(results, &law_stefan, resolution, "heat", what, count, (heat[1] - heat[0]) / came - 1, 0, seconds);
        law_plot_begin(results, what, "alpha t/l^2", "s/l");
        series_plot(&w.front, results, LAW_CURVE_MEASURED, "front", length * length / alpha, length);
        series_plot(&w.theory, results, LAW_CURVE_THEORY, "theory", length * length / alpha, length);
        law_show(settings, simulation, "%s, at the end", what);
    }
    series_free(&w.front);
    series_free(&w.theory);
    dew_simulation_destroy(simulation);
    return status;
#undef OPTION
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    dew_result status = measure(method, resolution, settings, 0.2, 0, results);
    return status ? status : measure(method, resolution, settings, 1, 0.5, results);
}

const law law_stefan = {
    .name = "stefan",
    .group = LAW_HEAT,
    .title = "Melting from a hot wall",
    .physics = "A solid at its melting point touches a hot wall and melts from there. The front slows as the heat that "
               "melts must come "
               "through ever more liquid.",
    .equation = "s = 2 lambda sqrt(alpha t), sqrt(pi) lambda exp(lambda^2) erf(lambda) = c (T_w - T_m)/L",
    .features = DEW_FEATURE_2D | DEW_FEATURE_HEAT,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
