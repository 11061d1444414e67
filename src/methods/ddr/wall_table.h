/* What a half space of liquid at rest adds to rho and rho_near of a particle outside of it. */
#ifndef METHODS_DDR_WALL_TABLE_H
#define METHODS_DDR_WALL_TABLE_H

#include "base/real.h"

enum { DDR_WALL_STEPS = 256 };

/* At d/h = k/DDR_WALL_STEPS, d the distance from the half space: the sums of w^2 and of w^3 in it, and minus their
 * derivatives by d/h. The last entry stands twice. */
typedef struct ddr_wall_table {
    real rho[DDR_WALL_STEPS + 2], rho_near[DDR_WALL_STEPS + 2];
    real slope[DDR_WALL_STEPS + 2], slope_near[DDR_WALL_STEPS + 2];
    real full; /* rho of all space */
} ddr_wall_table;

/* `number`: particles in h^dimension. */
void ddr_wall_table_make(ddr_wall_table *t, int dimension, double number);

/* Between the entries of one of the tables. */
static inline real ddr_wall_at(const real *table, real distance)
{
    real at = real_min(real_max(distance, 0), 1) * DDR_WALL_STEPS;
    int k = (int)at;
    return table[k] + (at - (real)k) * (table[k + 1] - table[k]);
}

#endif
