/* Between a point and the nodes around it: quadratic splines N (Steffen et al. 2008), APIC (Jiang et al. 2015).
 *
 * A node is a record (momentum x, y, z, mass), later (velocity x, y, z, mass). Along the row axis four nodes are one
 * row of vector lanes; the stencil takes three of them, the fourth has weight 0. */
#ifndef METHODS_MPM_ANY_TRANSFER_H
#define METHODS_MPM_ANY_TRANSFER_H

#include "methods/mpm/any/grid.h"

typedef struct stencil {
    int first; /* of the tile: the lowest node */
    int cube;  /* of the tile: the cube of nodes that the point is in, by its lowest node */
    /* For each axis and its three nodes: N, N times the arm (node - point, in cells), dN per cell; the fourth is 0. */
    real4 n[DIM], arm[DIM], slope[DIM];
} stencil;

/* The stencil of a point in the tile of the block at `p`. Places that the tile does not serve are clamped: a particle
 * that has strayed goes astray by a cell, until it is sorted again. Everything is made in registers, since a record
 * written by its parts and read as a whole costs the wait for the writes. */
static inline void stencil_of(stencil *s, vquad x, real inverse, const block_place *p)
{
    const vquad zero = {(real)0.5, 0, (real)0.5, 0}, turn = {-1, 1, 1, 0}, node = {-1, 0, 1, 0};
    const vquad flat = {0, (real)0.75, 0, 0}, bend = {(real)0.5, -1, (real)0.5, 0}, lean = {-1, -2, 1, 0};
    vquad t = x * inverse, cell = quad_floor(t + (real)0.5), u = t - cell;
    s->first = s->cube = 0;
    for (int a = 0; a < DIM; a++) {
        int low = (int)cell[a] - SIDE * p->at[a] + HALO - 1;
        low = low < 0 ? 0 : low > TILE_SIDE - 3 ? TILE_SIDE - 3 : low;
        s->first = s->first * TILE_SIDE + low;
        s->cube = s->cube * TILE_SIDE + low + (u[a] >= 0);
        vquad off = quad_set(u[a]);
        vquad l = zero + off * turn; /* 1/2 - u, u, 1/2 + u */
        vquad n = flat + bend * l * l;
        quad_store(&s->n[a], n);
        quad_store(&s->arm[a], n * (node - off));
        quad_store(&s->slope[a], lean * l);
    }
}

/* Adds N (p + b arm) + f dN to the nodes: p momentum and mass, b its affine part per cell of arm, f a momentum by
 * stress per cell of slope. */
static inline void deposit(real4 *tile, const stencil *s, vquad p, const vquad b[DIM], const vquad f[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    vrow wz = row_spread(quad_load(&s->n[Z]));
    vrow flat = row_times(wz, row_repeat(p));
    flat = row_plus(flat, row_spread(quad_load(&s->arm[Z])), row_repeat(b[Z]));
    flat = row_plus(flat, row_spread(quad_load(&s->slope[Z])), row_repeat(f[Z]));
    vrow by = row_times(wz, row_repeat(b[Y])), fy = row_times(wz, row_repeat(f[Y]));
    const real *ny = &s->n[Y].x, *ay = &s->arm[Y].x, *sy = &s->slope[Y].x;
    real4 *node = tile + s->first;
#if DIM == 3
    const real *nx = &s->n[0].x, *ax = &s->arm[0].x, *sx = &s->slope[0].x;
    vrow bx = row_times(wz, row_repeat(b[0])), fx = row_times(wz, row_repeat(f[0]));
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
        vrow plane = row_scale(nx[i], flat), b_row = row_scale(nx[i], by), f_row = row_scale(nx[i], fy);
        plane = row_madd(row_madd(plane, ax[i], bx), sx[i], fx);
#else
    {
        vrow plane = flat, b_row = by, f_row = fy;
#endif
        for (int j = 0; j < 3; j++) {
            vrow row = row_load(node + j * TILE_SIDE);
            row = row_madd(row, ny[j], plane);
            row = row_madd(row_madd(row, ay[j], b_row), sy[j], f_row);
            row_store(node + j * TILE_SIDE, row);
        }
    }
}

/* Sums over the nodes: v = sum N node, b[a] = sum N node arm_a (in cells), g[a] = sum node dN/da (per cell). */
typedef struct gathered {
    vquad v, b[DIM], g[DIM];
} gathered;

static inline void gather(const real4 *tile, const stencil *s, gathered *out)
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real4 *node = tile + s->first;
    const real *ny = &s->n[Y].x, *ay = &s->arm[Y].x, *sy = &s->slope[Y].x;
    const vrow none = row_repeat(quad_set(0));
    vrow v = none, b_y = none, g_y = none;
#if DIM == 3
    const real *nx = &s->n[0].x, *ax = &s->arm[0].x, *sx = &s->slope[0].x;
    vrow b_x = none, g_x = none;
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
#else
    {
#endif
        vrow n = none, b = none, g = none;
        for (int j = 0; j < 3; j++) {
            vrow row = row_load(node + j * TILE_SIDE);
            n = row_madd(n, ny[j], row);
            b = row_madd(b, ay[j], row);
            g = row_madd(g, sy[j], row);
        }
#if DIM == 3
        v = row_madd(v, nx[i], n);
        b_x = row_madd(b_x, ax[i], n);
        g_x = row_madd(g_x, sx[i], n);
        b_y = row_madd(b_y, nx[i], b);
        g_y = row_madd(g_y, nx[i], g);
#else
        v = n, b_y = b, g_y = g;
#endif
    }
    vrow wz = row_spread(quad_load(&s->n[Z]));
    out->v = row_sum(row_times(wz, v));
    out->b[Z] = row_sum(row_times(row_spread(quad_load(&s->arm[Z])), v));
    out->g[Z] = row_sum(row_times(row_spread(quad_load(&s->slope[Z])), v));
    out->b[Y] = row_sum(row_times(wz, b_y));
    out->g[Y] = row_sum(row_times(wz, g_y));
#if DIM == 3
    out->b[0] = row_sum(row_times(wz, b_x));
    out->g[0] = row_sum(row_times(wz, g_x));
#endif
}

