/* sph with implicit pressure: its operator against plain loops over all pairs, what it keeps, where it is chosen, and
 * that drops fall, swing and rest as with explicit pressure, and solids let go of what leaves them. */
#include "methods/sph/projection.h"
#include "pbf_setup.h"

static dew_parameter_value projection_by_name = {"pressure", 0, "projection"};

static dew_simulation *create_projecting(setup *u)
{
    u->def.method = "sph";
    u->parameters[0] = projection_by_name, u->def.parameter_count = 1;
    return create(u);
}

/* A drop that touches a plate. */
static void begin_on_plate(setup *u, double radius, double speed)
{
    begin(u, dew_sphere((dew_vec3){0, 0, radius + 0.3 * SPACING}, radius));
    u->liquids[0].velocity = (dew_vec3){0, 0, -speed};
    u->solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    u->solids[0].contact_angle = 90;
    u->def.solid_count = 1;
}

/* --- the operator --- */

typedef struct plain {
    double (*change)[3], *rate;
} plain;

/* The sums over all pairs, in double. */
static plain multiply(const flow *k, const double *q)
{
    const sph_state *p = k->p;
    double h = (double)p->support, scale = (double)p->gradient / (h * h);
    plain r = {calloc((size_t)k->count, sizeof *r.change), calloc((size_t)k->count, sizeof *r.rate)};
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < k->count; i++) {
            double sum[3] = {0}, rate = 0, n[3] = {k->wall[i].x, k->wall[i].y, k->wall[i].z};
            for (int j = 0; j < k->count; j++) {
                double d[3] = {(double)k->a.x[i].x - (double)k->a.x[j].x, (double)k->a.x[i].y - (double)k->a.x[j].y,
                               (double)k->a.x[i].z - (double)k->a.x[j].z};
                double t = fmax(1 - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / h, 0), t3 = scale * t * t * t;
                for (int a = 0; a < 3; a++) {
                    sum[a] += t3 * (q[i] + q[j]) * d[a];
                    if (turn) rate -= t3 * d[a] * (r.change[i][a] - r.change[j][a]);
                }
            }
            double s[3] = {k->solid[i].x, k->solid[i].y, k->solid[i].z}, into = 0;
            bool is_held = k->wall_solid[i] >= 0;
            if (!turn) {
                double beyond = is_held ? fmin((double)sph_beyond(k, k->wall[i].w / p->support), 0.5) : 0;
                double lacking = is_held ? fmax(1 / (double)k->bare[i].w - 1, 0) : 0;
                beyond = fmin(beyond, (double)k->solid[i].w);
                double part = fmin(beyond / (1 - beyond), lacking);
                for (int a = 0; a < 3; a++) into += sum[a] * n[a];
                for (int a = 0; a < 3; a++) {
                    r.change[i][a] = sum[a] + part * (sum[a] - into * n[a]);
                    if (is_held) r.change[i][a] -= 2 * (double)k->touch[i] * q[i] / h * s[a];
                    r.change[i][a] *= (double)k->dt;
                }
            } else {
                for (int a = 0; a < 3 && is_held; a++) rate += 2 * (double)k->touch[i] / h * s[a] * r.change[i][a];
                r.rate[i] = rate;
            }
        }
    return r;
}

static double *any_pressure(size_t count, uint32_t seed)
{
    double *q = calloc(count, sizeof *q);
    for (size_t i = 0; i < count; i++) q[i] = (double)(real)noise(&seed);
    return q;
}

/* Squares of what m holds, and of its difference from the plain sums, added to sums[0..3]. */
static void compare(const projection *m, const plain *p, double *sums)
{
    for (int i = 0; i < m->k->count; i++) {
        double d[4] = {m->k->a.change[i].x, m->k->a.change[i].y, m->k->a.change[i].z, m->rate[i]};
        double e[4] = {p->change[i][0], p->change[i][1], p->change[i][2], p->rate[i]};
        for (int a = 0; a < 4; a++) {
            sums[a / 3 * 2] += e[a] * e[a];
            sums[a / 3 * 2 + 1] += (d[a] - e[a]) * (d[a] - e[a]);
        }
    }
}

