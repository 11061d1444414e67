/* Between a point and the nodes around it: quadratic splines N (Steffen et al. 2008), APIC (Jiang et al. 2015).
 *
 * A node is a record (momentum x, y, z, mass), later (velocity x, y, z, mass). Along the row axis four nodes are one
 * row of vector lanes; the stencil takes three of them, the fourth has weight 0. */
#ifndef METHODS_MPM_ANY_TRANSFER_H
#define METHODS_MPM_ANY_TRANSFER_H

#include "methods/mpm/any/grid.h"

/* Points are taken so many at once: what depends on a place alone is found with a point to a lane. */
enum { BATCH = 16, PATCH_ROWS = DIM == 3 ? 9 : 3 };

typedef struct batch {
    _Alignas(64) real x[DIM][BATCH]; /* where they are from the grid's origin, m */
    int count;
    _Alignas(64) int32_t which[BATCH]; /* of the slots, or of the points */
    int32_t first[BATCH];              /* of the tile: the lowest node */
    int32_t cube[BATCH];               /* of the tile: the cube of nodes that the point is in: see batch_cubes */
    real u[BATCH];                     /* along the row axis, where a point is in its cell, in cells */
    /* Along the others, for their three nodes: N, N times the arm (node - point), dN per cell. */
    real n[DIM - 1][3][BATCH], arm[DIM - 1][3][BATCH], slope[DIM - 1][3][BATCH];
} batch;

static inline void batch_add(batch *q, int32_t which, vquad arm)
{
    for (int a = 0; a < DIM; a++) q->x[a][q->count] = arm[a];
    q->which[q->count++] = which;
}

/* Fills a batch with slots from *i on: those whose kind, in the bits of `mask`, is `wanted`; all, if `kind` is NULL.
 * False when none is left. */
static inline bool batch_take(batch *q, const grid *g, const real4 *x, const uint8_t *kind, int mask, int wanted,
                              int *i, int end)
{
    q->count = 0;
    for (; *i < end && q->count < BATCH; ++*i)
        if (!kind || (kind[*i] & mask) == wanted) batch_add(q, *i, grid_arm(g, &x[*i]));
    return q->count > 0;
}

/* Lanes without a point have one at 0. */
static inline void batch_fill(batch *q)
{
    for (int l = q->count; l < BATCH; l++)
        for (int a = 0; a < DIM; a++) q->x[a][l] = 0;
}

/* The cubes of nodes that the points are in, by their lowest nodes: see cube_in. */
static inline void batch_cubes(batch *q, real inverse, const block_place *p)
{
    batch_fill(q);
    memset(q->cube, 0, sizeof q->cube);
    for (int a = 0; a < DIM; a++) {
        const int32_t lowest = p->at[a] - HALO;
#pragma omp simd
        for (int l = 0; l < BATCH; l++) {
            int32_t k = (int32_t)floor(q->x[a][l] * inverse) - lowest;
            q->cube[l] = q->cube[l] * TILE_SIDE + (k < 0 ? 0 : k >= TILE_SIDE ? TILE_SIDE - 1 : k);
        }
    }
}

/* Where the points are in the tile of the block whose first node is at `p`, and their weights; arms in cells times
 * `unit`. Places that the tile does not serve are clamped: a particle that has strayed goes astray by a cell, until it
 * is sorted again. */
static inline void batch_weigh(batch *q, real inverse, const block_place *p, real unit)
{
    const real half = (real)0.5;
    batch_fill(q);
    memset(q->first, 0, sizeof q->first);
    for (int a = 0; a < DIM; a++) {
        const int32_t lowest = p->at[a] - HALO + 1;
#pragma omp simd
        for (int l = 0; l < BATCH; l++) {
            real t = q->x[a][l] * inverse, cell = floor(t + half), u = t - cell;
            int32_t low = (int32_t)cell - lowest;
            low = low < 0 ? 0 : low > TILE_SIDE - 3 ? TILE_SIDE - 3 : low;
            q->first[l] = q->first[l] * TILE_SIDE + low;
            q->u[l] = u;
        }
        if (a == DIM - 1) break;
#pragma omp simd
        for (int l = 0; l < BATCH; l++) {
            real u = q->u[l], low = half - u, high = half + u;
            real n0 = half * low * low, n1 = (real)0.75 - u * u, n2 = half * high * high;
            q->n[a][0][l] = n0, q->n[a][1][l] = n1, q->n[a][2][l] = n2;
            q->arm[a][0][l] = unit * n0 * (-1 - u), q->arm[a][1][l] = unit * n1 * -u;
            q->arm[a][2][l] = unit * n2 * (1 - u);
            q->slope[a][0][l] = -low, q->slope[a][1][l] = -2 * u, q->slope[a][2][l] = high;
        }
    }
}

