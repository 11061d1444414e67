/* Shapes: plain data that describes a region of space. A shape's signed distance is negative inside. */
#ifndef DEW_SHAPE_H
#define DEW_SHAPE_H

#include "result.h"
#include "types.h"

typedef enum dew_shape_kind {
    DEW_SHAPE_NONE,
    DEW_SHAPE_SPHERE,
    DEW_SHAPE_BOX,
    DEW_SHAPE_ELLIPSOID,
    DEW_SHAPE_CYLINDER,
    DEW_SHAPE_CONE,
    DEW_SHAPE_CAPSULE,
    DEW_SHAPE_TORUS,
    DEW_SHAPE_PLANE,
    DEW_SHAPE_IMPLICIT,
    DEW_SHAPE_MESH,
    DEW_SHAPE_UNION,
    DEW_SHAPE_DIFFERENCE, /* the first child less all others */
    DEW_SHAPE_INTERSECTION,
    DEW_SHAPE_SHELL,
    DEW_SHAPE_DISC,      /* flat: for emitters only */
    DEW_SHAPE_RECTANGLE, /* flat: for emitters only */
    DEW_SHAPE_HEIGHT,
    DEW_SHAPE_KINDS
} dew_shape_kind;

/* Ridges of a height field: a profile that repeats along one axis and goes on along the other. */
typedef enum dew_profile { DEW_PROFILE_RECTANGULAR, DEW_PROFILE_SINUSOIDAL } dew_profile;
typedef struct dew_ridges {
    dew_profile profile;
    int across;    /* the axis along which the height varies: 0 is x, 1 is y; default 0 */
    double height; /* from the bottom of a groove to the top of a ridge, m, > 0 */
    double period; /* m, > 0 */
    double width;  /* of rectangular ridges, over the period, between 0 and 1; default 0.5 */
    double shift;  /* where the middle of a ridge is, m; default 0 */
} dew_ridges;

typedef struct dew_shape_def dew_shape_def;

/* Lengths in m. Pointers are borrowed until the simulation (or shape) has been created. Fill it by the functions below,
 * or start from dew_default_shape_def(). */
struct dew_shape_def {
    dew_shape_kind kind;
    union {
        struct {
            dew_vec3 centre;
            double radius;
        } sphere;
        struct {
            dew_vec3 min, max;
            double rounding; /* radius of the edges, inside min..max; default 0 */
        } box;
        struct {
            dew_vec3 centre, semi_axes;
        } ellipsoid;
        struct {
            dew_vec3 from, to; /* centres of the two end discs */
            double radius;
        } cylinder;
        struct {
            dew_vec3 apex, base; /* tip, centre of the base disc */
            double radius;       /* of the base */
            double apex_radius;  /* > 0: truncated; default 0 */
        } cone;
        struct {
            dew_vec3 from, to; /* centres of the two end spheres */
            double radius;
        } capsule;
        struct {
            dew_vec3 centre, axis;
            double major_radius, minor_radius;
        } torus;
        struct {
            dew_vec3 point, normal; /* the half space that the normal points out of */
        } plane;
        struct {
            dew_function value; /* of x, y, z; negative inside; need not be a distance */
            dew_vec3 min, max;  /* a box that holds the surface */
        } implicit;
        struct {
            const double *vertices;   /* vertex_count x 3 */
            const int32_t *triangles; /* triangle_count x 3, counter-clockwise seen from outside */
            int vertex_count, triangle_count;
            const char *name; /* for messages; may be NULL */
        } mesh;
        struct {
            const dew_shape_def *children;
            int count;
        } combination; /* union, difference, intersection */
        struct {
            const dew_shape_def *child;
            double thickness; /* of the wall, inwards from the child's surface */
        } shell;
        struct {
            dew_vec3 min, max;        /* a box that holds the surface; the body fills it up to there */
            double level;             /* height of the surface, z in m */
            dew_function level_of;    /* of x, y (m); replaces level */
            const dew_ridges *ridges; /* their heights are added to the level */
            int ridge_count;
        } height;
        struct {
            dew_vec3 centre, normal;
            double radius;
        } disc;
        struct {
            dew_vec3 centre, half_u, half_v; /* spans centre +- half_u +- half_v; normal = half_u x half_v */
        } rectangle;
    };
    /* Placement, applied to the shape above in this order: scale about the origin, rotation, translation. */
    double scale;           /* uniform, > 0; default 1 */
    dew_vec3 rotation_axis; /* default z */
    double rotation_angle;  /* radians; default 0 */
    dew_vec3 translation;   /* m; default 0 */
};

DEW_API dew_shape_def dew_default_shape_def(void);
DEW_API dew_shape_def dew_sphere(dew_vec3 centre, double radius);
DEW_API dew_shape_def dew_box(dew_vec3 min, dew_vec3 max);
DEW_API dew_shape_def dew_cylinder(dew_vec3 from, dew_vec3 to, double radius);
DEW_API dew_shape_def dew_plane(dew_vec3 point, dew_vec3 normal);
DEW_API dew_ridges dew_default_ridges(void);

#endif
