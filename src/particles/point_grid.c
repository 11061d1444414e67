#include "particles/point_grid.h"

#include <stdlib.h>
#include <string.h>

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

bool point_grid_create(point_grid *g, const real4 *points, int count, double width)
{
    size_t slots = 16, n = (size_t)count;
    while (slots < 2 * n) slots *= 2;
    *g = (point_grid){.count = count, .inverse = 1 / width, .mask = (uint32_t)(slots - 1)};
    g->begin = calloc(slots + 1, sizeof *g->begin);
    g->index = malloc((n + 1) * sizeof *g->index);
    g->cell = malloc((n + 1) * sizeof *g->cell);
    if (!g->begin || !g->index || !g->cell) {
        point_grid_destroy(g);
        return false;
    }
    for (int i = 0; i < count; i++)
        g->begin[point_grid_slot(g, point_grid_cell(g, points[i].x, points[i].y, points[i].z))]++;
    for (size_t k = 1; k <= slots; k++) g->begin[k] += g->begin[k - 1];
    /* Each slot's begin stands at its end and moves down, so the last point goes in first. */
    for (int i = count - 1; i >= 0; i--) {
        point_cell c = point_grid_cell(g, points[i].x, points[i].y, points[i].z);
        int32_t e = --g->begin[point_grid_slot(g, c)];
        g->index[e] = i, g->cell[e] = c;
    }
    return true;
}

void point_grid_destroy(point_grid *g)
{
    free(g->begin);
    free(g->index);
    free(g->cell);
    *g = (point_grid){0};
}
