/* What takes noise out of velocities. Shares are those of a step in which forces move liquid by a part of a spacing; a
 * shorter one takes as much less (pace). What is done next to walls serves methods with other densities, too
 * (flow_calm). */
#include "particles/smoothing.h"

#include "definition/definition.h"
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

/* Of noise in velocities: of one liquid, and sharply filtered of several with tension between them. The mesh of a
 * surface makes noise 2 to 6 spacings long, so that what keeps drops quiet damps waves. Between liquids a stress takes
 * its place, and what goes round a drop of one in the other is no longer than that: once filtered, it rises at a third
 * of its speed. */
static const real noise_share[2] = {(real)0.35, 1};
#define HIDDEN ((real)0.3)
/* Next to a wall velocities are smoothed along it alone: up to so many spacings from it, and in layers as thick. Not so
 * where there is no flow at the scale of layers that noise could be taken for. There is where a wall holds a liquid
 * whose viscosity is not little to them, by their Ohnesorge number mu/sqrt(rho gamma s); and where liquid goes fast and
 * viscosity is felt at all, by the Weber number rho v^2 s/gamma of its speed against a wall that holds, along one that
 * slips: there it bends round edges within a kernel (smoothed as a whole, a jet leaves a pipe that slips a sixth too
 * slow). In between in part. */
#define LAYERED ((real)2.6)
#define THICK ((real)0.3)
static const double is_viscous[2] = {0.02, 0.08}, is_felt[2] = {2e-3, 8e-3}, is_fast[2] = {0, 0.5};
/* n/n0 of a tip on a wall. */
#define TIP ((real)0.75)

typedef struct smoothing {
    const flow_calm *how;
    real4 *x, *v;
    real *amount, *unrest;
    real4 *layer;
    real4 *gradient[3];
} smoothing;

/* 0 to 1 between two bounds. */
static double rise(double x, const double bound[2]) { return fmin(fmax((x - bound[0]) / (bound[1] - bound[0]), 0), 1); }

/* g of particle i (particles/smoothing.h): whole up to the second layer, none from the third on, whose kernel is full
 * but for its edge. */
static real3 layer_of(const smoothing *c, int i)
{
    const world *w = c->how->w;
    real4 wall = c->how->near->wall[NEAR_WALLS * i];
    int solid = c->how->near->solid[NEAR_WALLS * i];
    real s = (real)w->spacing, near = real_min(real_max((LAYERED * s - wall.w) / s, 0), 1);
    if (!(near > 0)) return (real3){0, 0, 0};
    const dew_material_def *m = &w->materials[w->particles->material[i]];
    bool holds = solids_info(w->solids, solid, 0).slip_length < (double)c->how->h;
    real3 slip = contact_slip(w->solids, solid, c->x[i], c->v[i]),
          fast = holds ? slip : real3_across(slip, real3_of(wall));
    double ohnesorge = m->viscosity / sqrt(m->density * m->surface_tension * w->spacing);
    double weber = m->density * (double)real3_dot(fast, fast) * w->spacing / m->surface_tension;
    double part = rise(ohnesorge, is_felt) * rise(weber, is_fast);
    if (holds) part = fmax(part, rise(ohnesorge, is_viscous));
    return real3_scale((real)part * near * c->how->h / (THICK * s), real3_of(wall));
}

static void choose(int begin, int end, void *context)
{
    const smoothing *c = context;
    for (int i = begin; i < end; i++) {
        c->amount[i] = c->how->amount[c->how->w->particles->material[i]];
        c->unrest[i] = (real)c->how->unrest[i] / SURFACE_UNREST;
        if (near_walls_has(c->how->near, i)) c->layer[i] = real4_of(layer_of(c, i), 0);
    }
}

/* --- images --- */

/* A wall's images move by mirrored velocities. Where flow is linear theirs is B z across the wall, z the distance and B
 * the fit's; so what a particle is drawn by of all of them, over the part of the kernel that is theirs, is what its
 * velocity across differs from that. Without it nothing calms the first layer but where it is stopped. */
static void smooth_across(int begin, int end, void *context, solid_pushes *to)
{
    const smoothing *c = context;
    const flow_calm *how = c->how;
    for (int i = begin; i < end; i++) {
        if (!near_walls_has(how->near, i) || (how->is_held && how->is_held[i])) continue;
        walls_here here = near_walls_at(how->near, i, (real3){0, 0, 0}, 1 / how->h, how->crowd);
        real mass = (real)how->w->particle_mass[how->w->particles->material[i]];
        for (int a = 0; a < here.count; a++) {
            int solid = how->near->solid[NEAR_WALLS * i + a];
            real3 n = real3_of(how->near->wall[NEAR_WALLS * i + a]), row = {0, 0, 0};
            for (int m = 0; m < 3; m++) row = real3_madd(row, (&n.x)[m], real3_of(c->gradient[m][i]));
            real share = c->amount[i] * here.share[a] * half_space_at(how->spline->sum, here.distance[a]);
            real off = real3_dot(contact_slip(how->w->solids, solid, c->x[i], c->v[i]), n) -
                       here.distance[a] * real3_dot(row, n);
            real4_add(&c->v[i], real3_scale(-share * off, n));
            real3 given = real3_scale(mass * share * off, n);
            solids_push(to, PUSH_PRESSURE, solid, real3_of(c->x[i]), given);
            solids_take_idle(how->w->solids, solid, real3_of(c->x[i]), given, to);
        }
    }
}