/* --- scalars: one real a node --- */

static inline vquad four_load(const real *a)
{
    vquad r;
    memcpy(&r, a, sizeof r);
    return r;
}

/* Value and gradient, per cell. */
static inline void gather_scalar(const real *tile, const stencil *s, real *value, real slope[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real *node = tile + s->first, *ny = &s->n[Y].x, *sy = &s->slope[Y].x;
    vquad v = quad_set(0), gy = quad_set(0);
#if DIM == 3
    const real *nx = &s->n[0].x, *sx = &s->slope[0].x;
    vquad gx = quad_set(0);
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
        vquad n = quad_set(0), g = quad_set(0);
        for (int j = 0; j < 3; j++) {
            vquad row = four_load(node + j * TILE_SIDE);
            n += ny[j] * row, g += sy[j] * row;
        }
        v += nx[i] * n, gx += sx[i] * n, gy += nx[i] * g;
    }
#else
    for (int j = 0; j < 3; j++) {
        vquad row = four_load(node + j * TILE_SIDE);
        v += ny[j] * row, gy += sy[j] * row;
    }
#endif
    vquad wz = quad_load(&s->n[Z]), sz = quad_load(&s->slope[Z]);
    vquad all = v * wz, z = v * sz, y = gy * wz;
    *value = all[0] + all[1] + all[2];
    slope[Z] = z[0] + z[1] + z[2];
    slope[Y] = y[0] + y[1] + y[2];
#if DIM == 3
    vquad x = gx * wz;
    slope[0] = x[0] + x[1] + x[2];
#endif
}

/* Adds N value + grad N . slope, the transpose. */
static inline void deposit_scalar(real *tile, const stencil *s, real value, const real slope[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real *ny = &s->n[Y].x, *sy = &s->slope[Y].x;
    vquad wz = quad_load(&s->n[Z]), sz = quad_load(&s->slope[Z]);
    vquad flat = value * wz + slope[Z] * sz, y = slope[Y] * wz;
    real *node = tile + s->first;
#if DIM == 3
    const real *nx = &s->n[0].x, *sx = &s->slope[0].x;
    vquad x = slope[0] * wz;
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
        vquad n = nx[i] * flat + sx[i] * x, g = nx[i] * y;
#else
    {
        vquad n = flat, g = y;
#endif
        for (int j = 0; j < 3; j++) {
            vquad row = four_load(node + j * TILE_SIDE) + ny[j] * n + sy[j] * g;
            memcpy(node + j * TILE_SIDE, &row, sizeof row);
        }
    }
}

/* Sums over the weights of each node, in w, become their mean there: momentum velocity. */
static void nodes_divide(int begin, int end, void *context)
{
    real4 *node = context;
    for (int k = begin; k < end; k++) {
        real4 n = node[k];
        real inverse = n.w > 0 ? 1 / n.w : 0;
        node[k] = (real4){n.x * inverse, n.y * inverse, n.z * inverse, n.w};
    }
}

#endif
