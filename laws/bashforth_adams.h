/* Axisymmetric drops in equilibrium under gravity (Bashforth & Adams 1883), standing or hanging: the theory of the laws
 * sessile and pendant. From the apex on, along the profile's arc s,
 *
 *     dr/ds = cos phi,  dz/ds = sin phi,  dphi/ds = 2 k + c z - sin(phi)/r,  dV/ds = pi r^2 sin phi,
 *
 * k the apex's curvature, c = rho g/gamma for a standing drop and -rho g/gamma for a hanging one, z the distance from
 * the apex along the axis, towards the solid. Any unit of length. */
#ifndef LAWS_BASHFORTH_ADAMS_H
#define LAWS_BASHFORTH_ADAMS_H

#include "law.h"

typedef struct drop_point {
    double r, z, phi, volume; /* phi: the profile's slope, radians; volume between the apex and here */
} drop_point;

enum { DROP_POINTS = 401 };

/* A drop from its apex to its foot on the solid. */
typedef struct drop_profile {
    double curvature, capillarity; /* k, c */
    drop_point points[DROP_POINTS];
    drop_point foot; /* the last of the points */
} drop_profile;

/* One step of Runge and Kutta along the arc. */
drop_point drop_step(drop_point p, double curvature, double capillarity, double ds);

/* The standing drop of volume 1 that meets a plane at the angle (radians); bond = rho g V^(2/3)/gamma. */
void drop_sessile(double bond, double angle, drop_profile *profile);

/* The largest drop that hangs from a tip of radius 1, pinned at its edge: of the drops through the edge, from the flat
 * one on, the first whose volume is a maximum. bond = rho g r^2/gamma in 0.01..5. */
void drop_pendant_largest(double bond, drop_profile *profile);
/* A drop that hangs from that tip and has `volume`, smaller than the largest: the stable one. */
void drop_pendant(double bond, double volume, drop_profile *profile);
/* Volumes and heights of drops that hang from that tip, from small ones up to nearly the largest; returns how many, at
 * most `capacity`. */
int drop_pendant_family(double bond, int capacity, double *volumes, double *heights);

/* Radius at a distance z from the apex; 0 beyond the profile. */
double drop_radius_at(const drop_profile *profile, double z);

/* The profile as long as `scale` times itself. */
void drop_scale(drop_profile *profile, double scale);

/* The liquid within the profile. Its foot lies at z = 0 about the z axis; a standing drop's apex is above it, a hanging
 * one's below. `profile` must live as long as the simulation. */
dew_shape_def drop_shape(drop_profile *profile);

/* Adds two curves to the plot begun last: the surface particles by height and distance from their axis (with x's sign),
 * and the profile (in m), foot at height 0; lengths over `unit`. Particles' centres lie half a spacing within the
 * surface: they are moved out along the normal of the profile's nearest point. `name` begins the curves' labels. */
void drop_plot(law_results *results, const dew_simulation *simulation, const drop_profile *profile, double unit,
               const char *name);

#endif
