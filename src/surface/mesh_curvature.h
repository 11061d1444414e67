/* The curvature that the area of the local meshes has. */
#ifndef SURFACE_MESH_CURVATURE_H
#define SURFACE_MESH_CURVATURE_H

#include "surface/points.h"

/* How far points are from where the surface bends by a radian or more within the reach of the lists, which least
 * squares over that reach do not tell. There kappa is wanted, for this the rings of who is next, and for these who is
 * next again must be told for surface or not. */
enum { MESH_BENT, MESH_RINGS, MESH_SEEN, MESH_FAR };

/* away[n] of each of the store's points, as above, by places with their weights, `sharp` (ghosts too), and lists;
 * *is_bent: whether any is. Leaves other things in `smooth`. */
void surface_find_bends(surface_points *s, uint8_t *away, bool *is_bent);

/* kappa[n], 1/m, of those of the store's points with is_surface that are bent and whose rings are closed, as
 * surface_curvature_above has it; of others it stays what it is. Takes what surface_find_bends takes and gives, and
 * is_surface (ghosts too). `reach`: how far a point looks for its ring, m. Leaves other things in `smooth`.
 * DEW_NO_MEMORY. */
dew_result surface_mesh_curvature(surface_points *s, real spacing, real reach, const uint8_t *away, arena *memory,
                                  real *kappa);

#endif
