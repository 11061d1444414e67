/* What the table of quantities (quantities.c) is made of. */
#ifndef MEASURE_QUANTITIES_H
#define MEASURE_QUANTITIES_H

#include "base/real.h"
#include "base/result.h"
#include "frame/frame.h"

/* A frame while it is measured. */
typedef struct measurement {
    const dew_frame *frame;
    int count; /* of particles */
    const real4 *position;
    /* NULL where the frame has no such field; without `material` all are of the first one. */
    const real4 *velocity;
    const uint8_t *material;
    const real4 *spin; /* of each particle over its mass, m2/s */
    bool lacks_spin;   /* its particles have spin, but the frame has no such field */
    const real *temperature, *melted, *concentration;
    double mass[UINT8_MAX + 1];       /* of a particle of each material */
    int solid;                        /* of contact and force that on this one counts; -1: on all */
    struct measured_surface *surface; /* the measurer's; see measure_surface */
    double cell, reach;               /* of the surface's mesh, of its kernel, m; 0: as reconstruct_def has them */
    const inflow_mouth *mouths;       /* there density is not told, and liquid has no end: it goes on behind them */
    int mouth_count;
} measurement;

/* `surface`: all zero or of a measurement before. DEW_INVALID where the frame has no places or no materials. */
dew_result measurement_begin(measurement *m, const dew_frame *frame, struct measured_surface *surface);
static inline int material_of(const measurement *m, int particle) { return m->material ? m->material[particle] : 0; }
/* A quantity as the method's state tells it, or else as the particles do. */
dew_result measure_named(const measurement *m, const char *quantity, double *values);

/* Writes the values of quantity `name`; they are NaN when it is called. */
typedef dew_result measure_fcn(const measurement *m, const char *name, double *values);

typedef struct liquid_sums {
    double mass, volume, kinetic; /* volume: mass over density */
    dew_vec3 centre, momentum;    /* of mass */
    dew_vec3 angular_momentum;    /* of the particles' motion, about the centre of mass */
} liquid_sums;
liquid_sums measure_sums(const measurement *m);
double measure_potential(const measurement *m, const liquid_sums *sums);

/* The wall that the liquid touches: of all solids within 1.5 spacings of particles the one that most of them are near,
 * with the mean of where it is and of its normal there. Of a solid that has several faces, as a vessel has, those count
 * that face within 25 degrees of `facing`, of length 1; where that is 0 all do. */
typedef struct touched_wall {
    bool is_there, is_plane;
    int solid;
    dew_vec3 point, normal;
} touched_wall;
dew_result measure_wall(const measurement *m, dew_vec3 facing, touched_wall *wall);

/* How dense the liquid is (density.c). Shares: 0.02 is 2 % above the density at rest. */
typedef struct liquid_density {
    double mean;   /* of the body whose mean is farthest off; NaN where none can be told */
    double spread; /* 99 % of what was looked at is off by less */
    double loose;  /* share of the mass in bodies of fewer than 4 particles */
} liquid_density;
/* Looks at about `samples` sites (at all particles for loose ones), and at the mesh of bodies that are thin. */
dew_result measure_density(const measurement *m, int samples, liquid_density *density);
/* The mean of all bodies together by a few sites, which costs little; NaN where none of them lies deep enough. */
dew_result measure_mean_density(const measurement *m, int samples, double *mean);
/* The rate at which viscosity takes energy, sum of 2 mu D:D over the liquid, W, by about `samples` particles. */
dew_result measure_dissipation(const measurement *m, int samples, double *rate);
/* Share of the mass where the liquid is narrower than its method resolves (narrow.c), by about `samples` particles. */
dew_result measure_narrow_share(const measurement *m, int samples, double *share);

measure_fcn measure_density_error, measure_loose, measure_narrow;

/* Quantities that need the surface are in liquid.c. */
measure_fcn measure_area, measure_surface_energy, measure_volume, measure_form, measure_mode_amplitudes,
    measure_contact, measure_thinnest;
/* Those of the contact line and of solids in wetting.c, of a flow as a whole in flow.c. */
measure_fcn measure_spread, measure_line_angle, measure_line_speed, measure_wall_force, measure_column, measure_layers;

/* Those of one solid in stand.c. */
measure_fcn measure_solid, measure_solid_momentum, measure_solid_torque;
/* The length of the last step, s, over which impulses make forces; 0: there was none. DEW_INVALID where a run would
 * know it and its files do not. */
dew_result measure_last_step(const measurement *m, const char *name, double *step);

/* Whether a quantity is of a simulation's course, which it follows itself (sim/watch.h). */
bool measure_is_balance(const char *quantity);
/* What the method's or the simulation's state tells under a name; DEW_INVALID where the frame has no state and the
 * method would tell. */
dew_result measure_ask_state(const measurement *m, const char *name, double *values, bool *is_known);

#endif
