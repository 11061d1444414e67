/* Consecutive groups are searched for together: what is near the box of all is read once, relative to the box's centre
 * c, and tried against each member. Member i accepts x if |x - i|^2 < r^2, that is, with s = |x - c|^2, if
 * 2 (x - c).(i - c) + r^2 - |i - c|^2 > s: three multiply-adds. Where particles have allowances a of their own, the
 * reach is r + a_j, r holding a_i, and the test 2 (x - c).(i - c) + 2 r a_j + r^2 - |i - c|^2 > s - a_j^2. Nothing is
 * copied on the way: loads that follow stores at addresses alike in their last 12 bits would wait for them. */
#include "particles/lists.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/parallel.h"

enum {
    SEARCHED = 4, /* groups searched for together */
    PIECE = 128,  /* particles in a piece of parallel work */
    ACCEPTED = 8192,
    SPLIT = 1024, /* on the stack */
    PIECE_ENTRIES = 1 << 14,
    WINDOW = 65534, /* slots that a part may span: members and dummy keep within 16 bits */
};

typedef struct building {
    list_memory *memory;
    const list_source *source;
    real reach;
    int count, dummy;
    _Atomic uint64_t used; /* entries */
    atomic_bool is_out_of_memory;
} building;

typedef struct searcher {
    building *b;
    column_set set[2];
    nearby_slots near;
    int32_t *accepted; /* codes of each group's list, one behind the other */
    size_t accepted_room;
    int32_t *split; /* of a list, what comes in front and the rest */
    uint16_t *out;  /* lists of this piece */
    size_t split_room, out_used, out_room;
    void *accepted_memory, *split_memory, *out_memory; /* NULL while what is on the stack is large enough */
} searcher;

static int slot_of(int32_t code) { return code >> 1; }

/* --- which are near --- */

/* A larger array in place of the old one, whose first `used` elements are kept; false without memory. */
static bool grow(void *array, void **memory, size_t *room, size_t used, size_t needed, size_t size)
{
    void **elements = array;
    if (needed <= *room) return true;
    void *larger = malloc(2 * needed * size);
    if (!larger) return false;
    memcpy(larger, *elements, used * size);
    free(*memory);
    *elements = *memory = larger;
    *room = 2 * needed;
    return true;
}

/* What the test takes of each member, read in the loop over candidates as one number for all lanes. */
typedef struct wanted {
    real x[4 * SEARCHED], y[4 * SEARCHED], z[4 * SEARCHED], k[4 * SEARCHED], twice[4 * SEARCHED];
    const real *centre;
} wanted;

static void want(const building *w, int begin, int end, const real centre[3], wanted *m)
{
    const list_source *source = &w->source[0];
    m->centre = centre;
    for (int i = 0; i < 4 * SEARCHED; i++) {
        int slot = begin + i;
        m->x[i] = m->y[i] = m->z[i] = m->twice[i] = 0, m->k[i] = -INFINITY;
        if (slot >= end || !has_place(source, slot)) continue;
        real dx = place_of(source, slot, 0) - centre[0], dy = place_of(source, slot, 1) - centre[1],
             dz = place_of(source, slot, 2) - centre[2];
        real reach = w->reach + (source->allowance ? source->allowance[slot] : 0);
        m->x[i] = 2 * dx, m->y[i] = 2 * dy, m->z[i] = 2 * dz;
        m->k[i] = reach * reach * (real)(1 + 1e-5) - (dx * dx + dy * dy + dz * dz);
        m->twice[i] = 2 * reach;
    }
}

/* A bit for each of the first n lanes. */
static inline unsigned first_lanes(int n) { return n < LANES ? (1u << n) - 1 : (1u << LANES) - 1; }

/* What of the ranges a member of each group accepts, in order: n[g] of them from out + g room on, which lie behind
 * those already there. `groups` and `varies` (allowances) are known when compiled. */
