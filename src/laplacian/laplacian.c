#include "laplacian/laplacian.h"

#include <assert.h>
#include <string.h>

#include "base/conjugate_gradient.h"
#include "base/parallel.h"
#include "laplacian/preconditioner.h"
#include "particles/ghosts.h"

enum { GRAIN = 4096 };

/* Edge of the grid's finest cells, spacings. */
#define CELL 2.5

dew_result laplacian_open(laplacian *a, const laplacian_def *def)
{
    *a = (laplacian){.of = *def, .lists = def->lists, .inverse_unit = (real)(1 / def->unit)};
    a->square = (real)(def->spacing * def->spacing);
    int count = def->particles->count;
    ARENA_TRY(def->scratch, 4 * a->lists.count, a->weight);
    ARENA_TRY_ZEROED(def->scratch, count, a->sum, a->spread, a->diagonal);
    return DEW_OK;
}

/* --- the product --- */

typedef struct product {
    const laplacian *a;
    const real *x;
    real *Ax;
    bool is_of_pairs; /* alone: d is left out */
} product;

static inline vreal weights_at(const laplacian *a, int block, pair_cursor j)
{
    return vload_half(a->weight + 4 * (j.at - a->lists.entries) + PAIR_I * block % 4);
}

/* sums: x . A x, as of the two below. */
static void multiply_numbers(int begin, int end, void *context, double *sums)
{
    const product *q = context;
    const laplacian *a = q->a;
    real unit = (real)a->of.unit;
    for (int block = begin; block < end; block++) {
        vreal x = pair_i1(q->x, block), sum = vset(0);
        PAIRS(a->lists, block, j) sum += weights_at(a, block, j) * (x - pair_j1(q->x, j));
        pair_store(q->Ax, block, sum);
        for (int i = PAIR_I * block; i < PAIR_I * (block + 1) && i < a->of.particles->count; i++) {
            real d = a->diagonal[i];
            q->Ax[i] = isinf(d) ? 0 : unit * q->Ax[i] + (q->is_of_pairs ? 0 : d * q->x[i]);
            sums[0] += (double)q->x[i] * (double)q->Ax[i];
        }
    }
}

/* What pairs do to a block. */
static inline void add_pairs(const product *q, int block)
{
    const laplacian *a = q->a;
    const real4 *x = (const real4 *)q->x;
    vreal4 v = pair_i(x, block);
    vreal sx = vset(0), sy = vset(0), sz = vset(0);
    PAIRS(a->lists, block, j)
    {
        vreal w = weights_at(a, block, j);
        vreal4 b = pair_j(x, j);
        sx += w * (v.x - b.x), sy += w * (v.y - b.y), sz += w * (v.z - b.z);
    }
    pair_store4((real4 *)q->Ax, block, sx, sy, sz, vset(0));
}

static inline void add_central_pairs(const product *q, int block)
{
    const laplacian *a = q->a;
    const real4 *x = (const real4 *)q->x, *position = a->of.particles->position;
    vreal4 v = pair_i(x, block), i = pair_i(position, block);
    vreal sx = vset(0), sy = vset(0), sz = vset(0), inverse = vset((real)(1 / a->of.spacing));
    PAIRS(a->lists, block, j)
    {
        vreal w = weights_at(a, block, j);
        vreal4 b = pair_j(x, j), at = pair_j(position, j);
        vreal dx = (i.x - at.x) * inverse, dy = (i.y - at.y) * inverse, dz = (i.z - at.z) * inverse;
        w *= dx * (v.x - b.x) + dy * (v.y - b.y) + dz * (v.z - b.z);
        sx += w * dx, sy += w * dy, sz += w * dz;
    }
    pair_store4((real4 *)q->Ax, block, sx, sy, sz, vset(0));
}

static void multiply_vectors(int begin, int end, void *context, double *sums)
{
    const product *q = context;
    const laplacian *a = q->a;
    const real4 *x = (const real4 *)q->x;
    real4 *Ax = (real4 *)q->Ax;
    real unit = (real)a->of.unit;
    for (int block = begin; block < end; block++) {
        if (a->of.is_central)
            add_central_pairs(q, block);
        else
            add_pairs(q, block);
        for (int i = PAIR_I * block; i < PAIR_I * (block + 1) && i < a->of.particles->count; i++) {
            real d = a->diagonal[i];
            real3 v = real3_of(x[i]), sum = real3_scale(unit, real3_of(Ax[i]));
            if (!q->is_of_pairs) {
                sum = real3_madd(sum, d, v);
                if (a->mixing) sum = real3_add(sum, laplacian_mix(&a->mixing[i], v));
            }
            Ax[i] = isinf(d) ? (real4){0, 0, 0, 0} : real4_of(sum, 0);
            sums[0] += (double)v.x * (double)Ax[i].x + (double)v.y * (double)Ax[i].y + (double)v.z * (double)Ax[i].z;
        }
    }
}

