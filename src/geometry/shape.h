/* A shape made ready for questions: signed distance and gradient at blocks of points, bounds, volume, triangles. */
#ifndef GEOMETRY_SHAPE_H
#define GEOMETRY_SHAPE_H

#include "base/bounds.h"
#include "base/result.h"
#include "dew/definition.h"
#include "dew/shape.h"

typedef struct shape shape;

/* Checks a definition and prepares it. `resolution` (m): the size of what must be resolved, usually the particle
 * spacing; meshes are sampled on a sparse grid fine enough for it, implicit shapes made a distance by it. Copies what
 * it needs of the definition, except functions. DEW_INVALID: which number of which shape is wrong and what would be
 * right. */
dew_result shape_create(shape **s, const dew_shape_def *def, double resolution);
/* The union, the intersection or the difference of `count` > 0 shapes that are made already; they must outlive it. */
dew_result shape_join(shape **s, dew_shape_kind kind, const shape *const *parts, int count);
void shape_destroy(shape *s);

/* Signed distance at `count` points into out[i].w and its unit gradient into out[i].xyz. Exact for spheres, boxes,
 * cylinders, cones, capsules, tori, planes; for ellipsoids exact by iteration; for meshes exact at the samples and
 * interpolated between (closest point query where the grid cannot tell, thin walls); for combinations of shapes exact
 * outside the union and a lower bound elsewhere (as usual). May stop early for points farther than `band` outside (a
 * lower bound >= band is returned; gradient may be zero). Thread safe. */
void shape_distance(const shape *s, double band, int count, const real4 *points, real4 *out);
/* One point in double: exact as above. */
double shape_distance_at(const shape *s, dew_vec3 point, dew_vec3 *gradient);
bounds shape_bounds(const shape *s);
bool shape_is_plane(const shape *s); /* a half space */
/* Whether it surely has no edge that points inwards, as a cup has inside. */
bool shape_is_convex(const shape *s);
/* By sampling at `cell` (m) with sub-cell accuracy; infinite for unbounded shapes. Relative error below 1e-3 for cell
 * <= size/30. */
double shape_volume(const shape *s, double cell);

/* What a region weighs and how it resists turning, for a density of 1. In two dimensions: its section at z = 0, a metre
 * of depth of it, where inertia[2][2] alone counts. */
typedef struct shape_moments {
    double size; /* m3, or m2 */
    dew_vec3 centre;
    double inertia[3][3]; /* about the centre, m5 (m4) */
} shape_moments;
/* Exact for meshes; else by sampling at `cell` as shape_volume does, relative error below 1e-3 for cell <= size/30.
 * DEW_INVALID for a shape without an end. */
dew_result shape_find_moments(const shape *s, int dimension, double cell, shape_moments *moments);

/* Triangles of the surface within `within`, edges about `cell`; vertices projected onto the surface. Meshes give their
 * own triangles. The arrays are the caller's, freed by free(). */
typedef struct triangle_mesh {
    float *vertices;
    int32_t *triangles;
    int vertex_count, triangle_count;
} triangle_mesh;
dew_result shape_triangulate(const shape *s, double cell, bounds within, triangle_mesh *mesh);
/* Room for so many, none of which counts as there yet; DEW_NO_MEMORY. */
dew_result triangle_mesh_obtain(triangle_mesh *mesh, size_t vertices, size_t triangles);
void triangle_mesh_free(triangle_mesh *mesh);

/* Fills a shape with particle positions `spacing` apart, centres inside. *positions is the caller's, freed by
 * aligned_release. dimension 2: in the plane z = 0. `avoid` may be NULL: nothing is placed within spacing/2 of it.
 * Deterministic. CUBIC, HEXAGONAL: lattice sites inside; RELAXED: count = volume/spacing^dimension to 0.5 % and the
 * sites relaxed to an even, surface-fitting arrangement (centres of the outermost layer about spacing/2 inside the
 * surface). `filling` not 0: the lattice that either begins from is turned and shifted, by each number in its own way.
 */
dew_result shape_fill(const shape *s, dew_fill fill, int filling, int dimension, double spacing, const shape *avoid,
                      real4 **positions, int *count);

#endif
