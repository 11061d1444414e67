/* What the liquid loses of momentum, solids get: for every method, at solids of several kinds, at rest and moving. */
#include "set_ups.h"

#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>

/* The method under test, its step wrapped: what a step changes of the liquid's momentum, and what gravity's share is.
 * What emitters do comes after it. */
static struct balance {
    const method *m;
    dew_vec3 gained, gravity;
} balance;

static dew_vec3 liquid_momentum(const world *w, double *mass)
{
    const particles *p = w->particles;
    dew_vec3 sum = {0, 0, 0};
    *mass = 0;
    for (int i = 0; i < p->count; i++) {
        double m = w->particle_mass[p->material[i]];
        dew_vec3 v = {p->velocity[i].x, p->velocity[i].y, p->velocity[i].z};
        sum = vec3_add(sum, vec3_scale(m, v)), *mass += m;
    }
    return sum;
}

static dew_result balanced_step(void *state, world *w, double dt)
{
    double mass;
    dew_vec3 before = liquid_momentum(w, &mass);
    RESULT_TRY(balance.m->step(state, w, dt));
    balance.gained = vec3_add(balance.gained, vec3_sub(liquid_momentum(w, &mass), before));
    balance.gravity = vec3_add(balance.gravity, vec3_scale(mass * dt, w->gravity));
    return DEW_OK;
}

/* What the liquid gains, gravity's share taken off, and what solids get sum to nothing. */
static void check_balance(const set_up *u, const char *what)
{
    balance = (struct balance){.m = method_find(u->def.method)};
    method wrapped = *balance.m;
    wrapped.step = balanced_step;
    dew_simulation *s;
    if (simulation_create_with(&wrapped, &u->def, &s) != DEW_OK) fail_msg("%s: %s", what, dew_message());
    advance_frames(s, 3);
    dew_vec3 given = {0, 0, 0};
    double largest = fmax(vec3_length(balance.gained), vec3_length(balance.gravity));
    for (int k = 0; k < dew_frame_solid_count(dew_simulation_frame(s)); k++) {
        dew_solid_impulse i;
        assert_int_equal(dew_simulation_solid_impulse(s, k, (dew_vec3){0, 0, 0}, &i), DEW_OK);
        assert_true(i.since == 0);
        given = vec3_add(given, i.run.linear);
        largest = fmax(largest, vec3_length(i.run.linear));
    }
    double off = vec3_length(vec3_add(vec3_sub(balance.gained, balance.gravity), given)) / largest;
    if (!(off <= 1e-5)) fail_msg("%s, %s: %.2e of the largest impulse comes from nowhere", u->def.method, what, off);
    if (!(vec3_length(given) > 0)) fail_msg("%s, %s: solids got nothing", u->def.method, what);
    dew_simulation_destroy(s);
}

/* A ball of a solid that comes down through a drop on a plate. */
static void set_ball(set_up *u, dew_solid_def bodies[2], dew_keyframe keys[2], bool is_moving)
{
    bool is_flat = u->def.dimension == 2;
    u->def.emitter_count = 0;
    bodies[0] = u->plate, bodies[1] = dew_default_solid_def();
    bodies[1].name = "ball", bodies[1].contact_angle = 60;
    bodies[1].shape = dew_sphere(is_flat ? (dew_vec3){0.3e-3, 2.4e-3, 0} : (dew_vec3){0.3e-3, 0, 2.4e-3}, 0.8e-3);
    keys[0] = (dew_keyframe){.time = 0};
    keys[1] = (dew_keyframe){.time = 0.01, .translation = {2e-3, is_flat ? -4e-3 : 0, is_flat ? 0 : -4e-3}};
    keys[1].rotation = (dew_vec3){0, 0, is_flat ? 0 : 3};
    if (is_moving) bodies[1].motion.keyframes = keys, bodies[1].motion.keyframe_count = 2;
    u->def.solids = bodies, u->def.solid_count = 2;
}

/* A pool in a box of walls. */
static void set_box(set_up *u)
{
    bool is_flat = u->def.dimension == 2;
    u->def.emitter_count = u->def.solid_count = 0;
    u->def.domain.min = (dew_vec3){-1.1e-3, is_flat ? 0 : -1.1e-3, 0};
    u->def.domain.max = (dew_vec3){1.1e-3, is_flat ? 6e-3 : 1.1e-3, 6e-3};
    for (int a = 0; a < u->def.dimension; a++) u->def.domain.axis[a] = DEW_WALL;
    double low = 0.1e-3, high = 2e-3, wide = 1e-3;
    u->drops[0].shape = is_flat ? dew_box((dew_vec3){-wide, low, -wide}, (dew_vec3){wide, high, wide})
                                : dew_box((dew_vec3){-wide, -wide, low}, (dew_vec3){wide, wide, high});
    u->drops[0].velocity = (dew_vec3){0.1, 0, 0};
}

static void solids_get_all(const dew_method_info *info, int dimension, dew_parameter_value *choice)
{
    dew_solid_def bodies[2];
    dew_keyframe keys[2];
    char what[64];
    static const char *const names[] = {"a drop and a tap", "a ball at rest", "a ball that moves",
                                        "friction",         "a box",          "no slip"};
    for (int k = 0; k < 6; k++) {
        set_up u;
        dew_method_info as = *info;
        if (choice && k != 2 && k != 4) continue;
        if (dimension == 2) as.features &= ~(unsigned)DEW_FEATURE_3D;
        if (k == 5 && !(info->features & DEW_FEATURE_NO_SLIP)) continue;
        falling_drop(&u, &as);
        u.drops[0].velocity = (dew_vec3){0.2, dimension == 2 ? -0.5 : 0, dimension == 2 ? 0 : -0.5};
        if (k == 1 || k == 2) set_ball(&u, bodies, keys, k == 2);
        if (k == 3) u.plate.friction = 0.4;
        if (k == 4) set_box(&u);
        if (k == 5) u.plate.slip_length = 0;
        if (choice) u.def.parameters = choice, u.def.parameter_count = 1;
        if (choice && strcmp(choice->text, "paper") == 0) u.water.viscosity = 0.1; /* as its equations need */
        snprintf(what, sizeof what, "%dD %s %s", dimension, names[k], choice ? choice->text : "");
        check_balance(&u, what);
    }
}

static void solids_get_what_liquid_loses(const dew_method_info *info)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        if (!(info->features & (dimension == 2 ? DEW_FEATURE_2D : DEW_FEATURE_3D))) continue;
        solids_get_all(info, dimension, NULL);
        for (int i = 0; i < info->parameter_count; i++) {
            const dew_parameter *p = &info->parameters[i];
            char words[128], *rest = words;
            if (!p->choices) continue;
            snprintf(words, sizeof words, "%s", p->choices);
            int index = 0;
            for (char *word; (word = strtok_r(rest, "|", &rest)); index++) {
                dew_parameter_value choice = {p->name, index, word};
                if (index != (int)p->default_value) solids_get_all(info, dimension, &choice);
            }
        }
    }
}

static void test_impulses(void **state)
{
    (void)state;
    for (int i = 0; i < dew_method_count(); i++) solids_get_what_liquid_loses(dew_method_at(i));
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_impulses)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
