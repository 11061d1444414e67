/* Smoothing kernels against integrals and differences; vector functions against scalar ones; pair loops against double
 * loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "particles/kernels.h"
#include "particles/neighbours.h"
#include "particles/pairs.h"

static void integrate_to_one(void **state)
{
    (void)state;
    enum { N = 20000 };
    const double supports[] = {1, 0.003, 40};
    for (int s = 0; s < 3; s++) {
        double h = supports[s], volume = 0, area = 0;
        for (int k = 0; k < N; k++) {
            double q = (k + 0.5) / N, r = q * h, w = (double)cubic_spline((real)q);
            volume += 4 * PI * r * r * w * h / N;
            area += 2 * PI * r * w * h / N;
        }
        assert_true(fabs(volume * cubic_spline_norm(3, h) - 1) < 1e-5);
        assert_true(fabs(area * cubic_spline_norm(2, h) - 1) < 1e-5);
    }
}

static void slope_is_the_derivative(void **state)
{
    (void)state;
    for (int k = 1; k < 120; k++) {
        double q = k / 100.0, step = 0.005;
        double difference =
            ((double)cubic_spline((real)(q + step)) - (double)cubic_spline((real)(q - step))) / (2 * step);
        assert_true(fabs(difference - (double)cubic_spline_slope((real)q)) < 1e-3);
    }
    assert_true(cubic_spline(1) == 0 && cubic_spline(5) == 0 && cubic_spline_slope(1) == 0);
    assert_true(cubic_spline((real)1e17) == 0);
}

static void vectors_equal_scalars(void **state)
{
    (void)state;
    real q[LANES], out[LANES];
    for (int k = 0; k < 150; k++) {
        for (int l = 0; l < LANES; l++) q[l] = (real)((k + 0.37 * l) / 100);
        vstore(out, vcubic_spline(vload(q)));
        for (int l = 0; l < LANES; l++) assert_true(fabs(out[l] - cubic_spline(q[l])) < (real)1e-6);
        vstore(out, vcubic_spline_slope(vload(q)));
        for (int l = 0; l < LANES; l++) assert_true(fabs(out[l] - cubic_spline_slope(q[l])) < (real)4e-6);
        vstore(out, vrsqrt(vload(q) + (real)0.01));
        for (int l = 0; l < LANES; l++) assert_true(fabs(out[l] * sqrt(q[l] + (real)0.01) - 1) < (real)1e-6);
        vstore(out, vrcp_rough(vload(q) + (real)0.01));
        for (int l = 0; l < LANES; l++) assert_true(fabs(out[l] * (q[l] + (real)0.01) - 1) < (real)1e-3);
        vstore(out, vselect(vload(q) < vset((real)0.7), vset(1), vload(q)));
        for (int l = 0; l < LANES; l++) assert_true(out[l] == (q[l] < (real)0.7 ? 1 : q[l]));
    }
}

static void compression(void **state)
{
    (void)state;
    int32_t in[LANES], out[2 * LANES];
    unsigned all = LANES == 32 ? ~0u : (1u << LANES) - 1;
    for (unsigned bits = 0; bits <= all; bits++) {
        for (int l = 0; l < LANES; l++) in[l] = (int)bits * 3 + (l * l + (int)bits) % 7;
        int kept = vcompress(out, in, bits), expected = 0;
        for (int l = 0; l < LANES; l++) {
            assert_int_equal(vodd(in) >> l & 1, in[l] & 1);
            if (bits >> l & 1) assert_int_equal(out[expected++], in[l]);
        }
        assert_int_equal(kept, expected);
    }
    real a[LANES], b[LANES];
    for (int l = 0; l < LANES; l++) a[l] = (real)l, b[l] = (real)(l % 3 ? 2 * l : NAN);
    unsigned less = vless(vload(a), vload(b));
    for (int l = 0; l < LANES; l++) assert_int_equal(less >> l & 1, a[l] < b[l]);
}

typedef struct sums {
    real4 *four;
    real *one;
} sums;

/* A sum that uses everything pairs.h offers, over owned and ghosts. */
static void pair_sums(const particles *p, const neighbours *n, const real *mass, sums *out)
{
    pair_lists lists = neighbours_lists(n);
    vreal inverse = vset((real)(1 / neighbours_cutoff(n)));
    for (int block = 0; block < PAIR_BLOCKS(p->count); block++) {
        vreal4 i = pair_i(p->position, block);
        vreal mi = pair_i1(mass, block), x = vset(0), y = vset(0), z = vset(0), w = vset(0), s = vset(0);
        PAIRS(lists, block, j)
        {
            vreal4 b = pair_j(p->position, j);
            vreal mj = pair_j1(mass, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal k = vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz) * inverse);
            x += mj * k * dx, y += mj * k * dy, z += mj * k * dz, w += k * b.w;
            s += mi * mj * k;
        }
        pair_store4(out->four, block, x, y, z, w);
        pair_store(out->one, block, s);
    }
}

