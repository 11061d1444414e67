/* Laws of liquid that creeps, climbs, flows and spreads along walls that hold it: measurements on frames made from the
 * exact solutions, theory against numbers found otherwise. */
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

/* --- wedge --- */

enum { PROFILE = 4000 };

/* The column's height F(e) over that far from the cut, e = z/sqrt(D h t): -(e/2) (F^2)' = (F^2 F')', from the tip,
 * where F = (e_tip/2)(e_tip - e), backwards. Returns how many places there are, from the tip to a far one. */
static int finger_profile(double *place, double *height)
{
    const double tip = 1, near = 1e-3, step = 1e-3;
    double e = tip - near, f = 0.5 * tip * near, q = -0.5 * tip * f * f; /* q = F^2 F' */
    int count = 0;
    for (; count < PROFILE; count++) {
        place[count] = e, height[count] = f;
        for (int k = 0; k < 10; k++) { /* the midpoint rule */
            double h = -0.1 * step, fm = f + 0.5 * h * q / (f * f), qm = q - 0.5 * h * e * q / f;
            f += h * qm / (fm * fm), q -= h * (e + 0.5 * h) * qm / fm, e += h;
        }
    }
    double far = height[count - 1]; /* F/far over e/sqrt(far) solves it too */
    for (int i = 0; i < count; i++) place[i] /= sqrt(far), height[i] /= far;
    return count;
}

/* The exact finger at several times: its front is where it should be, and grows as the root of time. */
static void test_finger(void **state)
{
    (void)state;
    static double place[PROFILE], height[PROFILE];
    int count = finger_profile(place, height);
    assert_float_equal(place[0], 1.465, 1e-2);
    plain_frame *p = plain_frame_create(0.05);
    assert_non_null(p);
    series s = {0};
    for (double time = 1; time < 10; time *= 1.3) {
        plain_frame_count(p, 0);
        double volume = 0; /* in particles */
        for (int i = 0; i + 1 < count; i++) {
            double z = sqrt(time) * place[i];
            volume += 500 * sqrt(time) * (place[i] - place[i + 1]) * height[i] * height[i];
            if (volume < 1 || z < -3) continue;
            plain_frame_put(p, 0, 0, 7 + z);
            volume -= 1;
        }
        double front = measure_finger(&p->frame, 7);
        assert_float_equal(front, 0.9875 * sqrt(time), 0.02 * front);
        assert_true(series_add(&s, log(time), front));
    }
    assert_float_equal(fit_rate(&s, -1, 10), 0.5, 0.005);
    plain_frame_count(p, 19);
    assert_true(isnan(measure_finger(&p->frame, 0)));
    series_free(&s);
    plain_frame_destroy(p);
}

/* --- capillary_rise --- */

static void test_way_up(void **state)
{
    (void)state;
    const double w = 2e-3, rho = 1000, gamma = 0.07, mu = 1, cosine = 0.5;
    const vessel plates = {.half = 0.5 * w, .outer = w, .area = {w, 1}};
    column_flow f = column_flow_of(&plates, 2.5 * w, 0);
    assert_float_equal(f.friction[0] * w * w, 12, 1e-9);
    assert_float_equal(f.friction[1] * w * w, 3 / 2.25, 1e-9);
    /* Creeping from almost nothing, without weight: Washburn's x^2 = gamma cos(theta) w t/(3 mu). */
    f.ratio = 0, f.start[0] = 1e-5, f.viscosity = mu / rho, f.drive = 2 * gamma * cosine / (rho * w);
    double time = 10, washburn = sqrt(gamma * cosine * w * time / (3 * mu));
    f.start[0] = 0.1 * washburn, f.start[1] = 0;
    assert_float_equal(theory_way_up(&f, time), washburn * sqrt(1.01), 2e-3 * washburn);
    /* Without viscosity as well: Bosanquet's x^2 = x0^2 + drive t^2. */
    f.viscosity = 0, f.start[0] = f.start[1] = 1e-3;
    assert_float_equal(theory_way_up(&f, 0.1), sqrt(1e-6 + f.drive * 0.01) - 1e-3, 1e-6);
    /* As wide outside as inside: the columns swing as a whole. */
    f.ratio = 1, f.gravity = 9.81, f.below = 2e-3;
    for (double t = 0.001; t < 0.1; t += 0.01)
        assert_float_equal(theory_way_up(&f, t), f.drive / 9.81 * (1 - cos(sqrt(2 * 9.81 / 4e-3) * t)), 1e-6);
    /* A tube, in a ring so thin that it is a plane layer. */
    const double pi = acos(-1.0), outer = 1, ring = 1e-2;
    const vessel tube = {.is_tube = true, .half = 0.5, .outer = outer, .area = {0.25 * pi, 2 * pi * ring * outer}};
    f = column_flow_of(&tube, 2, 0);
    assert_float_equal(f.friction[0], 32, 1e-9);
    assert_float_equal(f.friction[1] * ring * ring, 3, 0.05);
}

/* --- flat_plate --- */

