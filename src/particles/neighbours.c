#include "particles/neighbours.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "particles/cells.h"
#include "particles/ghosts.h"
#include "particles/lists.h"
#include "particles/pairs.h"

#include <stdlib.h>
#include <string.h>

enum { OWNED, GHOSTS, SETS };
enum { ALLOWANCE = 3, CODES, PLACES };

struct neighbours {
    double cutoff, skin;
    double expected;      /* motion that lists must still allow for */
    int allowance, front; /* fields, or -1 */
    double most;          /* of the allowances */
    bool is_valid;
    bool drifts;       /* nothing holds the particles as a whole: the domain makes no ghosts */
    uint32_t revision; /* of the particles when the lists were built */
    int count, groups;
    cells cells[SETS];
    real *places[SETS]; /* at the build: x, y, z, allowance, codes (nearby.h), each of `room` */
    int32_t *order[SETS];
    size_t room[SETS], order_room[SETS];
    list_memory lists;
};

dew_result neighbours_create(neighbours **n, double cutoff, double skin)
{
    *n = calloc(1, sizeof **n);
    if (!*n) return result_fail(DEW_NO_MEMORY, "no memory for neighbour lists");
    neighbours_set_reach(*n, cutoff, skin);
    (*n)->allowance = (*n)->front = -1;
    return DEW_OK;
}

void neighbours_destroy(neighbours *n)
{
    if (!n) return;
    for (int s = 0; s < SETS; s++) {
        cells_destroy(&n->cells[s]);
        aligned_release(n->places[s]);
        aligned_release(n->order[s]);
    }
    lists_destroy(&n->lists);
    free(n);
}

void neighbours_set_reach(neighbours *n, double cutoff, double skin)
{
    n->cutoff = cutoff, n->skin = skin;
    n->is_valid = false;
}

void neighbours_set_allowance(neighbours *n, int field, double most)
{
    n->allowance = field, n->most = most;
    n->is_valid = false;
}

void neighbours_set_front(neighbours *n, int field)
{
    n->front = field;
    n->is_valid = false;
}

void neighbours_expect(neighbours *n, double motion) { n->expected = motion; }
double neighbours_cutoff(const neighbours *n) { return n->cutoff; }
double neighbours_skin(const neighbours *n) { return n->skin; }
void neighbours_invalidate(neighbours *n) { n->is_valid = false; }
const int32_t *neighbours_order(const neighbours *n) { return n->order[OWNED]; }

pair_lists neighbours_lists(const neighbours *n)
{
    return (pair_lists){n->lists.begin, n->lists.entries, n->lists.used};
}

int neighbours_list(const neighbours *n, int group, int first, int room, int32_t *slots)
{
    int count = 0;
    for (pair_part part = pair_first(neighbours_lists(n), group); part.begin && count < room; part = pair_next(part)) {
        int length = (int)(part.end - part.begin);
        for (int k = first; k < length && count < room; k++) slots[count++] = part.base + part.begin[k];
        first = first > length ? first - length : 0;
    }
    return count;
}

/* --- building --- */

static real *places_of(const neighbours *n, int set, int which)
{
    return n->places[set] + (size_t)which * n->room[set];
}

/* Memory that depends on the particles' number. Sorting borrows the lists' memory, which is not needed then. */
static dew_result prepare(neighbours *n, int set, int count)
{
    size_t slots = (size_t)count + LANES;
    RESULT_TRY(buffer_reserve(&n->places[set], &n->room[set], slots, 0, PLACES * sizeof(real), "neighbour lists"));
    RESULT_TRY(buffer_reserve(&n->order[set], &n->order_room[set], slots, 0, sizeof(int32_t), "neighbour lists"));
    return lists_reserve(&n->lists, cells_scratch(count) / sizeof(uint16_t) + 1);
}

typedef struct coding {
    int32_t *codes;
    const uint8_t *front; /* or NULL */
    int begin;
} coding;

