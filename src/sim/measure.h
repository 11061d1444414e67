/* Measurements that need more than a sum over particles; each on plain points, so that it can be tested on known ones.
 * Lengths in m. */
#ifndef SIM_MEASURE_H
#define SIM_MEASURE_H

#include "base/real.h"

#include <stdbool.h>

/* The outermost particles' centres lie half a spacing inside the liquid's surface: `spacing` puts that right wherever a
 * length of the surface is asked for. */

enum { MODE_FIRST = 2, MODE_LAST = 6, MODE_COUNT = MODE_LAST - MODE_FIRST + 1 };

/* Amplitudes of the axisymmetric modes about z: least squares of r(theta) + spacing/2 = R (1 + sum_n a_n P_n(cos
 * theta)), n = 0..6, over surface points relative to `centre`; a_2..a_6, relative to R. False with fewer than 20
 * points. */
bool measure_modes(const real4 *points, int count, dew_vec3 centre, double radius, double spacing,
                   double amplitudes[MODE_COUNT]);

/* A drop resting on a plane wall, as a spherical cap: a sphere is fitted to the surface points (x - c)^2 = r^2 (linear
 * least squares); its true radius is R = r + spacing/2. With h = height of its centre above the wall the contact angle
 * in the liquid is acos(-h/R) and the contact radius R sin(angle). point, normal: of the wall, normal towards the
 * liquid. Points nearer than 1.25 spacing to the wall are left out: the contact line bends them. False with fewer than
 * 20 others, or where the sphere misses the wall. */
bool measure_cap(const real4 *points, int count, dew_vec3 point, dew_vec3 normal, double spacing, double *angle_degrees,
                 double *contact_radius);

/* The thinnest place of a body about the z axis (through `centre`): slices 1.5 spacings high; a slice's radius is the
 * mean over 12 sectors of the outermost particle's distance from the axis plus spacing/2 (a sector without particles
 * counts 0). The neck is the slice that lies deepest below the lower of the highest slices to both sides. NaN where no
 * slice lies deeper than half a spacing; 0 where the body is parted. */
double measure_neck(const real4 *points, int count, dew_vec3 centre, double spacing);

/* Bodies of liquid: particles nearer than 1.6 spacing to each other belong together; bodies of fewer than `smallest`
 * particles are spray and not counted. -1 without memory. */
int measure_components(const real4 *points, int count, double spacing, int smallest);

#endif
