/* Bodies whose measures are known, for tests of measurements. */
#ifndef KNOWN_POINTS_H
#define KNOWN_POINTS_H

#include "base/real.h"
#include "base/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define DEGREE (PI / 180)

static inline real4 point(double x, double y, double z) { return (real4){(real)x, (real)y, (real)z, 1}; }
static inline real4 point_at(dew_vec3 x) { return point(x.x, x.y, x.z); }

/* Direction k of n, evenly over the sphere (Fibonacci). */
static inline dew_vec3 direction(int k, int n)
{
    double z = 1 - (2 * k + 1.0) / n, r = sqrt(1 - z * z), a = k * PI * (3 - sqrt(5));
    return (dew_vec3){r * cos(a), r * sin(a), z};
}

static inline double legendre(int n, double c)
{
    double p[8] = {1, c};
    for (int k = 2; k <= n; k++) p[k] = ((2 * k - 1) * c * p[k - 1] - (k - 1) * p[k - 2]) / k;
    return p[n];
}

static inline void check_close(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance)) fail_msg("%.9g is not %.9g +- %g", measured, expected, tolerance);
}

static inline void check_ok(dew_result result)
{
    if (result != DEW_OK) fail_msg("%s", dew_message());
}

/* Numbers in 0..1 that only look like chance. */
static inline double chance(unsigned *seed) { return ((*seed = *seed * 1664525u + 1013904223u) >> 8) / 16777216.0; }

/* A drop of volume 1 by laws/sessile/sessile_bashforth_adams.csv: angle, Bond number (of V^(1/3)), height, contact
 * radius, apex radius. The points of its surface by Euler's small steps. */
typedef struct drop_row {
    double angle, bond, height, radius, apex;
} drop_row;

static const drop_row standing[] = {
    {30, 0.1, 0.35137107, 1.3277543, 2.7171329},  {60, 0.3, 0.56285061, 1.0061206, 1.2143338},
    {60, 10, 0.33238556, 1.2029906, 6.3403447},   {90, 0.1, 0.7746503, 0.78551754, 0.79358345},
    {90, 10, 0.45767681, 0.99583138, 3.1181396},  {120, 0.1, 0.97208265, 0.57644667, 0.66593704},
    {120, 10, 0.54995068, 0.85400121, 2.2392922}, {135, 0.3, 1.0316694, 0.48229966, 0.6593583},
};

enum { OUTLINE = 4000 };

typedef struct outline {
    int count;
    double r[OUTLINE], h[OUTLINE]; /* from the apex down to the wall */
} outline;

/* Fills in angle and radius by apex, height and Bond number (hanging: < 0). */
static inline drop_row draw_outline(const drop_row *drop, outline *o)
{
    const int steps = 40;
    double r = 0, z = 0, phi = 0, ds = 1.0 / (steps * OUTLINE / 4.0);
    o->count = 0;
    for (int k = 0; z < drop->height; k++) {
        if (k % steps == 0) {
            assert_true(o->count < OUTLINE);
            o->r[o->count] = r, o->h[o->count++] = drop->height - z;
        }
        double bend = 2 / drop->apex + drop->bond * z - (r > 0 ? sin(phi) / r : 1 / drop->apex);
        r += ds * cos(phi + ds * bend / 2), z += ds * sin(phi + ds * bend / 2), phi += ds * bend;
    }
    return (drop_row){phi / DEGREE, drop->bond, drop->height, r, drop->apex};
}

/* A sphere of radius 1 that meets a solid of radius A (0: a plane) under `angle`: the distance of the centres. */
static inline double distance_of_centres(double A, double angle, bool is_hollow)
{
    double c = cos(angle * DEGREE);
    if (A == 0) return -c;
    return sqrt(A * A + 1 + (is_hollow ? 2 : -2) * A * c);
}

static inline int ball(real4 *points, double x0, double radius, double spacing)
{
    int count = 0, n = (int)(radius / spacing) + 1;
    for (int k = -n; k <= n; k++) {
        for (int j = -n; j <= n; j++) {
            for (int i = -n; i <= n; i++) {
                if (i * i + j * j + k * k < radius * radius / (spacing * spacing)) {
                    points[count++] = point(x0 + i * spacing, j * spacing, k * spacing);
                }
            }
        }
    }
    return count;
}

/* Radius at height z, -0.9..0.9; 0.3 at the neck. */
static inline double hourglass(double z) { return 0.3 + 0.5 * z * z; }

#endif
