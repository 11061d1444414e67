/* The simulation around a method: clock, definitions, filling, guard, snapshots. */
#include "toy_set_ups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the clock --- */

typedef struct diary {
    int steps, frames_seen, stop_after;
    double longest, last;
} diary;

static bool write_diary(void *context, const dew_simulation *s)
{
    diary *d = context;
    const char *limit;
    double dt = dew_simulation_time_step(s, &limit);
    assert_string_equal(limit, "toy");
    d->longest = fmax(d->longest, dt), d->last = dew_simulation_time(s);
    return ++d->steps != d->stop_after;
}

static void test_clock(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    dew_parameter_value step = {"step", 0.0125, NULL};
    def.parameters = &step, def.parameter_count = 1;
    dew_simulation *s = make(&def);
    for (int frame = 1; frame <= 7; frame++) {
        diary d = {0};
        check_ok(dew_simulation_advance_frame(s, write_diary, &d));
        assert_int_equal(d.steps, 3); /* 1/30 s by steps of at most 1/80 s */
        check_close(d.longest, 1 / 90.0, 1e-9);
        assert_true(dew_simulation_time(s) == frame / 30.0); /* to the bit */
        assert_int_equal(dew_simulation_frame(s)->index, frame);
    }
    diary d = {0};
    check_ok(dew_simulation_advance(s, 0.5, write_diary, &d)); /* frames 8 to 15 are met on the way */
    assert_true(dew_simulation_time(s) == 0.5);
    assert_int_equal(dew_simulation_frame(s)->index, 15);
    d = (diary){.stop_after = 2};
    check_ok(dew_simulation_advance(s, 1, write_diary, &d));
    assert_int_equal(d.steps, 2);
    assert_true(dew_simulation_time(s) == d.last && d.last < 0.54);
    assert_int_equal(dew_simulation_advance(s, 0.1, NULL, NULL), DEW_INVALID);
    check_says("from 0.5");
    dew_simulation_destroy(s);
    dew_simulation_destroy(NULL);
}

static void test_free_fall(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    dew_simulation *s = make(&def);
    double volume = 4 * PI / 3 * pow(0.05, 3), mass, values[8];
    measure(s, "mass", &mass);
    check_close(mass, 1000 * volume, 0.005 * 1000 * volume);
    measure(s, "volume", values);
    check_close(values[0], mass / 1000, 0.02 * mass / 1000);
    measure(s, "momentum", values);
    check_close(values[0], 0.5 * mass, 1e-6), check_close(values[2], mass, 1e-6);
    measure(s, "kinetic_energy", values);
    check_close(values[0], mass * (0.25 + 0.0625 + 1) / 2, 1e-6);
    measure(s, "angular_momentum", values);
    for (int a = 0; a < 3; a++) check_close(values[a], 0, 1e-9);
    measure(s, "centre_of_mass", values);
    check_close(values[0], 0.2, 1e-3), check_close(values[1], -0.1, 1e-3), check_close(values[2], 0.3, 1e-3);
    double start = values[2];
    measure(s, "extent", values);
    for (int a = 0; a < 3; a++) check_close(values[a], 0.1, 0.01);
    measure(s, "height", values);
    check_close(values[0], 0.1, 0.01);
    measure(s, "drop_count", values);
    check_close(values[0], 1, 0);
    measure(s, "surface_area", values);
    check_close(values[0], 4 * PI * 0.0025, 0.02 * 4 * PI * 0.0025);
    measure(s, "pressure_jump", values);
    assert_true(isnan(values[0]));
    check_ok(dew_simulation_advance(s, 0.4, NULL, NULL));
    measure(s, "centre_of_mass", values);
    check_close(values[2], start + 0.4 - 9.81 * 0.08, 0.003);
    measure(s, "potential_energy", &values[3]);
    check_close(values[3], 9.81 * mass * values[2], 1e-6);
    measure(s, "max_speed", values);
    check_close(values[0], sqrt(0.25 + 0.0625 + pow(1 - 9.81 * 0.4, 2)), 1e-3);
    assert_int_equal(dew_simulation_measure(s, "beauty", values), DEW_INVALID);
    check_says("\"beauty\"");
    dew_simulation_destroy(s);
}

