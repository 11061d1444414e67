/* Slots with a flag, in ascending order: each block counts, the blocks' counts are added up, each block writes. */

#include "base/parallel.h"
#include "surface/surface.h"

enum { COMPACT_BLOCKS = 256, COMPACT_SMALLEST = 4096 };

typedef struct compact_work {
    const uint8_t *flag;
    int32_t *list;
    int count, block;
    int place[COMPACT_BLOCKS];
} compact_work;

static int block_end(const compact_work *work, int b)
{
    return b < (work->count - 1) / work->block ? (b + 1) * work->block : work->count;
}

static void count_blocks(int begin, int end, void *context)
{
    compact_work *work = context;
    for (int b = begin; b < end; b++) {
        int total = 0;
        for (int i = b * work->block; i < block_end(work, b); i++) total += work->flag[i] != 0;
        work->place[b] = total;
    }
}

static void write_blocks(int begin, int end, void *context)
{
    compact_work *work = context;
    for (int b = begin; b < end; b++) {
        int place = work->place[b];
        for (int i = b * work->block; i < block_end(work, b); i++)
            if (work->flag[i]) work->list[place++] = i;
    }
}

int surface_compact(const uint8_t *flag, int count, int32_t *list)
{
    if (count <= 0) return 0;
    int block = (int)(((long long)count + COMPACT_BLOCKS - 1) / COMPACT_BLOCKS);
    compact_work work = {flag, list, count, block < COMPACT_SMALLEST ? COMPACT_SMALLEST : block, {0}};
    int blocks = (count - 1) / work.block + 1;
    parallel_for(blocks, 1, count_blocks, &work);
    int total = parallel_prefix_sum(blocks, work.place);
    parallel_for(blocks, 1, write_blocks, &work);
    return total;
}
