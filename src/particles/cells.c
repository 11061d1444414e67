#include "particles/cells.h"

#include "base/arena.h"
#include "base/parallel.h"

#include <string.h>

enum {
    GRAIN = 4096,
    SAMPLES = 31,        /* particles that tell where most of the liquid is */
    DENSE_BINS = 1024,   /* up to here an axis is not worth compacting */
    MOST_BINS = 1 << 21, /* beyond, around the samples' median, everything shares the outermost bins */
    LEVELS_IN_REACH = 8, /* a column's levels are finer than columns are wide */
    MAX_CHUNKS = 64,
    DIGIT_BITS = 11,
    STRIP = 16, /* columns */
};

static const char sorting[] = "sorting particles";

typedef struct sort_item {
    uint32_t key, slot;
} sort_item;

/* Sorting cuts particles into chunks that are counted at once. */
static int most_chunks(int count) { return count / GRAIN + 1 < MAX_CHUNKS ? count / GRAIN + 1 : MAX_CHUNKS; }

/* Holds items twice, and where each chunk puts what has each digit. */
size_t cells_scratch(int count)
{
    return 2 * (size_t)count * sizeof(sort_item) + ((size_t)most_chunks(count) << DIGIT_BITS) * sizeof(int32_t);
}

void cells_destroy(cells *c)
{
    for (int a = 0; a < 3; a++) aligned_release(c->bin[a].occupied), aligned_release(c->bin[a].before);
    aligned_release(c->columns);
    aligned_release(c->row_begin);
    aligned_release(c->table);
    aligned_release(c->chunk_columns);
    memset(c, 0, sizeof *c);
}

size_t cells_bytes(const cells *c)
{
    size_t bytes =
        c->column_room * sizeof *c->columns + (c->row_room + c->table_room + c->chunk_room) * sizeof(int32_t);
    for (int a = 0; a < 3; a++) bytes += c->bin[a].words * sizeof(uint64_t) + c->bin[a].before_room * sizeof(int32_t);
    return bytes;
}

/* --- the grid --- */

typedef struct extent {
    real low, high; /* of all particles */
    real middle;    /* median of the samples */
    real spread;    /* most of the samples lie within */
    real sample[SAMPLES];
} extent;

static bool is_a_place(real x) { return fabs(x) < PARTICLE_FAR / 2; }

static void search_extents(int begin, int end, void *context, double *maxima)
{
    const real4 *x = context;
    real low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = begin; k < end; k++) /* comparisons in this order let NaN pass unseen */
        for (int a = 0; a < 3; a++) {
            real v = (&x[k].x)[a];
            low[a] = v < low[a] ? v : low[a];
            high[a] = v > high[a] ? v : high[a];
        }
    for (int a = 0; a < 3; a++) {
        maxima[a] = fmax(maxima[a], (double)high[a]);
        maxima[3 + a] = fmax(maxima[3 + a], (double)-low[a]);
    }
}

static void sample(const real4 *position, int count, int axis, extent *e)
{
    int n = 0;
    for (int s = 0; s < SAMPLES; s++) {
        real v = (&position[(int64_t)s * (count - 1) / (SAMPLES - 1)].x)[axis];
        if (!is_a_place(v)) continue;
        int at = n++;
        for (; at > 0 && e->sample[at - 1] > v; at--) e->sample[at] = e->sample[at - 1];
        e->sample[at] = v;
    }
    e->middle = n ? e->sample[n / 2] : 0;
    e->spread = n ? e->sample[n - 1 - n / 8] - e->sample[n / 8] : 0;
}

/* Columns stand along z unless the liquid is flat; rows run along the shorter of the other axes, so that what is close
 * in space is close in memory. */
static void choose_axes(cells *c, const extent *e)
{
    int along = 2;
    for (int a = 0; a < 2; a++)
        if (e[a].spread > 2 * e[along].spread) along = a;
    int across = (along + 1) % 3, rows = (along + 2) % 3;
    if (e[across].spread > e[rows].spread) {
        int swap = across;
        across = rows, rows = swap;
    }
    c->axis[0] = across, c->axis[1] = rows, c->axis[2] = along;
}

typedef struct marking {
    axis_bins *bins;
    const real4 *position;
    int axis;
} marking;

