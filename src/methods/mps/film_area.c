/* The tension of a film between periodic faces whose tension is the energy of its surface. The mesh's corners pull with
 * the gradient of gamma times its triangles' areas a, so that the virial of their forces is how these grow where the
 * film is drawn out along itself without a change of volume,
 *
 *     gamma = gamma_set/(2 A) sum over triangles of a (n_z^2 - (n_x^2 + n_y^2)/2),
 *
 * n their normals, A the film's area: less than what was set as far as the mesh is uneven. The pressure, whose
 * divergence is exact for linear flow, is the same in all directions, and what rings hand on along the surface gives
 * 3e-4 of it (calibration.md, Film tension). For laws and tests: no step needs it. */
#include "methods/mps/mps.h"

typedef struct film_mesh {
    const rings *r;
    const real4 *x, *normal;
    real lift;
} film_mesh;

static real3 corner(const film_mesh *f, int j)
{
    return real3_madd(real3_of(f->x[j]), f->lift, real3_of(f->normal[j]));
}

/* Each triangle is met in the rings of its three corners. */
static void sum_triangles(int begin, int end, void *context, double *sums)
{
    const film_mesh *f = context;
    const rings *r = f->r;
    for (int ring = begin; ring < end; ring++) {
        real3 c = corner(f, r->list[ring]);
        for (int m = r->begin[ring]; m < r->begin[ring + 1]; m++) {
            if (!r->has_triangle[m]) continue;
            int next = m + 1 < r->begin[ring + 1] ? m + 1 : r->begin[ring];
            real3 u = real3_sub(corner(f, r->member[m]), c), v = real3_sub(corner(f, r->member[next]), c);
            real3 twice = real3_cross(u, v);
            double along = (double)(twice.x * twice.x + twice.y * twice.y), across = (double)(twice.z * twice.z);
            if (along + across > 0) sums[0] += (across - along / 2) / sqrt(along + across) / 6;
        }
    }
}

/* The surface is that of the last step, which the particles have left by less than the lists allow for. */
bool mps_film_by_area(const mps_state *p, const world *w, double *tension)
{
    particles *all = w->particles;
    const flow_state *flow = &p->flow;
    if (!(w->time > 0) || w->dimension != 3) return false;
    rings r;
    film_mesh f = {.r = &r, .x = all->position, .normal = particles_field(all, flow->normal), .lift = flow->s / 2};
    const uint8_t *is_surface = particles_field(all, flow->is_surface);
    particles_update_ghosts(all, FIELD_POSITION_INDEX);
    particles_update_ghosts(all, flow->is_surface);
    particles_update_ghosts(all, flow->normal);
    int32_t *list = arena_alloc(w->scratch, (size_t)all->count * sizeof *list);
    if (!list) return false;
    ring_params how = {.reach = flow->h, .box = 3 * flow->s, .film_check = true};
    int found = surface_compact(is_surface, all->count, list);
    if (surface_rings(&how, w->neighbours, all, f.x, f.normal, is_surface, list, found, w->scratch, &r)) return false;
    double sum, area = (w->domain.max.x - w->domain.min.x) * (w->domain.max.y - w->domain.min.y);
    parallel_sum(r.count, 1, sum_triangles, &f, &sum);
    *tension = w->materials[0].surface_tension * sum / (2 * area);
    return true;
}

bool mps_film_tension(const mps_state *p, const world *w, double *tension)
{
    const dew_domain_def *d = &w->domain;
    if (d->axis[0] != DEW_PERIODIC || d->axis[1] != DEW_PERIODIC || w->particles->count == 0) return false;
    size_t mark = arena_mark(w->scratch);
    bool is_told = (p->flow.is_area ? mps_film_by_area : mps_film_by_pairs)(p, w, tension);
    arena_release(w->scratch, mark);
    return is_told;
}
