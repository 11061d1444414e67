/* Inside geometry: a triangle mesh put in order. */
#ifndef GEOMETRY_MESH_CHECK_H
#define GEOMETRY_MESH_CHECK_H

#include "geometry/shape_internal.h"

/* Fills in a zeroed clean mesh, which is to be freed even on failure: welds vertices of exactly the same place, drops
 * triangles that have shrunk to a line, and checks that the mesh is closed: each edge is walked as often one way as the
 * other. A mesh that faces inwards as a whole is turned. DEW_INVALID names the mesh, and how many open edges there are
 * and where the first is. */
dew_result mesh_clean(const char *name, const double *vertices, int vertex_count, const int32_t *triangles,
                      int triangle_count, clean_mesh *clean);

/* Numbers the places of vertices in the order in which they are met first: number[i] is that of vertex i. */
dew_result mesh_weld(const double *vertices, int count, int32_t *number);
/* Copies triangles by the new numbers of their vertices, but those that no longer have three; returns how many. */
int mesh_renumber(const int32_t *number, const int32_t *triangles, int triangle_count, int32_t *to);

/* The edges that keep a mesh from being closed. */
typedef struct open_edges {
    int open, turned;  /* edges of an odd number of triangles; edges of an even number that face opposite ways */
    int32_t low, high; /* the first edge of both sorts, by its vertices */
} open_edges;
dew_result mesh_find_open(const int32_t *triangles, int triangle_count, open_edges *found);

#endif
