/* Conduction of heat over a step, by the variational form of the paper (eq. 10):
 *
 *     rho c dT/dt = div k grad T + H,   k dT/dn = h (T_surroundings - T) + b on the surface
 *
 * on the nodes, implicit in time, by conjugate gradients without a matrix. Temperatures of nodes come from particles
 * and their gradients, N m (T + grad T . (x_i - x)); particles get the change of the nodes' temperatures, not these
 * themselves, so that a transfer by itself smooths nothing. What particles have that nodes do not see (a difference
 * between neighbours) is conducted away at the rate that is right for it.
 *
 * A sample of the surface takes its temperature from the nodes of its particle, T(x) + grad T . (s - x), and gives heat
 * to them by the same weights: so no node without mass is met, and the matrix stays well conditioned.
 *
 * The masses of the nodes, with what the samples add to them, are the preconditioner: then all heat is kept at any
 * tolerance where the surface is insulated; what rounding loses is given back. Units: temperatures against a reference,
 * K; masses in particles; everything is divided by the heat capacity of a particle. */
#ifndef METHODS_MPM_ANY_HEAT_H
#define METHODS_MPM_ANY_HEAT_H

#include "methods/mpm/any/samples.h"
#include "methods/mpm/any/transfer.h"

#include <stdio.h>

typedef struct heat_sample {
    real4 arm;     /* from its particle, in cells */
    int32_t slot;  /* of the particle */
    real transfer; /* h A dt over the particle's heat capacity */
    real later;    /* weight of the temperature after the step */
    real outside;  /* of the surroundings, against the reference, K */
    real flux;     /* b A dt over the particle's heat capacity, K */
    real got;      /* heat that came in, K */
} heat_sample;

typedef struct conduction {
    const grid *g;
    const world *w;
    mpm_arrays a;
    const samples *s;
    double reference, dt;
    real spread; /* k dt/(rho c dx^2) */
    real later;  /* weight of the temperatures after the step: 1/2 is of second order, 1 bears any step */
    real decay;  /* of what nodes do not see, over the step */
    real sharpness;
    real4 *node;  /* temperature times mass, mass */
    real *weight; /* the preconditioner */
    real *mass, *temperature, *change, *rest, *way, *along, *source;
    const real *from; /* what the product with the matrix is of */
    real *to;
    real *power; /* of each particle, K over the step; NULL: none */
    heat_sample *list;
    int list_count;
    int32_t *block_begin; /* of the list, for each home block, one more */
    double shift;         /* K: see give_back_heat */
} conduction;

/* --- scalars between a point and the nodes --- */

static inline vquad four_load(const real *a)
{
    vquad r;
    memcpy(&r, a, sizeof r);
    return r;
}

/* Value and gradient, per cell. */
static inline void gather_scalar(const real *tile, const stencil *s, real *value, real slope[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real *node = tile + s->first, *ny = &s->n[Y].x, *sy = &s->slope[Y].x;
    vquad v = quad_set(0), gy = quad_set(0);
#if DIM == 3
    const real *nx = &s->n[0].x, *sx = &s->slope[0].x;
    vquad gx = quad_set(0);
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
        vquad n = quad_set(0), g = quad_set(0);
        for (int j = 0; j < 3; j++) {
            vquad row = four_load(node + j * TILE_SIDE);
            n += ny[j] * row, g += sy[j] * row;
        }
        v += nx[i] * n, gx += sx[i] * n, gy += nx[i] * g;
    }
#else
    for (int j = 0; j < 3; j++) {
        vquad row = four_load(node + j * TILE_SIDE);
        v += ny[j] * row, gy += sy[j] * row;
    }
#endif
    vquad wz = quad_load(&s->n[Z]), sz = quad_load(&s->slope[Z]);
    vquad all = v * wz, z = v * sz, y = gy * wz;
    *value = all[0] + all[1] + all[2];
    slope[Z] = z[0] + z[1] + z[2];
    slope[Y] = y[0] + y[1] + y[2];
#if DIM == 3
    vquad x = gx * wz;
    slope[0] = x[0] + x[1] + x[2];
#endif
}

