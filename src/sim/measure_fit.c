/* Fits to surface points: modes of oscillation and spherical caps. */
#include "sim/measure.h"

#include <string.h>

enum { FIT_MAX = 8, FIT_MIN_POINTS = 20 };

/* Normal equations of a linear least-squares fit, filled row by row. */
typedef struct fit {
    int unknowns, rows;
    double a[FIT_MAX][FIT_MAX + 1];
} fit;

static void fit_add(fit *f, const double *row, double value)
{
    for (int i = 0; i < f->unknowns; i++) {
        for (int j = 0; j < f->unknowns; j++) f->a[i][j] += row[i] * row[j];
        f->a[i][f->unknowns] += row[i] * value;
    }
    f->rows++;
}

/* Gauss with partial pivoting; false when the points do not determine the unknowns. */
static bool fit_solve(fit *f, double *x)
{
    int n = f->unknowns;
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(f->a[i][i]));
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++) {
            if (fabs(f->a[r][c]) > fabs(f->a[pivot][c])) pivot = r;
        }
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

bool measure_modes(const real4 *points, int count, dew_vec3 centre, double radius, double spacing,
                   double amplitudes[MODE_COUNT])
{
    fit f = {.unknowns = MODE_LAST + 1};
    for (int i = 0; i < count; i++) {
        dew_vec3 d = vec3_sub((dew_vec3){points[i].x, points[i].y, points[i].z}, centre);
        double r = vec3_length(d), p[MODE_LAST + 1];
        if (!(r > 0)) continue;
        double c = d.z / r;
        p[0] = 1, p[1] = c;
        for (int n = 2; n <= MODE_LAST; n++) p[n] = ((2 * n - 1) * c * p[n - 1] - (n - 1) * p[n - 2]) / n;
        fit_add(&f, p, (r + 0.5 * spacing) / radius - 1);
    }
    double x[MODE_LAST + 1];
    if (f.rows < FIT_MIN_POINTS || !fit_solve(&f, x)) return false;
    memcpy(amplitudes, x + MODE_FIRST, MODE_COUNT * sizeof *amplitudes);
    return true;
}

/* The point of the wall below the points' mean, so that the fit's numbers stay of the drop's size. */
static dew_vec3 foot_of(const real4 *points, int count, dew_vec3 point, dew_vec3 normal)
{
    dew_vec3 mean = {0, 0, 0};
    for (int i = 0; i < count; i++) mean = vec3_add(mean, (dew_vec3){points[i].x, points[i].y, points[i].z});
    mean = vec3_scale(1.0 / count, mean);
    return vec3_sub(mean, vec3_scale(vec3_dot(vec3_sub(mean, point), normal), normal));
}

bool measure_cap(const real4 *points, int count, dew_vec3 point, dew_vec3 normal, double spacing, double *angle_degrees,
                 double *contact_radius)
{
    if (count < FIT_MIN_POINTS) return false;
    dew_vec3 foot = foot_of(points, count, point, normal);
    fit f = {.unknowns = 4};
    for (int i = 0; i < count; i++) {
        dew_vec3 d = vec3_sub((dew_vec3){points[i].x, points[i].y, points[i].z}, foot);
        if (vec3_dot(d, normal) < 1.25 * spacing) continue;
        d = vec3_scale(1 / spacing, d);
        fit_add(&f, (double[]){2 * d.x, 2 * d.y, 2 * d.z, 1}, vec3_dot(d, d)); /* |d|^2 = 2 c . d + (r^2 - |c|^2) */
    }
    double x[4];
    if (f.rows < FIT_MIN_POINTS || !fit_solve(&f, x)) return false;
    dew_vec3 c = {x[0], x[1], x[2]};
    double r2 = x[3] + vec3_dot(c, c);
    if (!(r2 > 0)) return false;
    double R = spacing * (sqrt(r2) + 0.5), cosine = -spacing * vec3_dot(c, normal) / R;
    if (!(fabs(cosine) <= 1)) return false;
    *angle_degrees = acos(cosine) * 180 / acos(-1.0);
    *contact_radius = R * sqrt(1 - cosine * cosine);
    return true;
}
