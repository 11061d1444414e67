/* Which particles are surface, their normals, and the curvature there.
 *
 * Surface particles (a sixth of a drop of 43 K) are copied to a store of their own with lists of their own, so that the
 * passes over them cost next to nothing and may look farther than H. In order:
 *
 *   1. weight: how empty the kernel is, 1 - c, from 0 to 1 over a narrow range, so that nothing jumps where a particle
 *      comes to the surface; normal n = -S/|S|;
 *   2. normals smoothed once, and the smoothing undone to first order: n <- 2 n_s - smooth(n_s), normalised;
 *   3. curvature tensor: least squares of n_j - n_i = K (x_j - x_i) in the tangent plane (the paper's renormalised
 *      gradient, eqs. 12 to 14, which is singular for particles of one surface unless taken in the tangent plane);
 *      kappa is its trace, corrected for centres that lie s/2 below the surface: kappa/(1 + kappa s/4);
 *   4. kappa <- 2 kappa - smooth(kappa), which the Shepard mean of the force pass will smooth again; its gradient;
 *   5. that mean does not see single particles that stand out or lie deeper, and where p = gamma kappa nothing else
 * does. So each two of them are drawn level, by a displacement (no force: that would ring, and throw off) along
 * n_i + n_j, by (x_j - x_i) . (n_i + n_j), which is zero on any ball. It is opposite for both, and fades where the one
 * is a particle of the second layer. */
#include "methods/sph/flow.h"

#include "base/parallel.h"
#include "particles/kernels.h"
#include "surface/surface.h"

#include <string.h>

/* Filled part of the kernel at which a particle begins to be surface, and at which it is wholly. A plane's first layer
 * has 0.74, the second 0.97. */
#define FILLED_INSIDE ((real)0.92)
#define FILLED_SURFACE ((real)0.84)
/* Who is less filled is copied too, as it may come to the surface before the lists are made anew. */
#define FILLED_CANDIDATE ((real)0.935)

/* A curvature of more than this over s is not resolved. */
#define MOST_CURVATURE ((real)1.5)
/* Of kappa within a spacing. */
#define MOST_CHANGE ((real)0.25)

/* Of s: a particle that lies deeper among its neighbours is none of the surface. */
#define RESOLVED_DENT ((real)0.2)

typedef struct surface_pass {
    flow *k;
    int count;
    const int32_t *slot; /* of each particle of the surface store, in the particles' own */
    /* Of the surface store, by its own slots. */
    pair_lists lists;
    real4 *x, *normal, *smooth, *sharp; /* x.w: weight */
    real *curvature;
    const real4 *from; /* what smooth_normals reads */
    real4 *to;
    real4 *moment, *tensor; /* R11 R12 R22, K11 K12 K21 K22 */
    real4 *mean;            /* sum of weights, of differences of kappa, of these along both tangents */
    real4 *even;            /* sum of what evens the surface out */
} surface_pass;

/* From 0 to 1: whether a particle lies at a surface rather than next to a void. Where a plane leaves c, |S| H is at
 * least 4.7 (1 - c); around a void, which is empty on both sides, it is less. In threads and sheets it is less too, but
 * there c is small. */
static real openness(real filled, real size)
{
    real need = real_min(real_max((filled - (real)0.65) / (real)0.15, 0), 1) * (real)3.5 * (1 - filled);
    return need > 0 ? real_min(real_max((size / need - (real)0.7) / (real)0.3, 0), 1) : 1;
}

/* maxima: 1 if some surface particle is not in the surface store. */
static void find_surface(int begin, int end, void *context, double *maxima)
{
    flow *k = context;
    bool is_missed = false;
    for (int i = begin; i < end; i++) {
        real body = sph_body(k->filled[i].w), filled = k->filled[i].w;
        real3 n = real3_scale(-1, real3_of(k->filled[i]));
        real size = real3_length(n);
        if (sph_is_gas(k, i)) {
            filled = 1;
            if (k->wall) k->bare[i] = k->filled[i];
        } else if (k->wall && k->wall_solid[i] >= 0) {
            n = sph_extend_liquid(k, i, &filled);
            size = 1;
        }
        real weight = (FILLED_INSIDE - filled) / (FILLED_INSIDE - FILLED_SURFACE);
        bool is_wall = k->wall && k->wall_solid[i] >= 0;
        weight = size > (real)0.05 ? body * real_min(real_max(weight, 0), 1) : 0;
        if (weight > 0 && !is_wall) weight *= openness(filled, size);
        k->a.is_surface[i] = weight > (real)0.5;
        is_missed |= weight > 0 && !k->a.is_candidate[i];
        k->a.v[i].w = weight;
        real scale = weight > 0 ? 1 / size : 0;
        k->a.normal[i] = (real4){scale * n.x, scale * n.y, scale * n.z, real3_length(real3_of(k->filled[i]))};
        k->a.tension[i] = (real4){0, 0, 0, 0};
        k->a.mean_curvature[i] = 0;
    }
    if (is_missed) maxima[0] = 1;
}

