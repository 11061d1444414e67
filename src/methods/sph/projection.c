/* Pressure implicit: dp/dt = -rho c^2 div v with the velocity at the step's end, so that sound does not bound the step;
 * as c dt grows it is the projection on flow without divergence. With u the change of velocity by the change q of the
 * pressure,
 *
 *     q - dt rho c^2 R(u) = dt rho c^2 R(v*) + what else changes the density,      u = dt M G q/rho,
 *
 * v* the velocity after all forces, those of the old pressure included: the old pressure is what the solver starts
 * from. G and R are the sums of the explicit step, force -sum V0 (q_i + q_j) grad W and rate sum V0 (u_i - u_j) . grad
 * W, with the solids' pressure -2 q S and rate 2 u . S; R is -G's adjoint, M (1 over the mass, and what a solid takes
 * from gradients along it) symmetric: conjugate gradients converge. G is opposite for both of a pair, so momentum is
 * kept however early the solver ends.
 *
 * A solid draws liquid by no more than adhesion. The solver does not know it, so where the solution is below that the
 * solid lets go, and the solver begins again. What an emitter holds is a piston: it goes with the inflow whatever
 * presses, so M is 0 there, and walls behind it go along. */
#include "methods/sph/projection.h"

#include <string.h>

/* The solver ends when the residual is so much of the right side, in free liquid and where there are solids, which let
 * go by what it finds; or of the pressure itself. */
#define ENOUGH 0.2
#define ENOUGH_AT_SOLIDS 0.1
#define ENOUGH_OF_PRESSURE 1e-3

/* Turns of the solver; how often solids may let go in a step. */
enum { MOST_TURNS = 60, MOST_LETTING_GO = 3 };

/* 2 u . S/H: what particle i's velocity u adds to its rate next to a solid. */
static real wall_rate(const flow *k, int i, real3 u)
{
    return sph_is_held(k, i) ? k->touch[i] * 2 / k->p->support * real3_dot(u, real3_of(k->solid[i])) : 0;
}

/* --- the operator --- */

/* `is_viscous`, known when compiled. */
static inline void sum_push(const flow *k, int block, bool is_viscous, real4 *to)
{
    const sph_state *p = k->p;
    vreal inv_support = vset(1 / p->support), scale = vset(p->gradient / (p->support * p->support));
    vreal viscosity = vset(is_viscous ? (real)(10 * sph_viscosity_of(p, k->w)) : 0);
    vreal lacking = vset(LACKING_VISCOSITY) * viscosity;
    vreal4 i = pair_i(k->a.x, block), ui = pair_i(k->a.change, block);
    vreal own = viscosity + lacking * pair_i(k->a.v, block).w, x = vset(0), y = vset(0), z = vset(0);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->a.x, j);
        vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz, f = i.w + b.w;
        vreal t = vmax(1 - vsqrt(r2) * inv_support, vset(0));
        if (is_viscous) {
            vreal4 u = pair_j(k->a.change, j);
            vreal along = dx * (ui.x - u.x) + dy * (ui.y - u.y) + dz * (ui.z - u.z);
            f -= (own + lacking * pair_j(k->a.v, j).w) * along * vrcp_rough(r2 + (real)1e-30);
        }
        f *= t * t * t;
        x += f * dx, y += f * dy, z += f * dz;
    }
    pair_store4(to, block, scale * x, scale * y, scale * z, vset(0));
}

void sph_sum_push(const flow *k, int block, bool is_viscous, real4 *to)
{
    is_viscous ? sum_push(k, block, true, to) : sum_push(k, block, false, to);
}

static void sum_gradient(int begin, int end, void *context)
{
    const projection *m = context;
    const flow *k = m->k;
    const sph_state *p = k->p;
    for (int block = begin; block < end; block++) {
        sph_sum_push(k, block, false, k->a.change);
        int last = PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
        for (int i0 = PAIR_I * block; i0 < last; i0++) {
            real3 u = real3_of(k->a.change[i0]);
            if (sph_is_held(k, i0)) {
                real twice = 2 * k->touch[i0] * k->a.x[i0].w / p->support;
                u = real3_madd(real3_add(u, sph_mend_along_walls(k, i0, u)), -twice, real3_of(k->solid[i0]));
                m->of_wall[i0] = real4_of(real3_scale(k->dt, real3_sub(u, real3_of(k->a.change[i0]))), 0);
            }
            k->a.change[i0] = real4_of(real3_scale(k->dt / sph_relative_mass(k, i0), u), 0);
            if (m->pushed && world_held(k->w, i0)) m->push[i0] = k->a.change[i0], k->a.change[i0] = (real4){0, 0, 0, 0};
        }
    }
}

