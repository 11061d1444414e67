/* Height fields: distances and normals against known profiles, mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/shape.h"

static const double pi = 3.14159265358979323846;
static const double resolution = 0.05;

static double random_number(void) /* in [-1, 1) */
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static dew_shape_def field_of(const dew_ridges *ridges, int count)
{
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_HEIGHT;
    def.height.min = (dew_vec3){-2, -1, -1}, def.height.max = (dew_vec3){2, 1, 1};
    def.height.ridges = ridges, def.height.ridge_count = count;
    return def;
}

static dew_ridges ridges_of(dew_profile profile, double height, double period)
{
    dew_ridges r = dew_default_ridges();
    r.profile = profile, r.height = height, r.period = period;
    return r;
}

static shape *make(const dew_shape_def *def)
{
    shape *s = NULL;
    if (shape_create(&s, def, resolution) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

/* A surface that does not depend on y as a chain of its points (x, z): the nearest of them to a place. */
typedef struct chain {
    double x[200001], z[200001];
    int count;
} chain;

static void add_point(chain *c, double x, double z) { c->x[c->count] = x, c->z[c->count++] = z; }

static void trace(chain *c, double (*height)(double x))
{
    c->count = 0;
    double before = height(-2);
    for (int k = 0; k <= 10000; k++) {
        double x = -2 + 4e-4 * k, z = height(x);
        for (int n = 1; n < 1000 && fabs(z - before) > 0.01; n++) /* an upright wall */
            add_point(c, x - 2e-4, before + (z - before) * n / 1000);
        add_point(c, x, z);
        before = z;
    }
}

static double nearest_of(const chain *c, double x, double z)
{
    double least = INFINITY;
    for (int k = 0; k < c->count; k++)
        least = fmin(least, (c->x[k] - x) * (c->x[k] - x) + (c->z[k] - z) * (c->z[k] - z));
    return sqrt(least);
}

/* In the middle of the rectangle, within three resolutions of the surface. */
static void check_profile(const dew_shape_def *def, double (*height)(double x), double tolerance)
{
    static chain c;
    trace(&c, height);
    shape *s = make(def);
    for (int i = 0; i < 600; i++) {
        double x = 1.5 * random_number(), z = height(x) + 3 * resolution * random_number();
        dew_vec3 n, p = {x, 0.5 * random_number(), z};
        double expected = nearest_of(&c, x, z);
        if (expected < 1e-3 || z < -0.7) continue;
        double d = shape_distance_at(s, p, &n);
        if (fabs(fabs(d) - expected) > tolerance * resolution)
            fail_msg("distance %g instead of %g at (%g, %g)", d, expected, x, z);
        assert_int_equal(d < 0, z < height(x));
        assert_float_equal(vec3_length(n), 1, 1e-5);
        dew_vec3 foot = vec3_add(p, vec3_scale(-d, n));
        if (nearest_of(&c, foot.x, foot.z) > 4 * tolerance * resolution)
            fail_msg("the foot of (%g, %g) is (%g, %g), off the surface", x, z, foot.x, foot.z);
    }
    shape_destroy(s);
}

static double box_profile(double x) { return cos(2 * pi * (x - 0.1) / 0.8) > 0 ? 0.3 : 0; }
static double wave_profile(double x) { return 0.15 * (1 + cos(2 * pi * x / 0.7)); }
static double dual_profile(double x) { return box_profile(x) + (cos(2 * pi * x / 0.2) > 0 ? 0.06 : 0); }
static double dual_wave(double x) { return wave_profile(x) + 0.02 * (1 + cos(2 * pi * x / 0.2)); }

static void test_rectangular(void **state)
{
    (void)state;
    dew_ridges r = ridges_of(DEW_PROFILE_RECTANGULAR, 0.3, 0.8);
    r.shift = 0.1;
    dew_shape_def def = field_of(&r, 1);
    check_profile(&def, box_profile, 0.02);
}

static void test_sinusoidal(void **state)
{
    (void)state;
    dew_ridges r = ridges_of(DEW_PROFILE_SINUSOIDAL, 0.3, 0.7);
    dew_shape_def def = field_of(&r, 1);
    check_profile(&def, wave_profile, 0.02);
}

static void test_two_scales(void **state)
{
    (void)state;
    dew_ridges r[2] = {ridges_of(DEW_PROFILE_RECTANGULAR, 0.3, 0.8), ridges_of(DEW_PROFILE_RECTANGULAR, 0.06, 0.2)};
    r[0].shift = 0.1;
    dew_shape_def def = field_of(r, 2);
    check_profile(&def, dual_profile, 0.02);
    dew_ridges w[2] = {ridges_of(DEW_PROFILE_SINUSOIDAL, 0.3, 0.7), ridges_of(DEW_PROFILE_SINUSOIDAL, 0.04, 0.2)};
    def = field_of(w, 2);
    check_profile(&def, dual_wave, 0.02);
}

static void sloped(void *context, int count, const double *const *in, double *out)
{
    (void)context;
    for (int i = 0; i < count; i++) out[i] = 0.2 + 0.3 * in[0][i] - 0.1 * in[1][i];
}

static void test_expression(void **state)
{
    (void)state;
    dew_shape_def def = field_of(NULL, 0);
    def.height.level_of.evaluate = sloped;
    shape *s = make(&def);
    double steepness = sqrt(1 + 0.09 + 0.01);
    for (int i = 0; i < 500; i++) {
        dew_vec3 n, p = {random_number(), 0.5 * random_number(), 0};
        double away = 0.2 * random_number();
        p.z = 0.2 + 0.3 * p.x - 0.1 * p.y + away;
        assert_float_equal(shape_distance_at(s, p, &n), away / steepness, 1e-3 * resolution);
        assert_float_equal(n.x, -0.3 / steepness, 1e-4);
        assert_float_equal(n.y, 0.1 / steepness, 1e-4);
    }
    shape_destroy(s);
}

/* Ridges across both axes make pillars; the volume is that of the profile. */
static void test_volume_and_bounds(void **state)
{
    (void)state;
    dew_ridges r[2] = {ridges_of(DEW_PROFILE_RECTANGULAR, 0.3, 0.5), ridges_of(DEW_PROFILE_SINUSOIDAL, 0.2, 0.25)};
    r[0].width = 0.3, r[1].across = 1;
    dew_shape_def def = field_of(r, 2);
    def.height.level = 0.1;
    shape *s = make(&def);
    bounds b = shape_bounds(s);
    assert_float_equal(b.min.z, -1, 1e-6);
    assert_float_equal(b.max.z, 0.6, 1e-4);
    assert_float_equal(b.max.x, 2, 1e-6);
    assert_float_equal(shape_volume(s, 0.05), 4 * 2 * (1.1 + 0.3 * 0.3 + 0.1), 4e-3 * 8);
    shape_destroy(s);
}

static void expect_invalid(dew_shape_def def, const char *text)
{
    shape *s = NULL;
    assert_int_equal(shape_create(&s, &def, resolution), DEW_INVALID);
    assert_null(s);
    if (!strstr(dew_message(), text)) fail_msg("'%s' does not say '%s'", dew_message(), text);
}

static void test_mistakes(void **state)
{
    (void)state;
    dew_ridges r = ridges_of(DEW_PROFILE_RECTANGULAR, 0.3, 0.5);
    dew_shape_def def = field_of(&r, 1);
    def.height.max.z = 0.2;
    expect_invalid(def, "the surface is at z = 0.3 m");
    def.height.max.z = -2;
    expect_invalid(def, "height.max: z: max -2 m is not above min");
    def = field_of(&r, 1), def.height.level = NAN;
    expect_invalid(def, "height.level is nan");
    def = field_of(NULL, 2);
    expect_invalid(def, "height.ridges announces 2, but none is given");
    def = field_of(&r, 1);
    r.width = 1.5;
    expect_invalid(def, "height.ridges[0].width is 1.5");
    r.width = 0.5, r.period = 0;
    expect_invalid(def, "height.ridges[0].period is 0");
    r.period = 1e-4;
    expect_invalid(def, "40000 periods of ridges fit along x");
    r.period = 0.5, r.height = -1;
    expect_invalid(def, "height.ridges[0].height is -1");
    r.height = 0.1, r.across = 2;
    expect_invalid(def, "height.ridges[0].across is 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangular), cmocka_unit_test(test_sinusoidal),        cmocka_unit_test(test_two_scales),
        cmocka_unit_test(test_expression),  cmocka_unit_test(test_volume_and_bounds), cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
