#include "law.h"
#include "measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const law_resolution_names[LAW_RESOLUTIONS] = {"coarse", "medium", "fine"};
const char *const law_group_names[LAW_GROUPS] = {"statics", "waves", "walls",        "threads",
                                                 "jets",    "heat",  "conservation", "trials"};
const char *const law_fault_names[LAW_FAULTS] = {"other",    "density", "energy",       "dissipation",
                                                 "momentum", "mass",    "loose liquid", "resolution"};

/* --- settings --- */

static const law_option *find_option(const law *l, const char *name, size_t length)
{
    for (int i = 0; i < l->option_count; i++)
        if (strlen(l->options[i].name) == length && strncmp(l->options[i].name, name, length) == 0)
            return &l->options[i];
    return NULL;
}

static const dew_method_info *find_method(const char *key, size_t length)
{
    for (int i = 0; i < dew_method_count(); i++) {
        const dew_method_info *method = dew_method_at(i);
        if (strlen(method->name) == length && strncmp(method->name, key, length) == 0) return method;
    }
    return NULL;
}

static const dew_parameter *find_parameter(const dew_method_info *method, const char *name, size_t length)
{
    for (int i = 0; i < method->parameter_count; i++)
        if (strlen(method->parameters[i].name) == length && strncmp(method->parameters[i].name, name, length) == 0)
            return &method->parameters[i];
    return NULL;
}

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* One number for all resolutions, or one for each: "200/400/800". */
static bool read_values(const char *text, double *values)
{
    const char *at = text;
    int count = 0;
    for (char *end; count < LAW_RESOLUTIONS; at = end + 1) {
        values[count++] = strtod(at, &end);
        if (end == at || !isfinite(values[count - 1]) || (*end && *end != '/')) return false;
        if (*end) continue;
        for (int i = 1; count == 1 && i < LAW_RESOLUTIONS; i++) values[i] = values[0];
        return count == 1 || count == LAW_RESOLUTIONS;
    }
    return false;
}

/* What is wrong with one setting, or NULL. */
static const char *complaint(const char *text, const law *const *laws, int law_count)
{
    double value, values[LAW_RESOLUTIONS];
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return "must be KEY=VALUE";
    const char *dot = memchr(text, '.', (size_t)(equals - text));
    if (dot) {
        const dew_method_info *method = find_method(text, (size_t)(dot - text));
        if (!method) return "names no method before the dot (see `dew list`)";
        const dew_parameter *parameter = find_parameter(method, dot + 1, (size_t)(equals - dot - 1));
        if (!parameter) return "names no parameter of that method (see `dew list`)";
        return parameter->choices || read_number(equals + 1, &value) ? NULL : "needs a number after '='";
    }
    for (int i = 0; i < law_count; i++)
        if (find_option(laws[i], text, (size_t)(equals - text)))
            return read_values(equals + 1, values)
                       ? NULL
                       : "needs a number after '=', or three for coarse/medium/fine: 200/400/800";
    return "is no option of the laws chosen (see `dew laws --list`)";
}

dew_result law_settings_check(const law_settings *settings, const law *const *laws, int law_count, char *message,
                              size_t size)
{
    size_t used = 0;
    message[0] = '\0';
    for (int i = 0; i < settings->count; i++) {
        const char *wrong = complaint(settings->texts[i], laws, law_count);
        if (wrong && used < size)
            used += (size_t)snprintf(message + used, size - used, "--set %s: %s\n", settings->texts[i], wrong);
    }
    return used > 0 ? DEW_INVALID : DEW_OK;
}

/* A law that is not for three dimensions counts particles in a plane. */
static double scaled(const law *l, law_scale scale, double value)
{
    bool is_plane = (l->features & DEW_FEATURE_2D) && !(l->features & DEW_FEATURE_3D);
    switch (scale) {
    case LAW_COUNT:
        return value * pow(LAW_FINER, is_plane ? -2 : -3);
    case LAW_PLANE_COUNT:
        return value * pow(LAW_FINER, -2);
    case LAW_SPACINGS:
        return value / LAW_FINER;
    case LAW_SPACING:
        return value * LAW_FINER;
    default:
        return value;
    }
}

