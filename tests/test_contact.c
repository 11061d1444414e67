/* Quantities that hold off rest, on bodies and motions whose answer is known, at two resolutions; parts of a frame. */
#include "base/arena.h"
#include "known_points.h"
#include "measure/points.h"
#include "sim/simulation.h"
#include "toy_method.h"

#include <stdlib.h>

typedef struct setting {
    dew_material_def materials[2];
    dew_liquid_def liquids[2];
    dew_solid_def solids[2];
    dew_simulation_def def;
} setting;

static void set_scene(setting *s, double spacing)
{
    s->def = dew_default_simulation_def();
    for (int k = 0; k < 2; k++) {
        s->materials[k] = dew_default_material_def(), s->liquids[k] = dew_default_liquid_def();
        s->solids[k] = dew_default_solid_def();
    }
    s->materials[1].name = "oil", s->materials[1].density = 500, s->liquids[1].material = 1;
    s->solids[0].name = "floor", s->solids[1].name = "lid";
    s->def.method = "toy", s->def.spacing = spacing, s->def.threads = 2, s->def.gravity = (dew_vec3){0, 0, 0};
    s->def.materials = s->materials, s->def.material_count = 1;
    s->def.liquids = s->liquids, s->def.liquid_count = 1;
    s->def.solids = s->solids, s->def.solid_count = 0;
}

static dew_simulation *make(const setting *s)
{
    static method able;
    able = method_toy;
    able.info.features |= DEW_FEATURE_2D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_SYMMETRY;
    dew_simulation *simulation;
    check_ok(simulation_create_with(&able, &s->def, &simulation));
    return simulation;
}

static double measured(const dew_simulation *s, const char *name, int column)
{
    double values[DEW_MOST_COLUMNS];
    check_ok(dew_simulation_measure(s, name, values));
    return values[column];
}

static double measured_part(const dew_simulation *s, const dew_part_def *of, const char *name, int column)
{
    double values[DEW_MOST_COLUMNS];
    dew_measurer *m;
    check_ok(dew_measurer_create(&m));
    dew_measurer_select(m, of);
    check_ok(dew_measure(m, dew_simulation_frame(s), name, values));
    dew_measurer_destroy(m);
    return values[column];
}

static dew_shape_def ellipsoid(double a, double b, double c, double z)
{
    dew_shape_def e = dew_default_shape_def();
    e.kind = DEW_SHAPE_ELLIPSOID, e.ellipsoid.semi_axes = (dew_vec3){a, b, c}, e.ellipsoid.centre = (dew_vec3){0, 0, z};
    return e;
}

static dew_shape_def cylinder(double from, double to, double radius)
{
    dew_shape_def c = dew_default_shape_def();
    c.kind = DEW_SHAPE_CYLINDER, c.cylinder.radius = radius;
    c.cylinder.from = (dew_vec3){from, 0, 0}, c.cylinder.to = (dew_vec3){to, 0, 0};
    return c;
}

/* --- the contact line --- */

/* A pancake: half an ellipsoid of 40 x 40 x 12 cut at its middle (90 degrees; the fits of a drop at rest are lost on
 * it), and one that is longer than wide. */
static void test_spread(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double s = 1e-6 * (k == 1 ? 0.7 : 1), a = 20e-6, b = (k == 2 ? 13 : 20) * 1e-6;
        setting scene;
        set_scene(&scene, s);
        scene.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1}), scene.def.solid_count = 1;
        scene.liquids[0].shape = ellipsoid(a, b, 6e-6, 0);
        dew_simulation *pancake = make(&scene);
        check_close(measured(pancake, "spread_radius", 0) / sqrt(a * b), 1, 0.03);
        check_close(measured(pancake, "spread_radius", 1) / a, 1, 0.03);
        dew_simulation_destroy(pancake);
    }
}

