/* What pair loops and neighbour lists cost: a jittered cubic lattice, support 3 spacings (99 neighbours in the middle),
 * skin 0.1 spacing. */
#include "bench.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "particles/kernels.h"
#include "particles/neighbours.h"
#include "particles/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 15, GRAIN = 64, SIDE = 35 };

typedef struct lattice {
    particles p;
    neighbours *n;
    real4 *density, *force; /* results */
    int64_t pairs;
    double support;
} lattice;

static void lattice_close(lattice *l)
{
    neighbours_destroy(l->n);
    particles_destroy(&l->p);
    aligned_release(l->density);
    aligned_release(l->force);
}

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / 16777216.0 - 0.5;
}

static dew_result lattice_open(lattice *l, int side)
{
    memset(l, 0, sizeof *l);
    l->support = 3;
    int count = side * side * side;
    RESULT_TRY(particles_create(&l->p));
    RESULT_TRY(neighbours_create(&l->n, l->support, 0.1));
    real4 *x = aligned_obtain((size_t)count * sizeof *x);
    size_t bytes = (size_t)(count + 4) * sizeof(real4);
    l->density = aligned_obtain(bytes), l->force = aligned_obtain(bytes);
    if (!x || !l->density || !l->force) {
        aligned_release(x);
        return result_fail(DEW_NO_MEMORY, "no memory for a lattice of %d particles", count);
    }
    memset(l->density, 0, bytes);
    memset(l->force, 0, bytes);
    uint64_t state = 1;
    for (int k = 0; k < count; k++) {
        double place[3] = {k % side, k / side % side, k / side / side};
        for (int a = 0; a < 3; a++) (&x[k].x)[a] = (real)(place[a] + 0.2 * next_random(&state));
        x[k].w = 1; /* the particle's volume */
    }
    dew_result result = particles_insert(&l->p, count, x, x, 0);
    aligned_release(x);
    RESULT_TRY(result);
    RESULT_TRY(neighbours_build(l->n, &l->p, NULL));
    l->pairs = neighbours_pair_count(l->n, &l->p);
    return DEW_OK;
}

typedef struct kernel_run {
    const lattice *l;
    pair_lists lists;
} kernel_run;

/* Density and the gradient of the colour field. */
static void density_and_normal(int begin, int end, void *context)
{
    const kernel_run *k = context;
    const real4 *position = k->l->p.position;
    vreal inverse = vset((real)(1 / k->l->support));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(position, block);
        vreal sum = vset(0), nx = vset(0), ny = vset(0), nz = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(position, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal r2 = dx * dx + dy * dy + dz * dz;
            vreal s = vmax(1 - vsqrt(r2) * inverse, vset(0));
            vreal w = b.w * s * s;
            sum += w * s;
            nx += w * dx, ny += w * dy, nz += w * dz;
        }
        pair_store4(k->l->density, block, nx, ny, nz, sum);
    }
}

/* Pressure and viscosity with the gradient of Wendland's kernel: eight floats of each neighbour (place, pressure;
 * velocity, volume). */
static void force_of_8(int begin, int end, void *context)
{
    const kernel_run *k = context;
    const real4 *position = k->l->p.position, *velocity = k->l->p.velocity;
    vreal inverse = vset((real)(1 / k->l->support)), nu = vset((real)0.01);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(position, block), v = pair_i(velocity, block);
        vreal fx = vset(0), fy = vset(0), fz = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(position, j), u = pair_j(velocity, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal s = vmax(1 - vsqrt(dx * dx + dy * dy + dz * dz) * inverse, vset(0));
            vreal slope = u.w * (s * s * s), pressure = (i.w + b.w) * slope, drag = nu * slope;
            fx += pressure * dx;
            fx += drag * (u.x - v.x);
            fy += pressure * dy;
            fy += drag * (u.y - v.y);
            fz += pressure * dz;
            fz += drag * (u.z - v.z);
        }
        pair_store4(k->l->force, block, fx, fy, fz, vset(0));
    }
}

