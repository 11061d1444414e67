/* Normals and curvature of a surface by its points. In order:
 *
 *   1. normals smoothed once, and the smoothing undone to first order: n <- 2 n_s - smooth(n_s), normalised;
 *   2. curvature tensor: least squares of n_j - n_i = K (x_j - x_i) in the tangent plane (the renormalised gradient of
 *      Xiong et al. 2024, eqs. 12 to 14, which is singular for points of one surface unless taken in the tangent
 *      plane); kappa is its trace, corrected for points that lie s/2 below the surface: kappa/(1 + kappa s/4);
 *   3. kappa <- 2 kappa - smooth(kappa), which the caller's own mean will smooth again; its gradient;
 *   4. that mean does not see single points that stand out or lie deeper. So each two of them are drawn level along n_i
 *      + n_j, by (x_j - x_i) . (n_i + n_j), which is zero on any ball. It is opposite for both, and fades where the one
 *      is a point of the second layer. */
#include "surface/curvature.h"

#include "base/parallel.h"
#include "particles/kernels.h"
#include "surface/pair_weight.h"

/* Kappa changes by no more than this share of itself within a spacing. */
#define MOST_CHANGE ((real)0.25)
/* A point that lies deeper than this times s among its neighbours is none of the surface. */
#define RESOLVED_DENT ((real)0.2)

typedef struct curvature_pass {
    surface_points *s;
    int count;
    real spacing;
    pair_lists lists;
    real4 *x, *normal, *smooth, *sharp; /* x.w: weight */
    real *curvature;
    const real4 *from; /* what smooth_normals reads */
    real4 *to;
    real4 *moment, *tensor; /* R11 R12 R22; sums for K11 K12 K21 K22, then K11, K12, K22 */
    real4 *mean;            /* sum of weights, of differences of kappa, of these along both tangents */
    real4 *even;
} curvature_pass;

static vreal reach_of(const curvature_pass *s) { return vset((real)(1 / neighbours_cutoff(s->s->lists))); }

static void smooth_normals(int begin, int end, void *context)
{
    curvature_pass *s = context;
    vreal inv_reach = reach_of(s);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(s->x, block), n = pair_i(s->from, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(s->lists, block, j)
        {
            vreal4 b = pair_j(s->x, j), m = pair_j(s->from, j);
            vreal dx, dy, dz, w = surface_pair_weight(i, b, n, m, inv_reach, &dx, &dy, &dz);
            x += w * m.x, y += w * m.y, z += w * m.z;
        }
        pair_store4(s->to, block, x, y, z, vset(0));
    }
}

static void normalise(int begin, int end, void *context)
{
    curvature_pass *s = context;
    for (int i = begin; i < end; i++) s->to[i] = real4_of(real3_normalise(real3_of(s->to[i])), 0);
}

static void sharpen_normals(int begin, int end, void *context)
{
    curvature_pass *s = context;
    for (int i = begin; i < end; i++) {
        real3 twice = real3_normalise(real3_of(s->sharp[i]));
        real3 n = real3_normalise(real3_sub(real3_scale(2, real3_of(s->smooth[i])), twice));
        s->sharp[i] = real4_of(n, s->normal[i].w);
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
    curvature_pass *s = context;
    vreal inv_reach = reach_of(s), zero = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(s->x, block), n = pair_i(s->sharp, block), t1, t2;
        tangents(n, &t1, &t2);
        vreal r11 = zero, r12 = zero, r22 = zero, k11 = zero, k12 = zero, k21 = zero, k22 = zero;
        PAIRS(s->lists, block, j)
        {
            vreal4 b = pair_j(s->x, j), m = pair_j(s->sharp, j);
            vreal dx, dy, dz, w = surface_pair_weight(i, b, n, m, inv_reach, &dx, &dy, &dz);
            vreal a1 = dx * t1.x + dy * t1.y + dz * t1.z, a2 = dx * t2.x + dy * t2.y + dz * t2.z;
            vreal n1 = vdot3(m, t1), n2 = vdot3(m, t2);
            vreal w1 = w * a1, w2 = w * a2;
            r11 += w1 * a1, r12 += w1 * a2, r22 += w2 * a2;
            k11 += w1 * n1, k12 += w2 * n1, k21 += w1 * n2, k22 += w2 * n2;
        }
        pair_store4(s->moment, block, r11, r12, r22, zero);
        pair_store4(s->tensor, block, k11, k12, k21, k22);
    }
}

/* R^-1 s^2, with a ridge for threads, whose neighbours lie on a line. */
static real3 inverse_moment(const curvature_pass *s, int i)
{
    real scale = 1 / (s->spacing * s->spacing);
    real3 r = {scale * s->moment[i].x, scale * s->moment[i].y, scale * s->moment[i].z};
    real ridge = (real)1e-3 * (r.x + r.z) + (real)1e-6;
    real a = r.x + ridge, d = r.z + ridge, inv = 1 / (a * d - r.y * r.y);
    return (real3){d * inv, -r.y * inv, a * inv};
}