static void pair_sums_equal_double_loops(void **state)
{
    (void)state;
    enum { N = 2003 };
    real4 *x = aligned_obtain(N * sizeof *x);
    uint32_t random = 1;
    for (int k = 0; k < N; k++)
        for (int a = 0; a < 4; a++)
            (&x[k].x)[a] = (real)((random = random * 1664525u + 1013904223u) / 4294967296.0 * 14);
    dew_domain_def domain = {.min = {0, 0, 0}, .max = {14, 14, 14}, .axis = {DEW_PERIODIC, DEW_SYMMETRY, DEW_OPEN}};
    particles p;
    neighbours *n;
    int mass_field;
    assert_int_equal(particles_create(&p), DEW_OK);
    assert_int_equal(
        particles_add_field(&p, &(field_info){"mass", "kg", "Mass", FIELD_REAL, 1, FIELD_GHOST}, &mass_field), DEW_OK);
    assert_int_equal(particles_insert(&p, N, x, NULL, 0), DEW_OK);
    for (int k = 0; k < N; k++) ((real *)p.data[mass_field])[k] = 1 + (real)(k % 10) / 10;
    assert_int_equal(neighbours_create(&n, 2.5, 0.2), DEW_OK);
    assert_int_equal(neighbours_build(n, &p, &domain), DEW_OK);
    sums out = {aligned_obtain((N + 4) * sizeof(real4)), aligned_obtain((N + 4) * sizeof(real))};
    const real *mass = p.data[mass_field];
    pair_sums(&p, n, mass, &out);
    for (int i = 0; i < N; i++) {
        double sum[5] = {0};
        for (int j = 0; j < p.end; j++) {
            if (j >= p.count && j < p.ghost_begin) continue;
            real4 a = p.position[i], b = p.position[j];
            double dx = (double)a.x - b.x, dy = (double)a.y - b.y, dz = (double)a.z - b.z;
            double k = (double)cubic_spline((real)(sqrt(dx * dx + dy * dy + dz * dz) / 2.5)), m = (double)mass[j];
            sum[0] += m * k * dx, sum[1] += m * k * dy, sum[2] += m * k * dz, sum[3] += k * (double)b.w;
            sum[4] += (double)mass[i] * m * k;
        }
        assert_true(fabs((double)out.four[i].x - sum[0]) < 2e-4 && fabs((double)out.four[i].y - sum[1]) < 2e-4);
        assert_true(fabs((double)out.four[i].z - sum[2]) < 2e-4 && fabs((double)out.four[i].w - sum[3]) < 1e-3);
        assert_true(fabs((double)out.one[i] - sum[4]) < 2e-4);
    }
    aligned_release(out.four);
    aligned_release(out.one);
    aligned_release(x);
    neighbours_destroy(n);
    particles_destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrate_to_one),
        cmocka_unit_test(slope_is_the_derivative),
        cmocka_unit_test(vectors_equal_scalars),
        cmocka_unit_test(compression),
        cmocka_unit_test(pair_sums_equal_double_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
