/* Viscosity in Pa s, and the smoothing of velocities that keeps particles orderly.
 *
 * Viscosity is Monaghan's pairwise form, 10 nu sum V (v_ij . x_ij) grad W/r^2: it keeps linear and angular momentum
 * exactly and leaves rigid rotation alone. Stages of a Runge-Kutta-Legendre scheme (Meyer, Balsara, Aslam 2014, RKL1)
 * make it stable for any step: s stages cover (s^2 + s)/2 explicit limits. */
#include "base/parallel.h"
#include "methods/pbf/physical.h"
#include "particles/kernels.h"

typedef struct stage {
    pbf_state *p;
    world *w;
    pbf_arrays a;
    pair_lists lists;
    real4 *rate, *before; /* dv/dt; v of the stage before */
    real coefficient;     /* of the pair sum, 1/s */
    real mu, nu, step;    /* of the stage: v <- mu v + nu before + step rate */
} stage;

static void sum_rate(int begin, int end, void *context)
{
    stage *k = context;
    vreal inv_h = vset(1 / k->p->h), c = vset(k->coefficient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal along = dx * (vi.x - vb.x) + dy * (vi.y - vb.y) + dz * (vi.z - vb.z);
            vreal f = vcubic_spline_slope(q2 * inv_q) * inv_q * inv_q * inv_q * along;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->rate, block, c * x, c * y, c * z, vset(0));
    }
}

static void take_stage(int begin, int end, void *context)
{
    stage *k = context;
    for (int i = begin; i < end; i++) {
        real4 v = k->a.v[i], b = k->before[i], r = k->rate[i];
        k->before[i] = v;
        k->a.v[i] = (real4){k->mu * v.x + k->nu * b.x + k->step * r.x, k->mu * v.y + k->nu * b.y + k->step * r.y,
                            k->mu * v.z + k->nu * b.z + k->step * r.z, v.w};
    }
}

dew_result pbf_viscosity(pbf_state *p, world *w, real nu, real dt)
{
    if (!(nu > 0)) return DEW_OK;
    int count = w->particles->count;
    size_t slots = (size_t)count + 8;
    stage k = {.p = p, .w = w, .a = pbf_arrays_of(p, w), .lists = neighbours_lists(w->neighbours)};
    k.rate = arena_alloc(w->scratch, slots * sizeof *k.rate);
    k.before = arena_alloc(w->scratch, slots * sizeof *k.before);
    if (!k.rate || !k.before) return result_fail(DEW_NO_MEMORY, "no memory for a step of %d particles", count);
    k.coefficient = 10 * nu * p->kernel / (p->h * p->h);
    /* The largest rate of decay: twice the sum of pair coefficients, a third of it along any direction. */
    double limit = 2 / (2 * 10 * (double)nu * (double)p->bulk_rate / (double)(p->h * p->h) / 3 * 1.5);
    int stages = (int)ceil((sqrt(1 + 8 * (double)dt / limit) - 1) / 2);
    if (stages < 1) stages = 1;
    double scale = 2.0 / ((double)stages * stages + stages);
    /* Ghosts lie where their owners do now: else pairs across a face would not exchange momentum. */
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    for (int j = 1; j <= stages; j++) {
        particles_update_ghosts(w->particles, FIELD_VELOCITY_INDEX);
        parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, sum_rate, &k);
        double mu = (2.0 * j - 1) / j, back = (1.0 - j) / j;
        k.mu = j > 1 ? (real)mu : 1, k.nu = j > 1 ? (real)back : 0, k.step = dt * (real)((j > 1 ? mu : 1) * scale);
        if (j == 1)
            for (int i = 0; i < count; i++) k.before[i] = k.a.v[i];
        parallel_for(count, 4096, take_stage, &k);
    }
    return DEW_OK;
}

/* --- velocity smoothing --- */

typedef struct smoothing {
    pbf_state *p;
    pbf_arrays a;
    pair_lists lists;
    const real *amount; /* of each particle's wish; a pair takes the mean */
    real4 *row[3];      /* the velocity gradient B of each particle (rows), x, y, z */
    real4 *change;
} smoothing;

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
typedef struct moments {
    smoothing *k;
    real4 *diagonal, *off; /* of sum W x x^T; w of diagonal unused */
} moments;

