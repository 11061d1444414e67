/* Signed distances of analytic shapes and combinations against known points, brute force and |grad d| = 1; checks of
 * definitions; volumes; triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/shape.h"

static double random_number(void) /* in [-1, 1) */
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static dew_shape_def kind_of(dew_shape_kind kind)
{
    dew_shape_def def = dew_default_shape_def();
    def.kind = kind;
    return def;
}

static dew_shape_def ellipsoid(double a, double b, double c)
{
    dew_shape_def def = kind_of(DEW_SHAPE_ELLIPSOID);
    def.ellipsoid.centre = (dew_vec3){0.1, -0.2, 0.3}, def.ellipsoid.semi_axes = (dew_vec3){a, b, c};
    return def;
}

static dew_shape_def cylinder(void)
{
    dew_shape_def def = kind_of(DEW_SHAPE_CYLINDER);
    def.cylinder.from = (dew_vec3){0.2, 0, -0.5}, def.cylinder.to = (dew_vec3){-0.3, 0.6, 0.9};
    def.cylinder.radius = 0.7;
    return def;
}

static dew_shape_def cone(double apex_radius)
{
    dew_shape_def def = kind_of(DEW_SHAPE_CONE);
    def.cone.apex = (dew_vec3){0.1, 0.2, 0.9}, def.cone.base = (dew_vec3){-0.1, 0, -0.6};
    def.cone.radius = 1.1, def.cone.apex_radius = apex_radius;
    return def;
}

static dew_shape_def capsule(void)
{
    dew_shape_def def = kind_of(DEW_SHAPE_CAPSULE);
    def.capsule.from = (dew_vec3){0.2, 0, -0.5}, def.capsule.to = (dew_vec3){-0.3, 0.6, 0.9};
    def.capsule.radius = 0.5;
    return def;
}

static dew_shape_def torus(void)
{
    dew_shape_def def = kind_of(DEW_SHAPE_TORUS);
    def.torus.centre = (dew_vec3){0.1, 0.1, 0}, def.torus.axis = (dew_vec3){1, 2, -1};
    def.torus.major_radius = 0.9, def.torus.minor_radius = 0.35;
    return def;
}

static dew_shape_def rounded_box(double rounding)
{
    dew_shape_def def = dew_box((dew_vec3){-0.8, -0.5, -0.6}, (dew_vec3){0.6, 0.9, 0.4});
    def.box.rounding = rounding;
    return def;
}

static dew_shape_def placed(dew_shape_def def)
{
    def.scale = 1.7, def.rotation_axis = (dew_vec3){1, -1, 0.5}, def.rotation_angle = 0.8;
    def.translation = (dew_vec3){0.4, -0.3, 0.2};
    return def;
}

enum { EXACT = 14 };

/* Every shape whose distance is exact inside and outside. */
static void exact_shapes(dew_shape_def *defs)
{
    dew_shape_def all[EXACT] = {dew_sphere((dew_vec3){0.1, 0.2, -0.3}, 0.9),
                                rounded_box(0),
                                rounded_box(0.2),
                                ellipsoid(1, 0.5, 0.3),
                                ellipsoid(0.7, 0.7, 1.2),
                                cylinder(),
                                cone(0),
                                cone(0.4),
                                capsule(),
                                torus(),
                                placed(rounded_box(0.1)),
                                placed(ellipsoid(0.2, 0.5, 0.8)),
                                placed(cone(0)),
                                placed(torus())};
    memcpy(defs, all, sizeof all);
}

