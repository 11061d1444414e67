/* mpm with more than one material: each particle has its own mass, viscosity and elasticity, each sample of the surface
 * the tension of the nearest particle. */
#include "mpm_inside.h"

#define RADIUS (8 * SPACING)

typedef struct mixture {
    setup u;
    dew_material_def materials[2];
} mixture;

static dew_shape_def box(double x0, double x1)
{
    const double wide = 2 * RADIUS;
    return dew_box((dew_vec3){x0, -wide, -wide}, (dew_vec3){x1, wide, wide});
}

static dew_shape_def combined(dew_shape_kind kind, const dew_shape_def *children)
{
    dew_shape_def shape = dew_default_shape_def();
    shape.kind = kind, shape.combination.children = children, shape.combination.count = 2;
    return shape;
}

/* A ball or disc whose right half, x > 0, is of the second of two materials that are the same as yet. */
static void begin_halves(mixture *m, int dimension)
{
    static dew_shape_def left[2], right[2];
    const dew_shape_def ball = dew_sphere((dew_vec3){0, 0, 0}, RADIUS);
    left[0] = right[0] = ball, left[1] = box(-2 * RADIUS, 0), right[1] = box(0, 2 * RADIUS);
    begin(&m->u, combined(DEW_SHAPE_INTERSECTION, left));
    m->u.def.method = "mpm", m->u.def.dimension = dimension;
    m->materials[0] = m->materials[1] = m->u.material;
    m->materials[1].name = "other";
    m->u.liquids[1].shape = combined(DEW_SHAPE_INTERSECTION, right), m->u.liquids[1].material = 1;
    for (int k = 0; k < 2; k++) m->u.liquids[k].fill = DEW_FILL_CUBIC;
    m->u.def.materials = m->materials, m->u.def.material_count = 2, m->u.def.liquid_count = 2;
    m->u.def.frame_rate = 100;
}

static dew_simulation *create_mixture(mixture *m)
{
    m->u.def.materials = m->materials, m->u.def.liquids = m->u.liquids, m->u.def.solids = m->u.solids;
    return create(&m->u);
}

/* Two names for one liquid are one liquid, to the last digit. */
static void test_same_liquids(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        dew_simulation *s[2];
        for (int k = 0; k < 2; k++) {
            mixture m;
            begin_halves(&m, dimension);
            for (int n = 0; n < 2; n++)
                m.materials[n].viscosity = 0.3, m.u.liquids[n].velocity = (dew_vec3){0, n ? 0.1 : -0.1, 0};
            if (k) m.u.liquids[1].material = 0;
            s[k] = create_mixture(&m);
            check_ok(dew_simulation_advance_frame(s[k], NULL, NULL));
        }
        const particles *a = s[0]->w.particles, *b = s[1]->w.particles;
        assert_int_equal(a->count, b->count);
        assert_memory_equal(a->position, b->position, (size_t)a->count * sizeof *a->position);
        assert_memory_equal(a->velocity, b->velocity, (size_t)a->count * sizeof *a->velocity);
        for (int k = 0; k < 2; k++) dew_simulation_destroy(s[k]);
    }
}

/* Each half costs its own energy per area; liquid is drawn along the surface to where that is higher, and the drop's
 * centre stays where it is. */
static void test_tensions(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mixture m;
        begin_halves(&m, dimension);
        m.materials[1].surface_tension = 0.2 * TENSION;
        for (int n = 0; n < 2; n++) m.materials[n].viscosity = 0.2 * sqrt(DENSITY * TENSION * RADIUS);
        dew_simulation *s = create_mixture(&m);
        double time = sqrt(DENSITY * RADIUS * RADIUS * RADIUS / TENSION);
        double area = dimension == 3 ? 4 * PI * RADIUS * RADIUS : 2 * PI * RADIUS;
        advance(s, 1e-3 * time);
        check_close(measure(s, "surface_energy") / (0.6 * TENSION * area), 1, 0.02, "surface energy of two halves");
        advance(s, 0.5 * time);
        const particles *p = s->w.particles;
        double along = 0, momentum[8], scale = DENSITY * pow(SPACING, dimension) * p->count * RADIUS / time;
        int count = 0;
        const uint8_t *is_surface = mpm_arrays_of(s->state, &s->w).is_surface;
        for (int i = 0; i < p->count; i++) {
            if (!is_surface[i] || fabs((double)p->position[i].x) > 0.3 * RADIUS) continue;
            along += (double)p->velocity[i].x, count++;
        }
        check_below(along / count * time / RADIUS, -0.1, "flow along the surface to the higher tension");
        check_ok(dew_simulation_measure(s, "momentum", momentum));
        for (int k = 0; k < 3; k++) check_close(momentum[k] / scale, 0, ROUNDING, "momentum of two liquids");
        dew_simulation_destroy(s);
    }
}