/* Adds N value + grad N . slope, the transpose. */
static inline void deposit_scalar(real *tile, const stencil *s, real value, const real slope[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real *ny = &s->n[Y].x, *sy = &s->slope[Y].x;
    vquad wz = quad_load(&s->n[Z]), sz = quad_load(&s->slope[Z]);
    vquad flat = value * wz + slope[Z] * sz, y = slope[Y] * wz;
    real *node = tile + s->first;
#if DIM == 3
    const real *nx = &s->n[0].x, *sx = &s->slope[0].x;
    vquad x = slope[0] * wz;
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
        vquad n = nx[i] * flat + sx[i] * x, g = nx[i] * y;
#else
    {
        vquad n = flat, g = y;
#endif
        for (int j = 0; j < 3; j++) {
            vquad row = four_load(node + j * TILE_SIDE) + ny[j] * n + sy[j] * g;
            memcpy(node + j * TILE_SIDE, &row, sizeof row);
        }
    }
}

/* The temperature at a sample, of values on nodes. */
static inline real value_at_sample(const real *tile, const stencil *s, const heat_sample *q)
{
    real value, slope[DIM];
    gather_scalar(tile, s, &value, slope);
    for (int a = 0; a < DIM; a++) value += (&q->arm.x)[a] * slope[a];
    return value;
}

static inline void give_to_sample(real *tile, const stencil *s, const heat_sample *q, real value)
{
    real slope[DIM];
    for (int a = 0; a < DIM; a++) slope[a] = (&q->arm.x)[a] * value;
    deposit_scalar(tile, s, value, slope);
}

/* --- particles to nodes --- */

/* A particle's temperature is kept in two parts, since what a step adds may be less than a float's last digit. */
static inline double temperature_of(const conduction *c, int i)
{
    return (double)c->a.temperature[i] + (double)c->a.warmth[i].w - c->reference;
}

static void heat_to_nodes(int block, void *context)
{
    const conduction *c = context;
    const block_place *at = &c->g->block[block];
    if (block >= c->g->home_count) return;
    int begin = c->g->particle_begin[block * CELLS], end = c->g->particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    real4 tile[TILE_ROOM];
    tile_clear(tile);
    stencil s;
    const vquad none[DIM] = {{0}};
    for (int i = begin; i < end; i++) {
        stencil_of(&s, quad_load(&c->a.x[i]), c->g->inverse, at);
        vquad arm[DIM];
        for (int a = 0; a < DIM; a++) arm[a] = (vquad){(&c->a.warmth[i].x)[a] / c->g->inverse, 0, 0, 0};
        deposit(tile, &s, (vquad){(real)temperature_of(c, i), 0, 0, 1}, arm, none);
    }
    tile_each(c->g, block, tile, c->node, stretch_add);
}

static void find_temperatures(int begin, int end, void *context)
{
    conduction *c = context;
    for (int k = begin; k < end; k++) {
        real4 n = c->node[k];
        c->mass[k] = c->weight[k] = n.w;
        c->temperature[k] = n.w > 0 ? n.x / n.w : 0;
    }
}

/* --- the matrix --- */

/* What the surface and the sources bring, and what conduction does in the temperatures of now: the right-hand side. */
static void add_sources_to_nodes(int block, void *context)
{
    const conduction *c = context;
    const block_place *at = &c->g->block[block];
    if (block >= c->g->home_count) return;
    int begin = c->g->particle_begin[block * CELLS], end = c->g->particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    real in[TILE_ROOM], out[TILE_ROOM] = {0};
    tile_each(c->g, block, in, c->temperature, stretch_load_real);
    stencil s;
    for (int i = begin; i < end; i++) {
        real value, slope[DIM];
        stencil_of(&s, quad_load(&c->a.x[i]), c->g->inverse, at);
        gather_scalar(in, &s, &value, slope);
        for (int a = 0; a < DIM; a++) slope[a] *= -c->spread;
        deposit_scalar(out, &s, c->power ? c->power[i] : 0, slope);
    }
    for (int k = c->block_begin[block]; k < c->block_begin[block + 1]; k++) {
        const heat_sample *q = &c->list[k];
        stencil_of(&s, quad_load(&c->a.x[q->slot]), c->g->inverse, at);
        give_to_sample(out, &s, q, q->transfer * (q->outside - value_at_sample(in, &s, q)) + q->flux);
    }
    tile_each(c->g, block, out, c->rest, stretch_add_real);
}

/* to += (the matrix less the masses) from */
static void multiply(int block, void *context)
{
    const conduction local = *(const conduction *)context, *c = &local;
    const block_place *at = &c->g->block[block];
    if (block >= c->g->home_count) return;
    int begin = c->g->particle_begin[block * CELLS], end = c->g->particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    real in[TILE_ROOM], out[TILE_ROOM] = {0};
    tile_each(c->g, block, in, (void *)c->from, stretch_load_real);
    stencil s;
    for (int i = begin; i < end; i++) {
        real value, slope[DIM];
        stencil_of(&s, quad_load(&c->a.x[i]), c->g->inverse, at);
        gather_scalar(in, &s, &value, slope);
        for (int a = 0; a < DIM; a++) slope[a] *= c->spread * c->later;
        deposit_scalar(out, &s, 0, slope);
    }
    for (int k = c->block_begin[block]; k < c->block_begin[block + 1]; k++) {
        const heat_sample *q = &c->list[k];
        if (q->transfer == 0) continue;
        stencil_of(&s, quad_load(&c->a.x[q->slot]), c->g->inverse, at);
        give_to_sample(out, &s, q, q->later * q->transfer * value_at_sample(in, &s, q));
    }
    tile_each(c->g, block, out, c->to, stretch_add_real);
}

/* --- conjugate gradients --- */

/* Adds to the weights what samples add to the matrix' diagonal: where much heat passes, that is most of it. */
static void add_sample_weights(int block, void *context)
{
    const conduction *c = context;
    const block_place *at = &c->g->block[block];
    if (block >= c->g->home_count || c->block_begin[block] == c->block_begin[block + 1]) return;
    enum { NODES = DIM == 3 ? 27 : 9 };
    real tile[TILE_ROOM] = {0};
    stencil s;
    for (int k = c->block_begin[block]; k < c->block_begin[block + 1]; k++) {
        const heat_sample *q = &c->list[k];
        stencil_of(&s, quad_load(&c->a.x[q->slot]), c->g->inverse, at);
        for (int n = 0; n < NODES; n++) {
            int node = 0, digit[DIM], rest = n;
            real value = 1, share = 0;
            for (int a = DIM - 1; a >= 0; a--, rest /= 3) digit[a] = rest % 3;
            for (int a = 0; a < DIM; a++) {
                real own = (&q->arm.x)[a];
                for (int b = 0; b < DIM; b++) own *= b == a ? (&s.slope[b].x)[digit[b]] : (&s.n[b].x)[digit[b]];
                value *= (&s.n[a].x)[digit[a]], share += own;
                node = node * TILE_SIDE + digit[a];
            }
            tile[s.first + node] += q->later * q->transfer * (value + share) * (value + share);
        }
    }
    tile_each(c->g, block, tile, c->weight, stretch_add_real);
}

typedef struct solve {
    const conduction *c;
    real alpha, beta;
} solve;

static void mass_times(int begin, int end, void *context)
{
    conduction *c = context;
    for (int k = begin; k < end; k++) c->along[k] = c->mass[k] * c->way[k];
}

/* r^T M^-1 r, and the trace of M */
static void sum_rest(int begin, int end, void *context, double *sums)
{
    const conduction *c = context;
    for (int k = begin; k < end; k++) {
        if (!(c->weight[k] > 0)) continue;
        sums[0] += (double)c->rest[k] * (double)c->rest[k] / (double)c->weight[k];
        sums[1] += (double)c->weight[k];
    }
}

static void find_scale(int begin, int end, void *context, double *maxima)
{
    const conduction *c = context;
    for (int k = begin; k < end; k++) maxima[0] = fmax(maxima[0], fabs((double)c->temperature[k]));
}

/* What rounding alone leaves of the right-hand side, K: of the largest temperature against the reference, by the
 * largest factors that it meets; at least what two floats cannot tell. */
static double rounding_of(const conduction *c)
{
    const double digit = sizeof(real) == sizeof(float) ? 3e-7 : 3e-15;
    double scale, stiffness = 8 * (double)c->spread;
    parallel_max(c->g->block_count * CELLS, 1, find_scale, (void *)c, &scale);
    for (int k = 0; k < c->list_count; k++) {
        scale = fmax(scale, fabs((double)c->list[k].outside));
        stiffness = fmax(stiffness, (double)c->list[k].transfer);
    }
    return fmax(digit * scale * fmin(stiffness, 1), 1e-13 * fabs(c->reference) + 1e-18);
}

static void sum_curvature(int begin, int end, void *context, double *sums)
{
    const conduction *c = context;
    for (int k = begin; k < end; k++) sums[0] += (double)c->way[k] * (double)c->along[k];
}

static void go_along(int begin, int end, void *context)
{
    const solve *s = context;
    const conduction *c = s->c;
    for (int k = begin; k < end; k++) {
        c->change[k] += s->alpha * c->way[k];
        c->rest[k] -= s->alpha * c->along[k];
    }
}

static void turn_way(int begin, int end, void *context)
{
    const solve *s = context;
    const conduction *c = s->c;
    for (int k = begin; k < end; k++)
        c->way[k] = (c->weight[k] > 0 ? c->rest[k] / c->weight[k] : 0) + s->beta * c->way[k];
}

enum { MOST_ITERATIONS = 1000, GRAIN = 2048 };
#define HEAT_TOLERANCE 1e-5

/* Solves matrix change = rest. */
static dew_result solve_heat(conduction *c)
{
    int nodes = c->g->block_count * CELLS;
    size_t bytes = (size_t)nodes * sizeof(real);
    double rest[2], least, curvature, rounding = rounding_of(c);
    memset(c->change, 0, bytes), memset(c->way, 0, bytes);
    parallel_sum(nodes, 2, sum_rest, c, rest);
    least = fmax(HEAT_TOLERANCE * HEAT_TOLERANCE * rest[0], rounding * rounding * rest[1]);
    solve s = {c, 0, 0};
    for (int k = 0; rest[0] > least; k++) {
        double before = rest[0];
        if (k == MOST_ITERATIONS)
            return result_fail(DEW_FAILED,
                               "the conduction of heat does not converge: %g K are left after %d iterations.\n"
                               "Likely cause: a temperature or a coefficient of heat is not a sensible number.\n"
                               "What to change: lower mpm.heat_step",
                               sqrt(rest[0] / rest[1]), k);
        parallel_for(nodes, GRAIN, turn_way, &s);
        parallel_for(nodes, GRAIN, mass_times, c);
        c->from = c->way, c->to = c->along;
        each_colour(c->g, multiply, c);
        parallel_sum(nodes, 1, sum_curvature, c, &curvature);
        s.alpha = (real)(rest[0] / curvature);
        parallel_for(nodes, GRAIN, go_along, &s);
        parallel_sum(nodes, 2, sum_rest, c, rest);
        s.beta = (real)(rest[0] / before);
    }
    return DEW_OK;
}

/* --- nodes to particles --- */

/* along += the change as particles see it. */
static void smooth_change(int block, void *context)
{
    const conduction *c = context;
    const block_place *at = &c->g->block[block];
    if (block >= c->g->home_count) return;
    int begin = c->g->particle_begin[block * CELLS], end = c->g->particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    real in[TILE_ROOM], out[TILE_ROOM] = {0}, value, slope[DIM];
    tile_each(c->g, block, in, c->change, stretch_load_real);
    stencil s;
    const real none[DIM] = {0};
    for (int i = begin; i < end; i++) {
        stencil_of(&s, quad_load(&c->a.x[i]), c->g->inverse, at);
        gather_scalar(in, &s, &value, slope);
        deposit_scalar(out, &s, value, none);
    }
    tile_each(c->g, block, out, c->along, stretch_add_real);
}

static void sharpen_nodes(int begin, int end, void *context)
{
    const conduction *c = context;
    for (int k = begin; k < end; k++)
        if (c->mass[k] > 0) c->change[k] += c->sharpness * (c->change[k] - c->along[k] / c->mass[k]);
}

/* The change that nodes find is too small by (k dx)^2/4 for waves of number k: half of it because their masses are
 * lumped, half because particles see the nodes' smoothed. Twice the change less its smoothed self puts that right; part
 * of it comes by the decay of what nodes do not see. Neither is wanted where steps are so long that the change is not
 * small. */
static void sharpen(conduction *c, double spread)
{
    double share = 1 - 0.116 * (1 - (double)c->decay) / spread;
    c->sharpness = (real)(share / (1 + spread * spread * spread * spread));
    if (!(c->sharpness > (real)0.02)) return;
    int nodes = c->g->block_count * CELLS;
    memset(c->along, 0, (size_t)nodes * sizeof *c->along);
    each_colour(c->g, smooth_change, c);
    parallel_for(nodes, GRAIN, sharpen_nodes, c);
}

static inline void set_temperature(const conduction *c, int i, double temperature)
{
    temperature += c->reference;
    real first = (real)temperature;
    c->a.temperature[i] = first, c->a.warmth[i].w = (real)(temperature - (double)first);
}

static void heat_from_nodes(int block, void *context)
{
    const conduction *c = context;
    const block_place *at = &c->g->block[block];
    if (block >= c->g->home_count) return;
    int begin = c->g->particle_begin[block * CELLS], end = c->g->particle_begin[(block + 1) * CELLS];
    if (begin == end) return;
    real before[TILE_ROOM], change[TILE_ROOM];
    tile_each(c->g, block, before, c->temperature, stretch_load_real);
    tile_each(c->g, block, change, c->change, stretch_load_real);
    stencil s;
    for (int i = begin; i < end; i++) {
        real value, gain, slope[DIM], bend[DIM];
        stencil_of(&s, quad_load(&c->a.x[i]), c->g->inverse, at);
        gather_scalar(before, &s, &value, slope);
        gather_scalar(change, &s, &gain, bend);
        double own = temperature_of(c, i);
        own += (double)gain + (1 - (double)c->decay) * ((double)value - own);
        for (int a = 0; a < DIM; a++) (&c->a.warmth[i].x)[a] = c->g->inverse * (slope[a] + bend[a]);
        set_temperature(c, i, own);
    }
}

/* What came in through the samples over the step. */
static void find_gains(int block, void *context)
{
    const conduction *c = context;
    const block_place *at = &c->g->block[block];
    if (block >= c->g->home_count || c->block_begin[block] == c->block_begin[block + 1]) return;
    real before[TILE_ROOM], change[TILE_ROOM];
    tile_each(c->g, block, before, c->temperature, stretch_load_real);
    tile_each(c->g, block, change, c->change, stretch_load_real);
    stencil s;
    for (int k = c->block_begin[block]; k < c->block_begin[block + 1]; k++) {
        heat_sample *q = &c->list[k];
        stencil_of(&s, quad_load(&c->a.x[q->slot]), c->g->inverse, at);
        real now = value_at_sample(before, &s, q) + q->later * value_at_sample(change, &s, q);
        q->got = q->transfer * (q->outside - now) + q->flux;
    }
}

static void sum_heat(int begin, int end, void *context, double *sums)
{
    const conduction *c = context;
    for (int i = begin; i < end; i++) sums[0] += temperature_of(c, i), sums[1] += c->power ? (double)c->power[i] : 0;
}

static void sum_gains(int begin, int end, void *context, double *sums)
{
    const heat_sample *list = context;
    for (int k = begin; k < end; k++) sums[0] += (double)list[k].got;
}

static void shift_heat(int begin, int end, void *context)
{
    const conduction *c = context;
    for (int i = begin; i < end; i++) set_temperature(c, i, temperature_of(c, i) + c->shift);
}

static void melt(int begin, int end, void *context)
{
    const conduction *c = context;
    const material *m = &c->w->materials[0];
    double latent = m->latent_heat / m->heat_capacity, melting = m->melting_point - c->reference;
    real *melted = heat_melted(c->w->heat, c->w->particles);
    for (int i = begin; i < end; i++)
        set_temperature(c, i, heat_melt(melting, latent, temperature_of(c, i), &melted[i]));
}

/* All heat that is there after the step is what was there before and what came in. */
static void give_back_heat(conduction *c, const double before[2])
{
    double after[2], gains = 0;
    parallel_sum(c->a.count, 2, sum_heat, c, after);
    parallel_sum(c->list_count, 1, sum_gains, c->list, &gains);
    c->shift = (before[0] + before[1] + gains - after[0]) / c->a.count;
    parallel_for(c->a.count, 4096, shift_heat, c);
}

/* --- the surface --- */

/* Samples through which heat passes, in the order of their particles. */
static dew_result list_samples(conduction *c, double capacity)
{
    /* A surface held at a temperature more firmly than conduction over a thousandth of a cell would is held as well. */
    const double firm = 1000 * c->w->materials[0].conductivity * (double)c->g->inverse;
    const samples *s = c->s;
    arena *memory = c->g->memory;
    const heat *h = c->w->heat;
    size_t n = (size_t)s->count + 1, slots = (size_t)c->a.count + 2;
    int32_t *begin = arena_zeroed(memory, slots * sizeof *begin);
    real *flux = arena_zeroed(memory, n * sizeof *flux);
    c->list = arena_alloc(memory, n * sizeof *c->list);
    c->block_begin = arena_zeroed(memory, ((size_t)c->g->home_count + 1) * sizeof *c->block_begin);
    if (!begin || !flux || !c->list || !c->block_begin)
        return result_fail(DEW_NO_MEMORY, "no memory for the heat of the surface");
    if (heat_has_flux(h)) heat_add_sources(h, s->count, s->x, flux, NULL);
    c->list_count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < s->count; k++) {
            int32_t i = s->owner[k], solid = s->solid ? s->solid[k] : -1;
            dew_heat_boundary b = heat_boundary(h, solid);
            if (solid < 0) b.flux += (double)flux[k];
            if (i < 0 || (b.transfer == 0 && b.flux == 0)) continue;
            if (pass == 0) {
                begin[i + 1]++, c->list_count++;
                continue;
            }
            b.transfer = fmin(b.transfer, firm);
            double share = (double)real3_length(real3_of(s->area[k])) * c->dt / capacity;
            real3 arm = real3_scale(c->g->inverse, real3_sub(real3_of(s->x[k]), real3_of(c->a.x[i])));
            c->list[begin[i]++] = (heat_sample){.arm = {arm.x, arm.y, arm.z, 0},
                                                .slot = i,
                                                .transfer = (real)(b.transfer * share),
                                                .later = (real)fmax(0.5, 1 - 0.3 / (b.transfer * share)),
                                                .outside = (real)(b.surroundings - c->reference),
                                                .flux = (real)(b.flux * share)};
        }
        if (pass == 0)
            for (int i = 0; i < c->a.count; i++) begin[i + 1] += begin[i];
    }
    for (int b = 0, k = 0; b < c->g->home_count; b++) {
        int end = c->g->particle_begin[(b + 1) * CELLS];
        while (k < c->list_count && c->list[k].slot < end) k++;
        c->block_begin[b + 1] = k;
    }
    return DEW_OK;
}

