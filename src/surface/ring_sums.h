/* Vectors that rings give to their members and to their own particles, and what each particle gets: sums without races,
 * in a fixed order, whatever the threads. */
#ifndef SURFACE_RING_SUMS_H
#define SURFACE_RING_SUMS_H

#include "surface/surface.h"

typedef struct ring_sums {
    const rings *r;
    const particles *p;
    real4 *member;    /* by member of a ring */
    real4 *centre;    /* by ring: for its own particle */
    int32_t *ring_of; /* by owned slot; -1: none */
} ring_sums;

/* All from `memory`; DEW_NO_MEMORY. */
dew_result ring_sums_open(ring_sums *s, const rings *r, const particles *p, arena *memory);

/* The area of a ring's triangles, whose corners stand at position + lift normal; its gradient by each corner, normals
 * held fixed, becomes member[] and centre[] of the ring: their sum is zero to rounding. */
real ring_area(const ring_sums *s, int ring, const real4 *position, const real4 *normal, real lift);

/* The same in the plane: the length of a ring's edges, each of which its other end has, too, so that half counts. */
real ring_length(const ring_sums *s, int ring, const real4 *position, const real4 *normal, real lift);

/* What a ring gives, times a factor. */
void ring_sums_scale(const ring_sums *s, int ring, real factor);

/* sum[j] of [0, p->end): for owned slots what it is already if `go_on`, else 0, plus all that is given to j; what
 * ghosts are given goes to their owners. */
void ring_sums_gather(const ring_sums *s, bool go_on, real4 *sum);

#endif
