/* Where the tension's force acts: spread below the surface as the pressure acts there.
 *
 * Under one pressure everywhere particle j is pushed along S_j = sum V grad W, and by Gauss S_j is the integral over
 * the surface of W(x_j - y) n dA(y). So a force F_k at the point p_k of the surface, given to the particles around with
 * the weights W(x_j - p_k), is met by one pressure, however the particles lie (the idea of balanced forces: Francois et
 * al. 2006, J. Comput. Phys. 213). A force on the surface's particles alone is not, and what is left over stirs a drop
 * at rest.
 *
 * Weights of a point sum to one, so forces sum to what they were. They are taken over pairs within the support of each
 * other, met from both sides alike, and fade out above the surface: liquid beyond a gap is not drawn. */
#include "base/parallel.h"
#include "particles/kernels.h"
#include "surface/tension.h"

enum { SPREAD_GRAIN = 32 };

typedef struct spread {
    const spread_params *params;
    pair_lists lists;
    const particles *p;
    const real4 *normal;
    const uint8_t *is_surface;
    real *weight; /* of each point, summed over the particles around */
    real4 *force;
} spread;

typedef struct point_weight {
    vreal inv_h, up; /* 1/h; from a particle to its point along the normal, in h */
    vreal half, fade;
} point_weight;

static point_weight weights_of(const spread_params *p)
{
    real h = p->support;
    return (point_weight){vset(1 / h), vset(p->spacing / 2 / h), vset((real)0.5), vset(h / p->spacing)};
}

/* Weight of the particle at x in the point of the surface particle at y with the normal n; one s/2 and more below the
 * point's plane, none s/2 above it. `is_wendland` is known when compiled. */
static inline vreal weight_at(const point_weight *w, bool is_wendland, vreal4 x, vreal4 y, vreal4 n)
{
    vreal dx = (x.x - y.x) * w->inv_h, dy = (x.y - y.y) * w->inv_h, dz = (x.z - y.z) * w->inv_h;
    vreal ex = dx - w->up * n.x, ey = dy - w->up * n.y, ez = dz - w->up * n.z;
    vreal below = w->half - w->fade * (ex * n.x + ey * n.y + ez * n.z), q = vsqrt(ex * ex + ey * ey + ez * ez);
    vreal weight = (is_wendland ? vwendland(q) : vcubic_spline(q)) * vmin(vmax(below, vset(0)), vset(1));
    return vselect(dx * dx + dy * dy + dz * dz < vset(1), weight, vset(0));
}

static inline void sum_weights_of(const spread *d, int begin, int end, bool is_wendland)
{
    point_weight w = weights_of(d->params);
    const real4 *position = d->p->position;
    for (int block = begin; block < end; block++) {
        bool has_surface = false;
        for (int i = block * PAIR_I; i < (block + 1) * PAIR_I && i < d->p->count; i++) has_surface |= d->is_surface[i];
        if (!has_surface) continue; /* its weights are not read */
        vreal4 y = pair_i(position, block), n = pair_i(d->normal, block);
        vreal sum = vset(0);
        PAIRS(d->lists, block, j) sum += weight_at(&w, is_wendland, pair_j(position, j), y, n);
        pair_store(d->weight, block, sum);
    }
}

static void sum_weights(int begin, int end, void *context)
{
    const spread *d = context;
    if (d->params->is_wendland)
        sum_weights_of(d, begin, end, true);
    else
        sum_weights_of(d, begin, end, false);
}

/* The force of each point over its sum of weights. */
static void put_shares(int begin, int end, void *context)
{
    const spread *d = context;
    real4 *share = particles_field(d->p, d->params->share);
    for (int i = begin; i < end; i++) {
        real4 f = d->force[i];
        real part = d->is_surface[i] ? 1 / d->weight[i] : 0;
        share[i] = (real4){part * f.x, part * f.y, part * f.z, 0};
    }
}

static inline void sum_forces_of(const spread *d, int begin, int end, bool is_wendland)
{
    point_weight w = weights_of(d->params);
    const real4 *position = d->p->position, *share = particles_field(d->p, d->params->share);
    for (int block = begin; block < end; block++) {
        vreal fx = vset(0), fy = vset(0), fz = vset(0);
        if (!d->params->is_near || d->params->is_near[block]) {
            vreal4 x = pair_i(position, block);
            PAIRS(d->lists, block, j)
            {
                vreal4 f = pair_j(share, j);
                vreal weight = weight_at(&w, is_wendland, x, pair_j(position, j), pair_j(d->normal, j));
                fx += weight * f.x, fy += weight * f.y, fz += weight * f.z;
            }
        }
        pair_store4(d->force, block, fx, fy, fz, vset(0));
    }
}

static void sum_forces(int begin, int end, void *context)
{
    const spread *d = context;
    if (d->params->is_wendland)
        sum_forces_of(d, begin, end, true);
    else
        sum_forces_of(d, begin, end, false);
}

dew_result surface_spread_force(const spread_params *params, pair_lists lists, particles *p, const real4 *normal,
                                const uint8_t *is_surface, arena *memory, real4 *force)
{
    int blocks = PAIR_BLOCKS(p->count);
    spread d = {params, lists, p, normal, is_surface, NULL, force};
    ARENA_TRY(memory, p->count, d.weight);
    parallel_for(blocks, SPREAD_GRAIN, sum_weights, &d);
    parallel_for(p->count, 4096, put_shares, &d);
    particles_update_ghosts(p, params->share);
    parallel_for(blocks, SPREAD_GRAIN, sum_forces, &d);
    return DEW_OK;
}
