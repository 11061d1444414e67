/* Whole runs of pbf's physical mode: symmetry planes, solids that move and solids that are thin, friction, what is
 * measured of a drop at rest, and the same bytes whatever the threads and wherever a run is resumed. */
#include "dew/snapshot.h"
#include "particles/kernels.h"
#include "pbf_setup.h"

/* --- symmetry --- */

/* Half of an elongated drop, above z = 0; `children` are its shapes. */
static void begin_half_drop(setup *u, dew_shape_def children[2], double radius)
{
    children[0] = dew_default_shape_def();
    children[0].kind = DEW_SHAPE_ELLIPSOID;
    children[0].ellipsoid.semi_axes = (dew_vec3){0.95 * radius, 0.95 * radius, 1.1 * radius};
    children[1] = dew_box((dew_vec3){-1, -1, 0}, (dew_vec3){1, 1, 1});
    begin(u, dew_default_shape_def());
    u->liquids[0].shape.kind = DEW_SHAPE_INTERSECTION;
    u->liquids[0].shape.combination.children = children;
    u->liquids[0].shape.combination.count = 2;
    u->def.frame_rate = 5;
}

/* Adds to every particle its image behind z = 0. */
static void add_images(dew_simulation *s)
{
    int count = s->particles.count;
    real4 *images = calloc((size_t)count, sizeof *images);
    for (int i = 0; i < count; i++) images[i] = s->particles.position[i], images[i].z = -images[i].z;
    check_ok(particles_insert(&s->particles, count, images, NULL, 0));
    free(images);
}

/* Mean of z^2 - (x^2 + y^2)/2 over R^2: how long the drop is. */
static double elongation(const dew_simulation *s, double radius)
{
    double sum = 0, x0 = 0, y0 = 0;
    for (int i = 0; i < s->particles.count; i++) {
        x0 += (double)s->particles.position[i].x / s->particles.count;
        y0 += (double)s->particles.position[i].y / s->particles.count;
    }
    for (int i = 0; i < s->particles.count; i++) {
        double x = (double)s->particles.position[i].x - x0, y = (double)s->particles.position[i].y - y0;
        double z = (double)s->particles.position[i].z;
        sum += z * z - (x * x + y * y) / 2;
    }
    return sum / s->particles.count / (radius * radius);
}

static dew_simulation *create_half_drop(bool is_half, double radius)
{
    setup u;
    dew_shape_def children[2];
    begin_half_drop(&u, children, radius);
    if (is_half) u.def.domain.axis[2] = DEW_SYMMETRY, u.def.domain.max.z = 1;
    dew_simulation *s = create(&u);
    if (!is_half) add_images(s);
    return s;
}

/* Velocities of the half's particles by id, after two steps. */
static real4 *first_velocities(bool is_half, int *count)
{
    dew_simulation *s = create_half_drop(is_half, 6 * SPACING);
    *count = is_half ? s->particles.count : s->particles.count / 2;
    real4 *v = calloc((size_t)*count, sizeof *v);
    advance(s, 0.03);
    assert_int_equal(dew_simulation_step_count(s), 2);
    for (int i = 0; i < s->particles.count; i++)
        if (s->particles.id[i] < *count) v[s->particles.id[i]] = s->particles.velocity[i];
    dew_simulation_destroy(s);
    return v;
}

static void test_half_a_drop_begins_as_the_whole(void **state)
{
    (void)state;
    int count, half_count;
    real4 *whole = first_velocities(false, &count), *half = first_velocities(true, &half_count);
    assert_int_equal(count, half_count);
    double worst = 0, largest = 0;
    for (int i = 0; i < count; i++) {
        real3 d = real3_sub(real3_of(whole[i]), real3_of(half[i]));
        worst = fmax(worst, (double)real3_length(d));
        largest = fmax(largest, (double)real3_length(real3_of(whole[i])));
    }
    check_below(worst / largest, 1e-3, "velocities of the half against the whole's");
    free(whole), free(half);
}

