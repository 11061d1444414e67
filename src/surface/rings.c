/* The local mesh (Xing et al. 2022, section 4.2): the surface particles about a particle are projected onto its tangent
 * plane; its Delaunay ring there are the particles whose bisectors bound its Voronoi cell. The cell is clipped out of a
 * square, nearest particle first, until no further one can reach it: no triangulation of all the others, no library.
 *
 * On a lattice four particles lie on one circle, and rings that break such a tie each in their own way count a square
 * twice or not at all. Every particle therefore bears a tiny weight, drawn from its id, that shifts its bisectors (a
 * power diagram): all rings break ties the same way. */

#include "base/group.h"
#include "base/parallel.h"
#include "surface/select.h"
#include "surface/surface.h"

#include <string.h>

enum {
    RING_GRAIN = 64,
    SLAB = 256,             /* candidates looked at between two checks for room */
    NEARBY_MAX = 2 * SLAB,  /* members considered; of more, the nearest NEARBY_KEPT stay */
    NEARBY_KEPT = SLAB / 2, /* a cell with RING_MAX edges needs no more */
    KEYS_AT_ONCE = 16,
    BOX_EDGE = -1,
};

/* Members about a centre, in its tangent plane. */
typedef struct nearby {
    int count;
    _Alignas(64) real x[NEARBY_MAX];
    real y[NEARBY_MAX], d2[NEARBY_MAX];
    int32_t slot[NEARBY_MAX], order[NEARBY_MAX];
} nearby;

/* A convex polygon, counter-clockwise; edge k runs from vertex k to the next and belongs to edge[k], a slot. */
typedef struct voronoi_cell {
    int edges;
    _Alignas(64) real x[RING_MAX];
    real y[RING_MAX];
    int32_t edge[RING_MAX];
    real radius2; /* of the farthest vertex */
} voronoi_cell;

/* A ring before all are packed. */
typedef struct loose_ring {
    int32_t member[RING_MAX];
    uint8_t has_triangle[RING_MAX];
} loose_ring;

typedef struct rings_work {
    const ring_params *params;
    const neighbours *n;
    const particles *p;
    const real4 *position, *normal;
    const uint8_t *is_surface;
    loose_ring *loose;
    rings *r;
} rings_work;

/* --- who is nearby --- */

/* order[k] = the k-th nearest. Counting for each how many are nearer beats sorting: no branches. Keys are the bits of
 * the squared distance, which order as it does, with the place in the lowest: no two are the same, and those within
 * 1e-4 of each other go by place, which is near enough. */
static void nearby_sort(nearby *m)
{
    int32_t key[NEARBY_MAX + KEYS_AT_ONCE];
    int padded = (m->count + KEYS_AT_ONCE - 1) / KEYS_AT_ONCE * KEYS_AT_ONCE;
    for (int k = 0; k < m->count; k++) {
        float d2 = (float)m->d2[k];
        memcpy(&key[k], &d2, sizeof(d2));
        key[k] = (key[k] & ~(NEARBY_MAX - 1)) | k;
    }
    for (int k = m->count; k < padded; k++) key[k] = INT32_MAX;
    for (int k = 0; k < m->count; k++) {
        int rank = 0;
        for (int j = 0; j < padded; j++) rank += key[j] < key[k];
        m->order[rank] = k;
    }
}

static void nearby_shrink(nearby *m)
{
    nearby copy = *m;
    nearby_sort(&copy);
    m->count = NEARBY_KEPT;
    for (int k = 0; k < NEARBY_KEPT; k++) {
        int from = copy.order[k];
        m->x[k] = copy.x[from], m->y[k] = copy.y[from], m->d2[k] = copy.d2[from], m->slot[k] = copy.slot[from];
    }
}

/* Candidates within reach that are surface. Dummies are not and have no flag to look up. */
static int select_surface(const rings_work *work, int i, const int32_t *candidate, int length, int32_t *selected)
{
    int count = 0, end = work->p->end;
    for (int k = 0; k < length; k++) {
        int j = candidate[k];
        selected[count] = j;
        count += j < end && work->is_surface[j] != 0;
    }
    real reach2 = work->params->reach * work->params->reach;
    return select_within(work->position, work->position[i], reach2, selected, count, selected);
}