/* Atomic, since threads share words; the order does not matter to a bit. */
static void mark_occupied(int begin, int end, void *context)
{
    const marking *m = context;
    for (int k = begin; k < end; k++) {
        int bin = bins_raw(m->bins, (&m->position[k].x)[m->axis]);
        uint64_t *word = &m->bins->occupied[bin >> 6], bit = (uint64_t)1 << (bin & 63);
        if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit)) __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    }
}

static dew_result compact_bins(axis_bins *b, const real4 *position, int count, int axis, int raw)
{
    int words = raw / 64 + 1; /* one bit more than bins: rank(raw) is asked too */
    RESULT_TRY(buffer_reserve(&b->occupied, &b->words, (size_t)words, 0, sizeof *b->occupied, sorting));
    RESULT_TRY(buffer_reserve(&b->before, &b->before_room, (size_t)words, 0, sizeof *b->before, sorting));
    memset(b->occupied, 0, (size_t)words * sizeof *b->occupied);
    parallel_for(count, GRAIN, mark_occupied, &(marking){b, position, axis});
    b->bins = 0;
    for (int w = 0; w < words; w++) {
        b->before[w] = b->bins;
        b->bins += __builtin_popcountll(b->occupied[w]);
    }
    return DEW_OK;
}

static dew_result lay_bins(axis_bins *b, const real4 *position, int count, int axis, const extent *e, real width)
{
    real low = e->low, high = e->high, half = width * (MOST_BINS / 2);
    if (!(low > e->middle - half)) low = e->middle - half; /* infinite too */
    if (!(high < e->middle + half)) high = e->middle + half;
    if (!(low <= high)) low = high = 0;
    int raw = (int)((high - low) / width) + 1;
    b->origin = low, b->inverse = 1 / width, b->last = (real)(raw - 1), b->bins = raw;
    b->is_sparse = raw > DENSE_BINS;
    return b->is_sparse ? compact_bins(b, position, count, axis, raw) : DEW_OK;
}

static dew_result lay_grid(cells *c, const real4 *position, int count, double reach)
{
    extent e[3];
    double maxima[6];
    parallel_max(count, 6, search_extents, (void *)position, maxima);
    for (int a = 0; a < 3; a++) {
        e[a].high = (real)maxima[a], e[a].low = (real)-maxima[3 + a];
        sample(position, count, a, &e[a]);
    }
    choose_axes(c, e);
    c->width = (real)(reach / 2);
    real widths[3] = {c->width, c->width, (real)(reach / LEVELS_IN_REACH)};
    for (int a = 0; a < 3; a++)
        RESULT_TRY(lay_bins(&c->bin[a], position, count, c->axis[a], &e[c->axis[a]], widths[a]));
    c->level_bits = 0;
    while ((c->bin[2].bins - 1) >> c->level_bits) c->level_bits++;
    int64_t strips = (c->bin[0].bins + STRIP - 1) / STRIP;
    bool has_strips = strips * c->bin[1].bins <= 4 * (int64_t)count + 4 * DENSE_BINS; /* no table of empty rows */
    c->strip = has_strips ? STRIP : c->bin[0].bins;
    c->row_count = (int)(has_strips ? strips : 1) * c->bin[1].bins;
    return DEW_OK;
}

/* Column number (in storage order, over all rows) above the level within it. */
static inline uint64_t cell_key(const cells *c, const real *x)
{
    int across = bins_rank(&c->bin[0], bins_raw(&c->bin[0], x[c->axis[0]]));
    int row = bins_rank(&c->bin[1], bins_raw(&c->bin[1], x[c->axis[1]]));
    int level = bins_rank(&c->bin[2], bins_raw(&c->bin[2], x[c->axis[2]]));
    int strip = c->strip == STRIP ? across / STRIP : 0;
    row = cells_row(c, strip, row);
    uint64_t number = (uint64_t)row * (uint64_t)c->strip + (uint64_t)cells_place(c, row, across - strip * c->strip);
    if (number & 1) level = c->bin[2].bins - 1 - level;
    return number << c->level_bits | (uint64_t)level;
}

/* --- sorting: by digits, from the last one on --- */

typedef struct radix {
    const cells *c;
    const real4 *position; /* of the first particle to sort */
    sort_item *from, *to;
    int count, chunks, shift, bits;
    int word;        /* which 32 bits of the keys */
    int32_t *places; /* per chunk and digit */
    int32_t *order;
} radix;

