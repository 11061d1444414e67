/* The trials: their table is whole, the numbers made of samples are right on known samples, the runner measures a tiny
 * scene whose course is known. */
#include "../laws/trials/probes.h"
#include "dew/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

/* Every quantity is one of dew's, every time lies in the run, every scene is read by each method that is judged by it,
 * with the settings of those without periodic axes. */
static void test_table(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; law_registry[i]; i++) {
        const law *l = law_registry[i];
        if (l->group != LAW_TRIALS) continue;
        const trial *t = l->data;
        count++;
        for (int m = 0; m < dew_method_count(); m++) {
            const dew_method_info *method = dew_method_at(m);
            if (law_lacks(l, method)) continue;
            const char *texts[1];
            dew_scene_options options = {.method = method->name, .settings = texts};
            if (t->reference) texts[options.setting_count++] = t->reference;
            dew_scene *scene;
            if (dew_scene_read_text(t->scene, l->name, &options, &scene, NULL) != DEW_OK)
                fail_msg("%s by %s: %s", l->name, method->name, dew_message());
            double end = t->duration > 0 ? t->duration : dew_scene_definition(scene)->duration;
            for (int k = 0; k < l->target_count; k++) {
                const trial_figure *f = l->targets[k].how;
                assert_true(f->is_watched || (f->reduce && f->from >= 0 && f->from < f->to && f->from < end));
                assert_int_equal(isnan(l->targets[k].right), t->reference != NULL);
            }
            dew_scene_destroy(scene);
        }
        for (int k = 0; k < l->target_count; k++) {
            const trial_figure *f = l->targets[k].how;
            char name[64];
            assert_int_equal((f->quantity != NULL) + (f->probe != NULL) + f->is_watched, 1);
            assert_true(!f->is_watched || l->targets[k].fault != LAW_OTHER);
            if (f->quantity && trial_column(f->quantity, name) < 0)
                fail_msg("%s, %s: there is no quantity %s", l->name, l->targets[k].quantity, f->quantity);
        }
    }
    assert_int_equal(count, 25);
}

static void test_columns(void **state)
{
    (void)state;
    char name[64];
    assert_int_equal(trial_column("height", name), 0);
    assert_int_equal(trial_column("front_position.z_max", name), 5);
    assert_string_equal(name, "front_position");
    assert_int_equal(trial_column("front_position", name), -1);
    assert_int_equal(trial_column("centre_of_mass.w", name), -1);
    assert_int_equal(trial_column("no_such", name), -1);
}

static series samples_of(double (*value)(double), int count, double end)
{
    series s = {0};
    for (int i = 0; i <= count; i++) assert_true(series_add(&s, end * i / count, value(end * i / count)));
    return s;
}

static double decay(double t) { return -0.3 * exp(-5 * t); }
static double wave(double t) { return exp(-0.4 * t) * cos(7 * t + 1); }
static double growth(double t) { return t < 0.1 ? NAN : 3 * sqrt(t); }
static double ramp(double t) { return 2 * t - 1; }
static double mostly_unknown(double t) { return t < 0.6 ? NAN : 1; }

/* Each reduction gives what the samples were made from. */
static void test_reductions(void **state)
{
    (void)state;
    trial_figure whole = {.from = 0, .to = 1}, late = {.from = 0.5, .to = 1};
    series s = samples_of(decay, 100, 1);
    assert_float_equal(trial_rate(&s, &whole), 5, 1e-9);
    assert_float_equal(trial_most(&s, &late), -0.3 * exp(-5), 1e-12);
    series_free(&s);
    s = samples_of(wave, 400, 4);
    trial_figure swing = {.from = 0.5, .to = 4, .number = 6};
    assert_float_equal(trial_omega(&s, &swing), 7, 1e-6);
    assert_float_equal(trial_beta(&s, &swing), 0.4, 1e-6);
    series_free(&s);
    s = samples_of(growth, 200, 1);
    assert_float_equal(trial_root(&s, &whole), 3, 1e-9);
    series_free(&s);
    s = samples_of(ramp, 33, 1);
    trial_figure reaching = {.to = 1, .number = 0.2}, never = {.to = 1, .number = 5};
    assert_float_equal(trial_reached(&s, &reaching), 0.6, 1e-9);
    assert_true(isnan(trial_reached(&s, &never)));
    assert_float_equal(trial_last(&s, &late), 1, 0);
    assert_float_equal(trial_mean(&s, &whole), 0, 1e-12);
    series_free(&s);
    s = samples_of(mostly_unknown, 100, 1);
    assert_true(isnan(trial_mean(&s, &whole)) && isnan(trial_most(&s, &whole)));
    assert_float_equal(trial_mean(&s, &late), 1, 0);
    series_free(&s);
}

/* --- the runner --- */

static const char flying[] = "spacing: 0.25 mm\n"
                             "duration: 5 ms\n"
                             "frame_rate: 400\n"
                             "gravity: [0, 0, 0]\n"
                             "materials: {water: {density: 1000, viscosity: 1 mPa s, surface_tension: 0.07}}\n"
                             "liquids:\n"
                             "  - {shape: {sphere: {centre: [0, 0, 0], radius: 1 mm}}, velocity: [0.2, 0, 0]}\n";

