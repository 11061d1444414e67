/* The steps of particles_make_ghosts, for neighbours_build, which puts ghosts in cell order. */
#ifndef PARTICLES_GHOSTS_H
#define PARTICLES_GHOSTS_H

#include "particles/particles.h"

/* Whether the domain has faces that make ghosts, be there any now or not: what depends on that goes on alike after a
 * restart, which begins without ghosts. `domain` may be NULL. */
bool ghosts_may_exist(const dew_domain_def *domain);
/* Finds the images and fills their positions only. */
dew_result ghosts_find(particles *p, const dew_domain_def *domain, double reach);
/* Ghost k becomes the image that was ghost order[k]. */
dew_result ghosts_reorder(particles *p, const int32_t *order);
/* Fills every GHOST field, clears the others. */
void ghosts_fill(particles *p);

#endif
