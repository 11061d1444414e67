/* Systems on the neighbour lists, against all pairs, elimination and known fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/parallel.h"
#include "laplacian/laplacian.h"

#define REACH 2.1

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
    arena *scratch;
    laplacian a;
    int dimension;
    bool is_central;
    double weight;      /* of all pairs */
    double spacing;     /* that the system is told */
    double second, cut; /* where x > cut for both, times `second` */
} cloud;

/* A jittered lattice of spacing 1 whose box begins at 0, in a domain of the same size with these boundaries. */
static void cloud_open(cloud *c, int nx, int ny, int nz, dew_boundary x, dew_boundary y, dew_boundary z)
{
    memset(c, 0, sizeof *c);
    c->domain = (dew_domain_def){.min = {0, 0, 0}, .max = {nx, ny, nz}, .axis = {x, y, z}};
    c->dimension = 3, c->weight = c->spacing = 1, c->second = 1, c->cut = INFINITY;
    int count = nx * ny * nz;
    real4 *at = aligned_obtain((size_t)count * sizeof *at);
    random_state = 5;
    for (int k = 0; k < count; k++) {
        double place[3] = {k % nx, k / nx % ny, k / nx / ny};
        for (int a = 0; a < 3; a++) (&at[k].x)[a] = (real)(place[a] + 0.5 + 0.4 * (random_unit() - 0.5));
        at[k].w = 0;
    }
    assert_int_equal(particles_create(&c->p), DEW_OK);
    assert_int_equal(particles_insert(&c->p, count, at, NULL, 0), DEW_OK);
    assert_int_equal(neighbours_create(&c->n, REACH, 0.1), DEW_OK);
    assert_non_null(c->scratch = arena_create());
    aligned_release(at);
}

static void cloud_close(cloud *c)
{
    arena_destroy(c->scratch);
    neighbours_destroy(c->n);
    particles_destroy(&c->p);
}

static void weigh(int begin, int end, void *context)
{
    const cloud *c = context;
    const real4 *x = c->p.position;
    vreal cut = vset((real)fmin(c->cut, 1e6));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(x, block);
        laplacian_row row = {0};
        PAIRS(c->a.lists, block, j)
        {
            vreal4 b = pair_j(x, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
            vreal scale = vselect(vmin(i.x, b.x) > cut, vset((real)c->second), vset(1));
            laplacian_put(&c->a, &row, block, j, r2,
                          vset((real)c->weight) * scale * vmax((real)REACH * vrsqrt(r2) - 1, vset(0)));
        }
        laplacian_end(&c->a, block, row);
    }
}

static void build(cloud *c)
{
    if (neighbours_is_stale(c->n, &c->p)) assert_int_equal(neighbours_build(c->n, &c->p, &c->domain), DEW_OK);
    arena_release(c->scratch, 0);
    laplacian_def def = {.name = "this test",
                         .particles = &c->p,
                         .lists = neighbours_lists(c->n),
                         .reach = neighbours_cutoff(c->n),
                         .domain = &c->domain,
                         .dimension = c->dimension,
                         .is_central = c->is_central,
                         .spacing = c->spacing,
                         .unit = c->weight,
                         .scratch = c->scratch};
    assert_int_equal(laplacian_open(&c->a, &def), DEW_OK);
    parallel_for(PAIR_BLOCKS(c->p.count), 16, weigh, c);
}

#define ROOM(c, type) ((type *)arena_zeroed((c)->scratch, sizeof(type) * ((size_t)(c)->p.end + 16)))

/* --- the plain twin --- */

/* One of the images of x. choice: 0 itself; 1 across the lower face, 2 across the upper one. sign: of components. */
static bool image_of(const cloud *c, real4 x, const int choice[3], double at[3], double sign[3])
{
    for (int a = 0; a < 3; a++) {
        double v = (double)(&x.x)[a], low = (&c->domain.min.x)[a], high = (&c->domain.max.x)[a];
        dew_boundary kind = c->domain.axis[a];
        bool is_periodic = kind == DEW_PERIODIC, is_mirror = kind == DEW_SYMMETRY;
        if (choice[a] && !is_periodic && !is_mirror) return false;
        at[a] = !choice[a]    ? v
                : is_periodic ? v + (choice[a] == 1 ? high - low : low - high)
                              : 2 * (choice[a] == 1 ? low : high) - v;
        sign[a] = choice[a] && is_mirror ? -1 : 1;
    }
    return true;
}

