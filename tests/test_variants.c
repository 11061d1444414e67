/* Every choice of every parameter of every method, and every kind of scene that it says it can do: each runs, keeps its
 * mass and its numbers finite, and comes to the same bytes on other threads and after a restart. */
#include "set_ups.h"

#include <math.h>
#include <stdio.h>

/* What a kind of scene adds to a drop; where the method lacks one of `features`, it is not for it. */
typedef struct kind {
    const char *name;
    unsigned features;
    void (*set)(set_up *u, const dew_method_info *info);
} kind;

static void set_periodic(set_up *u, const dew_method_info *info)
{
    begin(u, info, DROP_SPACING);
    set_ellipsoid(&u->drops[0], (dew_vec3){1.2 * MILLIMETRE, 0, 0}, (dew_vec3){0.6, 0.2, 0});
    u->def.domain.axis[0] = DEW_PERIODIC;
    u->def.domain.min.x = -2 * MILLIMETRE, u->def.domain.max.x = 2 * MILLIMETRE;
}

/* Half a drop that swings on a plane of symmetry. */
static void set_symmetric(set_up *u, const dew_method_info *info)
{
    begin(u, info, DROP_SPACING);
    set_ellipsoid(&u->drops[0], (dew_vec3){0, 0, 0}, (dew_vec3){0, 0.1, 0});
    u->def.domain.axis[0] = DEW_SYMMETRY;
    u->def.domain.min.x = 0, u->def.domain.max.x = 6 * MILLIMETRE;
}

static void set_walls(set_up *u, const dew_method_info *info)
{
    begin(u, info, DROP_SPACING);
    set_ellipsoid(&u->drops[0], (dew_vec3){0, 0, 0}, (dew_vec3){0.5, -0.4, 0});
    for (int axis = 0; axis < 3; axis++) u->def.domain.axis[axis] = DEW_WALL;
    u->def.domain.min = (dew_vec3){-1.2 * MILLIMETRE, -1.0 * MILLIMETRE, -1.0 * MILLIMETRE};
    u->def.domain.max = (dew_vec3){1.3 * MILLIMETRE, 1.1 * MILLIMETRE, 1.2 * MILLIMETRE};
    u->def.domain.contact_angle = 70;
}

static void set_no_slip(set_up *u, const dew_method_info *info)
{
    set_walls(u, info);
    u->def.domain.slip_length = 0;
}

/* The plate comes up against the drop and turns. */
static void set_moving_solid(set_up *u, const dew_method_info *info)
{
    static const dew_keyframe frames[2] = {
        {0, {0, 0, 0}, {0, 0, 0}},
        {2e-3, {0.2 * MILLIMETRE, 0.5 * MILLIMETRE, 0.5 * MILLIMETRE}, {0, 0, 0.1}},
    };
    falling_drop(u, info);
    u->def.emitter_count = 0;
    u->plate.friction = 0.2;
    u->plate.shape = dew_box((dew_vec3){-2 * MILLIMETRE, -MILLIMETRE, -2 * MILLIMETRE},
                             (dew_vec3){2 * MILLIMETRE, 2 * MILLIMETRE, -0.02 * MILLIMETRE});
    if (u->def.dimension == 2) u->plate.shape.box.max = (dew_vec3){2 * MILLIMETRE, -0.02 * MILLIMETRE, 2 * MILLIMETRE};
    u->plate.motion.keyframes = frames, u->plate.motion.keyframe_count = 2;
}

static void falling_of(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = 0.072 - 1e-4 * (inputs[0][i] - 293.15) - 1e-3 * inputs[1][i];
}

/* A hot plate, and what leaves through the surface. */
static void set_heat(set_up *u, const dew_method_info *info)
{
    falling_drop(u, info);
    u->def.has_heat = true;
    u->water.surface_tension_of_temperature.evaluate = falling_of;
    u->plate.heat.transfer = 5e4, u->plate.heat.surroundings = 350;
    u->def.heat.surface.transfer = 100;
}

static void set_melting(set_up *u, const dew_method_info *info)
{
    set_heat(u, info);
    u->water.melting_point = 300, u->water.latent_heat = 1e4, u->water.youngs_modulus = 1e4;
    u->tap.temperature = 320;
}

static void set_solute(set_up *u, const dew_method_info *info)
{
    falling_drop(u, info);
    u->def.has_solute = true;
    u->water.surface_tension_of_temperature.evaluate = falling_of;
    u->water.evaporation = 1e-3;
    u->drops[0].concentration = 10;
}

static void set_elastic(set_up *u, const dew_method_info *info)
{
    colliding_drops(u, info);
    u->water.youngs_modulus = 2e3;
}

/* A cap on a plate that holds its contact line, along which it is drawn. */
static void set_held_line(set_up *u, const dew_method_info *info)
{
    falling_drop(u, info);
    u->def.emitter_count = 0;
    double *height = u->def.dimension == 2 ? &u->plate.shape.plane.point.y : &u->plate.shape.plane.point.z;
    *height = 0.8 * MILLIMETRE;
    u->plate.has_hysteresis = true, u->plate.hysteresis = (dew_hysteresis){110, 60};
    u->plate.slip_length = 0;
    u->def.gravity.x = 5;
}

