#include "methods/mpm/any/displacement.h"

#include "methods/mpm/any/deformation.h"
#include "methods/mpm/any/stress.h"
#include "methods/mpm/any/transfer.h"
#include "particles/bodies.h"

/* Slower than this, over the scene's own speed, liquid is at rest. Currents reach 0.05. */
#define CALM ((real)0.14)

/* What a body loses and gets back. */
typedef struct rigid {
    bool is_held;                      /* by a wall */
    int rounds;                        /* in which what the grid sees is taken off */
    double mass, centre[3], shift[3];  /* mass: in particles of the heaviest material */
    double drift[3];                   /* m/s, of the whole; 0 where walls hold it */
    double velocity[3], spin[3];       /* m/s, 1/s: to take off */
    double carried[MPM_CARRIED_COUNT]; /* K, kg/m3: to take off */
} rigid;

typedef struct displacing {
    fluid *f;
    real4 *by;   /* of each particle, m */
    real4 *node; /* what the grid has of it; w: of the weights */
    rigid *bodies;
    int round;
} displacing;

enum { CENTRE_MASS, CENTRE_WALL, CENTRE_X, CENTRE_DRIFT = CENTRE_X + 3, CENTRE_SUMS = CENTRE_DRIFT + 3 };

static void sum_centres(int begin, int end, void *context, double *sums)
{
    const displacing *w = context;
    for (int i = begin; i < end; i++) {
        if (w->f->body[i] < 0) continue;
        double *own = sums + (size_t)CENTRE_SUMS * (size_t)w->f->body[i];
        double mass = (double)mass_of(w->f, i);
        own[CENTRE_MASS] += mass;
        own[CENTRE_WALL] += w->f->at_wall && w->f->at_wall[i] > 0;
        for (int a = 0; a < DIM; a++) {
            own[CENTRE_X + a] += mass * (double)(&w->f->a.x[i].x)[a];
            own[CENTRE_DRIFT + a] += mass * (double)(&w->f->a.v[i].x)[a];
        }
    }
}

/* What the grid sees, S, of displacements is a flow that no force made. At walls it is taken off, since tension would
 * hold drops against it at other angles; of free bodies where viscosity is implicit, since nothing else moves them as
 * fast. That leaves 1 - S, of a layer a cell thin at the surface a half: two rounds leave a quarter. */
static void find_centres(int count, const double *sums, bool is_viscous, rigid *bodies)
{
    for (int b = 0; b < count; b++, sums += CENTRE_SUMS) {
        rigid *r = &bodies[b];
        *r = (rigid){.is_held = sums[CENTRE_WALL] > 0, .mass = sums[CENTRE_MASS]};
        r->rounds = r->is_held ? 1 : is_viscous ? 2 : 0;
        for (int a = 0; a < DIM && r->mass > 0; a++) {
            r->centre[a] = sums[CENTRE_X + a] / r->mass;
            r->drift[a] = r->is_held ? 0 : sums[CENTRE_DRIFT + a] / r->mass;
        }
    }
}

static void sum_shifts(int begin, int end, void *context, double *sums)
{
    const displacing *w = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < DIM && w->f->body[i] >= 0; a++)
            sums[3 * w->f->body[i] + a] += (double)mass_of(w->f, i) * (double)(&w->by[i].x)[a];
}

static void find_shifts(const grid *g, int count, const double *sums, rigid *bodies)
{
    for (int b = 0; b < count; b++)
        for (int a = 0; a < DIM && bodies[b].mass > 0 && !bodies[b].is_held; a++)
            if (!g->is_mirrored[a]) bodies[b].shift[a] = sums[3 * b + a] / bodies[b].mass;
}

static void shifts_to_grid(int block, void *context)
{
    const displacing *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    static const vrow none[DIM]; /* 0 */
    real4 tile[TILE_ROOM];
    batch q;
    patch at;
    tile_clear(tile);
    patch_load(&at, tile, 0);
    for (int i = first_in(g, block); batch_take(&q, g, f->a.x, NULL, 0, 0, &i, first_in(g, block + 1));) {
        batch_weigh(&q, g->inverse, &g->first[block], 1);
        for (int l = 0; l < q.count; l++) {
            real4 shift = w->by[q.which[l]];
            shift.w = 1;
            deposit(&at, tile, &q, l, 1, row_repeat(quad_load(&shift)), none, none);
        }
    }
    patch_store(&at, tile);
    tile_add(g, block, tile, w->node);
}