/* Adds those on the same side of the liquid, projected. One straight above or below the centre has no bisector. */
static void nearby_add(const rings_work *work, int i, real3 e1, real3 e2, const int32_t *selected, int length,
                       nearby *m)
{
    real3 centre = real3_of(work->position[i]), normal = real3_of(work->normal[i]);
    real nearest = (real)1e-6 * work->params->box * work->params->box;
    bool film_check = work->params->film_check, is_thread = work->params->is_thread && work->params->is_thread[i];
    real cosine = is_thread ? (real)-0.2 : (real)0.70710678118654752;
    int count = m->count;
    for (int k = 0; k < length; k++) {
        int j = selected[k];
        real3 d = real3_sub(real3_of(work->position[j]), centre), other = real3_of(work->normal[j]);
        bool is_other_side =
            film_check && real3_dot(normal, other) <= cosine && real3_dot(real3_sub(other, normal), d) >= 0;
        real x = real3_dot(d, e1), y = real3_dot(d, e2), d2 = x * x + y * y;
        m->x[count] = x, m->y[count] = y, m->d2[count] = d2, m->slot[count] = j;
        count += !is_other_side && d2 > nearest; /* the centre itself is not */
    }
    m->count = count;
}

static void nearby_collect(const rings_work *work, int i, real3 e1, real3 e2, nearby *m)
{
    int32_t candidate[SLAB], selected[SLAB];
    m->count = 0;
    for (int begin = 0, slab; (slab = neighbours_list(work->n, i / 4, begin, SLAB, candidate)) > 0; begin += slab) {
        if (m->count > NEARBY_MAX - SLAB) nearby_shrink(m);
        nearby_add(work, i, e1, e2, selected, select_surface(work, i, candidate, slab, selected), m);
    }
    nearby_sort(m);
}

/* --- its cell --- */

static void cell_start(voronoi_cell *c, real box)
{
    memset(c, 0, sizeof(*c));
    c->edges = 4;
    for (int k = 0; k < 4; k++) {
        c->x[k] = k == 0 || k == 3 ? -box : box;
        c->y[k] = k < 2 ? -box : box;
        c->edge[k] = BOX_EDGE;
    }
    c->radius2 = 2 * box * box;
}

/* Cuts off what lies beyond the line x . q = limit. A cut that would give the cell more than RING_MAX edges takes off
 * one far corner only, and is left out. False where nothing is cut; c is garbage then. */
static bool cell_clip(const voronoi_cell *from, real qx, real qy, real limit, int32_t slot, voronoi_cell *c)
{
    real beyond[RING_MAX];
    for (int k = 0; k < RING_MAX; k++) beyond[k] = from->x[k] * qx + from->y[k] * qy - limit;
    int edges = from->edges, outside = 0, first = 0, after = 0;
    bool was_outside = beyond[edges - 1] > 0;
    for (int k = 0; k < edges; k++) {
        bool is_outside = beyond[k] > 0;
        outside += is_outside;
        if (is_outside && !was_outside) first = k;
        if (!is_outside && was_outside) after = k;
        was_outside = is_outside;
    }
    if (outside == 0 || outside == edges || edges - outside + 2 > RING_MAX) return false;

    int kept = first > after ? first - after : first - after + edges, last = first > 0 ? first - 1 : edges - 1;
    int back = after > 0 ? after - 1 : edges - 1;
    for (int k = 0, v = after; k < kept; k++, v = v + 1 < edges ? v + 1 : 0)
        c->x[k] = from->x[v], c->y[k] = from->y[v], c->edge[k] = from->edge[v];
    real t = beyond[last] / (beyond[last] - beyond[first]), u = beyond[back] / (beyond[back] - beyond[after]);
    c->x[kept] = from->x[last] + t * (from->x[first] - from->x[last]);
    c->y[kept] = from->y[last] + t * (from->y[first] - from->y[last]);
    c->edge[kept] = slot;
    c->x[kept + 1] = from->x[back] + u * (from->x[after] - from->x[back]);
    c->y[kept + 1] = from->y[back] + u * (from->y[after] - from->y[back]);
    c->edge[kept + 1] = from->edge[back];
    c->edges = kept + 2;
    real radius2 = 0;
    for (int k = 0; k < c->edges; k++) {
        real r2 = c->x[k] * c->x[k] + c->y[k] * c->y[k];
        radius2 = r2 > radius2 ? r2 : radius2;
    }
    c->radius2 = radius2;
    return true;
}

/* A number in [0, 1) that is a particle's own whatever their order; a ghost has its owner's, as it has its id. */
static real tie_weight(const particles *p, int j)
{
    uint32_t h = (uint32_t)p->id[j] * 2654435769u;
    h = (h ^ h >> 15) * 2246822519u;
    return (real)(h >> 8) * (real)(1.0 / (1 << 24));
}

