/* Solids: walls, nearest of all, motion, velocities, contact angles, curvature, triangles, checks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "solids/near_walls.h"

static const double pi = 3.14159265358979323846;

static dew_solid_def solid_of(const char *name, dew_shape_def shape)
{
    return (dew_solid_def){
        .name = name, .shape = shape, .contact_angle = 90, .slip_length = INFINITY, .is_visible = true};
}

static dew_simulation_def simulation_of(const dew_solid_def *list, int count)
{
    return (dew_simulation_def){.dimension = 3, .spacing = 0.1, .solids = list, .solid_count = count};
}

static solids *make(const dew_simulation_def *def)
{
    solids *s = NULL;
    if (solids_create(&s, def) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

static double cubic(double q) { return q < 1 ? (1 - q) * (1 - q) * (1 - q) : 0; }

static real4 distance_to(const solids *s, int solid, double x, double y, double z)
{
    real4 p = {(real)x, (real)y, (real)z, 0}, out;
    solids_distance(s, solid, INFINITY, 1, &p, &out);
    return out;
}

static void test_walls(void **state)
{
    (void)state;
    dew_simulation_def def = simulation_of(NULL, 0);
    def.domain = (dew_domain_def){.min = {-1, -INFINITY, 0},
                                  .max = {1, INFINITY, 2},
                                  .axis = {DEW_WALL, DEW_OPEN, DEW_WALL},
                                  .contact_angle = 60,
                                  .slip_length = INFINITY,
                                  .friction = 0.5};
    solids *s = make(&def);
    assert_int_equal(solids_count(s), 4);
    assert_string_equal(solids_info(s, 0, 1).name, "wall -x");
    assert_string_equal(solids_info(s, 3, 1).name, "wall +z");
    assert_float_equal(solids_info(s, 1, 1).cos_contact_angle, 0.5, 1e-12);
    assert_float_equal(solids_info(s, 1, 1).friction, 0.5, 0);
    real4 d = distance_to(s, 1, 0.75, 5, 1);
    assert_float_equal(d.w, 0.25, 1e-6);
    assert_float_equal(d.x, -1, 1e-6);
    assert_true(distance_to(s, 2, 0, 0, -0.5).w < 0);
    dew_solid_mesh mesh;
    assert_int_equal(solids_mesh(s, 0, &mesh), DEW_OK);
    assert_int_equal(mesh.triangle_count, 0);
    solids_destroy(s);
    def.dimension = 2;
    s = make(&def);
    assert_int_equal(solids_count(s), 2);
    solids_destroy(s);
}

static void test_nearest(void **state)
{
    (void)state;
    dew_solid_def list[3] = {solid_of("floor", dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1})),
                             solid_of("ball", dew_sphere((dew_vec3){0, 0, 2}, 1)),
                             solid_of("block", dew_box((dew_vec3){3, -1, 0}, (dew_vec3){4, 1, 3}))};
    dew_simulation_def def = simulation_of(list, 3);
    solids *s = make(&def);
    enum { COUNT = 500 };
    static real4 p[COUNT], out[COUNT];
    static int32_t which[COUNT];
    for (int i = 0; i < COUNT; i++)
        p[i] = (real4){(real)(i % 10 * 0.6 - 1.5), (real)(i / 10 % 5 * 0.5 - 1), (real)(i / 50 * 0.5 - 0.3), 0};
    solids_nearest(s, 0.4, COUNT, p, out, which);
    for (int i = 0; i < COUNT; i++) {
        int best = -1;
        double least = INFINITY;
        for (int k = 0; k < 3; k++) {
            double d = distance_to(s, k, p[i].x, p[i].y, p[i].z).w;
            if (d < least) least = d, best = k;
        }
        if (least > 0.4) {
            assert_int_equal(which[i], -1);
            assert_true(out[i].w >= (real)0.4);
        } else {
            assert_int_equal(which[i], best);
            assert_float_equal(out[i].w, least, 1e-6);
            assert_float_equal(real3_length(real3_of(out[i])), 1, 1e-5);
        }
    }
    solids_destroy(s);
    def = simulation_of(NULL, 0);
    s = make(&def);
    solids_nearest(s, 0.4, 10, p, out, which);
    assert_true(which[0] == -1 && out[0].w >= (real)0.4);
    solids_destroy(s);
}

static void test_keyframes(void **state)
{
    (void)state;
    const dew_keyframe keys[3] = {
        {0.5, {0, 0, 0}, {0, 0, 0}}, {1.5, {2, 0, 1}, {0, 0, pi}}, {2.0, {2, 0, 1}, {0, 0, pi}}};
    dew_solid_def list[1] = {solid_of("paddle", dew_box((dew_vec3){0, -0.1, -0.1}, (dew_vec3){1, 0.1, 0.1}))};
    list[0].motion.keyframes = keys, list[0].motion.keyframe_count = 3;
    dew_simulation_def def = simulation_of(list, 1);
    solids *s = make(&def);
    assert_true(solids_info(s, 0, 1).is_moving);
    assert_float_equal(distance_to(s, 0, 0.5, 0, 0).w, -0.1, 1e-6);
    solids_place(s, 0.99, 1.0); /* half way: moved by (1, 0, 0.5), turned by a quarter */
    assert_float_equal(distance_to(s, 0, 1, 0.5, 0.5).w, -0.1, 1e-6);
    real4 d = distance_to(s, 0, 1, 1.5, 0.5);
    assert_float_equal(d.w, 0.5, 1e-6);
    assert_float_equal(d.y, 1, 1e-6);
    real3 v = solids_velocity(s, 0, (real3){1, 1, (real)0.5}); /* at the tip: 2 along x, pi around */
    assert_float_equal(v.x, 2 - pi, 1e-4);
    assert_float_equal(v.y, 0, 1e-4);
    assert_float_equal(v.z, 1, 1e-4);
    double arm = sqrt(1 + 0.02);
    assert_float_equal(solids_max_speed(s, 1, 0.1), sqrt(5) + pi * arm, 1e-6);
    assert_float_equal(solids_max_speed(s, 1.4, 0.4), sqrt(5) + pi * arm, 1e-6);
    assert_float_equal(solids_max_speed(s, 1.6, 0.3), 0, 1e-9);
    solids_place(s, 5, 6); /* held after the last key */
    assert_float_equal(distance_to(s, 0, 1.5, 0, 1).w, -0.1, 1e-6);
    assert_float_equal(solids_velocity(s, 0, (real3){1, 1, 1}).x, 0, 1e-9);
    solids_place(s, 1, 1); /* an instant: at rest */
    assert_float_equal(solids_velocity(s, 0, (real3){1, 1, 1}).x, 0, 1e-9);
    solids_destroy(s);
}