static void find_curvatures(int begin, int end, void *context)
{
    curvature_pass *s = context;
    real spacing = s->spacing;
    for (int i = begin; i < end; i++) {
        real3 inverse = inverse_moment(s, i);
        real4 k = s->tensor[i];
        real scale = 1 / (spacing * spacing);
        real k11 = scale * (k.x * inverse.x + k.y * inverse.y), k22 = scale * (k.z * inverse.y + k.w * inverse.z);
        real k12 = scale * (k.x * inverse.y + k.y * inverse.z), k21 = scale * (k.z * inverse.x + k.w * inverse.y);
        real mixed = (k12 + k21) / 2;
        s->tensor[i] = (real4){k11, mixed, k22, 0};
        s->curvature[i] = surface_curvature_above(k11 + k22, k11 * k22 - mixed * mixed, spacing);
    }
}

static void sum_curvatures(int begin, int end, void *context)
{
    curvature_pass *s = context;
    vreal inv_reach = reach_of(s);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(s->x, block), n = pair_i(s->sharp, block), t1, t2;
        tangents(n, &t1, &t2);
        vreal ki = pair_i1(s->curvature, block);
        vreal weight = vset(0), sum = vset(0), g1 = vset(0), g2 = vset(0);
        vreal fx = vset(0), fy = vset(0), fz = vset(0);
        vreal inv_d = vset(1 / (4 * RESOLVED_DENT * RESOLVED_DENT * s->spacing * s->spacing));
        PAIRS(s->lists, block, j)
        {
            vreal4 b = pair_j(s->x, j), m = pair_j(s->sharp, j);
            vreal dx, dy, dz, w = surface_pair_weight(i, b, n, m, inv_reach, &dx, &dy, &dz);
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

/* Into `mean`: gradient and sharpened kappa. A gradient by which kappa changes much within a spacing is noise. */
static void sharpen_curvatures(int begin, int end, void *context)
{
    curvature_pass *s = context;
    real spacing = s->spacing, most = SURFACE_MOST_CURVATURE / spacing;
    for (int n = begin; n < end; n++) {
        real4 mean = s->mean[n];
        real3 inverse = real3_scale(1 / (spacing * spacing), inverse_moment(s, n)), normal = real3_of(s->sharp[n]);
        real g1 = inverse.x * mean.z + inverse.y * mean.w, g2 = inverse.y * mean.z + inverse.z * mean.w;
        real curvature = s->curvature[n] - (mean.x > 0 ? mean.y / mean.x : 0);
        curvature = real_min(real_max(curvature, -most), most);
        real3 t1 = real3_perpendicular(normal), t2 = real3_cross(normal, t1);
        real steep = sqrt(g1 * g1 + g2 * g2), resolved = MOST_CHANGE * fabs(curvature) / spacing;
        real limit = steep > resolved ? resolved / steep : 1;
        real3 g = real3_scale(limit, real3_madd(real3_scale(g1, t1), g2, t2));
        s->mean[n] = real4_of(g, curvature);
    }
}

static void run(curvature_pass *c)
{
    enum { GRAIN = 16 };
    surface_points *s = c->s;
    particles *store = &s->store;
    int blocks = PAIR_BLOCKS(c->count);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    c->from = c->normal, c->to = c->smooth;
    parallel_for(blocks, GRAIN, smooth_normals, c);
    parallel_for(c->count, 1024, normalise, c);
    particles_update_ghosts(store, s->smooth);
    c->from = c->smooth, c->to = c->sharp;
    parallel_for(blocks, GRAIN, smooth_normals, c);
    parallel_for(c->count, 1024, sharpen_normals, c);
    particles_update_ghosts(store, s->sharp);
    parallel_for(blocks, GRAIN, sum_tensor, c);
    parallel_for(c->count, 1024, find_curvatures, c);
    particles_update_ghosts(store, s->curvature);
    parallel_for(blocks, GRAIN, sum_curvatures, c);
    parallel_for(c->count, 1024, sharpen_curvatures, c);
}

real surface_curvature_along(const surface_curvature *found, int n, real3 direction)
{
    real3 normal = real3_of(found->normal[n]), t1 = real3_perpendicular(normal), t2 = real3_cross(normal, t1);
    real a = real3_dot(direction, t1), b = real3_dot(direction, t2), square = a * a + b * b;
    real4 k = found->tensor[n];
    return square > 0 ? (a * a * k.x + 2 * a * b * k.y + b * b * k.z) / square : 0;
}

dew_result surface_find_curvature(surface_points *s, real spacing, arena *memory, surface_curvature *result)
{
    const particles *store = &s->store;
    curvature_pass c = {.s = s,
                        .count = store->count,
                        .spacing = spacing,
                        .lists = neighbours_lists(s->lists),
                        .x = store->position,
                        .normal = store->velocity,
                        .smooth = particles_field(store, s->smooth),
                        .sharp = particles_field(store, s->sharp),
                        .curvature = particles_field(store, s->curvature)};
    ARENA_TRY(memory, c.count, c.moment, c.tensor, c.mean, c.even);
    run(&c);
    /* The sum of (1 - r/reach)^3 over a plane with a point a square of s, by the squares of n_i + n_j. */
    real reach = (real)neighbours_cutoff(s->lists) / spacing;
    *result = (surface_curvature){.normal = c.sharp,
                                  .curvature = c.curvature,
                                  .tensor = c.tensor,
                                  .sharpened = c.mean,
                                  .even = c.even,
                                  .weights_of_plane = (real)(PI / 10 * 4) * reach * reach};
    return DEW_OK;
}
