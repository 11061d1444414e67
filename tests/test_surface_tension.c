/* Points of a surface: their curvature, and how the meshes' tension is spread, against geometry and a plain twin.
 * Lengths are in spacings. */

#include "particles/kernels.h"
#include "surface/bends.h"
#include "surface/curvature.h"
#include "surface/mesh_curvature.h"
#include "surface/surface.h"
#include "surface/tension.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double random_unit(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

/* --- curvature --- */

enum { POINTS = 1500 };

typedef struct ball {
    surface_points points;
    arena *memory;
    double radius;
} ball;

/* A ball's points, evenly, one a square of the spacing, each pushed about by `noise`; normals off by as much. */
static void ball_create(ball *b, double noise)
{
    enum { ALL = POINTS };
    static real4 place[ALL];
    static int32_t list[ALL];
    static real allowance[ALL];
    uint32_t seed = 7;
    memset(b, 0, sizeof *b);
    b->memory = arena_create();
    b->radius = sqrt(ALL / (4 * PI));
    for (int k = 0; k < ALL; k++) {
        double z = 1 - (2.0 * k + 1) / ALL, r = sqrt(1 - z * z), angle = 2.39996322972865332 * k;
        double d[3] = {r * cos(angle), r * sin(angle), z};
        for (int a = 0; a < 3; a++) d[a] = b->radius * d[a] + noise * (2 * random_unit(&seed) - 1);
        place[k] = (real4){(real)d[0], (real)d[1], (real)d[2], 0};
        list[k] = k, allowance[k] = (real)0.1;
    }
    points_reach reach = {.reach = 4, .skin = 0.1, .allowance = allowance, .times = 1};
    assert_int_equal(surface_points_create(&b->points, 4), DEW_OK);
    assert_int_equal(surface_points_fill(&b->points, place, list, ALL, reach, NULL, b->memory), DEW_OK);
    assert_true(b->points.has_lists);
    particles *store = &b->points.store;
    for (int k = 0; k < ALL; k++) {
        store->position[k].w = 1;
        real3 n = real3_of(store->position[k]);
        n.x += (real)(noise * b->radius * 0.3 * (2 * random_unit(&seed) - 1));
        n = real3_normalise(n);
        store->velocity[k] = (real4){n.x, n.y, n.z, 1};
    }
}

static void ball_destroy(ball *b)
{
    surface_points_destroy(&b->points);
    arena_destroy(b->memory);
}

/* kappa of the surface half a spacing above the points, 2/(R + s/2); it does not change along them, and nothing is to
 * be drawn level. */
static void curvature_of_a_ball(void **state)
{
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        ball b;
        ball_create(&b, rough ? 0.1 : 0);
        surface_curvature found;
        assert_int_equal(surface_find_curvature(&b.points, 1, b.memory, &found), DEW_OK);
        double mean = 0, square = 0, steep = 0, even = 0, sum[3] = {0, 0, 0}, least_out = 1;
        for (int k = 0; k < POINTS; k++) {
            double kappa = (double)found.curvature[k] * (b.radius + 0.5) / 2;
            real4 g = found.sharpened[k], e = found.even[k];
            mean += kappa / POINTS, square += (kappa - 1) * (kappa - 1) / POINTS;
            steep = fmax(steep, (double)real3_length(real3_of(g)) * b.radius * b.radius);
            even = fmax(even, (double)(real3_length(real3_of(e)) / found.weights_of_plane));
            sum[0] += (double)e.x, sum[1] += (double)e.y, sum[2] += (double)e.z;
            real3 out = real3_normalise(real3_of(b.points.store.position[k]));
            least_out = fmin(least_out, (double)real3_dot(out, real3_of(found.normal[k])));
        }
        assert_true(fabs(mean - 1) < 0.02 && sqrt(square) < (rough ? 0.06 : 0.005));
        assert_true(least_out > (rough ? 0.995 : 0.99999));
        if (!rough) assert_true(steep < 0.1 && even < 1e-3);
        for (int a = 0; a < 3; a++) assert_true(fabs(sum[a]) < 1e-3);
        ball_destroy(&b);
    }
}

