/* The order of particles: what mends places without velocity. Shares are those of a step in which forces move liquid by
 * a part of a spacing; a shorter one takes as much less (pace).
 *
 * A shift makes n what it is to be, by one relaxed step along its gradient, x_i = sum w e (m_i + m_j) + 2 m_i S, m =
 * h/2 times the share of the error of n/n0; the norm is that of a full kernel. It pushes particles apart that are too
 * near. What it does to a pair is opposite, so that the centre of mass stays. */
#include "methods/mps/mps.h"

/* Of the error of n. */
#define DENSITY_SHARE ((real)0.1)
/* Pairs nearer than so many spacings part by a share of what is missing; the skin's among themselves only. */
#define LEAST_APART ((real)0.9)
#define APART_SHARE ((real)0.02)
/* Liquid that lacks more of n0, or has more too much, is mended as if it were this much. */
#define MOST_OFF ((real)0.1)
/* What a pair is moved by at the most, in spacings. */
#define LONGEST ((real)0.01)
static void put_correction(int begin, int end, void *context)
{
    flow_step *k = context;
    real factor = DENSITY_SHARE * k->pace / 2;
    for (int i = begin; i < end; i++) {
        real excess = (k->facing[i].w - k->target[i]) / k->p->c.n0;
        bool is_held = k->is_held && k->is_held[i];
        excess = is_held ? 0 : real_min(real_max(excess, k->is_surface[i] ? 0 : -MOST_OFF), MOST_OFF);
        k->lean[i] = (real4){0, 0, 0, factor * excess};
        k->x[i].w = k->is_surface[i] ? -1 : 1;
    }
}

static void find_shift(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h), push = vset(k->pace * APART_SHARE), reach = vset(LEAST_APART * k->p->s * k->inv_h);
    vreal longest = vset(LONGEST * k->p->s * k->inv_h);
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
            vreal way = apart + (mi + pair_j(k->lean, j).w) * vmax(1 - q, vset(0));
            vreal f = vmin(vmax(way, -longest), longest) * inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->change, block, x, y, z, vset(0));
    }
}

dew_result mps_order(flow_step *k)
{
    ARENA_TRY(k->w->scratch, k->count, k->shift);
    parallel_for(k->count, 4096, put_correction, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->all, k->p->lean);
    parallel_for(k->blocks, FLOW_GRAIN, find_shift, k);
    flow_finish_shift(k, k->change);
    return DEW_OK;
}
