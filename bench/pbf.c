/* The position-based method whole: frames of scenes/pbf/droplets-colliding.yaml in both modes, and what memory a
 * particle takes. */
#include "bench.h"

#include "base/parallel.h"
#include "base/result.h"
#include "dew/dew.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- two cubes that collide --- */

enum { WARM_FRAMES = 8, FRAMES = 15 };

/* A frame of 1/30 s; the median of those in which the cubes merge. */
static int time_colliding(const char *name, const char *mode, int threads, bench_result *results)
{
    const double half = 0.25001;
    dew_material_def liquid = dew_default_material_def();
    liquid.name = "liquid", liquid.viscosity = 0.1, liquid.surface_tension = 17;
    dew_liquid_def cubes[2];
    for (int k = 0; k < 2; k++) {
        double side = k ? 1 : -1, middle = side * (0.05 + half);
        cubes[k] = dew_default_liquid_def();
        cubes[k].shape = dew_box((dew_vec3){middle - half, -half, -half}, (dew_vec3){middle + half, half, half});
        cubes[k].velocity = (dew_vec3){-0.25 * side, 0, 0};
    }
    dew_parameter_value parameters[] = {{.name = "tension", .text = mode},
                                        {.name = "epsilon_area", .number = 1},
                                        {.name = "paper_iterations", .number = 100}};
    dew_simulation_def def = dew_default_simulation_def();
    def.title = name, def.method = "pbf", def.spacing = 0.03, def.frame_rate = 30, def.gravity = (dew_vec3){0, 0, 0};
    def.materials = &liquid, def.material_count = 1, def.liquids = cubes, def.liquid_count = 2;
    def.parameters = parameters, def.parameter_count = 3, def.threads = threads;
    dew_simulation *simulation = NULL;
    dew_result result = dew_simulation_create(&def, &simulation);
    double times[FRAMES];
    for (int frame = 0; result == DEW_OK && frame < WARM_FRAMES + FRAMES; frame++) {
        double start = bench_clock();
        result = dew_simulation_advance_frame(simulation, NULL, NULL);
        if (frame >= WARM_FRAMES) times[frame - WARM_FRAMES] = bench_clock() - start;
    }
    if (result == DEW_OK) {
        parallel_set_threads(threads);
        double time = bench_median(times, FRAMES);
        *results = bench_row(name, dew_simulation_particle_count(simulation), parallel_threads());
        results->method = "pbf";
        results->ms_per_step = 1e3 * time;
        results->particle_steps_per_second = results->particles / time;
    }
    dew_simulation_destroy(simulation);
    return result == DEW_OK ? 1 : -1;
}

int bench_pbf_colliding_paper(int threads, bench_result *results, int capacity)
{
    return capacity < 1 ? 0 : time_colliding("pbf-colliding-paper", "paper", threads, results);
}

int bench_pbf_colliding(int threads, bench_result *results, int capacity)
{
    return capacity < 1 ? 0 : time_colliding("pbf-colliding", "physical", threads, results);
}

/* --- memory --- */

/* The most memory the process has held since forget_peak, bytes; NaN where the system does not tell (it is Linux that
 * does). */
static double peak_memory(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    double peak = NAN, value;
    char line[256];
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lf kB", &value) == 1) peak = 1024 * value;
    if (status) fclose(status);
    return peak;
}

static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file) return;
    fputs("5", file);
    fclose(file);
}

/* Peak memory of making a cube of liquid and taking one step. */
static dew_result measure_peak(const char *mode, int side, int threads, int *count, double *peak)
{
    dew_material_def liquid = dew_default_material_def();
    liquid.name = "water";
    dew_liquid_def cube = dew_default_liquid_def();
    cube.fill = DEW_FILL_CUBIC;
    cube.shape = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){side * 1e-4, side * 1e-4, side * 1e-4});
    dew_parameter_value parameters[] = {{.name = "tension", .text = mode}, {.name = "paper_iterations", .number = 1}};
    dew_simulation_def def = dew_default_simulation_def();
    def.title = "memory", def.method = "pbf", def.spacing = 1e-4, def.gravity = (dew_vec3){0, 0, 0};
    def.materials = &liquid, def.material_count = 1, def.liquids = &cube, def.liquid_count = 1;
    def.parameters = parameters, def.parameter_count = 2, def.threads = threads;
    forget_peak();
    dew_simulation *simulation;
    RESULT_TRY(dew_simulation_create(&def, &simulation));
    *count = dew_simulation_particle_count(simulation);
    dew_result result = dew_simulation_advance(simulation, 1e-9, NULL, NULL);
    *peak = peak_memory();
    dew_simulation_destroy(simulation);
    return result;
}

int bench_memory(int threads, bench_result *results, int capacity)
{
    static const char *const modes[] = {"physical", "paper"};
    static const char *const names[] = {"memory", "memory-paper"};
    int rows = 0;
    for (; rows < 2 && rows < capacity; rows++) {
        int few, many;
        double less, more;
        if (measure_peak(modes[rows], 46, threads, &few, &less) != DEW_OK) return -1;
        if (measure_peak(modes[rows], 100, threads, &many, &more) != DEW_OK) return -1;
        parallel_set_threads(threads);
        results[rows] = bench_row(names[rows], many, parallel_threads());
        results[rows].method = "pbf";
        results[rows].bytes_per_particle = (more - less) / (many - few);
    }
    return rows;
}
