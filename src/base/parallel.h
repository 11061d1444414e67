/* Loops over ranges in parallel, and sums whose bytes do not depend on the number of threads. Each thread that calls
 * has workers of its own, made on first use, which end when it ends; loops within a piece run in the piece's thread. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

typedef void parallel_fcn(int begin, int end, void *context);

/* How many threads loops started from this thread use; 0 = all cores. Set by a simulation on entry. */
void parallel_set_threads(int threads);
int parallel_threads(void);

/* Calls fcn over [0, count) cut into fixed pieces of `grain` (the last one shorter); pieces run in any order, on any
 * thread. What a piece writes must depend on its own range alone. */
void parallel_for(int count, int grain, parallel_fcn *fcn, void *context);

/* Adds `columns` (<= 32) double sums over [0, count): fcn adds its range's terms to sums[0..columns). Fixed blocks,
 * added in order. */
typedef void parallel_sum_fcn(int begin, int end, void *context, double *sums);
void parallel_sum(int count, int columns, parallel_sum_fcn *fcn, void *context, double *sums);
/* Finds maxima as parallel_sum finds sums; they start at -infinity. */
void parallel_max(int count, int columns, parallel_sum_fcn *fcn, void *context, double *maxima);

/* Exclusive prefix sum of counts[0..count) in place; returns the total. */
int parallel_prefix_sum(int count, int *counts);

#endif
