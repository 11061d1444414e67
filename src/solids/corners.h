/* Inside solids: whether a place sees another face of the same solid. */
#ifndef SOLIDS_CORNERS_H
#define SOLIDS_CORNERS_H

#include "base/real.h"

/* Faces that differ by less are one that bends: cos 30 degrees. */
#define CORNER_COSINE ((real)0.866)

/* `seen` from a place is another face than that with this outward normal, and cuts off liquid that the plane through
 * that one would leave: the edge between them points inwards. `plane`: the place's distance from the plane. */
static inline bool corner_is_other(real4 seen, real3 normal, real plane)
{
    return seen.w < plane && real3_dot(real3_of(seen), normal) < CORNER_COSINE;
}

#endif
