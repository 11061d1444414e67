/* Contact of a particle with a solid, once for all methods: what moves it out of the solid, what ends its motion into
 * it, and Coulomb's friction. `wall` is what solids_distance gives: the outward normal, w = distance. A slip is a
 * motion relative to the solid: a velocity or, where a method moves places, a displacement. */
#ifndef SOLIDS_CONTACT_H
#define SOLIDS_CONTACT_H

#include "solids/solids.h"

/* How far within `least` of the solid the particle is, m; 0 or less: it is far enough. */
static inline real contact_depth(real4 wall, real least) { return least - wall.w; }

/* The slip into the solid: 0 or less. */
static inline real contact_into(real3 slip, real3 normal) { return real_min(real3_dot(slip, normal), (real)0); }

/* The share of a slip along the surface that friction takes where it may take `most` at most, which is the coefficient
 * times what presses the particle off the surface (Coulomb): all of a slower one, so what rests stays where it is. */
static inline real contact_friction(real3 slip_along, real most)
{
    real size = real3_length(slip_along);
    return size > 0 && most > 0 ? real_min(most / size, (real)1) : 0;
}

/* Velocity of a particle relative to the solid's material where it is, m/s. */
static inline real3 contact_slip(const solids *s, int solid, real4 x, real4 velocity)
{
    return real3_sub(real3_of(velocity), solids_velocity(s, solid, real3_of(x)));
}

#endif
