/* Inside geometry: a body that is the same all along one axis, below a chain of points. Its distance is exact. */
#ifndef GEOMETRY_PROFILE_H
#define GEOMETRY_PROFILE_H

#include "geometry/mesh_check.h"

typedef struct profile {
    int across;               /* axis along which the chain runs: 0 x, 1 y; along the other of both the body goes on */
    double bottom, low, high; /* of z; of the other axis */
    int count;
    double *x, *z;  /* points of the chain, x ascending */
    double place[]; /* room for both */
} profile;

/* The distance of a shape whose body has a profile, see shape_kind. */
void profile_distance(const shape *s, double band, int count, const point_block *points, distance_block *out);

#endif