/* The matrix, 3 numbers a particle, by all pairs of particles and images; for numbers the signs of mirrors are left
 * out and components are alike. Known ones are rows and columns of the identity. */
static double *plain_matrix(const cloud *c, bool is_of_vectors)
{
    int count = c->p.count, n = 3 * count;
    double *m = calloc((size_t)n * (size_t)n, sizeof *m);
    const real4 *x = c->p.position;
    int choice[3];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            for (choice[0] = 0; choice[0] < 3; choice[0]++)
                for (choice[1] = 0; choice[1] < 3; choice[1]++)
                    for (choice[2] = 0; choice[2] < 3; choice[2]++) {
                        double at[3], sign[3], r2 = 0;
                        if (!image_of(c, x[j], choice, at, sign)) continue;
                        for (int a = 0; a < 3; a++)
                            r2 += ((double)(&x[i].x)[a] - at[a]) * ((double)(&x[i].x)[a] - at[a]);
                        if (!(r2 > 0) || r2 >= REACH * REACH) continue;
                        double w = c->weight * (REACH / sqrt(r2) - 1);
                        if ((double)x[i].x > c->cut && at[0] > c->cut) w *= c->second;
                        for (int a = 0; a < 3; a++)
                            for (int b = 0; b < 3; b++) {
                                double ea = (double)(&x[i].x)[a] - at[a], eb = (double)(&x[i].x)[b] - at[b];
                                double f = c->is_central ? w * ea * eb / r2 : a == b ? w : 0;
                                m[(size_t)(3 * i + a) * (size_t)n + (size_t)(3 * i + b)] += f;
                                m[(size_t)(3 * i + a) * (size_t)n + (size_t)(3 * j + b)] -=
                                    f * (is_of_vectors ? sign[b] : 1);
                            }
                    }
    for (int i = 0; i < count; i++) {
        double d = (double)c->a.diagonal[i];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double *entry = &m[(size_t)(3 * i + a) * (size_t)n + (size_t)(3 * i + b)];
                if (a == b && !isinf(d)) *entry += d;
                if (!c->a.mixing || !is_of_vectors) continue;
                const laplacian_mixing *h = &c->a.mixing[i];
                *entry += a == b ? (double)(&h->diagonal.x)[a] : (double)(&h->across.x)[3 - a - b];
            }
        if (!isinf(d)) continue;
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < n; k++)
                m[(size_t)(3 * i + a) * (size_t)n + (size_t)k] = m[(size_t)k * (size_t)n + (size_t)(3 * i + a)] =
                    k == 3 * i + a;
    }
    return m;
}

/* Cholesky's decomposition in place; x of m x = b. */
static void eliminate(int n, double *m, const double *b, double *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = m[(size_t)i * (size_t)n + (size_t)j];
            for (int k = 0; k < j; k++)
                sum -= m[(size_t)i * (size_t)n + (size_t)k] * m[(size_t)j * (size_t)n + (size_t)k];
            m[(size_t)i * (size_t)n + (size_t)j] = i == j ? sqrt(sum) : sum / m[(size_t)j * (size_t)n + (size_t)j];
        }
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int k = 0; k < i; k++) x[i] -= m[(size_t)i * (size_t)n + (size_t)k] * x[k];
        x[i] /= m[(size_t)i * (size_t)n + (size_t)i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= m[(size_t)k * (size_t)n + (size_t)i] * x[k];
        x[i] /= m[(size_t)i * (size_t)n + (size_t)i];
    }
}

