/* Neighbour lists against all pairs, over clouds of many shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "particles/neighbours.h"
#include "particles/pairs.h"
#include "particles/trim.h"

static uint32_t random_state;

static double random_unit(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) / 16777216.0;
}

typedef struct cloud {
    particles p;
    neighbours *n;
    dew_domain_def domain;
} cloud;

static void cloud_open(cloud *c, int count, const real4 *x)
{
    memset(c, 0, sizeof *c);
    assert_int_equal(particles_create(&c->p), DEW_OK);
    assert_int_equal(particles_insert(&c->p, count, x, NULL, 0), DEW_OK);
    assert_int_equal(neighbours_create(&c->n, 3, 0.2), DEW_OK);
}

static void cloud_close(cloud *c)
{
    neighbours_destroy(c->n);
    particles_destroy(&c->p);
}

static double distance2(real4 a, real4 b)
{
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return x * x + y * y + z * z;
}

/* Room for any list: each part holds a member and at most three that stand for the dummy. */
static int longest_list(const particles *p) { return 4 * p->end + 16; }

static int read_list(pair_lists lists, int group, int32_t *slots)
{
    int length = 0;
    for (pair_part part = pair_first(lists, group); part.begin; part = pair_next(part))
        for (const uint16_t *at = part.begin; at < part.end; at++) slots[length++] = part.base + *at;
    return length;
}

/* Every slot within reach of a member must be in its group's list, once; no slot that is too far from all. */
static void check_lists(const cloud *c, pair_lists lists, double reach)
{
    const particles *p = &c->p;
    const real4 *x = p->position;
    int32_t *buffer = malloc(sizeof *buffer * (size_t)longest_list(&c->p));
    uint8_t *listed = calloc((size_t)p->end + 4, 1);
    int64_t pairs = 0;
    for (int g = 0; g < (p->count + 3) / 4; g++) {
        int length = read_list(lists, g, buffer);
        assert_int_equal(length % 4, 0);
        for (int k = 0; k < length; k++) {
            assert_in_range(buffer[k], 0, p->end);
            if (listed[buffer[k]] < 255) listed[buffer[k]]++;
        }
        for (int j = 0; j < p->end; j++) {
            bool is_particle = j < p->count || j >= p->ghost_begin;
            double nearest = INFINITY;
            for (int i = 4 * g; i < 4 * g + 4 && i < p->count; i++) {
                double d2 = distance2(x[i], x[j]);
                if (d2 < nearest) nearest = d2;
                pairs += is_particle && j != i && (real)d2 < (real)(neighbours_cutoff(c->n) * neighbours_cutoff(c->n));
            }
            if (!is_particle) continue;
            double scale = reach * reach * 1e-4;
            if (nearest < reach * reach - scale) assert_int_equal(listed[j], 1);
            if (nearest > reach * reach + scale) assert_in_range(listed[j], 0, 3); /* a filler */
        }
        for (int k = 0; k < length; k++) listed[buffer[k]] = 0;
    }
    assert_true(llabs(pairs - neighbours_pair_count(c->n, p)) <= pairs / 10000);
    free(listed);
    free(buffer);
}

static void check_built(const cloud *c)
{
    pair_lists all = neighbours_lists(c->n);
    double cutoff = neighbours_cutoff(c->n);
    check_lists(c, all, cutoff + neighbours_skin(c->n));
    arena *memory = arena_create();
    for (int k = 0; k < 3; k++) {
        pair_lists few = all;
        double radius = cutoff / (1 << k);
        assert_int_equal(pairs_trim(&few, &c->p, (real)radius, memory), DEW_OK);
        check_lists(c, few, radius);
        assert_true(few.count <= all.count);
    }
    arena_destroy(memory);
}

static void check_cloud(int count, real4 *x, const dew_domain_def *domain)
{
    for (int k = 0; k < count; k++) x[k].w = (real)k;
    cloud c;
    cloud_open(&c, count, x);
    assert_true(neighbours_is_stale(c.n, &c.p));
    assert_int_equal(neighbours_build(c.n, &c.p, domain), DEW_OK);
    assert_false(neighbours_is_stale(c.n, &c.p));
    const int32_t *order = neighbours_order(c.n);
    for (int k = 0; k < count; k++) {
        assert_int_equal(c.p.id[k], order[k]);
        assert_int_equal((int)c.p.position[k].w, order[k]);
    }
    check_built(&c);
    assert_int_equal(neighbours_build(c.n, &c.p, domain), DEW_OK); /* again, from a sorted start */
    check_built(&c);
    cloud_close(&c);
}

