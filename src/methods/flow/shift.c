/* Shifts mend places and make no velocity. How a method keeps its particles apart is its own; the density's part, and
 * how shifts begin and end, are alike. Shares are those of a step in which forces move liquid by a part of a spacing; a
 * shorter one takes as much less (pace).
 *
 * A shift makes n what it is to be, by one relaxed step along its gradient, x_i = sum w e (m_i + m_j) + 2 m_i S, m =
 * h/2 times the share of the error of n/n0, S what solids add to F, as pairs are not braced here; the norm is that of a
 * full kernel. What it does to a pair is opposite, so that the centre of mass stays. */
#include "methods/flow/flow.h"

/* Of the error of n. */
#define DENSITY_SHARE ((real)0.1)
/* Liquid that lacks more of n0, or has more too much, is mended as if it were this much. */
#define MOST_OFF ((real)0.1)

static void put_errors(int begin, int end, void *context)
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

dew_result flow_begin_shift(flow_step *k)
{
    ARENA_TRY(k->w->scratch, k->count, k->shift);
    parallel_for(k->count, 4096, put_errors, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->all, k->p->lean);
    return DEW_OK;
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
            d = near_walls_keep_out(&k->near, i, k->p->s / 2, real3_scale(k->dt, real3_of(k->v[i])), d);
        k->shift[i] = real4_of(d, 0);
    }
}

void flow_finish_shift(flow_step *k, const real4 *pushed)
{
    parallel_for(k->count, 4096, finish_shift, &(shifting){k, pushed});
}
