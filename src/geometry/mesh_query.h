/* Inside geometry: the nearest point of a mesh (Embree) and whether a point is inside (winding number). All in the
 * units of a clean_mesh. Thread safe once made. */
#ifndef GEOMETRY_MESH_QUERY_H
#define GEOMETRY_MESH_QUERY_H

#include "geometry/mesh_check.h"

typedef struct mesh_query mesh_query;

/* The mesh must outlive the query. */
dew_result mesh_query_create(mesh_query **q, const clean_mesh *mesh);
void mesh_query_destroy(mesh_query *q);

typedef struct nearest {
    double distance;
    dew_vec3
        away; /* unit vector from the nearest point to the asked one; at the surface itself the triangle's normal */
    bool is_on_surface; /* `away` is such a normal: it does not change sign inside */
} nearest;

/* `radius`: no point farther than this is nearest; INFINITY if nothing is known. distance is infinite if there is none
 * within. */
nearest mesh_nearest(const mesh_query *q, dew_vec3 point, double radius);
/* Whether the straight line between two points meets no triangle. */
bool mesh_sees(const mesh_query *q, dew_vec3 from, dew_vec3 to);
/* Whether the winding number is above 0. */
bool mesh_is_inside(const mesh_query *q, dew_vec3 point);

#endif
