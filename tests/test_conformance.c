/* What every method must do, whatever its physics: tests that loop over the registry. */
#include "set_ups.h"

#include "methods/method.h"

#include <math.h>
#include <stdio.h>

/* m/s: sqrt(surface tension/(density radius)) of the drops of set_ups.h, the scale of their motion. */
#define WAVE_SPEED 0.85

static void for_each_method(void (*test)(const dew_method_info *info))
{
    assert_true(dew_method_count() > 0);
    for (int i = 0; i < dew_method_count(); i++) test(dew_method_at(i));
}

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
            uint64_t hash = hash_after(&u, 3);
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
    dew_simulation *whole = make(&u), *resumed = make(&u);
    for (int cut = 0; cut < 3; cut++) {
        int count;
        dew_snapshot_item *items = copy_items(whole, &count);
        advance_frames(whole, 2);
        u.def.threads = cut + 1;
        if (dew_simulation_restore(resumed, items, count) != DEW_OK) fail_msg("%s", dew_message());
        advance_frames(resumed, 2);
        free_items(items, count);
        int other_count;
        dew_snapshot_item *others = copy_items(resumed, &other_count);
        items = copy_items(whole, &count);
        assert_int_equal(count, other_count);
        for (int i = 0; i < count; i++) {
            if (items[i].count != others[i].count ||
                (items[i].count > 0 && memcmp(items[i].data, others[i].data, item_bytes(&items[i])) != 0)) {
                fail_msg("%s: after a restart at frame %d \"%s\" differs", info->name, 2 * cut, items[i].name);
            }
        }
        assert_true(dew_simulation_hash(whole) == dew_simulation_hash(resumed));
        free_items(items, count);
        free_items(others, other_count);
    }
    dew_simulation_destroy(whole);
    dew_simulation_destroy(resumed);
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
    advance_frames(plain, 2), advance_frames(looked, 2);
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
    uint64_t alone[2] = {hash_after(&one, 3), hash_after(&two, 3)};
    dew_simulation *a = make(&one), *b = make(&two);
    for (int f = 0; f < 3; f++) {
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

static dew_shape_def upright(double from, double to, double radius)
{
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_CYLINDER;
    shape.cylinder.from = (dew_vec3){0, 0, from}, shape.cylinder.to = (dew_vec3){0, 0, to};
    shape.cylinder.radius = radius;
    return shape;
}

/* In a pipe that lets slip, five spacings across and closed behind its tap, liquid goes as fast as it comes in: what an
 * emitter holds pushes like a piston, and the end behind it draws nothing back. */
static void inflow_keeps_its_speed(const dew_method_info *info)
{
    if (!(info->features & DEW_FEATURE_3D)) return;
    const double spacing = 0.2 * MILLIMETRE, radius = 2.5 * spacing, length = 12 * spacing, speed = 2;
    set_up u;
    begin(&u, info, spacing);
    dew_shape_def parts[2] = {upright(0, length + 3 * spacing, radius + 3 * spacing),
                              upright(-length, length + spacing / 2, radius)};
    u.plate.shape.kind = DEW_SHAPE_DIFFERENCE, u.plate.slip_length = INFINITY;
    u.plate.shape.combination.children = parts, u.plate.shape.combination.count = 2;
    u.def.solids = &u.plate, u.def.solid_count = 1;
    u.drops[0].shape = upright(0, length, radius), u.drops[0].velocity = (dew_vec3){0, 0, -speed};
    u.tap = dew_default_emitter_def();
    u.tap.shape.kind = DEW_SHAPE_DISC;
    u.tap.shape.disc.centre = (dew_vec3){0, 0, length}, u.tap.shape.disc.normal = (dew_vec3){0, 0, -1};
    u.tap.shape.disc.radius = radius, u.tap.velocity = (dew_vec3){0, 0, -speed};
    u.def.emitters = &u.tap, u.def.emitter_count = 1;
    dew_simulation *s = make(&u);
    double sum = 0, count = 0;
    for (int frame = 0; frame < 8; frame++) {
        advance_frames(s, 1);
        if (frame < 4) continue;
        for (int i = 0; i < s->particles.count; i++) {
            double z = (double)s->particles.position[i].z;
            if (z < spacing || z > length - 4 * spacing) continue;
            sum -= (double)s->particles.velocity[i].z, count++;
        }
    }
    if (!(fabs(sum / count / speed - 1) < 0.05))
        fail_msg("%s: in a pipe 2 m/s have become %.3f m/s", info->name, sum / count);
    dew_simulation_destroy(s);
}

static void test_inflow(void **state)
{
    (void)state;
    for_each_method(inflow_keeps_its_speed);
}

/* --- corners within one solid --- */

/* Root of the mean square speed, over the last frames, of liquid that is left to itself in a cup: cut out of one block,
 * or made of five. */
static double stir_in_cup(const dew_method_info *info, bool is_one)
{
    enum { SIDES = 5 };
    const double s = 0.17 * MILLIMETRE, x = 5 * s, y = 3.5 * s, depth = 6 * s, top = 10 * s, thick = 4 * s;
    const dew_vec3 low = {-x - thick, -y - thick, -thick}, high = {x + thick, y + thick, top};
    const dew_shape_def parts[2] = {dew_box(low, high), dew_box((dew_vec3){-x, -y, 0}, (dew_vec3){x, y, top + thick})};
    const dew_shape_def side[SIDES] = {
        dew_box(low, (dew_vec3){high.x, high.y, 0}), dew_box(low, (dew_vec3){-x, high.y, top}),
        dew_box((dew_vec3){x, low.y, low.z}, high), dew_box(low, (dew_vec3){high.x, -y, top}),
        dew_box((dew_vec3){low.x, y, low.z}, high)};
    dew_solid_def cup[SIDES];
    set_up u;
    begin(&u, info, s);
    for (int k = 0; k < SIDES; k++) cup[k] = u.plate, cup[k].shape = side[k];
    if (is_one) {
        cup[0].shape.kind = DEW_SHAPE_DIFFERENCE;
        cup[0].shape.combination.children = parts, cup[0].shape.combination.count = 2;
    }
    u.drops[0].shape = dew_box((dew_vec3){-x, -y, 0}, (dew_vec3){x, y, depth});
    u.def.gravity = (dew_vec3){0, 0, -9.81};
    u.def.solids = cup, u.def.solid_count = is_one ? 1 : SIDES;
    dew_simulation *simulation = make(&u);
    double sum = 0, count = 0;
    for (int frame = 0; frame < 24; frame++) {
        advance_frames(simulation, 1);
        for (int i = 0; frame >= 16 && i < simulation->particles.count; i++) {
            real3 v = real3_of(simulation->particles.velocity[i]);
            sum += (double)real3_dot(v, v), count++;
        }
    }
    dew_simulation_destroy(simulation);
    return sqrt(sum / count);
}

/* Where a solid bends inwards, as a cup does, its faces are walls each. (One that stood for all let water in a cup boil
 * at a third of the speed of its waves.) */
static void cup_is_still(const dew_method_info *info)
{
    if (!(info->features & DEW_FEATURE_3D)) return;
    double one = stir_in_cup(info, true), five = stir_in_cup(info, false);
    if (!(one < 1.3 * five + 0.02 * WAVE_SPEED))
        fail_msg("%s: in a cup of one piece water stirs at %.3g m/s, in one of five at %.3g", info->name, one, five);
}

static void test_cup(void **state)
{
    (void)state;
    for_each_method(cup_is_still);
}

/* --- the same in every frame of reference --- */

/* What a drop does, by id, seen from a frame that goes along: places and velocities. Returns the count of particles. */
static int fly(const dew_method_info *info, bool on_plate, dew_vec3 speed, dew_vec3 *place, dew_vec3 *velocity,
               int room)
{
    set_up u;
    dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = speed}};
    falling_drop(&u, info);
    u.def.emitter_count = 0, u.def.solid_count = on_plate;
    u.plate.motion.keyframes = keys, u.plate.motion.keyframe_count = 2;
    u.drops[0].velocity = vec3_add(u.drops[0].velocity, speed);
    dew_simulation *s = make(&u);
    advance_frames(s, 3);
    assert_in_range(s->particles.count, 1, room);
    for (int i = 0; i < s->particles.count; i++) {
        real4 x = s->particles.position[i], v = s->particles.velocity[i];
        int id = s->particles.id[i];
        place[id] = vec3_sub((dew_vec3){(double)x.x, (double)x.y, (double)x.z}, vec3_scale(s->time, speed));
        velocity[id] = vec3_sub((dew_vec3){(double)v.x, (double)v.y, (double)v.z}, speed);
    }
    int count = s->particles.count;
    dew_simulation_destroy(s);
    return count;
}

