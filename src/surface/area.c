#include "surface/area.h"

#include "base/parallel.h"

typedef struct measure_work {
    const rings *r;
    const real4 *position, *normal;
    double offset;
    dew_vec3 origin; /* volumes are measured from here: near the surface, to keep digits */
} measure_work;

static dew_vec3 vertex(const measure_work *work, int j)
{
    real4 x = work->position[j];
    dew_vec3 place = vec3_sub((dew_vec3){x.x, x.y, x.z}, work->origin);
    if (!work->normal) return place;
    real4 n = work->normal[j];
    return vec3_add(place, vec3_scale(work->offset, (dew_vec3){n.x, n.y, n.z}));
}

/* sums: area, volume. */
static void measure_piece(int begin, int end, void *context, double *sums)
{
    const measure_work *work = context;
    const rings *r = work->r;
    for (int k = begin; k < end; k++) {
        dew_vec3 a = vertex(work, r->list[k]);
        for (int m = r->begin[k]; m < r->begin[k + 1]; m++) {
            if (!r->has_triangle[m]) continue;
            int next = m + 1 < r->begin[k + 1] ? m + 1 : r->begin[k];
            dew_vec3 b = vertex(work, r->member[m]), c = vertex(work, r->member[next]);
            dew_vec3 cross = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
            sums[0] += vec3_length(cross) / 6;
            sums[1] += vec3_dot(a, cross) / 18;
        }
    }
}

rings_size rings_measure(const rings *r, const real4 *position, const real4 *normal, real offset)
{
    double sums[2];
    if (r->count == 0) return (rings_size){0, 0};
    real4 first = position[r->list[0]];
    measure_work work = {r, position, normal, offset, {first.x, first.y, first.z}};
    parallel_sum(r->count, 2, measure_piece, &work, sums);
    return (rings_size){sums[0], sums[1]};
}
