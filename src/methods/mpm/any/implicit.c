#include "methods/mpm/any/implicit.h"

#include "methods/mpm/any/pressure.h"
#include "methods/mpm/any/velocities.h"

static void last_pressures(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int c = begin; c < end; c++) {
        real e = q->f->strain[q->cube[c]];
        q->z[c] = (1 + e) * e;
    }
}

/* Adds to the nodes' velocities `times` what the pressures z make of them, and to the owners what walls give by it. */
static void push_nodes(pressure_system *q, real times)
{
    const fluid *f = q->f;
    pressure_spread(q, q->z);
    q->step = times * f->dt * (real)(f->p->saved_sound * f->p->saved_sound / f->p->dx);
    parallel_for(f->g.block_count * CELLS, NODE_GRAIN, pressure_give_nodes, q);
    if (q->push_count > 0) parallel_for(f->points.owner_count, 64, pressure_push_owners, q);
}

/* push_nodes by the pressures of the substep before. */
static void push_by_last(pressure_system *q, real times)
{
    parallel_for(q->count, 4096, last_pressures, q);
    push_nodes(q, times);
}

/* Viscosity is implicit too, under the last pressures, which are taken off again: what pressures of this substep change
 * it does not see. */
static dew_result between_pressures(pressure_system *q)
{
    fluid *f = q->f;
    push_by_last(q, 1);
    RESULT_TRY(velocities_solve(f, NULL));
    push_by_last(q, -1);
    parallel_for(f->g.block_count * CELLS, NODE_GRAIN, pressure_take_nodes, q);
    return DEW_OK;
}

/* Nodes with velocities v* get those of the end of the substep, cubes their strains. */
static dew_result find_pressures(fluid *f)
{
    pressure_system q;
    double size;
    RESULT_TRY(pressure_make(&q, f));
    if (f->implicit.viscosity) RESULT_TRY(between_pressures(&q));
    pressure_collect_flow(&q);
    parallel_sum(q.count, 1, pressure_begin, &q, &size);
    RESULT_TRY(pressure_solve(&q, size));
    push_nodes(&q, 1);
    parallel_for(q.count, 4096, pressure_strains, &q);
    return DEW_OK;
}

/* e += (1 + e)/n (dt/dx) g^T v */
static void strains_by_velocity(int begin, int end, void *context)
{
    const pressure_system *q = context;
    fluid *f = q->f;
    for (int c = begin; c < end; c++) {
        real *e = &f->strain[q->cube[c]], n = f->in_cube[q->cube[c]];
        *e += (1 + *e) / n * f->dt * f->g.inverse * q->Ap[c];
    }
}

/* Surface, elastic solids, viscosity and pressures together. Two systems, as with viscosity alone, blow up from four
 * times the capillary limit on: tension has to see what pressures leave of its motion; and viscosity that sees only the
 * last pressures takes as many substeps to find them as it is stiffer than inertia. */
static dew_result find_whole(fluid *f)
{
    pressure_system q;
    RESULT_TRY(pressure_make(&q, f));
    push_by_last(&q, 1);
    RESULT_TRY(velocities_solve(f, &q));
    parallel_for(f->g.block_count * CELLS, NODE_GRAIN, pressure_take_nodes, &q);
    pressure_collect_flow(&q);
    parallel_for(q.count, 4096, strains_by_velocity, &q);
    return DEW_OK;
}

dew_result solve_implicit(fluid *f)
{
    if (f->implicit.pressure && (f->implicit.energy || f->implicit.is_creeping)) return find_whole(f);
    if (f->implicit.pressure) return find_pressures(f);
    return f->implicit.energy || f->implicit.viscosity ? velocities_solve(f, NULL) : DEW_OK;
}