static shape *make(const dew_shape_def *def, double resolution)
{
    shape *s = NULL;
    if (shape_create(&s, def, resolution) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

/* Where |d| and the gradient say the surface is, it is: the foot of each point lies on the surface, and no point of the
 * surface is nearer (by brute force over feet of many points). */
static void test_distance_is_to_the_nearest_point(void **state)
{
    (void)state;
    enum { POINTS = 400, FEET = 4000 };
    static dew_vec3 foot[FEET];
    dew_shape_def defs[EXACT];
    exact_shapes(defs);
    for (int k = 0; k < EXACT; k++) {
        shape *s = make(&defs[k], 0.1);
        bounds b = shape_bounds(s);
        dew_vec3 c = vec3_scale(0.5, vec3_add(b.min, b.max)), h = vec3_sub(b.max, c);
        for (int i = 0; i < FEET; i++) {
            dew_vec3 g, p = {c.x + 1.3 * h.x * random_number(), c.y + 1.3 * h.y * random_number(),
                             c.z + 1.3 * h.z * random_number()};
            double d = shape_distance_at(s, p, &g);
            assert_float_equal(vec3_length(g), 1, 1e-6);
            foot[i] = vec3_add(p, vec3_scale(-d, g));
            double rest = shape_distance_at(s, foot[i], NULL);
            if (fabs(rest) > 1e-7) fail_msg("shape %d: a foot is %g away from the surface (d = %g)", k, rest, d);
        }
        for (int i = 0; i < POINTS; i++) {
            dew_vec3 p = {c.x + 1.3 * h.x * random_number(), c.y + 1.3 * h.y * random_number(),
                          c.z + 1.3 * h.z * random_number()};
            double d = fabs(shape_distance_at(s, p, NULL)), nearest = INFINITY;
            for (int j = 0; j < FEET; j++) nearest = fmin(nearest, vec3_length(vec3_sub(p, foot[j])));
            if (nearest < d - 1e-7) fail_msg("shape %d: %g, but the surface is %g away", k, d, nearest);
            if (nearest > d + 0.25) fail_msg("shape %d: %g, but no foot is nearer than %g", k, d, nearest);
        }
        shape_destroy(s);
    }
}

static void test_gradient_is_the_derivative(void **state)
{
    (void)state;
    dew_shape_def defs[EXACT];
    exact_shapes(defs);
    for (int k = 0; k < EXACT; k++) {
        shape *s = make(&defs[k], 0.1);
        int bad = 0;
        for (int i = 0; i < 500; i++) {
            const double e = 1e-5;
            dew_vec3 g, p = {2 * random_number(), 2 * random_number(), 2 * random_number()};
            shape_distance_at(s, p, &g);
            double x = shape_distance_at(s, (dew_vec3){p.x + e, p.y, p.z}, NULL) -
                       shape_distance_at(s, (dew_vec3){p.x - e, p.y, p.z}, NULL);
            double y = shape_distance_at(s, (dew_vec3){p.x, p.y + e, p.z}, NULL) -
                       shape_distance_at(s, (dew_vec3){p.x, p.y - e, p.z}, NULL);
            double z = shape_distance_at(s, (dew_vec3){p.x, p.y, p.z + e}, NULL) -
                       shape_distance_at(s, (dew_vec3){p.x, p.y, p.z - e}, NULL);
            dew_vec3 n = vec3_scale(0.5 / e, (dew_vec3){x, y, z});
            bad += vec3_length(vec3_sub(n, g)) > 1e-4; /* next to the medial surface only */
        }
        if (bad > 2) fail_msg("shape %d: %d gradients differ from differences", k, bad);
        shape_destroy(s);
    }
}

static void expect_at(const dew_shape_def *def, dew_vec3 p, double expected)
{
    shape *s = make(def, 0.1);
    double d = shape_distance_at(s, p, NULL);
    if (fabs(d - expected) > 1e-12) fail_msg("%s: %.15g instead of %.15g", "distance", d, expected);
    shape_destroy(s);
}

static void test_known_points(void **state)
{
    (void)state;
    dew_shape_def def = dew_sphere((dew_vec3){1, 0, 0}, 2);
    expect_at(&def, (dew_vec3){1, 0, 0}, -2);
    expect_at(&def, (dew_vec3){1, 3, 4}, 3);
    def = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){2, 4, 6});
    expect_at(&def, (dew_vec3){5, 8, 3}, 5);
    expect_at(&def, (dew_vec3){1, 2, 5.75}, -0.25);
    def = kind_of(DEW_SHAPE_CONE);
    def.cone.apex = (dew_vec3){0, 0, 3}, def.cone.base = (dew_vec3){0, 0, 0}, def.cone.radius = 4;
    expect_at(&def, (dew_vec3){0, 0, 0}, 0);
    expect_at(&def, (dew_vec3){0, 0, 5}, 2);
    expect_at(&def, (dew_vec3){4, 0, 3}, 12.0 / 5);
    expect_at(&def, (dew_vec3){0, 0, 1}, -1);
    expect_at(&def, (dew_vec3){7, 0, -4}, 5);
    def = ellipsoid(3, 2, 1);
    def.ellipsoid.centre = (dew_vec3){0, 0, 0};
    expect_at(&def, (dew_vec3){0, 0, 0}, -1);
    expect_at(&def, (dew_vec3){5, 0, 0}, 2);
    expect_at(&def, (dew_vec3){0, 0, 0.5}, -0.5);
    def = dew_plane((dew_vec3){0, 0, 1}, (dew_vec3){0, 0, 10});
    expect_at(&def, (dew_vec3){7, 7, 3}, 2);
    def.rotation_axis = (dew_vec3){0, 1, 0}, def.rotation_angle = acos(-1.0) / 2, def.translation = (dew_vec3){1, 0, 0};
    expect_at(&def, (dew_vec3){7, 7, 3}, 5);
}