static inline void accept_with(const list_source *source, const slot_range *ranges, int count, const wanted *m,
                               int32_t *restrict out, size_t room, int *n, int groups, bool varies)
{
    int base = source->cells->begin;
    const real *const *from = source->xyz;
    vreal cx = vset(m->centre[0]), cy = vset(m->centre[1]), cz = vset(m->centre[2]);
    for (int r = 0; r < count; r++) {
        int begin = ranges[r].begin - base, end = ranges[r].end - base;
        for (int j = begin; j < end; j += LANES) {
            vreal x = vload(from[0] + j) - cx, y = vload(from[1] + j) - cy, z = vload(from[2] + j) - cz;
            vreal s = x * x + y * y + z * z, a = vset(0);
            if (varies) a = vload(source->allowance + j), s -= a * a;
            unsigned inside = first_lanes(end - j);
#pragma GCC unroll 4 /* else counts and addresses go through memory: a third slower */
            for (int g = 0; g < groups; g++) {
                vreal best = vset(-INFINITY);
#pragma GCC unroll 4
                for (int l = 0; l < 4; l++) {
                    int i = 4 * g + l;
                    vreal k = vset(m->k[i]);
                    if (varies) k += a * vset(m->twice[i]);
                    best = vmax(best, x * vset(m->x[i]) + (y * vset(m->y[i]) + (z * vset(m->z[i]) + k)));
                }
                n[g] += vcompress(out + (size_t)g * room + n[g], source->codes + j, vless(s, best) & inside);
            }
        }
    }
}

/* What a list of what is near now takes at the most. */
static size_t list_room(const searcher *s) { return (size_t)s->near.total + LANES; }

/* The lists of up to SEARCHED groups with the members [begin, end), of what is near now: n[g] codes, in s->accepted
 * from `used`, which is kept, and g times list_room on. False without memory. */
static bool accept(searcher *s, int begin, int end, const box *b, int used, int *n)
{
    const building *w = s->b;
    wanted m;
    int groups = end - begin > 4 ? SEARCHED : 1;
    size_t room = list_room(s);
    if (!grow(&s->accepted, &s->accepted_memory, &s->accepted_room, (size_t)used, (size_t)used + (size_t)groups * room,
              sizeof *s->accepted))
        return false;
    want(w, begin, end, b->centre, &m);
    for (int g = 0; g < groups; g++) n[g] = 0;
    for (int k = 0; k < 2; k++) {
        const list_source *source = &w->source[k];
        const slot_range *ranges = s->near.range[k];
        int count = s->near.count[k];
        int32_t *out = s->accepted + used;
        if (groups > 1 && source->allowance)
            accept_with(source, ranges, count, &m, out, room, n, SEARCHED, true);
        else if (groups > 1)
            accept_with(source, ranges, count, &m, out, room, n, SEARCHED, false);
        else if (source->allowance)
            accept_with(source, ranges, count, &m, out, room, n, 1, true);
        else
            accept_with(source, ranges, count, &m, out, room, n, 1, false);
    }
    return true;
}

/* Parts of s->accepted, from[k] to from[k + 1], each ascending: merged to one of each slot, in place. Returns how many;
 * -1 without memory. */
static int merge(searcher *s, const int from[5], int parts)
{
    int at[4] = {from[0], from[1], from[2], from[3]}, kept = 0, n = from[parts];
    if (!grow(&s->accepted, &s->accepted_memory, &s->accepted_room, (size_t)n, 2 * (size_t)n, sizeof *s->accepted))
        return -1;
    int32_t *list = s->accepted, *to = list + n;
    for (;;) {
        int32_t least = INT32_MAX;
        for (int k = 0; k < parts; k++)
            if (at[k] < from[k + 1] && list[at[k]] < least) least = list[at[k]];
        if (least == INT32_MAX) break;
        for (int k = 0; k < parts; k++) at[k] += at[k] < from[k + 1] && list[at[k]] == least;
        to[kept++] = least;
    }
    memmove(list, to, (size_t)kept * sizeof *list);
    return kept;
}

/* A group whose members are far from each other: one by one, then each slot once. What members accept lies one behind
 * the other and ascends. Returns -1 without memory. */
