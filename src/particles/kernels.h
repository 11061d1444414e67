/* Smoothing kernels. Cubic spline (Monaghan 1992; Koschier et al. 2019) of support h in its branchless form,
 * W = a (2 (1 - q)+^3 - (1 - 2q)+^3), q = r/h: a = 8/(pi h^3) in 3D, 40/(7 pi h^2) in 2D. */
#ifndef PARTICLES_KERNELS_H
#define PARTICLES_KERNELS_H

#include "base/simd.h"

#define KERNEL_PI 3.14159265358979323846

static inline double cubic_spline_norm(int dimension, double h)
{
    return dimension == 3 ? 8 / (KERNEL_PI * h * h * h) : 40 / (7 * KERNEL_PI * h * h);
}
/* W/a and (dW/dq)/a as functions of q >= 0. */
static inline real cubic_spline(real q)
{
    real s = q < 1 ? 1 - q : 0, t = q < (real)0.5 ? 1 - 2 * q : 0;
    return 2 * s * s * s - t * t * t;
}
static inline real cubic_spline_slope(real q)
{
    real s = q < 1 ? 1 - q : 0, t = q < (real)0.5 ? 1 - 2 * q : 0;
    return 6 * (t * t - s * s);
}
static inline vreal vcubic_spline(vreal q)
{
    vreal s = vmax(1 - q, vset(0)), t = vmax(1 - 2 * q, vset(0));
    return 2 * s * s * s - t * t * t;
}
static inline vreal vcubic_spline_slope(vreal q)
{
    vreal s = vmax(1 - q, vset(0)), t = vmax(1 - 2 * q, vset(0));
    return 6 * (t * t - s * s);
}

#endif
