/* How liquid moves by every method, whatever its physics: with an inflow, in a cup, seen from another frame. */
#include "set_ups.h"

#include "methods/method.h"

#include <math.h>
#include <stdio.h>

/* In a pipe that lets slip, five spacings across and closed behind its tap, liquid goes as fast as it comes in: what an
 * emitter holds pushes like a piston, and the end behind it draws nothing back. */
static void inflow_keeps_its_speed(const dew_method_info *info)
{
    if (!(info->features & DEW_FEATURE_3D)) return;
    const double spacing = 0.2 * MILLIMETRE, radius = 2.5 * spacing, length = 12 * spacing, speed = 2;
    set_up u;
    begin(&u, info, spacing);
    dew_shape_def parts[2] = {
        dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, length + 3 * spacing}, radius + 3 * spacing),
        dew_cylinder((dew_vec3){0, 0, -length}, (dew_vec3){0, 0, length + spacing / 2}, radius)};
    u.plate.shape.kind = DEW_SHAPE_DIFFERENCE, u.plate.slip_length = INFINITY;
    u.plate.shape.combination.children = parts, u.plate.shape.combination.count = 2;
    u.def.solids = &u.plate, u.def.solid_count = 1;
    u.drops[0].shape = dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, length}, radius),
    u.drops[0].velocity = (dew_vec3){0, 0, -speed};
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

/* Root mean squares over all particles, in spacings and of the speed of waves: what mpm's grid makes, which lies
 * elsewhere in another frame. (Methods without one are the same to a thousandth; what rounding decides shows here.) */
#define SAME_PLACE 0.015
#define SAME_VELOCITY 0.01

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

/* --- solids that move unlike each other --- */

/* The floor of a tank that is full slides along itself and lets slip: the liquid stays where it is. (In the floor's
 * frame the tank's ends come along; a method that had taken them for at rest pumped the liquid to one end.) */
static void slide_floor(const dew_method_info *info, bool is_flat)
{
    const double s = 0.2 * MILLIMETRE, length = 16 * s, width = 8 * s, depth = 5 * s, far = 4 * length, speed = 1;
    const dew_keyframe keys[2] = {{.time = 0}, {.time = 1, .translation = {speed, 0, 0}}};
    dew_solid_def solid[2];
    set_up u;
    begin(&u, info, s);
    u.def.dimension = is_flat ? 2 : 3;
    solid[0] = solid[1] = u.plate;
    solid[0].slip_length = solid[1].slip_length = INFINITY;
    solid[0].motion.keyframes = keys, solid[0].motion.keyframe_count = 2;
    solid[0].shape = is_flat ? dew_box((dew_vec3){-far, -far, -far}, (dew_vec3){far, 0, far})
                             : dew_box((dew_vec3){-far, -far, -far}, (dew_vec3){far, far, 0});
    solid[1].name = "lid";
    solid[1].shape = is_flat ? dew_plane((dew_vec3){0, depth, 0}, (dew_vec3){0, -1, 0})
                             : dew_plane((dew_vec3){0, 0, depth}, (dew_vec3){0, 0, -1});
    u.def.solids = solid, u.def.solid_count = 2;
    u.def.domain.min = (dew_vec3){0, 0, 0};
    u.def.domain.max = is_flat ? (dew_vec3){length, depth, 0} : (dew_vec3){length, width, depth};
    u.def.domain.axis[0] = u.def.domain.axis[is_flat ? 0 : 1] = DEW_WALL;
    u.def.domain.slip_length = INFINITY;
    u.drops[0].shape = is_flat ? dew_box((dew_vec3){0, 0, -far}, (dew_vec3){length, depth, far})
                               : dew_box(u.def.domain.min, u.def.domain.max);
    dew_simulation *simulation = make(&u);
    advance_frames(simulation, 8);
    double sum = 0;
    for (int i = 0; i < simulation->particles.count; i++) sum += (double)simulation->particles.velocity[i].x;
    double mean = sum / simulation->particles.count;
    if (!(fabs(mean) < 0.01 * speed))
        fail_msg("%s: over a floor that slides liquid goes at %g of its speed", info->name, mean);
    dew_simulation_destroy(simulation);
}

static void sliding_floor_moves_nothing(const dew_method_info *info)
{
    if (info->features & DEW_FEATURE_2D) slide_floor(info, true);
    if (info->features & DEW_FEATURE_3D) slide_floor(info, false);
}

static void test_sliding_floor(void **state)
{
    (void)state;
    for_each_method(sliding_floor_moves_nothing);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_inflow),
        cmocka_unit_test(test_cup),
        cmocka_unit_test(test_flight),
        cmocka_unit_test(test_sliding_floor),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
