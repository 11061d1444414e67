/* What depends on the material, on temperature and on what is dissolved: tension of the samples, viscosity of the
 * particles. */
#ifndef METHODS_MPM_ANY_PROPERTIES_H
#define METHODS_MPM_ANY_PROPERTIES_H

#include "methods/mpm/any/fluid.h"
#include "methods/mpm/any/samples.h"

/* Finds the tensions of the samples and the viscosities of the particles. */
dew_result find_properties(const fluid *f, samples *s);

#endif
