/* The order of particles: shifts (flow/shift.c) also keep the distance constraint of section 4.3, apart, and even the
 * skin.
 *
 * Its cells do by Lloyd's way L_i, from a particle with a closed ring to its cell's centroid along the surface. Where a
 * layer grows thicker, as under a crest, its surface rises; ways that all around have in common would take that back,
 * which is a damping of every wave. So a pair of the skin parts by what differs, w^2 (L_i - L_j), over the sum of w^2
 * in an even skin; and the centre of mass stays. */
#include "methods/pbf/physical.h"

typedef struct ordering {
    const pbf_state *p;
    flow_step *k;
} ordering;

/* lean = L over the sum of w^2, over h */
static void put_ways(int begin, int end, void *context)
{
    const ordering *o = context;
    flow_step *k = o->k;
    const rings *r = &k->rings;
    real even = (real)(PI / 6 * FLOW_REACH * FLOW_REACH), amount = k->pace * (real)o->p->parameter[PBF_LLOYD] / even;
    for (int n = begin; n < end; n++) {
        real4 *way = &k->lean[r->list[n]];
        if (!r->gaps[n]) *way = real4_of(real3_scale(amount * k->inv_h, real3_of(r->shift[n])), way->w);
    }
}

/* Pairs nearer than so many spacings part by a share of what is missing; the skin's among themselves only. */
static void find_shift(int begin, int end, void *context)
{
    const ordering *o = context;
    const pbf_state *p = o->p;
    flow_step *k = o->k;
    vreal inv_h = vset(k->inv_h), push = vset(k->pace * (real)p->parameter[PBF_PUSH]), none = vset(0);
    vreal reach = vset((real)p->parameter[PBF_PUSH_DISTANCE] * p->s * k->inv_h);
    vreal longest = vset(FLOW_LONGEST_SHIFT * p->s * k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), mi = pair_i(k->lean, block);
        vreal x = none, y = none, z = none;
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), mj = pair_j(k->lean, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal w = vmax(1 - q, none), apart = vselect(i.w * b.w > 0, push, none) * vmax(reach - q, none);
            vreal even = vselect(vmax(i.w, b.w) < 0, w * w, none);
            vreal f = vmin(vmax(apart + (mi.w + mj.w) * w, -longest), longest) * inv_q;
            x += f * dx + even * (mi.x - mj.x), y += f * dy + even * (mi.y - mj.y), z += f * dz + even * (mi.z - mj.z);
        }
        pair_store4(k->change, block, x, y, z, none);
    }
}

dew_result pbf_order(pbf_state *p, flow_step *k)
{
    ordering o = {.p = p, .k = k};
    RESULT_TRY(flow_begin_shift(k));
    parallel_for(k->rings.count, 1024, put_ways, &o);
    particles_update_ghosts(k->all, k->p->lean);
    parallel_for(k->blocks, FLOW_GRAIN, find_shift, &o);
    flow_finish_shift(k, k->change);
    return DEW_OK;
}
