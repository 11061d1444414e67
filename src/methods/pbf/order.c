/* The order of particles: shifts (flow/shift.c) also keep the distance constraint of section 4.3, apart, and even the
 * skin. */
#include "methods/pbf/physical.h"

typedef struct ordering {
    const pbf_state *p;
    flow_step *k;
    real3 back; /* of all, over h */
} ordering;

/* Pairs nearer than so many spacings part by a share of what is missing; the skin's among themselves only. */
static void find_shift(int begin, int end, void *context)
{
    const ordering *o = context;
    const pbf_state *p = o->p;
    flow_step *k = o->k;
    vreal inv_h = vset(k->inv_h), push = vset(k->pace * (real)p->parameter[PBF_PUSH]);
    vreal reach = vset((real)p->parameter[PBF_PUSH_DISTANCE] * p->s * k->inv_h);
    vreal longest = vset(FLOW_LONGEST_SHIFT * p->s * k->inv_h);
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

/* Who has a closed ring goes a part of the way to its cell's centroid (Lloyd), but not where a wall is touched. sums:
 * of these ways, over h. */
static void even_out(int begin, int end, void *context, double *sums)
{
    const ordering *o = context;
    flow_step *k = o->k;
    const rings *r = &k->rings;
    real amount = k->pace * (real)o->p->parameter[PBF_LLOYD] * k->inv_h;
    for (int n = begin; n < end; n++) {
        int i = r->list[n];
        if (r->gaps[n]) continue;
        real3 way = real3_scale(amount * (1 - flow_touch(k, i)), real3_of(r->shift[n]));
        real4_add(&k->change[i], way);
        for (int a = 0; a < 3; a++) sums[a] += (double)(&way.x)[a];
    }
}

static void go_back(int begin, int end, void *context)
{
    const ordering *o = context;
    for (int i = begin; i < end; i++) real4_add(&o->k->change[i], o->back);
}

/* All go back alike, so that the centre of mass stays; across a plane of symmetry the other half goes the other way. */
static void even_skin(ordering *o)
{
    flow_step *k = o->k;
    double sums[3];
    parallel_sum(k->rings.count, 3, even_out, o, sums);
    for (int a = 0; a < 3; a++)
        (&o->back.x)[a] = k->w->domain.axis[a] == DEW_SYMMETRY ? 0 : (real)(-sums[a] / k->count);
    parallel_for(k->count, 4096, go_back, o);
}

dew_result pbf_order(pbf_state *p, flow_step *k)
{
    ordering o = {.p = p, .k = k};
    RESULT_TRY(flow_begin_shift(k));
    parallel_for(k->blocks, FLOW_GRAIN, find_shift, &o);
    if (k->count > 0) even_skin(&o);
    flow_finish_shift(k, k->change);
    return DEW_OK;
}
