/* Which walls a particle is near to, how they are bent, and that nothing stays inside of one (mirror.h has what they
 * do). */
#ifndef METHODS_MPM_ANY_WALLS_H
#define METHODS_MPM_ANY_WALLS_H

#include "methods/mpm/any/fluid.h"

/* Lets nothing stay inside a solid. */
void leave_walls(int begin, int end, void *context);

/* Finds for each particle whether a solid is near, and how near. */
dew_result walls_find(fluid *f);

/* Finds the walls that each owner sees, the nearest first. It has room for owner.wall_count of them; where it sees
 * fewer, the rest are infinitely far away. */
void see_walls(int begin, int end, void *context);

#endif
