/* The shifts that mend without velocity: towards the rest density, apart, to even skins, and to order under suction. */
#include "methods/pbf/physical.h"

#include <string.h>

/* Of rho/rho0: liquid that lacks more is mended as if it lacked this much. */
#define MOST_MISSING ((real)0.1)
/* Of the rate at which suction makes disorder: with half as much liquid that hangs still gains energy, with twice as
 * much hollows open (calibration.md). */
#define ORDER ((real)0.5)
/* Of the kernel, at the least, in whom order has all directions; others go along the surface. */
#define DEEP ((real)0.999)

/* One relaxed density correction, its multiplier in the payload of v. In that of x the kind: -1 for surface particles,
 * since only particles of one kind push each other apart (section 4.3). The norm D = sum |grad|^2 is the bulk's. */
static void put_correction(int begin, int end, void *context)
{
    physical *k = context;
    real factor = k->pace * (real)k->p->parameter[PBF_REGULARISE] / k->p->bulk_norm;
    for (int i = begin; i < end; i++) {
        bool is_surface = k->a.is_surface[i];
        k->a.x[i].w = is_surface ? -1 : 1;
        real excess = k->a.density[i] - k->fullness[i];
        /* Who draws next to a hollow draws what is around it together, away from it. */
        real most = is_surface || k->is_hollow[i] ? 0 : MOST_MISSING;
        k->a.v[i].w = factor * fmax(excess, -most);
        if (k->is_held && k->is_held[i]) k->a.v[i].w = 0;
    }
}

static void find_shift(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    vreal inv_h = vset(1 / p->h), kernel = vset(p->kernel);
    vreal push = vset(k->pace * (real)p->parameter[PBF_PUSH]),
          reach = vset((real)p->parameter[PBF_PUSH_DISTANCE] * p->s / p->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), vi = pair_i(k->a.v, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), vb = pair_j(k->a.v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal apart = vselect(i.w * b.w > 0, push, vset(0)) * vmax(reach - q, vset(0));
            vreal f = (apart - kernel * (vi.w + vb.w) * vcubic_spline_slope(q)) * inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->shift, block, x, y, z, vset(0));
    }
}

/* Surface particles with a closed ring go a part of the way to their Voronoi centroid as well. */
static void add_lloyd(int begin, int end, void *context)
{
    physical *k = context;
    const rings *r = &k->p->rings;
    real amount = k->pace * (real)k->p->parameter[PBF_LLOYD] / k->p->h;
    for (int n = begin; n < end; n++)
        if (!r->gaps[n]) real4_add(&k->shift[r->list[n]], real3_scale(amount, real3_of(r->shift[n])));
}

/* Under suction even liquid is unstable: particles pair up and hollows open, by sqrt(-p/rho)/s (Swegle, Hicks, Attaway
 * 1995). So they go down the gradient of rho (Lind, Xu, Stansby, Rogers 2012) by that rate, in all directions or along
 * the surface. The solids' part is half of their S, whose other half is the images' motion. */
static void find_gradients(int begin, int end, void *context)
{
    physical *k = context;
    real rate = ORDER * k->p->h / k->p->s;
    for (int i = begin; i < end; i++) {
        real3 slope = real3_of(k->own[i]);
        if (k->solid) slope = real3_madd(slope, (real)-0.5, real3_of(k->solid[i]));
        if (k->fullness[i] < DEEP) slope = real3_across(slope, real3_of(k->a.normal[i]));
        real amount = k->a.is_surface[i] ? 0 : -rate * (real)sqrt((double)k->suction[i]);
        k->shift[i] = real4_of(real3_scale(amount, slope), 0);
    }
}

/* Less what all around go in common: that is a flow which no force made, and lets the liquid expand by a per cent. */
static void take_common_off(int begin, int end, void *context)
{
    physical *k = context;
    vreal inv_h = vset(1 / k->p->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->a.x, block), si = pair_i(k->shift, block);
        vreal x = vset(0), y = vset(0), z = vset(0), sum = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->a.x, j), sb = pair_j(k->shift, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal w = vmax(1 - (dx * dx + dy * dy + dz * dz), vset(0));
            w *= w;
            x += w * (si.x - sb.x), y += w * (si.y - sb.y), z += w * (si.z - sb.z), sum += w;
        }
        pair_store4(k->order, block, x, y, z, sum);
        for (int n = PAIR_I * block; n < PAIR_I * (block + 1) && n < k->count; n++)
            k->order[n] = real4_of(real3_scale(1 / fmax(k->order[n].w, (real)1), real3_of(k->order[n])), 0);
    }
}

/* What the displacements sum to, and the roots of suction. */
static void sum_order(int begin, int end, void *context, double *sums)
{
    const physical *k = context;
    for (int i = begin; i < end; i++) {
        sums[0] += (double)k->order[i].x, sums[1] += (double)k->order[i].y, sums[2] += (double)k->order[i].z;
        sums[3] += sqrt((double)k->suction[i]);
    }
}

typedef struct balancing {
    physical *k;
    real3 by;
} balancing;

/* The centre of mass stays: who is under suction goes back. */
static void balance(int begin, int end, void *context)
{
    const balancing *b = context;
    physical *k = b->k;
    for (int i = begin; i < end; i++) real4_add(&k->order[i], real3_scale((real)sqrt((double)k->suction[i]), b->by));
}

static void find_order(physical *k)
{
    double sums[4];
    memset(k->order, 0, (size_t)k->count * sizeof *k->order);
    parallel_sum(k->count, 4, sum_order, k, sums);
    if (!(sums[3] > 0)) return;
    parallel_for(k->count, 4096, find_gradients, k);
    particles_update_ghosts(k->w->particles, k->p->shift);
    parallel_for(k->blocks, PBF_GRAIN, take_common_off, k);
    parallel_sum(k->count, 4, sum_order, k, sums);
    balancing b = {k, {(real)(-sums[0] / sums[3]), (real)(-sums[1] / sums[3]), (real)(-sums[2] / sums[3])}};
    parallel_for(k->count, 4096, balance, &b);
}

static void apply_shift(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    real largest = (real)0.02 * p->s;
    for (int i = begin; i < end; i++) {
        real3 d = real3_scale(p->h, real3_add(real3_of(k->shift[i]), real3_of(k->order[i])));
        if (k->solid) d = real3_madd(d, k->a.v[i].w * p->h, real3_of(k->solid[i]));
        real length = real3_length(d);
        if (length > largest) d = real3_scale(largest / length, d);
        k->shift[i] = real4_of(d, 0);
    }
}

static void go(int begin, int end, void *context)
{
    physical *k = context;
    for (int i = begin; i < end; i++) {
        real3 d = real3_of(k->shift[i]);
        if (k->solid) d = near_walls_keep_out(&k->p->near, i, k->p->s / 2, real3_of(k->a.move[i]), d);
        real4_add(&k->a.x[i], d);
        real4_add(&k->a.move[i], d);
    }
}

void pbf_mend(physical *k)
{
    particles *store = k->w->particles;
    find_order(k);
    parallel_for(k->count, 4096, put_correction, k);
    particles_update_ghosts(store, FIELD_POSITION_INDEX);
    particles_update_ghosts(store, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, PBF_GRAIN, find_shift, k);
    parallel_for(k->p->rings.count, 1024, add_lloyd, k);
    parallel_for(k->count, 4096, apply_shift, k);
}

void pbf_apply_mending(physical *k) { parallel_for(k->count, 4096, go, k); }
