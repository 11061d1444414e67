/* mpm between faces: periodic axes and planes of symmetry. That bytes are the same for any threads and after a restart
 * is tested with every method's (test_variants.c). */
#include "mpm_inside.h"

#define RADIUS (6 * SPACING)

static void set_solver(setup *u, const char *solver)
{
    u->parameters[0] = (dew_parameter_value){"solver", 0, solver}, u->def.parameter_count = 1;
}

static double cell_width(int dimension) { return (dimension == 2 ? 2 : 1.4) * SPACING; }

/* --- planes of symmetry --- */

/* A drop drawn out along x. Axes whose bit is in `halved` cut it in the middle: by their lower plane or, where it is in
 * `upper` too, by the upper one. */
static dew_simulation *create_drop(int dimension, const char *solver, unsigned halved, unsigned upper)
{
    setup u;
    dew_shape_def drop = dew_default_shape_def();
    const double far = 8 * cell_width(dimension);
    drop.kind = DEW_SHAPE_ELLIPSOID, drop.ellipsoid.semi_axes = (dew_vec3){7 * SPACING, RADIUS, RADIUS};
    begin(&u, drop);
    u.liquids[0].fill = DEW_FILL_CUBIC;
    for (int a = 0; a < dimension; a++) {
        const bool is_cut = halved >> a & 1, is_upper = upper >> a & 1;
        u.def.domain.axis[a] = DEW_SYMMETRY;
        (&u.def.domain.min.x)[a] = is_cut && !is_upper ? 0 : -far,
        (&u.def.domain.max.x)[a] = is_cut && is_upper ? 0 : far;
    }
    u.def.frame_rate = 20;
    set_solver(&u, solver);
    return create_mpm(&u, dimension);
}

/* What is left of a drop between planes swings as all of it does: parts differ by what rounding makes of order. */
static void test_parts_of_a_drop(void **state)
{
    static const struct {
        int dimension;
        const char *solver;
        unsigned halved, upper;
    } parts[] = {{2, "explicit", 1, 0}, {2, "explicit", 3, 1}, {2, "implicit", 2, 2}, {2, "implicit", 3, 3},
                 {3, "explicit", 6, 2}, {3, "implicit", 5, 4}, {3, "implicit", 7, 0}};
    (void)state;
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        const int dimension = parts[n].dimension, share = 1 << __builtin_popcount(parts[n].halved);
        dew_simulation *whole = create_drop(dimension, parts[n].solver, 0, 0);
        dew_simulation *part = create_drop(dimension, parts[n].solver, parts[n].halved, parts[n].upper);
        assert_int_equal(share * part->w.particles->count, whole->w.particles->count);
        for (int frame = 0; frame < 26; frame++) {
            check_ok(dew_simulation_advance_frame(whole, NULL, NULL));
            check_ok(dew_simulation_advance_frame(part, NULL, NULL));
            const double energy = measure(whole, "kinetic_energy"), area = measure(whole, "surface_area");
            if (frame > 4) check_close(share * measure(part, "kinetic_energy") / energy, 1, 0.02, "kinetic energy");
            check_close(share * measure(part, "surface_area") / area, 1, 1e-3, "area");
            check_close(share * measure(part, "own_volume") / measure(whole, "own_volume"), 1, 1e-3, "volume");
        }
        dew_simulation_destroy(whole), dew_simulation_destroy(part);
    }
}

/* --- periodic axes --- */

/* A drop in a box that is periodic, so many cells long, along x or (is_closed) all axes, and `aside` from its middle.
 */
static dew_simulation *create_flying(int dimension, const char *solver, bool is_closed, int across, double aside)
{
    setup u;
    const double half = 0.5 * across * cell_width(dimension);
    begin(&u, dew_sphere((dew_vec3){aside, 0, 0}, RADIUS));
    u.liquids[0].fill = DEW_FILL_CUBIC, u.liquids[0].velocity = (dew_vec3){1, 0.1, 0};
    u.material.viscosity = 0.2;
    for (int a = 0; a < (is_closed ? dimension : 1); a++) {
        u.def.domain.axis[a] = DEW_PERIODIC;
        (&u.def.domain.min.x)[a] = -half, (&u.def.domain.max.x)[a] = half;
    }
    u.def.frame_rate = 50;
    set_solver(&u, solver);
    return create_mpm(&u, dimension);
}

