/* Distances to triangle meshes against analytic shapes and against brute force; thin walls; wrong meshes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/parallel.h"
#include "geometry/shape.h"

static double random_number(void) /* in [-1, 1) */
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static shape *make(const dew_shape_def *def, double resolution)
{
    shape *s = NULL;
    if (shape_create(&s, def, resolution) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

/* A mesh that grows: plain arrays. */
typedef struct soup {
    double *vertices;
    int32_t *triangles;
    int vertex_count, triangle_count;
} soup;

static void soup_free(soup *m)
{
    free(m->vertices);
    free(m->triangles);
}

static dew_shape_def mesh_def(const soup *m)
{
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_MESH;
    def.mesh.vertices = m->vertices, def.mesh.triangles = m->triangles;
    def.mesh.vertex_count = m->vertex_count, def.mesh.triangle_count = m->triangle_count;
    def.mesh.name = "test";
    return def;
}

/* The triangles of a shape, each with vertices of its own, as STL has them. */
static soup soup_of(const dew_shape_def *def, double cell)
{
    shape *s = make(def, cell);
    triangle_mesh t;
    if (shape_triangulate(s, cell, shape_bounds(s), &t) != DEW_OK) fail_msg("%s", dew_message());
    soup m = {.vertex_count = 3 * t.triangle_count, .triangle_count = t.triangle_count};
    m.vertices = malloc((size_t)m.vertex_count * 3 * sizeof *m.vertices);
    m.triangles = malloc((size_t)m.triangle_count * 3 * sizeof *m.triangles);
    for (int i = 0; i < 3 * t.triangle_count; i++) {
        m.triangles[i] = i;
        for (int k = 0; k < 3; k++) m.vertices[3 * i + k] = t.vertices[3 * t.triangles[i] + k];
    }
    triangle_mesh_free(&t);
    shape_destroy(s);
    return m;
}

/* Points within `band` of the shape. */
static int points_near(const shape *s, double inner, double outer, int count, real4 *points)
{
    bounds b = shape_bounds(s);
    dew_vec3 c = vec3_scale(0.5, vec3_add(b.min, b.max)),
             h = vec3_add(vec3_sub(b.max, c), (dew_vec3){outer, outer, outer});
    int n = 0;
    while (n < count) {
        dew_vec3 p = {c.x + h.x * random_number(), c.y + h.y * random_number(), c.z + h.z * random_number()};
        double d = shape_distance_at(s, p, NULL);
        if (d > inner && d < outer) points[n++] = (real4){(real)p.x, (real)p.y, (real)p.z, 0};
    }
    return n;
}

enum { POINTS = 20000 };
static real4 points[POINTS], exact[POINTS], found[POINTS];

/* In the band, in spacings: the largest error less than that of the triangles themselves, and mean error. */
static void compare(const char *name, dew_shape_def def, double cell, double spacing, double allowed_mean,
                    double allowed_most)
{
    soup m = soup_of(&def, cell);
    dew_shape_def as_mesh = mesh_def(&m);
    shape *s = make(&def, spacing), *mesh = make(&as_mesh, spacing);
    points_near(s, -2 * spacing, 3 * spacing, POINTS, points);
    shape_distance(s, 3 * spacing, POINTS, points, exact);
    shape_distance(mesh, 3 * spacing, POINTS, points, found);
    double mean = 0, most = 0;
    int wrong_sign = 0, turned = 0;
    for (int i = 0; i < POINTS; i++) {
        double e = fabs((double)found[i].w - exact[i].w) / spacing;
        mean += e / POINTS;
        most = fmax(most, e);
        wrong_sign += (found[i].w < 0) != (exact[i].w < 0) && fabs((double)exact[i].w) > allowed_most * spacing;
        turned += found[i].x * exact[i].x + found[i].y * exact[i].y + found[i].z * exact[i].z < (real)0.95;
    }
    print_message("%s: error mean %.4f, most %.4f spacings; %d gradients turned\n", name, mean, most, turned);
    assert_int_equal(wrong_sign, 0);
    assert_true(mean < allowed_mean);
    assert_true(most < allowed_most);
    assert_true(turned < POINTS / 50); /* at medial surfaces only */
    shape_destroy(s);
    shape_destroy(mesh);
    soup_free(&m);
}

static void test_against_analytic(void **state)
{
    (void)state;
    dew_shape_def def = dew_sphere((dew_vec3){1, 2, 3}, 10);
    compare("sphere", def, 0.4, 1, 0.005, 0.01);
    def = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){10, 12, 8});
    compare("box", def, 1, 1, 0.002, 0.01);
    def.rotation_angle = 0.5, def.rotation_axis = (dew_vec3){1, 1, 0}, def.scale = 1e-4;
    compare("small turned box", def, 1e-4, 1e-4, 0.002, 0.012);
    def = dew_default_shape_def();
    def.kind = DEW_SHAPE_TORUS;
    def.torus.axis = (dew_vec3){0, 1, 1}, def.torus.major_radius = 10, def.torus.minor_radius = 4;
    compare("torus", def, 0.25, 1, 0.004, 0.012);
}

