/* Narrowing a list of candidates. Without branches: which of them pass is anybody's guess. */
#ifndef SURFACE_SELECT_H
#define SURFACE_SELECT_H

#include "base/real.h"

/* Writes the members of candidate[0..length) within reach of the centre to selected, in order; returns how many. The
 * two may be the same array. */
static inline int select_within(const real4 *position, real4 centre, real reach2, const int32_t *candidate, int length,
                                int32_t *selected)
{
    int count = 0;
    for (int k = 0; k < length; k++) {
        int32_t j = candidate[k];
        real4 b = position[j];
        real x = b.x - centre.x, y = b.y - centre.y, z = b.z - centre.z;
        selected[count] = j;
        count += x * x + y * y + z * z <= reach2;
    }
    return count;
}

#endif
