#include "surface/ring_sums.h"

#include "base/parallel.h"
#include "particles/ghosts.h"

dew_result ring_sums_open(ring_sums *s, const rings *r, const particles *p, arena *memory)
{
    *s = (ring_sums){.r = r, .p = p};
    ARENA_TRY(memory, (size_t)r->begin[r->count], s->member);
    ARENA_TRY(memory, r->count, s->centre);
    ARENA_TRY(memory, p->count, s->ring_of);
    for (int i = 0; i < p->count; i++) s->ring_of[i] = -1;
    for (int n = 0; n < r->count; n++) s->ring_of[r->list[n]] = n;
    return DEW_OK;
}

real ring_area(const ring_sums *s, int ring, const real4 *position, const real4 *normal, real lift)
{
    const rings *r = s->r;
    int begin = r->begin[ring], end = r->begin[ring + 1], i = r->list[ring];
    real3 c = real3_madd(real3_of(position[i]), lift, real3_of(normal[i])), centre = {0, 0, 0};
    real area = 0;
    for (int m = begin; m < end; m++) s->member[m] = (real4){0, 0, 0, 0};
    for (int m = begin; m < end; m++) {
        if (!r->has_triangle[m]) continue;
        int next = m + 1 < end ? m + 1 : begin, j = r->member[m], k = r->member[next];
        real3 u = real3_sub(real3_madd(real3_of(position[j]), lift, real3_of(normal[j])), c);
        real3 v = real3_sub(real3_madd(real3_of(position[k]), lift, real3_of(normal[k])), c);
        real3 cross = real3_cross(u, v);
        real twice = real3_length(cross);
        if (!(twice > 0)) continue;
        real3 n = real3_scale((real)0.5 / twice, cross), at_u = real3_cross(v, n), at_v = real3_cross(n, u);
        real4_add(&s->member[m], at_u);
        real4_add(&s->member[next], at_v);
        centre = real3_sub(centre, real3_add(at_u, at_v));
        area += twice / 2;
    }
    s->centre[ring] = real4_of(centre, 0);
    return area;
}

real ring_length(const ring_sums *s, int ring, const real4 *position, const real4 *normal, real lift)
{
    const rings *r = s->r;
    int i = r->list[ring];
    real3 c = real3_madd(real3_of(position[i]), lift, real3_of(normal[i])), centre = {0, 0, 0};
    real sum = 0;
    for (int m = r->begin[ring]; m < r->begin[ring + 1]; m++) {
        int j = r->member[m];
        real3 u = real3_sub(real3_madd(real3_of(position[j]), lift, real3_of(normal[j])), c);
        real length = real3_length(u);
        real3 at_u = real3_scale(length > 0 ? (real)0.5 / length : 0, u);
        s->member[m] = real4_of(at_u, 0);
        centre = real3_sub(centre, at_u), sum += length / 2;
    }
    s->centre[ring] = real4_of(centre, 0);
    return sum;
}

void ring_sums_scale(const ring_sums *s, int ring, real factor)
{
    for (int m = s->r->begin[ring]; m < s->r->begin[ring + 1]; m++)
        s->member[m] = real4_of(real3_scale(factor, real3_of(s->member[m])), 0);
    s->centre[ring] = real4_of(real3_scale(factor, real3_of(s->centre[ring])), 0);
}

typedef struct gathering {
    const ring_sums *s;
    bool go_on;
    real4 *sum;
} gathering;

static void gather(int begin, int end, void *context)
{
    const gathering *g = context;
    const ring_sums *s = g->s;
    for (int j = begin; j < end; j++) {
        bool is_owned = j < s->p->count;
        real3 sum = g->go_on && is_owned ? real3_of(g->sum[j]) : (real3){0, 0, 0};
        if (is_owned && s->ring_of[j] >= 0) sum = real3_add(sum, real3_of(s->centre[s->ring_of[j]]));
        for (int n = s->r->reference_begin[j]; n < s->r->reference_begin[j + 1]; n++)
            sum = real3_add(sum, real3_of(s->member[s->r->reference[n]]));
        g->sum[j] = real4_of(sum, 0);
    }
}

void ring_sums_gather(const ring_sums *s, bool go_on, real4 *sum)
{
    const particles *p = s->p;
    gathering g = {s, go_on, sum};
    parallel_for(p->end, 2048, gather, &g);
    ghosts_add_vectors(p, sum);
}
