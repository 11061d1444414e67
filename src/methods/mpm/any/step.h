/* A step of the method: what moves, in what order. */
#ifndef METHODS_MPM_ANY_STEP_H
#define METHODS_MPM_ANY_STEP_H

#include "methods/mpm/any/fluid.h"

/* Sorts the particles and finds the surface: all is ready for substeps of dt. time: of the whole step, s. */
dew_result fluid_begin(fluid *f, mpm_state *p, world *w, double dt, double time);

/* Brings particles and points to the grid: nodes get their velocities after a substep of all forces but those that are
 * implicit. */
dew_result find_nodes(fluid *f);

#endif