/* The weights of batch_weigh along the row axis, each repeated for a record; those of the fourth node are 0. */
typedef struct row_weights {
    vrow n, arm, slope;
} row_weights;

static inline row_weights row_weigh(real u, real unit)
{
    const vrow zero = row_spread((vquad){(real)0.5, 0, (real)0.5, 0}), turn = row_spread((vquad){-1, 1, 1, 0});
    const vrow flat = row_spread((vquad){0, (real)0.75, 0, 0}), bend = row_spread((vquad){(real)0.5, -1, (real)0.5, 0});
    const vrow lean = row_spread((vquad){-1, -2, 1, 0}), node = row_spread((vquad){-1, 0, 1, 0});
    vrow l = row_madd(zero, u, turn); /* 1/2 - u, u, 1/2 + u */
    row_weights w = {.slope = row_times(lean, l), .n = row_plus(flat, row_times(bend, l), l)};
    w.arm = row_times(w.n, row_scale(unit, row_madd(node, -u, row_spread(quad_set(1)))));
    return w;
}

/* The nodes around a cell, from the lowest on: for as long as points are in that cell they stay in registers. */
typedef struct patch {
    int32_t first; /* of the tile */
    vrow row[PATCH_ROWS];
} patch;

/* A row's place in the tile. */
static inline int patch_row(int first, int row)
{
    return first + (row / 3 * (DIM == 3 ? TILE_SIDE : 1) + row % 3) * TILE_SIDE;
}

static inline void patch_load(patch *at, const real4 *tile, int32_t first)
{
    at->first = first;
    for (int r = 0; r < PATCH_ROWS; r++) at->row[r] = row_load(tile + patch_row(first, r));
}

static inline void patch_store(const patch *at, real4 *tile)
{
    for (int r = 0; r < PATCH_ROWS; r++) row_store(tile + patch_row(at->first, r), at->row[r]);
}

/* Adds N (p + b arm) + f dN of point l to the nodes: p momentum and mass, b its affine part per unit of arm, f a
 * momentum by stress per cell of slope; each record four times. */
static inline void deposit(patch *at, real4 *tile, const batch *q, int l, real unit, vrow p, const vrow b[DIM],
                           const vrow f[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    if (q->first[l] != at->first) patch_store(at, tile), patch_load(at, tile, q->first[l]);
    row_weights w = row_weigh(q->u[l], unit);
    vrow flat = row_plus(row_plus(row_times(w.n, p), w.arm, b[Z]), w.slope, f[Z]);
    vrow by = row_times(w.n, b[Y]), fy = row_times(w.n, f[Y]), plane[3];
    for (int j = 0; j < 3; j++) {
        plane[j] = row_madd(row_scale(q->n[Y][j][l], flat), q->arm[Y][j][l], by);
        plane[j] = row_madd(plane[j], q->slope[Y][j][l], fy);
    }
#if DIM == 3
    vrow bx = row_times(w.n, b[0]), fx = row_times(w.n, f[0]);
    for (int i = 0; i < 3; i++) {
        vrow across = row_madd(row_scale(q->arm[0][i][l], bx), q->slope[0][i][l], fx);
        for (int j = 0; j < 3; j++) {
            vrow *row = &at->row[3 * i + j];
            *row = row_madd(row_madd(*row, q->n[0][i][l], plane[j]), q->n[Y][j][l], across);
        }
    }
#else
    for (int j = 0; j < 3; j++) at->row[j] = row_add(at->row[j], plane[j]);
#endif
}

/* Sums over the nodes, a record each: b[a] = sum N node arm_a, and as the fourth v = sum N node; g[a] = sum node dN/da
 * (per cell). */
typedef struct gathered {
    vrow b, g;
} gathered;

static inline vquad gathered_v(const gathered *q) { return row_record(q->b, 3); }

static inline void gather(patch *at, const real4 *tile, const batch *q, int l, real unit, gathered *out)
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    if (q->first[l] != at->first) patch_load(at, tile, q->first[l]);
    const vrow none = row_repeat(quad_set(0));
    vrow v = none, b_x = none, g_x = none, b_y = none, g_y = none;
    for (int i = 0; i < PATCH_ROWS / 3; i++) {
        vrow n = none, b = none, g = none;
        for (int j = 0; j < 3; j++) {
            vrow row = at->row[3 * i + j];
            n = row_madd(n, q->n[Y][j][l], row);
            b = row_madd(b, q->arm[Y][j][l], row);
            g = row_madd(g, q->slope[Y][j][l], row);
        }
#if DIM == 3
        v = row_madd(v, q->n[0][i][l], n);
        b_x = row_madd(b_x, q->arm[0][i][l], n);
        g_x = row_madd(g_x, q->slope[0][i][l], n);
        b_y = row_madd(b_y, q->n[0][i][l], b);
        g_y = row_madd(g_y, q->n[0][i][l], g);
#else
        v = n, b_y = b, g_y = g;
#endif
    }
    row_weights w = row_weigh(q->u[l], unit);
    vrow bz = row_times(w.arm, v), gz = row_times(w.slope, v), all = row_times(w.n, v);
    b_y = row_times(w.n, b_y), g_y = row_times(w.n, g_y);
#if DIM == 3
    out->b = row_sums(row_times(w.n, b_x), b_y, bz, all);
    out->g = row_sums(row_times(w.n, g_x), g_y, gz, none);
#else
    out->b = row_sums(b_y, bz, b_x, all);
    out->g = row_sums(g_y, gz, g_x, none);
#endif
}

