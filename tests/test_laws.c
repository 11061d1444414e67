/* The laws: their measurements on known points, and their theory against the reference data. (The methods are held
 * against the laws by tools/quick_laws.py.) */
#include "../laws/bashforth_adams.h"
#include "../laws/floating.h"
#include "../laws/law.h"
#include "../laws/measure.h"
#include "../laws/theory.h"
#include "reference_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

/* --- measurements --- */

static double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0 - 0.5;
}

static void test_sphere_through_a_cap(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    double points[3 * COUNT], centre[3] = {3, -1, 20};
    uint32_t seed = 1;
    for (int i = 0; i < COUNT; i++) { /* the upper third of a sphere of radius 2, roughened */
        double c = 1 - 0.66 * (i + 0.5) / COUNT, s = sqrt(1 - c * c), a = 2.39996 * i, r = 2 + 0.01 * noise(&seed);
        points[3 * i] = centre[0] + r * s * cos(a);
        points[3 * i + 1] = centre[1] + r * s * sin(a);
        points[3 * i + 2] = centre[2] + r * c;
    }
    sphere_fit fit = fit_sphere(3, COUNT, points);
    assert_float_equal(fit.radius, 2, 3e-3);
    assert_float_equal(fit.centre.z, 20, 3e-3);
    assert_float_equal(fit.centre.x, 3, 1e-3);
    assert_float_equal(fit.deviation, 0.01 / sqrt(12), 1e-3);
    assert_true(isnan(fit_sphere(3, 3, points).radius));
    for (int i = 0; i < COUNT; i++) points[3 * i + 2] = 0; /* a flat patch determines none */
    sphere_fit flat = fit_sphere(3, COUNT, points);
    assert_true(isnan(flat.radius) || flat.radius > 0);
    for (int i = 0; i < COUNT; i++) { /* an arc of 60 degrees, roughened: a circle in two dimensions */
        double a = (60 + 60 * (i + 0.5) / COUNT) * acos(-1.0) / 180, r = 2 + 0.01 * noise(&seed);
        points[3 * i] = 3 + r * cos(a), points[3 * i + 1] = -1 + r * sin(a);
    }
    fit = fit_sphere(2, COUNT, points);
    assert_float_equal(fit.radius, 2, 0.02);
    assert_float_equal(fit.centre.x, 3, 5e-3);
    assert_float_equal(fit.centre.y, -1, 0.02);
    assert_true(fit.centre.z == 0 && isnan(fit_sphere(2, 2, points).radius));
}

static void test_decaying_wave(void **state)
{
    (void)state;
    series s = {0};
    uint32_t seed = 7;
    for (int i = 0; i < 500; i++) {
        double t = 0.01 * i;
        assert_true(series_add(&s, t, 0.1 + exp(-0.3 * t) * cos(3 * t + 0.4) + 0.01 * noise(&seed)));
    }
    decay_fit fit = fit_decay(&s, 0.5, 5, 3.3);
    assert_float_equal(decay_value(&fit, 1), 0.1 + exp(-0.3) * cos(3.4), 3e-3);
    assert_float_equal(series_largest(&s, 0, 0.1), 1.1 * cos(0.4), 0.15);
    assert_float_equal(series_mean(&s, 2, 2), s.value[200], 0);
    assert_true(isnan(series_mean(&s, 6, 7)) && isnan(series_largest(&s, 6, 7)));
    assert_float_equal(fit.omega, 3, 3e-3);
    assert_float_equal(fit.beta, 0.3, 3e-3);
    assert_float_equal(fit.offset, 0.1, 1e-3);
    assert_float_equal(fit.amplitude, exp(-0.15), 3e-3);
    assert_true(isnan(fit_decay(&s, 4.99, 5, 3).omega)); /* too few values */
    series_free(&s);
}

/* --- theory --- */

static void test_catenoid_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("catenoid/catenoid.csv");
    double row[2];
    int rows = 0;
    for (; next_row(file, row, 2); rows++)
        if (row[0] < 1.3254) assert_float_equal(theory_catenoid_neck(row[0]), row[1], 1e-6);
    fclose(file);
    assert_true(rows > 20);
}

