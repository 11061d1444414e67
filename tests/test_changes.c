/* What a definition changes during a run: at the exact time, for every method, whatever the threads and wherever the
 * run was interrupted; and what is wrong in it. */
#include "set_ups.h"

#include "methods/method.h"
#include "toy_method.h"

#include <math.h>
#include <stdio.h>

/* Of set_ups.h: 4000 frames a second. */
#define FRAME 2.5e-4

/* --- the clock --- */

enum { MOST_STEPS = 4096 };
typedef struct clock_seen {
    double time[MOST_STEPS];
    int count;
} clock_seen;

static bool see(void *context, const dew_simulation *s)
{
    clock_seen *c = context;
    if (c->count < MOST_STEPS) c->time[c->count++] = dew_simulation_time(s);
    return true;
}

static bool has_seen(const clock_seen *c, double time)
{
    for (int k = 0; k < c->count; k++)
        if (c->time[k] == time) return true;
    return false;
}

static void falling_ball(set_up *u)
{
    memset(u, 0, sizeof *u);
    u->water = dew_default_material_def();
    u->drops[0] = dew_default_liquid_def();
    u->drops[0].shape = dew_sphere((dew_vec3){0, 0, 0}, 0.05);
    u->def = dew_default_simulation_def();
    u->def.method = "toy", u->def.spacing = 0.01, u->def.frame_rate = 30;
    u->def.materials = &u->water, u->def.material_count = 1;
    u->def.liquids = u->drops, u->def.liquid_count = 1;
}

/* Free fall under gravity that changes within a frame and at a frame's end: every step begins under the one that holds
 * then, and one step ends where it changes. */
static void test_exact_time(void **state)
{
    (void)state;
    set_up u;
    falling_ball(&u);
    const double times[] = {0.0432, 4 / 30.0, 4 / 30.0, 0.17};
    const dew_setting_def set[] = {{.path = "gravity", .value = {1, 0, 0}},
                                   {.path = "gravity", .value = {0, 2, 0}},
                                   {.path = "materials.water.viscosity", .value = {0.25, 0, 0}},
                                   {.path = "gravity", .value = {0, 0, 0}}};
    dew_change_def changes[4];
    for (int k = 0; k < 4; k++) {
        changes[k] = dew_default_change_def();
        changes[k].at = times[k], changes[k].set = &set[k], changes[k].set_count = 1;
    }
    u.def.changes = changes, u.def.change_count = 4;
    dew_simulation *s;
    assert_int_equal(simulation_create_with(&method_toy, &u.def, &s), DEW_OK);
    clock_seen seen = {.count = 0};
    for (int f = 0; f < 4; f++) assert_int_equal(dew_simulation_advance_frame(s, see, &seen), DEW_OK);
    assert_true(s->w.materials[0].viscosity == u.water.viscosity); /* the step at its time has not begun */
    for (int f = 4; f < 6; f++) assert_int_equal(dew_simulation_advance_frame(s, see, &seen), DEW_OK);
    assert_true(s->w.materials[0].viscosity == 0.25);
    assert_true(has_seen(&seen, times[0]) && has_seen(&seen, times[1]) && has_seen(&seen, times[3]));
    assert_true(seen.time[seen.count - 1] == 6 / 30.0);
    double p[3], mass;
    measure(s, "momentum", p), measure(s, "mass", &mass);
    assert_true(fabs(p[2] / mass + 9.81 * times[0]) < 1e-6);
    assert_true(fabs(p[0] / mass - (times[1] - times[0])) < 1e-6);
    assert_true(fabs(p[1] / mass - 2 * (times[3] - times[1])) < 1e-6);
    assert_true(dew_simulation_frame(s)->gravity.z == 0 && dew_simulation_frame(s)->gravity.y == 0);
    dew_simulation_destroy(s);
}

/* --- every method --- */

typedef struct plan {
    set_up u;
    dew_setting_def set[WORLD_PROPERTIES];
    dew_change_def change[3];
} plan;

