/* The pressure where tension is the surface's energy: velocities without divergence, exactly. With the weights w_ij of
 * pairs and the matrices M_i of fit.c,
 *
 *     (div v)_i = c sum (M_i w_ij) . (v_i - v_j) + 2 c S_i . (v_i - v_wall),
 *     (G p)_i   = c sum (p_i M_i + p_j M_j) w_ij + 2 c p_i S_i.
 *
 * Where particles lie as they do, what pairs tell without M of a pure shear has a divergence that changes as they go
 * past each other, and to take that off step by step is a viscosity of the order of the shear times s^2; next to air
 * they tell half of what goes across the surface, and the uppermost layers are sheared against each other by every
 * wave. With M div is exact for linear flow in any arrangement. G is its adjoint: a projection takes energy and gives
 * none, and as div of a moving or turning body is 0, forces of pairs keep both momenta however well what follows is
 * solved.
 *
 * The last step's pressure acts before viscosity; how much it changes, q, follows from
 *
 *     (div dt/rho G + R L) q = -div v,
 *
 * by conjugate gradients. G hardly sees what alternates from particle to particle; the Laplacian model L, which stands
 * beside it with a small factor R, bounds that. Inside p has either sign; the surface bears suction up to gamma/s as
 * long as it holds together, or a trough's uppermost layer would leave the next one, half of each swing: p >= p_least
 * there, and div v >= 0 in place of the equation where p = p_least. Viscosity answers a push before the next step does:
 * mu times the right side comes to p beside q (Cahouet, Chabard 1988).
 *
 * Solids are filled with mirror images of the liquid (mirrors.h): S is what lacks where a pair's image is told by v_i -
 * v_j. Without images along walls the weight of the layers next to them is not held, which no pressure can mend, as it
 * drives a flow without divergence: a pool turns over (mps/calibration.md). */
#include "base/conjugate_gradient.h"
#include "laplacian/levels.h"
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

#include <string.h>

/* What may be left of a step's change of n/n0, rms. The grid leaves it otherwise in each frame of reference: with 3e-5
 * a drop that lands is 0.11 spacings elsewhere where it flies along. */
#define REST 1e-5
/* Of the step that forces let be. A shorter one leaves less, in proportion: what is left of div v would be as 1/dt
 * else, and add up (a pool at rest, by 3000 steps of a thousandth of its own: 0.1 m/s; so 0.003, in no more time). */
#define SHORT 0.25
/* Of n/n0, rms: with more left the liquid would not keep its volume. */
#define UNSOLVED 1e-2
/* Edge of the preconditioner's cells, spacings. */
#define CELL 2.5
/* R. */
#define ROUGHNESS ((real)0.1)
/* Surface particles whose n is below the first of its target are let go nearer: spray, threads that part, liquid about
 * to meet. Below it the suction that they bear fades, and with the second there is none. */
#define LOOSE ((real)0.95)
#define LET_GO ((real)0.85)
/* Of n over its target inside, what is more parts by velocity, as shifts do not keep up with a viscous inflow; and what
 * is less comes together, as they cannot fill what liquid leaves behind that goes round an edge (mps/calibration.md).
 * The part of either that a step as long as forces let it be ends. A solid that is drawn out bears it by its strain. */
#define DENSE ((real)1.03)
#define THIN ((real)0.97)
#define EVENING ((real)0.1)
enum { MOST_ITERATIONS = 400, MOST_ROUNDS = 8 };
/* Whether a particle is at the least pressure. */
enum { FREE, NEWLY, FOR_LONG };

typedef struct projection {
    flow_step *k;
    const real *from; /* the pressure of a product */
    real *change;     /* q, Pa */
    real *r, *p, *Ap, *rhs;
    real *rate;     /* div v, 1/s */
    real *norm;     /* one over the diagonal */
    real *inverse;  /* the same, 0: q stays as it is */
    uint8_t *bound; /* FREE, NEWLY or FOR_LONG */
    real *z;        /* of r, by the preconditioner */
    levels grid;
    bool is_first;
    conjugate_gradient cg;
} projection;

