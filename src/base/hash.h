/* Hashes of numbers, eight bytes at a time. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

/* Adds a value to a hash (the mixing step of splitmix64). */
static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

#endif
