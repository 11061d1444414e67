/* How much of a particle's kernel lies beyond planes: tables made once a support radius (dimensionless, lengths over
 * h). */
#ifndef METHODS_PBF_FRACTIONS_H
#define METHODS_PBF_FRACTIONS_H

#include "base/real.h"

typedef struct pbf_fractions pbf_fractions;

/* NULL without memory. */
pbf_fractions *pbf_fractions_create(void);
void pbf_fractions_destroy(pbf_fractions *f);

/* D(u): the fraction of the kernel beyond a plane at signed distance u h from its centre: D(-1) = 1, D(0) = 1/2, D(1) =
 * 0. */
real pbf_fraction(const pbf_fractions *f, real u);
/* -dD/du. */
real pbf_fraction_slope(const pbf_fractions *f, real u);
/* The fraction beyond both planes, at distances u and v, whose outward normals make an angle of cosine c. */
real pbf_fraction_wedge(const pbf_fractions *f, real u, real v, real c);

#endif
