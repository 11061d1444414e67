/* The Laplace pressure at the step's end. An explicit tension is stable as long as no capillary wave turns by more than
 * 2 in a step. Here the tension is that of the places a step's change of velocity further on,
 *
 *     f(x + a dt (v' - v)),    in linear order  f(x) - a dt K (v' - v),
 *
 * stable at any step for a = AHEAD of 1/4 and more, and it damps nothing; with v' alone, as is usual, a wave of
 * frequency omega has a damping ratio of omega dt/2. It is as if the surface had more mass where waves are short: what
 * rests, falls or bends slowly does not feel it.
 *
 * K is needed for waves that an explicit step would not bear, of wave numbers near 1/l and more, l^3 = gamma dt^2/(4
 * rho). So it is taken as gamma l^2 k^4 in place of gamma k^2: longer waves feel it less, and as the square of a
 * Laplacian it fits the system of the pressure, which has a square too. With
 *
 *     (D u)_i = d sum_j l_ij n_ij . (u_i - u_j)
 *
 * over surface points, n_ij the mean of both normals, and an unknown pressure y of each point,
 *
 *     y + dt rho c^2 D (v' - v) = 0,    v' = ... + dt/rho D^T y,    d^2 = a gamma l^2/(rho s c^2).
 *
 * Forces are opposite for both of a pair. They may turn a body; that is taken off with what shifts turn (drops.c). */
#include "methods/sph/laplace.h"

#include "surface/pair_weight.h"

#include <string.h>

/* How far on, of a step; 1/4 is the least that is stable at any step. */
#define AHEAD 0.5

enum { GRAIN = 16 };

/* With l_ij = t^3 this makes of D times the root of (a gamma l^2/(rho s c^2)) a Laplacian on a full plane. */
static real scale_of(const laplace_pressure *l)
{
    const flow *k = l->k;
    double s = k->w->spacing, dt = (double)k->dt, kinematic = (double)k->gamma / (double)k->rho;
    double plane = 2 * PI / 140 * pow(neighbours_cutoff(l->points->lists), 4) / (s * s); /* sum of t^3 r^2 */
    double length = cbrt(kinematic * dt * dt / 4);
    return (real)(4 / plane * length * sqrt(AHEAD * kinematic / s) / (double)k->sound);
}

void sph_laplace_open(laplace_pressure *l, flow *k)
{
    surface_points *points = &k->p->surface;
    const particles *store = &points->store;
    *l = (laplace_pressure){.k = k, .points = points};
    if (!(k->gamma > 0) || !points->has_lists) return;
    l->scale = scale_of(l);
    l->count = store->count, l->slot = particles_field(store, points->slot);
    l->x = store->position, l->n = particles_field(store, points->sharp);
    l->u = particles_field(store, points->smooth), l->y = particles_field(store, points->curvature);
    l->lists = neighbours_lists(points->lists), l->inv_reach = (real)(1 / neighbours_cutoff(points->lists));
}

/* --- the operator --- */

/* l_ij, and 2 n_ij. */
static inline vreal link_of(vreal4 i, vreal4 b, vreal4 n, vreal4 m, vreal inv_reach, vreal4 *twice)
{
    vreal dx, dy, dz;
    twice->x = n.x + m.x, twice->y = n.y + m.y, twice->z = n.z + m.z;
    return i.w * surface_pair_weight(i, b, n, m, inv_reach, &dx, &dy, &dz);
}

static void sum_push(int begin, int end, void *context)
{
    const laplace_pressure *l = context;
    const flow *k = l->k;
    vreal scale = vset(l->scale / 2 * k->dt / k->rho), inv_reach = vset(l->inv_reach);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(l->x, block), n = pair_i(l->n, block), twice;
        vreal yi = pair_i1(l->y, block), x = vset(0), y = vset(0), z = vset(0);
        PAIRS(l->lists, block, j)
        {
            vreal4 b = pair_j(l->x, j), m = pair_j(l->n, j);
            vreal f = link_of(i, b, n, m, inv_reach, &twice);
            f *= yi - pair_j1(l->y, j);
            x += f * twice.x, y += f * twice.y, z += f * twice.z;
        }
        pair_store4(l->u, block, scale * x, scale * y, scale * z, vset(0));
    }
}

static void add_push(int begin, int end, void *context)
{
    const laplace_pressure *l = context;
    const flow *k = l->k;
    for (int n = begin; n < end; n++) {
        int i = l->slot[n];
        real3 u = real3_of(l->u[n]);
        if (sph_is_held(k, i)) u = real3_add(u, sph_mend_along_walls(k, i, u));
        real4_add(&l->change[i], u);
    }
}

void sph_laplace_push(laplace_pressure *l, real4 *change)
{
    if (!l->count) return;
    l->change = change;
    particles_update_ghosts(&l->points->store, l->points->curvature);
    parallel_for(PAIR_BLOCKS(l->count), GRAIN, sum_push, l);
    parallel_for(l->count, 1024, add_push, l);
}

static void copy_change(int begin, int end, void *context)
{
    const laplace_pressure *l = context;
    for (int n = begin; n < end; n++) l->u[n] = l->change[l->slot[n]];
}

static void sum_pull(int begin, int end, void *context)
{
    const laplace_pressure *l = context;
    vreal scale = vset(l->scale / 2), inv_reach = vset(l->inv_reach);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(l->x, block), n = pair_i(l->n, block), u = pair_i(l->u, block), twice;
        vreal sum = vset(0);
        PAIRS(l->lists, block, j)
        {
            vreal4 b = pair_j(l->x, j), m = pair_j(l->n, j), v = pair_j(l->u, j);
            vreal f = link_of(i, b, n, m, inv_reach, &twice);
            sum += f * (twice.x * (u.x - v.x) + twice.y * (u.y - v.y) + twice.z * (u.z - v.z));
        }
        pair_store(l->product, block, scale * sum);
    }
}

void sph_laplace_pull(laplace_pressure *l, real4 *change)
{
    if (!l->count) return;
    l->change = change;
    parallel_for(l->count, 1024, copy_change, l);
    particles_update_ghosts(&l->points->store, l->points->smooth);
    parallel_for(PAIR_BLOCKS(l->count), GRAIN, sum_pull, l);
}

static void hand_over(int begin, int end, void *context)
{
    flow *k = ((laplace_pressure *)context)->k;
    real inv_dt = 1 / k->dt;
    for (int i = begin; i < end; i++) {
        real4 *v = &k->a.v[i], *f = &k->pull[i], u = *f;
        v->x -= u.x, v->y -= u.y, v->z -= u.z;
        *f = (real4){inv_dt * u.x, inv_dt * u.y, inv_dt * u.z, 0};
    }
}

void sph_laplace_hand_over(laplace_pressure *l, const real *y)
{
    if (!l->count) return;
    memcpy(l->y, y, (size_t)l->count * sizeof *l->y);
    sph_laplace_push(l, l->k->pull);
    parallel_for(l->k->count, 4096, hand_over, l);
}
