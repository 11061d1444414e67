/* Consecutive groups are searched for together: what is near the box of all gives the candidates, relative to the box's
 * centre c, with s = |x - c|^2 beside them. Member i accepts x if |x - i|^2 < reach^2, that is
 * 2 (x - c).(i - c) + reach^2 - |i - c|^2 > s: three multiply-adds. Where particles have allowances a of their own,
 * reach is r + a_j with r = cutoff + a_i, and the test 2 (x - c).(i - c) + 2 r a_j + r^2 - |i - c|^2 > s - a_j^2. */
#include "particles/lists.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

enum {
    SEARCHED = 4,      /* groups searched for together */
    PIECE = 128,       /* particles in a piece of parallel work */
    CANDIDATES = 4096, /* on the stack */
    PIECE_ENTRIES = 1 << 14,
    WINDOW = 65534, /* slots that a part may span: members and dummy keep within 16 bits */
};

typedef struct building {
    list_memory *memory;
    const list_source *source;
    real cutoff, reach; /* the most of any pair */
    int count, dummy;
    _Atomic uint64_t used; /* entries */
    atomic_int longest;
    atomic_bool is_out_of_memory;
} building;

typedef struct searcher {
    building *b;
    column_set set[2];
    candidates c;
    int32_t *accepted; /* slots of one group's list */
    size_t accepted_room;
    uint16_t *out; /* lists of this piece */
    size_t out_used, out_room;
    void *accepted_memory, *out_memory; /* NULL while what is on the stack is large enough */
} searcher;

/* --- one group --- */

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

static bool reserve_accepted(searcher *s, int used)
{
    return grow(&s->accepted, &s->accepted_memory, &s->accepted_room, (size_t)used, (size_t)(used + s->c.count + LANES),
                sizeof *s->accepted);
}

/* Slots of the candidates within reach of any of [begin, end), at most four, in order; returns how many. */
static inline int accept_with(const building *w, const candidates *c, int begin, int end, const real centre[3],
                              int32_t *restrict accepted, bool varies)
{
    const list_source *source = &w->source[0];
    vreal x[4], y[4], z[4], k[4], twice[4];
    for (int i = 0; i < 4; i++) {
        int slot = begin + i;
        x[i] = y[i] = z[i] = twice[i] = vset(0), k[i] = vset(-INFINITY);
        if (slot >= end || !has_place(source, slot)) continue;
        real dx = place_of(source, slot, 0) - centre[0], dy = place_of(source, slot, 1) - centre[1],
             dz = place_of(source, slot, 2) - centre[2];
        x[i] = vset(2 * dx), y[i] = vset(2 * dy), z[i] = vset(2 * dz);
        real reach = varies ? w->cutoff + source->allowance[slot] : w->reach;
        k[i] = vset(reach * reach * (real)(1 + 1e-5) - (dx * dx + dy * dy + dz * dz));
        twice[i] = vset(2 * reach);
    }
    const real *cx = c->x, *cy = c->y, *cz = c->z, *cs = c->s, *ca = c->a;
    const int32_t *slots = c->slot;
    int n = 0, count = c->count;
    for (int j = 0; j < count; j += LANES) {
        vreal jx = vkeep(vload(cx + j)), jy = vkeep(vload(cy + j)), jz = vkeep(vload(cz + j));
        vreal best = vset(-INFINITY);
        if (varies) {
            vreal ja = vkeep(vload(ca + j));
            for (int i = 0; i < 4; i++)
                best = vmax(best, jx * x[i] + (jy * y[i] + (jz * z[i] + (ja * twice[i] + k[i]))));
        } else {
            for (int i = 0; i < 4; i++) best = vmax(best, jx * x[i] + (jy * y[i] + (jz * z[i] + k[i])));
        }
        n += vcompress(accepted + n, slots + j, vless(vload(cs + j), best));
    }
    return n;
}

static int accept(const building *w, const candidates *c, int begin, int end, const real centre[3],
                  int32_t *restrict accepted)
{
    return w->source[0].allowance ? accept_with(w, c, begin, end, centre, accepted, true)
                                  : accept_with(w, c, begin, end, centre, accepted, false);
}

