/* What the rings measure: area, volume, and how far they are from one mesh. */
#ifndef SURFACE_AREA_H
#define SURFACE_AREA_H

#include "surface/surface.h"

/* Area of the surface, m^2: the ring triangles' areas, a third each, since each triangle is in the rings of its three
 * vertices. The vertices lie at position + offset normal (m; a liquid's true surface is half a spacing outside of its
 * outermost particles); normal may be NULL where offset is 0. Both are read at the slots of members, ghosts too. */
double rings_area(const rings *r, const real4 *position, const real4 *normal, real offset);

/* Volume within the surface, m^3, by the divergence theorem; the rings must be closed, without ghosts. */
double rings_volume(const rings *r, const real4 *position, const real4 *normal, real offset);

#endif
