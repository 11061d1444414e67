/* Viscosity impulses (algorithm 5), as an acceleration: pairs lose their velocity u along the line of centres by (1 -
 * q) (sigma u + beta u^2)/2 each, the second part only where they approach. Both directions of u count in the first,
 * which is then Newton's viscosity nu = sigma h^2 n h^3 pi/450 (in two dimensions calibration.md). Walls that hold
 * have their part of it (solids/shear.h). By area methods/flow resists instead.
 *
 * Where sigma asks for shorter steps, it is taken at the step's end: (1 + dt A) v = v0, by conjugate gradients, which
 * keep linear and angular momentum however early they stop. */
#include "base/conjugate_gradient.h"
#include "methods/ddr/ddr.h"

/* So much of a velocity an explicit step may take. */
#define MOST_TAKEN 0.4
/* Of the square of what viscosity changes in a step: what is left when the iteration ends. */
#define REST 1e-10
enum { MOST_ITERATIONS = 200 };

typedef struct viscous {
    ddr_step *k;
    const real4 *v;    /* that is asked about */
    real4 *change;     /* -dt A v, and what beta does */
    real beta;         /* 1/m; 0 in the operator A */
    wall_shear *walls; /* NULL: none hold */
    shear shear;
    const real4 *taken; /* velocity that walls hold */
} viscous;

static void sum_impulses(int begin, int end, void *context)
{
    const viscous *s = context;
    const ddr_step *k = s->k;
    vreal inv_h = vset(k->inv_h), sigma = vset((real)k->n.sigma / 2), beta = vset(s->beta / 2), dt = vset(-k->dt);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), vi = pair_i(s->v, block);
        vreal x = vset(0), y = vset(0), z = vset(0), nearing = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), vb = pair_j(s->v, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal w = vmax(1 - q2 * inv_q, vset(0));
            vreal u = (dx * (vi.x - vb.x) + dy * (vi.y - vb.y) + dz * (vi.z - vb.z)) * inv_q;
            vreal f = w * inv_q * (sigma - beta * vmin(u, vset(0))) * u;
            nearing -= w * u;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(s->change, block, dt * x, dt * y, dt * z, nearing);
    }
}

static void add_walls(int begin, int end, void *context)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++)
        real4_add(&s->change[i], real3_scale(-s->k->dt, wall_shear_hold(&s->walls[i], real3_of(s->v[i]))));
}

static void find_change_by_pairs(const viscous *s) { parallel_for(s->k->blocks, DDR_GRAIN, sum_impulses, (void *)s); }
static void find_change_by_walls(const viscous *s)
{
    if (s->walls) parallel_for(s->k->count, 1024, add_walls, (void *)s);
}

/* --- walls --- */

static void find_walls(int begin, int end, void *context)
{
    const viscous *s = context;
    shear_find(&s->shear, begin, end, s->k->x, s->walls);
}

static dew_result open_walls(viscous *s)
{
    ddr_step *k = s->k;
    if (!k->near.wall || !solids_hold(k->w->solids)) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, s->walls);
    s->shear = (shear){.table = &k->p->shear_table, .solids = k->w->solids, .nu = (real)k->n.viscosity};
    parallel_for(k->count, 1024, find_walls, s);
    return DEW_OK;
}

static void give_to_solids(int begin, int end, void *context, solid_pushes *to)
{
    const viscous *s = context;
    shear_push_solids(&s->shear, begin, end, s->k->x, s->taken, (real)s->k->w->particle_mass[0] * s->k->dt, to);
}

/* --- the step --- */

/* v += change, and what walls that move give. */
static void take_change(int begin, int end, void *context)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++) {
        if (s->walls) real4_add(&s->change[i], real3_scale(s->k->dt, real3_of(s->walls[i].push)));
        s->k->nearing[i] = s->change[i].w, s->change[i].w = 0;
    }
}

static void add_change(int begin, int end, void *context)
{
    const viscous *s = context;
    for (int i = begin; i < end; i++) real4_add(&s->k->v[i], real3_of(s->change[i]));
}

/* The rate at which a particle's motion against its neighbours dies, over sigma: w over all, along one axis. */
static double lone_rate(const ddr_step *k)
{
    int dimension = k->w->dimension;
    return PI / 3 * pow((double)(k->h / k->p->s), dimension) / dimension;
}

/* The largest rate of decay, 1/s: a particle against its neighbours, all of which may go the other way. */
static double largest_rate(const viscous *s)
{
    const ddr_step *k = s->k;
    double wall = s->walls ? (double)shear_most_rate(&k->p->shear_table, (real)k->n.viscosity) : 0;
    return k->n.sigma * lone_rate(k) + wall;
}

/* --- hyperviscosity --- */

typedef struct calming {
    ddr_step *k;
    const real4 *once; /* -dt A v */
    real4 *field;
    real4 *twice; /* (dt A)^2 v; NULL: there is nothing to do */
    real times;
} calming;