/* Points of the medial disc of a flat ellipsoid, where the nearest point is not unique. */
static void test_ellipsoid_medial_points(void **state)
{
    (void)state;
    dew_shape_def def = ellipsoid(1, 0.8, 0.1);
    def.ellipsoid.centre = (dew_vec3){0, 0, 0};
    shape *s = make(&def, 0.1);
    for (int i = 0; i < 200; i++) {
        dew_vec3 g, p = {0.4 * random_number(), 0.4 * random_number(), 0};
        double d = shape_distance_at(s, p, &g);
        dew_vec3 foot = vec3_add(p, vec3_scale(-d, g));
        double level = foot.x * foot.x + foot.y * foot.y / 0.64 + foot.z * foot.z / 0.01;
        assert_true(d < 0);
        assert_float_equal(level, 1, 1e-6);
    }
    shape_destroy(s);
}

static void test_combinations(void **state)
{
    (void)state;
    dew_shape_def parts[2] = {dew_sphere((dew_vec3){-0.5, 0, 0}, 1), dew_sphere((dew_vec3){0.5, 0, 0}, 1)};
    dew_shape_def def = kind_of(DEW_SHAPE_UNION);
    def.combination.children = parts, def.combination.count = 2;
    expect_at(&def, (dew_vec3){3.5, 0, 0}, 2);
    expect_at(&def, (dew_vec3){-2.5, 0, 0}, 1);
    def.kind = DEW_SHAPE_INTERSECTION;
    expect_at(&def, (dew_vec3){0, 0, 0}, -0.5);
    def.kind = DEW_SHAPE_DIFFERENCE;
    expect_at(&def, (dew_vec3){0.4, 0, 0}, 0.9);
    expect_at(&def, (dew_vec3){-1, 0, 0}, -0.5);
    dew_shape_def shell = kind_of(DEW_SHAPE_SHELL);
    shell.shell.child = &parts[0], shell.shell.thickness = 0.2;
    expect_at(&shell, (dew_vec3){-0.5, 0, 0.9}, -0.1);
    expect_at(&shell, (dew_vec3){-0.5, 0, 0.5}, 0.3);
    expect_at(&shell, (dew_vec3){-0.5, 0, 1.5}, 0.5);
}

/* The sign of combinations is that of the parts, the gradient unit, and |d| never more than the true distance. */
static void test_combined_signs(void **state)
{
    (void)state;
    dew_shape_def parts[3] = {placed(cone(0.2)), torus(), rounded_box(0.1)};
    shape *part[3];
    for (int k = 0; k < 3; k++) part[k] = make(&parts[k], 0.1);
    const dew_shape_kind kinds[3] = {DEW_SHAPE_UNION, DEW_SHAPE_DIFFERENCE, DEW_SHAPE_INTERSECTION};
    for (int k = 0; k < 3; k++) {
        dew_shape_def def = kind_of(kinds[k]);
        def.combination.children = parts, def.combination.count = 3;
        shape *s = make(&def, 0.1);
        for (int i = 0; i < 3000; i++) {
            dew_vec3 g, p = {2 * random_number(), 2 * random_number(), 2 * random_number()};
            bool in[3];
            for (int m = 0; m < 3; m++) in[m] = shape_distance_at(part[m], p, NULL) < 0;
            bool expected = k == 0   ? in[0] || in[1] || in[2]
                            : k == 1 ? in[0] && !in[1] && !in[2]
                                     : in[0] && in[1] && in[2];
            assert_int_equal(shape_distance_at(s, p, &g) < 0, expected);
            assert_float_equal(vec3_length(g), 1, 1e-6);
        }
        shape_destroy(s);
    }
    for (int k = 0; k < 3; k++) shape_destroy(part[k]);
}

