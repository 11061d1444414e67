/* How many particles there are around each node, and how many there should be.
 *
 * What nodes should have is the spline's integral over what walls leave. A strain is no error: liquid under pressure is
 * denser by it, but for the pressure of rest (rest_strain.h). Near the free surface what is too thin is left so, and
 * what is too dense by less than DOUBT: how much liquid there should be is not known so well there. */
#ifndef METHODS_MPM_ANY_DENSITY_TARGET_H
#define METHODS_MPM_ANY_DENSITY_TARGET_H

#include "methods/mpm/any/pressure_matrix.h"

typedef struct density_work {
    fluid *f;
    real full;            /* particles of a full node */
    real *count;          /* of the particles around each node, by the spline */
    real *beyond;         /* of each node's spline, the part that is not in a solid */
    uint8_t *well_inside; /* of each node, cells from the surface: see density_target.c */
    pressure_system q;
    real4 *moved; /* displacements of the nodes, m */
} density_work;

/* By how much, of its density, a cube is too dense: by its corners. *is_sure: where that is well known. */
real density_excess(const density_work *w, int cube, bool *is_sure);

/* Finds what the nodes have and should have, by the places of now. */
dew_result density_find(density_work *w, fluid *f);

/* Of what emitters have pushed the particles of a block, keeps what went into liquid: all where it is full, nothing
 * where there is half of that. */
void density_keep_pushed(int block, void *context);

#endif
