#include "particles/point_grid.h"

#include "base/group.h"

/* NaN goes to the far end: such a point is near nothing. */
static int32_t coordinate(double x)
{
    double t = floor(x);
    return t > -1e9 && t < 1e9 ? (int32_t)t : t < 0 ? -1000000000 : 1000000000;
}

point_cell point_grid_cell(const point_grid *g, double x, double y, double z)
{
    return (point_cell){{coordinate(x * g->inverse), coordinate(y * g->inverse), coordinate(z * g->inverse)}};
}

dew_result point_grid_create(point_grid *g, const real4 *points, int count, double width, arena *memory)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)count) slots *= 2;
    *g = (point_grid){.count = count, .inverse = 1 / width, .mask = (uint32_t)(slots - 1)};
    ARENA_TRY(memory, count, g->cell);
    ARENA_ARRAY(memory, count, int32_t, slot);
    for (int i = 0; i < count; i++)
        slot[i] = (int32_t)point_grid_slot(g, point_grid_cell(g, points[i].x, points[i].y, points[i].z));
    RESULT_TRY(group_items(memory, slot, 1, count, (int)slots, &g->index, &g->begin));
    for (int e = 0; e < count; e++) {
        real4 x = points[g->index[e]];
        g->cell[e] = point_grid_cell(g, x.x, x.y, x.z);
    }
    return DEW_OK;
}
