/* The runner of trials: a scene, samples of what its figures need, numbers made of these. */
#include "dew/scene.h"
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const law_option trial_options[TRIAL_OPTIONS] = {
    {"spacing",
     "m",
     {NAN, NAN, NAN},
     "between particles, instead of the scene's (coarse) and 0.7, 0.49 of it",
     LAW_SPACING},
    {"duration", "s", {NAN, NAN, NAN}, "to run, instead of what the figures need"},
};

/* --- figures --- */

/* The next sample that counts, from index i on; samples->count: there is none. */
static int next_sample(const series *s, const trial_figure *of, int i)
{
    while (i < s->count && (s->time[i] < of->from || s->time[i] > of->to || !isfinite(s->value[i]))) i++;
    return i;
}

/* Whether at least half of the samples of the time that counts are numbers. */
static bool is_told(const series *s, const trial_figure *of)
{
    int all = 0, told = 0;
    for (int i = 0; i < s->count; i++) all += s->time[i] >= of->from && s->time[i] <= of->to;
    for (int i = next_sample(s, of, 0); i < s->count; i = next_sample(s, of, i + 1)) told++;
    return told > 0 && 2 * told >= all;
}

double trial_mean(const series *s, const trial_figure *of)
{
    double sum = 0;
    int count = 0;
    for (int i = next_sample(s, of, 0); i < s->count; i = next_sample(s, of, i + 1)) sum += s->value[i], count++;
    return is_told(s, of) ? sum / count : NAN;
}

double trial_most(const series *s, const trial_figure *of)
{
    double most = -INFINITY;
    for (int i = next_sample(s, of, 0); i < s->count; i = next_sample(s, of, i + 1)) most = fmax(most, s->value[i]);
    return is_told(s, of) ? most : NAN;
}

double trial_last(const series *s, const trial_figure *of)
{
    double last = NAN;
    for (int i = next_sample(s, of, 0); i < s->count; i = next_sample(s, of, i + 1)) last = s->value[i];
    return last;
}

double trial_reached(const series *s, const trial_figure *of)
{
    for (int i = 1; i < s->count; i++) {
        double before = s->value[i - 1] - of->number, after = s->value[i] - of->number;
        if (s->time[i] <= of->to && before < 0 && after >= 0)
            return s->time[i - 1] + (s->time[i] - s->time[i - 1]) * before / (before - after);
    }
    return NAN;
}

/* Least squares of the logarithm, by a straight line. */
double trial_rate(const series *s, const trial_figure *of)
{
    double n = 0, t = 0, y = 0, tt = 0, ty = 0;
    for (int i = next_sample(s, of, 0); i < s->count; i = next_sample(s, of, i + 1)) {
        double x = s->time[i], value = log(fabs(s->value[i]));
        if (isfinite(value)) n++, t += x, y += value, tt += x * x, ty += x * value;
    }
    return n > 2 && is_told(s, of) ? -(n * ty - t * y) / (n * tt - t * t) : NAN;
}

double trial_root(const series *s, const trial_figure *of)
{
    double sum = 0;
    int count = 0;
    for (int i = next_sample(s, of, 0); i < s->count; i = next_sample(s, of, i + 1))
        if (s->time[i] > 0) sum += s->value[i] / sqrt(s->time[i]), count++;
    return count > 0 && is_told(s, of) ? sum / count : NAN;
}

double trial_omega(const series *s, const trial_figure *of) { return fit_decay(s, of->from, of->to, of->number).omega; }

double trial_beta(const series *s, const trial_figure *of) { return fit_decay(s, of->from, of->to, of->number).beta; }

/* --- samples --- */

int trial_column(const char *text, char *name)
{
    const char *dot = strchr(text, '.');
    size_t length = dot ? (size_t)(dot - text) : strlen(text);
    const char *const *suffixes;
    if (length >= 64) return -1;
    memcpy(name, text, length);
    name[length] = '\0';
    int columns = dew_quantity_columns(name, &suffixes);
    if (!dot) return columns == 1 ? 0 : -1;
    for (int i = 0; i < columns; i++)
        if (strcmp(suffixes[i], dot + 1) == 0) return i;
    return -1;
}

enum { MOST_FIGURES = 16 };

typedef struct watch {
    const law *law;
    const trial *trial;
    double every, next, start; /* s; start: CPU time */
    series samples[MOST_FIGURES];
    law_progress progress;
    bool is_short_of_memory;
    dew_watched watched[DEW_WATCHED];      /* at the end */
    bool is_viscosity_told, is_width_told; /* before the run: dew_simulation_foresee */
} watch;