/* Time of the second passage through the round shape, three quarters of a period. Later ones hang on the drop's noise:
 * a swing has lost half its height by then, and that of 1 % of the radius moves the third passage by 1 %. */
static double second_passage(dew_simulation *s, double radius, double *least)
{
    double step = 0.02, before = elongation(s, radius), passage = 0;
    *least = before;
    for (int found = 0; found < 2;) {
        assert_true(dew_simulation_time(s) < 8);
        advance(s, step);
        double now = elongation(s, radius);
        if (before * now < 0) found++, passage = dew_simulation_time(s) - step * now / (now - before);
        before = now, *least = fmin(*least, now);
    }
    return passage;
}

/* The mean of five drops: that of one scatters by 0.6 %, and halves of larger ones swing faster (1.01 of 6.6 spacings,
 * 0.98 of 9). */
static void test_half_a_drop_swings_as_the_whole(void **state)
{
    (void)state;
    enum { DROPS = 5 };
    double radii[DROPS] = {6.6, 7, 7.6, 8.4, 9}, ratio = 0, flattest = 0;
    for (int n = 0; n < DROPS; n++) {
        double times[2], least[2], radius = radii[n] * SPACING;
        for (int is_half = 0; is_half < 2; is_half++) {
            dew_simulation *s = create_half_drop(is_half, radius);
            times[is_half] = second_passage(s, radius, &least[is_half]);
            /* A particle and its image may change places, no more. */
            for (int i = 0; is_half && i < s->particles.count; i++)
                check_above(-0.5, (double)s->particles.position[i].z / SPACING, "height above the plane of symmetry");
            dew_simulation_destroy(s);
        }
        ratio += times[1] / times[0] / DROPS, flattest += least[1] / least[0] / DROPS;
        double rayleigh = 2 * PI * sqrt(DENSITY * pow(radius, 3) / (8 * TENSION));
        check_close(times[0] / (0.75 * rayleigh), 1, 0.08, "period over Rayleigh's");
    }
    check_close(ratio, 1, 0.01, "three quarters of the half's period over the whole's");
    check_close(flattest, 1, 0.08, "flattest shape of the half over the whole's");
}

/* --- solids --- */

/* Distance of the particle that is nearest to a solid, or deepest in it, in spacings. */
static double nearest(const dew_simulation *s)
{
    double least = INFINITY;
    for (int solid = 0; solid < solids_count(s->w.solids); solid++)
        for (int i = 0; i < s->particles.count; i++) {
            real4 wall;
            solids_distance(s->w.solids, solid, SPACING, 1, &s->particles.position[i], &wall);
            least = fmin(least, (double)wall.w);
        }
    return least / SPACING;
}

static const double speeds_of_solids[] = {0.05, 0.5, 4};

/* A plate a spacing thick comes from below, broader than the drop: all of it stays above. */
static void test_plate_pushes(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        setup u;
        double radius = 5 * SPACING, speed = speeds_of_solids[n];
        begin(&u, dew_sphere((dew_vec3){0, 0, radius}, radius));
        u.solids[0].shape = dew_box((dew_vec3){-2, -2, -2 * SPACING}, (dew_vec3){2, 2, -SPACING});
        set_in_motion(&u, (dew_vec3){0, 0, speed});
        u.def.solid_count = 1, u.def.frame_rate = 20 * speed;
        dew_simulation *s = create(&u);
        for (int frame = 0; frame < 12; frame++) {
            advance(s, 1 / u.def.frame_rate);
            double top = speed * dew_simulation_time(s) - SPACING, least = INFINITY;
            for (int i = 0; i < s->particles.count; i++) least = fmin(least, (double)s->particles.position[i].z - top);
            check_above(0.3, least / SPACING, "height above the plate");
        }
        dew_simulation_destroy(s);
    }
}

