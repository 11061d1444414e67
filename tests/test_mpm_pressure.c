/* The implicit pressure of mpm: its matrix against a plain twin, and what it makes of a drop. */
#include "../laws/measure.h"
#include "mpm_inside.h"

#define IS_DOUBLE (sizeof(real) == 8)
#define ROUND (IS_DOUBLE ? 1e-12 : 3e-5)

static double random_number(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 23) - 1;
}

static dew_simulation *create_implicit(setup *u, int dimension, double sound)
{
    u->def.method = "mpm", u->def.dimension = dimension;
    u->parameters[0] = (dew_parameter_value){"solver", 0, "implicit"};
    u->parameters[1] = (dew_parameter_value){"sound", sound, NULL};
    u->parameters[2] = (dew_parameter_value){"cell", 2, NULL}; /* with cubes that are full */
    u->def.parameter_count = 3;
    return create(u);
}

static double measured(const dew_simulation *s, const char *name)
{
    double values[8];
    check_ok(dew_simulation_measure(s, name, values));
    return values[0];
}

/* --- the matrix --- */

/* A ball of 5 cells in the corner of two planes and next to a third, its system as of after some steps. */
typedef struct scene {
    setup u;
    dew_simulation *s;
    fluid f;
    pressure_system q;
} scene;

static void scene_begin(scene *c)
{
    double r = 10 * SPACING;
    begin(&c->u, dew_sphere((dew_vec3){0, 0, 0}, r));
    c->u.solids[0].shape = dew_plane((dew_vec3){0, 0, -0.7 * r}, (dew_vec3){0.1, 0, 0.99498743710662});
    c->u.solids[1].shape = dew_plane((dew_vec3){-0.8 * r, 0, 0}, (dew_vec3){1, 0, 0});
    c->u.def.solid_count = 2;
    dew_shape_def parts[3] = {c->u.liquids[0].shape, c->u.solids[0].shape, c->u.solids[1].shape};
    c->u.liquids[0].shape = dew_default_shape_def();
    c->u.liquids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    c->u.liquids[0].shape.combination.children = parts, c->u.liquids[0].shape.combination.count = 3;
    c->s = create_implicit(&c->u, 3, 60);
    advance(c->s, 0.02);
    check_ok(fluid_begin(&c->f, c->s->state, &c->s->w, 0.1, 0.1));
    check_ok(find_nodes(&c->f));
    check_ok(pressure_make(&c->q, &c->f));
}

static void set_velocities(scene *c, bool is_affine)
{
    const double a[3][3] = {{0.3, -0.2, 0.1}, {0.05, 0.4, -0.3}, {0.2, 0.1, -0.6}}; /* its trace: 0.1 */
    const grid *g = &c->f.g;
    for (int k = 0; k < g->block_count * CELLS; k++) {
        const int32_t *block = g->block[k / CELLS].at;
        int at[3] = {SIDE * block[0] + k / 16 % 4, SIDE * block[1] + k / 4 % 4, SIDE * block[2] + k % 4};
        for (int d = 0; d < 3; d++) {
            double v = is_affine ? 0 : random_number();
            for (int e = 0; e < 3 && is_affine; e++) v += a[d][e] * at[e];
            (&c->f.node[k].x)[d] = (real)v;
        }
    }
    pressure_take_nodes(0, g->block_count * CELLS, &c->q);
}

/* g^T v by what the explicit scheme takes for the divergence at particles, walls and all. */
static void plain_divergence(scene *c, double *sum)
{
    fluid *f = &c->f;
    for (int k = 0; k < c->q.count; k++) sum[k] = 0;
    real *strain = malloc((size_t)f->a.count * sizeof *strain);
    real4 *x = malloc((size_t)f->a.count * sizeof *x);
    memcpy(strain, f->a.strain, (size_t)f->a.count * sizeof *strain);
    memcpy(x, f->a.x, (size_t)f->a.count * sizeof *x);
    f->implicit.pressure = false;
    double dt = 1e-3; /* so short that growth is divergence times dt */
    f->dt = (real)(dt * f->p->dx);
    for (int i = 0; i < f->a.count; i++) f->a.strain[i] = 0;
    each_block(&f->g, particles_from_grid, f);
    merge_owners(0, f->points.owner_count, f);
    for (int i = 0; i < f->a.count; i++)
        sum[c->q.unknown[grid_cube(&f->g, real3_of(x[i]))]] += log1p((double)f->a.strain[i]) / dt;
    memcpy(f->a.strain, strain, (size_t)f->a.count * sizeof *strain);
    memcpy(f->a.x, x, (size_t)f->a.count * sizeof *x);
    free(strain), free(x);
}

