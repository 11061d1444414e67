/* What the contact line draws a solid by.
 *
 * The curvature's force on a piece of the free surface is gamma kappa n, whose sum is the tension across the piece's
 * edge: at a contact line gamma (m cos theta - n_w sin theta) a length, m along the solid and out of the liquid. The
 * liquid has that already by its curvature's force; the solid, which holds that edge, is to give it. */
#include "methods/sph/flow.h"

#include <string.h>

typedef struct line_pass {
    flow *k;
    real4 *wall; /* at ghosts too */
} line_pass;

static void find_lines(int begin, int end, void *context)
{
    const line_pass *l = context;
    line_find(&l->k->p->line, l->k->lists, begin, end, l->k->a.x, l->wall, l->k->of_line);
}

static void find_pulls(int begin, int end, void *context)
{
    const flow *k = ((const line_pass *)context)->k;
    real scale = k->gamma / (real)k->w->particle_mass[0];
    for (int i = begin; i < end; i++) {
        real4 *line = &k->of_line[i];
        if (!(line->w > 0)) continue;
        real cosine = sph_cosine(k, k->wall_solid[i]), sine = sqrt(real_max(1 - cosine * cosine, 0));
        real3 along = real3_madd(real3_scale(cosine, real3_of(*line)), -sine, real3_of(k->wall[i]));
        *line = real4_of(real3_scale(scale * line->w * sph_wetted(k, i), along), 0);
    }
}

dew_result sph_find_line_pull(flow *k)
{
    const particles *store = k->w->particles;
    if (!k->wall || !(k->gamma > 0)) return DEW_OK;
    line_pass l = {.k = k};
    ARENA_TRY(k->w->scratch, store->end, l.wall);
    ARENA_TRY(k->w->scratch, k->count, k->of_line);
    memcpy(l.wall, k->wall, (size_t)k->count * sizeof *l.wall);
    for (int i = k->count; i < store->ghost_begin; i++) l.wall[i] = (real4){0, 0, 0, k->p->support};
    ARENA_ARRAY(k->w->scratch, store->end - store->ghost_begin, int32_t, solid);
    solids_nearest(k->w->solids, (double)k->p->support, store->end - store->ghost_begin, k->a.x + store->ghost_begin,
                   l.wall + store->ghost_begin, solid);
    parallel_for(k->blocks, SPH_GRAIN, find_lines, &l);
    parallel_for(k->count, 4096, find_pulls, &l);
    return DEW_OK;
}
