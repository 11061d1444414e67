/* How much of a kernel lies within a solid, where that is not as good as a half space: edges, corners, ridges and
 * grooves narrower than the kernel. */
#ifndef METHODS_SPH_SOLID_MAP_H
#define METHODS_SPH_SOLID_MAP_H

#include "solids/solids.h"

typedef struct solid_map solid_map;

/* `support` H, m. Parts are made when they are first asked for, and kept; they depend on the solids' shapes alone. */
dew_result solid_map_create(solid_map **m, const solids *all, double support);
void solid_map_destroy(solid_map *m);

typedef enum solid_look { SOLID_PLANE, SOLID_MAPPED, SOLID_UNKNOWN } solid_look;

/* Of the kernel at x: the part c in the solid (w) and its gradient times H. SOLID_PLANE: a half space will do.
 * SOLID_UNKNOWN: solid_map_want it. Thread safe. */
solid_look solid_map_at(const solid_map *m, int solid, real3 x, real4 *inside);
/* Asks for the part of the map around x; not thread safe. Then makes all that were asked for. */
dew_result solid_map_want(solid_map *m, int solid, real3 x);
dew_result solid_map_make(solid_map *m);

#endif
