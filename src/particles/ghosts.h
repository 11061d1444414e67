/* Ghosts and their owners: all that passes between them beyond particles_update_ghosts, which copies a field. Nothing
 * else knows who owns a ghost, so that an owner may once be in another process. And the steps of particles_make_ghosts,
 * for neighbours_build, which puts ghosts in cell order. */
#ifndef PARTICLES_GHOSTS_H
#define PARTICLES_GHOSTS_H

#include "particles/particles.h"

/* Whether the domain has faces that make ghosts, be there any now or not: what depends on that goes on alike after a
 * restart, which begins without ghosts. `domain` may be NULL. */
bool ghosts_may_exist(const dew_domain_def *domain);
/* From owners to ghosts: an array by slot that is no field and that neither shifts nor mirrors change. */
void ghosts_copy(const particles *p, field_type type, void *array);
/* From owners to ghosts: matrices given by their rows, mirrored on both sides. */
void ghosts_copy_matrices(const particles *p, real4 *const row[3]);
/* From ghosts to owners: adds the vectors given to ghosts, mirrored back, to what their owners have. */
void ghosts_add_vectors(const particles *p, real4 *vector);
/* From ghosts to owners: an owner is marked where any of its ghosts is. */
void ghosts_mark_owners(const particles *p, uint8_t *is_marked);
/* The axes across whose faces the ghost in `slot` is an image: bit a for axis a. */
unsigned ghosts_axes(const particles *p, int slot);

/* Finds the images and fills their positions only. */
dew_result ghosts_find(particles *p, const dew_domain_def *domain, double reach);
/* Ghost k becomes the image that was ghost order[k]. */
dew_result ghosts_reorder(particles *p, const int32_t *order);
/* Fills every GHOST field, clears the others. */
void ghosts_fill(particles *p);

#endif
