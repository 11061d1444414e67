/* How much of what wets a wall has its tension: all of it next to the free surface, none deep below.
 *
 * What wets a wall is a skin of tension k = -gamma cos(theta), which pulls the liquid only where it ends: at the
 * contact line, as it should, and wherever a wall ends or turns, where the wall, not the liquid, has to bear it. So it
 * ends by degrees, by a share phi of its tension that falls to 0 below the line, and the wall bears what pulls it
 * there:
 *
 *     -sum k |a| (phi (I - n n^T) grad N + N (I - n n^T) grad phi)
 *
 * is the same force at the line whatever phi is like (the divergence of phi N along the wall), and none elsewhere. Next
 * to an outer edge of the wall phi falls to 0 as well (edges.h). */
#ifndef METHODS_MPM_ANY_LINE_BAND_H
#define METHODS_MPM_ANY_LINE_BAND_H

#include "methods/mpm/any/samples.h"

/* Finds `band` of the samples that lie on solids. */
void line_band_find(const contour *c, const solids *walls, samples *s);

#endif