/* The same by the area of the meshes; and where one point stands out by a fifth of a spacing, it is drawn level first.
 */
static void curvature_of_a_mesh(void **state)
{
    (void)state;
    for (int out = 0; out < 2; out++) {
        ball b;
        ball_create(&b, 0);
        particles *store = &b.points.store;
        real4 *x = &store->position[POINTS / 2];
        real away = 1 + out * (real)(0.2 / b.radius);
        *x = (real4){away * x->x, away * x->y, away * x->z, 1};
        surface_curvature found;
        assert_int_equal(surface_find_curvature(&b.points, 1, b.memory, &found), DEW_OK);
        static real kappa[POINTS];
        static uint8_t bends[POINTS];
        bool is_bent;
        surface_find_bends(&b.points, bends, &is_bent);
        assert_false(is_bent);
        memset(bends, MESH_BENT, sizeof bends);
        uint8_t *is_surface = particles_field(store, b.points.is_surface);
        memset(is_surface, 1, (size_t)store->end);
        assert_int_equal(surface_mesh_curvature(&b.points, 1, 3, bends, b.memory, kappa), DEW_OK);
        for (int k = 0; k < POINTS; k++)
            assert_true(fabs((double)kappa[k] * (b.radius + 0.5) / 2 - 1) < (out ? 0.7 : 0.01));
        ball_destroy(&b);
    }
}

/* A point that stands out is drawn in, its neighbours out. */
static void points_are_drawn_level(void **state)
{
    (void)state;
    ball b;
    ball_create(&b, 0);
    particles *store = &b.points.store;
    real4 *x = &store->position[POINTS / 2];
    real3 out = real3_normalise(real3_of(*x));
    x->x += (real)0.2 * out.x, x->y += (real)0.2 * out.y, x->z += (real)0.2 * out.z;
    surface_curvature found;
    assert_int_equal(surface_find_curvature(&b.points, 1, b.memory, &found), DEW_OK);
    assert_true(real3_dot(real3_of(found.even[POINTS / 2]), out) / found.weights_of_plane < (real)-0.03);
    ball_destroy(&b);
}

static void fullness_tells_surface(void **state)
{
    (void)state;
    assert_true(surface_emptiness((real)0.74) == 1 && surface_emptiness((real)0.97) == 0);
    assert_true(surface_openness((real)0.74, (real)1.2) == 1); /* a plane's first layer */
    assert_true(surface_openness((real)0.8, (real)0.2) == 0);  /* around a void */
    assert_true(surface_openness((real)0.5, (real)0.2) == 1);  /* in a thread */
}

/* --- spreading --- */

typedef struct blob {
    particles p;
    neighbours *n;
    real4 *normal, *force;
    uint8_t *is_surface;
    int share;
} blob;