double law_option_value(const law *l, const law_settings *settings, law_resolution resolution, const char *name)
{
    size_t length = strlen(name);
    const law_option *option = find_option(l, name, length);
    if (!option) return NAN;
    double value = option->value[resolution], set[LAW_RESOLUTIONS];
    for (int i = 0; i < settings->count; i++)
        if (strncmp(settings->texts[i], name, length) == 0 && settings->texts[i][length] == '=' &&
            read_values(settings->texts[i] + length + 1, set))
            value = set[resolution];
    return settings->is_fine ? scaled(l, option->scale, value) : value;
}

int law_parameters(const law_settings *settings, const char *method, dew_parameter_value *values, int capacity)
{
    int count = 0;
    const dew_method_info *info = dew_method_find(method);
    for (int i = 0; i < settings->count && count < capacity; i++) {
        const char *text = settings->texts[i], *equals = strchr(text, '=');
        const char *dot = equals ? memchr(text, '.', (size_t)(equals - text)) : NULL;
        if (!dot || find_method(text, (size_t)(dot - text)) != info) continue;
        const dew_parameter *parameter = find_parameter(info, dot + 1, (size_t)(equals - dot - 1));
        if (!parameter) continue;
        values[count++] = parameter->choices
                              ? (dew_parameter_value){.name = parameter->name, .text = equals + 1}
                              : (dew_parameter_value){.name = parameter->name, .number = strtod(equals + 1, NULL)};
    }
    return count;
}

/* --- results --- */

static const law_target *find_target(const law *l, const char *quantity)
{
    for (int i = 0; i < l->target_count; i++)
        if (strcmp(l->targets[i].quantity, quantity) == 0) return &l->targets[i];
    return NULL;
}

static law_result *add_place(law_results *results)
{
    if (results->count == results->capacity) {
        int capacity = results->capacity ? 2 * results->capacity : 32;
        law_result *list = realloc(results->list, (size_t)capacity * sizeof *list);
        if (!list) return NULL;
        results->list = list;
        results->capacity = capacity;
    }
    return &results->list[results->count++];
}

void law_add(law_results *results, const law *l, law_resolution resolution, const char *quantity, const char *label,
             int particles, double measured, double theory, double cpu_seconds)
{
    const law_target *target = find_target(l, quantity);
    law_result *result = target ? add_place(results) : NULL;
    if (!result) {
        results->error_count++;
        return;
    }
    *result = (law_result){.law = l,
                           .target = target,
                           .particles = particles,
                           .measured = measured,
                           .theory = theory,
                           .limit = target->target[resolution],
                           .cpu_seconds = cpu_seconds};
    snprintf(result->label, sizeof result->label, "%s", label);
    result->error = target->error == LAW_RELATIVE ? (measured - theory) / theory : measured - theory;
    result->has_passed = fabs(result->error) <= result->limit; /* false for NaN */
}

void law_add_absent(law_results *results, const law *l, const char *quantity, const char *lacks)
{
    const law_target *target = find_target(l, quantity);
    if (target && results->absent_count < LAW_ABSENT)
        results->absent[results->absent_count++] = (law_absent){target, lacks};
    else
        results->error_count++;
}

void law_plot_begin(law_results *results, const char *title, const char *x_label, const char *y_label)
{
    law_plot *plots = realloc(results->plots, ((size_t)results->plot_count + 1) * sizeof *plots);
    if (!plots) {
        results->error_count++;
        return;
    }
    results->plots = plots;
    law_plot *plot = &plots[results->plot_count++];
    *plot = (law_plot){0};
    snprintf(plot->title, sizeof plot->title, "%s", title);
    snprintf(plot->x_label, sizeof plot->x_label, "%s", x_label);
    snprintf(plot->y_label, sizeof plot->y_label, "%s", y_label);
}

void law_plot_equal_axes(law_results *results)
{
    if (results->plot_count) results->plots[results->plot_count - 1].has_equal_axes = true;
}