/* A cup whose walls are a tenth of a spacing: two thirds of a shell, far thinner than any cell. */
static void test_thin_walls(void **state)
{
    (void)state;
    dew_shape_def outer = dew_default_shape_def(), inner;
    outer.kind = DEW_SHAPE_CYLINDER;
    outer.cylinder.to = (dew_vec3){0, 0, 8}, outer.cylinder.radius = 5;
    inner = outer;
    inner.cylinder.from = (dew_vec3){0, 0, 0.1}, inner.cylinder.radius = 4.9;
    inner.cylinder.to = (dew_vec3){0, 0, 8}; /* ends level with the rim */
    /* The cup as one closed mesh: the outside of the one, the inside of the other, joined at the rim. Profile by hand.
     */
    enum { AROUND = 96 };
    static double v[(4 * AROUND + 2) * 3];
    static int32_t t[(8 * AROUND) * 3];
    const double pi = acos(-1.0), profile[4][2] = {{0, 5}, {8, 5}, {8, 4.9}, {0.1, 4.9}};
    int n = 0, m = 0;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < AROUND; i++, n++) {
            v[3 * n] = profile[k][1] * cos(2 * pi * i / AROUND),
                  v[3 * n + 1] = profile[k][1] * sin(2 * pi * i / AROUND);
            v[3 * n + 2] = profile[k][0];
        }
    v[3 * n + 2] = 0, n++;
    v[3 * n + 2] = 0.1, n++;
    for (int i = 0; i < AROUND; i++) {
        int j = (i + 1) % AROUND;
        for (int k = 0; k < 3; k++) {
            int32_t a = k * AROUND + i, b = k * AROUND + j, c = a + AROUND, d = b + AROUND;
            const int32_t two[6] = {a, b, d, a, d, c};
            memcpy(t + 3 * m, two, sizeof two);
            m += 2;
        }
        const int32_t ends[6] = {4 * AROUND, j, i, 4 * AROUND + 1, 3 * AROUND + i, 3 * AROUND + j};
        memcpy(t + 3 * m, ends, sizeof ends);
        m += 2;
    }
    soup cup = {v, t, n, m};
    dew_shape_def def = mesh_def(&cup);
    dew_shape_def parts[2] = {outer, inner}, analytic = dew_default_shape_def();
    parts[1].cylinder.to.z = 20; /* open above */
    analytic.kind = DEW_SHAPE_DIFFERENCE;
    analytic.combination.children = parts, analytic.combination.count = 2;
    shape *mesh = make(&def, 1), *s = make(&analytic, 1);
    int inside = 0, wrong = 0, far = 0;
    for (int i = 0; i < 40000; i++) {
        double angle = pi * random_number(), r = 4.95 + 0.3 * random_number(), z = 4 + 3.9 * random_number();
        if (i % 2) r = 2.4 + 2.4 * random_number(), z = 0.05 + 0.3 * random_number(); /* at the floor */
        dew_vec3 g, p = {r * cos(angle), r * sin(angle), z};
        double d = shape_distance_at(s, p, NULL), e = shape_distance_at(mesh, p, &g);
        inside += d < 0;
        wrong += (d < 0) != (e < 0) && fabs(d) > 0.006; /* the mesh has flat sides: 0.0027 off the circle */
        far += fabs(d - e) > 0.02;
    }
    assert_true(inside > 1000);
    assert_int_equal(wrong, 0);
    assert_int_equal(far, 0);
    shape_destroy(mesh);
    shape_destroy(s);
}