/* A drop on a plate: all that the method can take changes in two parts, within a frame and at its end; then the plate
 * goes, and where the drop has become elastic it flows again. */
static void make_plan(plan *p, const dew_method_info *info)
{
    static const dew_setting_def all[WORLD_PROPERTIES] = {
        [WORLD_GRAVITY] = {.path = "gravity", .value = {3, -2, 0}},
        [WORLD_VISCOSITY] = {.path = "materials.water.viscosity", .value = {0.2, 0, 0}},
        [WORLD_SURFACE_TENSION] = {.path = "materials.water.surface_tension", .value = {0.03, 0, 0}},
        [WORLD_SHEAR_MODULUS] = {.path = "materials.water.shear_modulus", .value = {200, 0, 0}},
        [WORLD_YIELD_STRESS] = {.path = "materials.water.yield_stress", .value = {20, 0, 0}},
        [WORLD_RELAXATION_TIME] = {.path = "materials.water.relaxation_time", .value = {2e-3, 0, 0}},
        [WORLD_CONTACT_ANGLE] = {.path = "solids.plate.contact_angle", .value = {60, 0, 0}},
        [WORLD_SLIP_LENGTH] = {.path = "solids.plate.slip_length",
                               .value = {INFINITY, 0, 0}}, /* friction acts where slip is free */
        [WORLD_FRICTION] = {.path = "solids.0.friction", .value = {0.4, 0, 0}},
        [WORLD_ADHESION] = {.path = "solids.plate.adhesion", .value = {0.5, 0, 0}},
    };
    falling_drop(&p->u, info);
    p->u.def.spacing = 1.15 * DROP_SPACING;
    p->u.drops[0].shape.ellipsoid.centre.y *= 0.9, p->u.drops[0].shape.ellipsoid.centre.z *= 0.9;
    p->u.plate.name = "plate";
    static const dew_setting_def flows = {.path = "materials.water.shear_modulus", .value = {0, 0, 0}};
    unsigned may = method_find(info->name)->may_change;
    bool may_stiffen = may >> WORLD_ELASTICITY & 1;
    int count = 0;
    for (int what = 0; what < WORLD_PROPERTIES; what++)
        if (all[what].path && may >> what & 1 && (what != WORLD_SHEAR_MODULUS || may_stiffen))
            p->set[count++] = all[what];
    assert_true(count >= 4);
    for (int k = 0; k < 3; k++) p->change[k] = dew_default_change_def();
    p->change[0].at = 1.6 * FRAME, p->change[0].set = p->set, p->change[0].set_count = 2;
    p->change[1].at = 3 * FRAME, p->change[1].set = p->set + 2, p->change[1].set_count = count - 2;
    p->change[2].at = 4.3 * FRAME, p->change[2].remove = 0;
    if (may_stiffen) p->change[2].set = &flows, p->change[2].set_count = 1;
    p->u.def.changes = p->change, p->u.def.change_count = 3;
}

enum { FRAMES = 6 };

static void goes_on_alike(const dew_method_info *info)
{
    plan p;
    make_plan(&p, info);
    p.u.def.threads = 1;
    dew_simulation *whole = make(&p.u);
    dew_snapshot_item *at[FRAMES];
    int count[FRAMES];
    for (int f = 0; f < FRAMES; f++) {
        if (dew_simulation_snapshot_copy(whole, &at[f], &count[f]) != DEW_OK) fail_msg("%s", dew_message());
        advance_frames(whole, 1);
    }
    /* Before all changes, after the first, when the second is due, and after the last. */
    static const int cuts[] = {1, 2, 3, 5};
    for (int k = 0; k < 4; k++) {
        int f = cuts[k];
        p.u.def.threads = 1 + f % 3;
        dew_simulation *resumed = make(&p.u);
        if (k == 0) advance_frames(resumed, FRAMES - 1); /* what was there must not show */
        if (dew_simulation_restore(resumed, at[f], count[f]) != DEW_OK) fail_msg("%s", dew_message());
        advance_frames(resumed, FRAMES - f);
        if (dew_simulation_hash(resumed) != dew_simulation_hash(whole))
            fail_msg("%s: resumed at frame %d by %d threads it goes on in another way", info->name, f, 1 + f % 3);
        assert_true(solids_is_removed(resumed->w.solids, 0));
        assert_true(resumed->w.materials[0].shear_modulus == 0);
        dew_simulation_destroy(resumed);
    }
    for (int f = 0; f < FRAMES; f++) free(at[f]);
    dew_simulation_destroy(whole);
}

