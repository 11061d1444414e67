/* The area constraint (7): one a surface particle, over the triangles of its ring. Its gradient (8) by each member is
 * kept with the member and gathered by the particles from the members that refer to them, in a fixed order.
 *
 * Areas are those of the liquid's surface, half a spacing outside of the particles' centres: each vertex stands at p +
 * (s/2) n, n kept as it was at the reset. The mesh through the centres hardly sees that a thread gains by being shorter
 * and thicker: from two particles across to three its area falls by a tenth, the liquid's by a quarter. So threads of
 * up to four particles across stayed as they were. Now the ends of one of four draw in at 0.7 of the speed of theory,
 * sqrt(gamma/(rho radius)), those of thinner ones at 0.3 to 0.5. */
#include "base/parallel.h"
#include "methods/pbf/paper.h"

/* Jacobi steps on the area of a flat, even triangulation double each error where the denominator is below 20 s^2; half
 * of that step is taken at most, whatever epsilon says. */
#define AREA_FLOOR 40

/* A relaxed ring has 2.6 s^2. The constraint's force goes with the area: the few far members that the end of a thread
 * finds would shoot it off. No ring counts more than this, in s^2. */
#define AREA_MOST 8

static void add_to(real4 *a, real3 b) { a->x += b.x, a->y += b.y, a->z += b.z; }

static void scale_by(real4 *a, real s) { a->x *= s, a->y *= s, a->z *= s; }

static real norm2(real4 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

static real3 vertex(const paper *k, int slot)
{
    return real3_madd(real3_of(k->a.x[slot]), k->lift, real3_of(k->a.normal[slot]));
}

/* Gradients of one ring's area, times its multiplier. */
static void project_ring(paper *k, int ring)
{
    const rings *r = &k->p->rings;
    int begin = r->begin[ring], end = r->begin[ring + 1];
    real3 c = vertex(k, r->list[ring]), centre = {0, 0, 0};
    real area = 0, square = 0;
    for (int m = begin; m < end; m++) k->pull[m] = (real4){0, 0, 0, 0};
    for (int m = begin; m < end; m++) {
        if (!r->has_triangle[m]) continue;
        int next = m + 1 < end ? m + 1 : begin;
        real3 u = real3_sub(vertex(k, r->member[m]), c), v = real3_sub(vertex(k, r->member[next]), c);
        real3 cross = real3_cross(u, v);
        real twice = real3_length(cross);
        if (!(twice > 0)) continue;
        real3 n = real3_scale((real)0.5 / twice, cross), at_u = real3_cross(v, n), at_v = real3_cross(n, u);
        add_to(&k->pull[m], at_u);
        add_to(&k->pull[next], at_v);
        centre = real3_sub(centre, real3_add(at_u, at_v));
        area += twice / 2;
    }
    for (int m = begin; m < end; m++) square += norm2(k->pull[m]);
    square += real3_dot(centre, centre);
    real s2 = k->p->s * k->p->s;
    real lambda = -fmin(area, AREA_MOST * s2) / fmax(square + k->epsilon_area, AREA_FLOOR * s2);
    for (int m = begin; m < end; m++) scale_by(&k->pull[m], lambda);
    k->centre_pull[ring] = (real4){lambda * centre.x, lambda * centre.y, lambda * centre.z, 0};
}

static void project_rings(int begin, int end, void *context)
{
    for (int ring = begin; ring < end; ring++) project_ring(context, ring);
}

static void gather(int begin, int end, void *context)
{
    paper *k = context;
    const rings *r = &k->p->rings;
    for (int j = begin; j < end; j++) {
        real3 sum = {0, 0, 0};
        if (j < k->count && k->ring_of[j] >= 0) sum = real3_of(k->centre_pull[k->ring_of[j]]);
        for (int n = r->reference_begin[j]; n < r->reference_begin[j + 1]; n++)
            sum = real3_add(sum, real3_of(k->pull[r->reference[n]]));
        k->area_shift[j] = (real4){sum.x, sum.y, sum.z, 0};
    }
}

/* What moves ghosts moves their owners. */
static void fold_ghosts(paper *k)
{
    const particles *store = k->w->particles;
    for (int g = store->ghost_begin; g < store->end; g++) {
        const ghost_image *image = &store->ghosts[g - store->ghost_begin];
        real4 d = k->area_shift[g];
        add_to(&k->area_shift[image->owner],
               (real3){image->mirror[0] ? -d.x : d.x, image->mirror[1] ? -d.y : d.y, image->mirror[2] ? -d.z : d.z});
    }
}

void pbf_paper_project_areas(paper *k)
{
    parallel_for(k->p->rings.count, 256, project_rings, k);
    parallel_for(k->w->particles->end, 2048, gather, k);
    fold_ghosts(k);
}

dew_result pbf_paper_build_areas(paper *k)
{
    const rings *r = &k->p->rings;
    arena *memory = k->w->scratch;
    size_t members = (size_t)r->begin[r->count] + 1, slots = (size_t)k->w->particles->end + 8;
    k->pull = arena_alloc(memory, members * sizeof *k->pull);
    k->centre_pull = arena_alloc(memory, ((size_t)r->count + 1) * sizeof *k->centre_pull);
    k->area_shift = arena_alloc(memory, slots * sizeof *k->area_shift);
    k->ring_of = arena_alloc(memory, slots * sizeof *k->ring_of);
    if (!k->pull || !k->centre_pull || !k->area_shift || !k->ring_of)
        return result_fail(DEW_NO_MEMORY, "no memory for the area constraints of %d surface particles", r->count);
    for (int i = 0; i < k->count; i++) k->ring_of[i] = -1;
    for (int n = 0; n < r->count; n++) k->ring_of[r->list[n]] = n;
    return DEW_OK;
}
