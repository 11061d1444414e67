/* The curvature that the area of the local meshes has: what the area loses where a point moves along the normal, over
 * the point's own share of the area,
 *
 *     kappa_i = n_i . dA/dx_i / A_i,
 *
 * A_i that of its Voronoi cell, 1/8 sum (cot a + cot b) |x_ij|^2 over its edges, a and b the angles across. Of points
 * on a ball that is the ball's, however they lie, as both are sums over the same edges. It is right in the mean where
 * the surface bends within a spacing, as in a slit between drops that touch: the work is that of the area. A plane
 * least squares see less of that, the farther they look.
 *
 * Single points that stand out or lie deeper would have curvatures of their own. So the mesh goes through places drawn
 * level, by the mean of (x_j - x_i) . (n_i + n_j)/2, which is zero on any ball. */
#include "surface/mesh_curvature.h"

#include "base/parallel.h"
#include "surface/bends.h"
#include "surface/curvature.h"
#include "surface/pair_weight.h"
#include "surface/ring_sums.h"

/* In spacings, half the side of the square that a ring starts from. */
#define BOX ((real)3)

typedef struct mesh_pass {
    surface_points *s;
    pair_lists lists;
    real spacing, inv_reach;
    const real4 *normal;
    real4 *level; /* off a point's place, m */
    real4 *place; /* where the mesh goes */
    rings r;
    ring_sums sums;
    real4 *gradient, *area; /* of the rings' area by each point; its share of that, along its normal. Thrice each */
    real *kappa;
    const uint8_t *away;
} mesh_pass;

static void sum_levels(int begin, int end, void *context)
{
    mesh_pass *m = context;
    const real4 *x = m->s->store.position;
    vreal inv_reach = vset(m->inv_reach);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(x, block), n = pair_i(m->normal, block);
        vreal weight = vset(0), sum = vset(0);
        PAIRS(m->lists, block, j)
        {
            vreal4 b = pair_j(x, j), o = pair_j(m->normal, j);
            vreal dx, dy, dz, w = surface_pair_weight(i, b, n, o, inv_reach, &dx, &dy, &dz);
            weight += w, sum += w * (dx * (n.x + o.x) + dy * (n.y + o.y) + dz * (n.z + o.z));
        }
        pair_store4(m->level, block, sum, weight, vset(0), vset(0));
    }
}

static void find_levels(int begin, int end, void *context)
{
    mesh_pass *m = context;
    for (int i = begin; i < end; i++) {
        real off = m->level[i].y > 0 ? m->level[i].x / (2 * m->level[i].y) : 0;
        m->level[i] = real4_of(real3_scale(off, real3_of(m->normal[i])), 0);
    }
}

static void find_places(int begin, int end, void *context)
{
    mesh_pass *m = context;
    const real4 *x = m->s->store.position;
    for (int i = begin; i < end; i++) m->place[i] = real4_of(real3_add(real3_of(x[i]), real3_of(m->level[i])), 0);
}

static void sum_gradients(int begin, int end, void *context)
{
    mesh_pass *m = context;
    for (int ring = begin; ring < end; ring++) ring_area(&m->sums, ring, m->place, m->normal, 0);
}

/* A share of the area, as a vector along the member's normal: what ghosts get is mirrored with them. */
static void give(mesh_pass *m, int k, real share)
{
    real4_add(&m->sums.member[k], real3_scale(share, real3_of(m->normal[m->r.member[k]])));
}

/* Of each triangle's cell parts: at a corner, the squares of its two edges, each by the cotangent of the angle across,
 * over 8. */
static void sum_areas(int begin, int end, void *context)
{
    mesh_pass *m = context;
    const rings *r = &m->r;
    for (int ring = begin; ring < end; ring++) {
        int first = r->begin[ring], behind = r->begin[ring + 1];
        real3 centre = real3_of(m->place[r->list[ring]]);
        real own = 0;
        for (int k = first; k < behind; k++) m->sums.member[k] = (real4){0, 0, 0, 0};
        for (int k = first; k < behind; k++) {
            if (!r->has_triangle[k]) continue;
            int next = k + 1 < behind ? k + 1 : first;
            real3 u = real3_sub(real3_of(m->place[r->member[k]]), centre);
            real3 v = real3_sub(real3_of(m->place[r->member[next]]), centre), w = real3_sub(v, u);
            real twice = real3_length(real3_cross(u, v));
            if (!(twice > 0)) continue;
            real scale = 1 / (8 * twice), at_u = scale * real3_dot(u, u) * real3_dot(v, w);
            real at_v = -scale * real3_dot(v, v) * real3_dot(u, w), at_w = scale * real3_dot(w, w) * real3_dot(u, v);
            own += at_u + at_v;
            give(m, k, at_u + at_w), give(m, next, at_v + at_w);
        }
        m->sums.centre[ring] = real4_of(real3_scale(own, real3_of(m->normal[r->list[ring]])), 0);
    }
}

static void find_kappas(int begin, int end, void *context)
{
    mesh_pass *m = context;
    for (int i = begin; i < end; i++) {
        int ring = m->sums.ring_of[i];
        real area = real3_dot(real3_of(m->area[i]), real3_of(m->normal[i]));
        if (ring < 0 || m->r.gaps[ring] || !(area > 0) || m->away[i] != MESH_BENT) continue;
        real kappa = real3_dot(real3_of(m->gradient[i]), real3_of(m->normal[i])) / area;
        m->kappa[i] = surface_curvature_above(kappa, kappa * kappa / 4, m->spacing);
    }
}

static dew_result find_rings(mesh_pass *m, real reach, arena *memory)
{
    particles *store = &m->s->store;
    const uint8_t *is_surface = particles_field(store, m->s->is_surface);
    ARENA_ARRAY(memory, store->count, int32_t, list);
    ARENA_ARRAY(memory, store->count, uint8_t, has_ring);
    for (int i = 0; i < store->count; i++) has_ring[i] = is_surface[i] && m->away[i] <= MESH_RINGS;
    int count = surface_compact(has_ring, store->count, list);
    ring_params how = {.reach = reach, .box = BOX * m->spacing, .film_check = true};
    RESULT_TRY(surface_rings(&how, m->s->lists, store, m->place, m->normal, is_surface, list, count, memory, &m->r));
    return ring_sums_open(&m->sums, &m->r, store, memory);
}

dew_result surface_mesh_curvature(surface_points *s, real spacing, real reach, const uint8_t *away, arena *memory,
                                  real *kappa)
{
    particles *store = &s->store;
    mesh_pass m = {.s = s,
                   .lists = neighbours_lists(s->lists),
                   .spacing = spacing,
                   .inv_reach = (real)(1 / neighbours_cutoff(s->lists)),
                   .normal = particles_field(store, s->sharp),
                   .level = particles_field(store, s->smooth),
                   .kappa = kappa,
                   .away = away};
    ARENA_TRY(memory, store->end, m.place, m.gradient, m.area);
    parallel_for(PAIR_BLOCKS(store->count), 16, sum_levels, &m);
    parallel_for(store->count, 1024, find_levels, &m);
    particles_update_ghosts(store, s->smooth);
    parallel_for(store->end, 1024, find_places, &m);
    RESULT_TRY(find_rings(&m, reach, memory));
    parallel_for(m.r.count, 256, sum_gradients, &m);
    ring_sums_gather(&m.sums, false, m.gradient);
    parallel_for(m.r.count, 256, sum_areas, &m);
    ring_sums_gather(&m.sums, false, m.area);
    parallel_for(store->count, 1024, find_kappas, &m);
    return DEW_OK;
}