/* --- G and div --- */

/* change = dt/rho G p; w: dt/rho sum f (p_i - p_j). What is p_i's in both sums does not change from one product to the
 * next. `is_mixed`, known when compiled: there are several liquids. */
static inline void sum_gradient_of(const projection *m, int block, bool is_mixed)
{
    flow_step *k = m->k;
    real c = k->p->c.gradient;
    vreal sum[4] = {vset(0), vset(0), vset(0), vset(0)}, own_ease = vset(1);
    if (is_mixed) own_ease = pair_i1(k->ease, block);
    PAIRS(k->lists, block, j)
    {
        size_t at = flow_at_pair(k, block, j);
        vreal q = pair_j1(m->from, j), f = vload_half(k->weight[3] + at);
        for (int n = 0; n < 3; n++) sum[n] += q * vload_half(k->other[n] + at);
        if (is_mixed) f *= flow_ease_of_pair(own_ease, pair_j1(k->ease, j));
        sum[3] += q * f;
    }
    pair_store4(k->change, block, sum[0], sum[1], sum[2], sum[3]);
    for (int n = PAIR_I * block; n < flow_end_of(k, block); n++) {
        real p = m->from[n], ease = flow_ease(k, n);
        real3 own = real3_of(k->own[n]);
        if (k->near.wall) own = real3_madd(own, 2, real3_of(k->wall[n]));
        real3 g = real3_madd(real3_of(k->change[n]), p, own);
        real of_others = is_mixed ? k->change[n].w : ease * k->change[n].w;
        k->change[n] = real4_of(real3_scale(c * ease, g), p * k->own[n].w - of_others);
    }
}

static void sum_gradient(int begin, int end, void *context)
{
    const projection *m = context;
    bool is_mixed = m->k->ease != NULL;
    for (int block = begin; block < end; block++)
        is_mixed ? sum_gradient_of(m, block, true) : sum_gradient_of(m, block, false);
}

/* rate = div of change, solids at rest */
static void sum_divergence(int begin, int end, void *context)
{
    const projection *m = context;
    const flow_step *k = m->k;
    vreal c = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 u = pair_i(k->change, block);
        vreal sum = vset(0);
        PAIRS(k->lists, block, j)
        {
            size_t at = flow_at_pair(k, block, j);
            vreal4 o = pair_j(k->change, j);
            sum += (u.x - o.x) * vload_half(k->weight[0] + at) + (u.y - o.y) * vload_half(k->weight[1] + at) +
                   (u.z - o.z) * vload_half(k->weight[2] + at);
        }
        pair_store(m->rate, block, c * sum);
        for (int n = PAIR_I * block; k->near.wall && n < flow_end_of(k, block); n++)
            m->rate[n] += 2 * k->p->c.gradient * real3_dot(real3_of(k->wall[n]), real3_of(k->change[n]));
    }
}

static void find_gradient(projection *m, real *from)
{
    flow_step *k = m->k;
    m->from = from;
    ghosts_copy(k->all, FIELD_REAL, from);
    parallel_for(k->blocks, FLOW_GRAIN, sum_gradient, m);
}

static void find_divergence(projection *m)
{
    particles_update_ghosts(m->k->all, m->k->p->change);
    parallel_for(m->k->blocks, FLOW_GRAIN, sum_divergence, m);
}

static void take_change(int begin, int end, void *context, solid_pushes *to)
{
    const projection *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real scale = flow_ease(k, i) * k->p->c.gradient * m->from[i];
        real4_add(&k->v[i], real3_of(k->change[i]));
        if (k->moment) flow_note_moment(k, i, real3_scale(scale, real3_of(k->swirl[i])));
        if (!near_walls_has(&k->near, i)) continue;
        real impulse = 2 * scale * flow_mass(k, i);
        flow_press_walls(k, i, real3_scale(impulse, real3_of(k->wall[i])), to);
    }
}

