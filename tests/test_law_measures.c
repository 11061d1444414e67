/* The laws' measurements on frames made from the exact solutions, and their theory against the reference data: a law
 * that no method can meet yet is right when one can. */
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

static void put(plain_frame *p, double x, double y, double z)
{
    int i = p->frame.particle_count;
    assert_true(i < PLAIN_MOST);
    p->position[i][0] = (dew_real)x, p->position[i][1] = (dew_real)y, p->position[i][2] = (dew_real)z;
    plain_frame_count(p, i + 1);
}

/* --- capillary_wave --- */

static void test_standing_wave_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("capillary_wave/prosperetti.csv");
    double row[3];
    int rows = 0;
    for (; next_row(file, row, 3); rows++) assert_float_equal(theory_standing_wave(row[0], 30, row[1]), row[2], 1e-6);
    fclose(file);
    assert_true(rows > 100);
    for (double t = 0; t < 20; t += 0.7) /* without viscosity */
        assert_float_equal(theory_standing_wave(0, 1, t), cos(sqrt(tanh(1)) * t), 1e-6);
}

static void test_wave_on_a_frame(void **state)
{
    (void)state;
    const double spacing = 0.1, length = 4, depth = 2, amplitude = 0.05, pi = acos(-1.0);
    plain_frame *p = plain_frame_create(spacing);
    assert_non_null(p);
    for (int dimension = 2; dimension <= 3; dimension++) {
        p->frame.dimension = dimension;
        plain_frame_count(p, 0);
        for (int i = 0; i < 40; i++) { /* columns whose layers are stretched evenly hold the right mass as points */
            double x = (i + 0.5) * spacing, height = depth + amplitude * cos(2 * pi * x / length);
            int count = (int)lround(1000 * height / depth);
            for (int k = 0; k < count; k++) put(p, x, 0, height * (k + 0.5) / count);
        }
        /* 40 columns of about 1000: `spacing` says what one particle stands for. */
        p->frame.spacing = pow(depth * length / p->frame.particle_count, 1.0 / dimension);
        assert_float_equal(measure_standing_wave(&p->frame, length, length), amplitude, 0.01 * amplitude);
        p->frame.spacing = spacing;
    }
    plain_frame_destroy(p);
}

/* --- honey --- */

static void test_creeping_drop_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("honey/aperiodic.csv");
    double row[2];
    int rows = 0;
    for (; next_row(file, row, 2); rows++) assert_float_equal(theory_creeping_drop(row[0]), row[1], 1e-6);
    fclose(file);
    assert_true(rows > 10);
    assert_true(isnan(theory_creeping_drop(0.5))); /* it swings */
}

/* An ellipsoid of a fine lattice: its mode by the mass's moments; a series of amplitudes: its rate. */
static void test_mode_and_rate_on_frames(void **state)
{
    (void)state;
    const double spacing = 0.045, a = 0.04;
    plain_frame *p = plain_frame_create(spacing);
    assert_non_null(p);
    double across = 1 - a / 2, along = 1 + a;
    for (double x = -1 + 0.3 * spacing; x < 1; x += spacing)
        for (double y = -1 + 0.45 * spacing; y < 1; y += spacing)
            for (double z = -1.1 + 0.2 * spacing; z < 1.1; z += spacing)
                if ((x * x + y * y) / (across * across) + z * z / (along * along) < 1) put(p, x, y, z);
    bulk b = bulk_of(&p->frame);
    assert_float_equal(drop_mode(&b, spacing), a, 0.05 * a);
    plain_frame_destroy(p);
    series s = {0};
    for (int i = 0; i < 100; i++) assert_true(series_add(&s, 0.1 * i, 0.04 * exp(-0.3 * 0.1 * i)));
    assert_float_equal(fit_rate(&s, 2, 9), -0.3, 1e-9);
    assert_true(isnan(fit_rate(&s, 9.95, 20)));
    series_free(&s);
}

/* --- thread, coalescence --- */

static void test_column_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("thread/column.csv");
    double row[3];
    int rows = 0;
    for (; next_row(file, row, 3); rows++) assert_float_equal(theory_column(row[0], row[1]), row[2], 1e-6);
    fclose(file);
    assert_true(rows > 40);
}

