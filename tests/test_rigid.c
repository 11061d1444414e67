/* Rigid bodies alone: what they weigh, how they move, in contacts and in joints, and what of it is wrong. */
#include "rigid_bodies.h"

#include "solids/inside.h"

#include <math.h>
#include <stdio.h>

/* --- mass --- */

static shape_moments moments_of(dew_shape_def def, int dimension, double cell)
{
    shape *s;
    shape_moments m = {0};
    if (shape_create(&s, &def, 0.05) != DEW_OK || shape_find_moments(s, dimension, cell, &m) != DEW_OK)
        fail_msg("%s", dew_message());
    shape_destroy(s);
    return m;
}

static void check_moments(const shape_moments *m, double size, dew_vec3 centre, dew_vec3 inertia, double share)
{
    near_to(m->size, size, share);
    assert_true(vec3_length(vec3_sub(m->centre, centre)) < share * cbrt(size));
    for (int a = 0; a < 3; a++) near_to(m->inertia[a][a], vec3_at(inertia, a) * size, share);
    for (int a = 0; a < 3; a++) assert_true(fabs(m->inertia[a][(a + 1) % 3]) < share * m->inertia[a][a]);
}

/* A box as a mesh, wound outwards. */
static dew_shape_def mesh_box(double x, double y, double z, bool is_open)
{
    static double v[24];
    static const int32_t t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int k = 0; k < 8; k++) v[3 * k] = k & 1 ? x : 0, v[3 * k + 1] = k & 2 ? y : 0, v[3 * k + 2] = k & 4 ? z : 0;
    dew_shape_def s = dew_default_shape_def();
    s.kind = DEW_SHAPE_MESH;
    s.mesh.vertices = v, s.mesh.triangles = t, s.mesh.vertex_count = 8, s.mesh.triangle_count = is_open ? 11 : 12;
    return s;
}

static void shapes_weigh_what_formulas_say(void **state)
{
    (void)state;
    dew_vec3 c = {0.3, -0.2, 0.1};
    shape_moments m = moments_of(dew_sphere(c, 1), 3, 1.0 / 24);
    check_moments(&m, 4 * PI / 3, c, (dew_vec3){0.4, 0.4, 0.4}, 1e-3);
    m = moments_of(dew_box((dew_vec3){-1, -0.5, 0}, (dew_vec3){1, 0.5, 3}), 3, 1.0 / 16);
    check_moments(&m, 6, (dew_vec3){0, 0, 1.5}, (dew_vec3){10.0 / 12, 13.0 / 12, 5.0 / 12}, 1e-3);
    dew_shape_def s = dew_default_shape_def();
    s.kind = DEW_SHAPE_CYLINDER;
    s.cylinder.from = (dew_vec3){0, 0, 0}, s.cylinder.to = (dew_vec3){0, 0, 2}, s.cylinder.radius = 0.7;
    m = moments_of(s, 3, 1.0 / 24);
    double across = 0.49 / 4 + 4.0 / 12;
    check_moments(&m, 0.49 * PI * 2, (dew_vec3){0, 0, 1}, (dew_vec3){across, across, 0.245}, 1e-3);
    s.kind = DEW_SHAPE_TORUS;
    s.torus.centre = c, s.torus.axis = (dew_vec3){0, 0, 1}, s.torus.major_radius = 1, s.torus.minor_radius = 0.3;
    m = moments_of(s, 3, 1.0 / 24);
    across = 0.5 + 5 * 0.09 / 8;
    check_moments(&m, 2 * PI * PI * 0.09, c, (dew_vec3){across, across, 1 + 0.75 * 0.09}, 2e-3);
    /* A mesh exactly, in single precision of its vertices; a disc in two dimensions. */
    m = moments_of(mesh_box(1, 2, 0.5, false), 3, 0.1);
    check_moments(&m, 1, (dew_vec3){0.5, 1, 0.25}, (dew_vec3){4.25 / 12, 1.25 / 12, 5.0 / 12}, 1e-6);
    m = moments_of(dew_sphere((dew_vec3){1, 0, 0}, 1), 2, 1.0 / 24);
    near_to(m.size, PI, 1e-3), near_to(m.inertia[2][2], PI / 2, 1e-3);
}

