/* Rest density at a free surface: how full the kernel of each particle may be.
 *
 * A particle at depth d under a flat surface has the fraction D(d) of its kernel outside; its rest density is phi = 1 -
 * D of the bulk's. Surface particles sit s/2 deep; deeper ones ask the surface particles near them. Next to a wall only
 * the wedge of vapour counts: D(d) - D2(d, wall). */
#include "methods/pbf/pbf.h"

/* The largest h H. */
#define MOST_BENT ((real)1)

typedef struct rest {
    const pbf_state *p;
    pbf_arrays a;
    pair_lists lists;
    real *depth;    /* summed with weights */
    real4 *normals; /* summed with weights; w: sum of weights */
    real4 *ways;    /* to them, summed with weights; w: of squares. NULL: the surface counts as flat */
    real *fullness;
    real *wet; /* NULL, or takes the share of its solids that lies on the liquid's side of its surface */
} rest;

static void put_surface_flag(int begin, int end, void *context)
{
    rest *k = context;
    for (int i = begin; i < end; i++) k->a.x[i].w = k->a.is_surface[i] ? 1 : 0;
}

/* Depth below the surface: the mean of (p_j - p_i) . n_j over surface particles j, weighted by (1 - q)^4, in h. To a
 * particle inside those that face it, on the far wall of a hollow, are no surface that it lies below: counted as less
 * depth they kept hollows open. The paper's threads, three across, have no inside, and count all. */
static void find_depth(int begin, int end, void *context)
{
    rest *k = context;
    vreal inv_h = vset(1 / k->p->h), all = vset(k->ways ? 0 : 1);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block);
        vreal depth = vset(0), weight = vset(0), nx = vset(0), ny = vset(0), nz = vset(0);
        vreal mx = vset(0), my = vset(0), mz = vset(0), square = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), n = pair_j(k->a.normal, j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal q = vsqrt(dx * dx + dy * dy + dz * dz), t = vmax(1 - q, vset(0));
            t = t * t * b.w, t = t * t;
            vreal above = dx * n.x + dy * n.y + dz * n.z;
            t = vselect(all + i.w + above > 0, t, vset(0));
            weight += t;
            depth += t * above;
            nx += t * n.x, ny += t * n.y, nz += t * n.z;
            mx += t * dx, my += t * dy, mz += t * dz, square += t * q * q;
        }
        pair_store(k->depth, block, depth);
        pair_store4(k->normals, block, nx, ny, nz, weight);
        if (k->ways) pair_store4(k->ways, block, mx, my, mz, square);
    }
}

/* What solids have of the part of the kernel beyond a plane with the normal n at u; *filled: all that they have. */
static real beyond_in_solids(const pbf_state *p, int i, real u, real3 n, real *filled)
{
    walls_here here = near_walls_at(&p->near, i, (real3){0, 0, 0}, 1 / p->h, &p->half_space);
    real sum = 0;
    *filled = 0;
    for (int a = 0; a < here.count; a++) {
        sum += here.share[a] * fraction_beyond_two(p->fractions, u, here.distance[a],
                                                   -real3_dot(n, real3_of(p->near.wall[NEAR_WALLS * i + a])));
        *filled += here.share[a] * half_space_at(p->half_space.sum, here.distance[a]);
    }
    return sum;
}

static void find_fullness(int begin, int end, void *context)
{
    rest *k = context;
    const pbf_state *p = k->p;
    real half = p->s / 2 / p->h;
    for (int i = begin; i < end; i++) {
        real beyond = 0, dry = 0, u = half, weight = k->normals[i].w, bend = 0;
        real3 n = real3_of(k->a.normal[i]);
        if (!k->a.is_surface[i]) n = real3_normalise(real3_of(k->normals[i]));
        if (!(weight > (real)1e-8))
            u = 1;
        else if (!k->a.is_surface[i])
            u = fmax(k->depth[i] / weight, (real)0) + half;
        if (k->ways && u < 1) {
            /* With (n_j - n) . d = H rho^2 along a surface of mean curvature H. */
            real flat = real3_dot(n, real3_of(k->ways[i])) / weight;
            real along = fmax(k->ways[i].w / weight - flat * flat, (real)1e-3), bent = k->depth[i] / weight - flat;
            if (!near_walls_has(&p->near, i)) bend = fmin(fmax(bent / along, -MOST_BENT), MOST_BENT);
            if (!k->a.is_surface[i]) u = fmax(flat + bend * along / 2, (real)0) + half;
        }
        if (u < 1) {
            beyond = fraction_beyond(p->fractions, u) + bend / 2 * half_space_at(p->second_moment, u);
            if (near_walls_has(&p->near, i)) {
                real filled, of_solids = beyond_in_solids(p, i, u, n, &filled);
                beyond -= of_solids, dry = filled > 0 ? fmin(of_solids / filled, (real)1) : 0;
            }
            real told = fmin(fmax(2 * (k->a.normal[i].w - (real)0.3), (real)0), (real)1);
            if (k->a.is_surface[i]) beyond *= told, dry *= told;
        }
        if (k->wet) k->wet[i] = 1 - dry;
        k->fullness[i] = 1 - fmax(beyond, (real)0);
    }
}

void pbf_find_fullness(const pbf_state *p, const world *w, real *depth, real4 *normals, real4 *ways, real *fullness,
                       real *wet)
{
    int count = w->particles->count;
    rest k = {p, pbf_arrays_of(p, w), neighbours_lists(w->neighbours), depth, normals, ways, fullness, wet};
    parallel_for(count, 4096, put_surface_flag, &k);
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, find_depth, &k);
    parallel_for(count, 1024, find_fullness, &k);
}
