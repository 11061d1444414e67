#include "methods/mpm/any/tangent.h"

#include "base/matrix.h"
#include "methods/mpm/any/deformation.h"

/* --- elastic --- */

/* Second derivatives of psi by stretches, times these, without their negative part; and for each pair of axes what
 * multiplies the square of a shear strain. */
static void stretch_stiffness(const mpm_elastic *e, const double *s, double a[DIM * DIM], matrix sheared)
{
    double volume = 1, values[DIM], vectors[DIM * DIM], copy[DIM * DIM];
    for (int i = 0; i < DIM; i++) volume *= s[i];
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            double beside = 1; /* J/(s_i s_j), also where J is 0 */
            for (int k = 0; k < DIM; k++) beside *= k == i || k == j ? 1 : s[k];
            if (i == j)
                copy[i * DIM + j] = 2 * e->mu + e->lambda * beside * beside;
            else
                copy[i * DIM + j] = e->lambda * (2 * volume - 1) * beside;
            double sum = fmax(s[i] + s[j], 1e-3), press = e->lambda * (volume - 1) * beside;
            double even = fmax(2 * e->mu - press, 0), odd = fmax(2 * e->mu * (1 - 2 / sum) + press, 0);
            sheared[i][j] = 0.5 * (even * (s[i] + s[j]) * (s[i] + s[j]) + odd * (s[i] - s[j]) * (s[i] - s[j]));
        }
    matrix_eigen(DIM, copy, values, vectors);
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            a[i * DIM + j] = 0;
            for (int k = 0; k < DIM; k++)
                a[i * DIM + j] += vectors[i * DIM + k] * fmax(values[k], 0) * vectors[j * DIM + k];
            a[i * DIM + j] *= s[i] * s[j];
        }
}

/* out = a b, each of the two transposed first where it is said to be turned. */
static void multiply_matrices(matrix a, bool is_a_turned, matrix b, bool is_b_turned, matrix out)
{
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            out[i][j] = 0;
            for (int k = 0; k < DIM; k++)
                out[i][j] += (is_a_turned ? a[k][i] : a[i][k]) * (is_b_turned ? b[j][k] : b[k][j]);
        }
}

void solid_tangent(const mpm_elastic *elastic, const mpm_arrays *arrays, int i, double scale, tangent *t)
{
    matrix f, r, s, vectors, u, sheared;
    double stretch[DIM], a[DIM * DIM];
    load_deformation(arrays, i, f);
    matrix_rotation((const double(*)[DIM])f, r);
    multiply_matrices(r, true, f, false, s);
    matrix_eigen(DIM, &s[0][0], stretch, &vectors[0][0]);
    multiply_matrices(r, false, vectors, false, u);
    stretch_stiffness(elastic, stretch, a, sheared);
    for (int n = 0; n < STRAINS; n++) {
        matrix strain = {{0}}, half, own, stress;
        strain[strain_row[n]][strain_column[n]] = strain[strain_column[n]][strain_row[n]] = 1;
        multiply_matrices(u, true, strain, false, half), multiply_matrices(half, false, u, false, own);
        for (int j = 0; j < DIM; j++) {
            for (int k = 0; k < DIM; k++) stress[j][k] = 0.5 * sheared[j][k] * own[j][k];
            stress[j][j] = 0;
            for (int l = 0; l < DIM; l++) stress[j][j] += a[j * DIM + l] * own[l][l];
        }
        multiply_matrices(u, false, stress, false, half), multiply_matrices(half, false, u, true, strain);
        for (int m = 0; m < STRAINS; m++) t->c[m][n] = (real)(scale * strain[strain_row[m]][strain_column[m]]);
    }
}