static real4 *make_box(int count, double a, double b, double c)
{
    real4 *x = aligned_obtain(sizeof *x * (size_t)(count + 1));
    for (int k = 0; k < count; k++)
        x[k] = (real4){(real)(a * random_unit()), (real)(b * random_unit()), (real)(c * random_unit()), 0};
    return x;
}

static real4 *make_lattice(int nx, int ny, int nz)
{
    real4 *x = aligned_obtain(sizeof *x * (size_t)(nx * ny * nz));
    for (int k = 0; k < nx * ny * nz; k++) x[k] = (real4){(real)(k % nx), (real)(k / nx % ny), (real)(k / nx / ny), 0};
    return x;
}

static void shapes(void **state)
{
    (void)state;
    const double sizes[][3] = {{12, 12, 12},       {40, 40, 0}, {0, 60, 60},    {500, 2, 2},
                               {2, 500, 2},        {2, 2, 500}, {1, 1, 1},      {80, 80, 80},
                               {3000, 3000, 3000}, {0, 0, 0.5}, {1e5, 1e5, 10}, {1e5, 1e5, 1e5}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int count = 0; count <= 1500; count = count < 10 ? count + 1 : count * 5) {
            random_state = (uint32_t)(s * 100 + (size_t)count);
            real4 *x = make_box(count, sizes[s][0], sizes[s][1], sizes[s][2]);
            check_cloud(count, x, NULL);
            aligned_release(x);
        }
}

static void lattices(void **state)
{
    (void)state;
    real4 *x = make_lattice(13, 11, 9);
    check_cloud(13 * 11 * 9, x, NULL);
    aligned_release(x);
    x = make_lattice(40, 37, 1);
    check_cloud(40 * 37, x, NULL);
    for (int k = 0; k < 40 * 37; k++) x[k].z = x[k].x, x[k].x = 0;
    check_cloud(40 * 37, x, NULL);
    aligned_release(x);
}

static void drops_far_apart(void **state)
{
    (void)state;
    enum { N = 1201 };
    for (int axis = 0; axis < 3; axis++)
        for (int drops = 2; drops <= 50; drops += 8) {
            random_state = (uint32_t)drops;
            real4 *x = make_box(N, 7, 7, 7);
            for (int k = 0; k < N; k++) (&x[k].x)[axis] += (real)(k % drops * 3e4);
            check_cloud(N, x, NULL);
            for (int k = 0; k < N; k++) x[k].x += (real)(k % drops * 1e3), x[k].y -= (real)(k % drops * 2e3);
            check_cloud(N, x, NULL);
            aligned_release(x);
        }
}

static void strays(void **state)
{
    (void)state;
    enum { N = 1000 };
    const double far[] = {1e3, 1e6, 1e9, 4e9};
    for (size_t f = 0; f < 4; f++) {
        random_state = 5;
        real4 *x = make_box(N, 10, 10, 10);
        for (int k = 0; k < 6; k++) (&x[100 * k].x)[k % 3] = (real)(k < 3 ? far[f] : -far[f]);
        x[700].x = x[701].x = x[702].x = (real)far[f]; /* neighbours of each other out there */
        check_cloud(N, x, NULL);
        aligned_release(x);
    }
}

static void no_places(void **state)
{
    (void)state;
    enum { N = 500 };
    real4 *x = make_box(N, 8, 8, 8);
    for (int k = 0; k < N; k += 50) (&x[k].x)[k / 50 % 3] = NAN;
    x[7].x = INFINITY, x[8].y = -INFINITY, x[9] = (real4){NAN, NAN, NAN, 0};
    for (int all = 0; all < 2; all++) {
        cloud c;
        cloud_open(&c, N, x);
        assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
        if (!all) check_built(&c);
        assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
        cloud_close(&c);
        for (int k = 0; k < N; k++) x[k].x = NAN;
    }
    aligned_release(x);
}

