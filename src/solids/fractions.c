#include "solids/fractions.h"

#include "particles/kernels.h"

#include <stdlib.h>

/* The kernel is radial, so a wedge between two planes is a wedge in the plane of their normals of the kernel integrated
 * along the third axis. That marginal is sampled once on a polar grid; each table entry is a sum over it. */

enum { PLANE_ENTRIES = 513, WEDGE_ENTRIES = 21, RADII = 40, ANGLES = 96, LINE = 64 };

struct fractions {
    real plane[PLANE_ENTRIES];                               /* u in [-1, 1] */
    real wedge[WEDGE_ENTRIES][WEDGE_ENTRIES][WEDGE_ENTRIES]; /* u, v in [-1, 1], c in [-1, 1] */
};

/* Integral of W along a line at distance r from the centre. */
static double line_integral(double r)
{
    double half = sqrt(fmax(0, 1 - r * r)), sum = 0;
    for (int k = 0; k < LINE; k++) {
        double z = half * (k + 0.5) / LINE;
        sum += cubic_spline((real)sqrt(r * r + z * z));
    }
    return 2 * sum * half / LINE * cubic_spline_norm(3, 1);
}

static void tabulate_plane(fractions *f)
{
    real slope[PLANE_ENTRIES];
    /* slope(u) = area integral of W over the plane at u = integral of 2 pi r W dr from |u| to 1. */
    for (int i = 0; i < PLANE_ENTRIES; i++) {
        double u = fabs(-1 + 2.0 * i / (PLANE_ENTRIES - 1)), sum = 0;
        enum { STEPS = 400 };
        for (int k = 0; k < STEPS; k++) {
            double r = u + (1 - u) * (k + 0.5) / STEPS;
            sum += 2 * PI * r * cubic_spline((real)r);
        }
        slope[i] = (real)(sum * (1 - u) / STEPS * cubic_spline_norm(3, 1));
    }
    double sum = 0, step = 2.0 / (PLANE_ENTRIES - 1);
    f->plane[PLANE_ENTRIES - 1] = 0;
    for (int i = PLANE_ENTRIES - 2; i >= 0; i--) {
        sum += 0.5 * step * (double)(slope[i] + slope[i + 1]);
        f->plane[i] = (real)sum;
    }
    for (int i = 0; i < PLANE_ENTRIES; i++) f->plane[i] = (real)((double)f->plane[i] / sum);
}

static void tabulate_wedge(fractions *f)
{
    static const double soft = 0.02; /* a sample counts in full this far beyond a plane: smooths the sum over samples */
    double x[RADII * ANGLES], y[RADII * ANGLES], weight[RADII * ANGLES], total = 0;
    for (int i = 0, n = 0; i < RADII; i++)
        for (int k = 0; k < ANGLES; k++, n++) {
            double r = (i + 0.5) / RADII, angle = 2 * PI * (k + 0.5) / ANGLES;
            x[n] = r * cos(angle), y[n] = r * sin(angle), weight[n] = r * line_integral(r);
            total += weight[n];
        }
    for (int a = 0; a < WEDGE_ENTRIES; a++)
        for (int c = 0; c < WEDGE_ENTRIES; c++) {
            double u = -1 + 2.0 * a / (WEDGE_ENTRIES - 1);
            double cosine = -1 + 2.0 * c / (WEDGE_ENTRIES - 1), sine = sqrt(fmax(0, 1 - cosine * cosine));
            double sum[WEDGE_ENTRIES] = {0};
            for (int n = 0; n < RADII * ANGLES; n++) {
                double inside = fmin(1, fmax(0, 0.5 + (x[n] - u) / (2 * soft)));
                if (inside <= 0) continue;
                double along = cosine * x[n] + sine * y[n];
                for (int b = 0; b < WEDGE_ENTRIES; b++) {
                    double v = -1 + 2.0 * b / (WEDGE_ENTRIES - 1);
                    sum[b] += weight[n] * inside * fmin(1, fmax(0, 0.5 + (along - v) / (2 * soft)));
                }
            }
            for (int b = 0; b < WEDGE_ENTRIES; b++) f->wedge[a][b][c] = (real)(sum[b] / total);
        }
}

fractions *fractions_create(void)
{
    fractions *f = malloc(sizeof *f);
    if (!f) return NULL;
    tabulate_plane(f);
    tabulate_wedge(f);
    return f;
}

void fractions_destroy(fractions *f) { free(f); }

static real interpolate(const real *table, real u)
{
    real t = (u + 1) * (real)(0.5 * (PLANE_ENTRIES - 1));
    if (!(t > 0)) return table[0];
    if (t >= PLANE_ENTRIES - 1) return table[PLANE_ENTRIES - 1];
    int i = (int)t;
    real w = t - (real)i;
    return table[i] + w * (table[i + 1] - table[i]);
}

real fraction_beyond(const fractions *f, real u) { return interpolate(f->plane, u); }

/* Index and weight of a coordinate in [-1, 1]. */
static int locate(real u, real *weight)
{
    real t = (u + 1) * (real)(0.5 * (WEDGE_ENTRIES - 1));
    t = fmin(fmax(t, (real)0), (real)(WEDGE_ENTRIES - 1));
    int i = (int)t;
    if (i > WEDGE_ENTRIES - 2) i = WEDGE_ENTRIES - 2;
    *weight = t - (real)i;
    return i;
}

real fraction_beyond_two(const fractions *f, real u, real v, real c)
{
    real wu, wv, wc, sum = 0;
    int i = locate(u, &wu), j = locate(v, &wv), k = locate(c, &wc);
    for (int corner = 0; corner < 8; corner++) {
        int a = corner & 1, b = corner >> 1 & 1, d = corner >> 2;
        sum += (a ? wu : 1 - wu) * (b ? wv : 1 - wv) * (d ? wc : 1 - wc) * f->wedge[i + a][j + b][k + d];
    }
    return sum;
}
