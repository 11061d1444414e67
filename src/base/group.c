#include "base/group.h"

dew_result group_items(arena *memory, const int32_t *group, int stride, int count, int groups, int32_t **order,
                       int32_t **begin)
{
    ARENA_TRY(memory, count, *order);
    ARENA_TRY_ZEROED(memory, groups, *begin);
    int32_t *next = *begin + 1; /* of each group: where it begins, then where it goes on, at last where it ends */
    for (int k = 0; k < count; k++)
        if (group[(size_t)k * (size_t)stride] >= 0) next[group[(size_t)k * (size_t)stride] + 1]++;
    for (int g = 0; g < groups; g++) next[g + 1] += next[g];
    for (int k = 0; k < count; k++)
        if (group[(size_t)k * (size_t)stride] >= 0) (*order)[next[group[(size_t)k * (size_t)stride]]++] = k;
    return DEW_OK;
}