void sph_sum_rate(const flow *k, int block, real *to)
{
    const sph_state *p = k->p;
    vreal inv_support = vset(1 / p->support), scale = vset(p->gradient / (p->support * p->support));
    vreal4 i = pair_i(k->a.x, block), ui = pair_i(k->a.change, block);
    vreal rate = vset(0);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->a.x, j), u = pair_j(k->a.change, j);
        vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
        vreal t = vmax(1 - vsqrt(dx * dx + dy * dy + dz * dz) * inv_support, vset(0));
        rate -= t * t * t * (dx * (ui.x - u.x) + dy * (ui.y - u.y) + dz * (ui.z - u.z));
    }
    pair_store(to, block, scale * rate);
}

static void sum_rate(int begin, int end, void *context)
{
    const projection *m = context;
    const flow *k = m->k;
    for (int block = begin; block < end; block++) {
        sph_sum_rate(k, block, m->rate);
        int last = PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
        for (int i0 = PAIR_I * block; i0 < last; i0++) m->rate[i0] += wall_rate(k, i0, real3_of(k->a.change[i0]));
    }
}

/* `rate` of a.change. */
static void find_rate(projection *m)
{
    particles_update_ghosts(m->k->w->particles, m->k->p->change);
    parallel_for(m->k->blocks, SPH_GRAIN, sum_rate, m);
}

void sph_projection_product(projection *m)
{
    particles_update_ghosts(m->k->w->particles, FIELD_POSITION_INDEX);
    parallel_for(m->k->blocks, SPH_GRAIN, sum_gradient, m);
    find_rate(m);
}

/* --- conjugate gradients --- */

static void put_velocities(int begin, int end, void *context)
{
    const projection *m = context;
    const flow *k = m->k;
    for (int i = begin; i < end; i++) k->a.change[i] = k->a.v[i];
    for (int i = begin; i < end && m->pushed; i++) {
        const held_layer *held = world_held(k->w, i);
        if (held) k->a.change[i] = real4_of(held->velocity, 0);
        m->pushed[i] = (real4){0, 0, 0, 0};
    }
}

/* sums: r^2, old pressure^2. */
static void find_residual(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    const flow *k = m->k;
    for (int i = begin; i < end; i++) {
        real rate = m->rate[i], pressure = k->a.pressure[i];
        if (sph_is_held(k, i)) {
            real moved = k->touch[i] * m->kick[i].w;
            rate += moved, m->away[i] = -moved - wall_rate(k, i, real3_of(k->a.v[i]));
        }
        real r = m->source[i] + m->stiffness * rate;
        m->solver.r[i] = r, m->solver.x[i] = m->solver.p[i] = 0;
        sums[0] += (double)r * (double)r, sums[1] += (double)pressure * (double)pressure;
    }
}

static void put_pressures(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->k->a.x[i].w = m->solver.p[i] / m->k->rho;
}

/* sums: p . Ap. */
static void find_product(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) {
        real p = m->solver.p[i];
        m->rate[i] = p - m->stiffness * m->rate[i];
        sums[0] += (double)p * (double)m->rate[i];
    }
}

static double multiply(void *context)
{
    projection *m = context;
    double product;
    parallel_for(m->k->count, 4096, put_pressures, m);
    sph_projection_product(m);
    parallel_sum(m->solver.count, 1, find_product, m, &product);
    return product;
}

static void add_change(int begin, int end, void *context)
{
    const projection *m = context;
    const flow *k = m->k;
    for (int i = begin; i < end; i++) {
        real4_add(&k->a.v[i], real3_scale(m->solver.alpha, real3_of(k->a.change[i])));
        if (m->pushed && world_held(k->w, i))
            real4_add(&m->pushed[i], real3_scale(m->solver.alpha, real3_of(m->push[i])));
        if (sph_is_held(k, i)) real4_add(&m->kick[i], real3_scale(m->solver.alpha, real3_of(m->of_wall[i])));
    }
}

static void advance(void *context)
{
    const projection *m = context;
    parallel_for(m->k->count, 4096, add_change, context);
}

