/* Viscosity and the smoothing of velocities: what they keep, what they leave alone, and how fast a shear wave decays.
 */
#include "particles/kernels.h"
#include "pbf_inside.h"

/* Linear and angular momentum, and twice the kinetic energy, a particle's mass being 1. */
static void motion(const flow_step *k, double sums[7])
{
    memset(sums, 0, 7 * sizeof *sums);
    for (int i = 0; i < k->count; i++) {
        double x[3] = {(double)k->x[i].x, (double)k->x[i].y, (double)k->x[i].z};
        double v[3] = {(double)k->v[i].x, (double)k->v[i].y, (double)k->v[i].z};
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            sums[a] += v[a], sums[3 + a] += x[b] * v[c] - x[c] * v[b], sums[6] += v[a] * v[a];
        }
    }
}

static void stir(const flow_step *k, double speed)
{
    uint32_t seed = 11;
    for (int i = 0; i < k->count; i++)
        k->v[i] = (real4){(real)(speed * noise(&seed)), (real)(speed * noise(&seed)), (real)(speed * noise(&seed)), 0};
}

/* A step dt of viscosity alone. */
static void diffuse(flow_step *k, double nu, double dt)
{
    size_t mark = arena_mark(k->w->scratch);
    k->dt = (real)dt, *(double *)&k->w->materials[0].viscosity = nu * k->w->materials[0].density;
    check_ok(flow_resist(k));
    arena_release(k->w->scratch, mark);
}

/* The largest rate of viscosity's operator, 1/s, by power iteration. */
static double largest_rate(flow_step *k, double nu)
{
    double rate = 0, dt = 1e-3 * SPACING * SPACING / nu;
    stir(k, 1);
    for (int round = 0; round < 60; round++) {
        real4 *old = arena_alloc(k->w->scratch, (size_t)k->count * sizeof *old);
        memcpy(old, k->v, (size_t)k->count * sizeof *old);
        diffuse(k, nu, dt);
        double size = 0;
        for (int i = 0; i < k->count; i++) {
            double d[3] = {(double)(old[i].x - k->v[i].x), (double)(old[i].y - k->v[i].y),
                           (double)(old[i].z - k->v[i].z)};
            size += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            k->v[i] = (real4){(real)d[0], (real)d[1], (real)d[2], 0};
        }
        size = sqrt(size), rate = size / dt;
        for (int i = 0; i < k->count; i++) {
            real4 *v = &k->v[i], u = *v;
            *v = (real4){u.x / (real)size, u.y / (real)size, u.z / (real)size, 0};
        }
    }
    return rate;
}

static void test_viscosity_keeps_momenta(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(0.2);
    flow_step k = open_up(s, 1, true);
    double nu = 0.003, rate = largest_rate(&k, nu), sums[7], after[7];
    stir(&k, 1);
    motion(&k, sums);
    /* From well below to 50 times the explicit limit 2/rate. */
    static const double steps[] = {0.2, 3, 50, 50, 50, 50};
    for (int n = 0; n < 6; n++) {
        diffuse(&k, nu, steps[n] * 2 / rate);
        motion(&k, after);
        for (int a = 0; a < 3; a++) {
            check_close(after[a], sums[a], k.count * 2e-7, "momentum");
            check_close(after[3 + a], sums[3 + a], k.count * 2e-7 * 6 * SPACING, "angular momentum");
        }
        check_below(after[6], sums[6], "energy");
        sums[6] = after[6];
    }
    dew_simulation_destroy(s);
}

static void test_viscosity_leaves_rotation(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(0.2);
    flow_step k = open_up(s, 1, true);
    double nu = 0.003, rate = largest_rate(&k, nu), w[3] = {1, -2, 0.5}, worst = 0;
    place *x = places_of(k.x, k.count), *v = calloc((size_t)k.count, sizeof *v);
    for (int i = 0; i < k.count; i++) {
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            v[i][a] = w[b] * x[i][c] - w[c] * x[i][b];
        }
        k.v[i] = (real4){(real)v[i][0], (real)v[i][1], (real)v[i][2], 0};
    }
    diffuse(&k, nu, 50 * 2 / rate);
    for (int i = 0; i < k.count; i++) {
        double d[3] = {(double)k.v[i].x - v[i][0], (double)k.v[i].y - v[i][1], (double)k.v[i].z - v[i][2]};
        worst = fmax(worst, length_of(d));
    }
    check_below(worst / (2.3 * 6 * SPACING), 1e-5, "rigid rotation, changed by");
    free(x), free(v);
    dew_simulation_destroy(s);
}

