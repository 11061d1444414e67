#include "methods/mpm/any/diffusion.h"

#include "base/conjugate_gradient.h"
#include "base/group.h"
#include "methods/mpm/any/transfer.h"

enum { GRAIN = 2048, MOST_ITERATIONS = 1000 };

/* The value at a sample, of values on nodes. */
static inline real value_at_sample(const real *tile, const stencil *s, const passage *q)
{
    real value, slope[DIM];
    gather_scalar(tile, s, &value, slope);
    for (int a = 0; a < DIM; a++) value += (&q->arm.x)[a] * slope[a];
    return value;
}

static inline void give_to_sample(real *tile, const stencil *s, const passage *q, real value)
{
    real slope[DIM];
    for (int a = 0; a < DIM; a++) slope[a] = (&q->arm.x)[a] * value;
    deposit_scalar(tile, s, value, slope);
}

static void carried_to_nodes(int block, void *context)
{
    const diffusion *c = context;
    real4 tile[TILE_ROOM];
    tile_clear(tile);
    batch q;
    patch to;
    static const vrow none[DIM]; /* 0 */
    patch_load(&to, tile, 0);
    for (int i = first_in(c->g, block); batch_take(&q, c->g, c->x, NULL, 0, 0, &i, first_in(c->g, block + 1));) {
        batch_weigh(&q, c->g->inverse, &c->g->first[block], (real)c->g->dx);
        for (int l = 0; l < q.count; l++) {
            int k = q.which[l];
            vrow arm[DIM];
            for (int a = 0; a < DIM; a++) arm[a] = row_repeat((vquad){(&c->carried.slope[k].x)[a], 0, 0, 0});
            vrow all = row_repeat((vquad){(real)carried_of(c, k), 0, 0, 1});
            deposit(&to, tile, &q, l, (real)c->g->dx, all, arm, none);
        }
    }
    patch_store(&to, tile);
    tile_each(c->g, block, tile, c->node, stretch_add);
}

static void find_nodal(int begin, int end, void *context)
{
    diffusion *c = context;
    for (int k = begin; k < end; k++) {
        real4 n = c->node[k];
        c->mass[k] = c->weight[k] = n.w;
        c->nodal[k] = n.w > 0 ? n.x / n.w : 0;
    }
}

/* --- the matrix --- */

/* Adds to `result` what diffusion makes of values on the nodes, `from`: of the values of now (is_rest) with what the
 * surface and the sources bring, which is the right-hand side; else the matrix less the masses times them. */
static inline void add_diffusion(const diffusion *c, int block, const real *from, bool is_rest, real *result)
{
    const real scale = is_rest ? -c->spread : c->spread * c->later;
    real in[TILE_ROOM], out[TILE_ROOM] = {0};
    tile_each(c->g, block, in, (void *)from, stretch_load_real);
    stencil s;
    for (int i = first_in(c->g, block); i < first_in(c->g, block + 1); i++) {
        real value, slope[DIM];
        stencil_of(&s, grid_arm(c->g, &c->x[i]), c->g->inverse, &c->g->first[block]);
        gather_scalar(in, &s, &value, slope);
        for (int a = 0; a < DIM; a++) slope[a] *= scale;
        deposit_scalar(out, &s, is_rest && c->power ? c->power[i] : 0, slope);
    }
    for (int k = c->block_begin[block]; k < c->block_begin[block + 1]; k++) {
        const passage *q = &c->list[k];
        if (!is_rest && q->transfer == 0) continue;
        stencil_of(&s, grid_arm(c->g, &c->x[q->slot]), c->g->inverse, &c->g->first[block]);
        real value = value_at_sample(in, &s, q);
        give_to_sample(out, &s, q,
                       is_rest ? q->transfer * (q->outside - value) + q->flux : q->later * q->transfer * value);
    }
    tile_each(c->g, block, out, result, stretch_add_real);
}

static void find_rest(int block, void *context)
{
    const diffusion *c = context;
    add_diffusion(c, block, c->nodal, true, c->r);
}

static void multiply(int block, void *context)
{
    const diffusion local = *(const diffusion *)context; /* for registers: nothing else can point at it */
    add_diffusion(&local, block, local.p, false, local.Ap);
}

/* --- conjugate gradients --- */