static int accept_apart(searcher *s, int begin, int end)
{
    const building *w = s->b;
    int from[5] = {0}, parts = 0, n = 0;
    for (int slot = begin; slot < end; slot++) {
        box b;
        int members, more;
        nearby_box(w->source, slot, slot + 1, w->reach, &b, &members);
        if (!members) continue;
        nearby_find(w->source, &b, s->set, &s->near);
        if (!accept(s, slot, slot + 1, &b, n, &more)) return -1;
        from[++parts] = n += more;
    }
    return merge(s, from, parts);
}

/* --- lists in memory --- */

/* Where the part that starts with list[0] ends. All but the last part must be followed by a free slot (which fills it
 * up) or hold a multiple of four. */
static int part_length(const int32_t *list, int n)
{
    int length = 1, base = slot_of(list[0]);
    if (slot_of(list[n - 1]) - base <= WINDOW) return n;
    while (length < n && slot_of(list[length]) - base <= WINDOW) length++;
    while (length < n && length % 4 && slot_of(list[length]) == slot_of(list[length - 1]) + 1) length--;
    return length;
}

/* Members relative to `base`, those that come in front first; the order stays else. Returns how many these are; -1
 * without memory. */
static int write_members(searcher *s, const int32_t *list, int n, int base, uint16_t *restrict out)
{
    int first = 0, rest = 0;
    if (!s->b->source[0].has_front) {
        for (int k = 0; k < n; k++) out[k] = (uint16_t)(slot_of(list[k]) - base);
        return 0;
    }
    size_t room = (size_t)n + LANES;
    if (!grow(&s->split, &s->split_memory, &s->split_room, 0, 2 * room, sizeof *s->split)) return -1;
    int32_t *front = s->split, *others = s->split + room;
    for (int k = 0; k < n; k += LANES) {
        unsigned inside = first_lanes(n - k), odd = vodd(list + k);
        first += vcompress(front + first, list + k, odd & inside);
        rest += vcompress(others + rest, list + k, ~odd & inside);
    }
    for (int k = 0; k < first; k++) out[k] = (uint16_t)(slot_of(front[k]) - base);
    for (int k = 0; k < rest; k++) out[first + k] = (uint16_t)(slot_of(others[k]) - base);
    return first;
}

/* Any slot that is not in the list is beyond its reach, so the one behind the last member can stand for the dummy. */
static bool write_list(searcher *s, const int32_t *list, int n)
{
    do {
        size_t needed = s->out_used + (size_t)n + PART_HEADER + 4;
        if (!grow(&s->out, &s->out_memory, &s->out_room, s->out_used, needed, sizeof *s->out)) return false;
        int length = n ? part_length(list, n) : 0, quads = (length + 3) / 4, base = n ? slot_of(list[0]) : 0;
        uint16_t *out = s->out + s->out_used;
        int front = write_members(s, list, length, base, out + PART_HEADER);
        if (front < 0) return false;
        out[0] = (uint16_t)base, out[1] = (uint16_t)((uint32_t)base >> 16);
        out[2] = (uint16_t)quads, out[3] = (uint16_t)(2 * ((front + 3) / 4) + (length < n));
        out += PART_HEADER;
        if (length % 4) {
            int filler = s->b->dummy - base <= WINDOW + 1 ? s->b->dummy : slot_of(list[length - 1]) + 1;
            for (int k = length; k < 4 * quads; k++) out[k] = (uint16_t)(filler - base);
        }
        s->out_used += (size_t)(PART_HEADER + 4 * quads);
        list += length, n -= length;
    } while (n > 0);
    return true;
}

/* Groups [first, last), together if they are close enough to each other, and what is near all of them is not more than
 * there is room for: one that has come round a periodic face since particles were sorted makes a box as long as the
 * domain. */