static void swing(void *context, int count, const double *const *in, double *out)
{
    for (int i = 0; i < count; i++) out[i] = *(const double *)context * sin(3 * in[0][i]);
}

/* Moved by functions, about all axes: the velocity of a material point is the difference of its places. */
static void test_velocity_is_the_derivative(void **state)
{
    (void)state;
    double sizes[4] = {0.4, 0.7, -0.5, 0.9};
    dew_solid_def list[1] = {solid_of("rod", dew_sphere((dew_vec3){2, 0.3, -0.4}, 0.5))};
    dew_motion_def *m = &list[0].motion;
    m->pivot = (dew_vec3){0.2, 0.1, 0};
    m->translation_of[1] = (dew_function){swing, &sizes[0]};
    for (int k = 0; k < 3; k++) m->rotation_of[k] = (dew_function){swing, &sizes[1 + k]};
    dew_simulation_def def = simulation_of(list, 1);
    solids *s = make(&def);
    const double h = 1e-4;
    double most = 0;
    for (double t = 0.05; t < 2; t += 0.1) {
        /* The ball's centre is where the distance is least: found from four distances would be fuss; use triangles. */
        dew_solid_mesh mesh;
        solids_place(s, t - h, t - h);
        assert_int_equal(solids_mesh(s, 0, &mesh), DEW_OK);
        float before[3], after[3];
        memcpy(before, mesh.vertices + 30, sizeof before);
        solids_place(s, t - h, t + h);
        assert_int_equal(solids_mesh(s, 0, &mesh), DEW_OK);
        memcpy(after, mesh.vertices + 30, sizeof after);
        real3 v = solids_velocity(s, 0, (real3){after[0], after[1], after[2]});
        assert_float_equal(v.x, (after[0] - before[0]) / (2 * h), 0.01);
        assert_float_equal(v.y, (after[1] - before[1]) / (2 * h), 0.01);
        assert_float_equal(v.z, (after[2] - before[2]) / (2 * h), 0.01);
        most = fmax(most, (double)real3_length(v));
    }
    assert_true(solids_max_speed(s, 0, 2) >= most);
    assert_true(solids_max_speed(s, 0, 2) < 4 * most);
    solids_destroy(s);
}

