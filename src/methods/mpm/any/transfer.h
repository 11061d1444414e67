/* Between a point and the nodes around it: quadratic splines N (Steffen et al. 2008), APIC (Jiang et al. 2015).
 *
 * A node is a record (momentum x, y, z, mass), later (velocity x, y, z, mass). Along the row axis four nodes are one
 * row of vector lanes; the stencil takes three of them, the fourth has weight 0. */
#ifndef METHODS_MPM_ANY_TRANSFER_H
#define METHODS_MPM_ANY_TRANSFER_H

#include "methods/mpm/any/grid.h"

typedef struct stencil {
    int first; /* of the tile: the lowest node */
    /* For each axis and its three nodes: N, N times the arm (node - point, in cells), dN per cell. */
    _Alignas(4 * sizeof(real)) real n[DIM][4];
    _Alignas(4 * sizeof(real)) real arm[DIM][4];
    _Alignas(4 * sizeof(real)) real slope[DIM][4];
} stencil;

/* The stencil of a point in the tile of the block at `p`. Places outside of what the tile can serve are clamped: *rest
 * is then false. */
static inline bool stencil_of(stencil *s, real4 x, real inverse, const block_place *p)
{
    const real *at = &x.x;
    bool is_inside = true;
    s->first = 0;
    for (int a = 0; a < DIM; a++) {
        real t = at[a] * inverse, cell = floor(t + (real)0.5), u = t - cell;
        int low = (int)cell - SIDE * p->at[a] + HALO - 1;
        is_inside = is_inside && low >= 0 && low <= TILE_SIDE - 3;
        low = low < 0 ? 0 : low > TILE_SIDE - 3 ? TILE_SIDE - 3 : low;
        s->first = s->first * TILE_SIDE + low;
        real l = (real)0.5 - u, r = (real)0.5 + u;
        real n0 = (real)0.5 * l * l, n1 = (real)0.75 - u * u, n2 = (real)0.5 * r * r;
        s->n[a][0] = n0, s->n[a][1] = n1, s->n[a][2] = n2, s->n[a][3] = 0;
        s->arm[a][0] = n0 * (-1 - u), s->arm[a][1] = -n1 * u, s->arm[a][2] = n2 * (1 - u), s->arm[a][3] = 0;
        s->slope[a][0] = -l, s->slope[a][1] = -2 * u, s->slope[a][2] = r, s->slope[a][3] = 0;
    }
    return is_inside;
}

/* Adds N (p + b arm) + f dN to the nodes: p momentum and mass, b its affine part per cell of arm, f a momentum by
 * stress per cell of slope. */
static inline void deposit(real4 *tile, const stencil *s, real4 p, const real4 b[DIM], const real4 f[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    vrow wz = row_spread(s->n[Z]);
    vrow flat = row_times(wz, row_repeat(p));
    flat = row_plus(flat, row_spread(s->arm[Z]), row_repeat(b[Z]));
    flat = row_plus(flat, row_spread(s->slope[Z]), row_repeat(f[Z]));
    vrow by = row_times(wz, row_repeat(b[Y])), fy = row_times(wz, row_repeat(f[Y]));
    real4 *node = tile + s->first;
#if DIM == 3
    vrow bx = row_times(wz, row_repeat(b[0])), fx = row_times(wz, row_repeat(f[0]));
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
        vrow plane = row_scale(s->n[0][i], flat), b_row = row_scale(s->n[0][i], by), f_row = row_scale(s->n[0][i], fy);
        plane = row_madd(row_madd(plane, s->arm[0][i], bx), s->slope[0][i], fx);
#else
    {
        vrow plane = flat, b_row = by, f_row = fy;
#endif
        for (int j = 0; j < 3; j++) {
            vrow row = row_load(node + j * TILE_SIDE);
            row = row_madd(row, s->n[Y][j], plane);
            row = row_madd(row_madd(row, s->arm[Y][j], b_row), s->slope[Y][j], f_row);
            row_store(node + j * TILE_SIDE, row);
        }
    }
}

/* Sums over the nodes: v = sum N node, b[a] = sum N node arm_a (in cells), g[a] = sum node dN/da (per cell). */
typedef struct gathered {
    real4 v, b[DIM], g[DIM];
} gathered;

static inline void gather(const real4 *tile, const stencil *s, gathered *out)
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real4 *node = tile + s->first;
    const vrow none = row_repeat((real4){0, 0, 0, 0});
    vrow v = none, b_y = none, g_y = none;
#if DIM == 3
    vrow b_x = none, g_x = none;
    for (int i = 0; i < 3; i++, node += TILE_SIDE * TILE_SIDE) {
#else
    {
#endif
        vrow n = none, b = none, g = none;
        for (int j = 0; j < 3; j++) {
            vrow row = row_load(node + j * TILE_SIDE);
            n = row_madd(n, s->n[Y][j], row);
            b = row_madd(b, s->arm[Y][j], row);
            g = row_madd(g, s->slope[Y][j], row);
        }
#if DIM == 3
        v = row_madd(v, s->n[0][i], n);
        b_x = row_madd(b_x, s->arm[0][i], n);
        g_x = row_madd(g_x, s->slope[0][i], n);
        b_y = row_madd(b_y, s->n[0][i], b);
        g_y = row_madd(g_y, s->n[0][i], g);
#else
        v = n, b_y = b, g_y = g;
#endif
    }
    vrow wz = row_spread(s->n[Z]);
    out->v = row_sum(row_times(wz, v));
    out->b[Z] = row_sum(row_times(row_spread(s->arm[Z]), v));
    out->g[Z] = row_sum(row_times(row_spread(s->slope[Z]), v));
    out->b[Y] = row_sum(row_times(wz, b_y));
    out->g[Y] = row_sum(row_times(wz, g_y));
#if DIM == 3
    out->b[0] = row_sum(row_times(wz, b_x));
    out->g[0] = row_sum(row_times(wz, g_x));
#endif
}

#endif