static void test_local_angles(void **state)
{
    (void)state;
    for (double angle = 30; angle <= 150; angle += 30) {
        for (int fine = 0; fine < 2; fine++) {
            double s = fine ? 0.7e-4 : 1e-4, c = cos(angle * DEGREE);
            double R = 1e-4 * cbrt(2500 / (PI / 3 * (2 + c) * (1 - c) * (1 - c)));
            setting scene;
            set_scene(&scene, s);
            dew_vec3 up = vec3_normalise((dew_vec3){0.3, -0.4, 0.8});
            scene.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, up), scene.def.solid_count = 1;
            scene.liquids[0].shape = dew_sphere(vec3_scale(-R * c, up), R);
            dew_simulation *drop = make(&scene);
            check_close(measured(drop, "local_contact_angle", 0), angle, 3);
            check_close(measured(drop, "local_contact_angle", 1), angle, 7);
            check_close(measured(drop, "local_contact_angle", 2), angle, 7);
            check_close(measured(drop, "spread_radius", 0) / (R * sin(angle * DEGREE)), 1, 0.025);
            dew_simulation_destroy(drop);
        }
    }
    for (int angle = 60; angle <= 120; angle += 30) { /* in the plane */
        double R = 25e-4, c = cos(angle * DEGREE);
        setting scene;
        set_scene(&scene, 1e-4);
        scene.def.dimension = 2;
        scene.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 1, 0}), scene.def.solid_count = 1;
        scene.liquids[0].shape = dew_sphere((dew_vec3){0, -R * c, 0}, R);
        dew_simulation *drop = make(&scene);
        check_close(measured(drop, "local_contact_angle", 0), angle, 3);
        check_close(measured(drop, "spread_radius", 0) / (R * sin(angle * DEGREE)), 1, 0.02);
        check_close(measured(drop, "spread_radius", 1) / (R * sin(angle * DEGREE)), 1, 0.02);
        dew_simulation_destroy(drop);
    }
}

/* An ellipsoid of unlike axes, cut off its middle: along the line the angle goes from one value to another. */
static void test_varied_angle(void **state)
{
    (void)state;
    double s = 1e-4, A = 2.4e-3, B = 1.2e-3, C = 1.4e-3, z = 0.7e-3, low = z / C;
    setting scene;
    set_scene(&scene, s);
    scene.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1}), scene.def.solid_count = 1;
    scene.liquids[0].shape = ellipsoid(A, B, C, -z);
    dew_simulation *drop = make(&scene);
    double side =
        sqrt(1 - low * low); /* where the line crosses an axis, over that axis; the normal is (x/A^2, z/C^2) */
    double least = atan2(side / A, low / C) / DEGREE, most = atan2(side / B, low / C) / DEGREE;
    check_close(measured(drop, "local_contact_angle", 1), least, 5);
    check_close(measured(drop, "local_contact_angle", 2), most, 5);
    dew_simulation_destroy(drop);
}

static void spread_flow(void *context, int count, const double *const *x, double *output)
{
    int axis = *(const int *)context;
    for (int i = 0; i < count; i++) output[i] = (axis == 2 ? -2 : 1) * 50 * x[axis][i];
}

static void test_line_speed(void **state)
{
    (void)state;
    int axes[3] = {0, 1, 2};
    for (double angle = 40; angle <= 130; angle += 30) {
        double c = cos(angle * DEGREE), R = 1e-4 * cbrt(4000 / (PI / 3 * (2 + c) * (1 - c) * (1 - c)));
        setting scene;
        set_scene(&scene, 1e-4);
        scene.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1}), scene.def.solid_count = 1;
        scene.liquids[0].shape = dew_sphere((dew_vec3){0, 0, -R * c}, R);
        for (int a = 0; a < 3; a++) scene.liquids[0].velocity_of[a] = (dew_function){spread_flow, &axes[a]};
        dew_simulation *drop = make(&scene);
        double speed = 50 * R * sin(angle * DEGREE);
        check_close(measured(drop, "line_speed", 0) / speed, 1, 0.05);
        dew_simulation_destroy(drop);
    }
}

/* --- parts --- */

