/* What trials measure where no quantity gives it. */
#ifndef LAWS_TRIALS_PROBES_H
#define LAWS_TRIALS_PROBES_H

#include "trial.h"

/* Amplitude of a wave cos(x) on a pool of depth pi, whole waves long, m: 2 pi times the mean of cos(x) over the liquid
 * (its depth is pi + a cos(x)). The quantity column_mode calls it cos_1 where x is periodic and cos_2 between walls. */
trial_probe probe_wave;
/* Mean upward velocity of the second material, m/s. */
trial_probe probe_bubble_speed;
/* Between 1 and 4 mm below z = 0: the mean downward velocity, m/s, and the liquid's volume a length, m2. */
trial_probe probe_jet_speed, probe_jet_section;
/* Mean level at |x| < 0.5 above that at |x| > 1.1 (to 3.5), m, over a depth of 1 m. */
trial_probe probe_rise;
/* In the tube of tube.yaml: how far its column has risen, m, by its particles' volume; and the part of the bore that
 * they fill, from a spacing above the mouth to a radius below the highest (NaN where that is less than two spacings).
 */
trial_probe probe_bore_rise, probe_bore_filling;
/* Depth of a pool on z = 0, m: twice the height of its centre of mass, less, under gravity, what its waves raise that
 * by, which is as much energy as they have of motion. */
trial_probe probe_pool_depth;
/* Diameter about the upright axis through the centre of mass, m: 99 of 100 particles lie in it whole. */
trial_probe probe_girth;
/* Distance of the centre of mass from the z axis, m. */
trial_probe probe_off_axis;
/* Volume of the two largest bodies, m3. */
trial_probe probe_two_bodies;
/* Volume within the liquid's surface over that of its particles. */
trial_probe probe_swelling;

#endif