static void faces(void **state)
{
    (void)state;
    const dew_boundary kinds[] = {DEW_OPEN, DEW_PERIODIC, DEW_SYMMETRY};
    for (int k = 0; k < 27; k++) {
        dew_domain_def domain = {.min = {-1, 2, 0}, .max = {8, 8, 7}};
        domain.axis[0] = kinds[k % 3], domain.axis[1] = kinds[k / 3 % 3], domain.axis[2] = kinds[k / 9];
        random_state = (uint32_t)k;
        real4 *x = make_box(333, 9, 6, 7);
        for (int i = 0; i < 333; i++) x[i].x -= 1, x[i].y += 2;
        check_cloud(333, x, &domain);
        aligned_release(x);
    }
}

/* In a periodic box each particle has the neighbours that it has in an endless lattice. */
static void periodic_is_endless(void **state)
{
    (void)state;
    real4 *x = make_lattice(8, 7, 6);
    dew_domain_def domain = {.min = {-0.5, -0.5, -0.5}, .max = {7.5, 6.5, 5.5}};
    for (int a = 0; a < 3; a++) domain.axis[a] = DEW_PERIODIC;
    cloud c;
    cloud_open(&c, 8 * 7 * 6, x);
    neighbours_set_reach(c.n, 2.9, 0.1);
    assert_int_equal(neighbours_build(c.n, &c.p, &domain), DEW_OK);
    assert_int_equal(neighbours_pair_count(c.n, &c.p), 8 * 7 * 6 * 92);
    neighbours_set_reach(c.n, 6, 0.1);
    assert_int_equal(neighbours_build(c.n, &c.p, &domain), DEW_INVALID);
    cloud_close(&c);
    aligned_release(x);
}

/* Many more particles than 16 bits can tell apart, in drops that share columns: lists of many parts. */
static void long_distances_in_memory(void **state)
{
    (void)state;
    enum { N = 160000 };
    real4 *x = make_box(N, 6, 6, 12000); /* tall: neighbouring columns lie far apart in memory */
    cloud c;
    cloud_open(&c, N, x);
    assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
    int parts = 0, groups = N / 4;
    for (int g = 0; g < groups; g++)
        for (pair_part part = pair_first(neighbours_lists(c.n), g); part.begin; part = pair_next(part)) parts++;
    assert_true(parts > groups);
    int32_t *buffer = malloc(sizeof *buffer * (size_t)longest_list(&c.p));
    int *times = calloc(N + 8, sizeof *times);
    for (int g = 0; g < groups; g += 997) {
        int length = neighbours_list(c.n, g, 0, longest_list(&c.p), buffer);
        for (int k = 0; k < length; k++) times[buffer[k]]++;
        for (int j = 0; j < N; j++) {
            double nearest = INFINITY;
            for (int i = 4 * g; i < 4 * g + 4; i++)
                nearest = fmin(nearest, distance2(c.p.position[i], c.p.position[j]));
            if (nearest < 3.19 * 3.19) assert_int_equal(times[j], 1);
            if (times[j] > 1) assert_true(nearest > 3.19 * 3.19);
        }
        for (int k = 0; k < length; k++) times[buffer[k]] = 0;
    }
    free(times);
    free(buffer);
    cloud_close(&c);
    aligned_release(x);
}

/* Everything within reach of everything: lists far longer than usual. */
static void crowd(void **state)
{
    (void)state;
    for (int size = 0; size < 2; size++) {
        real4 *x = make_box(6001, size, size, size);
        check_cloud(6001, x, NULL);
        aligned_release(x);
    }
}

static void staleness(void **state)
{
    (void)state;
    real4 *x = make_lattice(8, 8, 8);
    cloud c;
    cloud_open(&c, 512, x);
    assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
    c.p.position[77].x += (real)0.09;
    assert_false(neighbours_is_stale(c.n, &c.p));
    c.p.position[77].y += (real)0.09;
    assert_true(neighbours_is_stale(c.n, &c.p));
    assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
    assert_false(neighbours_is_stale(c.n, &c.p));
    uint8_t remove[512] = {0};
    remove[3] = 1;
    particles_remove(&c.p, remove);
    assert_true(neighbours_is_stale(c.n, &c.p));
    assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
    assert_int_equal(particles_insert(&c.p, 1, x, NULL, 0), DEW_OK);
    assert_true(neighbours_is_stale(c.n, &c.p));
    assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
    neighbours_set_reach(c.n, 2, 0.1);
    assert_true(neighbours_is_stale(c.n, &c.p));
    assert_int_equal(neighbours_build(c.n, &c.p, NULL), DEW_OK);
    neighbours_invalidate(c.n);
    assert_true(neighbours_is_stale(c.n, &c.p));
    cloud_close(&c);
    aligned_release(x);
}

