/* Items by groups: a counting sort, stable. */
#ifndef BASE_GROUP_H
#define BASE_GROUP_H

#include "base/arena.h"

#include <stdint.h>

/* (*order)[(*begin)[g]] .. (*order)[(*begin)[g + 1] - 1] are the items of group g, of `groups`, ascending. group[k
 * stride]: that of item k; below 0: of none. Both arrays from `memory`; DEW_NO_MEMORY. */
dew_result group_items(arena *memory, const int32_t *group, int stride, int count, int groups, int32_t **order,
                       int32_t **begin);

#endif
