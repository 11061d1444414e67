/* Inside geometry: the signed distance of a closed mesh, sampled once. */
#ifndef GEOMETRY_MESH_DISTANCE_H
#define GEOMETRY_MESH_DISTANCE_H

#include "geometry/mesh_query.h"

typedef struct mesh_distance mesh_distance;

/* Takes the mesh over (also on failure). `resolution` in m. */
dew_result mesh_distance_create(mesh_distance **d, clean_mesh *mesh, double resolution);
void mesh_distance_destroy(mesh_distance *d);

/* See shape_kind. Within 3 resolutions: interpolated to about 1e-2 resolutions, or asked of the
 * mesh where samples cannot tell (edges, thin walls). Farther away: interpolated on a coarse grid if `band` is less,
 * asked of the mesh if not. */
void mesh_distance_of(const mesh_distance *d, double band, int count, const point_block *p, distance_block *out);
const clean_mesh *mesh_distance_mesh(const mesh_distance *d);

#endif
