/* Double density relaxation (Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005).
 *
 * Symbols: s particle spacing, h reach of the kernels, q = r/h, w = max(0, 1 - q); rho = sum w^2 and rho_near = sum w^3
 * over the neighbours, a particle itself left out (equations 1 and 4); P = k (rho - rho0), P_near = k_near rho_near (2
 * and 5), m/s2. Lengths inside pair sums are divided by h. README.md lists every symbol. */
#ifndef METHODS_DDR_DDR_H
#define METHODS_DDR_DDR_H

#include "base/parallel.h"
#include "methods/ddr/springs.h"
#include "methods/flow/flow.h"
#include "particles/pairs.h"
#include "solids/near_walls.h"
#include "solids/shear.h"

extern const method method_ddr;

typedef enum ddr_parameter {
    DDR_TENSION, /* 0 area, 1 densities, 2 paper */
    DDR_CFL,
    DDR_PROJECTIONS,
    DDR_OWN_VISCOSITY,
    DDR_HYPERVISCOSITY,
    DDR_BETA,
    DDR_BULK,
    DDR_COMPRESSION_YIELD,
    DDR_COMPRESSION_RELAXATION,
    DDR_PAPER_STEP,
    DDR_PAPER_REST_DENSITY,
    DDR_PAPER_K,
    DDR_PAPER_K_NEAR,
    DDR_PAPER_SIGMA,
    DDR_PAPER_BETA,
    DDR_PAPER_SPRING,
    DDR_PAPER_ALPHA,
    DDR_PAPER_GAMMA,
    DDR_PAPER_STICK,
    DDR_PARAMETER_COUNT
} ddr_parameter;

/* The paper's numbers, in SI: those of a scene's materials (calibration.md), or as printed. */
typedef struct ddr_numbers {
    double rho0, k, k_near;    /* 1; m/s2 */
    double rho_eq;             /* rho where liquid at rest is under no pressure: a spacing apart */
    double sigma, beta;        /* of viscosity impulses, 1/s and 1/m; by area none */
    double viscosity;          /* kinematic, that sigma stands for, m2/s */
    double pace;               /* how fast a particle can swing between its neighbours, 1/s */
    double calming;            /* rate of hyperviscosity for a particle against its neighbours, 1/s */
    ddr_spring_numbers spring; /* stiffness 0: none */
    double bulk;               /* P also has k bulk d(rho)/dt, s */
    double ahead;              /* time by which the places of the forces run ahead of the particles', s */
    double stick;              /* k_stick of all solids, 1/s2: paper */
    bool is_paper;
} ddr_numbers;

typedef struct ddr_state {
    double parameter[DDR_PARAMETER_COUNT];
    real s, h;
    /* Indices of fields. */
    int place, ahead, near_pressure, change, is_surface, density, pressure, anchor;
    half_space whole, close; /* of the kernels w^2 and w^3 */
    shear_table shear_table;
    bool is_area;                     /* tension by the surface's area, and pressure by the exact projection */
    flow_state flow;                  /* of that */
    ddr_springs springs, old_springs; /* the second have no part in the state */
} ddr_state;

enum { DDR_GRAIN = 32 };

/* How a solid holds liquid: how dense, over liquid, it seems to pressures; k_stick of equation 12, 1/s2. */
typedef struct ddr_hold {
    real adherence, stick;
} ddr_hold;

/* What a step works on. Arrays by slot, from the arena unless said. */
typedef struct ddr_step {
    ddr_state *p;
    world *w;
    particles *all;
    pair_lists lists;
    ddr_numbers n;
    int count, blocks;
    real dt, h, inv_h;
    real4 *x, *v;        /* fields: place, velocity */
    real4 *place;        /* field: where forces are taken; w: P, then what the projection has in its place */
    real4 *ahead;        /* field: the place at the step's end as it is now foreseen */
    real *near_pressure; /* field: P_near */
    real *near_error;    /* by area: rho_near, images included, less 1 */
    real4 *push;         /* acceleration by pairs, m/s2; w: sum of r times it, m2/s2 */
    real *rho, *rho_near;
    real *solid;     /* what solids add to rho where they are as dense as liquid */
    real *nearing;   /* sum of w times the speed at which neighbours come nearer, m/s */
    near_walls near; /* within h, by places at the step's start */
    real *pressed;   /* speed that solids have given along their normals, which friction answers to, m/s */
    ddr_hold *hold;  /* of each solid */
    flow_step flow;  /* by area */
} ddr_step;

/* The numbers of the scene's material as it is now. */
ddr_numbers ddr_numbers_of(const ddr_state *p, const world *w);

/* --- anchors.c --- */
/* Springs pull on particles by their ends in solids. */
void ddr_anchor(ddr_step *k);

/* --- relax.c --- */

/* Accelerates by double density relaxation at `place` (equations 1 to 6); leaves rho and the fields density,
 * is_surface, pressure. */
void ddr_relax(ddr_step *k);
/* Moves what would be denser than rho_eq at the step's end apart: C = max(0, rho - rho_eq), so many Jacobi turns. */
void ddr_project(ddr_step *k, int turns);

/* By area: finds the shift of places that keeps density and order. */
dew_result ddr_order(ddr_step *k);

/* --- viscosity.c: algorithm 5, and walls that hold --- */
dew_result ddr_viscosity(ddr_step *k);

/* --- walls.c --- */

dew_result ddr_find_walls(ddr_step *k);
/* What the solids near particle i at a place add to rho and rho_near, each as it
 * holds liquid; NULL: as liquid. */
void ddr_add_walls(const ddr_step *k, int i, real4 at, const ddr_hold *hold, real *rho, real *rho_near);
/* What they add to `facing`, the sum of w (x_i - x_j)/r, with x_i at the step's start. */
real3 ddr_facing_of_walls(const ddr_step *k, int i);
/* Accelerates particles by their solids' parts in P and P_near (place.w, near_pressure), for dt. */
void ddr_push_walls(ddr_step *k, bool has_near);
/* Ends motion into solids, rubs, sticks and extracts (algorithm 6, equation 12); moves the particles to their places at
 * the step's end. */
void ddr_collide_and_move(ddr_step *k);

#endif