static const law_target figures[] = {
    {"way",
     "m",
     LAW_RELATIVE,
     {0.01, 0.01, 0.01},
     "it flies on",
     LAW_OTHER,
     &(const trial_figure){"centre_of_mass.x", NULL, trial_last, 0, 1, 0, false},
     0.2 * 5e-3},
    {"wrong",
     "m/s",
     LAW_ABSOLUTE,
     {0.01, 0.01, 0.01},
     "missed, for the drop moves on along x",
     LAW_MOMENTUM_FAULT,
     &(const trial_figure){NULL, probe_off_axis, trial_most, 0, 1, 0, false},
     1},
    {"beside",
     "m",
     LAW_RELATIVE,
     {0.1, 0.1, 0.1},
     "as far as a drop twice as fast: missed by half",
     LAW_OTHER,
     &(const trial_figure){NULL, probe_off_axis, trial_last, 0, 1, 0, false},
     NAN},
};

static void test_runner(void **state)
{
    (void)state;
    const trial data = {.scene = flying, .samples = 10, .reference = "liquids.0.velocity=[0.4, 0, 0]"};
    const law l = {.name = "trial_flying",
                   .group = LAW_TRIALS,
                   .targets = figures,
                   .target_count = 3,
                   .options = trial_options,
                   .option_count = TRIAL_OPTIONS,
                   .data = &data};
    int particles = 0;
    for (law_resolution resolution = LAW_COARSE; resolution <= LAW_MEDIUM; resolution++) {
        law_settings settings = {.threads = 1, .law = &l};
        law_results results = {0};
        assert_int_equal(trial_run(dew_method_find("sph"), resolution, &settings, &results), DEW_OK);
        assert_int_equal(results.count, 3);
        assert_true(results.list[0].has_passed && !results.list[1].has_passed && !results.list[2].has_passed);
        assert_float_equal(results.list[2].theory, 2e-3, 1e-5);
        assert_float_equal(results.list[2].error, -0.5, 0.01);
        if (resolution == LAW_COARSE)
            particles = results.list[0].particles;
        else
            assert_float_equal(results.list[0].particles * pow(0.7, 3) / particles, 1, 0.02);
        law_results_free(&results);
    }
    law_settings settings = {.texts = (const char *const[]){"spacing=1e9"}, .count = 1, .threads = 1, .law = &l};
    law_results results = {0};
    assert_int_not_equal(trial_run(dew_method_find("sph"), LAW_COARSE, &settings, &results), DEW_OK);
    law_results_free(&results);
}

/* A drop that swings: mpm tells it denser by 0.1 % at the end and by 0.6 in between, where of its few steps a user's
 * run does not look. The limit is the scene's, and last in its text. */
#define SWINGING                                                                                                       \
    "spacing: 0.25 mm\n"                                                                                               \
    "duration: 5 ms\n"                                                                                                 \
    "frame_rate: 4000\n"                                                                                               \
    "gravity: [0, 0, 0]\n"                                                                                             \
    "materials: {water: {density: 1000, viscosity: 1 mPa s, surface_tension: 0.07}}\n"                                 \
    "liquids: [{shape: {ellipsoid: {centre: [0, 0, 0], semi_axes: [1 mm, 1 mm, 1.6 mm]}}}]\n"                          \
    "watch: {density: "

static const law_target missed[] = {
    {"density",
     "1",
     LAW_ABSOLUTE,
     {0.004, 0.004, 0.004},
     "missed in between",
     LAW_DENSITY_FAULT,
     &(const trial_figure){.is_watched = true},
     0},
    {"other",
     "m",
     LAW_ABSOLUTE,
     {1e-3, 1e-3, 1e-3},
     "missed, of which no run warns",
     LAW_MOMENTUM_FAULT,
     &(const trial_figure){"height", NULL, trial_last, 0, 1, 0, false},
     1},
};

/* A run has warned where a user's own would have, and of that which is missed. */
static void test_warned(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const trial data = {.scene = k ? SWINGING "0.05 %}\n" : SWINGING "0.3 %}\n", .samples = 10};
        const law l = {.name = "trial_swinging",
                       .group = LAW_TRIALS,
                       .targets = missed,
                       .target_count = 2,
                       .options = trial_options,
                       .option_count = TRIAL_OPTIONS,
                       .data = &data};
        law_settings settings = {.threads = 1, .law = &l};
        law_results results = {0};
        assert_int_equal(trial_run(dew_method_find("mpm"), LAW_COARSE, &settings, &results), DEW_OK);
        assert_int_equal(results.count, 2);
        assert_true(!results.list[0].has_passed && !results.list[1].has_passed);
        assert_true(results.list[0].is_watched && results.list[0].has_warned == (k == 1));
        assert_true(results.list[1].is_watched && !results.list[1].has_warned);
        law_results_free(&results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),  cmocka_unit_test(test_columns), cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_runner), cmocka_unit_test(test_warned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
