/* Smoothing kernels, as functions of q = r/h >= 0, h the support; v...: of vectors. Cubic spline (Monaghan 1992;
 * Koschier et al. 2019) of support h in its branchless form, W = a (2 (1 - q)+^3 - (1 - 2q)+^3), q = r/h: a = 8/(pi
 * h^3) in 3D, 40/(7 pi h^2) in 2D. */
#ifndef PARTICLES_KERNELS_H
#define PARTICLES_KERNELS_H

#include "base/simd.h"

static inline double cubic_spline_norm(int dimension, double h)
{
    return dimension == 3 ? 8 / (PI * h * h * h) : 40 / (7 * PI * h * h);
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

/* Wendland's C2 (1995): W = a (1 - q)+^4 (1 + 4 q), a = 21/(2 pi h^3) in 3D, 7/(pi h^2) in 2D; grad W = -20 a/h^2
 * (1 - q)+^3 (x_i - x_j): no division by r. */
static inline double wendland_norm(int dimension, double h)
{
    return dimension == 3 ? 21 / (2 * PI * h * h * h) : 7 / (PI * h * h);
}
/* W/a */
static inline real wendland(real q)
{
    real t = q < 1 ? 1 - q : 0, t2 = t * t;
    return t2 * t2 * (5 - 4 * t);
}
/* (dW/dq)/a */
static inline real wendland_slope(real q)
{
    real t = q < 1 ? 1 - q : 0;
    return -20 * q * t * t * t;
}
static inline vreal vwendland(vreal q)
{
    vreal t = vmax(1 - q, vset(0));
    return t * t * t * t * (1 + 4 * q);
}

/* The fraction of it beyond a plane at distance u h from the centre, u = 1 and more: 0, u = -1 and less: 1; and minus
 * its derivative by u, the area integral of W over the plane. For the outside of a plane the first moment -integral of
 * grad W (x) r has the tangential part D and the normal part D + u (-dD/du), D the fraction: so 1 - D is the factor by
 * which an unfilled kernel weakens gradients along the surface. */
static inline real wendland_beyond(real u)
{
    real t = 1 - fabs(u);
    t = t > 0 ? t : 0;
    real t3 = t * t * t, beyond = t3 * t3 * ((real)3.5 - (real)4.5 * t + (real)1.5 * t * t);
    return u < 0 ? 1 - beyond : beyond;
}
static inline real wendland_beyond_slope(real u)
{
    real t = 1 - fabs(u);
    t = t > 0 ? t : 0;
    real t2 = t * t;
    return 21 * t2 * t2 * t * (1 - (real)1.5 * t + (real)(4.0 / 7) * t2);
}

/* The same fraction where what lies beyond the plane is layers `thick` times h apart, the first half of that behind the
 * plane, as liquid at rest lies: to 3e-4 the sums of a lattice up to the plane, completed by this, are those of one
 * without end, its moments too. The fraction itself is more than that of layers by a twentieth half a spacing before
 * the plane, by half at one and a half (h of 3 spacings). And minus its derivative by u. */
static inline real wendland_layers(real u, real thick)
{
    real sum = 0;
    for (real at = u + thick / 2; at < 1; at += thick) sum += wendland_beyond_slope(at);
    return thick * sum;
}
static inline real wendland_layers_slope(real u, real thick)
{
    real sum = 0;
    for (real at = u + thick / 2; at < 1; at += thick) {
        real t = 1 - fabs(at), t2 = t > 0 ? t * t : 0;
        sum += (at < 0 ? -21 : 21) * t2 * t2 * (1 - t) * (5 - 4 * t);
    }
    return thick * sum;
}

#endif
