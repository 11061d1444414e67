#include "methods/ddr/springs.h"

#include "base/parallel.h"
#include "particles/ghosts.h"

#include <string.h>

enum { MOST_NEAR = 1024 };

/* --- ends --- */

static unsigned symmetry_axes(const dew_domain_def *d)
{
    unsigned axes = 0;
    for (int a = 0; a < 3; a++) axes |= (d->axis[a] == DEW_SYMMETRY ? 1u : 0u) << a;
    return axes;
}

/* From x to the other end y: of its images across a periodic axis the nearest, in a plane of symmetry if `image` says
 * so, the one next to x. */
static real3 to_other(const dew_domain_def *d, real4 x, real4 y, unsigned image)
{
    real from[3] = {x.x, x.y, x.z}, to[3] = {y.x, y.y, y.z}, way[3];
    for (int a = 0; a < 3; a++) {
        real low = (real)vec3_at(d->min, a), high = (real)vec3_at(d->max, a);
        if (image >> a & 1) to[a] = 2 * (from[a] - low < high - from[a] ? low : high) - to[a];
        way[a] = to[a] - from[a];
        if (d->axis[a] != DEW_PERIODIC) continue;
        if (way[a] > (high - low) / 2) way[a] -= high - low;
        if (way[a] < -(high - low) / 2) way[a] += high - low;
    }
    return (real3){way[0], way[1], way[2]};
}

/* --- rows --- */

typedef struct spring {
    int32_t other;
    uint8_t image;
    real length;
} spring;

static bool comes_first(int32_t id, uint8_t image, const spring *b)
{
    return id != b->other ? id < b->other : image < b->image;
}

typedef struct remaking {
    const ddr_springs *old;
    ddr_springs *made;
    const world *w;
    const ddr_spring_numbers *n;
    real reach;
    unsigned symmetric;
    const int32_t *old_row; /* by slot; -1: the particle is new */
    int *begin;             /* first the lengths of rows */
} remaking;

/* Whether an old row has a spring to this end. */
static bool is_in_row(const remaking *k, int row, int32_t id, uint8_t image)
{
    const ddr_springs *s = k->old;
    if (row < 0) return false;
    int low = s->begin[row], end = s->begin[row + 1], high = end;
    while (low < high) {
        int middle = (low + high) / 2;
        if (comes_first(id, image, &(spring){s->other[middle], s->image[middle], 0}) ||
            (s->other[middle] == id && s->image[middle] == image))
            high = middle;
        else
            low = middle + 1;
    }
    return low < end && s->other[low] == id && s->image[low] == image;
}

static bool is_new(const remaking *k, int32_t id)
{
    int slot = particles_slot_of_id(k->w->particles, id);
    return slot >= 0 && k->old_row[slot] < 0;
}

/* The particles within reach of `slot` to which it is to have a spring and has none, ascending by id. */
static int find_near(const remaking *k, int slot, spring *near)
{
    const particles *p = k->w->particles;
    int32_t slots[64];
    int count = 0, first = 0, got;
    do {
        got = neighbours_list(k->w->neighbours, slot / 4, first, 64, slots), first += got;
        for (int j = 0; j < got; j++) {
            real3 d = real3_sub(real3_of(p->position[slots[j]]), real3_of(p->position[slot]));
            real length = real3_length(d);
            bool is_ghost = slots[j] >= p->ghost_begin;
            if (slots[j] == slot || !(length < k->reach) || count == MOST_NEAR) continue;
            uint8_t image = is_ghost ? (uint8_t)(ghosts_axes(p, slots[j]) & k->symmetric) : 0;
            int32_t id = p->id[slots[j]];
            bool is_wanted = !k->n->is_lasting || k->old_row[slot] < 0 || is_new(k, id);
            if (!is_wanted || is_in_row(k, k->old_row[slot], id, image)) continue;
            spring s = {id, image, k->n->begins_at_reach ? k->reach : length};
            int at = count++;
            for (; at > 0 && comes_first(s.other, s.image, &near[at - 1]); at--) near[at] = near[at - 1];
            near[at] = s;
        }
    } while (got == 64);
    return count;
}

static void put(const remaking *k, int at, int32_t other, uint8_t image, real length)
{
    k->made->other[at] = other, k->made->image[at] = image, k->made->length[at] = length;
}