static void find_power(int begin, int end, void *context)
{
    const conduction *c = context;
    const material *m = &c->w->materials[0];
    memset(c->power + begin, 0, (size_t)(end - begin) * sizeof *c->power);
    heat_add_sources(c->w->heat, end - begin, c->a.x + begin, NULL, c->power + begin);
    for (int i = begin; i < end; i++) c->power[i] *= (real)(c->dt / (m->density * m->heat_capacity));
}

/* --- the step --- */

static dew_result make_heat_room(conduction *c)
{
    size_t nodes = (size_t)c->g->block_count * CELLS + 4;
    arena *memory = c->g->memory;
    real **arrays[] = {&c->weight, &c->mass, &c->temperature, &c->change, &c->rest, &c->way, &c->along};
    c->node = arena_zeroed(memory, nodes * sizeof *c->node);
    bool is_made = c->node != NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        is_made = (*arrays[k] = arena_zeroed(memory, nodes * sizeof(real))) && is_made;
    if (heat_has_power(c->w->heat))
        is_made = (c->power = arena_alloc(memory, ((size_t)c->a.count + 1) * sizeof *c->power)) && is_made;
    return is_made ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory for the heat of the grid");
}

/* Nodes' temperatures from the particles'; at the very first the gradients come out of two rounds without time. */
static void begin_heat(conduction *c)
{
    int nodes = c->g->block_count * CELLS;
    memset(c->node, 0, (size_t)nodes * sizeof *c->node);
    each_colour(c->g, heat_to_nodes, c);
    parallel_for(nodes, GRAIN, find_temperatures, c);
}

