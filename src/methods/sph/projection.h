/* The implicit pressure of a step, `pressure: projection` and, where it lets steps be longer, `automatic`. */
#ifndef METHODS_SPH_PROJECTION_H
#define METHODS_SPH_PROJECTION_H

#include "base/conjugate_gradient.h"
#include "methods/sph/flow.h"

typedef struct projection {
    flow *k;
    real *source; /* what besides the velocities changes the pressure in the step, Pa */
    real *rate;   /* by how much a.change alters the density, over the density, 1/s */
    /* Next to solids: what of a.change they give, times the mass over the liquid's, m/s; the same of the solution; w:
     * the rate by the solids' own motion, 1/s. */
    real4 *of_wall, *kick;
    real4 *begun; /* velocities before the solver, m/s */
    real4 *back;  /* what of them a solid has given too much that lets go, as of_wall, m/s */
    real *away;   /* the rate at which the liquid left its solids before the solver answered, 1/s */
    /* Of what an emitter holds: by how much a.change would alter it, and the solution, m/s: what the emitter takes.
     * NULL where nothing is held. */
    real4 *push, *pushed;
    real stiffness; /* dt rho c^2, Pa s */
    conjugate_gradient solver;
} projection;

/* Before the curvature: what else changes the pressure, and k->touch; the old pressure is what forces begin with. */
dew_result sph_projection_open(projection *m, flow *k);
/* After the forces: to the pressure at the step's end, and velocities. */
void sph_project(projection *m);

/* By how much a.change alters the density of a block, over the density, 1/s, by pairs alone. */
void sph_sum_rate(const flow *k, int block, real *to);

/* The acceleration of a block by the pressures over the density in x.w and, `is_viscous`, by the viscosity of
 * velocities a.change, as in forces.c, m/s2. */
void sph_sum_push(const flow *k, int block, bool is_viscous, real4 *to);

/* For tests: a.change and its `rate` of the pressure over the density in x.w. */
void sph_projection_product(projection *m);

#endif
