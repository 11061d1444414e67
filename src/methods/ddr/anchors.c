/* Springs that end in solids. A solid that holds is thought filled with the material, at rest with it, and what lies
 * the distance d from it is tied to that: as its viscous hold is the sum of viscosity impulses over a straight profile
 * (solids/shear.h), so the sum of springs is
 *
 *     a = -k d e,   k the rate of shear.h with G/rho in place of nu,
 *
 * e the strain along the solid between it and the particle, which grows with the particle's way along it over d. e
 * flows as rest lengths do: what is beyond the yield stress over G, by rate dt/(1 + rate dt) in a step. Without that a
 * paste slides on the viscous film of its first half spacing. e is not there before liquid touches the solid, and goes
 * where it does no more. */
#include "definition/definition.h"
#include "methods/ddr/ddr.h"
#include "solids/contact.h"

enum { CHUNK = 256 };

/* Of the distance, in spacings: the least that a strain is taken over. */
#define LEAST_ACROSS ((real)0.25)
/* dt^2 k at the most, so that steps stay stable. */
#define MOST_STIFF ((real)0.5)

typedef struct anchoring {
    ddr_step *k;
    real4 *strain;
    const real4 *way; /* of the last step, over dt: m/s */
    real modulus, yield, flow;
} anchoring;

static const real3 none;

static real3 pull_of(const anchoring *a, int i, real rate, real touch, real slip, real3 strain)
{
    const ddr_step *k = a->k;
    real4 wall = k->near.wall[NEAR_WALLS * i];
    int solid = k->near.solid[NEAR_WALLS * i];
    real across = real_max(wall.w, LEAST_ACROSS * k->p->s) + slip;
    real3 way = contact_slip(k->w->solids, solid, k->x[i], a->way[i]);
    real3 e = real3_across(real3_madd(strain, k->dt / across, way), real3_of(wall));
    real size = real3_length(e), beyond = size - a->yield;
    if (beyond > 0) e = real3_scale(1 - a->flow * beyond / size, e);
    a->strain[i] = real4_of(e, 0);
    return real3_scale(-real_min(touch * rate, MOST_STIFF / (k->dt * k->dt)) * across, e);
}

static void act_on(const anchoring *a, int begin, int end, solid_pushes *to)
{
    ddr_step *k = a->k;
    real4 wall[CHUNK] = {0};
    real rate[CHUNK];
    for (int i = begin; i < end; i++) wall[i - begin] = k->near.wall[NEAR_WALLS * i];
    shear_rates(&k->p->shear_table, a->modulus, 0, end - begin, wall, rate);
    for (int i = begin; i < end; i++) {
        int at = NEAR_WALLS * i, solid = k->near.solid[at];
        real3 strain = real3_of(a->strain[i]);
        a->strain[i] = real4_of(none, 0);
        if (solid < 0 || !(wall[i - begin].w < k->h)) continue;
        real touch = near_walls_wet(&k->near, at);
        real slip = (real)solids_info(k->w->solids, solid, 0).slip_length;
        if (!(slip < k->h) || !(touch > 0)) continue;
        real3 push = real3_scale(k->dt, pull_of(a, i, rate[i - begin], touch, slip, strain));
        real4_add(&k->v[i], push);
        solids_push(to, PUSH_SHEAR, solid, real3_of(k->x[i]), real3_scale(-(real)k->w->particle_mass[0], push));
    }
}

static void act(int begin, int end, void *context, solid_pushes *to)
{
    for (int first = begin; first < end; first += CHUNK)
        act_on(context, first, end - first < CHUNK ? end : first + CHUNK, to);
}

void ddr_anchor(ddr_step *k)
{
    const dew_material_def *m = &k->w->materials[0];
    double modulus = definition_shear_modulus(m), flow = k->n.spring.rate[0] * (double)k->dt;
    if (!k->near.wall || !solids_hold(k->w->solids) || k->n.is_paper) return;
    anchoring a = {.k = k, .strain = particles_field(k->all, k->p->anchor), .way = k->v};
    if (k->p->is_area) a.way = k->flow.went;
    a.modulus = (real)(modulus / m->density);
    a.yield = isfinite(m->yield_stress) ? (real)(m->yield_stress / modulus) : 0;
    a.flow = (real)(1 - 1 / (1 + flow));
    solids_each(k->w->solids, k->count, act, &a);
}