/* A rod through the middle of a drop: nobody inside. */
static void test_rod_passes_through(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        setup u;
        double radius = 5 * SPACING, speed = speeds_of_solids[n];
        begin(&u, dew_sphere((dew_vec3){0, 0, 0}, radius));
        u.solids[0].shape.kind = DEW_SHAPE_CAPSULE;
        u.solids[0].shape.capsule.from = (dew_vec3){-1.4 * radius, -1, 0};
        u.solids[0].shape.capsule.to = (dew_vec3){-1.4 * radius, 1, 0};
        u.solids[0].shape.capsule.radius = 1.2 * SPACING;
        u.solids[0].contact_angle = 130;
        set_in_motion(&u, (dew_vec3){speed, 0, 0});
        u.def.solid_count = 1, u.def.frame_rate = 50 * speed;
        dew_simulation *s = create(&u);
        double least = INFINITY;
        for (int frame = 0; frame < 16; frame++) {
            advance(s, 1 / u.def.frame_rate);
            least = fmin(least, nearest(s));
        }
        check_above(0.3, least, "distance from the rod");
        dew_simulation_destroy(s);
    }
}

static void test_thin_mesh_holds(void **state)
{
    (void)state;
    static const double vertices[] = {-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1};
    static const int32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double thick[24];
    for (int k = 0; k < 8; k++) {
        for (int a = 0; a < 2; a++) thick[3 * k + a] = 20 * SPACING * vertices[3 * k + a];
        thick[3 * k + 2] = 0.5 * SPACING * (vertices[3 * k + 2] - 1);
    }
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 6 * SPACING}, 5 * SPACING));
    u.liquids[0].velocity = (dew_vec3){0.1, 0, -1};
    u.solids[0].shape.kind = DEW_SHAPE_MESH;
    u.solids[0].shape.mesh.vertices = thick, u.solids[0].shape.mesh.vertex_count = 8;
    u.solids[0].shape.mesh.triangles = triangles, u.solids[0].shape.mesh.triangle_count = 12;
    u.def.solid_count = 1, u.def.frame_rate = 50;
    dew_simulation *s = create(&u);
    for (int frame = 0; frame < 10; frame++) {
        advance(s, 0.02);
        double least = INFINITY;
        for (int i = 0; i < s->particles.count; i++) least = fmin(least, (double)s->particles.position[i].z);
        check_above(0.3, least / SPACING, "height above the thin plate");
    }
    dew_simulation_destroy(s);
}

/* --- closed box --- */

static void begin_box(setup *u, double width, double height, double depth)
{
    begin(u, dew_box((dew_vec3){0, 0, 0}, (dew_vec3){width, width, depth}));
    u->def.domain.max = (dew_vec3){width, width, height};
    u->def.domain.axis[2] = DEW_WALL;
    u->liquids[0].fill = DEW_FILL_CUBIC;
}

/* A pool at rest, 8 spacings deep: the height of its centre of mass over half its level, and how much more pressure
 * there is 4 spacings deeper over the hydrostatic. */
static void settle_pool(dew_boundary sides, double gravity, double *height, double *pressure)
{
    setup u;
    double level = 8 * SPACING, low = 0, high = 0, centre[8];
    int lows = 0, highs = 0;
    begin_box(&u, 10 * SPACING, 16 * SPACING, level);
    u.def.domain.axis[0] = u.def.domain.axis[1] = sides;
    u.def.gravity = (dew_vec3){0, 0, -gravity};
    u.def.frame_rate = 5;
    u.material.viscosity = 2;
    dew_simulation *s = create(&u);
    assert_int_equal(s->particles.count, 800);
    advance(s, 2);
    check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
    check_above(0.3, nearest(s), "distance from the walls");
    dew_field field;
    assert_true(dew_simulation_field(s, "pressure", &field));
    for (int i = 0; i < s->particles.count; i++) {
        double z = (double)s->particles.position[i].z / SPACING, p = (double)((const dew_real *)field.data)[i];
        if (z > 1 && z < 3) low += p, lows++;
        if (z > 5 && z < 7) high += p, highs++;
    }
    *height = 2 * centre[2] / level;
    *pressure = (low / lows - high / highs) / (DENSITY * gravity * 4 * SPACING);
    dew_simulation_destroy(s);
}

