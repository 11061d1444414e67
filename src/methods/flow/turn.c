/* Angular momentum that passes leave too much. Where it came about pairs are turned against it,
 *
 *     dv_i = sum f (w_i + w_j) x d_ij,   (sum f (d^2 - d d^T)) w_i = -l_i/h,
 *
 * l_i the moment noted at particle i, over mass, d = x_ij/h and f as in fit.c: what pairs give each other is opposite,
 * and turns the liquid by -l.
 *
 * What forces leave is turned back before viscosity is solved for, as far as that takes what turns from one particle to
 * the next. Where steps are long viscosity leaves a hundredth of what forces make of velocities, and a moment turned
 * back after it is held by nothing: a particle in a rag of honey came out of such a step with 0.9 m/s where nothing
 * else went faster than 0.02. The rest is turned back where velocities are smoothed, which costs nothing more. */
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

/* Of the sum, so that one who is alone has an inverse. */
#define FAINT ((real)1e-5)

/* sum f d d^T: its diagonal in `change`, the rest in `off`. */
typedef struct turning {
    flow_step *k;
    real4 *off;
    real part; /* of the moments */
} turning;

static void sum_products(int begin, int end, void *context)
{
    const turning *t = context;
    const flow_step *k = t->k;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal sum[6] = {vset(0), vset(0), vset(0), vset(0), vset(0), vset(0)};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal d[3] = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h}, dd[6];
            vreal f = vload_half(k->weight[3] + flow_at_pair(k, block, j));
            flow_products(d, dd);
            for (int n = 0; n < 6; n++) sum[n] += f * dd[n];
        }
        pair_store4(k->change, block, sum[0], sum[1], sum[2], vset(0));
        pair_store4(t->off, block, sum[3], sum[4], sum[5], vset(0));
    }
}

/* w into `change`. */
static void find_turns(int begin, int end, void *context)
{
    const turning *t = context;
    flow_step *k = t->k;
    for (int i = begin; i < end; i++) {
        real4 s = k->change[i], o = t->off[i];
        real xx = s.y + s.z + FAINT, yy = s.x + s.z + FAINT, zz = s.x + s.y + FAINT;
        real xy = -o.z, yz = -o.x, zx = -o.y;
        real a = yy * zz - yz * yz, b = zx * yz - xy * zz, c = xy * yz - zx * yy;
        real inv = -k->inv_h / (xx * a + xy * b + zx * c);
        real3 l = real3_scale(t->part, real3_of(k->moment[i]));
        k->change[i] = (real4){inv * (a * l.x + b * l.y + c * l.z),
                               inv * (b * l.x + (xx * zz - zx * zx) * l.y + (xy * zx - xx * yz) * l.z),
                               inv * (c * l.x + (xy * zx - xx * yz) * l.y + (xx * yy - xy * xy) * l.z), 0};
        real4_add(&k->moment[i], real3_scale(-1, l));
    }
}

static void turn_pairs(int begin, int end, void *context)
{
    const turning *t = context;
    const flow_step *k = t->k;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), own = pair_i(k->change, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), other = pair_j(k->change, j);
            vreal f = inv_h * vload_half(k->weight[3] + flow_at_pair(k, block, j));
            vreal dx = f * (i.x - b.x), dy = f * (i.y - b.y), dz = f * (i.z - b.z);
            vreal wx = own.x + other.x, wy = own.y + other.y, wz = own.z + other.z;
            x += wy * dz - wz * dy, y += wz * dx - wx * dz, z += wx * dy - wy * dx;
        }
        pair_store4(t->off, block, x, y, z, vset(0));
        for (int n = PAIR_I * block; n < flow_end_of(k, block); n++) real4_add(&k->v[n], real3_of(t->off[n]));
    }
}

/* What liquid touches takes the moment there: pairs next to a contact line are too few to do so without being stirred.
 */
static void give_to_solids(int begin, int end, void *context, solid_pushes *to)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        if (!near_walls_has(&k->near, i)) continue;
        real touch = flow_touch(k, i);
        real3 moment = real3_of(k->moment[i]);
        solids_turn(to, k->near.solid[NEAR_WALLS * i], real3_scale(-flow_mass(k, i) * touch, moment));
        k->moment[i] = real4_of(real3_scale(1 - touch, moment), 0);
    }
}

void flow_share_moments(flow_step *k)
{
    if (k->near.wall) solids_each(k->w->solids, k->count, give_to_solids, k);
}

dew_result flow_turn_back(flow_step *k, real part)
{
    turning t = {.k = k, .part = part};
    ARENA_TRY(k->w->scratch, k->count, t.off);
    flow_share_moments(k);
    parallel_for(k->blocks, FLOW_GRAIN, sum_products, &t);
    parallel_for(k->count, 4096, find_turns, &t);
    ghosts_copy_turns(k->all, k->change);
    parallel_for(k->blocks, FLOW_GRAIN, turn_pairs, &t);
    return DEW_OK;
}
