/* The same bytes for any number of threads: ranges, sums, sorting, lists, pair sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/parallel.h"
#include "particles/kernels.h"
#include "particles/neighbours.h"
#include "particles/pairs.h"

static const int thread_counts[] = {1, 2, 3, 8};

typedef struct visits {
    uint8_t *times;
    int count, grain;
} visits;

static void visit(int begin, int end, void *context)
{
    visits *v = context;
    if (begin % v->grain || (end - begin != v->grain && end != v->count)) abort();
    for (int k = begin; k < end; k++) v->times[k]++;
}

static void ranges_cover_all(void **state)
{
    (void)state;
    uint8_t times[5000];
    for (int t = 0; t < 4; t++) {
        parallel_set_threads(thread_counts[t]);
        assert_int_equal(parallel_threads(), thread_counts[t]);
        for (int count = 0; count <= 5000; count = count * 3 + 1)
            for (int grain = 1; grain < 10000; grain = grain * 7 + 3) {
                memset(times, 0, sizeof times);
                parallel_for(count, grain, visit, &(visits){times, count, grain});
                for (int k = 0; k < 5000; k++) assert_int_equal(times[k], k < count);
            }
    }
}

static void add_terms(int begin, int end, void *context, double *sums)
{
    const double *x = context;
    for (int k = begin; k < end; k++) sums[0] += x[k], sums[1] += x[k] * x[k], sums[2] += 1;
}

static void find_maxima(int begin, int end, void *context, double *maxima)
{
    const double *x = context;
    for (int k = begin; k < end; k++) maxima[0] = fmax(maxima[0], x[k]), maxima[1] = fmax(maxima[1], -x[k]);
}

static void sums_have_the_same_bytes(void **state)
{
    (void)state;
    enum { N = 300001 };
    double *x = malloc(N * sizeof *x);
    for (int k = 0; k < N; k++) x[k] = sin(k * 0.7) * exp(sin(k * 0.01) * 20);
    for (int count = 0; count <= N; count = count * 5 + 1) {
        double first[3], sums[3], maxima[2], least = INFINITY, most = -INFINITY, plain = 0, size = 0;
        for (int k = 0; k < count; k++)
            least = fmin(least, x[k]), most = fmax(most, x[k]), plain += x[k], size += fabs(x[k]);
        for (int t = 0; t < 4; t++) {
            parallel_set_threads(thread_counts[t]);
            parallel_sum(count, 3, add_terms, x, sums);
            if (!t) memcpy(first, sums, sizeof sums);
            assert_memory_equal(first, sums, sizeof sums);
            assert_true(fabs(sums[0] - plain) <= 1e-12 * size && sums[2] == count);
            parallel_max(count, 2, find_maxima, x, maxima);
            assert_true(maxima[0] == most && maxima[1] == -least);
        }
    }
    free(x);
}

static void prefix_sums_are_right(void **state)
{
    (void)state;
    enum { N = 200001 };
    int *counts = malloc(N * sizeof *counts);
    for (int t = 0; t < 4; t++)
        for (int count = 0; count <= N; count = count * 4 + 1) {
            int total = 0;
            parallel_set_threads(thread_counts[t]);
            for (int k = 0; k < count; k++) total += counts[k] = k * 7 % 13;
            assert_int_equal(parallel_prefix_sum(count, counts), total);
            for (int k = 0, before = 0; k < count; before += k * 7 % 13, k++) assert_int_equal(counts[k], before);
        }
    free(counts);
}

typedef struct nest {
    const double *x;
    double sums[64][3];
} nest;

static void sum_again(int begin, int end, void *context)
{
    nest *n = context;
    for (int k = begin; k < end; k++) parallel_sum(5000 + k, 3, add_terms, (void *)n->x, n->sums[k]);
}

static void loops_within_loops_are_run(void **state)
{
    (void)state;
    double x[5064], sums[3];
    for (int k = 0; k < 5064; k++) x[k] = sin(k);
    for (int t = 0; t < 4; t++) {
        nest n = {.x = x};
        parallel_set_threads(thread_counts[t]);
        parallel_for(64, 1, sum_again, &n);
        for (int k = 0; k < 64; k++) {
            parallel_sum(5000 + k, 3, add_terms, x, sums);
            assert_memory_equal(sums, n.sums[k], sizeof sums);
        }
    }
}

/* What a thread of a program that embeds dew does: loops of its own, with workers of its own, which end with it. */
static void *use_threads(void *context)
{
    int rounds = *(int *)context, right = 0;
    double x[20000], first[3], sums[3];
    for (int k = 0; k < 20000; k++) x[k] = cos(k);
    parallel_set_threads(1);
    parallel_sum(20000, 3, add_terms, x, first);
    for (int r = 0; r < rounds; r++) {
        parallel_set_threads(thread_counts[r % 4]);
        parallel_sum(20000, 3, add_terms, x, sums);
        right += memcmp(first, sums, sizeof sums) == 0;
    }
    *(int *)context = right;
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    enum { CALLERS = 3, ROUNDS = 400 };
    for (int time = 0; time < 3; time++) {
        pthread_t thread[CALLERS];
        int rounds[CALLERS] = {ROUNDS, ROUNDS, ROUNDS};
        for (int k = 0; k < CALLERS; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, use_threads, &rounds[k]), 0);
        for (int k = 0; k < CALLERS; k++) {
            pthread_join(thread[k], NULL);
            assert_int_equal(rounds[k], ROUNDS);
        }
    }
}

