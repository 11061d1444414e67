/* The balance of each body of liquid: the sum of A x = b over a body, along each component. What pairs exchange within
 * it is not in there; sum_i (A 1)_i x_i = sum_i b_i says that momentum changes by nothing but b and what holds (walls,
 * free surfaces), volume likewise. Conjugate gradients within the space of directions p that leave this alone, sum (A
 * 1) p = 0, begun where it is met (Nicolaides 1987; Saad, Yeung, Erhel, Guyomarc'h 2000: deflation by the bodies'
 * indicators), meet it in every iteration, with any preconditioner; and what nearly nothing holds is found in none.
 *
 * Components that faces of symmetry mirror are held by these, and left alone.
 *
 * Of a body whose component nothing holds, A 1 = 0, the balance is one of b alone: its mean is taken off, and x is the
 * solution without mean. */
#ifndef LAPLACIAN_BALANCE_H
#define LAPLACIAN_BALANCE_H

#include "laplacian/laplacian.h"
#include "laplacian/levels.h"

/* Of a body, by components. */
typedef struct body_balance {
    double held[6];                      /* 1 . A 1: xx, yy, zz, yz, zx, xy; where nothing holds, how many take part */
    bool is_free[3];                     /* nothing holds */
    bool is_left[3];                     /* alone: faces that mirror it hold it */
    _Alignas(16) real shift[4], mean[4]; /* of a guess, that it may meet the balance; of b, that nothing holds */
} body_balance;

typedef struct balance {
    levels *grid;
    int width;
    real *hold; /* the diagonal of A 1, `width` numbers a particle; 1 where nothing holds and it takes part */
    const laplacian_mixing *mixing; /* what else is in A 1, or NULL */
    body_balance *body;
    real *hold_of_nodes; /* P^T of both, by which sums over particles are sums over nodes */
    real4 *across_of_nodes;
    double (*of_cell)[4]; /* sums over a cell */
    double (*sum)[4];     /* and a body */
} balance;

/* takes_part: > 0 for those that do, a number a particle; hold: what A leaves of 1, 0 for others, as are b and x. Of b
 * and the guess x (NULL: 0) each body's mean and shift are found. */
dew_result balance_open(balance *l, arena *scratch, levels *grid, const real *takes_part, real *hold,
                        const laplacian_mixing *mixing, const bool is_mirrored[3], const real *b, const real *x);
/* z, of which of_cell holds (A 1)^T z but for what the finest nodes' values x add to it, will leave the balance alone
 * when these are shifted, as happens here. */
void balance_shift_nodes(balance *l);

/* (A 1) x of a particle whose body has x everywhere; 0 along what nothing holds. */
static inline void balance_held(const balance *l, int i, const real *x, real *held)
{
    const body_balance *body = &l->body[l->grid->body_of[i]];
    for (int n = 0; n < l->width; n++) held[n] = n < 3 && !body->is_free[n] ? l->hold[l->width * i + n] * x[n] : 0;
    if (!l->mixing) return;
    real4 a = l->mixing[i].across;
    held[0] += a.z * x[1] + a.y * x[2], held[1] += a.z * x[0] + a.x * x[2], held[2] += a.y * x[0] + a.x * x[1];
}

#endif
