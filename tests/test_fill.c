/* Fillings: counts, evenness, layers at the surface, lattices, determinism. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/parallel.h"
#include "geometry/shape.h"

static const double pi = 3.14159265358979323846;

static shape *make(const dew_shape_def *def, double resolution)
{
    shape *s = NULL;
    if (shape_create(&s, def, resolution) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

static int fill_turned(const shape *s, dew_fill how, int filling, int dimension, double spacing, const shape *avoid,
                       real4 **x)
{
    int count;
    if (shape_fill(s, how, filling, dimension, spacing, avoid, x, &count) != DEW_OK) fail_msg("%s", dew_message());
    return count;
}

static int fill(const shape *s, dew_fill how, int dimension, double spacing, const shape *avoid, real4 **x)
{
    return fill_turned(s, how, 0, dimension, spacing, avoid, x);
}

/* Nearest neighbour distances of every 1 + count/3000 th site: mean and standard deviation; the least. */
static void evenness(const real4 *x, int count, double *mean, double *deviation, double *least)
{
    double sum = 0, squares = 0;
    int n = 0;
    *least = INFINITY;
    for (int i = 0; i < count; i += 1 + count / 3000, n++) {
        double nearest = INFINITY;
        for (int j = 0; j < count; j++) {
            double dx = x[i].x - x[j].x, dy = x[i].y - x[j].y, dz = x[i].z - x[j].z;
            if (j != i) nearest = fmin(nearest, dx * dx + dy * dy + dz * dz);
        }
        nearest = sqrt(nearest);
        sum += nearest, squares += nearest * nearest, *least = fmin(*least, nearest);
    }
    *mean = sum / n;
    *deviation = sqrt(fmax(squares / n - *mean * *mean, 0));
}

static void check_filling(const char *name, const dew_shape_def *def, int filling, int dimension, double spacing,
                          double volume)
{
    shape *s = make(def, spacing);
    real4 *x;
    int count = fill_turned(s, DEW_FILL_RELAXED, filling, dimension, spacing, NULL, &x), first = 0;
    double mean, deviation, least, depth = 0, wanted = volume / pow(spacing, dimension);
    evenness(x, count, &mean, &deviation, &least);
    real4 *d = aligned_obtain((size_t)count * sizeof *d);
    shape_distance(s, INFINITY, count, x, d);
    for (int i = 0; i < count; i++) {
        assert_true(d[i].w < 0);
        assert_true(x[i].w == 0 && (dimension == 3 || x[i].z == 0));
        if (d[i].w > (real)(-0.8 * spacing)) depth -= d[i].w, first++;
    }
    print_message("%s: %d of %.1f, nearest %.3f +- %.1f %% (least %.3f), outer layer at %.2f spacings\n", name, count,
                  wanted, mean / spacing, 100 * deviation / mean, least / spacing, depth / first / spacing);
    assert_true(fabs(count / wanted - 1) < 0.005 || fabs(count - wanted) <= 1);
    assert_true(deviation < 0.1 * mean);
    assert_true(least > 0.75 * spacing);
    assert_true(depth / first > 0.4 * spacing && depth / first < 0.6 * spacing);
    aligned_release(d);
    aligned_release(x);
    shape_destroy(s);
}

static void check_relaxed(const char *name, const dew_shape_def *def, int dimension, double spacing, double volume)
{
    for (int filling = 0; filling < 3; filling++) check_filling(name, def, filling, dimension, spacing, volume);
}

static void test_relaxed(void **state)
{
    (void)state;
    dew_shape_def def = dew_sphere((dew_vec3){1e-3, 0, 0}, 1e-3);
    check_relaxed("sphere", &def, 3, 1e-4, 4 * pi / 3 * 1e-9);
    def = dew_sphere((dew_vec3){0, 0, 0}, 4);
    check_relaxed("small sphere", &def, 3, 1, 4 * pi / 3 * 64);
    def = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){10.3, 14.4, 8.5});
    check_relaxed("box", &def, 3, 1, 10.3 * 14.4 * 8.5);
    def = dew_default_shape_def();
    def.kind = DEW_SHAPE_TORUS;
    def.torus.axis = (dew_vec3){0, 1, 1}, def.torus.major_radius = 10, def.torus.minor_radius = 3;
    check_relaxed("torus", &def, 3, 1, 2 * pi * pi * 10 * 9);
    def = dew_sphere((dew_vec3){0, 0, 0.5}, 12);
    check_relaxed("disc", &def, 2, 1, pi * (144 - 0.25));
    def = dew_box((dew_vec3){0, 0, -1}, (dew_vec3){20.6, 9.3, 1});
    check_relaxed("rectangle", &def, 2, 1, 20.6 * 9.3);
}

