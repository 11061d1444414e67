/* Moving particle semi-implicit with wettability from surface energies (Mukai, Natsume, Oishi, Oshima: Analysis of
 * Wettability Model Using Adhesional and Spreading Works, VISIGRAPP 2023; the method: Koshizuka, Oka 1996).
 *
 * Symbols: s particle spacing, h reach of the kernels, q = r/h, w = max(0, 1 - q). The three models are those of one
 * kernel: particle number density n = sum w^2, gradient by w e_ij (minus half its derivative), Laplacian by w/q, which
 * is the kernel r_e/r - 1 of Koshizuka and Oka; e_ij = (x_i - x_j)/r. So the divergence is the change of n, the
 * gradient its adjoint, and what pairs give each other is opposite. README.md lists every symbol. */
#ifndef METHODS_MPS_MPS_H
#define METHODS_MPS_MPS_H

#include "methods/flow/flow.h"
#include "solids/shear.h"

extern const method method_mps;

typedef enum mps_parameter {
    MPS_CFL,
    MPS_CAPILLARY,
    MPS_CORRECTION,
    MPS_TOLERANCE,
    MPS_OWN_VISCOSITY,
    MPS_TENSION,
    MPS_PARAMETER_COUNT
} mps_parameter;

typedef struct mps_state {
    flow_state flow; /* first: mps_of */
    double parameter[MPS_PARAMETER_COUNT];
    int strain, strain_across; /* fields */
    bool is_paper;             /* the potential's forces as the paper has them, word by word */
    half_space bond;           /* of the potential psi */
    double cohesion;           /* gamma = cohesion K h^2/s^D s^D...: see tension.c */
} mps_state;

/* The method's state that a step's flow is the first part of. */
static inline mps_state *mps_of(const flow_step *k) { return (mps_state *)(void *)k->p; }

/* --- tension.c --- */
double mps_potential(double q);
double mps_potential_of_paper(double q);
/* K h of a pair, J: what its potential is multiplied by. */
double mps_bond(const mps_state *p, const world *w, double surface_tension);
/* Adds dt times the potential's accelerations to the velocities; its virial to force.w. */
dew_result mps_tension(flow_step *k);

/* --- elastic.c --- */
bool mps_is_elastic(const world *w);
/* Strain goes with the flow and relaxes, and dt times the acceleration of its stress comes to the velocities. */
dew_result mps_elastic(flow_step *k);
/* The longest step, s. */
double mps_elastic_step(const mps_state *p, const world *w);
/* Of all strain, J. */
double mps_elastic_energy(const mps_state *p, const world *w);

/* --- gradient.c --- */
/* div v of the velocities, solids' motion included, 1/s; to the next multiple of 4. */
void mps_find_divergence(flow_step *k, real *rate);
/* v += dt/rho G of a pressure, Pa; its virial to force.w; solids get the opposite of theirs. */
void mps_push(flow_step *k, const real *pressure);

/* --- pressure.c --- */
/* Corrects velocities and the pressure. */
dew_result mps_solve_pressure(flow_step *k);

/* --- film_pairs.c --- */
/* Of a film between periodic faces x and y, N/m; false: no memory. */
bool mps_film_by_pairs(const mps_state *p, const world *w, double *tension);

/* --- film_area.c --- */
/* N/m; false: there is no film between periodic faces x and y. */
bool mps_film_tension(const mps_state *p, const world *w, double *tension);

#endif