/* v += dt/rho G p; solids get the opposite of theirs. */
static void push(projection *m, real *pressure)
{
    find_gradient(m, pressure);
    solids_each(m->k->w->solids, m->k->count, take_change, m);
}

/* The least pressure at the surface, Pa. */
static real least_of(const flow_step *k, int i)
{
    if (k->p->is_solid) return -(real)INFINITY;
    real whole = (k->facing[i].w / k->target[i] - LET_GO) / (LOOSE - LET_GO);
    return -(real)flow_material(k, i)->surface_tension / k->p->s * real_min(real_max(whole, 0), 1);
}

/* Who bears less suction from now on lets it go before viscosity acts: by the change of pressure, which comes after it,
 * a particle of thick liquid would fly off (of a disc of honey at 1 m/s). */
static void let_go(int begin, int end, void *context)
{
    const flow_step *k = context;
    for (int i = begin; i < end; i++)
        if (k->is_surface[i]) k->pressure[i] = real_max(k->pressure[i], least_of(k, i));
}

dew_result flow_push_as_before(flow_step *k)
{
    RESULT_TRY(flow_fit(k));
    parallel_for(k->count, 4096, let_go, k);
    real *pressure;
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, pressure);
    memcpy(pressure, k->pressure, (size_t)k->count * sizeof *pressure);
    push(&(projection){.k = k}, pressure);
    return DEW_OK;
}

/* --- the system --- */

static void take_product(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    const flow_step *k = m->k;
    real rough = ROUGHNESS * k->p->c.laplacian;
    for (int i = begin; i < end; i++) {
        m->Ap[i] = m->inverse[i] > 0 ? m->rate[i] + rough * k->change[i].w : 0;
        sums[0] += (double)(m->from[i] * m->Ap[i]);
    }
}

/* What is held to an inflow goes its way whatever presses: of div G it is no part. */
static void keep_held(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++)
        if (k->is_held[i]) k->change[i] = (real4){0, 0, 0, k->change[i].w};
}

static double multiply_by(projection *m, real *from)
{
    double product;
    find_gradient(m, from);
    if (m->k->is_held) parallel_for(m->k->count, 4096, keep_held, m->k);
    find_divergence(m);
    parallel_sum(m->k->count, 1, take_product, m, &product);
    return product;
}

static double multiply(void *context)
{
    projection *m = context;
    return multiply_by(m, m->p);
}

/* --- the preconditioner --- */

/* z = D^-1 r */
static void smooth(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->z[i] = m->inverse[i] * m->r[i];
}

/* What takes no part is 0. sums: r . z. */
static void finish_smoothing(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) {
        if (!(m->inverse[i] > 0)) m->z[i] = 0;
        sums[0] += (double)m->r[i] * (double)m->z[i];
    }
}

/* Of what takes no part r counts for nothing. */
static void take_rest(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->Ap[i] = m->inverse[i] > 0 ? m->r[i] : 0;
}

/* z = D^-1 r + P B P^T r: the grid is what is smooth, as in laplacian/preconditioner.h. */
static double precondition(void *context)
{
    projection *m = context;
    double product;
    parallel_for(m->k->count, 4096, smooth, m);
    parallel_for(m->k->count, 4096, take_rest, m);
    levels_sum_up(&m->grid, m->Ap, m->grid.level[0].b);
    levels_cycle(&m->grid);
    levels_hand_down(&m->grid, m->z);
    parallel_sum(m->k->count, 1, finish_smoothing, m, &product);
    return product;
}

static void put_ones(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->z[i] = m->inverse[i] > 0;
}

/* z: the energy of 1, which is had where G 1 is; Ap: of a gradient, over its square. */
static void find_stiffness(int begin, int end, void *context)
{
    const projection *m = context;
    const flow_step *k = m->k;
    real rough = ROUGHNESS * k->p->c.laplacian;
    for (int i = begin; i < end; i++) {
        bool is_part = m->inverse[i] > 0;
        real3 g = real3_of(k->change[i]);
        real ease = flow_ease(k, i);
        m->z[i] = real3_dot(g, g) / ease + (is_part ? rough * k->change[i].w : 0);
        m->Ap[i] = is_part ? (1 + ROUGHNESS) * ease : 0;
    }
}

