/* Small matrices, by rows, in double: what large deformations need of them. */
#ifndef BASE_MATRIX_H
#define BASE_MATRIX_H

#include <stdbool.h>

/* The rotation R (determinant 1) nearest to F in 2 or 3 dimensions, which makes R^T F symmetric: the polar
 * decomposition by Irving, Teran, Fedkiw (2004), where a reflection goes to the smallest of the stretches, which is
 * below 0 then. Any F: where several rotations are as near, one of them. */
void matrix_rotation_2(const double f[2][2], double r[2][2]);
void matrix_rotation_3(const double f[3][3], double r[3][3]);

/* Eigenvalues of the symmetric matrix a (n x n, n <= 4, by rows), which is overwritten, and its eigenvectors, the
 * columns of `vectors`: a = vectors diag(values) vectors^T. Cyclic Jacobi rotations. */
void matrix_eigen(int n, double *a, double *values, double *vectors);

/* x of a x = b, a symmetric and positive: xx, yy, zz, yz, zx, xy. False, and x as it was, where its determinant is
 * below `least` times its trace cubed. */
bool matrix_solve_symmetric(const double a[6], const double b[3], double least, double x[3]);

static inline double matrix_determinant_3(const double f[3][3])
{
    return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) - f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
           f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

/* The inverse; returns the determinant. */
static inline double matrix_invert_3(const double a[3][3], double inverse[3][3])
{
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) {
            int p = (m + 1) % 3, q = (m + 2) % 3, r = (n + 1) % 3, s = (n + 2) % 3;
            inverse[n][m] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
        }
    double size = a[0][0] * inverse[0][0] + a[0][1] * inverse[1][0] + a[0][2] * inverse[2][0];
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) inverse[m][n] /= size;
    return size;
}

#endif