/* Root mean squares over all particles, in spacings and of the speed of waves: what grids that lie elsewhere make, and
 * rounding. (Not the largest: where a method decides, say, what lies on the surface, rounding may move a particle or
 * two at a contact line by a tenth.) */
#define SAME_PLACE 0.03
#define SAME_VELOCITY 0.03

static void flight_is_rest(const dew_method_info *info)
{
    enum { ROOM = 1000 };
    static dew_vec3 place[2][ROOM], velocity[2][ROOM];
    for (int on_plate = 0; on_plate < 2; on_plate++) {
        double far = 0, fast = 0;
        memset(place, 0, sizeof place), memset(velocity, 0, sizeof velocity);
        int count = fly(info, on_plate, (dew_vec3){0, 0, 0}, place[0], velocity[0], ROOM);
        fly(info, on_plate, (dew_vec3){6, -5, info->features & DEW_FEATURE_3D ? 3 : 0}, place[1], velocity[1], ROOM);
        for (int i = 0; i < ROOM; i++) {
            dew_vec3 x = vec3_sub(place[1][i], place[0][i]), v = vec3_sub(velocity[1][i], velocity[0][i]);
            far += vec3_dot(x, x) / count, fast += vec3_dot(v, v) / count;
        }
        far = sqrt(far) / (0.17 * MILLIMETRE), fast = sqrt(fast) / WAVE_SPEED;
        if (far > SAME_PLACE || fast > SAME_VELOCITY)
            fail_msg(
                "%s: a drop %s that flies along is off by %g spacings and %g of the speed of waves from one at rest",
                info->name, on_plate ? "on a plate" : "in the open", far, fast);
    }
}