/* What is left of the old row and what is new, in order. With `made` NULL they are only counted. */
static int merge(const remaking *k, int slot, int at)
{
    const ddr_springs *s = k->old;
    spring near[MOST_NEAR];
    int row = k->old_row[slot], count = find_near(k, slot, near), next = 0, begin = at;
    int from = row < 0 ? 0 : s->begin[row], end = row < 0 ? 0 : s->begin[row + 1];
    for (; from < end || next < count;) {
        bool is_old = from < end && (next == count || !comes_first(near[next].other, near[next].image,
                                                                   &(spring){s->other[from], s->image[from], 0}));
        if (is_old) {
            bool is_left = isfinite(s->length[from]) && particles_slot_of_id(k->w->particles, s->other[from]) >= 0;
            if (is_left && k->made) put(k, at, s->other[from], s->image[from], s->length[from]);
            at += is_left, from++;
            continue;
        }
        if (k->made) put(k, at, near[next].other, near[next].image, near[next].length);
        at++, next++;
    }
    return at - begin;
}

static void count_rows(int begin, int end, void *context)
{
    const remaking *k = context;
    for (int i = begin; i < end; i++) k->begin[i] = merge(k, i, 0);
}

static void fill_rows(int begin, int end, void *context)
{
    const remaking *k = context;
    for (int i = begin; i < end; i++) {
        k->made->row_id[i] = k->w->particles->id[i];
        k->made->begin[i] = k->begin[i];
        merge(k, i, k->begin[i]);
    }
}

static dew_result reserve(ddr_springs *s, int rows, size_t springs)
{
    static const char what[] = "springs";
    RESULT_TRY(buffer_reserve(&s->row_id, &s->rows_room, (size_t)rows, 0, sizeof *s->row_id, what));
    RESULT_TRY(buffer_reserve(&s->begin, &s->begin_room, (size_t)rows + 1, 0, sizeof *s->begin, what));
    RESULT_TRY(buffer_reserve(&s->other, &s->other_room, springs, 0, sizeof *s->other, what));
    RESULT_TRY(buffer_reserve(&s->length, &s->length_room, springs, 0, sizeof *s->length, what));
    RESULT_TRY(buffer_reserve(&s->image, &s->image_room, springs, 0, sizeof *s->image, what));
    s->rows = rows;
    return DEW_OK;
}

/* A copy of the rows as they are, for as long as they are made anew. */
static dew_result copy_rows(const ddr_springs *s, arena *memory, ddr_springs *copy)
{
    int springs = s->rows ? s->begin[s->rows] : 0;
    *copy = (ddr_springs){.rows = s->rows};
    ARENA_TRY(memory, s->rows, copy->row_id, copy->begin);
    ARENA_TRY(memory, springs, copy->other, copy->length, copy->image);
    if (s->rows == 0) return DEW_OK;
    memcpy(copy->row_id, s->row_id, (size_t)s->rows * sizeof *s->row_id);
    memcpy(copy->begin, s->begin, ((size_t)s->rows + 1) * sizeof *s->begin);
    memcpy(copy->other, s->other, (size_t)springs * sizeof *s->other);
    memcpy(copy->length, s->length, (size_t)springs * sizeof *s->length);
    memcpy(copy->image, s->image, (size_t)springs * sizeof *s->image);
    return DEW_OK;
}

dew_result ddr_springs_update(ddr_springs *s, world *w, const ddr_spring_numbers *n, double reach)
{
    const particles *p = w->particles;
    if (!s->is_stale) return DEW_OK;
    ddr_springs old;
    size_t mark = arena_mark(w->scratch);
    RESULT_TRY(particles_map_ids(w->particles));
    RESULT_TRY(copy_rows(s, w->scratch, &old));
    ARENA_ARRAY(w->scratch, p->count, int32_t, old_row);
    ARENA_ARRAY(w->scratch, p->count, int, begin);
    for (int i = 0; i < p->count; i++) old_row[i] = -1;
    for (int r = 0; r < old.rows; r++) {
        int slot = particles_slot_of_id(p, old.row_id[r]);
        if (slot >= 0) old_row[slot] = r;
    }
    remaking k = {&old, NULL, w, n, (real)reach, symmetry_axes(&w->domain), old_row, begin};
    parallel_for(p->count, 64, count_rows, &k);
    int springs = parallel_prefix_sum(p->count, begin);
    RESULT_TRY(reserve(s, p->count, (size_t)springs));
    s->begin[p->count] = springs;
    k.made = s;
    parallel_for(p->count, 64, fill_rows, &k);
    arena_release(w->scratch, mark);
    s->is_stale = false;
    return DEW_OK;
}

/* --- forces --- */

typedef struct acting {
    ddr_springs *s;
    const world *w;
    const ddr_spring_numbers *n;
    const real4 *place;
    real4 *velocity;
    real reach, dt, flow[2], stiffness;
} acting;

/* Equation 8: what is stretched or compressed beyond what yields flows after it. */
static inline real flowed(const acting *k, real length, real r)
{
    bool is_compressed = r < length;
    real beyond = fabs(r - length) - (real)k->n->yield[is_compressed] * length;
    return length + (beyond > 0 ? k->flow[is_compressed] * (is_compressed ? -beyond : beyond) : 0);
}

