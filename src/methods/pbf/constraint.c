/* The density constraint of both modes, measured. */
#include "methods/pbf/pbf.h"

typedef struct constraint_sum {
    const pbf_state *p;
    const real4 *x;
    pair_lists lists;
    real4 *own;
    real *others;
} constraint_sum;

static void sum_constraint(int begin, int end, void *context)
{
    constraint_sum *k = context;
    vreal inv_h = vset(1 / k->p->h), kernel = vset(k->p->kernel);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal rho = vset(0), gx = vset(0), gy = vset(0), gz = vset(0), norm = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2), q = q2 * inv_q;
            rho += vcubic_spline(q);
            vreal slope = vcubic_spline_slope(q), f = slope * inv_q;
            norm += slope * slope;
            gx += f * dx, gy += f * dy, gz += f * dz;
        }
        pair_store4(k->own, block, kernel * gx, kernel * gy, kernel * gz, kernel * rho);
        pair_store(k->others, block, kernel * kernel * norm);
    }
}

void pbf_sum_constraint(const pbf_state *p, const world *w, real4 *own, real *others)
{
    constraint_sum k = {p, w->particles->position, neighbours_lists(w->neighbours), own, others};
    parallel_for(PAIR_BLOCKS(w->particles->count), PBF_GRAIN, sum_constraint, &k);
}

typedef struct ending {
    pbf_arrays a;
    real dt, inv_dt, pressure; /* Pa by multiplier */
} ending;

/* The way over dt, as v and what differs from it: dt and 1/dt, rounded, would make momentum grow or fade in all steps
 * alike. */
static void end_moves(int begin, int end, void *context)
{
    const ending *e = context;
    for (int i = begin; i < end; i++) {
        real3 v = real3_of(e->a.v[i]);
        real3 other = real3_madd(real3_of(e->a.move[i]), -e->dt, v);
        e->a.v[i] = real4_of(real3_madd(v, e->inv_dt, other), 0);
        e->a.pressure[i] = e->pressure * e->a.lambda[i];
    }
}

void pbf_end_moves(const pbf_state *p, const world *w, real dt)
{
    ending e = {.a = pbf_arrays_of(p, w), .dt = dt, .inv_dt = 1 / dt};
    e.pressure = (real)w->materials[0].density * p->h * p->h * e.inv_dt * e.inv_dt;
    parallel_for(e.a.count, 4096, end_moves, &e);
}
