/* What may lie near a box: ranges of slots. */
#ifndef PARTICLES_NEARBY_H
#define PARTICLES_NEARBY_H

#include "particles/cells.h"

enum {
    NEARBY_COLUMNS = 256, /* within reach of a box; boxes are limited so that there are never more */
    NEARBY_WIDEST = 5,    /* columns (and reaches) that a box may span */
    NEARBY_STRIDE = 16,   /* columns treated at once */
};

/* Particles to search, with their places (by slot - cells.begin), and how far each may go while lists hold; NULL: all
 * of them as far. The arrays may be read LANES beyond their end. */
typedef struct list_source {
    const cells *cells;
    const real *xyz[3], *allowance;
    real most;            /* of the allowances */
    const int32_t *codes; /* twice the slot, and 1 where it comes in front in lists */
    bool has_front;       /* some may; else none does */
} list_source;

typedef struct box {
    real low[3], high[3], centre[3];
    real reach; /* what is so far off is near, and what its allowance brings so near */
} box;

/* Columns within reach of a box across, kept as long as the box stays the same and reaches no farther. The arrays are
 * filled up to whole NEARBY_STRIDEs with columns of no level. */
typedef struct column_set {
    int count;
    real height[NEARBY_COLUMNS]; /* how far along the column the reach goes */
    int first[NEARBY_COLUMNS], levels[NEARBY_COLUMNS], table[NEARBY_COLUMNS], shift[NEARBY_COLUMNS];
    int is_turned[NEARBY_COLUMNS]; /* -1: levels run downwards */
    real low[2], high[2], reach;
} column_set;

typedef struct slot_range {
    int begin, end;
} slot_range;

/* The ranges of slots of each source ascend; no two of one source touch. */
typedef struct nearby_slots {
    slot_range range[2][NEARBY_COLUMNS];
    int count[2];
    int total; /* slots */
} nearby_slots;

/* The box of slots [begin, end) of source[0], widened across to whole columns, with `reach` and the largest allowance
 * among them; false when it is too wide to be searched as one (particles of different drops). *members: how many of
 * them have a place. */
bool nearby_box(const list_source source[2], int begin, int end, real reach, box *b, int *members);
/* Every slot of both sources that may be within reach of the box; `set` is kept from call to call, begun with counts
 * of -1. */
void nearby_find(const list_source source[2], const box *b, column_set set[2], nearby_slots *found);

static inline real place_of(const list_source *source, int slot, int axis) { return source->xyz[axis][slot]; }

static inline bool has_place(const list_source *source, int slot)
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(place_of(source, slot, a)) < PARTICLE_FAR / 2)) return false;
    return true;
}

#endif
