/* Surface tension: the local meshes' area as an energy (surface/tension.c). */
#include "surface/tension.h"

#include "methods/pbf/physical.h"
#include "solids/wetting.h"

enum { TANGENTIAL_ROUNDS = 2 };

dew_result pbf_tension_force(physical *k, real surface_tension)
{
    const pbf_state *p = k->p;
    const particles *store = k->w->particles;
    ARENA_TRY(k->w->scratch, store->end, k->force);
    line_faces faces = {0};
    if (p->wall) {
        ARENA_TRY_ZEROED(k->w->scratch, k->count, k->of_wall);
        RESULT_TRY(line_faces_find(&faces, &p->near, k->w->solids, (double)surface_tension, k->w->scratch, k->count));
        k->cosine = faces.cosine[0];
    }
    area_tension t = {.surface_tension = surface_tension,
                      .spacing = p->s,
                      .lift = p->s / 2,
                      .rounds = TANGENTIAL_ROUNDS,
                      .wall = faces.wall[0],
                      .cosine = faces.cosine[0],
                      .other_wall = faces.wall[1],
                      .other_cosine = faces.cosine[1],
                      .of_wall = k->of_wall};
    return surface_area_force(&t, &p->rings, store, k->a.x, k->a.normal, k->w->scratch, k->force);
}
