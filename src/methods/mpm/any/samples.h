/* Samples of the surface: where they are, what area they stand for, to which particle they belong. They hold for the
 * substeps of a step, in which they move with the liquid. */
#ifndef METHODS_MPM_ANY_SAMPLES_H
#define METHODS_MPM_ANY_SAMPLES_H

#include "methods/mpm/any/contour.h"

/* Those of a face stand side by side, in the order of faces. */
enum { SAMPLES_OF_FACE = 2, OWN_SOLID = -2 };

typedef struct samples {
    const grid *g;
    const real4 *particle; /* m */
    int count;
    real4 *x;             /* m; w: surface tension, N/m, by phi of band */
    real4 *area;          /* vector outward, m^2 (2D: m); w: 1 where it lies on a solid, at first */
    real4 *line;          /* contact line: m (2D: 1) along the face's normal; w: its length, 0 of most */
    int32_t *owner;       /* the nearest particle's slot when made; -1: none in the cells around, or tension 0 */
    int32_t *solid;       /* that it lies on; -1: free; OWN_SOLID: its liquid has frozen, without tension */
    int32_t *beside;      /* the nearest solid of free ones, within 1.5 cells; -1: none */
    int32_t *edge;        /* of free ones, the solid whose edge holds the line that they end at (edges.h); -1: none */
    real4 *held;          /* by what, over the tension, m (2D: 1) */
    real4 *band;          /* see line_band.h; gradient of phi along the wall, 1/m; w: phi */
    const solids *walls;  /* that they may lie on */
    const uint8_t *depth; /* of each node: see depths_find */
    real *tension;        /* N/m, that the liquid has there; NULL: the material's */
    double free_area, energy; /* m^2, J (2D: a metre of depth) */
} samples;

/* Surface tension at a sample, where it is free, N/m. */
static inline double tension_of_sample(const world *w, const samples *s, int k)
{
    return s->tension ? (double)s->tension[k] : w->materials[0].surface_tension;
}

/* Makes the samples of a contour, and finds who owns them and which solids they lie on. */
dew_result samples_make(const contour *c, const real4 *particle, const world *w, samples *s);

/* Tension of each sample: of the free surface, or, where it lies on a solid, that between them against that of the dry
 * solid, -gamma cos(theta) (eq. 11), so far as `band` lets it have any, which becomes what a wall pulls its skin by,
 * -|a| k grad phi, or an edge a line, N. Those without any have no owner any more. */
void samples_end(const world *w, samples *s);

#endif
