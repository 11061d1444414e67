/* mpm's implicit velocities: the matrix, what it keeps, and that long substeps end where short ones do. */
#include "../laws/measure.h"
#include "mpm_inside.h"

#define IS_DOUBLE (sizeof(real) == 8)

static double random_number(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 23) - 1;
}

static void set_solver(setup *u, int dimension, const char *solver)
{
    u->def.method = "mpm", u->def.dimension = dimension;
    u->parameters[0] = (dew_parameter_value){"solver", 0, solver};
    u->def.parameter_count = 1;
}

/* --- the matrix --- */

/* A ball, its lower half solid, with tension and viscosity, its system as of after some steps; near two planes, or
 * free. */
typedef struct scene {
    setup u;
    dew_simulation *s;
    fluid f;
    pressure_system pressure;
    velocity_system q;
} scene;

static void temperature(void *context, int count, const double *const *inputs, double *output)
{
    (void)context;
    for (int i = 0; i < count; i++) output[i] = 300 + (inputs[2][i] > 0 ? 5 : -5);
}

static void scene_begin(scene *c, bool has_walls)
{
    double r = 8 * SPACING;
    begin(&c->u, dew_sphere((dew_vec3){0, 0, 0}, r));
    c->u.material.viscosity = 20, c->u.material.youngs_modulus = 2000;
    c->u.material.melting_point = 300, c->u.material.conductivity = 0, c->u.def.has_heat = true;
    c->u.liquids[0].temperature_of = (dew_function){temperature, NULL};
    if (has_walls) {
        c->u.solids[0].shape = dew_plane((dew_vec3){0, 0, -0.7 * r}, (dew_vec3){0.1, 0, 0.99498743710662});
        c->u.solids[1].shape = dew_plane((dew_vec3){-0.8 * r, 0, 0}, (dew_vec3){1, 0, 0});
        c->u.def.solid_count = 2;
    }
    set_solver(&c->u, 3, "backward_euler");
    c->s = create(&c->u);
    advance(c->s, 0.02);
    fluid *f = &c->f;
    check_ok(fluid_begin(f, c->s->state, &c->s->w, 0.1, 0.1));
    assert_true(f->implicit.energy && f->implicit.viscosity && f->implicit.pressure && f->has_solids);
    check_ok(find_nodes(f));
    check_ok(pressure_make(&c->pressure, f));
    check_ok(velocities_make(&c->q, f, &c->pressure));
}

/* Random velocities of the nodes that there are; or a motion of all as a rigid body. */
static real4 *velocities(scene *c, const double *motion)
{
    const grid *g = &c->f.g;
    real4 *v = arena_zeroed(g->memory, ((size_t)c->q.count + 4) * sizeof *v);
    for (int k = 0; k < c->q.count; k++) {
        const int32_t *block = g->block[k / CELLS].at;
        double at[3] = {SIDE * block[0] + k / 16 % 4, SIDE * block[1] + k / 4 % 4, SIDE * block[2] + k % 4};
        if (!(c->f.node[k].w > LEAST_MASS)) continue;
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, d = (a + 2) % 3;
            (&v[k].x)[a] = (real)(motion ? motion[a] + motion[3 + b] * at[d] - motion[3 + d] * at[b] : random_number());
        }
    }
    return v;
}

static double product(const scene *c, const real4 *a, const real4 *b)
{
    double sum = 0;
    for (int k = 0; k < c->q.count; k++)
        sum += (double)a[k].x * (double)b[k].x + (double)a[k].y * (double)b[k].y + (double)a[k].z * (double)b[k].z;
    return sum;
}

static void test_matrix(void **state)
{
    (void)state;
    for (int has_walls = 0; has_walls < 2; has_walls++) {
        scene c;
        scene_begin(&c, has_walls);
        real4 *a = velocities(&c, NULL), *b = velocities(&c, NULL);
        size_t bytes = (size_t)c.q.count * sizeof *a;
        velocities_multiply(&c.q, a, true);
        real4 *image = arena_alloc(c.f.g.memory, bytes);
        memcpy(image, c.q.Ap, bytes);
        double aka = product(&c, a, image), bka = product(&c, b, image);
        velocities_multiply(&c.q, b, true);
        double akb = product(&c, a, c.q.Ap), bkb = product(&c, b, c.q.Ap);
        assert_true(aka > 0 && bkb > 0);
        check_close(akb / aka, bka / aka, IS_DOUBLE ? 1e-12 : 1e-4, "symmetry");
        /* Stresses have neither sum nor moment: what is orthogonal to K of all is what K makes nothing of. */
        for (int k = 0; k < 6 && !has_walls; k++) {
            double motion[6] = {0};
            motion[k] = 1;
            real4 *r = velocities(&c, motion);
            double sum = product(&c, r, image), size = sqrt(product(&c, r, r) * product(&c, image, image));
            check_close(sum / size, 0, IS_DOUBLE ? 1e-13 : 1e-6, k < 3 ? "sum of forces" : "moment of forces");
        }
        dew_simulation_destroy(c.s);
    }
}

