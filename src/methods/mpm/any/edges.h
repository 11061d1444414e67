/* Outer edges of walls, where a contact line stops (Gibbs; Oliver, Huh, Mason 1977): while its angle with the face that
 * it is on is less than what the material wants of the face beyond, the edge holds it, with any force.
 *
 * Samples pull the liquid only where the free surface ends, by gamma along the surface and across the line. What a wall
 * gives there is not found by the mirror: along the wall liquid slips, and beyond the edge there is no wall. So where
 * the free surface borders on what is wet within a cell of an edge, the edge gives all of that pull, at the sample that
 * ends there, but for what Young's law moves the line on by: gamma (cos(theta) - cos(angle with the face beyond)) along
 * this face where that is above 0, and back likewise. Liquid that flows by, as a jet from a mouth, is then held back by
 * gamma a length of the edge, which is what the piston behind it pays the new surface with.
 *
 * The skin of what is wet (line_band.h) would push the line over the edge, too: it ends there, and pulls as at a line
 * that is free to go on. Within a cell of the edge its tension falls to 0, and the edge bears the rest. */
#ifndef METHODS_MPM_ANY_EDGES_H
#define METHODS_MPM_ANY_EDGES_H

#include "methods/mpm/any/samples.h"

/* The share of its tension that the nearest edge leaves the skin at a place that lies on a solid: 1 from `reach` on, 0
 * at the edge; its gradient. */
real share_at_edge(const solids *s, int solid, real4 x, real reach, real3 *slope);

/* Finds what edges give where the free surface ends at them: `edge` and `held` of the samples. */
void edges_hold(const contour *c, const world *w, samples *s);

#endif