/* Blasius' f' at equal steps of y sqrt(U/(nu x)), by f'' at the wall; the last one. */
static double blasius(double curvature, int steps, double step, double *speed)
{
    double f = 0, g = 0, h = curvature; /* f, f', f'' */
    for (int i = 0; i < steps; i++) {
        speed[i] = g;
        double fm = f + 0.5 * step * g, gm = g + 0.5 * step * h, hm = h - 0.25 * step * f * h;
        f += step * gm, g += step * hm, h -= 0.5 * step * fm * hm;
    }
    return g;
}

static void test_flat_plate(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    static double speed[STEPS];
    const double step = 0.01, reynolds = 400, spacing = 1.0 / 32;
    double low = 0.1, high = 1;
    while (high - low > 1e-9)
        *(blasius(0.5 * (low + high), STEPS, step, speed) < 1 ? &low : &high) = 0.5 * (low + high);
    /* Theory at so high a Reynolds number that nothing is added to it. */
    plate_theory far = theory_plate(1e12, INFINITY, 1);
    assert_float_equal(far.drag * 1e6, 2 * low, 2e-3);
    assert_float_equal(far.momentum * 1e6, 2 * low, 1e-3); /* all drag is momentum */
    /* What a lid adds, against the layer's own equations. */
    FILE *file = open_reference("flat_plate/channel.csv");
    double row[4];
    int rows = 0;
    for (; next_row(file, row, 4); rows++) {
        plate_theory free = theory_plate(row[0], INFINITY, 0.75), under = theory_plate(row[0], row[1], 0.75);
        assert_float_equal(under.drag / free.drag, row[2], 0.01);
        assert_float_equal(under.momentum / free.momentum, row[3], 0.01);
    }
    fclose(file);
    assert_true(rows > 4);
    plate_theory open = theory_plate(reynolds, INFINITY, 0.75);
    assert_float_equal(open.drag, 0.0402, 1e-3); /* (0.664 + 0.141)/20 */
    /* The profile at three fourths of a plate that goes along x at speed 2, its liquid at rest far above. */
    plain_frame *p = plain_frame_create(spacing);
    assert_non_null(p);
    const double scale = sqrt(0.75 / reynolds);
    for (double x = -0.2; x < 0.2; x += spacing)
        for (double z = 0.5 * spacing; z < 1.5; z += spacing) {
            int i = p->frame.particle_count, k = (int)(z / (scale * step));
            plain_frame_put(p, 3 + x, 0, z);
            p->velocity[i][0] = (dew_real)(k < STEPS ? 2 * (1 - speed[k]) : 0);
        }
    assert_float_equal(measure_momentum_thickness(&p->frame, 3, 1.5, 2), open.momentum, 0.02 * open.momentum);
    for (int i = 0; i < p->frame.particle_count; i++) /* all 5 % faster against the plate */
        p->velocity[i][0] = (dew_real)(2 - 1.05 * (2 - p->velocity[i][0]));
    assert_float_equal(measure_momentum_thickness(&p->frame, 3, 1.5, 2), 1.1025 * open.momentum, 0.02 * open.momentum);
    for (int i = 0; i < p->frame.particle_count; i++) { /* around the layer, 4 % slower at the lid than next to it */
        double beyond = fmax(p->position[i][2] - STEPS * step * scale, 0) / 1.5;
        p->velocity[i][0] = (dew_real)(2 - (1 - 0.04 * beyond) * (2 - p->velocity[i][0]));
    }
    assert_float_equal(measure_momentum_thickness(&p->frame, 3, 1.5, 2), 1.1025 * open.momentum, 0.02 * open.momentum);
    plain_frame_destroy(p);
}

/* --- cavity --- */

/* Particles of a box of sides 2 that go as Ghia's velocities do, by straight lines between them. */
static double between_places(double height)
{
    int k = 1;
    while (k < CAVITY_PLACES - 1 && theory_cavity[k][0] < height) k++;
    const double *low = theory_cavity[k - 1], *high = theory_cavity[k];
    return low[1] + (height - low[0]) / (high[0] - low[0]) * (high[1] - low[1]);
}

static void test_cavity(void **state)
{
    (void)state;
    const double spacing = 2.0 / 128;
    double found[CAVITY_PLACES];
    plain_frame *p = plain_frame_create(spacing);
    assert_non_null(p);
    for (double x = 0.8; x < 1.2; x += spacing)
        for (double z = 0.5 * spacing; z < 2; z += spacing) {
            int i = p->frame.particle_count;
            plain_frame_put(p, x, 0, z);
            p->velocity[i][0] = (dew_real)(3 * between_places(z / 2));
        }
    measure_cavity(&p->frame, 2, 3, found);
    for (int k = 0; k < CAVITY_PLACES; k++) assert_float_equal(found[k], theory_cavity[k][1], 0.01);
    plain_frame_destroy(p);
}

/* --- coated_plate --- */

