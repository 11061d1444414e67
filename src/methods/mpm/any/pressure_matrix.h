/* The columns of the implicit pressure's matrix g (pressure.h).
 *
 * A column of g is a block of 4^d nodes, an entry, which the cube's particles fill. Images in walls lie in other cubes:
 * each pair (where it is, whose pressure it has) is one more entry. Deep in the liquid, where neither surface nor walls
 * are near, the slopes' mean over the whole cube takes the place of that over its particles: one entry for all of
 * them, times n, and nothing to read but the nodes. These stand in columns along the row axis, unbroken as far as
 * blocks go, so that an entry is a few rows of four nodes and no tile is needed. */
#ifndef METHODS_MPM_ANY_PRESSURE_MATRIX_H
#define METHODS_MPM_ANY_PRESSURE_MATRIX_H

#include "methods/mpm/any/fluid.h"

enum {
    ENTRY_ROWS = DIM == 3 ? 16 : 4,
    ENTRY = 4 * ENTRY_ROWS,  /* nodes */
    LINES = CELLS / SIDE,    /* of cubes in a block */
    FULL = DIM == 3 ? 4 : 2, /* particles: a cube whose neighbours have so many is deep in the liquid */
    COLUMN_COLOURS = COLOURS / 4,
};

/* Four full cubes in a line reach seven nodes a row. The means are products: `across` holds what rows have by their
 * place, along[k] what the eight nodes from the line's first have of cube k. */
typedef struct full_line {
    real4 across[ENTRY_ROWS], along[SIDE][8];
} full_line;

/* An image of a particle in a wall, or what a wall leaves of the particle, with a pressure of 1. */
typedef struct wall_push {
    point at;
    int32_t cube;    /* where, of the grid; -1: nowhere */
    int32_t unknown; /* whose pressure */
    int32_t entry;
} wall_push;

/* Nodes that are images of others: of row r, k = 0 .. SIDE - 1, the node image + r stride + image_step k is that at
 * inner + r stride + inner_step k. */
typedef struct column_fold {
    int inner, image, stride; /* no stride: there is none */
    int inner_step, image_step;
    bool is_mirror; /* beyond a plane: what of a vector lies along the column turns round */
} column_fold;

typedef struct pressure_system {
    fluid *f;
    int node_count;
    int32_t *start, *stride; /* of each block: node (row, k) is at start + row stride + k */
    int fold_count;          /* columns that go round a periodic axis or through planes: see folds_copy */
    column_fold *fold;       /* two for each */
    int column_count;
    int32_t *column;        /* blocks, column by column */
    int32_t *column_of;     /* of each block */
    int32_t *column_begin;  /* column_count + 1, of column[] */
    int32_t *by_colour;     /* columns */
    int32_t *colour_begin;  /* COLUMN_COLOURS + 1 */
    int count;              /* unknowns: cubes with particles, column by column */
    int32_t *unknown;       /* of each cube of the grid; -1: none */
    int32_t *cube;          /* of each entry: where it lies */
    int32_t *unknown_begin; /* of each column, in unknowns */
    int entry_count;        /* the first ones are the unknowns' own */
    int32_t *slot;          /* of each entry in entry[]; 0: that of a full cube; -1: and so have the next three */
    real *weight;           /* of each entry: n for full cubes, 1 for others */
    int32_t *owner;         /* of entries beyond: their unknowns */
    int32_t *more;          /* entries beyond of an unknown: sorted, from more_begin[unknown] */
    int32_t *more_begin;    /* NULL: there are none */
    int32_t *lying;         /* and sorted by column, from lying_begin[column] */
    int32_t *lying_begin;
    int32_t *row; /* of each line of cubes in a block: where the rows of its first cube's entry begin */
    real4 *entry;
    full_line line;
    int push_count;
    wall_push *push;
    int32_t *first_push;                    /* of each owner */
    int32_t *push_order, *push_begin;       /* by entry, from the first one that has any */
    const real4 *from;                      /* velocities of the nodes that u is made of */
    real *inverse_mass;                     /* of the nodes */
    real4 *u;                               /* g z, then M^-1 g z */
    real *z, *r, *p, *Ap, *shift, *inverse; /* of unknowns; shift: n/(1 + e)^2; inverse: of the diagonal */
    const real *value;                      /* of unknowns, that are spread, */
    int first;                              /* now to columns of by_colour from this one on */
    real stiffness;                         /* a^2 */
    real step;
} pressure_system;

/* Where the columns have a node of the grid that is not void: such a one has no place along the row axis. */
static inline int column_node(const pressure_system *q, int node)
{
    unsigned b = (unsigned)node / CELLS, r = (unsigned)node % CELLS;
    return q->start[b] + (int)(r / SIDE) * q->stride[b] + (int)(r % SIDE);
}

/* A particle at x with a pressure of 1. */
static inline point pressure_point(real4 x)
{
    point p = {.x = {x.x, x.y, x.z, 1}};
    for (int a = 0; a < DIM; a++) (&p.f[a].x)[a] = 1;
    return p;
}

/* A column that goes round a periodic axis has at either end room for the nodes of the other end's block, so that rows
 * reach on there; one that goes through a plane of symmetry has the block beyond for images. Hands the values of nodes
 * on to that room; adds what was given to it to the nodes. */
void folds_copy(const pressure_system *q, int reals, void *nodes);
void folds_add(const pressure_system *q, real4 *nodes);

/* Makes columns, unknowns, images in walls and entries for the particles of q->f as they are. */
dew_result pressure_matrix_make(pressure_system *q);

#endif
