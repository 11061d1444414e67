/* Numbers, vectors and functions of the public interface. SI units throughout. */
#ifndef DEW_TYPES_H
#define DEW_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The scalar of particle arrays, chosen when dew is built (meson -Dreal=float|double; dew.pc carries the flag). */
#ifdef DEW_REAL_DOUBLE
typedef double dew_real;
#else
typedef float dew_real;
#endif

typedef struct dew_vec3 {
    double x, y, z;
} dew_vec3;

/* A function over a block of values: for each i in [0, count) writes output[i] from inputs[k][i]. What the inputs are
 * (x, y, z; t; T) is said where a function is used. dew calls it from one thread at a time. It must depend on nothing
 * but its inputs, or results are no longer reproducible. A function whose `evaluate` is NULL is absent. */
typedef struct dew_function {
    void (*evaluate)(void *context, int count, const double *const *inputs, double *output);
    void *context;
} dew_function;

#endif
