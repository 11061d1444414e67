/* The pressure by which tension is borne at rest, without a strain.
 *
 * Where c is 12 capillary speeds, 2 gamma/R presses a drop by 1.4 %, and by twice that when it begins to. But it is
 * known beforehand: where the free surface of liquid at rest goes outwards, gamma dA = p dV. So p = gamma dA/dV of each
 * body's contour (2 gamma/R of a ball, gamma/a of a thread, 0 of a film and of a pool) belongs to the volume at rest,
 * with q = p/lambda:
 *
 *     p = -lambda e,    volume over that at rest: 1 + e + q.
 *
 * Pressures change by lambda dq where a body's contour does, or a particle comes into another body. Where p is not that
 * of rest, e + q is what it was without: a strain by the rest of the pressure. */
#ifndef METHODS_MPM_ANY_REST_STRAIN_H
#define METHODS_MPM_ANY_REST_STRAIN_H

#include "methods/mpm/any/fluid.h"
#include "methods/mpm/any/samples.h"

/* Finds q of each body, and gives it to its particles. */
dew_result rest_strains_find(fluid *f, const samples *s);

/* q of a cube of nodes: of the body that it is in. */
real rest_strain_of_cube(const fluid *f, int cube);

#endif
