/* Principal components of a neighbourhood: how many dimensions the liquid has there (Xing et al. 2022, section 5). */

#include "base/matrix.h"
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

/* Adds up 1, x, y, z, xx, yy, zz, xy, xz, yz of the offsets from the centre: of offsets, not of places, so that
 * nothing cancels far from the origin. */
static void add_moments(const real4 *position, real4 centre, const int32_t *selected, int length, double *sums)
{
    for (int k = 0; k < length; k++) {
        real4 b = position[selected[k]];
        double x = (double)b.x - centre.x, y = (double)b.y - centre.y, z = (double)b.z - centre.z;
        sums[0] += 1, sums[1] += x, sums[2] += y, sums[3] += z;
        sums[4] += x * x, sums[5] += y * y, sums[6] += z * z;
        sums[7] += x * y, sums[8] += x * z, sums[9] += y * z;
    }
}

static real4 principal_components(const components_work *work, int i)
{
    real4 centre = work->position[i];
    double sums[10] = {0}, covariance[9], values[3], vectors[9];
    int32_t candidate[SLAB], selected[SLAB];
    for (int begin = 0, slab; (slab = neighbours_list(work->n, i / 4, begin, SLAB, candidate)) > 0; begin += slab)
        add_moments(work->position, centre, selected,
                    select_within(work->position, centre, work->reach2, candidate, slab, selected), sums);
    double count = sums[0], x = sums[1] / count, y = sums[2] / count, z = sums[3] / count;
    const double mean[9] = {x * x, x * y, x * z, x * y, y * y, y * z, x * z, y * z, z * z};
    const int sum_of[9] = {4, 7, 8, 7, 5, 9, 8, 9, 6};
    for (int k = 0; k < 9; k++) covariance[k] = sums[sum_of[k]] / count - mean[k];
    matrix_eigen(3, covariance, values, vectors);
    double most = fmax(fmax(values[0], values[1]), values[2]), least = fmin(fmin(values[0], values[1]), values[2]);
    double middle = values[0] + values[1] + values[2] - most - least;
    return (real4){(real)fmax(most, 0), (real)fmax(middle, 0), (real)fmax(least, 0), (real)count};
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