/* 1 where liquid moves as its body does, 0 where it is fast. */
static inline real calm_of(const displacing *w, int i)
{
    const rigid *r = &w->bodies[w->f->body[i]];
    real3 off = {(real)r->drift[0], (real)r->drift[1], (real)r->drift[2]};
    real v = real3_length(real3_sub(real3_of(w->f->a.v[i]), off)) / (CALM * (real)w->f->p->least_speed + (real)1e-30);
    return 1 / (1 + v * v * v * v);
}

static void take_off_seen(int block, void *context)
{
    const displacing *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    const vquad xyz = {1, 1, 1, 0};
    gathered seen;
    real4 tile[TILE_ROOM];
    batch q;
    patch at;
    tile_clear(tile);
    tile_load(g, block, tile, w->node);
    patch_load(&at, tile, 0);
    for (int i = first_in(g, block); batch_take(&q, g, f->a.x, NULL, 0, 0, &i, first_in(g, block + 1));) {
        batch_weigh(&q, g->inverse, &g->first[block], 1);
        for (int l = 0; l < q.count; l++) {
            int k = q.which[l];
            bool is_taken = f->body[k] >= 0 && w->round < w->bodies[f->body[k]].rounds;
            if (!is_taken || (f->has_solids && is_solid(&f->a, k))) continue;
            gather(&at, tile, &q, l, 1, &seen);
            quad_store(&w->by[k], quad_load(&w->by[k]) - calm_of(w, k) * xyz * gathered_v(&seen));
        }
    }
}

/* Takes off the displacements what the grid sees of them, so far as the liquid is at rest. */
static dew_result keep_unseen(displacing *w, int count)
{
    const grid *g = &w->f->g;
    int nodes = g->block_count * CELLS, most = 0;
    for (int b = 0; b < count; b++) most = w->bodies[b].rounds > most ? w->bodies[b].rounds : most;
    if (most > 0) ARENA_TRY(g->memory, nodes, w->node);
    for (w->round = 0; w->round < most; w->round++) {
        memset(w->node, 0, (size_t)nodes * sizeof *w->node);
        each_home_colour(g, shifts_to_grid, w);
        parallel_for(nodes, 2048, nodes_divide, w->node);
        each_home(g, take_off_seen, w);
    }
    return DEW_OK;
}

/* SPIN_CHANGE: of the angular momentum; SPIN_SQUARE: xx, yy, zz, yz, zx, xy; SPIN_ARM: where the centre has gone, as
 * walls let it; per mass, about the centre as it was. */
enum {
    SPIN_VELOCITY,
    SPIN_CHANGE = SPIN_VELOCITY + 3,
    SPIN_SQUARE = SPIN_CHANGE + 3,
    SPIN_ARM = SPIN_SQUARE + 6,
    SPIN_CARRIED = SPIN_ARM + 3,
    SPIN_SUMS = SPIN_CARRIED + MPM_CARRIED_COUNT
};

/* Changes what particle i carries to what there is at d from it; returns the change. */
static double carry_along(const mpm_carried *c, int i, const double d[3])
{
    if (!c->value) return 0;
    double change = (double)c->slope[i].x * d[0] + (double)c->slope[i].y * d[1] + (double)c->slope[i].z * d[2];
    mpm_carry(c, i, mpm_carried_by(c, i) + change);
    return change;
}

/* Moves a particle by its shift d, v += A d, and adds what that changes to its body's sums. */
static void move_shifted(const displacing *w, int i, double *own)
{
    const rigid *r = &w->bodies[w->f->body[i]];
    real4 *x = &w->f->a.x[i], *v = &w->f->a.v[i];
    double mass = (double)mass_of(w->f, i), before[3], arm[3], d[3] = {0, 0, 0},
           old[3] = {(double)v->x, (double)v->y, (double)v->z}, change[3];
    vquad velocity = quad_load(v);
    for (int a = 0; a < 3; a++) before[a] = (double)(&x->x)[a] - r->centre[a];
    for (int a = 0; a < DIM; a++) {
        d[a] = (double)(&w->by[i].x)[a] - r->shift[a];
        velocity += (real)d[a] * quad_load(&w->f->a.affine[a][i]);
        (&x->x)[a] += (real)d[a];
    }
    quad_store(v, velocity);
    for (int k = 0; k < MPM_CARRIED_COUNT; k++) own[SPIN_CARRIED + k] += carry_along(&w->f->a.carried[k], i, d);
    for (int a = 0; a < 3; a++) {
        arm[a] = (double)(&x->x)[a] - r->centre[a];
        change[a] = (double)(&v->x)[a] - old[a];
        own[SPIN_VELOCITY + a] += mass * change[a];
        own[SPIN_SQUARE + a] += mass * arm[a] * arm[a];
        own[SPIN_ARM + a] += mass * arm[a];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        own[SPIN_CHANGE + a] += mass * (arm[b] * change[c] - arm[c] * change[b] + (arm[b] - before[b]) * old[c] -
                                        (arm[c] - before[c]) * old[b]);
    }
    own[SPIN_SQUARE + 3] += mass * arm[1] * arm[2];
    own[SPIN_SQUARE + 4] += mass * arm[0] * arm[2];
    own[SPIN_SQUARE + 5] += mass * arm[0] * arm[1];
}

