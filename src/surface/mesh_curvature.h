/* The curvature that the area of the local meshes has. */
#ifndef SURFACE_MESH_CURVATURE_H
#define SURFACE_MESH_CURVATURE_H

#include "surface/points.h"

/* kappa[n], 1/m, of those of the store's points with is_surface that are bent and whose rings are closed, as
 * surface_curvature_above has it; of others it stays what it is. Takes what surface_find_bends takes and gives, and
 * is_surface (ghosts too). `reach`: how far a point looks for its ring, m. Leaves other things in `smooth`.
 * DEW_NO_MEMORY. */
dew_result surface_mesh_curvature(surface_points *s, real spacing, real reach, const uint8_t *away, arena *memory,
                                  real *kappa);

#endif
