/* What mends without velocity, and what takes noise out of velocities. Shares are those of a step in which forces move
 * liquid by a part of a spacing; a shorter one takes as much less (pace).
 *
 * A shift makes n what it is to be, by one relaxed step along its gradient, x_i = sum w e (m_i + m_j) + 2 m_i S, m =
 * h/2 times the share of the error of n/n0; the norm is that of a full kernel. It pushes particles apart that are too
 * near. What it does to a pair is opposite, so that the centre of mass stays. */
#include "particles/smoothing.h"

#include "methods/mps/mps.h"

/* Of the error of n. */
#define DENSITY_SHARE ((real)0.1)
/* Pairs nearer than so many spacings part by a share of what is missing; the skin's among themselves only. */
#define LEAST_APART ((real)0.9)
#define APART_SHARE ((real)0.02)
/* Liquid that lacks more of n0, or has more too much, is mended as if it were this much. */
#define MOST_OFF ((real)0.1)
/* What a pair is moved by at the most, in spacings. */
#define LONGEST ((real)0.01)
/* Of noise in velocities. */
#define NOISE_SHARE ((real)0.35)
/* Next to a wall that holds velocities are smoothed along it alone: up to so many spacings from it, and in layers as
 * thick. Not so where there is no flow at the scale of layers that noise could be taken for: where viscosity is little
 * to them, by their Ohnesorge number mu/sqrt(rho gamma s), unless they go fast and it is felt at all, by their Weber
 * number rho v^2 s/gamma against the wall. In between in part. */
#define LAYERED ((real)2.6)
#define THICK ((real)0.6)
static const double is_viscous[2] = {0.02, 0.08}, is_felt[2] = {2e-3, 8e-3}, is_fast[2] = {0, 0.5};
/* n/n0 of a tip on a wall. */
#define TIP ((real)0.75)

static void put_correction(int begin, int end, void *context)
{
    mps_step *k = context;
    real factor = DENSITY_SHARE * k->pace / 2;
    for (int i = begin; i < end; i++) {
        real excess = (k->facing[i].w - k->target[i]) / k->p->c.n0;
        bool is_held = k->is_held && k->is_held[i];
        excess = is_held ? 0 : real_min(real_max(excess, k->is_surface[i] ? 0 : -MOST_OFF), MOST_OFF);
        k->lean[i] = (real4){0, 0, 0, factor * excess};
        k->x[i].w = k->is_surface[i] ? -1 : 1;
    }
}

static void find_shift(int begin, int end, void *context)
{
    mps_step *k = context;
    vreal inv_h = vset(k->inv_h), push = vset(k->pace * APART_SHARE), reach = vset(LEAST_APART * k->p->s * k->inv_h);
    vreal longest = vset(LONGEST * k->p->s * k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal mi = pair_i(k->lean, block).w;
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            vreal apart = vselect(i.w * b.w > 0, push, vset(0)) * vmax(reach - q, vset(0));
            vreal way = apart + (mi + pair_j(k->lean, j).w) * vmax(1 - q, vset(0));
            vreal f = vmin(vmax(way, -longest), longest) * inv_q;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->change, block, x, y, z, vset(0));
    }
}

typedef struct shifting {
    mps_step *k;
    const real4 *pushed;
} shifting;

static void finish_shift(int begin, int end, void *context)
{
    const shifting *s = context;
    mps_step *k = s->k;
    for (int i = begin; i < end; i++) {
        real3 d = real3_scale(k->h, real3_madd(real3_of(s->pushed[i]), 2 * k->lean[i].w, real3_of(k->wall[i])));
        if (near_walls_has(&k->near, i))
            d = near_walls_keep_out(&k->near, i, k->p->s / 2, real3_scale(k->dt, real3_of(k->v[i])), d);
        k->shift[i] = real4_of(d, 0);
    }
}

void mps_finish_shift(mps_step *k, const real4 *pushed)
{
    parallel_for(k->count, 4096, finish_shift, &(shifting){k, pushed});
}

dew_result mps_mend(mps_step *k)
{
    ARENA_TRY(k->w->scratch, k->count, k->shift);
    parallel_for(k->count, 4096, put_correction, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->all, k->p->lean);
    parallel_for(k->blocks, MPS_GRAIN, find_shift, k);
    mps_finish_shift(k, k->change);
    return DEW_OK;
}

/* --- velocities --- */

typedef struct smoothing {
    mps_step *k;
    real *amount, *unrest;
    uint8_t *is_tip;
    real4 *layer;
} smoothing;

/* 0 to 1 between two bounds. */
static double rise(double x, const double bound[2]) { return fmin(fmax((x - bound[0]) / (bound[1] - bound[0]), 0), 1); }

/* g of particle i (particles/smoothing.h): whole up to the second layer, none from the third on, whose kernel is full
 * but for its edge. */
static real3 layer_of(const mps_step *k, int i)
{
    real4 wall = k->near.wall[NEAR_WALLS * i];
    int solid = k->near.solid[NEAR_WALLS * i];
    real s = k->p->s, near = real_min(real_max((LAYERED * s - wall.w) / s, 0), 1);
    if (!(near > 0) || !(solids_info(k->w->solids, solid, 0).slip_length < (double)k->h)) return (real3){0, 0, 0};
    const dew_material_def *m = &k->w->materials[0];
    real3 slip = contact_slip(k->w->solids, solid, k->x[i], k->v[i]);
    double ohnesorge = m->viscosity / sqrt(m->density * m->surface_tension * k->w->spacing);
    double weber = m->density * (double)real3_dot(slip, slip) * k->w->spacing / m->surface_tension;
    double part = fmax(rise(ohnesorge, is_viscous), rise(ohnesorge, is_felt) * rise(weber, is_fast));
    return real3_scale((real)part * near * k->h / (THICK * s), real3_of(wall));
}

/* Viscosity's sums over pairs, a kernel wide, hardly see the shortest waves, though these should be the first to go. */
static void choose(int begin, int end, void *context)
{
    const smoothing *c = context;
    const mps_step *k = c->k;
    const dew_material_def *m = &k->w->materials[0];
    real s = k->p->s, viscous = (real)(4 * m->viscosity / m->density) * k->dt / (s * s);
    real amount = k->pace * NOISE_SHARE + real_min(viscous, (real)0.3);
    for (int i = begin; i < end; i++) {
        bool near = near_walls_has(&k->near, i) && k->near.wall[NEAR_WALLS * i].w < 2 * s;
        c->amount[i] = amount;
        c->unrest[i] = (real)k->unrest[i] / SURFACE_UNREST;
        if (near_walls_has(&k->near, i)) c->layer[i] = real4_of(layer_of(k, i), 0);
        c->is_tip[i] = near && k->facing[i].w < TIP * k->p->c.n0;
    }
}

dew_result mps_smooth(mps_step *k)
{
    smoothing c = {.k = k};
    /* It is the mesh's noise. */
    if (!(k->w->materials[0].surface_tension > 0)) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, c.amount, c.unrest, c.is_tip);
    if (k->near.wall) ARENA_TRY_ZEROED(k->w->scratch, k->all->end, c.layer);
    parallel_for(k->count, 4096, choose, &c);
    smoothing_params how = {.support = k->h,
                            .spacing = k->p->s,
                            .kernel = k->p->kernel,
                            .amount = c.amount,
                            .unrest = c.unrest,
                            .is_tip = c.is_tip,
                            .layer = c.layer};
    return smoothing_apply(&how, k->all, k->lists, k->w->scratch);
}
