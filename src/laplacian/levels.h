/* Levels of a sparse grid over particles, each twice as coarse as the one below, and on them the energy of a Laplacian:
 * a preconditioner for what is smooth, which particles next to each other cannot even out. On the particles it is
 *
 *     x . A x = sum_i d_i x_i^2 + sum over pairs w_ij (x_i - x_j)^2.
 *
 * Of a field that is linear around particle i, with gradient g, its pairs have the part k_i |g|^2, k_i = sum_j w_ij
 * r_ij^2/(2 D) in D dimensions. So a cell with the k of its particles, K in sum, has the energy K |g|^2; its edges bear
 * it as springs between the nodes at its corners, K/(4 h_a^2) each along axis a. This is exact for linear fields at
 * every level, K of a cell being that of the cells in it. d goes to nodes as all else does. From nodes to what is below
 * (particles; nodes) values are interpolated trilinearly within cells, up go sums with the same weights. */
#ifndef LAPLACIAN_LEVELS_H
#define LAPLACIAN_LEVELS_H

#include "base/arena.h"
#include "base/real.h"

enum { MOST_LEVELS = 20 };

/* A particle, or node of the level below, within its cell, 0 to 1 along each axis. */
typedef struct level_point {
    real x, y, z;
    int32_t index;
} level_point;

typedef struct level {
    int cells, nodes;
    int32_t count[3]; /* cells along each axis, after which it begins anew */
    double h[3];      /* a cell's edges, m */
    uint32_t (*place)[3];
    int32_t (*corner)[8]; /* nodes of a cell: bit a of the number says on which side along axis a */
    int32_t *begin;       /* of each cell's points */
    level_point *point;
    /* Of a node: the cells that have it as their k-th corner, neighbours (2 a + side), or -1. */
    int32_t (*around)[8];
    int32_t (*near)[6];
    int32_t *parent; /* of a cell, above */
    real *stiffness; /* K of a cell */
    real (*spring)[6];
    real *share; /* room for a cell's sums over its points, 8 times the width */
    /* `width` numbers a node: d; the damping over the diagonal; right side, solution, room. */
    real *hold, *inverse, *b, *x, *other;
} level;

typedef struct levels {
    int count;
    int width; /* numbers a particle and a node: 1, or 4 for vectors */
    level level[MOST_LEVELS];
    /* Parts of the finest grid that share no node and do not reach each other: bodies of liquid. Of a cell; in the
     * order of their first cells. */
    int32_t *body, *body_of; /* of a particle */
    int bodies;
} levels;

/* The grid over particles at these places. h: edge of the finest cells, m; period: of each axis, 0 for none; reach: at
 * which particles are of one body in any case, m, up to twice h. */
dew_result levels_open(levels *l, arena *scratch, int width, int count, const real4 *position, double h,
                       const double period[3], double reach);
/* k of each particle, and d, `width` numbers each. */
void levels_set(levels *l, const real *k, const real *d);
/* The finest level's right side, of what particles have in `from`, or of the shares of its cells where these are there.
 */
void levels_sum_up(levels *l, const real *from, real *nodes);
void levels_gather(levels *l);
/* x of the finest level by its right side b: one V-cycle from 0, which is symmetric and positive. */
void levels_cycle(levels *l);
/* Adds to what particles have what the finest level's x is where they are. */
void levels_hand_down(levels *l, real *to);

/* --- for passes over points --- */

/* The weights of the corners of a cell for a point in it. */
static inline void corner_weights(const level_point *p, real weight[8])
{
    for (int k = 0; k < 8; k++)
        weight[k] = (k & 1 ? p->x : 1 - p->x) * (k & 2 ? p->y : 1 - p->y) * (k & 4 ? p->z : 1 - p->z);
}

enum { LEVEL_GRAIN = 512 };

#endif
