/* Two consecutive groups are searched for together: the columns within reach of theirs give ranges of slots, whose
 * places are copied side by side, relative to the box's centre c, with s = |x - c|^2 beside them. Member i accepts x if
 * |x - i|^2 < reach^2, that is 2 (x - c).(i - c) + reach^2 - |i - c|^2 > s: three multiply-adds. */
#include "particles/lists.h"

#include <float.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

enum {
    SEARCHED = 2,      /* groups searched for together */
    PIECE = 128,       /* particles in a piece of parallel work */
    COLUMNS = 256,     /* within reach of a box; boxes are limited so that there are never more */
    WIDEST = 5,        /* columns (and reaches) that a box may span */
    CANDIDATES = 4096, /* on the stack */
    PIECE_ENTRIES = 1 << 14,
    WINDOW = 65534, /* slots that a part may span: members and dummy keep within 16 bits */
};

#ifdef DEW_REAL_DOUBLE
#define REAL_EPSILON DBL_EPSILON
#else
#define REAL_EPSILON FLT_EPSILON
#endif

/* Columns within reach of a box across, kept as long as the box stays the same. */
typedef struct column_set {
    int count;
    real height[COLUMNS]; /* how far along the column the reach goes */
    int first[COLUMNS], levels[COLUMNS], table[COLUMNS], shift[COLUMNS];
    bool is_turned[COLUMNS]; /* levels run downwards */
    real low[2], high[2];
} column_set;

typedef struct box {
    real low[3], high[3], centre[3];
} box;

/* Places side by side; grows. */
typedef struct candidates {
    int count, capacity;
    int32_t *slot; /* one block: slot, x, y, z, s */
    real *x, *y, *z, *s;
    void *owned; /* the block, if not on the stack */
} candidates;

typedef struct building {
    list_memory *memory;
    const list_source *source;
    real reach;
    int count, dummy;
    _Atomic uint64_t used; /* entries */
    atomic_int longest;
    atomic_bool is_out_of_memory;
} building;

typedef struct searcher {
    building *b;
    column_set set[2];
    candidates c;
    int32_t *accepted; /* capacity of c, + LANES, times four for groups taken apart */
    uint16_t *out;     /* lists of this piece */
    size_t used, room;
    void *owned_out;
} searcher;

/* --- ranges of slots near a box --- */

static void find_columns(const cells *c, const box *b, real reach, column_set *set)
{
    real low[2], high[2], slack = reach * (real)1e-3;
    for (int a = 0; a < 2; a++) {
        low[a] = b->low[c->axis[a]], high[a] = b->high[c->axis[a]];
        slack = fmax(slack, 4 * REAL_EPSILON * fmax(fabs(low[a]), fabs(high[a])));
    }
    if (set->count >= 0 && low[0] == set->low[0] && low[1] == set->low[1] && high[0] == set->high[0] &&
        high[1] == set->high[1])
        return;
    for (int a = 0; a < 2; a++) set->low[a] = low[a], set->high[a] = high[a];
    set->count = 0;
    reach += slack;
    int first[2], last[2], places = c->bin[0].bins;
    for (int a = 0; a < 2; a++) {
        first[a] = bins_rank(&c->bin[a], bins_raw(&c->bin[a], low[a] - reach));
        last[a] = bins_rank(&c->bin[a], bins_raw(&c->bin[a], high[a] + reach) + 1) - 1;
    }
    for (int row = first[1]; row <= last[1]; row++) {
        int from = row & 1 ? places - 1 - last[0] : first[0], to = row & 1 ? places - 1 - first[0] : last[0];
        int k = c->row_begin[row], end = c->row_begin[row + 1], step = end - k;
        while (step > 0) { /* the first column at or behind `from` */
            int half = step / 2;
            if (c->columns[k + half].place < from)
                k += half + 1, step -= half + 1;
            else
                step = half;
        }
        for (; k < end && c->columns[k].place <= to && set->count < COLUMNS; k++) {
            const column *col = &c->columns[k];
            real gap2 = 0;
            for (int a = 0; a < 2; a++) {
                /* The outermost bins hold whatever lies beyond them. */
                real raw = (col->low[a] - c->bin[a].origin) * c->bin[a].inverse + (real)0.5;
                real below = raw < 1 ? 0 : col->low[a] - high[a];
                real above = raw > c->bin[a].last ? 0 : low[a] - col->low[a] - c->width;
                real gap = fmax(fmax(below, above), (real)0);
                gap2 += gap * gap;
            }
            if (!(gap2 < reach * reach)) continue;
            int n = set->count++;
            set->height[n] = sqrt(reach * reach - gap2) + slack;
            set->first[n] = col->first, set->levels[n] = col->levels;
            set->table[n] = col->table, set->shift[n] = col->shift;
            set->is_turned[n] = ((uint64_t)row * (uint64_t)places + (uint64_t)col->place) & 1;
        }
    }
}

