/* Smoothing of velocities keeps particles orderly: XSPH of what differs from linear flow, which it leaves alone (each
 * particle has the least-squares gradient of its neighbours' velocities, and a pair is drawn together by what the mean
 * of both gradients does not tell). What pairs give each other is opposite.
 *
 * Once filtered, v += S v, a wave 6 spacings long loses 0.14 of `amount`, one of 8 still 0.05: more than water takes
 * of what goes round a drop as wide. Sharply filtered, v -= S S_1 v (S_1: with amounts of 1), they lose 0.02 and 0.003,
 * and one of 3 spacings 0.56. */
#ifndef PARTICLES_SMOOTHING_H
#define PARTICLES_SMOOTHING_H

#include "base/arena.h"
#include "particles/pairs.h"

typedef struct smoothing_params {
    real support, spacing; /* of the cubic spline, of particles; m */
    real kernel;           /* one over the spline's sum over the lattice of particles */
    const real *amount;    /* by slot, the share that is taken out; a pair takes the mean */
    bool is_sharp;
    /* By slot, 0 .. 1, or NULL: of particles that came to the surface or left it a while ago, how much of the while is
     * left. They do so from a dent in the mesh, which snaps them up to a capillary speed: noise of the mesh, not flow.
     * They are smoothed by more. */
    const real *unrest;
    /* By slot, or NULL. The fit of a particle at a thin tip on a wall takes its own velocity for flow, and smooths
     * nothing: such tips would throw particles off. There it is smoothed towards the mean; with `keeps_turning`,
     * towards that and a rotation. */
    const uint8_t *is_tip;
    /* Fits have a rotation besides, so that angular momentum is kept wherever `layer`, `unrest` or a tip weigh pairs
     * otherwise than the fit; another pass over pairs. */
    bool keeps_turning;
    /* By slot up to the ghosts' end, or NULL: g, along the normal of a wall near. A fit that sees one side only takes
     * the slope of a bent profile from a place that is farther in, and what pairs across it would be drawn by is flow.
     * So next to a wall such pairs count less: with the way d between two particles over the support, 1 - min((g_i .
     * d)^2 + (g_j . d)^2, 1). */
    real4 *layer;
    /* By slot, or NULL: moments of momentum over a particle's mass, m2/s, that other passes have left too much, each
     * where it came about. The rotations of fits take them out of the pairs around. With `keeps_turning`. */
    const real4 *moment;
    /* By slot, or both NULL: of which kind each is, and 1 over its mass, to any unit. Pairs of two kinds have nothing
     * to do with each other, as where two liquids slide past each other; of other pairs what they give each other is
     * opposite in momentum. */
    const real *kind, *lightness;
    real4 **gradient; /* NULL, or takes three arrays, by slot: the rows of B, m/s over the support */
} smoothing_params;

/* Changes the velocities of owned particles. `lists`: of p, as far as the support at least. The payloads of places are
 * void after it. DEW_NO_MEMORY. */
dew_result smoothing_apply(const smoothing_params *how, particles *p, pair_lists lists, arena *memory);

#endif