static const kind kinds[] = {
    {"collision", 0, colliding_drops},
    {"fall with an emitter", 0, falling_drop},
    {"walls", 0, set_walls},
    {"moving solid", 0, set_moving_solid},
    {"periodic", DEW_FEATURE_PERIODIC, set_periodic},
    {"symmetry", DEW_FEATURE_SYMMETRY, set_symmetric},
    {"no slip", DEW_FEATURE_NO_SLIP, set_no_slip},
    {"held line", DEW_FEATURE_HYSTERESIS | DEW_FEATURE_NO_SLIP, set_held_line},
    {"heat", DEW_FEATURE_HEAT, set_heat},
    {"melting", DEW_FEATURE_HEAT | DEW_FEATURE_ELASTIC, set_melting},
    {"solute", DEW_FEATURE_SOLUTE, set_solute},
    {"elastic", DEW_FEATURE_ELASTIC, set_elastic},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static double mass_of(const dew_simulation *s)
{
    double mass;
    measure(s, "mass", &mass);
    return mass;
}

static void same_items(dew_simulation *a, dew_simulation *b, const char *what)
{
    int count, other;
    dew_snapshot_item *one = copy_items(a, &count), *two = copy_items(b, &other);
    assert_int_equal(count, other);
    for (int i = 0; i < count; i++)
        if (one[i].count != two[i].count ||
            (one[i].count > 0 && memcmp(one[i].data, two[i].data, item_bytes(&one[i])) != 0))
            fail_msg("%s: \"%s\" differs", what, one[i].name);
    free_items(one, count), free_items(two, other);
}

/* One frame on one thread and on three, then another one there and after a restart. */
static void check_course(set_up *u, const char *what)
{
    int count;
    u->def.frame_rate = 8000; /* a few steps each */
    u->def.threads = 1;
    dew_simulation *whole = make(u);
    u->def.threads = 3;
    dew_simulation *other = make(u);
    double mass = mass_of(whole);
    for (int half = 0; half < 2; half++) {
        dew_snapshot_item *items = copy_items(whole, &count);
        if (half && dew_simulation_restore(other, items, count) != DEW_OK) fail_msg("%s: %s", what, dew_message());
        free_items(items, count);
        advance_frames(whole, 1), advance_frames(other, 1);
        same_items(whole, other, what);
    }
    dew_field velocity;
    assert_true(dew_simulation_field(whole, "velocity", &velocity));
    for (int i = 0; i < velocity.count * velocity.stride; i++)
        if (i % velocity.stride < 3 && !isfinite(((const dew_real *)velocity.data)[i])) fail_msg("%s: no number", what);
    if (u->def.emitter_count == 0 && mass_of(whole) != mass)
        fail_msg("%s: mass was %g, is %g", what, mass, mass_of(whole));
    dew_simulation_destroy(whole), dew_simulation_destroy(other);
}

/* The kinds of scenes that the method can do, in three dimensions and in two. */
static void every_kind(const dew_method_info *info)
{
    for (int k = 0; k < KINDS; k++) {
        if ((info->features & kinds[k].features) != kinds[k].features) continue;
        for (int dimension = 2; dimension <= 3; dimension++) {
            dew_method_info alone = *info;
            alone.features &= ~(unsigned)(dimension == 2 ? DEW_FEATURE_3D : DEW_FEATURE_2D);
            if (!(alone.features & (DEW_FEATURE_2D | DEW_FEATURE_3D))) continue;
            set_up u;
            char what[96];
            snprintf(what, sizeof what, "%s, %s in %d dimensions", info->name, kinds[k].name, dimension);
            kinds[k].set(&u, &alone);
            check_course(&u, what);
        }
    }
}

static void check_refusal(const dew_method_info *info, const dew_parameter_value *value)
{
    set_up u;
    dew_simulation *s;
    if (!(info->features & DEW_FEATURE_HYSTERESIS) || strcmp(value->name, "tension") != 0) return;
    set_held_line(&u, info);
    u.def.parameters = value, u.def.parameter_count = 1;
    if (dew_simulation_create(&u.def, &s) == DEW_OK)
        dew_simulation_destroy(s);
    else if (!strstr(dew_message(), "solids[0].contact_angle") || !strstr(dew_message(), ".tension: "))
        fail_msg("%s, tension: %s: %s", info->name, value->text, dew_message());
}

/* The words of a choice, each in scenes of the first two kinds. A word may refuse one of them, by name; and where it
 * refuses a held line it says what would hold it. */
static void every_word(const dew_method_info *info)
{
    for (int i = 0; i < info->parameter_count; i++) {
        const dew_parameter *p = &info->parameters[i];
        int index = 0;
        for (const char *at = p->choices; at && *at; index++) {
            char word[64], what[160];
            int runs = 0;
            snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|"), at);
            at += strlen(word) + (at[strlen(word)] == '|');
            if (index == (int)p->default_value) continue; /* as in every_kind */
            for (int k = 0; k < 2; k++) {
                set_up u;
                dew_simulation *s;
                dew_parameter_value value = {p->name, index, word};
                kinds[k].set(&u, info);
                u.def.parameters = &value, u.def.parameter_count = 1;
                snprintf(what, sizeof what, "%s, %s: %s, %s", info->name, p->name, word, kinds[k].name);
                if (dew_simulation_create(&u.def, &s) != DEW_OK) {
                    if (!strstr(dew_message(), word)) fail_msg("%s: refused: %s", what, dew_message());
                    continue;
                }
                dew_simulation_destroy(s);
                check_course(&u, what);
                runs++;
            }
            if (runs == 0) fail_msg("%s.%s: %s runs nowhere", info->name, p->name, word);
            check_refusal(info, &(dew_parameter_value){p->name, index, word});
        }
    }
}

static void test_kinds(void **state)
{
    (void)state;
    for (int i = 0; i < dew_method_count(); i++) every_kind(dew_method_at(i));
}

static void test_words(void **state)
{
    (void)state;
    for (int i = 0; i < dew_method_count(); i++) every_word(dew_method_at(i));
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
