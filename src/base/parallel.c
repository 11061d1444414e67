#include "base/parallel.h"

#include "base/arena.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 256, SUM_BLOCKS = 256, SUM_COLUMNS = 32, SUM_MIN_BLOCK = 512, SCAN_BLOCK = 1 << 14 };

static _Thread_local int thread_count;

void parallel_set_threads(int threads) { thread_count = threads; }

static atomic_int core_count;

/* Cores that this process may run on. */
static int cores(void)
{
    int n = atomic_load_explicit(&core_count, memory_order_relaxed);
    if (n > 0) return n;
    cpu_set_t set;
    n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    atomic_store_explicit(&core_count, n, memory_order_relaxed);
    return n;
}

int parallel_threads(void) { return thread_count > 0 ? thread_count : cores(); }

/* --- waiting --- */

/* A word that some wait for to change. They spin for about as long as it takes to put a thread to sleep and to wake it
 * again, since most loops follow each other closely; then they sleep and leave their core to others. */
typedef struct gate {
    _Alignas(64) atomic_uint word;
    atomic_int sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} gate;

static const long spin_ns = 20000;

static void gate_open(gate *g)
{
    pthread_mutex_init(&g->mutex, NULL);
    pthread_cond_init(&g->changed, NULL);
}

static void gate_close(gate *g)
{
    pthread_mutex_destroy(&g->mutex);
    pthread_cond_destroy(&g->changed);
}

/* Either the thread that goes to sleep sees the new word or this one sees the sleeper: both write, then read. */
static void gate_set(gate *g, unsigned word)
{
    atomic_store(&g->word, word);
    if (atomic_load(&g->sleepers) == 0) return;
    pthread_mutex_lock(&g->mutex);
    pthread_mutex_unlock(&g->mutex); /* who has counted himself a sleeper now sleeps */
    pthread_cond_broadcast(&g->changed);
}

static long long clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void spin_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* Waits while the word is `old` and returns the new one. */
static unsigned gate_wait(gate *g, unsigned old, bool spins)
{
    unsigned word;
    for (long long end = spins ? clock_ns() + spin_ns : 0; spins && clock_ns() < end;) {
        if ((word = atomic_load(&g->word)) != old) return word;
        spin_briefly();
    }
    pthread_mutex_lock(&g->mutex);
    atomic_fetch_add(&g->sleepers, 1);
    while ((word = atomic_load(&g->word)) == old) pthread_cond_wait(&g->changed, &g->mutex);
    atomic_fetch_sub(&g->sleepers, 1);
    pthread_mutex_unlock(&g->mutex);
    return word;
}

/* --- the workers of a thread --- */

/* The pieces of a thread: the same range in every pass, so what it works on stays in its cache; once it has none left
 * it helps the others. */
typedef struct share {
    _Alignas(64) _Atomic uint64_t pieces; /* the next one; above it, in the upper half, their end */
} share;

typedef struct pool pool;

typedef struct worker {
    pool *pool;
    int index; /* its share; the calling thread's is 0 */
    pthread_t thread;
} worker;

struct pool {
    share shares[MOST_THREADS];
    /* The loop. Who has taken a piece may read these: they stay until all pieces are reported. */
    parallel_fcn *fcn;
    void *context;
    int count, grain;
    _Alignas(64) atomic_int left; /* pieces not yet reported */
    gate call;                    /* changes with every loop; its low byte is the number of threads less 1 */
    gate finished;                /* changes where a worker reports the last piece */
    atomic_bool is_ending;
    int worker_count;
    worker workers[MOST_THREADS];
};

static _Thread_local pool *own_pool;
static _Thread_local bool is_in_loop; /* loops within a piece run in its own thread */
static pthread_key_t pool_key;        /* only for the sake of its destructor */
static pthread_once_t pool_key_made = PTHREAD_ONCE_INIT;

static int threads_called(unsigned call) { return (int)(call & 255) + 1; }

/* Runs pieces until none are left; returns how many. */
static int run_pieces(pool *p, int index, int threads)
{
    int done = 0;
    for (int t = 0; t < threads; t++) {
        _Atomic uint64_t *pieces = &p->shares[(index + t) % threads].pieces;
        for (;;) {
            uint64_t piece = atomic_load_explicit(pieces, memory_order_relaxed);
            if ((uint32_t)piece >= piece >> 32) break;
            piece = atomic_fetch_add_explicit(pieces, 1, memory_order_acquire);
            if ((uint32_t)piece >= piece >> 32) break;
            int begin = (int)(uint32_t)piece * p->grain,
                end = p->count - begin > p->grain ? begin + p->grain : p->count;
            p->fcn(begin, end, p->context);
            done++;
        }
    }
    return done;
}

static void *serve(void *argument)
{
    worker *w = argument;
    pool *p = w->pool;
    is_in_loop = true;
    for (unsigned call = 0;;) {
        int threads = threads_called(call);
        call = gate_wait(&p->call, call, w->index < threads && threads <= cores());
        if (p->is_ending) return NULL;
        if (w->index >= threads_called(call)) continue;
        int done = run_pieces(p, w->index, threads_called(call));
        if (done && atomic_fetch_sub(&p->left, done) == done)
            gate_set(&p->finished, atomic_load(&p->finished.word) + 1);
    }
}

static void pool_destroy(void *argument)
{
    pool *p = argument;
    p->is_ending = true;
    gate_set(&p->call, atomic_load(&p->call.word) + 256);
    for (int k = 0; k < p->worker_count; k++) pthread_join(p->workers[k].thread, NULL);
    gate_close(&p->call);
    gate_close(&p->finished);
    aligned_release(p);
}

static void make_pool_key(void) { pthread_key_create(&pool_key, pool_destroy); }