static void find_candidates(int begin, int end, void *context)
{
    flow *k = context;
    for (int i = begin; i < end; i++)
        k->a.is_candidate[i] =
            !sph_is_gas(k, i) &&
            (k->a.v[i].w > 0 || (k->filled[i].w < FILLED_CANDIDATE && !(k->wall && k->wall_solid[i] >= 0)));
}

/* Weight of a neighbour: its own, the kernel, and that it looks the same way (films have two sides). */
static inline vreal pair_weight(vreal4 i, vreal4 b, vreal4 n, vreal4 m, vreal inv_reach, vreal *dx, vreal *dy,
                                vreal *dz)
{
    *dx = b.x - i.x, *dy = b.y - i.y, *dz = b.z - i.z;
    vreal t = vmax(1 - vsqrt(*dx * *dx + *dy * *dy + *dz * *dz) * inv_reach, vset(0));
    return t * t * t * b.w * vmax(n.x * m.x + n.y * m.y + n.z * m.z, vset(0));
}

static vreal reach_of(const surface_pass *s) { return vset((real)(1 / neighbours_cutoff(s->k->p->surface_lists))); }

static void smooth_normals(int begin, int end, void *context)
{
    surface_pass *s = context;
    vreal inv_reach = reach_of(s);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(s->x, block), n = pair_i(s->from, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(s->lists, block, j)
        {
            vreal4 b = pair_j(s->x, j), m = pair_j(s->from, j);
            vreal dx, dy, dz, w = pair_weight(i, b, n, m, inv_reach, &dx, &dy, &dz);
            x += w * m.x, y += w * m.y, z += w * m.z;
        }
        pair_store4(s->to, block, x, y, z, vset(0));
    }
}

static void normalise(int begin, int end, void *context)
{
    surface_pass *s = context;
    for (int i = begin; i < end; i++) {
        real3 n = real3_normalise(real3_of(s->to[i]));
        s->to[i] = (real4){n.x, n.y, n.z, 0};
    }
}

static void sharpen_normals(int begin, int end, void *context)
{
    surface_pass *s = context;
    for (int i = begin; i < end; i++) {
        real3 twice = real3_normalise(real3_of(s->sharp[i]));
        real3 n = real3_normalise(real3_sub(real3_scale(2, real3_of(s->smooth[i])), twice));
        s->sharp[i] = (real4){n.x, n.y, n.z, s->normal[i].w};
    }
}

/* Tangents of n, as real3_perpendicular has them. */
static inline void tangents(vreal4 n, vreal4 *t1, vreal4 *t2)
{
    vreal sign = vselect(n.z < 0, vset(-1), vset(1)), a = -1 / (sign + n.z), b = n.x * n.y * a;
    t1->x = 1 + sign * n.x * n.x * a, t1->y = sign * b, t1->z = -sign * n.x;
    t2->x = b, t2->y = sign + n.y * n.y * a, t2->z = -n.y;
}

static void sum_tensor(int begin, int end, void *context)
{
    surface_pass *s = context;
    vreal inv_reach = reach_of(s), zero = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(s->x, block), n = pair_i(s->sharp, block), t1, t2;
        tangents(n, &t1, &t2);
        vreal r11 = zero, r12 = zero, r22 = zero, k11 = zero, k12 = zero, k21 = zero, k22 = zero;
        PAIRS(s->lists, block, j)
        {
            vreal4 b = pair_j(s->x, j), m = pair_j(s->sharp, j);
            vreal dx, dy, dz, w = pair_weight(i, b, n, m, inv_reach, &dx, &dy, &dz);
            vreal a1 = dx * t1.x + dy * t1.y + dz * t1.z, a2 = dx * t2.x + dy * t2.y + dz * t2.z;
            vreal n1 = m.x * t1.x + m.y * t1.y + m.z * t1.z, n2 = m.x * t2.x + m.y * t2.y + m.z * t2.z;
            vreal w1 = w * a1, w2 = w * a2;
            r11 += w1 * a1, r12 += w1 * a2, r22 += w2 * a2;
            k11 += w1 * n1, k12 += w2 * n1, k21 += w1 * n2, k22 += w2 * n2;
        }
        pair_store4(s->moment, block, r11, r12, r22, zero);
        pair_store4(s->tensor, block, k11, k12, k21, k22);
    }
}

