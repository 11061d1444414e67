/* The pressure at the step's end (Koshizuka, Oka 1996), in increments: with v* the velocity after all forces, those of
 * the last step's pressure p among them,
 *
 *     L q = source - div v*,    v = v* + dt/rho G q,    p + q the new pressure.
 *
 * G is the adjoint of the divergence (gradient.c), so that what pairs give each other is opposite: momentum is kept
 * however well L is solved. L is the Laplacian model, (L q)_i = 2 D/(m h^2) sum (dt/rho) w/q (q_i - q_j), m = sum of w
 * q, and where a free surface is near the part of the kernel that is air, in which q = 0. L bounds -div dt/rho G from
 * above, so a step never gains energy by it; and as increments are solved for, div v = source is met exactly where the
 * liquid rests or creeps, whatever L is.
 *
 * Viscosity answers a push before the next step does, and lets little of it become motion. So the change of pressure is
 * q and mu (source - div v*) beside it, by which Cahouet and Chabard (1988) solve Stokes' equations: without it
 * pressures of honey would follow its shape a hundred steps late.
 *
 * The source ends in 1/correction steps what n differs from its target by. Inside the liquid this is an equation: the
 * pressure may be lower than the air's. At the free surface p >= 0, and n may be less than its target. */
#include "laplacian/laplacian.h"
#include "methods/mps/mps.h"

enum { MOST_ITERATIONS = 200 };

typedef struct projection {
    flow_step *k;
    laplacian laplace;
    real *rhs, *q, *rate;
} projection;

static void weigh(int begin, int end, void *context)
{
    const projection *m = context;
    const flow_step *k = m->k;
    vreal scale = vset(k->p->c.laplacian * k->dt / flow_density(k, 0)), h = vset(k->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        laplacian_row row = {0};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
            laplacian_put(&m->laplace, &row, block, j, r2, scale * flow_laplacian_weight(h * vrsqrt(r2 + (real)1e-30)));
        }
        laplacian_end(&m->laplace, block, row);
    }
}

/* What is asked of div v, and who takes part. */
static void find_source(int begin, int end, void *context)
{
    projection *m = context;
    flow_step *k = m->k;
    const flow_state *p = k->p;
    real correction = (real)mps_of(k)->parameter[MPS_CORRECTION] * real_min(k->dt / k->calm_dt, 1);
    real unit = p->c.gradient * k->h / (2 * k->dt); /* div v that changes n by 1 in a step */
    for (int i = begin; i < end; i++) {
        real excess = unit * (k->facing[i].w - k->target[i]);
        m->rhs[i] = correction * excess - m->rate[i], m->q[i] = 0;
        bool is_free = k->is_surface[i] && !(k->pressure[i] > 0) && real_min(excess, correction * excess) < m->rate[i];
        m->laplace.diagonal[i] = is_free ? INFINITY : p->c.laplacian * k->dt / flow_density(k, i) * k->air[i];
    }
}

static void add_pressure(int begin, int end, void *context)
{
    projection *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        if (k->is_surface[i]) m->q[i] = real_max(m->q[i], -k->pressure[i]);
        k->pressure[i] += m->q[i] + (real)flow_material(k, i)->viscosity * m->rhs[i];
        if (k->is_surface[i]) k->pressure[i] = real_max(k->pressure[i], 0);
    }
}

static dew_result sweep(projection *m)
{
    flow_step *k = m->k;
    mps_find_divergence(k, m->rate);
    parallel_for(k->count, 4096, find_source, m);
    RESULT_TRY(laplacian_solve(&m->laplace, m->rhs, m->q, mps_of(k)->parameter[MPS_TOLERANCE], MOST_ITERATIONS,
                               &k->p->iterations));
    parallel_for(k->count, 4096, add_pressure, m);
    mps_push(k, m->q);
    return DEW_OK;
}

dew_result mps_solve_pressure(flow_step *k)
{
    world *w = k->w;
    projection m = {.k = k};

    double nearest = (double)((k->h / k->p->s - 1) * k->p->c.laplacian * k->dt) / w->materials[0].density;
    ARENA_TRY(w->scratch, k->count, m.rhs, m.q, m.rate);
    laplacian_def def = {.name = "pressure",
                         .particles = k->all,
                         .lists = k->lists,
                         .reach = (double)k->h,
                         .domain = &w->domain,
                         .dimension = w->dimension,
                         .spacing = w->spacing,
                         .unit = nearest,
                         .scratch = w->scratch};
    RESULT_TRY(laplacian_open(&m.laplace, &def));
    parallel_for(k->blocks, FLOW_GRAIN, weigh, &m);
    return sweep(&m);
}
