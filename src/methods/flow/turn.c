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
#include "base/matrix.h"
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

/* Of the sum's trace cubed, below which its determinant leaves no way to turn: the moment is kept for later. */
#define FAINT 1e-9

typedef struct turning {
    flow_step *k;
    real part; /* of all moments */
    real4 *moment;
    real4 *off; /* of sum f d d^T, whose diagonal is in `change` */
} turning;

/* --- solids --- */

typedef struct sharing {
    flow_step *k;
    real4 *moment;
} sharing;

/* What liquid touches takes the moment there: pairs next to a contact line are too few to do so without being stirred.
 */
static void give_to_solids(int begin, int end, void *context, solid_pushes *to)
{
    const sharing *s = context;
    const flow_step *k = s->k;
    for (int i = begin; i < end; i++) {
        if (!near_walls_has(&k->near, i)) continue;
        real touch = flow_touch(k, i);
        int solid = k->near.solid[NEAR_WALLS * i];
        real3 moment = real3_of(s->moment[i]);
        real3 given = real3_scale(-flow_mass(k, i) * touch, moment);
        solids_turn(to, solid, given);
        solids_take_idle_moment(k->w->solids, solid, given, to);
        s->moment[i] = real4_of(real3_scale(1 - touch, moment), 0);
    }
}

void flow_share_moments(flow_step *k, real4 *moment)
{
    if (k->near.wall) solids_each(k->w->solids, k->count, give_to_solids, &(sharing){k, moment});
}

/* --- pairs --- */

static void take_part(int begin, int end, void *context)
{
    const turning *t = context;
    for (int i = begin; i < end; i++) {
        real3 l = real3_scale(t->part, real3_of(t->k->moment[i]));
        t->moment[i] = real4_of(l, 0);
        real4_add(&t->k->moment[i], real3_scale(-1, l));
    }
}

/* f; of two liquids times 2 m_j/(m_i + m_j). */
static inline vreal weight_of(const flow_step *k, int block, pair_cursor j)
{
    vreal f = vload_half(k->weight[3] + flow_at_pair(k, block, j));
    if (!k->ease) return f;
    vreal own = pair_i1(k->ease, block);
    return f * 2 * own / (own + pair_j1(k->ease, j));
}

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
            vreal f = weight_of(k, block, j);
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
        double turn[3] = {0}, l[3] = {t->moment[i].x, t->moment[i].y, t->moment[i].z};
        double of_turn[6] = {s.y + s.z, s.z + s.x, s.x + s.y, -o.x, -o.y, -o.z};
        if (!matrix_solve_symmetric(of_turn, l, FAINT, turn)) real4_add(&k->moment[i], real3_of(t->moment[i]));
        for (int a = 0; a < 3; a++) (&k->change[i].x)[a] = (real)-turn[a] * k->inv_h;
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
            vreal f = inv_h * weight_of(k, block, j);
            vreal dx = f * (i.x - b.x), dy = f * (i.y - b.y), dz = f * (i.z - b.z);
            vreal wx = own.x + other.x, wy = own.y + other.y, wz = own.z + other.z;
            x += wy * dz - wz * dy, y += wz * dx - wx * dz, z += wx * dy - wy * dx;
        }
        pair_store4(t->off, block, x, y, z, vset(0));
        for (int n = PAIR_I * block; n < flow_end_of(k, block); n++) real4_add(&k->v[n], real3_of(t->off[n]));
    }
}

dew_result flow_turn_back(flow_step *k, real part)
{
    turning t = {.k = k, .part = part};
    ARENA_TRY(k->w->scratch, k->count, t.moment, t.off);
    parallel_for(k->count, 4096, take_part, &t);
    flow_share_moments(k, t.moment);
    parallel_for(k->blocks, FLOW_GRAIN, sum_products, &t);
    parallel_for(k->count, 4096, find_turns, &t);
    ghosts_copy_turns(k->all, k->change);
    parallel_for(k->blocks, FLOW_GRAIN, turn_pairs, &t);
    return DEW_OK;
}
