/* The borders of samples: what parts those of free surface from those that lie on solids. */
#ifndef METHODS_MPM_ANY_BORDERS_H
#define METHODS_MPM_ANY_BORDERS_H

#include "methods/mpm/any/samples.h"

/* A piece of a sample's border. */
typedef struct border {
    real3 at;  /* its middle, m */
    real3 out; /* its length along the way out of the sample, along the surface: m (2D: 1) */
    int next;  /* the sample beyond; -1: there is none */
} border;

enum { BORDERS = DIM == 3 ? 3 : 2 };

/* Finds the pieces of a sample's border. */
void borders_of(const contour *c, int sample, border b[BORDERS]);

#endif
