/* Who is smoothed, and by how much (flow/smooth.c). */
#include "methods/flow/flow.h"
#include "methods/pbf/physical.h"

/* Below it of what is full, near a solid: a tip. */
#define TIP ((real)0.75)

typedef struct smoothing {
    const pbf_state *p;
    const real *density;
    uint8_t *is_tip;
} smoothing;

static void find_tips(int begin, int end, void *context)
{
    const smoothing *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++) {
        bool near = p->wall && p->wall_solid[i] >= 0 && p->wall[i].w < 2 * p->s;
        k->is_tip[i] = near && k->density[i] < TIP;
    }
}

dew_result pbf_smooth_velocity(pbf_state *p, world *w, real amount, const uint8_t *is_held)
{
    if (!(amount > 0)) return DEW_OK;
    int count = w->particles->count;
    pbf_arrays a = pbf_arrays_of(p, w);
    smoothing k = {.p = p, .density = a.density};
    ARENA_TRY(w->scratch, count, k.is_tip);
    parallel_for(count, 4096, find_tips, &k);
    return flow_take_noise(&(flow_calm){.w = w,
                                        .near = &p->near,
                                        .crowd = &p->half_space,
                                        .spline = &p->half_space,
                                        .h = p->h,
                                        .kernel = p->kernel,
                                        .amount = amount,
                                        .unrest = a.unrest,
                                        .is_tip = k.is_tip,
                                        .is_held = is_held,
                                        .keeps_turning = p->wall != NULL});
}