/* What a run watches of itself, by the fault that a figure tells of; DEW_WATCHED: nothing. */
static dew_watched_quantity watched_of(law_fault fault)
{
    static const dew_watched_quantity of[LAW_FAULTS] = {[LAW_OTHER] = DEW_WATCHED,
                                                        [LAW_DENSITY_FAULT] = DEW_WATCHED_DENSITY,
                                                        [LAW_ENERGY_FAULT] = DEW_WATCHED_ENERGY,
                                                        [LAW_DISSIPATION_FAULT] = DEW_WATCHED_DISSIPATION,
                                                        [LAW_MOMENTUM_FAULT] = DEW_WATCHED_MOMENTUM,
                                                        [LAW_MASS_FAULT] = DEW_WATCHED_MASS,
                                                        [LAW_LOOSE_LIQUID_FAULT] = DEW_WATCHED_LOOSE,
                                                        [LAW_RESOLUTION_FAULT] = DEW_WATCHED};
    return of[fault];
}

static const trial_figure *figure_of(const law *l, int i) { return l->targets[i].how; }

/* The first figure that is made of the same samples: only its are kept. */
static int source_of(const law *l, int i)
{
    const trial_figure *f = figure_of(l, i);
    for (int k = 0; k < i; k++) {
        const trial_figure *other = figure_of(l, k);
        bool is_same = f->quantity && other->quantity ? strcmp(f->quantity, other->quantity) == 0
                                                      : f->probe && f->probe == other->probe;
        if (is_same) return k;
    }
    return i;
}

static double sample(const dew_simulation *simulation, const trial_figure *f)
{
    if (f->probe) return f->probe(simulation);
    char name[64];
    double values[DEW_MOST_COLUMNS];
    int column = trial_column(f->quantity, name);
    if (column < 0 || dew_simulation_measure(simulation, name, values) != DEW_OK) return NAN;
    return values[column];
}

static bool take_samples(void *context, const dew_simulation *simulation)
{
    watch *w = context;
    double time = dew_simulation_time(simulation);
    law_report_progress(&w->progress, simulation);
    if (time < w->next - 1e-9 * w->every) return true;
    w->next = (floor(time / w->every + 1e-9) + 1) * w->every;
    for (int i = 0; i < w->law->target_count && i < MOST_FIGURES; i++)
        if (source_of(w->law, i) == i && !figure_of(w->law, i)->is_watched &&
            !series_add(&w->samples[i], time, sample(simulation, figure_of(w->law, i))))
            w->is_short_of_memory = true;
    return !w->is_short_of_memory;
}

/* --- a run --- */

enum { MOST_SETTINGS = 64 };

/* The user's settings that a scene can take, then the trial's own. */
static int scene_settings(const law_settings *settings, const dew_method_info *method, const char *reference,
                          const char **texts)
{
    int count = 0;
    size_t length = strlen(method->name);
    for (int i = 0; i < settings->count && count < MOST_SETTINGS - 1; i++)
        if (strncmp(settings->texts[i], method->name, length) == 0 && settings->texts[i][length] == '.')
            texts[count++] = settings->texts[i];
    if (reference) texts[count++] = reference;
    return count;
}

static dew_result open_scene(const law *l, const dew_method_info *method, const law_settings *settings,
                             const char *reference, dew_scene **scene)
{
    const trial *t = l->data;
    const char *texts[MOST_SETTINGS];
    dew_scene_options options = {.method = method->name, .settings = texts};
    options.setting_count = scene_settings(settings, method, reference, texts);
    return dew_scene_read_text(t->scene, l->name, &options, scene, NULL);
}

static void listen_to_what_is_foreseen(watch *w, dew_simulation *simulation, const dew_simulation_def *def)
{
    char *text;
    if (dew_simulation_foresee(simulation, def, &text) != DEW_OK) return;
    w->is_viscosity_told = strstr(text, "materials.");
    w->is_width_told = strstr(text, " resolves ");
    free(text);
}

/* Whether a run has told of a fault: warned of what was missed, or named its cause beforehand. */
static bool is_told_of(const watch *w, law_fault fault)
{
    if (fault == LAW_RESOLUTION_FAULT) return w->is_width_told || w->watched[DEW_WATCHED_NARROW].is_beyond;
    if (fault == LAW_DISSIPATION_FAULT && w->is_viscosity_told) return true;
    /* What is narrower than the method resolves parts where its particles do. */
    if (fault == LAW_LOOSE_LIQUID_FAULT && w->is_width_told) return true;
    return watched_of(fault) != DEW_WATCHED && w->watched[watched_of(fault)].is_beyond;
}

