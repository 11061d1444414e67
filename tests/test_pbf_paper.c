/* The paper's mode of pbf: one round of constraints against all pairs, what is conserved, and what must happen to
 * threads, lone particles and liquid at solids. */
#include "dew/dew.h"
#include "particles/kernels.h"
#include "solids/fractions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double spacing = 0.03;

enum { MAX_PARAMETERS = 12 };

typedef struct setup {
    dew_simulation_def def;
    dew_material_def material;
    dew_liquid_def liquids[2];
    dew_solid_def solid;
    dew_parameter_value parameters[MAX_PARAMETERS];
} setup;

static void set(setup *s, const char *name, double number)
{
    assert_true(s->def.parameter_count < MAX_PARAMETERS);
    s->parameters[s->def.parameter_count++] = (dew_parameter_value){.name = name, .number = number};
}

static void set_word(setup *s, const char *name, const char *word)
{
    set(s, name, 0);
    s->parameters[s->def.parameter_count - 1].text = word;
}

/* One box of liquid, no gravity, no smoothing. */
static void begin(setup *s, dew_vec3 min, dew_vec3 max)
{
    memset(s, 0, sizeof *s);
    s->def = dew_default_simulation_def();
    s->material = dew_default_material_def();
    s->material.name = "liquid";
    s->liquids[0] = dew_default_liquid_def();
    s->liquids[0].shape = dew_box(min, max);
    s->liquids[0].fill = DEW_FILL_CUBIC;
    s->liquids[1] = s->liquids[0];
    s->solid = dew_default_solid_def();
    s->solid.name = "solid";
    s->def.title = "test", s->def.spacing = spacing, s->def.frame_rate = 30, s->def.gravity = (dew_vec3){0, 0, 0};
    s->def.materials = &s->material, s->def.material_count = 1;
    s->def.liquids = s->liquids, s->def.liquid_count = 1;
    s->def.solids = &s->solid;
    s->def.parameters = s->parameters;
    s->parameters[s->def.parameter_count++] = (dew_parameter_value){.name = "tension", .text = "paper"};
    set(s, "paper_xsph", 0);
}

static dew_simulation *create(setup *s)
{
    dew_simulation *simulation;
    if (dew_simulation_create(&s->def, &simulation) != DEW_OK) fail_msg("%s", dew_message());
    return simulation;
}

static void advance(dew_simulation *simulation, int frames)
{
    for (int k = 0; k < frames; k++)
        if (dew_simulation_advance_frame(simulation, NULL, NULL) != DEW_OK) fail_msg("%s", dew_message());
}

static double value(const dew_field *f, int i, int k) { return (double)((const dew_real *)f->data)[i * f->stride + k]; }

static dew_field field(const dew_simulation *simulation, const char *name)
{
    dew_field f;
    assert_true(dew_simulation_field(simulation, name, &f));
    return f;
}

/* Extent of the places along an axis. */
static double extent(const dew_simulation *simulation, int axis)
{
    dew_field x = field(simulation, "position");
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < x.count; i++) {
        least = fmin(least, value(&x, i, axis));
        most = fmax(most, value(&x, i, axis));
    }
    return most - least;
}

/* --- one round against all pairs --- */

typedef struct plain {
    int count;
    double (*x)[3], (*shift)[3], (*normal)[4], *lambda;
    const uint8_t *is_surface;
    fractions *fractions;
} plain;

static double kernel_norm(void)
{
    double sum = 0;
    for (int x = -3; x <= 3; x++)
        for (int y = -3; y <= 3; y++)
            for (int z = -3; z <= 3; z++) sum += (double)cubic_spline((real)(sqrt(x * x + y * y + z * z) / 3));
    return 1 / sum;
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The rest density of particle i: 1 - D(depth). */
static double fullness(const plain *p, int i)
{
    double h = 3 * spacing, depth = 0, weights = 0;
    if (p->is_surface[i])
        return 1 -
               (double)fraction_beyond(p->fractions, (real)(1.0 / 6)) * fmin(fmax(2 * (p->normal[i][3] - 0.3), 0), 1);
    for (int j = 0; j < p->count; j++) {
        double weight = pow(fmax(1 - distance(p->x[i], p->x[j]) / h, 0), 4) * p->is_surface[j];
        weights += weight;
        for (int k = 0; k < 3; k++) depth += weight * (p->x[j][k] - p->x[i][k]) / h * p->normal[j][k];
    }
    return weights > 1e-8 ? 1 - (double)fraction_beyond(p->fractions, (real)(fmax(depth / weights, 0) + 1.0 / 6)) : 1;
}

/* Equations (2), (3), (4), (9), (10) as they are printed, the density constraint unilateral. */
static void project_plainly(plain *p, double epsilon_density, double epsilon_distance)
{
    double h = 3 * spacing, a = kernel_norm();
    for (int i = 0; i < p->count; i++) {
        double rho = 0, norm = 0, own[3] = {0, 0, 0};
        for (int j = 0; j < p->count; j++) {
            double r = distance(p->x[i], p->x[j]), slope = a / h * (double)cubic_spline_slope((real)(r / h));
            rho += a * (double)cubic_spline((real)(r / h));
            if (j == i) continue;
            norm += slope * slope;
            for (int k = 0; k < 3; k++) own[k] += slope * (p->x[i][k] - p->x[j][k]) / r;
        }
        norm += own[0] * own[0] + own[1] * own[1] + own[2] * own[2];
        p->lambda[i] = -fmax(rho - fullness(p, i), 0) / (norm + epsilon_density);
    }
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++) {
            if (j == i) continue;
            double r = distance(p->x[i], p->x[j]), slope = a / h * (double)cubic_spline_slope((real)(r / h));
            double along = (p->lambda[i] + p->lambda[j]) * slope;
            if (p->is_surface[i] == p->is_surface[j]) along += fmax(spacing - r, 0) / (2 + epsilon_distance);
            for (int k = 0; k < 3; k++) p->shift[i][k] += along * (p->x[i][k] - p->x[j][k]) / r;
        }
}

