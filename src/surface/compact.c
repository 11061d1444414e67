/* Slots with a flag, in ascending order: each block counts, the blocks' counts are added up, each block writes. */

#include "base/parallel.h"
#include "surface/surface.h"

enum { COMPACT_BLOCKS = 256, COMPACT_SMALLEST = 4096 };

typedef struct compact_work {
    const uint8_t *flag;
    int32_t *list;
    int block; /* slots in each */
    int place[COMPACT_BLOCKS];
} compact_work;

static void count_block(int begin, int end, void *context)
{
    compact_work *work = context;
    int total = 0;
    for (int i = begin; i < end; i++) total += work->flag[i] != 0;
    work->place[begin / work->block] = total;
}

static void write_block(int begin, int end, void *context)
{
    compact_work *work = context;
    int place = work->place[begin / work->block];
    for (int i = begin; i < end; i++)
        if (work->flag[i]) work->list[place++] = i;
}

int surface_compact(const uint8_t *flag, int count, int32_t *list)
{
    if (count <= 0) return 0;
    int block = (count - 1) / COMPACT_BLOCKS + 1;
    compact_work work = {flag, list, block < COMPACT_SMALLEST ? COMPACT_SMALLEST : block, {0}};
    parallel_for(count, work.block, count_block, &work);
    int total = parallel_prefix_sum((count - 1) / work.block + 1, work.place);
    parallel_for(count, work.block, write_block, &work);
    return total;
}