typedef struct slot_range {
    int begin, end;
} slot_range;

/* Ranges ascend; those that touch are one. Returns how many; *total counts slots. */
static int find_ranges(const cells *c, const column_set *set, real low, real high, slot_range *ranges, int *total)
{
    int begin[COLUMNS], end[COLUMNS], top = c->bin[2].bins - 1;
    const axis_bins *bin = &c->bin[2];
    bool is_sparse = bin->occupied;
    for (int k = 0; k < set->count; k++) {
        int a = bins_raw(bin, low - set->height[k]), b = bins_raw(bin, high + set->height[k]);
        if (is_sparse) a = bins_rank(bin, a), b = bins_rank(bin, b + 1) - 1;
        int from = set->is_turned[k] ? top - b : a, to = set->is_turned[k] ? top - a : b;
        from -= set->first[k], to -= set->first[k];
        bool is_empty = from >= set->levels[k] || to < 0 || to < from;
        from = from > 0 ? from : 0;
        to = to < set->levels[k] - 1 ? to : set->levels[k] - 1;
        from = is_empty ? 0 : from >> set->shift[k];
        to = is_empty ? -1 : to >> set->shift[k];
        begin[k] = c->table[set->table[k] + from];
        end[k] = c->table[set->table[k] + to + 1];
    }
    int count = 0, sum = 0;
    for (int k = 0; k < set->count; k++) {
        if (begin[k] == end[k]) continue;
        sum += end[k] - begin[k];
        if (count && ranges[count - 1].end == begin[k])
            ranges[count - 1].end = end[k];
        else
            ranges[count++] = (slot_range){begin[k], end[k]};
    }
    *total += sum;
    return count;
}

/* --- candidates --- */

static size_t candidate_bytes(int capacity)
{
    return (size_t)(capacity + LANES) * (5 * sizeof(int32_t) + 4 * sizeof(real)) + 5 * 64;
}

/* Carves a block into arrays of capacity + LANES. */
static void carve(searcher *s, char *block, int capacity)
{
    candidates *c = &s->c;
    size_t room = (size_t)(capacity + LANES);
    c->capacity = capacity;
    real *reals = (real *)block;
    c->x = reals, c->y = reals + room, c->z = reals + 2 * room, c->s = reals + 3 * room;
    c->slot = (int32_t *)(reals + 4 * room);
    s->accepted = c->slot + room;
}

static bool reserve_candidates(searcher *s, int needed)
{
    if (needed <= s->c.capacity) return true;
    char *block = malloc(candidate_bytes(2 * needed));
    if (!block) return false;
    free(s->c.owned);
    s->c.owned = block;
    carve(s, block, 2 * needed);
    return true;
}

static void copy_ranges(candidates *c, const list_source *source, const slot_range *ranges, int count,
                        const real *centre)
{
    int at = c->count, base = source->cells->begin;
    vreal cx = vset(centre[0]), cy = vset(centre[1]), cz = vset(centre[2]);
    for (int r = 0; r < count; r++) {
        int begin = ranges[r].begin - base, end = ranges[r].end - base;
        for (int k = begin; k < end; k += LANES) {
            int to = at + k - begin;
            vreal x = vload(source->xyz[0] + k) - cx, y = vload(source->xyz[1] + k) - cy,
                  z = vload(source->xyz[2] + k) - cz;
            vstore(c->x + to, x);
            vstore(c->y + to, y);
            vstore(c->z + to, z);
            vstore(c->s + to, x * x + y * y + z * z);
            for (int l = 0; l < LANES; l++) c->slot[to + l] = base + k + l;
        }
        at += end - begin;
    }
    c->count = at;
}

static bool collect(searcher *s, const box *b)
{
    const building *w = s->b;
    slot_range ranges[2][COLUMNS];
    int counts[2] = {0, 0}, total = 0;
    for (int k = 0; k < 2; k++) {
        const cells *c = w->source[k].cells;
        if (c->begin == c->end) continue;
        find_columns(c, b, w->reach, &s->set[k]);
        counts[k] = find_ranges(c, &s->set[k], b->low[c->axis[2]], b->high[c->axis[2]], ranges[k], &total);
    }
    if (!reserve_candidates(s, total)) return false;
    s->c.count = 0;
    for (int k = 0; k < 2; k++) copy_ranges(&s->c, &w->source[k], ranges[k], counts[k], b->centre);
    for (int k = s->c.count; k < s->c.count + LANES; k++) s->c.s[k] = INFINITY;
    return true;
}