void law_plot_curve(law_results *results, law_curve_kind kind, const char *label, int count, const double *x,
                    const double *y)
{
    if (!results->plot_count || count <= 0) return;
    law_plot *plot = &results->plots[results->plot_count - 1];
    law_curve *curves = realloc(plot->curves, ((size_t)plot->curve_count + 1) * sizeof *curves);
    if (curves) plot->curves = curves;
    size_t size = (size_t)count * sizeof(double);
    law_curve curve = {.kind = kind, .count = count, .x = malloc(size), .y = malloc(size)};
    if (!curves || !curve.x || !curve.y) {
        free(curve.x);
        free(curve.y);
        results->error_count++;
        return;
    }
    snprintf(curve.label, sizeof curve.label, "%s", label);
    memcpy(curve.x, x, size);
    memcpy(curve.y, y, size);
    curves[plot->curve_count++] = curve;
}

void law_results_free(law_results *results)
{
    for (int i = 0; i < results->plot_count; i++) {
        law_plot *plot = &results->plots[i];
        for (int k = 0; k < plot->curve_count; k++) {
            free(plot->curves[k].x);
            free(plot->curves[k].y);
        }
        free(plot->curves);
    }
    free(results->plots);
    free(results->list);
    *results = (law_results){0};
}

/* --- running --- */

void law_report(const law_settings *settings, double part, const char *format, ...)
{
    if (!settings->progress) return;
    char text[160];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    settings->progress(settings->context, text, part);
}

void law_report_progress(law_progress *progress, const dew_simulation *simulation)
{
    double done = dew_simulation_time(simulation) / progress->end;
    if (done < progress->reported + 0.02) return;
    progress->reported = done;
    law_report(progress->settings, progress->part + progress->share * done, "%s", progress->what);
}

static double process_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What pictures and looks at the end have cost, which is none of the methods' business. */
static double seconds_aside;

void law_show(const law_settings *settings, const dew_simulation *simulation, const char *format, ...)
{
    if (!settings->show) return;
    double start = process_seconds();
    char text[160];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    settings->show(settings->context, simulation, text);
    seconds_aside += process_seconds() - start;
}

/* --- watching --- */

/* Shares, as dew_watched has them. Density, energy and loose liquid are held to less than a run's usual limits, for a
 * law is no accident. */
const law_target law_watch_targets[] = {
    {"density", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "of a body, less that at rest, at its worst", LAW_DENSITY_FAULT},
    {"energy gain", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "from nothing, of what there was to give", LAW_ENERGY_FAULT},
    {"loose liquid",
     "1",
     LAW_ABSOLUTE,
     {0.001, 0.001, 0.001},
     "of the mass, the most at any time",
     LAW_LOOSE_LIQUID_FAULT},
    {"momentum", "1", LAW_ABSOLUTE, {0.01, 0.01, 0.01}, "that nothing explains, at its worst", LAW_MOMENTUM_FAULT},
    {"mass", "1", LAW_ABSOLUTE, {0.005, 0.005, 0.005}, "that no emitter explains, at its worst", LAW_MASS_FAULT},
};
enum { WATCHED_FIGURES = sizeof law_watch_targets / sizeof *law_watch_targets };

const law law_watch = {
    .name = "watch",
    .group = LAW_CONSERVATION,
    .title = "What every law is held to, at all times",
    .physics =
        "No body becomes denser or thinner, no energy comes from nothing, no liquid is shed particle by particle, "
        "no momentum or mass from nowhere. Every run watches this itself; the cases are the other laws, each by "
        "the worst of its simulations. What parts by itself may leave single particles, as long as no run warns of it. "
        "Each target is at most what a run warns beyond, so that a run of a law that is met warns of nothing.",
    .equation = "rho/rho0 = 1; d(kinetic + potential + surface energy) <= work + what came in",
    .targets = law_watch_targets,
    .target_count = WATCHED_FIGURES,
};

/* The worst that the simulations of a law's run have seen of themselves. */
static struct {
    const dew_simulation *simulation; /* that was looked at last, after so many of its steps: */
    int64_t steps;
    double worst[WATCHED_FIGURES];  /* NaN: not told */
    int particles[WATCHED_FIGURES]; /* of that simulation */
    bool has_warned[WATCHED_FIGURES];
} watching;

double law_worst(const dew_watched *watched)
{
    return isnan(watched->now) && watched->worst == 0 ? NAN : watched->worst;
}

