/* Liquid that flows in: rates, layers, pipes, limits. */
#include "toy_set_ups.h"

static void test_emitter_flow(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    dew_simulation *s = make(&def);
    int sites = s->emitters[0].site_count;
    check_close(sites, PI * 5.5 * 5.5, 4);
    check_ok(dew_simulation_advance(s, 1.5, NULL, NULL));
    /* Layers that passed by 0.8 s, each as thick as holds its particles in the disc's area. */
    double pitch = sites * 1e-6 / (PI * 0.055 * 0.055);
    double layers = 0.37 * 0.8 / pitch, part = layers - floor(layers);
    assert_int_equal(dew_simulation_particle_count(s), (int)floor(sites * layers + 0.5));
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->particles.count; i++) {
        low = fmin(low, s->particles.position[i].z), high = fmax(high, s->particles.position[i].z);
        check_close(s->particles.velocity[i].z, -0.37, 1e-6);
    }
    check_close(low, 1 - 0.37 * 1.5 + 0.5 * pitch, 1e-4);                    /* sums of float steps */
    check_close((high - low) / pitch, floor(layers) + part / 2 - 0.5, 1e-3); /* the last one is a part of one */
    dew_simulation_destroy(s);
}

/* The mass that has come in is rate times time to half a particle, however the lattice fits into the mouth, and however
 * short it flows; what is less than half a particle is told. */
static void test_emitter_rate(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        double radius = 0.01 * (1.1 + 0.37 * k), mass;
        dew_simulation_def def = tap_definition();
        tap.shape.disc.radius = radius, tap.to = k % 3 == 2 ? 0.02 : 0.8;
        dew_simulation *s = make(&def);
        check_ok(dew_simulation_advance(s, 0.8, NULL, NULL));
        measure(s, "mass", &mass);
        check_close(mass, 1000 * PI * radius * radius * 0.37 * tap.to, 0.501 * 1000 * 1e-6);
        dew_simulation_destroy(s);
    }
    dew_simulation_def def = tap_definition();
    dew_simulation *none;
    tap.to = 1e-5;
    assert_int_equal(dew_simulation_create(&def, &none), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "of a particle; let it flow longer"));
}

/* A jet that leaves its mouth at 45 degrees has, for as much liquid, the side of an oblique cylinder, 2/pi E(1/2) sqrt
 * 2 of that of a straight one. */
static void oblique_jets_have_more_surface(void **state)
{
    (void)state;
    double side[2];
    for (int k = 0; k < 2; k++) {
        dew_simulation_def def = tap_definition();
        tap.velocity.x = k ? tap.velocity.z : 0;
        dew_simulation *s = make(&def);
        side[k] = s->emitters[0].side;
        dew_simulation_destroy(s);
    }
    check_close(side[1] / side[0], 1.2160, 1e-3);
}

/* Where a pipe is around it, an emitter is the pipe's end: nothing falls out behind, while it flows and after. In the
 * open liquid may. */
static void test_emitter_closes_a_pipe(void **state)
{
    (void)state;
    for (int has_pipe = 0; has_pipe < 2; has_pipe++) {
        dew_simulation_def def = tap_definition();
        dew_shape_def parts[2] = {dew_default_shape_def(), dew_default_shape_def()};
        for (int k = 0; k < 2; k++) {
            parts[k].kind = DEW_SHAPE_CYLINDER;
            parts[k].cylinder.from = (dew_vec3){1, 1, 0.8 - 0.1 * k};
            parts[k].cylinder.to = (dew_vec3){1, 1, 1.2 + 0.1 * k};
            parts[k].cylinder.radius = k ? 0.06 : 0.08;
        }
        dew_solid_def pipe = dew_default_solid_def();
        pipe.shape.kind = DEW_SHAPE_DIFFERENCE;
        pipe.shape.combination.children = parts, pipe.shape.combination.count = 2;
        def.solids = &pipe, def.solid_count = has_pipe;
        def.gravity = (dew_vec3){0, 0, 2}, tap.to = 0.4; /* back into the pipe */
        dew_simulation *s = make(&def);
        check_ok(dew_simulation_advance(s, 0.6, NULL, NULL));
        double high = 0;
        for (int i = 0; i < s->particles.count; i++) high = fmax(high, s->particles.position[i].z);
        if (has_pipe)
            check_close(fmax(high, 1), 1, 1e-6);
        else
            assert_true(high > 1.01);
        dew_simulation_destroy(s);
    }
}

static void test_emitter_full_and_wrong(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    def.max_particles = 1000;
    dew_simulation *s = make(&def);
    assert_string_equal(dew_simulation_notice(s), "");
    check_ok(dew_simulation_advance(s, 1, NULL, NULL));
    assert_in_range(dew_simulation_particle_count(s), 800, 1000);
    assert_non_null(strstr(dew_simulation_notice(s), "max_particles is 1000"));
    dew_simulation_destroy(s);
    def = tap_definition();
    tap.velocity.z = 0.37;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says(
        "emitters[0].velocity: the velocity (0, 0, 0.37) m/s does not lead out along the shape's normal (0, 0, -1)");
    tap.velocity.z = -1, tap.shape.disc.radius = 0.001;
    def.spacing = 0.1;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says("too small for a single particle");
}