static void test_fields(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    dew_simulation *s = make(&def);
    dew_field f;
    assert_true(dew_simulation_field(s, "age", &f));
    assert_int_equal(f.components, 1);
    assert_int_equal(f.count, dew_simulation_particle_count(s));
    assert_true(dew_simulation_field(s, "velocity", &f));
    assert_int_equal(f.components, 3);
    assert_int_equal(f.stride, 4);
    assert_false(dew_simulation_field(s, "colour", &f));
    const dew_frame *frame = dew_simulation_frame(s);
    for (int i = 0; i < frame->field_count; i++) {
        f = frame->fields[i];
        assert_true(f.name && f.unit && f.sentence && *f.sentence);
    }
    for (int i = 0; i < dew_quantity_count(); i++) {
        const char *const *suffixes;
        int columns = dew_quantity_columns(dew_quantity_name(i), &suffixes);
        assert_in_range(columns, 1, 8);
        assert_true(*dew_quantity_unit(i) && *dew_quantity_sentence(i) && suffixes[columns - 1]);
    }
    assert_int_equal(dew_quantity_columns("beauty", NULL), 0);
    dew_simulation_destroy(s);
}

/* --- definitions --- */

static void swirl(void *context, int count, const double *const *inputs, double *output)
{
    for (int i = 0; i < count; i++) output[i] = *(double *)context * (inputs[1][i] + 0.1);
}

static void test_velocity_functions(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    double rate = -3;
    drop.velocity_of[0] = (dew_function){swirl, &rate};
    dew_simulation *s = make(&def);
    for (int i = 0; i < s->particles.count; i++) {
        check_close(s->particles.velocity[i].x, -3 * (s->particles.position[i].y + 0.1), 1e-6);
        check_close(s->particles.velocity[i].y, 0.25, 0);
    }
    dew_simulation_destroy(s);
    rate = NAN;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    assert_null(s);
    check_says("liquids[0].velocity: its x component is not a number");
}

static void test_wrong_definitions(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    dew_simulation *s;
    def.spacing = -1, def.frame_rate = NAN, water.density = 0;
    drop.material = 3;
    dew_parameter_value wrong[] = {{"stepp", 1, NULL}, {"step", 7, NULL}, {"mishap", 0, "fire"}, {"step", 0, "long"}};
    def.parameters = wrong, def.parameter_count = 4;
    def.domain.axis[1] = DEW_SYMMETRY, def.domain.axis[2] = DEW_WALL;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    const char *said[] = {"spacing is -1; it must be above 0 m",
                          "frame_rate is nan; it must be a number below",
                          "materials[0].density is 0; it must be above 0 kg/m3",
                          "liquids[0].material is 3; there are 1, numbered from 0",
                          "domain.y: method 'toy' cannot do symmetry planes",
                          "domain.min: the domain is not open, so it needs min and max (give min: [x, y, z]",
                          "toy.stepp: method 'toy' has no parameter 'stepp'",
                          "toy.step is 7; it must be between 1e-06 and 1 s",
                          "toy.mishap is 'fire'; it must be one of none|nan|runaway|collapse",
                          "toy.step is 'long'; it must be a number"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) check_says(said[i]);
    def = ball_definition();
    def.dimension = 2;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says("dimension: method 'toy' cannot do dimension 2 (methods that can: ");
    def = ball_definition();
    def.domain.axis[2] = DEW_WALL, def.domain.min.z = 2, def.domain.max.z = 1;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says("domain.max: z: max 1 m is not above min 2 m");
    def = ball_definition();
    def.method = "fem";
    assert_int_equal(dew_simulation_create(&def, &s), DEW_INVALID);
    check_says("method: there is no method 'fem'; there are: ");
    def = ball_definition();
    drop.shape = dew_sphere((dew_vec3){0, 0, 0}, 1e-4);
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says("liquids[0].shape.sphere: it holds no particle");
    drop.shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says("liquids[0].shape: a liquid cannot be endless");
    dew_shape_def parts[2] = {drop.shape, dew_sphere((dew_vec3){0, 0, 0}, 1)};
    drop.shape = dew_default_shape_def(), drop.shape.kind = DEW_SHAPE_DIFFERENCE;
    drop.shape.combination.children = parts, drop.shape.combination.count = 2;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says("no end along x");
}