static double multiply(const laplacian *a, int width, bool is_of_pairs, real *x, real *Ax)
{
    const particles *p = a->of.particles;
    product q = {a, x, Ax, is_of_pairs};
    double sum;
    if (width == 1)
        ghosts_copy(p, FIELD_REAL, x);
    else
        ghosts_copy_vectors(p, (real4 *)x);
    parallel_sum(PAIR_BLOCKS(p->count), 1, width == 1 ? multiply_numbers : multiply_vectors, &q, &sum);
    return sum;
}

void laplacian_multiply(const laplacian *a, real *x, real *Ax) { multiply(a, 1, false, x, Ax); }
void laplacian_multiply_vectors(const laplacian *a, real4 *x, real4 *Ax) { multiply(a, 4, false, &x->x, &Ax->x); }

/* --- solving --- */

typedef struct solving {
    laplacian *a;
    int width, count; /* numbers a particle; particles */
    const real *b;
    const laplacian_mixing *mixing; /* NULL for numbers */
    conjugate_gradient c;
    preconditioner m;
    bool is_mirrored[3];     /* components, by faces of symmetry */
    real stiffness;          /* k, as in levels.h, of a particle by its spread */
    real *hold;              /* what A leaves of fields that are even: d, and what neighbours that take no part hold */
    real *held;              /* hold D^-1, where D does not mix */
    real *inverse;           /* of the diagonal D; 0: takes no part */
    laplacian_mixing *mixed; /* D^-1 where D mixes */
} solving;

static double multiply_direction(void *context)
{
    solving *s = context;
    if (!s->a->product) return multiply(s->a, s->width, false, s->c.p, s->c.Ap);
    ghosts_copy_vectors(s->a->of.particles, (real4 *)s->c.p);
    return s->a->product(s->a->context, (const real4 *)s->c.p, (real4 *)s->c.Ap);
}

/* Of a symmetric matrix, by its adjugate. */
static laplacian_mixing inverse_of(const laplacian_mixing *m, real more)
{
    real x = m->diagonal.x + more, y = m->diagonal.y + more, z = m->diagonal.z + more;
    real4 a = m->across;
    real xx = y * z - a.x * a.x, xy = a.x * a.y - a.z * z, zx = a.z * a.x - y * a.y;
    real f = 1 / (x * xx + a.z * xy + a.y * zx);
    return (laplacian_mixing){{f * xx, f * (x * z - a.y * a.y), f * (x * y - a.z * a.z), 0},
                              {f * (a.z * a.y - x * a.x), f * zx, f * xy, 0}};
}

/* Of what mixes, the mean along the axes. */
static real mean_of(const laplacian_mixing *m) { return (m->diagonal.x + m->diagonal.y + m->diagonal.z) / 3; }

/* inverse, and p = 1 for all that take part. sums: those that do not. */
static void find_inverse(int begin, int end, void *context, double *sums)
{
    const solving *s = context;
    const laplacian *a = s->a;
    for (int i = begin; i < end; i++) {
        real d = a->diagonal[i],
             all = d + (real)a->of.unit * a->sum[i] / (a->of.is_central ? (real)a->of.dimension : 1);
        bool is_part = !isinf(d) && all > 0;
        sums[0] += !is_part;
        s->inverse[i] = is_part ? 1 / (all + (s->mixing ? mean_of(&s->mixing[i]) : 0)) : 0;
        for (int n = 0; n < s->width; n++) s->c.p[s->width * i + n] = is_part && n < 3;
        if (s->mixed) s->mixed[i] = is_part ? inverse_of(&s->mixing[i], all) : (laplacian_mixing){0};
    }
}

