/* The solids near particles. */
#include "methods/pbf/pbf.h"

static void take_nearest(int begin, int end, void *context)
{
    const pbf_state *p = context;
    for (int i = begin; i < end; i++) {
        p->wall_solid[i] = p->near.solid[NEAR_WALLS * i];
        p->wall[i] = p->wall_solid[i] < 0 ? (real4){0, 0, 0, p->h} : p->near.wall[NEAR_WALLS * i];
    }
}

dew_result pbf_find_walls(pbf_state *p, world *w)
{
    int count = w->particles->count;
    if (solids_count(w->solids) == 0) return DEW_OK;
    RESULT_TRY(near_walls_find(&p->near, w->solids, w->scratch, p->h, (double)p->flow.sight, count,
                               w->particles->position));
    if (!p->wall) ARENA_TRY(w->scratch, count, p->wall, p->wall_solid);
    parallel_for(count, 4096, take_nearest, p);
    return DEW_OK;
}
