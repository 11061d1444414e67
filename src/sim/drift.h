/* The frame of reference of a step. Newton's laws are the same in every frame that moves evenly (Galilei 1632), but
 * methods are not: the speed of sound, steps in which nothing may cross a cell, and grids that stand still know
 * absolute velocities, and a drop that flies would be damped more than one at rest. So liquid that flies alone is
 * computed in the frame of its own centre of mass, which falls, so that it knows no gravity and its fall is exact; next
 * to a solid in the one that goes along with the solid; and where there are emitters, bodies that the liquid moves,
 * periodic or symmetry faces, in that of the scene. */
#ifndef SIM_DRIFT_H
#define SIM_DRIFT_H

#include "methods/method.h"

typedef struct drift {
    dew_vec3 velocity; /* of the frame when the step begins, m/s; 0: that of the scene */
    dew_vec3 gravity;  /* that of the scene */
    bool is_alone;     /* no solid is near; they are not looked at in the frame */
    double gap;        /* then: no solid is nearer to the liquid, m */
} drift;

/* The frame of the liquid as it is now. */
drift drift_of(const world *w, bool has_emitters);
/* Whether a step of dt leads no nearer to solids than methods look. */
bool drift_may_last(const drift *d, const world *w, double dt);
/* Takes the frame's velocity off all that is near, and gravity off a frame that falls; gives them back, with the way
 * that the frame went in dt. */
void drift_leave(drift *d, world *w);
void drift_return(const drift *d, world *w, double dt);

#endif
