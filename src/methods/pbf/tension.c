/* Surface tension: the local meshes' area as an energy (surface/tension.c). */
#include "surface/tension.h"

#include "methods/pbf/physical.h"
#include "solids/moving_line.h"

enum { TANGENTIAL_ROUNDS = 2 };

typedef struct finding {
    const world *w;
    const line_faces *faces;
    real *young[2]; /* cosines as they are set */
} finding;

static void find_young(int begin, int end, void *context)
{
    const finding *f = context;
    for (int a = 0; a < 2; a++)
        for (int i = begin; i < end; i++) {
            int solid = f->faces->solid[a][i];
            f->young[a][i] = solid < 0 ? NO_SOLID : (real)pbf_cosine_at(f->w, solid);
        }
}

dew_result pbf_tension_force(physical *k, real surface_tension)
{
    const pbf_state *p = k->p;
    const particles *store = k->w->particles;
    ARENA_TRY(k->w->scratch, store->end, k->force);
    line_faces faces = {0};
    finding found = {.w = k->w, .faces = &faces};
    if (p->wall) {
        ARENA_TRY_ZEROED(k->w->scratch, k->count, k->of_wall);
        RESULT_TRY(line_faces_find(&faces, &p->near, k->w->solids, (double)surface_tension, k->w->scratch, k->count));
        moving_line line = {.solids = k->w->solids,
                            .liquid = &k->w->materials[0],
                            .dt = k->dt,
                            .spacing = p->s,
                            .reach = p->h,
                            .lists = k->lists,
                            .count = k->count,
                            .position = k->a.x,
                            .way = k->a.move,
                            .time = (real)p->saved_dt,
                            .normal = k->a.normal,
                            .is_surface = k->a.is_surface};
        particles_update_ghosts(k->w->particles, p->move);
        RESULT_TRY(line_faces_bend(&faces, &line, k->w->scratch));
        for (int a = 0; a < 2; a++) ARENA_TRY(k->w->scratch, k->count, found.young[a]);
        parallel_for(k->count, 1024, find_young, &found);
        k->cosine = found.young[0];
    }
    area_tension t = {.surface_tension = surface_tension,
                      .spacing = p->s,
                      .lift = p->s / 2,
                      .rounds = TANGENTIAL_ROUNDS,
                      .wall = faces.wall[0],
                      .cosine = faces.cosine[0],
                      .other_wall = faces.wall[1],
                      .other_cosine = faces.cosine[1],
                      .drawn = faces.drawn[0],
                      .other_drawn = faces.drawn[1],
                      .young = found.young[0],
                      .other_young = found.young[1],
                      .of_wall = k->of_wall};
    return surface_area_force(&t, &p->rings, store, k->a.x, k->a.normal, k->w->scratch, k->force);
}
