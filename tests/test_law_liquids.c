/* Laws of two liquids and of the catheter: theory against the reference data, measurements on frames of the exact
 * solutions. */
#include "../laws/law.h"
#include "../laws/measure.h"
#include "../laws/theory.h"
#include "plain_frame.h"
#include "reference_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

/* --- two_liquid_drop --- */

/* The box's end is taken into account by its potential alone; the table's exact roots show by how much that is off,
 * most where boundary layers are half as thick as the liquid around. */
static void test_roots_of_a_drop_in_a_liquid(void **state)
{
    (void)state;
    FILE *file = open_reference("two_liquid_drop/roots.csv");
    double row[8], omega, beta;
    int rows = 0;
    for (; next_row(file, row, 8); rows++) {
        theory_two_liquid_drop(row[0], row[1], row[2], row[3], &omega, &beta);
        double size = hypot(row[4], row[5]), off = row[3] == 0 ? 1e-5 : row[1] * row[2] > 0.1 ? 0.01 : 2e-3;
        assert_float_equal(omega, row[4], off * size);
        assert_float_equal(beta, row[5], off * size);
        /* A drop let go at rest is fitted by nearly the same: what the law measures. */
        assert_float_equal(row[6], omega, 0.03 * omega);
        assert_float_equal(row[7] / hypot(row[6], row[7]), beta / hypot(omega, beta), 0.02);
    }
    fclose(file);
    assert_true(rows > 8);
}

/* Without viscosity, in as dense a liquid: Lamb's frequency; in nothing: the free drop's. */
static void test_limits_of_a_drop_in_a_liquid(void **state)
{
    (void)state;
    double omega, beta, free_omega, free_beta;
    theory_two_liquid_drop(1, 1, 1e-8, 0, &omega, &beta);
    assert_float_equal(omega, sqrt(24 / 5.0), 1e-3);
    assert_float_equal(beta, 0, 1e-3);
    for (int k = 1; k <= 4; k++) {
        double oh = 0.05 * k;
        theory_two_liquid_drop(1e-7, 1e-7, oh, 0, &omega, &beta);
        theory_drop_mode(3, oh, &free_omega, &free_beta);
        assert_float_equal(omega, free_omega, 2e-3);
        assert_float_equal(beta, free_beta, 3e-3);
    }
}

static void put(plain_frame *p, double x, double y, double z, bool is_drop)
{
    int i = p->frame.particle_count;
    p->material[i] = is_drop ? 0 : 1, p->pressure[i] = is_drop ? 10 : 3;
    plain_frame_put(p, x, y, z);
}

/* A lattice of a drop drawn out, whole or an eighth, its pressure 7 Pa above that of the liquid around. */
static void test_drop_in_a_liquid_on_a_frame(void **state)
{
    (void)state;
    const double spacing = 0.045, a = 0.04, along = 1 + a, across = 1 - a / 2;
    plain_frame *p = plain_frame_create(spacing);
    assert_non_null(p);
    for (int eighth = 0; eighth < 2; eighth++) {
        double low = eighth ? 0 : -24 * spacing, shift = eighth ? 0 : 0.13; /* a whole drop's middle is found */
        plain_frame_count(p, 0);
        for (double x = low + 0.5 * spacing; x < 24 * spacing; x += spacing)
            for (double y = low + 0.5 * spacing; y < 24 * spacing; y += spacing)
                for (double z = low + 0.5 * spacing; z < 24 * spacing; z += spacing)
                    if ((x * x + y * y) / (across * across) + z * z / (along * along) < 1)
                        put(p, x, y + shift, z, true);
        for (int i = 0; i < 50; i++) put(p, 1.6 + 0.01 * i, shift, 0.1, false);
        drop_in_liquid d = measure_drop_in_liquid(&p->frame, eighth);
        assert_float_equal(d.radius, 1, 0.01);
        assert_float_equal(d.amplitude, a, 0.05 * a);
        assert_float_equal(d.jump, 7, 1e-5);
    }
    plain_frame_destroy(p);
}

/* --- two_layer --- */

