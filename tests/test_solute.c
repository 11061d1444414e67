/* What is dissolved in a liquid: diffusion against the error function, what is kept, what evaporates, the flow that it
 * drives, and what scenes may say of it. */
#include "pbf_setup.h"
#include "scene_files.h"

#define LENGTH (64 * SPACING)
#define HIGH 20.0 /* kg/m3 */

static void step_profile(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = inputs[0][i] < LENGTH / 2 ? HIGH : 0;
}

static void begin_solute(setup *u, int dimension, dew_shape_def shape)
{
    begin(u, shape);
    u->def.method = "mpm", u->def.dimension = dimension, u->def.has_solute = true;
    u->liquids[0].fill = DEW_FILL_CUBIC;
}

/* A step in a bar at rest becomes (1 - erf((x - x0)/sqrt(4 D t)))/2, and all of it stays. */
static void test_step(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        setup u;
        double across = (dimension == 2 ? 16 : 8) * SPACING, d = 1e-4, time = 0.3 * LENGTH / 2 * LENGTH / 2 / (4 * d);
        begin_solute(&u, dimension, dew_box((dew_vec3){0, 0, -across / 2}, (dew_vec3){LENGTH, across, across / 2}));
        u.material.surface_tension = 0, u.material.diffusivity = d;
        u.liquids[0].concentration_of = (dew_function){step_profile, NULL};
        u.def.frame_rate = 1 / time;
        dew_simulation *s = create(&u);
        double before = measure(s, "solute");
        advance(s, 0.3 * time);
        dew_field x, c;
        assert_true(dew_simulation_field(s, "position", &x) && dew_simulation_field(s, "concentration", &c));
        double square = 0;
        for (int i = 0; i < x.count; i++) {
            double at = (double)((const dew_real *)x.data)[(ptrdiff_t)i * x.stride] - LENGTH / 2;
            double theory = 0.5 * HIGH * (1 - erf(at / sqrt(4 * d * 0.3 * time)));
            double off = (double)((const dew_real *)c.data)[(ptrdiff_t)i * c.stride] - theory;
            square += off * off;
        }
        check_below(sqrt(square / x.count) / HIGH, 0.005, "rms of a step's profile off the error function");
        check_close(measure(s, "solute") / before, 1, 1e-6, "what is dissolved in all");
        dew_simulation_destroy(s);
    }
}

static void across(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = HIGH * (1.1 + inputs[0][i] / (10 * SPACING));
}

static void soapy(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = TENSION * fmax(0.2, 1 - 0.4 * inputs[1][i] / HIGH);
}

/* A drop that its tension of concentration sets in motion keeps what is dissolved, and its momentum. */
static void test_kept(void **state)
{
    (void)state;
    setup u;
    begin_solute(&u, 3, dew_sphere((dew_vec3){0, 0, 0}, 7 * SPACING));
    u.liquids[0].concentration_of = (dew_function){across, NULL};
    u.material.surface_tension_of_temperature = (dew_function){soapy, NULL};
    u.material.diffusivity = 1e-5, u.material.viscosity = 0.5, u.def.frame_rate = 5;
    dew_simulation *s = create(&u);
    double before = measure(s, "solute");
    advance(s, 0.6);
    check_above(1e-3, measure(s, "max_speed"), "speed of a drop richer on one side");
    check_close(measure(s, "solute") / before, 1, 1e-6, "what is dissolved in all");
    dew_simulation_destroy(s);
}

/* The free surface flows from where there is soap to where it is clean. */
static void test_soap_drives(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        setup u;
        double half = 24 * SPACING, deep = 10 * SPACING;
        begin_solute(&u, 2, dew_box((dew_vec3){-half, 0, -1}, (dew_vec3){half, deep, 1}));
        dew_shape_def pool = u.liquids[0].shape;
        u.def.domain.axis[0] = u.def.domain.axis[1] = DEW_WALL;
        u.def.domain.min = (dew_vec3){-half, 0, 0}, u.def.domain.max = (dew_vec3){half, 3 * deep, 0};
        u.def.gravity = (dew_vec3){0, -1, 0}, u.material.viscosity = 0.5;
        u.material.surface_tension_of_temperature = (dew_function){soapy, NULL};
        u.liquids[1] = u.liquids[0];
        u.liquids[0].shape = dew_box((dew_vec3){side < 0 ? -half : 0, 0, -1}, (dew_vec3){side < 0 ? 0 : half, deep, 1});
        u.liquids[0].concentration = HIGH, u.liquids[1].shape = pool;
        u.def.liquid_count = 2;
        dew_simulation *s = create(&u);
        advance(s, 0.1);
        dew_field x, v;
        assert_true(dew_simulation_field(s, "position", &x) && dew_simulation_field(s, "velocity", &v));
        double sum = 0, count = 0;
        for (int i = 0; i < x.count; i++) {
            const dew_real *at = (const dew_real *)x.data + (ptrdiff_t)i * x.stride;
            if ((double)at[1] < deep - 2 * SPACING || fabs((double)at[0]) > 6 * SPACING) continue;
            sum += (double)((const dew_real *)v.data)[(ptrdiff_t)i * v.stride], count += 1;
        }
        assert_true(count > 10);
        check_above(1e-3, -side * sum / count, "speed of the surface away from soap");
        dew_simulation_destroy(s);
    }
}