/* The same shear stresses particles by their own viscosities, explicitly and implicitly. */
static void test_viscosities(void **state)
{
    (void)state;
    mixture m;
    begin_halves(&m, 3);
    m.materials[0].viscosity = 0.5, m.materials[1].viscosity = 2;
    dew_simulation *s = create_mixture(&m);
    fluid f;
    open_step(s, &f);
    check_ok(mpm_find_viscosities(f.p, f.w));
    for (int i = 0; i < f.a.count; i++) {
        f.a.affine[1][i] = (real4){3, 0, 0, 0};
        vquad column = row_record(particle_stress(&f, i, 0, load_affine(&f, i)), 0);
        double unit = -(double)f.dt * (double)f.volume / ((double)f.mass * (double)f.dx);
        double expected = f.a.x[i].x < 0 ? 1.5 : 6;
        check_close((double)column[1] / unit, expected, 1e-5, "shear stress");
    }
    dew_simulation_destroy(s);
}

typedef struct body {
    double centre[3], gyration;
} body;

static body body_of(const dew_simulation *s, int which)
{
    const particles *p = s->w.particles;
    body b = {{0}, 0};
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        if (p->material[i] != which) continue;
        for (int k = 0; k < 3; k++) b.centre[k] += (double)(&p->position[i].x)[k];
        count++;
    }
    for (int k = 0; k < 3; k++) b.centre[k] /= count;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < 3 && p->material[i] == which; k++)
            b.gyration += pow((double)(&p->position[i].x)[k] - b.centre[k], 2) / count;
    b.gyration = sqrt(b.gyration);
    return b;
}

/* A stiff core in a drop that swings stays as it is while the liquid around it does not. */
static void test_solid_in_liquid(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mixture m;
        begin_halves(&m, dimension);
        static dew_shape_def shell[2];
        shell[0] = dew_default_shape_def();
        shell[0].kind = DEW_SHAPE_ELLIPSOID;
        shell[0].ellipsoid.semi_axes = (dew_vec3){1.3 * RADIUS, 0.85 * RADIUS, 0.85 * RADIUS};
        shell[1] = dew_sphere((dew_vec3){0, 0, 0}, 0.5 * RADIUS);
        m.u.liquids[0].shape = combined(DEW_SHAPE_DIFFERENCE, shell), m.u.liquids[1].shape = shell[1];
        m.materials[1].youngs_modulus = 1e3 * TENSION / RADIUS, m.materials[1].poisson_ratio = 0.3;
        dew_simulation *s = create_mixture(&m);
        double time = sqrt(DENSITY * RADIUS * RADIUS * RADIUS / TENSION), momentum[8];
        body core = body_of(s, 1), liquid = body_of(s, 0);
        advance(s, 0.9 * time);
        double scale = DENSITY * pow(SPACING, dimension) * s->w.particles->count * RADIUS / time;
        check_close(body_of(s, 1).gyration / core.gyration, 1, 0.01, "size of the core");
        check_above(0.02, fabs(body_of(s, 0).gyration / liquid.gyration - 1), "change of the liquid");
        check_ok(dew_simulation_measure(s, "momentum", momentum));
        for (int k = 0; k < 3; k++) check_close(momentum[k] / scale, 0, 10 * ROUNDING, "momentum with a core");
        dew_simulation_destroy(s);
    }
}

/* Two that turn, with one twice as heavy: mass counts in all that a body keeps. */
static void test_masses_are_kept(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mixture m;
        double values[8], first[8];
        begin_halves(&m, dimension);
        m.materials[1].density = 2 * DENSITY, m.materials[1].viscosity = 0.1;
        for (int n = 0; n < 2; n++) m.u.liquids[n].velocity = (dew_vec3){0.02, n ? 0.05 : -0.1, 0};
        dew_simulation *s = create_mixture(&m);
        double time = sqrt(DENSITY * RADIUS * RADIUS * RADIUS / TENSION), speed = 0.1;
        double mass = measure(s, "mass"), start[8];
        check_ok(dew_simulation_look_ahead(s)); /* shows no spin that the first step does not begin with */
        check_ok(dew_simulation_measure(s, "centre_of_mass", first));
        check_ok(dew_simulation_measure(s, "angular_momentum", values));
        double spin = values[2];
        check_ok(dew_simulation_measure(s, "momentum", start));
        check_above(0.2 * mass * speed * RADIUS, fabs(spin), "it turns");
        advance(s, 0.3 * time);
        check_ok(dew_simulation_measure(s, "momentum", values));
        for (int k = 0; k < 2; k++)
            check_close((values[k] - start[k]) / (mass * speed), 0, 5 * ROUNDING, "momentum of two masses");
        check_ok(dew_simulation_measure(s, "angular_momentum", values));
        check_close(values[2] / spin, 1, 1e-4, "angular momentum");
        check_ok(dew_simulation_measure(s, "centre_of_mass", values));
        for (int k = 0; k < 2; k++)
            check_close((values[k] - first[k] - start[k] / mass * 0.3 * time) / RADIUS, 0, 1e-4,
                        "centre of two masses");
        dew_simulation_destroy(s);
    }
}

