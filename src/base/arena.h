/* Scratch memory: blocks handed out one after the other, all given back at once; and memory that is kept and grows. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "dew/result.h"

#include <stddef.h>

typedef struct arena arena;

/* NULL when there is no memory. */
arena *arena_create(void);
/* Accepts NULL. */
void arena_destroy(arena *a);
/* 64-byte aligned, not initialised; NULL when there is no memory. */
void *arena_alloc(arena *a, size_t bytes);
/* Like arena_alloc, filled with zeros. */
void *arena_zeroed(arena *a, size_t bytes);
/* A place to return to: everything handed out since is given back. */
size_t arena_mark(const arena *a);
void arena_release(arena *a, size_t mark);
/* The most bytes ever in use at once. */
size_t arena_peak(const arena *a);

/* Aligned memory outside of an arena: 64 bytes, NULL without memory; freed by aligned_release. */
void *aligned_obtain(size_t bytes);
void aligned_release(void *memory);
/* Makes room for `needed` elements of `size` bytes in *array, which is such memory (or NULL), *room elements long.
 * Where it is too short it moves, and its first `kept` elements with it, to memory with a sixteenth to spare: what
 * grows bit by bit is seldom moved. `what` says in the message what there is no memory for. */
dew_result buffer_reserve(void *array, size_t *room, size_t needed, size_t kept, size_t size, const char *what);

#endif
