/* The smoothed particle method whole: a step of 42,875 particles with surface tension and without gravity, as the cube
 * on a lattice that it starts as and as a ball, whose particles have no order. Another program takes 31 to 39 ms for
 * it. The same ball of a million. */
#include "bench.h"

#include <math.h>

enum { SIDE = 35, LARGE_SIDE = 100 };

/* A ball of side^3 particles, spacing 0.05 m. */
static bench_drop_def ball(const char *name, int side, int settling, int window)
{
    bench_drop_def drop = {.name = name, .method = "sph", .dimension = 3, .settling = settling, .window = window};
    drop.spacing = 0.05, drop.fill = DEW_FILL_RELAXED;
    drop.shape = dew_sphere((dew_vec3){0, 0, 0}, 0.5 * side * drop.spacing * cbrt(6 / 3.14159265358979));
    return drop;
}

int bench_sph_cube(int threads, bench_result *results, int capacity)
{
    bench_drop_def drop = {.name = "sph-cube-lattice", .method = "sph", .dimension = 3, .settling = 100, .window = 20};
    drop.spacing = 0.05;
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
