/* Disjoint sets of 0 .. count - 1 (Tarjan 1975): parent[k] leads from k to the root of its set, which is the lowest of
 * its members, so that the result does not depend on the order in which sets are joined. What has the parent -1 is in
 * no set. A join costs a few steps along paths that are halved on the way; it is serial, and cheap against finding out
 * who is to be joined. */
#ifndef BASE_UNION_FIND_H
#define BASE_UNION_FIND_H

#include <stdint.h>

static inline int32_t union_find_root(int32_t *parent, int32_t k)
{
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

static inline void union_find_join(int32_t *parent, int32_t a, int32_t b)
{
    a = union_find_root(parent, a), b = union_find_root(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

/* Each a set of its own. */
static inline void union_find_begin(int count, int32_t *parent)
{
    for (int k = 0; k < count; k++) parent[k] = k;
}

/* Parents become the numbers of the sets, which count up from 0 by their roots; returns how many sets there are. */
static inline int union_find_number(int count, int32_t *parent)
{
    int sets = 0;
    /* A parent comes before all that hang from it: the number of its set stands there already, as -2 - number. */
    for (int k = 0; k < count; k++)
        if (parent[k] != -1) parent[k] = parent[k] == k ? -2 - sets++ : parent[parent[k]];
    for (int k = 0; k < count; k++)
        if (parent[k] < -1) parent[k] = -2 - parent[k];
    return sets;
}

#endif