static void test_operator_against_all_pairs(void **state)
{
    (void)state;
    setup u;
    begin_on_plate(&u, 5 * SPACING, 0.01);
    dew_simulation *s = create_projecting(&u);
    advance(s, 0.1);
    flow k;
    projection m;
    check_ok(sph_begin_step(&k, s->state, &s->w, 1e-3));
    check_ok(sph_projection_open(&m, &k));
    double *q[2] = {any_pressure((size_t)k.count, 1), any_pressure((size_t)k.count, 2)};
    double mixed[2] = {0}, square[2] = {0}, sums[4] = {0};
    int held = 0;
    for (int i = 0; i < k.count; i++) k.touch[i] = (real)0.7, held += k.wall_solid[i] >= 0;
    check_above(20, held, "particles next to the plate");
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < k.count; i++) k.a.x[i].w = (real)q[n][i];
        sph_projection_product(&m);
        for (int i = 0; i < k.count; i++) {
            mixed[n] += q[1 - n][i] * (double)m.rate[i];
            square[n] -= q[n][i] * (double)m.rate[i];
        }
        plain p = multiply(&k, q[n]);
        compare(&m, &p, sums);
        free(p.change), free(p.rate);
    }
    check_below(sqrt(sums[1] / sums[0]), 1e-5, "change of velocity");
    check_below(sqrt(sums[3] / sums[2]), 1e-5, "its rate");
    check_close(mixed[0] / square[0], mixed[1] / square[0], 1e-5, "the operator is symmetric");
    check_above(0, fmin(square[0], square[1]), "and positive");
    free(q[0]), free(q[1]);
    dew_simulation_destroy(s);
}

/* --- what it keeps --- */

static void test_momentum_of_two_drops(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){-6 * SPACING, 0, 0}, 5 * SPACING));
    u.liquids[0].velocity = (dew_vec3){0.3, 0, 0};
    u.liquids[1].shape = dew_sphere((dew_vec3){6 * SPACING, 2 * SPACING, 0}, 5 * SPACING);
    u.liquids[1].velocity = (dew_vec3){-0.3, 0, 0};
    u.def.liquid_count = 2;
    dew_simulation *s = create_projecting(&u);
    double before[3], after[3], spin[2], values[3];
    dew_simulation_measure(s, "momentum", before);
    dew_simulation_measure(s, "angular_momentum", values), spin[0] = values[2];
    advance(s, 0.5);
    dew_simulation_measure(s, "momentum", after);
    dew_simulation_measure(s, "angular_momentum", values), spin[1] = values[2];
    double scale = measure(s, "mass") * 0.3;
    for (int a = 0; a < 3; a++) check_close(after[a] / scale, before[a] / scale, ROUNDING, "momentum");
    check_close(spin[1] / spin[0], 1, 2 * ROUNDING, "angular momentum");
    assert_int_equal(((sph_state *)s->state)->drop_count, 1);
    dew_simulation_destroy(s);
}

typedef struct impact {
    double height, energy;
    int steps;
    uint64_t hash;
} impact;

static bool count(void *context, const dew_simulation *s)
{
    (void)s;
    ++*(int *)context;
    return true;
}

static impact fall(const char *pressure, int threads)
{
    setup u;
    double radius = 7 * SPACING, speed = 3 * sqrt(TENSION / (DENSITY * radius));
    begin_on_plate(&u, radius, speed);
    u.def.threads = threads;
    u.def.method = "sph";
    u.parameters[0] = (dew_parameter_value){"pressure", 0, pressure};
    u.def.parameter_count = 1;
    dew_simulation *s = create(&u);
    double energy = measure(s, "kinetic_energy");
    impact r = {.steps = 0, .hash = 14695981039346656037u};
    check_ok(dew_simulation_advance(s, radius / speed, count, &r.steps));
    r.height = measure(s, "height") / radius, r.energy = measure(s, "kinetic_energy") / energy;
    const unsigned char *bytes = (const unsigned char *)s->w.particles->position;
    for (size_t n = 0; n < (size_t)s->w.particles->count * sizeof(real4); n++)
        r.hash = (r.hash ^ bytes[n]) * 1099511628211u;
    dew_simulation_destroy(s);
    return r;
}

