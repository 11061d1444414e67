/* The surface: a net around the liquid.
 *
 * Where the level changes sign between two nodes, a face of the net lies across. Each cube of nodes (square in 2D) with
 * both signs has a vertex at the mean of where its edges are crossed (Gibson 1998); a face joins the vertices of the
 * cubes around its edge: a quad in 3D, a segment in 2D. So the same text serves both. All passes go over blocks,
 * vertices or faces in parallel; each writes what is its own. */
#ifndef METHODS_MPM_ANY_CONTOUR_H
#define METHODS_MPM_ANY_CONTOUR_H

#include "methods/mpm/any/liquid_bodies.h"

/* SIDES and EDGES: of a cube. */
enum { SIDES = 2 * DIM, EDGES = DIM == 3 ? 12 : 4, FACE_CORNERS = DIM == 3 ? 4 : 2, CUBE_CORNERS = 1 << DIM };

typedef struct face {
    int32_t corner[FACE_CORNERS]; /* 3D: around, counter-clockwise from outside; 2D: liquid to the left */
    int32_t body;                 /* of liquid, that it bounds */
    int32_t node;                 /* of that liquid */
} face;

typedef struct contour {
    const grid *g;
    const real *level;  /* of the nodes */
    int32_t *vertex_of; /* of each cube (numbered as its lowest node), -1: none */
    int32_t *face_of;   /* DIM for each node: across the edge along each axis, -1: none */
    int *first;         /* for each block: how many vertices, or faces, it has; then which is its first */
    int8_t *side;       /* of each block: see find_side */
    int vertex_count, face_count;
    real4 *x, *other;   /* vertices, w: 1 for those on a wall; room for their next places */
    int32_t *neighbour; /* SIDES for each vertex, -1: none */
    int32_t *around;    /* EDGES for each vertex: faces that it is a corner of, -1: none */
    int32_t *body;      /* of each vertex */
    uint8_t *on_planes; /* of each vertex: bit a where a plane of symmetry across the axis a halves its cube */
    face *faces;
    real4 *area; /* of each face, outward; w: how much of it is at a wall */
    liquid_bodies bodies;
    double *sums; /* BODY_SUMS for each: see contour_measure */
    /* What passes over the vertices go by. */
    const double *inward; /* of each body: how far they move, m */
    real part;            /* of the way to the mean of their neighbours */
    const real4 *wall;    /* of each vertex, before it was put on it: normal and distance */
    const int32_t *which; /* solid */
    const real *look;     /* of each solid: see look_of */
    const real *thin;     /* of each solid: see thin_of */
    int depth;            /* whose neighbours are sought: see surface_depth.c */
    uint8_t *depth_of;    /* of each node */
} contour;

/* A corner of a face, next to its first one. */
static inline real3 face_corner(const contour *c, const face *f, int k)
{
    return grid_nearest(c->g, real3_of(c->x[f->corner[k]]), real3_of(c->x[f->corner[0]]));
}

/* What of a vector at a vertex lies along the planes of symmetry it is on. */
real3 contour_along_planes(const contour *c, int v, real3 n);
static inline real3 along_planes(const contour *c, int v, real3 n)
{
    return c->g->has_planes ? contour_along_planes(c, v, n) : n;
}

#if DIM == 3
/* The first corner of a face's shorter diagonal, which parts it into two triangles: 0 or 1. */
static inline int face_diagonal(const contour *c, const face *f)
{
    const real3 one = real3_sub(face_corner(c, f, 2), face_corner(c, f, 0));
    const real3 two = real3_sub(face_corner(c, f, 3), face_corner(c, f, 1));
    return real3_dot(one, one) <= real3_dot(two, two) ? 0 : 1;
}
#endif

/* Area as a vector outward: m^2; 2D: m, of the length. */
static inline real3 face_area(const contour *c, const face *f)
{
    const real3 p = face_corner(c, f, 0), q = face_corner(c, f, 1);
#if DIM == 3
    const real3 r = face_corner(c, f, 2), s = face_corner(c, f, 3);
    return real3_scale((real)0.5, real3_cross(real3_sub(r, p), real3_sub(s, q)));
#else
    return (real3){q.y - p.y, p.x - q.x, 0};
#endif
}

/* The sums of a body: area, what of it is free, volume within. */
enum { BODY_AREA, BODY_FREE, BODY_VOLUME, BODY_SUMS };

/* Makes the net: its vertices, faces, and who is next to whom (contour_net.c). */
dew_result contour_net(contour *c);

/* Finds the sums of each body, m^2, m^3 (2D: m, m^2). */
dew_result contour_measure(contour *c);

/* The surface of the liquid whose levels are given, over which the net lies `height` cells; volume: of each body.
 *
 * Two passes of Taubin's smoothing (1995: 0.5, -0.53) take the net's bumps away, one backwards (-0.8) puts right, in
 * proportion to curvature, what the level and the net blunt; measured on swinging drops. Together they leave no bump
 * larger than it was by more than a twentieth: one pass and -0.7, by 0.3, and a thin wedge of liquid folded. What is
 * left is taken away by moving the surface of each body until it holds the volume of its particles.
 *
 * At solids the net reaches inside: what is there goes onto the wall, and so does what is nearer to it than 0.4
 * cells, so that contact is flat. */
dew_result contour_make(const grid *g, const real *level, double height, const liquid_bodies *b, const double *volume,
                        const solids *walls, double tension, contour *c);

/* Finds how many cells each node is from the free surface (depth_of), DEEP at the most: 0 is a cell with the surface in
 * it, and from DEEP on there is liquid, or none, on all sides (surface_depth.c). */
enum { DEEP = 4 };
dew_result depths_find(contour *c);

#endif
