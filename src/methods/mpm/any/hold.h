/* Walls that hold liquid: Navier's condition, by what the half space behind a wall does to the viscous sum of a
 * particle (solids/shear.h). Mirrors alone let liquid slip; what a wall takes from it goes by the liquid's own
 * viscosity here, since a mirror that turns velocities round (mirror_stick) takes by the transfers' too, which is
 * several times water's.
 *
 * Where a contact line moves, what the wedge below a spacing takes of it is taken of the particles that own its
 * samples, as the angle of a moving line (solids/moving_line.h) has it.
 *
 * Where viscosity is implicit a substep is longer than a layer bears by itself: there mirrors turn velocities round,
 * but for particles at contact lines. */
#ifndef METHODS_MPM_ANY_HOLD_H
#define METHODS_MPM_ANY_HOLD_H

#include "methods/mpm/any/fluid.h"

/* Slows particles next to walls that hold, as they have just moved; places stay, or the motion would lose its volume
 * (a cap that spread gained a third of its energy). */
void hold_at_walls(int begin, int end, void *context);

#endif
