/* The smoothed particle method whole: a step of 42,875 particles with surface tension and without gravity, as the cube
 * on a lattice that it starts as and as a ball, whose particles have no order. Another program takes 31 to 39 ms for
 * it. Pressure is explicit, so that a step is a step; left to itself liquid takes longer ones: by default, rows tell
 * what the time of an explicit step takes. The same ball of a million. */
#include "bench.h"

#include "base/parallel.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 35, LARGE_SIDE = 100, PARTS = 100 };

static const dew_parameter_value is_explicit = {.name = "pressure", .text = "equation_of_state"};

/* A ball of side^3 particles, spacing 0.05 m, by explicit steps. */
static bench_drop_def ball(const char *name, int side, int settling, int window)
{
    bench_drop_def drop = {.name = name, .method = "sph", .dimension = 3, .settling = settling, .window = window};
    drop.spacing = 0.05, drop.fill = DEW_FILL_RELAXED, drop.parameters = &is_explicit, drop.parameter_count = 1;
    drop.shape = dew_sphere((dew_vec3){0, 0, 0}, 0.5 * side * drop.spacing * cbrt(6 / 3.14159265358979));
    return drop;
}

/* A row by explicit steps, and one by default, for the time of an explicit step. */
static int bench_both(bench_drop_def *drop, const char *name, int threads, bench_result *results)
{
    if (bench_drop(drop, threads, &results[0]) < 0) return -1;
    drop->name = name, drop->settling /= 5, drop->window /= 4, drop->parameter_count = 0;
    if (bench_drop(drop, threads, &results[1]) < 0) return -1;
    double part = results[0].simulated / results[1].simulated;
    results[1].ms_per_step *= part, results[1].cpu_ms_per_step *= part, results[1].passes *= part;
    results[1].particle_steps_per_second /= part, results[1].simulated = results[0].simulated;
    return 2;
}

int bench_sph_cube(int threads, bench_result *results, int capacity)
{
    bench_drop_def cube = {.name = "sph-cube-lattice", .method = "sph", .dimension = 3, .settling = 100, .window = 20};
    cube.spacing = 0.05, cube.parameters = &is_explicit, cube.parameter_count = 1;
    double half = 0.5 * SIDE * cube.spacing;
    cube.shape = dew_box((dew_vec3){-half, -half, -half}, (dew_vec3){half, half, half}), cube.fill = DEW_FILL_CUBIC;
    bench_drop_def drop = ball("sph-cube-ball", SIDE, 100, 20);
    if (capacity < 4) return 0;
    if (bench_both(&cube, "sph-cube-lattice-default", threads, results) < 0) return -1;
    return bench_both(&drop, "sph-cube-ball-default", threads, results + 2) < 0 ? -1 : 4;
}

int bench_sph_cube_1m(int threads, bench_result *results, int capacity)
{
    bench_drop_def drop = ball("sph-cube-1m", LARGE_SIDE, 10, 4);
    return capacity < 1 ? 0 : bench_drop(&drop, threads, results);
}

/* A drop of water, radius 1 mm, on a plate that it wets at 90 degrees, for the time in which it fell its radius; a
 * hundredth of that is the row's step. With explicit pressure and with implicit. */
int bench_sph_impact(int threads, bench_result *results, int capacity)
{
    static const struct {
        const char *name, *pressure;
    } ways[] = {{"explicit", "equation_of_state"}, {"projection", "projection"}};
    static const double webers[] = {1, 10, 100};
    const double radius = 1e-3;
    const dew_material_def water = dew_default_material_def();
    int rows = 0;
    for (int w = 0; w < 3; w++)
        for (int m = 0; m < 2 && rows < capacity; m++) {
            char name[48];
            double speed = sqrt(webers[w] * water.surface_tension / (water.density * 2 * radius));
            const dew_parameter_value parameters[] = {{.name = "pressure", .text = ways[m].pressure}};
            snprintf(name, sizeof name, "sph-impact-we%g-%s", webers[w], ways[m].name);
            const bench_impact_def impact = {.name = name,
                                             .method = "sph",
                                             .radius = radius,
                                             .spacing = radius / 10,
                                             .speed = speed,
                                             .contact_angle = 90,
                                             .time = radius / speed,
                                             .parts = 100,
                                             .parameters = parameters,
                                             .parameter_count = 1};
            if (bench_impact(&impact, threads, &results[rows++]) < 0) return -1;
        }
    return rows;
}
