/* Lists hold for steps to come, and so reach farther than any pair in it; a step with many loops over pairs begins
 * with lists of its own, of what is near now. */
#ifndef PARTICLES_TRIM_H
#define PARTICLES_TRIM_H

#include "base/arena.h"
#include "particles/pairs.h"

/* Takes out of `lists` what is `radius` (m) or more from all four of its group, at the places of now, ghosts' too; the
 * order stays, and none is in front. What it points to then is in `memory`. DEW_NO_MEMORY. */
dew_result pairs_trim(pair_lists *lists, const particles *p, real radius, arena *memory);

#endif