/* look_steps: 0: as a user's run looks at itself. */
static dew_result run_scene(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                            const char *reference, int look_steps, watch *w, law_results *results, int *particles)
{
    const law *l = w->law;
    dew_scene *scene;
    dew_simulation *simulation = NULL;
    dew_result status = open_scene(l, method, settings, reference, &scene);
    if (status) return status;
    dew_simulation_def def = *dew_scene_definition(scene);
    double spacing = law_option_value(l, settings, resolution, "spacing");
    double duration = law_option_value(l, settings, resolution, "duration");
    def.spacing = isnan(spacing) ? def.spacing * pow(LAW_FINER, resolution + settings->is_fine) : spacing;
    def.filling = settings->filling;
    def.threads = settings->threads;
    if (look_steps > 0) def.watch.steps = look_steps;
    if (!isnan(duration))
        def.duration = duration;
    else if (w->trial->duration > 0)
        def.duration = w->trial->duration;
    w->every = def.duration / w->trial->samples;
    w->progress = (law_progress){.settings = settings, .end = def.duration, .share = 1, .what = l->name};
    status = dew_simulation_create(&def, &simulation);
    if (!status) {
        listen_to_what_is_foreseen(w, simulation, &def);
        take_samples(w, simulation);
        status = law_advance(simulation, (int)ceil(def.duration * def.frame_rate - 1e-6), take_samples, w);
        *particles = dew_simulation_particle_count(simulation);
        dew_simulation_look(simulation);
        for (int k = 0; k < DEW_WATCHED; k++)
            w->watched[k] = dew_simulation_watched(simulation, (dew_watched_quantity)k);
        if (!reference) law_show(settings, simulation, "after %.3g s", dew_simulation_time(simulation));
        if (w->is_short_of_memory) results->error_count++;
    }
    dew_simulation_destroy(simulation);
    dew_scene_destroy(scene);
    return status;
}

/* Whether it warned of what is missed: a user's run tells, which looks less often than a judge. */
static dew_result find_warnings(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                                int first, law_results *results)
{
    bool is_asked = false;
    for (int k = first; k < results->count; k++)
        is_asked |= results->list[k].is_watched && !results->list[k].has_passed;
    if (!is_asked) return DEW_OK;
    watch w = {.law = settings->law, .trial = settings->law->data, .next = INFINITY};
    int particles;
    dew_result status = run_scene(method, resolution, settings, NULL, 0, &w, results, &particles);
    for (int k = first; k < results->count && !status; k++)
        if (results->list[k].is_watched) results->list[k].has_warned = is_told_of(&w, results->list[k].target->fault);
    return status;
}

static void add_figures(const watch *w, const watch *reference, law_resolution resolution, int particles,
                        law_results *results)
{
    double seconds = law_cpu_seconds() - w->start;
    const law *l = w->law;
    for (int i = 0; i < l->target_count; i++) {
        const trial_figure *f = figure_of(l, i);
        const series *samples = &w->samples[source_of(l, i)];
        dew_watched_quantity watched = watched_of(l->targets[i].fault);
        double right = l->targets[i].right;
        if (isnan(right)) right = f->reduce(&reference->samples[source_of(l, i)], f);
        double value = f->is_watched ? law_worst(&w->watched[watched]) : f->reduce(samples, f);
        law_add(results, l, resolution, l->targets[i].quantity, "", particles, value, right, seconds);
        if (l->targets[i].fault != LAW_OTHER && results->count > 0) results->list[results->count - 1].is_watched = true;
        if (source_of(l, i) != i || f->is_watched) continue;
        law_plot_begin(results, f->quantity ? f->quantity : l->targets[i].quantity, "time, s", "as sampled");
        series_plot(samples, results, LAW_CURVE_MEASURED, "measured", 1, 1);
    }
}

static void watch_free(watch *w)
{
    for (int i = 0; i < MOST_FIGURES; i++) series_free(&w->samples[i]);
}

dew_result trial_run(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                     law_results *results)
{
    const trial *t = settings->law->data;
    watch w = {.law = settings->law, .trial = t, .start = law_cpu_seconds()}, reference = w;
    int particles = 0, first = results->count;
    dew_result status = DEW_OK;
    /* A judge looks at every frame, whatever it costs. */
    if (t->reference)
        status = run_scene(method, resolution, settings, t->reference, 1, &reference, results, &particles);
    if (!status) status = run_scene(method, resolution, settings, NULL, 1, &w, results, &particles);
    if (!status) add_figures(&w, &reference, resolution, particles, results);
    if (!status) status = find_warnings(method, resolution, settings, first, results);
    watch_free(&w), watch_free(&reference);
    return status;
}
