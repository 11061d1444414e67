/* Viscosity and pressure implicit, in one system. */
#ifndef METHODS_SPH_CREEP_H
#define METHODS_SPH_CREEP_H

#include "methods/sph/flow.h"

/* After the forces, viscosity left out: to the velocities and pressures at the step's end. `before`: velocities before
 * the forces, m/s. */
dew_result sph_creep(flow *k, const real4 *before);

#endif
