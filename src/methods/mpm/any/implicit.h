/* What of a substep is implicit, in which order: pressures alone, viscosity before them, or all in one system. */
#ifndef METHODS_MPM_ANY_IMPLICIT_H
#define METHODS_MPM_ANY_IMPLICIT_H

#include "methods/mpm/any/fluid.h"

/* Nodes with the velocities that explicit forces give them get those of the end of the substep, by all that is
 * implicit. */
dew_result solve_implicit(fluid *f);

#endif
