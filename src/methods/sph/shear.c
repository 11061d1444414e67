/* Walls that hold liquid, or let it slip by a length: their part of the viscous sum (solids/shear.h), of the material's
 * own viscosity and not of the least that sph has. It is taken at the step's end, particle by particle, so that it
 * bounds no step: after the forces and before a solver, so that steady flow is v = (v + dt a)/(1 + dt k), that of k v =
 * a. Taken before the forces it leaves what is next to a wall by dt a too fast. */
#include "solids/shear.h"
#include "methods/sph/flow.h"

/* In |S| H: from the one on liquid near the free surface slips by a part of a spacing, from the other on by all of one.
 * A contact line moves only if something slips there (Huh, Scriven 1971); 1.6 is a first layer, 0.5 the second. */
#define SLIP_BEGINS ((real)0.4)
#define SLIP_WHOLE ((real)1)

typedef struct holding {
    flow *k;
    shear of;
    wall_shear *found;
    real *lack, *least_slip;
} holding;

/* By how much sph_along_wall raises the forces along a wall: what the wall gives to a straight profile at rest is to be
 * as much more. */
static real mended_by(const flow *k, int i) { return 1 / (1 - sph_part_of_wall(k, i)); }

static void find_lack(int begin, int end, void *context)
{
    holding *h = context;
    const flow *k = h->k;
    real s = k->p->s;
    shear_find_lack(h->of.table, k->lists, begin, end, k->a.x, k->wall, s * s * s, s, h->lack);
    for (int i = PAIR_I * begin; i < PAIR_I * end && i < k->count; i++) {
        if (!sph_is_held(k, i)) continue;
        real near = (k->a.normal[i].w - SLIP_BEGINS) / (SLIP_WHOLE - SLIP_BEGINS);
        h->lack[i] *= mended_by(k, i);
        h->least_slip[i] = s * real_min(real_max(near, 0), 1);
    }
}

static void hold(int begin, int end, void *context, solid_pushes *to)
{
    holding *h = context;
    const flow *k = h->k;
    shear_find(&h->of, begin, end, k->a.x, h->found);
    for (int i = begin; i < end; i++) {
        real4 *v = &k->a.v[i];
        if (h->found[i].diagonal.w > 0 && !sph_is_gas(k, i))
            *v = real4_of(wall_shear_take(&h->found[i], real3_of(*v), k->dt), v->w);
    }
    shear_push_solids(&h->of, begin, end, k->a.x, k->a.v, (real)k->w->particle_mass[0] * k->dt, to);
}

dew_result sph_hold_at_walls(flow *k)
{
    const world *w = k->w;
    const dew_material_def *m = &w->materials[0];
    if (!k->wall || !(m->viscosity > 0) || !solids_hold(w->solids)) return DEW_OK;
    holding h = {.k = k,
                 .of = {.table = &k->p->shear,
                        .solids = w->solids,
                        .nu = (real)(m->viscosity / m->density),
                        .nearest = k->wall_solid}};
    size_t mark = arena_mark(w->scratch);
    ARENA_TRY(w->scratch, k->count, h.found, h.lack, h.least_slip);
    h.of.lack = h.lack, h.of.least_slip = h.least_slip;
    particles_update_ghosts(w->particles, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, SPH_GRAIN, find_lack, &h);
    solids_each(w->solids, k->count, hold, &h);
    arena_release(w->scratch, mark);
    return DEW_OK;
}
