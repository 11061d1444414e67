/* The tension of a film between periodic faces, by all forces between its particles (Kirkwood, Buff 1949): what pulls
 * along the film, less what does across it, over the area of both its faces. For laws and tests: no step needs it.
 *
 * By pairs,
 *
 *     gamma = 1/(2 A) sum over pairs of f_i . (x_z - (x_x + x_y)/2),   x = x_i - x_j,
 *
 * f_i the force on i from j, of the potential and of the pressure as tension.c and pressure.c have them, in plain loops
 * over all pairs. By area what the mesh's corners pull with is the gradient of gamma times its triangles' areas a, so
 * that the same sum over its corners is how these grow where the film is drawn out along itself without a change of
 * volume,
 *
 *     gamma = gamma_set/(2 A) sum over triangles of a (n_z^2 - (n_x^2 + n_y^2)/2),
 *
 * n their normals: less than what was set as far as the mesh is uneven. The pressure, whose divergence is exact for
 * linear flow, is the same in all directions, and what rings hand on along the surface gives 3e-4 of it
 * (calibration.md, Film tension). */
#include "methods/mps/mps.h"

/* --- by pairs --- */

typedef struct film {
    const mps_state *p;
    const world *w;
    const real4 *x;
    const real *pressure;
    real4 *lean; /* p times the change of D by F; w: p */
    int count;
    double h;       /* m */
    double bond;    /* K, N */
    double push;    /* s^D c, m2 */
    double size[3]; /* of periodic axes, m */
} film;

/* From j to i in units of h; across a periodic axis to the nearest image, as axes are longer than two reaches. */
static bool way(const film *f, int i, int j, double d[3])
{
    const double from[3] = {f->x[j].x, f->x[j].y, f->x[j].z}, to[3] = {f->x[i].x, f->x[i].y, f->x[i].z};
    double q2 = 0;
    for (int a = 0; a < 3; a++) {
        d[a] = to[a] - from[a];
        if (f->size[a] > 0) d[a] -= f->size[a] * rint(d[a] / f->size[a]);
        d[a] /= f->h, q2 += d[a] * d[a];
    }
    return q2 < 1 && q2 > 0;
}

static void find_lean(int begin, int end, void *context)
{
    film *f = context;
    for (int i = begin; i < end; i++) {
        double d[3], facing[3] = {0};
        for (int j = 0; j < f->count; j++) {
            if (!way(f, i, j, d)) continue;
            double q = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            for (int a = 0; a < 3; a++) facing[a] += (1 - q) / q * d[a];
        }
        real3 grow = flow_growth(&f->p->flow, (real3){(real)facing[0], (real)facing[1], (real)facing[2]});
        f->lean[i] = real4_of(real3_scale(f->pressure[i], grow), f->pressure[i]);
    }
}

/* f of tension.c, in K: what the potential falls by. */
static double attraction(const mps_state *p, double q)
{
    const double step = 1e-4;
    double (*potential)(double) = p->is_paper ? mps_potential_of_paper : mps_potential;
    return (potential(q - step) - potential(q + step)) / (2 * step);
}

static void sum_pairs(int begin, int end, void *context, double *sums)
{
    const film *f = context;
    for (int i = begin; i < end; i++)
        for (int j = i + 1; j < f->count; j++) {
            double d[3], along = 0;
            if (!way(f, i, j, d)) continue;
            real4 a = f->lean[i], b = f->lean[j];
            const double t[3] = {(double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z};
            double q = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), w = (1 - q) / q;
            for (int n = 0; n < 3; n++) along += (1 + w) / (q * q) * d[n] * t[n];
            for (int n = 0; n < 3; n++) {
                double pressed = w * d[n] * ((double)a.w + b.w) - (w * t[n] - along * d[n]) / 2;
                double force = f->push * pressed - f->bond * attraction(f->p, q) / q * d[n];
                sums[0] += f->h * force * (n == 2 ? d[n] : -d[n] / 2);
            }
        }
}

static bool tension_by_pairs(const mps_state *p, const world *w, double *tension)
{
    const dew_domain_def *d = &w->domain;
    film f = {.p = p, .w = w, .x = w->particles->position, .count = w->particles->count, .h = (double)p->flow.h};
    f.pressure = particles_field(w->particles, p->flow.solver_pressure);
    f.size[0] = d->max.x - d->min.x, f.size[1] = d->max.y - d->min.y;
    f.bond = mps_bond(p, w, w->materials[0].surface_tension) / f.h;
    f.push = pow((double)p->flow.s, w->dimension) * (double)p->flow.c.gradient;
    f.lean = arena_alloc(w->scratch, (size_t)f.count * sizeof *f.lean);
    if (!f.lean) return false;
    double sum;
    parallel_for(f.count, 16, find_lean, &f);
    parallel_sum(f.count, 1, sum_pairs, &f, &sum);
    *tension = sum / (2 * f.size[0] * f.size[1]);
    return true;
}

/* --- by area --- */

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
static bool tension_by_area(const mps_state *p, const world *w, double *tension)
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
    bool is_told = (p->flow.is_area ? tension_by_area : tension_by_pairs)(p, w, tension);
    arena_release(w->scratch, mark);
    return is_told;
}
