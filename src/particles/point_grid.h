/* Points by cell of a sparse grid in a hash table, for measurements, meshes and bodies: built at once, any points, no
 * skin, no lists. (For the loops of a step see neighbours.h.) */
#ifndef PARTICLES_POINT_GRID_H
#define PARTICLES_POINT_GRID_H

#include "base/arena.h"
#include "base/real.h"

typedef struct point_cell {
    int32_t at[3];
} point_cell;

typedef struct point_grid {
    int count;
    double inverse; /* of a cell's width, 1/m */
    uint32_t mask;
    int32_t *begin;   /* mask + 2: the entries of a slot of the table */
    int32_t *index;   /* of each entry: which point; ascending within a cell */
    point_cell *cell; /* of each entry */
} point_grid;

/* Cells `width` (m) wide. All from `memory`; DEW_NO_MEMORY. */
dew_result point_grid_create(point_grid *g, const real4 *points, int count, double width, arena *memory);

point_cell point_grid_cell(const point_grid *g, double x, double y, double z);

static inline uint32_t point_cell_hash(point_cell c)
{
    uint64_t h = (uint64_t)(uint32_t)c.at[0] * 0x9e3779b97f4a7c15u ^ (uint64_t)(uint32_t)c.at[1] * 0xc2b2ae3d27d4eb4fu ^
                 (uint64_t)(uint32_t)c.at[2] * 0x165667b19e3779f9u;
    return (uint32_t)(h >> 32);
}

static inline uint32_t point_grid_slot(const point_grid *g, point_cell c) { return point_cell_hash(c) & g->mask; }

static inline bool point_cell_is(point_cell a, point_cell b)
{
    return a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

/* The 27 cells around a cell have numbers: 13 is the cell itself, k and 26 - k face each other. */
static inline point_cell point_cell_beside(point_cell c, int side)
{
    return (point_cell){{c.at[0] + side / 9 - 1, c.at[1] + side / 3 % 3 - 1, c.at[2] + side % 3 - 1}};
}

/* The points of a cell: for every entry e that it runs over, point g->index[e]. */
#define POINTS_IN_CELL(g, c, e)                                                                                        \
    for (int32_t e##_slot = (int32_t)point_grid_slot(g, c), e = (g)->begin[e##_slot]; e < (g)->begin[e##_slot + 1];    \
         e++)                                                                                                          \
        if (point_cell_is((g)->cell[e], c))

static inline bool point_is_near(real4 a, dew_vec3 x, double reach)
{
    dew_vec3 d = vec3_sub((dew_vec3){a.x, a.y, a.z}, x);
    return vec3_dot(d, d) < reach * reach;
}

/* The points i nearer to a place than `reach`. */
#define POINTS_NEAR(g, points, place, reach, i)                                                                        \
    for (point_cell i##_from = point_grid_cell(g, (place).x - (reach), (place).y - (reach), (place).z - (reach)),      \
                    i##_to = point_grid_cell(g, (place).x + (reach), (place).y + (reach), (place).z + (reach)),        \
                    i##_at = i##_from;                                                                                 \
         i##_at.at[2] <= i##_to.at[2]; i##_at.at[2]++, i##_at.at[1] = i##_from.at[1])                                  \
        for (; i##_at.at[1] <= i##_to.at[1]; i##_at.at[1]++, i##_at.at[0] = i##_from.at[0])                            \
            for (; i##_at.at[0] <= i##_to.at[0]; i##_at.at[0]++) POINTS_IN_CELL(g, i##_at, i##_entry)                  \
    for (int32_t i = (g)->index[i##_entry], i##_once = point_is_near((points)[i], place, reach); i##_once; i##_once = 0)

#endif
