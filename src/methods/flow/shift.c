/* Shifts mend places and make no velocity. How a method keeps its particles apart is its own; the density's part, and
 * how shifts begin and end, are alike. Shares are those of a step in which forces move liquid by a part of a spacing; a
 * shorter one takes as much less (pace).
 *
 * A shift makes n what it is to be, by one relaxed step along its gradient, x_i = sum w e (m_i + m_j) + 2 m_i S, m =
 * h/2 times the share of the error of n/n0, S what solids add to F, as pairs are not braced here; the norm is that of a
 * full kernel. What it does to a pair is opposite, so that the centre of mass stays.
 *
 * Where liquid is drawn out by something else than its tension, forces do not tell how fast shifts have to be: a thread
 * of honey that weight stretches is strained by a hundredth in a step in which tension moves nothing. Layers across it
 * part, and within them particles come nearer. By symmetry no pair pushes along the thread, and n is right on average;
 * but such a layer is unstable: of two particles nearer than a distance a, one that lies higher is pushed higher. It
 * grows as fast as they are pushed, and has to double several times before the next tenth of strain. So the density's
 * share keeps up with the strain of a step, and pairs that come near part by it, whatever else a method does to pairs:
 * the skin and what is below it, too, or these are pressed into each other. */
#include "methods/flow/flow.h"

/* Of the error of n. */
#define DENSITY_SHARE ((real)0.1)
/* Liquid that lacks more of n0, or has more too much, is mended as if it were this much. */
#define MOST_OFF ((real)0.1)
/* Of the strain of a step, and the most: the share of what is missing by which pairs part that are nearer than so many
 * spacings, and the least pace of the density's part. */
#define FOLLOWING ((real)12)
#define MOST_FOLLOWING ((real)0.1)

/* How much pairs near particles lengthen or shorten in a step, over their length, on average. */
static void find_strain(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h), following = vset(FOLLOWING * k->dt * k->inv_h), most = vset(MOST_FOLLOWING);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), u = pair_i(k->v, block);
        vreal sum = vset(0), weight = vset((real)1e-6);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), o = pair_j(k->v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-6, inv_q = vrsqrt(q2);
            vreal rate = (dx * (u.x - o.x) + dy * (u.y - o.y) + dz * (u.z - o.z)) * inv_q * inv_q;
            vreal w = vmax(1 - q2 * inv_q, vset(0));
            weight += w, sum += w * vmax(rate, -rate);
        }
        pair_store(k->follow, block, vmin(following * sum / weight, most));
    }
}

static void put_errors(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        real excess = (k->facing[i].w - k->target[i]) / k->p->c.n0;
        bool is_held = k->is_held && k->is_held[i];
        excess = is_held ? 0 : real_min(real_max(excess, k->is_surface[i] ? 0 : -MOST_OFF), MOST_OFF);
        k->lean[i] = (real4){0, 0, 0, DENSITY_SHARE * real_max(k->pace, k->follow[i]) / 2 * excess};
        k->x[i].w = (k->is_surface[i] ? -1 : 1) * (1 + k->follow[i]);
    }
}

dew_result flow_begin_shift(flow_step *k)
{
    ARENA_TRY(k->w->scratch, k->count, k->shift);
    ARENA_TRY(k->w->scratch, PAIR_I * k->blocks, k->follow);
    particles_update_ghosts(k->all, FIELD_VELOCITY_INDEX);
    parallel_for(k->blocks, FLOW_GRAIN, find_strain, k);
    parallel_for(k->count, 4096, put_errors, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->all, k->p->lean);
    return DEW_OK;
}

typedef struct pushing {
    flow_step *k;
    real reach, share;
} pushing;

static void push_pairs(int begin, int end, void *context)
{
    const pushing *p = context;
    flow_step *k = p->k;
    vreal inv_h = vset(k->inv_h), push = vset(k->pace * p->share), reach = vset(p->reach * k->p->s * k->inv_h);
    vreal near = vset(FLOW_NEAR * k->p->s * k->inv_h);
    vreal longest = vset(FLOW_LONGEST_SHIFT * k->p->s * k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal mi = pair_i(k->lean, block).w;
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal apart = vselect(i.w * b.w > 0, push, vset(0)) * vmax(reach - q, vset(0));
            apart += flow_following(i.w, b.w) * vmax(near - q, vset(0));
            vreal way = apart + (mi + pair_j(k->lean, j).w) * vmax(1 - q, vset(0));
            vreal f = vmin(vmax(way, -longest), longest) * inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->change, block, x, y, z, vset(0));
    }
}

void flow_push_pairs(flow_step *k, real reach, real share)
{
    parallel_for(k->blocks, FLOW_GRAIN, push_pairs, &(pushing){k, reach, share});
}

typedef struct shifting {
    flow_step *k;
    const real4 *pushed;
} shifting;

static void finish_shift(int begin, int end, void *context)
{
    const shifting *s = context;
    flow_step *k = s->k;
    for (int i = begin; i < end; i++) {
        real3 d = real3_scale(k->h, real3_madd(real3_of(s->pushed[i]), 2 * k->lean[i].w, real3_of(k->beyond[i])));
        if (near_walls_has(&k->near, i))
            d = near_walls_keep_out(&k->near, i, k->p->stand, real3_scale(k->dt, real3_of(k->v[i])), d);
        k->shift[i] = real4_of(d, 0);
    }
}

void flow_finish_shift(flow_step *k, const real4 *pushed)
{
    k->pushed = pushed;
    parallel_for(k->count, 4096, finish_shift, &(shifting){k, pushed});
}
