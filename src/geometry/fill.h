/* Inside geometry: what filling on a lattice and relaxed filling share. */
#ifndef GEOMETRY_FILL_H
#define GEOMETRY_FILL_H

#include "geometry/shape_internal.h"

/* Inside one shape, outside another (which may be NULL); `whole`: the one less the other. */
typedef struct fill_region {
    const shape *inside, *avoid, *whole;
    int filling; /* of the lattice: 0 as it lies, else turned and shifted */
} fill_region;

/* A number in [0, 1) from a counter (splitmix64). */
double fill_random(uint64_t counter);

/* Sites of a lattice (hexagonal unless `fill` is cubic) with distance to the shape < limit and distance to what is
 * avoided >= avoid_limit; the region's distance in w. */
dew_result fill_lattice(const fill_region *region, dew_fill fill, int dimension, double spacing, double limit,
                        double avoid_limit, real4 **positions, int *count);

/* Even sites, the right number of them: see relax.c. */
dew_result fill_relaxed(const fill_region *region, int dimension, double spacing, real4 **positions, int *count);

#endif
