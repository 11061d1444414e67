/* Measurements of shape on points whose answer is known. */
#include "base/arena.h"
#include "sim/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static real4 point(double x, double y, double z) { return (real4){(real)x, (real)y, (real)z, 0}; }

/* Direction k of n, evenly over the sphere (Fibonacci). */
static dew_vec3 direction(int k, int n)
{
    double z = 1 - (2 * k + 1.0) / n, r = sqrt(1 - z * z), a = k * PI * (3 - sqrt(5));
    return (dew_vec3){r * cos(a), r * sin(a), z};
}

static double legendre(int n, double c)
{
    double p[8] = {1, c};
    for (int k = 2; k <= n; k++) p[k] = ((2 * k - 1) * c * p[k - 1] - (k - 1) * p[k - 2]) / k;
    return p[n];
}

static void check_close(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance)) fail_msg("%.9g is not %.9g +- %g", measured, expected, tolerance);
}

static void test_modes(void **state)
{
    (void)state;
    enum { N = 2000 };
    const double a[7] = {0.01, -0.02, 0.1, -0.03, 0.02, 0.01, -0.015}, R = 1.5e-3, spacing = 1e-4;
    real4 *points = aligned_obtain(N * sizeof *points);
    dew_vec3 centre = {0.1, -0.2, 0.05};
    for (int k = 0; k < N; k++) {
        dew_vec3 u = direction(k, N);
        double r = R;
        for (int n = 0; n < 7; n++) r += R * a[n] * legendre(n, u.z);
        dew_vec3 x = vec3_add(centre, vec3_scale(r - spacing / 2, u));
        points[k] = point(x.x, x.y, x.z);
    }
    double amplitudes[MODE_COUNT];
    assert_true(measure_modes(points, N, centre, R, spacing, amplitudes));
    for (int n = MODE_FIRST; n <= MODE_LAST; n++) check_close(amplitudes[n - MODE_FIRST], a[n], 1e-5);
    assert_false(measure_modes(points, 10, centre, R, spacing, amplitudes));
    aligned_release(points);
}

static void test_cap(void **state)
{
    (void)state;
    enum { N = 4000 };
    const double R = 1e-3, spacing = 5e-5;
    real4 *points = aligned_obtain(N * sizeof *points);
    dew_vec3 normal = vec3_normalise((dew_vec3){0.3, -0.2, 0.9}), wall = {0.01, 0.02, -0.03};
    for (double angle = 30; angle <= 150; angle += 30) {
        double h = -R * cos(angle * PI / 180);
        int count = 0;
        for (int k = 0; k < N; k++) {
            dew_vec3 x = vec3_add(vec3_scale(h, normal), vec3_scale(R - spacing / 2, direction(k, N)));
            if (vec3_dot(x, normal) < spacing / 2) continue;
            x = vec3_add(x, wall);
            points[count++] = point(x.x, x.y, x.z);
        }
        double measured, radius;
        assert_true(measure_cap(points, count, wall, normal, spacing, &measured, &radius));
        check_close(measured, angle, 0.1);
        check_close(radius, R * sin(angle * PI / 180), 1e-3 * R);
    }
    /* A sphere that hangs free of the wall has no contact. */
    for (int k = 0; k < N; k++) {
        dew_vec3 x = vec3_add(wall, vec3_add(vec3_scale(1.2 * R, normal), vec3_scale(R, direction(k, N))));
        points[k] = point(x.x, x.y, x.z);
    }
    double measured, radius;
    assert_false(measure_cap(points, N, wall, normal, spacing, &measured, &radius));
    aligned_release(points);
}

/* A body of revolution on a lattice. */
static int revolve(real4 *points, double (*radius_at)(double z), double spacing, double height)
{
    int count = 0, n = (int)(1 / spacing);
    for (double z = -height + spacing / 2; z < height; z += spacing) {
        double R = radius_at(z);
        for (int i = -n; i <= n; i++) {
            for (int j = -n; j <= n; j++) {
                double x = (i + 0.5) * spacing, y = (j + 0.5) * spacing;
                if (x * x + y * y < R * R) points[count++] = point(x, y, z);
            }
        }
    }
    return count;
}

static double hourglass(double z) { return 0.3 + 0.5 * z * z; }
static double barrel(double z) { return 0.8 - 0.5 * z * z; }
static double parted(double z) { return fabs(z) < 0.15 ? 0 : 0.5; }

static void test_neck(void **state)
{
    (void)state;
    const double spacing = 0.025;
    real4 *points = aligned_obtain((size_t)(80 * 81 * 81) * sizeof *points);
    dew_vec3 axis = {0, 0, 0};
    int count = revolve(points, hourglass, spacing, 0.9);
    check_close(measure_neck(points, count, axis, spacing), 0.3, 0.75 * spacing);
    count = revolve(points, barrel, spacing, 0.9);
    assert_true(isnan(measure_neck(points, count, axis, spacing)));
    count = revolve(points, parted, spacing, 0.9);
    check_close(measure_neck(points, count, axis, spacing), 0, 0);
    aligned_release(points);
}

static int ball(real4 *points, double x0, double radius, double spacing)
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

/* Every pair, and labels spread until nothing changes. */
static int components_plainly(const real4 *points, int count, double reach, int smallest)
{
    int *label = malloc((size_t)count * sizeof *label), *size = calloc((size_t)count, sizeof *size), bodies = 0;
    for (int i = 0; i < count; i++) label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                double dx = points[i].x - points[j].x, dy = points[i].y - points[j].y, dz = points[i].z - points[j].z;
                if (dx * dx + dy * dy + dz * dz >= reach * reach || label[j] >= label[i]) continue;
                label[i] = label[j], changed = true;
            }
        }
    }
    for (int i = 0; i < count; i++) bodies += ++size[label[i]] == smallest;
    free(label);
    free(size);
    return bodies;
}

static void test_components(void **state)
{
    (void)state;
    const double s = 1e-4;
    real4 *points = aligned_obtain(20000 * sizeof *points);
    int count = ball(points, 0, 8 * s, s);
    count += ball(points + count, 17 * s, 6 * s, s); /* nearest rows 4 s apart */
    count += ball(points + count, 40 * s, 5 * s, s);
    points[count++] = point(1, 1, 1); /* spray */
    assert_int_equal(measure_components(points, count, s, 4), 3);
    assert_int_equal(measure_components(points, count, s, 1), 4);
    assert_int_equal(measure_components(points, 0, s, 1), 0);
    unsigned seed = 1;
    for (int trial = 0; trial < 5; trial++) {
        count = 400;
        for (int i = 0; i < count; i++) {
            double x[3];
            for (int a = 0; a < 3; a++) x[a] = ((seed = seed * 1664525u + 1013904223u) >> 8) * (11 * s / 16777216);
            points[i] = point(x[0], x[1], x[2]);
        }
        assert_int_equal(measure_components(points, count, s, 1), components_plainly(points, count, 1.6 * s, 1));
    }
    aligned_release(points);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_modes), cmocka_unit_test(test_cap),
                                     cmocka_unit_test(test_neck), cmocka_unit_test(test_components)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