/* From a ball in which it spreads at once c goes as exp(-3 k t/R), from a disc as exp(-2 k t/R). */
static void test_evaporation(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        setup u;
        double r = 8 * SPACING, k = 1e-3, time = 0.5 * r / k / dimension;
        begin_solute(&u, dimension, dew_sphere((dew_vec3){0, 0, 0}, r));
        u.material.diffusivity = 100 * k * r, u.material.evaporation = k, u.material.surface_tension = 0;
        u.liquids[0].concentration = HIGH, u.liquids[0].fill = DEW_FILL_RELAXED;
        u.def.frame_rate = 1 / time;
        u.parameters[0] = (dew_parameter_value){"heat_step", 50, NULL}, u.def.parameter_count = 1;
        dew_simulation *s = create(&u);
        advance(s, time);
        check_close(log(measure(s, "mean_concentration") / HIGH) / -0.5, 1, 0.03, "rate of evaporation over theory");
        dew_simulation_destroy(s);
    }
}

/* A resumed run goes on as the whole one. */
static void test_restart(void **state)
{
    (void)state;
    setup u;
    begin_solute(&u, 2, dew_sphere((dew_vec3){0, 0, 0}, 7 * SPACING));
    u.liquids[0].concentration_of = (dew_function){across, NULL};
    u.material.surface_tension_of_temperature = (dew_function){soapy, NULL};
    u.material.evaporation = 1e-4, u.def.frame_rate = 20;
    dew_simulation *whole = create(&u), *resumed = create(&u);
    const dew_snapshot_item *items;
    int count;
    check_ok(dew_simulation_advance_frame(whole, NULL, NULL));
    check_ok(dew_simulation_snapshot(whole, &items, &count));
    check_ok(dew_simulation_restore(resumed, items, count));
    check_ok(dew_simulation_advance_frame(whole, NULL, NULL));
    check_ok(dew_simulation_advance_frame(resumed, NULL, NULL));
    dew_field a, b;
    assert_true(dew_simulation_field(whole, "concentration", &a) && dew_simulation_field(resumed, "concentration", &b));
    assert_int_equal(a.count, b.count);
    for (int i = 0; i < a.count; i++)
        assert_true(((const dew_real *)a.data)[(ptrdiff_t)i * a.stride] ==
                    ((const dew_real *)b.data)[(ptrdiff_t)i * b.stride]);
    dew_simulation_destroy(whole);
    dew_simulation_destroy(resumed);
}

/* --- scenes --- */

static const char scene_text[] =
    "method: mpm\ndimension: 2\nspacing: 0.2 mm\nframe_rate: 2000\n"
    "materials: {wine: {surface_tension: '0.07 - 1e-4*c', viscosity: '1e-3*(1 + c/1000)', diffusivity: 0.01 cm2/s,\n"
    "  evaporation: 0.1 mm/s}}\n"
    "liquids: [{shape: {sphere: {centre: [0, 0, 0], radius: 1 mm}}, concentration: '100 + 1e4*x'}]\n"
    "emitters: [{shape: {disc: {centre: [0, 0.01, 0], normal: [0, -1, 0], radius: 1 mm}}, velocity: [0, -1, 0],\n"
    "  concentration: 3 g/l, from: 1 s}]\n"
    "solids: [{slip_length: 0, shape: {plane: {point: [0, -1 mm, 0], normal: [0, 1, 0]}}}]\n"
    "output: {fields: [concentration, viscosity]}\n";

static void check_scene(const dew_simulation_def *d)
{
    assert_true(d->has_solute && !d->has_heat);
    check_close(d->materials[0].diffusivity, 1e-6, 1e-18, "diffusivity");
    check_close(d->materials[0].evaporation, 1e-4, 1e-16, "evaporation");
    assert_non_null(d->materials[0].surface_tension_of_temperature.evaluate);
    assert_non_null(d->liquids[0].concentration_of.evaluate);
    check_close(d->emitters[0].concentration, 3, 1e-12, "concentration");
    assert_true(d->solids[0].slip_length == 0);
}

/* What is read is what run.yaml says again. */
static void test_scene(void **state)
{
    (void)state;
    dew_scene *scene = read_good(scratch_file("wine.yaml", scene_text), NULL);
    check_scene(dew_scene_definition(scene));
    char *text = dew_scene_text(scene, NULL);
    assert_non_null(text);
    dew_scene *again = read_good(scratch_file("wine-again.yaml", text), NULL);
    check_scene(dew_scene_definition(again));
    dew_simulation *s = NULL;
    check_ok(dew_simulation_create(dew_scene_definition(again), &s));
    check_ok(dew_simulation_advance_frame(s, NULL, NULL));
    check_close(measure(s, "mean_concentration"), 100, 1, "mean concentration");
    dew_simulation_destroy(s);
    dew_scene_destroy(scene);
    dew_scene_destroy(again);
    free(text);
}

/* Definitions that cannot be. */
static void test_wrong(void **state)
{
    (void)state;
    setup u;
    dew_simulation *s;
    begin_solute(&u, 2, dew_sphere((dew_vec3){0, 0, 0}, 5 * SPACING));
    u.material.diffusivity = -1, u.material.evaporation = -2, u.liquids[0].concentration = -3;
    assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
    const char *const wanted[] = {"diffusivity is -1", "evaporation is -2", "liquids[0].concentration is -3"};
    for (int k = 0; k < 3; k++)
        if (!strstr(dew_message(), wanted[k])) fail_msg("no \"%s\" in\n%s", wanted[k], dew_message());
    begin_solute(&u, 3, dew_sphere((dew_vec3){0, 0, 0}, 5 * SPACING));
    u.def.method = "pbf";
    assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "cannot do something dissolved"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),        cmocka_unit_test(test_kept),    cmocka_unit_test(test_soap_drives),
        cmocka_unit_test(test_evaporation), cmocka_unit_test(test_restart), cmocka_unit_test(test_scene),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
