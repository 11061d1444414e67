/* Elastic solids of mpm, in three dimensions (test_mpm_solid_2d.c: in two): stress, waves, what is kept. */
#include "../laws/measure.h"
#include "dew/snapshot.h"
#include "pbf_setup.h"

#ifndef DIM
#define DIM 3
#endif
#include "methods/mpm/any/deformation.h"
#include "methods/mpm/any/fluid.h"

#define IS_DOUBLE (sizeof(real) == 8)
#define YOUNG 4e4
#define POISSON 0.3

static double random_number(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 23) - 1;
}

/* --- small matrices --- */

typedef double square[3][3];

static void multiply_square(square a, bool is_turned, square b, square out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 3; k++) out[i][j] += (is_turned ? a[k][i] : a[i][k]) * b[k][j];
        }
}

/* Of a quaternion without order; in two dimensions about z. */
static void random_rotation(int dimension, square r)
{
    double q[4], length = 0;
    for (int k = 0; k < 4; k++) q[k] = dimension == 2 && (k == 1 || k == 2) ? 0 : random_number();
    for (int k = 0; k < 4; k++) length += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const square rotation = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, rotation, sizeof rotation);
}

/* U diag(s) V^T */
static void random_matrix(int dimension, const double s[3], square f)
{
    square u, v, us;
    random_rotation(dimension, u), random_rotation(dimension, v);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) us[i][j] = u[i][j] * s[j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            f[i][j] = 0;
            for (int k = 0; k < 3; k++) f[i][j] += us[i][k] * v[j][k];
        }
}

static void find_rotation(int dimension, square f, square r)
{
    if (dimension == 3) {
        matrix_rotation_3((const double(*)[3])f, r);
        return;
    }
    double f2[2][2] = {{f[0][0], f[0][1]}, {f[1][0], f[1][1]}}, r2[2][2];
    matrix_rotation_2((const double(*)[2])f2, r2);
    const square whole = {{r2[0][0], r2[0][1], 0}, {r2[1][0], r2[1][1], 0}, {0, 0, 1}};
    memcpy(r, whole, sizeof whole);
}

/* R is a rotation, R^T F is symmetric, and of all rotations R is the nearest: tr R^T F = sum of the stretches. */
static void check_rotation(int dimension, const double s[3])
{
    square f, r, product;
    random_matrix(dimension, s, f);
    find_rotation(dimension, f, r);
    double size = fmax(fmax(fabs(s[0]), fabs(s[1])), fabs(s[2])), trace = 0;
    multiply_square(r, true, r, product);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) check_close(product[i][j], i == j, 1e-13, "R^T R");
    check_close(matrix_determinant_3((const double(*)[3])r), 1, 1e-13, "the determinant of R");
    multiply_square(r, true, f, product);
    for (int i = 0; i < 3; i++) {
        trace += product[i][i];
        for (int j = 0; j < i; j++) check_close(product[i][j], product[j][i], 2e-12 * size, "R^T F");
    }
    check_close(trace, s[0] + s[1] + s[2], 2e-12 * size, "the trace of R^T F");
}

static void test_rotations(void **state)
{
    (void)state;
    /* A reflection has one stretch below 0, by convention the smallest. */
    static const double sizes[][3] = {{1, 1, 1},          {2, 1, 0.5},     {1.001, 1, 0.999}, {1, 1, 0},
                                      {3, 0, 0},          {0, 0, 0},       {1, 1, -1e-9},     {2, 1, -0.5},
                                      {1, 1, -1},         {1e3, 1, 1e-3},  {1e6, 1, 1e-6},    {1, 1e-5, -1e-7},
                                      {1e-9, 2e-9, 1e-9}, {1e9, 3e9, 1e9}, {1, 1e-2, 1e-2},   {1, 1, 1e-4}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int trial = 0; trial < 100; trial++) check_rotation(3, sizes[k]);
    static const double flat[][3] = {{1, 1, 1},    {2, 0.5, 1},   {1, 0, 1},      {0, 0, 1},
                                     {1, -0.5, 1}, {2, -1.99, 1}, {1e-6, 1e-9, 1}};
    for (size_t k = 0; k < sizeof flat / sizeof *flat; k++)
        for (int trial = 0; trial < 100; trial++) check_rotation(2, flat[k]);
}