static void test_flight(void **state)
{
    (void)state;
    for_each_method(flight_is_rest);
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
    return (dew_vec3){other[what].value, 0, 0};
}

/* What is set before the first step acts as if the definition had said so; what a method cannot take it refuses. */
static void set_is_as_defined(const dew_method_info *info)
{
    for (int what = 0; what < WORLD_PROPERTIES; what++) {
        set_up u;
        if (!world_number_of((world_property)what).key) continue;
        falling_drop(&u, info);
        bool may = method_find(info->name)->may_change >> what & 1;
        if (what == WORLD_YOUNGS_MODULUS && may) u.water.youngs_modulus = 2e4;
        if (what > WORLD_YOUNGS_MODULUS && what <= WORLD_RELAXATION_TIME && may) u.water.shear_modulus = 1e4;
        u.drops[0].shape.ellipsoid.centre.y *= 0.9, u.drops[0].shape.ellipsoid.centre.z *= 0.9; /* it touches soon */
        dew_simulation *as_set = make(&u), *other = make(&u);
        dew_vec3 value = alter(&u, (world_property)what);
        dew_simulation *as_defined = may ? make(&u) : NULL;
        dew_result result = simulation_set(as_set, (world_property)what, 0, value);
        if (result != (may ? DEW_OK : DEW_INVALID)) fail_msg("%s: property %d: %s", info->name, what, dew_message());
        if (may) {
            advance_frames(as_set, 4), advance_frames(as_defined, 4), advance_frames(other, 4);
            if (dew_simulation_hash(as_set) != dew_simulation_hash(as_defined))
                fail_msg("%s: property %d set before the first step is not as if it were defined", info->name, what);
            if (dew_simulation_hash(as_set) == dew_simulation_hash(other))
                fail_msg("%s: property %d does nothing", info->name, what);
        } else if (!strstr(dew_message(), info->name)) {
            fail_msg("%s is not named: %s", info->name, dew_message());
        }
        dew_simulation_destroy(as_set), dew_simulation_destroy(as_defined), dew_simulation_destroy(other);
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
        cmocka_unit_test(test_look_ahead),  cmocka_unit_test(test_flight),     cmocka_unit_test(test_set),
        cmocka_unit_test(test_two_liquids), cmocka_unit_test(test_inflow),     cmocka_unit_test(test_cup),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
