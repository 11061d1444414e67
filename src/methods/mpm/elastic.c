/* Elastic solids as a whole: how fast their waves are, what energy their strain holds (any/deformation.h has the law).
 */
#include "base/matrix.h"
#include "base/parallel.h"
#include "definition/definition.h"
#include "methods/mpm/mpm.h"

mpm_elastic mpm_elastic_of(const dew_material_def *m)
{
    double e = definition_youngs_modulus(m), nu = m->poisson_ratio;
    if (!(e > 0)) return (mpm_elastic){0};
    return (mpm_elastic){e / (2 * (1 + nu)), e * nu / ((1 + nu) * (1 - 2 * nu))};
}

/* F of a particle that is solid, which keeps F - I in columns; in two dimensions F_zz = 1. */
static bool load_deformation(const mpm_arrays *a, int i, double f[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) f[r][c] = (r == c) + (a->deformation[c] ? (double)(&a->deformation[c][i].x)[r] : 0);
    return a->deformation[0][i].w > 0;
}

/* The largest stretch, squared, of a solid's particles: a bound, the largest sum of a column of |F F^T|. */
static void sum_stretches(int begin, int end, void *context, double *maxima)
{
    const mpm_arrays *a = context;
    for (int i = begin; i < end; i++) {
        double f[3][3];
        if (!load_deformation(a, i, f)) continue;
        for (int r = 0; r < 3; r++) {
            double sum = 0;
            for (int c = 0; c < 3; c++) sum += fabs(f[r][0] * f[c][0] + f[r][1] * f[c][1] + f[r][2] * f[c][2]);
            maxima[0] = fmax(maxima[0], sum);
        }
        maxima[1] = fmax(maxima[1], 1 + (double)a->strain[i]);
    }
}

/* Longitudinal waves are the fastest. Along a stretch s they travel through places, not material, at
 * sqrt((2 mu s^2 + lambda J^2)/rho): the second derivative of psi by s, times s^2. */
double mpm_elastic_limit(const mpm_state *p, const world *w)
{
    double most[2], limit = INFINITY;
    mpm_arrays a = mpm_arrays_of(p, w);
    if (!a.deformation[0]) return INFINITY;
    parallel_max(a.count, 2, sum_stretches, &a, most);
    double stretch = fmax(most[0], 1), volume = fmax(most[1], 1);
    for (int k = 0; k < w->material_count; k++) {
        mpm_elastic e = mpm_elastic_of(&w->materials[k]);
        double stiffness = fmax(2 * e.mu * stretch + e.lambda * volume * volume, 2 * e.mu);
        limit = fmin(limit, p->parameter[MPM_STEP] * p->dx * sqrt(w->materials[k].density / stiffness));
    }
    return limit;
}

/* psi, J/m3 at rest. */
static double strain_energy(const mpm_elastic *e, const double f[3][3], int dimension)
{
    double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sum = 0;
    if (dimension == 3) {
        matrix_rotation_3(f, rotation);
    } else {
        double plane[2][2] = {{f[0][0], f[0][1]}, {f[1][0], f[1][1]}}, turn[2][2];
        matrix_rotation_2((const double(*)[2])plane, turn);
        for (int k = 0; k < 4; k++) rotation[k / 2][k % 2] = turn[k / 2][k % 2];
    }
    for (int k = 0; k < 9; k++) {
        double off = f[k / 3][k % 3] - rotation[k / 3][k % 3];
        sum += off * off;
    }
    double growth = matrix_determinant_3(f) - 1;
    return e->mu * sum + e->lambda / 2 * growth * growth;
}

double mpm_elastic_energy(const mpm_state *p, const world *w)
{
    mpm_arrays a = mpm_arrays_of(p, w);
    double sum = 0, f[3][3];
    for (int i = 0; i < a.count && a.deformation[0]; i++) {
        mpm_elastic e = mpm_elastic_of(&w->materials[a.material ? a.material[i] : 0]);
        if (load_deformation(&a, i, f)) sum += strain_energy(&e, (const double(*)[3])f, w->dimension);
    }
    return sum * pow(w->spacing, w->dimension);
}