static void test_coated_plate(void **state)
{
    (void)state;
    /* Landau and Levich's 0.9458 is the limit; with weight some % less (1 - T^2 to a power, T = 0.944 Ca^(1/6)). */
    assert_float_equal(theory_coated_film(1e-6) * 1e4, 0.9458, 0.005);
    double thin = theory_coated_film(0.01) / pow(0.01, 2.0 / 3), thick = theory_coated_film(0.05) / pow(0.05, 2.0 / 3);
    assert_in_range((int)(1e4 * thin), 8500, 9300);
    assert_true(thick < thin && thick > 0.8);
    const double spacing = 0.03;
    plain_frame *p = plain_frame_create(spacing);
    assert_non_null(p);
    for (int dimension = 2; dimension <= 3; dimension++) { /* four layers on the plate, on a bath */
        plain_frame_count(p, 0);
        p->frame.dimension = dimension;
        for (double x = 0.5 * spacing; x < 2; x += spacing)
            for (double up = 0.5 * spacing; up < 3; up += spacing)
                for (int k = 0; k < (dimension == 2 ? 1 : 5); k++)
                    if (up < 0.5 || x < 0.12)
                        plain_frame_put(p, x, dimension == 2 ? up : k * spacing, dimension == 2 ? 0 : up);
        assert_float_equal(measure_film(&p->frame, 1.8, 2.4, dimension == 2 ? 1 : 5 * spacing), 0.12, 0.005);
    }
    plain_frame_destroy(p);
}

/* --- spreading --- */

/* The surface particles of a drop whose line moves at Ca over a plate of 60 degrees: from the line up, the angle at a
 * distance x is what Cox and Voinov have, turned back by a ball of this radius; far from the line a ball. Returns their
 * number. */
static int moving_drop(double capillary, double slip, double radius, double spacing, double *points)
{
    const double degree = acos(-1.0) / 180, step = 0.02 * spacing;
    double foot = 0.9 * radius, r = foot, z = 0;
    int count = 0, steps = 0;
    for (; z < 5 * spacing; z += step, steps++) {
        double bent = 60 * degree;
        for (int k = 0; k < 20; k++) /* the distance is along the surface that it bends */
            bent = cbrt(pow(60 * degree, 3) + 9 * capillary * log(fmax(z / sin(bent), slip) / slip));
        double there = acos(fmin(1, cos(bent) + z / radius));
        r -= step / tan(there);
        for (int k = 0; k < 40 && steps % 10 == 0; k++, count++) { /* particles lie half a spacing within */
            double azimuth = 2.39996 * (count % 997), inner = r - 0.5 * spacing * sin(there);
            points[3 * count] = 3 + inner * cos(azimuth), points[3 * count + 1] = inner * sin(azimuth);
            points[3 * count + 2] = z - 0.5 * spacing * cos(there);
        }
    }
    return count;
}

static void test_moving_line(void **state)
{
    (void)state;
    enum { MOST = 40000, TIMES = 41 };
    static double points[3 * MOST];
    const double spacing = 1, slip = 0.5, radius = 40, unit = 0.02;
    series foot = {0}, cube = {0};
    double theory = 0, at_line = 0;
    for (int i = 0; i < TIMES; i++) { /* Ca falls from 0.05 to 0 */
        double time = i, capillary = 0.05 * (1 - time / (TIMES - 1)), distance;
        int count = moving_drop(capillary, slip, radius, spacing, points);
        assert_true(count < MOST);
        double angle = measure_moving_angle(count, points, spacing, &distance);
        at_line = pow(angle, 3);
        theory += 9 * log(distance / slip) / TIMES;
        assert_true(series_add(&cube, time, at_line));
        /* u = Ca/unit */
        assert_true(series_add(&foot, time, 10 + 0.05 / unit * (time - 0.5 * time * time / (TIMES - 1))));
    }
    assert_float_equal(cbrt(at_line) * 180 / acos(-1.0), 60, 0.5); /* at rest */
    assert_float_equal(theory, 9 * log(3.6 / 0.5), 1.5);
    double rest = pow(acos(-1.0) / 3, 3);
    assert_float_equal(line_slope(&foot, &cube, rest, unit, -0.1), theory, 0.03 * theory);
    /* A series that is exact. */
    for (int i = 0; i < TIMES; i++) cube.value[i] = 1 + 17 * 0.05 * (1 - cube.time[i] / (TIMES - 1));
    assert_float_equal(line_slope(&foot, &cube, 1, unit, -0.1), 17, 1e-6);
    /* A line that draws back at nearly one speed, while its angle is a little off. */
    for (int i = 0; i < TIMES; i++) {
        foot.value[i] = 10 - 0.005 / unit * i;
        cube.value[i] = 1 - 17 * 0.005 + (i < 20 ? 0.002 : -0.002);
    }
    assert_float_equal(line_slope(&foot, &cube, 1, unit, -0.1), 17, 0.5);
    double distance;
    assert_true(isnan(measure_moving_angle(0, points, spacing, &distance)) && isnan(distance));
    series_free(&foot);
    series_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finger), cmocka_unit_test(test_way_up),       cmocka_unit_test(test_flat_plate),
        cmocka_unit_test(test_cavity), cmocka_unit_test(test_coated_plate), cmocka_unit_test(test_moving_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
