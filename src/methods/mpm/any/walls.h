/* Which walls a particle is near to, how they are bent, and that nothing stays inside of one (mirror.h has what they
 * do). */
#ifndef METHODS_MPM_ANY_WALLS_H
#define METHODS_MPM_ANY_WALLS_H

#include "methods/mpm/any/fluid.h"

/* The faces of a solid that a point has within reach, as solids_distance tells them: the nearest, and those that meet
 * it at an inner edge, each as the plane that it is at its foot. Returns how many, MOST_WALLS at most. */
int solid_faces(const solids *s, int solid, real reach, real4 x, real4 side[MOST_WALLS]);

/* Lets nothing stay inside a solid. */
void leave_walls(int begin, int end, void *context);

/* Finds for each particle how many walls are near, and how near. */
dew_result walls_find(fluid *f);

/* Finds the walls that each owner sees, the nearest first. It has room for owner.wall_count of them; where it sees
 * fewer, the rest are infinitely far away. */
void see_walls(int begin, int end, void *context);

#endif
