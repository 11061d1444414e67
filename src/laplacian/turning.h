/* The balance of angular momentum, for pairs that act along the line between them: of a body that nothing holds but d
 * alone (no walls, no images), sum_i y_i x (d_i x_i) = sum_i y_i x b_i, y against the centre of d. As the other
 * balances (balance.h) it is met in every iteration: rotations are deflated too, which d alone resists, however stiff
 * the pairs. */
#ifndef LAPLACIAN_TURNING_H
#define LAPLACIAN_TURNING_H

#include "laplacian/levels.h"

/* Of a body. */
typedef struct body_turning {
    bool is_there;    /* nothing but d holds it */
    double square[6]; /* sum d times xx, yy, zz, yz, zx, xy of y */
    _Alignas(16) real centre[4], turn[4];
} body_turning;

typedef struct turning {
    levels *grid;
    const real4 *position;
    body_turning *body;
    real4 *place_of_nodes; /* against their bodies' centres */
    real4 *lever_of_nodes; /* P^T d y */
    double (*of_cell)[4];  /* sums of y x d z over a cell */
    double (*sum)[3];      /* and a body */
} turning;

/* hold: d, a vector a particle, 0 for those that take no part; walls: what else holds a particle, NULL: nothing. Finds
 * by what turns the guess x has to be turned. */
dew_result turning_open(turning *t, arena *scratch, levels *grid, const real4 *position, const real4 *hold,
                        const real4 *walls, int wall_stride, const real4 *b, const real4 *x);
/* As balance_shift_nodes. */
void turning_turn_nodes(turning *t);

/* turn x y of a particle, y x a. */
static inline real3 turning_at(const turning *t, int i)
{
    const body_turning *body = &t->body[t->grid->body_of[i]];
    real3 y = real3_sub(real3_of(t->position[i]), (real3){body->centre[0], body->centre[1], body->centre[2]});
    return real3_cross((real3){body->turn[0], body->turn[1], body->turn[2]}, y);
}
static inline real3 turning_spin(const turning *t, const body_turning *body, int i, real3 a)
{
    real3 y = real3_sub(real3_of(t->position[i]), (real3){body->centre[0], body->centre[1], body->centre[2]});
    return real3_cross(y, a);
}

#endif
