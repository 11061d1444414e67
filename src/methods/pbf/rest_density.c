/* Rest density at a free surface: how full the kernel of each particle may be. A particle at depth d under a flat
 * surface has the fraction D(d) of its kernel outside; its rest density is 1 - D of the bulk's. Surface particles sit
 * s/2 deep; deeper ones ask the surface particles near them. */
#include "methods/pbf/pbf.h"

typedef struct rest {
    const pbf_state *p;
    pbf_arrays a;
    pair_lists lists;
    real *depth; /* summed with weights */
    real *fullness;
} rest;

static void put_surface_flag(int begin, int end, void *context)
{
    rest *k = context;
    for (int i = begin; i < end; i++) k->a.x[i].w = k->a.is_surface[i] ? 1 : 0;
}

/* Depth below the surface: the mean of (p_j - p_i) . n_j over surface particles j, weighted by (1 - q)^4, in h. */
static void find_depth(int begin, int end, void *context)
{
    rest *k = context;
    vreal inv_h = vset(1 / k->p->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block);
        vreal depth = vset(0), weight = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), n = pair_j(k->a.normal, j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal q = vsqrt(dx * dx + dy * dy + dz * dz), t = vmax(1 - q, vset(0));
            t = t * t * b.w, t = t * t;
            weight += t, depth += t * (dx * n.x + dy * n.y + dz * n.z);
        }
        pair_store(k->depth, block, depth);
        pair_store(k->fullness, block, weight);
    }
}

static void find_fullness(int begin, int end, void *context)
{
    rest *k = context;
    const pbf_state *p = k->p;
    real half = p->s / 2 / p->h;
    for (int i = begin; i < end; i++) {
        bool is_surface = k->a.is_surface[i];
        real u = half, weight = k->fullness[i];
        if (!(weight > (real)1e-8))
            u = 1;
        else if (!is_surface)
            u = fmax(k->depth[i] / weight, (real)0) + half;
        real beyond = u < 1 ? half_space_at(p->half_space.sum, u) : 0;
        if (is_surface) beyond *= fmin(fmax(2 * (k->a.normal[i].w - (real)0.3), (real)0), (real)1);
        k->fullness[i] = 1 - fmax(beyond, (real)0);
    }
}

void pbf_find_fullness(const pbf_state *p, const world *w, real *depth, real *fullness)
{
    int count = w->particles->count;
    rest k = {p, pbf_arrays_of(p, w), neighbours_lists(w->neighbours), depth, fullness};
    parallel_for(count, 4096, put_surface_flag, &k);
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, find_depth, &k);
    parallel_for(count, 1024, find_fullness, &k);
}