static void one_round_is_the_papers(void **state)
{
    (void)state;
    setup s;
    double half = 3.5 * spacing;
    begin(&s, (dew_vec3){-half, -half, -half}, (dew_vec3){half, half, half});
    set(&s, "paper_iterations", 1);
    set(&s, "epsilon_area", 1e12);
    set(&s, "epsilon_density", 2400); /* so relaxed that no floor is met */
    set_word(&s, "filaments", "off");
    /* Squeezed and stirred by the prediction: x* = x + dt v. */
    dew_simulation *simulation = create(&s);
    dew_field x = field(simulation, "position"), v = field(simulation, "velocity"), id = field(simulation, "id");
    int count = x.count;
    plain p = {.count = count};
    p.x = calloc((size_t)count, sizeof *p.x), p.shift = calloc((size_t)count, sizeof *p.shift);
    p.lambda = calloc((size_t)count, sizeof *p.lambda), p.normal = calloc((size_t)count, sizeof *p.normal);
    p.fractions = fractions_create();
    uint8_t *is_surface = calloc((size_t)count, 1);
    dew_real *velocity = (dew_real *)(uintptr_t)v.data;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double place = value(&x, i, k);
            velocity[i * v.stride + k] = (dew_real)(30 * (-0.08 * place + 0.1 * spacing * sin(37.0 * i + 11 * k)));
            p.x[((const int32_t *)id.data)[i]][k] = place + (double)velocity[i * v.stride + k] / 30;
        }
    advance(simulation, 1);
    dew_field now = field(simulation, "position"), surface = field(simulation, "is_surface");
    dew_field normal = field(simulation, "normal");
    id = field(simulation, "id");
    for (int i = 0; i < count; i++) {
        int n = ((const int32_t *)id.data)[i];
        is_surface[n] = ((const uint8_t *)surface.data)[i * surface.stride];
        for (int k = 0; k < 4; k++) p.normal[n][k] = value(&normal, i, k); /* w: |h grad c| */
    }
    p.is_surface = is_surface;
    project_plainly(&p, 2400, 40);
    double error = 0, size = 0;
    for (int i = 0; i < count; i++) {
        int n = ((const int32_t *)id.data)[i];
        for (int k = 0; k < 3; k++) {
            double d = value(&now, i, k) - p.x[n][k] - p.shift[n][k];
            error = fmax(error, fabs(d)), size = fmax(size, fabs(p.shift[n][k]));
        }
    }
    assert_true(size > 1e-3 * spacing);
    assert_true(error < 1e-3 * size);
    free(p.x), free(p.shift), free(p.lambda), free(p.normal), free(is_surface);
    fractions_destroy(p.fractions);
    dew_simulation_destroy(simulation);
}

/* --- conservation, reproducibility --- */

/* Two boxes that collide off centre. */
static void begin_collision(setup *s)
{
    begin(s, (dew_vec3){-0.3, -0.12, -0.12}, (dew_vec3){-0.03, 0.12, 0.12});
    s->liquids[1].shape = dew_box((dew_vec3){0.03, -0.06, -0.12}, (dew_vec3){0.3, 0.18, 0.12});
    s->liquids[0].velocity = (dew_vec3){0.6, 0, 0};
    s->liquids[1].velocity = (dew_vec3){-0.6, 0, 0};
    s->def.liquid_count = 2;
    set(s, "paper_iterations", 30);
}

