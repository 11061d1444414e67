/* Bodies of liquid: nodes whose level is below 0 and that lie side by side, with the particles around them: drops. */
#ifndef METHODS_MPM_ANY_LIQUID_BODIES_H
#define METHODS_MPM_ANY_LIQUID_BODIES_H

#include "methods/mpm/any/grid.h"

typedef struct liquid_bodies {
    const grid *g;
    int count;
    int32_t *of_node;     /* -1: outside */
    int32_t *of_particle; /* by slot; -1: none */
} liquid_bodies;

/* Finds the bodies: nodes inside, joined where they are neighbours along an axis. Bodies are numbered by their first
 * nodes. */
dew_result liquid_bodies_find(const grid *g, const real *level, int particle_count, liquid_bodies *b);

/* Sums over `particle_count` particles (or faces) of bodies: fcn adds to sums[columns * body ..]. Terms are added in
 * one order for any number of threads. */
void liquid_bodies_sum(int bodies_count, int particle_count, int columns, parallel_sum_fcn *fcn, void *context,
                       double *sums);

#endif
