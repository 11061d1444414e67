/* mpm on walls that rub, and on walls that hold liquid: against Coulomb's law and the diffusion of momentum. */
#include "pbf_setup.h"

/* Outward normal of the floor: +y; gravity g at an angle. */
enum { SINE = 2, SPEED = 1 };
#define COSINE 3.4641016 /* of 30 degrees, times 4 m/s2 */
#define STIFF 160.0      /* Pa s: within the time of a test the block is as good as solid */

static double measured(const dew_simulation *s, const char *name, int component)
{
    double values[8];
    check_ok(dew_simulation_measure(s, name, values));
    return values[component];
}

/* A flat block on the floor y = 0 (3D: of the xz plane), without tension. */
static void begin_block(setup *u, int dimension, double friction)
{
    double deep = dimension == 2 ? 1 : 5 * SPACING;
    begin(u, dew_box((dew_vec3){0, 0, -deep}, (dew_vec3){20 * SPACING, 5 * SPACING, deep}));
    u->def.method = "mpm", u->def.dimension = dimension;
    u->material.viscosity = STIFF, u->material.surface_tension = 0;
    u->liquids[0].fill = DEW_FILL_CUBIC;
    u->solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 1, 0});
    u->solids[0].friction = friction, u->solids[0].slip_length = INFINITY, u->def.solid_count = 1;
    u->def.gravity = (dew_vec3){SINE, -COSINE, 0}, u->def.frame_rate = 100;
}

/* Mean velocity along the floor. */
static double speed_of(const dew_simulation *s, int dimension)
{
    double mass = DENSITY * pow(SPACING, dimension) * dew_simulation_particle_count(s);
    return measured(s, "momentum", 0) / mass;
}

/* On a slope of 30 degrees a block goes by g (sin - mu cos), and rests where mu > tan. */
static void test_slope(void **state)
{
    (void)state;
    const struct {
        int dimension;
        double friction;
    } cases[] = {{2, 0}, {2, 0.1}, {2, 0.3}, {2, 0.5}, {2, 0.7}, {3, 0.3}, {3, 0.7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setup u;
        begin_block(&u, cases[k].dimension, cases[k].friction);
        dew_simulation *s = create(&u);
        double begun = 0.06, time = 0.1, theory = fmax(SINE - cases[k].friction * COSINE, 0);
        advance(s, begun); /* until its weight lies on the floor */
        double before = speed_of(s, cases[k].dimension);
        advance(s, time);
        double gain = (speed_of(s, cases[k].dimension) - before) / time;
        check_close(gain / SINE, theory / SINE, k == 0 ? 1e-3 : 0.02, "acceleration on a slope over g sin");
        if (theory == 0) check_below(speed_of(s, cases[k].dimension), 0.1 * SINE * (begun + time), "speed at rest");
        dew_simulation_destroy(s);
    }
}

/* A floor that moves takes a block with it, by mu g, until both have one speed. */
static void test_moving_floor(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        setup u;
        begin_block(&u, 2, 0.3);
        u.def.gravity = (dew_vec3){0, -4, 0};
        double speed = k ? 0.05 : 10;
        set_in_motion(&u, (dew_vec3){speed, 0, 0});
        dew_simulation *s = create(&u);
        advance(s, 0.06);
        double before = speed_of(s, 2);
        advance(s, 0.1);
        if (k)
            check_close(speed_of(s, 2) / speed, 1, 0.02, "speed of a block over its floor's");
        else
            check_close((speed_of(s, 2) - before) / 0.1 / (0.3 * 4), 1, 0.03, "acceleration by a floor over mu g");
        dew_simulation_destroy(s);
    }
}

static void turning(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = SPEED * inputs[0][i];
}

/* What of the angular momentum of liquid that turns with its vessel is there a time t after the vessel began, in a
 * cylinder or a ball of radius R, by T = nu t/R^2: 1 - sum c/z^2 exp(-z^2 T), z the zeros of the Bessel function J_1,
 * c = 8, or of the spherical j_1, c = 10 (Carslaw and Jaeger's solutions for u/r). */
static double spun_up(int dimension, double t)
{
    const double pi = 3.14159265358979;
    double sum = 0;
    for (int n = 1; n <= 30; n++) {
        double b = dimension == 2 ? (n + 0.25) * pi : (n + 0.5) * pi; /* McMahon's expansion, and a few of Newton's */
        double z = dimension == 2 ? b - 3 / (8 * b) + 3 / (128 * b * b * b) : b - 1 / b;
        for (int k = 0; k < 3; k++) {
            if (dimension == 2) {
                double value = j1(z), slope = j0(z) - value / z;
                z -= value / slope;
            } else {
                z -= (tan(z) - z) / (tan(z) * tan(z));
            }
        }
        sum += (dimension == 2 ? 8 : 10) / (z * z) * exp(-z * z * t);
    }
    return 1 - sum;
}

