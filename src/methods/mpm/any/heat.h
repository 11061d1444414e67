/* Heat (paper, eq. 10): rho c dT/dt = div k grad T + H, k dT/dn = h (T_surroundings - T) + b on the surface. What
 * spreads is the temperature, K, with diffusivity k/(rho c), and through the surface h/(rho c), m/s. */
#ifndef METHODS_MPM_ANY_HEAT_H
#define METHODS_MPM_ANY_HEAT_H

#include "methods/mpm/any/fluid.h"
#include "methods/mpm/any/samples.h"

/* Conducts heat over dt between the particles as they stand in the grid, and through the samples of the surface. */
dew_result conduct_heat(const fluid *f, const samples *s, double dt);

#endif
