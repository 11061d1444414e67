/* What an emitter holds in a pipe is a piston: it moves with the inflow, whatever the liquid does.
 *
 * Held particles bring to the nodes, besides what they are, a ballast of HELD_BALLAST times their mass that moves with
 * the inflow: in the solve nodes next to them have its velocity, but for what one in so many lacks. What the liquid
 * gives the ballast is the emitter's: it goes to the velocities of the held particles, which the emitter takes back to
 * its own after the step, and books what that brings.
 *
 * In the open there is no ballast: it would be a rod in the liquid, which takes along what is within a cell and a half
 * of it (a drop that was fed through a plane let go of it). There layers that the emitter moves farther than the flow
 * would are pushed into the liquid (density.h). */
#ifndef METHODS_MPM_ANY_PISTON_H
#define METHODS_MPM_ANY_PISTON_H

#include "methods/mpm/any/fluid.h"

/* A particle that an emitter holds. */
typedef struct held_particle {
    int32_t slot;
    real4 velocity; /* of the inflow, m/s; w: 1 */
    real4 given;    /* to its ballast in the step, over its mass, m/s */
} held_particle;

/* Lists what is held. */
dew_result piston_find(fluid *f);

/* Nodes that have velocities get those of the ballast too. */
void piston_move_nodes(fluid *f);

/* Adds what the ballast has got in a substep. */
void piston_add_given(fluid *f);

/* Hands what the ballast has got in the step to the particles. */
void piston_take_given(fluid *f);

#endif