/* Liquid that fills a vessel begins to turn with it from the wall inwards. On a wall that it slips on, it stays. What
 * it has of angular momentum the vessel has given. */
static void test_spin_up(void **state)
{
    (void)state;
    const double times[] = {0.03, 0.1};
    check_close(spun_up(2, 0), 0, 0.04, "series");
    for (int k = 0; k < 3; k++) {
        int dimension = k == 1 ? 3 : 2;
        bool is_sticky = k < 2;
        double r = (dimension == 2 ? 14 : 10) * SPACING, far = 2 * r, viscosity = 4;
        setup u;
        begin(&u, dew_sphere((dew_vec3){0, 0, 0}, r));
        u.def.method = "mpm", u.def.dimension = dimension, u.material.viscosity = viscosity;
        u.material.surface_tension = 0;
        dew_shape_def parts[2] = {dew_box((dew_vec3){-far, -far, -far}, (dew_vec3){far, far, far}), u.liquids[0].shape};
        u.solids[0].shape = dew_default_shape_def();
        u.solids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
        u.solids[0].shape.combination.children = parts, u.solids[0].shape.combination.count = 2;
        u.solids[0].slip_length = is_sticky ? 0 : INFINITY, u.def.solid_count = 1;
        u.solids[0].motion.rotation_of[2] = (dew_function){turning, NULL};
        dew_simulation *s = create(&u);
        double mass = DENSITY * pow(SPACING, dimension) * dew_simulation_particle_count(s);
        /* Of a rigid body, and what its particles have in their cells. */
        double all = mass * SPEED * ((dimension == 2 ? 0.5 : 0.4) * r * r + 2 * SPACING * SPACING), time = 0;
        for (int n = 0; n < 2; n++) {
            double wanted = times[n] * r * r * DENSITY / viscosity;
            advance(s, wanted - time), time = wanted;
            double share = measured(s, "angular_momentum", 2) / all;
            if (is_sticky)
                check_close(share, spun_up(dimension, times[n]), dimension == 2 ? 0.05 : 0.07, "angular momentum");
            else
                check_close(share, 0, 1e-3, "angular momentum in a slippery vessel");
            dew_solid_impulse got;
            assert_int_equal(dew_simulation_solid_impulse(s, 0, (dew_vec3){0}, &got), DEW_OK);
            check_close(share, -got.run.angular.z / all, 1e-4, "what the vessel has given");
        }
        dew_simulation_destroy(s);
    }
}

/* Kinetic energy over that of capillary waves of a cell, of liquid in a vessel of 90 degrees after 20 of their times.
 */
static double stirred(int dimension)
{
    const double wide = 8 * SPACING, high = 6 * SPACING, deep = dimension == 2 ? 1 : wide, out = 4 * SPACING;
    const double cut = dimension == 2 ? 1 : 0;
    setup u;
    begin(&u, dew_box((dew_vec3){-wide, 0, -deep}, (dew_vec3){wide, high, deep}));
    dew_shape_def parts[2] = {
        dew_box((dew_vec3){-wide - out, -out, -deep - out}, (dew_vec3){wide + out, 2 * high, deep + out}),
        dew_box((dew_vec3){-wide, 0, -deep - cut}, (dew_vec3){wide, 3 * high, deep + cut})};
    u.def.method = "mpm", u.def.dimension = dimension, u.def.frame_rate = 100;
    u.solids[0].shape = dew_default_shape_def(), u.solids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    u.solids[0].shape.combination.children = parts, u.solids[0].shape.combination.count = 2;
    u.solids[0].contact_angle = 90, u.def.solid_count = 1;
    dew_simulation *s = create(&u);
    advance(s, 20 * sqrt(DENSITY * pow(2 * SPACING, 3) / TENSION));
    double mass = DENSITY * pow(SPACING, dimension) * dew_simulation_particle_count(s);
    double energy = measured(s, "kinetic_energy", 0) * DENSITY * 2 * SPACING / (mass * TENSION);
    dew_simulation_destroy(s);
    return energy;
}

/* The sides of the inner edges of one solid are walls each: liquid in a vessel is still. */
static void test_still_vessel(void **state)
{
    (void)state;
    /* 2e-4 in 3D where only the nearest side is a wall */
    for (int dimension = 2; dimension <= 3; dimension++)
        check_below(stirred(dimension), 3e-5, "kinetic energy of still liquid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_moving_floor),
        cmocka_unit_test(test_spin_up),
        cmocka_unit_test(test_still_vessel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
