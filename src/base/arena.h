/* Scratch memory: blocks handed out one after the other, all given back at once; and memory that is kept and grows. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/result.h"

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

/* Arrays of a step: each of up to eight pointers gets room for `count` elements of its own and ARENA_SPARE behind them,
 * so that loops over whole registers or groups may run over the end, and lists of beginnings have one more. Without
 * memory the function that this stands in fails, and tells of how much there is. ARENA_ARRAY declares a pointer, too.
 */
enum { ARENA_SPARE = 16 };
#define ARENA_TRY(arena, count, ...) ARENA_EACH(ARENA_ROOM, arena, count, __VA_ARGS__)
#define ARENA_TRY_ZEROED(arena, count, ...) ARENA_EACH(ARENA_ZEROS, arena, count, __VA_ARGS__)
#define ARENA_ARRAY(arena, count, type, name)                                                                          \
    type *name;                                                                                                        \
    ARENA_TRY(arena, count, name)
#define ARENA_ARRAY_ZEROED(arena, count, type, name)                                                                   \
    type *name;                                                                                                        \
    ARENA_TRY_ZEROED(arena, count, name)

#define ARENA_BYTES(count, pointer) (((size_t)(count) + ARENA_SPARE) * sizeof *(pointer))
#define ARENA_ROOM(a, n, p)                                                                                            \
    if (!((p) = arena_alloc(a, ARENA_BYTES(n, p)))) return arena_exhausted(a, ARENA_BYTES(n, p));
#define ARENA_ZEROS(a, n, p)                                                                                           \
    if (!((p) = arena_zeroed(a, ARENA_BYTES(n, p)))) return arena_exhausted(a, ARENA_BYTES(n, p));
/* `each` of every pointer: by the number of them, the name of the macro that takes so many. */
#define ARENA_EACH(each, a, n, ...)                                                                                    \
    do {                                                                                                               \
        ARENA_NAME(__VA_ARGS__, ARENA_8, ARENA_7, ARENA_6, ARENA_5, ARENA_4, ARENA_3, ARENA_2, ARENA_1, )              \
        (each, a, n, __VA_ARGS__)                                                                                      \
    } while (0)
#define ARENA_NAME(p1, p2, p3, p4, p5, p6, p7, p8, name, ...) name
#define ARENA_1(each, a, n, p) each(a, n, p)
#define ARENA_2(each, a, n, p, ...) each(a, n, p) ARENA_1(each, a, n, __VA_ARGS__)
#define ARENA_3(each, a, n, p, ...) each(a, n, p) ARENA_2(each, a, n, __VA_ARGS__)
#define ARENA_4(each, a, n, p, ...) each(a, n, p) ARENA_3(each, a, n, __VA_ARGS__)
#define ARENA_5(each, a, n, p, ...) each(a, n, p) ARENA_4(each, a, n, __VA_ARGS__)
#define ARENA_6(each, a, n, p, ...) each(a, n, p) ARENA_5(each, a, n, __VA_ARGS__)
#define ARENA_7(each, a, n, p, ...) each(a, n, p) ARENA_6(each, a, n, __VA_ARGS__)
#define ARENA_8(each, a, n, p, ...) each(a, n, p) ARENA_7(each, a, n, __VA_ARGS__)
/* DEW_NO_MEMORY, and its message. */
dew_result arena_exhausted(const arena *a, size_t bytes);

/* A place to return to: everything handed out since is given back. */
size_t arena_mark(const arena *a);
void arena_release(arena *a, size_t mark);

/* Aligned memory outside of an arena: 64 bytes, NULL without memory; freed by aligned_release. */
void *aligned_obtain(size_t bytes);
void aligned_release(void *memory);
/* Makes room for `needed` elements of `size` bytes in *array, which is such memory (or NULL), *room elements long.
 * Where it is too short it moves, and its first `kept` elements with it, to memory with a sixteenth and 16 KB to spare:
 * what grows bit by bit is seldom moved. `what` says in the message what there is no memory for. */
dew_result buffer_reserve(void *array, size_t *room, size_t needed, size_t kept, size_t size, const char *what);

#endif