static bool build_groups(searcher *s, int first, int last)
{
    const building *w = s->b;
    int begin = 4 * first, end = 4 * last < w->count ? 4 * last : w->count, members, n[SEARCHED] = {0};
    box b = {0};
    bool is_close = nearby_box(w->source, begin, end, w->reach, &b, &members);
    s->near.total = 0;
    if (is_close && members) nearby_find(w->source, &b, s->set, &s->near);
    if (last - first > 1 && (!is_close || SEARCHED * list_room(s) > ACCEPTED)) {
        for (int g = first; g < last; g++)
            if (!build_groups(s, g, g + 1)) return false;
        return true;
    }
    if (!is_close)
        n[0] = accept_apart(s, begin, end);
    else if (members && !accept(s, begin, end, &b, 0, n))
        return false;
    size_t room = list_room(s);
    if (n[0] < 0) return false;
    for (int g = first; g < last; g++) {
        w->memory->begin[g] = (uint32_t)(s->out_used / 4); /* within the piece */
        if (!write_list(s, s->accepted + (size_t)(g - first) * room, n[g - first])) return false;
    }
    return true;
}

/* Lists are built beside, then copied to wherever there is room: what they hold does not depend on where. */
static void hand_over(const searcher *s, int first, int last)
{
    building *w = s->b;
    uint64_t at = atomic_fetch_add(&w->used, s->out_used);
    if (at + s->out_used > w->memory->capacity) return; /* counted; to be built again with more memory */
    memcpy(w->memory->entries + at, s->out, s->out_used * sizeof *s->out);
    for (int g = first; g < last; g++) w->memory->begin[g] += (uint32_t)(at / 4);
}

static void build_piece(int begin, int end, void *context)
{
    building *w = context;
    int32_t accepted[ACCEPTED], split[SPLIT];
    uint16_t out[PIECE_ENTRIES];
    searcher s = {.b = w,
                  .accepted = accepted,
                  .accepted_room = ACCEPTED,
                  .split = split,
                  .split_room = SPLIT,
                  .out = out,
                  .out_room = PIECE_ENTRIES};
    s.set[0].count = s.set[1].count = -1;
    int groups = (w->count + 3) / 4;
    for (int piece = begin; piece < end; piece++) {
        int first = piece * (PIECE / 4), last = first + PIECE / 4 < groups ? first + PIECE / 4 : groups;
        s.out_used = 0;
        bool is_done = true;
        for (int g = first; is_done && g < last; g += SEARCHED)
            is_done = build_groups(&s, g, g + SEARCHED < last ? g + SEARCHED : last);
        if (is_done)
            hand_over(&s, first, last);
        else
            atomic_store(&w->is_out_of_memory, true);
    }
    free(s.accepted_memory);
    free(s.split_memory);
    free(s.out_memory);
}

void lists_destroy(list_memory *memory)
{
    aligned_release(memory->entries);
    aligned_release(memory->begin);
}

dew_result lists_reserve(list_memory *memory, size_t entries)
{
    return buffer_reserve(&memory->entries, &memory->capacity, entries, 0, sizeof *memory->entries, "neighbour lists");
}

dew_result lists_build(list_memory *memory, const list_source source[2], double reach, int dummy)
{
    building w = {.memory = memory, .source = source, .reach = (real)reach, .dummy = dummy};
    w.count = source[0].cells->end - source[0].cells->begin;
    int pieces = (w.count + PIECE - 1) / PIECE;
    size_t groups = (size_t)(w.count + 3) / 4;
    RESULT_TRY(buffer_reserve(&memory->begin, &memory->groups, groups, 0, sizeof *memory->begin, "neighbour lists"));
    for (;;) {
        atomic_store(&w.used, 0);
        parallel_for(pieces, 1, build_piece, &w);
        uint64_t used = memory->used = atomic_load(&w.used);
        if (!atomic_load(&w.is_out_of_memory) && used <= memory->capacity) return DEW_OK;
        if (atomic_load(&w.is_out_of_memory))
            return result_fail(DEW_NO_MEMORY, "no memory for the neighbour lists of %d particles", w.count);
        RESULT_TRY(lists_reserve(memory, used));
    }
}