/* The tangent of the elastic stress: dtau by E from the stress itself, where nothing is stretched. */
static void test_tangent(void **state)
{
    (void)state;
    const mpm_elastic e = {3e4, 5e4};
    for (int trial = 0; trial < 20; trial++) {
        real4 columns[3] = {{0}};
        real strain = 0;
        mpm_arrays a = {.deformation = {&columns[0], &columns[1], &columns[2]}, .strain = &strain, .count = 1};
        tangent t;
        solid_tangent(&e, &a, 0, 1, &t);
        vquad g[3], by_tangent[3];
        for (int k = 0; k < 3; k++) {
            real4 column = {(real)random_number(), (real)random_number(), (real)random_number(), 0};
            g[k] = (real)1e-3 * quad_load(&column);
        }
        stress_by_strain(&t, g, by_tangent);
        deform(&a, 0, g);
        matrix tau;
        solid_stress(&e, &a, 0, tau);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++)
                check_close((double)by_tangent[k][r] / 100, tau[r][k] / 100, 0.01, "stress by the tangent");
    }
}

/* It never softens, however the solid is deformed. */
static void test_tangent_is_positive(void **state)
{
    (void)state;
    const mpm_elastic e = {3e4, 5e4};
    for (int trial = 0; trial < 200; trial++) {
        real4 columns[3];
        real strain = 0;
        mpm_arrays a = {.deformation = {&columns[0], &columns[1], &columns[2]}, .strain = &strain, .count = 1};
        for (int k = 0; k < 3; k++)
            columns[k] = (real4){(real)random_number(), (real)random_number(), (real)random_number(), 0};
        tangent t;
        solid_tangent(&e, &a, 0, 1, &t);
        for (int k = 0; k < 20; k++) {
            real4 column[3];
            vquad g[3], stress[3];
            double work = 0, size = 0;
            for (int c = 0; c < 3; c++) {
                column[c] = (real4){(real)random_number(), (real)random_number(), (real)random_number(), 0};
                g[c] = quad_load(&column[c]);
            }
            stress_by_strain(&t, g, stress);
            for (int c = 0; c < 3; c++)
                for (int r = 0; r < 3; r++)
                    work += (double)(g[c][r] * stress[c][r]), size += fabs((double)(g[c][r] * stress[c][r]));
            check_above(-1e-5 * size, work, "work of a strain");
        }
    }
}

/* --- what comes of it --- */

static void spin_x(void *context, int count, const double *const *inputs, double *output)
{
    for (int i = 0; i < count; i++) output[i] = -*(double *)context * inputs[1][i] + 0.01;
}

static void spin_y(void *context, int count, const double *const *inputs, double *output)
{
    for (int i = 0; i < count; i++) output[i] = *(double *)context * inputs[0][i];
}

/* Momentum and angular momentum of a turning, swinging body, liquid and solid, in two and three dimensions. */
static void test_keeps(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        int dimension = k < 2 ? 2 : 3;
        setup u;
        double spin = 0.1;
        dew_shape_def shape = dew_default_shape_def();
        shape.kind = DEW_SHAPE_ELLIPSOID;
        shape.ellipsoid.semi_axes = (dew_vec3){0.24, 0.12, 0.12};
        begin(&u, shape);
        if (k % 2) u.material.youngs_modulus = 2e5;
        u.material.viscosity = 5;
        u.liquids[0].velocity_of[0] = (dew_function){spin_x, &spin};
        u.liquids[0].velocity_of[1] = (dew_function){spin_y, &spin};
        set_solver(&u, dimension, "backward_euler");
        u.def.frame_rate = 5;
        dew_simulation *s = create(&u);
        double before[3], after[3], turn[3], turn_after[3], most = IS_DOUBLE ? 1e-11 : 2e-5;
        check_ok(dew_simulation_measure(s, "momentum", before));
        check_ok(dew_simulation_measure(s, "angular_momentum", turn));
        for (int n = 0; n < 20; n++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        assert_true(((mpm_state *)s->state)->velocity_solves > 0);
        check_ok(dew_simulation_measure(s, "momentum", after));
        check_ok(dew_simulation_measure(s, "angular_momentum", turn_after));
        double mass = measure(s, "mass"), speed = spin * 0.1;
        for (int a = 0; a < dimension; a++)
            check_close(after[a] / (mass * speed), before[a] / (mass * speed), most, "momentum");
        check_close(turn_after[2] / turn[2], 1, most, "angular momentum");
        dew_simulation_destroy(s);
    }
}