/* Products and solutions for numbers and vectors against the twin. */
static void compare_with_twin(cloud *c)
{
    int count = c->p.count, n = 3 * count;
    double *b = calloc((size_t)n, sizeof *b), *exact = calloc((size_t)n, sizeof *b);
    for (int vectors = c->is_central; vectors < 2; vectors++) {
        real4 *x4 = ROOM(c, real4), *b4 = ROOM(c, real4);
        real *x1 = ROOM(c, real), *b1 = ROOM(c, real);
        double *m = plain_matrix(c, vectors), error = 0, size = 0;
        for (int i = 0; i < count; i++) {
            x4[i] = (real4){(real)random_unit(), (real)random_unit(), (real)random_unit(), 0};
            if (isinf(c->a.diagonal[i])) x4[i] = (real4){0, 0, 0, 0};
            x1[i] = x4[i].x;
        }
        if (vectors)
            laplacian_multiply_vectors(&c->a, x4, b4);
        else
            laplacian_multiply(&c->a, x1, b1);
        for (int i = 0; i < count; i++)
            for (int a = 0; a < (vectors ? 3 : 1); a++) {
                double sum = 0;
                for (int k = 0; k < n; k++) /* components of numbers: only the first */
                    sum += m[(size_t)(3 * i + a) * (size_t)n + (size_t)k] * (double)(&x4[k / 3].x)[k % 3];
                double got = (double)(vectors ? (&b4[i].x)[a] : b1[i]);
                error += (got - sum) * (got - sum), size += sum * sum;
            }
        assert_true(sqrt(error / size) < 5e-4);
        for (int i = 0; i < count; i++) {
            bool is_known = isinf(c->a.diagonal[i]);
            b1[i] = (real)(random_unit() - 0.3);
            for (int a = 0; a < 3; a++) {
                (&b4[i].x)[a] = vectors ? (real)(random_unit() - 0.3) : b1[i];
                b[3 * i + a] = is_known ? 0 : (double)(&b4[i].x)[a];
            }
            x4[i] = (real4){0, 0, 0, 0}, x1[i] = 0;
        }
        eliminate(n, m, b, exact);
        int iterations;
        if (vectors)
            assert_int_equal(laplacian_solve_vectors(&c->a, b4, x4, 1e-5, 100, &iterations), DEW_OK);
        else
            assert_int_equal(laplacian_solve(&c->a, b1, x1, 1e-5, 100, &iterations), DEW_OK);
        assert_in_range(iterations, 2, 45);
        error = size = 0;
        for (int i = 0; i < count; i++)
            for (int a = 0; a < (vectors ? 3 : 1); a++) {
                double got = (double)(vectors ? (&x4[i].x)[a] : x1[i]);
                error += pow(got - exact[3 * i + a], 2), size += exact[3 * i + a] * exact[3 * i + a];
            }
        assert_true(sqrt(error / size) < 1e-3);
        free(m);
    }
    free(b);
    free(exact);
}

static void small_clouds_agree_with_elimination(void **state)
{
    (void)state;
    const dew_boundary kinds[][3] = {{DEW_OPEN, DEW_OPEN, DEW_OPEN},
                                     {DEW_PERIODIC, DEW_PERIODIC, DEW_PERIODIC},
                                     {DEW_SYMMETRY, DEW_SYMMETRY, DEW_OPEN},
                                     {DEW_PERIODIC, DEW_SYMMETRY, DEW_WALL}};
    for (int k = 0; k < 4; k++)
        for (int way = 0; way < 3; way++) { /* some known; walls that mix components; that, and central pairs */
            cloud c;
            bool mixes = way > 0;
            cloud_open(&c, 5, 6, 7, kinds[k][0], kinds[k][1], kinds[k][2]);
            c.weight = 3e4, c.is_central = way == 2;
            build(&c);
            if (mixes) c.a.mixing = ROOM(&c, laplacian_mixing);
            for (int i = 0; i < c.p.count; i++) {
                real z = c.p.position[i].z;
                c.a.diagonal[i] = z > 6 && !mixes ? (real)INFINITY : (real)(c.weight * (mixes ? 0.01 : random_unit()));
                if (!mixes || z > 1) continue;
                real h = (real)(10 * c.weight), n[3] = {(real)0.6, 0, (real)0.8}; /* a slanted wall holds */
                c.a.mixing[i].diagonal = (real4){h * (1 - n[0] * n[0]), h, h * (1 - n[2] * n[2]), 0};
                c.a.mixing[i].across = (real4){0, -h * n[0] * n[2], 0, 0};
            }
            compare_with_twin(&c);
            cloud_close(&c);
        }
}