static int chunk_begin(const radix *r, int chunk) { return (int)((int64_t)r->count * chunk / r->chunks); }

static void fill_keys(int begin, int end, void *context)
{
    radix *r = context;
    for (int k = begin; k < end; k++) {
        uint32_t slot = r->word ? r->from[k].slot : (uint32_t)k;
        uint64_t key = cell_key(r->c, &r->position[slot].x);
        r->from[k] = (sort_item){(uint32_t)(r->word ? key >> 32 : key), slot};
    }
}

static void count_digits(int begin, int end, void *context)
{
    radix *r = context;
    for (int chunk = begin; chunk < end; chunk++) {
        int32_t *places = r->places + ((size_t)chunk << DIGIT_BITS);
        uint32_t mask = (1u << r->bits) - 1;
        memset(places, 0, sizeof *places << r->bits);
        for (int k = chunk_begin(r, chunk); k < chunk_begin(r, chunk + 1); k++)
            places[r->from[k].key >> r->shift & mask]++;
    }
}

static void move_items(int begin, int end, void *context)
{
    radix *r = context;
    for (int chunk = begin; chunk < end; chunk++) {
        int32_t *places = r->places + ((size_t)chunk << DIGIT_BITS);
        uint32_t mask = (1u << r->bits) - 1;
        for (int k = chunk_begin(r, chunk); k < chunk_begin(r, chunk + 1); k++)
            r->to[places[r->from[k].key >> r->shift & mask]++] = r->from[k];
    }
}

static void pass(radix *r)
{
    parallel_for(r->chunks, 1, count_digits, r);
    int32_t total = 0;
    for (int digit = 0; digit < 1 << r->bits; digit++)
        for (int chunk = 0; chunk < r->chunks; chunk++) {
            int32_t *place = &r->places[((size_t)chunk << DIGIT_BITS) + (size_t)digit], items = *place;
            *place = total;
            total += items;
        }
    parallel_for(r->chunks, 1, move_items, r);
    sort_item *swap = r->from;
    r->from = r->to, r->to = swap;
}

static void fill_order(int begin, int end, void *context)
{
    radix *r = context;
    for (int k = begin; k < end; k++) r->order[k] = (int32_t)r->from[k].slot;
}

dew_result cells_sort(cells *c, const real4 *position, int begin, int end, double reach, int32_t *order, void *scratch)
{
    int count = end - begin;
    c->begin = begin, c->end = end;
    if (!count) return DEW_OK;
    RESULT_TRY(lay_grid(c, position + begin, count, reach));
    int threads = parallel_threads();
    radix r = {.c = c, .position = position + begin, .from = scratch, .count = count, .order = order};
    r.to = r.from + count;
    r.chunks = threads < most_chunks(count) ? threads : most_chunks(count);
    r.places = (int32_t *)(r.to + count);
    uint64_t most = ((uint64_t)c->strip * (uint64_t)c->row_count << c->level_bits) - 1;
    for (; r.word < 2 && (r.word == 0 || most >> 32); r.word++) {
        uint32_t high = r.word ? (uint32_t)(most >> 32) : most >> 32 ? UINT32_MAX : (uint32_t)most;
        int bits = 0;
        while (bits < 32 && high >> bits) bits++;
        int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
        parallel_for(count, GRAIN, fill_keys, &r);
        for (int k = 0; k < passes; k++) {
            r.shift = bits * k / passes;
            r.bits = bits * (k + 1) / passes - r.shift;
            pass(&r);
        }
    }
    parallel_for(count, GRAIN, fill_order, &r);
    return DEW_OK;
}

/* --- the columns of sorted particles --- */

typedef struct indexing {
    cells *c;
    const real4 *position;
    real *const *xyz;
    const real *allowance;
    uint64_t *keys;
} indexing;

static void index_keys(int begin, int end, void *context)
{
    indexing *t = context;
    const real4 *x = t->position;
    real *const *xyz = t->xyz;
    for (int k = begin; k < end; k++) xyz[0][k] = x[k].x, xyz[1][k] = x[k].y, xyz[2][k] = x[k].z;
    for (int k = begin; k < end; k++) t->keys[k] = cell_key(t->c, &x[k].x);
}

static bool begins_column(const indexing *t, int k)
{
    return k == 0 || t->keys[k] >> t->c->level_bits != t->keys[k - 1] >> t->c->level_bits;
}

