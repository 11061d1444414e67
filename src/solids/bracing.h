/* Pairs next to solids that count as much as a full kernel's: d becomes C d, C = 1 + T_i + T_j, T = (t/2)(1 - n n) of
 * each solid near (half_space_brace, near_walls.h). C is the same from both sides of a pair, so that a divergence and a
 * gradient by it are adjoint. */
#ifndef SOLIDS_BRACING_H
#define SOLIDS_BRACING_H

#include "particles/pairs.h"
#include "solids/near_walls.h"

/* Adds T of particle i to row after row of `along`. `wet`, 0 to 1: next to air there is as much less of the image as of
 * liquid. */
static inline void bracing_add(real4 *const along[3], const near_walls *near, int i, const walls_here *here,
                               const real *bracing, real wet)
{
    for (int a = 0; a < here->count; a++) {
        real3 n = real3_of(near->wall[NEAR_WALLS * i + a]);
        real t = wet * wet * here->part[a] * half_space_at(bracing, here->distance[a]);
        for (int row = 0; row < 3; row++) {
            real4_add(&along[row][i], real3_scale(-t * (&n.x)[row], n));
            (&along[row][i].x)[row] += t;
        }
    }
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