static void blob_create(blob *b)
{
    enum { SIDE = 9, ALL = SIDE * SIDE * SIDE };
    static const field_info share = {"share", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR};
    static real4 place[ALL];
    uint32_t seed = 5;
    for (int k = 0; k < ALL; k++)
        place[k] = (real4){(real)(k % SIDE - SIDE / 2 + 0.2 * random_unit(&seed)),
                           (real)(k / SIDE % SIDE - SIDE / 2 + 0.2 * random_unit(&seed)),
                           (real)(k / SIDE / SIDE - SIDE / 2 + 0.2 * random_unit(&seed)), 0};
    assert_int_equal(particles_create(&b->p), DEW_OK);
    assert_int_equal(particles_add_field(&b->p, &share, &b->share), DEW_OK);
    assert_int_equal(particles_insert(&b->p, ALL, place, NULL, 0), DEW_OK);
    assert_int_equal(neighbours_create(&b->n, 3, 0.1), DEW_OK);
    assert_int_equal(neighbours_build(b->n, &b->p, NULL), DEW_OK);
    size_t slots = (size_t)b->p.end + 8;
    b->normal = aligned_obtain(slots * sizeof(real4)), b->force = aligned_obtain(slots * sizeof(real4));
    memset(b->normal, 0, slots * sizeof(real4)), memset(b->force, 0, slots * sizeof(real4));
    b->is_surface = calloc(slots, 1);
    for (int i = 0; i < ALL; i++) {
        real3 x = real3_of(b->p.position[i]), n = real3_normalise(x);
        b->is_surface[i] = fabs(x.x) > (real)3.5 || fabs(x.y) > (real)3.5 || fabs(x.z) > (real)3.5;
        b->normal[i] = (real4){n.x, n.y, n.z, 0};
        if (b->is_surface[i]) b->force[i] = (real4){-n.x, (real)random_unit(&seed), n.z, 0};
    }
}

static void blob_destroy(blob *b)
{
    neighbours_destroy(b->n);
    particles_destroy(&b->p);
    aligned_release(b->normal), aligned_release(b->force), free(b->is_surface);
}

/* Of the particle at x in the point half a spacing above y. */
static double plain_weight(real3 x, real3 y, real3 n, bool is_wendland)
{
    real3 d = real3_sub(x, y), e = real3_madd(d, (real)-0.5, n);
    double q = (double)real3_length(e) / 3, near = fmax(1 - q, 0), half = fmax(1 - 2 * q, 0);
    if ((double)real3_length(d) >= 3) return 0;
    double kernel = is_wendland ? pow(near, 4) * (1 + 4 * q) : 2 * pow(near, 3) - pow(half, 3);
    return kernel * fmin(fmax(0.5 - (double)real3_dot(e, n), 0), 1);
}

static void check_spread(bool is_wendland)
{
    blob b;
    blob_create(&b);
    arena *memory = arena_create();
    int count = b.p.count;
    double(*plain)[3] = calloc((size_t)count, sizeof *plain), worst = 0, sum[3] = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        if (!b.is_surface[i]) continue;
        real3 y = real3_of(b.p.position[i]), n = real3_of(b.normal[i]);
        double all = 0, f[3] = {(double)b.force[i].x, (double)b.force[i].y, (double)b.force[i].z};
        for (int j = 0; j < count; j++) all += plain_weight(real3_of(b.p.position[j]), y, n, is_wendland);
        for (int a = 0; a < 3; a++) sum[a] += f[a];
        for (int j = 0; j < count; j++)
            for (int a = 0; a < 3; a++)
                plain[j][a] += f[a] * plain_weight(real3_of(b.p.position[j]), y, n, is_wendland) / all;
    }
    spread_params params = {.support = 3, .spacing = 1, .is_wendland = is_wendland, .share = b.share};
    assert_int_equal(
        surface_spread_force(&params, neighbours_lists(b.n), &b.p, b.normal, b.is_surface, memory, b.force), DEW_OK);
    for (int i = 0; i < count; i++) {
        double f[3] = {(double)b.force[i].x, (double)b.force[i].y, (double)b.force[i].z};
        for (int a = 0; a < 3; a++) worst = fmax(worst, fabs(f[a] - plain[i][a])), sum[a] -= f[a];
    }
    assert_true(worst < 1e-5);
    for (int a = 0; a < 3; a++) assert_true(fabs(sum[a]) < 1e-3);
    free(plain), arena_destroy(memory);
    blob_destroy(&b);
}

static void spread_against_all_pairs(void **state)
{
    (void)state;
    check_spread(true);
    check_spread(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curvature_of_a_ball),      cmocka_unit_test(curvature_of_a_mesh),
        cmocka_unit_test(points_are_drawn_level),   cmocka_unit_test(fullness_tells_surface),
        cmocka_unit_test(spread_against_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
