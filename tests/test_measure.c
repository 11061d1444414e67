/* Measurements on plain points whose answer is known. */
#include "base/arena.h"
#include "known_points.h"
#include "measure/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- modes and roundness --- */

static void test_modes(void **state)
{
    (void)state;
    enum { N = 3000 };
    const double a[7] = {0.01, -0.02, 0.1, -0.03, 0.02, 0.01, -0.015}, R = 1.5e-3;
    real4 *points = aligned_obtain(N * sizeof *points), *turned = aligned_obtain(N * sizeof *points);
    dew_vec3 centre = {0.01, -0.02, 0.005}, axis = vec3_normalise((dew_vec3){1, 2, -0.5});
    for (int k = 0; k < N; k++) {
        dew_vec3 u = direction(k, N);
        double r = R, q = R;
        for (int n = 0; n < 7; n++) r += R * a[n] * legendre(n, u.z), q += R * a[n] * legendre(n, vec3_dot(u, axis));
        points[k] = point_at(vec3_add(centre, vec3_scale(r, u)));
        turned[k] = point_at(vec3_add(centre, vec3_scale(q, u)));
    }
    mode_amplitudes straight, tilted;
    assert_true(measure_modes(points, N, 3, centre, R, &straight));
    assert_true(measure_modes(turned, N, 3, centre, R, &tilted));
    for (int n = MODE_FIRST; n <= MODE_LAST; n++) {
        check_close(straight.axial[n - MODE_FIRST], a[n], 1e-5);
        check_close(straight.total[n - MODE_FIRST], fabs(a[n]), 1e-5);
        check_close(tilted.total[n - MODE_FIRST], fabs(a[n]), 1e-5);
        check_close(tilted.axial[n - MODE_FIRST], a[n] * legendre(n, axis.z), 1e-5); /* the addition theorem */
    }
    assert_false(measure_modes(points, 10, 3, centre, R, &straight));
    aligned_release(points);
    aligned_release(turned);
}

static void test_modes_in_the_plane(void **state)
{
    (void)state;
    enum { N = 500 };
    const double R = 1e-3;
    real4 *points = aligned_obtain(N * sizeof *points);
    for (int k = 0; k < N; k++) {
        double phi = 2 * PI * k / N, r = R * (1 + 0.05 * cos(2 * phi) - 0.02 * cos(3 * phi) + 0.03 * sin(3 * phi));
        points[k] = point(0.01 + r * cos(phi), r * sin(phi), k % 2 ? 1e-4 : -1e-4);
    }
    mode_amplitudes modes;
    assert_true(measure_modes(points, N, 2, (dew_vec3){0.01, 0, 0}, R, &modes));
    check_close(modes.axial[0], 0.05, 1e-5), check_close(modes.axial[1], -0.02, 1e-5);
    check_close(modes.total[1], sqrt(0.0013), 1e-5), check_close(modes.total[2], 0, 1e-5);
    double mean, deviation;
    measure_roundness(points, N, 2, (dew_vec3){0.01, 0, 0}, &mean, &deviation);
    check_close(mean, R, 1e-6 * R);
    check_close(deviation, R * sqrt((0.0025 + 0.0013) / 2), 1e-6 * R);
    aligned_release(points);
}

/* --- spheres on solids --- */

/* The outside of a ball, or (hollow) the inside of a hole; radius 0: the half space along `centre`, or a slab of it. */
typedef struct plain_solid {
    dew_vec3 centre;
    double radius;
    bool is_hollow;
    double thickness; /* of the slab; 0: all of the half space */
} plain_solid;

static void plain_distance(const void *context, double band, int count, const real4 *points, real4 *out)
{
    const plain_solid *s = context;
    (void)band;
    for (int i = 0; i < count; i++) {
        dew_vec3 x = {points[i].x, points[i].y, points[i].z}, n = s->centre;
        double d = vec3_dot(x, n);
        if (s->thickness > 0 && d < -s->thickness / 2) d = -s->thickness - d, n = vec3_scale(-1, n);
        if (s->radius > 0) {
            n = vec3_sub(x, s->centre);
            d = vec3_length(n) - s->radius, n = vec3_normalise(n);
            if (s->is_hollow) d = -d, n = vec3_scale(-1, n);
        }
        out[i] = (real4){(real)n.x, (real)n.y, (real)n.z, (real)d};
    }
}

