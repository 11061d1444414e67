/* Position-based surface tension flow (Xing, Ruan, Wang, Zhu, Chen 2022, ACM TOG 41(6) 244).
 *
 * Two modes behind one method. `physical` (physical.c): surface tension in N/m as the gradient of the local mesh's
 * area, sub-steps, velocities without divergence (methods/flow), and the order of particles by constraints on
 * positions. `paper` (paper.c): the published algorithm 1 with its epsilons; all files but physical.c are
 * of it.
 *
 * Symbols: s particle spacing, h = 3 s kernel support, V0 = s^3, W the cubic spline normalised so that an infinite
 * lattice has density rho0 exactly; lengths inside pair sums are divided by h. README.md lists every symbol. */
#ifndef METHODS_PBF_PBF_H
#define METHODS_PBF_PBF_H

#include "base/parallel.h"
#include "methods/flow/flow.h"
#include "methods/method.h"
#include "particles/kernels.h"
#include "particles/pairs.h"
#include "surface/surface.h"

extern const method method_pbf;

typedef enum pbf_parameter {
    PBF_TENSION, /* 0 physical, 1 paper */
    PBF_CFL,
    PBF_LLOYD,
    PBF_PUSH_DISTANCE,
    PBF_PUSH,
    PBF_PAPER_STEP,
    PBF_PAPER_ITERATIONS,
    PBF_RESET_ITERATIONS,
    PBF_EPSILON_AREA,
    PBF_EPSILON_DISTANCE,
    PBF_EPSILON_DENSITY,
    PBF_PAPER_XSPH,
    PBF_FILAMENTS,
    PBF_SKIN,
    PBF_PARAMETER_COUNT
} pbf_parameter;

typedef struct pbf_state {
    /* Saved in checkpoints: plain numbers. */
    double saved_dt; /* of the last step; 0: there was none */
    /* Set at creation. */
    double parameter[PBF_PARAMETER_COUNT];
    flow_state flow; /* of the physical mode */
    /* All below is of the paper mode. */
    real s, h;
    real kernel;           /* V0 a: sum over an infinite lattice of kernel * cubic_spline(q) is 1 */
    half_space half_space; /* D(u) */
    /* Indices of fields. */
    int move, shift, normal, lambda, is_surface, density, pressure, unrest;
    /* On the bulk lattice: sum_k |h grad_k rho/rho0|^2 of a density constraint. */
    real bulk_norm;
    /* The surface of the present step, from the arena. */
    int32_t *surface_list;
    int surface_count;
    rings rings;
} pbf_state;

static inline bool pbf_is_paper(const pbf_state *p) { return p->parameter[PBF_TENSION] > 0.5; }

/* The arrays a step works on, by name. */
typedef struct pbf_arrays {
    real4 *x, *v;  /* position, velocity */
    real4 *move;   /* displacement in this step */
    real4 *normal; /* unit outward normal; w: |h grad c| */
    real *lambda;  /* multipliers of the density constraints, in h^2 */
    uint8_t *is_surface;
    real *density;   /* rho/rho0 */
    real *pressure;  /* Pa */
    uint8_t *unrest; /* steps in which a particle that came to the surface or left it is still calmed */
    int count;
} pbf_arrays;
pbf_arrays pbf_arrays_of(const pbf_state *p, const world *w);

/* Blocks of particles that one piece of a parallel loop takes. */
enum { PBF_GRAIN = 32 };

/* --- constraint.c --- */

/* For every particle at the present places, by liquid alone: own = gradient of rho_i/rho0 by the particle's own place
 * (1/h) and, in w, rho_i/rho0; others = sum over neighbours of the squared gradients by theirs (1/h^2). Whole blocks
 * are written. */
void pbf_sum_constraint(const pbf_state *p, const world *w, real4 *own, real *others);

/* Sets velocities and pressures at a step's end, by how far each has moved and by the multipliers. */
void pbf_end_moves(const pbf_state *p, const world *w, real dt);

/* --- surface.c --- */

/* Finds at the present positions: density, colour gradient -> normals, surface particles. */
dew_result pbf_find_surface(pbf_state *p, world *w);
/* Finds the rings of p->surface_list. is_filament: by slot, or NULL; rings of filaments go all the way round them. */
dew_result pbf_find_rings(pbf_state *p, world *w, const uint8_t *is_filament);

/* --- rest_density.c --- */

/* The rest density rho/rho0 of each particle: 1 in the bulk, less next to a free surface. Takes the surface and the
 * normals found last; both arrays are of whole blocks. Leaves is_surface in the payload of the places. */
void pbf_find_fullness(const pbf_state *p, const world *w, real *depth, real *fullness);

/* --- measure.c --- */

/* In the paper mode surface_area: of the mesh; own_volume: within it, where it is closed. pressure_jump: of free
 * drops by the virial, else the mean pressure of particles that are not surface. */
bool pbf_measure(const void *state, const world *w, const char *quantity, double *value);

/* --- the two modes --- */
dew_result pbf_physical_step(pbf_state *p, world *w, double dt);
double pbf_paper_time_step(pbf_state *p, world *w);
dew_result pbf_paper_step(pbf_state *p, world *w, double dt);

#endif
