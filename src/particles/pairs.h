/* The loop over pairs, once for all methods. A block is PAIR_I consecutive particles i; each turn of PAIRS meets it
 * with PAIR_J particles j, LANES = PAIR_I x PAIR_J pairs at once (lane = PAIR_I * j + i). A kernel reads:
 *
 *     pair_lists lists = neighbours_lists(n);
 *     for (int block = begin; block < end; block++) {          // begin, end from PAIR_BLOCKS(count)
 *         vreal4 i = pair_i(position, block);
 *         vreal sum = vset(0);
 *         PAIRS(lists, block, j) {
 *             vreal4 b = pair_j(position, j);
 *             vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
 *             sum += kernel(dx * dx + dy * dy + dz * dz);
 *         }
 *         pair_store(out, block, sum);
 *     }
 *
 * The pair (i, i) is among them, at distance 0. Pairs beyond the cutoff and dummies are too: a kernel that ends in
 * max(0, 1 - q) needs no mask. */
#ifndef PARTICLES_PAIRS_H
#define PARTICLES_PAIRS_H

#include "base/simd.h"
#include "particles/neighbours.h"

#if SIMD_BYTES
enum { PAIR_I = 4, PAIR_J = LANES / 4 };
#else
enum { PAIR_I = 1, PAIR_J = 1 };
#endif

/* Blocks that cover [0, count). */
#define PAIR_BLOCKS(count) (((count) + PAIR_I - 1) / PAIR_I)

typedef struct pair_lists {
    const int64_t *begin; /* of each group of four, in index; begin[groups] = end */
    const int32_t *index;
} pair_lists;

pair_lists neighbours_lists(const neighbours *n);

typedef const int32_t *pair_cursor;

#define PAIRS(lists, block, j)                                                                                         \
    for (pair_cursor j = (lists).index + (lists).begin[(block)*PAIR_I / 4],                                            \
                     j##_end = (lists).index + (lists).begin[(block)*PAIR_I / 4 + 1];                                  \
         j < j##_end; j += PAIR_J)

/* Records of the block's particles, repeated for every j. */
static inline vreal4 pair_i(const real4 *a, int block);
/* Records of the PAIR_J particles at the cursor, repeated for every i. */
static inline vreal4 pair_j(const real4 *a, pair_cursor j);
/* The same of an array of single reals. */
static inline vreal pair_i1(const real *a, int block);
static inline vreal pair_j1(const real *a, pair_cursor j);
/* Adds up over j; writes to out[PAIR_I * block ...]. Writes whole blocks: arrays reach to the next multiple of 4. */
static inline void pair_store(real *out, int block, vreal sum);
static inline void pair_store4(real4 *out, int block, vreal x, vreal y, vreal z, vreal w);

#include "particles/pairs_inline.h"

#endif