/* Distance to a band edge and beyond: bounds from below outside of the band, exact when asked without a band. */
static void test_far_points(void **state)
{
    (void)state;
    dew_shape_def def = dew_sphere((dew_vec3){0, 0, 0}, 10);
    soup m = soup_of(&def, 0.5);
    dew_shape_def as_mesh = mesh_def(&m);
    shape *mesh = make(&as_mesh, 1);
    for (int i = 0; i < POINTS; i++)
        points[i] =
            (real4){(real)(30 * random_number()), (real)(30 * random_number()), (real)(30 * random_number()), 0};
    shape_distance(mesh, 2, POINTS, points, found);
    for (int i = 0; i < POINTS; i++) {
        double d = (double)real3_length(real3_of(points[i])) - 10;
        if (d > 2.02) assert_true(found[i].w >= 2 && found[i].w < d + 0.05);
        if (d < -2.02) assert_true(found[i].w <= -2);
    }
    for (int i = 0; i < 2000; i++) {
        dew_vec3 g, p = {points[i].x, points[i].y, points[i].z};
        double d = vec3_length(p) - 10;
        assert_float_equal(shape_distance_at(mesh, p, &g), d, 0.02);
        if (vec3_length(p) > 1) assert_true(vec3_dot(g, p) > 0.98 * vec3_length(p));
    }
    assert_float_equal(shape_volume(mesh, 0.5), 4 * acos(-1.0) / 3 * 1000, 12);
    shape_destroy(mesh);
    soup_free(&m);
}

/* --- wrong meshes --- */

static void expect_invalid(const soup *m, const char *text)
{
    dew_shape_def def = mesh_def(m);
    shape *s = NULL;
    assert_int_equal(shape_create(&s, &def, 0.1), DEW_INVALID);
    assert_null(s);
    if (!strstr(dew_message(), text)) fail_msg("'%s' does not say '%s'", dew_message(), text);
    assert_non_null(strstr(dew_message(), "mesh 'test'"));
}

static void test_wrong_meshes(void **state)
{
    (void)state;
    dew_shape_def box = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){1, 1, 1});
    soup m = soup_of(&box, 1), none = {NULL, NULL, 0, 0};
    expect_invalid(&none, "it is empty");
    m.triangle_count = 11; /* a hole */
    expect_invalid(&m, "not watertight: 3 open edges");
    m.triangle_count = 12;
    m.triangles[4] = 36;
    expect_invalid(&m, "triangle 1 refers to vertex 36, but vertices are 0 to 35");
    m.triangles[4] = -1;
    expect_invalid(&m, "triangle 1 refers to vertex -1");
    m.triangles[4] = 4;
    m.vertices[7] = NAN;
    expect_invalid(&m, "vertex 2 is (");
    soup_free(&m);
    m = soup_of(&box, 1);
    int32_t keep = m.triangles[0];
    m.triangles[0] = m.triangles[1], m.triangles[1] = keep;
    expect_invalid(&m, "3 edges whose triangles face opposite ways");
    for (int i = 0; i < m.vertex_count; i++) m.vertices[3 * i + 2] = 0; /* flat */
    m.triangles[1] = m.triangles[0], m.triangles[0] = keep;
    expect_invalid(&m, "encloses no volume");
    soup_free(&m);
}

/* A mesh that faces inwards is turned; doubled triangles that have shrunk to lines do no harm. */
static void test_inverted_mesh(void **state)
{
    (void)state;
    dew_shape_def box = dew_box((dew_vec3){0, 0, 0}, (dew_vec3){1, 1, 1});
    soup m = soup_of(&box, 1);
    for (int t = 0; t < m.triangle_count; t++) {
        int32_t keep = m.triangles[3 * t];
        m.triangles[3 * t] = m.triangles[3 * t + 1], m.triangles[3 * t + 1] = keep;
    }
    dew_shape_def def = mesh_def(&m);
    shape *s = make(&def, 0.1);
    assert_float_equal(shape_distance_at(s, (dew_vec3){0.5, 0.5, 0.4}, NULL), -0.4, 1e-5);
    assert_float_equal(shape_distance_at(s, (dew_vec3){0.5, 0.5, 2}, NULL), 1, 1e-5);
    shape_destroy(s);
    soup_free(&m);
}