static void test_parts(void **state)
{
    (void)state;
    setting scene;
    set_scene(&scene, 1e-4);
    scene.def.material_count = scene.def.liquid_count = 2;
    scene.liquids[0].shape = dew_sphere((dew_vec3){0, 0, 0}, 6e-4), scene.liquids[0].velocity = (dew_vec3){1, 0, 0};
    scene.liquids[1].shape = dew_sphere((dew_vec3){3e-3, 0, 0}, 8e-4), scene.liquids[1].velocity = (dew_vec3){0, 2, 0};
    dew_simulation *drops = make(&scene);
    const dew_part_def oil = {.material = "oil"}, second = {.body = 2}, third = {.body = 3};
    const dew_part_def one_of_water = {.material = "water", .body = 1}, none = {.material = "mercury"};
    check_close(measured_part(drops, &oil, "centre", 0), 3e-3, 1e-6);
    check_close(measured_part(drops, &oil, "velocity", 1), 2, 1e-6);
    check_close(measured_part(drops, &oil, "velocity", 0), 0, 1e-6);
    check_close(measured_part(drops, &oil, "mass", 0), 500 * 4 * PI / 3 * pow(8e-4, 3),
                0.01 * 500 * 4 * PI / 3 * pow(8e-4, 3));
    check_close(measured_part(drops, &second, "velocity", 0), 1, 1e-6);
    check_close(measured_part(drops, &second, "surface_area", 0), 4 * PI * 36e-8, 0.01 * 4 * PI * 36e-8);
    check_close(measured_part(drops, &third, "mass", 0), 0, 0);
    assert_true(isnan(measured_part(drops, &third, "centre", 0)));
    check_close(measured_part(drops, &one_of_water, "centre", 0), 0, 1e-6);
    double value[DEW_MOST_COLUMNS];
    dew_measurer *m;
    check_ok(dew_measurer_create(&m));
    dew_measurer_select(m, &none);
    assert_int_equal(dew_measure(m, dew_simulation_frame(drops), "mass", value), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "there is no material \"mercury\"; there are water, oil"));
    dew_measurer_destroy(m);
    dew_simulation_destroy(drops);
    /* On the floor and on the lid; across a periodic face. */
    set_scene(&scene, 1e-4);
    scene.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    scene.solids[1].shape = dew_plane((dew_vec3){0, 0, 3e-3}, (dew_vec3){0, 0, -1}), scene.def.solid_count = 2;
    scene.liquids[0].shape = dew_sphere((dew_vec3){0, 0, 0}, 1e-3);
    scene.liquids[1].shape = dew_sphere((dew_vec3){0, 0, 3e-3}, 0.7e-3), scene.liquids[1].material = 0;
    scene.def.liquid_count = 2;
    drops = make(&scene);
    const dew_part_def lid = {.solid = "lid"};
    check_close(measured_part(drops, &lid, "spread_radius", 0), 0.7e-3, 0.03 * 0.7e-3);
    check_close(measured_part(drops, &lid, "spread_radius", 1), 0.7e-3, 0.03 * 0.7e-3);
    check_close(measured(drops, "wetted_area", 0), PI * 1.49e-6, 0.06 * PI * 1.49e-6);
    dew_simulation_destroy(drops);
    set_scene(&scene, 1e-4);
    scene.def.domain.min = (dew_vec3){0, 0, 0}, scene.def.domain.max = (dew_vec3){4e-3, 4e-3, 4e-3};
    scene.def.domain.axis[0] = DEW_PERIODIC;
    dew_shape_def halves[2] = {dew_box((dew_vec3){0, 1e-3, 1e-3}, (dew_vec3){1e-3, 2e-3, 2e-3}),
                               dew_box((dew_vec3){3.5e-3, 1e-3, 1e-3}, (dew_vec3){4e-3, 2e-3, 2e-3})};
    scene.liquids[0].shape = halves[0], scene.liquids[1].shape = halves[1], scene.liquids[1].material = 0;
    scene.def.liquid_count = 2;
    drops = make(&scene);
    check_close(measured(drops, "centre", 0), 0.25e-3, 0.02e-3);
    check_close(measured(drops, "centre", 1), 1.5e-3, 0.02e-3);
    dew_simulation_destroy(drops);
}

/* --- columns and channels --- */

typedef struct wave {
    double length, height, amplitude;
    bool is_thread;
} wave;