static void test_contact_angles(void **state)
{
    (void)state;
    dew_solid_def list[2] = {solid_of("a", dew_sphere((dew_vec3){0, 0, 0}, 1)),
                             solid_of("b", dew_sphere((dew_vec3){0, 0, 0}, 1))};
    list[0].contact_angle = 120, list[0].adhesion = 0.25;
    list[1].has_surface_energy = true, list[1].solid_energy = 0.03, list[1].between_energy = 0.01;
    dew_simulation_def def = simulation_of(list, 2);
    solids *s = make(&def);
    assert_float_equal(solids_info(s, 0, 0.07).cos_contact_angle, -0.5, 1e-12);
    assert_float_equal(solids_info(s, 0, 0.07).adhesion, 0.25, 0);
    assert_float_equal(solids_info(s, 1, 0.04).cos_contact_angle, 0.5, 1e-12);
    assert_float_equal(solids_info(s, 1, 0.01).cos_contact_angle, 1, 0);
    assert_float_equal(solids_info(s, 1, 0).cos_contact_angle, 1, 0);
    solids_destroy(s);
}

/* Of the integral of (1 - r/h)^2 over the part of a ball of radius R that lies within h of a point at distance d from
 * it, by shells, of which the ball holds a cap. R = INFINITY: a half space. */
static double kernel_within_ball(double radius, double d, double h)
{
    enum { SHELLS = 4000 };
    double sum = 0;
    for (int k = 0; k < SHELLS; k++) {
        double r = d + (h - d) * (k + 0.5) / SHELLS, far = radius + d;
        double cosine = isinf(radius) ? d / r : (far * far + r * r - radius * radius) / (2 * far * r);
        sum += (1 - r / h) * (1 - r / h) * 2 * pi * r * r * (1 - fmin(cosine, 1));
    }
    return sum * (h - d) / SHELLS;
}

/* At the mean distance a half space fills of a kernel what a ball does, which at its own distance it does not. All of
 * that is of a bend on a ball, and none of it near an edge. */
static void test_mean_distance(void **state)
{
    (void)state;
    dew_solid_def list[3] = {solid_of("ball", dew_sphere((dew_vec3){0, 0, 0}, 0.4)),
                             solid_of("floor", dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1})),
                             solid_of("block", dew_box((dew_vec3){2, 2, 2}, (dew_vec3){3, 3, 3}))};
    dew_simulation_def def = simulation_of(list, 3);
    solids *s = make(&def);
    solids_bend bend;
    const double h = 0.31, ways[] = {0.025, 0.05, 0.1, 0.15};
    for (int k = 0; k < 4; k++) {
        double far = 0.4 + ways[k];
        real4 x = {(real)(0.6 * far), 0, (real)(0.8 * far), 0}, wall;
        solids_distance(s, 0, h, 1, &x, &wall);
        assert_float_equal(wall.w, ways[k], 1e-6);
        solids_mean_distance(s, 0, sqrt(0.2) * h, h, 1, &x, &wall, &bend);
        assert_float_equal(bend.farther, (double)wall.w - ways[k], 1e-6);
        double ball = kernel_within_ball(0.4, ways[k], h), plain = kernel_within_ball(INFINITY, ways[k], h),
               seen = kernel_within_ball(INFINITY, (double)wall.w, h);
        assert_true(plain > 1.25 * ball && fabs(seen / ball - 1) < 0.04);
        solids_distance(s, 1, h, 1, &x, &wall);
        real4 before = wall;
        solids_mean_distance(s, 1, sqrt(0.2) * h, h, 1, &x, &wall, NULL);
        assert_memory_equal(&before, &wall, sizeof wall);
    }
    real4 x = {(real)2.5, (real)2.95, (real)3.05, 0}, wall;
    solids_distance(s, 2, h, 1, &x, &wall);
    solids_mean_distance(s, 2, sqrt(0.2) * h, h, 1, &x, &wall, &bend);
    assert_true(wall.w > (real)0.051 && fabs((double)bend.farther) < 1e-6);
    solids_destroy(s);
}

