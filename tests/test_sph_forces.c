/* The force pass of sph against plain loops over all pairs, in double: pressure, viscosity, and what surface particles
 * give to those near, however few of these are where the lists have them in front. */
#include "methods/sph/flow.h"
#include "pbf_setup.h"

typedef struct plain_sums {
    double force[3], weight, pull[4], facing[4];
} plain_sums;

static void add_pair(const flow *k, int i, int j, double viscosity, plain_sums *s)
{
    real4 a = k->a.x[i], b = k->a.x[j], u = k->a.v[i], v = k->a.v[j], n = k->a.normal[j], tension = k->a.tension[j];
    double d[3] = {(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z}, along = 0, out = 0;
    double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], t = 1 - sqrt(r2) / (double)k->p->support;
    if (t <= 0) return;
    double t3 = t * t * t, share = t3 * (double)v.w, more = 1 + 0.25 * ((double)u.w + (double)v.w);
    for (int c = 0; c < 3; c++) {
        along += d[c] * ((double)(&u.x)[c] - (double)(&v.x)[c]), out += d[c] * (double)(&n.x)[c];
        s->facing[c] += share * (double)(&n.x)[c];
    }
    double f = t3 * ((double)a.w + (double)b.w - (r2 > 0 ? viscosity * more * along / r2 : 0));
    for (int c = 0; c < 3; c++) s->force[c] += f * d[c];
    for (int c = 0; c < 4; c++) s->pull[c] += t3 * (double)(&tension.x)[c];
    s->weight += share, s->facing[3] -= share * out;
}

static plain_sums sum_plainly(const flow *k, int i)
{
    const particles *store = k->w->particles;
    double h = (double)k->p->support, scale = (double)k->p->gradient / (h * h);
    double viscosity = 10 * sph_viscosity_of(k->p, k->w);
    plain_sums s = {0};
    for (int j = 0; j < k->count; j++) add_pair(k, i, j, viscosity, &s);
    for (int j = store->ghost_begin; j < store->end; j++) add_pair(k, i, j, viscosity, &s);
    for (int c = 0; c < 3; c++) s.force[c] *= scale;
    return s;
}

enum { FORCE, WEIGHT, PULL, CURVATURE, FACING, DEPTH, QUANTITIES };
static const char *const names[QUANTITIES] = {"force",           "weights",    "gradient of curvature",
                                              "mean of tension", "of normals", "of depth"};

static void add_difference(double sums[QUANTITIES][2], int quantity, int count, const real *measured,
                           const double *expected)
{
    for (int c = 0; c < count; c++) {
        double e = (double)measured[c] - expected[c];
        sums[quantity][0] += expected[c] * expected[c], sums[quantity][1] += e * e;
    }
}

/* Returns how many particles the surface acts on. */
static int compare_to_plain(const flow *k)
{
    double sums[QUANTITIES][2] = {{0}};
    int acted_on = 0;
    for (int i = 0; i < k->count; i++) {
        plain_sums s = sum_plainly(k, i);
        add_difference(sums, FORCE, 3, &k->force[i].x, s.force);
        if (!(real3_length(real3_of(k->filled[i])) > (real)0.025)) continue;
        assert_true(k->is_near[i / PAIR_I] & BLOCK_NEAR);
        acted_on++;
        add_difference(sums, WEIGHT, 1, &k->force[i].w, &s.weight);
        add_difference(sums, PULL, 3, &k->pull[i].x, s.pull);
        add_difference(sums, CURVATURE, 1, &k->pull[i].w, s.pull + 3);
        add_difference(sums, FACING, 3, &k->facing[i].x, s.facing);
        add_difference(sums, DEPTH, 1, &k->facing[i].w, s.facing + 3);
    }
    for (int q = 0; q < QUANTITIES; q++) {
        check_above(1e-12, sums[q][0], names[q]);
        check_below(sqrt(sums[q][1] / sums[q][0]), 2e-5, names[q]);
    }
    return acted_on;
}

static int count_whole(const flow *k)
{
    int count = 0;
    for (int block = 0; block < k->blocks; block++) count += k->is_near[block] == (BLOCK_NEAR | BLOCK_WHOLE);
    return count;
}

/* Lists are made as if no particle with a larger x had been near the surface before; NAN: all are in front that are. */
static void check_forces(setup *u, double beyond)
{
    u->def.method = "sph";
    dew_simulation *s = create(u);
    advance(s, 0.05);
    sph_arrays a = sph_arrays_of(s->state, &s->w);
    for (int i = 0; i < a.count; i++)
        if ((double)a.x[i].x > beyond) a.v[i].w = a.normal[i].w = 0;
    neighbours_invalidate(s->w.neighbours);
    flow k;
    if (isnan(beyond)) { /* who is surface where particles are now, not a step before */
        check_ok(sph_begin_step(&k, s->state, &s->w, 1e-4));
        check_ok(sph_find_curvature(&k));
        neighbours_invalidate(s->w.neighbours);
    }
    check_ok(sph_begin_step(&k, s->state, &s->w, 1e-4));
    uint32_t seed = 7;
    for (int i = 0; i < k.count; i++) {
        k.a.x[i].w = (real)noise(&seed);
        for (int c = 0; c < 3; c++) (&k.a.v[i].x)[c] = (real)(0.1 * noise(&seed));
    }
    check_ok(sph_find_curvature(&k));
    sph_sum_forces(&k);
    int acted_on = compare_to_plain(&k);
    check_above(k.count / 4, acted_on, "particles that tension acts on");
    if (isnan(beyond))
        assert_int_equal(count_whole(&k), 0);
    else
        check_above(k.blocks / 50, count_whole(&k), "blocks that look for it in whole lists");
    dew_simulation_destroy(s);
}

static void test_forces_of_a_drop(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 9 * SPACING));
    check_forces(&u, NAN);
}

static void test_forces_where_the_surface_is_new(void **state)
{
    (void)state;
    setup u;
    begin(&u, dew_sphere((dew_vec3){0, 0, 0}, 9 * SPACING));
    check_forces(&u, 4 * SPACING);
    check_forces(&u, -1);
}

/* A film across one face, cut by a plane of symmetry. What is new next to the face counts on its other side too. */
static void test_forces_across_faces(void **state)
{
    (void)state;
    const double beyond[] = {NAN, 8 * SPACING};
    for (int n = 0; n < 2; n++) {
        setup u;
        begin(&u,
              dew_box((dew_vec3){-9 * SPACING, 0, -4 * SPACING}, (dew_vec3){9 * SPACING, 8 * SPACING, 4 * SPACING}));
        u.def.domain.axis[0] = DEW_PERIODIC, u.def.domain.axis[1] = DEW_SYMMETRY;
        u.def.domain.min = (dew_vec3){-9 * SPACING, 0, -1}, u.def.domain.max = (dew_vec3){9 * SPACING, 1, 1};
        check_forces(&u, beyond[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_of_a_drop),
        cmocka_unit_test(test_forces_where_the_surface_is_new),
        cmocka_unit_test(test_forces_across_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