typedef struct summing {
    const particles *p;
    pair_lists lists;
    real4 *out;
} summing;

static void sum_pairs(int begin, int end, void *context)
{
    summing *s = context;
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(s->p->position, block);
        vreal x = vset(0), y = vset(0), z = vset(0), w = vset(0);
        PAIRS(s->lists, block, j)
        {
            vreal4 b = pair_j(s->p->position, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal k = vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz) * (real)(1 / 3.0));
            x += k * dx, y += k * dy, z += k * dz, w += k;
        }
        pair_store4(s->out, block, x, y, z, w);
    }
}

typedef struct record {
    uint8_t *bytes;
    size_t size, room;
} record;

static void append(record *r, const void *data, size_t more)
{
    if (r->size + more > r->room) r->bytes = realloc(r->bytes, r->room = 2 * (r->size + more));
    memcpy(r->bytes + r->size, data, more);
    r->size += more;
}

/* All that a build and a pair sum give, twice, with motion in between. */
static void whole_run(int threads, record *r)
{
    enum { N = 24001 };
    parallel_set_threads(threads);
    real4 *x = aligned_obtain(N * sizeof *x), *out = aligned_obtain((N + 4) * sizeof *out);
    uint32_t random = 1;
    memset(x, 0, N * sizeof *x);
    for (int k = 0; k < N; k++)
        for (int a = 0; a < 3; a++)
            (&x[k].x)[a] = (real)((random = random * 1664525u + 1013904223u) / 4294967296.0 * 40);
    x[77].x = (real)1e6, x[78].y = NAN;
    dew_domain_def domain = {.min = {0, 0, 0}, .max = {40, 40, 40}, .axis = {DEW_PERIODIC, DEW_OPEN, DEW_SYMMETRY}};
    particles p;
    neighbours *n;
    assert_int_equal(particles_create(&p), DEW_OK);
    assert_int_equal(particles_insert(&p, N, x, NULL, 0), DEW_OK);
    assert_int_equal(neighbours_create(&n, 3, 0.2), DEW_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(neighbours_build(n, &p, &domain), DEW_OK);
        int32_t *buffer = malloc(sizeof *buffer * (size_t)(4 * p.end + 16));
        for (int g = 0; g < N / 4; g++) {
            int length = neighbours_list(n, g, 0, 4 * p.end + 16, buffer);
            append(r, buffer, (size_t)length * sizeof *buffer);
        }
        free(buffer);
        memset(out, 0, (N + 4) * sizeof *out);
        parallel_for(PAIR_BLOCKS(N), 16, sum_pairs, &(summing){&p, neighbours_lists(n), out});
        append(r, out, N * sizeof *out);
        append(r, p.position, (size_t)p.end * sizeof *p.position);
        append(r, p.id, (size_t)p.end * sizeof *p.id);
        double pairs = (double)neighbours_pair_count(n, &p);
        append(r, &pairs, sizeof pairs);
        for (int k = 0; k < N; k++) p.position[k].x += (real)0.01 * out[k].x;
    }
    neighbours_destroy(n);
    particles_destroy(&p);
    aligned_release(x);
    aligned_release(out);
}

static void runs_have_the_same_bytes(void **state)
{
    (void)state;
    record first = {0};
    whole_run(1, &first);
    for (int t = 1; t < 4; t++) {
        record other = {0};
        whole_run(thread_counts[t], &other);
        assert_int_equal(other.size, first.size);
        assert_true(memcmp(first.bytes, other.bytes, first.size) == 0);
        free(other.bytes);
    }
    free(first.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_cover_all),
        cmocka_unit_test(sums_have_the_same_bytes),
        cmocka_unit_test(prefix_sums_are_right),
        cmocka_unit_test(loops_within_loops_are_run),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(runs_have_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