static void assert_face(real4 face, double x, double y, double z, double distance)
{
    assert_float_equal(face.x, x, 1e-5);
    assert_float_equal(face.y, y, 1e-5);
    assert_float_equal(face.z, z, 1e-5);
    assert_float_equal(face.w, distance, 1e-5);
}

/* As of a ball, of what is around a tube. */
static double kernel_around_tube(double radius, double r, double h)
{
    enum { N = 120 };
    double sum = 0, cell = 2 * h / N;
    for (int a = 0; a < N * N * N; a++) {
        double x = (a % N + 0.5) * cell - h, y = (a / N % N + 0.5) * cell - h, z = (a / N / N + 0.5) * cell - h;
        double q = sqrt(x * x + y * y + z * z) / h;
        if (q < 1 && hypot(r + x, y) > radius) sum += (1 - q) * (1 - q) * cell * cell * cell;
    }
    return sum;
}

static dew_solid_def tube_of(dew_shape_def parts[2], double radius)
{
    for (int k = 0; k < 2; k++) {
        parts[k] = dew_default_shape_def(), parts[k].kind = DEW_SHAPE_CYLINDER;
        parts[k].cylinder.from = (dew_vec3){0, 0, -1 - k}, parts[k].cylinder.to = (dew_vec3){0, 0, 1 + k};
        parts[k].cylinder.radius = k ? radius : radius + 0.3;
    }
    dew_solid_def tube = solid_of("tube", dew_default_shape_def());
    tube.shape.kind = DEW_SHAPE_DIFFERENCE;
    tube.shape.combination.children = parts, tube.shape.combination.count = 2;
    return tube;
}

/* A tube of four spacings goes on around a place as a bend, and not as another face: the half space at the mean
 * distance fills what it does, and the slope of that is how it changes from place to place. */
static void test_narrow_tube(void **state)
{
    (void)state;
    dew_shape_def parts[2];
    const double h = 0.31, step = 1e-3, whole = 2 * kernel_within_ball(INFINITY, 0, h);
    for (double radius = 0.2; radius < 0.41; radius += 0.1) {
        dew_solid_def tube = tube_of(parts, radius);
        dew_simulation_def def = simulation_of(&tube, 1);
        solids *s = make(&def);
        for (double d = 0.05; d < 0.13; d += 0.025) {
            double r = radius - d, seen[2];
            solids_bend bend;
            for (int k = 0; k < 2; k++) {
                real4 x = {(real)((r + k * step) * 0.6), (real)((r + k * step) * 0.8), 0, 0}, wall;
                solids_distance(s, 0, h, 1, &x, &wall);
                solids_mean_distance(s, 0, sqrt(0.2) * h, h, 1, &x, &wall, &bend);
                seen[k] = (double)wall.w;
            }
            double filled = kernel_within_ball(INFINITY, seen[0], h), tubes = kernel_around_tube(radius, r, h);
            if (fabs(filled - tubes) > 0.025 * whole) fail_msg("%g of %g: %g, not %g", d, radius, filled, tubes);
            assert_float_equal(bend.slope, (seen[0] - seen[1]) / step, 0.02);
        }
        solids_destroy(s);
    }
}

static real4 edge_or_face(solids *s, real4 x)
{
    real4 wall = distance_to(s, 0, (double)x.x, (double)x.y, (double)x.z);
    solids_find_edges(s, 0, 0.31, 1, &x, &wall);
    return wall;
}

/* Off the end of a tube its face is the nearest to what is before it; to what is before its mouth the edge of both. */
static void test_edge_distance(void **state)
{
    (void)state;
    dew_shape_def parts[2];
    dew_solid_def tube = tube_of(parts, 0.2);
    dew_simulation_def def = simulation_of(&tube, 1);
    solids *s = make(&def);
    assert_face(edge_or_face(s, (real4){(real)0.35, 0, (real)1.19, 0}), 0, 0, 1, 0.19);
    assert_face(edge_or_face(s, (real4){(real)0.05, 0, (real)0.9, 0}), -1, 0, 0, 0.15);
    for (double r = 0.05; r < 0.2; r += 0.05) {
        double aside = 0.2 - r, distance = hypot(aside, 0.12);
        assert_face(edge_or_face(s, (real4){(real)r, 0, (real)1.12, 0}), -aside / distance, 0, 0.12 / distance,
                    distance);
    }
    solids_destroy(s);
}

