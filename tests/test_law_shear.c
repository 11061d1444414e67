/* Laws of modes of shear: amplitudes measured on frames of the exact modes, theory against the equations of motion
 * integrated step by step. */
#include "../laws/shear_mode.h"
#include "../laws/theory.h"
#include "plain_frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

static const dew_method_info *method_of(const char *name) { return dew_method_find(name); }

/* The set-up's own box and velocity, of which a lattice is filled by hand. */
static void amplitude_of(const char *method, int dimension)
{
    extern const law law_shear_wave;
    law_settings settings = {.law = &law_shear_wave};
    law_space space;
    dew_simulation_def def = law_definition(method_of(method), &settings, &space);
    shear_mode m = {.start = 0.02};
    shear_mode_fill(&law_shear_wave, &settings, LAW_COARSE, method_of(method), dimension, &def, &space, &m);
    assert_true(m.is_vortices == !(method_of(method)->features & DEW_FEATURE_PERIODIC));
    plain_frame *p = plain_frame_create(def.spacing);
    assert_non_null(p);
    double s = def.spacing, most = 0, rigid = 0.3;
    dew_vec3 end = def.domain.max;
    for (double x = s / 2; x < end.x; x += s)
        for (double y = s / 2; y < end.y; y += s)
            for (double z = s / 2; z < fmax(end.z, s); z += s) {
                int i = p->frame.particle_count;
                const double *const in[3] = {&x, &y, &z};
                plain_frame_put(p, x, y, dimension == 3 ? z : 0);
                double v[2] = {0, 0};
                for (int a = 0; a < 2; a++) {
                    dew_function f = space.liquids[0].velocity_of[a];
                    if (f.evaluate) f.evaluate(f.context, 1, in, &v[a]);
                    p->velocity[i][a] = (dew_real)(0.37 * v[a]);
                }
                most = fmax(most, hypot(v[0], v[1]));
                p->velocity[i][2] = (dew_real)rigid, p->velocity[i][0] += (dew_real)rigid; /* which is no shear */
            }
    assert_true(fabs(most / m.start - 1) < 0.02);
    assert_true(fabs(shear_mode_amplitude(&p->frame, &m) - 0.37) < 1e-6);
    plain_frame_destroy(p);
}

static void test_amplitude(void **state)
{
    (void)state;
    amplitude_of("sph", 3), amplitude_of("mpm", 3), amplitude_of("mpm", 2);
}

/* dA/dt = -nu K^2 A - K^2 S/rho, dS/dt = G A - S/lambda, by fourth order; S: stress over K. */
static double integrate(const shear_mode *m, double rho, double mu, double g, double lambda, double time)
{
    const int steps = 20000;
    double y[2] = {1, 0}, h = time / steps;
    for (int i = 0; i < steps; i++) {
        double k[4][2], at[2];
        for (int j = 0; j < 4; j++) {
            for (int a = 0; a < 2; a++) at[a] = y[a] + (j ? (j < 3 ? 0.5 : 1) * h * k[j - 1][a] : 0);
            k[j][0] = -m->square / rho * (mu * at[0] + at[1]);
            k[j][1] = g * at[0] - at[1] / lambda;
        }
        for (int a = 0; a < 2; a++) y[a] += h / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
    }
    return y[0];
}

