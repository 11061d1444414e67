/* The tension of a film, by the forces of the method.
 *
 * Physics. Each face of a flat film pulls along itself with gamma a length. Within, that is the sum over all forces
 * across a cut: between particles at x_i and x_j along z the film's normal (Kirkwood, Buff 1949),
 *
 *     2 gamma A = sum over pairs of f_ij . ((x_ij, y_ij, 0)/2 - (0, 0, z_ij)),
 *
 * f_ij the force on i from j, x_ij the way from i to j; tensions along the film less that across, which is 0 as nothing
 * holds its faces.
 *
 * Set-up. A film so many layers thick between periodic faces, without gravity, filled without order. It comes to rest
 * for some capillary times of its thickness.
 *
 * Measurement. The method's own quantity film_tension, gamma by all its forces between particles (pressures and
 * potentials), the mean over the last half; and how thick the film is, by the surface particles. A method that has no
 * such quantity is n/a. */
#include "../law.h"
#include "../measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const law_target targets[] = {
    {"tension", "N/m", LAW_RELATIVE, {0.1, 0.1, 0.1}, "of either face, by all forces between particles"},
};

static const law_option options[] = {
    {"layers", "1", {12, 12, 12}, "spacings of the film's thickness", LAW_SPACINGS},
    {"across", "1", {12, 16, 24}, "spacings of its width", LAW_SPACINGS},
    {"spacing", "m", {1e-4, 1e-4, 1e-4}, "between particles", LAW_SPACING},
    {LAW_DENSITY},
    {LAW_SURFACE_TENSION},
    {LAW_VISCOSITY(0.01)},
    {"rest", "1", {4, 6, 8}, "capillary times of the thickness to run"},
};

extern const law law_film_tension;
#define OPTION(name) law_option_value(&law_film_tension, settings, resolution, name)

enum { EVERY = 8 }; /* steps from one look to the next: each asks all pairs */

typedef struct watch {
    law_progress progress;
    series tension;
} watch;

static bool after_step(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double tension;
    law_report_progress(&w->progress, simulation);
    if (dew_simulation_step_count(simulation) % EVERY != 0) return true;
    if (dew_simulation_measure(simulation, "film_tension", &tension)) tension = NAN;
    return series_add(&w->tension, dew_simulation_time(simulation), tension);
}

static dew_result run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                      law_results *results)
{
    bool is_told = false;
    for (const char *const *name = method->measures; *name; name++) is_told |= strcmp(*name, "film_tension") == 0;
    if (!is_told) {
        law_add_absent(results, &law_film_tension, "tension", "the film_tension of its forces");
        return DEW_OK;
    }
    double start = law_cpu_seconds(), s = OPTION("spacing"), thick = OPTION("layers") * s, width = OPTION("across") * s;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    space.material.density = OPTION("density"), space.material.viscosity = OPTION("viscosity");
    space.material.surface_tension = OPTION("surface_tension");
    def.spacing = s;
    def.domain.min = (dew_vec3){0, 0, -thick}, def.domain.max = (dew_vec3){width, width, thick};
    def.domain.axis[0] = def.domain.axis[1] = DEW_PERIODIC;
    space.liquids[0].shape = dew_box((dew_vec3){0, 0, -thick / 2}, (dew_vec3){width, width, thick / 2});
    int frames = law_plan(&def, thick, OPTION("rest"), 4);
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    watch w = {.progress = {settings, def.duration, 0, 1, 0, "a film at rest"}};
    status = law_advance(simulation, frames, after_step, &w);
    if (!status) {
        double gamma = space.material.surface_tension, ms = 1e-3;
        law_show(settings, simulation, "a film at rest");
        law_add(results, &law_film_tension, resolution, "tension", "", dew_simulation_particle_count(simulation),
                series_mean(&w.tension, def.duration / 2, INFINITY), gamma, law_cpu_seconds() - start);
        law_plot_begin(results, "Tension of a film", "time, ms", "over that which was set");
        series_plot(&w.tension, results, LAW_CURVE_MEASURED, "by forces between particles", ms, gamma);
        law_plot_curve(results, LAW_CURVE_THEORY, "set", 2, (double[]){0, def.duration / ms}, (double[]){1, 1});
    }
    series_free(&w.tension);
    dew_simulation_destroy(simulation);
    return status;
}

const law law_film_tension = {
    .name = "film_tension",
    .group = LAW_STATICS,
    .title = "The tension of a flat film, by the forces between its particles (Kirkwood, Buff 1949)",
    .physics =
        "Where tension comes from forces between particles, what acts is what these add up to across a cut through the "
        "film: their pull along it less that through it. It is the most direct look at whether the tension that was "
        "set "
        "is the one that acts, as no shape has to be measured.",
    .equation = "2 gamma A = sum over pairs of f_ij . ((x_ij, y_ij, 0)/2 - (0, 0, z_ij))",
    .features = DEW_FEATURE_3D | DEW_FEATURE_PERIODIC,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