static void test_resume_and_threads(void **state)
{
    (void)state;
    for_each_method(goes_on_alike);
}

/* Changes of the definition are as if someone set them there; and another definition has another fingerprint. */
static void is_as_set(const dew_method_info *info)
{
    plan p;
    make_plan(&p, info);
    p.u.def.change_count = 1, p.change[0].at = 2 * FRAME;
    dew_simulation *planned = make(&p.u);
    p.change[0].at = 2.5 * FRAME;
    dew_simulation *later = make(&p.u);
    p.u.def.change_count = 0;
    dew_simulation *set = make(&p.u);
    assert_true(planned->fingerprint != set->fingerprint && planned->fingerprint != later->fingerprint);
    advance_frames(planned, 4), advance_frames(set, 2);
    for (int k = 0; k < p.change[0].set_count; k++) {
        world_property what;
        int index;
        change_fault fault;
        assert_true(change_find(&p.u.def, p.set[k].path, &what, &index, &fault));
        assert_int_equal(simulation_set(set, what, index, change_value(what, &p.set[k])), DEW_OK);
    }
    advance_frames(set, 2);
    if (dew_simulation_hash(planned) != dew_simulation_hash(set)) fail_msg("%s: a change is not as set", info->name);
    dew_simulation_destroy(planned), dew_simulation_destroy(later), dew_simulation_destroy(set);
}

static void test_as_set(void **state)
{
    (void)state;
    for_each_method(is_as_set);
}

/* A drop rests in a dish that is taken away: it falls as freely as one that has never had it. */
static void falls(const dew_method_info *info)
{
    plan p;
    make_plan(&p, info);
    p.u.def.emitter_count = 0, p.u.drops[0].velocity = (dew_vec3){0, 0, 0};
    p.change[0] = p.change[2], p.change[0].at = 2.5 * FRAME, p.u.def.change_count = 1;
    dew_simulation *s = make(&p.u);
    double before[3], after[3], mass;
    dew_solid_mesh mesh;
    dew_solid_impulse got;
    advance_frames(s, 3);
    measure(s, "momentum", before), measure(s, "mass", &mass);
    advance_frames(s, 4);
    measure(s, "momentum", after);
    for (int a = 0; a < 3; a++) {
        double expected = vec3_at(p.u.def.gravity, a) * 4 * FRAME, gained = (after[a] - before[a]) / mass;
        if (!(fabs(gained - expected) < 1e-5)) fail_msg("%s: axis %d: %g m/s, not %g", info->name, a, gained, expected);
    }
    assert_int_equal(dew_frame_solid_mesh(dew_simulation_frame(s), 0, &mesh), DEW_OK);
    assert_true(mesh.vertex_count == 0 && !mesh.is_visible);
    assert_int_equal(dew_simulation_solid_impulse(s, 0, (dew_vec3){0, 0, 0}, &got), DEW_OK);
    assert_true(got.step.linear.x == 0 && got.step.linear.y == 0 && got.step.linear.z == 0);
    dew_simulation_destroy(s);
}

static void test_removed_solid(void **state)
{
    (void)state;
    for_each_method(falls);
}

/* Of a drop that slides on a plate, what that takes of its momentum in the fifth frame, in parts. */
static double taken(plan *p, double adhesion, int change_count)
{
    double before[3], after[3];
    p->u.plate.adhesion = adhesion, p->u.def.change_count = change_count;
    dew_simulation *s = make(&p->u);
    advance_frames(s, 4), measure(s, "momentum", before);
    advance_frames(s, 1), measure(s, "momentum", after);
    dew_simulation_destroy(s);
    return 1 - after[0] / before[0];
}