/* maxima: minus the least place along each axis. */
static void find_corner(int begin, int end, void *context, double *maxima)
{
    const real4 *x = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) maxima[a] = fmax(maxima[a], -(double)(&x[i].x)[a]);
}

typedef struct placing {
    const real4 *x;
    real4 *place;
    double corner[3];
} placing;

static void place_within(int begin, int end, void *context)
{
    const placing *p = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) (&p->place[i].x)[a] = (real)((double)(&p->x[i].x)[a] + p->corner[a]);
}

/* The grid goes with the liquid, from half a cell outside of it on: what it leaves of the equations is the same however
 * the liquid flies. */
static dew_result open_grid(projection *m)
{
    flow_step *k = m->k;
    const dew_domain_def *domain = &k->w->domain;
    double period[3] = {0}, cell = CELL * k->w->spacing;
    placing p = {.x = k->x, .corner = {-INFINITY, -INFINITY, -INFINITY}};
    ARENA_TRY(k->w->scratch, k->count, p.place);
    parallel_max(k->count, 3, find_corner, k->x, p.corner);
    for (int a = 0; a < 3; a++) {
        if (domain->axis[a] == DEW_PERIODIC) period[a] = (&domain->max.x)[a] - (&domain->min.x)[a], p.corner[a] = 0;
        p.corner[a] += cell / 2;
    }
    parallel_for(k->count, 4096, place_within, &p);
    return levels_open(&m->grid, k->w->scratch, 1, k->count, p.place, cell, period, 0);
}

static void set_grid(projection *m)
{
    parallel_for(m->k->count, 4096, put_ones, m);
    find_gradient(m, m->z);
    if (m->k->is_held) parallel_for(m->k->count, 4096, keep_held, m->k);
    parallel_for(m->k->count, 4096, find_stiffness, m);
    levels_set(&m->grid, m->Ap, m->z);
}

/* The diagonal: c^2 (dt/rho |M sum w + 2 S|^2 + sum dt/rho |M w|^2) and R times that of L. */
static void find_norm(int begin, int end, void *context)
{
    const projection *m = context;
    const flow_step *k = m->k;
    real c = k->p->c.gradient, rough = ROUGHNESS * k->p->c.laplacian, least = (real)0.3 * c * c * k->p->c.n0;
    for (int i = begin; i < end; i++) {
        real3 own = real3_of(k->own[i]);
        if (k->near.wall) own = real3_madd(own, 2, real3_of(k->wall[i]));
        real ease = flow_ease(k, i), square = k->swirl[i].w + ease * real3_dot(own, own);
        m->norm[i] = 1 / real_max(c * c * square + rough * k->own[i].w, ease * least);
    }
}

static void put_velocity(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) k->change[i] = real4_of(real3_of(k->v[i]), 0);
    for (int i = begin; i < end && k->is_held; i++)
        if (k->is_held[i]) k->change[i] = real4_of(world_held(k->w, i)->velocity, 0);
}

/* How much a particle at the surface may add to n. It is continuous in n, or particles that cross the bound would lose
 * all their pressure at once and start to bounce. */
static real room_of(real n, real target)
{
    real loose = LOOSE * target - n;
    return loose <= 0 ? 0 : real_min(2 * loose, target - n);
}

static void find_source(int begin, int end, void *context)
{
    projection *m = context;
    const flow_step *k = m->k;
    real unit = k->p->c.gradient * k->h / (2 * k->dt); /* div v that changes n by 1 in a step */
    real evening = EVENING * real_min(k->dt / k->calm_dt, 1), thin = k->p->is_solid ? 0 : THIN;
    for (int i = begin; i < end; i++) {
        real n = k->facing[i].w, target = k->target[i];
        m->rhs[i] = k->wall[i].w - m->rate[i], m->change[i] = 0;
        if (k->is_surface[i] && !k->p->is_solid)
            m->rhs[i] -= unit * room_of(n, target);
        else
            m->rhs[i] += unit * evening * (n - real_min(real_max(n, thin * target), DENSE * target));
    }
}

