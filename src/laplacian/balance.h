/* The balance of each body of liquid: the sum of A x = b over a body, along each component. What pairs exchange within
 * it is not in there; sum_i (A 1)_i x_i = sum_i b_i says that momentum changes by nothing but b and what holds (walls,
 * free surfaces), volume likewise. Conjugate gradients within the space of directions p that leave this alone, sum (A
 * 1) p = 0, begun where it is met (Nicolaides 1987; Saad, Yeung, Erhel, Guyomarc'h 2000: deflation by the bodies'
 * indicators), meet it in every iteration, with any preconditioner; and what nearly nothing holds is found in none.
 *
 * Of a body whose component nothing holds, A 1 = 0, the balance is one of b alone: its mean is taken off, and x is the
 * solution without mean. */
#ifndef LAPLACIAN_BALANCE_H
#define LAPLACIAN_BALANCE_H

#include "laplacian/laplacian.h"
#include "laplacian/levels.h"

typedef struct balance {
    levels *grid;
    int width;
    const real *takes_part;         /* > 0 where it does, a number a particle */
    real *hold;                     /* the diagonal of A 1; 1 where nothing holds a body */
    const laplacian_mixing *mixing; /* what else is in A 1, or NULL */
    real *hold_of_nodes;
    real4 *across_of_nodes;
    double (*of_cell)[6], (*sum)[6], (*of_guess)[6];
    double (*held)[6]; /* of each body: 1 . A 1, as xx, yy, zz, yz, zx, xy */
    uint8_t (*is_free)[4];
    real (*shift)[4], (*mean)[4];
} balance;

/* hold: what A leaves of 1. */
dew_result balance_open(balance *l, arena *scratch, levels *grid, const real *takes_part, real *hold,
                        const laplacian_mixing *mixing);
/* b loses the means that nothing holds; of x, a guess, it is found how it has to be shifted. NULL: a guess of 0. */
void balance_begin(balance *l, real *b, const real *x);
/* x += shift, r = b - A x with it. */
void balance_shift(const balance *l, real *x, real *r);
/* Sums over a cell. */
static inline void balance_put(const balance *l, int cell, const double *sum, int width)
{
    for (int n = 0; n < 6; n++) l->of_cell[cell][n] = n < width ? sum[n] : 0;
}
/* z, of which of_cell holds (A 1)^T z but for what the finest nodes' values x add to it, will leave the balance alone
 * when these are shifted, as happens here. */
void balance_shift_nodes(balance *l);

/* Adds (A 1)^T x, A being symmetric, where A 1 has this diagonal (`width` numbers) and, unless NULL, this across it. */
static inline void balance_add(const real *hold, const real4 *across, const real *x, double *sum, int width)
{
    for (int n = 0; n < width; n++) sum[n] += (double)hold[n] * (double)x[n];
    if (width == 1 || !across) return;
    sum[0] += (double)(across->z * x[1] + across->y * x[2]);
    sum[1] += (double)(across->z * x[0] + across->x * x[2]);
    sum[2] += (double)(across->y * x[0] + across->x * x[1]);
}
static inline void balance_add_particle(const balance *l, int i, const real *x, double *sum, int width)
{
    balance_add(l->hold + width * i, l->mixing ? &l->mixing[i].across : NULL, x, sum, width);
}

#endif
