/* Divergence and gradient, adjoint to each other. The constraint of a particle is C = n + n0 D - n0, D the part of air
 * in its kernel as F tells it (density.c). With g = n0 dD/dF and the change of w e with the way between two particles,
 * h d(w e)/dx = K = (w/q) 1 - (1 + w/q) e e,
 *
 *     (div v)_i = -(h c/2) dC_i/dt = c sum (w e_ij - K_ij g_i/2) . (v_i - v_j) + 2 c S_i . (v_i - v_wall),
 *     (G p)_i = c sum [(p_i + p_j) w e_ij - K_ij (p_i g_i - p_j g_j)/2] + 2 c p_i S_i.
 *
 * S is the solids' part of the first bracket; the ghost that fills a solid has the particle's pressure and its mirrored
 * velocity, hence twice. Where liquid is made into surface or back, n changes and C does not: so the pressure, which in
 * the skin has to hold against the potential, does no work there. With n alone it does, and takes four fifths of the
 * tension (calibration.md). C does not change as a body turns: angular momentum is kept as well. */
#include "methods/mps/mps.h"

typedef struct gradient {
    flow_step *k;
    const real *pressure;
    real *rate;
} gradient;

/* K t; f = w/q, d = e q. */
static inline vreal4 bend(vreal f, vreal inv_q, vreal4 d, vreal4 t)
{
    vreal along = vselect(f > 0, (1 + f) * inv_q * inv_q * vdot3(d, t), vset(0));
    return (vreal4){f * t.x - along * d.x, f * t.y - along * d.y, f * t.z - along * d.z, vset(0)};
}

static void sum_gradient(int begin, int end, void *context)
{
    const gradient *m = context;
    flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h), half = vset((real)0.5);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), yi = pair_i(k->lean, block);
        vreal x = vset(0), y = vset(0), z = vset(0), virial = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), yj = pair_j(k->lean, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal q2 = vdot3(d, d) + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = vmax(inv_q - 1, vset(0)), both = f * (yi.w + yj.w);
            vreal4 t = bend(f, inv_q, d, (vreal4){yi.x - yj.x, yi.y - yj.y, yi.z - yj.z, vset(0)});
            vreal fx = both * d.x - half * t.x, fy = both * d.y - half * t.y, fz = both * d.z - half * t.z;
            x += fx, y += fy, z += fz, virial += fx * d.x + fy * d.y + fz * d.z;
        }
        pair_store4(k->change, block, x, y, z, virial);
        for (int n = PAIR_I * block; n < flow_end_of(k, block); n++) {
            real3 a = real3_of(k->change[n]);
            if (k->near.wall) a = real3_madd(a, 2 * m->pressure[n], real3_of(k->wall[n]));
            k->change[n] = real4_of(real3_scale(k->p->c.gradient * k->dt / flow_density(k, n), a), k->change[n].w);
        }
    }
}

static void sum_divergence(int begin, int end, void *context)
{
    const gradient *m = context;
    flow_step *k = m->k;
    vreal inv_h = vset(k->inv_h), half = vset((real)0.5), c = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), u = pair_i(k->change, block), g = pair_i(k->grow, block);
        vreal sum = vset(0), x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), o = pair_j(k->change, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal q2 = vdot3(d, d) + (real)1e-12, inv_q = vrsqrt(q2);
            vreal f = vmax(inv_q - 1, vset(0));
            vreal4 v = {u.x - o.x, u.y - o.y, u.z - o.z, vset(0)}, t = bend(f, inv_q, d, v);
            sum += f * vdot3(d, v);
            x += t.x, y += t.y, z += t.z;
        }
        pair_store(m->rate, block, c * (sum - half * (g.x * x + g.y * y + g.z * z)));
        for (int n = PAIR_I * block; k->near.wall && n < flow_end_of(k, block); n++)
            m->rate[n] += 2 * k->p->c.gradient * real3_dot(real3_of(k->wall[n]), real3_of(k->change[n])) - k->wall[n].w;
    }
}

static void copy_velocity(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) k->change[i] = real4_of(real3_of(k->v[i]), 0);
}

void mps_find_divergence(flow_step *k, real *rate)
{
    parallel_for(k->count, 4096, copy_velocity, k);
    particles_update_ghosts(k->all, k->p->change);
    parallel_for(k->blocks, FLOW_GRAIN, sum_divergence, &(gradient){.k = k, .rate = rate});
}

static void put_pressure(int begin, int end, void *context)
{
    const gradient *m = context;
    for (int i = begin; i < end; i++)
        m->k->lean[i] = real4_of(real3_scale(m->pressure[i], real3_of(m->k->grow[i])), m->pressure[i]);
}

static void take_change(int begin, int end, void *context, solid_pushes *to)
{
    const gradient *m = context;
    flow_step *k = m->k;
    real c = k->p->c.gradient, virial = c * k->h / (2 * (real)k->w->dimension);
    for (int i = begin; i < end; i++) {
        real4_add(&k->v[i], real3_of(k->change[i]));
        k->force[i].w += virial * k->change[i].w;
        if (!near_walls_has(&k->near, i)) continue;
        real impulse = 2 * c * m->pressure[i] * k->dt * flow_mass(k, i) / flow_density(k, i);
        flow_press_walls(k, i, real3_scale(impulse, real3_of(k->wall[i])), to);
    }
}

void mps_push(flow_step *k, const real *pressure)
{
    gradient m = {.k = k, .pressure = pressure};
    parallel_for(k->count, 4096, put_pressure, &m);
    particles_update_ghosts(k->all, k->p->lean);
    parallel_for(k->blocks, FLOW_GRAIN, sum_gradient, &m);
    solids_each(k->w->solids, k->count, take_change, &m);
}