/* maxima: 1 if a solid lets go of a particle. */
static void let_go(int begin, int end, void *context, double *maxima)
{
    const projection *m = context;
    flow *k = m->k;
    for (int i = begin; i < end; i++) {
        if (!sph_is_held(k, i) || !(k->touch[i] > 0 && m->away[i] > 0)) continue;
        real pressure = k->a.pressure[i], least = sph_least_pressure(k, i);
        if (pressure + m->solver.x[i] >= least) continue;
        real back = 2 * k->touch[i] * k->dt * real_max(pressure - least, 0) / (k->rho * k->p->support);
        m->back[i] = real4_of(real3_scale(back, real3_of(k->solid[i])), 0);
        real4_add(&m->begun[i], real3_scale(1 / sph_relative_mass(k, i), real3_of(m->back[i])));
        k->touch[i] = 0, maxima[0] = 1;
    }
}

static void begin_again(int begin, int end, void *context)
{
    const projection *m = context;
    const flow *k = m->k;
    for (int i = begin; i < end; i++) {
        k->a.v[i] = m->begun[i];
        m->kick[i] = real4_of(real3_of(m->back[i]), m->kick[i].w);
    }
}

static void finish(int begin, int end, void *context, solid_pushes *to)
{
    const projection *m = context;
    flow *k = m->k;
    for (int i = begin; i < end; i++) {
        sph_set_pressure(k, i, real_max(k->a.pressure[i] + m->solver.x[i], sph_least_pressure(k, i)));
        if (m->pushed) real4_add(&k->a.v[i], real3_of(m->pushed[i]));
        if (!sph_is_held(k, i)) continue;
        real3 kick = real3_of(m->kick[i]), n = real3_of(k->wall[i]);
        sph_push_solids(k, PUSH_PRESSURE, i, kick, to);
        sph_rub(k, i, k->wall_solid[i], n, real3_dot(kick, n), to);
    }
}

static void solve(projection *m)
{
    flow *k = m->k;
    double square[2];
    parallel_for(k->count, 4096, put_velocities, m);
    find_rate(m);
    parallel_sum(m->solver.count, 2, find_residual, m, square);
    double part = k->wall ? ENOUGH_AT_SOLIDS : ENOUGH;
    double enough = fmax(part * part * square[0], ENOUGH_OF_PRESSURE * ENOUGH_OF_PRESSURE * square[1]);
    conjugate_gradient_solve(&m->solver, &square[0], enough, MOST_TURNS);
}

void sph_project(projection *m)
{
    flow *k = m->k;
    if (k->wall) solids_each(k->w->solids, k->count, sph_stop_at_walls, k);
    if (k->wall) memcpy(m->begun, k->a.v, (size_t)k->count * sizeof *m->begun);
    solve(m);
    for (int times = 0; k->wall && times < MOST_LETTING_GO; times++) {
        double is_less;
        parallel_max(k->count, 1, let_go, m, &is_less);
        if (!(is_less > 0)) break;
        parallel_for(k->count, 4096, begin_again, m);
        solve(m);
    }
    solids_each(k->w->solids, k->count, finish, m);
}

/* --- the step's begin --- */

static void hold_pressure(int begin, int end, void *context)
{
    projection *m = context;
    flow *k = m->k;
    for (int i = begin; i < end; i++) {
        real pressure = k->a.pressure[i];
        if (sph_is_held(k, i)) {
            real pressed = sph_pressed(k, i), twice = 2 * pressed / k->p->support, away = pressed * k->solid_rest[i].w;
            k->touch[i] = away < 0 && pressure <= sph_least_pressure(k, i) ? 0 : sph_touch(k, i);
            m->kick[i].w = away - twice * real3_dot(real3_of(k->a.v[i]), real3_of(k->solid[i]));
            if (world_held(k->w, i)) k->touch[i] = 0;
        }
        m->source[i] = sph_pressure_source(k, i);
        k->a.x[i].w = pressure / k->rho;
    }
}

dew_result sph_projection_open(projection *m, flow *k)
{
    *m = (projection){.k = k, .stiffness = k->dt * k->rho * k->sound * k->sound};
    conjugate_gradient *c = &m->solver;
    *c = (conjugate_gradient){.count = k->count, .multiply = multiply, .advance = advance, .context = m};
    ARENA_TRY(k->w->scratch, k->count, c->x, c->r, c->p, m->rate, m->source);
    c->Ap = m->rate;
    if (k->wall) ARENA_TRY(k->w->scratch, k->count, m->of_wall, m->away, m->begun);
    if (k->wall) ARENA_TRY_ZEROED(k->w->scratch, k->count, m->kick, m->back);
    if (k->w->held_count > 0) ARENA_TRY_ZEROED(k->w->scratch, k->count, m->push, m->pushed);
    parallel_for(k->count, 4096, hold_pressure, m);
    return DEW_OK;
}