/* The seam is nowhere: a drop that flies over it does as one that does not, and keeps its momentum. */
static void test_seam(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int n = 0; n < 2; n++) {
            const char *solver = n ? "implicit" : "explicit";
            const int across = 22 + dimension + n; /* as many blocks of three cells as may be, by turns */
            const double period = across * cell_width(dimension), aside = 5 * cell_width(dimension);
            dew_simulation *s[2] = {create_flying(dimension, solver, n, across, 0),
                                    create_flying(dimension, solver, n, across, aside)};
            check_close(((mpm_state *)s[0]->state)->dx, cell_width(dimension), 1e-9, "the cell");
            double momentum[3], before[3];
            check_ok(dew_simulation_measure(s[1], "momentum", before));
            for (int frame = 0; frame < 12; frame++) {
                double centre[2][3];
                for (int k = 0; k < 2; k++) {
                    check_ok(dew_simulation_advance_frame(s[k], NULL, NULL));
                    check_ok(dew_simulation_measure(s[k], "centre", centre[k]));
                }
                const double apart = remainder(centre[1][0] - centre[0][0] - aside, period);
                check_close(apart, 0, 1e-4 * SPACING, "the way over the seam");
                check_close(centre[1][1], centre[0][1], 1e-4 * SPACING, "the way along it");
                const double area = measure(s[0], "surface_area"), energy = measure(s[0], "kinetic_energy");
                check_close(measure(s[1], "surface_area") / area, 1, 1e-4, "area at the seam");
                check_close(measure(s[1], "kinetic_energy") / energy, 1, 1e-4, "energy at the seam");
                const double volume = s[1]->w.particles->count * pow(SPACING, dimension);
                check_close(measure(s[1], "own_volume") / volume, 1, 0.01, "volume at the seam");
            }
            check_ok(dew_simulation_measure(s[1], "momentum", momentum));
            check_close(momentum[0] / before[0], 1, 1e-6, "momentum over the seam");
            for (int k = 0; k < 2; k++) dew_simulation_destroy(s[k]);
        }
}

/* A full box without faces, as few cells long as may be, and numbers of them that blocks of four do not divide: what
 * flows alike goes on so. */
static void test_full_box(void **state)
{
    static const int across[] = {4, 5, 6, 7, 8, 9, 13};
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t k = 0; k < sizeof across / sizeof *across; k++)
            for (int n = 0; n < 2; n++) {
                setup u;
                const double cell = 2 * SPACING, x = 4 * cell, y = across[k] * cell, z = dimension == 2 ? 0 : 6 * cell;
                begin(&u, dew_box((dew_vec3){0, 0, -1}, (dew_vec3){x, y, dimension == 2 ? 1 : z}));
                if (dimension == 3) u.liquids[0].shape.box.min.z = 0;
                u.liquids[0].fill = DEW_FILL_CUBIC,
                u.liquids[0].velocity = (dew_vec3){0.3, -0.4, dimension == 3 ? 0.2 : 0};
                u.material.viscosity = 0.1;
                for (int a = 0; a < dimension; a++) u.def.domain.axis[a] = DEW_PERIODIC;
                u.def.domain.max = (dew_vec3){x, y, z}, u.def.frame_rate = 10;
                set_solver(&u, n ? "implicit" : "explicit");
                u.parameters[1] = (dew_parameter_value){"cell", 2, NULL}, u.def.parameter_count = 2;
                dew_simulation *s = create_mpm(&u, dimension);
                check_close(((mpm_state *)s->state)->dx, cell, 1e-9, "the cell");
                for (int frame = 0; frame < 2; frame++) check_ok(dew_simulation_advance_frame(s, NULL, NULL));
                for (int i = 0; i < s->w.particles->count; i++) {
                    const real4 v = s->w.particles->velocity[i];
                    check_close((double)v.x, 0.3, 1e-4, "velocity along x");
                    check_close((double)v.y, -0.4, 1e-4, "velocity along y");
                }
                dew_simulation_destroy(s);
            }
}

/* --- rounds that blocks of four do not divide --- */

/* Liquid that a strip, or a column, of half a wave length L gathers: u = (-U sin kx, U k y cos kx), in space half of it
 * along y and z each. */