/* A plate begins to hold what lies on it: it acts from the next step on. Whoever knows adhesion knows that. */
static void begins_to_adhere(const dew_method_info *info)
{
    plan p;
    make_plan(&p, info);
    p.u.def.emitter_count = 0, p.u.drops[0].velocity = (dew_vec3){0.3, 0, 0};
    double without = taken(&p, 0, 0);
    bool acts = taken(&p, 1, 0) != without, may = method_find(info->name)->may_change >> WORLD_ADHESION & 1;
    if (acts != may) fail_msg("%s: adhesion %s", info->name, acts ? "acts and is not set" : "is set and does not act");
    p.set[0] = (dew_setting_def){.path = "solids.plate.adhesion", .value = {1, 0, 0}};
    p.change[0].at = 4 * FRAME, p.change[0].set_count = 1;
    if (!may) return;
    double with = taken(&p, 0, 1);
    if (!(with > fabs(without) + 0.01)) fail_msg("%s: %g is taken, without adhesion %g", info->name, with, without);
}

static void test_adhesion(void **state)
{
    (void)state;
    for_each_method(begins_to_adhere);
}

/* --- the watch --- */

/* Energy that a change brings comes from outside: no balance moves by a drop whose tension rises fivefold, by gravity
 * where there was none, by a plate that goes; and what there is to give does. */
static void brings_energy(const dew_method_info *info)
{
    plan p;
    make_plan(&p, info);
    p.u.def.emitter_count = 0, p.u.drops[0].velocity = (dew_vec3){0, 0, 0}, p.u.def.gravity = (dew_vec3){0, 0, 0};
    p.u.water.surface_tension = 0.015;
    p.set[0] = (dew_setting_def){.path = "materials.water.surface_tension", .value = {0.075, 0, 0}};
    p.set[1] = (dew_setting_def){.path = "gravity", .value = {-20, 0, -20}};
    p.change[0].set_count = p.change[1].set_count = 1, p.change[1].set = p.set + 1, p.change[2].set_count = 0;
    dew_simulation *s = make(&p.u);
    const watch_record *r = &s->watch.record;
    for (int k = 0; k < 3; k++) {
        double balance[2], scale = 0.075 * 4 * PI * MILLIMETRE * MILLIMETRE;
        assert_int_equal(dew_simulation_advance(s, p.change[k].at, NULL, NULL), DEW_OK);
        measure(s, "energy_balance", &balance[0]);
        double energy = r->energy, stored = r->stored, weight = r->weight;
        assert_int_equal(changes_make(s), DEW_OK);
        assert_true(s->changes_made == k + 1);
        measure(s, "energy_balance", &balance[1]);
        if (!(fabs(balance[1] - balance[0]) < 1e-9 * scale))
            fail_msg("%s: change %d: the balance moves by %g", info->name, k, (balance[1] - balance[0]) / scale);
        assert_true(k == 2 || fabs(r->energy - energy) > 0.01 * scale);
        assert_true(k != 0 || r->stored > 3 * stored);
        assert_true(k != 1 || r->weight > weight);
    }
    advance_frames(s, 2);
    assert_false(dew_simulation_watched(s, DEW_WATCHED_MOMENTUM).is_beyond);
    dew_simulation_destroy(s);
}

static void test_energy_of_changes(void **state)
{
    (void)state;
    for_each_method(brings_energy);
}

/* --- what is wrong --- */

static void check_wrong(const plan *p, const char *const *parts, int count)
{
    dew_simulation *s = NULL;
    assert_int_equal(dew_simulation_create(&p->u.def, &s), DEW_INVALID);
    for (int k = 0; k < count; k++)
        if (!strstr(dew_message(), parts[k])) fail_msg("\"%s\" is not in: %s", parts[k], dew_message());
}

/* Two angles that a change gives to a solid of one hold its line as those of a solid that has had them always; who
 * cannot hold lines refuses them by name. */
