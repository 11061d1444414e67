/* Where the pressures of cubes next to walls act (pressure_matrix.h).
 *
 * A pressure is a cube's, and its force the integral of the splines' slopes over the cube. A sum over the particles
 * that happen to lie in it is no such integral: liquid whose particles lie unevenly finds flows that shrink it while
 * all its particles see div v = 0, and takes them the faster the deeper it is (calibration.md, "Where pressures act").
 * So a cube inside the liquid is integrated over places of its own: two along an axis, one for each piece of the
 * splines, and four where a wall mirrors or cuts it, in the part that walls leave. They are mirrored in the walls that
 * one of the owners in the cube sees. What walls leave of cubes without particles belongs to the nearest cube that has
 * some. Cubes at the surface are not full: places there are those of the particles. */
#ifndef METHODS_MPM_ANY_PRESSURE_WALLS_H
#define METHODS_MPM_ANY_PRESSURE_WALLS_H

#include "methods/mpm/any/fluid.h"

/* In a cube, at the most. */
enum { MOST_PLACES = 1 << 2 * DIM };

/* Places in one cube that the walls of one owner mirror. */
typedef struct wall_places {
    int32_t owner;
    int32_t cube;  /* where they lie; that of the owner has the pressure */
    int32_t begin; /* in place[] */
    int32_t count;
    int32_t first_push;
    real divergence; /* by the walls' own motion, per cell */
    /* What each of the walls gives under a pressure of 1: momentum, and its moment about the owner's `from`. */
    real4 given[MOST_WALLS];
    real3 moment[MOST_WALLS];
} wall_places;

typedef struct pressure_walls {
    int count, push_count;
    wall_places *places;
    real4 *place;  /* w: its volume, in particles' */
    bool *is_full; /* of each cube of the grid: it is integrated over places of its own; NULL without walls */
} pressure_walls;

/* Whether a cube is full of liquid: the surface is in no cell around its nodes. */
bool is_inside(const fluid *f, int32_t cube);

/* The volume of a cube, in particles'. */
real cube_volume(const fluid *f);

/* Finds the places, and the volume of each cube of the grid: of its places where it is full, else its particles'. */
dew_result pressure_walls_find(pressure_walls *w, fluid *f, real *volume);

#endif