/* The cell is made in turns in one of the two cells given; returns the one that has it. */
static const voronoi_cell *cell_build(const rings_work *work, int i, const nearby *m, voronoi_cell *cells)
{
    voronoi_cell *c = cells, *other = cells + 1;
    const ring_params *params = work->params;
    real box = params->box_of && params->box_of[i] > 0 ? params->box_of[i] : params->box;
    real scale = (real)1e-4 * params->box * params->box, weight = tie_weight(work->p, i);
    cell_start(c, box);
    cell_start(other, box);
    for (int k = 0; k < m->count; k++) {
        int next = m->order[k];
        real d2 = m->d2[next];
        real least = d2 - scale; /* twice the distance of the bisector, times d, at the least */
        if (least > 0 && least * least > 4 * d2 * c->radius2) break;
        real shift = scale * (weight - tie_weight(work->p, m->slot[next])), most = (real)0.25 * d2;
        shift = shift > most ? most : shift < -most ? -most : shift;
        if (!cell_clip(c, m->x[next], m->y[next], (real)0.5 * (d2 + shift), m->slot[next], other)) continue;
        voronoi_cell *clipped = other;
        other = c, c = clipped;
    }
    return c;
}

/* Centroid (relative to the centre, in the plane) and area. */
static void cell_centroid(const voronoi_cell *c, real *x, real *y, real *area)
{
    real sum = 0, sum_x = 0, sum_y = 0;
    for (int k = 0; k < c->edges; k++) {
        int l = k + 1 < c->edges ? k + 1 : 0;
        real cross = c->x[k] * c->y[l] - c->x[l] * c->y[k];
        sum += cross, sum_x += cross * (c->x[k] + c->x[l]), sum_y += cross * (c->y[k] + c->y[l]);
    }
    *area = sum / 2;
    *x = sum > 0 ? sum_x / (3 * sum) : 0, *y = sum > 0 ? sum_y / (3 * sum) : 0;
}

/* --- the ring --- */

/* Edges that belong to particles, in order, from behind a gap if there is one; returns how many. */
static int ring_of_cell(const voronoi_cell *c, loose_ring *ring, uint8_t *gaps)
{
    int start = 0, count = 0, open = 0;
    for (int k = 0; k < c->edges; k++)
        if (c->edge[k ? k - 1 : c->edges - 1] == BOX_EDGE && c->edge[k] != BOX_EDGE) start = k, open++;
    for (int k = 0; k < c->edges; k++) {
        int at = start + k < c->edges ? start + k : start + k - c->edges, next = at + 1 < c->edges ? at + 1 : 0;
        if (c->edge[at] == BOX_EDGE) continue;
        ring->member[count] = c->edge[at];
        ring->has_triangle[count++] = c->edge[next] != BOX_EDGE;
    }
    *gaps = (uint8_t)(count ? open : 1);
    return count;
}

static void rings_piece(int begin, int end, void *context)
{
    const rings_work *work = context;
    rings *r = work->r;
    nearby m;
    voronoi_cell cells[2];
    for (int k = begin; k < end; k++) {
        int i = r->list[k];
        real3 e1 = real3_perpendicular(real3_of(work->normal[i])), e2 = real3_cross(real3_of(work->normal[i]), e1);
        nearby_collect(work, i, e1, e2, &m);
        const voronoi_cell *cell = cell_build(work, i, &m, cells);
        r->begin[k] = ring_of_cell(cell, &work->loose[k], &r->gaps[k]);
        real x, y, area;
        cell_centroid(cell, &x, &y, &area);
        real3 shift = real3_madd(real3_scale(x, e1), y, e2);
        r->shift[k] = real4_of(shift, area);
    }
}

static void pack_piece(int begin, int end, void *context)
{
    const rings_work *work = context;
    rings *r = work->r;
    for (int k = begin; k < end; k++) {
        const loose_ring *ring = &work->loose[k];
        for (int m = r->begin[k], l = 0; m < r->begin[k + 1]; m++, l++)
            r->member[m] = ring->member[l], r->has_triangle[m] = ring->has_triangle[l];
    }
}

dew_result surface_rings(const ring_params *params, const neighbours *n, const particles *p, const real4 *position,
                         const real4 *normal, const uint8_t *is_surface, const int32_t *list, int count, arena *memory,
                         rings *r)
{
    *r = (rings){.count = count, .list = list};
    rings_work work = {params, n, p, position, normal, is_surface, NULL, r};
    ARENA_TRY(memory, count, r->begin, r->gaps, r->shift);
    ARENA_TRY(memory, count, work.loose);
    parallel_for(count, RING_GRAIN, rings_piece, &work);

    r->begin[count] = 0;
    int members = parallel_prefix_sum(count + 1, r->begin);
    ARENA_TRY(memory, members, r->member, r->has_triangle);
    parallel_for(count, 16 * RING_GRAIN, pack_piece, &work);
    return group_items(memory, r->member, 1, members, p->end, &r->reference, &r->reference_begin);
}