/* A drop so viscous that it does not swing goes round at the rate gamma/(mu r) (n = 2, in two dimensions). Explicit
 * substeps are many: transfers hold it back by 6 % of that, and shifts, once a step, make up for twice as much. */
static void test_viscous_drop(void **state)
{
    (void)state;
    static const char *const solvers[] = {"explicit", "auto", "implicit", "backward_euler"};
    static const double within[] = {0.07, 0.03, 0.03, 0.03};
    for (int k = 0; k < 4; k++) {
        setup u;
        dew_shape_def shape = dew_default_shape_def();
        shape.kind = DEW_SHAPE_ELLIPSOID;
        shape.ellipsoid.semi_axes = (dew_vec3){0.3, 0.2, 0.2};
        begin(&u, shape);
        double r = sqrt(0.06), time = 0, first = log(0.3 / 0.2) / 2;
        u.material.viscosity = 10 * sqrt(DENSITY * TENSION * r), time = u.material.viscosity * r / TENSION;
        set_solver(&u, 2, solvers[k]);
        u.def.frame_rate = 4 / time;
        dew_simulation *s = create(&u);
        for (int frame = 0; frame < 4; frame++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
        check_close(-log(measure(s, "modes") / first), 1, within[k], solvers[k]); /* n = 2 */
        assert_true((((mpm_state *)s->state)->velocity_solves > 0) == (k > 0));
        dew_simulation_destroy(s);
    }
}

/* A column so stiff that a substep is what sound takes for 17 cells stands as statics say, but for the layer at the
 * wall, which creeps by 0.5 mm/s (explicit too: between wall and first particles there is a motion that strains none of
 * them). */
static void test_stiff_column(void **state)
{
    (void)state;
    setup u;
    double high = 32 * SPACING, wide = 12 * SPACING, young = 1e6, poisson = 0.3, centre[3], first;
    begin(&u, dew_box((dew_vec3){-wide / 2, 0, -1}, (dew_vec3){wide / 2, high, 1}));
    u.material.youngs_modulus = young, u.material.poisson_ratio = poisson;
    u.liquids[0].fill = DEW_FILL_CUBIC;
    u.solids[0].shape = dew_plane((dew_vec3){0, 0, 0}, (dew_vec3){0, 1, 0});
    u.def.solid_count = 1, u.def.gravity = (dew_vec3){0, -20, 0};
    set_solver(&u, 2, "backward_euler");
    u.def.frame_rate = 20;
    dew_simulation *s = create(&u);
    check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
    first = centre[1];
    for (int k = 0; k < 4; k++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
    check_ok(dew_simulation_measure(s, "centre_of_mass", centre));
    double statics = DENSITY * 20 * high * high / (3 * young / (1 - poisson * poisson));
    check_close((first - centre[1]) / statics, 1, 0.1, "a stiff column sinks under its weight");
    check_below(measure(s, "max_speed"), 2e-3, "and stands");
    dew_simulation_destroy(s);
}

/* What each solver takes, and that nothing bounds its step which it has made implicit. */
static void test_choice(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        double young, viscosity;
        bool has_energy, has_viscosity;
        const char *limit;
    } cases[] = {{"auto", 0, 0, false, false, "sound"},
                 {"auto", 0, 1000, false, true, "sound"},
                 {"explicit", 0, 1000, false, false, "viscosity"},
                 {"implicit", 0, 1000, false, true, "sound"},
                 {"auto", 1e4, 0, false, false, "elastic waves"},
                 {"auto", 1e12, 0, true, false, "elastic waves"},
                 {"explicit", 1e12, 0, false, false, "elastic waves"},
                 {"backward_euler", 1e4, 0, true, false, "elastic waves"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setup u;
        begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 6 * SPACING));
        u.material.youngs_modulus = cases[k].young, u.material.viscosity = cases[k].viscosity;
        set_solver(&u, 2, cases[k].solver);
        dew_simulation *s = create(&u);
        method_mpm.max_time_step(s->state, &s->w);
        mpm_scheme scheme = mpm_scheme_of(s->state, &s->w);
        if (scheme.energy != cases[k].has_energy || scheme.viscosity != cases[k].has_viscosity ||
            strcmp(scheme.limit, cases[k].limit) != 0)
            fail_msg("case %d: energy %d, viscosity %d, limit %s", (int)k, scheme.energy, scheme.viscosity,
                     scheme.limit);
        dew_simulation_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix), cmocka_unit_test(test_tangent),      cmocka_unit_test(test_tangent_is_positive),
        cmocka_unit_test(test_keeps),  cmocka_unit_test(test_viscous_drop), cmocka_unit_test(test_stiff_column),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
