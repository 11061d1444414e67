/* Liquid that flows out: particles beyond the faces of an axis `outflow` are removed, and counted. */
#ifndef SIM_OUTFLOW_H
#define SIM_OUTFLOW_H

#include "methods/method.h"

/* What a step took away: exact but for its surface, which nobody measures (watch_outflow). */
typedef struct outflow {
    double count, mass, kinetic, potential;
    dew_vec3 momentum;
} outflow;

/* After a step. */
dew_result outflow_take(world *w, outflow *out);

#endif
