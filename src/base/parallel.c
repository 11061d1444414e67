#include "base/parallel.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 256, SUM_BLOCKS = 256, SUM_COLUMNS = 32, SUM_MIN_BLOCK = 512 };

static _Thread_local int thread_count;

void parallel_set_threads(int threads) { thread_count = threads; }

int parallel_threads(void) { return thread_count > 0 ? thread_count : omp_get_num_procs(); }

/* The pieces of a thread: the same range in every pass, so what it works on stays in its cache; once it has none left
 * it helps the others. */
typedef struct share {
    _Alignas(64) atomic_int next;
    int end;
} share;

void parallel_for(int count, int grain, parallel_fcn *fcn, void *context)
{
    if (count <= 0) return;
    int pieces = (count + grain - 1) / grain, threads = parallel_threads();
    if (threads > pieces) threads = pieces;
    if (threads == 1) {
        for (int k = 0; k < pieces; k++) fcn(k * grain, k + 1 < pieces ? (k + 1) * grain : count, context);
        return;
    }
    share shares[MOST_THREADS];
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    for (int t = 0; t < threads; t++) {
        atomic_init(&shares[t].next, (int)((long long)pieces * t / threads));
        shares[t].end = (int)((long long)pieces * (t + 1) / threads);
    }
#pragma omp parallel num_threads(threads)
    for (int t = 0; t < threads; t++) {
        share *s = &shares[(omp_get_thread_num() + t) % threads];
        for (int k; (k = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed)) < s->end;)
            fcn(k * grain, k + 1 < pieces ? (k + 1) * grain : count, context);
    }
}

/* The number of blocks depends on count alone; there are few enough of them to live on the stack. */
typedef struct reduction {
    double partial[SUM_BLOCKS][SUM_COLUMNS];
    int count, blocks;
    double start;
    parallel_sum_fcn *fcn;
    void *context;
} reduction;

static void reduce_blocks(int begin, int end, void *context)
{
    reduction *r = context;
    for (int b = begin; b < end; b++) {
        for (int c = 0; c < SUM_COLUMNS; c++) r->partial[b][c] = r->start;
        long long first = (long long)r->count * b / r->blocks, last = (long long)r->count * (b + 1) / r->blocks;
        r->fcn((int)first, (int)last, r->context, r->partial[b]);
    }
}

static void reduce(reduction *r, int count, double start, parallel_sum_fcn *fcn, void *context)
{
    int blocks = (count + SUM_MIN_BLOCK - 1) / SUM_MIN_BLOCK;
    r->blocks = blocks > SUM_BLOCKS ? SUM_BLOCKS : blocks;
    r->count = count, r->start = start, r->fcn = fcn, r->context = context;
    parallel_for(r->blocks, 1, reduce_blocks, r);
}

void parallel_sum(int count, int columns, parallel_sum_fcn *fcn, void *context, double *sums)
{
    reduction r;
    reduce(&r, count, 0, fcn, context);
    for (int c = 0; c < columns; c++) {
        sums[c] = 0;
        for (int b = 0; b < r.blocks; b++) sums[c] += r.partial[b][c];
    }
}

void parallel_max(int count, int columns, parallel_sum_fcn *fcn, void *context, double *maxima)
{
    reduction r;
    reduce(&r, count, -INFINITY, fcn, context);
    for (int c = 0; c < columns; c++) {
        maxima[c] = -INFINITY;
        for (int b = 0; b < r.blocks; b++) maxima[c] = fmax(maxima[c], r.partial[b][c]);
    }
}

int parallel_prefix_sum(int count, int *counts)
{
    int total = 0;
    for (int i = 0; i < count; i++) {
        int c = counts[i];
        counts[i] = total;
        total += c;
    }
    return total;
}