/* Lamb's added mass: half of a ball's room; of a flat disc nearly 8/3 R^3 along its axis. */
static void liquid_is_taken_along(void **state)
{
    (void)state;
    shape *s;
    body b;
    dew_rigid_def rigid = dew_default_rigid_def();
    rigid.density = 1;
    dew_shape_def def = dew_sphere((dew_vec3){0, 0, 0}, 1);
    assert_int_equal(shape_create(&s, &def, 0.05), DEW_OK);
    assert_int_equal(body_create(&b, s, &rigid, 3, 0.05), DEW_OK);
    for (int a = 0; a < 3; a++) near_to(b.added[a], 2 * PI / 3, 2e-3);
    shape_destroy(s);
    def = dew_default_shape_def();
    def.kind = DEW_SHAPE_ELLIPSOID;
    def.ellipsoid.semi_axes = (dew_vec3){1, 1, 0.02};
    assert_int_equal(shape_create(&s, &def, 0.01), DEW_OK);
    assert_int_equal(body_create(&b, s, &rigid, 3, 0.01), DEW_OK);
    near_to(fmax(b.added[0], fmax(b.added[1], b.added[2])), 8.0 / 3, 0.03);
    shape_destroy(s);
}

/* In liquid so viscous that a step is longer than a ball takes to come to rest, whose drag is half to four times what
 * Stokes has, it soon sinks steadily; and all that it was given is in it or on its way. */
static void drag_shakes_no_body(void **state)
{
    (void)state;
    const body_surroundings honey = {.gravity = {0, 0, -10}, .density = 1000, .viscosity = 1e5, .spacing = 0.1};
    const double dt = 0.2, drag = 6 * PI * honey.viscosity;
    dew_shape_def def = dew_sphere((dew_vec3){0, 0, 0}, 1);
    dew_rigid_def rigid = dew_default_rigid_def();
    for (int k = 0; k < 8; k++) {
        shape *s;
        body b;
        double times = ldexp(0.5, k / 2), given = 0;
        rigid.density = k % 2 ? 100 : 8000; /* drag takes 900 and 11 times its momentum in a step */
        assert_int_equal(shape_create(&s, &def, 0.05), DEW_OK);
        assert_int_equal(body_create(&b, s, &rigid, 3, 0.05), DEW_OK);
        for (int n = 0; n < 120; n++) {
            double impulse = -times * drag * dt * b.state.velocity.z;
            body_move m;
            b.state.due.linear.z = impulse, b.touching = 1257; /* the whole of it */
            given += impulse + b.mass * honey.gravity.z * dt;
            body_begin_move(&b, &honey, dt, false, &m);
            body_end_move(&b, &m);
            assert_float_equal(body_momentum(&b).linear.z, given, 1e-9 * (fabs(given) + b.mass));
        }
        near_to(b.state.velocity.z, b.mass * honey.gravity.z / (times * drag), 1e-3);
        shape_destroy(s);
    }
}

/* --- solids alone --- */

static solids *make_solids(const dew_solid_def *list, int count, const dew_joint_def *joints, int joint_count)
{
    dew_simulation_def def = dew_default_simulation_def();
    def.spacing = 0.1, def.solids = list, def.solid_count = count, def.joints = joints, def.joint_count = joint_count;
    solids *s;
    if (solids_create(&s, &def) != DEW_OK) fail_msg("%s", dew_message());
    return s;
}

static const body_surroundings falling = {.gravity = {0, 0, -10}, .density = 1000, .viscosity = 1e-3, .spacing = 0.1},
                               floating = {.density = 1000, .viscosity = 1e-3, .spacing = 0.1};

static void go(solids *s, const body_surroundings *around, double dt, int steps)
{
    for (int k = 0; k < steps; k++) {
        solids_place(s, k * dt, (k + 1) * dt);
        solids_advance_bodies(s, around, dt);
        solids_advance_bodies(s, around, dt); /* which does nothing */
    }
}

