/* Where viscosity would make steps many times as short as tension does, it is implicit, together with the pressure: at
 * the step's end
 *
 *     v - dt nu L v - dt G(K R v)/rho = v*,      p = p* + K R v,
 *
 * v* the velocity after all forces but viscosity, those of p*, the old pressure with what diffuses and drifts,
 * included; L the viscous sum, R the rate, G the force of the pressure, R its adjoint: the matrix is symmetric and
 * positive. One after the other would not do: a pressure that knows of no viscosity undoes what that has made.
 *
 * K is dt rho c^2, but no less than twice the viscosity, that in a step the pressure comes to what a creeping flow has.
 * Liquid alone, without gas or solids. */
#include "methods/sph/creep.h"

#include "methods/sph/projection.h"

#include <string.h>

/* The residual is so much of what the forces but viscosity do, at the most, within so many turns. */
#define ENOUGH 1e-4
enum { MOST_TURNS = 400 };
/* K over the viscosity, at least. */
#define STIFF ((real)2)

typedef struct creep {
    flow *k;
    real4 *p, *r, *x, *Ap; /* of the solver, m/s */
    real *rate;            /* of p, 1/s */
    real stiffness;        /* K, Pa s */
    const real4 *before;   /* velocities before the forces, m/s */
    conjugate_gradient solver;
} creep;

/* --- the matrix --- */

static void put_change(int begin, int end, void *context)
{
    const creep *m = context;
    for (int i = begin; i < end; i++) m->k->a.change[i] = m->p[i];
}

/* R of a.change. */
static void sum_rate(int begin, int end, void *context)
{
    const creep *m = context;
    for (int block = begin; block < end; block++) sph_sum_rate(m->k, block, m->rate);
}

/* To x.w: K R/rho. */
static void put_pressures(int begin, int end, void *context)
{
    const creep *m = context;
    for (int i = begin; i < end; i++) m->k->a.x[i].w = m->stiffness * m->rate[i] / m->k->rho;
}

static void sum_forces(int begin, int end, void *context)
{
    const creep *m = context;
    for (int block = begin; block < end; block++) sph_sum_push(m->k, block, true, m->Ap);
}

static void finish_product(int begin, int end, void *context, double *sums)
{
    const creep *m = context;
    for (int i = begin; i < end; i++) {
        real3 p = real3_of(m->p[i]), Ap = real3_madd(p, -m->k->dt, real3_of(m->Ap[i]));
        m->Ap[i] = real4_of(Ap, 0);
        sums[0] += (double)real3_dot(p, Ap);
    }
}

static void find_pressures(creep *m)
{
    parallel_for(m->k->count, 4096, put_change, m);
    particles_update_ghosts(m->k->w->particles, m->k->p->change);
    parallel_for(m->k->blocks, SPH_GRAIN, sum_rate, m);
    parallel_for(m->k->count, 4096, put_pressures, m);
}

static double multiply(void *context)
{
    creep *m = context;
    double product;
    find_pressures(m);
    particles_update_ghosts(m->k->w->particles, FIELD_POSITION_INDEX);
    parallel_for(m->k->blocks, SPH_GRAIN, sum_forces, m);
    parallel_sum(m->k->count, 1, finish_product, m, &product);
    return product;
}

/* --- a step --- */

/* A first guess: nothing but weight alters the flow. sums: what the forces but viscosity do, squared. */
static void begin_solution(int begin, int end, void *context, double *sums)
{
    const creep *m = context;
    const flow *k = m->k;
    real3 fall = {k->dt * (real)k->w->gravity.x, k->dt * (real)k->w->gravity.y, k->dt * (real)k->w->gravity.z};
    for (int i = begin; i < end; i++) {
        real3 v = real3_of(k->a.v[i]), guess = real3_add(real3_of(m->before[i]), fall), by_forces = real3_sub(v, guess);
        m->x[i] = (real4){0, 0, 0, 0}, m->r[i] = real4_of(v, 0), m->p[i] = real4_of(guess, 0);
        sums[0] += (double)real3_dot(by_forces, by_forces);
    }
}

static void finish(int begin, int end, void *context)
{
    const creep *m = context;
    flow *k = m->k;
    for (int i = begin; i < end; i++) {
        k->a.v[i] = real4_of(real3_of(m->x[i]), k->a.v[i].w);
        sph_set_pressure(k, i, real_max(k->a.pressure[i] + m->stiffness * m->rate[i], sph_least_pressure(k, i)));
    }
}

dew_result sph_creep(flow *k, const real4 *before)
{
    double all, square;
    real viscosity = k->rho * (real)sph_viscosity_of(k->p, k->w);
    creep m = {
        .k = k, .before = before, .stiffness = real_max(k->dt * k->rho * k->sound * k->sound, STIFF * viscosity)};
    ARENA_TRY(k->w->scratch, k->count, m.p, m.r, m.x, m.Ap, m.rate);
    m.solver = (conjugate_gradient){.count = 4 * k->count,
                                    .x = &m.x->x,
                                    .r = &m.r->x,
                                    .p = &m.p->x,
                                    .Ap = &m.Ap->x,
                                    .is_of_records = true,
                                    .multiply = multiply,
                                    .context = &m};
    parallel_sum(k->count, 1, begin_solution, &m, &all);
    square = conjugate_gradient_guess(&m.solver);
    conjugate_gradient_solve(&m.solver, &square, ENOUGH * ENOUGH * all, MOST_TURNS);
    memcpy(m.p, m.x, (size_t)k->count * sizeof *m.p);
    find_pressures(&m);
    parallel_for(k->count, 4096, finish, &m);
    return DEW_OK;
}
