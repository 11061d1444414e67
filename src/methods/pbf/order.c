/* The order of particles: shifts (flow/shift.c) also keep the distance constraint of section 4.3, apart, and even the
 * skin. */
#include "methods/pbf/physical.h"

typedef struct ordering {
    const pbf_state *p;
    flow_step *k;
    real3 back; /* of all, over h */
} ordering;

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
    real reach = (real)p->parameter[PBF_PUSH_DISTANCE], share = (real)p->parameter[PBF_PUSH];
    flow_parting part = {reach, share * k->pace * reach * k->p->s * k->inv_h, NULL};
    RESULT_TRY(flow_begin_shift(k));
    flow_push_pairs(k, &part);
    if (k->count > 0) even_skin(&o);
    flow_finish_shift(k, &part, k->change);
    return DEW_OK;
}