static void write_codes(int begin, int end, void *context)
{
    const coding *c = context;
    for (int k = begin; k < end; k++) c->codes[k] = 2 * (c->begin + k) + (c->front && c->front[k]);
}

static dew_result index_set(neighbours *n, int set, const particles *p)
{
    real *xyz[3], *allowance = NULL;
    for (int a = 0; a < 3; a++) xyz[a] = places_of(n, set, a);
    int begin = n->cells[set].begin, count = n->cells[set].end - begin;
    if (n->allowance >= 0) {
        allowance = places_of(n, set, ALLOWANCE);
        memcpy(allowance, (real *)particles_field(p, n->allowance) + begin, (size_t)count * sizeof(real));
    }
    coding c = {.codes = (int32_t *)places_of(n, set, CODES), .begin = begin};
    if (n->front >= 0) c.front = (const uint8_t *)particles_field(p, n->front) + begin;
    parallel_for(count, 4096, write_codes, &c);
    return cells_index(&n->cells[set], p->position, xyz, allowance, n->lists.entries);
}

/* The ghosts' order is not kept: neighbours_order tells of the owned. */
static dew_result sort_ghosts(neighbours *n, particles *p)
{
    RESULT_TRY(prepare(n, GHOSTS, p->end - p->ghost_begin));
    RESULT_TRY(cells_sort(&n->cells[GHOSTS], p->position, p->ghost_begin, p->end, n->cutoff + n->skin, n->order[GHOSTS],
                          n->lists.entries));
    RESULT_TRY(ghosts_reorder(p, n->order[GHOSTS]));
    ghosts_fill(p);
    return index_set(n, GHOSTS, p);
}

dew_result neighbours_build(neighbours *n, particles *p, const dew_domain_def *domain)
{
    n->is_valid = false;
    double reach = n->cutoff + (n->allowance < 0 ? n->skin : 2 * n->most);
    particles_wrap(p, domain);
    RESULT_TRY(prepare(n, OWNED, p->count));
    RESULT_TRY(
        cells_sort(&n->cells[OWNED], p->position, 0, p->count, n->cutoff + n->skin, n->order[OWNED], n->lists.entries));
    RESULT_TRY(particles_reorder(p, n->order[OWNED]));
    RESULT_TRY(index_set(n, OWNED, p));
    RESULT_TRY(ghosts_find(p, domain, reach));
    RESULT_TRY(sort_ghosts(n, p));
    n->count = p->count, n->groups = (p->count + 3) / 4;
    list_source source[SETS];
    for (int s = 0; s < SETS; s++) {
        source[s].cells = &n->cells[s];
        for (int a = 0; a < 3; a++) source[s].xyz[a] = places_of(n, s, a);
        source[s].allowance = n->allowance < 0 ? NULL : places_of(n, s, ALLOWANCE);
        source[s].most = (real)(n->allowance < 0 ? 0 : n->most);
        source[s].codes = (const int32_t *)places_of(n, s, CODES), source[s].has_front = n->front >= 0;
    }
    RESULT_TRY(lists_build(&n->lists, source, n->cutoff + (n->allowance < 0 ? n->skin : 0), p->end));
    n->revision = p->revision;
    n->drifts = !ghosts_may_exist(domain);
    n->is_valid = true;
    return DEW_OK;
}

/* --- asking --- */

typedef struct moving {
    const neighbours *n;
    const real4 *position;
    real limit2; /* the square of how far particles without allowances may go */
    real3 drift; /* of all */
    real *moved;
} moving;

static void add_motion(int begin, int end, void *context, double *sums)
{
    const moving *m = context;
    const real *x = places_of(m->n, OWNED, 0), *y = places_of(m->n, OWNED, 1), *z = places_of(m->n, OWNED, 2);
    for (int k = begin; k < end; k++) {
        sums[0] += (double)(m->position[k].x - x[k]);
        sums[1] += (double)(m->position[k].y - y[k]);
        sums[2] += (double)(m->position[k].z - z[k]);
    }
}