static void sum_moments(int begin, int end, void *context)
{
    moments *m = context;
    smoothing *k = m->k;
    vreal inv_h = vset(1 / k->p->h), zero = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal xx = zero, yy = zero, zz = zero, xy = zero, xz = zero, yz = zero;
        vreal ux = zero, uy = zero, uz = zero, vx = zero, vy = zero, vz = zero, wx = zero, wy = zero, wz = zero;
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal wgt = vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
            vreal px = wgt * dx, py = wgt * dy, pz = wgt * dz;
            vreal u = vb.x - vi.x, v = vb.y - vi.y, w = vb.z - vi.z;
            xx += px * dx, yy += py * dy, zz += pz * dz, xy += px * dy, xz += px * dz, yz += py * dz;
            ux += px * u, uy += py * u, uz += pz * u;
            vx += px * v, vy += py * v, vz += pz * v;
            wx += px * w, wy += py * w, wz += pz * w;
        }
        pair_store4(m->diagonal, block, xx, yy, zz, zero);
        pair_store4(m->off, block, xy, xz, yz, zero);
        pair_store4(k->row[0], block, ux, uy, uz, zero);
        pair_store4(k->row[1], block, vx, vy, vz, zero);
        pair_store4(k->row[2], block, wx, wy, wz, zero);
    }
}

static void solve_gradients(int begin, int end, void *context)
{
    moments *m = context;
    real ridge = (real)0.01 * (m->k->p->s / m->k->p->h) * (m->k->p->s / m->k->p->h);
    for (int i = begin; i < end; i++) {
        real xx = m->diagonal[i].x + ridge, yy = m->diagonal[i].y + ridge, zz = m->diagonal[i].z + ridge;
        real xy = m->off[i].x, xz = m->off[i].y, yz = m->off[i].z;
        real a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
        real d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
        real inv = 1 / (xx * a + xy * b + xz * c);
        const pbf_state *p = m->k->p;
        /* The fit of a particle at a thin tip on a wall takes its own velocity for flow, and smooths nothing: such tips
         * would throw particles off. There, smooth towards the mean. */
        if (p->wall && p->wall_solid[i] >= 0 && p->wall[i].w < 2 * p->s && m->k->a.density[i] < (real)0.75) inv = 0;
        for (int n = 0; n < 3; n++) {
            real4 r = m->k->row[n][i];
            m->k->row[n][i] = (real4){inv * (a * r.x + b * r.y + c * r.z), inv * (b * r.x + d * r.y + e * r.z),
                                      inv * (c * r.x + e * r.y + f * r.z), 0};
        }
    }
}

static void apply_smoothing(int begin, int end, void *context)
{
    smoothing *k = context;
    for (int i = begin; i < end; i++) {
        k->a.v[i].x += k->change[i].x, k->a.v[i].y += k->change[i].y, k->a.v[i].z += k->change[i].z;
    }
}

/* A particle that comes to the surface does so from a dent in the mesh, which snaps it up to a capillary speed: noise
 * of the mesh, not flow. It is smoothed by this much more, fading over PBF_UNREST steps. */
#define CALMING ((real)3)

typedef struct wishes {
    smoothing *k;
    real amount, near_wall;
} wishes;

static void put_wishes(int begin, int end, void *context)
{
    wishes *u = context;
    const pbf_state *p = u->k->p;
    for (int i = begin; i < end; i++) {
        bool near = p->wall && p->wall_solid[i] >= 0 && p->wall[i].w < 2 * p->s;
        real wish = near ? fmax(u->amount, u->near_wall) : u->amount;
        u->k->a.x[i].w = wish + CALMING / PBF_UNREST * (real)u->k->a.unrest[i];
    }
}

dew_result pbf_smooth_velocity(pbf_state *p, world *w, real amount, real near_wall)
{
    if (!(amount > 0) && !p->wall) return DEW_OK;
    particles *store = w->particles;
    int count = store->count;
    size_t slots = (size_t)store->end + 8;
    smoothing k = {.p = p, .a = pbf_arrays_of(p, w), .lists = neighbours_lists(w->neighbours)};
    moments m = {.k = &k};
    real4 **rows[] = {&k.row[0], &k.row[1], &k.row[2], &m.diagonal, &m.off};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (!(*rows[n] = arena_zeroed(w->scratch, slots * sizeof(real4))))
            return result_fail(DEW_NO_MEMORY, "no memory for a step of %d particles", count);
    wishes u = {&k, amount, near_wall};
    parallel_for(count, 4096, put_wishes, &u);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, sum_moments, &m);
    parallel_for(count, 4096, solve_gradients, &m);
    pbf_copy_gradients(store, k.row);
    k.change = m.diagonal; /* the moments have done their work */
    parallel_for(PAIR_BLOCKS(count), PBF_GRAIN, sum_smoothing, &k);
    parallel_for(count, 4096, apply_smoothing, &k);
    return DEW_OK;
}

void pbf_copy_gradients(const particles *store, real4 *const row[3])
{
    for (int g = store->ghost_begin; g < store->end; g++) {
        const ghost_image *image = &store->ghosts[g - store->ghost_begin];
        for (int n = 0; n < 3; n++) {
            real4 r = row[n][image->owner];
            real sign = image->mirror[n] ? (real)-1 : (real)1;
            row[n][g] = (real4){sign * (image->mirror[0] ? -r.x : r.x), sign * (image->mirror[1] ? -r.y : r.y),
                                sign * (image->mirror[2] ? -r.z : r.z), 0};
        }
    }
}