static void test_drop_mode_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("oscillation/lamb_viscous_exact.csv");
    double row[5];
    int rows = 0;
    while (next_row(file, row, 5)) {
        if (row[1] != 2) continue;
        double omega, beta;
        theory_drop_mode((int)row[0], row[2], &omega, &beta);
        assert_float_equal(omega, row[3], 1e-6);
        assert_float_equal(beta, row[4], 1e-6);
        rows++;
    }
    fclose(file);
    assert_true(rows > 15);
    double omega, beta;
    theory_drop_mode(3, 0, &omega, &beta);
    assert_float_equal(omega, sqrt(8), 1e-6);
    theory_drop_mode(2, 0, &omega, &beta);
    assert_float_equal(omega, sqrt(6), 1e-6);
    theory_drop_mode(2, 1e-3, &omega, &beta); /* Lamb's 2 n (n - 1) nu/R^2, of the interior alone */
    assert_float_equal(beta, 4e-3, 0.02 * beta);
    theory_drop_mode(3, 1, &omega, &beta);
    assert_true(isnan(omega));
}

static void test_cap_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("contact_angle/spherical_cap.csv");
    double row[4], height, far_height;
    int rows = 0;
    for (; next_row(file, row, 4); rows++) {
        double cosine = cos(row[0] * acos(-1.0) / 180), radius = theory_cap_radius(0, cosine, 1, &height);
        assert_float_equal(radius, row[3], 1e-6 * row[3]);
        assert_float_equal(height + radius, row[1], 1e-5);
        if (row[0] < 20) continue;
        /* A very large ball is as good as a plane. */
        assert_float_equal(theory_cap_radius(1e4, cosine, 1, &far_height), radius, 2e-3 * radius);
        assert_float_equal(far_height - 1e4, height, 1e-2);
    }
    fclose(file);
    assert_true(rows > 30);
}

/* A bowl so large is as good as a plane, and a drop in a bowl of its own size fills it. */
static void test_cap_in_a_bowl(void **state)
{
    (void)state;
    double height, plane_height, cosine = cos(1.0), radius = theory_cap_radius(0, cosine, 1, &plane_height);
    assert_float_equal(theory_cap_radius(-1e4, cosine, 1, &height), radius, 2e-3 * radius);
    assert_float_equal(height + 1e4, plane_height, 1e-2);
    /* Of two spheres of radius 3 and b, centres d apart: cos = (d^2 - 9 - b^2)/(6 b). */
    double b = theory_cap_radius(-3, cosine, 4, &height);
    assert_true(height < 0);
    assert_float_equal((height * height - 9 - b * b) / (6 * b), cosine, 1e-9);
}

/* A segment of a circle: half a disc at 90 degrees, all but a disc at 180; its energy is least at the contact angle. */
static void test_segments(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    double height, solid_height;
    assert_float_equal(theory_cap(2, 0, pi / 2, &height), 1, 1e-12);
    assert_float_equal(height, 0, 1e-12);
    assert_float_equal(theory_cap(2, cos(179.5 * pi / 180), pi, &height), 1, 1e-5);
    assert_float_equal(theory_cap(2, 0.5, pi / 3 - sqrt(3) / 4, &height), 1, 1e-12);
    assert_float_equal(height, -0.5, 1e-12);
    assert_float_equal(theory_cap(3, 0.5, 2, &height), theory_cap_radius(0, 0.5, 2, &solid_height), 0);
    assert_float_equal(height, solid_height, 0);
    assert_float_equal(theory_segment_energy(90, 90, pi / 2), pi, 1e-12);
    for (double theta = 20; theta < 160; theta += 20) {
        double rest = theory_segment_energy(theta, theta, 1);
        assert_true(rest < theory_segment_energy(theta - 1, theta, 1));
        assert_true(rest < theory_segment_energy(theta + 1, theta, 1));
    }
}

/* A cap's energy is least at the contact angle; with none it is a ball's. On a plane both are known: of 125 degrees
 * where the angle is 150 it is more than a ball's. */