static void bodies_fall_in_parabolas(void **state)
{
    (void)state;
    dew_solid_def ball = body_of("ball", dew_sphere((dew_vec3){0, 0, 0}, 1), 500);
    ball.rigid.velocity = (dew_vec3){3, 0, 4}, ball.rigid.spin = (dew_vec3){0, 2, 0};
    solids *s = make_solids(&ball, 1, NULL, 0);
    go(s, &falling, 0.01, 100);
    solid_stand b = solids_stand(s, 0);
    assert_float_equal(b.centre.x, 3, 1e-9);
    assert_float_equal(b.centre.z, -1, 1e-9);
    assert_float_equal(b.velocity.z, -6, 1e-9);
    assert_float_equal(b.rotation.y, 2, 1e-3);
    real3 rim = solids_velocity(s, 0, (real3){3, 0, 0});
    assert_float_equal((double)rim.x, 3 + 2 * 1, 1e-2); /* above the centre by 1 */
    solids_destroy(s);
}

static solid_stand turn_top(double dt, int steps, double *energy)
{
    dew_solid_def top = body_of("top", dew_box((dew_vec3){-1, -0.5, -0.2}, (dew_vec3){1, 0.5, 0.2}), 1000);
    top.rigid.spin = (dew_vec3){0.1, 2, 0.1}; /* about the middle axis: it tumbles */
    solids *s = make_solids(&top, 1, NULL, 0);
    double most = 0, first = solids_stand(s, 0).energy;
    dew_vec3 momentum = solids_momentum(s, 0).angular;
    for (int k = 0; k < steps; k++) {
        go(s, &floating, dt, 1);
        most = fmax(most, fabs(solids_stand(s, 0).energy / first - 1));
    }
    dew_vec3 off = vec3_sub(solids_momentum(s, 0).angular, momentum);
    assert_true(vec3_length(off) < 1e-12 * vec3_length(momentum));
    solid_stand b = solids_stand(s, 0);
    *energy = most;
    solids_destroy(s);
    return b;
}

/* Second order in where it is, and an energy that swings by as much and does not drift. */
static void tops_tumble(void **state)
{
    (void)state;
    double coarse, fine, finest, late;
    dew_vec3 a = turn_top(0.02, 200, &coarse).rotation, b = turn_top(0.01, 400, &fine).rotation,
             c = turn_top(0.005, 800, &finest).rotation;
    double first = vec3_length(vec3_sub(a, b)), second = vec3_length(vec3_sub(b, c));
    assert_true(first / second > 3.6 && first / second < 4.4);
    assert_true(coarse < 1e-3 && coarse / fine > 3.5 && fine / finest > 3.5);
    turn_top(0.02, 1000, &coarse);
    turn_top(0.02, 50000, &late);
    if (!(late < 1.01 * coarse)) fail_msg("%g after %g", late, coarse);
}

/* By steps of nearly a radian through 160 turns, free and in a ball joint at its centre: the energy of a body that has
 * two equal moments stays, and that of one with three swings by what a step is long and no more. The one gained 9 % and
 * the other lost 5 %; in a joint they gained until they spun about their long axis. */
static void tops_lose_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        double wide = k % 2 ? 0.2 : 0.5, most = 0;
        dew_solid_def top = body_of("top", dew_box((dew_vec3){-1, -wide, -0.2}, (dew_vec3){1, wide, 0.2}), 1000);
        top.rigid.spin = (dew_vec3){0.1, 2, 0.1};
        dew_joint_def joint = dew_default_joint_def();
        joint.kind = DEW_JOINT_BALL, joint.first = 0;
        solids *s = make_solids(&top, 1, &joint, k / 2);
        double first = solids_stand(s, 0).energy;
        for (int n = 0; n < 1250; n++) {
            go(s, &floating, 0.4, 1);
            most = fmax(most, fabs(solids_stand(s, 0).energy / first - 1));
        }
        if (!(most < (k % 2 ? 1e-11 : 0.01))) fail_msg("%d: %g of the energy", k, most);
        solids_destroy(s);
    }
}

static double resting_height(dew_shape_def form, double angle)
{
    form.rotation_axis = (dew_vec3){0, 1, 0}, form.rotation_angle = angle, form.translation.z = 0.9;
    dew_solid_def list[2] = {body_of("one", form, 500), dew_default_solid_def()};
    list[1].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    solids *s = make_solids(list, 2, NULL, 0);
    go(s, &falling, 0.005, 2000);
    solid_stand b = solids_stand(s, 0);
    if (!(vec3_length(b.velocity) < 1e-3 && vec3_length(b.spin) < 1e-2))
        fail_msg("at %g it moves by %g m/s, %g 1/s", b.centre.z, vec3_length(b.velocity), vec3_length(b.spin));
    solids_destroy(s);
    return b.centre.z;
}

