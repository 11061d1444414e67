/* The material point method: a step of a ball of 137 K particles, 16 cells in radius, with surface tension and without
 * gravity. A step is ten substeps on one contour; what a particle costs a substep is the last column but one over ten.
 * And what the transfers alone cost, particles to grid and back, without stress on a ball in the deep. */
#include "bench.h"

#include "base/parallel.h"
#include "dew/dew.h"
#include "methods/mpm/mpm.h"

#include <math.h>
#include <stdio.h>

enum { PARTICLES = 137000, SETTLING = 5, STEPS = 9 };

typedef struct timing {
    double times[STEPS], cpu_times[STEPS];
    double begin, cpu_begin;
    int step;
} timing;

static bool after_step(void *context, const dew_simulation *simulation)
{
    (void)simulation;
    timing *t = context;
    double now = bench_clock(), cpu_now = bench_cpu_clock();
    int past = t->step++ - SETTLING;
    if (past >= 0) t->times[past] = now - t->begin, t->cpu_times[past] = cpu_now - t->cpu_begin;
    t->begin = now, t->cpu_begin = cpu_now;
    return past + 1 < STEPS;
}

static int time_drop(const char *name, int dimension, int threads, bench_result *row)
{
    const double pi = 3.14159265358979, radius = 1e-3;
    dew_material_def water = dew_default_material_def();
    water.name = "water";
    dew_liquid_def drop = dew_default_liquid_def();
    drop.shape = dew_sphere((dew_vec3){0, 0, 0}, radius);
    dew_simulation_def def = dew_default_simulation_def();
    def.title = name, def.method = "mpm", def.dimension = dimension, def.gravity = (dew_vec3){0, 0, 0};
    def.spacing = dimension == 3 ? radius * cbrt(4 * pi / 3 / PARTICLES) : radius * sqrt(pi / PARTICLES);
    def.frame_rate = 1; /* no step is cut short by a frame */
    def.materials = &water, def.material_count = 1, def.liquids = &drop, def.liquid_count = 1;
    def.threads = threads;
    dew_simulation *simulation = NULL;
    timing t = {.step = 0};
    dew_result result = dew_simulation_create(&def, &simulation);
    if (result == DEW_OK) result = dew_simulation_advance(simulation, 1, after_step, &t);
    if (result == DEW_OK) {
        double time = bench_median(t.times, STEPS);
        *row = bench_row(name, dew_simulation_particle_count(simulation), parallel_threads());
        row->method = "mpm";
        row->ms_per_step = 1e3 * time;
        row->cpu_ms_per_step = 1e3 * bench_median(t.cpu_times, STEPS);
        row->particle_steps_per_second = row->particles / time;
    }
    dew_simulation_destroy(simulation);
    return result == DEW_OK ? 1 : -1;
}

int bench_mpm_drop(int threads, bench_result *results, int capacity)
{
    if (capacity < 2) return 0;
    if (time_drop("mpm-drop", 3, threads, &results[0]) < 0) return -1;
    return time_drop("mpm-disc", 2, threads, &results[1]) < 0 ? -1 : 2;
}