static void momentum_is_kept(void **state)
{
    (void)state;
    setup s;
    begin_collision(&s);
    s.parameters[1].number = 0.2; /* paper_xsph */
    dew_simulation *simulation = create(&s);
    double before[3] = {0, 0, 0}, after[3] = {0, 0, 0};
    dew_field v = field(simulation, "velocity");
    double scale = 0.6 * v.count;
    for (int i = 0; i < v.count; i++)
        for (int k = 0; k < 3; k++) before[k] += value(&v, i, k);
    advance(simulation, 10);
    v = field(simulation, "velocity");
    for (int i = 0; i < v.count; i++)
        for (int k = 0; k < 3; k++) after[k] += value(&v, i, k);
    for (int k = 0; k < 3; k++) assert_true(fabs(after[k] - before[k]) < 2e-6 * scale);
    dew_simulation_destroy(simulation);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    uint64_t hash[4];
    for (int threads = 1; threads <= 3; threads++) {
        setup s;
        begin_collision(&s);
        s.def.threads = threads;
        dew_simulation *simulation = create(&s);
        advance(simulation, 5);
        hash[threads] = dew_simulation_hash(simulation);
        dew_simulation_destroy(simulation);
    }
    assert_true(hash[1] == hash[2] && hash[1] == hash[3]);
}

/* --- tension --- */

/* How much nearer a cube's corners come in one step. */
static double rounding(double epsilon, double others, double frame_rate, int frames)
{
    setup s;
    begin(&s, (dew_vec3){-0.15, -0.15, -0.15}, (dew_vec3){0.15, 0.15, 0.15});
    set(&s, "epsilon_area", epsilon);
    set(&s, "epsilon_density", others);
    set(&s, "epsilon_distance", others);
    set(&s, "paper_iterations", 20);
    s.def.frame_rate = frame_rate;
    dew_simulation *simulation = create(&s);
    double most[2];
    for (int k = 0; k < 2; k++) {
        dew_field x = field(simulation, "position");
        most[k] = 0;
        for (int i = 0; i < x.count; i++) {
            double place[3] = {value(&x, i, 0), value(&x, i, 1), value(&x, i, 2)}, origin[3] = {0, 0, 0};
            most[k] = fmax(most[k], distance(place, origin));
        }
        if (k == 0) advance(simulation, frames);
    }
    dew_simulation_destroy(simulation);
    return most[0] - most[1];
}

static void larger_epsilon_is_weaker_tension(void **state)
{
    (void)state;
    double strong = rounding(1, 600, 30, 2), weak = rounding(4, 600, 30, 2);
    assert_true(strong > 2.5 * weak && strong < 6 * weak);
}

static void tension_does_not_depend_on_the_step(void **state)
{
    (void)state;
    /* Areas alone; n equal steps from rest give a way of n (n + 1)/2. */
    double one = rounding(10, 1e12, 30, 4) / 10, two = rounding(10, 1e12, 60, 8) / 9;
    assert_true(fabs(one - two) < 0.3 * one);
}

/* --- threads of liquid and lone particles --- */

/* Moments of a thread along x: the length of an even thread of that variance, and how much farther from the axis than
 * those in the middle third the particles in the outer sixths are (root mean squares). */
static void measure_thread(const dew_simulation *simulation, double *length, double *bulge)
{
    dew_field x = field(simulation, "position");
    double mean = 0, square = 0, r2[2] = {0, 0}, count[2] = {0, 0};
    for (int i = 0; i < x.count; i++) mean += value(&x, i, 0) / x.count;
    for (int i = 0; i < x.count; i++) square += pow(value(&x, i, 0) - mean, 2) / x.count;
    *length = sqrt(12 * square);
    for (int i = 0; i < x.count; i++) {
        double along = fabs(value(&x, i, 0) - mean) / *length;
        if (along > 1.0 / 6 && along < 1.0 / 3) continue;
        int is_end = along >= 1.0 / 3;
        r2[is_end] += pow(value(&x, i, 1), 2) + pow(value(&x, i, 2), 2), count[is_end]++;
    }
    *bulge = sqrt(r2[1] / count[1] / (r2[0] / count[0]));
}

/* The ends of a thread of radius a draw in at sqrt(gamma/(rho a)): pulled by pi gamma a, they gather rho pi a^2 a
 * length. From rest, and so thin, they take a part of that. */