static void bodies_come_to_rest(void **state)
{
    (void)state;
    near_to(resting_height(dew_sphere((dew_vec3){0, 0, 0}, 0.5), 0), 0.5, 2e-3);
    near_to(resting_height(dew_box((dew_vec3){-0.5, -0.4, -0.3}, (dew_vec3){0.5, 0.4, 0.3}), 0.4), 0.3, 5e-3);
    /* A stack of three on a floor. */
    dew_solid_def list[4];
    char names[3][4] = {"a", "b", "c"};
    for (int k = 0; k < 3; k++)
        list[k] = body_of(names[k], dew_box((dew_vec3){-0.5, -0.5, 1.02 * k}, (dew_vec3){0.5, 0.5, 1.02 * k + 1}), 500);
    list[3] = dew_default_solid_def();
    list[3].shape = dew_plane((dew_vec3){0, 0, -0.01}, (dew_vec3){0, 0, 1});
    solids *s = make_solids(list, 4, NULL, 0);
    go(s, &falling, 0.005, 2000);
    for (int k = 0; k < 3; k++) {
        solid_stand b = solids_stand(s, k);
        near_to(b.centre.z, 0.49 + k, 1e-2);
        if (!(vec3_length(b.velocity) < 1e-3 && hypot(b.centre.x, b.centre.y) < 0.01))
            fail_msg("%d: %g m/s at %g %g", k, vec3_length(b.velocity), b.centre.x, b.centre.y);
    }
    solids_destroy(s);
}

/* Down an incline a ball and a cylinder roll by 5/7 and 2/3 of what would slide: what carries them acts below their
 * middle. They were 5 to 8 % slow. */
static void what_rolls_is_not_held_back(void **state)
{
    (void)state;
    const body_surroundings incline = {.gravity = {2, 0, -10}, .density = 1000, .viscosity = 1e-3, .spacing = 0.1};
    for (int k = 0; k < 2; k++) {
        dew_solid_def list[2] = {body_of("round", dew_sphere((dew_vec3){0, 0, 0.5}, 0.5), 1000),
                                 dew_default_solid_def()};
        if (k) list[0].shape = dew_cylinder((dew_vec3){0, -1, 0.5}, (dew_vec3){0, 1, 0.5}, 0.5);
        list[0].body_friction = 0.5;
        list[1].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1}), list[1].body_friction = 0.5;
        solids *s = make_solids(list, 2, NULL, 0);
        go(s, &incline, 0.005, 200);
        solid_stand b = solids_stand(s, 0);
        near_to(b.velocity.x, 2 * (k ? 2.0 / 3 : 5.0 / 7), 0.01);
        near_to(b.spin.y * 0.5, b.velocity.x, 0.01);
        solids_destroy(s);
    }
}

/* A floor takes what a ball has got by falling, and then carries it without work. */
static void what_carries_does_no_work(void **state)
{
    (void)state;
    dew_solid_def list[2] = {body_of("ball", dew_sphere((dew_vec3){0, 0, 1}, 0.5), 1000), dew_default_solid_def()};
    list[1].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    solids *s = make_solids(list, 2, NULL, 0);
    const double weight = 10 * solids_stand(s, 0).mass;
    double work[2] = {0, 0};
    for (int k = 0; k < 1000; k++) {
        go(s, &falling, 0.002, 1);
        work[k >= 500] += solids_work(s);
    }
    near_to(work[0], weight * (solids_stand(s, 0).centre.z - 1), 0.02);
    assert_true(fabs(work[1]) < 1e-4 * weight);
    solids_destroy(s);
}

/* Two balls of mass 1 and 2 meet: momentum stays, and nothing of their approach is left. */
static void collisions_keep_momentum(void **state)
{
    (void)state;
    dew_solid_def list[2] = {body_of("a", dew_sphere((dew_vec3){0, 0, 0}, 0.5), 1000),
                             body_of("b", dew_sphere((dew_vec3){2, 0.3, 0}, 0.5), 2000)};
    list[0].rigid.velocity = (dew_vec3){1, 0, 0};
    solids *s = make_solids(list, 2, NULL, 0);
    dew_impulse before = solids_momentum(s, 0), after[2];
    go(s, &floating, 0.01, 400);
    after[0] = solids_momentum(s, 0), after[1] = solids_momentum(s, 1);
    assert_true(solids_stand(s, 1).velocity.x > 0.1);
    double size = vec3_length(before.linear);
    dew_vec3 off = vec3_sub(vec3_add(after[0].linear, after[1].linear), before.linear);
    dew_vec3 turned = vec3_sub(vec3_add(after[0].angular, after[1].angular), before.angular);
    if (!(vec3_length(off) < 1e-9 * size && vec3_length(turned) < 1e-6 * size))
        fail_msg("%g of the momentum, %g m of its moment", vec3_length(off) / size, vec3_length(turned) / size);
    solids_destroy(s);
}

