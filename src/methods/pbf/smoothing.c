/* Smoothing of velocities keeps particles orderly: XSPH of what differs from linear flow, which it leaves alone. */
#include "methods/pbf/physical.h"
#include "particles/ghosts.h"

typedef struct smoothing {
    pbf_state *p;
    pbf_arrays a;
    pair_lists lists;
    real amount, near_wall;
    real4 *row[3];         /* the velocity gradient B of each particle (rows), x, y, z */
    real4 *diagonal, *off; /* of sum W x x^T; w: sum W unrest, sum W */
    real4 *change;
} smoothing;

/* Each particle's x.w holds how much it wants to be smoothed; a pair takes the mean. */
static void sum_smoothing(int begin, int end, void *context)
{
    smoothing *k = context;
    vreal inv_h = vset(1 / k->p->h), kernel = vset(k->p->kernel);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal4 ai = pair_i(k->row[0], block), bi = pair_i(k->row[1], block), ci = pair_i(k->row[2], block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal4 aj = pair_j(k->row[0], j), bj = pair_j(k->row[1], j), cj = pair_j(k->row[2], j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal wgt = (i.w + b.w) * vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
            x += wgt * (vb.x - vi.x - (real)0.5 * ((ai.x + aj.x) * dx + (ai.y + aj.y) * dy + (ai.z + aj.z) * dz));
            y += wgt * (vb.y - vi.y - (real)0.5 * ((bi.x + bj.x) * dx + (bi.y + bj.y) * dy + (bi.z + bj.z) * dz));
            z += wgt * (vb.z - vi.z - (real)0.5 * ((ci.x + cj.x) * dx + (ci.y + cj.y) * dy + (ci.z + cj.z) * dz));
        }
        vreal half = (real)0.5 * kernel;
        pair_store4(k->change, block, half * x, half * y, half * z, vset(0));
    }
}

/* Least-squares gradient: B = (sum W v_ji x_ji^T)(sum W x_ji x_ji^T + ridge)^-1, lengths over h; both
 * moments in one pass over pairs. */
static void sum_moments(int begin, int end, void *context)
{
    smoothing *k = context;
    vreal inv_h = vset(1 / k->p->h), zero = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal xx = zero, yy = zero, zz = zero, xy = zero, xz = zero, yz = zero;
        vreal unrest = zero, all = zero;
        vreal ux = zero, uy = zero, uz = zero, vx = zero, vy = zero, vz = zero, wx = zero, wy = zero, wz = zero;
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal wgt = vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
            unrest += wgt * b.w, all += wgt;
            vreal px = wgt * dx, py = wgt * dy, pz = wgt * dz;
            vreal u = vb.x - vi.x, v = vb.y - vi.y, w = vb.z - vi.z;
            xx += px * dx, yy += py * dy, zz += pz * dz, xy += px * dy, xz += px * dz, yz += py * dz;
            ux += px * u, uy += py * u, uz += pz * u;
            vx += px * v, vy += py * v, vz += pz * v;
            wx += px * w, wy += py * w, wz += pz * w;
        }
        pair_store4(k->diagonal, block, xx, yy, zz, unrest);
        pair_store4(k->off, block, xy, xz, yz, all);
        pair_store4(k->row[0], block, ux, uy, uz, zero);
        pair_store4(k->row[1], block, vx, vy, vz, zero);
        pair_store4(k->row[2], block, wx, wy, wz, zero);
    }
}

static void solve_gradients(int begin, int end, void *context)
{
    smoothing *k = context;
    const pbf_state *p = k->p;
    real ridge = (real)0.01 * (p->s / p->h) * (p->s / p->h);
    for (int i = begin; i < end; i++) {
        real xx = k->diagonal[i].x + ridge, yy = k->diagonal[i].y + ridge, zz = k->diagonal[i].z + ridge;
        real xy = k->off[i].x, xz = k->off[i].y, yz = k->off[i].z;
        real a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
        real d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
        real inv = 1 / (xx * a + xy * b + xz * c);
        /* The fit of a particle at a thin tip on a wall takes its own velocity for flow, and smooths nothing: such tips
         * would throw particles off. There, smooth towards the mean. */
        if (p->wall && p->wall_solid[i] >= 0 && p->wall[i].w < 2 * p->s && k->a.density[i] < (real)0.75) inv = 0;
        for (int n = 0; n < 3; n++) {
            real4 r = k->row[n][i];
            k->row[n][i] = (real4){inv * (a * r.x + b * r.y + c * r.z), inv * (b * r.x + d * r.y + e * r.z),
                                   inv * (c * r.x + e * r.y + f * r.z), 0};
        }
    }
}

static void apply_smoothing(int begin, int end, void *context)
{
    smoothing *k = context;
    for (int i = begin; i < end; i++) real4_add(&k->a.v[i], real3_of(k->change[i]));
}

/* A particle that comes to the surface does so from a dent in the mesh, which snaps it up to a capillary speed: noise
 * of the mesh, not flow. It is smoothed by this much more, fading over PBF_UNREST steps; but not where others come and
 * go all around it, as in a thin film or a splash: there it is flow, and smoothing would tear it. Of the neighbours
 * (by weight) about 0.01 are in unrest in a drop at rest, 0.2 in a drop that is squashed. */
#define CALMING ((real)3)
#define CROWD ((real)0.06)

static void put_unrest(int begin, int end, void *context)
{
    const smoothing *k = context;
    for (int i = begin; i < end; i++) k->a.x[i].w = (real)k->a.unrest[i] / PBF_UNREST;
}

static void put_wishes(int begin, int end, void *context)
{
    const smoothing *k = context;
    const pbf_state *p = k->p;
    real self = cubic_spline(0);
    for (int i = begin; i < end; i++) {
        bool near = p->wall && p->wall_solid[i] >= 0 && p->wall[i].w < 2 * p->s;
        real wish = near ? fmax(k->amount, k->near_wall) : k->amount, own = k->a.x[i].w;
        real others = (k->diagonal[i].w - self * own) / fmax(k->off[i].w - self, (real)1e-6) / CROWD;
        k->a.x[i].w = wish + CALMING * own / (1 + others * others * others * others);
    }
}

dew_result pbf_smooth_velocity(pbf_state *p, world *w, real amount, real near_wall)
{
    if (!(amount > 0) && !p->wall) return DEW_OK;
    particles *store = w->particles;
    int count = store->count;
    smoothing k = {.p = p,
                   .a = pbf_arrays_of(p, w),
                   .lists = neighbours_lists(w->neighbours),
                   .amount = amount,
                   .near_wall = near_wall};
    ARENA_TRY_ZEROED(w->scratch, store->end, k.row[0], k.row[1], k.row[2], k.diagonal, k.off);
    parallel_for(count, 4096, put_unrest, &k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, sum_moments, &k);
    parallel_for(count, 4096, solve_gradients, &k);
    ghosts_copy_matrices(store, k.row);
    parallel_for(count, 4096, put_wishes, &k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    k.change = k.diagonal; /* the moments have done their work */
    parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, sum_smoothing, &k);
    parallel_for(count, 4096, apply_smoothing, &k);
    return DEW_OK;
}
