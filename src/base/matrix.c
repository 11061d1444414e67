#include "base/matrix.h"

#include <math.h>
#include <string.h>

/* --- eigenvalues --- */

/* Turns rows and columns p and q so that a[p][q] is 0. */
static void turn_pair(int n, double *a, double *vectors, int p, int q)
{
    double off = a[p * n + q], t, c, s;
    if (off == 0) return;
    double ratio = (a[q * n + q] - a[p * n + p]) / (2 * off);
    t = (ratio >= 0 ? 1 : -1) / (fabs(ratio) + hypot(1, ratio));
    c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        x = vectors[k * n + p], y = vectors[k * n + q];
        vectors[k * n + p] = c * x - s * y, vectors[k * n + q] = s * x + c * y;
    }
    a[p * n + q] = a[q * n + p] = 0;
}

void matrix_eigen(int n, double *a, double *values, double *vectors)
{
    enum { MOST_SWEEPS = 30 };
    for (int k = 0; k < n * n; k++) vectors[k] = k % (n + 1) == 0;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double off = 0, all = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                all += a[i * n + j] * a[i * n + j];
                if (i != j) off += a[i * n + j] * a[i * n + j];
            }
        if (!(off > 1e-32 * all)) break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) turn_pair(n, a, vectors, p, q);
    }
    for (int k = 0; k < n; k++) values[k] = a[k * n + k];
}

/* --- linear equations --- */

/* By cofactors, which are symmetric too. */
bool matrix_solve_symmetric(const double a[6], const double b[3], double least, double x[3])
{
    double xx = a[0], yy = a[1], zz = a[2], yz = a[3], zx = a[4], xy = a[5], trace = xx + yy + zz;
    const double c[6] = {yy * zz - yz * yz, xx * zz - zx * zx, xx * yy - xy * xy,
                         xy * zx - xx * yz, xy * yz - yy * zx, zx * yz - xy * zz};
    double determinant = xx * c[0] + xy * c[5] + zx * c[4];
    if (!(determinant > least * trace * trace * trace)) return false;
    x[0] = (c[0] * b[0] + c[5] * b[1] + c[4] * b[2]) / determinant;
    x[1] = (c[5] * b[0] + c[1] * b[1] + c[3] * b[2]) / determinant;
    x[2] = (c[4] * b[0] + c[3] * b[1] + c[2] * b[2]) / determinant;
    return true;
}

/* --- rotations --- */

void matrix_rotation_2(const double f[2][2], double r[2][2])
{
    double c = f[0][0] + f[1][1], s = f[1][0] - f[0][1], length = hypot(c, s);
    if (length > 0)
        c /= length, s /= length;
    else
        c = 1, s = 0;
    r[0][0] = r[1][1] = c, r[1][0] = s, r[0][1] = -s;
}

/* Cofactors: determinant times the inverse's transpose. */
static void cofactors(const double x[3][3], double c[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = x[i1][j1] * x[i2][j2] - x[i1][j2] * x[i2][j1];
        }
}

static double square_sum(const double x[3][3])
{
    double sum = 0;
    for (int k = 0; k < 9; k++) sum += x[k / 3][k % 3] * x[k / 3][k % 3];
    return sum;
}

/* Newton's iteration X <- (g X + X^-T/g)/2 (Higham 1986), for what is far from singular. */
static bool iterate_rotation(double x[3][3])
{
    enum { MOST_ITERATIONS = 12 };
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        double c[3][3], change = 0;
        cofactors(x, c);
        double det = x[0][0] * c[0][0] + x[0][1] * c[0][1] + x[0][2] * c[0][2];
        double g = sqrt(sqrt(square_sum(c) / square_sum(x)) / fabs(det));
        if (fabs(g - 1) < 0.01) g = 1; /* the plain iteration ends exactly */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double next = 0.5 * (g * x[i][j] + c[i][j] / (g * det));
                change += (next - x[i][j]) * (next - x[i][j]);
                x[i][j] = next;
            }
        if (change < 1e-15) return true; /* quadratic: what is left is its square */
    }
    return false;
}

/* The rotation by the quaternion that is the eigenvector of the largest eigenvalue of this matrix (Horn 1987): the
 * maximum of tr(R^T F) among all rotations, for any F. */
static void quaternion_rotation(const double f[3][3], double r[3][3])
{
    double xx = f[0][0], yy = f[1][1], zz = f[2][2];
    double a = f[2][1] - f[1][2], b = f[0][2] - f[2][0], c = f[1][0] - f[0][1];
    double xy = f[0][1] + f[1][0], xz = f[0][2] + f[2][0], yz = f[1][2] + f[2][1];
    double n[16] = {xx + yy + zz, a, b, c, a, xx - yy - zz, xy, xz, b, xy, yy - xx - zz, yz, c, xz, yz, zz - xx - yy};
    double values[4], vectors[16];
    matrix_eigen(4, n, values, vectors);
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (values[k] > values[best]) best = k;
    double w = vectors[best], x = vectors[4 + best], y = vectors[8 + best], z = vectors[12 + best];
    double length = sqrt(w * w + x * x + y * y + z * z);
    w /= length, x /= length, y /= length, z /= length;
    const double rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                   {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                   {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, rotation, sizeof rotation);
}

void matrix_rotation_3(const double f[3][3], double r[3][3])
{
    double largest = 0, x[3][3];
    for (int k = 0; k < 9; k++) largest = fmax(largest, fabs(f[k / 3][k % 3]));
    double scale = largest > 0 ? 1 / largest : 0;
    for (int k = 0; k < 9; k++) x[k / 3][k % 3] = scale * f[k / 3][k % 3];
    memcpy(r, x, sizeof x);
    /* Nearly singular, or a reflection: the iteration would be inaccurate, or end at a reflection. */
    if (matrix_determinant_3((const double(*)[3])x) > 1e-4 && iterate_rotation(r)) return;
    quaternion_rotation((const double(*)[3])x, r);
}