/* To hold, which has what pairs leave of 1, comes d. z: the stiffness that goes to the grid. */
static void find_hold(int begin, int end, void *context)
{
    const solving *s = context;
    laplacian *a = s->a;
    for (int i = begin; i < end; i++) {
        bool is_part = s->inverse[i] > 0;
        for (int n = 0; n < s->width; n++) {
            real own = s->mixing && n < 3 ? (&s->mixing[i].diagonal.x)[n] : 0;
            real *hold = &s->hold[s->width * i + n];
            /* Of central pairs with images, what they have across is 0 in the sum over a body. */
            real of_pairs = !a->of.is_central ? *hold : n < 3 && s->is_mirrored[n] ? real_max(*hold, 0) : 0;
            *hold = is_part && n < 3 ? of_pairs + a->diagonal[i] + own : 0;
        }
        s->c.z[i] = is_part ? s->stiffness * a->spread[i] : 0;
    }
}

/* held; r = b less what nothing holds of it, p = x, x = 0. sums: what is left, as conjugate gradients measure it. */
static void begin_solving(int begin, int end, void *context, double *sums)
{
    const solving *s = context;
    const balance *l = &s->m.balance;
    for (int i = begin; i < end; i++) {
        const body_balance *body = &l->body[l->grid->body_of[i]];
        real inverse = s->inverse[i];
        for (int n = 0; n < s->width; n++) {
            int k = s->width * i + n;
            bool is_part = inverse > 0 && n < 3;
            s->held[k] = inverse * s->hold[k];
            s->c.r[k] = is_part ? s->b[k] - body->mean[n] : 0;
            s->c.p[k] = is_part ? s->c.x[k] : 0;
            if (n < 3) s->c.x[k] = 0;
            sums[0] += (double)(s->c.r[k] * s->c.r[k] * inverse);
        }
    }
}

/* x and r with each body's shift. sums: as above. */
static void shift(int begin, int end, void *context, double *sums)
{
    const solving *s = context;
    const balance *l = &s->m.balance;
    for (int i = begin; i < end; i++) {
        if (!(s->inverse[i] > 0)) continue;
        const body_balance *body = &l->body[l->grid->body_of[i]];
        real by[4] = {body->shift[0], body->shift[1], body->shift[2], 0}, held[4];
        if (s->m.turning.body) {
            real3 turn = turning_at(&s->m.turning, i);
            by[0] += turn.x, by[1] += turn.y, by[2] += turn.z;
        }
        balance_held(l, i, by, held);
        for (int n = 0; n < s->width && n < 3; n++) {
            int k = s->width * i + n;
            s->c.x[k] += by[n];
            real r = s->c.r[k] -= held[n];
            sums[0] += (double)(r * r * s->inverse[i]);
        }
    }
}

static double precondition(void *context) { return preconditioner_apply(&((solving *)context)->m); }

static dew_result open_solving(solving *s, laplacian *a, int width, const real *b, real *x)
{
    const particles *p = a->of.particles;
    arena *scratch = a->of.scratch;
    int all = width * p->count, slots = width * (p->end + 4);
    *s = (solving){.a = a, .width = width, .count = p->count, .b = b, .mixing = width > 1 ? a->mixing : NULL};
    conjugate_gradient *c = &s->c;
    ARENA_TRY(scratch, all, c->r, c->Ap, c->z, s->hold, s->held);
    ARENA_TRY(scratch, p->count, s->inverse);
    ARENA_TRY_ZEROED(scratch, slots, c->p);
    if (s->mixing) ARENA_TRY(scratch, p->count, s->mixed);
    c->count = all, c->x = x, c->inverse = s->inverse, c->is_of_records = width > 1;
    c->multiply = multiply_direction, c->precondition = precondition, c->context = s;
    return DEW_OK;
}