/* The weights of one point, for all axes. */
typedef struct stencil {
    int first;                /* of the tile: the lowest node */
    real4 n[DIM], slope[DIM]; /* for each axis and its three nodes: N, dN per cell; the fourth is 0 */
} stencil;

/* The stencil of a point, by its arm from the origin, in the tile of the block whose first node is at `p`, as a batch
 * has it. Everything is made in registers, since a record written by its parts and read as a whole costs the wait for
 * the writes. */
static inline void stencil_of(stencil *s, vquad x, real inverse, const block_place *p)
{
    const vquad zero = {(real)0.5, 0, (real)0.5, 0}, turn = {-1, 1, 1, 0};
    const vquad flat = {0, (real)0.75, 0, 0}, bend = {(real)0.5, -1, (real)0.5, 0}, lean = {-1, -2, 1, 0};
    vquad t = x * inverse, cell = quad_floor(t + (real)0.5), u = t - cell;
    s->first = 0;
    for (int a = 0; a < DIM; a++) {
        int low = (int)cell[a] - p->at[a] + HALO - 1;
        low = low < 0 ? 0 : low > TILE_SIDE - 3 ? TILE_SIDE - 3 : low;
        s->first = s->first * TILE_SIDE + low;
        vquad off = quad_set(u[a]);
        vquad l = zero + off * turn; /* 1/2 - u, u, 1/2 + u */
        quad_store(&s->n[a], flat + bend * l * l);
        quad_store(&s->slope[a], lean * l);
    }
}

static inline vquad four_load(const real *a)
{
    vquad r;
    memcpy(&r, a, sizeof r);
    return r;
}

/* Value and gradient, per cell, at a point from the nodes. */
static inline void gather_scalar(const real *tile, const stencil *s, real *value, real slope[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real *node = tile + s->first, *nx = &s->n[0].x, *sx = &s->slope[0].x, *ny = &s->n[Y].x, *sy = &s->slope[Y].x;
    vquad v = quad_set(0), gx = v, gy = v;
    for (int i = 0; i < (DIM == 3 ? 3 : 1); i++, node += TILE_SIDE * TILE_SIDE) {
        vquad n = quad_set(0), g = quad_set(0);
        for (int j = 0; j < 3; j++) {
            vquad row = four_load(node + j * TILE_SIDE);
            n += ny[j] * row, g += sy[j] * row;
        }
        if (DIM == 3)
            v += nx[i] * n, gx += sx[i] * n, gy += nx[i] * g;
        else
            v = n, gy = g;
    }
    vquad wz = quad_load(&s->n[Z]), sz = quad_load(&s->slope[Z]);
    vquad all = v * wz, along[3] = {gx * wz, gy * wz, v * sz};
    *value = all[0] + all[1] + all[2];
    for (int a = 0; a < DIM; a++) slope[a] = along[a + 3 - DIM][0] + along[a + 3 - DIM][1] + along[a + 3 - DIM][2];
}

/* Adds N value + grad N . slope to the nodes: the transpose of gather_scalar. */
static inline void deposit_scalar(real *tile, const stencil *s, real value, const real slope[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const real *nx = &s->n[0].x, *sx = &s->slope[0].x, *ny = &s->n[Y].x, *sy = &s->slope[Y].x;
    vquad wz = quad_load(&s->n[Z]), sz = quad_load(&s->slope[Z]);
    vquad flat = value * wz + slope[Z] * sz, y = slope[Y] * wz, x = slope[0] * wz;
    real *node = tile + s->first;
    for (int i = 0; i < (DIM == 3 ? 3 : 1); i++, node += TILE_SIDE * TILE_SIDE) {
        vquad n = DIM == 3 ? nx[i] * flat + sx[i] * x : flat, g = DIM == 3 ? nx[i] * y : y;
        for (int j = 0; j < 3; j++) {
            vquad row = four_load(node + j * TILE_SIDE) + ny[j] * n + sy[j] * g;
            memcpy(node + j * TILE_SIDE, &row, sizeof row);
        }
    }
}

#endif