/* The mouth of a tube has an edge, of two faces; beside it there is none. */
static void test_edge_faces(void **state)
{
    (void)state;
    dew_shape_def parts[2];
    dew_solid_def tube = tube_of(parts, 0.2);
    dew_simulation_def def = simulation_of(&tube, 1);
    solids *s = make(&def);
    real3 face[2];
    for (double z = 0.9; z < 1.1; z += 0.14) {
        real4 x = {(real)0.09, (real)0.12, (real)z, 0};
        bool is_edge = solids_edge(s, 0, x, edge_or_face(s, x), face);
        assert_true(is_edge == (z > 1));
        if (!is_edge) continue;
        int end = fabs((double)face[1].z) > fabs((double)face[0].z);
        assert_float_equal(face[end].z, 1, 1e-5);
        assert_float_equal(face[1 - end].x, -0.6, 0.06);
        assert_float_equal(face[1 - end].y, -0.8, 0.06);
    }
    solids_destroy(s);
}

static int further_faces(const solids *s, double x, double y, double z, real4 *nearest, real4 *further)
{
    real4 at = {(real)x, (real)y, (real)z, 0};
    solids_distance(s, 0, INFINITY, 1, &at, nearest);
    return solids_further_faces(s, 0, 0.5, at, *nearest, further);
}

/* A solid from which a box is cut is as many faces near a place as there are: one on its floor, two and three where
 * walls meet it, two in a slot; however it is turned, in two dimensions too. What is convex, or bends evenly, is one.
 */
static void test_corners(void **state)
{
    (void)state;
    dew_shape_def cup[2] = {dew_box((dew_vec3){-2, -2, -1}, (dew_vec3){2, 2, 2}),
                            dew_box((dew_vec3){-1, -0.15, 0}, (dew_vec3){1, 2, 3})};
    dew_shape_def bowl[2] = {cup[0], dew_sphere((dew_vec3){0, 0, 2}, 2)};
    const dew_keyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {0, 0.6, 0}}};
    real4 nearest, face[SOLID_FURTHER_FACES];
    for (int dimension = 3; dimension >= 2; dimension--)
        for (int kind = 0; kind < 3; kind++) {
            if (dimension == 2) cup[1] = dew_box((dew_vec3){-1, -0.15, -3}, (dew_vec3){1, 2, 3});
            dew_solid_def one = solid_of("cup", cup[0]);
            if (kind < 2) {
                one.shape.kind = DEW_SHAPE_DIFFERENCE;
                one.shape.combination.children = kind == 0 ? cup : bowl, one.shape.combination.count = 2;
            }
            dew_simulation_def def = simulation_of(&one, 1);
            def.dimension = dimension;
            solids *s = make(&def);
            if (kind > 0) {
                for (double x = -2.4; x < 2.4; x += 0.05)
                    assert_int_equal(further_faces(s, x, kind == 1 ? 1 - x / 4 : 2.3, 0, &nearest, face), 0);
            } else if (dimension == 2) {
                assert_int_equal(further_faces(s, 0.9, 0.05, 0, &nearest, face), 1);
                assert_face(nearest, -1, 0, 0, 0.1);
                assert_face(face[0], 0, 1, 0, 0.2);
            } else {
                assert_int_equal(further_faces(s, 0, 1, 0.1, &nearest, face), 0);
                assert_int_equal(further_faces(s, 0.9, 1, 0.2, &nearest, face), 1);
                assert_face(nearest, -1, 0, 0, 0.1);
                assert_face(face[0], 0, 0, 1, 0.2);
                assert_int_equal(further_faces(s, 0.9, 0.05, 0.3, &nearest, face), 2);
                assert_true(face[0].w + face[1].w < 0.5001);
            }
            solids_destroy(s);
        }
    cup[1] = dew_box((dew_vec3){-0.1, -3, 0}, (dew_vec3){0.2, 3, 3}); /* a slot */
    dew_solid_def turned = solid_of("slot", cup[0]);
    turned.shape.kind = DEW_SHAPE_DIFFERENCE;
    turned.shape.combination.children = cup, turned.shape.combination.count = 2;
    turned.motion.keyframes = keys, turned.motion.keyframe_count = 2;
    dew_simulation_def def = simulation_of(&turned, 1);
    solids *s = make(&def);
    solids_place(s, 0.9, 1);
    double c = cos(0.6), n = sin(0.6);
    assert_int_equal(further_faces(s, n, 0, c, &nearest, face), 1);
    assert_face(nearest, c, 0, -n, 0.1);
    assert_face(face[0], -c, 0, n, 0.2);
    solids_destroy(s);
}