static void wave_value(void *context, int count, const double *const *x, double *output)
{
    const wave *w = context;
    for (int i = 0; i < count; i++) {
        double surface = w->height + w->amplitude * cos(2 * PI * x[0][i] / w->length);
        output[i] = (w->is_thread ? hypot(x[1][i], x[2][i]) : x[2][i]) - surface;
    }
}

static void test_columns(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) { /* a pool, a finer one, a thread */
        double s = k == 1 ? 0.7e-4 : 1e-4;
        wave w = {4e-3, 0.8e-3, 0.1e-3, k == 2};
        setting scene;
        set_scene(&scene, s);
        scene.def.domain.min = (dew_vec3){0, w.is_thread ? -4e-3 : 0, w.is_thread ? -4e-3 : 0};
        scene.def.domain.max = (dew_vec3){4e-3, w.is_thread ? 4e-3 : 1e-3, 4e-3};
        scene.def.domain.axis[0] = scene.def.domain.axis[1] = DEW_PERIODIC, scene.def.domain.axis[2] = DEW_WALL;
        if (w.is_thread) scene.def.domain.axis[1] = DEW_OPEN, scene.def.domain.axis[2] = DEW_OPEN;
        scene.liquids[0].shape = dew_default_shape_def();
        scene.liquids[0].shape.kind = DEW_SHAPE_IMPLICIT;
        scene.liquids[0].shape.implicit.value = (dew_function){wave_value, &w};
        scene.liquids[0].shape.implicit.min = (dew_vec3){0, w.is_thread ? -1e-3 : 0, w.is_thread ? -1e-3 : 0};
        scene.liquids[0].shape.implicit.max = (dew_vec3){4e-3, 1e-3, 1e-3};
        dew_simulation *pool = make(&scene);
        check_close(measured(pool, "column_mode", 0), w.amplitude, 0.05 * w.amplitude);
        check_close(measured(pool, "column_mode", 1), 0, 0.03 * w.amplitude);
        /* A thread's cross section has a second wave, (amplitude/radius)^2/2, which counts as half of that in the
         * radius. */
        check_close(measured(pool, "column_mode", 2), w.is_thread ? w.amplitude * w.amplitude / w.height / 4 : 0,
                    0.1 * w.amplitude);
        dew_simulation_destroy(pool);
    }
}

/* A tank that is a solid ends a pool as walls of the domain do: there the wave is the second. */
static void test_pool_in_a_tank(void **state)
{
    (void)state;
    wave w = {4e-3, 0.8e-3, 0.1e-3, false};
    setting scene;
    set_scene(&scene, 1e-4);
    dew_shape_def parts[2] = {dew_box((dew_vec3){-1e-3, -1e-3, -1e-3}, (dew_vec3){5e-3, 2e-3, 3e-3}),
                              dew_box((dew_vec3){0, 0, 0}, (dew_vec3){4e-3, 1e-3, 4e-3})};
    scene.solids[0].shape = dew_default_shape_def(), scene.solids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    scene.solids[0].shape.combination.children = parts, scene.solids[0].shape.combination.count = 2;
    scene.def.solid_count = 1;
    scene.liquids[0].shape = dew_default_shape_def(), scene.liquids[0].shape.kind = DEW_SHAPE_IMPLICIT;
    scene.liquids[0].shape.implicit.value = (dew_function){wave_value, &w};
    scene.liquids[0].shape.implicit.max = (dew_vec3){4e-3, 1e-3, 1e-3};
    dew_simulation *pool = make(&scene);
    check_close(measured(pool, "column_mode", 0), 0, 0.1 * w.amplitude);
    check_close(measured(pool, "column_mode", 2), w.amplitude, 0.05 * w.amplitude);
    dew_simulation_destroy(pool);
}