static void keep_worst(const dew_simulation *simulation)
{
    for (int k = 0; k < WATCHED_FIGURES; k++) {
        dew_watched at = dew_simulation_watched(simulation, (dew_watched_quantity)k);
        watching.has_warned[k] = watching.has_warned[k] || at.is_beyond;
        if (fabs(law_worst(&at)) >= fabs(watching.worst[k]) || isnan(watching.worst[k]))
            watching.worst[k] = law_worst(&at), watching.particles[k] = dew_simulation_particle_count(simulation);
    }
}

/* Looks at a simulation that has come so far. Some laws advance by single frames, of few steps: nothing is looked at
 * again before it has taken a tenth more of them, or a hundred. */
static dew_result watch(dew_simulation *simulation)
{
    int64_t steps = dew_simulation_step_count(simulation), since = steps - watching.steps;
    bool is_same = simulation == watching.simulation && since >= 0;
    if (is_same && since < 100 && 10 * since < steps) return DEW_OK;
    double start = process_seconds();
    watching.simulation = simulation, watching.steps = steps;
    dew_result status = dew_simulation_look(simulation);
    if (!status) keep_worst(simulation);
    seconds_aside += process_seconds() - start;
    return status;
}

static dew_result run(const law *l, const dew_method_info *method, law_resolution resolution,
                      const law_settings *settings, law_results *results)
{
    if (l->run) return l->run(method, resolution, settings, results);
    int dimensions[2], count = law_dimensions(method, dimensions);
    dew_result status = DEW_OK;
    for (int i = 0; i < count && !status; i++)
        status = l->measure(method, resolution, settings, dimensions[i], (double)i / count, 1.0 / count, results);
    return status;
}

dew_result law_run(const law *l, const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                   law_results *results)
{
    double start = law_cpu_seconds();
    watching.simulation = NULL;
    for (int k = 0; k < WATCHED_FIGURES; k++) watching.worst[k] = NAN, watching.has_warned[k] = false;
    dew_result status = run(l, method, resolution, settings, results);
    for (int k = 0; k < WATCHED_FIGURES && l->group != LAW_TRIALS; k++) {
        const law_target *target = &law_watch_targets[k];
        bool is_let = l->breaks_up && target->fault == LAW_LOOSE_LIQUID_FAULT && !watching.has_warned[k];
        if (isnan(watching.worst[k]) || is_let) continue;
        int before = results->count;
        law_add(results, &law_watch, resolution, target->quantity, l->name, watching.particles[k], watching.worst[k], 0,
                law_cpu_seconds() - start);
        if (results->count == before) continue;
        results->list[before].is_watched = true, results->list[before].has_warned = watching.has_warned[k];
    }
    return status;
}

dew_result law_advance(dew_simulation *simulation, int frames, dew_step_fcn *after_step, void *context)
{
    for (int k = 0; k < frames; k++) {
        int before = dew_simulation_frame(simulation)->index;
        dew_result status = dew_simulation_advance_frame(simulation, after_step, context);
        if (status) return status;
        if (dew_simulation_frame(simulation)->index == before) break; /* ended by after_step */
    }
    return watch(simulation);
}

double law_cpu_seconds(void) { return process_seconds() - seconds_aside; }

dew_simulation_def law_definition(const dew_method_info *method, const law_settings *settings, law_space *space)
{
    dew_simulation_def def = dew_default_simulation_def();
    *space = (law_space){.material = dew_default_material_def(),
                         .liquids = {dew_default_liquid_def(), dew_default_liquid_def()}};
    space->material.name = "liquid";
    /* Walls are free of shear unless a law says otherwise. */
    def.domain.slip_length = INFINITY;
    for (int k = 0; k < LAW_SOLIDS; k++) {
        space->solids[k] = dew_default_solid_def();
        space->solids[k].slip_length = INFINITY;
    }
    def.method = method->name;
    def.gravity = (dew_vec3){0};
    def.materials = &space->material;
    def.material_count = 1;
    def.liquids = space->liquids;
    def.liquid_count = 1;
    def.solids = space->solids;
    def.parameters = space->parameters;
    def.parameter_count = law_parameters(settings, method->name, space->parameters, LAW_PARAMETERS);
    def.threads = settings->threads;
    def.filling = settings->filling;
    return def;
}

