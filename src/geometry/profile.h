/* Inside geometry: a body that is the same all along one axis, below a chain of points. Its distance is exact. */
#ifndef GEOMETRY_PROFILE_H
#define GEOMETRY_PROFILE_H

#include "geometry/mesh_check.h"

typedef struct profile {
    int across;    /* axis along which the chain runs: 0 x, 1 y; along the other of both the body goes on */
    double *x, *z; /* points of the chain, x ascending */
    int count;
    double bottom, low, high; /* of z; of the other axis */
    clean_mesh mesh;          /* its triangles */
} profile;

void profile_destroy(profile *p);
void profile_distance(const profile *p, int count, const point_block *points, distance_block *out);

#endif
