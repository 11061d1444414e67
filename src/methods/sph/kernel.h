/* The kernel of sph: Wendland's C2 (eq. 8 of the paper with its support at 2h), W = K t^4 (5 - 4t)/V0, t = 1 - r/H. Its
 * gradient is grad W = -G t^3 (x_i - x_j)/(V0 H^2): no division by r. What lies beyond a plane at distance u H from the
 * centre is a polynomial:
 *
 *     fraction D(u) = integral of W,  area integral of W over the plane = -dD/du.
 *
 * For the outside of a plane the first moment -integral of grad W (x) r has the tangential part D and the normal part D
 * + u (-dD/du): so 1 - D is the factor by which an unfilled kernel weakens gradients along the surface. */
#ifndef METHODS_SPH_KERNEL_H
#define METHODS_SPH_KERNEL_H

#include "base/simd.h"

static inline real wendland(real q)
{
    real t = q < 1 ? 1 - q : 0, t2 = t * t;
    return t2 * t2 * (5 - 4 * t);
}

/* The fraction of the kernel beyond a plane at distance u H; u = 1 and more: 0, u = -1 and less: 1. */
static inline real wendland_beyond(real u)
{
    real t = 1 - fabs(u);
    t = t > 0 ? t : 0;
    real t3 = t * t * t, beyond = t3 * t3 * ((real)3.5 - (real)4.5 * t + (real)1.5 * t * t);
    return u < 0 ? 1 - beyond : beyond;
}

/* -dD/du. */
static inline real wendland_slope(real u)
{
    real t = 1 - fabs(u);
    t = t > 0 ? t : 0;
    real t2 = t * t;
    return 21 * t2 * t2 * t * (1 - (real)1.5 * t + (real)(4.0 / 7) * t2);
}

#endif