enum { WAVE = 24 };

/* A periodic box of lattice with v_x = sin(k z). */
static dew_simulation *shear_wave(void)
{
    setup u;
    dew_vec3 max = {8 * SPACING, 8 * SPACING, WAVE * SPACING};
    begin(&u, dew_box((dew_vec3){0, 0, 0}, max));
    u.liquids[0].fill = DEW_FILL_CUBIC;
    u.def.domain.max = max;
    for (int a = 0; a < 3; a++) u.def.domain.axis[a] = DEW_PERIODIC;
    dew_simulation *s = create(&u);
    assert_int_equal(s->particles.count, 64 * WAVE);
    return s;
}

static double wave_number(void) { return 2 * PI / (WAVE * SPACING); }

static double amplitude(const flow_step *k)
{
    double sum = 0;
    for (int i = 0; i < k->count; i++) sum += (double)k->v[i].x * sin(wave_number() * (double)k->x[i].z);
    return 2 * sum / k->count;
}

static void test_shear_wave_decays(void **state)
{
    (void)state;
    dew_simulation *s = shear_wave();
    flow_step k = open_up(s, 1, true);
    double nu = 0.003, rate = nu * wave_number() * wave_number(), limit = 2 / largest_rate(&k, nu);
    static const double steps[] = {0.5, 5, 50};
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < k.count; i++) k.v[i] = (real4){(real)sin(wave_number() * (double)k.x[i].z), 0, 0, 0};
        double dt = steps[n] * limit;
        int count = (int)ceil(0.5 / (rate * dt));
        for (int step = 0; step < count; step++) diffuse(&k, nu, dt);
        /* A step takes 1/(1 + rate dt); sums over the lattice have 0.98 of the integral, and a kernel that is wide
         * to a wave of 24 spacings sees 0.98 of it. */
        double expected = log(1 + rate * dt) * count;
        check_close(-log(amplitude(&k)) / expected, 1, 0.05, "a shear wave's decay over that of implicit steps");
    }
    dew_simulation_destroy(s);
}

static void test_smoothing(void **state)
{
    (void)state;
    dew_simulation *s = relaxed_ball(0.2);
    flow_step k = open_up(s, 1, true);
    double sums[7], after[7], worst = 0;
    stir(&k, 1);
    motion(&k, sums);
    k.pace = 1;
    check_ok(flow_smooth(&k));
    motion(&k, after);
    for (int a = 0; a < 3; a++) check_close(after[a], sums[a], k.count * 1e-7, "momentum");
    check_below(after[6], 0.85 * sums[6], "noise");
    /* A linear flow: shear, strain and rotation. */
    static const double flow[3][3] = {{1, 2, -0.5}, {0.3, -2, 1}, {-1, 0.2, 1}};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < k.count; i++) {
            real4 x = k.x[i];
            double v[3];
            for (int a = 0; a < 3; a++) {
                v[a] = flow[a][0] * (double)x.x + flow[a][1] * (double)x.y + flow[a][2] * (double)x.z;
            }
            if (pass == 0)
                k.v[i] = (real4){(real)v[0], (real)v[1], (real)v[2], 0};
            else
                worst = fmax(worst, fmax(fabs((double)k.v[i].x - v[0]), fabs((double)k.v[i].y - v[1])));
        }
        if (pass == 0) check_ok(flow_smooth(&k));
    }
    check_below(worst / (2 * 6 * SPACING), 2e-3, "linear flow, changed by");
    dew_simulation_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_viscosity_keeps_momenta),
        cmocka_unit_test(test_viscosity_leaves_rotation),
        cmocka_unit_test(test_shear_wave_decays),
        cmocka_unit_test(test_smoothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
