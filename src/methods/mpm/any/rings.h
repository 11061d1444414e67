/* How many cells a node is from the free surface: what is true of liquid deep inside need not be so there. */
#ifndef METHODS_MPM_ANY_RINGS_H
#define METHODS_MPM_ANY_RINGS_H

#include "methods/mpm/any/contour.h"

/* Rings that are told apart: 0 is a cell with the surface in it, from DEEP on there is liquid, or none, on all sides.
 */
enum { DEEP = 3 };

/* Gives the nodes around those of a ring the next one, unless they have a lower one. */
static void add_ring(const grid *g, int ring, uint8_t *ring_of)
{
    for (int64_t k = 0; k < (int64_t)g->block_count * CELLS; k++) {
        if (ring_of[k] != ring) continue;
        int own[DIM];
        local_of((int)(k % CELLS), own);
        for (int around = 0; around < AROUND; around++) {
            int at[DIM], rest = around;
            for (int a = DIM - 1; a >= 0; a--, rest /= 3) at[a] = own[a] + rest % 3 - 1;
            int64_t node = grid_node(g, (int)(k / CELLS), at);
            if (node >= 0 && ring_of[node] > ring) ring_of[node] = (uint8_t)(ring + 1);
        }
    }
}

/* The ring of each node. */
static dew_result rings_find(const grid *g, const contour *c, const uint8_t **found)
{
    size_t nodes = (size_t)g->block_count * CELLS;
    uint8_t *ring_of = arena_alloc(g->memory, nodes + 1);
    if (!ring_of) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    memset(ring_of, DEEP, nodes);
    for (int v = 0; v < c->vertex_count; v++) {
        int32_t cell = c->x[v].w < (real)0.5 ? grid_cell(g, real3_of(c->x[v])) : -1;
        if (cell >= 0) ring_of[cell] = 0;
    }
    for (int ring = 0; ring + 1 < DEEP; ring++) add_ring(g, ring, ring_of);
    *found = ring_of;
    return DEW_OK;
}

#endif
