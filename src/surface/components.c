/* Principal components of a neighbourhood: how many dimensions the liquid has there (Xing et al. 2022, section 5). */

#include "base/parallel.h"
#include "surface/surface.h"

enum { COMPONENTS_GRAIN = 128 };

typedef struct components_work {
    const neighbours *n;
    const real4 *position;
    real reach2;
    const int32_t *list;
    real4 *values;
} components_work;

/* Eigenvalues of a symmetric matrix xx, yy, zz, xy, xz, yz, descending: the roots of the cubic by their angle (Smith
 * 1961). */
static void symmetric_eigenvalues(const double *m, double *values)
{
    double mean = (m[0] + m[1] + m[2]) / 3, a = m[0] - mean, b = m[1] - mean, c = m[2] - mean;
    double off2 = m[3] * m[3] + m[4] * m[4] + m[5] * m[5], p = sqrt((a * a + b * b + c * c + 2 * off2) / 6);
    if (p <= 0) {
        values[0] = values[1] = values[2] = mean;
        return;
    }
    double determinant = a * (b * c - m[5] * m[5]) - m[3] * (m[3] * c - m[5] * m[4]) + m[4] * (m[3] * m[5] - b * m[4]);
    double cosine = fmin(fmax(determinant / (2 * p * p * p), -1), 1), angle = acos(cosine) / 3;
    values[0] = mean + 2 * p * cos(angle);
    values[2] = mean + 2 * p * cos(angle + 2.09439510239319549); /* + 2 pi/3 */
    values[1] = 3 * mean - values[0] - values[2];
}

/* Sums of offsets from the centre, not of places: no cancellation far from the origin. */
static real4 principal_components(const components_work *work, int i)
{
    real4 centre = work->position[i];
    double count = 0, x = 0, y = 0, z = 0, m[6] = {0};
    int length;
    const int32_t *candidate = neighbours_list(work->n, i / 4, &length);
    for (int k = 0; k < length; k++) {
        real4 b = work->position[candidate[k]];
        double dx = (double)b.x - centre.x, dy = (double)b.y - centre.y, dz = (double)b.z - centre.z;
        if (dx * dx + dy * dy + dz * dz > work->reach2) continue;
        count += 1, x += dx, y += dy, z += dz;
        m[0] += dx * dx, m[1] += dy * dy, m[2] += dz * dz;
        m[3] += dx * dy, m[4] += dx * dz, m[5] += dy * dz;
    }
    double mean[3] = {x / count, y / count, z / count};
    double covariance[6] = {m[0] / count - mean[0] * mean[0], m[1] / count - mean[1] * mean[1],
                            m[2] / count - mean[2] * mean[2], m[3] / count - mean[0] * mean[1],
                            m[4] / count - mean[0] * mean[2], m[5] / count - mean[1] * mean[2]};
    double values[3];
    symmetric_eigenvalues(covariance, values);
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
