/* Outer edges of walls, where a contact line stops (Gibbs; Oliver, Huh, Mason 1977): while its angle with the face that
 * it is on is less than what the material wants of the face beyond, the edge holds it, with any force along the wall.
 *
 * Two parts of a wall's pull would push it over the edge. The skin of what is wet (line_band.h) ends there, and pulls
 * as at a line that is free to go on: within a cell of the edge its tension falls to 0, and the edge bears the rest.
 * And what the free surface pulls by the edge bears too: particles that hold the line, up to half a spacing on either
 * side of it, keep no velocity towards it (hold.c). */
#ifndef METHODS_MPM_ANY_EDGES_H
#define METHODS_MPM_ANY_EDGES_H

#include "methods/mpm/any/fluid.h"

typedef struct wall_edge {
    real3 out;     /* along the face, across its edge */
    real distance; /* from the place asked for, m */
    real3 beyond;  /* normal of the face that begins there */
} wall_edge;

/* Whether a solid's face with the normal n, on which `from` lies, ends at an outer edge within `reach` along `way`, a
 * unit vector. Faces that turn by less than 45 degrees are one. */
bool edge_ahead(const solids *s, int solid, real3 from, real3 n, real3 way, real reach, wall_edge *e);

/* The share of its tension that the nearest edge leaves the skin at a place that lies on a solid: 1 from `reach` on, 0
 * at the edge; its gradient. */
real share_at_edge(const solids *s, int solid, real4 x, real reach, real3 *slope);

/* The way along its nearest wall to an outer edge at which the contact line of an owner stands, and which holds it; 0:
 * there is none. */
real3 edge_of_line(const fluid *f, const owner *o);

#endif
