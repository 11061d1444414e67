/* Order under suction. Even liquid is unstable under it: particles pair up and hollows open, by sqrt(-p/rho)/s (Swegle,
 * Hicks, Attaway 1995). So they go down the gradient of rho (Lind, Xu, Stansby, Rogers 2012) by that rate, without
 * velocity, less what all around go in common, and the centre of mass stays. */
#include "methods/pbf/physical.h"

#include <string.h>

/* Of the rate at which suction makes disorder: with half as much liquid that hangs still gains energy, with twice as
 * much hollows open (calibration.md). */
#define ORDER ((real)0.5)
/* Of the kernel, at the least, in whom order has all directions; others go along the surface. */
#define DEEP ((real)0.999)

/* In all directions or along the surface. The solids' part is half of their S, whose other half is the images' motion.
 */
static void find_gradients(int begin, int end, void *context)
{
    physical *k = context;
    real rate = ORDER * k->p->h / k->p->s;
    for (int i = begin; i < end; i++) {
        real3 slope = real3_of(k->own[i]);
        if (k->solid) slope = real3_madd(slope, (real)-0.5, real3_of(k->solid[i]));
        if (k->fullness[i] < DEEP) slope = real3_across(slope, real3_of(k->a.normal[i]));
        real amount = k->a.is_surface[i] ? 0 : -rate * k->suction[i];
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

/* What the displacements sum to, and suction. */
static void sum_order(int begin, int end, void *context, double *sums)
{
    const physical *k = context;
    for (int i = begin; i < end; i++) {
        sums[0] += (double)k->order[i].x, sums[1] += (double)k->order[i].y, sums[2] += (double)k->order[i].z;
        sums[3] += (double)k->suction[i];
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
    for (int i = begin; i < end; i++) real4_add(&k->order[i], real3_scale(k->suction[i], b->by));
}

void pbf_find_order(physical *k)
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
