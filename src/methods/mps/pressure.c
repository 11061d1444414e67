/* The pressure at the step's end: so that
 *
 *     div v = source,   v = v* + dt/rho G p,   (G p)_i = c sum (p_i + p_j) w e_ij + 2 c p_i S_i,
 *
 * G the divergence's adjoint, S the solids' part of F; the ghost that fills a solid has the particle's pressure and its
 * mirrored velocity, hence twice. A = -div dt/rho G is symmetric, so conjugate gradients solve; how soon they stop,
 * momentum is kept. p is the last step's pressure, which has done its work on v* already, and a change, which is solved
 * for: where the liquid rests, and where it creeps, the change is nothing.
 *
 * The source ends in 1/correction steps what n differs from its target by. Inside the liquid this is an equation: the
 * pressure may be lower than the air's. At the free surface p >= 0, and n may be less than its target: who takes part in
 * the equation is found in a few turns. */
#include "base/conjugate_gradient.h"
#include "methods/mps/mps.h"

enum { MOST_ITERATIONS = 200, MOST_TURNS = 4 };

typedef struct projection {
    mps_step *k;
    conjugate_gradient solver;
    real *rhs; /* what is to be gained of div v, 1/s */
    real *rate;
    const real *field; /* the pressure that `change` is of */
} projection;

/* --- gradient and divergence --- */

static void sum_gradient(int begin, int end, void *context)
{
    const projection *m = context;
    mps_step *k = m->k;
    vreal inv_h = vset(k->inv_h);
    real c = k->p->c.gradient;
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = vmax(inv_q - 1, vset(0)) * (i.w + b.w); /* w/q */
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->change, block, x, y, z, vset(0));
        int last = PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
        for (int n = PAIR_I * block; n < last; n++) {
            real3 a = real3_of(k->change[n]);
            if (k->near.wall) a = real3_madd(a, 2 * k->x[n].w, real3_of(k->wall[n]));
            k->change[n] = real4_of(real3_scale(c * k->dt / mps_density(k, n), a), 0);
        }
    }
}

static void sum_divergence(int begin, int end, void *context)
{
    const projection *m = context;
    mps_step *k = m->k;
    vreal inv_h = vset(k->inv_h), c = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), u = pair_i(k->change, block);
        vreal sum = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), o = pair_j(k->change, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = vmax(inv_q - 1, vset(0));
            sum += f * (dx * (u.x - o.x) + dy * (u.y - o.y) + dz * (u.z - o.z));
        }
        pair_store(m->rate, block, c * sum);
        int last = PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
        for (int n = PAIR_I * block; k->near.wall && n < last; n++)
            m->rate[n] += 2 * k->p->c.gradient * real3_dot(real3_of(k->wall[n]), real3_of(k->change[n]));
    }
}

static void put_pressure(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->k->x[i].w = m->field[i];
}

/* `change` of a pressure. */
static void find_change(projection *m, const real *pressure)
{
    m->field = pressure;
    parallel_for(m->k->count, 4096, put_pressure, m);
    particles_update_ghosts(m->k->all, FIELD_POSITION_INDEX);
    parallel_for(m->k->blocks, MPS_GRAIN, sum_gradient, m);
}

static void find_rate(projection *m)
{
    particles_update_ghosts(m->k->all, m->k->p->change);
    parallel_for(m->k->blocks, MPS_GRAIN, sum_divergence, m);
}

/* --- the last step's pressure --- */

static void take_change(int begin, int end, void *context, solid_pushes *to)
{
    const projection *m = context;
    mps_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real4_add(&k->v[i], real3_of(k->change[i]));
        if (!near_walls_has(&k->near, i)) continue;
        real impulse = 2 * k->p->c.gradient * m->field[i] * k->dt * mps_mass(k, i) / mps_density(k, i);
        mps_push_walls(k, i, PUSH_PRESSURE, real3_scale(impulse, real3_of(k->wall[i])), to);
    }
}

void mps_push_old(mps_step *k)
{
    projection m = {.k = k};
    find_change(&m, k->pressure);
    solids_each(k->w->solids, k->count, take_change, &m);
}

/* --- the system --- */

static void find_product(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) {
        m->solver.Ap[i] = m->rate[i];
        sums[0] += (double)m->solver.p[i] * (double)m->rate[i];
    }
}

static double multiply(void *context)
{
    projection *m = context;
    double product;
    find_change(m, m->solver.p);
    find_rate(m);
    parallel_sum(m->k->count, 1, find_product, m, &product);
    return product;
}

