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
 * max(0, 1 - q) needs no mask. `continue` goes on with the next j; `break` must not be used. What only some particles
 * give to others, and few, need not be asked of all: PAIR_PARTS and PAIRS_FROM loop over a part's front, then its rest.
 *
 * A list is one part or a few; a part holds the distances of its members from a common slot in 16 bits, half the memory
 * of plain indices. Where the slots in reach lie further apart than that (large simulations, ghosts), a new part
 * begins. What fills the last four of a part is the dummy or, where that is too far in memory, again some particle
 * beyond the reach of the lists. */
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

/* A part in memory: a header of four numbers (base, low and high; members / 4; 1 if a part follows, and twice how many
 * quarters hold those that are in front), then members. */
enum { PART_HEADER = 4 };

typedef struct pair_lists {
    const uint32_t *begin; /* of each group of four, in units of four entries */
    const uint16_t *entries;
    size_t count; /* of entries, headers too */
} pair_lists;

pair_lists neighbours_lists(const neighbours *n);

typedef struct pair_part {
    const uint16_t *begin, *end;
    const uint16_t *front; /* before it lie all members in front, see neighbours_set_front */
    int base;
    bool has_next;
} pair_part;

static inline pair_part pair_part_at(const uint16_t *a)
{
    const uint16_t *begin = a + PART_HEADER;
    /* NOLINTNEXTLINE: the end of a list is begin == NULL, its entries never are */
    return (pair_part){begin, begin + 4 * a[2], begin + 4 * (a[3] >> 1), (int)((uint32_t)a[0] | (uint32_t)a[1] << 16),
                       a[3] & 1};
}
static inline pair_part pair_first(pair_lists lists, int group)
{
    return pair_part_at(lists.entries + 4 * (size_t)lists.begin[group]);
}
static inline pair_part pair_next(pair_part p) { return p.has_next ? pair_part_at(p.end) : (pair_part){0}; }

typedef struct pair_cursor {
    const uint16_t *at;
    int base;
} pair_cursor;

#define PAIRS_FROM(j, from, to) for (pair_cursor j = {from, j##_part.base}; j.at < (to); j.at += PAIR_J)
#define PAIR_PARTS(lists, block, j)                                                                                    \
    for (pair_part j##_part = pair_first(lists, (block)*PAIR_I / 4); j##_part.begin; j##_part = pair_next(j##_part))
#define PAIRS(lists, block, j) PAIR_PARTS(lists, block, j) PAIRS_FROM(j, j##_part.begin, j##_part.end)
/* Slot of the cursor's k-th particle, k in [0, PAIR_J). */
static inline int pair_slot(pair_cursor j, int k) { return j.base + j.at[k]; }

/* Records of the block's particles, repeated for every j. */
static inline vreal4 pair_i(const real4 *a, int block);
/* Records of the PAIR_J particles at the cursor, repeated for every i. */
static inline vreal4 pair_j(const real4 *a, pair_cursor j);
/* Numbers of the block's particles and of those at the cursor, from an array of reals. */
static inline vreal pair_i1(const real *a, int block);
static inline vreal pair_j1(const real *a, pair_cursor j);
/* Adds up over j; writes to out[PAIR_I * block ...]. Writes whole blocks: arrays reach to the next multiple of 4. */
static inline void pair_store(real *out, int block, vreal sum);
static inline void pair_store4(real4 *out, int block, vreal x, vreal y, vreal z, vreal w);

#include "particles/pairs_inline.h"

#endif
