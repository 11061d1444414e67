/* Density: an implicit projection of places (Kugelstadt, Longva, Thuerey, Bender 2019, "Implicit density projection for
 * volume conserving liquids").
 *
 * Velocities without divergence, and strains that follow them, keep density only to the order of the scheme; what they
 * miss adds up. So once a step particles are displaced, without velocity, by u = M^-1 g z, the gradient of a potential
 * z of the cubes, with the matrix g and the nodes' masses M of the implicit pressure (pressure.h):
 *
 *     [n + b^2 g^T M^-1 g] z = n E,    displacement b^2 M^-1 g z per cell
 *
 * n: particles of the cube, E: by how much too dense it is. So a cube's volume grows by E - z, z small where a
 * disturbance is shorter than b cells. The columns of g have neither sum nor moment: the centre of mass stays; what the
 * displacements do to momenta is given back (displacement.h).
 *
 * What nodes should have is found by density_target.h. A small part of the excess goes to the strain, so that pressure
 * holds up what would sink again.
 *
 * An emitter in the open moves its last layer on whatever the method does to it. How far that is beyond the motion of
 * the liquid there, no strain has followed: where it is full of liquid the layer was pushed into it, and strains fall
 * by its volume. */
#ifndef METHODS_MPM_ANY_DENSITY_H
#define METHODS_MPM_ANY_DENSITY_H

#include "methods/mpm/any/fluid.h"

/* The share of E that a step takes by displacements, and by the strain: the order of particles makes E noisy, and
 * displacements stir (calibration.md, "Density"). */
#define DENSITY_RATE ((real)0.3)
#define STRAIN_RATE ((real)0.05)

/* Finds the displacements of a step; called while the nodes have their masses. f->displaced is NULL where all is well.
 */
dew_result density_displacements(fluid *f);

/* Displaces the particles: bodies keep their momenta. */
dew_result density_displace(fluid *f);

/* Takes the volume of what emitters have pushed into liquid off its strain, a part each substep: all at once it would
 * be a blow, and leave a void. */
void density_take_pushed(int begin, int end, void *context);

#endif