static void test_eigenvalues(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++)
        for (int trial = 0; trial < 100; trial++) {
            double a[16], copy[16], values[4], vectors[16];
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = trial % 3 ? random_number() : i == j;
            memcpy(copy, a, sizeof a);
            matrix_eigen(n, copy, values, vectors);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    double sum = 0, dot = 0;
                    for (int k = 0; k < n; k++) {
                        sum += vectors[i * n + k] * values[k] * vectors[j * n + k];
                        dot += vectors[k * n + i] * vectors[k * n + j];
                    }
                    check_close(sum, a[i * n + j], 1e-13, "Q diag Q^T");
                    check_close(dot, i == j, 1e-13, "Q^T Q");
                }
        }
}

/* --- stress --- */

static const mpm_elastic elastic = {YOUNG / (2 * (1 + POISSON)), YOUNG *POISSON / ((1 + POISSON) * (1 - 2 * POISSON))};

/* One particle's F, and what the stress of it is. */
static void stress_of(square f, matrix tau)
{
    real4 columns[3];
    real strain = 0;
    mpm_arrays a = {.deformation = {&columns[0], &columns[1], &columns[2]}, .strain = &strain, .count = 1};
    matrix own;
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) own[r][c] = f[r][c];
    store_deformation(&a, 0, own);
    solid_stress(&elastic, &a, 0, tau);
}

