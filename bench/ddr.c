/* How many particles ddr moves sixty times a second: water and a gel in a tank, by the paper's two densities with
 * projections, and by the surface's area. */
#include "bench.h"

#include <math.h>
#include <stdio.h>

#define FRAME (1.0 / 60)

/* A block of liquid in a box that slumps: at this spacing a step of ddr is a frame. */
static int advance(int edge, const char *tension, bool has_springs, int threads, bench_result *row)
{
    dew_parameter_value parameters[] = {{.name = "tension", .text = tension}};
    double s = 0.02, width = edge * s;
    dew_simulation_def def = dew_default_simulation_def();
    dew_material_def m = dew_default_material_def();
    dew_liquid_def l = dew_default_liquid_def();
    dew_simulation *simulation;
    def.method = "ddr", def.spacing = s, def.frame_rate = 60, def.threads = threads, def.duration = 100;
    m.surface_tension = 0.07, m.viscosity = 1;
    if (has_springs) m.shear_modulus = 20, m.relaxation_time = 0.2;
    for (int a = 0; a < 3; a++) def.domain.axis[a] = DEW_WALL;
    def.domain.slip_length = INFINITY, def.gravity.z = -0.01;
    def.domain.max = (dew_vec3){width, width, 2 * width};
    l.shape = dew_box((dew_vec3){0}, (dew_vec3){width, width, width});
    def.materials = &m, def.material_count = 1, def.liquids = &l, def.liquid_count = 1;
    def.watch.steps = 1000000;
    def.parameters = parameters, def.parameter_count = 1;
    if (dew_simulation_create(&def, &simulation)) return -1;
    enum { SETTLING = 10, WINDOWS = 9, STEPS = 3 };
    double wall[WINDOWS], cpu[WINDOWS], first = 0;
    int64_t begin = 0;
    int status = 0;
    for (int k = -1; k < WINDOWS && !status; k++) {
        double start = bench_clock(), start_cpu = bench_cpu_clock();
        int64_t steps = dew_simulation_step_count(simulation);
        if (k == 0) first = dew_simulation_time(simulation), begin = steps;
        for (int f = 0; f < (k < 0 ? SETTLING : STEPS) && !status; f++)
            status = dew_simulation_advance_frame(simulation, NULL, NULL) ? -1 : 0;
        double taken = (double)(dew_simulation_step_count(simulation) - steps);
        if (k >= 0) wall[k] = (bench_clock() - start) / taken, cpu[k] = (bench_cpu_clock() - start_cpu) / taken;
    }
    int count = dew_simulation_particle_count(simulation);
    char name[48];
    snprintf(name, sizeof name, "ddr-interactive, %s%s", tension, has_springs ? ", springs" : "");
    *row = bench_row(name, count, threads);
    row->method = "ddr";
    if (!status) {
        double step = bench_median(wall, WINDOWS);
        row->ms_per_step = 1e3 * step, row->cpu_ms_per_step = 1e3 * bench_median(cpu, WINDOWS);
        row->particle_steps_per_second = count / step;
        row->simulated =
            (dew_simulation_time(simulation) - first) / (double)(dew_simulation_step_count(simulation) - begin);
    }
    dew_simulation_destroy(simulation);
    return status;
}

/* The largest cube of which a step takes no longer than a frame, in steps of a twelfth of particles. */
int bench_ddr_interactive(int threads, bench_result *results, int capacity)
{
    static const char *const tension[] = {"densities", "area"};
    int rows = 0;
    for (; rows < 4 && rows < capacity; rows++) {
        int edge = 28;
        for (int try = 0; try < 3; try++) {
            if (advance(edge, tension[rows / 2], rows & 1, threads, &results[rows])) return -1;
            double ratio = 1e3 * FRAME / results[rows].ms_per_step;
            int next = (int)(edge * cbrt(ratio));
            if (next == edge) break;
            edge = next;
        }
    }
    return rows;
}
