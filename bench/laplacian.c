/* What a solution of the shared systems takes (laplacian/): of a pool's pressure, and of its velocities with plain and
 * with central pairs (Monaghan's viscosity). */
#include "bench.h"

#include "base/parallel.h"
#include "laplacian_system.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 5 };

/* Weights, preconditioner and solution from 0 to 1e-3: medians. */
static dew_result time_system(laplacian_system *s, double number, bench_result *row)
{
    double wall[RUNS], cpu[RUNS];
    int iterations = 0;
    for (int k = 0; k < RUNS; k++) {
        RESULT_TRY(laplacian_system_make(s, number));
        double start = bench_clock(), cpu_start = bench_cpu_clock();
        RESULT_TRY(laplacian_system_solve(s, 1e-3, &iterations));
        wall[k] = 1e3 * (bench_clock() - start), cpu[k] = 1e3 * (bench_cpu_clock() - cpu_start);
    }
    row->ms_per_step = bench_median(wall, RUNS), row->cpu_ms_per_step = bench_median(cpu, RUNS);
    row->iterations = iterations;
    return DEW_OK;
}

static dew_result time_pool(int side, double reach, int threads, bench_result *results, int *rows)
{
    const double numbers[] = {0, 0.1, 10, 1000, 0.1, 10, 1000};
    laplacian_system s;
    dew_result result = laplacian_system_open(&s, side, reach);
    for (int k = 0; k < 7 && result == DEW_OK; k++) {
        char name[48] = "pressure";
        s.is_central = k > 3;
        if (k) snprintf(name, sizeof name, "%s-%g", s.is_central ? "central" : "velocity", numbers[k]);
        size_t end = strlen(name);
        snprintf(name + end, sizeof name - end, "-reach-%g", reach);
        results[*rows] = bench_row(name, s.p.count, threads);
        result = time_system(&s, numbers[k], &results[(*rows)++]);
    }
    laplacian_system_close(&s);
    return result;
}

int bench_laplacian(int threads, bench_result *results, int capacity)
{
    const int sides[] = {46, 88};
    const double reaches[] = {2.1, 3.1};
    int rows = 0;
    parallel_set_threads(threads);
    threads = parallel_threads();
    for (int k = 0; k < 4 && rows + 7 <= capacity; k++)
        if (time_pool(sides[k / 2], reaches[k % 2], threads, results, &rows) != DEW_OK) return -1;
    return rows;
}
