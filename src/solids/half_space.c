#include "solids/half_space.h"

/* Integral of the kernel over the plane (in two dimensions the line) at the distance z from the centre. */
static double over_plane(double (*kernel)(double q), int dimension, double z)
{
    enum { STEPS = 200 };
    double half = sqrt(fmax(1 - z * z, 0)), sum = 0;
    for (int k = 0; k < STEPS; k++) {
        double t = half * (k + 0.5) / STEPS;
        sum += kernel(sqrt(z * z + t * t)) * (dimension == 3 ? 2 * PI * t : 2);
    }
    return sum * half / STEPS;
}

void half_space_make(half_space *t, double (*kernel)(double q), int dimension, double number)
{
    double beyond = 0, last = 0;
    t->sum[HALF_SPACE_STEPS] = t->slope[HALF_SPACE_STEPS] = 0;
    for (int k = HALF_SPACE_STEPS - 1; k >= 0; k--) {
        double here = number * over_plane(kernel, dimension, (double)k / HALF_SPACE_STEPS);
        beyond += (here + last) / 2 / HALF_SPACE_STEPS;
        t->sum[k] = (real)beyond, t->slope[k] = (real)here, last = here;
    }
    t->sum[HALF_SPACE_STEPS + 1] = t->slope[HALF_SPACE_STEPS + 1] = 0;
}