static void test_cap_energy(void **state)
{
    (void)state;
    const double pi = acos(-1.0), volume = 4 * pi / 3, bends[] = {0, 2.5, -4};
    for (int k = 0; k < 3; k++)
        for (double theta = 40; theta < 160; theta += 20) {
            double rest = theory_cap_energy(bends[k], theta, theta, volume);
            assert_true(rest < theory_cap_energy(bends[k], theta - 1, theta, volume));
            assert_true(rest < theory_cap_energy(bends[k], theta + 1, theta, volume));
            assert_float_equal(theory_cap_energy(bends[k], 179, theta, volume), 4 * pi, 1e-2);
        }
    assert_float_equal(theory_cap_energy(0, 90, 90, volume), 2 * pi * cbrt(4), 1e-9);
    assert_float_equal(theory_cap_energy(0, 150, 150, volume), 12.512, 2e-3);
    assert_true(theory_cap_energy(0, 125, 150, volume) > 4 * pi);
}

static void test_sessile_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("sessile/sessile_bashforth_adams.csv");
    double row[8];
    int rows = 0;
    for (; next_row(file, row, 8); rows++) {
        if (row[1] > 50) continue;
        drop_profile profile;
        drop_sessile(row[1], row[0] * acos(-1.0) / 180, &profile);
        assert_float_equal(profile.foot.z, row[2], 1e-6);
        assert_float_equal(profile.foot.r, row[3], 1e-6);
        assert_float_equal(1 / profile.curvature, row[7], 1e-6 * row[7]);
        assert_float_equal(profile.foot.volume, 1, 1e-6);
    }
    fclose(file);
    assert_true(rows > 30);
}

static void test_pendant_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("pendant/pendant_max_volume.csv");
    double row[9], volumes[400], heights[400];
    int rows = 0;
    for (; next_row(file, row, 9); rows++) {
        drop_profile profile;
        if (row[0] < 0.01) continue;
        drop_pendant_largest(row[0], &profile);
        assert_float_equal(profile.foot.volume, row[1], 1e-5 * row[1]);
        assert_float_equal(profile.foot.r, 1, 1e-6);
        assert_float_equal(profile.foot.z, row[8], 1e-3 * row[8]); /* at a maximum of V the height is ill determined */
        if (row[0] < 0.1) continue;
        drop_pendant(row[0], 0.8 * row[1], &profile);
        assert_float_equal(profile.foot.volume, 0.8 * row[1], 1e-6 * row[1]);
        int count = drop_pendant_family(row[0], 400, volumes, heights);
        assert_true(count > 10 && volumes[count - 1] > 0.99 * row[1] && volumes[count - 1] <= row[1] * (1 + 1e-6));
        assert_true(heights[count - 1] > profile.foot.z);
    }
    fclose(file);
    assert_true(rows > 8);
}

static void test_harkins_brown_reference(void **state)
{
    (void)state;
    FILE *file = open_reference("pendant/harkins_brown.csv");
    double row[5];
    int rows = 0;
    while (next_row(file, row, 5)) {
        if (row[0] < 0.3) continue;
        assert_float_equal(theory_harkins_brown(row[0]), row[3], 1e-6);
        assert_float_equal(theory_harkins_brown(row[0]), row[4], 0.015 * row[4]); /* the table itself */
        /* The volume found from the Bond number is the one whose weight that is. */
        double volume = pow(row[0], -3), bond = 2 * acos(-1.0) * row[3] / volume;
        if (row[0] > 0.3 && row[0] < 1.2) assert_float_equal(theory_falling_drop(bond), volume, 1e-5 * volume);
        rows++;
    }
    fclose(file);
    assert_true(rows > 15);
}

/* --- settings --- */

