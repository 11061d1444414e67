/* A simulation that watches itself: what it measures on frames that are known, its balances against what a method that
 * only falls does, and that looking leaves no trace. */
#include "measure/surface.h"
#include "plain_frame.h"
#include "set_ups.h"
#include "toy_method.h"
#include <stdio.h>

static void check_close(double measured, double expected, double tolerance, const char *what)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%s: %.9g is not %.9g +- %g", what, measured, expected, tolerance);
}

static void check_ok(dew_result result)
{
    if (result != DEW_OK) fail_msg("%s", dew_message());
}

/* --- density --- */

static liquid_density density_of(const dew_frame *frame)
{
    measurement m;
    liquid_density density;
    check_ok(measurement_begin(&m, frame, NULL));
    check_ok(measure_density(&m, m.count, &density));
    return density;
}

/* A ball of a cubic lattice whose constant is `stretch` spacings, moved and turned so that nothing is special. */
static void fill_lattice(plain_frame *p, double radius, double stretch, double jitter, bool is_half)
{
    const dew_vec3 row[3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    int count = 0, n = (int)(radius / stretch) + 1;
    uint32_t seed = 1;
    for (int k = 0; k < (2 * n + 1) * (2 * n + 1) * (2 * n + 1); k++) {
        double x[3] = {k % (2 * n + 1) - n + 0.3, k / (2 * n + 1) % (2 * n + 1) - n + 0.1,
                       k / (2 * n + 1) / (2 * n + 1) - n + 0.5};
        for (int a = 0; a < 3; a++) {
            seed = seed * 1664525u + 1013904223u;
            x[a] = stretch * (x[a] + jitter * ((seed >> 8) / 16777216.0 - 0.5));
        }
        dew_vec3 at = {x[0], x[1], x[2]};
        if (vec3_length(at) > radius || (is_half && at.z < 0) || count == PLAIN_MOST) continue;
        if (!is_half) at = vec3_turned(row, at);
        p->position[count][0] = (dew_real)at.x, p->position[count][1] = (dew_real)at.y;
        p->position[count][2] = (dew_real)at.z, p->id[count] = count;
        count++;
    }
    plain_frame_count(p, count);
}

static void density_is_seen(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    const double stretches[] = {1, 0.98, 1.01, 0.8, 0.5};
    for (int k = 0; k < 5; k++) {
        fill_lattice(p, 9, stretches[k], 0, false);
        liquid_density found = density_of(&p->frame);
        double right = pow(stretches[k], -3) - 1;
        check_close(found.mean, right, 0.0005 * (1 + right), "a lattice");
        check_close(found.spread, fabs(right), 0.004 * (1 + right), "a lattice's spread");
    }
    /* Particles that are off by up to a quarter, half a spacing each way: sites know nothing of them. */
    for (int k = 1; k <= 2; k++) {
        fill_lattice(p, 12, 1, 0.5 * k, false);
        check_close(density_of(&p->frame).mean, 0, 0.0025, "with little order");
    }
    /* Of two bodies the worse one is told; single particles are loose. */
    fill_lattice(p, 8, 1, 0, false);
    int first = p->frame.particle_count;
    for (int i = 0; i < first; i++) {
        for (int a = 0; a < 3; a++) p->position[first + i][a] = (dew_real)0.99 * p->position[i][a] + (a == 0 ? 40 : 0);
        p->id[first + i] = first + i;
    }
    plain_frame_count(p, 2 * first);
    check_close(density_of(&p->frame).mean, pow(0.99, -3) - 1, 0.0005, "the denser one of two");
    assert_true(density_of(&p->frame).loose == 0);
    for (int i = 0; i < 3; i++) p->position[2 * first - 1 - i][1] += (dew_real)(30 + 10 * i);
    check_close(density_of(&p->frame).loose, 3.0 / (2 * first), 1e-12, "loose liquid");
    plain_frame_destroy(p);
}

/* Keeps what lies below a height (m). */
static void keep_below(plain_frame *p, double height)
{
    int kept = 0;
    for (int i = 0; i < p->frame.particle_count; i++)
        if (p->position[i][2] < height) memcpy(p->position[kept++], p->position[i], sizeof p->position[i]);
    plain_frame_count(p, kept);
}

/* Walls count as full: a lattice half a spacing off a plane, and between two planes. */
static void walls_are_full(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    dew_solid_def walls[2] = {dew_default_solid_def(), dew_default_solid_def()};
    walls[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    walls[1].shape = dew_plane((dew_vec3){0, 0, 4}, (dew_vec3){0, 0, -1});
    for (int count = 1; count <= 2; count++) {
        assert_true(plain_frame_solids(p, walls, count, 1));
        fill_lattice(p, 9, 1, 0, true);
        if (count == 2) keep_below(p, 4);
        check_close(density_of(&p->frame).mean, 0, 0.004, "at walls");
    }
    plain_frame_destroy(p);
}

/* The area that half a ball wets, by cells of a spacing. */
static double area_wetted(plain_frame *p, const dew_shape_def *of_solid)
{
    dew_solid_def solid = dew_default_solid_def();
    solid.shape = *of_solid;
    assert_true(plain_frame_solids(p, &solid, 1, 1));
    fill_lattice(p, 9, 1, 0, true);
    measured_surface own = {0};
    const measured_surface *surface;
    measurement m;
    check_ok(measurement_begin(&m, &p->frame, &own));
    m.cell = 1;
    check_ok(measure_surface(&m, &surface));
    double area = surface->wetted[0];
    measured_surface_clear(&own);
    return area;
}

/* The mesh of liquid on a plate two spacings thick ends at the side that it lies on. */
static void thin_plates_are_wetted_on_one_side(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    dew_shape_def plane = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    dew_shape_def plate = dew_box((dew_vec3){-20, -20, -2}, (dew_vec3){20, 20, 0});
    double right = area_wetted(p, &plane);
    check_close(area_wetted(p, &plate), right, 0.02 * right, "wetted area on a thin plate");
    plain_frame_destroy(p);
}

/* Air in a liquid is none of its density, and a film whose first layer stands off by a little is told by its mesh. */
static void air_is_not_told(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    fill_lattice(p, 9, 1, 0, false);
    int kept = 0;
    for (int i = 0; i < p->frame.particle_count; i++) {
        const dew_real *x = p->position[i];
        double from = sqrt((double)(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        if (from > 1.9) memcpy(p->position[kept++], x, sizeof p->position[i]);
    }
    plain_frame_count(p, kept);
    check_close(density_of(&p->frame).mean, 0, 0.004, "around a bubble");
    dew_solid_def plane = dew_default_solid_def();
    plane.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    assert_true(plain_frame_solids(p, &plane, 1, 1));
    plain_frame_count(p, 0);
    for (int i = 0; i < 30 * 30 * 4; i++) plain_frame_put(p, i % 30, i / 30 % 30, i / 900 + (i < 900 ? 0.6 : 0.5));
    measured_surface surface = {0};
    measurement m;
    liquid_density found;
    check_ok(measurement_begin(&m, &p->frame, &surface));
    check_ok(measure_density(&m, m.count, &found));
    measured_surface_clear(&surface);
    check_close(found.mean, 0, 0.002, "a film of four layers");
    plain_frame_destroy(p);
}

/* Liquid without an end is as dense as it is, also where particles have left the domain since they were brought back.
 */
static void places_are_those_of_the_domain(void **state)
{
    (void)state;
    enum { SIDE = 10 };
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    p->frame.domain = (dew_domain_def){.max = {SIDE, SIDE, SIDE}, .axis = {DEW_PERIODIC, DEW_PERIODIC, DEW_PERIODIC}};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        plain_frame_put(p, i % SIDE + 0.5, i / SIDE % SIDE + 0.5, i / (SIDE * SIDE) + 0.5 - 3.3 * SIDE);
    check_close(density_of(&p->frame).mean, 0, 0.002, "beyond periodic faces");
    plain_frame_destroy(p);
}

/* Films and threads, in which no kernel finds room, by their mesh: those at rest are right within what it tells, packed
 * ones are seen. */
static void thin_bodies_are_told(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    for (int k = 0; k < 12; k++) {
        bool is_thread = k % 2, is_packed = k % 4 > 1;
        int across = 2 + k / 4, count = 0, rows = is_thread ? across + 2 : across;
        for (int i = 0; i < 40 * 40 * rows; i++) {
            double y = i / 40 % 40, z = i / 1600, middle = (rows - 1) / 2.0, from = hypot(y - middle, z - middle);
            if (is_thread && from > 0.5 * (across + 1)) continue;
            p->position[count][0] = (dew_real)(is_packed ? 0.5 * (i % 40) : i % 40);
            p->position[count][1] = (dew_real)y, p->position[count][2] = (dew_real)z;
            p->id[count] = count, count++;
        }
        plain_frame_count(p, count);
        measured_surface surface = {0};
        measurement m;
        liquid_density found;
        check_ok(measurement_begin(&m, &p->frame, &surface));
        m.cell = k % 3 == 0 ? 1 : 0.5;
        check_ok(measure_density(&m, m.count, &found));
        measured_surface_clear(&surface);
        if (is_packed ? !(found.mean > 0.2) : fabs(found.mean) > 1e-9)
            fail_msg("%s %d spacings across, %s: %g", is_thread ? "thread" : "film", across,
                     is_packed ? "twice as dense" : "at rest", found.mean);
    }
    plain_frame_destroy(p);
}

/* Where a skin has parted from what it holds its mesh holds both: a lattice to 6.2 spacings from the middle and a layer
 * of particles at 8, a spacing apart, lack the gap between them and not all that is inside. A mesh lies on a layer that
 * is alone, and a tenth of a spacing is not told. */
static void parted_skins_hold_what_is_inside(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    fill_lattice(p, 6.2, 1, 0, false);
    int count = p->frame.particle_count, skin = (int)(4 * PI * 64);
    for (int k = 0; k < skin; k++, count++) {
        double z = 1 - (2 * k + 1.0) / skin, across = 8 * sqrt(1 - z * z), turn = PI * (3 - sqrt(5)) * k;
        p->position[count][0] = (dew_real)(across * cos(turn)), p->position[count][1] = (dew_real)(across * sin(turn));
        p->position[count][2] = (dew_real)(8 * z), p->id[count] = count;
    }
    plain_frame_count(p, count);
    for (int k = 0; k < 2; k++) {
        measured_surface surface = {0};
        measurement m;
        liquid_density found;
        check_ok(measurement_begin(&m, &p->frame, &surface));
        m.cell = k == 0 ? 1 : 0.5;
        check_ok(measure_density(&m, m.count, &found));
        measured_surface_clear(&surface);
        check_close(found.mean, count / (4 * PI / 3 * 8 * 8 * 8) - 1, 0.06, "a skin and what is inside");
    }
    plain_frame_destroy(p);
}

/* --- narrow liquid --- */

static double narrow_share(const dew_frame *frame)
{
    measurement m;
    double share;
    check_ok(measurement_begin(&m, frame, NULL));
    check_ok(measure_narrow_share(&m, m.count, &share));
    return share;
}

/* Balls are narrow below 4 spacings across, larger ones but for the steps of a lattice are not; films, free and on a
 * wall, likewise, but for their edges. */
static void narrow_liquid_is_told(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1);
    assert_non_null(p);
    fill_lattice(p, 9, 1, 0.3, false);
    double of_ball = narrow_share(&p->frame);
    if (!(of_ball < 0.05)) fail_msg("%g of a ball is narrow", of_ball);
    fill_lattice(p, 1.6, 1, 0, false);
    assert_true(narrow_share(&p->frame) == 1);
    dew_solid_def wall = dew_default_solid_def();
    wall.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    for (int on_wall = 0; on_wall < 2; on_wall++)
        for (int layers = 3; layers <= 6; layers += 3) {
            if (on_wall) assert_true(plain_frame_solids(p, &wall, 1, 1));
            fill_lattice(p, 12, 1, 0, true);
            keep_below(p, layers);
            double share = narrow_share(&p->frame);
            if (layers == 3) assert_true(share > 0.97);
            if (layers == 6 && !(share < 0.25)) fail_msg("%g of a film of 6 layers is narrow", share);
        }
    /* Methods differ in what they resolve. */
    fill_lattice(p, 12, 1, 0, true);
    keep_below(p, 4);
    for (int k = 0; k < dew_method_count(); k++) {
        p->frame.method = dew_method_at(k);
        double share = narrow_share(&p->frame);
        if (p->frame.method->least_across > 4 ? share < 0.97 : share > 0.2)
            fail_msg("%s: %g of a film of 4 layers is narrow", p->frame.method->name, share);
    }
    plain_frame_destroy(p);
}

/* --- what viscosity takes: of a linear field it is exact --- */

static void dissipation_is_that_of_the_field(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1e-3);
    assert_non_null(p);
    fill_lattice(p, 8, 1, 0.5, false);
    int count = p->frame.particle_count;
    for (int i = 0; i < count; i++) {
        dew_real *x = p->position[i], *v = p->velocity[i];
        for (int a = 0; a < 3; a++) x[a] *= (dew_real)1e-3;
        /* A strain, 3/s, a shear, 2/s, and a turn, which takes nothing. */
        v[0] = 3 * x[0] + 2 * x[1] - 5 * x[2], v[1] = -3 * x[1], v[2] = 5 * x[0];
    }
    measurement m;
    double rate, mu = p->material_def.viscosity;
    check_ok(measurement_begin(&m, &p->frame, NULL));
    check_ok(measure_dissipation(&m, 100, &rate));
    check_close(rate, 2 * mu * (9 + 9 + 2) * count * 1e-9, 1e-3 * rate, "2 mu D:D");
    plain_frame_destroy(p);
}

/* A layer one particle thick has no shear of its own: it has that to the wall which holds it, or lets it slip, and of
 * what slip takes, mu/b u^2, the three quarters that the first layer has. */
static void dissipation_at_a_wall(void **state)
{
    (void)state;
    const double slips[] = {0, 1e-3, INFINITY};
    for (int k = 0; k < 3; k++) {
        plain_frame *p = plain_frame_create(1e-3);
        assert_non_null(p);
        double slip = isfinite(slips[k]) ? slips[k] : 0;
        for (int i = 0; i < 900; i++) {
            plain_frame_put(p, 1e-3 * (i % 30), 1e-3 * (i / 30), 0.5e-3);
            p->velocity[i][0] = (dew_real)(3 * (0.5e-3 + slip));
        }
        dew_solid_def plate = dew_default_solid_def();
        plate.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1}), plate.slip_length = slips[k];
        assert_true(plain_frame_solids(p, &plate, 1, 1e-3));
        measurement m;
        double rate, right = isfinite(slips[k]) ? p->material_def.viscosity * 9 * (900e-9 + 0.75 * slip * 900e-6) : 0;
        check_ok(measurement_begin(&m, &p->frame, NULL));
        check_ok(measure_dissipation(&m, 900, &rate));
        check_close(rate, right, 1e-3 * right + 1e-15, "mu (du/dz)^2");
        plain_frame_destroy(p);
    }
}

