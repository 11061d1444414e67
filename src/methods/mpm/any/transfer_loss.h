/* What transfers take of motion, given back.
 *
 * Each way T to the grid and back smooths what varies otherwise than evenly: of a motion (v, A) a share S is left, 0 <=
 * S <= 1, and of n ways S^n, however short the substeps are. By explicit substeps, which sound makes many, that took
 * more than water's viscosity does: flow around the ends of plates, between cylinders, waves. So once a step, before
 * its n substeps, particles get back what these will take,
 *
 *     (v, A) += n ((v, A) - T (v, A)),
 *
 * which leaves S^n (1 + n (1 - S)) <= 1 of it: first order in 1 - S is gone (of n = 1 it is XPIC of order 2,
 * Hammerquist and Nairn 2017). T is a substep of no time.
 *
 * Only particles all of whose nodes are of full cells take part, as a body of their own: so momentum and angular
 * momentum are kept, as T keeps theirs, and walls get what the mirrors of T do. At the free surface T also takes what
 * tension of uneven samples stirs up, as next to inner edges of walls. Implicit pressures leave hundredths of what they
 * take back (FALL, mpm.c), which nothing but transfers damps, and need few of these: there nothing is given back. */
#ifndef METHODS_MPM_ANY_TRANSFER_LOSS_H
#define METHODS_MPM_ANY_TRANSFER_LOSS_H

#include "methods/mpm/any/fluid.h"

/* Gives back what so many substeps will take; the owners have met no force yet. */
dew_result transfer_loss_give_back(fluid *f, int substeps);

#endif