/* In a bar that is free on its sides stress is E times strain; in plane strain E/(1 - nu^2). */
static void test_uniaxial(void **state)
{
    (void)state;
    matrix tau;
    double across = DIM == 3 ? POISSON : POISSON / (1 - POISSON);
    double modulus = DIM == 3 ? YOUNG : YOUNG / (1 - POISSON * POISSON), most = IS_DOUBLE ? 1e-7 : 1e-3;
    for (int k = 0; k < 2; k++) {
        double e = (k ? -1 : 1) * (IS_DOUBLE ? 1e-8 : 1e-4);
        square f = {{1 + e, 0, 0}, {0, 1 - across * e, 0}, {0, 0, 1 - across * e}};
        stress_of(f, tau);
        check_close(tau[0][0] / (modulus * e), 1, most, "stress along a bar");
        for (int a = 1; a < DIM; a++) check_close(tau[a][a] / (modulus * e), 0, most, "stress across it");
    }
    /* Large: 2 mu (s - 1) s + lambda (J - 1) J, and none across but by volume. */
    for (int k = 0; k < 4; k++) {
        double s = 0.4 + 0.5 * k;
        square f = {{s, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        stress_of(f, tau);
        double volume = elastic.lambda * (s - 1) * s;
        check_close(tau[0][0], 2 * elastic.mu * (s - 1) * s + volume, 1e-6 * YOUNG, "stress of a large stretch");
        check_close(tau[1][1], volume, 1e-6 * YOUNG, "stress across a large stretch");
        check_close(tau[0][1], 0, 1e-6 * YOUNG, "shear of a large stretch");
    }
}

/* psi by its stretches, which are known of a matrix that is made of them. */
static double energy_of(square f)
{
    square r, s;
    find_rotation(DIM, f, r);
    multiply_square(r, true, f, s);
    double a[DIM * DIM], values[DIM], vectors[DIM * DIM], sum = 0, volume = 1;
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) a[i * DIM + j] = s[i][j];
    matrix_eigen(DIM, a, values, vectors);
    for (int k = 0; k < DIM; k++) sum += (values[k] - 1) * (values[k] - 1), volume *= values[k];
    return elastic.mu * sum + 0.5 * elastic.lambda * (volume - 1) * (volume - 1);
}

/* tau = dpsi/dF F^T by differences, of any F, turned ones and inside out too. */
static void test_stress_is_energys(void **state)
{
    (void)state;
    static const double sizes[][3] = {{1.3, 0.9, 0.8}, {1, 1, 1}, {2, 0.5, 1.1}, {1.2, 1, -0.4}};
    for (int k = 0; k < 40; k++) {
        square f;
        matrix tau;
        double s[3], h = 1e-5;
        for (int a = 0; a < 3; a++) s[a] = a < DIM ? sizes[k % 4][a + (3 - DIM)] : 1;
        random_matrix(DIM, s, f);
        for (int i = 0; i < 9; i++) f[i / 3][i % 3] = (double)(real)(f[i / 3][i % 3] - (i % 4 == 0)) + (i % 4 == 0);
        stress_of(f, tau);
        for (int r = 0; r < DIM; r++)
            for (int c = 0; c < DIM; c++) {
                double sum = 0;
                for (int j = 0; j < DIM; j++) {
                    square up, down;
                    memcpy(up, f, sizeof up), memcpy(down, f, sizeof down);
                    up[r][j] += h, down[r][j] -= h;
                    sum += (energy_of(up) - energy_of(down)) / (2 * h) * f[c][j];
                }
                check_close(tau[r][c] / YOUNG, sum / YOUNG, 1e-6, "stress by the energy");
            }
    }
}

static void test_rotation_is_free(void **state)
{
    (void)state;
    for (int k = 0; k < 100; k++) {
        square r;
        matrix tau;
        random_rotation(DIM, r);
        stress_of(r, tau);
        for (int i = 0; i < DIM * DIM; i++)
            check_close(tau[i / DIM][i % DIM] / YOUNG, 0, IS_DOUBLE ? 1e-14 : 4e-7, "stress of a rotation");
    }
}

/* --- bodies --- */

/* A bar of the whole, along x. */
typedef struct bar {
    setup u;
    double length, speed, spin;
} bar;

static void wave(void *context, int count, const double *const *inputs, double *output)
{
    const bar *b = context;
    for (int i = 0; i < count; i++) output[i] = b->speed * sin(PI * inputs[0][i] / b->length);
}

static void begin_bar(bar *b, double length, double width)
{
    double thick = DIM == 3 ? width : 1;
    begin(&b->u,
          dew_box((dew_vec3){-length / 2, -width / 2, -thick / 2}, (dew_vec3){length / 2, width / 2, thick / 2}));
    b->length = length, b->speed = b->spin = 0;
    b->u.material.youngs_modulus = YOUNG, b->u.material.poisson_ratio = POISSON;
    b->u.liquids[0].fill = DEW_FILL_CUBIC;
    b->u.def.method = "mpm", b->u.def.dimension = DIM;
}

static double wave_of(const dew_simulation *s, double length)
{
    double sum = 0;
    for (int i = 0; i < s->particles.count; i++)
        sum += (double)s->particles.velocity[i].x * sin(PI * (double)s->particles.position[i].x / length);
    return 2 * sum / s->particles.count;
}

/* The slowest longitudinal wave of a free bar: period 2 L/sqrt(E/rho). */
static void test_wave(void **state)
{
    (void)state;
    bar b;
    double length = 64 * SPACING;
    begin_bar(&b, length, 8 * SPACING);
    double modulus = DIM == 3 ? YOUNG : YOUNG / (1 - POISSON * POISSON), sound = sqrt(modulus / DENSITY);
    double omega = PI * sound / length;
    b.speed = 0.002 * sound;
    b.u.liquids[0].velocity_of[0] = (dew_function){wave, &b};
    b.u.def.frame_rate = 40 * omega / (2 * PI);
    dew_simulation *s = create(&b.u);
    series swing = {0};
    for (int k = 0; k < 120; k++) {
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        assert_true(series_add(&swing, dew_simulation_time(s), wave_of(s, length)));
    }
    decay_fit fit = fit_decay(&swing, 0, INFINITY, omega);
    check_close(fit.omega / omega, 1, 0.01, "frequency of a bar");
    check_close(fit.beta / omega, 0, 0.002, "its damping");
    series_free(&swing);
    dew_simulation_destroy(s);
}

static void spin_x(void *context, int count, const double *const *inputs, double *output)
{
    const bar *b = context;
    for (int i = 0; i < count; i++) output[i] = -b->spin * inputs[1][i];
}

static void spin_y(void *context, int count, const double *const *inputs, double *output)
{
    const bar *b = context;
    for (int i = 0; i < count; i++) output[i] = b->spin * inputs[0][i];
}

static void begin_spinning(bar *b)
{
    begin_bar(b, 24 * SPACING, 8 * SPACING);
    b->spin = 2.5;
    b->u.liquids[0].velocity_of[0] = (dew_function){spin_x, b};
    b->u.liquids[0].velocity_of[1] = (dew_function){spin_y, b};
    b->u.liquids[0].fill = DEW_FILL_RELAXED;
    b->u.def.frame_rate = 32 * b->spin / (2 * PI);
}

/* The longest and the shortest of the sizes that its moments of second order in the plane of motion give. */
static void sizes_of(const dew_simulation *s, double *longest, double *shortest)
{
    bulk b = measure_bulk(s);
    double moments[4] = {b.moment[0][0], b.moment[0][1], b.moment[0][1], b.moment[1][1]}, values[2], vectors[4];
    matrix_eigen(2, moments, values, vectors);
    *longest = sqrt(fmax(values[0], values[1])), *shortest = sqrt(fmin(values[0], values[1]));
}

/* A bar that turns keeps momentum and angular momentum, its energy and its shape. */
static void test_spinning_bar(void **state)
{
    (void)state;
    bar b;
    begin_spinning(&b);
    dew_simulation *s = create(&b.u);
    double before[3], after[3], spin[3], spin_after[3], energy, length[2], width[2], most = IS_DOUBLE ? 1e-11 : 1e-5;
    check_ok(dew_simulation_measure(s, "momentum", before));
    check_ok(dew_simulation_measure(s, "angular_momentum", spin));
    sizes_of(s, &length[0], &width[0]);
    check_ok(dew_simulation_advance_frame(s, NULL, NULL)); /* at the start nothing varies within a particle */
    check_ok(dew_simulation_measure(s, "kinetic_energy", &energy));
    for (int k = 0; k < 20; k++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
    check_ok(dew_simulation_measure(s, "momentum", after));
    check_ok(dew_simulation_measure(s, "angular_momentum", spin_after));
    double mass = measure(s, "mass"), speed = b.spin * b.length / 4;
    for (int a = 0; a < DIM; a++) check_close(after[a] / (mass * speed), before[a] / (mass * speed), most, "momentum");
    check_close(spin_after[2] / spin[2], 1, most, "angular momentum");
    check_close(measure(s, "kinetic_energy") / energy, 1, 0.02, "energy of the motion");
    sizes_of(s, &length[1], &width[1]);
    check_close(length[1] / length[0], 1, 0.01, "the bar's length");
    check_close(width[1] / width[0], 1, 0.01, "its width");
    dew_simulation_destroy(s);
}

/* A column under its own weight on a slippery floor: its mean sinking over two swings is that of statics. */
static void test_column(void **state)
{
    (void)state;
    bar b;
    double high = 32 * SPACING, wide = 12 * SPACING;
    begin_bar(&b, wide, high);
    dew_vec3 low = {-wide / 2, 0, -wide / 2}, top = {wide / 2, high, wide / 2};
    if (DIM == 2) low.z = -1, top.z = 1;
    b.u.liquids[0].shape = dew_box(low, top);
    b.u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 1, 0});
    b.u.def.solid_count = 1, b.u.def.gravity = (dew_vec3){0, -1, 0};
    double modulus = DIM == 3 ? YOUNG : YOUNG / (1 - POISSON * POISSON), period = 4 * high / sqrt(modulus / DENSITY);
    b.u.def.frame_rate = 40 / period;
    dew_simulation *s = create(&b.u);
    double centre[3], first, sum = 0;
    check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
    first = centre[1];
    for (int k = 0; k < 80; k++) {
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
        sum += (first - centre[1]) / 80;
    }
    double statics = DENSITY * 1 * high * high / (3 * modulus);
    check_close(sum / statics, 1, 0.02, "a column sinks under its weight");
    dew_simulation_destroy(s);
}