static void takes_two_angles(const dew_method_info *info)
{
    plan p;
    make_plan(&p, info);
    const dew_setting_def two = {.path = "solids.plate.contact_angle", .has_hysteresis = true, .hysteresis = {100, 30}};
    p.change[0].at = 0, p.change[0].set = &two, p.change[0].set_count = 1, p.u.def.change_count = 1;
    p.u.def.spacing *= 1.2, p.u.def.threads = 1;
    if (!(info->features & DEW_FEATURE_HYSTERESIS)) {
        char part[96];
        snprintf(part, sizeof part, "changes[0].set[0]: method '%s' cannot do advancing and receding", info->name);
        check_wrong(&p, (const char *const[]){part}, 1);
        return;
    }
    dew_simulation *changed = make(&p.u);
    p.u.def.change_count = 0;
    dew_simulation *one = make(&p.u);
    p.u.plate.has_hysteresis = true, p.u.plate.hysteresis = two.hysteresis;
    dew_simulation *always = make(&p.u);
    advance_frames(changed, 4), advance_frames(one, 4), advance_frames(always, 4);
    assert_true(solids_number(changed->w.solids, 0, WORLD_CONTACT_ANGLE) == 100);
    assert_true(solids_number(changed->w.solids, 0, WORLD_RECEDING_ANGLE) == 30);
    if (dew_simulation_hash(changed) != dew_simulation_hash(always))
        fail_msg("%s: two angles by a change are not as if they were defined", info->name);
    assert_true(dew_simulation_hash(one) != dew_simulation_hash(always));
    dew_simulation_destroy(changed), dew_simulation_destroy(one), dew_simulation_destroy(always);
}

static void test_two_angles(void **state)
{
    (void)state;
    for_each_method(takes_two_angles);
}

static void test_wrong(void **state)
{
    (void)state;
    plan p;
    make_plan(&p, dew_method_find("sph"));
    const dew_setting_def set[] = {{.path = "materials.oil.viscosity", .value = {1, 0, 0}},
                                   {.path = "materials.water.density", .value = {1, 0, 0}},
                                   {.path = "solids.plate.contact_angle", .value = {200, 0, 0}},
                                   {.path = "gravity", .value = {NAN, 0, 0}},
                                   {.path = "sph.cfl", .value = {1, 0, 0}},
                                   {.path = "materials.water.youngs_modulus", .value = {1, 0, 0}},
                                   {.path = "domain.frction", .value = {1, 0, 0}},
                                   {.path = "solids.plate.friction", .value = {0.1, 0, 0}}};
    const dew_setting_def angles = {
        .path = "solids.plate.contact_angle", .has_hysteresis = true, .hysteresis = {30, 200}};
    p.change[0].set = set, p.change[0].set_count = 7;
    p.change[1].at = 0.5 * FRAME, p.change[1].set_count = 0;
    p.change[2] = dew_default_change_def(), p.change[2].at = 4 * FRAME, p.change[2].remove = 3, p.change[2].release = 0;
    static const char *const parts[] = {
        "changes[0].set[0]: unknown material 'oil'",
        "changes[0].set[1]: the density of a material cannot be set during a run",
        "changes[0].set[2]: contact_angle is 200; it must be between 0 and 180 deg",
        "changes[0].set[3]: gravity is nan",
        "changes[0].set[4]: 'sph.cfl' cannot be set during a run",
        "changes[0].set[5]: method 'sph' cannot take another youngs_modulus during a run",
        "changes[0].set[6]: unknown key 'frction' in domain",
        "changes[1]: nothing changes at 0.000125 s",
        "changes[1].at: the change at 0.000125 s is before the one above it, at 0.0004 s",
        "changes[2].remove: there is no solid 3; there are 1",
        "changes[2].release: solid 'plate' is not a rigid body",
    };
    check_wrong(&p, parts, sizeof parts / sizeof *parts);
    make_plan(&p, dew_method_find("pbf"));
    p.change[0].set = &angles, p.change[0].set_count = 1;
    check_wrong(&p,
                (const char *const[]){
                    "changes[0].set[0]: contact_angle is 200; it must be between 0 and 180 deg",
                    "changes[0].set[0]: advancing is 30 deg; it must be at least the receding one, 200 deg",
                },
                2);
    make_plan(&p, dew_method_find("sph"));
    p.change[0].remove = 0, p.change[2].at = 5 * FRAME;
    p.change[1].set = set + 7, p.change[1].set_count = 1;
    static const char *const gone[] = {"changes[1].set[0]: solid 'plate' is gone since 0.0004 s",
                                       "changes[2].remove: solid 'plate' is gone since 0.0004 s"};
    check_wrong(&p, gone, 2);
}

