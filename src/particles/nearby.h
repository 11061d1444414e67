/* What lies near a box: candidates for neighbours, their places side by side. */
#ifndef PARTICLES_NEARBY_H
#define PARTICLES_NEARBY_H

#include "particles/cells.h"

enum {
    NEARBY_COLUMNS = 256, /* within reach of a box; boxes are limited so that there are never more */
    NEARBY_WIDEST = 5,    /* columns (and reaches) that a box may span */
    NEARBY_STRIDE = 16,   /* columns treated at once */
    NEARBY_CHUNK = 32,    /* candidates copied at once; places are read so far beyond their end */
};

/* Particles to search, with their places (by slot - cells.begin), and how far each may go while lists hold; NULL: all
 * of them as far. */
typedef struct list_source {
    const cells *cells;
    const real *xyz[3], *allowance;
} list_source;

typedef struct box {
    real low[3], high[3], centre[3];
} box;

/* Columns within reach of a box across, kept as long as the box stays the same. The arrays are filled up to whole
 * NEARBY_STRIDEs with columns of no level. */
typedef struct column_set {
    int count;
    real height[NEARBY_COLUMNS]; /* how far along the column the reach goes */
    int first[NEARBY_COLUMNS], levels[NEARBY_COLUMNS], table[NEARBY_COLUMNS], shift[NEARBY_COLUMNS];
    int is_turned[NEARBY_COLUMNS]; /* -1: levels run downwards */
    real low[2], high[2];
} column_set;

/* Places relative to a box's centre, s = x^2 + y^2 + z^2, where there are allowances a less a^2. */
typedef struct candidates {
    int count, capacity;
    real *x, *y, *z, *s, *a; /* capacity + NEARBY_CHUNK of each */
    int32_t *slot;
    void *memory; /* of all of them; NULL while they are lent */
} candidates;

/* Bytes of memory that hold `capacity` candidates. */
#define CANDIDATE_BYTES(capacity) (((capacity) + NEARBY_CHUNK) * (sizeof(int32_t) + 5 * sizeof(real)))

/* Lays candidates in memory that is lent for as long as there are no more than `capacity`. */
void candidates_lay(candidates *c, void *memory, int capacity);
void candidates_release(candidates *c);

/* The box of slots [begin, end), widened across to whole columns; false when it is too wide to be searched as one
 * (particles of different drops). *members: how many of them have a place. */
bool nearby_box(const list_source *source, int begin, int end, real reach, box *b, int *members);
/* Replaces the candidates by every slot of both sources that may be within reach of the box, ascending; `set` is kept
 * from call to call, begun with counts of -1. False without memory. */
bool nearby_collect(const list_source source[2], const box *b, real reach, column_set set[2], candidates *c);

static inline real place_of(const list_source *source, int slot, int axis) { return source->xyz[axis][slot]; }

static inline bool has_place(const list_source *source, int slot)
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(place_of(source, slot, a)) < PARTICLE_FAR / 2)) return false;
    return true;
}

#endif
