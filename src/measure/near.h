/* The points about a place, for sums over kernels that measurements take. */
#ifndef MEASURE_NEAR_H
#define MEASURE_NEAR_H

#include "particles/point_grid.h"

typedef struct near_point {
    dew_vec3 d; /* from the place to it, m */
    double r2;
    int32_t index;
} near_point;

/* Writes up to `most` points nearer than `reach` (m); how many. */
static inline int near_points(const point_grid *g, const real4 *points, dew_vec3 x, double reach, int most,
                              near_point *near)
{
    int count = 0;
    POINTS_NEAR(g, points, x, reach, j)
    {
        dew_vec3 d = vec3_sub((dew_vec3){points[j].x, points[j].y, points[j].z}, x);
        if (count < most) near[count++] = (near_point){d, vec3_dot(d, d), j};
    }
    return count;
}

#endif