static void test_settings(void **state)
{
    (void)state;
    const char *texts[] = {"particles=300", "pbf.cfl=0.25", "pbf.tension=paper"};
    const char *wrong[] = {"particles=many", "colour=1", "pbf.colour=1", "abc.cfl=1", "=3", "particles"};
    const law *l = law_find("oscillation");
    assert_non_null(l);
    assert_null(law_find("gravity"));
    char message[4096];
    law_settings settings = {.texts = texts, .count = dew_method_find("pbf") ? 3 : 1};
    assert_int_equal(law_settings_check(&settings, &l, 1, message, sizeof message), DEW_OK);
    assert_float_equal(law_option_value(l, &settings, LAW_FINE, "particles"), 300, 0);
    assert_float_equal(law_option_value(l, &settings, LAW_FINE, "amplitude"), 0.04, 0);
    for (int i = 0; i < 6; i++) {
        law_settings one = {.texts = wrong + i, .count = 1};
        assert_int_equal(law_settings_check(&one, &l, 1, message, sizeof message), DEW_INVALID);
        assert_non_null(strstr(message, wrong[i]));
    }
    if (!dew_method_find("pbf")) return;
    dew_parameter_value values[4];
    assert_int_equal(law_parameters(&settings, "pbf", values, 4), 2);
    assert_string_equal(values[1].text, "paper");
    assert_float_equal(values[0].number, 0.25, 0);
}

static void test_the_liquid_of_a_law(void **state)
{
    (void)state;
    const law *l = law_find("relaxation");
    const char *texts[] = {"radius=2e-3", "viscosity=0.5"};
    dew_material_def liquid = dew_default_material_def();
    law_settings none = {0}, both = {.texts = texts, .count = 2};
    assert_float_equal(law_liquid(l, &none, LAW_COARSE, &liquid), 1e-3, 1e-12);
    assert_float_equal(liquid.viscosity, 0.3 * sqrt(1000 * 0.072 * 1e-3), 1e-12); /* by Oh */
    assert_float_equal(law_liquid(l, &both, LAW_COARSE, &liquid), 2e-3, 1e-12);
    assert_float_equal(liquid.viscosity, 0.5, 1e-12);
    assert_true(isnan(law_option_value(l, &both, LAW_COARSE, "ball_radius"))); /* no option of this law */
    dew_simulation_def def = dew_default_simulation_def();
    def.materials = &liquid;
    int frames = law_plan(&def, 2e-3, 3, 4);
    assert_int_equal(frames, 12);
    assert_float_equal(def.duration, 3 * sqrt(1000 * 8e-9 / 0.072), 1e-12);
    assert_float_equal(def.duration * def.frame_rate, 12, 1e-9);
}

/* A disc has the area of its particles, and its set-up the dimension; cases of two dimensions say so. */
static void test_discs(void **state)
{
    (void)state;
    const law *l = law_find("oscillation");
    const char *texts[] = {"plane_particles=400", "particles=4000", "radius=2e-3"};
    law_settings settings = {.texts = texts, .count = 3};
    for (int dimension = 2; dimension <= 3; dimension++) {
        dew_material_def liquid;
        dew_simulation_def def = dew_default_simulation_def();
        assert_float_equal(law_drop(l, &settings, LAW_COARSE, dimension, &def, &liquid), 2e-3, 1e-12);
        assert_int_equal(def.dimension, dimension);
        assert_float_equal(drop_radius(dimension, dimension == 2 ? 400 : 4000, def.spacing), 2e-3, 1e-9);
        dew_vec3 a = law_stretched_drop(dimension, 2, 0.1).ellipsoid.semi_axes;
        assert_float_equal(dimension == 2 ? a.x * a.y : cbrt(a.x * a.y * a.z) * 2, 4, 1e-9);
        assert_float_equal(dimension == 2 ? a.y / a.x : a.z / a.x, dimension == 2 ? 1.1 / 0.9 : 1.1 / 0.95, 1e-9);
        char label[LAW_LABEL];
        law_label(label, dimension, "%d deg", 60);
        assert_string_equal(label, dimension == 2 ? "2D, 60 deg" : "60 deg");
        law_label(label, dimension, "%s", "");
        assert_string_equal(label, dimension == 2 ? "2D" : "");
    }
}