/* Gathered divergences are those of the explicit scheme where a cube has its own entry; where the mean over the cube
 * stands for it, they agree with them for an affine field. */
static void test_divergence(void **state)
{
    (void)state;
    scene c;
    scene_begin(&c);
    int full = 0, lines = 0, beyond = c.q.entry_count - c.q.count;
    for (int e = 0; e < c.q.count; e++) full += c.q.slot[e] <= 0, lines += c.q.slot[e] < 0;
    if (full < 20 || lines < 1 || beyond < 100)
        fail_msg("%d full cubes, %d lines of them, %d entries of images: too few for a test", full, lines, beyond);
    double *plain = malloc((size_t)c.q.count * sizeof *plain);
    for (int is_affine = 0; is_affine < 2; is_affine++) {
        set_velocities(&c, is_affine);
        pressure_collect(&c.q);
        plain_divergence(&c, plain);
        for (int k = 0; k < c.q.count; k++) {
            double n = (double)c.f.in_cube[c.q.cube[k]];
            if (is_affine || c.q.slot[k] > 0)
                check_close((double)c.q.Ap[k] / n, plain[k] / n, is_affine ? 5e-3 : 2e-2, "divergence");
            if (c.q.slot[k] <= 0 && is_affine)
                check_close((double)c.q.Ap[k] / n, 0.1, ROUND * 30, "divergence of an affine field in a full cube");
        }
    }
    free(plain);
    dew_simulation_destroy(c.s);
}

/* The sum of u . v over nodes, or of their momentum. */
static double node_product(const scene *c, const real4 *other)
{
    double sum = 0;
    for (int k = 0; k < c->q.node_count; k++)
        for (int d = 0; d < 3; d++)
            if (c->q.inverse_mass[k] > 0)
                sum += (double)(&c->q.u[k].x)[d] / (double)c->q.inverse_mass[k] * (double)(&other[k].x)[d];
    return sum;
}

/* <g z, u> = <z, g^T u>; forces have no sum away from walls. */
static void test_transpose(void **state)
{
    (void)state;
    scene c;
    scene_begin(&c);
    real4 *u = malloc((size_t)c.q.node_count * sizeof *u);
    real *z = malloc((size_t)c.q.count * sizeof *z);
    double by_cubes = 0, size = 0;
    set_velocities(&c, false);
    memcpy(u, c.q.u, (size_t)c.q.node_count * sizeof *u);
    pressure_collect(&c.q);
    for (int k = 0; k < c.q.count; k++) {
        z[k] = (real)random_number();
        by_cubes += (double)z[k] * (double)c.q.Ap[k];
        size += fabs((double)z[k] * (double)c.q.Ap[k]);
    }
    pressure_spread(&c.q, z);
    check_close(node_product(&c, u) / size, by_cubes / size, ROUND, "a force's power and its stress'");
    free(u), free(z);
    dew_simulation_destroy(c.s);
}

/* Gaussian elimination with pivots; b becomes the solution. */
static void solve_plainly(double *a, double *b, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[best * n + j], a[best * n + j] = t;
        }
        double t = b[k];
        b[k] = b[best], b[best] = t;
        for (int i = k + 1; i < n; i++) {
            double scale = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n && scale != 0; j++) a[i * n + j] -= scale * a[k * n + j];
            b[i] -= scale * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

