/* The second derivative of an elastic solid's energy along E F, without its negative part: a matrix of strains for each
 * particle, for backward Euler (velocities.h). */
#ifndef METHODS_MPM_ANY_TANGENT_H
#define METHODS_MPM_ANY_TANGENT_H

#include "methods/mpm/any/grid.h"

enum { STRAINS = DIM == 3 ? 6 : 3 };

/* Stress, per cell, by strain, per cell: xx, yy, zz, yz, zx, xy (2D: xx, yy, xy); shear strains are e_xy, once. */
typedef struct tangent {
    real c[STRAINS][STRAINS];
} tangent;

/* Which of a matrix' elements each strain is. */
static const int strain_row[6] = {0, 1, DIM == 3 ? 2 : 0, DIM == 3 ? 1 : 0, DIM == 3 ? 2 : 0, 0};
static const int strain_column[6] = {0, 1, DIM == 3 ? 2 : 1, DIM == 3 ? 2 : 0, 0, 1};

/* dtau by E of the solid i, times `scale`. */
void solid_tangent(const mpm_elastic *elastic, const mpm_arrays *arrays, int i, double scale, tangent *t);

/* The stress of a solid, columns `out`, by the gradient of a motion, columns g. */
static inline void stress_by_strain(const tangent *t, const vquad g[DIM], vquad out[DIM])
{
    real e[STRAINS], s[STRAINS];
    for (int n = 0; n < STRAINS; n++)
        e[n] = (real)0.5 * (g[strain_column[n]][strain_row[n]] + g[strain_row[n]][strain_column[n]]);
    for (int m = 0; m < STRAINS; m++) {
        s[m] = 0;
        for (int n = 0; n < STRAINS; n++) s[m] += t->c[m][n] * e[n];
    }
#if DIM == 3
    out[0] = (vquad){s[0], s[5], s[4], 0}, out[1] = (vquad){s[5], s[1], s[3], 0}, out[2] = (vquad){s[4], s[3], s[2], 0};
#else
    out[0] = (vquad){s[0], s[2], 0, 0}, out[1] = (vquad){s[2], s[1], 0, 0};
#endif
}

#endif
