/* Steps whole: of a drop in free space and of a scene, a window of steps holding its share of the times that lists are
 * built; of a drop that falls on a plate. */
#include "bench.h"

#include "base/parallel.h"
#include "dew/scene.h"

#include <stdio.h>
#include <stdlib.h>

enum { WINDOWS = 9 };

typedef struct timing {
    int settling, window, parts, step;
    bench_pass *pass;
    double times[WINDOWS], cpu_times[WINDOWS], passes[WINDOWS];
    double begin, cpu_begin, first, last; /* the latter two: simulated */
} timing;

static bool after_step(void *context, const dew_simulation *simulation)
{
    timing *t = context;
    double now = bench_clock(), cpu_now = bench_cpu_clock();
    int past = ++t->step - t->settling, window = (past - 1) / t->window;
    if (past < 0) return true;
    t->last = dew_simulation_time(simulation);
    if (past == 0) t->first = t->last;
    bench_pass_run(t->pass); /* so that the next finds its data in the cache */
    double pass_begin = bench_cpu_clock();
    bench_pass_run(t->pass);
    if (past > 0) {
        t->times[window] += now - t->begin, t->cpu_times[window] += cpu_now - t->cpu_begin;
        t->passes[window] += bench_cpu_clock() - pass_begin;
    }
    t->begin = bench_clock(), t->cpu_begin = bench_cpu_clock();
    return past < t->window * WINDOWS;
}

/* Steps of a scene from its time `start` (s) on, t->settling of them first. */
static int time_steps(const char *name, const dew_simulation_def *def, double start, timing *t, bench_result *row)
{
    dew_simulation *simulation = NULL;
    t->pass = bench_pass_open();
    dew_result result = t->pass ? dew_simulation_create(def, &simulation) : DEW_NO_MEMORY;
    if (result == DEW_OK) result = dew_simulation_advance(simulation, start, NULL, NULL);
    if (result == DEW_OK) result = dew_simulation_advance(simulation, start + 1e3, after_step, t);
    if (result == DEW_OK) {
        double parts = t->parts ? t->parts : 1, steps = parts * t->window;
        for (int k = 0; k < WINDOWS; k++) t->passes[k] = t->cpu_times[k] / t->passes[k] / parts;
        double time = bench_median(t->times, WINDOWS) / steps;
        *row = bench_row(name, dew_simulation_particle_count(simulation), parallel_threads());
        row->method = dew_simulation_method(simulation)->name;
        row->ms_per_step = 1e3 * time;
        row->cpu_ms_per_step = 1e3 * bench_median(t->cpu_times, WINDOWS) / steps;
        row->passes = bench_median(t->passes, WINDOWS);
        row->particle_steps_per_second = row->particles / time;
        row->simulated = (t->last - t->first) / (WINDOWS * steps);
    }
    dew_simulation_destroy(simulation);
    bench_pass_close(t->pass);
    return result == DEW_OK ? 1 : -1;
}

int bench_drop(const bench_drop_def *drop, int threads, bench_result *row)
{
    dew_material_def water = dew_default_material_def();
    if (drop->material) water = *drop->material;
    water.name = "water";
    dew_liquid_def liquid = dew_default_liquid_def();
    liquid.shape = drop->shape, liquid.fill = drop->fill, liquid.velocity_of[0] = drop->velocity_of;
    dew_simulation_def def = dew_default_simulation_def();
    def.title = drop->name, def.method = drop->method, def.dimension = drop->dimension, def.spacing = drop->spacing;
    def.gravity = (dew_vec3){0, 0, 0};
    def.frame_rate = 1e-3; /* no step is cut short by a frame */
    def.materials = &water, def.material_count = 1, def.liquids = &liquid, def.liquid_count = 1;
    def.parameters = drop->parameters, def.parameter_count = drop->parameter_count;
    def.threads = threads;
    timing t = {.settling = drop->settling, .window = drop->window, .parts = drop->parts};
    return time_steps(drop->name, &def, 0, &t, row);
}

int bench_scene(const bench_scene_def *of, const char *method, int threads, bench_result *row)
{
    const dew_scene_options options = {.method = method};
    char name[sizeof row->name], *complaints = NULL;
    dew_scene *scene;
    snprintf(name, sizeof name, "%s-%s", of->name, method);
    dew_result result = dew_scene_read_text(of->text, of->name, &options, &scene, &complaints);
    free(complaints);
    if (result != DEW_OK) return -1;
    dew_simulation_def def = *dew_scene_definition(scene);
    def.spacing = of->spacing, def.threads = threads;
    timing t = {.settling = 1, .window = of->window};
    int rows = time_steps(name, &def, of->start, &t, row);
    dew_scene_destroy(scene);
    return rows;
}

int bench_impact(const bench_impact_def *impact, int threads, bench_result *row)
{
    dew_material_def material = impact->material ? *impact->material : dew_default_material_def();
    dew_liquid_def liquid = dew_default_liquid_def();
    dew_solid_def plate = dew_default_solid_def();
    dew_simulation_def def = dew_default_simulation_def();
    material.name = "liquid";
    def.title = impact->name, def.method = impact->method, def.spacing = impact->spacing;
    def.gravity = (dew_vec3){0, 0, 0}, def.frame_rate = 1 / impact->time, def.threads = threads;
    liquid.shape = dew_sphere((dew_vec3){0, 0, impact->radius + 0.3 * def.spacing}, impact->radius);
    liquid.velocity = (dew_vec3){0, 0, -impact->speed};
    plate.name = "plate", plate.contact_angle = impact->contact_angle;
    plate.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    def.materials = &material, def.material_count = 1, def.liquids = &liquid, def.liquid_count = 1;
    def.solids = &plate, def.solid_count = 1;
    def.parameters = impact->parameters, def.parameter_count = impact->parameter_count;
    dew_simulation *simulation = NULL;
    dew_result result = dew_simulation_create(&def, &simulation);
    double start = bench_clock(), cpu_start = bench_cpu_clock();
    if (result == DEW_OK) result = dew_simulation_advance_frame(simulation, NULL, NULL);
    if (result == DEW_OK) {
        *row = bench_row(impact->name, dew_simulation_particle_count(simulation), parallel_threads());
        row->method = impact->method;
        row->ms_per_step = 1e3 * (bench_clock() - start) / impact->parts;
        row->cpu_ms_per_step = 1e3 * (bench_cpu_clock() - cpu_start) / impact->parts;
    }
    dew_simulation_destroy(simulation);
    return result == DEW_OK ? 1 : -1;
}
