/* The surface of a step: contour, order of particles, samples, and who owns them. */
#ifndef METHODS_MPM_ANY_SURFACE_H
#define METHODS_MPM_ANY_SURFACE_H

#include "methods/mpm/any/fluid.h"

/* Sums of the particles' volumes, for each body. */
void sum_particle_volumes(int begin, int end, void *context, double *sums);

/* Finds the contour of now, in which the particles of each body have their volume. */
dew_result find_contour(fluid *f, contour *c);

/* Finds the surface of now, its samples and who owns them; shifts the particles. `time`: of the step, s. */
dew_result find_surface(fluid *f, double time);

#endif
