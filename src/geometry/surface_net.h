/* Inside geometry: triangles of the zero set of a field. */
#ifndef GEOMETRY_SURFACE_NET_H
#define GEOMETRY_SURFACE_NET_H

#include "geometry/shape_internal.h"

/* A field that is negative inside. Values estimate the distance to its surface and gradients are unit; both must be
 * good near the surface only. */
typedef void field_fcn(void *context, double band, int count, const point_block *p, distance_block *out);

/* Something with the field's sign and zeros in any unit, where it costs less than the field does. */
typedef void level_fcn(void *context, int count, const point_block *p, double *out);

typedef struct net_def {
    field_fcn *field;
    level_fcn *level; /* of the grid's nodes; NULL: the field */
    void *context;
    bounds within; /* finite; beyond it everything is outside, so that the net is closed */
    double cell;
    bool is_serial; /* the field may be asked by one thread at a time only */
    double
        caution; /* blocks whose centre is nearer to the surface than caution x their half diagonal are looked into */
} net_def;

dew_result surface_net(const net_def *def, triangle_mesh *mesh);

#endif
