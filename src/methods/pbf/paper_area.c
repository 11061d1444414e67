/* The area constraint (7): one a surface particle, over the triangles of its ring. Its gradient (8) by each member is
 * kept with the member and gathered by the particles from the members that refer to them, in a fixed order.
 *
 * Areas are those of the liquid's surface, half a spacing outside of the particles' centres: each vertex stands at p +
 * (s/2) n, n kept as it was at the reset. The mesh through the centres hardly sees that a thread gains by being shorter
 * and thicker: from two particles across to three its area falls by a tenth, the liquid's by a quarter. So threads of
 * up to four particles across stayed as they were. Now the ends of one of four draw in at 0.7 of the speed of theory,
 * sqrt(gamma/(rho radius)), those of thinner ones at 0.3 to 0.5. */
#include "methods/pbf/paper.h"

/* Jacobi steps on the area of a flat, even triangulation double each error where the denominator is below 20 s^2; half
 * of that step is taken at most, whatever epsilon says. */
#define AREA_FLOOR 40

/* A relaxed ring has 2.6 s^2. The constraint's force goes with the area: the few far members that the end of a thread
 * finds would shoot it off. No ring counts more than this, in s^2. */
#define AREA_MOST 8

static real norm2(real4 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

/* Gradients of the rings' areas, times their multipliers. */
static void project_rings(int begin, int end, void *context)
{
    paper *k = context;
    const ring_sums *sums = &k->pull;
    real s2 = k->p->s * k->p->s;
    for (int ring = begin; ring < end; ring++) {
        real area = ring_area(sums, ring, k->a.x, k->a.normal, k->lift), square = 0;
        for (int m = sums->r->begin[ring]; m < sums->r->begin[ring + 1]; m++) square += norm2(sums->member[m]);
        square += norm2(sums->centre[ring]);
        ring_sums_scale(sums, ring, -fmin(area, AREA_MOST * s2) / fmax(square + k->epsilon_area, AREA_FLOOR * s2));
    }
}

void pbf_paper_project_areas(paper *k)
{
    parallel_for(k->p->rings.count, 256, project_rings, k);
    ring_sums_gather(&k->pull, false, k->area_shift);
}

dew_result pbf_paper_build_areas(paper *k)
{
    const particles *p = k->w->particles;
    arena *memory = k->w->scratch;
    ARENA_TRY(memory, p->end, k->area_shift);
    return ring_sums_open(&k->pull, &k->p->rings, p, memory);
}
