/* Principal components of a neighbourhood: how many dimensions the liquid has there (Xing et al. 2022, section 5). */

#include "base/parallel.h"
#include "surface/select.h"
#include "surface/surface.h"

enum { COMPONENTS_GRAIN = 128, SLAB = 256 };

typedef struct components_work {
    const neighbours *n;
    const real4 *position;
    real reach2;
    const int32_t *list;
    real4 *values;
} components_work;

/* Eigenvalues of the symmetric matrix xx, yy, zz, yz, zx, xy, descending: the roots of the cubic by their angle (Smith
 * 1961). By matrix_eigen a step of pbf's paper mode takes 7 % longer. */
static void eigenvalues(const double m[6], double values[3])
{
    double mean = (m[0] + m[1] + m[2]) / 3, a = m[0] - mean, b = m[1] - mean, c = m[2] - mean;
    double off2 = m[3] * m[3] + m[4] * m[4] + m[5] * m[5], p = sqrt((a * a + b * b + c * c + 2 * off2) / 6);
    double determinant = a * (b * c - m[3] * m[3]) - m[5] * (m[5] * c - m[3] * m[4]) + m[4] * (m[5] * m[3] - b * m[4]);
    double angle = p > 0 ? acos(fmin(fmax(determinant / (2 * p * p * p), -1), 1)) / 3 : 0;
    values[0] = mean + 2 * p * cos(angle);
    values[2] = mean + 2 * p * cos(angle + 2 * PI / 3);
    values[1] = 3 * mean - values[0] - values[2];
}

/* Adds up 1, x, y, z, xx, yy, zz, yz, zx, xy of the offsets from the centre: of offsets, not of places, so that
 * nothing cancels far from the origin. */
static void add_moments(const real4 *position, real4 centre, const int32_t *selected, int length, double *sums)
{
    for (int k = 0; k < length; k++) {
        real4 b = position[selected[k]];
        double x = (double)b.x - centre.x, y = (double)b.y - centre.y, z = (double)b.z - centre.z;
        sums[0] += 1, sums[1] += x, sums[2] += y, sums[3] += z;
        sums[4] += x * x, sums[5] += y * y, sums[6] += z * z;
        sums[7] += y * z, sums[8] += z * x, sums[9] += x * y;
    }
}

static real4 principal_components(const components_work *work, int i)
{
    real4 centre = work->position[i];
    double sums[10] = {0}, covariance[6], values[3];
    int32_t candidate[SLAB], selected[SLAB];
    for (int begin = 0, slab; (slab = neighbours_list(work->n, i / 4, begin, SLAB, candidate)) > 0; begin += slab)
        add_moments(work->position, centre, selected,
                    select_within(work->position, centre, work->reach2, candidate, slab, selected), sums);
    double count = sums[0], x = sums[1] / count, y = sums[2] / count, z = sums[3] / count;
    const double mean[6] = {x * x, y * y, z * z, y * z, z * x, x * y};
    for (int k = 0; k < 6; k++) covariance[k] = sums[4 + k] / count - mean[k];
    eigenvalues(covariance, values);
    return (real4){(real)fmax(values[0], 0), (real)fmax(values[1], 0), (real)fmax(values[2], 0), (real)count};
}

static void components_piece(int begin, int end, void *context)
{
    const components_work *work = context;
    for (int k = begin; k < end; k++) work->values[k] = principal_components(work, work->list[k]);
}

void surface_principal_components(const neighbours *n, const real4 *position, real reach, const int32_t *list,
                                  int count, real4 *values)
{
    components_work work = {n, position, reach * reach, list, values};
    parallel_for(count, COMPONENTS_GRAIN, components_piece, &work);
}