/* A vessel in two dimensions, up to `height` full of the first material, with `inner` of the second in it. */
static void begin_vessel(mixture *m, double wide, double height, dew_shape_def inner, double density)
{
    begin(&m->u, dew_box((dew_vec3){-wide, 0, -1}, (dew_vec3){wide, height, 1}));
    m->u.def.method = "mpm", m->u.def.dimension = 2;
    m->materials[0] = m->materials[1] = m->u.material;
    m->materials[1].name = "other", m->materials[1].density = density;
    m->u.liquids[1] = m->u.liquids[0];
    m->u.liquids[0].shape = inner, m->u.liquids[0].material = 1;
    for (int k = 0; k < 2; k++) m->u.liquids[k].fill = DEW_FILL_CUBIC;
    m->u.def.material_count = 2, m->u.def.liquid_count = 2, m->u.def.frame_rate = 100;
    m->u.def.gravity = (dew_vec3){0, -2, 0};
    m->u.def.domain.min = (dew_vec3){-wide, 0, -1}, m->u.def.domain.max = (dew_vec3){wide, 2 * height, 1};
    m->u.def.domain.axis[0] = m->u.def.domain.axis[1] = DEW_WALL;
}

/* A light disc in heavy liquid is driven up, a heavy one in light liquid down, as the liquid that has to make way is
 * moved too: (rho - rho')/(m rho + rho') g, m = (b^2 + a^2)/(b^2 - a^2) in a round vessel of radius b (Lamb,
 * Hydrodynamics, art. 68, 69). The vessel is square, and open above; the disc does not stay round. */
static void test_buoyancy(void **state)
{
    (void)state;
    const double ratio[2] = {0.5, 2}, wide = 20 * SPACING, high = 36 * SPACING, radius = 5 * SPACING, time = 0.27;
    const double moved = (wide * wide + radius * radius) / (wide * wide - radius * radius);
    for (int k = 0; k < 2; k++) {
        mixture m;
        begin_vessel(&m, wide, high, dew_sphere((dew_vec3){0, high / 2, 0}, radius), ratio[k] * DENSITY);
        for (int n = 0; n < 2; n++) m.materials[n].surface_tension = 0;
        m.u.parameters[0] = (dew_parameter_value){"solver", 0, "implicit"}; /* it damps the column's own bouncing */
        m.u.def.parameters = m.u.parameters, m.u.def.parameter_count = 1;
        dew_simulation *s = create_mixture(&m);
        advance(s, time);
        double theory = 2 * (1 - ratio[k]) / (moved + ratio[k]), speed = 0;
        const particles *p = s->w.particles;
        int count = 0;
        for (int i = 0; i < p->count; i++)
            if (p->material[i] == 1) speed += (double)p->velocity[i].y, count++;
        check_close(speed / count / (theory * time), 1, 0.3, "speed of a disc in another liquid");
        dew_simulation_destroy(s);
    }
}

/* Heavy liquid below light: nothing moves, and each presses by its weight. */
static void test_layers(void **state)
{
    (void)state;
    const double wide = 10 * SPACING, high = 24 * SPACING, density = 3 * DENSITY;
    mixture m;
    begin_vessel(&m, wide, high, dew_box((dew_vec3){-wide, 0, -1}, (dew_vec3){wide, high / 2, 1}), density);
    for (int n = 0; n < 2; n++) m.materials[n].surface_tension = 0, m.materials[n].viscosity = 8;
    dew_simulation *s = create_mixture(&m);
    advance(s, 1.5);
    mpm_arrays a = mpm_arrays_of(s->state, &s->w);
    double bottom = 2 * (DENSITY + density) * high / 2, sum = 0;
    int mixed = 0;
    for (int i = 0; i < a.count; i++) {
        double y = (double)a.x[i].y, below = fmax(high / 2 - y, 0), light = fmin(high - y, high / 2);
        sum += pow(((double)a.pressure[i] - 2 * (density * below + DENSITY * light)) / bottom, 2);
        mixed += (a.material[i] == 1) != (y < high / 2) && fabs(y - high / 2) > SPACING;
    }
    /* one liquid in their place has 0.046 */
    check_below(sqrt(sum / a.count), 0.05, "pressure of two layers, rms over the largest");
    assert_int_equal(mixed, 0);
    check_below(measure(s, "max_speed"), 0.02 * sqrt(2 * 2 * high), "speed of two layers at rest");
    dew_simulation_destroy(s);
}

static void test_refused(void **state)
{
    (void)state;
    mixture m;
    begin_halves(&m, 3);
    m.u.def.has_heat = true;
    for (int n = 0; n < 2; n++) {
        m.materials[n].conductivity = 1, m.materials[n].heat_capacity = 1;
        m.u.liquids[n].temperature = 300;
    }
    dew_simulation *s = NULL;
    m.u.def.materials = m.materials, m.u.def.liquids = m.u.liquids;
    assert_int_equal(dew_simulation_create(&m.u.def, &s), DEW_INVALID);
    assert_null(s);
    if (!strstr(dew_message(), "in one material only; there are 2")) fail_msg("%s", dew_message());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_liquids),    cmocka_unit_test(test_tensions),
        cmocka_unit_test(test_viscosities),     cmocka_unit_test(test_solid_in_liquid),
        cmocka_unit_test(test_masses_are_kept), cmocka_unit_test(test_buoyancy),
        cmocka_unit_test(test_layers),          cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