static void gather_speed(void *context, int count, const double *const *inputs, double *output)
{
    const double *k = context; /* k, and along which axis */
    for (int i = 0; i < count; i++) {
        const double x = inputs[0][i], along = inputs[(int)k[1]][i];
        output[i] = k[1] == 0 ? -0.3 * sin(k[0] * x) / k[0] : k[2] * 0.3 * along * cos(k[0] * x);
    }
}

/* That liquid, between planes half a wave length apart, so many cells, or periodic over a whole one. */
static dew_simulation *create_gathering(int dimension, const char *solver, int across, bool is_whole, double k[3][3])
{
    setup u;
    const double length = across * cell_width(dimension), high = 5 * SPACING, thick = dimension == 3 ? high : 1;
    begin(&u, dew_box((dew_vec3){is_whole ? -length : 0, -high, -thick}, (dew_vec3){length, high, thick}));
    u.liquids[0].fill = DEW_FILL_CUBIC;
    for (int a = 0; a < dimension; a++) {
        k[a][0] = PI / length, k[a][1] = a, k[a][2] = dimension == 3 ? 0.5 : 1;
        u.liquids[0].velocity_of[a] = (dew_function){gather_speed, k[a]};
    }
    u.def.domain.axis[0] = is_whole ? DEW_PERIODIC : DEW_SYMMETRY;
    u.def.domain.min.x = is_whole ? -length : 0, u.def.domain.max.x = length;
    u.def.frame_rate = 20;
    set_solver(&u, solver);
    return create_mpm(&u, dimension);
}

/* What lies between two planes is half of what is periodic over twice the length, whatever the number of cells. */
static void test_any_number_of_cells(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int across = 5; across <= 15; across += 5) { /* of 1.4 spacings these hold whole lattices */
            double k[3][3];
            const char *solver = across & 1 ? "implicit" : "explicit";
            dew_simulation *whole = create_gathering(dimension, solver, across, true, k);
            dew_simulation *part = create_gathering(dimension, solver, across, false, k);
            check_close(((mpm_state *)part->state)->dx, cell_width(dimension), 1e-9, "the cell");
            assert_int_equal(2 * part->w.particles->count, whole->w.particles->count);
            for (int frame = 0; frame < 10; frame++) {
                check_ok(dew_simulation_advance_frame(whole, NULL, NULL));
                check_ok(dew_simulation_advance_frame(part, NULL, NULL));
                const double energy = measure(whole, "kinetic_energy"), area = measure(whole, "surface_area");
                check_close(2 * measure(part, "kinetic_energy") / energy, 1, 0.01, "kinetic energy");
                check_close(2 * measure(part, "surface_area") / area, 1, 1e-3, "area");
                check_close(2 * measure(part, "own_volume") / measure(whole, "own_volume"), 1, 1e-3, "volume");
            }
            dew_simulation_destroy(whole), dew_simulation_destroy(part);
        }
}

/* Lengths that no cell goes into are told; a plane that no liquid is at lies farther out. */
static void test_lengths(void **state)
{
    (void)state;
    for (int kind = DEW_PERIODIC; kind <= DEW_SYMMETRY; kind++) {
        setup u;
        dew_simulation *s;
        const dew_vec3 size = {20 * SPACING, 31.3 * SPACING, 0};
        begin(&u, dew_sphere((dew_vec3){10 * SPACING, 7 * SPACING, 0}, RADIUS));
        u.def.method = "mpm", u.def.domain.axis[0] = DEW_PERIODIC, u.def.domain.axis[1] = (dew_boundary)kind;
        u.def.domain.max = size;
        const dew_result result = dew_simulation_create(&u.def, &s);
        if (kind == DEW_PERIODIC) {
            assert_int_equal(result, DEW_INVALID);
            assert_non_null(strstr(dew_message(), "no cell in common"));
            continue;
        }
        const mpm_state *p = s->state;
        check_ok(result);
        check_close(remainder(size.x, p->dx) / p->dx, 0, 1e-6, "a whole number of cells along x");
        check_close(remainder(p->domain.max.y, p->dx) / p->dx, 0, 1e-6, "a whole number of cells along y");
        assert_true(p->domain.min.y == 0 && p->domain.max.y >= size.y && p->domain.max.y < size.y + p->dx);
        dew_simulation_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts_of_a_drop), cmocka_unit_test(test_seam),
                                       cmocka_unit_test(test_full_box), cmocka_unit_test(test_any_number_of_cells),
                                       cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests_name("mpm_faces", tests, NULL, NULL);
}