static void test_triangles(void **state)
{
    (void)state;
    const dew_keyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 3}, {1, 0, 0}}};
    dew_solid_def list[1] = {solid_of("cup", dew_sphere((dew_vec3){0, 0, 0}, 2))};
    list[0].is_visible = false;
    list[0].motion.keyframes = keys, list[0].motion.keyframe_count = 2;
    dew_simulation_def def = simulation_of(list, 1);
    solids *s = make(&def);
    dew_solid_mesh mesh;
    solids_place(s, 0.9, 1);
    assert_int_equal(solids_mesh(s, 0, &mesh), DEW_OK);
    assert_string_equal(mesh.name, "cup");
    assert_false(mesh.is_visible);
    assert_true(mesh.triangle_count > 1000);
    for (int i = 0; i < mesh.vertex_count; i++) {
        const float *v = mesh.vertices + 3 * i;
        assert_float_equal(sqrt((double)v[0] * v[0] + v[1] * v[1] + (v[2] - 3.0) * (v[2] - 3.0)), 2, 1e-5);
    }
    solids_destroy(s);
}

/* Materials that wet a solid each in its own way, by angles and by energies; a change of the angle concerns all. */
static void test_wetting_of_materials(void **state)
{
    (void)state;
    dew_solid_def plate = solid_of("plate", dew_sphere((dew_vec3){0, 0, 0}, 1));
    dew_wets_def wets = {.material = 1, .has_surface_energy = true, .solid_energy = 0.04, .between_energy = 0.03};
    dew_material_def materials[2] = {dew_default_material_def(), dew_default_material_def()};
    plate.contact_angle = 120, plate.wets = &wets, plate.wets_count = 1;
    dew_simulation_def def = simulation_of(&plate, 1);
    def.materials = materials, def.material_count = 2;
    solids *s = make(&def);
    solid_info water = solids_info_of(s, 0, 0, 0.072), oil = solids_info_of(s, 0, 1, 0.02);
    assert_float_equal(water.cos_contact_angle, -0.5, 1e-6);
    assert_float_equal(water.adhesion_work, 0.036, 1e-9); /* gamma (1 + cos theta) */
    assert_float_equal(oil.cos_contact_angle, 0.5, 1e-6);
    assert_float_equal(oil.adhesion_work, 0.03, 1e-9); /* solid + gamma - between */
    solids_set(s, 0, WORLD_CONTACT_ANGLE, 90), solids_set(s, 0, WORLD_RECEDING_ANGLE, 60);
    water = solids_info_of(s, 0, 0, 0.072);
    assert_float_equal(water.cos_advancing, 0, 1e-6);
    assert_float_equal(water.cos_receding, 0.5, 1e-6);
    assert_float_equal(water.cos_contact_angle, 0.25, 1e-6); /* what lines that may stay anywhere between feel */
    solids_destroy(s);
    plate.wets_count = 0; /* all alike */
    s = make(&def);
    assert_float_equal(solids_info_of(s, 0, 1, 0.02).cos_contact_angle, -0.5, 1e-6);
    solids_destroy(s);
}

static void expect_invalid(dew_solid_def solid, const char *text)
{
    dew_simulation_def def = simulation_of(&solid, 1);
    solids *s = NULL;
    assert_int_equal(solids_create(&s, &def), DEW_INVALID);
    assert_null(s);
    if (!strstr(dew_message(), text)) fail_msg("'%s' does not say '%s'", dew_message(), text);
}

