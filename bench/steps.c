/* Steps of a drop in free space, whole: a window of steps holds its share of the times that lists are built. */
#include "bench.h"

#include "base/parallel.h"

enum { WINDOWS = 9 };

typedef struct timing {
    int settling, window, step;
    double times[WINDOWS], cpu_times[WINDOWS];
    double begin, cpu_begin;
} timing;

static bool after_step(void *context, const dew_simulation *simulation)
{
    (void)simulation;
    timing *t = context;
    int past = ++t->step - t->settling;
    if (past < 0 || past % t->window) return true;
    double now = bench_clock(), cpu_now = bench_cpu_clock();
    if (past) {
        t->times[past / t->window - 1] = (now - t->begin) / t->window;
        t->cpu_times[past / t->window - 1] = (cpu_now - t->cpu_begin) / t->window;
    }
    t->begin = now, t->cpu_begin = cpu_now;
    return past < t->window * WINDOWS;
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
    dew_simulation *simulation = NULL;
    timing t = {.settling = drop->settling, .window = drop->window};
    dew_result result = dew_simulation_create(&def, &simulation);
    if (result == DEW_OK) result = dew_simulation_advance(simulation, 1e3, after_step, &t);
    if (result == DEW_OK) {
        double part = drop->parts ? drop->parts : 1, time = bench_median(t.times, WINDOWS) / part;
        *row = bench_row(drop->name, dew_simulation_particle_count(simulation), parallel_threads());
        row->method = drop->method;
        row->ms_per_step = 1e3 * time;
        row->cpu_ms_per_step = 1e3 * bench_median(t.cpu_times, WINDOWS) / part;
        row->particle_steps_per_second = row->particles / time;
    }
    dew_simulation_destroy(simulation);
    return result == DEW_OK ? 1 : -1;
}