/* At the fine level an option follows the spacing, also where the user has set it: counts by the dimension. */
static void test_levels(void **state)
{
    (void)state;
    static const law_option options[] = {{LAW_PARTICLES(2000, 4000, 8000)},
                                         {"across", "1", {14, 14, 14}, "spacings", LAW_SPACINGS},
                                         {"spacing", "m", {1e-3, 1e-3, 1e-3}, "between particles", LAW_SPACING},
                                         {LAW_DENSITY},
                                         {LAW_PLANE_PARTICLES(1000, 2000, 4000)}};
    law solid = {.features = DEW_FEATURE_3D, .options = options, .option_count = 5}, plane = solid;
    plane.features = DEW_FEATURE_2D;
    const char *texts[] = {"across=7"};
    law_settings fine = {.is_fine = true}, set = {.is_fine = true, .texts = texts, .count = 1};
    assert_float_equal(law_option_value(&solid, &fine, LAW_COARSE, "particles"), 2000 / 0.343, 1e-9);
    assert_float_equal(law_option_value(&plane, &fine, LAW_COARSE, "particles"), 2000 / 0.49, 1e-9);
    assert_float_equal(law_option_value(&solid, &fine, LAW_COARSE, "plane_particles"), 1000 / 0.49, 1e-9);
    assert_float_equal(law_option_value(&solid, &fine, LAW_COARSE, "across"), 20, 1e-12);
    assert_float_equal(law_option_value(&solid, &set, LAW_COARSE, "across"), 10, 1e-12);
    assert_float_equal(law_option_value(&solid, &fine, LAW_COARSE, "spacing"), 0.7e-3, 1e-12);
    assert_float_equal(law_option_value(&solid, &fine, LAW_COARSE, "density"), 1000, 0);
}

/* No law stays as coarse as it is at the fine level. */
static void test_all_laws_refine(void **state)
{
    (void)state;
    for (const law *const *l = law_registry; *l && (*l)->group != LAW_TRIALS; l++) {
        bool refines = false;
        for (int i = 0; i < (*l)->option_count; i++) refines = refines || (*l)->options[i].scale != LAW_FIXED;
        if (!refines) fail_msg("%s has no option that follows the spacing", (*l)->name);
    }
}

/* Tables show laws as the registry has them: each once, group by group. */
static void test_registry(void **state)
{
    (void)state;
    for (int i = 0; law_registry[i]; i++) {
        assert_ptr_equal(law_find(law_registry[i]->name), law_registry[i]);
        assert_in_range(law_registry[i]->group, i > 0 ? law_registry[i - 1]->group : 0, LAW_GROUPS - 1);
    }
}

/* A figure that a method lacks something for is named with it, and is no result. */
static void test_absent_figures(void **state)
{
    (void)state;
    law_results results = {0};
    const law *l = law_find("wedge");
    law_add_absent(&results, l, "growth", "legs");
    assert_int_equal(results.absent_count, 1);
    assert_string_equal(results.absent[0].target->quantity, "growth");
    assert_string_equal(results.absent[0].lacks, "legs");
    assert_true(results.count == 0 && results.error_count == 0);
    law_add_absent(&results, l, "colour", "eyes"); /* no figure of the law */
    assert_true(results.absent_count == 1 && results.error_count == 1);
    law_results_free(&results);
}

/* A ball at rest: nothing can come of it in two frames. */
static dew_result run_ball(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                           law_results *results)
{
    (void)resolution, (void)results;
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    dew_simulation *simulation;
    space.liquids[0].shape = dew_sphere((dew_vec3){0}, 1e-3);
    space.material.surface_tension = 0.07, space.material.viscosity = 0.01;
    def.spacing = 0.125e-3, def.frame_rate = 1e4;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (!status) status = law_advance(simulation, 2, NULL, NULL);
    dew_simulation_destroy(simulation);
    return status;
}

