/* The preconditioner of a Laplacian on particles, z = D^-1 r + P B P^T r: its diagonal for what differs from neighbour
 * to neighbour (with 30 or more of them what a particle has is nearly even with their mean, so D^-1 A is nearly 1
 * there), a V-cycle B of the grid for what is smooth, each at once and without a product by A (Bramble, Pasciak, Xu
 * 1990). And it leaves the balances of bodies alone. */
#ifndef LAPLACIAN_PRECONDITIONER_H
#define LAPLACIAN_PRECONDITIONER_H

#include "laplacian/balance.h"
#include "laplacian/turning.h"

typedef struct preconditioner {
    levels grid;
    balance balance;
    turning turning;               /* where turning.body is not NULL */
    const real *inverse;           /* D^-1, a number a particle; 0: takes no part */
    const real *held;              /* (A 1)^T D^-1, `width` numbers a particle, where D is no matrix */
    const laplacian_mixing *mixed; /* D^-1, where it is a matrix; else NULL */
    real *r, *z;
} preconditioner;

/* z of r, whose sums over bodies are 0; returns r . z. */
double preconditioner_apply(preconditioner *m);

static inline real3 laplacian_mix(const laplacian_mixing *m, real3 v)
{
    real4 d = m->diagonal, a = m->across;
    return (real3){d.x * v.x + a.z * v.y + a.y * v.z, a.z * v.x + d.y * v.y + a.x * v.z,
                   a.y * v.x + a.x * v.y + d.z * v.z};
}

#endif
