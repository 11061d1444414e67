#include "measure/least_squares.h"

#include <math.h>

void least_squares_add(least_squares *f, const double *row, double value, double weight)
{
    for (int i = 0; i < f->unknowns; i++) {
        double scaled = weight * row[i];
        for (int j = 0; j < f->unknowns; j++) f->a[i][j] += scaled * row[j];
        f->a[i][f->unknowns] += scaled * value;
    }
    f->rows++;
}

/* Gauss with partial pivoting. */
bool least_squares_solve(least_squares *f, double *x)
{
    int n = f->unknowns;
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(f->a[i][i]));
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(f->a[r][c]) > fabs(f->a[pivot][c])) pivot = r;
        if (!(fabs(f->a[pivot][c]) > 1e-13 * largest)) return false;
        for (int k = 0; k <= n; k++) {
            double t = f->a[c][k];
            f->a[c][k] = f->a[pivot][k], f->a[pivot][k] = t;
        }
        for (int r = c + 1; r < n; r++) {
            double s = f->a[r][c] / f->a[c][c];
            for (int k = c; k <= n; k++) f->a[r][k] -= s * f->a[c][k];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        x[r] = f->a[r][n];
        for (int k = r + 1; k < n; k++) x[r] -= f->a[r][k] * x[k];
        x[r] /= f->a[r][r];
    }
    return true;
}
