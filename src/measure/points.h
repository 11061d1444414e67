/* Measurements that need more than a sum over particles; each on plain points, so that it can be tested on known ones.
 * Points of a surface lie on the liquid's true surface (vertices of its mesh, not centres of particles); w is the area
 * that a point stands for, its weight. Lengths in m. The formulas and what they are good for: docs/probes.md. */
#ifndef MEASURE_POINTS_H
#define MEASURE_POINTS_H

#include "base/arena.h"
#include "base/real.h"
#include "base/result.h"
#include "dew/definition.h"
#include "surface/reconstruct.h"

enum { PROFILE_LAYERS = 8 };
enum { MODE_FIRST = 2, MODE_LAST = 6, MODE_COUNT = MODE_LAST - MODE_FIRST + 1 };

typedef struct mode_amplitudes {
    double axial[MODE_COUNT]; /* of P_n(cos theta) about z; in two dimensions of cos(n phi), phi from the x axis */
    double total[MODE_COUNT]; /* of all orders m together, sqrt(sum_m a_nm^2): the same however the drop is turned */
} mode_amplitudes;
/* Least squares of r/radius = 1 + sum_nm a_nm Y_nm (n = 0..6) over the points, relative to `centre`; real spherical
 * harmonics whose mean square over the sphere is 1/(2n + 1) (Schmidt), so that those of m = 0 are P_n. In two
 * dimensions r/radius = 1 + sum_n a_n cos(n phi) + b_n sin(n phi). False with fewer than 100 points. */
bool measure_modes(const real4 *points, int count, int dimension, dew_vec3 centre, double radius,
                   mode_amplitudes *amplitudes);

/* Mean and standard deviation of the points' distances from `centre`. */
void measure_roundness(const real4 *points, int count, int dimension, dew_vec3 centre, double *mean, double *deviation);

typedef struct fitted_sphere {
    dew_vec3 centre;
    double radius;
} fitted_sphere;
/* Fits a sphere by least squares of the distances (in two dimensions a circle in the plane z = 0). False with fewer
 * than 20 points, or where they determine no sphere. */
bool measure_sphere(const real4 *points, int count, int dimension, fitted_sphere *sphere);

typedef struct drop_contact {
    double angle;  /* in the liquid, degrees */
    double radius; /* of the contact line about the drop's axis, m */
} drop_contact;

/* The angle at which a sphere of liquid meets a solid of any shape, and the mean radius of the line. `axis`: unit, from
 * the solid into the liquid. The line is looked for on 32 (2D: 2) meridians; where the surfaces cross cos(angle) =
 * m . n, m the sphere's and n the solid's outward normal. False where fewer than half of the meridians meet the
 * solid. */
bool measure_sphere_on_solid(const fitted_sphere *sphere, int dimension, dew_vec3 axis, solid_distance_fcn *solid,
                             const void *context, drop_contact *contact);

/* A drop on a plane wall under gravity along its normal, standing or hanging: the profile of Bashforth and Adams,
 *
 *     dr/ds = cos phi, dz/ds = sin phi, dphi/ds = 2/b + c z - sin(phi)/r   (2D: 1/b + c z),
 *
 * from the apex (z towards the wall), is fitted to the points by Gauss-Newton: curvature 1/b and height of the apex,
 * place of the axis. c = -density gravity . normal/surface_tension, 1/m^2: > 0 standing, < 0 hanging. Points within
 * `near` of the wall are left out, and, in a second round, those that lie off by more than three standard deviations.
 * `start`: a sphere fitted to the points. False where it does not converge or misses the wall. */
typedef struct profile_def {
    const real4 *points;
    int count, dimension;
    dew_vec3 wall, normal; /* a point of the wall; unit, towards the liquid */
    double capillarity;    /* c */
    double near;
    fitted_sphere start;
} profile_def;
bool measure_profile(const profile_def *def, drop_contact *contact);

/* The thinnest place of a body about the vertical axis through `centre` (z; y in two dimensions): slices `slice` high;
 * a slice's radius is the mean over 12 sectors (two sides) of the outermost point's distance from the axis (0 where a
 * sector is empty). The neck is the slice that lies deepest below the lower of the highest slices to both sides. Where
 * none lies deeper than `depth` the body bulges, and its radius is that of the highest: what a neck ends as when it
 * fills. 0 where the body is parted. */
double measure_neck(const real4 *points, int count, int dimension, dew_vec3 centre, double slice, double depth);

/* Bodies of liquid: particles nearer than 1.6 spacing to each other belong together; bodies of fewer than `smallest`
 * particles are spray and not counted. sizes[0..most): how many particles the largest have, the largest first, 0 where
 * there are no more. period: of the domain along each axis, m; 0: none. -1 without memory. */
int measure_bodies(const real4 *points, int count, double spacing, const double period[3], int smallest, int most,
                   int *sizes);
/* Marks the particles of the body-th largest body (1: the largest; of equals the one with the first particle), of any
 * size; none where there are fewer bodies. DEW_NO_MEMORY. */
dew_result measure_body(const real4 *points, int count, double spacing, const double period[3], int body, bool *is_in);
/* The domain's, along its periodic axes. */
void measure_period(const dew_domain_def *domain, double period[3]);

/* The body of each point, numbered from 0, and how many points each has; 0 behind them. All from `memory`. */
dew_result measure_body_numbers(const real4 *points, int count, double spacing, const double period[3], arena *memory,
                                int32_t **body, int32_t **size);

#endif