/* The matrix is symmetric; conjugate gradients end where elimination does. */
static void test_solution(void **state)
{
    (void)state;
    scene c;
    scene_begin(&c);
    int n = c.q.count;
    double *a = malloc((size_t)n * (size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b), size;
    double largest = 0, error = 0, sum = 0;
    pressure_collect(&c.q);
    pressure_begin(0, n, &c.q, &(double){0});
    parallel_sum(n, 1, pressure_begin, &c.q, &size);
    for (int k = 0; k < n; k++) b[k] = (double)c.q.r[k];
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) c.q.p[j] = j == k;
        pressure_multiply(&c.q);
        for (int j = 0; j < n; j++) a[j * n + k] = (double)c.q.Ap[j];
        largest = fmax(largest, a[k * n + k]);
        check_close((double)c.q.inverse[k] * a[k * n + k], 1, c.q.more_begin ? 0.7 : 1e-5, "diagonal");
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < k; j++) check_close(a[j * n + k] / largest, a[k * n + j] / largest, ROUND, "symmetry");
    solve_plainly(a, b, n);
    for (int k = 0; k < n; k++) c.q.p[k] = c.q.z[k]; /* the start */
    c.f.p->iterations = 0;
    check_ok(pressure_solve(&c.q, size));
    int iterations = (int)c.f.p->iterations;
    for (int k = 0; k < n; k++) error += pow((double)c.q.z[k] - b[k], 2), sum += b[k] * b[k];
    check_close(sqrt(error / sum), 0, 0.02, "strains against elimination");
    check_above(5, iterations, "iterations");
    check_above(iterations, 120, "iterations at the most");
    free(a), free(b);
    dew_simulation_destroy(c.s);
}

/* --- drops --- */

/* A ball and a disc at c dt/dx of about ten: momentum is kept whatever the tolerance, and the mode n = 2 keeps time. */
static void test_disc_swings(void **state)
{
    (void)state;
    enum { FRAMES = 100 };
    setup u;
    double r = 32 * SPACING, a = 0.03, pi = 3.14159265358979, omega = sqrt(6 * TENSION / (DENSITY * r * r * r));
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = DEW_SHAPE_ELLIPSOID;
    shape.ellipsoid.semi_axes = (dew_vec3){r * (1 + a), r / (1 + a), r};
    /* Among the nodes anywhere: it is computed in its own frame and does not go past them. */
    shape.ellipsoid.centre = (dew_vec3){0.37 * 2 * SPACING, 0.21 * 2 * SPACING, 0};
    begin(&u, shape);
    u.def.frame_rate = 40 * omega / (2 * pi);
    u.liquids[0].velocity = (dew_vec3){0.02, -0.01, 0};
    dew_simulation *s = create_implicit(&u, 2, 100);
    double before[3], after[3], mass = measured(s, "mass");
    check_ok(dew_simulation_measure(s, "momentum", before));
    series swing = {0};
    for (int k = 0; k < FRAMES; k++) {
        check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        bulk b = measure_bulk(s);
        assert_true(series_add(&swing, dew_simulation_time(s), b.moment[0][0] - b.moment[1][1]));
    }
    const mpm_state *p = s->state;
    check_above(3 * (double)p->solves, (double)p->iterations, "iterations a solution");
    check_above((double)p->iterations, 40 * (double)p->solves, "iterations a solution at the most");
    check_ok(dew_simulation_measure(s, "momentum", after));
    double most = IS_DOUBLE ? 1e-11 : 1e-5;
    for (int k = 0; k < 2; k++) check_close(after[k] / (0.02 * mass), before[k] / (0.02 * mass), most, "momentum");
    decay_fit fit = fit_decay(&swing, swing.time[10], INFINITY, omega);
    check_close(fit.omega / omega, 1, 0.008, "frequency of a disc of 16 cells");
    check_close(fit.beta / omega, 0, 0.02, "its damping");
    series_free(&swing);
    dew_simulation_destroy(s);
}

/* The same bytes for any number of threads, walls and images too. */
static void test_threads(void **state)
{
    (void)state;
    real4 *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        setup u;
        double r = 6 * SPACING;
        begin(&u, dew_sphere((dew_vec3){0, 0, 0.9 * r}, r));
        u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, 1});
        u.def.solid_count = 1, u.def.gravity = (dew_vec3){0, 0, -1};
        u.def.threads = threads;
        dew_simulation *s = create_implicit(&u, 3, 60);
        advance(s, 0.05);
        size_t bytes = (size_t)s->particles.count * sizeof *first;
        if (first) {
            assert_memory_equal(s->particles.position, first, bytes);
        } else {
            first = malloc(bytes);
            memcpy(first, s->particles.position, bytes);
        }
        dew_simulation_destroy(s);
    }
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergence),  cmocka_unit_test(test_transpose), cmocka_unit_test(test_solution),
        cmocka_unit_test(test_disc_swings), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
