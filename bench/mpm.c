/* The material point method whole: a step of a drop of 137 K particles in three dimensions and in two, with surface
 * tension and without gravity. A step is ten substeps on one contour: what a particle costs a substep is the step's
 * time over ten times the particles. */
#include "bench.h"

#include <math.h>
#include <string.h>

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

/* The drop of Chen et al. 2021, 6.3, 794 K particles, as it strikes its floor after a fall of 2.5 m: a row's step is
 * one of the paper's, in which the drop falls 0.6 cells. */
int bench_mpm_impact(int threads, bench_result *results, int capacity)
{
    const double pi = 3.14159265358979, radius = 0.15, speed = 7, cell = 2;
    enum { IMPACT_PARTICLES = 794000, STEPS = 4 };
    dew_material_def liquid = dew_default_material_def();
    liquid.density = 10, liquid.viscosity = 0, liquid.surface_tension = 5;
    bench_impact_def impact = {
        .name = "mpm-impact", .method = "mpm", .material = &liquid, .radius = radius, .speed = speed, .parts = STEPS};
    impact.spacing = radius * cbrt(4 * pi / 3 / IMPACT_PARTICLES), impact.contact_angle = 180;
    impact.time = STEPS * 0.6 * cell * impact.spacing / speed;
    return capacity < 1 ? 0 : bench_impact(&impact, threads, results);
}

/* One time, 20 dx/c, is gone through by 40 explicit substeps on one contour and by one implicit substep, a quarter of a
 * step, whose limit by capillary waves it is: (c dt/dx)^2 = rho c^2 dx/(2 pi gamma). */
int bench_mpm_implicit(int threads, bench_result *results, int capacity)
{
    const double pi = 3.14159265358979, radius = 1e-3, cell = 2, courant = 20, step = 0.5;
    static const struct {
        const char *name, *solver;
        int dimension, particles;
    } cases[] = {
        {"explicit-3d", "explicit", 3, PARTICLES},
        {"implicit-3d", "implicit", 3, PARTICLES},
        {"explicit-3d-small", "explicit", 3, PARTICLES / 16},
        {"implicit-3d-small", "implicit", 3, PARTICLES / 16},
        {"explicit-2d", "explicit", 2, PARTICLES / 16},
        {"implicit-2d", "implicit", 2, PARTICLES / 16},
    };
    int count = sizeof cases / sizeof *cases;
    if (capacity < count) return 0;
    const dew_material_def water = dew_default_material_def();
    for (int k = 0; k < count; k++) {
        int d = cases[k].dimension;
        double volume = d == 3 ? 4 * pi / 3 : pi, spacing = radius * pow(volume / cases[k].particles, 1.0 / d);
        double dx = cell * spacing, capillary = sqrt(2 * pi * water.surface_tension / (water.density * dx));
        const dew_parameter_value parameters[] = {{"cell", cell, NULL},
                                                  {"sound_speed", 1.001 * courant * capillary, NULL},
                                                  {"step", step, NULL},
                                                  {"reuse", courant / step, NULL},
                                                  {"solver", 0, cases[k].solver}};
        bench_drop_def drop = {.name = cases[k].name, .method = "mpm", .dimension = d, .settling = 5, .window = 1};
        drop.shape = dew_sphere((dew_vec3){0, 0, 0}, radius), drop.fill = dew_default_liquid_def().fill;
        drop.spacing = spacing, drop.parameters = parameters, drop.parameter_count = 5;
        drop.parts = strcmp(cases[k].solver, "implicit") == 0 ? 4 : 1;
        if (bench_drop(&drop, threads, &results[k]) < 0) return -1;
    }
    return count;
}

/* Stretches and squeezes the ball. */
static void stir(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = inputs[0][i];
}

/* The time that waves take for 20 cells, by the substeps of each solver: of an elastic solid; of a drop whose capillary
 * limit is a third of that (3 implicit substeps), and of one whose viscous limit is a fiftieth. */
int bench_mpm_velocities(int threads, bench_result *results, int capacity)
{
    const double pi = 3.14159265358979, radius = 1e-3, courant = 20;
    enum { SOLID, TENSION, VISCOUS };
    static const struct {
        const char *name, *solver;
        int kind, reuse, parts;
    } cases[] = {{"solid-explicit", "explicit", SOLID, 40, 1},
                 {"solid-backward-euler", "backward_euler", SOLID, 1, 1},
                 {"tension-explicit", "explicit", TENSION, 40, 1},
                 {"tension-implicit", "implicit", TENSION, 3, 1},
                 {"tension-backward-euler", "backward_euler", TENSION, 2, 2},
                 {"viscous-explicit", "explicit", VISCOUS, 50, 1},
                 {"viscous-implicit", "implicit", VISCOUS, 4, 4}};
    int count = sizeof cases / sizeof *cases;
    if (capacity < count) return 0;
    for (int k = 0; k < count; k++) {
        double spacing = radius * cbrt(4 * pi / 3 / (PARTICLES / 16)), dx = 2 * spacing;
        dew_material_def m = dew_default_material_def();
        double capillary = sqrt(2 * pi * m.surface_tension / (m.density * dx));
        double sound = cases[k].kind == TENSION ? 1.001 * courant / 3 * capillary : 1.001 * courant * capillary;
        m.viscosity = cases[k].kind == VISCOUS ? m.density * dx * sound * 50 / (12 * courant) : 0;
        m.youngs_modulus = cases[k].kind == SOLID ? m.density * sound * sound : 0;
        const dew_parameter_value parameters[] = {
            {"sound_speed", sound, NULL}, {"reuse", cases[k].reuse, NULL}, {"solver", 0, cases[k].solver}};
        bench_drop_def drop = {.name = cases[k].name, .method = "mpm", .dimension = 3, .settling = 2, .window = 1};
        drop.shape = dew_sphere((dew_vec3){0, 0, 0}, radius), drop.fill = dew_default_liquid_def().fill;
        drop.material = &m, drop.velocity_of = (dew_function){stir, NULL};
        drop.spacing = spacing, drop.parameters = parameters, drop.parameter_count = 3, drop.parts = cases[k].parts;
        if (bench_drop(&drop, threads, &results[k]) < 0) return -1;
    }
    return count;
}