static const field_info allowance_info = {"allowance", NULL, NULL, FIELD_REAL, 1, FIELD_GHOST};

/* Every pair within the cutoff is in the group's list, wherever its particles have gone. */
static void check_pairs_are_listed(const cloud *c)
{
    const particles *p = &c->p;
    int32_t *buffer = malloc(sizeof *buffer * (size_t)longest_list(&c->p));
    uint8_t *listed = calloc((size_t)p->end + 4, 1);
    double cutoff2 = neighbours_cutoff(c->n) * neighbours_cutoff(c->n) * (1 - 1e-5);
    for (int i = 0; i < p->count; i++) {
        int length = neighbours_list(c->n, i / 4, 0, longest_list(p), buffer);
        for (int k = 0; k < length; k++) listed[buffer[k]] = 1;
        for (int j = 0; j < p->end; j++)
            if ((j < p->count || j >= p->ghost_begin) && distance2(p->position[i], p->position[j]) < cutoff2)
                assert_int_equal(listed[j], 1);
        for (int k = 0; k < length; k++) listed[buffer[k]] = 0;
    }
    free(buffer), free(listed);
}

/* Each particle goes as far as it is allowed, in some direction, and all of them together farther. */
static void own_allowances(void **state)
{
    (void)state;
    for (int is_periodic = 0; is_periodic < 2; is_periodic++) {
        const int count = 4000;
        real4 *x = make_box(count, 16, 16, 16);
        cloud c;
        cloud_open(&c, count, x);
        if (is_periodic) {
            c.domain.axis[0] = DEW_PERIODIC;
            c.domain.min.x = -0.5, c.domain.max.x = 16.5;
        }
        int field;
        assert_int_equal(particles_add_field(&c.p, &allowance_info, &field), DEW_OK);
        real *allowance = particles_field(&c.p, field), most = 0;
        for (int k = 0; k < count; k++) {
            allowance[k] = (real)(0.02 + (k % 50 ? 0.05 : 0.4) * random_unit());
            most = real_max(most, allowance[k]);
        }
        neighbours_set_allowance(c.n, field, (double)most);
        assert_int_equal(neighbours_build(c.n, &c.p, &c.domain), DEW_OK);
        check_pairs_are_listed(&c);
        allowance = particles_field(&c.p, field);
        for (int k = 0; k < count; k++) {
            double d[3], size = 0, share = 0.9 * (double)allowance[k];
            for (int a = 0; a < 3; a++) d[a] = random_unit() - 0.5, size += d[a] * d[a];
            for (int a = 0; a < 3; a++) (&c.p.position[k].x)[a] += (real)(share * d[a] / sqrt(size));
            c.p.position[k].z += (real)(is_periodic ? 0 : 5);
        }
        particles_update_ghosts(&c.p, FIELD_POSITION_INDEX);
        assert_false(neighbours_is_stale(c.n, &c.p));
        check_pairs_are_listed(&c);
        real moved[4000];
        assert_true(neighbours_motion(c.n, &c.p, moved));
        for (int k = 0; k < count; k++) assert_true(fabs((double)moved[k] - 0.9 * (double)allowance[k]) < 0.01);
        c.p.position[count / 2].y += (real)2.1 * allowance[count / 2] + (real)0.01;
        assert_true(neighbours_is_stale(c.n, &c.p));
        neighbours_invalidate(c.n);
        assert_false(neighbours_motion(c.n, &c.p, moved));
        cloud_close(&c);
        aligned_release(x);
    }
}

/* All go together: nothing comes nearer to anything, but to its image behind a plane of symmetry. */
static void drifting(void **state)
{
    (void)state;
    for (int is_symmetric = 0; is_symmetric < 2; is_symmetric++) {
        const int count = 500;
        real4 *x = make_box(count, 8, 8, 8);
        cloud c;
        cloud_open(&c, count, x);
        if (is_symmetric) c.domain.axis[2] = DEW_SYMMETRY, c.domain.min.z = -5, c.domain.max.z = 50;
        int field;
        assert_int_equal(particles_add_field(&c.p, &allowance_info, &field), DEW_OK);
        real *allowance = particles_field(&c.p, field);
        for (int k = 0; k < count; k++) allowance[k] = (real)0.1;
        neighbours_set_allowance(c.n, field, 0.1);
        assert_int_equal(neighbours_build(c.n, &c.p, &c.domain), DEW_OK);
        assert_true(c.p.end == c.p.ghost_begin); /* no images yet */
        for (int k = 0; k < count; k++) c.p.position[k].z -= (real)4.5;
        assert_int_equal(neighbours_is_stale(c.n, &c.p), is_symmetric);
        cloud_close(&c);
        aligned_release(x);
    }
}