static void sum_temperature(int begin, int end, void *context, double *sums)
{
    const real *t = context;
    for (int i = begin; i < end; i++) sums[0] += (double)t[i];
}

/* Conducts heat over dt between the particles as they stand in the grid, and through the samples of the surface. */
static dew_result conduct(mpm_state *p, world *w, const grid *g, const samples *s, double dt)
{
    const material *m = &w->materials[0];
    conduction c = {.g = g, .w = w, .a = mpm_arrays_of(p, w), .s = s, .dt = dt};
    double heat_capacity = m->particle_mass * m->heat_capacity, before[2];
    parallel_sum(c.a.count, 1, sum_temperature, c.a.temperature, &c.reference);
    c.reference /= c.a.count;
    heat_place(w->heat, w->time + dt / 2);
    RESULT_TRY(make_heat_room(&c));
    RESULT_TRY(list_samples(&c, heat_capacity));
    double spread = dt * m->conductivity / (m->density * m->heat_capacity * p->dx * p->dx);
    begin_heat(&c);
    for (; p->saved_warmth < 2; p->saved_warmth++) {
        c.decay = 1;
        each_block(g, heat_from_nodes, &c);
        begin_heat(&c);
    }
    /* Of second order in time while the step is short enough for that not to overshoot. What nodes do not see are waves
     * about two cells long: (pi/dx)^2 and a little less, so that short steps need no sharpening. */
    c.later = (real)fmax(0.5, 1 - 0.25 / spread);
    c.spread = (real)spread, c.decay = (real)exp(-8.6 * spread);
    if (c.power) parallel_for(c.a.count, 256, find_power, &c);
    parallel_sum(c.a.count, 2, sum_heat, &c, before);
    each_colour(g, add_sample_weights, &c);
    each_colour(g, add_sources_to_nodes, &c);
    RESULT_TRY(solve_heat(&c));
    each_block(g, find_gains, &c);
    if (spread > 0) sharpen(&c, spread);
    each_block(g, heat_from_nodes, &c);
    give_back_heat(&c, before);
    if (isfinite(m->melting_point)) parallel_for(c.a.count, 4096, melt, &c);
    return DEW_OK;
}

