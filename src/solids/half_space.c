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

void half_space_fill(const half_space *s, double layer, real *filled)
{
    const double step = 1.0 / HALF_SPACE_STEPS;
    for (int k = 0; k <= HALF_SPACE_STEPS; k++) {
        int low = k > 0 ? k - 1 : 0, high = k < HALF_SPACE_STEPS ? k + 1 : k;
        double bend = (double)(s->slope[high] - s->slope[low]) / ((high - low) * step);
        filled[k] = s->sum[k] + (real)(layer * layer / 24 * bend);
    }
    filled[HALF_SPACE_STEPS + 1] = filled[HALF_SPACE_STEPS];
}

void half_space_fill_slope(const half_space *s, double layer, real *slope)
{
    const double step = 1.0 / HALF_SPACE_STEPS;
    for (int k = 0; k <= HALF_SPACE_STEPS; k++) {
        int middle = k == 0 ? 1 : k == HALF_SPACE_STEPS ? k - 1 : k;
        double bend = (double)(s->slope[middle - 1] - 2 * s->slope[middle] + s->slope[middle + 1]) / (step * step);
        slope[k] = s->slope[k] - (real)(layer * layer / 24 * bend);
    }
    slope[HALF_SPACE_STEPS + 1] = slope[HALF_SPACE_STEPS];
}
