/* Disjoint sets, bodies of points and their turning, against what is found plainly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "particles/bodies.h"

enum { POINTS = 400 };

static double random_number(void) { return rand() / (double)RAND_MAX; }

static void scatter(real4 *points, int count, double size)
{
    srand(7);
    for (int i = 0; i < count; i++)
        points[i] =
            (real4){(real)(size * random_number()), (real)(size * random_number()), (real)(size * random_number()), 0};
}

/* Numbers by the lowest member, spread until nothing changes. */
static int plain_bodies(int count, const bool *is_linked, int *number)
{
    int bodies = 0;
    for (int i = 0; i < count; i++) number[i] = i;
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                if (is_linked[i * count + j] && number[j] < number[i]) number[i] = number[j], is_changed = true;
    }
    for (int i = 0; i < count; i++) number[i] = number[i] == i ? bodies++ : number[number[i]];
    return bodies;
}

static void sets_are_numbered_by_their_lowest_members(void **state)
{
    (void)state;
    int32_t parent[8];
    union_find_begin(8, parent);
    parent[4] = -1;
    union_find_join(parent, 7, 5), union_find_join(parent, 2, 6), union_find_join(parent, 5, 6);
    union_find_join(parent, 3, 1), union_find_join(parent, 3, 3);
    assert_int_equal(union_find_number(8, parent), 3);
    const int expected[8] = {0, 1, 2, 1, -1, 2, 2, 2};
    for (int k = 0; k < 8; k++) assert_int_equal(parent[k], expected[k]);
}

static void check_bodies(bool by_cells, bool is_periodic)
{
    static bool is_linked[POINTS * POINTS];
    const double size = 12, reach = 1, period[3] = {is_periodic ? size : 0, 0, is_periodic ? size : 0};
    real4 points[POINTS];
    int number[POINTS];
    arena *memory = arena_create();
    int32_t parent[POINTS];
    point_grid g;
    scatter(points, POINTS, size);
    assert_int_equal(point_grid_create(&g, points, POINTS, reach, memory), DEW_OK);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            double square = 0, farthest = 0;
            for (int a = 0; a < 3; a++) {
                double x = (&points[i].x)[a], y = (&points[j].x)[a], d = fabs(x - y);
                if (period[a] > 0) d = fmin(d, period[a] - d);
                square += d * d, farthest = fmax(farthest, fabs(floor(x / reach) - floor(y / reach)));
            }
            is_linked[i * POINTS + j] = by_cells ? farthest <= 1 : square < reach * reach;
        }
    union_find_begin(POINTS, parent);
    if (by_cells)
        bodies_join_cells(&g, parent);
    else
        bodies_join_near(&g, points, reach, period, parent);
    int bodies = plain_bodies(POINTS, is_linked, number);
    assert_int_equal(union_find_number(POINTS, parent), bodies);
    assert_true(bodies > 1 && bodies < POINTS);
    for (int i = 0; i < POINTS; i++) assert_int_equal(parent[i], number[i]);
    arena_destroy(memory);
}

static void bodies_are_those_found_plainly(void **state)
{
    (void)state;
    check_bodies(true, false);
    check_bodies(false, false);
    check_bodies(false, true);
}

/* A body that turns has its spin by sums over its points; from them its turning comes back, and of a line none. */
static void turning_of_a_body_comes_back(void **state)
{
    (void)state;
    real4 points[POINTS];
    const double turn[3] = {0.3, -1.2, 2.1};
    for (int flat = 0; flat < 3; flat++) {
        double square[6] = {0}, spin[3] = {0}, found[3] = {9, 9, 9};
        scatter(points, POINTS, 2);
        for (int i = 0; i < POINTS; i++) {
            double r[3] = {(double)points[i].x - 1, flat > 1 ? 0 : (double)points[i].y - 1,
                           flat > 0 ? 0 : (double)points[i].z - 1};
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                square[a] += r[a] * r[a], square[3 + a] += r[b] * r[c];
                spin[a] += turn[a] * (r[b] * r[b] + r[c] * r[c]) - r[a] * (turn[b] * r[b] + turn[c] * r[c]);
            }
        }
        bodies_turn(square, spin, found);
        for (int a = 0; a < 3; a++) assert_true(fabs(found[a] - (flat > 1 ? 0 : turn[a])) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_numbered_by_their_lowest_members),
        cmocka_unit_test(bodies_are_those_found_plainly),
        cmocka_unit_test(turning_of_a_body_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