static void test_sphere_on_solids(void **state)
{
    (void)state;
    const double radii[] = {0, 2.5, 4};
    for (int k = 0; k < 3; k++) {
        for (double angle = 30; angle <= 150; angle += 30) {
            bool is_hollow = k == 2;
            dew_vec3 up = vec3_normalise((dew_vec3){0.3, -0.2, 0.9});
            double d = distance_of_centres(radii[k], angle, is_hollow);
            plain_solid solid = {k ? (dew_vec3){0, 0, 0} : up, radii[k], is_hollow, k ? 0 : 0.1};
            fitted_sphere sphere = {vec3_scale(is_hollow ? -d : d, up), 1};
            drop_contact contact;
            assert_true(measure_sphere_on_solid(&sphere, 3, up, plain_distance, &solid, &contact));
            check_close(contact.angle, angle, 0.01);
            if (k == 0) check_close(contact.radius, sin(angle * DEGREE), 1e-4);
        }
    }
    /* A sphere that hangs free has no contact. */
    plain_solid solid = {{0, 0, 1}, 0, false, 0};
    fitted_sphere sphere = {{0, 0, 1.2}, 1};
    drop_contact contact;
    assert_false(measure_sphere_on_solid(&sphere, 3, (dew_vec3){0, 0, 1}, plain_distance, &solid, &contact));
    sphere.centre = (dew_vec3){0, 0.5, 0};
    solid.centre = (dew_vec3){0, 1, 0};
    assert_true(measure_sphere_on_solid(&sphere, 2, (dew_vec3){0, 1, 0}, plain_distance, &solid, &contact));
    check_close(contact.angle, 120, 0.01);
}

static void test_sphere(void **state)
{
    (void)state;
    enum { N = 2000 };
    real4 *points = aligned_obtain(N * sizeof *points);
    dew_vec3 centre = {0.02, -0.01, 0.03};
    int count = 0;
    unsigned seed = 3;
    for (int k = 0; k < N; k++) { /* a cap, with points off by up to 1 % */
        dew_vec3 u = direction(k, N);
        double r = 1e-3 * (1 + 0.02 * (chance(&seed) - 0.5));
        if (u.z > 0.5) points[count++] = point_at(vec3_add(centre, vec3_scale(r, u)));
    }
    fitted_sphere sphere;
    assert_true(measure_sphere(points, count, 3, &sphere));
    check_close(sphere.radius, 1e-3, 4e-6);
    check_close(vec3_length(vec3_sub(sphere.centre, centre)), 0, 4e-6);
    assert_false(measure_sphere(points, 10, 3, &sphere));
    for (int k = 0; k < N; k++) points[k] = point(0.5 + 2 * cos(0.001 * k), 3 + 2 * sin(0.001 * k), k % 2);
    assert_true(measure_sphere(points, N, 2, &sphere));
    check_close(sphere.radius, 2, 1e-4), check_close(sphere.centre.x, 0.5, 1e-4), check_close(sphere.centre.y, 3, 1e-4);
    aligned_release(points);
}

/* --- drops under gravity --- */

static int revolve_outline(const outline *o, dew_vec3 foot, dew_vec3 normal, double scatter, real4 *points)
{
    dew_vec3 u = vec3_normalise(vec3_cross(normal, (dew_vec3){1, 0, 0})), v = vec3_cross(normal, u);
    unsigned seed = 5;
    int count = 0;
    for (int k = 0; k < o->count; k++) {
        if (o->h[k] < 0.1) continue;
        double a = k * PI * (3 - sqrt(5)), r = o->r[k];
        dew_vec3 x = vec3_add(foot, vec3_scale(o->h[k] + scatter * (chance(&seed) - 0.5), normal));
        x = vec3_add(x, vec3_add(vec3_scale(r * cos(a), u), vec3_scale(r * sin(a), v)));
        points[count] = point_at(x);
        points[count++].w = (real)(r + 1e-3);
    }
    return count;
}