/* Adds to the weights what samples add to the matrix' diagonal: where much heat passes, that is most of it. */
static void add_sample_weights(int block, void *context)
{
    const diffusion *c = context;
    if (c->block_begin[block] == c->block_begin[block + 1]) return;
    enum { NODES = DIM == 3 ? 27 : 9 };
    real tile[TILE_ROOM] = {0};
    stencil s;
    for (int k = c->block_begin[block]; k < c->block_begin[block + 1]; k++) {
        const passage *q = &c->list[k];
        stencil_of(&s, grid_arm(c->g, &c->x[q->slot]), c->g->inverse, &c->g->first[block]);
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

static void mass_times(int begin, int end, void *context)
{
    diffusion *c = context;
    for (int k = begin; k < end; k++) c->Ap[k] = c->mass[k] * c->p[k];
}

static void sum_curvature(int begin, int end, void *context, double *sums)
{
    const diffusion *c = context;
    for (int k = begin; k < end; k++) sums[0] += (double)c->p[k] * (double)c->Ap[k];
}

/* Ap; p . Ap. */
static double multiply_diffusion(void *context)
{
    diffusion *c = context;
    int nodes = c->g->block_count * CELLS;
    double curvature;
    parallel_for(nodes, GRAIN, mass_times, c);
    each_home_colour(c->g, multiply, c);
    parallel_sum(nodes, 1, sum_curvature, c, &curvature);
    return curvature;
}

/* The right-hand side's square by the preconditioner, and the trace of this, which turns into its inverse. */
static void weigh_rest(int begin, int end, void *context, double *sums)
{
    const diffusion *c = context;
    for (int k = begin; k < end; k++) {
        if (!(c->weight[k] > 0)) continue;
        sums[1] += (double)c->weight[k];
        c->weight[k] = 1 / c->weight[k];
        sums[0] += (double)(c->r[k] * c->r[k] * c->weight[k]);
    }
}

static void find_scale(int begin, int end, void *context, double *maxima)
{
    const diffusion *c = context;
    for (int k = begin; k < end; k++) maxima[0] = fmax(maxima[0], fabs((double)c->nodal[k]));
}

/* What rounding alone leaves of the right-hand side: of the largest value against the reference, by the largest factors
 * that it meets; at least what two floats cannot tell. */
static double rounding_of(const diffusion *c)
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

#define DIFFUSION_TOLERANCE 1e-5

/* Solves matrix change = r. */
static dew_result solve_diffusion(diffusion *c)
{
    int nodes = c->g->block_count * CELLS;
    size_t bytes = (size_t)nodes * sizeof(real);
    double sums[2], rounding = rounding_of(c);
    memset(c->change, 0, bytes), memset(c->p, 0, bytes);
    parallel_sum(nodes, 2, weigh_rest, c, sums);
    double least = fmax(DIFFUSION_TOLERANCE * DIFFUSION_TOLERANCE * sums[0], rounding * rounding * sums[1]);
    conjugate_gradient solver = {.count = nodes,
                                 .x = c->change,
                                 .r = c->r,
                                 .p = c->p,
                                 .Ap = c->Ap,
                                 .inverse = c->weight,
                                 .multiply = multiply_diffusion,
                                 .context = c};
    conjugate_gradient_solve(&solver, &sums[0], least, MOST_ITERATIONS);
    if (sums[0] <= least) return DEW_OK;
    return result_fail(DEW_FAILED,
                       "%s does not converge: %g are left after %d iterations.\n"
                       "Likely cause: a value or a coefficient of it is not a sensible number.\n"
                       "What to change: lower mpm.heat_step",
                       c->what, sqrt(sums[0] / sums[1]), MOST_ITERATIONS);
}

/* --- nodes to particles --- */

/* Ap += the change as particles see it. */
static void smooth_change(int block, void *context)
{
    const diffusion *c = context;
    real in[TILE_ROOM], out[TILE_ROOM] = {0}, value, slope[DIM];
    tile_each(c->g, block, in, c->change, stretch_load_real);
    stencil s;
    const real none[DIM] = {0};
    for (int i = first_in(c->g, block); i < first_in(c->g, block + 1); i++) {
        stencil_of(&s, grid_arm(c->g, &c->x[i]), c->g->inverse, &c->g->first[block]);
        gather_scalar(in, &s, &value, slope);
        deposit_scalar(out, &s, value, none);
    }
    tile_each(c->g, block, out, c->Ap, stretch_add_real);
}

static void sharpen_nodes(int begin, int end, void *context)
{
    const diffusion *c = context;
    for (int k = begin; k < end; k++)
        if (c->mass[k] > 0) c->change[k] += c->sharpness * (c->change[k] - c->Ap[k] / c->mass[k]);
}

/* The change that nodes find is too small by (k dx)^2/4 for waves of number k: half of it because their masses are
 * lumped, half because particles see the nodes' smoothed. Twice the change less its smoothed self puts that right; part
 * of it comes by the decay of what nodes do not see. Neither is wanted where steps are so long that the change is not
 * small. */
static void sharpen(diffusion *c, double spread)
{
    double share = 1 - 0.116 * (1 - (double)c->decay) / spread;
    c->sharpness = (real)(share / (1 + spread * spread * spread * spread));
    if (!(c->sharpness > (real)0.02)) return;
    int nodes = c->g->block_count * CELLS;
    memset(c->Ap, 0, (size_t)nodes * sizeof *c->Ap);
    each_home_colour(c->g, smooth_change, c);
    parallel_for(nodes, GRAIN, sharpen_nodes, c);
}

static void carried_from_nodes(int block, void *context)
{
    const diffusion *c = context;
    real before[TILE_ROOM], change[TILE_ROOM];
    tile_each(c->g, block, before, c->nodal, stretch_load_real);
    tile_each(c->g, block, change, c->change, stretch_load_real);
    stencil s;
    for (int i = first_in(c->g, block); i < first_in(c->g, block + 1); i++) {
        real value, gain, slope[DIM], bend[DIM];
        stencil_of(&s, grid_arm(c->g, &c->x[i]), c->g->inverse, &c->g->first[block]);
        gather_scalar(before, &s, &value, slope);
        gather_scalar(change, &s, &gain, bend);
        double own = carried_of(c, i);
        own += (double)gain + (1 - (double)c->decay) * ((double)value - own);
        for (int a = 0; a < DIM; a++) (&c->carried.slope[i].x)[a] = c->g->inverse * (slope[a] + bend[a]);
        set_carried(c, i, own);
    }
}

/* Finds what came in through each sample over the step. */
static void find_gains(int block, void *context)
{
    const diffusion *c = context;
    if (c->block_begin[block] == c->block_begin[block + 1]) return;
    real before[TILE_ROOM], change[TILE_ROOM];
    tile_each(c->g, block, before, c->nodal, stretch_load_real);
    tile_each(c->g, block, change, c->change, stretch_load_real);
    stencil s;
    for (int k = c->block_begin[block]; k < c->block_begin[block + 1]; k++) {
        passage *q = &c->list[k];
        stencil_of(&s, grid_arm(c->g, &c->x[q->slot]), c->g->inverse, &c->g->first[block]);
        real now = value_at_sample(before, &s, q) + q->later * value_at_sample(change, &s, q);
        q->got = q->transfer * (q->outside - now) + q->flux;
    }
}

static void sum_carried(int begin, int end, void *context, double *sums)
{
    const diffusion *c = context;
    for (int i = begin; i < end; i++) sums[0] += carried_of(c, i), sums[1] += c->power ? (double)c->power[i] : 0;
}

static void sum_gains(int begin, int end, void *context, double *sums)
{
    const passage *list = context;
    for (int k = begin; k < end; k++) sums[0] += (double)list[k].got;
}

static void shift_carried(int begin, int end, void *context)
{
    const diffusion *c = context;
    for (int i = begin; i < end; i++) set_carried(c, i, carried_of(c, i) + c->shift);
}

/* Gives back to all particles alike what rounding has lost: the total after the step is that before and what came in.
 */
static void give_back_total(diffusion *c, const double before[2])
{
    double after[2], gains = 0;
    parallel_sum(c->count, 2, sum_carried, c, after);
    parallel_sum(c->list_count, 1, sum_gains, c->list, &gains);
    c->shift = (before[0] + before[1] + gains - after[0]) / c->count;
    parallel_for(c->count, 4096, shift_carried, c);
}

/* --- the surface --- */

dew_result diffusion_list(diffusion *c, const samples *s, const surface_law *laws, double firm)
{
    int32_t *order, *begin;
    ARENA_ARRAY(c->g->memory, s->count, int32_t, slot);
    for (int k = 0; k < s->count; k++) slot[k] = laws[k].transfer == 0 && laws[k].flux == 0 ? -1 : s->owner[k];
    RESULT_TRY(group_items(c->g->memory, slot, 1, s->count, c->count, &order, &begin));
    c->list_count = begin[c->count];
    ARENA_TRY(c->g->memory, c->list_count, c->list);
    ARENA_TRY_ZEROED(c->g->memory, c->g->home_count, c->block_begin);
    for (int n = 0; n < c->list_count; n++) {
        int k = order[n], i = slot[k];
        surface_law through = laws[k];
        double share = (double)real3_length(real3_of(s->area[k])) * c->dt / c->volume;
        double transfer = fmin(through.transfer, firm) * share;
        real3 arm = real3_scale(c->g->inverse, real3_sub(real3_of(s->x[k]), real3_of(c->x[i])));
        c->list[n] = (passage){.arm = {arm.x, arm.y, arm.z, 0},
                               .slot = i,
                               .transfer = (real)transfer,
                               .later = (real)fmax(0.5, 1 - 0.3 / transfer),
                               .outside = (real)(through.outside - c->reference),
                               .flux = (real)(through.flux * share)};
    }
    for (int b = 0, k = 0; b < c->g->home_count; b++) {
        int end = c->g->particle_begin[(b + 1) * CELLS];
        while (k < c->list_count && c->list[k].slot < end) k++;
        c->block_begin[b + 1] = k;
    }
    return DEW_OK;
}

/* --- the step --- */

static void sum_values(int begin, int end, void *context, double *sums)
{
    const real *values = context;
    for (int i = begin; i < end; i++) sums[0] += (double)values[i];
}

dew_result diffusion_open(diffusion *c, const fluid *f, double dt, int what, const char *name)
{
    const world *w = f->w;
    size_t nodes = (size_t)f->g.block_count * CELLS;
    *c = (diffusion){.w = w,
                     .g = &f->g,
                     .x = f->a.x,
                     .count = f->a.count,
                     .what = name,
                     .mark = arena_mark(f->g.memory),
                     .carried = f->a.carried[what],
                     .rounds = &f->p->saved_rounds[what],
                     .dt = dt,
                     .volume = w->particle_mass[0] / w->materials[0].density};
    ARENA_TRY_ZEROED(c->g->memory, nodes, c->node);
    ARENA_TRY_ZEROED(c->g->memory, nodes, c->weight, c->mass, c->nodal, c->change, c->r, c->p, c->Ap);
    parallel_sum(c->count, 1, sum_values, c->carried.value, &c->reference);
    c->reference /= c->count;
    return DEW_OK;
}

/* Finds the nodes' values from the particles'. */
static void begin_nodes(diffusion *c)
{
    int nodes = c->g->block_count * CELLS;
    memset(c->node, 0, (size_t)nodes * sizeof *c->node);
    each_home_colour(c->g, carried_to_nodes, c);
    parallel_for(nodes, GRAIN, find_nodal, c);
}

dew_result diffusion_solve(diffusion *c)
{
    double spread = c->dt * c->diffusivity / (c->g->dx * c->g->dx), before[2];
    begin_nodes(c);
    for (; *c->rounds < 2; ++*c->rounds) {
        c->decay = 1;
        each_home(c->g, carried_from_nodes, c);
        begin_nodes(c);
    }
    /* The scheme is of second order in time while the step is short enough for that not to overshoot. What nodes do not
     * see are waves about two cells long: (pi/dx)^2 and a little less, so that short steps need no sharpening. */
    c->later = (real)fmax(0.5, 1 - 0.25 / spread);
    c->spread = (real)spread, c->decay = (real)exp(-8.6 * spread);
    parallel_sum(c->count, 2, sum_carried, c, before);
    each_home_colour(c->g, add_sample_weights, c);
    each_home_colour(c->g, find_rest, c);
    RESULT_TRY(solve_diffusion(c));
    each_home(c->g, find_gains, c);
    if (spread > 0) sharpen(c, spread);
    each_home(c->g, carried_from_nodes, c);
    give_back_total(c, before);
    arena_release(c->g->memory, c->mark);
    return DEW_OK;
}
