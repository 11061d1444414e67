/* Inside geometry: triangles of bodies of revolution (see `round` of a shape), edges about `cell`. */
#ifndef GEOMETRY_TESSELLATE_H
#define GEOMETRY_TESSELLATE_H

#include "geometry/shape_internal.h"

/* A point of a profile: along the axis, away from it. */
typedef struct profile_point {
    double t, r;
} profile_point;

dew_result tessellate_capsule(const shape *s, double cell, triangle_mesh *mesh); /* a sphere is one of no length */
dew_result tessellate_cone(const shape *s, double cell, triangle_mesh *mesh);
dew_result tessellate_torus(const shape *s, double cell, triangle_mesh *mesh);

dew_result tessellate_box(const shape *s, double cell, triangle_mesh *mesh); /* sharp ones only */

#endif