static void copy_velocity(int begin, int end, void *context)
{
    mps_step *k = context;
    for (int i = begin; i < end; i++) k->change[i] = real4_of(real3_of(k->v[i]), 0);
}

/* What div v is to gain. */
static void find_source(int begin, int end, void *context)
{
    projection *m = context;
    mps_step *k = m->k;
    const mps_state *p = k->p;
    real correction = (real)p->parameter[MPS_CORRECTION], unit = p->c.gradient * k->h / (2 * k->dt);
    for (int i = begin; i < end; i++) {
        real excess = k->facing[i].w - k->target[i], share = excess > 0 || !k->is_surface[i] ? correction : 1;
        real moving = k->near.wall ? k->wall[i].w : 0;
        m->rhs[i] = unit * share * excess - (m->rate[i] - moving);
    }
}

/* A_ii = dt/rho c^2 (|F + S|^2 + n), F with S in it once. */
static real diagonal(const mps_step *k, int i)
{
    real c = k->p->c.gradient;
    real3 f = real3_of(k->facing[i]);
    if (k->near.wall) f = real3_add(f, real3_of(k->wall[i]));
    return k->dt / mps_density(k, i) * c * c * (real3_dot(f, f) + k->facing[i].w);
}

/* Who takes part: p is in `solver.x` still. sums: the square of the residual, of the right hand side, and how many
 * changed sides. */
static void choose(int begin, int end, void *context, double *sums)
{
    projection *m = context;
    mps_step *k = m->k;
    real *inverse = (real *)m->solver.inverse;
    for (int i = begin; i < end; i++) {
        real r = m->rhs[i] - m->rate[i], p = k->pressure[i] + m->solver.x[i];
        bool was = inverse[i] > 0, is = !k->is_surface[i] || p > 0 || r > 0;
        if (!is) m->solver.x[i] = -k->pressure[i];
        inverse[i] = is ? 1 / diagonal(k, i) : 0;
        sums[1] += was != is;
    }
}

static void open_turn(int begin, int end, void *context, double *sums)
{
    projection *m = context;
    for (int i = begin; i < end; i++) {
        real r = m->rhs[i] - m->rate[i];
        m->solver.r[i] = r, m->solver.p[i] = 0;
        sums[0] += (double)(r * r * m->solver.inverse[i]);
        sums[1] += m->solver.inverse[i] > 0 ? (double)(1 / m->solver.inverse[i]) : 0;
        sums[2] += m->solver.inverse[i] > 0;
    }
}

static void clamp(int begin, int end, void *context)
{
    projection *m = context;
    mps_step *k = m->k;
    for (int i = begin; i < end; i++)
        if (k->is_surface[i] && k->pressure[i] + m->solver.x[i] < 0) m->solver.x[i] = -k->pressure[i];
}

static void add_pressure(int begin, int end, void *context)
{
    projection *m = context;
    for (int i = begin; i < end; i++) m->k->pressure[i] += m->solver.x[i];
}

dew_result mps_solve_pressure(mps_step *k)
{
    projection m = {.k = k};
    conjugate_gradient *c = &m.solver;
    *c = (conjugate_gradient){.count = k->count, .multiply = multiply};
    c->context = &m;
    real *inverse;
    ARENA_TRY(k->w->scratch, k->count, m.rhs, m.rate, c->r, c->p, c->Ap);
    ARENA_TRY_ZEROED(k->w->scratch, k->count, c->x, inverse);
    c->inverse = inverse;
    parallel_for(k->count, 4096, copy_velocity, k);
    find_rate(&m);
    parallel_for(k->count, 4096, find_source, &m);
    k->p->turns = 0;
    for (int i = 0; i < k->count; i++) m.rate[i] = 0;
    /* The residual that is left is to change n by `tolerance` of itself in a step. */
    double enough = k->p->parameter[MPS_TOLERANCE] / (double)k->dt;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        double changed[2], sums[3];
        parallel_sum(k->count, 2, choose, &m, changed);
        if (turn > 0 && changed[1] == 0) break;
        find_change(&m, c->x), find_rate(&m);
        parallel_sum(k->count, 3, open_turn, &m, sums);
        double least = enough * enough * sums[2] * sums[2] / fmax(sums[1], 1e-300);
        k->p->turns += conjugate_gradient_solve(c, &sums[0], least, MOST_ITERATIONS);
        find_change(&m, c->x), find_rate(&m);
    }
    parallel_for(k->count, 4096, clamp, &m);
    find_change(&m, c->x);
    solids_each(k->w->solids, k->count, take_change, &m);
    parallel_for(k->count, 4096, add_pressure, &m);
    return DEW_OK;
}