/* Shapes, places and flows are looked at though others are wrong, and numbers though shapes are. */
static void test_all_mistakes_at_once(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    dew_solid_def bodies[3];
    dew_liquid_def liquids[4];
    dew_emitter_def emitters[2] = {tap, tap};
    for (int i = 0; i < 3; i++) bodies[i] = dew_default_solid_def();
    for (int i = 0; i < 4; i++) liquids[i] = dew_default_liquid_def();
    bodies[0].shape = dew_sphere((dew_vec3){0, 0, 0}, -1);
    bodies[1].shape = dew_box((dew_vec3){-1, -1, -1}, (dew_vec3){0, 0, 0}), bodies[1].name = "block";
    bodies[2].shape = bodies[1].shape, bodies[2].contact_angle = 200;
    liquids[0].shape = dew_sphere((dew_vec3){0.5, 0.5, 0.5}, 0.1);
    liquids[1].shape = dew_sphere((dew_vec3){-0.5, -0.5, -0.5}, 0.1);
    liquids[2].shape = dew_sphere((dew_vec3){NAN, 0, 0}, 0.1);
    liquids[3].shape = dew_sphere((dew_vec3){0.5, 0.5, 0.5}, 0.05);
    emitters[0].shape.disc.centre = (dew_vec3){-0.5, -0.5, -0.5};
    emitters[1].velocity = (dew_vec3){0, 1, 0};
    def.solids = bodies, def.solid_count = 3, def.liquids = liquids, def.liquid_count = 4;
    def.emitters = emitters, def.emitter_count = 2;
    def.frame_rate = -1;
    dew_simulation *s;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    assert_null(s);
    const char *said[] = {
        "frame_rate is -1",
        "solids[0].shape.sphere.radius is -1",
        "solids[2].contact_angle is 200",
        "solids[2].contact_angle: method 'toy' cannot do contact angles",
        "liquids[1].shape.sphere: it holds no particle",
        "liquids[2].shape.sphere.centre[0] is nan",
        "liquids[3].shape: liquids[3] ('water') begins inside liquids[0] ('water'), which comes first",
        "emitters[0].shape: the shape lies within solid 'block'",
        "emitters[1].velocity: the velocity (0, 1, 0) m/s does not lead out"};
    int lines = 1;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) check_says(said[i]);
    for (const char *c = dew_message(); *c; c++) lines += *c == '\n';
    if (lines != sizeof said / sizeof *said) fail_msg("%d lines: %s", lines, dew_message());
    enum { MANY = 1000 };
    dew_liquid_def *many = calloc(MANY, sizeof *many);
    assert_non_null(many);
    def = ball_definition();
    def.liquids = many, def.liquid_count = MANY;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    check_says("liquids[9].shape: no shape is given");
    check_says("\n... and ");
    free(many);
    def.liquids = NULL, def.liquid_count = 4;
    assert_int_equal(simulation_create_with(&method_toy, &def, &s), DEW_INVALID);
    assert_string_equal(dew_message(), "liquids announces 4, but none is given");
}

/* A pool: a half space cut to the domain's walls, and a post that it must not fill. */
static void test_fill_avoids_solids(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    def.domain = (dew_domain_def){.min = {0, 0, 0},
                                  .max = {0.3, 0.3, 0.3},
                                  .axis = {DEW_WALL, DEW_WALL, DEW_WALL},
                                  .contact_angle = 90,
                                  .slip_length = INFINITY};
    drop.shape = dew_plane((dew_vec3){0, 0, 0.15}, (dew_vec3){0, 0, 1});
    dew_solid_def post = dew_default_solid_def();
    post.shape = dew_box((dew_vec3){0.1, 0.1, -0.1}, (dew_vec3){0.2, 0.2, 0.4});
    def.solids = &post, def.solid_count = 1;
    dew_simulation *s = make(&def);
    for (int i = 0; i < s->particles.count; i++) {
        real4 x = s->particles.position[i];
        double dx = fmax(0.1 - x.x, x.x - 0.2), dy = fmax(0.1 - x.y, x.y - 0.2);
        assert_true(fmax(dx, dy) > 0.35 * 0.01 * 0.999);
        assert_true(x.x > 0.003 && x.x < 0.297 && x.z > 0.003 && x.z < 0.15);
    }
    double mass, expected = 1000 * 0.15 * (0.09 - 0.01);
    measure(s, "mass", &mass);
    check_close(mass, expected, 0.005 * expected);
    dew_simulation_destroy(s);
    /* Its motion has it outside of the liquid from the start on, and that fills its place. */
    dew_keyframe away = {.translation = {0, 0, 1}};
    post.motion.keyframes = &away, post.motion.keyframe_count = 1;
    s = make(&def);
    measure(s, "mass", &mass), expected = 1000 * 0.15 * 0.09;
    check_close(mass, expected, 0.005 * expected);
    dew_simulation_destroy(s);
}