dew_result flow_take_noise(const flow_calm *how)
{
    particles *all = how->w->particles;
    int count = all->count;
    bool has_walls = how->near->wall != NULL;
    smoothing c = {.how = how, .x = all->position, .v = all->velocity};
    ARENA_TRY(how->w->scratch, count, c.amount, c.unrest);
    if (has_walls) ARENA_TRY_ZEROED(how->w->scratch, all->end, c.layer);
    parallel_for(count, 4096, choose, &c);
    smoothing_params params = {.support = how->h,
                               .spacing = (real)how->w->spacing,
                               .kernel = how->kernel,
                               .amount = c.amount,
                               .is_sharp = how->is_sharp,
                               .unrest = c.unrest,
                               .is_tip = how->is_tip,
                               .keeps_turning = how->keeps_turning,
                               .layer = c.layer,
                               .moment = how->moment,
                               .kind = how->kind,
                               .lightness = how->lightness,
                               .gradient = c.gradient};
    RESULT_TRY(smoothing_apply(&params, all, neighbours_lists(how->w->neighbours), how->w->scratch));
    if (has_walls) solids_each(how->w->solids, count, smooth_across, &c);
    return DEW_OK;
}

/* --- of a flow --- */

typedef struct tips {
    const flow_step *k;
    uint8_t *is_tip;
} tips;

static void find_tips(int begin, int end, void *context)
{
    const tips *t = context;
    const flow_step *k = t->k;
    for (int i = begin; i < end; i++) {
        bool near = near_walls_has(&k->near, i) && k->near.wall[NEAR_WALLS * i].w < 2 * k->p->s;
        t->is_tip[i] = near && k->facing[i].w < TIP * k->p->c.n0;
    }
}

static bool has_interface(const world *w)
{
    for (int a = 1; a < w->material_count; a++)
        for (int b = 0; b < a; b++)
            if (world_tension_between(w, a, b) > 0) return true;
    return false;
}

/* Viscosity's sums over pairs, a kernel wide, hardly see the shortest waves, though these should be the first to go. A
 * solid's have all that it would take implicitly; a liquid's no more than HIDDEN, or its surface would feel it. */
static real amount_of(const flow_step *k, const dew_material_def *m)
{
    real s = k->p->s, viscous = (real)(4 * m->viscosity / m->density) * k->dt / (s * s);
    bool has_surface = m->surface_tension > 0 || k->w->material_count > 1;
    return has_surface ? k->pace * noise_share[has_interface(k->w)] + real_min(viscous, HIDDEN)
                       : viscous / (1 + viscous);
}

/* The mesh is noise; and an elastic solid's strain, a mean over a kernel, does not hold single particles against a
 * pressure that disorder makes uneven, so that viscosity alone keeps them from creeping past each other. */
static bool has_noise(const world *w)
{
    const dew_material_def *m = &w->materials[0];
    bool is_lasting = definition_shear_modulus(m) > 0 && !isfinite(m->relaxation_time) && !isfinite(m->yield_stress);
    return m->surface_tension > 0 || w->material_count > 1 || is_lasting;
}

typedef struct kinds {
    const flow_step *k;
    real of[FLOW_MOST_LIQUIDS], *kind;
} kinds;

static void put_kind(int begin, int end, void *context)
{
    const kinds *m = context;
    for (int i = begin; i < end; i++) m->kind[i] = m->of[m->k->all->material[i]];
}

/* Liquids without tension between them are one but for their names; where there is one they slide past each other, and
 * that is flow. Each is smoothed for itself then: a drop that swings in its like else draws it along (-15 % of its
 * frequency for -12), a bubble rises at half of its speed. */
static dew_result find_kinds(const flow_step *k, const real **kind)
{
    const world *w = k->w;
    kinds m = {.k = k};
    if (w->material_count == 1) return DEW_OK;
    ARENA_TRY(w->scratch, k->all->end + 4, m.kind);
    for (int a = 0; a < w->material_count; a++) {
        int like = 0;
        while (like < a && world_tension_between(w, like, a) > 0) like++;
        m.of[a] = (real)like;
    }
    parallel_for(k->count, 4096, put_kind, &m);
    ghosts_copy(k->all, FIELD_REAL, m.kind);
    *kind = m.kind;
    return DEW_OK;
}

dew_result flow_smooth(flow_step *k)
{
    tips t = {.k = k};
    if (!has_noise(k->w)) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, t.is_tip);
    parallel_for(k->count, 4096, find_tips, &t);
    if (k->moment) flow_share_moments(k, k->moment);
    flow_calm how = {.w = k->w,
                     .near = &k->near,
                     .crowd = &k->p->crowd,
                     .spline = &k->p->spline,
                     .h = k->h,
                     .kernel = k->p->kernel,
                     .unrest = k->unrest,
                     .is_tip = t.is_tip,
                     .is_held = k->is_held,
                     .keeps_turning = true,
                     .is_sharp = has_interface(k->w),
                     .moment = k->moment,
                     .lightness = k->ease};
    RESULT_TRY(find_kinds(k, &how.kind));
    for (int m = 0; m < k->w->material_count; m++) how.amount[m] = amount_of(k, &k->w->materials[m]);
    return flow_take_noise(&how);
}