/* Two boxes that run through each other as one mesh: winding numbers see one body. */
static void test_overlapping_parts(void **state)
{
    (void)state;
    dew_shape_def boxes[2] = {dew_box((dew_vec3){0, 0, 0}, (dew_vec3){2, 1, 1}),
                              dew_box((dew_vec3){1, 0.25, 0.25}, (dew_vec3){3, 0.75, 0.75})};
    soup a = soup_of(&boxes[0], 1), b = soup_of(&boxes[1], 1);
    soup both = {malloc(sizeof(double) * 216), malloc(sizeof(int32_t) * 72), 72, 24};
    memcpy(both.vertices, a.vertices, sizeof(double) * 108);
    memcpy(both.vertices + 108, b.vertices, sizeof(double) * 108);
    for (int i = 0; i < 72; i++) both.triangles[i] = i;
    dew_shape_def def = mesh_def(&both);
    shape *s = make(&def, 0.2);
    for (int i = 0; i < 20000; i++) {
        dew_vec3 p = {1.5 + 1.8 * random_number(), 0.5 + 0.8 * random_number(), 0.5 + 0.8 * random_number()};
        bool in_a = fmax(fabs(p.x - 1) - 1, fmax(fabs(p.y - 0.5), fabs(p.z - 0.5)) - 0.5) < 0;
        bool in_b = fmax(fabs(p.x - 2) - 1, fmax(fabs(p.y - 0.5), fabs(p.z - 0.5)) - 0.25) < 0;
        double d = shape_distance_at(s, p, NULL);
        if (fabs(d) > 1e-3) assert_int_equal(d < 0, in_a || in_b);
    }
    shape_destroy(s);
    soup_free(&a);
    soup_free(&b);
    soup_free(&both);
}

static void test_threads(void **state)
{
    (void)state;
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_CONE;
    def.cone.apex = (dew_vec3){0, 0, 8}, def.cone.base = (dew_vec3){0, 0, 0}, def.cone.radius = 6;
    soup m = soup_of(&def, 0.5);
    dew_shape_def as_mesh = mesh_def(&m);
    const int threads[4] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
        parallel_set_threads(threads[k]);
        shape *s = make(&as_mesh, 1);
        if (k == 0) points_near(s, -3, 3, POINTS, points);
        shape_distance(s, 3, POINTS, points, k ? found : exact);
        if (k) assert_memory_equal(found, exact, sizeof exact);
        shape_destroy(s);
    }
    parallel_set_threads(0);
    soup_free(&m);
}

/* A million triangles take seconds. */
static void test_huge_mesh(void **state)
{
    (void)state;
    dew_shape_def parts[2] = {dew_sphere((dew_vec3){0, 0, 0}, 30), dew_sphere((dew_vec3){20, 0, 0}, 20)};
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_UNION;
    def.combination.children = parts, def.combination.count = 2;
    soup m = soup_of(&def, 0.19);
    dew_shape_def as_mesh = mesh_def(&m);
    clock_t start = clock();
    shape *s = make(&as_mesh, 1);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d triangles: %.2f s of processor time\n", m.triangle_count, seconds);
    assert_true(m.triangle_count > 900000);
    assert_float_equal(shape_distance_at(s, (dew_vec3){-31, 0, 0}, NULL), 1, 0.01);
    shape_destroy(s);
    soup_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_analytic), cmocka_unit_test(test_thin_walls),
        cmocka_unit_test(test_far_points),       cmocka_unit_test(test_wrong_meshes),
        cmocka_unit_test(test_inverted_mesh),    cmocka_unit_test(test_overlapping_parts),
        cmocka_unit_test(test_threads),          cmocka_unit_test(test_huge_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