/* --- failure --- */

static void test_guard(void **state)
{
    (void)state;
    static const char *words[] = {"nan", "runaway", "collapse"};
    static const char *said[][4] = {
        {"particle 7: its velocity is not a number", "Likely cause: the step was too long",
         "What to change: ", "time 0.2"},
        {"particle 7: it has run away from the scene", "nothing stops the liquid there", "close the domain",
         "time 0.2"},
        {"the largest safe step has fallen to 1e-30 s (limit: toy)", "Likely cause", "What to change", "time 0.2"}};
    for (int k = 0; k < 3; k++) {
        dew_simulation_def def = ball_definition();
        dew_parameter_value mishap[] = {{"mishap", 0, words[k]}, {"mishap_time", 0.2, NULL}};
        def.parameters = mishap, def.parameter_count = 2;
        dew_simulation *s = make(&def);
        assert_int_equal(dew_simulation_advance(s, 1, NULL, NULL), DEW_FAILED);
        for (int i = 0; i < 4; i++) check_says(said[k][i]);
        dew_simulation_destroy(s);
    }
}

/* --- snapshots --- */

typedef struct kept {
    dew_snapshot_item items[64];
    int count;
} kept;

static size_t item_bytes(const dew_snapshot_item *item)
{
    static const size_t sizes[] = {4, 8, 4, 8, 1};
    return (size_t)item->count * sizes[item->type];
}

static kept keep(dew_simulation *s)
{
    const dew_snapshot_item *items;
    kept k = {.count = 0};
    check_ok(dew_simulation_snapshot(s, &items, &k.count));
    for (int i = 0; i < k.count; i++) {
        k.items[i] = items[i];
        k.items[i].name = strdup(items[i].name);
        void *copy = malloc(item_bytes(&items[i]) + 1);
        if (items[i].count > 0) memcpy(copy, items[i].data, item_bytes(&items[i])); /* an empty array may be nowhere */
        k.items[i].data = copy;
    }
    return k;
}

static void drop_kept(kept *k)
{
    for (int i = 0; i < k->count; i++) {
        free((void *)k->items[i].name);
        free((void *)k->items[i].data);
    }
}