static int compare_slots(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

/* Lists hold the same, and of each part all that are in front lie before `front`; parts of one and of many, ghosts. */
static void front_comes_first(void **state)
{
    (void)state;
    static const field_info info = {"front", NULL, NULL, FIELD_UINT8, 1, FIELD_GHOST};
    for (int shape = 0; shape < 3; shape++) {
        const int count = shape == 1 ? 160000 : 5003;
        real4 *x = shape == 1 ? make_box(count, 6, 12, 6000) : make_box(count, 8, 16, 24);
        cloud c;
        cloud_open(&c, count, x);
        if (shape == 2) c.domain.axis[1] = DEW_SYMMETRY, c.domain.min.y = 0, c.domain.max.y = 20;
        int field, some = 0, none = 0;
        assert_int_equal(particles_add_field(&c.p, &info, &field), DEW_OK);
        uint8_t *front = particles_field(&c.p, field);
        for (int k = 0; k < count; k++) front[k] = c.p.position[k].x < 3 && random_unit() < 0.4;
        for (int turn = 0; turn < 2; turn++) /* the grid hangs on samples, by the order that particles come in */
            assert_int_equal(neighbours_build(c.n, &c.p, &c.domain), DEW_OK);
        int room = 1024, groups = (count + 3) / 4, *length = malloc(sizeof(int) * (size_t)groups);
        int32_t *plain = malloc(sizeof *plain * (size_t)room * (size_t)groups);
        int32_t *list = malloc(sizeof *list * (size_t)room);
        for (int g = 0; g < groups; g++) {
            length[g] = neighbours_list(c.n, g, 0, room, plain + (size_t)g * (size_t)room);
            assert_true(length[g] < room);
        }
        neighbours_set_front(c.n, field);
        assert_int_equal(neighbours_build(c.n, &c.p, &c.domain), DEW_OK); /* sorted already: the same order */
        front = particles_field(&c.p, field);
        for (int g = 0; g < groups; g++) {
            int n = 0; /* bit by bit */
            for (int part = 7; part == 7; n += part)
                part = neighbours_list(c.n, g, n, n + 7 < room ? 7 : room - n, list + n);
            assert_int_equal(n, length[g]);
            qsort(list, (size_t)n, sizeof *list, compare_slots);
            int32_t *same = plain + (size_t)g * (size_t)room;
            qsort(same, (size_t)n, sizeof *same, compare_slots);
            assert_memory_equal(list, same, (size_t)n * sizeof *list);
            for (pair_part part = pair_first(neighbours_lists(c.n), g); part.begin; part = pair_next(part)) {
                assert_int_equal((part.front - part.begin) % 4, 0);
                int in_front = 0;
                for (const uint16_t *at = part.begin; at < part.end; at++) {
                    int slot = part.base + *at;
                    bool is_near = false; /* neither a dummy nor what stands for one */
                    for (int i = 4 * g; i < 4 * g + 4 && i < count; i++)
                        is_near |= distance2(c.p.position[i], c.p.position[slot]) < 3.19 * 3.19;
                    if (at >= part.front && is_near) assert_int_equal(front[slot], 0);
                    in_front += at < part.front && front[slot];
                }
                assert_true(part.front - part.begin < in_front + 4);
                some += in_front > 0, none += in_front == 0;
            }
        }
        assert_true(some > 0 && none > 0);
        free(plain), free(list), free(length);
        cloud_close(&c);
        aligned_release(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(lattices),
        cmocka_unit_test(drops_far_apart),
        cmocka_unit_test(strays),
        cmocka_unit_test(no_places),
        cmocka_unit_test(faces),
        cmocka_unit_test(periodic_is_endless),
        cmocka_unit_test(long_distances_in_memory),
        cmocka_unit_test(crowd),
        cmocka_unit_test(staleness),
        cmocka_unit_test(own_allowances),
        cmocka_unit_test(drifting),
        cmocka_unit_test(front_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
