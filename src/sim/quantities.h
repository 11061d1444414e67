/* What the table of quantities (measure.c) is made of. */
#ifndef SIM_QUANTITIES_H
#define SIM_QUANTITIES_H

#include "sim/simulation.h"

/* Writes the values of quantity `name`; they are NaN when it is called. */
typedef dew_result measure_fcn(const dew_simulation *s, const char *name, double *values);

typedef struct liquid_sums {
    double mass, volume, kinetic; /* volume: mass over density */
    dew_vec3 centre, momentum;    /* of mass */
    dew_vec3 angular_momentum;    /* about the centre of mass */
} liquid_sums;
liquid_sums measure_sums(const dew_simulation *s);
double measure_potential(const dew_simulation *s, const liquid_sums *sums);
/* Largest x, y, z, -x, -y, -z and squared speed of any particle; minus infinity without particles. */
void measure_extremes(const dew_simulation *s, double maxima[7]);

/* The wall that the liquid touches: of all solids within 1.5 spacings of particles the one that most of them are near,
 * with the mean of where it is and of its normal there. */
typedef struct touched_wall {
    bool is_there, is_plane;
    int solid;
    dew_vec3 point, normal;
} touched_wall;
dew_result measure_wall(const dew_simulation *s, touched_wall *wall);

/* From the surface, measure_liquid.c. */
measure_fcn measure_area, measure_surface_energy, measure_volume, measure_pressure, measure_wetted, measure_form,
    measure_mode_amplitudes, measure_contact, measure_thinnest;

#endif
