#include "methods/ddr/wall_table.h"

/* Integral of w^power over the plane (in two dimensions the line) at the distance z from the centre. */
static double over_plane(int dimension, double z, int power)
{
    enum { STEPS = 200 };
    double half = sqrt(fmax(1 - z * z, 0)), sum = 0;
    for (int k = 0; k < STEPS; k++) {
        double t = half * (k + 0.5) / STEPS, w = fmax(1 - sqrt(z * z + t * t), 0);
        sum += (power == 2 ? w * w : w * w * w) * (dimension == 3 ? 2 * PI * t : 2);
    }
    return sum * half / STEPS;
}

static void make(real *sum, real *slope, int dimension, double number, int power)
{
    double beyond = 0, last = 0;
    sum[DDR_WALL_STEPS] = slope[DDR_WALL_STEPS] = 0;
    for (int k = DDR_WALL_STEPS - 1; k >= 0; k--) {
        double here = number * over_plane(dimension, (double)k / DDR_WALL_STEPS, power);
        beyond += (here + last) / 2 / DDR_WALL_STEPS;
        sum[k] = (real)beyond, slope[k] = (real)here, last = here;
    }
    sum[DDR_WALL_STEPS + 1] = slope[DDR_WALL_STEPS + 1] = 0;
}

void ddr_wall_table_make(ddr_wall_table *t, int dimension, double number)
{
    make(t->rho, t->slope, dimension, number, 2);
    make(t->rho_near, t->slope_near, dimension, number, 3);
    t->full = 2 * t->rho[0];
}