static void sum_spins(int begin, int end, void *context, double *sums)
{
    const displacing *w = context;
    for (int i = begin; i < end; i++)
        if (w->f->body[i] >= 0) move_shifted(w, i, sums + (size_t)SPIN_SUMS * (size_t)w->f->body[i]);
}

/* Between planes of symmetry only what lies along them is kept; no angular momentum is, nor where axes are periodic. */
static void find_turnings(const grid *g, int count, const double *sums, rigid *bodies)
{
    for (int b = 0; b < count; b++, sums += SPIN_SUMS) {
        rigid *r = &bodies[b];
        if (!(r->mass > 0)) continue;
        for (int a = 0; a < DIM; a++) r->velocity[a] = g->is_mirrored[a] ? 0 : sums[SPIN_VELOCITY + a] / r->mass;
        for (int k = 0; k < MPM_CARRIED_COUNT; k++) r->carried[k] = sums[SPIN_CARRIED + k] / r->mass;
        const double *square = sums + SPIN_SQUARE, *change = sums + SPIN_CHANGE, inertia = square[0] + square[1];
        if (g->is_periodic || g->has_planes) continue;
        if (DIM == 3)
            bodies_turn(square, change, r->spin);
        else if (inertia > 0)
            r->spin[2] = change[2] / inertia;
        const double *arm = sums + SPIN_ARM;
        for (int a = 0; a < 3; a++) {
            int next = (a + 1) % 3, last = (a + 2) % 3;
            r->velocity[a] -= (r->spin[next] * arm[last] - r->spin[last] * arm[next]) / r->mass;
        }
    }
}

static void give_back(int begin, int end, void *context)
{
    const displacing *w = context;
    for (int i = begin; i < end; i++) {
        if (w->f->body[i] < 0) continue;
        const rigid *r = &w->bodies[w->f->body[i]];
        double arm[3];
        for (int k = 0; k < MPM_CARRIED_COUNT; k++) {
            const mpm_carried *c = &w->f->a.carried[k];
            if (c->value) mpm_carry(c, i, mpm_carried_by(c, i) - r->carried[k]);
        }
        for (int a = 0; a < 3; a++) arm[a] = (double)(&w->f->a.x[i].x)[a] - r->centre[a];
        for (int a = 0; a < DIM; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            double off = r->velocity[a] + r->spin[b] * arm[c] - r->spin[c] * arm[b];
            (&w->f->a.v[i].x)[a] = (real)((double)(&w->f->a.v[i].x)[a] - off);
        }
    }
}

dew_result displace_particles(fluid *f, int body_count, real4 *displacement, bool is_unseen)
{
    arena *memory = f->g.memory;
    displacing w = {.f = f, .by = displacement};
    ARENA_ARRAY(memory, (size_t)body_count * SPIN_SUMS, double, sums);
    ARENA_TRY(memory, body_count, w.bodies);
    liquid_bodies_sum(body_count, f->a.count, CENTRE_SUMS, sum_centres, &w, sums);
    find_centres(body_count, sums, f->implicit.viscosity, w.bodies);
    if (is_unseen) RESULT_TRY(keep_unseen(&w, body_count));
    liquid_bodies_sum(body_count, f->a.count, 3, sum_shifts, &w, sums);
    find_shifts(&f->g, body_count, sums, w.bodies);
    liquid_bodies_sum(body_count, f->a.count, SPIN_SUMS, sum_spins, &w, sums);
    find_turnings(&f->g, body_count, sums, w.bodies);
    parallel_for(f->a.count, 4096, give_back, &w);
    return DEW_OK;
}
