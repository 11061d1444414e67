/* The pieces of a physical sub-step. Order and reasons: physical.c. */
#ifndef METHODS_PBF_PHYSICAL_H
#define METHODS_PBF_PHYSICAL_H

#include "methods/pbf/pbf.h"

/* Below which rho/rho0 a particle inside the liquid is next to a hollow: two neighbours a spacing away are missing,
 * each of which counts 0.052. Near the surface it must lack more, by as much as lies in the air: what is full is less
 * sure there. */
static inline real pbf_hollow(real fullness) { return 2 * fullness - (real)1.1; }

/* What a sub-step works on. Arrays by slot, from the arena unless said. Multipliers in h^2, gradients of rho/rho0 in
 * 1/h. */
typedef struct physical {
    pbf_state *p;
    world *w;
    pbf_arrays a;
    pair_lists lists;
    int count, blocks;
    real dt;
    real pace;        /* dt over the time in which forces move liquid by a part of a spacing */
    double virial;    /* of the pressure's forces, J */
    real *fullness;   /* phi: the fraction of the kernel that liquid may fill, wall included */
    real *wet;        /* share of the solids near that is on the liquid's side of the surface; NULL without solids */
    real *excess;     /* of the change of rho/rho0 without pressure over what is let go */
    real *inv_norm;   /* 1/sum_k |grad_k rho_i/rho0|^2, floored */
    real *change;     /* of rho/rho0, by k->shift */
    real4 *ways;      /* of pbf_find_fullness */
    real4 *own;       /* gradient of rho_i/rho0 by the particle's own place, of liquid alone */
    real4 *solid;     /* S: that of solids and their mirror images, 1/h; w: change of rho/rho0 as solids move. NULL */
    real4 *along[3];  /* T by rows */
    real4 *shift;     /* displacement by the multipliers, in h; a field (p->move keeps the whole) */
    real3 astray;     /* how far k->shift would move the centre of mass, m */
    real4 *force;     /* of surface tension, N */
    uint8_t *is_held; /* to an inflow; NULL: none is */
    bool *is_hollow;  /* next to a hollow, and pressed by what is around */
    real *suction;    /* sqrt(-p/rho) dt over h by the multiplier around, where that is below 0; else 0 */
    real4 *order;     /* displacement against suction's disorder, in h */
    real *cosine;     /* of the contact angle at the nearest solid, NO_SOLID where none is near; NULL without solids */
    real4 *of_wall;   /* what of it the nearest solid gives; NULL without solids */
} physical;

/* --- physical.c --- */
/* What a step of dt begins with; lists are to hold. The caller makes room for what a pass needs. */
physical pbf_physical_of(pbf_state *p, world *w, double dt);
/* dt over the time in which forces move liquid by a part of a spacing: the share that mending and smoothing take. */
double pbf_pace_of(const pbf_state *p, const world *w, double dt);

/* --- mending.c --- */
/* Shifts that make no velocity: towards k->fullness, apart, and to an even skin. */
void pbf_mend(physical *k); /* k->shift, from places at the step's start */
void pbf_apply_mending(physical *k);

/* --- order.c --- */
/* Fills k->order by k->suction, k->own and k->solid. */
void pbf_find_order(physical *k);

/* --- tension.c --- */
/* k->force = -gamma grad(area) with the contact line's pull, on surface particles. */
dew_result pbf_tension_force(physical *k, real surface_tension);

/* --- pressure.c --- */
/* The last step's pressure pushes: v changes. */
dew_result pbf_push_as_before(physical *k);
/* Takes x at the step's start and a.move = dt v; adds the displacement by what the pressure changes to a.move. */
dew_result pbf_solve_pressure(physical *k);

/* --- viscosity.c --- */
/* The material's viscosity and walls that hold, over dt, at its end. */
dew_result pbf_viscosity(physical *k);
/* Velocity smoothing that leaves linear flow alone (affine XSPH). is_held: or NULL. */
dew_result pbf_smooth_velocity(pbf_state *p, world *w, real amount, const uint8_t *is_held);

/* --- walls.c --- */
/* Particles that a fill or a shift left too near a solid are moved out at once, without velocity. */
void pbf_leave_solids(physical *k);
/* 1/(1 + H d) at the distance d from the a-th solid near particle i, H its mean curvature. */
real pbf_spread(const pbf_state *p, int i, int a);
/* Fills k->solid and k->along. */
dew_result pbf_find_solids(physical *k);

/* --- contact.c --- */
/* Pushes x out of solids to a distance of s/2, with friction; corrects a.move alike. */
void pbf_push_out(physical *k);

#endif