/* The same drop in less than half the steps, at We 9, and to the same bytes by any number of threads. */
static void test_falls_as_the_explicit_one(void **state)
{
    (void)state;
    impact slow = fall("equation_of_state", 1), fast = fall("projection", 1), two = fall("projection", 2);
    check_below(fast.steps, 0.5 * slow.steps, "steps");
    check_close(fast.height, slow.height, 0.04, "height over the radius");
    check_close(fast.energy, slow.energy, 0.04, "kinetic energy over that at first");
    assert_true(fast.hash == two.hash);
    impact automatic = fall("automatic", 1);
    check_below(automatic.steps, 0.6 * slow.steps, "steps of the automatic choice");
}

/* --- where it is chosen, and how long its steps are --- */

#define THICK 4.0

typedef struct swing {
    double energy, fastest;
    int steps;
    bool is_implicit;
} swing;

/* A brick of liquid becomes round, for a third of the time in which it then swings once. */
static swing swing_of(const char *pressure, double viscosity, double delta)
{
    setup u;
    begin(&u, dew_box((dew_vec3){-8 * SPACING, -6 * SPACING, -6 * SPACING},
                      (dew_vec3){8 * SPACING, 6 * SPACING, 6 * SPACING}));
    u.def.method = "sph", u.def.frame_rate = 1, u.material.viscosity = viscosity;
    u.parameters[0] = (dew_parameter_value){"pressure", 0, pressure};
    u.parameters[1] = (dew_parameter_value){"delta", delta, NULL}, u.def.parameter_count = 2;
    dew_simulation *s = create(&u);
    swing r = {.steps = 0};
    check_ok(dew_simulation_advance(s, 1.5, count, &r.steps));
    r.energy = measure(s, "kinetic_energy"), r.fastest = measure(s, "max_speed");
    r.is_implicit = ((sph_state *)s->state)->is_implicit;
    dew_simulation_destroy(s);
    return r;
}

static void check_swing(swing value, swing expected)
{
    check_close(value.energy / expected.energy, 1, 0.1, "kinetic energy over that of explicit steps");
    check_below(value.fastest, 1.15 * expected.fastest, "fastest particle");
}

/* Neither the tension nor the diffusion of the density, both explicit, shake a thin drop in steps four times as long.
 */
static void test_longer_steps(void **state)
{
    (void)state;
    swing slow = swing_of("equation_of_state", 0, 0.1), automatic = swing_of("automatic", 0, 0.1);
    assert_true(automatic.is_implicit);
    check_below(automatic.steps, 0.25 * slow.steps, "steps");
    check_swing(automatic, slow);
    check_swing(swing_of("projection", 0, 1), slow);
}

/* Thick liquid: viscosity bounds the step of either pressure, and the explicit one is cheaper, until viscosity is
 * implicit too. Solids that repel let go, and are no exception. */
static void test_where_it_is_not_chosen(void **state)
{
    (void)state;
    double angles[] = {110, 150};
    for (int n = 0; n < 2; n++) {
        setup u;
        begin_on_plate(&u, 6 * SPACING, 0.05);
        u.solids[0].contact_angle = angles[n], u.def.method = "sph", u.def.frame_rate = 1;
        dew_simulation *s = create(&u);
        advance(s, 0.05);
        assert_true(((sph_state *)s->state)->is_implicit);
        dew_simulation_destroy(s);
    }
    assert_false(swing_of("automatic", THICK, 0.1).is_implicit);
}

