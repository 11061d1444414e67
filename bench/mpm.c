/* The material point method whole: a step of a drop of 137 K particles in three dimensions and in two, with surface
 * tension and without gravity. A step is ten substeps on one contour: what a particle costs a substep is the step's
 * time over ten times the particles. */
#include "bench.h"

#include <math.h>

enum { PARTICLES = 137000 };

int bench_mpm_drop(int threads, bench_result *results, int capacity)
{
    const double pi = 3.14159265358979, radius = 1e-3;
    bench_drop_def drop = {.name = "mpm-drop", .method = "mpm", .dimension = 3, .settling = 5, .window = 1};
    drop.shape = dew_sphere((dew_vec3){0, 0, 0}, radius), drop.fill = dew_default_liquid_def().fill;
    drop.spacing = radius * cbrt(4 * pi / 3 / PARTICLES);
    if (capacity < 2) return 0;
    if (bench_drop(&drop, threads, &results[0]) < 0) return -1;
    drop.name = "mpm-disc", drop.dimension = 2, drop.spacing = radius * sqrt(pi / PARTICLES);
    return bench_drop(&drop, threads, &results[1]) < 0 ? -1 : 2;
}
