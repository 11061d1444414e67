/* The area of the rings and the volume within. */
#ifndef SURFACE_AREA_H
#define SURFACE_AREA_H

#include "surface/surface.h"

typedef struct rings_size {
    double area;   /* m^2: the ring triangles' areas, a third each, since each is in the rings of its three vertices */
    double volume; /* m^3, by the divergence theorem; means something where rings are closed, without ghosts */
} rings_size;

/* The vertices lie at position + offset normal (m; a liquid's true surface is half a spacing outside of its outermost
 * particles); normal may be NULL where offset is 0. Both are read at the slots of members, ghosts too. */
rings_size rings_measure(const rings *r, const real4 *position, const real4 *normal, real offset);

#endif
