#include "methods/ddr/springs.h"

#include "base/parallel.h"
#include "particles/ghosts.h"

#include <string.h>

/* Springs that a row may have. */
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

/* Springs that a row lacks, as they are found when they are counted; of those that lack more they are sought again. */
enum { KEPT = 16 };
typedef struct lacking {
    int count;
    spring first[KEPT];
} lacking;

typedef struct remaking {
    const ddr_springs *old;
    ddr_springs *made;
    const world *w;
    const ddr_spring_numbers *n;
    real reach;
    unsigned symmetric;
    const int32_t *old_row; /* by slot; -1: the particle is new */
    int *begin;             /* first the lengths of rows */
    lacking *lack;          /* by slot */
} remaking;

/* The ends of one row's springs, to be asked for: open addressing, at least twice the room that they need; 0 is free.
 */
typedef struct row_ends {
    uint32_t mask;
    int64_t key[2 * MOST_NEAR];
} row_ends;

static int64_t key_of(int32_t id, uint8_t image) { return 8 * ((int64_t)id + 1) + image; }

static int64_t *entry_of(row_ends *ends, int64_t key)
{
    uint32_t at = (uint32_t)key * 0x9e3779b1u >> 20;
    while (ends->key[at & ends->mask] != 0 && ends->key[at & ends->mask] != key) at++;
    return &ends->key[at & ends->mask];
}