static dew_result make_preconditioner(solving *s, bool has_guess)
{
    const laplacian *a = s->a;
    const dew_domain_def *domain = a->of.domain;
    double period[3] = {0}, out;
    bool mirrors = false;
    for (int axis = 0; domain && axis < 3; axis++) {
        if (domain->axis[axis] == DEW_PERIODIC) period[axis] = (&domain->max.x)[axis] - (&domain->min.x)[axis];
        mirrors |= s->is_mirrored[axis] = s->width > 1 && domain->axis[axis] == DEW_SYMMETRY;
    }
    /* In two dimensions cells begin anew at once along z: nodes on both sides are the same. */
    if (a->of.dimension == 2) period[2] = CELL * a->of.spacing;
    RESULT_TRY(levels_open(&s->m.grid, a->of.scratch, s->width, s->count, a->of.particles->position,
                           CELL * a->of.spacing, period, a->of.reach));
    /* Central pairs have the energy of a field with gradient G k (2 S:S + (tr G)^2)/(D + 2), S its symmetric part: of
     * waves across k/(D + 2) |G|^2, along three times that, and the grid the geometric mean. */
    s->stiffness =
        (real)(a->of.unit / (2 * a->of.dimension) * (a->of.is_central ? sqrt(3) / (a->of.dimension + 2) : 1));
    parallel_sum(s->count, 1, find_inverse, s, &out);
    if (out > 0 || mirrors)
        multiply(a, s->width, true, s->c.p, s->hold);
    else
        memset(s->hold, 0, (size_t)s->c.count * sizeof *s->hold);
    parallel_for(s->count, GRAIN, find_hold, s);
    levels_set(&s->m.grid, s->c.z, s->hold);
    preconditioner *m = &s->m;
    RESULT_TRY(balance_open(&m->balance, a->of.scratch, &m->grid, s->inverse, s->hold, s->mixing, s->is_mirrored, s->b,
                            has_guess ? s->c.x : NULL));
    if (a->of.is_central && !ghosts_may_exist(domain))
        RESULT_TRY(turning_open(&m->turning, a->of.scratch, &m->grid, a->of.particles->position, (const real4 *)s->hold,
                                s->mixing ? &s->mixing->diagonal : NULL, sizeof *s->mixing / sizeof(real4),
                                (const real4 *)s->b, has_guess ? (const real4 *)s->c.x : NULL));
    m->inverse = s->inverse, m->held = s->held, m->mixed = s->mixed, m->r = s->c.r, m->z = s->c.z;
    return DEW_OK;
}

static void find_guess(int begin, int end, void *context, double *maxima)
{
    const solving *s = context;
    for (int k = begin; k < end; k++)
        if (s->c.x[k] != 0 && (s->width == 1 || k % 4 < 3)) maxima[0] = 1;
}

static dew_result solve_within(laplacian *a, int width, const real *b, real *x, double tolerance, int most,
                               int *iterations)
{
    solving s;
    double guess, square;
    RESULT_TRY(open_solving(&s, a, width, b, x));
    parallel_max(s.c.count, 1, find_guess, &s, &guess);
    RESULT_TRY(make_preconditioner(&s, guess > 0));
    parallel_sum(s.count, 1, begin_solving, &s, &square);
    if (iterations) *iterations = 0;
    if (width > 1 && a->rest) memset(a->rest, 0, (size_t)s.c.count * sizeof(real));
    if (square == 0) return DEW_OK;
    double least = tolerance * tolerance * square, size = sqrt(square);
    if (guess > 0) conjugate_gradient_guess(&s.c);
    parallel_sum(s.count, 1, shift, &s, &square);
    int taken = conjugate_gradient_solve(&s.c, &square, least, most);
    if (iterations) *iterations = taken;
    if (width > 1 && a->rest) memcpy(a->rest, s.c.r, (size_t)s.c.count * sizeof(real));
    if (square <= least) return DEW_OK;
    if (!isfinite(square)) return result_fail(DEW_FAILED, "the equations of %s hold what is no number", a->of.name);
    return result_fail(DEW_FAILED,
                       "the equations of %s are not solved: after %d iterations %.2g of their right side is left, %.2g "
                       "was asked for; a shorter time step makes them easier",
                       a->of.name, taken, sqrt(square) / size, tolerance);
}

static dew_result solve(laplacian *a, int width, const real *b, real *x, double tolerance, int most, int *iterations)
{
    size_t mark = arena_mark(a->of.scratch);
    dew_result result = solve_within(a, width, b, x, tolerance, most, iterations);
    arena_release(a->of.scratch, mark);
    return result;
}

dew_result laplacian_solve(laplacian *a, const real *b, real *x, double tolerance, int most, int *iterations)
{
    assert(!a->of.is_central);
    return solve(a, 1, b, x, tolerance, most, iterations);
}

dew_result laplacian_solve_vectors(laplacian *a, const real4 *b, real4 *x, double tolerance, int most, int *iterations)
{
    return solve(a, 4, &b->x, &x->x, tolerance, most, iterations);
}