/* R^-1 s^2, with a ridge for threads, whose neighbours lie on a line. */
static real3 inverse_moment(const surface_pass *s, int i)
{
    real scale = 1 / (s->k->p->s * s->k->p->s);
    real3 r = {scale * s->moment[i].x, scale * s->moment[i].y, scale * s->moment[i].z};
    real ridge = (real)1e-3 * (r.x + r.z) + (real)1e-6;
    real a = r.x + ridge, d = r.z + ridge, inv = 1 / (a * d - r.y * r.y);
    return (real3){d * inv, -r.y * inv, a * inv};
}

static void find_curvatures(int begin, int end, void *context)
{
    surface_pass *s = context;
    real spacing = s->k->p->s, most = MOST_CURVATURE / spacing;
    for (int i = begin; i < end; i++) {
        real3 inverse = inverse_moment(s, i);
        real4 k = s->tensor[i];
        real curvature = (k.x * inverse.x + (k.y + k.z) * inverse.y + k.w * inverse.z) / (spacing * spacing);
        curvature /= real_max(1 + curvature * spacing / 4, (real)0.25);
        s->curvature[i] = real_min(real_max(curvature, -most), most);
    }
}

static void sum_curvatures(int begin, int end, void *context)
{
    surface_pass *s = context;
    vreal inv_reach = reach_of(s);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(s->x, block), n = pair_i(s->sharp, block), t1, t2;
        tangents(n, &t1, &t2);
        vreal ki = pair_i1(s->curvature, block);
        vreal weight = vset(0), sum = vset(0), g1 = vset(0), g2 = vset(0);
        vreal fx = vset(0), fy = vset(0), fz = vset(0);
        vreal inv_d = vset(1 / (4 * RESOLVED_DENT * RESOLVED_DENT * s->k->p->s * s->k->p->s));
        PAIRS(s->lists, block, j)
        {
            vreal4 b = pair_j(s->x, j), m = pair_j(s->sharp, j);
            vreal dx, dy, dz, w = pair_weight(i, b, n, m, inv_reach, &dx, &dy, &dz);
            vreal difference = w * (pair_j1(s->curvature, j) - ki);
            weight += w, sum += difference;
            g1 += difference * (dx * t1.x + dy * t1.y + dz * t1.z);
            g2 += difference * (dx * t2.x + dy * t2.y + dz * t2.z);
            vreal mx = n.x + m.x, my = n.y + m.y, mz = n.z + m.z;
            vreal d = dx * mx + dy * my + dz * mz, q = 1 + d * d * inv_d;
            vreal f = w * i.w * n.w * m.w * d / (q * q);
            fx += f * mx, fy += f * my, fz += f * mz;
        }
        pair_store4(s->mean, block, weight, sum, g1, g2);
        pair_store4(s->even, block, fx, fy, fz, vset(0));
    }
}

/* To the particles' own slots. */
static void put_tension(int begin, int end, void *context)
{
    surface_pass *s = context;
    flow *k = s->k;
    real spacing = k->p->s, most = MOST_CURVATURE / spacing;
    /* Over the sum of (1 - r/reach)^3 over a plane with a particle a square of s, and over the squares of n_i + n_j. */
    real reach = (real)neighbours_cutoff(k->p->surface_lists) / spacing;
    real speed = (real)k->p->parameter[SPH_EVEN] * k->dt * k->sound /
                 (k->p->support * (real)(KERNEL_PI / 10 * 4) * reach * reach);
    for (int n = begin; n < end; n++) {
        int i = s->slot[n];
        real4 mean = s->mean[n], even = s->even[n];
        real3 inverse = real3_scale(1 / (spacing * spacing), inverse_moment(s, n)), normal = real3_of(s->sharp[n]);
        real g1 = inverse.x * mean.z + inverse.y * mean.w, g2 = inverse.y * mean.z + inverse.z * mean.w;
        real curvature = s->curvature[n] - (mean.x > 0 ? mean.y / mean.x : 0);
        curvature = real_min(real_max(curvature, -most), most);
        real3 t1 = real3_perpendicular(normal), t2 = real3_cross(normal, t1);
        real weight = k->gamma * s->x[n].w;
        /* A gradient by which kappa changes much within a spacing is noise. */
        real steep = sqrt(g1 * g1 + g2 * g2), resolved = MOST_CHANGE * fabs(curvature) / spacing;
        real limit = steep > resolved ? resolved / steep : 1;
        real3 g = real3_scale(weight * limit, real3_madd(real3_scale(g1, t1), g2, t2));
        k->a.tension[i] = (real4){g.x, g.y, g.z, weight * curvature};
        k->a.mean_curvature[i] = s->curvature[n] / 2;
        k->a.normal[i] = (real4){normal.x, normal.y, normal.z, k->a.normal[i].w};
        k->even[i] = (real4){speed * even.x, speed * even.y, speed * even.z, 0};
    }
}