/* --- balances --- */

/* Liquid that falls freely from a tap, by a method that does nothing else: every balance is 0. */
static dew_simulation *falling(set_up *u, int threads)
{
    falling_drop(u, &method_toy.info);
    u->def.solid_count = 0, u->def.threads = threads, u->def.frame_rate = 200;
    u->tap.from = 0.001;
    dew_simulation *s;
    check_ok(simulation_create_with(&method_toy, &u->def, &s));
    return s;
}

static double worst(const dew_simulation *s, dew_watched_quantity which)
{
    return fabs(dew_simulation_watched(s, which).worst);
}

static void balances_of_free_fall(void **state)
{
    (void)state;
    set_up u;
    dew_simulation *s = falling(&u, 1);
    for (int k = 0; k < 6; k++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
    check_ok(dew_simulation_look(s));
    assert_true(dew_simulation_particle_count(s) > 1000);
    double mass, balance, momentum[3];
    check_ok(dew_simulation_measure(s, "mass_balance", &mass));
    check_ok(dew_simulation_measure(s, "momentum_balance", momentum));
    check_ok(dew_simulation_measure(s, "energy_balance", &balance));
    check_close(mass, 0, 1e-12, "mass");
    for (int a = 0; a < 3; a++) check_close(momentum[a], 0, 1e-10, "momentum");
    check_close(worst(s, DEW_WATCHED_MASS), 0, 1e-9, "mass");
    check_close(worst(s, DEW_WATCHED_MOMENTUM), 0, 1e-5, "momentum");
    assert_true(dew_simulation_watched(s, DEW_WATCHED_LOOSE).limit == 0.01);
    dew_simulation_destroy(s);
}

/* A body that falls beside the liquid trades its weight's energy for motion, and nothing comes of it or goes. */
static void bodies_are_in_the_balance(void **state)
{
    (void)state;
    set_up u;
    falling_drop(&u, dew_method_find("pbf"));
    u.def.emitter_count = 0, u.def.frame_rate = 200;
    u.plate = dew_default_solid_def();
    u.plate.name = "ball", u.plate.has_rigid = true, u.plate.rigid.density = 3000;
    u.plate.shape = dew_sphere((dew_vec3){20 * MILLIMETRE, 0, 0}, 5 * MILLIMETRE);
    u.def.solids = &u.plate, u.def.solid_count = 1;
    dew_simulation *s = make(&u);
    advance_frames(s, 6);
    double balance;
    solid_stand ball = solids_stand(s->w.solids, 0);
    check_ok(dew_simulation_measure(s, "energy_balance", &balance));
    assert_true(ball.is_free && ball.energy > 0);
    check_close(balance / ball.energy, 0, 1e-3, "energy of a ball that falls");
    dew_simulation_destroy(s);
}

/* Oil that its weight drives through a channel, out of one periodic face and in by the other: what gravity has done on
 * all ways around is gone, by viscosity. */
static void gravity_drives_through_periodic_faces(void **state)
{
    (void)state;
    set_up u;
    begin(&u, dew_method_find("sph"), 0.1 * MILLIMETRE);
    u.def.frame_rate = 100, u.def.gravity = (dew_vec3){1, 0, 0};
    u.water.viscosity = 0.01, u.water.surface_tension = 0;
    u.def.domain.max = (dew_vec3){MILLIMETRE, MILLIMETRE, MILLIMETRE};
    u.def.domain.axis[0] = u.def.domain.axis[1] = DEW_PERIODIC, u.def.domain.axis[2] = DEW_WALL;
    u.drops[0].shape = dew_box((dew_vec3){0, 0, 0}, u.def.domain.max);
    u.def.liquid_count = 1;
    dew_simulation *s = make(&u);
    advance_frames(s, 40);
    double balance, ratio;
    check_ok(dew_simulation_measure(s, "energy_balance", &balance));
    check_ok(dew_simulation_measure(s, "dissipation", &ratio));
    assert_true(s->watch.record.potential_in > 2 * s->watch.record.weight); /* it went around */
    assert_true(balance < -2 * s->watch.record.weight);
    check_close(ratio, 1, 0.05, "dissipation");
    check_close(worst(s, DEW_WATCHED_ENERGY), 0, 0.001, "energy");
    dew_simulation_destroy(s);
}

/* A mouth in a plate under a drop: whether it is open yet is no matter of energy. */
static void mouths_in_walls_open_without_energy(void **state)
{
    (void)state;
    set_up u;
    falling_drop(&u, dew_method_find("pbf"));
    u.plate.contact_angle = 20, u.drops[0].velocity = (dew_vec3){0, 0, 0};
    u.drops[0].shape = dew_sphere((dew_vec3){0, 0, 0}, MILLIMETRE);
    u.tap.shape.disc.centre = (dew_vec3){0, 0, 0.5 * u.def.spacing}, u.tap.shape.disc.normal = (dew_vec3){0, 0, 1};
    u.tap.velocity = (dew_vec3){0, 0, 0.1}, u.tap.from = 0.1, u.tap.to = 0.2;
    dew_simulation *s = make(&u);
    dew_measurer *m;
    check_ok(dew_measurer_create(&m));
    double energy[3];
    for (int k = 0; k < 3; k++) {
        dew_frame frame = *dew_simulation_frame(s);
        frame.time = 0.15 * k;
        check_ok(dew_measure(m, &frame, "surface_energy", &energy[k]));
    }
    check_close(energy[1], energy[0], 1e-12, "opened");
    check_close(energy[2], energy[0], 1e-12, "closed again");
    dew_measurer_destroy(m), dew_simulation_destroy(s);
}

/* The lens of 2000 particles that fills a bowl is thin by what its lattice has in the middle, before the run has made
 * a step. */
static void a_filling_is_no_fault_of_the_run(void **state)
{
    (void)state;
    set_up u;
    begin(&u, &method_toy.info, 0.1279438862 * MILLIMETRE);
    dew_shape_def ball = dew_sphere((dew_vec3){0}, 6.768 * MILLIMETRE), lens[2] = {dew_sphere((dew_vec3){0}, 6e-3)};
    lens[1] = dew_sphere((dew_vec3){0, 0, -13.25838504 * MILLIMETRE}, 7.889037768 * MILLIMETRE);
    u.plate.shape.kind = DEW_SHAPE_SHELL;
    u.plate.shape.shell.child = &ball, u.plate.shape.shell.thickness = 0.768 * MILLIMETRE;
    u.def.solids = &u.plate, u.def.solid_count = 1;
    u.drops[0].shape.kind = DEW_SHAPE_INTERSECTION;
    u.drops[0].shape.combination.children = lens, u.drops[0].shape.combination.count = 2;
    dew_simulation *s;
    check_ok(simulation_create_with(&method_toy, &u.def, &s));
    check_ok(dew_simulation_look(s));
    dew_watched found = dew_simulation_watched(s, DEW_WATCHED_DENSITY);
    double density[2];
    measure(s, "density_error", density);
    if (!(fabs(density[0]) > found.limit)) fail_msg("%g: another lens is needed", density[0]);
    assert_false(found.is_beyond);
    dew_simulation_destroy(s);
}

/* Towards x = 0. */
static void draw_in(void *context, int count, const double *const *inputs, double *output)
{
    const double *rate = context;
    for (int i = 0; i < count; i++) output[i] = -*rate * inputs[0][i];
}

/* Liquid that becomes denser is told long before the next look, and no other. */
static void density_is_glanced_at_between_looks(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        set_up u;
        double rate = k ? 0.2 : 2;                       /* in 60 steps to 1.2 % and to 14 % more */
        begin(&u, &method_toy.info, 0.7 * DROP_SPACING); /* ten sites are to be deep, or none is told */
        set_ellipsoid(&u.drops[0], (dew_vec3){0}, (dew_vec3){0});
        u.drops[0].velocity_of[0] = (dew_function){draw_in, &rate};
        u.def.frame_rate = 200, u.def.watch.steps = 160;
        dew_simulation *s;
        check_ok(simulation_create_with(&method_toy, &u.def, &s));
        for (int frame = 0; frame < 12; frame++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        dew_watched found = dew_simulation_watched(s, DEW_WATCHED_DENSITY);
        assert_int_equal(found.is_beyond, k == 0);
        if (k == 0) check_close(found.worst, 1 / (1 - rate * found.worst_time) - 1, 0.005, "at a glance");
        assert_true(s->watch.record.look_step == 0);
        dew_simulation_destroy(s);
    }
}

/* A cube of liquid, of which other meshes see 6 % of a ball's surface less, gets 5 % of that as motion from nothing.
 * What they see less of the cube it had less from the start. */
static void a_gain_does_not_hide_behind_another_mesh(void **state)
{
    (void)state;
    plain_frame *p = plain_frame_create(1e-3);
    assert_non_null(p);
    for (int k = 0; k < 1000; k++) plain_frame_put(p, k % 10 * 1e-3, k / 10 % 10 * 1e-3, k / 100 * 1e-3);
    watch w = {.tension_field = -1, .look_steps = 1};
    w.limits.limit[DEW_WATCHED_ENERGY] = 0.05;
    check_ok(watch_begin(&w, &p->frame));
    const dew_material_def *water = &p->material_def;
    double ball = water->surface_tension * cbrt(36 * PI * 1e-12), gain = 0.05 * ball;
    for (int i = 0; i < 1000; i++)
        p->velocity[i][0] = (dew_real)((i % 2 ? 1 : -1) * sqrt(2 * gain / (1000 * water->density * 1e-9)));
    p->frame.time = 1; /* the start is in no average any more */
    check_ok(watch_frame(&w, &p->frame, 1, true));
    double told = w.record.worst[DEW_WATCHED_ENERGY] * fmax(w.record.excess, 0.2 * ball);
    check_close(told, gain, 0.15 * gain, "energy from nothing");
    plain_frame_destroy(p);
}

/* The same record for any number of threads and after a restore; a look at the end leaves none. */
static void looking_leaves_no_trace(void **state)
{
    (void)state;
    set_up u, v;
    watch_record first, other;
    dew_simulation *s = falling(&u, 1);
    dew_snapshot_item *half = NULL;
    int items = 0;
    for (int k = 0; k < 6; k++) {
        if (k == 3) check_ok(dew_simulation_snapshot_copy(s, &half, &items));
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
    }
    first = s->watch.record;
    check_ok(dew_simulation_look(s));
    assert_memory_equal(&first, &s->watch.record, sizeof first);
    dew_simulation *t = falling(&v, 3);
    for (int k = 0; k < 2; k++) check_ok(dew_simulation_advance_frame(t, NULL, NULL));
    check_ok(dew_simulation_look(t));
    check_ok(dew_simulation_restore(t, half, items));
    for (int k = 0; k < 3; k++) check_ok(dew_simulation_advance_frame(t, NULL, NULL));
    other = t->watch.record;
    assert_memory_equal(&first, &other, sizeof first);
    free(half);
    dew_simulation_destroy(s), dew_simulation_destroy(t);
}

/* A drop that swings and liquid that flows in from a tap: no energy comes from nothing. */
static void methods_keep_their_balances(void **state)
{
    (void)state;
    for (int k = 0; k < dew_method_count(); k++) {
        set_up u;
        const dew_method_info *info = dew_method_at(k);
        if (!(info->features & DEW_FEATURE_3D)) continue;
        falling_drop(&u, info);
        u.def.solid_count = 0;
        dew_simulation *s;
        check_ok(dew_simulation_create(&u.def, &s));
        for (int frame = 0; frame < 8; frame++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        check_ok(dew_simulation_look(s));
        check_close(worst(s, DEW_WATCHED_MASS), 0, 1e-9, info->name);
        check_close(worst(s, DEW_WATCHED_MOMENTUM), 0, 1e-3, info->name);
        check_close(worst(s, DEW_WATCHED_ENERGY), 0, 0.05, info->name);
        dew_simulation_destroy(s);
    }
}

/* What a method adds to the viscosity of its own is in the run's own account, from its first step on. */
static void own_viscosity_is_watched(void **state)
{
    (void)state;
    for (int k = 0; k < dew_method_count(); k++) {
        set_up u;
        falling_drop(&u, dew_method_at(k));
        u.def.emitter_count = 0;
        u.def.watch.limit[DEW_WATCHED_VISCOSITY] = 0.1;
        double share[2];
        for (int thick = 0; thick < 2; thick++) {
            u.water.viscosity = thick ? 1 : 1e-3;
            dew_simulation *s = make(&u);
            advance_frames(s, 1);
            assert_int_equal(dew_simulation_look(s), DEW_OK);
            dew_watched found = dew_simulation_watched(s, DEW_WATCHED_VISCOSITY);
            share[thick] = found.worst;
            assert_int_equal(found.is_beyond, !thick);
            dew_simulation_destroy(s);
        }
        if (!(share[0] > 0.1 && share[1] < 0.01 * share[0]))
            fail_msg("%s: %g, %g times the material's", dew_method_at(k)->name, share[0], share[1]);
    }
}

/* A drop's flight is energy that a plate lets it have; what flies on has none to give. */
static void what_a_wall_stops_is_there_to_give(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * dew_method_count(); k++) {
        set_up u;
        const dew_method_info *info = dew_method_at(k / 2);
        falling_drop(&u, info);
        u.def.emitter_count = 0, u.def.solid_count = k % 2, u.def.gravity = (dew_vec3){0, 0, 0};
        dew_simulation *s = make(&u);
        advance_frames(s, 8);
        assert_int_equal(dew_simulation_look(s), DEW_OK);
        const watch_record *r = &s->watch.peeked;
        if (k % 2 ? r->stopped < 0.3 * r->drift : r->stopped > 1e-3 * r->drift)
            fail_msg("%s: %g J of %g are stopped", info->name, r->stopped, r->drift);
        check_close(worst(s, DEW_WATCHED_ENERGY), 0, 0.05, info->name);
        dew_simulation_destroy(s);
    }
}

/* A ball of jelly gives its motion to its strain, and has it back: the watch knows both. */
static void a_jelly_bounces(void **state)
{
    (void)state;
    set_up u;
    falling_drop(&u, dew_method_find("mpm"));
    u.def.emitter_count = 0, u.def.gravity = (dew_vec3){0, 0, 0};
    u.water.youngs_modulus = 3000, u.water.surface_tension = 0;
    u.drops[0].shape = dew_sphere((dew_vec3){0, 0, 1.2 * MILLIMETRE}, MILLIMETRE);
    dew_simulation *s = make(&u);
    double start, kinetic, elastic, most = 0, kept = 1, balance;
    measure(s, "kinetic_energy", &start);
    for (int frame = 0; frame < 30; frame++) {
        advance_frames(s, 1);
        measure(s, "kinetic_energy", &kinetic);
        measure(s, "elastic_energy", &elastic);
        measure(s, "energy_balance", &balance);
        most = fmax(most, elastic), kept = fmin(kept, (kinetic + elastic) / start);
        check_close(kinetic + elastic - start, balance, 1e-6 * start, "all there is");
        assert_true(balance < 0.01 * start);
    }
    assert_true(most > 0.6 * start && kept > 0.5);
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(density_is_seen),
        cmocka_unit_test(thin_plates_are_wetted_on_one_side),
        cmocka_unit_test(air_is_not_told),
        cmocka_unit_test(walls_are_full),
        cmocka_unit_test(places_are_those_of_the_domain),
        cmocka_unit_test(thin_bodies_are_told),
        cmocka_unit_test(parted_skins_hold_what_is_inside),
        cmocka_unit_test(narrow_liquid_is_told),
        cmocka_unit_test(dissipation_is_that_of_the_field),
        cmocka_unit_test(dissipation_at_a_wall),
        cmocka_unit_test(balances_of_free_fall),
        cmocka_unit_test(bodies_are_in_the_balance),
        cmocka_unit_test(gravity_drives_through_periodic_faces),
        cmocka_unit_test(mouths_in_walls_open_without_energy),
        cmocka_unit_test(a_filling_is_no_fault_of_the_run),
        cmocka_unit_test(density_is_glanced_at_between_looks),
        cmocka_unit_test(a_gain_does_not_hide_behind_another_mesh),
        cmocka_unit_test(looking_leaves_no_trace),
        cmocka_unit_test(methods_keep_their_balances),
        cmocka_unit_test(own_viscosity_is_watched),
        cmocka_unit_test(what_a_wall_stops_is_there_to_give),
        cmocka_unit_test(a_jelly_bounces),
    };
    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
