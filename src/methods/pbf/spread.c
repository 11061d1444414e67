/* Where the tension's force acts: spread below the surface as the pressure acts there.
 *
 * Under one pressure everywhere the density solver pushes particle j along S_j = sum V grad W, and by Gauss S_j is the
 * integral of W(x_j - y) n dA(y) over the surface. So a force F_k at the point p_k of the surface, given to the
 * particles around with the weights W(x_j - p_k), is met by one pressure, however the particles lie (the idea of
 * balanced forces: Francois et al. 2006, J. Comput. Phys. 213). A force on the surface's particles alone is not, and
 * what is left over stirs a drop at rest: the fastest particle moved at 0.2 sqrt(gamma/(rho D)), now at 0.03.
 *
 * Weights of a point sum to one, so forces sum to what they were. They are taken over pairs within h of each other, met
 * from both sides alike, and fade out above the surface: liquid beyond a gap is not drawn. */
#include "base/parallel.h"
#include "methods/pbf/physical.h"
#include "particles/kernels.h"

typedef struct spread {
    physical *k;
    real *weight; /* of each point, summed over the particles around */
} spread;

typedef struct point_weight {
    vreal inv_h, up; /* 1/h; from a particle to its point along the normal, in h */
    vreal half, fade;
} point_weight;

static point_weight weights_of(const pbf_state *p)
{
    return (point_weight){vset(1 / p->h), vset(p->s / 2 / p->h), vset((real)0.5), vset(p->h / p->s)};
}

/* Weight of the particle at x in the point of the surface particle at y with the normal n; one s/2 and more below the
 * point's plane, none s/2 above it. */
static inline vreal weight_at(const point_weight *w, vreal4 x, vreal4 y, vreal4 n)
{
    vreal dx = (x.x - y.x) * w->inv_h, dy = (x.y - y.y) * w->inv_h, dz = (x.z - y.z) * w->inv_h;
    vreal ex = dx - w->up * n.x, ey = dy - w->up * n.y, ez = dz - w->up * n.z;
    vreal below = w->half - w->fade * (ex * n.x + ey * n.y + ez * n.z);
    vreal weight = vcubic_spline(vsqrt(ex * ex + ey * ey + ez * ez)) * vmin(vmax(below, vset(0)), vset(1));
    return vselect(dx * dx + dy * dy + dz * dz < vset(1), weight, vset(0));
}

static void sum_weights(int begin, int end, void *context)
{
    spread *d = context;
    const physical *k = d->k;
    point_weight w = weights_of(k->p);
    for (int block = begin; block < end; block++) {
        bool has_surface = false;
        for (int i = block * PAIR_I; i < (block + 1) * PAIR_I && i < k->count; i++) has_surface |= k->a.is_surface[i];
        if (!has_surface) continue; /* its weights are not read */
        vreal4 y = pair_i(k->a.x, block), n = pair_i(k->a.normal, block);
        vreal sum = vset(0);
        PAIRS(k->lists, block, j) sum += weight_at(&w, pair_j(k->a.x, j), y, n);
        pair_store(d->weight, block, sum);
    }
}

/* The force of each point over its sum of weights, into k->shift. */
static void put_shares(int begin, int end, void *context)
{
    spread *d = context;
    const physical *k = d->k;
    for (int i = begin; i < end; i++) {
        real4 f = k->force[i];
        real share = k->a.is_surface[i] ? 1 / d->weight[i] : 0;
        k->shift[i] = (real4){share * f.x, share * f.y, share * f.z, 0};
    }
}

static void sum_forces(int begin, int end, void *context)
{
    spread *d = context;
    const physical *k = d->k;
    point_weight w = weights_of(k->p);
    for (int block = begin; block < end; block++) {
        vreal4 x = pair_i(k->a.x, block);
        vreal fx = vset(0), fy = vset(0), fz = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 share = pair_j(k->shift, j);
            vreal weight = weight_at(&w, x, pair_j(k->a.x, j), pair_j(k->a.normal, j));
            fx += weight * share.x, fy += weight * share.y, fz += weight * share.z;
        }
        pair_store4(k->force, block, fx, fy, fz, vset(0));
    }
}

dew_result pbf_spread_tension(physical *k)
{
    spread d = {k, arena_alloc(k->w->scratch, ((size_t)k->count + 8) * sizeof(real))};
    if (!d.weight) return result_fail(DEW_NO_MEMORY, "no memory for the tension of %d particles", k->count);
    parallel_for(k->blocks, PBF_GRAIN, sum_weights, &d);
    parallel_for(k->count, 4096, put_shares, &d);
    particles_update_ghosts(k->w->particles, k->p->shift);
    parallel_for(k->blocks, PBF_GRAIN, sum_forces, &d);
    return DEW_OK;
}
