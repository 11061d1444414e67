/* The paper's own equations (mode `tension: paper`). */
#ifndef METHODS_SPH_PAPER_H
#define METHODS_SPH_PAPER_H

#include "methods/sph/flow.h"

dew_result sph_paper_step(sph_state *p, world *w, double dt);

/* The speed that the interaction force's pull inwards brings with it, m/s: a pressure is its square times rho. */
double sph_paper_speed(const sph_state *p, double density);
/* (18) of a solid that fills the half space below distance u > 0, over the number density: the force away from
 * it per coefficient, m3. `radius`: where the cosine is cut. */
double sph_paper_solid(double u, double radius);

#endif
