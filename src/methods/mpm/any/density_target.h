/* How many particles there are around each node, and how many there should be.
 *
 * What nodes should have is the spline's integral over the liquid: over what walls leave of the cells around and the
 * surface leaves (by the level of the nodes, as much higher or lower for each body as makes its volume right). With
 * cells as boxes and N as a box smoothed by a tent that is a sum of the cells' shares with weights 1/6, 2/3, 1/6 along
 * each axis. A strain is no error: liquid under pressure is denser by it.
 *
 * Where liquid fills no more than WITHIN of a cube that sum is off by some hundredths: there what is too thin is left
 * so, and what is too dense by less than DOUBT. */
#ifndef METHODS_MPM_ANY_DENSITY_TARGET_H
#define METHODS_MPM_ANY_DENSITY_TARGET_H

#include "methods/mpm/any/pressure_matrix.h"

typedef struct density_work {
    fluid *f;
    real full;      /* particles of a full node */
    real *count;    /* of the particles around each node, by the spline */
    real *open;     /* of each cell, the part that is not in a solid */
    real *beyond;   /* of each node's spline, the part that is not in a solid */
    real *part;     /* CUBE_CORNERS of each cell: the level there; then what liquid should fill of it */
    real *share;    /* what each node should have, over a full one */
    real *level;    /* of each node; next to solids as it is farther out */
    int32_t *body;  /* of each node that is near one; -1: none */
    real net;       /* how high the contour's level 0 lies over the liquid, cells */
    double *offset; /* of each body: by how much its surface lies higher, cells */
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
