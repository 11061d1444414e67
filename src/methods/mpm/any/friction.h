/* Coulomb's friction on walls: in a substep a wall takes from the liquid's motion along it, against its own, at most mu
 * times the momentum that it gives the liquid along its normal.
 *
 * The mirror gives that momentum, without a force ever being laid on a node: what the stress P of a point with volume V
 * does in a velocity that is n on all nodes, u_s = (alpha - beta) n, is
 *
 *     2 (d alpha/ds) V n.P n,
 *
 * and the weights 2 d alpha/ds of points across the layer add up to one for every area of wall: a point stands for an
 * area of wall, and presses on it. Of what the layer itself weighs, its mirror carries 2 beta. So a particle's part, of
 * its own stress and its samples', adds up with all others' to what holds the liquid up, and each is felt where it is.
 * Where tension pulls more than pressure pushes, at a contact line, the wall gives nothing. */
#ifndef METHODS_MPM_ANY_FRICTION_H
#define METHODS_MPM_ANY_FRICTION_H

#include "methods/mpm/any/grid.h"

/* Slows particles next to walls that rub, as they have just moved, and takes back how far they got by what they lose.
 */
void rub_walls(int begin, int end, void *context);

#endif