/* Places whose cross section is (1 + 0.2 cos k x) times its mean, each the middle of its share. */
static void test_exact_column(void **state)
{
    (void)state;
    enum { N = 4000 };
    double L = 3e-3, width = 1e-3, k = 2 * PI / L, spacing = 1e-4;
    real4 *places = aligned_obtain(N * sizeof *places);
    unsigned seed = 3;
    for (int i = 0; i < N; i++) {
        double share = (i + 0.5) / N * L, x = share;
        for (int turn = 0; turn < 20; turn++) x -= (x + 0.2 * sin(k * x) / k - share) / (1 + 0.2 * cos(k * x));
        places[i] = point(x, width * chance(&seed), 1e-3 * chance(&seed));
    }
    dew_field field = {"position", "m", NULL, DEW_FIELD_REAL, 3, 4, N, places};
    dew_material_def water = dew_default_material_def();
    dew_frame frame = {.dimension = 3,
                       .spacing = spacing,
                       .materials = &water,
                       .material_count = 1,
                       .particle_count = N,
                       .fields = &field,
                       .field_count = 1};
    frame.domain.max = (dew_vec3){L, width, 5e-3};
    frame.domain.axis[0] = frame.domain.axis[1] = DEW_PERIODIC;
    double mean = N * pow(spacing, 3) / L, values[DEW_MOST_COLUMNS];
    dew_measurer *m;
    check_ok(dew_measurer_create(&m));
    for (int thread = 0; thread < 2; thread++) {
        if (thread) frame.domain.axis[1] = DEW_OPEN;
        double amplitude = 0.2 * mean / (thread ? 2 * sqrt(PI * mean) : width);
        check_ok(dew_measure(m, &frame, "column_mode", values));
        check_close(values[0], amplitude, 1e-3 * amplitude);
        for (int c = 1; c < 4; c++) check_close(values[c], 0, 1e-3 * amplitude);
    }
    dew_measurer_destroy(m);
    aligned_release(places);
}

static void channel_flow(void *context, int count, const double *const *x, double *output)
{
    double half = *(const double *)context;
    for (int i = 0; i < count; i++) output[i] = 1 - x[2][i] * x[2][i] / (half * half);
}

static void tube_flow(void *context, int count, const double *const *x, double *output)
{
    double half = *(const double *)context;
    for (int i = 0; i < count; i++) output[i] = 1 - (x[1][i] * x[1][i] + x[2][i] * x[2][i]) / (half * half);
}

static void test_profile(void **state)
{
    (void)state;
    double half = 0.8e-3;
    for (int k = 0; k < 2; k++) {
        setting scene;
        set_scene(&scene, 1e-4);
        scene.def.domain.min = (dew_vec3){0, k ? -2e-3 : 0, k ? -2e-3 : -half};
        scene.def.domain.max = (dew_vec3){2e-3, k ? 2e-3 : 1e-3, k ? 2e-3 : half};
        scene.def.domain.axis[0] = DEW_PERIODIC;
        if (k == 0) scene.def.domain.axis[1] = DEW_PERIODIC, scene.def.domain.axis[2] = DEW_WALL;
        dew_shape_def tube[2] = {dew_box((dew_vec3){-1e-3, -1.9e-3, -1.9e-3}, (dew_vec3){3e-3, 1.9e-3, 1.9e-3}),
                                 cylinder(-2e-3, 4e-3, half)};
        dew_shape_def hole = dew_default_shape_def();
        hole.kind = DEW_SHAPE_DIFFERENCE, hole.combination.children = tube, hole.combination.count = 2;
        scene.solids[0].shape = hole, scene.def.solid_count = k;
        scene.liquids[0].shape =
            k ? cylinder(0, 2e-3, half) : dew_box((dew_vec3){0, 0, -half}, (dew_vec3){2e-3, 1e-3, half});
        scene.liquids[0].velocity_of[0] = (dew_function){k ? tube_flow : channel_flow, &half};
        dew_simulation *channel = make(&scene);
        for (int layer = 0; layer < 8; layer++) {
            double low = layer / 4.0 - 1, high = low + 0.25;
            double expected = 1 - (high * high * high - low * low * low) / 0.75;
            check_close(measured(channel, "profile", layer), expected, k ? 0.06 : 0.03);
        }
        dew_simulation_destroy(channel);
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_spread),         cmocka_unit_test(test_local_angles), cmocka_unit_test(test_varied_angle),
        cmocka_unit_test(test_line_speed),     cmocka_unit_test(test_parts),        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_pool_in_a_tank), cmocka_unit_test(test_exact_column), cmocka_unit_test(test_profile)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