/* Blocks of reals with a band agree with single points, or are bounds beyond the band. */
static void test_blocks_and_band(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static real4 points[COUNT], out[COUNT];
    dew_shape_def defs[EXACT];
    exact_shapes(defs);
    for (int k = 0; k < EXACT; k++) {
        shape *s = make(&defs[k], 0.1);
        for (int i = 0; i < COUNT; i++) /* near each other within a block */
            points[i] = (real4){(real)(i / 100 + 0.5 * random_number() - 5), (real)(2 * random_number()),
                                (real)(2 * random_number()), 0};
        shape_distance(s, 0.3, COUNT, points, out);
        for (int i = 0; i < COUNT; i++) {
            double d = shape_distance_at(s, (dew_vec3){points[i].x, points[i].y, points[i].z}, NULL);
            if (d > 0.3)
                assert_true(out[i].w >= (real)0.3 && out[i].w <= (real)(d + 1e-5));
            else
                assert_float_equal(out[i].w, d, 1e-5);
        }
        shape_destroy(s);
    }
}

static void test_bounds_and_volume(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    dew_shape_def defs[8] = {dew_sphere((dew_vec3){0.1, 0.2, -0.3}, 0.9),
                             rounded_box(0),
                             ellipsoid(1, 0.5, 0.3),
                             cylinder(),
                             cone(0),
                             capsule(),
                             torus(),
                             placed(rounded_box(0))};
    double length = sqrt(0.25 + 0.36 + 1.96), cone_length = sqrt(0.04 + 0.04 + 2.25);
    double exact[8] = {4 * pi / 3 * 0.729,
                       1.4 * 1.4,
                       4 * pi / 3 * 0.15,
                       pi * 0.49 * length,
                       pi / 3 * 1.21 * cone_length,
                       pi * 0.25 * length + 4 * pi / 3 * 0.125,
                       2 * pi * pi * 0.9 * 0.35 * 0.35,
                       1.4 * 1.4 * 1.7 * 1.7 * 1.7};
    for (int k = 0; k < 8; k++) {
        shape *s = make(&defs[k], 0.1);
        bounds b = shape_bounds(s);
        dew_vec3 size = vec3_sub(b.max, b.min);
        double v = shape_volume(s, fmin(size.x, fmin(size.y, size.z)) / 30);
        if (fabs(v / exact[k] - 1) > 1e-3) fail_msg("shape %d: volume off by %g", k, v / exact[k] - 1);
        /* Bounds hold the shape and are tight: their faces are met from inside. */
        for (int i = 0; i < 2000; i++) {
            dew_vec3 g, p = {3 * random_number(), 3 * random_number(), 3 * random_number()};
            double d = shape_distance_at(s, p, &g);
            dew_vec3 foot = vec3_add(p, vec3_scale(-d, g));
            assert_true(foot.x > b.min.x - 1e-7 && foot.y > b.min.y - 1e-7 && foot.z > b.min.z - 1e-7);
            assert_true(foot.x < b.max.x + 1e-7 && foot.y < b.max.y + 1e-7 && foot.z < b.max.z + 1e-7);
        }
        shape_destroy(s);
    }
    dew_shape_def plane = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    shape *s = make(&plane, 0.1);
    assert_true(isinf(shape_volume(s, 0.1)));
    assert_true(shape_bounds(s).max.z == 0 && isinf(shape_bounds(s).max.x));
    shape_destroy(s);
}