static void threads_draw_together(void **state)
{
    (void)state;
    for (int across = 2; across <= 4; across++) {
        setup s;
        double half = across * spacing / 2, radius = across * spacing / sqrt(3.14159265358979);
        begin(&s, (dew_vec3){-0.75, -half, -half}, (dew_vec3){0.75, half, half});
        s.liquids[0].fill = DEW_FILL_RELAXED;
        double epsilon = 1, iterations = 60, s5 = pow(spacing, 5);
        set(&s, "paper_iterations", iterations);
        set(&s, "epsilon_area", epsilon);
        double gamma_over_density = 3 * iterations * 2.6 * s5 * 900 / epsilon,
               speed = sqrt(gamma_over_density / radius);
        dew_simulation *simulation = create(&s);
        double length[4], bulge = 0;
        for (int k = 0; k < 4; k++) {
            if (k > 0) advance(simulation, 8);
            measure_thread(simulation, &length[k], &bulge);
        }
        assert_true(length[1] < length[0] && length[2] < length[1] && length[3] < length[2]);
        double way = 2 * speed * 24 / 30, share = (length[0] - length[3]) / way;
        assert_true(share > (across == 4 ? 0.35 : 0.14) && share < 1);
        if (across > 2) assert_true(bulge > 1.2);
        dew_simulation_destroy(simulation);
    }
}

static void lone_particles_fly_free_and_merge(void **state)
{
    (void)state;
    setup s;
    double half = 4 * spacing;
    begin(&s, (dew_vec3){-half, -half, -half}, (dew_vec3){half, half, half});
    double near = half + 5 * spacing, speed = 0.3;
    s.liquids[1].shape = dew_box((dew_vec3){near, 0, 0}, (dew_vec3){near + spacing, spacing, spacing});
    s.liquids[1].velocity = (dew_vec3){-speed, 0, 0};
    s.def.liquid_count = 2;
    set(&s, "paper_iterations", 20);
    dew_simulation *simulation = create(&s);
    int lone = dew_simulation_particle_count(simulation) - 1;
    double start = 0, place = 0;
    for (int k = 0; k < 2; k++) {
        dew_field x = field(simulation, "position"), id = field(simulation, "id");
        for (int i = 0; i < x.count; i++)
            if (((const int32_t *)id.data)[i] == lone) place = value(&x, i, 0);
        if (k == 0) start = place, advance(simulation, 3);
    }
    assert_true(fabs(place - (start - 3 * speed / 30)) < 1e-5);
    advance(simulation, 20);
    assert_true(extent(simulation, 0) < 2 * half + 3 * spacing);
    dew_simulation_destroy(simulation);
}

/* --- solids --- */

/* Five spacings a step against a wall half a spacing thin. */
static void thin_walls_hold(void **state)
{
    (void)state;
    setup s;
    begin(&s, (dew_vec3){-0.12, -0.12, 0.06}, (dew_vec3){0.12, 0.12, 0.3});
    s.liquids[0].velocity = (dew_vec3){0, 0, -4.5};
    s.solid.shape = dew_box((dew_vec3){-3, -3, -0.015}, (dew_vec3){3, 3, 0});
    s.def.solid_count = 1;
    set(&s, "paper_iterations", 20);
    dew_simulation *simulation = create(&s);
    for (int frame = 0; frame < 10; frame++) {
        advance(simulation, 1);
        dew_field x = field(simulation, "position");
        for (int i = 0; i < x.count; i++) assert_true(value(&x, i, 2) > 0.3 * spacing);
    }
    dew_simulation_destroy(simulation);
}

/* Mean way along x of the liquid on a plate that moves along x, over the plate's. */
static double carried(double adhesion, double contact_angle)
{
    setup s;
    begin(&s, (dew_vec3){-0.15, -0.15, 0}, (dew_vec3){0.15, 0.15, 0.06});
    dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = {0.3, 0, 0}}};
    s.solid.shape = dew_box((dew_vec3){-1, -1, -0.2}, (dew_vec3){1, 1, 0});
    s.solid.adhesion = adhesion, s.solid.contact_angle = contact_angle;
    s.solid.motion.keyframes = keys, s.solid.motion.keyframe_count = 2;
    s.def.solid_count = 1;
    set(&s, "paper_iterations", 20);
    s.parameters[1].number = 0.2; /* paper_xsph */
    dew_simulation *simulation = create(&s);
    advance(simulation, 15);
    dew_field x = field(simulation, "position");
    double sum = 0;
    for (int i = 0; i < x.count; i++) sum += value(&x, i, 0);
    dew_simulation_destroy(simulation);
    return sum / x.count / 0.15;
}

static void adhesion_carries_liquid_along(void **state)
{
    (void)state;
    assert_true(carried(1, 60) > 0.6);
    assert_true(fabs(carried(1, 120)) < 0.02);
    assert_true(fabs(carried(0, 90)) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_round_is_the_papers),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(larger_epsilon_is_weaker_tension),
        cmocka_unit_test(tension_does_not_depend_on_the_step),
        cmocka_unit_test(threads_draw_together),
        cmocka_unit_test(lone_particles_fly_free_and_merge),
        cmocka_unit_test(thin_walls_hold),
        cmocka_unit_test(adhesion_carries_liquid_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
