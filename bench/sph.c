/* The smoothed particle method whole: a step of 42,875 particles with surface tension and without gravity, as the cube
 * on a lattice that it starts as and as a ball, whose particles have no order. Another program takes 31 to 39 ms for
 * it. */
#include "bench.h"

#include "base/parallel.h"
#include "dew/dew.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A window of steps holds its share of the times that lists are built. */
enum { SIDE = 35, SETTLING = 100, WINDOW = 20, WINDOWS = 9 };

typedef struct timing {
    double times[WINDOWS];
    double cpu_times[WINDOWS];
    double begin, cpu_begin;
    int step;
} timing;

static bool after_step(void *context, const dew_simulation *simulation)
{
    (void)simulation;
    timing *t = context;
    int past = ++t->step - SETTLING;
    if (past < 0 || past % WINDOW) return true;
    double now = bench_clock(), cpu_now = bench_cpu_clock();
    if (past) {
        t->times[past / WINDOW - 1] = (now - t->begin) / WINDOW;
        t->cpu_times[past / WINDOW - 1] = (cpu_now - t->cpu_begin) / WINDOW;
    }
    t->begin = now, t->cpu_begin = cpu_now;
    return past < WINDOW * WINDOWS;
}

static int time_steps(const char *name, const dew_shape_def *shape, dew_fill fill, int threads, bench_result *row)
{
    dew_material_def water = dew_default_material_def();
    water.name = "water", water.density = 1000, water.viscosity = 1e-3, water.surface_tension = 0.0728;
    dew_liquid_def drop = dew_default_liquid_def();
    drop.shape = *shape, drop.fill = fill;
    dew_simulation_def def = dew_default_simulation_def();
    def.title = name, def.method = "sph", def.spacing = 0.05, def.gravity = (dew_vec3){0, 0, 0};
    def.frame_rate = 1e-3; /* no step is cut short by a frame */
    def.materials = &water, def.material_count = 1, def.liquids = &drop, def.liquid_count = 1;
    def.threads = threads;
    dew_simulation *simulation = NULL;
    dew_result result = dew_simulation_create(&def, &simulation);
    timing t = {.step = 0};
    if (result == DEW_OK) result = dew_simulation_advance(simulation, 1e3, after_step, &t);
    if (result == DEW_OK) {
        double time = bench_median(t.times, WINDOWS);
        *row = bench_row(name, dew_simulation_particle_count(simulation), parallel_threads());
        row->method = "sph";
        row->ms_per_step = 1e3 * time;
        row->cpu_ms_per_step = 1e3 * bench_median(t.cpu_times, WINDOWS);
        row->particle_steps_per_second = row->particles / time;
    }
    dew_simulation_destroy(simulation);
    return result == DEW_OK ? 1 : -1;
}

int bench_sph_cube(int threads, bench_result *results, int capacity)
{
    double half = 0.5 * SIDE * 0.05;
    dew_shape_def cube = dew_box((dew_vec3){-half, -half, -half}, (dew_vec3){half, half, half});
    dew_shape_def ball = dew_sphere((dew_vec3){0, 0, 0}, half * cbrt(6 / 3.14159265358979));
    if (capacity < 2) return 0;
    if (time_steps("sph-cube-lattice", &cube, DEW_FILL_CUBIC, threads, &results[0]) < 0) return -1;
    return time_steps("sph-cube-ball", &ball, DEW_FILL_RELAXED, threads, &results[1]) < 0 ? -1 : 2;
}