/* Who is at the surface or held; right sides; pressures. */
static void sum_levels(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    const flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        sums[0] += k->is_surface[i] || (k->is_held && k->is_held[i]);
        sums[1] += (double)m->rhs[i], sums[2] += (double)k->pressure[i];
    }
}

/* What fills a vessel has no way to part on the whole, nor has its pressure a level: asked for the one step after step
 * it would be pressed ever more, and what is left of G 1 among particles would drive it. */
static void take_levels(projection *m)
{
    flow_step *k = m->k;
    double sums[3];
    parallel_sum(k->count, 3, sum_levels, m, sums);
    if (sums[0] > 0) return;
    real source = (real)(sums[1] / k->count), mean = (real)(sums[2] / k->count);
    for (int i = 0; i < k->count; i++) m->rhs[i] -= source, k->pressure[i] -= mean;
}

/* r, and who takes part: inside all, at the surface who presses or has to. Who came to the least pressure in the last
 * round stays out of this one: its r tells of what the others have not answered yet. (Told by comparing pressures,
 * rounding let some in again, round after round.) sums: r . r over the diagonal. */
static void find_rest(int begin, int end, void *context, double *sums)
{
    projection *m = context;
    const flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        m->r[i] = m->rhs[i] - (m->is_first ? 0 : m->Ap[i]);
        if (m->is_first) m->bound[i] = k->is_surface[i] && !(k->pressure[i] > least_of(k, i)) ? FOR_LONG : FREE;
        if (m->bound[i] == FOR_LONG && m->r[i] > 0) m->bound[i] = FREE;
        if (m->bound[i] == NEWLY) m->bound[i] = FOR_LONG;
        bool is_out = m->bound[i] || (k->is_held && k->is_held[i]);
        m->inverse[i] = is_out ? 0 : m->norm[i];
        sums[0] += (double)(m->r[i] * m->r[i] * m->inverse[i]);
    }
}

/* sums: how many came to the least pressure. */
static void cut(int begin, int end, void *context, double *sums)
{
    projection *m = context;
    const flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real least = k->is_surface[i] ? least_of(k, i) - k->pressure[i] : -(real)INFINITY;
        if (m->change[i] < least) m->change[i] = least, m->bound[i] = NEWLY, sums[0] += 1;
    }
}

static void add_pressure(int begin, int end, void *context)
{
    projection *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        k->pressure[i] += m->change[i] + (real)flow_material(k, i)->viscosity * m->rhs[i];
        if (k->is_surface[i]) k->pressure[i] = real_max(k->pressure[i], least_of(k, i));
    }
}

static void sum_mass(int begin, int end, void *context, double *sums)
{
    const flow_step *k = context;
    for (int i = begin; i < end; i++) sums[0] += (double)flow_mass(k, i);
}

