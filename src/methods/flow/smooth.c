/* What takes noise out of velocities. Shares are those of a step in which forces move liquid by a part of a spacing; a
 * shorter one takes as much less (pace). */
#include "particles/smoothing.h"

#include "definition/definition.h"
#include "methods/flow/flow.h"

/* Of noise in velocities. */
#define NOISE_SHARE ((real)0.35)
#define HIDDEN ((real)0.3)
/* Next to a wall velocities are smoothed along it alone: up to so many spacings from it, and in layers as thick. Not so
 * where there is no flow at the scale of layers that noise could be taken for. There is where a wall holds a liquid
 * whose viscosity is not little to them, by their Ohnesorge number mu/sqrt(rho gamma s); and where liquid goes fast and
 * viscosity is felt at all, by the Weber number rho v^2 s/gamma of its speed against a wall that holds, along one that
 * slips: there it bends round edges within a kernel (smoothed as a whole, a jet leaves a pipe that slips a sixth too
 * slow). In between in part. */
#define LAYERED ((real)2.6)
#define THICK ((real)0.6)
static const double is_viscous[2] = {0.02, 0.08}, is_felt[2] = {2e-3, 8e-3}, is_fast[2] = {0, 0.5};
/* n/n0 of a tip on a wall. */
#define TIP ((real)0.75)

typedef struct smoothing {
    flow_step *k;
    real *amount, *unrest;
    uint8_t *is_tip;
    real4 *layer;
    real4 *gradient[3];
} smoothing;

/* 0 to 1 between two bounds. */
static double rise(double x, const double bound[2]) { return fmin(fmax((x - bound[0]) / (bound[1] - bound[0]), 0), 1); }

/* g of particle i (particles/smoothing.h): whole up to the second layer, none from the third on, whose kernel is full
 * but for its edge. */
static real3 layer_of(const flow_step *k, int i)
{
    real4 wall = k->near.wall[NEAR_WALLS * i];
    int solid = k->near.solid[NEAR_WALLS * i];
    real s = k->p->s, near = real_min(real_max((LAYERED * s - wall.w) / s, 0), 1);
    if (!(near > 0)) return (real3){0, 0, 0};
    const dew_material_def *m = &k->w->materials[0];
    bool holds = solids_info(k->w->solids, solid, 0).slip_length < (double)k->h;
    real3 slip = contact_slip(k->w->solids, solid, k->x[i], k->v[i]),
          fast = holds ? slip : real3_across(slip, real3_of(wall));
    double ohnesorge = m->viscosity / sqrt(m->density * m->surface_tension * k->w->spacing);
    double weber = m->density * (double)real3_dot(fast, fast) * k->w->spacing / m->surface_tension;
    double part = rise(ohnesorge, is_felt) * rise(weber, is_fast);
    if (holds) part = fmax(part, rise(ohnesorge, is_viscous));
    return real3_scale((real)part * near * k->h / (THICK * s), real3_of(wall));
}

/* Viscosity's sums over pairs, a kernel wide, hardly see the shortest waves, though these should be the first to go. A
 * solid's have all that it would take implicitly; a liquid's no more than HIDDEN, or its surface would feel it. */
static real amount_of(const flow_step *k)
{
    const dew_material_def *m = &k->w->materials[0];
    real s = k->p->s, viscous = (real)(4 * m->viscosity / m->density) * k->dt / (s * s);
    return m->surface_tension > 0 ? k->pace * NOISE_SHARE + real_min(viscous, HIDDEN) : viscous / (1 + viscous);
}

static void choose(int begin, int end, void *context)
{
    const smoothing *c = context;
    const flow_step *k = c->k;
    real s = k->p->s, amount = amount_of(k);
    for (int i = begin; i < end; i++) {
        bool near = near_walls_has(&k->near, i) && k->near.wall[NEAR_WALLS * i].w < 2 * s;
        c->amount[i] = amount;
        c->unrest[i] = (real)k->unrest[i] / SURFACE_UNREST;
        if (near_walls_has(&k->near, i)) c->layer[i] = real4_of(layer_of(k, i), 0);
        c->is_tip[i] = near && k->facing[i].w < TIP * k->p->c.n0;
    }
}

/* The mesh is noise; and an elastic solid's strain, a mean over a kernel, does not hold single particles against a
 * pressure that disorder makes uneven, so that viscosity alone keeps them from creeping past each other. */
static bool has_noise(const dew_material_def *m)
{
    bool is_lasting = definition_shear_modulus(m) > 0 && !isfinite(m->relaxation_time) && !isfinite(m->yield_stress);
    return m->surface_tension > 0 || is_lasting;
}

/* --- images --- */

/* A wall's images move by mirrored velocities. Where flow is linear theirs is B z across the wall, z the distance and B
 * the fit's; so what a particle is drawn by of all of them, over the part of the kernel that is theirs, is what its
 * velocity across differs from that. Without it nothing calms the first layer but where it is stopped. */
static void smooth_across(int begin, int end, void *context, solid_pushes *to)
{
    const smoothing *c = context;
    flow_step *k = c->k;
    for (int i = begin; i < end; i++) {
        if (!near_walls_has(&k->near, i) || (k->is_held && k->is_held[i])) continue;
        walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &k->p->crowd);
        for (int a = 0; a < here.count; a++) {
            int solid = k->near.solid[NEAR_WALLS * i + a];
            real3 n = real3_of(k->near.wall[NEAR_WALLS * i + a]), row = {0, 0, 0};
            for (int m = 0; m < 3; m++) row = real3_madd(row, (&n.x)[m], real3_of(c->gradient[m][i]));
            real share = c->amount[i] * here.share[a] * half_space_at(k->p->spline.sum, here.distance[a]);
            real off = real3_dot(contact_slip(k->w->solids, solid, k->x[i], k->v[i]), n) -
                       here.distance[a] * real3_dot(row, n);
            real4_add(&k->v[i], real3_scale(-share * off, n));
            solids_push(to, PUSH_PRESSURE, solid, real3_of(k->x[i]), real3_scale(flow_mass(k, i) * share * off, n));
        }
    }
}

dew_result flow_smooth(flow_step *k)
{
    smoothing c = {.k = k};
    if (!has_noise(&k->w->materials[0])) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, c.amount, c.unrest, c.is_tip);
    if (k->near.wall) ARENA_TRY_ZEROED(k->w->scratch, k->all->end, c.layer);
    parallel_for(k->count, 4096, choose, &c);
    smoothing_params how = {.support = k->h,
                            .spacing = k->p->s,
                            .kernel = k->p->kernel,
                            .amount = c.amount,
                            .unrest = c.unrest,
                            .is_tip = c.is_tip,
                            .keeps_turning = true,
                            .layer = c.layer,
                            .gradient = c.gradient};
    RESULT_TRY(smoothing_apply(&how, k->all, k->lists, k->w->scratch));
    if (k->near.wall) solids_each(k->w->solids, k->count, smooth_across, &c);
    return DEW_OK;
}
