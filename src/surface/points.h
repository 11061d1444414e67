/* The surface particles alone, in a store of their own with lists of their own: passes over them cost next to nothing
 * and may look farther than those over all. What is found on points: curvature.h; rings (surface.h) take the store and
 * its lists as they are. */
#ifndef SURFACE_POINTS_H
#define SURFACE_POINTS_H

#include "base/arena.h"
#include "particles/neighbours.h"
#include "particles/particles.h"

typedef struct surface_points {
    particles store; /* position, w: weight from 0 to 1; velocity: outward unit normal, w: see curvature.h */
    neighbours *lists;
    /* Fields of the store. slot: of each point, among the particles that it was copied from; is_surface: for the caller
     * (uint8, ghosts); the rest: curvature.h. */
    int slot, is_surface, smooth, sharp, curvature;
    int allowance;
    bool has_lists; /* these hold; the caller clears it when those of all are made anew */
} surface_points;

/* Makes an empty store, whose lists reach so far, m. DEW_NO_MEMORY. */
dew_result surface_points_create(surface_points *s, double reach);
void surface_points_destroy(surface_points *s); /* of one half made too */

/* How far lists of points reach, and how far points may go while they hold (neighbours_set_allowance): about `skin`,
 * each `times` its allowance, which is given by slot. m. */
typedef struct points_reach {
    double reach, skin;
    const real *allowance;
    real times;
} points_reach;

/* Copies the particles list[0 .. count), only their places, and makes lists. */
dew_result surface_points_fill(surface_points *s, const real4 *position, const int32_t *list, int count,
                               points_reach reach, const dew_domain_def *domain, arena *memory);

#endif
