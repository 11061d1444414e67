/* Elastic solids: fixed-corotated (Stomakhin et al. 2012; the paper's section 3.2), energy per volume at rest
 *
 *     psi(F) = mu sum (s_k - 1)^2 + lambda/2 (J - 1)^2,   s_k the stretches of F, J = det F
 *
 * so that the stress times J, which a particle's volume at rest turns into a force, is
 *
 *     tau = dpsi/dF F^T = 2 mu (F - R) F^T + lambda (J - 1) J I
 *
 * A particle keeps F - I, so that small strains keep their digits. It carries its own J, no mean of a cube's: what is
 * elastic in shape needs none. In two dimensions the solid is in plane strain.
 *
 * A material is solid everywhere, or, where it has a melting point, where less than half of it has melted. On melting J
 * stays, on freezing F = J^(1/d) I: the paper's reset to 1 would lose volume each time. */
#ifndef METHODS_MPM_ANY_DEFORMATION_H
#define METHODS_MPM_ANY_DEFORMATION_H

#include "base/matrix.h"
#include "methods/mpm/any/grid.h"

typedef double matrix[DIM][DIM];

#if DIM == 3
#define matrix_rotation matrix_rotation_3
#else
#define matrix_rotation matrix_rotation_2
#endif

static inline int material_of(const mpm_arrays *a, int i) { return a->material ? a->material[i] : 0; }
static inline bool is_solid(const mpm_arrays *a, int i) { return a->deformation[0][i].w > 0; }

/* F = I + what the particle keeps. */
static inline void load_deformation(const mpm_arrays *a, int i, matrix f)
{
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) f[r][c] = (double)(&a->deformation[c][i].x)[r] + (r == c);
}

static inline void store_deformation(const mpm_arrays *a, int i, matrix f)
{
    for (int c = 0; c < DIM; c++) {
        real4 *to = &a->deformation[c][i];
        for (int r = 0; r < DIM; r++) (&to->x)[r] = (real)(f[r][c] - (r == c));
    }
}

/* J - 1, without losing its digits. */
static inline double volume_strain(const mpm_arrays *a, int i)
{
    double g[3][3] = {{0}};
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) g[r][c] = (double)(&a->deformation[c][i].x)[r];
    double first = g[0][0] + g[1][1] + g[2][2];
    double second = g[0][0] * g[1][1] - g[0][1] * g[1][0] + g[0][0] * g[2][2] - g[0][2] * g[2][0] + g[1][1] * g[2][2] -
                    g[1][2] * g[2][1];
    return first + second + matrix_determinant_3((const double(*)[3])g);
}

/* tau of a particle, Pa. */
void solid_stress(const mpm_elastic *e, const mpm_arrays *a, int i, matrix tau);

/* F <- (I + dt grad v) F; slope: columns of dt grad v. */
static inline void deform(const mpm_arrays *a, int i, const vquad slope[DIM])
{
    matrix f;
    load_deformation(a, i, f);
    for (int c = 0; c < DIM; c++) {
        vquad change = quad_set(0);
        for (int k = 0; k < DIM; k++) change += (real)f[k][c] * slope[k];
        const vquad xyz = {1, 1, 1, 0};
        quad_store(&a->deformation[c][i], quad_load(&a->deformation[c][i]) + xyz * change);
    }
    a->strain[i] = (real)volume_strain(a, i);
}

/* Finds who is solid from now on. */
void change_phases(int begin, int end, void *context);

#endif
