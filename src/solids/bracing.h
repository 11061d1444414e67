/* Pairs next to solids that count as much as a full kernel's: d becomes C d, C = 1 + T_i + T_j, T = (t/2)(1 - n n) of
 * each solid near (half_space_brace, near_walls.h). C is the same from both sides of a pair, so that a divergence and a
 * gradient by it are adjoint. */
#ifndef SOLIDS_BRACING_H
#define SOLIDS_BRACING_H

#include "particles/pairs.h"
#include "solids/near_walls.h"

/* T of particle i to row after row of `along`, as images mirror each other: 1 + 2 T = product over all solids near of
 * 1 + 2 t[a] (1 - n n). In a corner at right angles this is what a sum over the quarter needs to within a hundredth;
 * the sum of both is a quarter short. */
static inline void bracing_put(real4 *const along[3], const near_walls *near, int i, int count, const real *t)
{
    real c[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < count; a++) {
        real4 wall = near->wall[NEAR_WALLS * i + a];
        const real n[3] = {wall.x, wall.y, wall.z};
        real across[3];
        for (int p = 0; p < 3; p++) across[p] = c[p][0] * n[0] + c[p][1] * n[1] + c[p][2] * n[2];
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) c[p][q] += t[a] * (2 * c[p][q] - across[p] * n[q] - n[p] * across[q]);
    }
    for (int p = 0; p < 3; p++)
        along[p][i] = (real4){(c[p][0] - (p == 0)) / 2, (c[p][1] - (p == 1)) / 2, (c[p][2] - (p == 2)) / 2, 0};
}

static inline vreal bracing_dot(vreal4 a, vreal4 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* C d; ti: the rows of T_i. */
static inline vreal4 braced(real4 *const along[3], const vreal4 ti[3], pair_cursor j, vreal4 d)
{
    return (vreal4){d.x + bracing_dot(ti[0], d) + bracing_dot(pair_j(along[0], j), d),
                    d.y + bracing_dot(ti[1], d) + bracing_dot(pair_j(along[1], j), d),
                    d.z + bracing_dot(ti[2], d) + bracing_dot(pair_j(along[2], j), d), vset(0)};
}

#endif
