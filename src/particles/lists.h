/* Building the lists of neighbours.h over sorted particles. */
#ifndef PARTICLES_LISTS_H
#define PARTICLES_LISTS_H

#include "particles/cells.h"
#include "particles/pairs.h"

/* What the lists are made from: owned and ghosts, each with cells and places (by slot - cells.begin). */
typedef struct list_source {
    const cells *cells;
    const real *xyz[3];
} list_source;

typedef struct list_memory {
    uint16_t *entries;
    size_t capacity; /* entries */
    uint32_t *begin; /* of each group, in units of four entries */
    int longest;     /* list, dummies included */
} list_memory;

/* Writes the lists of all groups of source[0]; `reach` = cutoff + skin; `dummy` is the slot of a particle beyond any
 * reach. Grows `memory->entries` where needed. */
dew_result lists_build(list_memory *memory, const list_source source[2], double reach, int dummy);

#endif