/* Fills the surface store and makes its lists, which hold for as long as those of all particles. */
static dew_result make_lists(flow *k)
{
    sph_state *p = k->p;
    particles *store = &p->surface;
    size_t room = (size_t)k->count + 8;
    parallel_for(k->count, 4096, find_candidates, k);
    int32_t *list = arena_alloc(k->w->scratch, room * sizeof *list);
    if (!list) return result_fail(DEW_NO_MEMORY, "no memory for the surface of %d particles", k->count);
    int count = surface_compact(k->a.is_candidate, k->count, list);
    real4 *x = arena_alloc(k->w->scratch, ((size_t)count + 8) * sizeof *x);
    if (!x) return result_fail(DEW_NO_MEMORY, "no memory for %d surface particles", count);
    for (int m = 0; m < count; m++) x[m] = k->a.x[list[m]];
    store->count = 0, store->next_id = 0;
    RESULT_TRY(particles_insert(store, count, x, NULL, 0));
    memcpy(particles_field(store, p->surface_slot), list, (size_t)count * sizeof *list);
    real *allowance = particles_field(store, p->surface_allowance), most = 0;
    for (int m = 0; m < count; m++) {
        allowance[m] = k->a.allowance[list[m]];
        most = real_max(most, allowance[m]);
    }
    neighbours_set_allowance(p->surface_lists, p->surface_allowance, (double)most);
    neighbours_set_reach(p->surface_lists, p->parameter[SPH_CURVATURE_SUPPORT] * k->w->spacing,
                         neighbours_skin(k->w->neighbours));
    p->has_surface_lists = true;
    return neighbours_build(p->surface_lists, store, &k->w->domain);
}

static void copy_surface(int begin, int end, void *context)
{
    surface_pass *s = context;
    const flow *k = s->k;
    for (int n = begin; n < end; n++) {
        int i = s->slot[n];
        /* Solids hold those next to them, which need not be evened out. */
        real free = sph_wetted(k, i) > 0 ? real_min(real_max(k->wall[i].w / k->p->s - 1, 0), 1) : 1;
        real4 x = k->a.x[i], normal = k->a.normal[i];
        s->x[n] = (real4){x.x, x.y, x.z, k->a.v[i].w};
        normal.w = free;
        s->normal[n] = normal;
    }
}

static dew_result open_surface(surface_pass *s, flow *k)
{
    sph_state *p = k->p;
    particles *store = &p->surface;
    arena *memory = k->w->scratch;
    size_t room = (size_t)store->count + 8;
    *s = (surface_pass){.k = k,
                        .count = store->count,
                        .lists = neighbours_lists(p->surface_lists),
                        .x = store->position,
                        .normal = store->velocity,
                        .slot = particles_field(store, p->surface_slot),
                        .smooth = particles_field(store, p->surface_smooth),
                        .sharp = particles_field(store, p->surface_sharp),
                        .curvature = particles_field(store, p->surface_curvature)};
    real4 **records[] = {&s->moment, &s->tensor, &s->mean, &s->even};
    for (size_t n = 0; n < sizeof records / sizeof *records; n++)
        if (!(*records[n] = arena_alloc(memory, room * sizeof(real4))))
            return result_fail(DEW_NO_MEMORY, "no memory for %d surface particles", s->count);
    parallel_for(s->count, 1024, copy_surface, s);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    return DEW_OK;
}

static void run(surface_pass *s)
{
    enum { GRAIN = 16 };
    sph_state *p = s->k->p;
    particles *store = &p->surface;
    int blocks = PAIR_BLOCKS(s->count);
    s->from = s->normal, s->to = s->smooth;
    parallel_for(blocks, GRAIN, smooth_normals, s);
    parallel_for(s->count, 1024, normalise, s);
    particles_update_ghosts(store, p->surface_smooth);
    s->from = s->smooth, s->to = s->sharp;
    parallel_for(blocks, GRAIN, smooth_normals, s);
    parallel_for(s->count, 1024, sharpen_normals, s);
    particles_update_ghosts(store, p->surface_sharp);
    parallel_for(blocks, GRAIN, sum_tensor, s);
    parallel_for(s->count, 1024, find_curvatures, s);
    particles_update_ghosts(store, p->surface_curvature);
    parallel_for(blocks, GRAIN, sum_curvatures, s);
    parallel_for(s->count, 1024, put_tension, s);
}

dew_result sph_find_curvature(flow *k)
{
    double is_missed;
    parallel_max(k->count, 1, find_surface, k, &is_missed);
    if (!(k->gamma > 0)) return DEW_OK;
    if (is_missed > 0 || !k->p->has_surface_lists) RESULT_TRY(make_lists(k));
    if (k->p->surface.count == 0) return DEW_OK;
    surface_pass s;
    RESULT_TRY(open_surface(&s, k));
    run(&s);
    return DEW_OK;
}
