/* Boxes along the axes. */
#ifndef BASE_BOUNDS_H
#define BASE_BOUNDS_H

#include "base/real.h"

/* Empty while min.x > max.x; infinite where nothing bounds. */
typedef struct bounds {
    dew_vec3 min, max;
} bounds;

static inline bounds bounds_empty(void)
{
    return (bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}
static inline bool bounds_are_empty(bounds b)
{
    return !(b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z);
}
/* Widens the box to hold a point; what is not a number widens nothing. (Comparisons, where fmin and fmax are calls.) */
static inline void bounds_add(bounds *b, dew_vec3 x)
{
    b->min.x = x.x < b->min.x ? x.x : b->min.x, b->max.x = x.x > b->max.x ? x.x : b->max.x;
    b->min.y = x.y < b->min.y ? x.y : b->min.y, b->max.y = x.y > b->max.y ? x.y : b->max.y;
    b->min.z = x.z < b->min.z ? x.z : b->min.z, b->max.z = x.z > b->max.z ? x.z : b->max.z;
}
static inline void bounds_add_ball(bounds *b, dew_vec3 centre, double radius)
{
    dew_vec3 r = {radius, radius, radius};
    bounds_add(b, vec3_sub(centre, r)), bounds_add(b, vec3_add(centre, r));
}
static inline bounds bounds_common(bounds a, bounds b)
{
    return (bounds){{fmax(a.min.x, b.min.x), fmax(a.min.y, b.min.y), fmax(a.min.z, b.min.z)},
                    {fmin(a.max.x, b.max.x), fmin(a.max.y, b.max.y), fmin(a.max.z, b.max.z)}};
}
static inline bounds bounds_grown(bounds b, double margin)
{
    dew_vec3 m = {margin, margin, margin};
    return (bounds){vec3_sub(b.min, m), vec3_add(b.max, m)};
}
static inline bool bounds_has(bounds b, dew_vec3 x)
{
    return x.x >= b.min.x && x.x <= b.max.x && x.y >= b.min.y && x.y <= b.max.y && x.z >= b.min.z && x.z <= b.max.z;
}
static inline dew_vec3 bounds_centre(bounds b) { return vec3_scale(0.5, vec3_add(b.min, b.max)); }
static inline double bounds_diagonal(bounds b) { return vec3_length(vec3_sub(b.max, b.min)); }

#endif