/* --- larger ones --- */

/* A pool: a wall at the bottom, nothing known of it but that no water passes; x = 0 on top. */
static int solve_pool(cloud *c, int side, int depth, double tolerance, real **x, real **b)
{
    build(c);
    *x = ROOM(c, real), *b = ROOM(c, real);
    for (int i = 0; i < c->p.count; i++) {
        real4 at = c->p.position[i];
        if ((double)at.z > depth - 1) c->a.diagonal[i] = (real)INFINITY;
        (*b)[i] = (real)(1 + sin(6 * (double)at.x / side) + random_unit());
    }
    int iterations;
    assert_int_equal(laplacian_solve(&c->a, *b, *x, tolerance, 100, &iterations), DEW_OK);
    return iterations;
}

/* What is left is as small as was asked for, and the number of iterations is that of small pools. */
static void iterations_do_not_grow(void **state)
{
    (void)state;
    int iterations[2];
    for (int k = 0; k < 2; k++) {
        int side = k ? 36 : 12;
        cloud c;
        cloud_open(&c, side, side, side, DEW_PERIODIC, DEW_OPEN, DEW_OPEN);
        real *x, *b;
        iterations[k] = solve_pool(&c, side, side, 1e-3, &x, &b);
        real *Ax = ROOM(&c, real);
        laplacian_multiply(&c.a, x, Ax);
        double left = 0, size = 0;
        for (int i = 0; i < c.p.count; i++) {
            if (isinf(c.a.diagonal[i])) continue;
            double inverse = 1 / (double)c.a.sum[i];
            left += pow((double)(b[i] - Ax[i]), 2) * inverse, size += pow((double)b[i], 2) * inverse;
        }
        assert_true(sqrt(left / size) < 1.05e-3);
        cloud_close(&c);
    }
    assert_in_range(iterations[0], 4, 10);
    assert_true(iterations[1] <= iterations[0] + 2);
}

/* x of b = A x is found for fields that are known; from a guess that is almost right in fewer iterations. */
static void known_fields_are_found(void **state)
{
    (void)state;
    cloud c;
    cloud_open(&c, 30, 12, 20, DEW_PERIODIC, DEW_SYMMETRY, DEW_OPEN);
    build(&c);
    real4 *v = ROOM(&c, real4), *b = ROOM(&c, real4), *x = ROOM(&c, real4);
    for (int i = 0; i < c.p.count; i++) {
        real4 at = c.p.position[i];
        c.a.diagonal[i] = (real)0.01;
        v[i] = (real4){(real)sin(2 * PI / 30 * (double)at.x), (real)sin(PI / 12 * (double)at.y), at.z / 20, 0};
    }
    laplacian_multiply_vectors(&c.a, v, b);
    int cold, warm;
    assert_int_equal(laplacian_solve_vectors(&c.a, b, x, 1e-4, 100, &cold), DEW_OK);
    for (int i = 0; i < c.p.count; i++) {
        assert_true(fabs((double)(x[i].x - v[i].x)) < 1e-3 && fabs((double)(x[i].y - v[i].y)) < 1e-3 &&
                    fabs((double)(x[i].z - v[i].z)) < 1e-3);
        x[i] = (real4){v[i].x + (real)0.01, v[i].y, v[i].z * (real)1.01, 7};
    }
    assert_int_equal(laplacian_solve_vectors(&c.a, b, x, 1e-4, 100, &warm), DEW_OK);
    assert_true(warm < cold);
    assert_true(x[5].w == 7);
    c.a.rest = ROOM(&c, real4);
    memset(x, 0, (size_t)c.p.count * sizeof *x);
    assert_int_equal(laplacian_solve_vectors(&c.a, b, x, 0.1, 100, NULL), DEW_OK);
    real4 *left = ROOM(&c, real4), *product = ROOM(&c, real4);
    memcpy(left, c.a.rest, (size_t)c.p.count * sizeof *left);
    laplacian_multiply_vectors(&c.a, x, product);
    double most = 0;
    for (int i = 0; i < c.p.count; i++) {
        real3 off = real3_sub(real3_sub(real3_of(b[i]), real3_of(product[i])), real3_of(left[i]));
        assert_true(real3_length(off) < 1e-5);
        most = fmax(most, (double)real3_length(real3_of(left[i])));
    }
    assert_true(most > 1e-3);
    cloud_close(&c);
}