static void test_wrong_definitions(void **state)
{
    (void)state;
    dew_solid_def good = solid_of("plate", dew_sphere((dew_vec3){0, 0, 0}, 1)), bad = good;
    bad.contact_angle = 190;
    expect_invalid(bad, "solids[0].contact_angle is 190; it must be between 0 and 180 deg");
    bad = good, bad.friction = -1;
    expect_invalid(bad, "friction is -1");
    bad = good, bad.adhesion = NAN;
    expect_invalid(bad, "adhesion is nan");
    bad = good, bad.shape.sphere.radius = 0;
    expect_invalid(bad, "solids[0].shape.sphere.radius is 0; it must be above 0 m");
    const dew_keyframe keys[2] = {{1, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {0, 0, 0}}};
    bad = good, bad.motion.keyframes = keys, bad.motion.keyframe_count = 2;
    expect_invalid(bad, "solids[0].motion.keyframes[1]: the keyframe at 1 s is not after the one before");
    dew_simulation_def def = simulation_of(NULL, 0);
    def.domain.axis[1] = DEW_WALL;
    solids *s;
    assert_int_equal(solids_create(&s, &def), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "the domain is not open, so it needs min and max"));
    def.domain.max.x = 1;
    assert_int_equal(solids_create(&s, &def), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "domain.max: y: max 0 m is not above min 0 m"));
}

/* What solids fill of a kernel of reach 0.3 about a point. */
static double filled(const dew_solid_def *list, int count, double x, double z)
{
    dew_simulation_def def = simulation_of(list, count);
    solids *s = make(&def);
    arena *memory = arena_create();
    near_walls near;
    half_space fill;
    half_space_make(&fill, cubic, 3, 27);
    real4 point = {(real)x, 0, (real)z, 0};
    if (near_walls_find(&near, s, memory, (real)0.3, 0.1, 1, &point)) fail_msg("%s", dew_message());
    walls_here here = near_walls_at(&near, 0, (real3){0, 0, 0}, (real)(1 / 0.3), &fill);
    double sum = 0;
    for (int a = 0; a < here.count; a++)
        sum += (double)(here.share[a] * half_space_at(fill.sum, here.distance[a]) / (2 * fill.sum[0]));
    arena_destroy(memory);
    solids_destroy(s);
    return sum;
}

/* A disc let into a plate, flush with it or as thick as tape, fills no more than the plate does; so do two tiles that
 * lie side by side. */
static void test_shared_faces(void **state)
{
    (void)state;
    dew_shape_def plane = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1}), disc = dew_default_shape_def(), tile = disc;
    disc.kind = DEW_SHAPE_CYLINDER, disc.cylinder.radius = 1;
    disc.cylinder.from = (dew_vec3){0, 0, -0.5}, disc.cylinder.to = (dew_vec3){0, 0, 0.0005};
    dew_shape_def tape = disc;
    tape.cylinder.from = (dew_vec3){0, 0, 0}, tape.cylinder.to = (dew_vec3){0, 0, 0.02};
    tile.kind = DEW_SHAPE_BOX, tile.box.min = (dew_vec3){-9, -9, -9}, tile.box.max = (dew_vec3){1, 9, 0};
    dew_shape_def other = tile;
    other.box.min.x = 1, other.box.max.x = 9;
    dew_solid_def plate = solid_of("plate", plane), let_in[] = {plate, solid_of("disc", disc)},
                  taped[] = {plate, solid_of("tape", tape)},
                  tiles[] = {solid_of("left", tile), solid_of("right", other)};
    const double place[] = {0, 0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.5};
    for (int z = 1; z <= 4; z++)
        for (int k = 0; k < 10; k++) {
            double x = place[k], of_plate = filled(&plate, 1, x, 0.05 * z);
            assert_float_equal(filled(let_in, 2, x, 0.05 * z), of_plate, 0.003);
            assert_float_equal(filled(taped, 2, 0.1 * k, 0.02 + 0.05 * z), filled(&plate, 1, 0, 0.05 * z), 0.003);
            assert_float_equal(filled(tiles, 2, x, 0.05 * z), of_plate, 0.07);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_keyframes),
        cmocka_unit_test(test_velocity_is_the_derivative),
        cmocka_unit_test(test_contact_angles),
        cmocka_unit_test(test_mean_distance),
        cmocka_unit_test(test_narrow_tube),
        cmocka_unit_test(test_edge_distance),
        cmocka_unit_test(test_edge_faces),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_shared_faces),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_wrong_definitions),
        cmocka_unit_test(test_wetting_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