/* --- one group --- */

static real place_of(const list_source *source, int slot, int axis) { return source->xyz[axis][slot]; }

static bool is_a_place(const list_source *source, int slot)
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(place_of(source, slot, a)) < PARTICLE_FAR / 2)) return false;
    return true;
}

/* The box of owned slots [begin, end), widened across to whole columns; false when it is too wide to be searched as one
 * (particles of different drops). *members: how many of them have a place. */
static bool box_of(const building *w, int begin, int end, box *b, int *members)
{
    const list_source *source = &w->source[0];
    const cells *c = source->cells;
    *members = 0;
    for (int slot = begin; slot < end; slot++) {
        if (!is_a_place(source, slot)) continue;
        for (int a = 0; a < 3; a++) {
            real x = place_of(source, slot, a);
            b->low[a] = *members && b->low[a] < x ? b->low[a] : x;
            b->high[a] = *members && b->high[a] > x ? b->high[a] : x;
        }
        ++*members;
    }
    if (!*members) return true;
    for (int a = 0; a < 3; a++) b->centre[a] = (b->low[a] + b->high[a]) / 2;
    for (int k = 0; k < 2; k++) {
        int a = c->axis[k];
        real first = floor((b->low[a] - c->bin[k].origin) * c->bin[k].inverse);
        real last = floor((b->high[a] - c->bin[k].origin) * c->bin[k].inverse);
        if (*members > 1 && last - first >= WIDEST) return false;
        /* Rounding must not leave a member outside. */
        b->low[a] = fmin(b->low[a], c->bin[k].origin + first * c->width);
        b->high[a] = fmax(b->high[a], c->bin[k].origin + (last + 1) * c->width);
    }
    int along = c->axis[2];
    return *members == 1 || b->high[along] - b->low[along] < WIDEST * w->reach;
}

/* Slots of the candidates within reach of any of [begin, end), at most four, in order. */
static int accept(searcher *s, int begin, int end, const real centre[3], int32_t *accepted)
{
    const list_source *source = &s->b->source[0];
    const candidates *c = &s->c;
    vreal x[4], y[4], z[4], k[4];
    real reach2 = s->b->reach * s->b->reach * (real)(1 + 1e-5);
    for (int i = 0; i < 4; i++) {
        int slot = begin + i;
        x[i] = y[i] = z[i] = vset(0), k[i] = vset(-INFINITY);
        if (slot >= end || !is_a_place(source, slot)) continue;
        real dx = place_of(source, slot, 0) - centre[0], dy = place_of(source, slot, 1) - centre[1],
             dz = place_of(source, slot, 2) - centre[2];
        x[i] = vset(2 * dx), y[i] = vset(2 * dy), z[i] = vset(2 * dz);
        k[i] = vset(reach2 - (dx * dx + dy * dy + dz * dz));
    }
    int n = 0;
    for (int j = 0; j < c->count; j += LANES) {
        vreal jx = vload(c->x + j), jy = vload(c->y + j), jz = vload(c->z + j);
        vreal best =
            vmax(vmax(jx * x[0] + (jy * y[0] + (jz * z[0] + k[0])), jx * x[1] + (jy * y[1] + (jz * z[1] + k[1]))),
                 vmax(jx * x[2] + (jy * y[2] + (jz * z[2] + k[2])), jx * x[3] + (jy * y[3] + (jz * z[3] + k[3]))));
        n += vcompress(accepted + n, c->slot + j, vless(vload(c->s + j), best));
    }
    return n;
}