static void test_pool_keeps_its_volume(void **state)
{
    (void)state;
    static const double gravities[] = {0.1, 2};
    double height, pressure;
    for (int n = 0; n < 2; n++) {
        settle_pool(DEW_PERIODIC, gravities[n], &height, &pressure);
        check_close(height, 1, 0.01, "height of the centre of mass over half the level");
        check_close(pressure, 1, 0.15, "pressure over the hydrostatic");
    }
    /* In edges only the nearest of two walls is counted: it is too dense there. */
    settle_pool(DEW_WALL, gravities[0], &height, &pressure);
    check_close(height, 1, 0.035, "height of the centre of mass over half the level, in a box");
}

/* Mean velocity along x of a layer that slides on the floor, after each of `count` times `step`. */
static void slide(double friction, double speed, double step, int count, double *speeds)
{
    setup u;
    double width = 8 * SPACING;
    begin_box(&u, width, 20 * SPACING, 4 * SPACING);
    u.def.domain.axis[0] = u.def.domain.axis[1] = DEW_PERIODIC;
    u.def.domain.friction = friction, u.def.domain.slip_length = INFINITY;
    u.def.gravity = (dew_vec3){0, 0, -1};
    u.material.viscosity = 8;
    u.liquids[0].velocity = (dew_vec3){speed, 0, 0};
    dew_simulation *s = create(&u);
    for (int n = 0; n < count; n++) {
        advance(s, step);
        double values[8];
        check_ok(dew_simulation_measure(s, "momentum", values));
        speeds[n] = values[0] / (s->particles.count * DENSITY * pow(SPACING, 3));
    }
    dew_simulation_destroy(s);
}

static void test_friction(void **state)
{
    (void)state;
    double speeds[5], speed = 0.2;
    slide(0, speed, 0.2, 2, speeds);
    check_close(speeds[1], speed, 1e-5 * speed, "speed without friction");
    /* Coulomb: the layer slows down by mu g = 0.5 m/s2, then stays. */
    slide(0.5, speed, 0.2, 5, speeds);
    check_close(speeds[0], speed - 0.5 * 0.2, 0.05 * speed, "speed with friction");
    check_below(fabs(speeds[4]), 0.05 * speed, "speed at the end");
}

/* --- a drop at rest --- */

static void test_drop_at_rest(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){0.3, -0.2, 0.1}, 7 * SPACING));
    u.material.viscosity = 2;
    u.def.frame_rate = 5;
    dew_simulation *s = create(&u);
    double volume = s->particles.count * pow(SPACING, 3), radius = cbrt(volume * 3 / (4 * PI));
    check_close(volume / (4 * PI / 3 * pow(7 * SPACING, 3)), 1, 0.005, "particles in the ball");
    double sum = 0;
    advance(s, 2);
    for (int n = 0; n < 10; n++) {
        advance(s, 0.04);
        sum += measure(s, "pressure_jump") / 10;
    }
    check_close(measure(s, "surface_area") / (4 * PI * radius * radius), 1, 0.015, "area over the sphere's");
    check_close(measure(s, "own_volume") / volume, 1, 0.015, "volume over the particles'");
    check_close(sum / (2 * TENSION / radius), 1, 0.15, "pressure over Laplace's");
    dew_simulation_destroy(s);
}

/* --- the same bytes --- */