/* Multipliers at the surface that come out negative leave, and the rest is solved anew. */
static dew_result solve(projection *m)
{
    flow_step *k = m->k;
    const flow_constants *c = &k->p->c;
    bool has_forces = (double)k->calm_dt < 1e29; /* else no step is short */
    double asked = REST * (has_forces ? fmin((double)k->dt / (SHORT * (double)k->calm_dt), 1) : 1);
    /* That of n0, as div v, over the diagonal of a particle inside. */
    double rest = asked * (double)(c->n0 * c->gradient * k->h / (2 * k->dt)), square, came = 1, before = 1;
    double mass, volume = pow((double)k->p->s, k->w->dimension);
    parallel_sum(k->count, 1, sum_mass, k, &mass);
    double least = rest * rest * mass / volume / (double)(k->dt * c->gradient * c->gradient * c->n0);
    k->p->iterations = 0;
    for (int round = 0; round < MOST_ROUNDS && came + before > 0; round++) {
        m->is_first = round == 0, before = round > 0 ? came : 0;
        memcpy(m->inverse, m->norm, (size_t)k->count * sizeof *m->inverse);
        if (round > 0) multiply_by(m, m->change);
        parallel_sum(k->count, 1, find_rest, m, &square);
        if (square <= least && round > 0) break;
        if (round == 0) set_grid(m);
        k->p->iterations += conjugate_gradient_solve(&m->cg, &square, least, MOST_ITERATIONS);
        parallel_sum(k->count, 1, cut, m, &came);
    }
    double unsolved = asked * sqrt(square / least);
    if (unsolved <= UNSOLVED) return DEW_OK;
    if (!isfinite(unsolved)) return result_fail(DEW_FAILED, "the equations of pressure hold what is no number");
    return result_fail(
        DEW_FAILED,
        "the equations of pressure are not solved: after %d iterations a step changes the density by %.2g, "
        "%.2g was asked for; a shorter time step (cfl of the method) makes them easier",
        k->p->iterations, unsolved, asked);
}

static void put_pressure(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) k->x[i].w = k->pressure[i];
}

/* What is told of the pressure: the mean over a kernel of pairs' pressures, (p_i + p_j)/2. What is held has the mean of
 * what is not. */
static void tell_pressure(int begin, int end, void *context)
{
    const projection *m = context;
    const flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h);
    real *told = particles_field(k->all, k->p->pressure);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal sum = vset(0), weight = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal w = vmax(1 - vsqrt(vdot3(d, d)), vset(0));
            w *= k->piston ? w * (1 - pair_j1(k->piston, j)) : w;
            weight += w, sum += w * b.w;
        }
        pair_store4(k->change, block, sum, weight, vset(0), vset(0));
        for (int n = PAIR_I * block; n < flow_end_of(k, block); n++) {
            real mean = k->change[n].x / real_max(k->change[n].y, (real)1e-30);
            if (k->is_held && k->is_held[n]) k->pressure[n] = mean;
            told[n] = (k->pressure[n] + mean) / 2;
        }
    }
}

/* What is held has all that forces gave it, of which its emitter keeps account. */
static void hand_over(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) real4_add(&k->v[i], real3_of(k->borne[i]));
}

dew_result flow_project(flow_step *k)
{
    arena *memory = k->w->scratch;
    projection m = {.k = k};
    ARENA_TRY(memory, k->count, m.r, m.Ap, m.rate, m.rhs, m.norm, m.inverse, m.bound);
    ARENA_TRY_ZEROED(memory, k->all->end + 4, m.change, m.p, m.z);
    m.cg = (conjugate_gradient){.count = k->count,
                                .x = m.change,
                                .r = m.r,
                                .p = m.p,
                                .Ap = m.Ap,
                                .inverse = m.inverse,
                                .multiply = multiply,
                                .z = m.z,
                                .precondition = precondition,
                                .context = &m};
    parallel_for(k->count, 4096, find_norm, &m);
    parallel_for(k->count, 4096, put_velocity, k);
    find_divergence(&m);
    parallel_for(k->count, 4096, find_source, &m);
    take_levels(&m);
    RESULT_TRY(open_grid(&m));
    RESULT_TRY(solve(&m));
    push(&m, m.change);
    if (k->is_held) parallel_for(k->count, 4096, hand_over, k);
    parallel_for(k->count, 4096, add_pressure, &m);
    parallel_for(k->count, 4096, put_pressure, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, FLOW_GRAIN, tell_pressure, &m);
    return DEW_OK;
}

static void sum_pressure(int begin, int end, void *context, double *sums)
{
    const real *pressure = context;
    for (int i = begin; i < end; i++) sums[0] += (double)pressure[i];
}

double flow_mean_pressure(const flow_state *p, const world *w)
{
    double sum;
    parallel_sum(w->particles->count, 1, sum_pressure, particles_field(w->particles, p->solver_pressure), &sum);
    return sum / w->particles->count;
}
