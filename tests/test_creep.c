/* Liquid whose viscosity is all, by methods/flow: it rests, keeps its skin, and gets on however little it goes in a
 * step.
 */
#include "flow_inside.h"

#include <stdio.h>

/* A cap of a liquid whose viscosity is all (Ohnesorge number 18), at its contact angle on a wall that holds, comes to
 * rest: rms speed 0.02 gamma/mu and less, with the steps that such a liquid bears in free space. Where viscosity does
 * not see walls' images it shakes at twice gamma/mu. */
static void viscous_caps_rest(void **state)
{
    (void)state;
    enum { FRAMES = 4 };
    liquid l;
    double s = 1.25e-4, R = 1.2e-3, sum = 0;
    begin(&l.u, dew_method_find("mps"), s);
    l.u.def.threads = 1, l.u.def.frame_rate = 100, l.u.def.duration = FRAMES / 100.0;
    l.u.water.density = 1180, l.u.water.viscosity = 0.742, l.u.water.surface_tension = 0.0108;
    l.u.drops[0].shape = dew_sphere((dew_vec3){0, 0, -R * cos(55 * PI / 180)}, R);
    l.u.plate.shape = dew_plane((dew_vec3){0}, (dew_vec3){0, 0, 1}), l.u.plate.contact_angle = 53;
    l.u.def.solids = &l.u.plate, l.u.def.solid_count = 1;
    dew_simulation *drop = make(&l.u);
    advance(drop, FRAMES);
    for (int i = 0; i < drop->particles.count; i++) {
        real4 v = drop->particles.velocity[i];
        sum += (double)(v.x * v.x + v.y * v.y + v.z * v.z) / drop->particles.count;
    }
    check_close(sqrt(sum) * 0.742 / 0.0108, 0, 0.1, "speed over gamma/mu");
    assert_true(flow_max_time_step(drop->state, &drop->w) > 0.05 * 0.742 * s / 0.0108); /* steps are viscous */
    dew_simulation_destroy(drop);
}

/* A disc of honey that has been drawn out creeps at gamma/mu: of its skin no particle flies off as it lets go of its
 * suction. */
static void honey_keeps_its_skin(void **state)
{
    (void)state;
    for (int filling = 0; filling < 2; filling++) {
        set_up u;
        begin(&u, dew_method_find("mps"), 0.056 * MILLIMETRE);
        u.def.dimension = 2, u.def.liquid_count = 1, u.def.frame_rate = 1000, u.def.filling = filling;
        u.water.density = 1400, u.water.viscosity = 10, u.water.surface_tension = 0.06;
        u.drops[0].shape.kind = DEW_SHAPE_ELLIPSOID;
        u.drops[0].shape.ellipsoid.semi_axes = (dew_vec3){1.15 * MILLIMETRE, 0.87 * MILLIMETRE, MILLIMETRE};
        dew_simulation *s = make(&u);
        double fastest = 0;
        for (int frame = 0; frame < 4; frame++) {
            advance_frames(s, 1);
            for (int i = 0; i < s->particles.count; i++)
                fastest = fmax(fastest, (double)real3_length(real3_of(s->particles.velocity[i])));
        }
        if (!(fastest < 10 * 0.06 / 10)) fail_msg("filling %d: %g m/s", filling, fastest);
        dew_simulation_destroy(s);
    }
}

/* Honey of 1000 Pa s goes by a tenth of its place's last digit in a step, and creeps all the same: the disc that has
 * been drawn out becomes round at gamma/(mu R). */
static void what_creeps_gets_there(void **state)
{
    (void)state;
    const double radius = MILLIMETRE, tension = 0.06, viscosity = 1000, drawn = 0.15, far = 5 * MILLIMETRE;
    set_up u;
    double mode[2];
    begin(&u, dew_method_find("mps"), 0.08 * MILLIMETRE);
    u.def.dimension = 2, u.def.liquid_count = 1, u.def.frame_rate = 1e4;
    u.water.density = 1400, u.water.viscosity = viscosity, u.water.surface_tension = tension;
    u.drops[0].shape.kind = DEW_SHAPE_ELLIPSOID;
    u.drops[0].shape.ellipsoid.semi_axes = (dew_vec3){(1 + drawn) * radius, radius / (1 + drawn), radius};
    u.drops[0].shape.ellipsoid.centre = (dew_vec3){far, far, 0};
    dew_simulation *s = make(&u);
    for (int when = 0; when < 2; when++) {
        double of_x = 0, of_y = 0;
        advance_frames(s, when == 0 ? 3 : 6);
        for (int i = 0; i < s->particles.count; i++) {
            real4 x = s->particles.position[i];
            of_x += pow((double)x.x - far, 2), of_y += pow((double)x.y - far, 2);
        }
        mode[when] = log(of_x / of_y);
    }
    double rate = (mode[0] - mode[1]) / mode[0] / (6 / u.def.frame_rate);
    check_close(rate / (tension / (viscosity * radius)), 1, 0.2, "rate at which the disc becomes round");
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(viscous_caps_rest),
        cmocka_unit_test(honey_keeps_its_skin),
        cmocka_unit_test(what_creeps_gets_there),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
