#include "particles/bodies.h"

#include "base/matrix.h"

/* The first point of a cell that takes part; -1: there is none. */
static int32_t first_of(const point_grid *g, point_cell c, const int32_t *parent)
{
    POINTS_IN_CELL(g, c, e) if (parent[g->index[e]] >= 0) return g->index[e];
    return -1;
}

void bodies_join_cells(const point_grid *g, int32_t *parent)
{
    for (int e = 0; e < g->count; e++) {
        int32_t i = g->index[e], first = parent[i] < 0 ? -1 : first_of(g, g->cell[e], parent);
        if (first < 0) continue;
        union_find_join(parent, i, first);
        for (int side = 14; side < 27 && i == first; side++) { /* one of each two that face each other */
            int32_t other = first_of(g, point_cell_beside(g->cell[e], side), parent);
            if (other >= 0) union_find_join(parent, i, other);
        }
    }
}

/* Joins point i to those near `x`, its own place or an image of it, in the cells from `side` on. */
static void join_near(const point_grid *g, const real4 *points, int i, dew_vec3 x, int side, double reach,
                      int32_t *parent)
{
    point_cell middle = point_grid_cell(g, x.x, x.y, x.z);
    for (; side < 27; side++) POINTS_IN_CELL(g, point_cell_beside(middle, side), e)
        {
            int32_t j = g->index[e];
            if (parent[j] != parent[i] && point_is_near(points[j], x, reach)) union_find_join(parent, i, j);
        }
}

void bodies_join_near(const point_grid *g, const real4 *points, double reach, const double period[3], int32_t *parent)
{
    for (int i = 0; i < g->count; i++)
        for (int k = 0; k < 27; k++) { /* the point and, where the domain is periodic, its images */
            const int turn[3] = {k % 3, k / 3 % 3, k / 9};
            double x[3] = {points[i].x, points[i].y, points[i].z};
            bool is_there = true;
            for (int a = 0; a < 3; a++) {
                is_there = is_there && (turn[a] == 0 || period[a] > 0);
                x[a] += (turn[a] == 2 ? -1 : turn[a]) * period[a];
            }
            /* Of two points the one finds the other, but for images. */
            if (is_there) join_near(g, points, i, (dew_vec3){x[0], x[1], x[2]}, k == 0 ? 13 : 0, reach, parent);
        }
}

void bodies_turn(const double square[6], const double spin[3], double turn[3])
{
    double trace = square[0] + square[1] + square[2];
    const double inertia[6] = {trace - square[0], trace - square[1], trace - square[2],
                               -square[3],        -square[4],        -square[5]};
    if (!matrix_solve_symmetric(inertia, spin, 1e-6, turn)) turn[0] = turn[1] = turn[2] = 0;
}