/* A drop on a sticky plate that comes up and turns, beside a wall, under a tap. */
static void begin_busy(setup *u)
{
    double radius = 4 * SPACING;
    begin(u, dew_sphere((dew_vec3){0, 0, radius}, radius));
    u->liquids[0].velocity = (dew_vec3){0.1, 0, -0.2};
    u->material.viscosity = 0.5;
    u->solids[0].shape = dew_box((dew_vec3){-1, -1, -0.2}, (dew_vec3){1, 1, 0});
    u->solids[0].contact_angle = 60, u->solids[0].adhesion = 0.5, u->solids[0].friction = 0.3;
    set_in_motion(u, (dew_vec3){0.02, 0, 0.05});
    u->keys[1].rotation = (dew_vec3){0, 0, 100};
    u->solids[1].shape = dew_sphere((dew_vec3){2 * radius, 0, radius}, radius);
    u->solids[1].contact_angle = 120;
    u->def.solid_count = 2;
    u->emitter.shape.kind = DEW_SHAPE_DISC;
    u->emitter.shape.disc.centre = (dew_vec3){0, 0, 3.5 * radius};
    u->emitter.shape.disc.normal = (dew_vec3){0, 0, -1};
    u->emitter.shape.disc.radius = 3 * SPACING;
    u->emitter.velocity = (dew_vec3){0, 0, -0.4};
    u->def.emitter_count = 1;
    u->def.gravity = (dew_vec3){0, 0, -0.2};
    u->def.domain.min = (dew_vec3){0, -0.2, 0}, u->def.domain.max = (dew_vec3){0, 0.2, 0};
    u->def.domain.axis[1] = DEW_PERIODIC;
    u->def.frame_rate = 20;
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int n = 0; n < 4; n++) {
        setup u;
        begin_busy(&u);
        u.def.threads = threads[n];
        dew_simulation *s = create(&u);
        int before = s->particles.count;
        advance(s, 0.5);
        assert_true(s->particles.count > before + 20);
        uint64_t hash = dew_simulation_hash(s);
        if (n == 0) first = hash;
        if (hash != first) fail_msg("%d threads give other bytes than one", threads[n]);
        dew_simulation_destroy(s);
    }
}

static dew_snapshot_item *copy_items(dew_simulation *s, int *count)
{
    static const size_t sizes[] = {4, 8, 4, 8, 1};
    const dew_snapshot_item *items;
    check_ok(dew_simulation_snapshot(s, &items, count));
    dew_snapshot_item *copy = calloc((size_t)*count, sizeof *copy);
    for (int i = 0; i < *count; i++) {
        size_t bytes = (size_t)items[i].count * sizes[items[i].type];
        copy[i] = items[i], copy[i].name = strdup(items[i].name);
        copy[i].data = memcpy(malloc(bytes + 1), items[i].data, bytes);
    }
    return copy;
}

static void test_resumed_runs_are_the_same(void **state)
{
    (void)state;
    setup u;
    begin_busy(&u);
    dew_simulation *whole = create(&u);
    for (int cut = 0; cut < 3; cut++) {
        int count;
        dew_snapshot_item *items = copy_items(whole, &count);
        for (int frame = 0; frame < 3; frame++) check_ok(dew_simulation_advance_frame(whole, NULL, NULL));
        u.def.threads = cut + 1;
        dew_simulation *resumed = create(&u);
        check_ok(dew_simulation_restore(resumed, items, count));
        for (int frame = 0; frame < 3; frame++) check_ok(dew_simulation_advance_frame(resumed, NULL, NULL));
        assert_int_equal(dew_simulation_step_count(resumed), dew_simulation_step_count(whole));
        assert_true(dew_simulation_hash(resumed) == dew_simulation_hash(whole));
        dew_simulation_destroy(resumed);
        for (int i = 0; i < count; i++) free((void *)items[i].name), free((void *)items[i].data);
        free(items);
    }
    dew_simulation_destroy(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_a_drop_begins_as_the_whole),
        cmocka_unit_test(test_half_a_drop_swings_as_the_whole),
        cmocka_unit_test(test_plate_pushes),
        cmocka_unit_test(test_rod_passes_through),
        cmocka_unit_test(test_thin_mesh_holds),
        cmocka_unit_test(test_pool_keeps_its_volume),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_drop_at_rest),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_resumed_runs_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
