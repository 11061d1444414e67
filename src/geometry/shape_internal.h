/* What a kind of shape is made of, inside geometry. A kind is a table of functions; each works in the shape's own frame
 * (before its placement) on blocks of points kept as separate arrays, so that compilers can use vectors. */
#ifndef GEOMETRY_SHAPE_INTERNAL_H
#define GEOMETRY_SHAPE_INTERNAL_H

#include "geometry/shape.h"

enum { SHAPE_BLOCK = 64 };

typedef struct point_block {
    _Alignas(64) double x[SHAPE_BLOCK];
    double y[SHAPE_BLOCK], z[SHAPE_BLOCK];
} point_block;

/* Signed distance d and its gradient. */
typedef struct distance_block {
    _Alignas(64) double d[SHAPE_BLOCK];
    double x[SHAPE_BLOCK], y[SHAPE_BLOCK], z[SHAPE_BLOCK];
} distance_block;

static inline dew_vec3 block_at(const point_block *p, int i) { return (dew_vec3){p->x[i], p->y[i], p->z[i]}; }
static inline void block_set(point_block *p, int i, dew_vec3 x) { p->x[i] = x.x, p->y[i] = x.y, p->z[i] = x.z; }
static inline dew_vec3 gradient_at(const distance_block *b, int i) { return (dew_vec3){b->x[i], b->y[i], b->z[i]}; }
static inline void gradient_set(distance_block *b, int i, dew_vec3 x) { b->x[i] = x.x, b->y[i] = x.y, b->z[i] = x.z; }

typedef struct shape_kind {
    const char *name;
    /* Checks the definition and keeps what is needed of it. */
    dew_result (*create)(shape *s, const dew_shape_def *def);
    void (*destroy)(shape *s); /* NULL: nothing is owned */
    /* Points farther out than `band` may get any bound from below that is >= band. */
    void (*distance)(const shape *s, double band, int count, const point_block *p, distance_block *out);
    /* The largest p . u over the points p of the shape (or a bound from above); u is a unit vector. */
    double (*support)(const shape *s, dew_vec3 u);
    /* Own triangles in the shape's own frame, edges about `cell`. NULL, or none made: the distance is
     * polygonised. */
    dew_result (*tessellate)(const shape *s, double cell, triangle_mesh *mesh);
} shape_kind;

/* A closed mesh in units of its own: place = centre + size * vertex; vertices lie in [-1, 1]. Equal vertices are one,
 * triangles face outwards. */
typedef struct clean_mesh {
    float *vertices;
    int32_t *triangles;
    int vertex_count, triangle_count;
    dew_vec3 centre;
    double size;
} clean_mesh;

struct shape {
    const shape_kind *kind;
    bool is_placed;           /* false: the placement is the identity */
    double scale, resolution; /* the resolution: in the shape's own frame */
    dew_vec3 row[3];          /* of the rotation matrix */
    dew_vec3 translation;
    bounds limits; /* after the placement */
    union {
        struct {
            dew_vec3 centre, half; /* half: half edges, or semi-axes */
            double rounding;
        } box;
        /* Bodies of revolution: along `axis` (unit) from `start` over `length`; radius r0 at the start, r1 at the end
         * (torus: r0 major, r1 minor, start = centre). `side` is any unit vector across the axis. */
        struct {
            dew_vec3 start, axis, side;
            double length, r0, r1;
        } round;
        struct {
            shape *children;
            int count;
            double thickness;
            bool is_lent; /* the children are others' copied: what they own is not released with this one */
        } combination;
        /* Bodies whose surface is triangles: their distance is one of the two. */
        struct {
            clean_mesh mesh;
            struct mesh_distance *distance;
            struct profile *profile;
        } body;
    };
};

extern const shape_kind shape_sphere, shape_box, shape_ellipsoid, shape_cylinder, shape_cone, shape_capsule,
    shape_torus, shape_plane, shape_union, shape_difference, shape_intersection, shape_shell, shape_mesh,
    shape_implicit, shape_height;

/* Functions of the kinds that have a `body`. */
void shape_body_destroy(shape *s);
double shape_body_support(const shape *s, dew_vec3 u);
dew_result shape_body_tessellate(const shape *s, double cell, triangle_mesh *mesh);

/* Fills in a zeroed shape; on failure it is to be given to shape_release all the same. */
dew_result shape_prepare(shape *s, const dew_shape_def *def, double resolution);
void shape_release(shape *s);
/* Finds the bounds by the support along the axes. */
void shape_set_limits(shape *s);
/* Distance with the placement applied. count <= SHAPE_BLOCK; `out` may not overlap `p`. */
void shape_distance_block(const shape *s, double band, int count, const point_block *p, distance_block *out);
/* The support with the placement applied. */
double shape_support(const shape *s, dew_vec3 u);

/* DEW_INVALID with what is wrong. */
dew_result shape_check_positive(const char *name, double value);
/* Unit vector along v, of any length but 0. */
dew_vec3 shape_direction(dew_vec3 v);

/* The size of the region: volume (dimension 3) or the area of its section at z = 0 (dimension 2). */
double shape_measure(const shape *s, int dimension, double cell);

static inline dew_vec3 vec3_madd(dew_vec3 a, double s, dew_vec3 b) { return vec3_add(a, vec3_scale(s, b)); }
static inline bool vec3_is_finite(dew_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
static inline bool bounds_are_finite(bounds b) { return vec3_is_finite(b.min) && vec3_is_finite(b.max); }

#endif
