/* What every method must do, whatever its physics: tests that loop over the registry. */
#include "set_ups.h"

#include "methods/method.h"

#include <math.h>
#include <stdio.h>

/* --- the table --- */

static int word_count(const char *choices)
{
    int count = 1;
    for (; *choices; choices++) count += *choices == '|';
    return count;
}

static void check_parameter(const dew_method_info *info, int index)
{
    const dew_parameter *p = &info->parameters[index];
    if (!p->name || !*p->name || !p->unit || !*p->unit)
        fail_msg("%s: parameter %d lacks a name or unit", info->name, index);
    if (strspn(p->name, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(p->name)) fail_msg("%s", p->name);
    if (!p->sentence || strlen(p->sentence) < 10) fail_msg("%s.%s has no sentence", info->name, p->name);
    if (p->choices) {
        int words = word_count(p->choices);
        if (!(p->default_value >= 0 && p->default_value < words)) fail_msg("%s.%s: default", info->name, p->name);
        if (strstr(p->choices, "||") || !*p->choices) fail_msg("%s.%s: an empty word", info->name, p->name);
    } else if (!(p->min <= p->default_value && p->default_value <= p->max)) {
        fail_msg("%s.%s: default %g is not in %g .. %g", info->name, p->name, p->default_value, p->min, p->max);
    }
    for (int other = 0; other < index; other++) {
        if (strcmp(info->parameters[other].name, p->name) == 0) fail_msg("%s.%s is there twice", info->name, p->name);
    }
}

static void table_is_sane(const dew_method_info *info)
{
    assert_true(info->name && *info->name && info->title && *info->title && info->source && *info->source);
    assert_ptr_equal(dew_method_find(info->name), info);
    assert_true(info->features & (DEW_FEATURE_2D | DEW_FEATURE_3D));
    for (int i = 0; i < info->parameter_count; i++) check_parameter(info, i);
    const method *m = method_find(info->name);
    assert_true(m->create && m->max_time_step && m->step);
    assert_true(!m->resize || m->visit);
    assert_true(!m->changed || m->may_change);
}

static void test_tables(void **state)
{
    (void)state;
    for_each_method(table_is_sane);
    assert_null(dew_method_find("fem"));
    assert_null(dew_method_at(-1));
    assert_null(dew_method_at(dew_method_count()));
}

/* What is set is what is used; what is out of range, or unknown, is refused. */
static void parameters_go_round(const dew_method_info *info)
{
    set_up u;
    begin(&u, info, 0.4 * MILLIMETRE);
    set_ellipsoid(&u.drops[0], (dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 0});
    dew_simulation *plain = make(&u);
    for (int i = 0; i < info->parameter_count; i++) {
        const dew_parameter *p = &info->parameters[i];
        assert_true(dew_simulation_parameter(plain, i) == p->default_value);
        double other = isfinite(p->min) && isfinite(p->max) ? 0.75 * p->default_value + 0.25 * (p->min + p->max) / 2
                                                            : p->default_value;
        char word[64] = "";
        if (p->choices) {
            other = word_count(p->choices) - 1;
            const char *last = strrchr(p->choices, '|');
            snprintf(word, sizeof word, "%s", last ? last + 1 : p->choices);
        }
        dew_parameter_value value = {p->name, other, *word ? word : NULL};
        u.def.parameters = &value, u.def.parameter_count = 1;
        dew_simulation *s = make(&u);
        assert_true(dew_simulation_parameter(s, i) == other);
        dew_simulation_destroy(s);
        const double outside[2] = {p->min - 1 - fabs(p->min), p->max + 1 + fabs(p->max)};
        for (int k = 0; k < 2 && !p->choices; k++) {
            if (!isfinite(outside[k])) continue;
            value.number = outside[k];
            assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
            assert_null(s);
            if (!strstr(dew_message(), p->name)) fail_msg("%s is not named: %s", p->name, dew_message());
        }
    }
    dew_parameter_value unknown = {"no_such_parameter", 1, NULL};
    u.def.parameters = &unknown, u.def.parameter_count = 1;
    dew_simulation *s;
    assert_int_equal(dew_simulation_create(&u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "no_such_parameter"));
    dew_simulation_destroy(plain);
}

static void test_parameters(void **state)
{
    (void)state;
    for_each_method(parameters_go_round);
}

/* --- conservation --- */

/* Momentum may change by so much of mass times the speed of the motion. */
static double momentum_tolerance(void) { return sizeof(dew_real) == sizeof(double) ? 1e-12 : 5e-6; }

static void check_conserved(const dew_method_info *info, const set_up *u, int frames)
{
    dew_simulation *s = make(u);
    double mass, mass_after, p[3], p_after[3];
    measure(s, "mass", &mass);
    measure(s, "momentum", p);
    int count = dew_simulation_particle_count(s);
    advance_frames(s, frames);
    measure(s, "mass", &mass_after);
    measure(s, "momentum", p_after);
    assert_int_equal(dew_simulation_particle_count(s), count);
    assert_true(mass_after == mass);
    for (int a = 0; a < 3; a++) {
        double error = fabs(p_after[a] - p[a]) / (mass * WAVE_SPEED);
        if (!(error <= momentum_tolerance())) {
            fail_msg("%s: momentum changed by %.3g of mass x speed (axis %d)", info->name, error, a);
        }
    }
    dew_simulation_destroy(s);
}

static void drop_conserves(const dew_method_info *info)
{
    set_up u;
    begin(&u, info, 0.14 * MILLIMETRE);
    set_ellipsoid(&u.drops[0], (dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 0});
    check_conserved(info, &u, 8);
}

static void collision_conserves(const dew_method_info *info)
{
    set_up u;
    colliding_drops(&u, info);
    check_conserved(info, &u, 10);
}

static void test_free_drop(void **state)
{
    (void)state;
    for_each_method(drop_conserves);
}

static void test_collision(void **state)
{
    (void)state;
    for_each_method(collision_conserves);
}

/* --- the same bytes --- */

static uint64_t hash_after(const set_up *u, int frames)
{
    dew_simulation *s = make(u);
    advance_frames(s, frames);
    uint64_t hash = dew_simulation_hash(s);
    dew_simulation_destroy(s);
    return hash;
}

static void threads_agree(const dew_method_info *info)
{
    static const int threads[] = {1, 2, 3, 8};
    void (*const set[])(set_up *, const dew_method_info *) = {colliding_drops, falling_drop};
    for (int k = 0; k < 2; k++) {
        set_up u;
        set[k](&u, info);
        uint64_t first = 0;
        for (int i = 0; i < 4; i++) {
            u.def.threads = threads[i];
            uint64_t hash = hash_after(&u, 2);
            if (i == 0) first = hash;
            if (hash != first) fail_msg("%s: set-up %d differs on %d threads", info->name, k, threads[i]);
        }
    }
}

static void test_threads(void **state)
{
    (void)state;
    for_each_method(threads_agree);
}

static void restart_agrees(const dew_method_info *info)
{
    set_up u;
    falling_drop(&u, info);
    dew_simulation *whole = make(&u);
    for (int cut = 0; cut < 3; cut++) {
        int count;
        dew_snapshot_item *items = copy_items(whole, &count);
        advance_frames(whole, 1);
        u.def.threads = cut + 1;
        dew_simulation *resumed = make(&u);
        if (dew_simulation_restore(resumed, items, count) != DEW_OK) fail_msg("%s", dew_message());
        advance_frames(resumed, 1);
        free_items(items, count);
        int other_count;
        dew_snapshot_item *others = copy_items(resumed, &other_count);
        items = copy_items(whole, &count);
        assert_int_equal(count, other_count);
        for (int i = 0; i < count; i++) {
            if (items[i].count != others[i].count ||
                (items[i].count > 0 && memcmp(items[i].data, others[i].data, item_bytes(&items[i])) != 0)) {
                fail_msg("%s: after a restart at frame %d \"%s\" differs", info->name, cut, items[i].name);
            }
        }
        assert_true(dew_simulation_hash(whole) == dew_simulation_hash(resumed));
        free_items(items, count);
        free_items(others, other_count);
        dew_simulation_destroy(resumed);
    }
    dew_simulation_destroy(whole);
}

static void test_restart(void **state)
{
    (void)state;
    for_each_method(restart_agrees);
}

/* A look ahead shows what the first step finds, and changes nothing of the course. */
static void look_ahead_leaves_no_trace(const dew_method_info *info)
{
    set_up u;
    colliding_drops(&u, info);
    dew_simulation *plain = make(&u), *looked = make(&u);
    assert_int_equal(dew_simulation_look_ahead(looked), DEW_OK);
    assert_true(dew_simulation_hash(plain) == dew_simulation_hash(looked));
    assert_int_equal(dew_simulation_step_count(looked), 0);
    dew_field field, before;
    if (dew_simulation_field(looked, "is_surface", &field) && field.type == DEW_FIELD_UINT8) {
        const uint8_t *flag = field.data;
        int surface = 0;
        for (int i = 0; i < field.count; i++) surface += flag[i];
        assert_in_range(surface, field.count / 20, field.count);
    }
    int plain_count, looked_count;
    dew_snapshot_item *a = copy_items(plain, &plain_count), *b = copy_items(looked, &looked_count);
    assert_int_equal(plain_count, looked_count);
    for (int k = 0; k < plain_count; k++) {
        assert_string_equal(a[k].name, b[k].name);
        assert_memory_equal(a[k].data, b[k].data, item_bytes(&a[k]));
    }
    free_items(a, plain_count), free_items(b, looked_count);
    advance_frames(plain, 1), advance_frames(looked, 1);
    assert_true(dew_simulation_hash(plain) == dew_simulation_hash(looked));
    for (int f = 0; f < dew_simulation_frame(plain)->field_count; f++) {
        field = dew_simulation_frame(looked)->fields[f], before = dew_simulation_frame(plain)->fields[f];
        static const size_t sizes[] = {sizeof(dew_real), 4, 1};
        assert_memory_equal(field.data, before.data, (size_t)(field.count * field.stride) * sizes[field.type]);
    }
    dew_simulation_destroy(plain), dew_simulation_destroy(looked);
}

static void test_look_ahead(void **state)
{
    (void)state;
    for_each_method(look_ahead_leaves_no_trace);
}

static void neighbours_do_not_disturb(const dew_method_info *info)
{
    set_up one, two;
    colliding_drops(&one, info);
    falling_drop(&two, info);
    one.def.threads = 1, two.def.threads = 2;
    uint64_t alone[2] = {hash_after(&one, 2), hash_after(&two, 2)};
    dew_simulation *a = make(&one), *b = make(&two);
    for (int f = 0; f < 2; f++) {
        advance_frames(a, 1);
        advance_frames(b, 1);
    }
    if (dew_simulation_hash(a) != alone[0]) fail_msg("%s: the first of two simulations was disturbed", info->name);
    if (dew_simulation_hash(b) != alone[1]) fail_msg("%s: the second of two simulations was disturbed", info->name);
    dew_simulation_destroy(a);
    dew_simulation_destroy(b);
}

static void test_two_at_once(void **state)
{
    (void)state;
    for_each_method(neighbours_do_not_disturb);
}

/* --- what a user meets --- */

static void wall_holds(const dew_method_info *info)
{
    set_up u;
    falling_drop(&u, info);
    dew_simulation *s = make(&u);
    advance_frames(s, 10);
    dew_field position;
    assert_true(dew_simulation_field(s, "position", &position));
    int up = u.def.dimension - 1;
    for (int i = 0; i < position.count; i++) {
        double height = (double)((const dew_real *)position.data)[i * position.stride + up];
        if (!(height > 0)) fail_msg("%s: particle %d is %g m below the plate", info->name, i, -height);
    }
    for (int i = 0; i < dew_quantity_count(); i++) {
        double values[8];
        measure(s, dew_quantity_name(i), values);
    }
    dew_simulation_destroy(s);
}

static void test_wall(void **state)
{
    (void)state;
    for_each_method(wall_holds);
}

/* Liquid from a tap alone: a simulation that begins without particles. */
static void tap_fills(const dew_method_info *info)
{
    set_up u;
    falling_drop(&u, info);
    u.def.liquid_count = 0;
    dew_simulation *s = make(&u);
    assert_int_equal(dew_simulation_particle_count(s), 0);
    advance_frames(s, 4);
    assert_true(dew_simulation_particle_count(s) > 0);
    dew_simulation_destroy(s);
}

static void test_tap(void **state)
{
    (void)state;
    for_each_method(tap_fills);
}

/* --- what is set during a run --- */

/* Another value of the property in the definition (a viscosity of water is below what some methods need: two hundred
 * times of it), and what it is then. */
static dew_vec3 alter(set_up *u, world_property what)
{
    const struct {
        double *number, value;
    } other[WORLD_PROPERTIES] = {
        [WORLD_VISCOSITY] = {&u->water.viscosity, 200 * u->water.viscosity},
        [WORLD_SURFACE_TENSION] = {&u->water.surface_tension, 0.5 * u->water.surface_tension},
        [WORLD_YOUNGS_MODULUS] = {&u->water.youngs_modulus, 0.5 * u->water.youngs_modulus},
        [WORLD_SHEAR_MODULUS] = {&u->water.shear_modulus, 0.5 * u->water.shear_modulus},
        [WORLD_YIELD_STRESS] = {&u->water.yield_stress, 0.01 * u->water.shear_modulus},
        [WORLD_RELAXATION_TIME] = {&u->water.relaxation_time, 1e-3},
        [WORLD_CONTACT_ANGLE] = {&u->plate.contact_angle, 0.5 * u->plate.contact_angle},
        [WORLD_SLIP_LENGTH] = {&u->plate.slip_length, 0},
        [WORLD_FRICTION] = {&u->plate.friction, 0.5},
        [WORLD_ADHESION] = {&u->plate.adhesion, 0.5},
    };
    if (what == WORLD_GRAVITY) {
        u->def.gravity = (dew_vec3){0.5 * u->def.gravity.x, 0.5 * u->def.gravity.y, 0.5 * u->def.gravity.z};
        return u->def.gravity;
    }
    *other[what].number = other[what].value;
    return (dew_vec3){other[what].value, what == WORLD_CONTACT_ANGLE ? other[what].value : 0, 0};
}

/* A coarse drop that touches the plate soon, on one thread; with the modulus that the property is of. */
static void set_altered(set_up *u, const dew_method_info *info, bool has_youngs, bool has_shear)
{
    falling_drop(u, info);
    u->def.threads = 1, u->def.spacing = 1.15 * DROP_SPACING;
    if (has_youngs) u->water.youngs_modulus = 2e4;
    if (has_shear) u->water.shear_modulus = 1e4;
    u->drops[0].shape.ellipsoid.centre.y *= 0.9, u->drops[0].shape.ellipsoid.centre.z *= 0.9;
}

/* What is set before the first step acts as if the definition had said so; what a method cannot take it refuses. */
static void set_is_as_defined(const dew_method_info *info)
{
    uint64_t unaltered[3] = {0}; /* without modulus, with either */
    for (int what = 0; what < WORLD_PROPERTIES; what++) {
        set_up u;
        if (!world_number_of((world_property)what).key) continue;
        bool may = method_find(info->name)->may_change >> what & 1;
        bool has_youngs = what == WORLD_YOUNGS_MODULUS && may;
        bool has_shear = what > WORLD_YOUNGS_MODULUS && what <= WORLD_RELAXATION_TIME && may;
        uint64_t *other = &unaltered[has_youngs ? 1 : has_shear ? 2 : 0];
        set_altered(&u, info, has_youngs, has_shear);
        if (may && *other == 0) *other = hash_after(&u, 2);
        dew_simulation *as_set = make(&u);
        dew_vec3 value = alter(&u, (world_property)what);
        dew_result result = simulation_set(as_set, (world_property)what, 0, value);
        if (result != (may ? DEW_OK : DEW_INVALID)) fail_msg("%s: property %d: %s", info->name, what, dew_message());
        if (may) {
            advance_frames(as_set, 2);
            if (dew_simulation_hash(as_set) != hash_after(&u, 2))
                fail_msg("%s: property %d set before the first step is not as if it were defined", info->name, what);
            if (dew_simulation_hash(as_set) == *other) fail_msg("%s: property %d does nothing", info->name, what);
        } else if (!strstr(dew_message(), info->name)) {
            fail_msg("%s is not named: %s", info->name, dew_message());
        }
        dew_simulation_destroy(as_set);
    }
}

static void test_set(void **state)
{
    (void)state;
    for_each_method(set_is_as_defined);
}

/* --- two liquids --- */

/* A tension between two liquids, or a solid that these wet each in its own way, is felt or refused by name: never
 * taken without a word. */
static void tension_between_liquids(const dew_method_info *info)
{
    static const struct {
        unsigned feature;
        const char *refusal;
    } asked[] = {{DEW_FEATURE_INTERFACES, "cannot do tensions between materials"},
                 {DEW_FEATURE_WETTING_PAIRS, "cannot do materials that wet a solid differently"}};
    for (int what = 0; what < 2; what++) {
        uint64_t hash[2] = {0};
        for (int other = 0; other < 2; other++) {
            set_up u;
            dew_simulation *s;
            dew_interface_def between = {{0, 1}, what == 0 && other ? 0.09 : 0.03};
            dew_wets_def wets = {.material = 1, .contact_angle = what == 1 && other ? 120 : 60};
            falling_drop(&u, info);
            dew_material_def pair[2] = {u.water, u.water};
            pair[0].name = "water", pair[1].name = "oil", pair[1].density *= 0.8;
            u.drops[0].material = 1, u.drops[0].velocity = (dew_vec3){0, 0, 0};
            u.drops[1] = u.drops[0], u.drops[1].material = 0; /* beside it, both on the plate */
            u.drops[0].shape.ellipsoid.centre.y *= 0.9, u.drops[0].shape.ellipsoid.centre.z *= 0.9;
            u.drops[1].shape.ellipsoid.centre = u.drops[0].shape.ellipsoid.centre;
            u.drops[1].shape.ellipsoid.centre.x += 2.3 * MILLIMETRE;
            u.def.liquid_count = 2, u.def.emitter_count = 0;
            u.def.materials = pair, u.def.material_count = 2;
            u.def.interfaces = &between, u.def.interface_count = what == 0;
            u.plate.wets = &wets, u.plate.wets_count = what == 1;
            dew_result result = dew_simulation_create(&u.def, &s);
            bool may = info->features & asked[what].feature;
            if (result != (may ? DEW_OK : DEW_INVALID)) fail_msg("%s: %s", info->name, dew_message());
            if (!may && !strstr(dew_message(), asked[what].refusal)) fail_msg("%s: %s", info->name, dew_message());
            if (!may) continue;
            advance_frames(s, 2);
            hash[other] = dew_simulation_hash(s);
            dew_simulation_destroy(s);
        }
        if (hash[0] != 0 && hash[0] == hash[1]) fail_msg("%s: feels nothing of it", info->name);
    }
}

static void test_two_liquids(void **state)
{
    (void)state;
    for_each_method(tension_between_liquids);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_tables),      cmocka_unit_test(test_parameters), cmocka_unit_test(test_free_drop),
        cmocka_unit_test(test_collision),   cmocka_unit_test(test_threads),    cmocka_unit_test(test_restart),
        cmocka_unit_test(test_two_at_once), cmocka_unit_test(test_wall),       cmocka_unit_test(test_tap),
        cmocka_unit_test(test_look_ahead),  cmocka_unit_test(test_set),        cmocka_unit_test(test_two_liquids),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