/* Closed boxes: any constant may be added to x, and b must sum to 0, which what is given does not quite. */
static void closed_boxes_have_a_solution(void **state)
{
    (void)state;
    const dew_boundary kinds[] = {DEW_PERIODIC, DEW_SYMMETRY, DEW_WALL};
    for (int k = 0; k < 3; k++) {
        cloud c;
        cloud_open(&c, 16, 16, 16, kinds[k], kinds[k], kinds[k]);
        build(&c);
        real *b = ROOM(&c, real), *x = ROOM(&c, real), *v = ROOM(&c, real);
        double mean = 0;
        for (int i = 0; i < c.p.count; i++) {
            real4 at = c.p.position[i];
            mean += (double)(v[i] = (real)(cos(PI / 8 * (double)at.x) * cos(PI / 8 * (double)at.z)));
        }
        laplacian_multiply(&c.a, v, b);
        for (int i = 0; i < c.p.count; i++) b[i] += (real)0.3, x[i] = 5;
        int iterations;
        assert_int_equal(laplacian_solve(&c.a, b, x, 1e-4, 100, &iterations), DEW_OK);
        assert_in_range(iterations, 3, 20);
        double sum = 0;
        for (int i = 0; i < c.p.count; i++) {
            sum += (double)x[i];
            assert_true(fabs((double)x[i] - ((double)v[i] - mean / c.p.count)) < 2e-3);
        }
        assert_true(fabs(sum) < 1e-2);
        cloud_close(&c);
    }
}

/* Momentum of each of two bodies in free space, and angular momentum where pairs act along the line between them, about
 * the middle of all: what x has more than b (d is 1). */
static void check_momentum(const cloud *c, const real4 *b, const real4 *x, bool is_guessed)
{
    double change[2][6] = {0}, bound = (is_guessed ? 1.2e-8 : 6e-8) * c->p.count; /* the last of a float, at most */
    for (int i = 0; i < c->p.count; i++) {
        const real4 *at = &c->p.position[i];
        double v[3], y[3] = {(double)at->x - 13, (double)at->y - 10, (double)at->z - 10}, *sum = change[at->x > 10];
        for (int a = 0; a < 3; a++) sum[a] += v[a] = (double)(&x[i].x)[a] - (double)(&b[i].x)[a];
        for (int a = 0; a < 3; a++) sum[3 + a] += y[(a + 1) % 3] * v[(a + 2) % 3] - y[(a + 2) % 3] * v[(a + 1) % 3];
    }
    for (int n = 0; n < 12; n++) {
        if (n % 6 < 3) assert_true(fabs(change[n / 6][n % 6]) < bound);
        if (n % 6 >= 3 && c->is_central) assert_true(fabs(change[n / 6][n % 6]) < 10 * bound);
    }
}

/* What all columns keep is kept, however early the iteration ends. */
static void momentum_is_kept(void **state)
{
    (void)state;
    cloud c;
    cloud_open(&c, 20, 20, 20, DEW_OPEN, DEW_OPEN, DEW_OPEN);
    c.weight = 100;
    for (int i = 0; i < c.p.count; i++)
        if (c.p.position[i].x > 8) c.p.position[i].x += 6;
    for (int way = 0; way < 4; way++) {
        bool is_guessed = way & 1;
        c.is_central = way & 2;
        build(&c);
        real4 *b = ROOM(&c, real4), *x = ROOM(&c, real4);
        for (int i = 0; i < c.p.count; i++) {
            c.a.diagonal[i] = 1;
            b[i] = (real4){(real)(random_unit() - 0.5), (real)random_unit(), (real)sin((double)c.p.position[i].x), 0};
            if (is_guessed) x[i] = b[i];
        }
        assert_int_equal(laplacian_solve_vectors(&c.a, b, x, 1e-9, is_guessed ? 4 : 1, NULL), DEW_FAILED);
        check_momentum(&c, b, x, is_guessed);
    }
    cloud_close(&c);
}

