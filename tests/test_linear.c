/* Linear equations, against elimination and known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/conjugate_gradient.h"
#include "base/matrix.h"

static void symmetric_equations_are_solved(void **state)
{
    (void)state;
    const double a[6] = {4, 3, 2, 0.5, -0.7, 1.1}, x[3] = {1, -2, 3};
    const double b[3] = {a[0] * x[0] + a[5] * x[1] + a[4] * x[2], a[5] * x[0] + a[1] * x[1] + a[3] * x[2],
                         a[4] * x[0] + a[3] * x[1] + a[2] * x[2]};
    double found[3] = {7, 7, 7};
    assert_false(matrix_solve_symmetric((const double[6]){1, 1, 1, 1, 1, 1}, b, 1e-12, found));
    assert_true(found[0] == 7);
    assert_true(matrix_solve_symmetric(a, b, 1e-12, found));
    for (int k = 0; k < 3; k++) assert_true(fabs(found[k] - x[k]) < 1e-12);
}

enum { UNKNOWNS = 60 };

typedef struct dense {
    double a[UNKNOWNS][UNKNOWNS];
    conjugate_gradient *c;
    double gone; /* sum of the steps */
    int times;
} dense;

static double multiply(void *context)
{
    dense *d = context;
    double product = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
        double sum = 0;
        for (int j = 0; j < UNKNOWNS; j++) sum += d->a[i][j] * (double)d->c->p[j];
        d->c->Ap[i] = (real)sum, product += (double)d->c->p[i] * sum;
    }
    return product;
}

static void advance(void *context)
{
    dense *d = context;
    d->gone += (double)d->c->alpha * (double)d->c->p[0], d->times++;
}

/* Symmetric, positive, and of diagonals that differ by much, which the preconditioner has to even out. */
static void make_dense(dense *d, double x[UNKNOWNS], double b[UNKNOWNS])
{
    srand(3);
    for (int i = 0; i < UNKNOWNS; i++) x[i] = rand() / (double)RAND_MAX - 0.5;
    for (int i = 0; i < UNKNOWNS; i++)
        for (int j = 0; j <= i; j++)
            d->a[i][j] = d->a[j][i] = i == j ? 2 + pow(1.15, i) : 0.5 / (1 + abs(i - j)) * (rand() % 2 ? 1 : -1);
    for (int i = 0; i < UNKNOWNS; i++) {
        b[i] = 0;
        for (int j = 0; j < UNKNOWNS; j++) b[i] += d->a[i][j] * x[j];
    }
}

static void check_solution(bool is_preconditioned, bool is_guessed)
{
    static dense d;
    double x[UNKNOWNS], b[UNKNOWNS], square = 0;
    real found[UNKNOWNS] = {0}, r[UNKNOWNS], p[UNKNOWNS], Ap[UNKNOWNS], inverse[UNKNOWNS];
    make_dense(&d, x, b);
    conjugate_gradient c = {.count = UNKNOWNS,
                            .x = found,
                            .r = r,
                            .p = p,
                            .Ap = Ap,
                            .inverse = is_preconditioned ? inverse : NULL,
                            .multiply = multiply,
                            .advance = advance,
                            .context = &d};
    d.c = &c, d.gone = 0, d.times = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
        r[i] = (real)b[i], inverse[i] = (real)(1 / d.a[i][i]);
        square += b[i] * b[i] * (is_preconditioned ? (double)inverse[i] : 1);
        p[i] = is_guessed ? (real)(x[i] + 0.01) : NAN; /* not to be read before it is set */
    }
    double least = 1e-10 * square;
    if (is_guessed) {
        double left = conjugate_gradient_guess(&c);
        assert_true(left < 0.1 * square);
        square = left;
    }
    int iterations = conjugate_gradient_solve(&c, &square, least, 500);
    assert_true(square <= least);
    assert_true(iterations > 2 && iterations < (is_preconditioned ? 30 : 300));
    assert_int_equal(d.times, iterations + is_guessed);
    assert_true(fabs(d.gone - (double)found[0]) < 1e-6);
    for (int i = 0; i < UNKNOWNS; i++) assert_true(fabs((double)found[i] - x[i]) < 1e-3);
}

static void conjugate_gradients_find_the_solution(void **state)
{
    (void)state;
    check_solution(true, false);
    check_solution(true, true);
    check_solution(false, false);
}

/* What is not found is told: too few iterations, a matrix that is not positive, a right side that is no number. */
static void conjugate_gradients_tell_where_they_fail(void **state)
{
    (void)state;
    static dense d;
    double x[UNKNOWNS], b[UNKNOWNS], square = 1;
    real found[UNKNOWNS] = {0}, r[UNKNOWNS], p[UNKNOWNS] = {0}, Ap[UNKNOWNS];
    make_dense(&d, x, b);
    conjugate_gradient c = {
        .count = UNKNOWNS, .x = found, .r = r, .p = p, .Ap = Ap, .multiply = multiply, .context = &d};
    d.c = &c;
    for (int i = 0; i < UNKNOWNS; i++) r[i] = (real)b[i];
    square = 1e6;
    assert_int_equal(conjugate_gradient_solve(&c, &square, 1e-12, 3), 3);
    assert_true(square > 1e-12);
    for (int i = 0; i < UNKNOWNS; i++) r[i] = (real)b[i], d.a[i][i] = -1;
    square = 1e6;
    assert_true(conjugate_gradient_solve(&c, &square, 1e-12, 500) < 500);
    assert_true(square > 1e-12);
    square = NAN;
    assert_int_equal(conjugate_gradient_solve(&c, &square, 1e-12, 500), 0);
    assert_false(square <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_equations_are_solved),
        cmocka_unit_test(conjugate_gradients_find_the_solution),
        cmocka_unit_test(conjugate_gradients_tell_where_they_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