/* --- triangles --- */

static int compare_edges(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void check_triangles(const shape *s, double cell, double tolerance)
{
    triangle_mesh m;
    if (shape_triangulate(s, cell, shape_bounds(s), &m) != DEW_OK) fail_msg("%s", dew_message());
    assert_true(m.triangle_count > 0);
    int64_t *edges = malloc((size_t)m.triangle_count * 6 * sizeof *edges);
    int n = 0;
    double volume = 0;
    for (int t = 0; t < m.triangle_count; t++) {
        const int32_t *v = m.triangles + 3 * t;
        for (int k = 0; k < 3; k++) {
            assert_true(v[k] >= 0 && v[k] < m.vertex_count);
            edges[n++] = (int64_t)v[k] << 32 | v[(k + 1) % 3];
        }
        const float *a = m.vertices + 3 * v[0], *b = m.vertices + 3 * v[1], *c = m.vertices + 3 * v[2];
        volume += vec3_dot((dew_vec3){a[0], a[1], a[2]},
                           vec3_cross((dew_vec3){b[0], b[1], b[2]}, (dew_vec3){c[0], c[1], c[2]})) /
                  6;
    }
    /* Closed: every edge is walked back as often as forth. */
    int64_t *back = edges + n;
    for (int i = 0; i < n; i++) back[i] = (edges[i] & 0xffffffff) << 32 | edges[i] >> 32;
    qsort(edges, (size_t)n, sizeof *edges, compare_edges);
    qsort(back, (size_t)n, sizeof *edges, compare_edges);
    assert_memory_equal(edges, back, (size_t)n * sizeof *edges);
    double exact = shape_volume(s, cell / 2);
    if (fabs(volume / exact - 1) > 0.03) fail_msg("volume of triangles is %g instead of %g", volume, exact);
    for (int i = 0; i < m.vertex_count; i++) {
        const float *v = m.vertices + 3 * i;
        double d = shape_distance_at(s, (dew_vec3){v[0], v[1], v[2]}, NULL);
        if (fabs(d) > tolerance) fail_msg("a vertex is %g away from the surface", d);
    }
    free(edges);
    triangle_mesh_free(&m);
}

static void test_triangles(void **state)
{
    (void)state;
    dew_shape_def defs[EXACT];
    exact_shapes(defs);
    for (int k = 0; k < EXACT; k++) {
        shape *s = make(&defs[k], 0.1);
        check_triangles(s, 0.08, 1e-5);
        shape_destroy(s);
    }
    dew_shape_def parts[2] = {rounded_box(0), dew_sphere((dew_vec3){0.3, 0.4, 0.2}, 0.5)};
    dew_shape_def def = kind_of(DEW_SHAPE_DIFFERENCE);
    def.combination.children = parts, def.combination.count = 2;
    shape *s = make(&def, 0.1);
    check_triangles(s, 0.05, 2e-3);
    shape_destroy(s);
}

/* --- implicit --- */

static void quartic(void *context, int count, const double *const *in, double *out)
{
    (void)context;
    for (int i = 0; i < count; i++) {
        double x = in[0][i], y = in[1][i], z = in[2][i];
        out[i] = x * x * x * x + y * y * y * y + z * z * z * z - 1; /* no distance at all */
    }
}

static void test_implicit(void **state)
{
    (void)state;
    dew_shape_def def = kind_of(DEW_SHAPE_IMPLICIT);
    def.implicit.value.evaluate = quartic;
    def.implicit.min = (dew_vec3){-1.5, -1.5, -1.5}, def.implicit.max = (dew_vec3){1.5, 1.5, 1.5};
    const double s = 0.05;
    shape *made = make(&def, s);
    for (int i = 0; i < 4000; i++) {
        dew_vec3 g, p = {1.3 * random_number(), 1.3 * random_number(), 1.3 * random_number()};
        double d = shape_distance_at(made, p, &g), value;
        const double *const in[3] = {&p.x, &p.y, &p.z};
        quartic(NULL, 1, in, &value);
        if (fabs(value) > 0.05) assert_int_equal(d < 0, value < 0);
        if (fabs(d) > 2 * s) continue;
        dew_vec3 foot = vec3_add(p, vec3_scale(-d, g));
        const double *const at[3] = {&foot.x, &foot.y, &foot.z};
        quartic(NULL, 1, at, &value);
        double slope = 4 * vec3_length((dew_vec3){pow(foot.x, 3), pow(foot.y, 3), pow(foot.z, 3)});
        if (fabs(value / slope) > 0.02 * s) fail_msg("a foot is %g spacings from the surface", value / slope / s);
    }
    shape_destroy(made);
    def.implicit.min = (dew_vec3){2, 2, 2}, def.implicit.max = (dew_vec3){3, 3, 3};
    assert_int_equal(shape_create(&made, &def, s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "nowhere negative"));
}

/* --- checks --- */

static void expect_invalid(dew_shape_def def, const char *text)
{
    shape *s = NULL;
    assert_int_equal(shape_create(&s, &def, 0.1), DEW_INVALID);
    assert_null(s);
    if (!strstr(dew_message(), text)) fail_msg("'%s' does not say '%s'", dew_message(), text);
}

static void test_wrong_definitions(void **state)
{
    (void)state;
    dew_shape_def def = dew_default_shape_def();
    expect_invalid(def, "no shape is given");
    expect_invalid(kind_of(DEW_SHAPE_DISC),
                   "a body cannot be flat (use a cylinder or a box; flat shapes are for emitters)");
    expect_invalid(dew_sphere((dew_vec3){0, 0, 0}, -1), "sphere.radius is -1; it must be above 0 m");
    expect_invalid(dew_sphere((dew_vec3){0, NAN, 0}, 1), "sphere.centre[1] is nan");
    expect_invalid(dew_box((dew_vec3){0, 0, 0}, (dew_vec3){1, 0, 1}), "box.max: y: max 0 m is not above min 0 m");
    def = rounded_box(0.6);
    expect_invalid(def, "box.rounding is 0.6");
    expect_invalid(ellipsoid(1, 0, 1), "ellipsoid.semi_axes[1] is 0");
    def = cylinder();
    def.cylinder.to = def.cylinder.from;
    expect_invalid(def, "cylinder: from and to are the same point");
    def = cone(-0.1);
    expect_invalid(def, "cone.apex_radius is -0.1");
    def = torus();
    def.torus.axis = (dew_vec3){0, 0, 0};
    expect_invalid(def, "torus.axis has no direction");
    def = torus();
    def.torus.minor_radius = 1;
    expect_invalid(def, "torus.minor_radius is 1; it must be below major_radius");
    expect_invalid(dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 0}), "plane.normal has no direction");
    expect_invalid(kind_of(DEW_SHAPE_UNION), "union holds 0; ");
    dew_shape_def parts[2] = {dew_sphere((dew_vec3){0, 0, 0}, 1), dew_sphere((dew_vec3){0, 0, 0}, INFINITY)};
    def = kind_of(DEW_SHAPE_UNION);
    def.combination.children = parts, def.combination.count = 2;
    expect_invalid(def, "union[1].sphere.radius is inf");
    def = kind_of(DEW_SHAPE_SHELL);
    def.shell.child = parts;
    expect_invalid(def, "shell.thickness is 0");
    def = parts[0], def.scale = 0;
    expect_invalid(def, "scale is 0");
    def = parts[0], def.rotation_angle = 1, def.rotation_axis = (dew_vec3){0, 0, 0};
    expect_invalid(def, "rotate.axis has no direction");
    def = kind_of(DEW_SHAPE_IMPLICIT);
    expect_invalid(def, "implicit.value: no function is given");
    shape *s;
    assert_int_equal(shape_create(&s, &parts[0], 0), DEW_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_is_to_the_nearest_point),
        cmocka_unit_test(test_gradient_is_the_derivative),
        cmocka_unit_test(test_known_points),
        cmocka_unit_test(test_ellipsoid_medial_points),
        cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_combined_signs),
        cmocka_unit_test(test_blocks_and_band),
        cmocka_unit_test(test_bounds_and_volume),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_implicit),
        cmocka_unit_test(test_wrong_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