/* Two bodies with a gap as wide as a cell of the grid, across which pairs reach, move each other. */
static void bodies_reach_each_other(void **state)
{
    (void)state;
    cloud c;
    cloud_open(&c, 6, 6, 12, DEW_OPEN, DEW_OPEN, DEW_OPEN);
    c.weight = 100, c.spacing = 0.4;
    for (int i = 0; i < c.p.count; i++)
        if (c.p.position[i].z > 6) c.p.position[i].z += (real)0.8;
    build(&c);
    real4 *b = ROOM(&c, real4), *x = ROOM(&c, real4), *Ax = ROOM(&c, real4);
    double left = 0, all = 0;
    for (int i = 0; i < c.p.count; i++) {
        c.a.diagonal[i] = 1;
        b[i] = (real4){(real)random_unit(), 0, c.p.position[i].z > 6 ? -1 : 0, 0};
    }
    assert_int_equal(laplacian_solve_vectors(&c.a, b, x, 1e-4, 100, NULL), DEW_OK);
    laplacian_multiply_vectors(&c.a, x, Ax);
    for (int i = 0; i < c.p.count; i++)
        for (int a = 0; a < 3; a++) {
            double r = (double)((&b[i].x)[a] - (&Ax[i].x)[a]);
            left += r * r, all += (double)((&b[i].x)[a] * (&b[i].x)[a]);
        }
    assert_true(sqrt(left / all) < 3e-3);
    cloud_close(&c);
}

/* Solutions for numbers and for vectors with so many threads, of central pairs in free space or of others; to be freed.
 */
static real *solve_with_threads(int threads, bool is_central)
{
    cloud c;
    real *x, *b;
    parallel_set_threads(threads);
    cloud_open(&c, 20, 20, 20, is_central ? DEW_OPEN : DEW_PERIODIC, is_central ? DEW_OPEN : DEW_SYMMETRY, DEW_OPEN);
    solve_pool(&c, 20, 20, 1e-4, &x, &b);
    int count = c.p.count;
    real *all = malloc(sizeof *all * 5 * (size_t)count);
    memcpy(all, x, sizeof *x * (size_t)count);
    c.is_central = is_central;
    build(&c);
    real4 *v = ROOM(&c, real4), *f = ROOM(&c, real4);
    for (int i = 0; i < count; i++) {
        f[i] = (real4){all[i], 1, (real)sin((double)i), 0};
        c.a.diagonal[i] = (real)0.1;
    }
    assert_int_equal(laplacian_solve_vectors(&c.a, f, v, 1e-4, 100, NULL), DEW_OK);
    memcpy(all + count, v, sizeof *v * (size_t)count);
    cloud_close(&c);
    parallel_set_threads(0);
    return all;
}

static void bytes_do_not_depend_on_threads(void **state)
{
    (void)state;
    for (int is_central = 0; is_central < 2; is_central++) {
        real *first = solve_with_threads(1, is_central);
        for (int threads = 2; threads <= 3; threads++) {
            real *other = solve_with_threads(threads, is_central);
            assert_memory_equal(first, other, sizeof *first * 5 * 8000);
            free(other);
        }
        free(first);
    }
}

/* In two dimensions; two liquids, one a thousand times as viscous as the other; stray particles and those at no place.
 */