static void gather_ends(const ddr_springs *s, int row, row_ends *ends)
{
    uint32_t room = 64;
    while (room < 2 * (uint32_t)(s->begin[row + 1] - s->begin[row])) room *= 2;
    ends->mask = room - 1;
    memset(ends->key, 0, room * sizeof *ends->key);
    for (int at = s->begin[row]; at < s->begin[row + 1]; at++) {
        int64_t key = key_of(s->other[at], s->image[at]);
        *entry_of(ends, key) = key;
    }
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
    row_ends ends;
    int count = 0, first = 0, got, row = k->old_row[slot], room = MOST_NEAR;
    if (row >= 0) gather_ends(k->old, row, &ends), room -= k->old->begin[row + 1] - k->old->begin[row];
    do {
        got = neighbours_list(k->w->neighbours, slot / 4, first, 64, slots), first += got;
        for (int j = 0; j < got; j++) {
            real3 d = real3_sub(real3_of(p->position[slots[j]]), real3_of(p->position[slot]));
            real length = real3_length(d);
            bool is_ghost = slots[j] >= p->ghost_begin;
            if (slots[j] == slot || !(length < k->reach) || count >= room) continue;
            uint8_t image = is_ghost ? (uint8_t)(ghosts_axes(p, slots[j]) & k->symmetric) : 0;
            int32_t id = p->id[slots[j]];
            bool is_wanted = !k->n->is_lasting || k->old_row[slot] < 0 || is_new(k, id);
            if (!is_wanted || (row >= 0 && *entry_of(&ends, key_of(id, image)) != 0)) continue;
            spring s = {id, image, k->n->is_printed ? k->reach : length};
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
    lacking *lack = &k->lack[slot];
    bool is_known = k->made && lack->count <= KEPT;
    int row = k->old_row[slot], count = is_known ? lack->count : find_near(k, slot, near), next = 0, begin = at;
    if (is_known) memcpy(near, lack->first, (size_t)count * sizeof *near);
    if (!k->made) lack->count = count, memcpy(lack->first, near, (size_t)(count < KEPT ? count : KEPT) * sizeof *near);
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
    ARENA_ARRAY(w->scratch, p->count, lacking, lack);
    for (int i = 0; i < p->count; i++) old_row[i] = -1;
    for (int r = 0; r < old.rows; r++) {
        int slot = particles_slot_of_id(p, old.row_id[r]);
        if (slot >= 0) old_row[slot] = r;
    }
    remaking k = {&old, NULL, w, n, (real)reach, symmetry_axes(&w->domain), old_row, begin, lack};
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
    bool has_images; /* an axis is periodic or has a plane of symmetry */
} acting;

/* A part of one row: where its springs lead, and their rest lengths. */
enum { PART = 64 };
typedef struct row_part {
    int count, at[PART];
    real x[PART], y[PART], z[PART], length[PART];
} row_part;

/* From `at` on; returns where the next part begins. */
static int gather_part(const acting *k, real4 x, int at, int end, row_part *part)
{
    const ddr_springs *s = k->s;
    for (part->count = 0; at < end && part->count < PART; at++) {
        int j = particles_slot_of_id(k->w->particles, s->other[at]), n = part->count;
        if (j < 0 || !isfinite(s->length[at])) continue;
        real4 y = k->place[j];
        real3 d = {y.x - x.x, y.y - x.y, y.z - x.z};
        if (k->has_images) d = to_other(&k->w->domain, x, y, s->image[at]);
        part->x[n] = d.x, part->y[n] = d.y, part->z[n] = d.z;
        part->length[n] = s->length[at], part->at[n] = at, part->count++;
    }
    return at;
}

/* Equation 8: what is stretched or compressed beyond what yields flows after it, at the step's end, by rate dt/(1 +
 * rate dt) of that: then a spring that is stretched at a steady pace pulls as hard as Maxwell's, whatever the step. As
 * printed, by rate dt, it pulls by 1 - rate dt of it, and not at all where the relaxation time is a step. A spring that
 * grows longer than the reach is gone. */
static void flow_part(const acting *k, row_part *part)
{
    real yield[2] = {(real)k->n->yield[0], (real)k->n->yield[1]};
#pragma omp simd
    for (int m = 0; m < part->count; m++) {
        real r = sqrt(part->x[m] * part->x[m] + part->y[m] * part->y[m] + part->z[m] * part->z[m]);
        real length = part->length[m], off = r - length;
        real limit = (off < 0 ? yield[1] : yield[0]) * length, flow = off < 0 ? k->flow[1] : k->flow[0];
        real beyond = off < 0 ? real_min(off + limit, 0) : real_max(off - limit, 0);
        length += flow * beyond;
        part->length[m] = length > k->reach ? (real)INFINITY : length;
    }
    for (int m = 0; m < part->count; m++) k->s->length[part->at[m]] = part->length[m];
}

/* Algorithm 3, of one side. */
static real3 pull_of(const acting *k, const row_part *part)
{
    real x = 0, y = 0, z = 0, least = (real)1e-6 * k->reach, inv_reach = 1 / k->reach;
#pragma omp simd reduction(+ : x, y, z)
    for (int m = 0; m < part->count; m++) {
        real r = sqrt(part->x[m] * part->x[m] + part->y[m] * part->y[m] + part->z[m] * part->z[m]);
        real length = real_min(part->length[m], k->reach);
        real f = k->stiffness * (1 - length * inv_reach) * (r - length) / real_max(r, least);
        x += f * part->x[m], y += f * part->y[m], z += f * part->z[m];
    }
    return (real3){x, y, z};
}

static void act(int begin, int end, void *context)
{
    acting *k = context;
    const ddr_springs *s = k->s;
    bool flows = k->flow[0] > 0 || k->flow[1] > 0;
    row_part part;
    for (int i = begin; i < end; i++) {
        real3 sum = {0, 0, 0};
        for (int at = s->begin[i]; at < s->begin[i + 1];) {
            at = gather_part(k, k->place[i], at, s->begin[i + 1], &part);
            if (flows) flow_part(k, &part);
            sum = real3_add(sum, pull_of(k, &part));
        }
        real4_add(&k->velocity[i], real3_scale(k->dt, sum));
    }
}

dew_result ddr_springs_act(ddr_springs *s, world *w, const ddr_spring_numbers *n, double reach, const real4 *place,
                           real4 *velocity, double dt)
{
    RESULT_TRY(particles_map_ids(w->particles));
    acting k = {s, w, n, place, velocity, .reach = (real)reach, .dt = (real)dt, .stiffness = (real)(n->stiffness / 2)};
    for (int a = 0; a < 3; a++) k.has_images |= w->domain.axis[a] == DEW_PERIODIC || w->domain.axis[a] == DEW_SYMMETRY;
    for (int side = 0; side < 2; side++) {
        double flow = n->rate[side] * dt;
        k.flow[side] = (real)(n->is_printed ? fmin(flow, 1) : 1 - 1 / (1 + flow));
    }
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
