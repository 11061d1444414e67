/* Ghosts and their owners: all that passes between them beyond particles_update_ghosts, which copies a field. Nothing
 * else knows who owns a ghost, so that an owner may once be in another process. And how ghosts are made, for
 * neighbours_build, which puts them in cell order. */
#ifndef PARTICLES_GHOSTS_H
#define PARTICLES_GHOSTS_H

#include "particles/particles.h"

/* Whether faces of this kind make ghosts. */
static inline bool ghosts_of_boundary(dew_boundary kind) { return kind == DEW_PERIODIC || kind == DEW_SYMMETRY; }
/* Whether the domain has faces that make ghosts, be there any now or not: what depends on that goes on alike after a
 * restart, which begins without ghosts. `domain` may be NULL. */
bool ghosts_may_exist(const dew_domain_def *domain);
/* From owners to ghosts: an array by slot that is no field and that neither shifts nor mirrors change. */
void ghosts_copy(const particles *p, field_type type, void *array);
/* From owners to ghosts: an array of vectors, mirrored as they are. */
void ghosts_copy_vectors(const particles *p, real4 *vector);
/* From owners to ghosts: rotations as vectors along their axes, which mirrors turn the other way. */
void ghosts_copy_turns(const particles *p, real4 *turn);
/* From owners to ghosts: matrices given by their rows, mirrored on both sides. */
void ghosts_copy_matrices(const particles *p, real4 *const row[3]);
/* From owners to ghosts: vectors that belong to products of coordinates, xx, yy, zz, yz, zx, xy, mirrored as these are.
 */
void ghosts_copy_bends(const particles *p, real4 *const of[6]);
/* From ghosts to owners: adds the vectors given to ghosts, mirrored back, to what their owners have. */
void ghosts_add_vectors(const particles *p, real4 *vector);
/* From ghosts to owners: an owner is marked where any of its ghosts is. */
void ghosts_mark_owners(const particles *p, uint8_t *is_marked);
/* The axes across whose faces the ghost in `slot` is an image: bit a for axis a. */
unsigned ghosts_axes(const particles *p, int slot);

/* Finds the images of every owned particle within `reach` of a periodic or symmetry face (and of edges and corners) and
 * fills their positions only. `domain` may be NULL. DEW_INVALID if the domain is narrower than `reach`, since a
 * particle would then need more than one image across a face. */
dew_result ghosts_find(particles *p, const dew_domain_def *domain, double reach);
/* Ghost k becomes the image that was ghost order[k]. */
dew_result ghosts_reorder(particles *p, const int32_t *order);
/* Fills every GHOST field of ghosts, clears their others. */
void ghosts_fill(particles *p);

#endif
