/* What a half space of liquid at rest adds to a sum of kernels at a point outside of it: how solids, which have no
 * particles in them, are thought filled. */
#ifndef SOLIDS_HALF_SPACE_H
#define SOLIDS_HALF_SPACE_H

#include "base/real.h"

enum { HALF_SPACE_STEPS = 256 };

/* At u = d/h = k/HALF_SPACE_STEPS, d the distance from the half space, h the reach of the kernel: its sum over the half
 * space, and minus the derivative of that by u. The last entry stands twice. */
typedef struct half_space {
    real sum[HALF_SPACE_STEPS + 2], slope[HALF_SPACE_STEPS + 2];
} half_space;

/* `kernel`: of q = r/h, 0 from q = 1 on. `number`: particles in h^dimension. */
void half_space_make(half_space *t, double (*kernel)(double q), int dimension, double number);

/* Next to a wall liquid lies in layers, the first half of `layer` (over h) away, and so does what is thought behind it:
 * of an integral over u their sum is the midpoint rule, layer^2/24 of the integrand's slope there away from it.
 * `filled`, HALF_SPACE_STEPS + 2 entries, gets the sum of s with that. Without it a wall pushes off by 0.02 to 0.03
 * spacings, and a pool ten spacings wide is 1 % too deep. */
void half_space_fill(const half_space *s, double layer, real *filled);
/* Minus the derivative of `filled` by u: how a solid that is filled so slopes. */
void half_space_fill_slope(const half_space *s, double layer, real *slope);

/* Between the entries of one of the tables; within the half space as at its surface. */
static inline real half_space_at(const real *table, real u)
{
    real at = real_min(real_max(u, 0), 1) * HALF_SPACE_STEPS;
    int k = (int)at;
    return table[k] + (at - (real)k) * (table[k + 1] - table[k]);
}

#endif