/* What simulations watch stands beside the law's own figures, each the worst; without what the law is not held to. */
static void test_watch(void **state)
{
    (void)state;
    law ball = {.name = "ball", .group = LAW_STATICS, .run = run_ball};
    /* A run of a law that is met warns of nothing: what laws are held to is no more than what runs warn beyond. */
    const dew_watch_def usual = dew_default_simulation_def().watch;
    for (int k = 0; k < law_watch.target_count; k++)
        for (int i = 0; i < LAW_RESOLUTIONS; i++) assert_true(law_watch_targets[k].target[i] <= usual.limit[k]);
    for (int k = 0; k < 2; k++) {
        ball.breaks_up = k == 1;
        law_settings settings = {.threads = 1, .law = &ball};
        law_results results = {0};
        assert_int_equal(law_run(&ball, dew_method_find("sph"), LAW_COARSE, &settings, &results), DEW_OK);
        assert_int_equal(results.count, k == 1 ? 4 : 5);
        for (int i = 0; i < results.count; i++) {
            const law_result *r = &results.list[i];
            assert_ptr_equal(r->law, &law_watch);
            assert_string_equal(r->label, "ball");
            assert_true(r->has_passed && r->is_watched && !r->has_warned && r->particles > 2000);
            assert_true(!ball.breaks_up || r->target->fault != LAW_LOOSE_LIQUID_FAULT);
        }
        law_results_free(&results);
    }
    /* A trial has rows of its own. */
    ball.group = LAW_TRIALS;
    law_settings settings = {.threads = 1, .law = &ball};
    law_results results = {0};
    assert_int_equal(law_run(&ball, dew_method_find("sph"), LAW_COARSE, &settings, &results), DEW_OK);
    assert_int_equal(results.count, 0);
    law_results_free(&results);
}

/* A ball half as dense, met at 90 degrees, floats half under on a level surface; one without weight but for its surface
 * does too, where a ball of 120 degrees is moved out to where the surface meets it level: cos(beta) = -cos(theta). */
static void test_floating_balls(void **state)
{
    (void)state;
    double raised;
    floating_ball ball = {1e-3, 0.5, M_PI / 2, 2.7e-3, 4e-3};
    assert_float_equal(floating_depth(&ball, &raised), 1e-3, 1e-6);
    assert_float_equal(raised, 2e-9 / 3 / 16e-6, 1e-9);
    ball.angle = 2 * M_PI / 3, ball.radius = 1e-5, ball.tank = 1e-3; /* hardly any weight */
    assert_float_equal(floating_depth(&ball, &raised), 0.5e-5, 0.02e-5);
    /* A large one: Archimedes alone. 0.1 of a ball is under to 0.392 R. */
    ball = (floating_ball){1, 0.1, M_PI / 2, 2.7e-3, 10};
    assert_float_equal(floating_depth(&ball, &raised), 0.3916, 1e-3);
    /* Twice as dense it is carried by its surface, five times at this size not. */
    ball = (floating_ball){1e-3, 2, 2 * M_PI / 3, 2.7e-3, 4e-3};
    double depth = floating_depth(&ball, &raised);
    ball.density = 0.5;
    double light = floating_depth(&ball, &raised);
    assert_true(light > 0.4e-3 && light < 0.6e-3 && depth > light && depth < 2e-3);
    ball.density = 12;
    assert_true(isnan(floating_depth(&ball, &raised)));
}

/* Of the exact solution of dv/dt = a - lambda v. */
static void test_first_acceleration(void **state)
{
    (void)state;
    const double a = 12, lambda = 60, start = 0.03;
    floating_seen seen = {.start = start};
    for (int k = 1; k < 40; k++) {
        double t = 1e-3 * k, decay = exp(-lambda * t), way = a / lambda * (t - (1 - decay) / lambda);
        assert_true(series_add(&seen.depth, t, start - way) &&
                    series_add(&seen.speed, t, k < 30 ? a / lambda * (1 - decay) : 7));
    }
    assert_float_equal(floating_first_acceleration(&seen, 2.5e-3), a, 1e-6 * a);
    floating_seen_free(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_through_a_cap),
        cmocka_unit_test(test_decaying_wave),
        cmocka_unit_test(test_catenoid_reference),
        cmocka_unit_test(test_drop_mode_reference),
        cmocka_unit_test(test_cap_reference),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_cap_in_a_bowl),
        cmocka_unit_test(test_cap_energy),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_sessile_reference),
        cmocka_unit_test(test_pendant_reference),
        cmocka_unit_test(test_harkins_brown_reference),
        cmocka_unit_test(test_the_liquid_of_a_law),
        cmocka_unit_test(test_discs),
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_absent_figures),
        cmocka_unit_test(test_all_laws_refine),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_floating_balls),
        cmocka_unit_test(test_first_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