static void test_theory(void **state)
{
    (void)state;
    const shear_mode m = {.number = 6283, .square = 6283. * 6283.};
    double decay, imaginary;
    /* viscosity, modulus, relaxation time */
    const double cases[][3] = {{1e-3, 0, INFINITY}, {0, 100, INFINITY}, {0, 100, 1e-3},
                               {0, 100, 5e-5},      {2e-3, 100, 2e-3},  {1e-2, 10, 3e-4}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (double t = 1e-4; t < 2e-2; t *= 2.5) {
            double mu = cases[k][0], g = cases[k][1], lambda = cases[k][2];
            double exact = integrate(&m, 1000, mu, g, lambda, t);
            assert_true(fabs(theory_shear_course(&m, 1000, mu, g, lambda, t) - exact) < 1e-6);
        }
    /* A liquid, a solid, and what lies between. */
    theory_shear_mode(&m, 1000, 1e-3, 0, INFINITY, &decay, &imaginary);
    assert_true(fabs(decay) < 1e-9 && imaginary == 0); /* the mean of the stress stays, which is none */
    theory_shear_mode(&m, 1000, 0, 100, INFINITY, &decay, &imaginary);
    assert_true(decay == 0 && fabs(imaginary / (6283 * sqrt(0.1)) - 1) < 1e-12);
    theory_shear_mode(&m, 1000, 0, 100, 1e-3, &decay, &imaginary);
    assert_true(fabs(decay + 500) < 1e-9 && imaginary > 0);
    theory_shear_mode(&m, 1000, 0, 100, 1e-6, &decay, &imaginary);
    assert_true(fabs(decay / (-m.square * 100 * 1e-6 / 1000) - 1) < 1e-3 && imaginary == 0);
}

/* Bingham's film by the stress at each height: eta du/dz = tau - tau_y where that is above 0. */
static void test_bingham(void **state)
{
    (void)state;
    const double height = 2e-3, yield = 8, eta = 0.3;
    enum { LAYERS = 400 };
    for (double stress = 4; stress < 15.9; stress += 1.7) {
        plain_frame *p = plain_frame_create(1e-4);
        assert_non_null(p);
        double u = 0, dz = height / LAYERS;
        for (int k = 0; k < LAYERS; k++) {
            double z = (k + 0.5) * dz, shear = fmax(stress * (1 - z / height) - yield, 0) / eta;
            u += shear * dz;
            plain_frame_put(p, 0.1 * k, 0, z);
            p->velocity[k][0] = (dew_real)u, p->velocity[k][1] = 5;
        }
        double plug = measure_plug(&p->frame, height);
        assert_true(fabs(plug - theory_bingham_plug(stress, yield, height, eta)) < 1e-4 * yield * height / eta);
        if (stress > yield) assert_true(fabs(yield_by_plug(stress, plug, height, eta) / yield - 1) < 0.01);
        if (stress <= yield) assert_true(plug == 0 && yield_by_plug(stress, plug, height, eta) == stress);
        plain_frame_destroy(p);
    }
}

/* A wave that yields, along characteristics: v - tau and v + tau are carried right and left, and tau relaxes between.
 */
static double swing_by_characteristics(double yield, double relaxation)
{
    enum { CELLS = 1200 };
    static double right[CELLS], left[CELLS], moved[CELLS]; /* v - tau goes right, v + tau left */
    double dx = 2 * M_PI / CELLS, least = 1;
    for (int i = 0; i < CELLS; i++) right[i] = left[i] = cos(i * dx);
    for (double t = 0; t < 0.7 * 2 * M_PI; t += dx) {
        double amplitude = 0;
        for (int i = 0; i < CELLS; i++) moved[(i + 1) % CELLS] = right[i];
        memcpy(right, moved, sizeof moved);
        for (int i = 0; i < CELLS; i++) moved[i] = left[(i + 1) % CELLS];
        memcpy(left, moved, sizeof moved);
        for (int i = 0; i < CELLS; i++) {
            double v = (right[i] + left[i]) / 2, tau = (left[i] - right[i]) / 2;
            double over = fmax(fabs(tau) - yield, 0);
            tau -= copysign(over * (1 - exp(-dx / relaxation)), tau);
            right[i] = v - tau, left[i] = v + tau;
            amplitude += 2 * v * cos(i * dx) / CELLS;
        }
        least = fmin(least, amplitude);
    }
    return least;
}

static void test_yield(void **state)
{
    (void)state;
    assert_true(fabs(theory_yield_swing(1.01, 0.3) + 1) < 2e-3); /* an elastic wave */
    for (double yield = 0.2; yield < 1; yield += 0.2)
        for (double relaxation = 0.1; relaxation < 1; relaxation *= 3) {
            double least = swing_by_characteristics(yield, relaxation);
            assert_true(fabs(theory_yield_swing(yield, relaxation) - least) < 0.01);
            assert_true(fabs(yield_by_swing(least, relaxation) / yield - 1) < 0.05);
        }
}

/* A quarter of a cylinder that thins. */
static void test_filament(void **state)
{
    (void)state;
    const double s = 0.02, lambda = 0.4;
    series seen = {0};
    for (double t = 0; t < 2; t += 0.1) {
        plain_frame *p = plain_frame_create(s);
        assert_non_null(p);
        double radius = 13 * s * exp(-t / (3 * lambda));
        for (double x = s / 2; x < radius; x += s)
            for (double y = s / 2; y < radius; y += s)
                for (double z = s / 2; z < 2; z += s)
                    if (hypot(x, y) < radius) plain_frame_put(p, x, y, z);
        double seen_radius = measure_filament(&p->frame, 10 * s);
        assert_true(fabs(seen_radius - radius) < 0.4 * s);
        assert_true(series_add(&seen, t, seen_radius));
        plain_frame_destroy(p);
    }
    assert_true(fabs(filament_rate(&seen, 10 * s, 4 * s) * 3 * lambda - 1) < 0.05);
    assert_true(isnan(filament_rate(&seen, 10 * s, s)));
    series_free(&seen);
}

/* A cylinder of layers, as it was and drawn out to 2.25 times its length. */
static void test_drawn_thread(void **state)
{
    (void)state;
    const double s = 0.02;
    for (double stretch = 1; stretch < 3; stretch += 1.25) {
        plain_frame *p = plain_frame_create(s);
        assert_non_null(p);
        double across = s / sqrt(stretch), along = s * stretch, radius = 9 * across;
        for (double x = across / 2 - 10 * across; x < radius; x += across)
            for (double y = across / 2 - 10 * across; y < radius; y += across)
                for (double z = along / 2 - 20 * along; z < 20 * along; z += along)
                    if (hypot(x, y) < radius) plain_frame_put(p, x, y, z);
        drawn_found found = measure_drawn(&p->frame, 10 * along);
        assert_true(fabs(found.nearest * sqrt(stretch) - 1) < 1e-3);
        assert_true(fabs(found.density - 1) < 0.02);
        plain_frame_destroy(p);
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_amplitude), cmocka_unit_test(test_theory),
                                     cmocka_unit_test(test_bingham),   cmocka_unit_test(test_yield),
                                     cmocka_unit_test(test_filament),  cmocka_unit_test(test_drawn_thread)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
