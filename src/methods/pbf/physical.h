/* The pieces of a physical sub-step. Order and reasons: physical.c. */
#ifndef METHODS_PBF_PHYSICAL_H
#define METHODS_PBF_PHYSICAL_H

#include "methods/pbf/pbf.h"

/* What a sub-step works on. Arrays by slot, from the arena unless said. Multipliers in h^2, gradients of rho/rho0 in
 * 1/h. */
typedef struct physical {
    pbf_state *p;
    world *w;
    pbf_arrays a;
    pair_lists lists;
    int count, blocks;
    real dt;
    real *fullness; /* phi: the fraction of the kernel that liquid may fill, wall included */
    real *target;   /* rho/rho0 that the solver may not exceed */
    real *excess;   /* rho/rho0 - target at x* */
    real *inv_norm; /* 1/sum_k |grad_k rho_i/rho0|^2, floored */
    real *previous; /* multipliers before this iteration */
    real *change;   /* of rho/rho0, by the displacements of this iteration */
    real momentum;  /* Nesterov's, of this iteration */
    real suction;   /* the least multiplier that particles inside the liquid may have */
    real4 *shift;   /* displacement by the multipliers, in h; a field (p->move keeps the whole) */
    real4 *force;   /* of surface tension, N */
    real *cosine;   /* of the contact angle at the nearest solid, NO_SOLID where none is near; NULL without solids */
    real4 *of_wall; /* what of it the nearest solid gives; NULL without solids */
    real4 *start;   /* places at the step's start, regularised */
} physical;

/* --- rest.c: fills k->fullness, then regularising shifts that make no velocity --- */
dew_result pbf_rest_density(physical *k);

/* --- tension.c --- */
/* k->force = -gamma grad(area) with the contact line's pull, on surface particles. */
dew_result pbf_tension_force(physical *k, real surface_tension);
/* k->force, that of surface particles, given to the particles around each; their sum stays. Uses k->shift. */
dew_result pbf_spread_tension(physical *k);

/* --- pressure.c --- */
/* Takes x at the step's start and a.move = dt v; adds the pressure's displacement to a.move, and all of a.move to x.
 * k->force is free memory from here on. */
dew_result pbf_solve_pressure(physical *k, int iterations);

/* --- viscosity.c --- */
/* Monaghan's pairwise viscosity over dt, stabilised by Runge-Kutta-Legendre stages; nu in m2/s. */
dew_result pbf_viscosity(pbf_state *p, world *w, real nu, real dt);
/* Velocity smoothing that leaves linear flow alone (affine XSPH); near walls at least `near_wall`. */
dew_result pbf_smooth_velocity(pbf_state *p, world *w, real amount, real near_wall);

/* --- contact.c --- */
/* Pushes x out of solids to a distance of s/2, with friction; corrects a.move alike. */
void pbf_push_out(physical *k);

#endif
