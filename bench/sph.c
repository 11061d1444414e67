/* The smoothed particle method whole: a step of 42,875 particles with surface tension and without gravity, as the cube
 * on a lattice that it starts as and as a ball, whose particles have no order. Another program takes 31 to 39 ms for
 * it. Pressure is explicit, so that a step is a step; left to itself the cube falls into a ball by longer steps. The
 * same ball of a million. */
#include "bench.h"

#include "base/parallel.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 35, LARGE_SIDE = 100, PARTS = 100 };

static const dew_parameter_value is_explicit = {.name = "pressure", .text = "equation_of_state"};

/* A ball of side^3 particles, spacing 0.05 m. */
static bench_drop_def ball(const char *name, int side, int settling, int window)
{
    bench_drop_def drop = {.name = name, .method = "sph", .dimension = 3, .settling = settling, .window = window};
    drop.spacing = 0.05, drop.fill = DEW_FILL_RELAXED, drop.parameters = &is_explicit, drop.parameter_count = 1;
    drop.shape = dew_sphere((dew_vec3){0, 0, 0}, 0.5 * side * drop.spacing * cbrt(6 / 3.14159265358979));
    return drop;
}

int bench_sph_cube(int threads, bench_result *results, int capacity)
{
    bench_drop_def drop = {.name = "sph-cube-lattice", .method = "sph", .dimension = 3, .settling = 100, .window = 20};
    drop.spacing = 0.05, drop.parameters = &is_explicit, drop.parameter_count = 1;
    double half = 0.5 * SIDE * drop.spacing;
    drop.shape = dew_box((dew_vec3){-half, -half, -half}, (dew_vec3){half, half, half}), drop.fill = DEW_FILL_CUBIC;
    if (capacity < 2) return 0;
    if (bench_drop(&drop, threads, &results[0]) < 0) return -1;
    drop = ball("sph-cube-ball", SIDE, 100, 20);
    return bench_drop(&drop, threads, &results[1]) < 0 ? -1 : 2;
}

int bench_sph_cube_1m(int threads, bench_result *results, int capacity)
{
    bench_drop_def drop = ball("sph-cube-1m", LARGE_SIDE, 10, 4);
    return capacity < 1 ? 0 : bench_drop(&drop, threads, results);
}

/* A drop of water, radius 1 mm, falls on a plate that it wets at 90 degrees; from its touch on, for the time in which
 * it fell its radius. A hundredth of that time is the row's step, however many steps of the method it takes. */
static dew_result time_impact(double weber, const char *pressure, int threads, bench_result *row)
{
    const double radius = 1e-3;
    dew_material_def water = dew_default_material_def();
    water.name = "water";
    double speed = sqrt(weber * water.surface_tension / (water.density * 2 * radius));
    dew_liquid_def liquid = dew_default_liquid_def();
    dew_solid_def plate = dew_default_solid_def();
    dew_parameter_value parameter = {.name = "pressure", .text = pressure};
    dew_simulation_def def = dew_default_simulation_def();
    def.title = "impact", def.method = "sph", def.spacing = radius / 10, def.gravity = (dew_vec3){0, 0, 0};
    def.frame_rate = speed / radius, def.threads = threads;
    liquid.shape = dew_sphere((dew_vec3){0, 0, radius + 0.3 * def.spacing}, radius);
    liquid.velocity = (dew_vec3){0, 0, -speed};
    plate.name = "plate", plate.contact_angle = 90;
    plate.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    def.materials = &water, def.material_count = 1, def.liquids = &liquid, def.liquid_count = 1;
    def.solids = &plate, def.solid_count = 1, def.parameters = &parameter, def.parameter_count = 1;
    dew_simulation *simulation = NULL;
    dew_result result = dew_simulation_create(&def, &simulation);
    double start = bench_clock(), cpu_start = bench_cpu_clock();
    if (result == DEW_OK) result = dew_simulation_advance_frame(simulation, NULL, NULL);
    if (result == DEW_OK) {
        char name[48];
        snprintf(name, sizeof name, "sph-impact-we%g-%s", weber, pressure[0] == 'p' ? "projection" : "explicit");
        *row = bench_row(name, dew_simulation_particle_count(simulation), parallel_threads());
        row->method = "sph";
        row->ms_per_step = 1e3 * (bench_clock() - start) / PARTS;
        row->cpu_ms_per_step = 1e3 * (bench_cpu_clock() - cpu_start) / PARTS;
    }
    dew_simulation_destroy(simulation);
    return result;
}

int bench_sph_impact(int threads, bench_result *results, int capacity)
{
    static const char *const pressures[] = {"equation_of_state", "projection"};
    static const double webers[] = {1, 10, 100};
    int rows = 0;
    for (int w = 0; w < 3; w++)
        for (int p = 0; p < 2 && rows < capacity; p++)
            if (time_impact(webers[w], pressures[p], threads, &results[rows++]) != DEW_OK) return -1;
    return rows;
}