static void test_two_layers_on_a_frame(void **state)
{
    (void)state;
    const double s = 0.1, density[2] = {1200, 1000}, g = 9.81;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int swapped = 0; swapped < 2; swapped++) {
            plain_frame *p = plain_frame_create(s);
            assert_non_null(p);
            p->frame.dimension = dimension;
            for (int layer = 0; layer < 20; layer++)
                for (int i = 0; i < 8; i++)
                    for (int j = 0; j < (dimension == 3 ? 8 : 1); j++) {
                        double z = (layer + 0.5) * s, x = (i + 0.5) * s, y = (j + 0.5) * s;
                        int k = p->frame.particle_count;
                        p->material[k] = layer >= 8;
                        /* One column in eight has its middle particles exchanged, three spacings beyond. */
                        if (swapped && i == 0 && (layer == 4 || layer == 11)) p->material[k] = layer == 4;
                        p->pressure[k] =
                            (dew_real)(g * (density[1] * fmin(2 - z, 1.2) + density[0] * fmax(0.8 - z, 0)));
                        plain_frame_put(p, x, dimension == 3 ? y : z, dimension == 3 ? z : 0);
                    }
            two_layers t = measure_two_layers(&p->frame, dimension == 3 ? 0.64 : 0.8, density, g);
            assert_float_equal(t.depth, 2, 1e-5);
            assert_float_equal(t.middle[0], swapped ? 0.7 / 8 / 8 / 2 : 0, 1e-5);
            assert_float_equal(t.middle[1], swapped ? -0.7 / 8 / 12 / 2 : 0, 1e-5);
            assert_float_equal(t.mixed, swapped ? 2.0 / 160 : 0, 1e-9);
            assert_float_equal(t.pressure, 0, 1e-5);
            plain_frame_destroy(p);
        }
}

/* --- liquid_angle --- */

/* Exact caps, a quarter of each, on two lattices against the axes. */
static void test_angles_in_liquid_on_a_frame(void **state)
{
    (void)state;
    enum { WIDE = 12 };
    for (int k = 0; k < 6; k++) {
        const double angle = 60 + 30 * (k % 3), s = 0.1, radius = 1, centre = -radius * cos(angle * M_PI / 180),
                     from = k < 3 ? 0.5 : 0.25;
        plain_frame *p = plain_frame_create(s);
        assert_non_null(p);
        for (int i = 0; i < WIDE * WIDE * 2 * WIDE; i++) {
            double x = (i % WIDE + from) * s, y = (i / WIDE % WIDE + from) * s, z = (i / (WIDE * WIDE) + 0.5) * s;
            p->material[p->frame.particle_count] = x * x + y * y + (z - centre) * (z - centre) > radius * radius;
            plain_frame_put(p, x, y, z);
        }
        assert_float_equal(measure_liquid_angle(&p->frame), angle, 4);
        plain_frame_destroy(p);
    }
}

/* --- catheter --- */

/* Drops of 18 mm3, each in some parts within half a second, every 10.5 s; dust between them does not count. */
static void test_times_of_drops(void **state)
{
    (void)state;
    series left = {0};
    double gone = 0;
    for (int i = 0; i <= 4 * 60; i++) {
        double time = 0.25 * i, phase = fmod(time, 10.5);
        if (time > 5 && phase < 0.4) gone += 9e-9; /* two frames each */
        if (i % 40 == 17) gone += 1e-11;
        assert_true(series_add(&left, time, gone));
    }
    dripping d = measure_dripping(&left, 1, 1.8e-9);
    assert_int_equal(d.count, 5);
    for (int k = 0; k < d.count; k++) {
        assert_float_equal(d.volume[k], 1.8e-8, 2e-11);
        if (k > 0) assert_float_equal(d.time[k] - d.time[k - 1], 10.5, 0.26);
    }
    series_free(&left);
}

