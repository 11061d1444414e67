/* What measurements by samples look at: particles, and directions. */
#ifndef MEASURE_SAMPLES_H
#define MEASURE_SAMPLES_H

#include "measure/quantities.h"

/* Every so many-th particle by its id, so that the order of storage does not matter: about `samples` of them, into
 * sample[0..], which has room for all; how many. */
int samples_choose(const measurement *m, int samples, int32_t *sample);

enum { MOST_DIRECTIONS = 26 };
/* Unit vectors to the middles of a cube's faces (kind 1), its edges (2) and its corners (3); in two dimensions of a
 * square's sides (1) and corners (2). How many: 26, 8. kind: NULL, or of each. */
int samples_directions(int dimension, dew_vec3 *direction, int *kind);

#endif