/* --- joints --- */

static void joints_hold(void **state)
{
    (void)state;
    dew_solid_def rod = body_of("rod", dew_box((dew_vec3){0.1, -0.1, -0.1}, (dew_vec3){2.1, 0.1, 0.1}), 500);
    dew_joint_def hinge = dew_default_joint_def();
    hinge.first = 0, hinge.axis = (dew_vec3){0, 1, 0};
    solids *s = make_solids(&rod, 1, &hinge, 1);
    double most = 0, lowest = 0;
    for (int k = 0; k < 4000; k++) {
        go(s, &falling, 0.001, 1);
        solid_stand b = solids_stand(s, 0);
        most = fmax(most, fabs(vec3_length(b.centre) - 1.1));
        lowest = fmin(lowest, b.centre.z);
        if (!(fabs(b.centre.y) < 1e-6)) fail_msg("%d %g", k, b.centre.y);
    }
    assert_true(most < 0.01 && lowest < -1.08);
    solids_destroy(s);
    /* Angles are right-handed about the axis: about y a rod along x sinks by positive ones. */
    hinge.has_angles = true, hinge.angles.from = -PI / 2, hinge.angles.to = PI / 6;
    s = make_solids(&rod, 1, &hinge, 1);
    go(s, &falling, 0.001, 4000);
    assert_float_equal(solids_stand(s, 0).rotation.y, PI / 6, 0.01);
    solids_destroy(s);
    hinge.has_angles = false, hinge.has_motor = true, hinge.motor.speed = -3, hinge.motor.torque = 1e6;
    s = make_solids(&rod, 1, &hinge, 1);
    go(s, &falling, 0.001, 500);
    assert_float_equal(solids_stand(s, 0).spin.y, -3, 1e-6);
    assert_float_equal(solids_stand(s, 0).rotation.y, -1.5, 0.01);
    solids_destroy(s);
}

static void sliders_and_balls_hold(void **state)
{
    (void)state;
    dew_solid_def list[2] = {body_of("a", dew_sphere((dew_vec3){0, 0, 0}, 0.5), 500),
                             body_of("b", dew_sphere((dew_vec3){1.2, 0, 0}, 0.5), 500)};
    dew_joint_def joints[2] = {dew_default_joint_def(), dew_default_joint_def()};
    joints[0].kind = DEW_JOINT_SLIDER, joints[0].first = 0;
    joints[0].has_range = true, joints[0].range.from = -0.3, joints[0].range.to = 1;
    joints[1].kind = DEW_JOINT_BALL, joints[1].first = 1, joints[1].second = 0;
    joints[1].anchor = (dew_vec3){0.6, 0, 0};
    solids *s = make_solids(list, 2, joints, 2);
    go(s, &falling, 0.001, 4000);
    solid_stand a = solids_stand(s, 0), b = solids_stand(s, 1);
    assert_float_equal(a.centre.z, -0.3, 0.01);
    assert_true(hypot(a.centre.x, a.centre.y) < 0.01 && vec3_length(a.rotation) < 0.01);
    double apart = vec3_length(vec3_sub(b.centre, vec3_add(a.centre, (dew_vec3){0.6, 0, 0})));
    assert_float_equal(apart, 0.6, 0.02);
    solids_destroy(s);
    joints[0].has_drive = true, joints[0].drive.speed = 0.5, joints[0].drive.force = 1e6;
    s = make_solids(list, 1, joints, 1);
    go(s, &falling, 0.001, 1000);
    assert_float_equal(solids_stand(s, 0).velocity.z, 0.5, 1e-6);
    solids_destroy(s);
}

