/* What stands in scenes: meshes, quantities with units, expressions. */
#include "scene/expression.h"
#include "scene/mesh_read.h"
#include "scene/quantity.h"
#include "scene_files.h"

/* --- meshes --- */

static void expect_mesh(const char *path, dew_result result, const char *message)
{
    mesh_file mesh;
    assert_int_equal(mesh_read(path, &mesh), result);
    if (message && !strstr(dew_message(), message)) fail_msg("'%s' lacks '%s'", dew_message(), message);
    assert_null(mesh.vertices);
}

static void test_broken_meshes(void **state)
{
    (void)state;
    expect_mesh(in(scratch, "none.stl"), DEW_IO, "No such file");
    expect_mesh(scratch_file("words.stl", "this is no mesh at all\n"), DEW_INVALID, NULL);
    expect_mesh(scratch_file("words.ply", "this is no mesh at all\n"), DEW_INVALID, "cannot be read as a mesh");
    expect_mesh(scratch_file("words.obj", "this is no mesh at all\n"), DEW_INVALID, NULL);
    expect_mesh(scratch_file("cut.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\n"),
                DEW_INVALID, "was it cut short?");
    expect_mesh(scratch_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\n"), DEW_INVALID, "no triangles");
    expect_mesh(scratch_file("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), DEW_INVALID, NULL);
    const char *huge = scratch_file("huge.stl", "solid\n");
    if (truncate(huge, 3LL << 30) == 0) expect_mesh(huge, DEW_INVALID, "more than the 2 GB that are read");
    unlink(huge);
}

static double volume_of(const mesh_file *mesh)
{
    double volume = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const double *a = &mesh->vertices[3 * mesh->triangles[3 * t]],
                     *b = &mesh->vertices[3 * mesh->triangles[3 * t + 1]],
                     *c = &mesh->vertices[3 * mesh->triangles[3 * t + 2]];
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    return volume;
}

/* The same cube by an OBJ that is right, one inside out, a binary STL whose corners are not shared, and a PLY, all in
 * millimetres of a metre: corners must not be joined because they are close. */
static void test_good_meshes(void **state)
{
    (void)state;
    mesh_file m;
    assert_int_equal(mesh_read(scratch_file("cube.obj", cube), &m), DEW_OK);
    assert_true(m.vertex_count == 8 && m.triangle_count == 12 && m.open_edges == 0);
    assert_true(fabs(volume_of(&m) - 1) < 1e-12);
    struct __attribute__((packed)) {
        char header[80];
        uint32_t count;
        struct __attribute__((packed)) {
            float normal[3], corner[3][3];
            uint16_t extra;
        } triangle[12];
    } stl = {.count = 12};
    for (int t = 0; t < 12; t++)
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                stl.triangle[t].corner[k][a] = 1e-6f * (float)m.vertices[3 * m.triangles[3 * t + k] + a];
    mesh_file_free(&m);
    write_bytes(in(scratch, "tiny.stl"), &stl, sizeof stl);
    assert_int_equal(mesh_read(in(scratch, "tiny.stl"), &m), DEW_OK);
    assert_true(m.vertex_count == 8 && m.triangle_count == 12 && m.open_edges == 0);
    assert_true(fabs(volume_of(&m) * 1e18 - 1) < 1e-5);
    mesh_file_free(&m);
    assert_int_equal(mesh_read(in(root, "tests/scenes_wrong/meshes/inside-out.obj"), &m), DEW_OK);
    assert_true(m.open_edges == 0 && fabs(volume_of(&m) - 1) < 1e-12);
    mesh_file_free(&m);
    assert_int_equal(mesh_read(scratch_file("one.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                                                       "property float y\nproperty float z\nelement face 1\n"
                                                       "property list uchar int vertex_indices\nend_header\n"
                                                       "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
                               &m),
                     DEW_OK);
    assert_true(m.triangle_count == 1 && m.open_edges == 3);
    mesh_file_free(&m);
}

/* --- quantities, expressions --- */

static void test_quantities(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        quantity_status status;
        double value;
    } cases[] = {
        {"0.1 mm", "m", QUANTITY_OK, 1e-4},
        {"0.1mm", "m", QUANTITY_OK, 1e-4},
        {"1e-1 mm", "m", QUANTITY_OK, 1e-4},
        {" 3 µm ", "m", QUANTITY_OK, 3e-6},
        {"3 \u03bcm", "m", QUANTITY_OK, 3e-6},
        {"-2", "m", QUANTITY_OK, -2},
        {".5", "m", QUANTITY_OK, 0.5},
        {"1e3", "1", QUANTITY_OK, 1000},
        {"20 degC", "K", QUANTITY_OK, 293.15},
        {"50 %", "1", QUANTITY_OK, 0.5},
        {"90 deg", "degree", QUANTITY_OK, 90},
        {"90 %", "degree", QUANTITY_WRONG_UNIT, 0},
        {"1 mPa s", "Pa s", QUANTITY_OK, 1e-3},
        {"1 mPa.s", "Pa s", QUANTITY_OK, 1e-3},
        {"10 mJ/m2", "J/m2", QUANTITY_OK, 0.01},
        {"10 mJ m^-2", "J/m2", QUANTITY_OK, 0.01},
        {"72 mJ/m2", "N/m", QUANTITY_OK, 0.072},
        {"1 g/cm3", "kg/m3", QUANTITY_OK, 1000},
        {"240 Hz", "1/s", QUANTITY_OK, 240},
        {"1 s", "m", QUANTITY_WRONG_UNIT, 0},
        {"1 foo", "m", QUANTITY_UNKNOWN_UNIT, 0},
        {"1 m", NULL, QUANTITY_WRONG_UNIT, 0},
        {"0x10", "m", QUANTITY_UNKNOWN_UNIT, 0},
        {"inf", "m", QUANTITY_NO_NUMBER, 0},
        {"nan", "m", QUANTITY_NO_NUMBER, 0},
        {"1e400", "m", QUANTITY_NO_NUMBER, 0},
        {"", "m", QUANTITY_NO_NUMBER, 0},
        {"mm", "m", QUANTITY_NO_NUMBER, 0},
    };
    units *u = units_create();
    assert_non_null(u);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        quantity_status status = quantity_read(u, cases[i].text, cases[i].unit, &value, NULL);
        if (status != cases[i].status) fail_msg("'%s': status %d", cases[i].text, (int)status);
        if (status == QUANTITY_OK && fabs(value - cases[i].value) > 1e-15 * fabs(cases[i].value))
            fail_msg("'%s': %.17g", cases[i].text, value);
    }
    units_destroy(u);
    assert_true(looks_like_quantity("1 mm") && looks_like_quantity("-3e-2") && looks_like_quantity("2 µm"));
    assert_false(looks_like_quantity("2*x") || looks_like_quantity("x") || looks_like_quantity("1 - x"));
}

static void test_expressions(void **state)
{
    (void)state;
    expression_error error;
    expression *e = expression_create("x + 2*y^2 + sin(pi/2)*z", "xyz", &error);
    assert_non_null(e);
    enum { COUNT = 1000 };
    double in_x[COUNT], in_y[COUNT], in_z[COUNT], out[COUNT];
    for (int i = 0; i < COUNT; i++) in_x[i] = i, in_y[i] = 0.5 * i, in_z[i] = -i;
    dew_function f = expression_function(e);
    f.evaluate(f.context, COUNT, (const double *const[]){in_x, in_y, in_z}, out);
    for (int i = 0; i < COUNT; i++) assert_near(out[i], 0.5 * i * i);
    assert_string_equal(expression_text(f), "x + 2*y^2 + sin(pi/2)*z");
    expression_destroy(e);
    assert_null(expression_create("x + ", "t", &error));
    assert_int_equal(error.position, 0);
    assert_null(expression_create("", "t", &error));
    e = expression_create("t >= 1 ? 2 : 3", "t", &error);
    assert_non_null(e);
    expression_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_meshes),
        cmocka_unit_test(test_good_meshes),
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_expressions),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
