/* The local mesh in the plane: of the surface particles on either side of a particle, along its tangent, the ring has
 * the one with which the circle is least that passes through both and has its centre on the tangent; on a line that is
 * the nearest, and what lies across the surface makes large circles. */
#include "base/group.h"
#include "base/parallel.h"
#include "surface/select.h"
#include "surface/surface.h"

enum { GRAIN = 256, SLAB = 256 };

/* Normals of neighbours along one surface are within 45 degrees of each other, or it is that of the other side. */
#define SAME_SIDE ((real)0.70710678118654752)

typedef struct outline_work {
    const ring_params *params;
    const neighbours *n;
    const particles *p;
    const real4 *position, *normal;
    const uint8_t *is_surface;
    int32_t (*side)[2]; /* by ring: to the left and to the right of the normal, or -1 */
    rings *r;
} outline_work;

static bool is_other_side(const outline_work *work, int i, int j, real3 way)
{
    real3 own = real3_of(work->normal[i]), other = real3_of(work->normal[j]);
    return real3_dot(own, other) <= SAME_SIDE && real3_dot(real3_sub(other, own), way) >= 0;
}

/* The ring of particle i; returns how many are in it. */
static int find_sides(const outline_work *work, int i, int32_t side[2])
{
    const ring_params *params = work->params;
    real3 centre = real3_of(work->position[i]), n = real3_of(work->normal[i]), left = {-n.y, n.x, 0};
    real box = params->box_of && params->box_of[i] > 0 ? params->box_of[i] : params->box;
    real reach = real_min(params->reach, 2 * box), least[2] = {reach, reach};
    int32_t candidate[SLAB], selected[SLAB];
    side[0] = side[1] = -1;
    for (int begin = 0, slab; (slab = neighbours_list(work->n, i / 4, begin, SLAB, candidate)) > 0; begin += slab) {
        int found = select_within(work->position, work->position[i], reach * reach, candidate, slab, selected);
        for (int k = 0; k < found; k++) {
            int j = selected[k];
            if (j == i || j >= work->p->end || !work->is_surface[j]) continue;
            real3 way = real3_sub(real3_of(work->position[j]), centre);
            real along = real3_dot(way, left), radius = real3_dot(way, way) / (2 * real_max(fabs(along), (real)1e-20));
            int at = along < 0;
            if (!(radius < least[at]) || (params->film_check && is_other_side(work, i, j, way))) continue;
            least[at] = radius, side[at] = j;
        }
    }
    return (side[0] >= 0) + (side[1] >= 0);
}

static void find_piece(int begin, int end, void *context)
{
    const outline_work *work = context;
    rings *r = work->r;
    for (int k = begin; k < end; k++) {
        int i = r->list[k];
        r->begin[k] = find_sides(work, i, work->side[k]);
        r->gaps[k] = r->begin[k] < 2;
        real3 middle = {0, 0, 0};
        real length = 0;
        for (int at = 0; at < 2; at++) {
            int j = work->side[k][at];
            if (j < 0) continue;
            real3 way = real3_sub(real3_of(work->position[j]), real3_of(work->position[i]));
            middle = real3_madd(middle, (real)0.25, way), length += real3_length(way) / 2;
        }
        r->shift[k] = real4_of(real3_across(middle, real3_of(work->normal[i])), length);
    }
}

static void pack_piece(int begin, int end, void *context)
{
    const outline_work *work = context;
    rings *r = work->r;
    for (int k = begin; k < end; k++)
        for (int at = 0, m = r->begin[k]; at < 2; at++)
            if (work->side[k][at] >= 0) r->member[m] = work->side[k][at], r->has_triangle[m++] = 1;
}

dew_result surface_outline(const ring_params *params, const neighbours *n, const particles *p, const real4 *position,
                           const real4 *normal, const uint8_t *is_surface, const int32_t *list, int count,
                           arena *memory, rings *r)
{
    *r = (rings){.count = count, .list = list};
    outline_work work = {params, n, p, position, normal, is_surface, NULL, r};
    ARENA_TRY(memory, count + 1, r->begin);
    ARENA_TRY(memory, count, r->gaps, r->shift);
    ARENA_TRY(memory, count, work.side);
    parallel_for(count, GRAIN, find_piece, &work);
    r->begin[count] = 0;
    int members = parallel_prefix_sum(count + 1, r->begin);
    ARENA_TRY(memory, members, r->member, r->has_triangle);
    parallel_for(count, GRAIN, pack_piece, &work);
    return group_items(memory, r->member, 1, members, p->end, &r->reference, &r->reference_begin);
}