/* The same bytes on 1 and 2 threads and after a resume. */
static void test_same_bytes(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        bar b;
        begin_spinning(&b);
        b.u.def.threads = k == 1 ? 2 : 1;
        dew_simulation *s = create(&b.u);
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        if (k == 2) {
            const dew_snapshot_item *items;
            int count;
            dew_simulation *other = create(&b.u);
            check_ok(dew_simulation_snapshot(s, &items, &count));
            check_ok(dew_simulation_restore(other, items, count));
            dew_simulation_destroy(s);
            s = other;
        }
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        hash[k] = dew_simulation_hash(s);
        dew_simulation_destroy(s);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] == hash[2]);
}

/* --- melting and freezing --- */

/* J stays on melting and on freezing. */
static void test_phases(void **state)
{
    (void)state;
    square f;
    real4 columns[3] = {{0, 0, 0, 1}};
    real strain = 0, melted = 1;
    mpm_arrays a = {.deformation = {&columns[0], &columns[1], &columns[2]}, .strain = &strain, .melted = &melted};
    mpm_elastic coefficients = {.mu = YOUNG, .lambda = YOUNG};
    fluid liquid = {.a = a, .elastic = &coefficients};
    matrix own;
    random_matrix(DIM, (const double[3]){DIM == 3 ? 1.2 : 1, 1.1, 0.8}, f);
    if (DIM == 2) random_matrix(2, (const double[3]){1.1, 0.8, 1}, f);
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) own[r][c] = f[r][c];
    store_deformation(&a, 0, own);
    double volume = DIM == 3 ? 1.2 * 1.1 * 0.8 : 1.1 * 0.8, most = IS_DOUBLE ? 1e-14 : 3e-7;
    change_phases(0, 1, &liquid);
    assert_false(is_solid(&a, 0));
    check_close((double)strain, volume - 1, most, "J - 1 after melting");
    strain = (real)-0.03, melted = (real)0.4;
    change_phases(0, 1, &liquid);
    assert_true(is_solid(&a, 0));
    load_deformation(&a, 0, own);
    check_close(volume_strain(&a, 0), -0.03, most, "J - 1 after freezing");
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++)
            check_close(own[r][c], r == c ? pow(0.97, 1.0 / DIM) : 0, most, "F after freezing");
}

