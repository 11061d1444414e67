/* Measurements that laws share, made from the particles' public fields alone, so that they hold for every method. */
#ifndef LAWS_MEASURE_H
#define LAWS_MEASURE_H

#include "dew/dew.h"

#include "law.h"

/* Sums over all particles of one liquid: every particle has the same mass, so sums of 1 (times the particle's mass)
 * will do. */
typedef struct bulk {
    int count, dimension;
    dew_vec3 centre;                 /* mean position, m */
    dew_vec3 velocity;               /* mean velocity, m/s */
    double moment[3][3];             /* mean of (x - centre)(x - centre)^T, m2 */
    dew_vec3 angular;                /* mean of (x - centre) x (v - velocity), m2/s */
    double speed;                    /* mean |v|, m/s */
    double swirl;                    /* mean |x - centre| |v|, m2/s */
    double speed_squared, speed_max; /* mean v.v, largest |v| */
} bulk;
bulk measure_bulk(const dew_simulation *simulation);
bulk bulk_of(const dew_frame *frame);
/* Angular momentum about the centre of mass, over the mass, m2/s: what the method's particles carry within them
 * included. NaN where it cannot be measured. */
dew_vec3 measure_angular(const dew_simulation *simulation);
/* Amplitude over the radius of a drop's mode n = 2 along z, of its mass: to first order mean of
 * (z^2 - (x^2 + y^2)/2) = (3/5) R^2 a. In two dimensions, along y: mean of y^2 - x^2 = R^2 a. */
double drop_mode(const bulk *b, double spacing);

/* Mean of cos(wave_number x_axis) over the particles. */
double measure_mode(const dew_frame *frame, int axis, double wave_number);
double distance_of(dew_vec3 a, dew_vec3 b);

/* Volume of a ball, area of a disc. */
double drop_volume(int dimension, double radius);
/* The spacing at which such a drop holds `count` particles, and the radius of one that does. */
double drop_spacing(int dimension, double radius, int count);
double drop_radius(int dimension, int count, double spacing);
/* Radius of the ball that holds `count` particles of volume spacing^3. */
double radius_of_count(int count, double spacing);
/* Radius of the disc that holds `count` particles of area spacing^2. */
double disc_radius_of_count(int count, double spacing);
/* The spacing at which a volume holds `count` particles. */
double spacing_of_count(double volume, int count);

/* Positions of the surface particles (field "is_surface"): *points, 3 doubles each, freed by the caller; their number,
 * 0 where the method has no such field or memory lacks. */
int surface_points(const dew_simulation *simulation, double **points);

typedef struct sphere_fit {
    dew_vec3 centre;
    double radius, deviation; /* of the points' distances from the centre: mean, standard deviation */
} sphere_fit;
/* Least squares of the distances, by Gauss-Newton from the algebraic fit; in two dimensions of a circle, by x and y.
 * Radius NaN if the points determine none: of a sphere they are at least 4. */
sphere_fit fit_sphere(int dimension, int count, const double *points);

/* Height of the paraboloid z = a + b x + c y - d (x^2 + y^2) through the points, by least squares over those at most
 * `within` (m) from their axis; NaN: too few. */
double paraboloid_top(int count, const double *points, double within);

/* A series in time. */
typedef struct series {
    double *time, *value;
    int count, capacity;
} series;
bool series_add(series *s, double time, double value); /* false: no memory */
void series_free(series *s);
/* The mean of the values at from <= time <= to; NaN where there are none. */
double series_mean(const series *s, double from, double to);
double series_largest(const series *s, double from, double to);
/* When the value first rises through `value`; NaN: never. */
double series_reaches(const series *s, double value);
/* A curve of the plot begun last: value/value_unit over time/time_unit, thinned where it has more points than can be
 * seen. */
void series_plot(const series *s, law_results *results, law_curve_kind kind, const char *label, double time_unit,
                 double value_unit);

/* The slope of the straight line through the values at from <= t <= to, by least squares; NaN: fewer than two. */
double fit_slope(const series *s, double from, double to);
/* The rate s of exp(s t), by least squares of the logarithms of the values' sizes over from <= t <= to; NaN: fewer than
 * two. */
double fit_rate(const series *s, double from, double to);

/* drop_mode() step by step. */
typedef struct mode_watch {
    law_progress progress;
    series amplitude;
    int64_t steps; /* after which it ends; 0: it does not */
} mode_watch;
/* A dew_step_fcn of a mode_watch. */
bool mode_watch_step(void *watch, const dew_simulation *simulation);

typedef struct decay_fit {
    double omega, beta; /* rad/s, 1/s */
    double amplitude, offset, residual;
    double from, cosine, sine; /* offset + exp(-beta (t - from)) (cosine cos omega (t - from) + sine sin ...) */
} decay_fit;
double decay_value(const decay_fit *fit, double time);
/* Least squares of offset + exp(-beta t)(a cos omega t + b sin omega t) over from <= t <= to, started from omega and
 * beta = 0. omega NaN if it does not converge. */
decay_fit fit_decay(const series *s, double from, double to, double omega);

/* Solves the n x n system in place, n <= 5, row-major, by elimination with pivots; false if singular. */
bool solve_small(int n, double *matrix, double *right);

#endif
