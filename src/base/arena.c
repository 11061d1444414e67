#include "base/arena.h"

#include "base/result.h"

#include <stdlib.h>
#include <string.h>

/* A list of blocks, each at least twice the size of the last: few, large ones. A mark is the number of bytes handed out
 * in all, counted over the blocks in order, so that releasing never needs to look inside. */

enum { ALIGNMENT = 64, FIRST_BLOCK = 1 << 20, MAX_BLOCKS = 48, SPARE = 1 << 14 };

struct arena {
    char *block[MAX_BLOCKS];
    size_t size[MAX_BLOCKS];
    int current, blocks;
    size_t used;   /* of the current block */
    size_t before; /* sizes of the blocks before the current one */
};

void *aligned_obtain(size_t bytes)
{
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT);
}

void aligned_release(void *memory) { free(memory); }

dew_result buffer_reserve(void *array, size_t *room, size_t needed, size_t kept, size_t size, const char *what)
{
    void *old, *larger;
    if (needed <= *room) return DEW_OK;
    memcpy(&old, array, sizeof old);
    if (!kept) aligned_release(old), old = NULL, *room = 0;
    size_t most = needed + needed / 16 + SPARE / size + 1;
    larger = aligned_obtain(most * size);
    if (larger && kept) memcpy(larger, old, kept * size);
    if (larger) aligned_release(old), old = larger, *room = most;
    memcpy(array, &old, sizeof old);
    return larger ? DEW_OK
                  : result_fail(DEW_NO_MEMORY, "no memory for %s (%.0f MB)", what, (double)(most * size) / 1e6);
}

arena *arena_create(void) { return calloc(1, sizeof(arena)); }

void arena_destroy(arena *a)
{
    if (!a) return;
    for (int k = 0; k < a->blocks; k++) aligned_release(a->block[k]);
    free(a);
}

static int next_block(arena *a, size_t bytes)
{
    int next = a->blocks ? a->current + 1 : 0;
    if (next >= MAX_BLOCKS) return 0;
    if (next < a->blocks && a->size[next] < bytes) { /* too small for this request: replace it */
        aligned_release(a->block[next]);
        for (int k = next; k + 1 < a->blocks; k++) a->block[k] = a->block[k + 1], a->size[k] = a->size[k + 1];
        a->blocks--;
        return next_block(a, bytes);
    }
    if (next == a->blocks) {
        size_t size = next ? 2 * a->size[next - 1] : FIRST_BLOCK;
        while (size < bytes) size *= 2;
        a->block[next] = aligned_obtain(size);
        if (!a->block[next]) return 0;
        a->size[next] = size;
        a->blocks++;
    }
    if (next) a->before += a->size[next - 1];
    a->current = next;
    a->used = 0;
    return 1;
}

void *arena_alloc(arena *a, size_t bytes)
{
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!a->blocks || a->used + bytes > a->size[a->current])
        if (!next_block(a, bytes)) return NULL;
    void *memory = a->block[a->current] + a->used;
    a->used += bytes;
    return memory;
}

void *arena_zeroed(arena *a, size_t bytes)
{
    void *memory = arena_alloc(a, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

dew_result arena_exhausted(const arena *a, size_t bytes)
{
    return result_fail(DEW_NO_MEMORY,
                       "no memory for a step: it asks for %.3g MB more than the %.3g MB it has.\n"
                       "What to change: a larger spacing has fewer particles",
                       (double)bytes / 1e6, (double)arena_mark(a) / 1e6);
}

size_t arena_mark(const arena *a) { return a->before + a->used; }

void arena_release(arena *a, size_t mark)
{
    while (a->current > 0 && mark < a->before) a->current--, a->before -= a->size[a->current];
    a->used = mark - a->before;
}
