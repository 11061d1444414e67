/* Surface tension: the local meshes' area as an energy (surface/tension.c), and where its force acts
 * (surface/spread.c). Spread, the fastest particle of a drop at rest moves at 0.03 sqrt(gamma/(rho D)), else at 0.2. */
#include "surface/tension.h"

#include "base/parallel.h"
#include "methods/pbf/physical.h"

enum { TANGENTIAL_ROUNDS = 2, BALANCED_ROUNDS = 6 };

/* Drops on a plane come to rest 2 to 6 degrees below their angle, the more the less they wet: by about 0.02 (1 -
 * cos(theta)) in the cosine. Half of it is taken off, once for every solid; with all of it drops of 150 degrees let go
 * of a ball. */
#define COSINE_BIAS 0.01

typedef struct cosines {
    const physical *k;
    real *cosine;
} cosines;

static void find_cosines(int begin, int end, void *context)
{
    const cosines *c = context;
    const physical *k = c->k;
    for (int i = begin; i < end; i++) {
        c->cosine[i] = NO_SOLID;
        if (k->p->wall_solid[i] < 0) continue;
        double gamma = k->w->materials[0].surface_tension;
        double cosine = solids_info(k->w->solids, k->p->wall_solid[i], gamma).cos_contact_angle;
        c->cosine[i] = (real)fmax(cosine - COSINE_BIAS * (1 - cosine), -1);
    }
}

static bool is_balanced(const physical *k) { return k->p->parameter[PBF_BALANCED] > 0.5; }

dew_result pbf_tension_force(physical *k, real surface_tension)
{
    const pbf_state *p = k->p;
    const particles *store = k->w->particles;
    area_tension t = {.surface_tension = surface_tension,
                      .spacing = p->s,
                      .lift = p->s / 2,
                      .is_spread = is_balanced(k),
                      .wall = p->wall};
    t.rounds = t.is_spread ? BALANCED_ROUNDS : TANGENTIAL_ROUNDS;
    cosines c = {.k = k};
    ARENA_TRY(k->w->scratch, store->end, k->force);
    if (p->wall) ARENA_TRY(k->w->scratch, k->count, c.cosine);
    if (p->wall) ARENA_TRY_ZEROED(k->w->scratch, k->count, k->of_wall);
    t.of_wall = k->of_wall;
    if (p->wall) parallel_for(k->count, 4096, find_cosines, &c);
    t.cosine = c.cosine;
    return surface_area_force(&t, &p->rings, store, k->a.x, k->a.normal, k->w->scratch, k->force);
}

dew_result pbf_spread_tension(physical *k)
{
    spread_params spread = {.support = k->p->h, .spacing = k->p->s, .share = k->p->shift};
    return surface_spread_force(&spread, k->lists, k->w->particles, k->a.normal, k->a.is_surface, k->w->scratch,
                                k->force);
}
