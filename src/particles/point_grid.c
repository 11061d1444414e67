#include "particles/point_grid.h"

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
    ARENA_TRY_ZEROED(memory, slots, g->begin);
    ARENA_TRY(memory, count, g->index, g->cell);
    for (int i = 0; i < count; i++)
        g->begin[point_grid_slot(g, point_grid_cell(g, points[i].x, points[i].y, points[i].z))]++;
    for (size_t k = 1; k <= slots; k++) g->begin[k] += g->begin[k - 1];
    /* Each slot's begin stands at its end and moves down, so the last point goes in first. */
    for (int i = count - 1; i >= 0; i--) {
        point_cell c = point_grid_cell(g, points[i].x, points[i].y, points[i].z);
        int32_t e = --g->begin[point_grid_slot(g, c)];
        g->index[e] = i, g->cell[e] = c;
    }
    return DEW_OK;
}
