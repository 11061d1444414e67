/* Do the rings agree with each other (Xing et al. 2022, section 6.1)? */
#ifndef TESTS_MANIFOLD_H
#define TESTS_MANIFOLD_H

#include "base/parallel.h"
#include "particles/ghosts.h"
#include "surface/surface.h"

#include <stdlib.h>

typedef struct manifold_work {
    const rings *r;
    const particles *p;
    int32_t *ring_of_slot; /* -1: none; a ghost stands for its owner and has its ring, as it has its id */
} manifold_work;

/* a, b: ids */
static bool ring_has_triangle(const manifold_work *work, int ring, int32_t a, int32_t b)
{
    const rings *r = work->r;
    int begin = r->begin[ring], end = r->begin[ring + 1];
    for (int m = begin; m < end; m++) {
        if (!r->has_triangle[m]) continue;
        int32_t x = work->p->id[r->member[m]], y = work->p->id[r->member[m + 1 < end ? m + 1 : begin]];
        if ((x == a && y == b) || (x == b && y == a)) return true;
    }
    return false;
}

/* sums: triangles, those not in all rings they should be in. A triangle is met once in each ring that has it, so each
 * meeting counts one over their number. A vertex that has no ring is not asked. */
static void manifold_piece(int begin, int end, void *context, double *sums)
{
    const manifold_work *work = context;
    const rings *r = work->r;
    const int32_t *id = work->p->id;
    for (int k = begin; k < end; k++) {
        int i = r->list[k];
        for (int m = r->begin[k]; m < r->begin[k + 1]; m++) {
            if (!r->has_triangle[m]) continue;
            int a = r->member[m], b = r->member[m + 1 < r->begin[k + 1] ? m + 1 : r->begin[k]];
            int ring_a = work->ring_of_slot[a], ring_b = work->ring_of_slot[b], asked = 1, found = 1;
            if (ring_a >= 0) asked++, found += ring_has_triangle(work, ring_a, id[b], id[i]);
            if (ring_b >= 0) asked++, found += ring_has_triangle(work, ring_b, id[i], id[a]);
            sums[0] += 1.0 / found;
            if (found < asked) sums[1] += 1.0 / found;
        }
    }
}

/* Fraction of triangles that not all three of their vertices have in their rings. Ghosts stand for their owners;
 * vertices without a ring are not asked. NaN without memory. */
static double rings_non_manifold(const rings *r, const particles *p)
{
    manifold_work work = {r, p, malloc(((size_t)p->end + 1) * sizeof(int32_t))};
    if (!work.ring_of_slot) return NAN;
    for (int i = 0; i < p->count; i++) work.ring_of_slot[i] = -1;
    for (int k = 0; k < r->count; k++) work.ring_of_slot[r->list[k]] = k;
    ghosts_copy(p, FIELD_INT32, work.ring_of_slot);
    double sums[2] = {0, 0};
    if (r->count) parallel_sum(r->count, 2, manifold_piece, &work, sums);
    free(work.ring_of_slot);
    return sums[0] > 0 ? sums[1] / sums[0] : 0;
}

#endif
