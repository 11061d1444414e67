/* The implicit pressure of a step, `pressure: projection` and, where it lets steps be longer,
 * `automatic`. */
#ifndef METHODS_SPH_PROJECTION_H
#define METHODS_SPH_PROJECTION_H

#include "base/conjugate_gradient.h"
#include "methods/sph/laplace.h"

typedef struct projection {
    flow *k;
    real4 *change; /* of velocity by a pressure, m/s; a.tension, which has done its work by then and has ghosts */
    /* Next to solids: what of `change` they give, times the mass over the liquid's; and of the whole solution, m/s. */
    real4 *of_wall, *kick;
    /* By how much `change` alters the density, over the density, 1/s; from first_point on, what sph_laplace_pull finds.
     */
    real *rate;
    real stiffness;           /* dt rho c^2, Pa s */
    laplace_pressure surface; /* `laplace: implicit`; else of no points */
    /* Pa: pressures of the particles and, from first_point on, of the surface points; those between stay 0. */
    conjugate_gradient solver;
    int first_point;
} projection;

/* In place of the explicit pressure, before the curvature: k->rate becomes what the velocities there are change of it,
 * Pa. */
void sph_hold_pressure(int begin, int end, void *flow);
/* After the forces: a.tension holds by how much they changed each velocity, m/s. To the pressure at the step's end, and
 * velocities; k->pull holds what of these is still to be balanced, m/s2. */
dew_result sph_project(flow *k);

/* --- for tests --- */
dew_result sph_projection_open(projection *m, flow *k);
/* `change` and its `rate` of the pressure over the density in x.w. */
void sph_projection_product(projection *m);

#endif