/* A quarter of the ball is taken by a solid: the liquid has the rest of the volume, half a spacing from the solid. */
static void test_avoid(void **state)
{
    (void)state;
    dew_shape_def ball = dew_sphere((dew_vec3){0, 0, 0}, 8),
                  plane = dew_plane((dew_vec3){0, 0, -4}, (dew_vec3){0, 0, 1});
    shape *s = make(&ball, 1), *avoid = make(&plane, 1);
    double volume = 4 * pi / 3 * 512 - pi * 16 * (24 - 4) / 3; /* less the cap of height 4 */
    for (int how = DEW_FILL_CUBIC; how <= DEW_FILL_RELAXED; how++) {
        real4 *x;
        int count = fill(s, (dew_fill)how, 3, 1, avoid, &x);
        double least = INFINITY;
        for (int i = 0; i < count; i++) least = fmin(least, (double)x[i].z + 4);
        if (how == DEW_FILL_RELAXED) {
            assert_true(fabs(count / volume - 1) < 0.005);
            assert_true(least > 0.3);
        } else {
            assert_true(fabs(count / volume - 1) < 0.1);
            assert_true(least >= 0.5);
        }
        aligned_release(x);
    }
    shape_destroy(s);
    shape_destroy(avoid);
}

/* What shares a face with what it keeps clear of, as two liquids share a wall, has no site in the seam: of each side
 * wall of this basin there were some. */
static void seams_hold_nothing(void **state)
{
    (void)state;
    dew_shape_def first = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){10, 12, 14}),
                  all = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){20, 12, 14});
    shape *s = make(&all, 1), *avoid = make(&first, 1);
    real4 *x;
    int count = fill(s, DEW_FILL_RELAXED, 3, 1, avoid, &x);
    assert_int_equal(count, 1680);
    for (int i = 0; i < count; i++) assert_true(x[i].x > 10.2);
    aligned_release(x);
    shape_destroy(s), shape_destroy(avoid);
}

/* Every filling has as many particles, and its sites are elsewhere: the lattice is turned, so that the distances along
 * the axes from one site to all others are not those of another filling. The same number makes the same bytes. */
static void test_fillings(void **state)
{
    (void)state;
    enum { FILLINGS = 5 };
    dew_shape_def def = dew_sphere((dew_vec3){0.3, -2, 5}, 10);
    for (int dimension = 2; dimension <= 3; dimension++) {
        def.sphere.centre.z = dimension == 2 ? 0 : 5;
        shape *s = make(&def, 1);
        double whole = dimension == 2 ? pi * 100 : 4 * pi / 3 * 1000;
        real4 *x[FILLINGS];
        for (int k = 0; k < FILLINGS; k++) {
            int count = fill_turned(s, DEW_FILL_CUBIC, k, dimension, 1, NULL, &x[k]);
            assert_float_equal(count / whole, 1, 0.03);
            int rows = 0; /* sites of which another one lies just a spacing further along x */
            for (int i = 0; i < count; i++)
                for (int j = 0; j < count; j++)
                    rows += fabs(x[k][j].x - x[k][i].x - 1.0) < 1e-4 && fabs(x[k][j].y - x[k][i].y) < 1e-4 &&
                            fabs(x[k][j].z - x[k][i].z) < 1e-4;
            if (k == 0)
                assert_true(rows > 0.8 * count);
            else
                assert_int_equal(rows, 0);
            for (int other = 0; other < k; other++) assert_true(memcmp(x[k], x[other], sizeof **x) != 0);
        }
        real4 *again;
        int count = fill_turned(s, DEW_FILL_CUBIC, 2, dimension, 1, NULL, &again);
        assert_memory_equal(again, x[2], (size_t)count * sizeof *again);
        aligned_release(again);
        for (int k = 0; k < FILLINGS; k++) aligned_release(x[k]);
        shape_destroy(s);
    }
}

/* Lattices: a box of whole spacings comes out full; densities are right; sites are inside. */
static void test_lattices(void **state)
{
    (void)state;
    dew_shape_def def = dew_box((dew_vec3){-1, 0, 2}, (dew_vec3){9, 8, 14});
    shape *s = make(&def, 1);
    real4 *x;
    assert_int_equal(fill(s, DEW_FILL_CUBIC, 3, 1, NULL, &x), 960);
    assert_float_equal(x[0].x, -0.5, 1e-6);
    assert_float_equal(x[959].z, 13.5, 1e-6);
    aligned_release(x);
    shape_destroy(s);
    def = dew_sphere((dew_vec3){0, 0, 0}, 20);
    s = make(&def, 1);
    for (int dimension = 2; dimension <= 3; dimension++) {
        double size = dimension == 3 ? 4 * pi / 3 * 8000 : pi * 400, mean, deviation, least;
        int count = fill(s, DEW_FILL_CUBIC, dimension, 1, NULL, &x);
        assert_true(fabs(count / size - 1) < 0.01);
        aligned_release(x);
        count = fill(s, DEW_FILL_HEXAGONAL, dimension, 1, NULL, &x);
        evenness(x, count, &mean, &deviation, &least);
        assert_true(fabs(count / size - 1) < 0.01);
        assert_float_equal(least, dimension == 3 ? pow(2, 1.0 / 6) : sqrt(2 / sqrt(3.0)), 1e-4);
        assert_float_equal(mean, least, 1e-4);
        for (int i = 0; i < count; i++) assert_true(real3_length(real3_of(x[i])) <= 20);
        aligned_release(x);
    }
    shape_destroy(s);
}

