/* Connected parts of a mesh of triangles, with their areas and volumes. */
#ifndef SURFACE_MESH_PARTS_H
#define SURFACE_MESH_PARTS_H

#include "base/arena.h"
#include "geometry/shape.h"

static inline dew_vec3 mesh_vertex(const triangle_mesh *m, int v) { return vec3_of_floats(m->vertices + 3 * v); }
/* Twice the area of triangle k, as a vector outwards. */
dew_vec3 mesh_normal(const triangle_mesh *m, int k);
/* The volume between triangle k and a point. */
double mesh_volume(const triangle_mesh *m, int k, dew_vec3 from);

/* Arrays by vertex; what a part has stands at its root, which is its first vertex. */
typedef struct mesh_parts {
    const triangle_mesh *mesh;
    int32_t *parent;
    double *area, *volume;
    dew_vec3 *from; /* the point that the volume is against; the origin unless it is set before triangles are added */
} mesh_parts;

/* Every vertex is a part of its own then. Arrays from `memory`; DEW_NO_MEMORY. */
dew_result mesh_parts_begin(mesh_parts *p, const triangle_mesh *m, arena *memory);
/* Joins the parts of triangle k's vertices: all triangles are joined first, and added then. */
void mesh_parts_join(mesh_parts *p, int k);
int mesh_parts_root(mesh_parts *p, int vertex);
/* Adds triangle k's area and volume to its part. */
void mesh_parts_add(mesh_parts *p, int k);

#endif
