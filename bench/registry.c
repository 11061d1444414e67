#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const bench_case bench_registry[] = {
    {"pair-kernel", "A density-and-normal kernel and a force kernel of 8 floats over 42875 particles at 99 neighbours",
     bench_pair_kernel},
    {"neighbours", "Sorting and building the lists of 10 K to 1 M particles at 99 neighbours", bench_neighbours},
    {"laplacian", "A pool's pressure and velocities by the shared solver, 97 K and 681 K particles", bench_laplacian},
    {"pbf-colliding-paper", "A frame of 1/30 s of two colliding cubes, pbf in the paper's mode, 100 iterations",
     bench_pbf_colliding_paper},
    {"pbf-colliding", "The same in the physical mode", bench_pbf_colliding},
    {"ddr-interactive",
     "The most particles that ddr moves 60 steps a second, by densities and by area: without springs and with",
     bench_ddr_interactive},
    {"sph-cube",
     "A step of sph, 42875 particles with tension: a lattice and a ball, and what its time takes by default steps",
     bench_sph_cube},
    {"sph-cube-1m", "The same ball of a million particles", bench_sph_cube_1m},
    {"sph-impact",
     "A hundredth of the time a drop falls its radius onto a plate, We 1, 10, 100: pressure explicit, implicit",
     bench_sph_impact},
    {"mpm-drop", "A step (ten substeps) of mpm, 137 K particles with surface tension: a ball and a disc",
     bench_mpm_drop},
    {"mpm-transfer", "mpm: P2G and G2P alone, 137 K particles of a ball", bench_mpm_transfer},
    {"mpm-impact", "mpm: a drop of 794 K particles strikes a floor: the time in which it falls 0.6 cells",
     bench_mpm_impact},
    {"mpm-implicit", "mpm: what sound takes for 20 cells, by 40 explicit substeps and by an implicit one",
     bench_mpm_implicit},
    {"mpm-velocities",
     "mpm: what waves take for 20 cells in a solid, under strong tension, and under viscosity: explicit and implicit",
     bench_mpm_velocities},
    {"pool", "A step of each method: water at rest in a box, 5920 particles", bench_pool},
    {"dam-break", "A step of each method: a dam that breaks, from 0.1 s on", bench_dam_break},
    {"nozzle", "A step of each method: a jet, from 6 ms on, while it comes out of its nozzle", bench_nozzle},
    {"honey", "A step of each method: a drop of honey, 10 Pa s, becomes round", bench_honey},
    {"tank", "The first steps of scenes/mps/catheter-two-liquids, by mps: the paper's whole tank", bench_tank},
    {"memory", "Peak memory a particle of pbf in both modes, between 97 K and 1 M particles", bench_memory},
    {0},
};

bench_result bench_row(const char *name, int particles, int threads)
{
    bench_result row = {.particles = particles, .threads = threads};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ms_per_step = row.cpu_ms_per_step = row.particle_steps_per_second = row.ns_per_pair = row.bytes_per_particle =
        row.passes = row.simulated = row.iterations = NAN;
    return row;
}

double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_cpu_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