/* --- what depends on temperature --- */

static dew_result find_tensions(mpm_state *p, world *w, const grid *g, samples *s)
{
    const material *m = &w->materials[0];
    size_t n = (size_t)s->count + 1;
    mpm_arrays a = mpm_arrays_of(p, w);
    real *temperature = arena_alloc(g->memory, n * sizeof *temperature);
    s->tension = arena_alloc(g->memory, n * sizeof *s->tension);
    if (!temperature || !s->tension) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    for (int k = 0; k < s->count; k++) {
        int32_t i = s->owner[k];
        temperature[k] =
            i < 0 ? a.temperature[0]
                  : a.temperature[i] + real3_dot(real3_of(a.warmth[i]), real3_sub(real3_of(s->x[k]), real3_of(a.x[i])));
    }
    char what[96];
    snprintf(what, sizeof what, "the surface_tension of '%s'", m->name);
    RESULT_TRY(heat_evaluate(m->surface_tension_of_temperature, what, "N/m", s->count, temperature, s->tension));
    p->most_tension = 0;
    for (int k = 0; k < s->count; k++) p->most_tension = fmax(p->most_tension, (double)s->tension[k]);
    return DEW_OK;
}

/* Tensions of the samples, viscosities of the particles. */
static dew_result find_properties(mpm_state *p, world *w, const grid *g, samples *s)
{
    const material *m = &w->materials[0];
    if (m->surface_tension_of_temperature.evaluate) RESULT_TRY(find_tensions(p, w, g, s));
    return m->viscosity_of_temperature.evaluate ? mpm_find_viscosities(p, w) : DEW_OK;
}

#endif
