/* Normals and curvature of a surface by its points and their rough normals alone. */
#ifndef SURFACE_CURVATURE_H
#define SURFACE_CURVATURE_H

#include "surface/points.h"

/* What is found of each point: arrays by slot of the store, from the arena. kappa = 1/R1 + 1/R2. */
typedef struct surface_curvature {
    const real4 *normal;    /* outward unit normal, smoothed, and the smoothing undone to first order */
    const real *curvature;  /* kappa of each point, 1/m */
    const real4 *tensor;    /* K11, K12, K22 of the normals' change along the surface, through the points themselves */
    const real4 *sharpened; /* gradient of kappa along the surface, 1/m2; w: kappa, which smoothed once more is
                               `curvature` smoothed */
    /* Sum of what draws the points level: of each two opposite. Over weights_of_plane it is a displacement, m. */
    const real4 *even;
    real weights_of_plane;
} surface_curvature;

/* Takes the store's places with their weights and its normals (velocity), whose w is from 0 to 1 how free a point is to
 * be drawn level; ghosts are brought up to date here. `spacing` between points, m. DEW_NO_MEMORY. */
dew_result surface_find_curvature(surface_points *s, real spacing, arena *memory, surface_curvature *result);

/* A curvature of more than this over the spacing is not resolved. */
#define SURFACE_MOST_CURVATURE ((real)1.5)

/* kappa of the surface, by that of the one through the points, half a spacing below it, and that one's Gaussian
 * curvature: of parallel surfaces each principal curvature k becomes k/(1 + k s/2). A saddle's counts no more than a
 * ball's of this kappa: beyond that it is a neck about to part, of which few points tell. */
static inline real surface_curvature_above(real curvature, real gaussian, real spacing)
{
    real most = SURFACE_MOST_CURVATURE / spacing, deep = spacing / 2;
    real both = real_max(gaussian, -curvature * curvature / 4), stretched = 1 + deep * (curvature + deep * both);
    curvature = (curvature + 2 * deep * both) / real_max(stretched, (real)0.25);
    return real_min(real_max(curvature, -most), most);
}

/* 1/m, of the line on the surface of point n that goes along `direction`, as far as that is tangential. */
real surface_curvature_along(const surface_curvature *found, int n, real3 direction);

/* --- which particles are surface, by what they see of the liquid --- */

/* Tells from 0 to 1 whether a particle lies at a surface rather than next to a void, by the filled part c of its kernel
 * (Wendland's C2 with support H) and |S| H, S = sum V grad W. Where a plane leaves c, |S| H is at least 4.7 (1 - c);
 * around a void, which is empty on both sides, it is less. In threads and sheets it is less too, but there c is small.
 */
static inline real surface_openness(real filled, real size)
{
    real need = real_min(real_max((filled - (real)0.65) / (real)0.15, 0), 1) * (real)3.5 * (1 - filled);
    return need > 0 ? real_min(real_max((size / need - (real)0.7) / (real)0.3, 0), 1) : 1;
}

/* Filled part of the kernel at which a particle begins to be surface, and at which it is wholly: a plane's first layer
 * has 0.74, the second 0.97. */
#define SURFACE_FILLED_INSIDE ((real)0.92)
#define SURFACE_FILLED_WHOLLY ((real)0.84)

/* Rises from 0 to 1 as the filled part falls from SURFACE_FILLED_INSIDE to SURFACE_FILLED_WHOLLY, so that nothing jumps
 * where a particle comes to the surface. */
static inline real surface_emptiness(real filled)
{
    real weight = (SURFACE_FILLED_INSIDE - filled) / (SURFACE_FILLED_INSIDE - SURFACE_FILLED_WHOLLY);
    return real_min(real_max(weight, 0), 1);
}

#endif
