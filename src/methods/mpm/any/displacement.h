/* Displacements without velocity, of the order of particles (shift.h) and of density (density.h): bodies keep momentum,
 * angular momentum and what they carry. */
#ifndef METHODS_MPM_ANY_DISPLACEMENT_H
#define METHODS_MPM_ANY_DISPLACEMENT_H

#include "methods/mpm/any/fluid.h"

/* Moves each particle by its displacement, m (w: nothing), v += A d. Where `is_unseen`, what the grid sees of the
 * displacements is taken off first, of bodies at walls and where viscosity is implicit. A body keeps its momentum, its
 * angular momentum and what it carries, and where it touches no wall its centre of mass: the mean of its displacements
 * is taken off, and from its velocities what they have added, as of a rigid body. */
dew_result displace_particles(fluid *f, int body_count, real4 *displacement, bool is_unseen);

#endif
