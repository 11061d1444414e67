/* Flows that walls which hold the liquid drive or brake: layers between planes, and about an axis. Their velocity has
 * one component, along x or round z, and depends on one place, the height or the distance from the axis. */
#ifndef LAWS_SHEAR_FLOW_H
#define LAWS_SHEAR_FLOW_H

#include "law.h"

typedef struct shear_flow shear_flow;
struct shear_flow {
    bool is_round;
    int dimension;
    double size, inner;        /* height of the layer, or radius of the vessel and of what turns in it, m */
    double scale;              /* the largest velocity, m/s: profiles' errors are over it */
    double density, viscosity; /* kg/m3; kinematic, m2/s */
    double drive; /* what the law's theory takes: an acceleration, a wall's velocity (m/s) or rotation (1/s) */
    double (*speed)(const shear_flow *flow, double place, double time); /* theory, m/s */
    /* Theory: what the liquid does to solid `wall`, N along x or N m about z (in 2D a metre of depth). NULL: not
     * judged. */
    double (*pull)(const shear_flow *flow, double time);
    int wall;
    double area;         /* of that wall, or depth of a round vessel, m2, m (2D: m, 1) */
    double from;         /* share of the run from which on it is measured */
    const char *flux;    /* what the law's target calls the mean velocity, or of a round one the angular momentum */
    const char *surface; /* the same of the mean velocity in the uppermost spacing and a half; NULL: not judged */
    /* NULL: no order is judged. NaN: the run leaves its profile's error there; else that error at twice this
     * run's spacing, and the run adds the figure "order" alone. */
    double *coarser;
    /* Of the set-up, which must live until the simulation has been created. */
    double start_part;
    dew_shape_def shapes[4];
};

/* Options of the laws that use it. Size: the height of the layer or the radius of the vessel. */
#define SHEAR_OPTIONS                                                                                                  \
    {LAW_RADIUS("of the vessel, or height of the layer")}, {LAW_DENSITY}, {LAW_SURFACE_TENSION},                       \
        {LAW_VISCOSITY(0.01)},                                                                                         \
    {                                                                                                                  \
        "reynolds", "1", {10, 10, 10}, "largest velocity times size over nu"                                           \
    }
/* Their figures, each within `limit`: what the mean velocity and the force or moment on the wall are of. */
#define SHEAR_TARGETS(limit, mean, force)                                                                              \
    {"profile", "1", LAW_ABSOLUTE, {limit, limit, limit}, "rms of velocity less theory, over the largest"},            \
        {"flux", "m/s", LAW_RELATIVE, {limit, limit, limit}, mean},                                                    \
    {                                                                                                                  \
        "wall shear", "N", LAW_RELATIVE, {limit, limit, limit}, force                                                  \
    }
/* How the profile's error follows the spacing: measured where it is cheapest. At half the spacing an error below
 * 0.003 is of how the particles lie, and tells no order: it counts as second. */
#define SHEAR_ORDER                                                                                                    \
    {                                                                                                                  \
        "order", "1", LAW_ABSOLUTE, {0.5, 0.5, 0.5},                                                                   \
            "of the profile's error, from the spacing to half of it; 2 where it is higher, or the error below 0.003"   \
    }
/* Size, density, viscosity and largest velocity by those options. */
void shear_liquid(const law *l, const law_settings *settings, law_resolution resolution, law_space *space,
                  shear_flow *flow);

/* A layer of liquid `spacings` of which are across; def.spacing, the liquid's shape and velocity, and solids 0 (below)
 * and 1 (above, where it has a lid), which hold the liquid, follow; along and across it is periodic. The liquid starts
 * with `part` of the theory's velocity at `time`. */
void shear_layer(dew_simulation_def *def, law_space *space, shear_flow *flow, int spacings, bool has_lid, double part);
/* A vessel that is full: solid 0 is its wall, solid 1 the cylinder in it (inner > 0). */
void shear_vessel(dew_simulation_def *def, law_space *space, shear_flow *flow, int spacings,
                  const dew_method_info *method);

typedef struct shear_found {
    double profile;           /* rms of the velocity less theory's, over the scale */
    double flux, flux_theory; /* mean velocity; of a round one mean of velocity times distance */
    double surface, surface_theory;
} shear_found;
shear_found shear_measure(const dew_frame *frame, const shear_flow *flow, double time);

/* Runs it and adds the figures "profile", flow->flux, and "wall shear" where theory knows the pull (flow->coarser). */
dew_result shear_run(const law *l, const law_settings *settings, law_resolution resolution,
                     const dew_simulation_def *def, const shear_flow *flow, const char *label, double part,
                     double share, law_results *results);

/* A flow with so many spacings across, by shear_run. */
typedef dew_result shear_case(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                              int dimension, int across, double *coarser, double part, double share,
                              law_results *results);
/* Runs it, and where order is measured again at half the spacing: in two dimensions where the method can, else
 * in three. */
dew_result shear_run_for_order(shear_case *run, const dew_method_info *method, law_resolution resolution,
                               const law_settings *settings, int dimension, int across, double part, double share,
                               law_results *results);

#endif