/* A ball that stands at an end, -0.3 or 0, with what drives it at `speed` by a force or a torque of at most `most`. */
static solid_stand driven(dew_joint_kind kind, double speed, double most, int steps)
{
    dew_solid_def ball = body_of("ball", dew_sphere((dew_vec3){0, 0, 0}, 0.5), 500);
    dew_joint_def joint = dew_default_joint_def();
    double from = speed < 0 ? -0.3 : 0, to = from + 0.3;
    joint.kind = kind, joint.first = 0;
    joint.has_range = joint.has_drive = kind == DEW_JOINT_SLIDER;
    joint.has_angles = joint.has_motor = kind == DEW_JOINT_HINGE;
    joint.range.from = joint.angles.from = from, joint.range.to = joint.angles.to = to;
    joint.drive.speed = joint.motor.speed = speed, joint.drive.force = joint.motor.torque = most;
    solids *s = make_solids(&ball, 1, &joint, 1);
    go(s, &floating, 0.001, steps);
    solid_stand stand = solids_stand(s, 0);
    solids_destroy(s);
    return stand;
}

/* Away from the end where it stands: at the motor's speed and not at all that its force could give, or by that force
 * where it is weaker. At the other end it stops, however strong the motor. */
static void motors_leave_ends(void **state)
{
    (void)state;
    const double mass = 500 * 4 * PI / 3 * 0.125, inertia = 0.4 * mass * 0.25;
    static const double speeds[] = {-0.5, 0.5}, strong[] = {1e4, 1e7, 1e15};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            double speed = speeds[k];
            near_to(driven(DEW_JOINT_SLIDER, speed, 100 * strong[i], 1).velocity.z, speed, 1e-4);
            near_to(driven(DEW_JOINT_HINGE, speed, 100 * strong[i], 1).spin.z, speed, 1e-4);
            solid_stand slid = driven(DEW_JOINT_SLIDER, speed, 100 * strong[i], 1000),
                        turned = driven(DEW_JOINT_HINGE, speed, 100 * strong[i], 1000);
            near_to(slid.centre.z, copysign(0.3, speed), 1e-3), near_to(turned.rotation.z, copysign(0.3, speed), 1e-3);
            assert_true(fabs(slid.velocity.z) < 1e-3 && fabs(turned.spin.z) < 1e-3);
        }
        near_to(driven(DEW_JOINT_SLIDER, speeds[k], 100 * mass, 1).velocity.z, copysign(0.1, speeds[k]), 1e-3);
        near_to(driven(DEW_JOINT_HINGE, speeds[k], 100 * inertia, 1).spin.z, copysign(0.1, speeds[k]), 1e-2);
    }
}

/* Joints end with a solid that is removed, whichever of the two it is; a ball whose post is gone falls. */
static void joints_end_with_solids(void **state)
{
    (void)state;
    for (int gone = 0; gone < 2; gone++) {
        dew_solid_def list[3] = {body_of("a", dew_sphere((dew_vec3){0, 0, 0}, 0.5), 500),
                                 body_of("b", dew_sphere((dew_vec3){2, 0, 0}, 0.5), 500), dew_default_solid_def()};
        list[2].shape = dew_box((dew_vec3){-9, -9, 0}, (dew_vec3){-8, -8, 1});
        dew_joint_def joints[2] = {dew_default_joint_def(), dew_default_joint_def()};
        joints[0].kind = DEW_JOINT_BALL, joints[0].first = 0, joints[0].second = 2;
        joints[0].anchor = (dew_vec3){0, 0, 1};
        joints[1].kind = DEW_JOINT_SLIDER, joints[1].first = 1, joints[1].second = 0;
        joints[1].has_drive = true, joints[1].drive.speed = 0, joints[1].drive.force = 1e6;
        solids *s = make_solids(list, 3, joints, 2);
        go(s, &falling, 0.001, 100);
        assert_true(fabs(solids_stand(s, 0).centre.z) < 0.1);
        double before = solids_stand(s, 1).velocity.z;
        solids_set(s, gone ? 2 : 0, WORLD_IS_REMOVED, 1);
        go(s, &falling, 0.001, 100);
        /* Both fall with what held a, or b alone with a. */
        solid_stand a = solids_stand(s, 0), b = solids_stand(s, 1);
        dew_vec3 fallen = gone ? vec3_scale(0.5, vec3_add(a.velocity, b.velocity)) : b.velocity;
        if (!(fallen.z < before - 0.4)) fail_msg("%d: %g after %g m/s", gone, fallen.z, before);
        if (!gone) assert_float_equal(b.velocity.z, before - 10 * 0.1, 1e-9);
        solids_destroy(s);
    }
}