static void test_profile(void **state)
{
    (void)state;
    outline *o = malloc(sizeof *o);
    real4 *points = aligned_obtain(OUTLINE * sizeof *points);
    dew_vec3 foot = {0.3, -0.1, 0.2}, normal = vec3_normalise((dew_vec3){0.1, 0.4, -0.8});
    for (int k = 0; k < (int)(sizeof standing / sizeof *standing); k++) {
        const drop_row *drop = &standing[k];
        drop_row drawn = draw_outline(drop, o);
        check_close(drawn.radius, drop->radius, 1e-4); /* the table and the equation agree */
        check_close(drawn.angle, drop->angle, 0.02);
        for (int scattered = 0; scattered < 2; scattered++) {
            int count = revolve_outline(o, foot, normal, 0.04 * scattered, points);
            profile_def def = {points, count, 3, foot, normal, drop->bond, 0.1, {{0, 0, 0}, 0}};
            drop_contact contact;
            assert_true(measure_sphere(points, count, 3, &def.start));
            assert_true(measure_profile(&def, &contact));
            check_close(contact.angle, drop->angle, scattered ? 0.5 : 0.1);
            check_close(contact.radius, drop->radius, (scattered ? 0.006 : 0.001) * drop->radius);
        }
    }
    free(o);
    aligned_release(points);
}

/* --- necks and bodies --- */

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

static double barrel(double z) { return 0.8 - 0.5 * z * z; }
static double column(double z) { return 0.5 + 0 * z; }
static double globe(double z) { return sqrt(fmax(0, 0.49 - z * z)); }
static double parted(double z) { return fabs(z) < 0.15 ? 0 : 0.5; }

static void test_neck(void **state)
{
    (void)state;
    const double spacing = 0.025;
    real4 *points = aligned_obtain((size_t)(80 * 81 * 81) * sizeof *points);
    dew_vec3 axis = {0, 0, 0};
    int count = revolve(points, hourglass, spacing, 0.9);
    check_close(measure_neck(points, count, 3, axis, 1.5 * spacing, 0.5 * spacing), 0.3, spacing);
    count = revolve(points, barrel, spacing, 0.9);
    check_close(measure_neck(points, count, 3, axis, 1.5 * spacing, 0.5 * spacing), 0.8, spacing); /* it bulges */
    count = revolve(points, column, spacing, 0.9);
    check_close(measure_neck(points, count, 3, axis, 1.5 * spacing, 0.5 * spacing), 0.5, spacing);
    count = revolve(points, globe, spacing, 0.7);
    check_close(measure_neck(points, count, 3, axis, 1.5 * spacing, 0.5 * spacing), 0.7, spacing);
    count = revolve(points, parted, spacing, 0.9);
    check_close(measure_neck(points, count, 3, axis, 1.5 * spacing, 0.5 * spacing), 0, 0);
    aligned_release(points);
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

static void test_bodies(void **state)
{
    (void)state;
    const double s = 1e-4, open[3] = {0, 0, 0}, periodic[3] = {60 * s, 0, 0};
    real4 *points = aligned_obtain(20000 * sizeof *points);
    int first = ball(points, 0, 8 * s, s), count = first, sizes[4];
    int second = ball(points + count, 17 * s, 6 * s, s); /* nearest rows 4 s apart */
    count += second;
    int third = ball(points + count, 48 * s, 5 * s, s); /* a row from the first's image */
    count += third;
    points[count++] = point(1, 1, 1); /* spray */
    assert_int_equal(measure_bodies(points, count, s, open, 4, 4, sizes), 3);
    assert_int_equal(sizes[0], first), assert_int_equal(sizes[1], second), assert_int_equal(sizes[2], third);
    assert_int_equal(sizes[3], 0);
    assert_int_equal(measure_bodies(points, count, s, open, 1, 4, sizes), 4);
    assert_int_equal(sizes[3], 1);
    assert_int_equal(measure_bodies(points, count, s, periodic, 4, 4, sizes), 2);
    assert_int_equal(sizes[0], first + third);
    assert_int_equal(measure_bodies(points, 0, s, open, 1, 4, sizes), 0);
    unsigned seed = 1;
    for (int trial = 0; trial < 5; trial++) {
        count = 400;
        for (int i = 0; i < count; i++) {
            double x[3];
            for (int a = 0; a < 3; a++) x[a] = 11 * s * chance(&seed);
            points[i] = point(x[0], x[1], x[2]);
        }
        assert_int_equal(measure_bodies(points, count, s, open, 1, 4, sizes),
                         components_plainly(points, count, 1.6 * s, 1));
    }
    aligned_release(points);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_modes),
                                     cmocka_unit_test(test_modes_in_the_plane),
                                     cmocka_unit_test(test_sphere_on_solids),
                                     cmocka_unit_test(test_sphere),
                                     cmocka_unit_test(test_profile),
                                     cmocka_unit_test(test_neck),
                                     cmocka_unit_test(test_bodies)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