/* The calling thread's pool with workers for so many threads, or with as many as can be had. NULL without memory. */
static pool *pool_of(int threads)
{
    pool *p = own_pool;
    if (!p) {
        pthread_once(&pool_key_made, make_pool_key);
        if (!(p = aligned_obtain(sizeof *p))) return NULL;
        memset(p, 0, sizeof *p);
        gate_open(&p->call);
        gate_open(&p->finished);
        pthread_setspecific(pool_key, p);
        own_pool = p;
    }
    while (p->worker_count < threads - 1) {
        worker *w = &p->workers[p->worker_count];
        *w = (worker){.pool = p, .index = p->worker_count + 1};
        if (pthread_create(&w->thread, NULL, serve, w) != 0) break;
        p->worker_count++;
    }
    return p;
}

void parallel_for(int count, int grain, parallel_fcn *fcn, void *context)
{
    if (count <= 0) return;
    int pieces = (count + grain - 1) / grain, threads = parallel_threads();
    if (threads > pieces) threads = pieces;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    pool *p = threads > 1 && !is_in_loop ? pool_of(threads) : NULL;
    if (!p) {
        for (int k = 0; k < pieces; k++) fcn(k * grain, k + 1 < pieces ? (k + 1) * grain : count, context);
        return;
    }
    unsigned finished = atomic_load(&p->finished.word), call = atomic_load(&p->call.word);
    p->fcn = fcn, p->context = context, p->count = count, p->grain = grain;
    atomic_store_explicit(&p->left, pieces, memory_order_relaxed);
    for (int t = 0; t < threads; t++) {
        uint64_t begin = (uint64_t)pieces * (uint64_t)t / (uint64_t)threads;
        uint64_t end = (uint64_t)pieces * (uint64_t)(t + 1) / (uint64_t)threads;
        atomic_store_explicit(&p->shares[t].pieces, end << 32 | begin, memory_order_release);
    }
    gate_set(&p->call, (call | 255) + (unsigned)threads);
    is_in_loop = true;
    int done = run_pieces(p, 0, threads);
    is_in_loop = false;
    /* Only pieces are waited for, never workers: one that does not get a core in time finds nothing left to do. Where
     * this thread has done none, a worker reports the last one, and is to have said so before the next loop begins. */
    if (done == 0 || atomic_fetch_sub(&p->left, done) != done) gate_wait(&p->finished, finished, threads <= cores());
}

/* --- sums and maxima --- */

/* The number of blocks depends on count alone; there are few enough of them to live on the stack. */
typedef struct reduction {
    double partial[SUM_BLOCKS][SUM_COLUMNS];
    int count, blocks;
    double start; /* of each column: 0 of sums, -infinity of maxima */
    parallel_sum_fcn *fcn;
    void *context;
} reduction;

static void reduce_blocks(int begin, int end, void *context)
{
    reduction *r = context;
    for (int b = begin; b < end; b++) {
        for (int c = 0; c < SUM_COLUMNS; c++) r->partial[b][c] = r->start;
        long long first = (long long)r->count * b / r->blocks, last = (long long)r->count * (b + 1) / r->blocks;
        r->fcn((int)first, (int)last, r->context, r->partial[b]);
    }
}

static void reduce(int count, int columns, double start, parallel_sum_fcn *fcn, void *context, double *results)
{
    reduction r;
    int blocks = (count + SUM_MIN_BLOCK - 1) / SUM_MIN_BLOCK;
    r.blocks = blocks > SUM_BLOCKS ? SUM_BLOCKS : blocks;
    r.count = count, r.start = start, r.fcn = fcn, r.context = context;
    parallel_for(r.blocks, 1, reduce_blocks, &r);
    for (int c = 0; c < columns; c++) {
        results[c] = start;
        for (int b = 0; b < r.blocks; b++)
            results[c] = start < 0 ? fmax(results[c], r.partial[b][c]) : results[c] + r.partial[b][c];
    }
}

void parallel_sum(int count, int columns, parallel_sum_fcn *fcn, void *context, double *sums)
{
    reduce(count, columns, 0, fcn, context, sums);
}

void parallel_max(int count, int columns, parallel_sum_fcn *fcn, void *context, double *maxima)
{
    reduce(count, columns, -INFINITY, fcn, context, maxima);
}

/* --- prefix sums --- */

typedef struct scan {
    int *counts, count, blocks;
    int total[SUM_BLOCKS]; /* of each block, then of those before it */
} scan;

static int scan_begin(const scan *s, int block) { return (int)((long long)s->count * block / s->blocks); }

static void add_blocks(int begin, int end, void *context)
{
    scan *s = context;
    for (int b = begin; b < end; b++)
        for (int i = scan_begin(s, b); i < scan_begin(s, b + 1); i++) s->total[b] += s->counts[i];
}

static int sum_before(int *counts, int count, int total)
{
    for (int i = 0; i < count; i++) {
        int c = counts[i];
        counts[i] = total;
        total += c;
    }
    return total;
}

static void scan_blocks(int begin, int end, void *context)
{
    scan *s = context;
    for (int b = begin; b < end; b++)
        sum_before(s->counts + scan_begin(s, b), scan_begin(s, b + 1) - scan_begin(s, b), s->total[b]);
}

int parallel_prefix_sum(int count, int *counts)
{
    scan s = {counts, count, count / SCAN_BLOCK + 1, {0}};
    if (s.blocks == 1) return sum_before(counts, count, 0);
    if (s.blocks > SUM_BLOCKS) s.blocks = SUM_BLOCKS;
    parallel_for(s.blocks, 1, add_blocks, &s);
    int total = sum_before(s.total, s.blocks, 0);
    parallel_for(s.blocks, 1, scan_blocks, &s);
    return total;
}