/* --- wrong --- */

static void expect_failure(dew_solid_def list[2], int count, const dew_joint_def *joint, const char *text)
{
    dew_simulation_def def = dew_default_simulation_def();
    solids *s;
    def.spacing = 0.1, def.solids = list, def.solid_count = count, def.joints = joint, def.joint_count = joint != NULL;
    if (solids_create(&s, &def) == DEW_OK) fail_msg("'%s' was not found", text);
    if (!strstr(dew_message(), text)) fail_msg("'%s' is not in: %s", text, dew_message());
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    dew_solid_def list[2] = {body_of("a", dew_sphere((dew_vec3){0, 0, 0}, 0.5), NAN),
                             body_of("b", dew_sphere((dew_vec3){0.9, 0, 0}, 0.5), 500)};
    dew_joint_def joint = dew_default_joint_def();
    expect_failure(list, 1, NULL, "no mass");
    list[0].rigid.density = 500;
    expect_failure(list, 2, NULL, "the body 'a' overlaps 'b' by 0.1 m");
    list[0].rigid.mass = 2;
    expect_failure(list, 1, NULL, "not both");
    list[0].rigid.mass = NAN, list[0].rigid.inertia = (dew_vec3){1, 1, 3};
    expect_failure(list, 1, NULL, "no body has the moments");
    list[0].rigid.inertia = (dew_vec3){0, 0, 0};
    list[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    expect_failure(list, 1, NULL, "no volume; intersect it with a box");
    list[0].shape = mesh_box(1, 1, 1, true);
    expect_failure(list, 1, NULL, "not watertight");
    list[0].shape = dew_sphere((dew_vec3){0, 0, 0}, 0.5);
    dew_shape_def children[2] = {list[0].shape, dew_sphere((dew_vec3){5, 0, 0}, 0.5)};
    list[0].shape = dew_default_shape_def();
    list[0].shape.kind = DEW_SHAPE_INTERSECTION;
    list[0].shape.combination.children = children, list[0].shape.combination.count = 2;
    expect_failure(list, 1, NULL, "no volume: nothing is left");
    list[0].shape = children[0];
    dew_keyframe keys[2] = {{.time = 0}, {.time = 1}};
    list[0].motion.keyframes = keys, list[0].motion.keyframe_count = 2;
    expect_failure(list, 1, NULL, "either a motion or a rigid");
    list[0].motion.keyframe_count = 0;
    expect_failure(list, 1, &joint, "holds no rigid body");
    joint.first = 0, joint.second = 7;
    expect_failure(list, 1, &joint, "there are 1");
    joint.second = 0;
    expect_failure(list, 1, &joint, "with itself");
    joint.second = -1, joint.kind = DEW_JOINT_BALL, joint.has_motor = true;
    joint.motor.torque = 1;
    expect_failure(list, 1, &joint, "only a hinge has motor");
}

/* Held, then let go; and a solid that is taken away. */
static void bodies_are_released(void **state)
{
    (void)state;
    dew_solid_def list[2] = {body_of("ball", dew_sphere((dew_vec3){0, 0, 0.5}, 0.5), 500), dew_default_solid_def()};
    list[0].rigid.is_held = true;
    list[1].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    solids *s = make_solids(list, 2, NULL, 0);
    go(s, &falling, 0.01, 10);
    assert_true(solids_stand(s, 0).centre.z == 0.5 && vec3_length(solids_stand(s, 0).velocity) == 0);
    solids_set(s, 0, WORLD_IS_HELD, 0), solids_set(s, 1, WORLD_IS_HELD, 0);
    assert_true(solids_number(s, 0, WORLD_IS_HELD) == 0);
    go(s, &falling, 0.01, 10);
    near_to(solids_stand(s, 0).centre.z, 0.5, 1e-3);
    solids_set(s, 1, WORLD_IS_REMOVED, 1);
    go(s, &falling, 0.01, 100);
    near_to(solids_stand(s, 0).centre.z, 0.5 - 5, 0.01);
    real4 x = {0, 0, 0, 0}, d;
    int32_t which;
    solids_nearest(s, 0.2, 1, &x, &d, &which);
    assert_int_equal(which, -1);
    solids_destroy(s);
}

/* Between a floor and a lid that comes down, as it does whatever is in its way, a block and a ball have nowhere to go:
 * that is noted once, with what presses from which side. Where the lid ends above them nothing is. */
static void what_is_crushed_is_noted(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        double end = k / 2 ? -0.65 : -0.45;
        dew_shape_def form = k % 2 ? dew_sphere((dew_vec3){0, 0, 0.5}, 0.5)
                                   : dew_box((dew_vec3){-0.5, -0.5, 0}, (dew_vec3){0.5, 0.5, 1});
        dew_solid_def list[3] = {body_of("body", form, 2000), dew_default_solid_def(), dew_default_solid_def()};
        dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = {0, 0, end}}};
        list[1].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
        list[2].shape = dew_box((dew_vec3){-1, -1, 1.5}, (dew_vec3){1, 1, 2});
        list[2].motion.keyframes = keys, list[2].motion.keyframe_count = 2;
        solids *s = make_solids(list, 3, NULL, 0);
        for (int n = 0; n < 200; n++) {
            solids_place(s, n * 0.005, (n + 1) * 0.005);
            solids_advance_bodies(s, &falling, 0.005);
            solids_note_crushed(s, (n + 1) * 0.005);
        }
        solid_stand b = solids_stand(s, 0);
        if (k / 2 == 0) assert_int_equal(b.crushed_into, 0);
        if (k / 2 && !(b.crushed_into + b.crushed_by == 2 + 3 && b.crushed_depth > 0.025 && b.crushed_depth < 0.03 &&
                       b.crushed_at > 0.8 && b.crushed_at < 0.87))
            fail_msg("%d: into %d by %d, %g m at %g s", k, b.crushed_into, b.crushed_by, b.crushed_depth, b.crushed_at);
        solids_destroy(s);
    }
}

