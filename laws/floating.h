/* A ball that floats in a tank: the theory of the laws buoyancy and floating_sphere. Its surface meets the liquid's at
 * the contact angle, and the meniscus obeys Young and Laplace; with p = 0 at height 0, along its arc s from the ball
 * out,
 *
 *     dr/ds = cos phi,  dh/ds = sin phi,  dphi/ds = rho g h/gamma - sin(phi)/r.
 *
 * At the contact line, at an angle beta from the ball's lowest point, phi = beta + theta - pi; at the tank's wall,
 * taken for round, phi = 0. Weight is carried by pressure on the wetted cap and by the pull of the line (Rapacchietta,
 * Neumann, Omenyi 1977): M g = rho g (V(beta) - pi r^2 h) + 2 pi r gamma sin(phi), r and h of the line. */
#ifndef LAWS_FLOATING_H
#define LAWS_FLOATING_H

#include "measure.h"

typedef struct floating_ball {
    double radius, density;  /* m; over that of the liquid */
    double angle;            /* contact angle, radians */
    double capillary_length; /* sqrt(gamma/(rho g)), m */
    double tank;             /* radius of a round tank as wide, m */
} floating_ball;

/* How deep the ball's lowest point is under the level of p = 0, m; *raised: by how much that level is above the one
 * that the liquid has without a ball, m. NaN where it sinks. */
double floating_depth(const floating_ball *b, double *raised);

/* A ball in a tank as wide as the theory's, run. */
typedef struct floating_case {
    floating_ball ball;
    double gravity;
    double spacing, pool;  /* m; depth of the liquid without the ball */
    double start;          /* of the ball's lowest point under that level, m */
    double held, duration; /* so long it is held first, then it is free, s */
    int frames;            /* of the free run */
    double viscosity;      /* Pa s */
    const char *label;
} floating_case;
/* What was seen of it, by the time since the ball was let go. */
typedef struct floating_seen {
    series depth; /* of the ball's lowest point under the level of the liquid without a ball, m */
    series speed; /* upwards, m/s */
    int particles;
    double start;   /* the depth at which it was let go, m */
    double seconds; /* of the processor */
} floating_seen;
/* Zeroes *seen, which floating_seen_free frees also where the run failed. */
dew_result floating_run(const dew_method_info *method, const law_settings *settings, const floating_case *c,
                        double part, double share, floating_seen *seen);
void floating_seen_free(floating_seen *seen);

/* A ball that starts from rest under water feels a drag as its speed, however viscous the liquid and its method are:
 * dv/dt = a - lambda v, so v = a t - lambda x, x the way. The a of the least squares up to the way `farthest`. */
double floating_first_acceleration(const floating_seen *seen, double farthest);

#endif