static void test_rectangle_emitter(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    dew_shape_def r = dew_default_shape_def();
    r.kind = DEW_SHAPE_RECTANGLE;
    r.rectangle.half_u = (dew_vec3){0.05, 0, 0}, r.rectangle.half_v = (dew_vec3){0, 0.02, 0};
    r.rotation_axis = (dew_vec3){0, 1, 0}, r.rotation_angle = PI / 2; /* normal z becomes x */
    r.translation = (dew_vec3){0, 0, 3};
    tap.shape = r, tap.velocity = (dew_vec3){0.2, 0, 0.1};
    dew_simulation *s = make(&def);
    assert_int_equal(s->emitters[0].site_count, 40);
    check_close(s->emitters[0].inflow, 0.2, 1e-12);
    for (int k = 0; k < 40; k++) {
        dew_vec3 site = s->emitters[0].sites[k];
        check_close(site.x, 0, 1e-9);
        assert_true(fabs(site.y) < 0.02 && fabs(site.z - 3) < 0.05);
    }
    dew_simulation_destroy(s);
}

/* Planes of symmetry leave a quarter of a mouth: its images complete its layers, and bring four times as much. */
static void test_quarter_of_an_emitter(void **state)
{
    (void)state;
    dew_domain_def domain = {.min = {1, 1, 0}, .max = {2, 2, 2}, .axis = {DEW_SYMMETRY, DEW_SYMMETRY, DEW_OPEN}};
    emitter e;
    for (int k = 0; k < 12; k++) {
        double radius = 0.043 + 0.003 * k;
        tap_definition();
        tap.shape.disc.radius = radius;
        check_ok(emitter_create(&e, &tap, &domain, 3, 0.01));
        check_close(e.share, 0.25, 1e-12);
        for (int i = 0; i < e.site_count; i++) assert_true(e.sites[i].x - 1 > 0.0024 && e.sites[i].y - 1 > 0.0024);
        check_close(e.site_count * 1e-6 / (e.pitch * 0.25 * PI * radius * radius), 1, 1e-9); /* the flow */
        check_close(e.pitch, 0.01, 0.002);
        emitter_destroy(&e);
    }
    domain.min.x = 1.1;
    assert_int_equal(emitter_create(&e, &tap, &domain, 3, 0.01), DEW_INVALID);
    check_says("shape: all of it lies beyond the domain's planes of symmetry");
}

/* What has passed an outflow is gone, counted, and in no balance missed. */
static void test_outflow_of_a_tap(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    def.domain.min = (dew_vec3){0, 0, 0.9}, def.domain.max = (dew_vec3){2, 2, 1.2};
    def.domain.axis[2] = DEW_OUTFLOW;
    dew_simulation *s = make(&def);
    double out[2], balance, momentum[3], mass;
    measure(s, "outflow", out);
    check_close(out[0], 0, 0);
    check_ok(dew_simulation_advance(s, 0.6, NULL, NULL));
    for (int i = 0; i < s->particles.count; i++) assert_true(s->particles.position[i].z >= 0.9f);
    measure(s, "outflow", out), measure(s, "mass_balance", &balance), measure(s, "mass", &mass);
    measure(s, "momentum_balance", momentum);
    double flow = 1000 * PI * 0.055 * 0.055 * 0.37, layer = 1000 * PI * 0.055 * 0.055 * s->emitters[0].pitch;
    check_close(out[0], flow * (0.6 - 0.1 / 0.37), layer);
    check_close(out[1], out[0] / (1000 * 1e-6), 1e-6);
    check_close(balance, 0, 1e-9 * mass);
    check_close(momentum[2], 0, 1e-6 * mass * 0.37);
    check_ok(dew_simulation_advance(s, 2, NULL, NULL)); /* which has ended: all leaves */
    assert_int_equal(dew_simulation_particle_count(s), 0);
    dew_simulation_destroy(s);
}

/* Layers leave gaps behind them: next to a mouth probes tell no density, as the watch does not. Liquid goes on behind
 * it: what faces against the flow there is no surface. */
static void test_mouths(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    dew_simulation *s = make(&def);
    double told[2];
    for (int f = 0; f < 6; f++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
    measure(s, "density_error", told);
    assert_true(isnan(told[1]));
    dew_measurer *measurer;
    check_ok(dew_measurer_create(&measurer));
    dew_frame frame = *dew_simulation_frame(s);
    double flowing, cut, radius = def.emitters[0].shape.disc.radius;
    check_ok(dew_measure(measurer, &frame, "surface_area", &flowing));
    frame.mouths = NULL;
    check_ok(dew_measure(measurer, &frame, "density_error", told));
    assert_true(isfinite(told[1]));
    check_ok(dew_measure(measurer, &frame, "surface_area", &cut));
    check_close(cut - flowing, M_PI * radius * radius, 0.25 * M_PI * radius * radius);
    dew_measurer_destroy(measurer);
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_emitter_flow),
        cmocka_unit_test(test_emitter_rate),
        cmocka_unit_test(oblique_jets_have_more_surface),
        cmocka_unit_test(test_emitter_closes_a_pipe),
        cmocka_unit_test(test_emitter_full_and_wrong),
        cmocka_unit_test(test_rectangle_emitter),
        cmocka_unit_test(test_mouths),
        cmocka_unit_test(test_quarter_of_an_emitter),
        cmocka_unit_test(test_outflow_of_a_tap),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