/* Of a ball in a pool to its equator the liquid touches half, of one above nothing. What is counted lies half a spacing
 * outside it, where there is a tenth more. */
static void liquid_touches_what_it_is_next_to(void **state)
{
    (void)state;
    enum { WIDE = 32, DEEP = 12 };
    static real4 x[WIDE * WIDE * DEEP];
    int count = 0;
    const double spacing = 0.1;
    for (int k = 0; k < WIDE * WIDE * DEEP; k++) {
        double place[3] = {k % WIDE - WIDE / 2 + 0.5, k / WIDE % WIDE - WIDE / 2 + 0.5, -0.5 - k / (WIDE * WIDE)};
        if (place[0] * place[0] + place[1] * place[1] + place[2] * place[2] < 100) continue;
        x[count++] = (real4){(real)(spacing * place[0]), (real)(spacing * place[1]), (real)(spacing * place[2]), 0};
    }
    for (int is_above = 0; is_above < 2; is_above++) {
        dew_solid_def ball = body_of("ball", dew_sphere((dew_vec3){0, 0, is_above * 1.15}, 1), 500);
        solids *s = make_solids(&ball, 1, NULL, 0);
        solids_place(s, 0, 0.01);
        solids_find_touching(s, count, x);
        double share = s->solid[0].body->touching * spacing * spacing / (4 * PI);
        if (is_above)
            assert_true(share == 0);
        else
            near_to(share, 0.55, 0.05);
        solids_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_weigh_what_formulas_say),
        cmocka_unit_test(liquid_is_taken_along),
        cmocka_unit_test(drag_shakes_no_body),
        cmocka_unit_test(bodies_fall_in_parabolas),
        cmocka_unit_test(tops_tumble),
        cmocka_unit_test(tops_lose_nothing),
        cmocka_unit_test(bodies_come_to_rest),
        cmocka_unit_test(what_rolls_is_not_held_back),
        cmocka_unit_test(what_carries_does_no_work),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(joints_hold),
        cmocka_unit_test(sliders_and_balls_hold),
        cmocka_unit_test(motors_leave_ends),
        cmocka_unit_test(joints_end_with_solids),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(bodies_are_released),
        cmocka_unit_test(what_is_crushed_is_noted),
        cmocka_unit_test(liquid_touches_what_it_is_next_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
