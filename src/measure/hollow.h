/* Air within liquid. */
#ifndef MEASURE_HOLLOW_H
#define MEASURE_HOLLOW_H

#include "measure/near.h"
#include "measure/quantities.h"

/* How far from the place points have to be gathered, in spacings. */
#define HOLLOW_REACH 3.4

/* Whether about x there is a ball of 1.3 spacings without a particle and clear of solids: that much liquid leaves free
 * nowhere, however little order its particles are in (a lattice 0.87, liquid that is stirred 1.2 to 1.3). near: the
 * `count` points within HOLLOW_REACH. */
bool measure_is_hollow(const measurement *m, dew_vec3 x, const near_point *near, int count);

#endif