/* The square of how far a particle went, less the drift. */
static inline real motion2(const moving *m, const real *const place[3], int k)
{
    real dx = m->position[k].x - place[0][k] - m->drift.x, dy = m->position[k].y - place[1][k] - m->drift.y,
         dz = m->position[k].z - place[2][k] - m->drift.z;
    return dx * dx + dy * dy + dz * dz;
}

/* maxima: 1 if any has gone farther than it may. */
static void find_moved(int begin, int end, void *context, double *maxima)
{
    const moving *m = context;
    const real *place[3] = {places_of(m->n, OWNED, 0), places_of(m->n, OWNED, 1), places_of(m->n, OWNED, 2)};
    const real *allowance = m->n->allowance < 0 ? NULL : places_of(m->n, OWNED, ALLOWANCE);
    real expected = (real)m->n->expected;
    int moved = 0;
    for (int k = begin; k < end; k++) {
        real free = allowance ? real_max(allowance[k] - expected, 0) : 0;
        moved |= motion2(m, place, k) > (allowance ? free * free : m->limit2);
    }
    if (moved) maxima[0] = 1;
}

static bool is_known(const neighbours *n, const particles *p)
{
    return n->is_valid && n->revision == p->revision && n->count == p->count;
}

static void find_drift(moving *m, const particles *p)
{
    double sums[3];
    if (!m->n->drifts || p->count == 0) return;
    parallel_sum(p->count, 3, add_motion, m, sums);
    m->drift = (real3){(real)(sums[0] / p->count), (real)(sums[1] / p->count), (real)(sums[2] / p->count)};
}

bool neighbours_is_stale(const neighbours *n, const particles *p)
{
    if (!is_known(n, p)) return true;
    double free = fmax(n->skin / 2 - n->expected, 0), moved;
    moving m = {.n = n, .position = p->position, .limit2 = (real)(free * free)};
    find_drift(&m, p);
    parallel_max(p->count, 1, find_moved, &m, &moved);
    return moved > 0;
}

static void write_motion(int begin, int end, void *context)
{
    const moving *m = context;
    const real *place[3] = {places_of(m->n, OWNED, 0), places_of(m->n, OWNED, 1), places_of(m->n, OWNED, 2)};
    for (int k = begin; k < end; k++) m->moved[k] = sqrt(motion2(m, place, k));
}

bool neighbours_motion(const neighbours *n, const particles *p, real *moved)
{
    if (!is_known(n, p)) return false;
    moving m = {.n = n, .position = p->position, .moved = moved};
    find_drift(&m, p);
    parallel_for(p->count, 4096, write_motion, &m);
    return true;
}

typedef struct counting {
    pair_lists lists;
    const real4 *position;
    real limit2;
} counting;

static void count_pairs(int begin, int end, void *context, double *sums)
{
    counting *c = context;
    for (int i = begin; i < end; i++)
        for (pair_part part = pair_first(c->lists, i / 4); part.begin; part = pair_next(part))
            for (const uint16_t *at = part.begin; at < part.end; at++) {
                real3 d = real3_sub(real3_of(c->position[i]), real3_of(c->position[part.base + *at]));
                sums[0] += part.base + *at != i && real3_dot(d, d) < c->limit2;
            }
}

int64_t neighbours_pair_count(const neighbours *n, const particles *p)
{
    counting c = {neighbours_lists(n), p->position, (real)(n->cutoff * n->cutoff)};
    double pairs;
    parallel_sum(p->count, 1, count_pairs, &c, &pairs);
    return (int64_t)pairs;
}

size_t neighbours_bytes(const neighbours *n)
{
    size_t bytes = sizeof *n + n->lists.capacity * sizeof *n->lists.entries + n->lists.groups * sizeof *n->lists.begin;
    for (int s = 0; s < SETS; s++)
        bytes += cells_bytes(&n->cells[s]) + n->room[s] * PLACES * sizeof(real) + n->order_room[s] * sizeof(int32_t);
    return bytes;
}
