/* The contact line: where the liquid's free surface meets solids. */
#ifndef MEASURE_LINE_H
#define MEASURE_LINE_H

#include "base/arena.h"
#include "surface/reconstruct.h"

/* A piece of the line. */
typedef struct line_piece {
    dew_vec3 place;       /* its middle, against the mesh's origin */
    dew_vec3 normal, out; /* unit: of the solid; along the solid, away from the liquid */
    double length;        /* m; of a slab per metre of depth: 1 for a whole line */
    double angle;    /* in the liquid, degrees, where the surface drawn on meets the solid; NaN: too little surface */
    double shift;    /* how far along `out` that is from the mesh's line, m */
    double area;     /* of the solid between the two, counted where it lies outside of the mesh's line, m^2 (2D: m) */
    int32_t ends[2]; /* vertices of the mesh */
    int solid;       /* for whoever knows it */
} line_piece;

typedef struct contact_line {
    line_piece *pieces;
    int count;
} contact_line;

/* Finds the line on a mesh. The kernel of the reconstruction sees the liquid and its images as one body, so that within
 * a spacing of a solid the mesh is bent: clefts are filled, thin rims cut off. A quadratic surface is therefore fitted
 * to the mesh between 1.3 and 5 spacings above the solid, as near to the piece as there is enough of it, and to the
 * mesh's line moved to where the bend has it from (contact_line_bulge), and drawn on to the solid. By the mesh above
 * the bend alone a puddle's foot, whose curvature grows downwards, was taken 10 to 15 degrees too flat. Pieces belong
 * to `memory`. */
dew_result contact_line_find(const liquid_mesh *mesh, int dimension, double spacing, solid_distance_fcn *solid,
                             const void *context, arena *memory, contact_line *line);

/* What the bend adds to free area - cos(angle) x wetted area for each metre of a line under this angle (degrees), in
 * spacings: exact for a wedge of evenly filled liquid, 0 at 90 degrees. */
double contact_line_excess(double angle);

/* How far outside of a line under this angle (degrees) the mesh meets the solid, in spacings. */
double contact_line_bulge(double angle);

#endif