/* A drop under the pressure of its tension, melted and frozen three times over: its volume stays. */
static void test_volume_is_kept(void **state)
{
    (void)state;
    enum { CYCLES = 3 };
    setup u;
    dew_heat_source_def sources[2 * CYCLES];
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, (DIM == 3 ? 8 : 10) * SPACING));
    u.def.method = "mpm", u.def.dimension = DIM, u.def.has_heat = true;
    u.material.youngs_modulus = 4000, u.material.melting_point = 300, u.material.viscosity = 1;
    u.material.heat_capacity = 1, u.material.conductivity = 0, u.material.latent_heat = 2;
    u.liquids[0].temperature = 305;
    double half = 0.05; /* s */
    for (int k = 0; k < 2 * CYCLES; k++) {
        sources[k] = dew_default_heat_source_def();
        sources[k].shape = dew_box((dew_vec3){-9, -9, -9}, (dew_vec3){9, 9, 9});
        sources[k].power = (k % 2 ? 10 : -10) * DENSITY / half;
        sources[k].from = k * half, sources[k].to = (k + 1) * half;
    }
    u.parameters[0] = (dew_parameter_value){"sound", 40, NULL}, u.def.parameter_count = 1;
    u.def.heat.sources = sources, u.def.heat.source_count = 2 * CYCLES;
    u.def.frame_rate = 1 / half;
    dew_simulation *s = create(&u);
    const real *melted = NULL;
    double volume = 0;
    for (int k = 0; k < 2 * CYCLES; k++) {
        double sum = 0, own = 0;
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        mpm_arrays a = mpm_arrays_of(s->state, &s->w);
        melted = heat_melted(s->w.heat, s->w.particles);
        for (int i = 0; i < a.count; i++) {
            sum += (double)melted[i] / a.count, own += (1 + (double)a.strain[i]) / a.count;
            assert_true(is_solid(&a, i) == (melted[i] < (real)0.5));
        }
        check_close(sum, k % 2, 0.01, "share that is liquid");
        if (k == 0) volume = own;
        check_close(own / volume, 1, 0.002, "volume by J");
        check_close(measure(s, "own_volume") / (s->particles.count * pow(SPACING, DIM)), own, 0.005,
                    "volume within the contour");
    }
    dew_simulation_destroy(s);
}

static void test_wrong_numbers(void **state)
{
    (void)state;
    bar b;
    dew_simulation *s;
    begin_bar(&b, 8 * SPACING, 8 * SPACING);
    b.u.material.youngs_modulus = -1;
    assert_int_equal(dew_simulation_create(&b.u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "materials[0].youngs_modulus is -1; it must be at least 0 Pa"));
    b.u.material.youngs_modulus = 1e5, b.u.material.poisson_ratio = 0.5;
    assert_int_equal(dew_simulation_create(&b.u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "materials[0].poisson_ratio is 0.5; it must be above -1 and at most 0.499"));
    b.u.def.method = "pbf", b.u.def.dimension = 3, b.u.material.poisson_ratio = 0.3;
    assert_int_equal(dew_simulation_create(&b.u.def, &s), DEW_INVALID);
    assert_non_null(strstr(dew_message(), "method 'pbf' cannot do elastic solids"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_eigenvalues),
        cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_uniaxial),
        cmocka_unit_test(test_stress_is_energys),
        cmocka_unit_test(test_rotation_is_free),
        cmocka_unit_test(test_wave),
        cmocka_unit_test(test_spinning_bar),
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_volume_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
