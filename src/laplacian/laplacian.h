/* Systems of equations on the neighbour lists: A x = b with
 *
 *     (A x)_i = d_i x_i + sum_j w_ij (x_i - x_j),        w_ij = w_ji >= 0, d_i >= 0,
 *
 * j over all neighbours of i, ghosts too: implicit pressure (a number a particle) and implicit viscosity (a vector a
 * particle, with the same w for its components, to whose d what mixes them at walls may come). A method writes the
 * weight of a pair; all else is here. Conjugate gradients solve it, with the diagonal and a grid of cells two spacings
 * wide as preconditioner (levels.h): how many iterations it takes does not depend on the number of particles. Vectors
 * are reals, sums of products doubles in fixed blocks: same bytes for any number of threads. What all columns of A keep
 * (momentum, where d is 0) a solution keeps, however early it ends.
 *
 * Weights are kept in 16 bits (IEEE half), in the layout of the lists: to half the last of 11 bits, a pair's the same
 * from both sides. It is as if particles were 1e-4 spacings elsewhere, and twice as fast as anything else tried
 * (calibration.md).
 *
 *     laplacian a;
 *     RESULT_TRY(laplacian_open(&a, &(laplacian_def){.name = "pressure", .particles = p, .lists = lists, .reach = h,
 *         .domain = domain, .dimension = 3, .spacing = s, .unit = weight at r = s, .scratch = w->scratch}));
 *     parallel_for(PAIR_BLOCKS(p->count), 32, weigh, k);           // below
 *     for (int i = 0; i < p->count; i++) a.diagonal[i] = is_surface[i] ? INFINITY : ...;
 *     RESULT_TRY(laplacian_solve(&a, b, x, 1e-3, 200, &iterations)); // x: a first guess, then the solution
 *
 *     static void weigh(int begin, int end, void *context)
 *     {
 *         for (int block = begin; block < end; block++) {
 *             vreal4 i = pair_i(position, block);
 *             laplacian_row row = {0};
 *             PAIRS(a->lists, block, j)
 *             {
 *                 vreal4 b = pair_j(position, j);
 *                 vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
 *                 laplacian_put(a, &row, block, j, r2, vmax(reach * vrsqrt(r2) - 1, vset(0)));
 *             }
 *             laplacian_end(a, block, row);
 *         }
 *     }
 */
#ifndef LAPLACIAN_LAPLACIAN_H
#define LAPLACIAN_LAPLACIAN_H

#include "base/arena.h"
#include "particles/pairs.h"

typedef struct laplacian_def {
    const char *name; /* of what is sought, for messages */
    const particles *particles;
    pair_lists lists; /* of all pairs nearer than `reach`, m, from both sides */
    double reach;
    const dew_domain_def *domain; /* that the lists were built with; NULL: open */
    int dimension;
    /* Vectors whose pairs act along the line between them, with e its direction: w_ij ((x_i - x_j) . e) e in place of
     * w_ij (x_i - x_j), as in Monaghan's viscosity (2005), which leaves rotations alone. All take part (no d is
     * INFINITY). */
    bool is_central;
    double spacing; /* of particles, m */
    double unit;    /* a typical weight: they are kept to full precision between 6e-5 and 6e4 of it */
    arena *scratch; /* all memory is of it */
} laplacian_def;

/* A symmetric matrix that takes velocities to rates, as solids/shear.h has it: xx, yy, zz; yz, zx, xy. */
typedef struct laplacian_mixing {
    real4 diagonal, across;
} laplacian_mixing;

typedef struct laplacian {
    laplacian_def of;
    pair_lists lists;
    uint16_t *weight;          /* 4 for each entry of the lists: w/unit; central: times (spacing/r)^2 */
    real inverse_unit, square; /* of the spacing */
    real *sum;                 /* of w_ij over j */
    real *spread;              /* of w_ij r_ij^2 */
    /* d, by slot; 0 at first. INFINITY: x is 0 there and takes no part (Dirichlet's condition; neighbours feel it). */
    real *diagonal;
    laplacian_mixing *mixing; /* NULL, or by slot: comes to d where vectors are sought; not negative */
    real4 *rest;              /* NULL, or takes what a solution of vectors leaves of b, by slot */
    /* NULL, or finds Ax = B x, B symmetric and positive, whose system is solved in place of A's, which then only has to
     * be like it (a viscosity along the lines of centres): returns x . B x. x has its ghosts. B 1 = A 1. */
    double (*product)(void *context, const real4 *x, real4 *Ax);
    void *context;
} laplacian;

/* Makes room for weights and all else that follows from the lists, which must hold until the solution is found. */
dew_result laplacian_open(laplacian *a, const laplacian_def *def);

/* Sums over a block's pairs on the way. */
typedef struct laplacian_row {
    vreal sum, spread;
} laplacian_row;

/* The weights of the pairs at the cursor, which must be called for each; those of pairs at no distance (i itself) do
 * not count. r2: square of the distance, m2. */
static inline void laplacian_put(const laplacian *a, laplacian_row *row, int block, pair_cursor j, vreal r2, vreal w)
{
    vreal kept = vselect(r2 > 0, w * vset(a->inverse_unit), vset(0));
    row->sum += kept, row->spread += kept * r2;
    if (a->of.is_central) kept *= vset(a->square) / vmax(r2, vset(a->square * (real)1e-6));
    vstore_half(a->weight + 4 * (j.at - a->lists.entries) + PAIR_I * block % 4, kept);
}
static inline void laplacian_end(const laplacian *a, int block, laplacian_row row)
{
    pair_store(a->sum, block, row.sum);
    pair_store(a->spread, block, row.spread);
}

/* Solves for a number, or a vector (w is left alone), of each owned particle. x: a first guess (0: none), then the
 * solution. It is found when |b - A x| <= tolerance |b|, the squares over A's diagonal; where that takes more than
 * `most` iterations DEW_FAILED tells of which system, and how far it came, and x is as far. Where nothing holds x (no d
 * at all: Neumann's conditions, a closed box of liquid) b's mean is taken off, and x has none. *iterations: how many it
 * took; may be NULL. */
dew_result laplacian_solve(laplacian *a, const real *b, real *x, double tolerance, int most, int *iterations);
dew_result laplacian_solve_vectors(laplacian *a, const real4 *b, real4 *x, double tolerance, int most, int *iterations);

/* A x alone; x by slot, up to the ghosts' end, which are filled here. 0 for those that take no part. */
void laplacian_multiply(const laplacian *a, real *x, real *Ax);
void laplacian_multiply_vectors(const laplacian *a, real4 *x, real4 *Ax);

#endif
