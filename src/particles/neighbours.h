/* Neighbours: which particles j lie within the cutoff of a particle i. Particles are kept sorted by cell (columns in x,
 * y; by z inside: see cells.h), cut into groups of four consecutive slots; one list a group holds every j (owned and
 * ghosts, itself included) within cutoff + skin of any of its four. Lists stay valid until some particle has moved half
 * the skin. See pairs.h for the loop over pairs. A particle at no place (NaN, infinite, beyond
 * PARTICLE_FAR/2) has no neighbours. */
#ifndef PARTICLES_NEIGHBOURS_H
#define PARTICLES_NEIGHBOURS_H

#include "particles/particles.h"

typedef struct neighbours neighbours;

/* cutoff, skin in m. */
dew_result neighbours_create(neighbours **n, double cutoff, double skin);
void neighbours_destroy(neighbours *n);
void neighbours_set_reach(neighbours *n, double cutoff, double skin); /* lists become stale */
/* Lists are to hold while particles move by up to `motion` (m) more: neighbours_is_stale leaves that much of half the
 * skin. A step that moves particles between list and use says so, or pairs at the edge of the cutoff are met from one
 * side only and momentum leaks. 0 at first. */
void neighbours_expect(neighbours *n, double motion);
/* In place of half the skin, each particle may go so far (m) while lists hold as this field (REAL, GHOST) says at the
 * build: what is fast does not widen the lists of all. Where the domain makes no ghosts, the mean motion of all is
 * taken off. The skin then only says how far about particles go. -1, at first: none. Values are at most `most`. */
void neighbours_set_allowance(neighbours *n, int field, double most);
/* In lists, particles of which this field (UINT8, GHOST) is 1, not 0, at the build come before the others (pairs.h).
 * -1, at first: all are alike. */
void neighbours_set_front(neighbours *n, int field);
double neighbours_cutoff(const neighbours *n);
double neighbours_skin(const neighbours *n);

/* Sorts the owned particles (every field follows but fleeting ones), wraps periodic axes, makes ghosts, builds the
 * lists. `domain` may be NULL (open). */
dew_result neighbours_build(neighbours *n, particles *p, const dew_domain_def *domain);
/* True when the lists no longer hold: particles moved more than half the skin, or were inserted, removed, reordered. */
bool neighbours_is_stale(const neighbours *n, const particles *p);
void neighbours_invalidate(neighbours *n);
/* moved[k]: how far each owned particle went since the last build, less the mean of all as above, m. False, and nothing
 * is written, where that is not known: lists invalidated, particles inserted, removed or reordered. */
bool neighbours_motion(const neighbours *n, const particles *p, real *moved);
/* The order of the last build: slot k holds what was in slot order[k] before it. `count` entries. */
const int32_t *neighbours_order(const neighbours *n);

/* For irregular work on few particles, the list of a group (that of particle i is i / 4) from its entry `first` on:
 * writes at most `room` slots, in no order, and returns how many. The caller drops those beyond its radius (the dummy
 * is beyond any, and never within the cutoff is a slot there twice). */
int neighbours_list(const neighbours *n, int group, int first, int room, int32_t *slots);
/* Every true pair (i != j, |x_i - x_j| < cutoff) counted once for each i. */
int64_t neighbours_pair_count(const neighbours *n, const particles *p);
size_t neighbours_bytes(const neighbours *n);

#endif
