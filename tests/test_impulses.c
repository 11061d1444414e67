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
static void check_balance(const set_up *u, const char *what, int frames)
{
    balance = (struct balance){.m = method_find(u->def.method)};
    method wrapped = *balance.m;
    wrapped.step = balanced_step;
    dew_simulation *s;
    if (simulation_create_with(&wrapped, &u->def, &s) != DEW_OK) fail_msg("%s: %s", what, dew_message());
    advance_frames(s, frames);
    dew_vec3 given = {0, 0, 0};
    double largest = fmax(vec3_length(balance.gained), vec3_length(balance.gravity));
    for (int k = 0; k < dew_frame_solid_count(dew_simulation_frame(s)); k++) {
        dew_solid_impulse i;
        assert_int_equal(dew_simulation_solid_impulse(s, k, (dew_vec3){0, 0, 0}, &i), DEW_OK);
        assert_true(i.since == 0);
        given = vec3_add(given, i.run.linear);
        if (getenv("SHOW_BALANCE"))
            printf("    %s %s solid %d: %.3g %.3g %.3g, about the origin %.3g %.3g %.3g\n", u->def.method, what, k,
                   i.run.linear.x, i.run.linear.y, i.run.linear.z, i.run.angular.x, i.run.angular.y, i.run.angular.z);
        largest = fmax(largest, vec3_length(i.run.linear));
    }
    double off = vec3_length(vec3_add(vec3_sub(balance.gained, balance.gravity), given)) / largest;
    if (getenv("SHOW_BALANCE"))
        printf("%s %-28s off %.2e: gained (%.3g %.3g %.3g) gravity %.3g given (%.3g %.3g %.3g)\n", u->def.method, what,
               off, balance.gained.x, balance.gained.y, balance.gained.z, vec3_length(balance.gravity), given.x,
               given.y, given.z);
    if (!(off <= 1e-5) && !getenv("SHOW_BALANCE"))
        fail_msg("%s, %s: %.2e of the largest impulse comes from nowhere", u->def.method, what, off);
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
        check_balance(&u, what, choice ? 3 : 6);
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

/* --- each solid its own share --- */

/* A cylinder of liquid between two plates that it wets. */
static void set_bridge(set_up *u, const dew_method_info *info, dew_solid_def plates[2])
{
    falling_drop(u, info);
    u->def.gravity = (dew_vec3){0, 0, 0}, u->def.emitter_count = 0;
    u->water.viscosity = 0.05;
    plates[0] = plates[1] = u->plate;
    plates[0].contact_angle = plates[1].contact_angle = 60;
    plates[1].shape = dew_plane((dew_vec3){0, 0, 1.2e-3}, (dew_vec3){0, 0, -1});
    u->def.solids = plates, u->def.solid_count = 2;
    u->drops[0] = dew_default_liquid_def();
    u->drops[0].shape = dew_default_shape_def();
    u->drops[0].shape.kind = DEW_SHAPE_CYLINDER;
    u->drops[0].shape.cylinder.from = (dew_vec3){0, 0, 0}, u->drops[0].shape.cylinder.to = (dew_vec3){0, 0, 1.2e-3};
    u->drops[0].shape.cylinder.radius = 1e-3;
}

/* Both plates' lines pull, where the method tells what they do, by gamma sin(theta) a length, the one up and the other
 * down. Of a bridge as coarse as this one, 6 spacings in radius, the line of the first layer or of the mesh
 * through centres is up to a fifth shorter. */
static void check_line(const dew_simulation *s, double angle, double tension)
{
    const solids *of = dew_simulation_frame(s)->solids;
    double spread[2], step;
    bool is_known = dew_simulation_frame(s)->measure(s, "time_step", &step);
    measure(s, "spread_radius", spread);
    double length = 2 * PI * spread[0] / sqrt(2), pull = tension * sin(angle * PI / 180) * length;
    double lower = solids_part(of, 0, PUSH_LINE).z / step / pull,
           upper = -solids_part(of, 1, PUSH_LINE).z / step / pull;
    if (isnan(lower)) return;
    if (getenv("SHOW_BALANCE")) printf("    lines %.3f, %.3f of gamma sin(theta) a length\n", lower, upper);
    if (!(is_known && fabs(lower - 1) < 0.2 && fabs(upper - 1) < 0.2))
        fail_msg("%s: lines pull by %.3f and %.3f of gamma sin(theta) a length", dew_simulation_method(s)->name, lower,
                 upper);
}

/* At 60 degrees tension draws the plates together by 4.6 gamma H (laws/bridge), which particles as coarse as these have
 * within a quarter, on the lower plate as on the upper one. (pbf's bridge swells: 6.3.) */
static void draws_plates_together(const dew_method_info *info, dew_parameter_value *choice)
{
    set_up u;
    dew_solid_def plates[2];
    dew_solid_impulse got[2][2];
    set_bridge(&u, info, plates);
    if (choice) u.def.parameters = choice, u.def.parameter_count = 1;
    dew_simulation *s = make(&u);
    for (int half = 0; half < 2; half++) {
        advance_frames(s, 60);
        for (int k = 0; k < 2; k++)
            assert_int_equal(dew_simulation_solid_impulse(s, k, (dew_vec3){0, 0, 0}, &got[half][k]), DEW_OK);
    }
    double time = 60 / u.def.frame_rate, up = (got[1][0].run.linear.z - got[0][0].run.linear.z) / time;
    double down = (got[0][1].run.linear.z - got[1][1].run.linear.z) / time, whole = u.water.surface_tension * 1.2e-3;
    if (getenv("SHOW_BALANCE"))
        printf("%s %s: plates %.3f, %.3f\n", info->name, choice ? choice->text : "", up / whole, down / whole);
    if (!(fabs(up / whole - 4.6) < 1.15 && fabs(down / whole - 4.6) < 1.15))
        fail_msg("%s: a bridge draws its plates by %.2f and %.2f gamma H", info->name, up / whole, down / whole);
    check_line(s, plates[1].contact_angle, u.water.surface_tension);
    dew_simulation_destroy(s);
}

/* --- the parts --- */

typedef struct part_sums {
    double time;
    dew_vec3 part[PUSH_KINDS]; /* of all solids, N s; PUSH_WHOLE: the whole */
} part_sums;

static bool add_parts(void *context, const dew_simulation *s)
{
    part_sums *sums = context;
    const dew_frame *f = dew_simulation_frame(s);
    double step = dew_simulation_time(s) - sums->time, v[PUSH_KINDS][3];
    static const char *const names[] = {"wall_pressure_force", "wall_shear_force", "wall_line_force", "wall_force"};
    dew_vec3 whole = {0, 0, 0};
    for (int kind = 0; kind < PUSH_KINDS; kind++) {
        measure(s, names[kind], v[kind]);
        sums->part[kind] =
            vec3_add(sums->part[kind], (dew_vec3){step * v[kind][0], step * v[kind][1], step * v[kind][2]});
    }
    for (int k = 0; k < dew_frame_solid_count(f); k++)
        whole = vec3_add(whole, solids_impulse(f->solids, k, (dew_vec3){0, 0, 0}).step.linear);
    for (int a = 0; a < 3; a++) assert_true(fabs(v[3][a] - vec3_at(whole, a) / step) <= 1e-9 * fabs(v[3][a]) + 1e-12);
    sums->time += step;
    return true;
}

/* A pool at rest without tension: its floor bears its weight by pressure alone. A method that cannot tell parts says
 * so.
 */
static void pool_presses(const dew_method_info *info, bool is_told)
{
    set_up u;
    part_sums sums = {0};
    falling_drop(&u, info);
    set_box(&u);
    u.def.domain.min = (dew_vec3){-1e-3, -1e-3, 0}, u.def.domain.max = (dew_vec3){1e-3, 1e-3, 3e-3};
    u.drops[0].shape = dew_box((dew_vec3){-1e-3, -1e-3, 0}, (dew_vec3){1e-3, 1e-3, 1.2e-3});
    u.drops[0].velocity = (dew_vec3){0, 0, 0}, u.water.viscosity = 0.05, u.water.surface_tension = 0;
    u.def.domain.slip_length = INFINITY; /* or walls that hold bear a part for as long as it settles */
    dew_simulation *s = make(&u);
    advance_frames(s, 60);
    sums.time = dew_simulation_time(s);
    double begin = sums.time, mass;
    measure(s, "mass", &mass);
    for (int f = 0; f < 60; f++) assert_int_equal(dew_simulation_advance_frame(s, add_parts, &sums), DEW_OK);
    double weight = mass * 9.81 * (sums.time - begin);
    if (getenv("SHOW_BALANCE"))
        for (int kind = 0; kind < PUSH_KINDS; kind++)
            printf("%s pool, part %d over weight: %.4f %.4f %.4f\n", info->name, kind, sums.part[kind].x / weight,
                   sums.part[kind].y / weight, sums.part[kind].z / weight);
    assert_true(fabs(sums.part[PUSH_WHOLE].z / weight + 1) < 0.02);
    if (is_told) {
        assert_true(fabs(sums.part[PUSH_PRESSURE].z / weight + 1) < 0.02);
        assert_true(vec3_length(sums.part[PUSH_SHEAR]) / weight < 1e-6);
        assert_true(vec3_length(sums.part[PUSH_LINE]) / weight < 1e-6);
    } else
        assert_true(isnan(sums.part[PUSH_PRESSURE].z) && isnan(sums.part[PUSH_SHEAR].z));
    dew_simulation_destroy(s);
}

static void test_parts(void **state)
{
    (void)state;
    pool_presses(dew_method_find("sph"), true);
    pool_presses(dew_method_find("pbf"), true);
    pool_presses(dew_method_find("ddr"), true);
    pool_presses(dew_method_find("mpm"), false);
}

static void test_bridge(void **state)
{
    (void)state;
    dew_parameter_value area = {"tension", 2, "area"};
    draws_plates_together(dew_method_find("mpm"), NULL);
    draws_plates_together(dew_method_find("sph"), NULL);
    draws_plates_together(dew_method_find("sph"), &area);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_impulses), cmocka_unit_test(test_bridge),
                                     cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
