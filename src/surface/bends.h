/* Where the surface bends more than sums over the lists' reach can tell. */
#ifndef SURFACE_BENDS_H
#define SURFACE_BENDS_H

#include "surface/points.h"

/* How far points are from where the surface bends by a radian or more within the reach of the lists, which least
 * squares over that reach do not tell. There kappa is wanted, for this the rings of who is next, and for these who is
 * next again must be told for surface or not. */
enum { MESH_BENT, MESH_RINGS, MESH_SEEN, MESH_FAR };

/* away[n] of each of the store's points, as above, by places with their weights, `sharp` (ghosts too), and lists;
 * *is_bent: whether any is. Leaves other things in `smooth`. */
void surface_find_bends(surface_points *s, uint8_t *away, bool *is_bent);

#endif
