/* Liquid that leaves through the faces of the domain, by every method: it is gone, counted, and missed in no balance.
 */
#include "set_ups.h"

/* A drop that falls through the lower face, a part of it at a time. */
static void leaving_drop(set_up *u, const dew_method_info *info)
{
    begin(u, info, DROP_SPACING);
    u->def.frame_rate = 10000;
    bool is_flat = u->def.dimension == 2;
    set_ellipsoid(&u->drops[0], (dew_vec3){0, 0, 0}, (dew_vec3){0, is_flat ? -2 : 0, is_flat ? 0 : -2});
    u->def.domain.min = (dew_vec3){0, -MILLIMETRE, -MILLIMETRE};
    u->def.domain.max = (dew_vec3){0, 3 * MILLIMETRE, 3 * MILLIMETRE};
    u->def.domain.axis[is_flat ? 1 : 2] = DEW_OUTFLOW;
}

static void every_method_lets_liquid_out(void **state)
{
    (void)state;
    for (int k = 0; k < dew_method_count(); k++) {
        set_up u;
        leaving_drop(&u, dew_method_at(k));
        dew_simulation *s = make(&u);
        int first = dew_simulation_particle_count(s), middle = 0;
        double mass, out[2], balance, left[3];
        measure(s, "mass", &mass);
        for (int f = 0; f < 20; f++) {
            advance_frames(s, 1);
            int count = dew_simulation_particle_count(s);
            measure(s, "outflow", out);
            assert_float_equal(out[1], first - count, 0);
            assert_float_equal(out[0], mass * (first - count) / first, 1e-6 * mass);
            measure(s, "mass_balance", &balance), measure(s, "momentum_balance", left);
            assert_float_equal(balance, 0, 1e-6 * mass);
            double lost = sqrt(left[0] * left[0] + left[1] * left[1] + left[2] * left[2]);
            if (!(lost < 1e-3 * mass)) fail_msg("%s: momentum %g of %g", u.def.method, lost, 2 * mass);
            middle += count > 0 && count < first;
        }
        if (middle < 3 || dew_simulation_particle_count(s) > 0)
            fail_msg("%s: %d left, %d frames between", u.def.method, dew_simulation_particle_count(s), middle);
        dew_watched energy = dew_simulation_watched(s, DEW_WATCHED_ENERGY);
        if (energy.is_beyond) fail_msg("%s: energy %g", u.def.method, energy.worst);
        dew_simulation_destroy(s);
    }
}

/* A resumed run knows what has left. */
static void what_has_left_is_kept(void **state)
{
    (void)state;
    set_up u;
    leaving_drop(&u, dew_method_at(0));
    dew_simulation *s = make(&u), *other = make(&u);
    int count;
    double out[2], again[2];
    advance_frames(s, 8);
    measure(s, "outflow", out);
    assert_true(out[0] > 0);
    dew_snapshot_item *items = copy_items(s, &count);
    if (dew_simulation_restore(other, items, count) != DEW_OK) fail_msg("%s", dew_message());
    measure(other, "outflow", again);
    assert_true(again[0] == out[0] && again[1] == out[1]);
    advance_frames(s, 3), advance_frames(other, 3);
    assert_true(dew_frame_hash(dew_simulation_frame(s)) == dew_frame_hash(dew_simulation_frame(other)));
    free_items(items, count);
    dew_simulation_destroy(s), dew_simulation_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_lets_liquid_out),
        cmocka_unit_test(what_has_left_is_kept),
    };
    return cmocka_run_group_tests_name("outflow", tests, NULL, NULL);
}