static bench_result time_kernel(const lattice *l, const char *name, parallel_fcn *kernel, int threads)
{
    double times[RUNS];
    kernel_run run = {l, neighbours_lists(l->n)};
    for (int k = -1; k < RUNS; k++) { /* the first warms up */
        double start = bench_clock();
        parallel_for(PAIR_BLOCKS(l->p.count), GRAIN, kernel, &run);
        if (k >= 0) times[k] = bench_clock() - start;
    }
    double time = bench_median(times, RUNS);
    bench_result row = bench_row(name, l->p.count, threads);
    row.ms_per_step = 1e3 * time;
    row.particle_steps_per_second = l->p.count / time;
    row.ns_per_pair = 1e9 * time / (double)l->pairs;
    return row;
}

struct bench_pass {
    lattice l;
};

bench_pass *bench_pass_open(void)
{
    bench_pass *pass = calloc(1, sizeof *pass);
    if (pass && lattice_open(&pass->l, SIDE) == DEW_OK) return pass;
    bench_pass_close(pass);
    return NULL;
}

void bench_pass_run(const bench_pass *pass)
{
    kernel_run run = {&pass->l, neighbours_lists(pass->l.n)};
    parallel_for(PAIR_BLOCKS(pass->l.p.count), GRAIN, density_and_normal, &run);
}

void bench_pass_close(bench_pass *pass)
{
    if (pass) lattice_close(&pass->l);
    free(pass);
}

int bench_pair_kernel(int threads, bench_result *results, int capacity)
{
    lattice l;
    int rows = 0;
    parallel_set_threads(threads);
    threads = parallel_threads();
    dew_result result = lattice_open(&l, SIDE);
    if (result == DEW_OK && capacity >= 2) {
        results[rows++] = time_kernel(&l, "density-normal", density_and_normal, threads);
        results[rows++] = time_kernel(&l, "force-8", force_of_8, threads);
    }
    lattice_close(&l);
    return result == DEW_OK ? rows : -1;
}

/* Everything that neighbours_build does, after each particle has moved a little. */
static dew_result time_build(lattice *l, bench_result *row)
{
    double times[RUNS];
    int runs = l->p.count > 500000 ? 5 : RUNS;
    for (int k = -1; k < runs; k++) {
        uint64_t state = 7;
        for (int i = 0; i < l->p.count; i++) l->p.position[i].x += (real)(0.02 * next_random(&state));
        double start = bench_clock();
        RESULT_TRY(neighbours_build(l->n, &l->p, NULL));
        if (k >= 0) times[k] = bench_clock() - start;
    }
    double time = bench_median(times, runs);
    row->ms_per_step = 1e3 * time;
    row->particle_steps_per_second = l->p.count / time;
    row->ns_per_pair = 1e9 * time / (double)l->pairs;
    row->bytes_per_particle = (double)neighbours_bytes(l->n) / l->p.count;
    return DEW_OK;
}

int bench_neighbours(int threads, bench_result *results, int capacity)
{
    const int sides[] = {22, 35, 46, 100};
    const char *const names[] = {"build-10K", "build-43K", "build-100K", "build-1M"};
    int rows = 0;
    parallel_set_threads(threads);
    threads = parallel_threads();
    for (int k = 0; k < 4 && rows + 3 <= capacity; k++) {
        lattice l;
        dew_result result = lattice_open(&l, sides[k]);
        results[rows] = bench_row(names[k], l.p.count, threads);
        if (result == DEW_OK) result = time_build(&l, &results[rows++]);
        if (result == DEW_OK) {
            char name[32];
            snprintf(name, sizeof name, "density-normal%s", names[k] + 5);
            results[rows++] = time_kernel(&l, name, density_and_normal, threads);
            snprintf(name, sizeof name, "force-8%s", names[k] + 5);
            results[rows++] = time_kernel(&l, name, force_of_8, threads);
        }
        lattice_close(&l);
        if (result != DEW_OK) return -1;
    }
    return rows;
}
