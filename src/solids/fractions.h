/* How much of a particle's kernel lies beyond planes: tables made once a support radius (dimensionless, lengths over
 * h). */
#ifndef SOLIDS_FRACTIONS_H
#define SOLIDS_FRACTIONS_H

#include "base/real.h"

typedef struct fractions fractions;

/* NULL without memory. */
fractions *fractions_create(void);
void fractions_destroy(fractions *f);

/* D(u): the fraction of the kernel beyond a plane at signed distance u h from its centre: D(-1) = 1, D(0) = 1/2, D(1) =
 * 0. */
real fraction_beyond(const fractions *f, real u);
/* The fraction beyond both planes, at distances u and v, whose outward normals make an angle of cosine c. */
real fraction_beyond_two(const fractions *f, real u, real v, real c);

#endif