static int compare_slots(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* A group whose members are far from each other: one by one, then each slot once. Returns -1 without memory. */
static int accept_apart(searcher *s, int begin, int end)
{
    const building *w = s->b;
    int n = 0;
    for (int slot = begin; slot < end; slot++) {
        box b;
        int members;
        nearby_box(&w->source[0], slot, slot + 1, w->reach, &b, &members);
        if (!members) continue;
        if (!nearby_collect(w->source, &b, w->reach, s->set, &s->c) || !reserve_accepted(s, n)) return -1;
        n += accept(w, &s->c, slot, slot + 1, b.centre, s->accepted + n);
    }
    if (n) qsort(s->accepted, (size_t)n, sizeof *s->accepted, compare_slots);
    int kept = 0;
    for (int k = 0; k < n; k++)
        if (!k || s->accepted[k] != s->accepted[k - 1]) s->accepted[kept++] = s->accepted[k];
    return kept;
}

/* --- lists in memory --- */

/* Where the part that starts with list[0] ends. All but the last part must be followed by a free slot (which fills it
 * up) or hold a multiple of four. */
static int part_length(const int32_t *list, int n)
{
    int length = 1;
    if (list[n - 1] - list[0] <= WINDOW) return n;
    while (length < n && list[length] - list[0] <= WINDOW) length++;
    while (length < n && length % 4 && list[length] == list[length - 1] + 1) length--;
    return length;
}

/* Any slot that is not in the list is beyond its reach, so the one behind the last member can stand for the dummy. */
static bool write_list(searcher *s, const int32_t *list, int n)
{
    do {
        size_t needed = s->out_used + (size_t)n + PART_HEADER + 4;
        if (!grow(&s->out, &s->out_memory, &s->out_room, s->out_used, needed, sizeof *s->out)) return false;
        int length = n ? part_length(list, n) : 0, quads = (length + 3) / 4, base = n ? list[0] : 0;
        uint16_t *out = s->out + s->out_used;
        out[0] = (uint16_t)base, out[1] = (uint16_t)((uint32_t)base >> 16);
        out[2] = (uint16_t)quads, out[3] = length < n;
        out += PART_HEADER;
        for (int k = 0; k < length; k++) out[k] = (uint16_t)(list[k] - base);
        if (length % 4) {
            int filler = s->b->dummy - base <= WINDOW + 1 ? s->b->dummy : list[length - 1] + 1;
            for (int k = length; k < 4 * quads; k++) out[k] = (uint16_t)(filler - base);
        }
        s->out_used += (size_t)(PART_HEADER + 4 * quads);
        list += length, n -= length;
    } while (n > 0);
    return true;
}

static bool build_group(searcher *s, int group, const real *centre)
{
    int begin = 4 * group, end = begin + 4 < s->b->count ? begin + 4 : s->b->count, n;
    s->b->memory->begin[group] = (uint32_t)(s->out_used / 4); /* within the piece */
    if (centre)
        n = accept(s->b, &s->c, begin, end, centre, s->accepted);
    else
        n = accept_apart(s, begin, end);
    if (n < 0) return false;
    size_t before = s->out_used;
    bool is_done = write_list(s, s->accepted, n);
    int length = (int)(s->out_used - before), longest = atomic_load_explicit(&s->b->longest, memory_order_relaxed);
    while (length > longest && !atomic_compare_exchange_weak(&s->b->longest, &longest, length)) {}
    return is_done;
}

/* Groups [first, last), together if they are close enough to each other. */
static bool build_groups(searcher *s, int first, int last)
{
    const building *w = s->b;
    int end = 4 * last < w->count ? 4 * last : w->count, members;
    box b = {0};
    bool is_close = nearby_box(&w->source[0], 4 * first, end, w->reach, &b, &members);
    if (!is_close && last - first > 1) {
        for (int g = first; g < last; g++)
            if (!build_groups(s, g, g + 1)) return false;
        return true;
    }
    s->c.count = 0;
    if (is_close && members && !nearby_collect(w->source, &b, w->reach, s->set, &s->c)) return false;
    if (!reserve_accepted(s, 0)) return false;
    for (int g = first; g < last; g++)
        if (!build_group(s, g, is_close ? b.centre : NULL)) return false;
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
    _Alignas(64) char places[CANDIDATE_BYTES(CANDIDATES)];
    int32_t accepted[CANDIDATES];
    uint16_t out[PIECE_ENTRIES];
    searcher s = {.b = w, .accepted = accepted, .accepted_room = CANDIDATES, .out = out, .out_room = PIECE_ENTRIES};
    s.set[0].count = s.set[1].count = -1;
    candidates_lay(&s.c, places, CANDIDATES);
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
    candidates_release(&s.c);
    free(s.accepted_memory);
    free(s.out_memory);
}

dew_result lists_build(list_memory *memory, const list_source source[2], double cutoff, double reach, int dummy)
{
    building w = {.memory = memory, .source = source, .cutoff = (real)cutoff, .reach = (real)reach, .dummy = dummy};
    w.count = source[0].cells->end - source[0].cells->begin;
    int pieces = (w.count + PIECE - 1) / PIECE;
    for (;;) {
        atomic_store(&w.used, 0);
        parallel_for(pieces, 1, build_piece, &w);
        uint64_t used = atomic_load(&w.used);
        memory->longest = atomic_load(&w.longest);
        if (!atomic_load(&w.is_out_of_memory) && used <= memory->capacity) return DEW_OK;
        free(memory->entries);
        memory->capacity = used + used / 16 + 4;
        memory->entries = malloc(memory->capacity * sizeof *memory->entries);
        if (!memory->entries || atomic_load(&w.is_out_of_memory)) {
            free(memory->entries);
            memory->entries = NULL, memory->capacity = 0;
            return result_fail(DEW_NO_MEMORY, "no memory for the neighbour lists of %d particles (%.0f MB)", w.count,
                               (double)used * sizeof(uint16_t) / 1e6);
        }
    }
}
