/* The pressure at the step's end (Koshizuka, Oka 1996), in increments: with v* the velocity after all forces, those of
 * the last step's pressure p among them,
 *
 *     L q = source - div v*,    v = v* + dt/rho G q,    p + q the new pressure,
 *
 * (G p)_i = c sum (p_i + p_j) w e_ij + 2 c p_i S_i, the divergence's adjoint, S the solids' part of F: the ghost that
 * fills a solid has the particle's pressure and its mirrored velocity, hence twice. What pairs give each other is
 * opposite, so momentum is kept however well L is solved. L is the Laplacian model, (L q)_i = 2 D/(m h^2) sum (dt/rho)
 * w/q (q_i - q_j), m = sum of w q, and where a free surface is near the part of the kernel that is air, in which q = 0.
 * L bounds -div dt/rho G from above, so a step never gains energy by it; and as increments are solved for, div v =
 * source is met exactly where the liquid rests or creeps, whatever L is.
 *
 * The source ends in 1/correction steps what n differs from its target by. Inside the liquid this is an equation: the
 * pressure may be lower than the air's. At the free surface p >= 0, and n may be less than its target. */
#include "laplacian/laplacian.h"
#include "methods/mps/mps.h"

enum { MOST_ITERATIONS = 200 };

typedef struct projection {
    mps_step *k;
    laplacian laplace;
    real *rhs, *q;
    real *rate;        /* div of the field `change`, 1/s */
    const real *field; /* the pressure that `change` is of */
} projection;

/* --- gradient and divergence --- */

/* d(w e)/dx h times a vector t, K t = (w/q) t - (1 + w/q) e (e . t); f = w/q, d = e q. */
static inline vreal4 turn(vreal f, vreal inv_q, vreal4 d, vreal4 t)
{
    vreal along = vselect(f > 0, (1 + f) * inv_q * inv_q * (d.x * t.x + d.y * t.y + d.z * t.z), vset(0));
    return (vreal4){f * t.x - along * d.x, f * t.y - along * d.y, f * t.z - along * d.z, vset(0)};
}

static void sum_gradient(int begin, int end, void *context)
{
    const projection *m = context;
    mps_step *k = m->k;
    vreal inv_h = vset(k->inv_h), half = vset((real)0.5);
    real c = k->p->c.gradient;
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), yi = pair_i(k->lean, block);
        vreal x = vset(0), y = vset(0), z = vset(0), virial = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), yj = pair_j(k->lean, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal q2 = d.x * d.x + d.y * d.y + d.z * d.z + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = vmax(inv_q - 1, vset(0)), both = f * (yi.w + yj.w); /* w/q */
            vreal4 t = turn(f, inv_q, d, (vreal4){yi.x - yj.x, yi.y - yj.y, yi.z - yj.z, vset(0)});
            vreal fx = both * d.x - half * t.x, fy = both * d.y - half * t.y, fz = both * d.z - half * t.z;
            x += fx, y += fy, z += fz, virial += fx * d.x + fy * d.y + fz * d.z;
        }
        pair_store4(k->change, block, x, y, z, virial);
        int last = PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
        for (int n = PAIR_I * block; n < last; n++) {
            real3 a = real3_of(k->change[n]);
            if (k->near.wall) a = real3_madd(a, 2 * m->field[n], real3_of(k->wall[n]));
            k->change[n] = real4_of(real3_scale(c * k->dt / mps_density(k, n), a), k->change[n].w);
        }
    }
}

static void sum_divergence(int begin, int end, void *context)
{
    const projection *m = context;
    mps_step *k = m->k;
    vreal inv_h = vset(k->inv_h), half = vset((real)0.5), c = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), u = pair_i(k->change, block), g = pair_i(k->grow, block);
        vreal sum = vset(0), x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), o = pair_j(k->change, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal q2 = d.x * d.x + d.y * d.y + d.z * d.z + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = vmax(inv_q - 1, vset(0));
            vreal4 v = {u.x - o.x, u.y - o.y, u.z - o.z, vset(0)}, t = turn(f, inv_q, d, v);
            sum += f * (d.x * v.x + d.y * v.y + d.z * v.z);
            x += t.x, y += t.y, z += t.z;
        }
        pair_store(m->rate, block, c * (sum - half * (g.x * x + g.y * y + g.z * z)));
        int last = PAIR_I * (block + 1) < k->count ? PAIR_I * (block + 1) : k->count;
        for (int n = PAIR_I * block; k->near.wall && n < last; n++)
            m->rate[n] += 2 * k->p->c.gradient * real3_dot(real3_of(k->wall[n]), real3_of(k->change[n])) - k->wall[n].w;
    }
}

static void put_pressure(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++)
        m->k->lean[i] = real4_of(real3_scale(m->field[i], real3_of(m->k->grow[i])), m->field[i]);
}

