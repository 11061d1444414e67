/* How much a point of a surface counts for another one. */
#ifndef SURFACE_PAIR_WEIGHT_H
#define SURFACE_PAIR_WEIGHT_H

#include "particles/pairs.h"

/* The neighbour's own weight, b.w, the kernel, and that it looks the same way, by normals n and m (films have two
 * sides). d: from i to b. */
static inline vreal surface_pair_weight(vreal4 i, vreal4 b, vreal4 n, vreal4 m, vreal inv_reach, vreal *dx, vreal *dy,
                                        vreal *dz)
{
    *dx = b.x - i.x, *dy = b.y - i.y, *dz = b.z - i.z;
    vreal t = vmax(1 - vsqrt(*dx * *dx + *dy * *dy + *dz * *dz) * inv_reach, vset(0));
    return t * t * t * b.w * vmax(vdot3(n, m), vset(0));
}

#endif