static void take_once(int begin, int end, void *context)
{
    const calming *c = context;
    for (int i = begin; i < end; i++) c->field[i] = real4_of(real3_of(c->once[i]), 0);
}

static void take_twice(int begin, int end, void *context)
{
    const calming *c = context;
    for (int i = begin; i < end; i++) real4_add(&c->k->v[i], real3_scale(-c->times, real3_of(c->twice[i])));
}

/* Motion of particles against their neighbours, which the pressures stir and no force of theirs ends, dies by A^2: at
 * n.calming where it alternates from one to the next, at (kh)^4/2500 of that as a wave of number k. A keeps both
 * momenta, so A^2 does. What viscosity does already is not done again. `pairs`: -dt A v. */
static dew_result find_calming(ddr_step *k, const real4 *pairs, calming *c)
{
    double by_viscosity = k->n.sigma * lone_rate(k), rate = k->n.calming - by_viscosity;
    *c = (calming){.k = k, .once = pairs, .field = particles_field(k->all, k->p->change)};
    if (!(by_viscosity > 0) || rate <= 0) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, c->twice);
    c->times = (real)(rate / ((double)k->dt * by_viscosity * by_viscosity));
    parallel_for(k->count, 4096, take_once, c);
    particles_update_ghosts(k->all, k->p->change);
    find_change_by_pairs(&(viscous){.k = k, .v = c->field, .change = c->twice});
    return DEW_OK;
}

typedef struct solving {
    conjugate_gradient c;
    viscous *s;
} solving;

static void multiply_part(int begin, int end, void *context, double *sums)
{
    const solving *g = context;
    for (int i = begin; i < end; i++) {
        real4 p = ((const real4 *)g->c.p)[i], *Ap = &((real4 *)g->c.Ap)[i], r = g->s->change[i];
        *Ap = (real4){p.x - r.x, p.y - r.y, p.z - r.z, 0};
        sums[0] += (double)(p.x * Ap->x + p.y * Ap->y + p.z * Ap->z);
    }
}

static double multiply(void *context)
{
    solving *g = context;
    double product;
    particles_update_ghosts(g->s->k->all, g->s->k->p->change);
    find_change_by_pairs(g->s), find_change_by_walls(g->s);
    parallel_sum(g->s->k->count, 1, multiply_part, g, &product);
    return product;
}

static void square_part(int begin, int end, void *context, double *sums)
{
    const real4 *r = context;
    for (int i = begin; i < end; i++) sums[0] += (double)(r[i].x * r[i].x + r[i].y * r[i].y + r[i].z * r[i].z);
}

/* From v and its residual s->change on. */
static dew_result solve(viscous *s)
{
    ddr_step *k = s->k;
    ARENA_ARRAY(k->w->scratch, k->count, real4, r);
    ARENA_ARRAY(k->w->scratch, k->count, real4, Ap);
    for (int i = 0; i < k->count; i++) r[i] = s->change[i], k->v[i].w = 0;
    double square;
    parallel_sum(k->count, 1, square_part, r, &square);
    real4 *p = particles_field(k->all, k->p->change);
    solving g = {
        .c = {.count = 4 * k->count, .x = &k->v->x, .r = &r->x, .p = &p->x, .Ap = &Ap->x, .multiply = multiply},
        .s = s};
    g.c.context = &g;
    s->v = p;
    conjugate_gradient_solve(&g.c, &square, REST * square, MOST_ITERATIONS);
    return DEW_OK;
}

/* The material's own: v at the step's end from s->change, -dt A v by pairs. */
static dew_result act(viscous *s)
{
    ddr_step *k = s->k;
    find_change_by_walls(s);
    parallel_for(k->count, 4096, take_change, s);
    bool is_explicit = (double)k->dt * largest_rate(s) < MOST_TAKEN;
    if (is_explicit && s->walls) solids_each(k->w->solids, k->count, give_to_solids, s);
    if (is_explicit) return parallel_for(k->count, 4096, add_change, s), DEW_OK;
    s->beta = 0;
    RESULT_TRY(solve(s));
    if (s->walls) solids_each(k->w->solids, k->count, give_to_solids, s);
    return DEW_OK;
}

dew_result ddr_viscosity(ddr_step *k)
{
    viscous s = {.k = k, .v = k->v, .beta = (real)k->n.beta, .taken = k->v};
    calming c;
    ARENA_TRY(k->w->scratch, k->count, s.change);
    RESULT_TRY(open_walls(&s));
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    particles_update_ghosts(k->all, FIELD_VELOCITY_INDEX);
    find_change_by_pairs(&s);
    RESULT_TRY(find_calming(k, s.change, &c));
    RESULT_TRY(act(&s));
    if (c.twice) parallel_for(k->count, 4096, take_twice, &c);
    return DEW_OK;
}
