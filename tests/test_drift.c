/* The frame of reference of a step: of liquid that flies alone it falls. */
#include "set_ups.h"

static void check_close(double measured, double expected, double tolerance, const char *what)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%s: %.9g is not %.9g +- %g", what, measured, expected, tolerance);
}

/* What falls alone falls as far as it should by every method, however long its steps are: g t^2/2, and gains nothing.
 * A look ahead and one before the run, which take steps aside, leave gravity as it is. */
static void free_fall_is_exact(void **state)
{
    (void)state;
    for (int k = 0; k < dew_method_count(); k++) {
        const char *name = dew_method_at(k)->name;
        set_up u;
        falling_drop(&u, dew_method_at(k));
        u.def.solid_count = u.def.emitter_count = 0, u.def.frame_rate = 50;
        u.def.spacing = 5 * MILLIMETRE, u.water.viscosity = 1;
        u.drops[0].shape = dew_sphere((dew_vec3){0, 0, 0}, 20 * MILLIMETRE);
        dew_simulation *s = make(&u);
        double before[3], after[3], v[3], balance, kinetic, t = 0.1;
        char *told;
        assert_int_equal(dew_simulation_look_ahead(s), DEW_OK);
        assert_int_equal(dew_simulation_foresee(s, &u.def, &told), DEW_OK);
        free(told);
        int up = u.def.dimension == 2 ? 1 : 2;
        check_close(up == 1 ? s->w.gravity.y : s->w.gravity.z, -9.81, 1e-12, "gravity after looks");
        measure(s, "centre", before);
        measure(s, "velocity", v);
        advance_frames(s, 5);
        measure(s, "centre", after);
        check_close(after[up] - before[up], v[up] * t - 9.81 * t * t / 2, 1e-5, name);
        measure(s, "energy_balance", &balance);
        measure(s, "kinetic_energy", &kinetic);
        check_close(balance / kinetic, 0, 1e-3, name);
        check_close(up == 1 ? s->w.gravity.y : s->w.gravity.z, -9.81, 1e-12, "gravity after steps");
        dew_simulation_destroy(s);
    }
}

/* No number from 3 ms on. */
static void ends(void *context, int count, const double *const *t, double *x)
{
    (void)context;
    for (int i = 0; i < count; i++) x[i] = t[0][i] < 3e-3 ? 0 : NAN;
}

/* A step that fails leaves liquid and gravity in the frame of the scene. */
static void a_step_that_fails_returns(void **state)
{
    (void)state;
    set_up u;
    falling_drop(&u, dew_method_find("pbf"));
    u.def.frame_rate = 500, u.def.emitter_count = 0, u.drops[0].velocity = (dew_vec3){0, 0, 1};
    u.drops[0].shape.ellipsoid.centre.z += 20 * MILLIMETRE;
    u.plate.motion.translation_of[0] = (dew_function){ends, NULL};
    dew_simulation *s = make(&u);
    double before[3], after[3];
    advance_frames(s, 1);
    measure(s, "velocity", before);
    assert_int_equal(dew_simulation_advance_frame(s, NULL, NULL), DEW_FAILED);
    assert_non_null(strstr(dew_message(), "is not a number there"));
    check_close(s->w.gravity.z, -9.81, 1e-12, "gravity after the failure");
    measure(s, "velocity", after);
    check_close(after[2], before[2], 0.02, "velocity after the failure");
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(free_fall_is_exact),
        cmocka_unit_test(a_step_that_fails_returns),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
