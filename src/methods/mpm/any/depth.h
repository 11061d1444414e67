/* How many cells a node is from the free surface: what is true of liquid deep inside need not be so there. */
#ifndef METHODS_MPM_ANY_DEPTH_H
#define METHODS_MPM_ANY_DEPTH_H

#include "methods/mpm/any/contour.h"

/* Depths that are told apart: 0 is a cell with the surface in it, from DEEP on there is liquid, or none, on all sides.
 */
enum { DEEP = 3 };

/* Gives the nodes around those of a depth the next one, unless they have a lower one. */
static void add_depth(const grid *g, int depth, uint8_t *depth_of)
{
    for (int64_t k = 0; k < (int64_t)g->block_count * CELLS; k++) {
        if (depth_of[k] != depth) continue;
        int own[DIM];
        local_of((int)(k % CELLS), own);
        for (int around = 0; around < AROUND; around++) {
            int at[DIM], rest = around;
            for (int a = DIM - 1; a >= 0; a--, rest /= 3) at[a] = own[a] + rest % 3 - 1;
            int64_t node = grid_node(g, (int)(k / CELLS), at);
            if (node >= 0 && depth_of[node] > depth) depth_of[node] = (uint8_t)(depth + 1);
        }
    }
}

/* The depth of each node. */
static dew_result depths_find(const grid *g, const contour *c, const uint8_t **found)
{
    size_t nodes = (size_t)g->block_count * CELLS;
    ARENA_ARRAY(g->memory, nodes, uint8_t, depth_of);
    memset(depth_of, DEEP, nodes);
    for (int v = 0; v < c->vertex_count; v++) {
        int32_t cell = c->x[v].w < (real)0.5 ? grid_cell(g, real3_of(c->x[v])) : -1;
        if (cell >= 0) depth_of[cell] = 0;
    }
    for (int depth = 0; depth + 1 < DEEP; depth++) add_depth(g, depth, depth_of);
    *found = depth_of;
    return DEW_OK;
}

#endif
