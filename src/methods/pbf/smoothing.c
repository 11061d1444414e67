/* Who is smoothed by how much (particles/smoothing.c). */
#include "particles/smoothing.h"

#include "methods/pbf/physical.h"

/* Below it of what is full, near a solid: a tip. */
#define TIP ((real)0.75)

typedef struct smoothing {
    const pbf_state *p;
    pbf_arrays a;
    real by, near_wall;
    real *amount, *unrest;
    uint8_t *is_tip;
} smoothing;

static void choose(int begin, int end, void *context)
{
    const smoothing *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++) {
        bool near = p->wall && p->wall_solid[i] >= 0 && p->wall[i].w < 2 * p->s;
        k->amount[i] = near ? fmax(k->by, k->near_wall) : k->by;
        k->unrest[i] = (real)k->a.unrest[i] / SURFACE_UNREST;
        k->is_tip[i] = near && k->a.density[i] < TIP;
    }
}

dew_result pbf_smooth_velocity(pbf_state *p, world *w, real amount, real near_wall)
{
    if (!(amount > 0) && !p->wall) return DEW_OK;
    int count = w->particles->count;
    smoothing k = {.p = p, .a = pbf_arrays_of(p, w), .by = amount, .near_wall = near_wall};
    ARENA_TRY(w->scratch, count, k.amount, k.unrest, k.is_tip);
    parallel_for(count, 4096, choose, &k);
    smoothing_params how = {.support = p->h,
                            .spacing = p->s,
                            .kernel = p->kernel,
                            .amount = k.amount,
                            .unrest = k.unrest,
                            .is_tip = k.is_tip};
    return smoothing_apply(&how, w->particles, neighbours_lists(w->neighbours), w->scratch);
}