/* Ten times as thick liquid creeps the same way, in a tenth of the steps at most. */
static void test_creeps_as_the_explicit_one(void **state)
{
    (void)state;
    swing slow = swing_of("equation_of_state", 10 * THICK, 0.1), creeping = swing_of("automatic", 10 * THICK, 0.1);
    assert_true(creeping.is_implicit);
    check_below(creeping.steps, 0.1 * slow.steps, "steps");
    check_swing(creeping, slow);
}

/* A flat drop comes to rest: height in spacings. */
static double puddle(const char *pressure)
{
    setup u;
    double radius = 11 * SPACING;
    dew_vec3 far = {radius, radius, radius};
    dew_shape_def parts[2] = {dew_default_shape_def(), dew_box((dew_vec3){-far.x, -far.y, 0}, far)};
    parts[0].kind = DEW_SHAPE_ELLIPSOID, parts[0].ellipsoid.semi_axes = (dew_vec3){radius, radius, 5 * SPACING};
    begin(&u, dew_default_shape_def());
    u.liquids[0].shape.kind = DEW_SHAPE_INTERSECTION;
    u.liquids[0].shape.combination.children = parts, u.liquids[0].shape.combination.count = 2;
    u.def.gravity = (dew_vec3){0, 0, -TENSION / (DENSITY * 12 * SPACING * SPACING)};
    u.material.viscosity = 0.3 * sqrt(DENSITY * TENSION * radius);
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    u.solids[0].contact_angle = 60;
    u.def.solid_count = 1, u.def.method = "sph", u.def.frame_rate = 1;
    u.parameters[0] = (dew_parameter_value){"pressure", 0, pressure}, u.def.parameter_count = 1;
    dew_simulation *s = create(&u);
    advance(s, 8 * sqrt(DENSITY * radius * radius * radius / TENSION));
    double height = measure(s, "height") / SPACING;
    double speed = sqrt(2 * measure(s, "kinetic_energy") / measure(s, "mass"));
    check_below(speed, 0.05 * sqrt(TENSION / (DENSITY * radius)), "rms speed");
    dew_simulation_destroy(s);
    return height;
}

/* What presses on a solid and is stopped by it adds nothing to an implicit pressure: if it did, contact lines would
 * creep and lose particles, and this drop be a fifth lower. */
static void test_puddle_rests(void **state)
{
    (void)state;
    check_close(puddle("projection"), puddle("equation_of_state"), 0.25, "height in spacings");
}

/* A slab is flung off a plate, whose dynamic pressure is twelve times what adhesion bears: it keeps its speed, and
 * gains none. */
static void test_solid_lets_go(void **state)
{
    (void)state;
    setup u;
    double half = 8 * SPACING, speed = 10 * sqrt(TENSION / (DENSITY * 4 * SPACING));
    begin_on_plate(&u, 4 * SPACING, -speed);
    u.liquids[0].shape = dew_box((dew_vec3){-half, -half, 0}, (dew_vec3){half, half, 4 * SPACING});
    dew_simulation *s = create_projecting(&u);
    advance(s, 4 * SPACING / speed);
    double momentum[3], begun = measure(s, "mass") * speed;
    dew_simulation_measure(s, "momentum", momentum);
    check_close(momentum[2] / begun, 1, 0.05, "momentum over that at first");
    dew_simulation_destroy(s);
}

static void test_paper_has_its_own(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 4 * SPACING));
    u.def.method = "sph";
    u.parameters[0] = projection_by_name, u.parameters[1] = (dew_parameter_value){"tension", 0, "paper"};
    u.def.parameter_count = 2;
    dew_simulation *s;
    assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "projection needs tension: curvature"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operator_against_all_pairs),
        cmocka_unit_test(test_momentum_of_two_drops),
        cmocka_unit_test(test_falls_as_the_explicit_one),
        cmocka_unit_test(test_longer_steps),
        cmocka_unit_test(test_where_it_is_not_chosen),
        cmocka_unit_test(test_creeps_as_the_explicit_one),
        cmocka_unit_test(test_puddle_rests),
        cmocka_unit_test(test_solid_lets_go),
        cmocka_unit_test(test_paper_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