/* Of a lattice: two balls along x joined by a bridge, whole or the half above z = 0. */
static void put_joined_balls(plain_frame *p, double spacing, double bridge, bool is_half)
{
    plain_frame_count(p, 0);
    for (double x = -2 + 0.5 * spacing; x < 2; x += spacing)
        for (double y = -1 + 0.5 * spacing; y < 1; y += spacing)
            for (double z = (is_half ? 0 : -1) + 0.5 * spacing; z < 1; z += spacing) {
                double r2 = y * y + z * z, from = fabs(x) - 1;
                if (from * from + r2 < 1 || (fabs(x) < 0.2 && r2 < bridge * bridge)) put(p, x, y, z);
            }
}

static void test_bridges_and_balls(void **state)
{
    (void)state;
    const double spacing = 0.0625;
    plain_frame *p = plain_frame_create(spacing);
    assert_non_null(p);
    for (int half = 0; half < 2; half++) {
        put_joined_balls(p, spacing, 0.6, half);
        assert_float_equal(
            measure_bridge(&p->frame, 0.5 * spacing + 0.01, half) * sqrt((spacing + 0.02) / (2 * spacing)), 0.6, 0.02);
        plain_frame_count(p, 0);
        for (double x = -1.1; x < 1.1; x += spacing)
            for (double y = -1.1; y < 1.1; y += spacing)
                for (double z = half ? 0.5 * spacing : -1.1; z < 1.1; z += spacing)
                    if (x * x + y * y + z * z / 1.21 < 1) put(p, x, y, z);
        bulk b = bulk_of(&p->frame);
        assert_float_equal(worst_semi_axis(&b, 1, half), 0.1, 0.01);
    }
    plain_frame_destroy(p);
    series s = {0};
    for (int i = 0; i < 400; i++) /* C = 1.3 */
        assert_true(series_add(&s, 0.002 * i, fmin(1.3 * 1.3 * 0.002 * i, 1.1)));
    assert_float_equal(coalescence_coefficient(&s), 1.3, 1e-6);
    s.count = 50; /* it has not opened yet */
    assert_true(isnan(coalescence_coefficient(&s)));
    series_free(&s);
}

/* --- dam_break --- */

static void test_front(void **state)
{
    (void)state;
    FILE *file = open_reference("dam_break/martin_moyce.csv");
    double row[2];
    int rows = 0;
    for (; next_row(file, row, 2); rows++) assert_float_equal(theory_front_time(row[1]), row[0], 1e-9);
    fclose(file);
    assert_true(rows > 10 && isnan(theory_front_time(5)));
    plain_frame *p = plain_frame_create(0.1);
    assert_non_null(p);
    for (int i = 0; i < 100; i++) put(p, 0.05 + 0.1 * ((i * 37) % 100 / 4), 0, 0); /* rows of 4 up to x = 2.45 */
    put(p, 4, 0, 0);                                                               /* spray */
    assert_float_equal(measure_front(&p->frame, 4), 2.5, 1e-6);
    for (int packed = 0; packed < 2; packed++) { /* a pool at rest density, and one packed to 0.9 of its depth */
        plain_frame_count(p, 0);
        for (int i = 0; i < 20 * 20 * 10; i++)
            put(p, 0.1 * (i % 20 + 0.5), 0.1 * (i / 20 % 20 + 0.5), (packed ? 0.09 : 0.1) * (i / 400 + 0.5));
        assert_float_equal(measure_filling(&p->frame, 4), packed ? 1 / 0.9 : 1, 2e-3);
    }
    plain_frame_destroy(p);
    series s = {0};
    for (int i = 0; i < 10; i++) assert_true(series_add(&s, i, 0.5 * i));
    assert_float_equal(series_reaches(&s, 3.1), 6.2, 1e-12);
    assert_true(isnan(series_reaches(&s, 7)));
    series_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standing_wave_reference),
        cmocka_unit_test(test_wave_on_a_frame),
        cmocka_unit_test(test_creeping_drop_reference),
        cmocka_unit_test(test_mode_and_rate_on_frames),
        cmocka_unit_test(test_column_reference),
        cmocka_unit_test(test_bridges_and_balls),
        cmocka_unit_test(test_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
