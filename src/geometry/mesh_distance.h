/* Inside geometry: the signed distance of a closed mesh, sampled once. */
#ifndef GEOMETRY_MESH_DISTANCE_H
#define GEOMETRY_MESH_DISTANCE_H

#include "geometry/mesh_query.h"

typedef struct mesh_distance mesh_distance;

/* Gives a shape that has its body's mesh the distance from it, too. On failure what there is belongs to the shape all
 * the same. */
dew_result mesh_distance_create(shape *s);
void mesh_distance_destroy(mesh_distance *d);

/* The distance of such a shape, see shape_kind. Within 3 resolutions: interpolated to about 1e-2 resolutions, or asked
 * of the mesh where samples cannot tell (edges, thin walls). Farther away: interpolated on a coarse grid if `band` is
 * less, asked of the mesh if not. */
void mesh_distance_of(const shape *s, double band, int count, const point_block *p, distance_block *out);

#endif