static void odd_clouds_are_solved(void **state)
{
    (void)state;
    cloud c;
    int iterations;
    cloud_open(&c, 60, 50, 1, DEW_PERIODIC, DEW_OPEN, DEW_OPEN);
    c.dimension = 2;
    for (int i = 0; i < c.p.count; i++) c.p.position[i].z = 0;
    build(&c);
    real *b = ROOM(&c, real), *x = ROOM(&c, real);
    for (int i = 0; i < c.p.count; i++) {
        if (c.p.position[i].y > 49) c.a.diagonal[i] = (real)INFINITY;
        b[i] = (real)random_unit();
    }
    assert_int_equal(laplacian_solve(&c.a, b, x, 1e-3, 100, &iterations), DEW_OK);
    assert_in_range(iterations, 4, 12);
    cloud_close(&c);

    cloud_open(&c, 24, 24, 24, DEW_OPEN, DEW_OPEN, DEW_OPEN);
    c.second = 1000, c.cut = 12, c.weight = 0.1;
    build(&c);
    real4 *b4 = ROOM(&c, real4), *x4 = ROOM(&c, real4);
    for (int i = 0; i < c.p.count; i++) {
        c.a.diagonal[i] = 1;
        b4[i] = (real4){(real)random_unit(), c.p.position[i].x > 12 ? 1 : -1, (real)sin((double)c.p.position[i].x), 0};
    }
    assert_int_equal(laplacian_solve_vectors(&c.a, b4, x4, 1e-3, 100, &iterations), DEW_OK);
    assert_in_range(iterations, 3, 16);
    cloud_close(&c);

    cloud_open(&c, 10, 10, 10, DEW_OPEN, DEW_OPEN, DEW_OPEN);
    for (int i = 0; i < 20; i++) c.p.position[i].x += (real)(1e7 * (i + 1));
    c.p.position[20].y = (real)NAN, c.p.position[21].z = -(real)INFINITY;
    build(&c);
    b = ROOM(&c, real), x = ROOM(&c, real);
    for (int i = 0; i < c.p.count; i++) b[i] = 1, c.a.diagonal[i] = (real)0.1;
    assert_int_equal(laplacian_solve(&c.a, b, x, 1e-4, 100, &iterations), DEW_OK);
    assert_in_range(iterations, 0, 30);
    for (int i = 0; i < c.p.count; i++) assert_true(fabs((double)x[i] - 10) < 0.05);
    cloud_close(&c);
}

/* Failures say which system, how many iterations and what is left; without any particle there is nothing to do. */
static void failures_are_told(void **state)
{
    (void)state;
    cloud c;
    cloud_open(&c, 8, 8, 8, DEW_OPEN, DEW_OPEN, DEW_OPEN);
    build(&c);
    real *b = ROOM(&c, real), *x = ROOM(&c, real);
    int iterations;
    for (int i = 0; i < c.p.count; i++) b[i] = (real)random_unit(), c.a.diagonal[i] = (real)0.01;
    assert_int_equal(laplacian_solve(&c.a, b, x, 1e-4, 2, &iterations), DEW_FAILED);
    assert_int_equal(iterations, 2);
    assert_non_null(strstr(dew_message(), "the equations of this test are not solved: after 2 iterations"));
    b[3] = (real)NAN;
    assert_int_equal(laplacian_solve(&c.a, b, x, 1e-4, 200, NULL), DEW_FAILED);
    assert_non_null(strstr(dew_message(), "no number"));
    for (int i = 0; i < c.p.count; i++) b[i] = 0, x[i] = 1;
    assert_int_equal(laplacian_solve(&c.a, b, x, 1e-4, 200, &iterations), DEW_OK);
    assert_int_equal(iterations, 0);
    for (int i = 0; i < c.p.count; i++) assert_true(x[i] == 0);
    for (int i = 0; i < c.p.count; i++) c.a.diagonal[i] = (real)INFINITY, b[i] = 1, x[i] = 1;
    assert_int_equal(laplacian_solve(&c.a, b, x, 1e-4, 200, &iterations), DEW_OK);
    for (int i = 0; i < c.p.count; i++) assert_true(x[i] == 0);
    assert_int_equal(particles_resize(&c.p, 0), DEW_OK);
    build(&c);
    assert_int_equal(laplacian_solve(&c.a, b, x, 1e-4, 200, &iterations), DEW_OK);
    cloud_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_clouds_agree_with_elimination),
        cmocka_unit_test(iterations_do_not_grow),
        cmocka_unit_test(known_fields_are_found),
        cmocka_unit_test(closed_boxes_have_a_solution),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(bodies_reach_each_other),
        cmocka_unit_test(bytes_do_not_depend_on_threads),
        cmocka_unit_test(odd_clouds_are_solved),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
