/* Particles in columns. The plane of two axes is cut into square columns; a column holds its particles in the order of
 * the third axis. Storage runs through the columns of a row, then to the next row, as an ox ploughs: every other row
 * backwards, every other column downwards, so that consecutive particles are close even where columns meet. Rows are no
 * longer than a strip is wide, strip lies beside strip: what is near a particle then stays in the cache until the loop
 * comes to the next row, however many particles there are.
 *
 * The grid is sparse: an axis with wide empty stretches counts only its occupied bins, so that drops far apart, or a
 * stray particle, cost nothing. All places map to bins by monotone functions, and searches map the ends of an interval
 * by the same functions: whatever is rounded or clamped, no neighbour is lost. NaN falls into the first bin. */
#ifndef PARTICLES_CELLS_H
#define PARTICLES_CELLS_H

#include "particles/particles.h"

/* A monotone map of a coordinate to a bin. */
typedef struct axis_bins {
    real origin, inverse, last; /* last: raw bins - 1 */
    int bins;                   /* those that count */
    bool is_sparse;             /* false: every raw bin counts */
    uint64_t *occupied;         /* a bit for each raw bin */
    int32_t *before;            /* occupied bins before each word */
    size_t words, before_room;  /* room in each */
} axis_bins;

typedef struct column {
    int32_t begin;         /* first slot; the next column's begin ends it */
    int32_t place;         /* in its row, in storage order */
    int32_t first, levels; /* levels (bins along the column, in storage order) that it spans */
    int32_t table, shift;  /* table[table + (level - first) >> shift]: first slot of that level */
    real low[2];           /* lower edges across */
    real most;             /* allowance of its particles */
} column;

typedef struct cells {
    int begin, end; /* slots */
    int axis[3];    /* across columns of a row, across rows, along a column */
    real width;     /* of a column */
    axis_bins bin[3];
    int level_bits;
    int strip; /* columns in a row */
    int column_count, row_count;
    column *columns;    /* column_count + 1 */
    int32_t *row_begin; /* row_count + 1, columns */
    int32_t *table;
    int32_t *chunk_columns;
    size_t column_room, row_room, table_room, chunk_room;
} cells;

void cells_destroy(cells *c);

/* Bytes of scratch memory that sorting and indexing `count` particles need. */
size_t cells_scratch(int count);
/* Lays the grid over slots [begin, end) and finds their order: order[k], counted from `begin`, belongs at begin + k.
 * Equal places keep their order. */
dew_result cells_sort(cells *c, const real4 *position, int begin, int end, double reach, int32_t *order, void *scratch);
/* After the particles were put in that order: finds the columns. Writes the places also to x, y, z (indexed by slot -
 * begin). `allowance`, by the same index: of which columns hold the most; may be NULL. */
dew_result cells_index(cells *c, const real4 *position, real *const xyz[3], const real *allowance, void *scratch);
size_t cells_bytes(const cells *c);

/* Rows in storage order: strip after strip, every other one backwards. */
static inline int cells_row(const cells *c, int strip, int bin)
{
    return strip * c->bin[1].bins + (strip & 1 ? c->bin[1].bins - 1 - bin : bin);
}
/* The place in its row of the bin-th column of a strip, and back. */
static inline int cells_place(const cells *c, int row, int bin) { return row & 1 ? c->strip - 1 - bin : bin; }

static inline int bins_raw(const axis_bins *b, real x)
{
    real t = (x - b->origin) * b->inverse;
    t = t > 0 ? t : 0;
    t = t < b->last ? t : b->last;
    return (int)t;
}

/* Bins that count, below raw bin `raw`. */
static inline int bins_rank(const axis_bins *b, int raw)
{
    if (!b->is_sparse) return raw;
    int word = raw >> 6;
    return b->before[word] + __builtin_popcountll(b->occupied[word] & (((uint64_t)1 << (raw & 63)) - 1));
}

#endif