static void count_columns(int begin, int end, void *context)
{
    indexing *t = context;
    int columns = 0;
    for (int k = begin; k < end; k++) columns += begins_column(t, k);
    t->c->chunk_columns[begin / GRAIN] = columns;
}

static void find_columns(int begin, int end, void *context)
{
    indexing *t = context;
    cells *c = t->c;
    int at = c->chunk_columns[begin / GRAIN];
    for (int k = begin; k < end; k++) {
        if (!begins_column(t, k)) continue;
        uint64_t number = t->keys[k] >> c->level_bits;
        column *new = &c->columns[at++];
        new->begin = c->begin + k;
        new->place = (int32_t)(number % (uint64_t)c->strip);
        new->first = (int32_t)(t->keys[k] & (((uint64_t)1 << c->level_bits) - 1));
        new->table = (int32_t)(number / (uint64_t)c->strip); /* the row, for a moment */
        for (int a = 0; a < 2; a++)
            new->low[a] = c->bin[a].origin + (real)bins_raw(&c->bin[a], t->xyz[c->axis[a]][k]) * c->width;
    }
}

/* Rows, and how much table each column gets: no more than about two levels a particle. */
static int lay_tables(cells *c, const uint64_t *keys)
{
    int total = 0, row = 0;
    for (int k = 0; k < c->column_count; k++) {
        column *a = &c->columns[k];
        while (row <= a->table) c->row_begin[row++] = k;
        int members = a[1].begin - a->begin;
        int last = (int)(keys[a[1].begin - 1 - c->begin] & (((uint64_t)1 << c->level_bits) - 1));
        a->levels = last - a->first + 1;
        a->shift = 0;
        while ((a->levels - 1) >> a->shift >= 2 * members + 4) a->shift++;
        a->table = total;
        total += ((a->levels - 1) >> a->shift) + 2;
    }
    while (row <= c->row_count) c->row_begin[row++] = c->column_count;
    return total;
}

static void fill_tables(int begin, int end, void *context)
{
    indexing *t = context;
    const cells *c = t->c;
    uint64_t mask = ((uint64_t)1 << c->level_bits) - 1;
    for (int k = begin; k < end; k++) {
        column *a = &c->columns[k];
        int32_t *table = c->table + a->table;
        int level = 0, levels = ((a->levels - 1) >> a->shift) + 1;
        for (int slot = a->begin; slot < a[1].begin; slot++) {
            int here = ((int)(t->keys[slot - c->begin] & mask) - a->first) >> a->shift;
            while (level <= here) table[level++] = slot;
        }
        while (level <= levels) table[level++] = a[1].begin;
        a->most = 0;
        for (int slot = a->begin; t->allowance && slot < a[1].begin; slot++)
            a->most = real_max(a->most, t->allowance[slot - c->begin]);
    }
}

dew_result cells_index(cells *c, const real4 *position, real *const xyz[3], const real *allowance, void *scratch)
{
    int count = c->end - c->begin, chunks = (count + GRAIN - 1) / GRAIN;
    c->column_count = 0;
    if (!count) return DEW_OK;
    indexing t = {c, position + c->begin, xyz, allowance, scratch};
    RESULT_TRY(buffer_reserve(&c->chunk_columns, &c->chunk_room, (size_t)chunks, 0, sizeof *c->chunk_columns, sorting));
    parallel_for(count, GRAIN, index_keys, &t);
    parallel_for(count, GRAIN, count_columns, &t);
    c->column_count = parallel_prefix_sum(chunks, c->chunk_columns);
    size_t columns = (size_t)c->column_count + 1, rows = (size_t)c->row_count + 1;
    RESULT_TRY(buffer_reserve(&c->columns, &c->column_room, columns, 0, sizeof *c->columns, sorting));
    RESULT_TRY(buffer_reserve(&c->row_begin, &c->row_room, rows, 0, sizeof *c->row_begin, sorting));
    parallel_for(count, GRAIN, find_columns, &t);
    c->columns[c->column_count].begin = c->end;
    size_t entries = (size_t)lay_tables(c, t.keys);
    RESULT_TRY(buffer_reserve(&c->table, &c->table_room, entries, 0, sizeof *c->table, sorting));
    parallel_for(c->column_count, 64, fill_tables, &t);
    return DEW_OK;
}
