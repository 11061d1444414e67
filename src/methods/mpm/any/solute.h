/* What is dissolved: dc/dt = D div grad c inside, -D dc/dn = k c through the free surface, k the material's
 * `evaporation`; nothing passes into solids. The liquid keeps its volume: what leaves is taken to be little of it. */
#ifndef METHODS_MPM_ANY_SOLUTE_H
#define METHODS_MPM_ANY_SOLUTE_H

#include "methods/mpm/any/fluid.h"
#include "methods/mpm/any/samples.h"

/* Spreads what is dissolved over dt between the particles as they stand in the grid, and lets it leave through the
 * samples of the free surface. */
dew_result spread_solute(const fluid *f, const samples *s, double dt);

#endif