int law_dimensions(const dew_method_info *method, int dimensions[2])
{
    int count = 0;
    if (method->features & DEW_FEATURE_3D) dimensions[count++] = 3;
    if (method->features & DEW_FEATURE_2D) dimensions[count++] = 2;
    return count;
}

dew_vec3 law_place(int dimension, double along, double across, double up)
{
    return dimension == 2 ? (dew_vec3){along, up, 0} : (dew_vec3){along, across, up};
}

dew_boundary law_repeats(const dew_method_info *method)
{
    return method->features & DEW_FEATURE_PERIODIC   ? DEW_PERIODIC
           : method->features & DEW_FEATURE_SYMMETRY ? DEW_SYMMETRY
                                                     : DEW_WALL;
}

void law_tank(dew_simulation_def *def, law_space *space, int dimension, dew_vec3 size, dew_boundary ends,
              dew_boundary sides)
{
    def->dimension = dimension;
    def->domain.max = size;
    def->domain.axis[0] = ends;
    if (dimension == 3) def->domain.axis[1] = sides;
    space->solids[0].name = "floor";
    space->solids[0].shape = dew_plane((dew_vec3){0}, law_place(dimension, 0, 0, 1));
    def->solid_count = 1;
}

void law_ball(law_space *space, int index, dew_vec3 centre, double radius, double density_ratio)
{
    dew_solid_def *ball = &space->solids[index];
    ball->name = "ball";
    ball->shape = dew_sphere(centre, radius);
    ball->has_rigid = true, ball->rigid = dew_default_rigid_def();
    ball->rigid.density = density_ratio * space->material.density;
}

double law_liquid(const law *l, const law_settings *settings, law_resolution resolution, dew_material_def *material)
{
    double radius = law_option_value(l, settings, resolution, "radius");
    material->density = law_option_value(l, settings, resolution, "density");
    material->surface_tension = law_option_value(l, settings, resolution, "surface_tension");
    material->viscosity = law_option_value(l, settings, resolution, "viscosity");
    if (isnan(material->viscosity))
        material->viscosity = law_option_value(l, settings, resolution, "ohnesorge") *
                              sqrt(material->density * material->surface_tension * radius);
    return radius;
}

double law_drop(const law *l, const law_settings *settings, law_resolution resolution, int dimension,
                dew_simulation_def *def, dew_material_def *material)
{
    double radius = law_liquid(l, settings, resolution, material);
    const char *count = dimension == 2 ? "plane_particles" : "particles";
    def->dimension = dimension;
    def->spacing = drop_spacing(dimension, radius, (int)law_option_value(l, settings, resolution, count));
    return radius;
}

dew_shape_def law_stretched_drop(int dimension, double radius, double a)
{
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_ELLIPSOID;
    if (dimension == 2) {
        double scale = radius / sqrt((1 + a) * (1 - a));
        shape.ellipsoid.semi_axes = (dew_vec3){scale * (1 - a), scale * (1 + a), radius};
    } else {
        double scale = radius / cbrt((1 + a) * (1 - a / 2) * (1 - a / 2)), across = scale * (1 - a / 2);
        shape.ellipsoid.semi_axes = (dew_vec3){across, across, scale * (1 + a)};
    }
    return shape;
}

void law_label(char label[LAW_LABEL], int dimension, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, LAW_LABEL, format, arguments);
    va_end(arguments);
    if (dimension != 2) return;
    char what[LAW_LABEL];
    snprintf(what, sizeof what, "%s", label);
    snprintf(label, LAW_LABEL, what[0] ? "2D, %.59s" : "2D", what);
}

double law_capillary_time(const dew_material_def *material, double radius)
{
    return sqrt(material->density * radius * radius * radius / material->surface_tension);
}

int law_plan(dew_simulation_def *def, double radius, double times, int frames)
{
    int count = (int)ceil(frames * times);
    def->duration = times * law_capillary_time(&def->materials[0], radius);
    def->frame_rate = count / def->duration;
    return count;
}