static void take_change(int begin, int end, void *context, solid_pushes *to)
{
    const projection *m = context;
    mps_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real4_add(&k->v[i], real3_of(k->change[i]));
        k->force[i].w += k->p->c.gradient * k->h / (2 * (real)k->w->dimension) * k->change[i].w;
        if (!near_walls_has(&k->near, i)) continue;
        real impulse = 2 * k->p->c.gradient * m->field[i] * k->dt * mps_mass(k, i) / mps_density(k, i);
        mps_push_walls(k, i, PUSH_PRESSURE, real3_scale(impulse, real3_of(k->wall[i])), to);
    }
}

/* v += dt/rho G of a pressure. */
static void push(projection *m, const real *pressure)
{
    mps_step *k = m->k;
    m->field = pressure;
    parallel_for(k->count, 4096, put_pressure, m);
    particles_update_ghosts(k->all, k->p->lean);
    parallel_for(k->blocks, MPS_GRAIN, sum_gradient, m);
    solids_each(k->w->solids, k->count, take_change, m);
}

void mps_push_old(mps_step *k) { push(&(projection){.k = k}, k->pressure); }

/* --- the system --- */

static void put_mobility(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->k->x[i].w = 1 / mps_density(m->k, i);
}

/* dt/rho of a pair is the mean of both. */
static void weigh(int begin, int end, void *context)
{
    const projection *m = context;
    const mps_step *k = m->k;
    vreal scale = vset(k->p->c.laplacian * k->dt / 2), h = vset(k->h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        laplacian_row row = {0};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
            vreal w = vmax(h * vrsqrt(r2 + (real)1e-30) - 1, vset(0));
            laplacian_put(&m->laplace, &row, block, j, r2, scale * (i.w + b.w) * w);
        }
        laplacian_end(&m->laplace, block, row);
    }
}

static void copy_velocity(int begin, int end, void *context)
{
    mps_step *k = context;
    for (int i = begin; i < end; i++) k->change[i] = real4_of(real3_of(k->v[i]), 0);
}

/* What is asked of div v, and who takes part. */
static void find_source(int begin, int end, void *context)
{
    projection *m = context;
    mps_step *k = m->k;
    const mps_state *p = k->p;
    real correction = (real)p->parameter[MPS_CORRECTION] * real_min(k->dt / k->calm_dt, 1),
         unit = p->c.gradient * k->h / (2 * k->dt);
    for (int i = begin; i < end; i++) {
        real excess = unit * (k->facing[i].w - k->target[i]);
        m->rhs[i] = correction * excess - m->rate[i], m->q[i] = 0;
        bool is_free =
            k->is_surface[i] && !(k->pressure[i] > 0) && real_min(excess, m->rhs[i] + m->rate[i]) < m->rate[i];
        m->laplace.diagonal[i] = is_free ? INFINITY : p->c.laplacian * k->dt / mps_density(k, i) * k->air[i];
    }
}

static void add_pressure(int begin, int end, void *context)
{
    projection *m = context;
    mps_step *k = m->k;
    for (int i = begin; i < end; i++) {
        if (k->is_surface[i]) m->q[i] = real_max(m->q[i], -k->pressure[i]);
        k->pressure[i] += m->q[i];
    }
}

static dew_result sweep(projection *m)
{
    mps_step *k = m->k;
    parallel_for(k->count, 4096, copy_velocity, k);
    particles_update_ghosts(k->all, k->p->change);
    parallel_for(k->blocks, MPS_GRAIN, sum_divergence, m);
    parallel_for(k->count, 4096, find_source, m);
    RESULT_TRY(
        laplacian_solve(&m->laplace, m->rhs, m->q, k->p->parameter[MPS_TOLERANCE], MOST_ITERATIONS, &k->p->turns));
    parallel_for(k->count, 4096, add_pressure, m);
    push(m, m->q);
    return DEW_OK;
}

dew_result mps_solve_pressure(mps_step *k)
{
    projection m = {.k = k};
    world *w = k->w;
    real s = k->p->s, nearest = (k->h / s - 1) * k->p->c.laplacian * k->dt / (real)w->materials[0].density;
    ARENA_TRY(w->scratch, k->count, m.rhs, m.q, m.rate);
    RESULT_TRY(laplacian_open(&m.laplace, &(laplacian_def){.name = "pressure",
                                                           .particles = k->all,
                                                           .neighbours = w->neighbours,
                                                           .domain = &w->domain,
                                                           .dimension = w->dimension,
                                                           .spacing = w->spacing,
                                                           .unit = (double)nearest,
                                                           .scratch = w->scratch}));
    parallel_for(k->count, 4096, put_mobility, &m);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, MPS_GRAIN, weigh, &m);
    for (int n = 0; n < (int)k->p->parameter[MPS_SWEEPS]; n++) RESULT_TRY(sweep(&m));
    return DEW_OK;
}
