/* The rigid motion of the nodes: what has their momentum and their angular momentum. */
#ifndef METHODS_MPM_ANY_RIGID_H
#define METHODS_MPM_ANY_RIGID_H

#include "methods/mpm/any/fluid.h"

typedef struct rigid_motion {
    double centre[3], velocity[3], turn[3]; /* cells, m/s, of the centre of mass; m/s a cell */
} rigid_motion;

rigid_motion nodes_rigid_motion(fluid *f);

/* Its velocity at a node, m/s. */
vquad rigid_velocity(const fluid *f, const rigid_motion *r, int node);

#endif
