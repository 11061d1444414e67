/* The scalar of particle arrays and small vectors of it. Definitions use double (dew_vec3); particles use real. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include "dew/types.h"

#include <math.h>
#include <tgmath.h>

typedef dew_real real;

#define PI 3.14159265358979323846 /* M_PI is no part of C17 */

/* A particle's record: x, y, z and a payload (pressure, volume, flag, ...). Four reals, aligned as a whole. */
typedef struct real4 {
    _Alignas(4 * sizeof(real)) real x;
    real y, z, w;
} real4;

typedef struct real3 {
    real x, y, z;
} real3;

/* fmin and fmax call a function, for the sake of NaN. */
static inline real real_min(real a, real b) { return a < b ? a : b; }
static inline real real_max(real a, real b) { return a > b ? a : b; }

static inline real3 real3_of(real4 a) { return (real3){a.x, a.y, a.z}; }
static inline real4 real4_of(real3 a, real w) { return (real4){a.x, a.y, a.z, w}; }
/* Adds b to a record's x, y, z. */
static inline void real4_add(real4 *a, real3 b) { a->x += b.x, a->y += b.y, a->z += b.z; }
/* A place a, and what of it is below its last digit, `below`, go by b. What creeps goes by less than that digit in a
 * step, and would stay where it is for ever (Kahan 1965; the sum's error by Knuth's six operations, exact). */
static inline real go_exactly(real *a, real b)
{
    real sum = *a + b, of_b = sum - *a, below = (*a - (sum - of_b)) + (b - of_b);
    *a = sum;
    return below;
}
static inline void real4_go(real4 *a, real4 *below, real3 b)
{
    below->x = go_exactly(&a->x, b.x + below->x), below->y = go_exactly(&a->y, b.y + below->y);
    below->z = go_exactly(&a->z, b.z + below->z);
}
static inline real3 real3_add(real3 a, real3 b) { return (real3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline real3 real3_sub(real3 a, real3 b) { return (real3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline real3 real3_scale(real s, real3 a) { return (real3){s * a.x, s * a.y, s * a.z}; }
/* a + s b */
static inline real3 real3_madd(real3 a, real s, real3 b)
{
    return (real3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline real real3_dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline real3 real3_cross(real3 a, real3 b)
{
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline real real3_length(real3 a) { return sqrt(real3_dot(a, a)); }
/* Zero for a zero vector. */
static inline real3 real3_normalise(real3 a)
{
    real length = real3_length(a);
    return length > 0 ? real3_scale(1 / length, a) : a;
}
/* a without its part along the unit vector n. */
static inline real3 real3_across(real3 a, real3 n) { return real3_madd(a, -real3_dot(a, n), n); }
/* Any unit vector at right angles to the unit vector n (Duff et al. 2017). */
static inline real3 real3_perpendicular(real3 n)
{
    real sign = n.z < 0 ? (real)-1 : (real)1, a = -1 / (sign + n.z), b = n.x * n.y * a;
    return (real3){1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
}

static inline dew_vec3 vec3_add(dew_vec3 a, dew_vec3 b) { return (dew_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline dew_vec3 vec3_sub(dew_vec3 a, dew_vec3 b) { return (dew_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline dew_vec3 vec3_scale(double s, dew_vec3 a) { return (dew_vec3){s * a.x, s * a.y, s * a.z}; }
static inline double vec3_dot(dew_vec3 a, dew_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline dew_vec3 vec3_cross(dew_vec3 a, dew_vec3 b)
{
    return (dew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec3_at(dew_vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
/* The vector along an axis whose component there is a. */
static inline dew_vec3 vec3_along(int axis, double a)
{
    return (dew_vec3){axis == 0 ? a : 0, axis == 1 ? a : 0, axis == 2 ? a : 0};
}
static inline dew_vec3 vec3_of_floats(const float *a) { return (dew_vec3){a[0], a[1], a[2]}; }
static inline void vec3_to_floats(dew_vec3 a, float *to) { to[0] = (float)a.x, to[1] = (float)a.y, to[2] = (float)a.z; }
/* The product of the matrix with these rows and a vector; that of its transpose. */
static inline dew_vec3 vec3_turned(const dew_vec3 row[3], dew_vec3 a)
{
    return (dew_vec3){vec3_dot(row[0], a), vec3_dot(row[1], a), vec3_dot(row[2], a)};
}
static inline dew_vec3 vec3_turned_back(const dew_vec3 row[3], dew_vec3 a)
{
    return (dew_vec3){row[0].x * a.x + row[1].x * a.y + row[2].x * a.z,
                      row[0].y * a.x + row[1].y * a.y + row[2].y * a.z,
                      row[0].z * a.x + row[1].z * a.y + row[2].z * a.z};
}
/* The rows of the rotation about the unit vector a (Rodrigues) by an angle whose cosine is c, its sine s, o = 1 - c. */
static inline void vec3_rotation(dew_vec3 a, double c, double s, double o, dew_vec3 row[3])
{
    row[0] = (dew_vec3){c + a.x * a.x * o, a.x * a.y * o - a.z * s, a.x * a.z * o + a.y * s};
    row[1] = (dew_vec3){a.y * a.x * o + a.z * s, c + a.y * a.y * o, a.y * a.z * o - a.x * s};
    row[2] = (dew_vec3){a.z * a.x * o - a.y * s, a.z * a.y * o + a.x * s, c + a.z * a.z * o};
}
static inline double vec3_length(dew_vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline dew_vec3 vec3_normalise(dew_vec3 a)
{
    double length = vec3_length(a);
    return length > 0 ? vec3_scale(1 / length, a) : a;
}
/* Any unit vector at right angles to the unit vector n. */
static inline dew_vec3 vec3_perpendicular(dew_vec3 n)
{
    dew_vec3 other = fabs(n.x) < 0.6 ? (dew_vec3){1, 0, 0} : (dew_vec3){0, 1, 0};
    return vec3_normalise(vec3_cross(n, other));
}

#endif