static void advance_frames(dew_simulation *s, int frames)
{
    for (int f = 0; f < frames; f++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
}

static void test_resume(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    def.liquid_count = 1, def.gravity.z = -1;
    dew_simulation *whole = make(&def);
    advance_frames(whole, 11);
    kept k = keep(whole);
    advance_frames(whole, 9);
    dew_simulation *resumed = make(&def);
    advance_frames(resumed, 2); /* not fresh: what was there must not show */
    check_ok(dew_simulation_restore(resumed, k.items, k.count));
    assert_int_equal(dew_simulation_frame(resumed)->index, 11);
    advance_frames(resumed, 9);
    assert_int_equal(dew_simulation_particle_count(whole), dew_simulation_particle_count(resumed));
    assert_true(dew_simulation_hash(whole) == dew_simulation_hash(resumed));
    kept a = keep(whole), b = keep(resumed);
    assert_int_equal(a.count, b.count);
    for (int i = 0; i < a.count; i++) {
        assert_string_equal(a.items[i].name, b.items[i].name);
        assert_int_equal(a.items[i].count, b.items[i].count);
        assert_memory_equal(a.items[i].data, b.items[i].data, item_bytes(&a.items[i]));
    }
    drop_kept(&a);
    drop_kept(&b);
    drop_kept(&k);
    dew_simulation_destroy(whole);
    dew_simulation_destroy(resumed);
}

static void test_snapshot_refused(void **state)
{
    (void)state;
    dew_simulation_def def = tap_definition();
    def.liquid_count = 1;
    dew_simulation *s = make(&def);
    advance_frames(s, 3);
    kept k = keep(s);
    check_ok(dew_simulation_advance(s, 0.11, NULL, NULL));
    const dew_snapshot_item *items;
    int count;
    assert_int_equal(dew_simulation_snapshot(s, &items, &count), DEW_INVALID);
    check_says("at a frame's end only");
    uint64_t before = dew_simulation_hash(s);
    for (int i = 0; i < k.count; i++) {
        dew_snapshot_item right = k.items[i];
        k.items[i].name = "lost";
        assert_int_equal(dew_simulation_restore(s, k.items, k.count), DEW_INVALID);
        check_says("lacks");
        k.items[i] = right;
        k.items[i].type = right.type == DEW_ITEM_UINT8 ? DEW_ITEM_INT32 : DEW_ITEM_UINT8;
        assert_int_equal(dew_simulation_restore(s, k.items, k.count), DEW_INVALID);
        k.items[i] = right;
        k.items[i].count--;
        assert_int_equal(dew_simulation_restore(s, k.items, k.count), DEW_INVALID);
        k.items[i] = right;
    }
    def.spacing *= 1.0001;
    dew_simulation *other = make(&def);
    assert_int_equal(dew_simulation_restore(other, k.items, k.count), DEW_INVALID);
    check_says("another scene");
    assert_true(dew_simulation_hash(s) == before);
    check_ok(dew_simulation_restore(s, k.items, k.count));
    drop_kept(&k);
    dew_simulation_destroy(s);
    dew_simulation_destroy(other);
}

/* --- state of any length --- */

static dew_simulation_def linked_definition(dew_parameter_value parameters[2])
{
    dew_simulation_def def = tap_definition();
    def.liquid_count = 1, def.gravity.z = -9;
    parameters[0] = (dew_parameter_value){"links", 1, "on"};
    parameters[1] = (dew_parameter_value){"drain", 0.27, NULL};
    def.parameters = parameters, def.parameter_count = 2;
    return def;
}

/* Links between particles, by id: some are made and some cut in each step, while a tap adds particles, a drain removes
 * some, and sorts move all. From any frame, on any number of threads, a resumed run ends with the same bytes. */
static void test_linked_resume(void **state)
{
    (void)state;
    enum { FRAMES = 8 };
    dew_parameter_value parameters[2];
    dew_simulation_def def = linked_definition(parameters);
    dew_simulation *whole = make(&def);
    check_ok(dew_simulation_look_ahead(whole));
    kept at[FRAMES + 1];
    int ids = whole->particles.next_id;
    for (int f = 0; f <= FRAMES; f++) {
        at[f] = keep(whole);
        if (f < FRAMES) advance_frames(whole, 1);
    }
    const toy *t = whole->state;
    assert_true(t->link_count > 20 && t->cut > 0);
    assert_true(whole->particles.next_id > ids && whole->particles.next_id > whole->particles.count);
    for (int f = 0; f < FRAMES; f++) {
        def.threads = 1 + f % 3;
        dew_simulation *resumed = make(&def);
        if (f % 2) advance_frames(resumed, 2); /* what was there must not show */
        check_ok(dew_simulation_restore(resumed, at[f].items, at[f].count));
        advance_frames(resumed, FRAMES - f);
        kept end = keep(resumed);
        assert_int_equal(end.count, at[FRAMES].count);
        for (int i = 0; i < end.count; i++) {
            assert_int_equal(end.items[i].count, at[FRAMES].items[i].count);
            assert_memory_equal(end.items[i].data, at[FRAMES].items[i].data, item_bytes(&end.items[i]));
        }
        drop_kept(&end);
        dew_simulation_destroy(resumed);
    }
    for (int f = 0; f <= FRAMES; f++) drop_kept(&at[f]);
    dew_simulation_destroy(whole);
}

/* Lengths that cannot be are refused with everything as it was. */
static void test_linked_refused(void **state)
{
    (void)state;
    dew_parameter_value parameters[2];
    dew_simulation_def def = linked_definition(parameters);
    dew_simulation *s = make(&def);
    advance_frames(s, 3);
    kept k = keep(s);
    advance_frames(s, 2);
    kept now = keep(s);
    for (int i = 0; i < k.count; i++) {
        if (strcmp(k.items[i].name, "method/links/lengths") != 0) continue;
        assert_true(k.items[i].count > 1);
        k.items[i].count--;
        assert_int_equal(dew_simulation_restore(s, k.items, k.count), DEW_INVALID);
        check_says("ends of");
        k.items[i].count++;
    }
    kept after = keep(s);
    for (int i = 0; i < after.count; i++)
        assert_memory_equal(after.items[i].data, now.items[i].data, item_bytes(&after.items[i]));
    check_ok(dew_simulation_restore(s, k.items, k.count));
    drop_kept(&k), drop_kept(&now), drop_kept(&after);
    dew_simulation_destroy(s);
}

/* --- what is set during a run --- */

static dew_vec3 momentum_of(const dew_simulation *s)
{
    double p[3];
    check_ok(dew_simulation_measure(s, "momentum", p));
    return (dew_vec3){p[0], p[1], p[2]};
}

static void test_changes(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    dew_simulation *whole = make(&def), *resumed = make(&def);
    toy *t = whole->state;
    advance_frames(whole, 1);
    double before = momentum_of(whole).z, mass;
    check_ok(dew_simulation_measure(whole, "mass", &mass));
    check_ok(simulation_set(whole, WORLD_GRAVITY, 0, (dew_vec3){0, 0, -3}));
    check_ok(simulation_set(whole, WORLD_VISCOSITY, 0, (dew_vec3){0.5, 0, 0}));
    assert_true(t->changes == 2 && whole->w.materials[0].viscosity == 0.5);
    advance_frames(whole, 3);
    check_close((momentum_of(whole).z - before) / mass, -3 * 3 / 30.0, 1e-5);
    kept k = keep(whole);
    check_ok(simulation_set(resumed, WORLD_GRAVITY, 0, (dew_vec3){7, 0, 0})); /* which must not stay */
    check_ok(dew_simulation_restore(resumed, k.items, k.count));
    advance_frames(whole, 2), advance_frames(resumed, 2);
    assert_true(dew_simulation_hash(whole) == dew_simulation_hash(resumed));
    assert_true(resumed->w.gravity.x == 0 && resumed->w.materials[0].viscosity == 0.5);
    kept again = keep(resumed);
    assert_int_equal(again.count, k.count);
    dew_simulation *plain = make(&def);
    kept start = keep(plain); /* and back to what the definition says */
    check_ok(dew_simulation_restore(resumed, start.items, start.count));
    assert_true(resumed->w.gravity.z == def.gravity.z && resumed->w.materials[0].viscosity == water.viscosity);
    drop_kept(&k), drop_kept(&again), drop_kept(&start);
    dew_simulation_destroy(whole), dew_simulation_destroy(resumed), dew_simulation_destroy(plain);
}

static void test_changes_refused(void **state)
{
    (void)state;
    dew_simulation_def def = ball_definition();
    dew_simulation *s = make(&def);
    assert_int_equal(simulation_set(s, WORLD_SURFACE_TENSION, 0, (dew_vec3){0.1, 0, 0}), DEW_INVALID);
    check_says("method \"toy\" cannot take another surface_tension during a run");
    assert_int_equal(simulation_set(s, WORLD_VISCOSITY, 1, (dew_vec3){0.1, 0, 0}), DEW_INVALID);
    check_says("there is no material 1; there are 1");
    assert_int_equal(simulation_set(s, WORLD_VISCOSITY, 0, (dew_vec3){-0.1, 0, 0}), DEW_INVALID);
    check_says("viscosity is -0.1; it must be at least 0 Pa s");
    assert_int_equal(simulation_set(s, WORLD_GRAVITY, 0, (dew_vec3){0, NAN, 0}), DEW_INVALID);
    check_says("gravity is nan; it must be a number below 1e+18");
    assert_true(s->w.materials[0].viscosity == water.viscosity);
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_velocity_functions),
        cmocka_unit_test(test_wrong_definitions),
        cmocka_unit_test(test_all_mistakes_at_once),
        cmocka_unit_test(test_fill_avoids_solids),
        cmocka_unit_test(test_guard),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_snapshot_refused),
        cmocka_unit_test(test_linked_resume),
        cmocka_unit_test(test_linked_refused),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_changes_refused),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