/* What does nothing, or says two things of one: a yield stress without a modulus, two moduli, a body that is loose. */
static void test_idle_changes(void **state)
{
    (void)state;
    plan p;
    make_plan(&p, dew_method_find("ddr"));
    const dew_setting_def set[] = {{.path = "materials.water.yield_stress", .value = {10, 0, 0}},
                                   {.path = "materials.water.shear_modulus", .value = {1000, 0, 0}},
                                   {.path = "materials.water.youngs_modulus", .value = {1000, 0, 0}}};
    for (int k = 0; k < 3; k++) p.change[k].set = set + k, p.change[k].set_count = 1, p.change[k].remove = -1;
    p.u.plate.has_rigid = true, p.u.plate.rigid.density = 1000;
    p.change[0].release = 0;
    static const char *const idle[] = {
        "changes[0].set[0]: 'water' is not elastic then, and has no yield stress",
        "changes[0].release: solid 'plate' is not held",
        "changes[2].set[0]: 'water' has its elasticity by the other modulus, not by youngs_modulus",
    };
    check_wrong(&p, idle, 3);
    p.u.plate.rigid.is_held = true, p.change[2].release = 0;
    static const char *const twice[] = {"changes[2].release: solid 'plate' is loose since 0.0004 s"};
    check_wrong(&p, twice, 1);
}

static void tension_of(void *context, int count, const double *const *inputs, double *out)
{
    (void)context, (void)inputs;
    for (int k = 0; k < count; k++) out[k] = 0.05;
}

/* Numbers that follow from others; and mpm's solids, which are there from the start. */
static void test_wrong_numbers(void **state)
{
    (void)state;
    plan p;
    make_plan(&p, dew_method_find("mpm"));
    p.u.water.surface_tension_of_temperature = (dew_function){tension_of, NULL}, p.u.def.has_heat = true;
    p.u.plate.has_surface_energy = true;
    const dew_setting_def set[] = {{.path = "materials.water.surface_tension", .value = {0.01, 0, 0}},
                                   {.path = "solids.plate.contact_angle", .value = {20, 0, 0}},
                                   {.path = "materials.water.youngs_modulus", .value = {10, 0, 0}},
                                   {.path = "materials.water.youngs_modulus", .value = {20, 0, 0}},
                                   {.path = "solids.plate.slip_length", .value = {1e-4, 0, 0}}};
    p.change[0].set = set, p.change[0].set_count = 5;
    static const char *const parts[] = {
        "changes[0].set[0]: the surface_tension of 'water' is an expression",
        "changes[0].set[1]: the contact angle on 'plate' follows from its surface energies",
        "changes[0].set[2]: method 'mpm' cannot make a solid of what flows",
        "changes[0].set[4]: method 'mpm' cannot do slip lengths between 0 and free",
    };
    check_wrong(&p, parts, sizeof parts / sizeof *parts);
    assert_null(strstr(dew_message(), "set[3]"));
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_exact_time),    cmocka_unit_test(test_resume_and_threads),
        cmocka_unit_test(test_as_set),        cmocka_unit_test(test_two_angles),
        cmocka_unit_test(test_removed_solid), cmocka_unit_test(test_energy_of_changes),
        cmocka_unit_test(test_wrong),         cmocka_unit_test(test_idle_changes),
        cmocka_unit_test(test_wrong_numbers), cmocka_unit_test(test_adhesion),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
