/* Building the lists of neighbours.h over sorted particles. */
#ifndef PARTICLES_LISTS_H
#define PARTICLES_LISTS_H

#include "particles/nearby.h"
#include "particles/pairs.h"

typedef struct list_memory {
    uint16_t *entries;
    size_t capacity, used; /* entries */
    uint32_t *begin;       /* of each group, in units of four entries */
    size_t groups;         /* room there */
} list_memory;

void lists_destroy(list_memory *memory);
/* Room for so many entries; what is there is lost. */
dew_result lists_reserve(list_memory *memory, size_t entries);
/* Writes the lists of all groups of source[0]: pairs within `reach` and both their allowances. `dummy` is the slot of a
 * particle beyond any reach. Grows `memory->entries` where needed. */
dew_result lists_build(list_memory *memory, const list_source source[2], double reach, int dummy);

#endif
