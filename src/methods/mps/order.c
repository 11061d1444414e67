/* The order of particles: shifts (flow/shift.c) also push apart who are too near. */
#include "methods/mps/mps.h"

/* Pairs nearer than so many spacings part by a share of what is missing; the skin's among themselves only. */
#define LEAST_APART ((real)0.9)
#define APART_SHARE ((real)0.02)

static void find_shift(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h), push = vset(k->pace * APART_SHARE), reach = vset(LEAST_APART * k->p->s * k->inv_h);
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
            vreal way = apart + (mi + pair_j(k->lean, j).w) * vmax(1 - q, vset(0));
            vreal f = vmin(vmax(way, -longest), longest) * inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->change, block, x, y, z, vset(0));
    }
}

dew_result mps_order(flow_step *k)
{
    RESULT_TRY(flow_begin_shift(k));
    parallel_for(k->blocks, FLOW_GRAIN, find_shift, k);
    flow_finish_shift(k, k->change);
    return DEW_OK;
}