static int compare_slots(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* A group whose members are far from each other: one by one, then each slot once. */
static int accept_apart(searcher *s, int begin, int end, int32_t **list)
{
    int n = 0;
    int32_t *all = NULL;
    for (int slot = begin; slot < end; slot++) {
        box b;
        int members;
        box_of(s->b, slot, slot + 1, &b, &members);
        if (!members) continue;
        int32_t *more = collect(s, &b) ? realloc(all, (size_t)(n + s->c.count + LANES) * sizeof *all) : NULL;
        if (!more) {
            free(all);
            return -1;
        }
        all = more;
        n += accept(s, slot, slot + 1, b.centre, all + n);
    }
    if (n) qsort(all, (size_t)n, sizeof *all, compare_slots);
    int kept = 0;
    for (int k = 0; k < n; k++)
        if (!k || all[k] != all[k - 1]) all[kept++] = all[k];
    *list = all;
    return kept;
}

/* --- lists in memory --- */

static bool reserve_out(searcher *s, size_t more)
{
    if (s->used + more <= s->room) return true;
    size_t room = 2 * (s->used + more);
    uint16_t *out = malloc(room * sizeof *out);
    if (!out) return false;
    memcpy(out, s->out, s->used * sizeof *out);
    free(s->owned_out);
    s->owned_out = s->out = out;
    s->room = room;
    return true;
}

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
        if (!reserve_out(s, (size_t)n + PART_HEADER + 4)) return false;
        int length = n ? part_length(list, n) : 0, quads = (length + 3) / 4, base = n ? list[0] : 0;
        if (quads > UINT16_MAX) quads = UINT16_MAX, length = 4 * UINT16_MAX;
        uint16_t *out = s->out + s->used;
        out[0] = (uint16_t)base, out[1] = (uint16_t)((uint32_t)base >> 16);
        out[2] = (uint16_t)quads, out[3] = length < n;
        out += PART_HEADER;
        for (int k = 0; k < length; k++) out[k] = (uint16_t)(list[k] - base);
        if (length % 4) {
            int filler = s->b->dummy - base <= WINDOW + 1 ? s->b->dummy : list[length - 1] + 1;
            for (int k = length; k < 4 * quads; k++) out[k] = (uint16_t)(filler - base);
        }
        s->used += (size_t)(PART_HEADER + 4 * quads);
        list += length, n -= length;
    } while (n > 0);
    return true;
}

static bool build_group(searcher *s, int group, const real *centre)
{
    int begin = 4 * group, end = begin + 4 < s->b->count ? begin + 4 : s->b->count, n;
    s->b->memory->begin[group] = (uint32_t)(s->used / 4); /* within the piece */
    int32_t *apart = NULL;
    if (centre) {
        n = accept(s, begin, end, centre, s->accepted);
    } else {
        n = accept_apart(s, begin, end, &apart);
        if (n < 0) return false;
    }
    size_t before = s->used;
    bool is_done = write_list(s, apart ? apart : s->accepted, n);
    free(apart);
    int length = (int)(s->used - before), longest = atomic_load_explicit(&s->b->longest, memory_order_relaxed);
    while (length > longest && !atomic_compare_exchange_weak(&s->b->longest, &longest, length)) {}
    return is_done;
}

/* Groups [first, last), together if they are close enough to each other. */
static bool build_groups(searcher *s, int first, int last)
{
    int end = 4 * last < s->b->count ? 4 * last : s->b->count, members;
    box b = {0};
    bool is_close = box_of(s->b, 4 * first, end, &b, &members);
    if (!is_close && last - first > 1) {
        for (int g = first; g < last; g++)
            if (!build_groups(s, g, g + 1)) return false;
        return true;
    }
    s->c.count = 0;
    if (is_close && members && !collect(s, &b)) return false;
    for (int g = first; g < last; g++)
        if (!build_group(s, g, is_close ? b.centre : NULL)) return false;
    return true;
}

/* Lists are built beside, then copied to wherever there is room: what they hold does not depend on where. */
static bool hand_over(searcher *s, int first, int last)
{
    building *w = s->b;
    uint64_t at = atomic_fetch_add(&w->used, s->used);
    if (at + s->used > w->memory->capacity) return true; /* counted; to be built again with more memory */
    memcpy(w->memory->entries + at, s->out, s->used * sizeof *s->out);
    for (int g = first; g < last; g++) w->memory->begin[g] += (uint32_t)(at / 4);
    return true;
}

static void build_piece(int begin, int end, void *context)
{
    building *w = context;
    _Alignas(64) char block[(CANDIDATES + LANES) * (5 * sizeof(int32_t) + 4 * sizeof(real)) + 5 * 64];
    uint16_t out[PIECE_ENTRIES];
    searcher s = {.b = w, .out = out, .room = PIECE_ENTRIES};
    s.set[0].count = s.set[1].count = -1;
    carve(&s, block, CANDIDATES);
    int groups = (w->count + 3) / 4;
    for (int piece = begin; piece < end; piece++) {
        int first = piece * (PIECE / 4), last = first + PIECE / 4 < groups ? first + PIECE / 4 : groups;
        s.used = 0;
        bool is_done = true;
        for (int g = first; is_done && g < last; g += SEARCHED)
            is_done = build_groups(&s, g, g + SEARCHED < last ? g + SEARCHED : last);
        if (!is_done || !hand_over(&s, first, last)) atomic_store(&w->is_out_of_memory, true);
    }
    free(s.c.owned);
    free(s.owned_out);
}

dew_result lists_build(list_memory *memory, const list_source source[2], double reach, int dummy)
{
    building w = {.memory = memory, .source = source, .reach = (real)reach, .dummy = dummy};
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