static void act(int begin, int end, void *context)
{
    acting *k = context;
    ddr_springs *s = k->s;
    bool flows = k->flow[0] > 0 || k->flow[1] > 0;
    for (int i = begin; i < end; i++) {
        real4 x = k->place[i];
        real3 sum = {0, 0, 0};
        for (int at = s->begin[i]; at < s->begin[i + 1]; at++) {
            int j = particles_slot_of_id(k->w->particles, s->other[at]);
            if (j < 0 || !isfinite(s->length[at])) continue;
            real3 d = to_other(&k->w->domain, x, k->place[j], s->image[at]);
            real r = real3_length(d);
            if (flows) {
                s->length[at] = flowed(k, s->length[at], r);
                if (s->length[at] > k->reach) {
                    s->length[at] = (real)INFINITY;
                    continue;
                }
            }
            real length = s->length[at];
            real f = k->stiffness * (1 - length / k->reach) * (r - length) / real_max(r, (real)1e-6 * k->reach);
            sum = real3_madd(sum, f, d);
        }
        real4_add(&k->velocity[i], real3_scale(k->dt, sum));
    }
}

dew_result ddr_springs_act(ddr_springs *s, world *w, const ddr_spring_numbers *n, double reach, const real4 *place,
                           real4 *velocity, double dt)
{
    RESULT_TRY(particles_map_ids(w->particles));
    acting k = {s, w, n, place, velocity, .reach = (real)reach, .dt = (real)dt, .stiffness = (real)(n->stiffness / 2)};
    for (int side = 0; side < 2; side++) k.flow[side] = (real)fmin(n->rate[side] * dt, 1);
    parallel_for(w->particles->count, 128, act, &k);
    return DEW_OK;
}

/* --- energy --- */

static void sum_energy(int begin, int end, void *context, double *sums)
{
    const acting *k = context;
    const ddr_springs *s = k->s;
    for (int row = begin; row < end; row++) {
        int i = particles_slot_of_id(k->w->particles, s->row_id[row]);
        for (int at = s->begin[row]; i >= 0 && at < s->begin[row + 1]; at++) {
            int j = particles_slot_of_id(k->w->particles, s->other[at]);
            if (j < 0 || !isfinite(s->length[at])) continue;
            real3 d = to_other(&k->w->domain, k->place[i], k->place[j], s->image[at]);
            double strain = (double)(real3_length(d) - s->length[at]);
            sums[0] += strain * strain * (double)(1 - s->length[at] / k->reach);
        }
    }
}

double ddr_springs_energy(const ddr_springs *s, const world *w, const ddr_spring_numbers *n, double reach)
{
    double sum = 0;
    acting k = {.s = (ddr_springs *)s, .w = w, .place = w->particles->position, .reach = (real)reach};
    if (s->rows == 0 || particles_map_ids(w->particles)) return 0;
    parallel_sum(s->rows, 1, sum_energy, &k, &sum);
    return w->particle_mass[0] * n->stiffness / 8 * sum; /* each stands twice */
}

/* --- keeping --- */

void ddr_springs_clear(ddr_springs *s) { s->rows = 0, s->is_stale = true; }

void ddr_springs_visit(ddr_springs *s, state_array_fcn *array, void *context)
{
    int springs = s->rows ? s->begin[s->rows] : 0;
    array(context, "springs/row", DEW_ITEM_INT32, s->rows, s->row_id);
    array(context, "springs/begin", DEW_ITEM_INT32, s->rows ? s->rows + 1 : 0, s->begin);
    array(context, "springs/other", DEW_ITEM_INT32, springs, s->other);
    array(context, "springs/length", sizeof(real) == sizeof(float) ? DEW_ITEM_FLOAT : DEW_ITEM_DOUBLE, springs,
          s->length);
    array(context, "springs/image", DEW_ITEM_UINT8, springs, s->image);
}

dew_result ddr_springs_resize(ddr_springs *s, const int64_t *counts)
{
    int64_t rows = counts[0], springs = counts[2];
    if (counts[1] != (rows ? rows + 1 : 0) || counts[3] != springs || counts[4] != springs || rows > INT32_MAX / 2 ||
        springs > INT32_MAX || (!rows && springs))
        return result_fail(DEW_INVALID, "ddr: rows and springs of the snapshot do not fit each other");
    RESULT_TRY(reserve(s, (int)rows, (size_t)springs));
    if (rows) s->begin[rows] = (int32_t)springs;
    s->is_stale = true;
    return DEW_OK;
}

void ddr_springs_destroy(ddr_springs *s)
{
    aligned_release(s->row_id), aligned_release(s->begin), aligned_release(s->other);
    aligned_release(s->length), aligned_release(s->image);
}
