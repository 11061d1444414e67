#include "particles/trim.h"

#include "base/parallel.h"

enum { TRIM_GRAIN = 64 };

typedef struct trimming {
    pair_lists from;
    const real4 *x;
    real limit2;
    uint8_t *near; /* a bit for each of four members that is near one of the group, by their place in `from` */
    int *begin;    /* of each group's new list, in units of four; until that is known how long it is */
    uint16_t *entries;
} trimming;

static inline unsigned near_of_four(const trimming *t, int group, const uint16_t *at, int base)
{
    unsigned near = 0;
    for (int block = group * (4 / PAIR_I); block < (group + 1) * (4 / PAIR_I); block++) {
        vreal4 i = pair_i(t->x, block);
        for (int k = 0; k < 4; k += PAIR_J) {
            vreal4 b = pair_j(t->x, (pair_cursor){at + k, base});
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            unsigned any = vless(dx * dx + dy * dy + dz * dz, vset(t->limit2));
            if (PAIR_I == 4) any |= any >> 1, any |= any >> 2; /* lane = PAIR_I j + i */
            for (int j = 0; j < PAIR_J; j++) near |= (any >> (PAIR_I * j) & 1) << (k + j);
        }
    }
    return near;
}

/* Lists keep their parts, those that are empty now, too. */
static void find_near(int begin, int end, void *context)
{
    const trimming *t = context;
    for (int g = begin; g < end; g++) {
        int quads = 0;
        for (pair_part part = pair_first(t->from, g); part.begin; part = pair_next(part)) {
            int kept = 0;
            for (const uint16_t *at = part.begin; at < part.end; at += 4) {
                unsigned near = near_of_four(t, g, at, part.base);
                t->near[(at - t->from.entries) / 4] = (uint8_t)near, kept += __builtin_popcount(near);
            }
            quads += PART_HEADER / 4 + (kept + 3) / 4;
        }
        t->begin[g] = quads;
    }
}

/* What is near, then, up to a multiple of four, of what is not. Returns the part's end; writes before `end` alone. */
static uint16_t *write_part(const trimming *t, pair_part part, uint16_t *restrict to, const uint16_t *end)
{
    uint16_t *out = to + PART_HEADER, far = 0;
    int n = 0;
    for (const uint16_t *at = part.begin; at < part.end; at += 4) {
        unsigned near = t->near[(at - t->from.entries) / 4];
        if (near != 15) far = at[__builtin_ctz(~near)];
        if (out + n + 4 <= end) {
            n += compress_four(out + n, at, near);
            continue;
        }
        for (int k = 0; k < 4; k++)
            if (near >> k & 1) out[n++] = at[k];
    }
    while (n % 4) out[n++] = far;
    to[0] = (uint16_t)part.base, to[1] = (uint16_t)((uint32_t)part.base >> 16);
    to[2] = (uint16_t)(n / 4), to[3] = part.has_next;
    return out + n;
}

static void write_lists(int begin, int end, void *context)
{
    const trimming *t = context;
    for (int g = begin; g < end; g++) {
        uint16_t *to = t->entries + 4 * (size_t)t->begin[g], *list_end = t->entries + 4 * (size_t)t->begin[g + 1];
        for (pair_part part = pair_first(t->from, g); part.begin; part = pair_next(part))
            to = write_part(t, part, to, list_end);
    }
}

dew_result pairs_trim(pair_lists *lists, const particles *p, real radius, arena *memory)
{
    trimming t = {.from = *lists, .x = p->position, .limit2 = radius * radius * (real)(1 + 1e-5)};
    int groups = (p->count + 3) / 4;
    ARENA_TRY(memory, groups + 1, t.begin);
    ARENA_TRY(memory, lists->count / 4, t.near);
    parallel_for(groups, TRIM_GRAIN, find_near, &t);
    size_t used = 4 * (size_t)(t.begin[groups] = parallel_prefix_sum(groups, t.begin));
    ARENA_TRY(memory, used, t.entries);
    parallel_for(groups, TRIM_GRAIN, write_lists, &t);
    *lists = (pair_lists){(const uint32_t *)t.begin, t.entries, used};
    return DEW_OK;
}