/* Films and filaments thinner than a spacing keep their mass and stay inside. */
static void test_thin_liquids(void **state)
{
    (void)state;
    dew_shape_def film = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){20, 20, 0.6});
    shape *s = make(&film, 1);
    real4 *x;
    int count = fill(s, DEW_FILL_RELAXED, 3, 1, NULL, &x);
    assert_int_equal(count, 240);
    for (int i = 0; i < count; i++) assert_true(x[i].z > 0 && x[i].z < (real)0.6);
    aligned_release(x);
    shape_destroy(s);
}

/* A column that rows do not fit between two pools, joined by a floor, as between plates. Of the pools, sites over what
 * their size asks for. */
static void narrow_parts_get_their_share(void **state)
{
    (void)state;
    enum { PARTS = 4 };
    dew_shape_def parts[PARTS] = {dew_box((dew_vec3){-16, 0, -4}, (dew_vec3){16, 4.8, 4}),
                                  dew_box((dew_vec3){-16, 0, -4}, (dew_vec3){-8, 14.53, 4}),
                                  dew_box((dew_vec3){8, 0, -4}, (dew_vec3){16, 14.53, 4}),
                                  dew_box((dew_vec3){-4, 0, -4}, (dew_vec3){4, 21.33, 4})};
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_UNION;
    def.combination.children = parts, def.combination.count = PARTS;
    shape *s = make(&def, 1);
    for (int dimension = 2; dimension <= 3; dimension++) {
        real4 *x;
        int count = fill(s, DEW_FILL_RELAXED, dimension, 1, NULL, &x), in_pools = 0;
        for (int i = 0; i < count; i++) in_pools += fabs((double)x[i].x) > 6 && (double)x[i].y > 4.8;
        double share = in_pools / (2 * 8 * (14.53 - 4.8) * (dimension == 3 ? 8 : 1));
        if (fabs(share - 1) > 0.02) fail_msg("%dD: pools of a density of %g", dimension, share);
        aligned_release(x);
    }
    shape_destroy(s);
}

static void test_threads(void **state)
{
    (void)state;
    dew_shape_def parts[2] = {dew_sphere((dew_vec3){0, 0, 0}, 9), dew_box((dew_vec3){0, 0, 0}, (dew_vec3){12, 5, 6})};
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_UNION;
    def.combination.children = parts, def.combination.count = 2;
    shape *s = make(&def, 1);
    real4 *expected = NULL;
    int first = 0;
    const int threads[4] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
        parallel_set_threads(threads[k]);
        real4 *x;
        int count = fill(s, DEW_FILL_RELAXED, 3, 1, NULL, &x);
        if (k == 0) {
            expected = x, first = count;
            continue;
        }
        assert_int_equal(count, first);
        assert_memory_equal(x, expected, (size_t)count * sizeof *x);
        aligned_release(x);
    }
    parallel_set_threads(0);
    aligned_release(expected);
    shape_destroy(s);
}

static void test_wrong_fillings(void **state)
{
    (void)state;
    real4 *x;
    int count;
    dew_shape_def def = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    shape *s = make(&def, 1);
    assert_int_equal(shape_fill(s, DEW_FILL_RELAXED, 0, 3, 1, NULL, &x, &count), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "plane: it has no end and cannot be filled; intersect it with a box"));
    shape_destroy(s);
    def = dew_sphere((dew_vec3){0, 0, 0}, 0.3);
    s = make(&def, 1);
    assert_int_equal(shape_fill(s, DEW_FILL_RELAXED, 0, 3, 1, NULL, &x, &count), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "holds no particle"));
    assert_null(x);
    assert_int_equal(shape_fill(s, DEW_FILL_CUBIC, 0, 3, 1e-6, NULL, &x, &count), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "make the spacing larger"));
    shape_destroy(s);
    def = dew_sphere((dew_vec3){0, 0, 5}, 3);
    s = make(&def, 1);
    assert_int_equal(shape_fill(s, DEW_FILL_RELAXED, 0, 2, 1, NULL, &x, &count), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "must cross the plane z = 0"));
    shape_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relaxed),
        cmocka_unit_test(seams_hold_nothing),
        cmocka_unit_test(test_fillings),
        cmocka_unit_test(test_avoid),
        cmocka_unit_test(test_lattices),
        cmocka_unit_test(test_thin_liquids),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_wrong_fillings),
        cmocka_unit_test(narrow_parts_get_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
