/* Levels of the nodes: how high each lies over the surface of the liquid, in cells, negative inside.
 *
 * A node's particles within two cells have a weighted mean (Zhu, Bridson 2005); over a flat surface its distance tells
 * the node's height, whatever the particles' order: the surface that comes of it is smooth where balls around the
 * particles have bumps. Next to walls it would cut edges off, since what the wall hides is missing in the mean; there
 * the level is that of balls, the distance to the nearest particle. How much liquid there is, the sum of the weights,
 * then puts it higher or lower. */
#ifndef METHODS_MPM_ANY_LEVEL_SET_H
#define METHODS_MPM_ANY_LEVEL_SET_H

#include "methods/mpm/any/grid.h"

/* Radius of the balls in cells, for a net as high over the liquid as they reach beyond half a spacing: a net on balls
 * is 0.02 cells too high (measured on balls and discs). */
static inline double balls_radius(double height, double spacing, double dx)
{
    return height + spacing / (2 * dx) + 0.02;
}

/* How high the net lies over the liquid, in cells: so that the node next to a particle that is alone, half the diagonal
 * of a cell away at most, is inside, by the weighted mean and by balls. */
static inline double net_height(double spacing, double dx)
{
    double by_mean = DIM == 3 ? 0.56 : 0.34, diagonal = DIM == 3 ? 0.867 : 0.73;
    return fmax(by_mean, diagonal - balls_radius(0, spacing, dx));
}

/* The level of nodes so deep that their own is not sought. */
#define INNER ((real)-2)
dew_result level_set_find(const grid *g, const real4 *x, const real *at_wall, double spacing, real **level);

#endif
