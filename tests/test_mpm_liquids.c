/* mpm with more than one material: each particle has its own viscosity and elasticity, each sample of the surface the
 * tension of the nearest particle. */
#include "mpm_inside.h"

#define RADIUS (8 * SPACING)
#define PI 3.14159265358979

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
        const uint8_t *is_surface = particles_field(s->w.particles, ((const mpm_state *)s->state)->is_surface);
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
    flow f;
    open_step(s, &f);
    check_ok(mpm_find_viscosities(f.p, f.w));
    for (int i = 0; i < f.a.count; i++) {
        f.a.affine[1][i] = (real4){3, 0, 0, 0};
        vquad column = row_record(particle_stress(&f, i, 0), 0);
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

static void check_refused(const mixture *m, const char *part)
{
    dew_simulation *s = NULL;
    assert_int_equal(dew_simulation_create(&m->u.def, &s), DEW_INVALID);
    assert_null(s);
    if (!strstr(dew_message(), part)) fail_msg("%s: no '%s'", dew_message(), part);
}

static void test_refused(void **state)
{
    (void)state;
    mixture m;
    begin_halves(&m, 3);
    m.materials[1].density = 2 * DENSITY;
    check_refused(&m, "one density only: that of 'liquid' is 800 kg/m3, of 'other' 1600 kg/m3");
    begin_halves(&m, 3);
    m.u.def.has_heat = true;
    for (int n = 0; n < 2; n++) {
        m.materials[n].conductivity = 1, m.materials[n].heat_capacity = 1;
        m.u.liquids[n].temperature = 300;
    }
    check_refused(&m, "in one material only; there are 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_liquids),    cmocka_unit_test(test_tensions), cmocka_unit_test(test_viscosities),
        cmocka_unit_test(test_solid_in_liquid), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
