/* Surface tension: the local meshes' area as an energy (surface/tension.c). */
#include "surface/tension.h"

#include "methods/pbf/physical.h"
#include "solids/wetting.h"

enum { TANGENTIAL_ROUNDS = 2 };

static void find_cosines(int begin, int end, void *context)
{
    const physical *k = context;
    for (int i = begin; i < end; i++) {
        k->cosine[i] = NO_SOLID;
        if (k->p->wall_solid[i] < 0) continue;
        k->cosine[i] = wetting_cosine(pbf_cosine(k->p, k->w, i));
    }
}

dew_result pbf_tension_force(physical *k, real surface_tension)
{
    const pbf_state *p = k->p;
    const particles *store = k->w->particles;
    ARENA_TRY(k->w->scratch, store->end, k->force);
    if (p->wall) {
        ARENA_TRY(k->w->scratch, k->count, k->cosine);
        ARENA_TRY_ZEROED(k->w->scratch, k->count, k->of_wall);
        parallel_for(k->count, 4096, find_cosines, k);
    }
    area_tension t = {.surface_tension = surface_tension,
                      .spacing = p->s,
                      .lift = p->s / 2,
                      .rounds = TANGENTIAL_ROUNDS,
                      .wall = p->wall,
                      .cosine = k->cosine,
                      .of_wall = k->of_wall};
    return surface_area_force(&t, &p->rings, store, k->a.x, k->a.normal, k->w->scratch, k->force);
}