/* A cone around the tube, full of particles, above a neck as wide as the tube. */
static void test_angle_on_a_tube(void **state)
{
    (void)state;
    const double s = 1.25e-4, top = 1e-3, angles[] = {15, 26.1, 40, 75};
    for (int k = 0; k < 4; k++) {
        plain_frame *p = plain_frame_create(s);
        assert_non_null(p);
        for (double z = -top; z < top; z += s / 3)
            for (double r = 0.25e-3; r <= 0.5e-3 + (z > 0 ? (top - z) * tan(angles[k] * M_PI / 180) : 0) - s / 2;
                 r += s / 40)
                plain_frame_put(p, r * cos(1000 * r), r * sin(1000 * r), z);
        double found = measure_tube_angle(&p->frame, 2e-3);
        if (k < 3)
            assert_float_equal(found, angles[k], 2.5);
        else
            assert_true(isnan(found)); /* thicker than what is looked at */
        plain_frame_destroy(p);
    }
}

/* --- film_tension --- */

static double tension_of_film(const char *by, double tension, double shift, bool is_open)
{
    dew_simulation_def def = dew_default_simulation_def();
    dew_material_def water = dew_default_material_def();
    dew_liquid_def film = dew_default_liquid_def();
    water.surface_tension = tension;
    film.fill = DEW_FILL_CUBIC, film.shape = dew_box((dew_vec3){0, 0, -6e-4}, (dew_vec3){12e-4, 12e-4, 6e-4});
    def.method = "mps", def.spacing = 1e-4, def.gravity = (dew_vec3){0, 0, 0};
    def.materials = &water, def.material_count = 1, def.liquids = &film, def.liquid_count = 1;
    def.parameters = &(dew_parameter_value){"tension", 0, by}, def.parameter_count = 1;
    def.domain.min = (dew_vec3){-shift, 0, -1e-3}, def.domain.max = (dew_vec3){12e-4 - shift, 12e-4, 1e-3};
    film.shape.translation.x = -shift;
    if (!is_open) def.domain.axis[0] = def.domain.axis[1] = DEW_PERIODIC;
    dew_simulation *s;
    double found;
    if (dew_simulation_create(&def, &s) != DEW_OK) fail_msg("%s", dew_message());
    if (strcmp(by, "area") == 0) assert_int_equal(dew_simulation_advance(s, 1e-6, NULL, NULL), DEW_OK);
    assert_int_equal(dew_simulation_measure(s, "film_tension", &found), DEW_OK);
    dew_simulation_destroy(s);
    return found;
}

/* Before its first step nothing but the potential acts, whose pull along a film less that across is near the tension,
 * and goes with it; where the film lies between its periodic faces does not matter, and without such there is nothing
 * to tell. */
static void test_film_of_a_potential(void **state)
{
    (void)state;
    double once = tension_of_film("pairs", 0.072, 0, false);
    assert_float_equal(once, 0.072, 0.4 * 0.072);
    assert_float_equal(tension_of_film("pairs", 0.144, 0, false), 2 * once, 1e-6);
    assert_float_equal(tension_of_film("pairs", 0.072, 7.3e-4, false), once, 1e-5);
    assert_true(isnan(tension_of_film("pairs", 0.072, 0, true)));
}

/* The mesh of a lattice's flat faces pulls with what was set. */
static void test_film_of_a_mesh(void **state)
{
    (void)state;
    assert_float_equal(tension_of_film("area", 0.072, 0, false), 0.072, 1e-5);
    assert_float_equal(tension_of_film("area", 0.144, 7.3e-4, false), 0.144, 2e-5);
    assert_true(isnan(tension_of_film("area", 0.072, 0, true)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots_of_a_drop_in_a_liquid),
        cmocka_unit_test(test_limits_of_a_drop_in_a_liquid),
        cmocka_unit_test(test_drop_in_a_liquid_on_a_frame),
        cmocka_unit_test(test_two_layers_on_a_frame),
        cmocka_unit_test(test_angles_in_liquid_on_a_frame),
        cmocka_unit_test(test_times_of_drops),
        cmocka_unit_test(test_angle_on_a_tube),
        cmocka_unit_test(test_film_of_a_potential),
        cmocka_unit_test(test_film_of_a_mesh),
    };
    return cmocka_run_group_tests_name("law liquids", tests, NULL, NULL);
}
