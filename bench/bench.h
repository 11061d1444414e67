/* Measurements that `dew bench` runs. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "dew/dew.h"

#include <stddef.h>

/* One row; figures that do not apply are NaN. */
typedef struct bench_result {
    char name[48];
    const char *method; /* NULL: none */
    int particles, threads;
    double ms_per_step, cpu_ms_per_step /* of all threads together */;
    double passes; /* that CPU time over a density pass of 42,875 particles */
    double particle_steps_per_second, ns_per_pair, bytes_per_particle;
    double iterations; /* of a solver */
    double simulated;  /* s a step, mean over the windows of bench_drop and bench_scene */
} bench_result;

/* Runs a case with so many threads (0: all cores); writes at most `capacity` rows and returns how many, or -1 after a
 * failure, with dew_message(). */
typedef int bench_case_fcn(int threads, bench_result *results, int capacity);

typedef struct bench_case {
    const char *name, *sentence;
    bench_case_fcn *run;
} bench_case;

/* Every case, ended by one without a name. */
extern const bench_case bench_registry[];

/* --- for cases --- */

/* A row without figures. */
bench_result bench_row(const char *name, int particles, int threads);
/* Wall-clock time, s. */
double bench_clock(void);
/* CPU time of all threads together, s: it does not see what else the machine does. */
double bench_cpu_clock(void);
/* The density pass of pair-kernel, to be run between what is timed: how fast the machine is just then. NULL without
 * memory. */
typedef struct bench_pass bench_pass;
bench_pass *bench_pass_open(void);
void bench_pass_run(const bench_pass *pass);
void bench_pass_close(bench_pass *pass);
/* Median of values[0..count), which are put in order. */
double bench_median(double *values, int count);

/* A drop of water in free space, of a shape in m: `settling` steps pass, then nine windows of `window` steps are timed;
 * after each step come two density passes, the second is timed. */
typedef struct bench_drop_def {
    const char *name, *method;
    int dimension, settling, window;
    int parts;      /* of a step that a row is for; 0: 1 */
    double spacing; /* m */
    dew_shape_def shape;
    dew_fill fill;
    const dew_material_def *material;      /* NULL: water */
    dew_function velocity_of;              /* along x; none: at rest */
    const dew_parameter_value *parameters; /* of the method */
    int parameter_count;
} bench_drop_def;

/* Medians of a step, into one row; 1, or -1 after a failure. */
int bench_drop(const bench_drop_def *drop, int threads, bench_result *row);

/* A scene as text, at a spacing (m) of its own: it runs to `start` (s), then nine windows of `window` of the method's
 * own steps are timed as those of bench_drop. */
typedef struct bench_scene_def {
    const char *name, *text;
    double spacing, start;
    int window;
} bench_scene_def;

/* By a method, medians of a step into one row, NAME-METHOD; 1, or -1 after a failure. */
int bench_scene(const bench_scene_def *of, const char *method, int threads, bench_result *row);

/* A drop that falls on a plate, from its touch on, without gravity: a row's step is the time over `parts`, however many
 * steps of the method that takes. */
typedef struct bench_impact_def {
    const char *name, *method;
    const dew_material_def *material; /* NULL: water */
    double radius, spacing;           /* m */
    double speed;                     /* m/s */
    double contact_angle;             /* degrees */
    double time;                      /* s */
    int parts;
    const dew_parameter_value *parameters; /* of the method */
    int parameter_count;
} bench_impact_def;

/* Into one row; 1, or -1 after a failure. */
int bench_impact(const bench_impact_def *impact, int threads, bench_result *row);

bench_case_fcn bench_ddr_interactive, bench_pair_kernel, bench_neighbours, bench_pbf_colliding_paper,
    bench_pbf_colliding, bench_memory, bench_sph_cube, bench_sph_cube_1m, bench_sph_impact, bench_mpm_drop,
    bench_mpm_implicit, bench_mpm_velocities, bench_mpm_impact, bench_mpm_transfer, bench_pool, bench_dam_break,
    bench_nozzle, bench_honey, bench_tank, bench_laplacian;

#endif
