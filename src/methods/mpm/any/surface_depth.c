/* How many cells a node is from the free surface: what is true of liquid deep inside need not be so there. */
#include "methods/mpm/any/contour.h"

/* Several threads may write to a node at once, the same depth each: hence the atomic store. */
static void set_depth(uint8_t *depth_of, int depth) { __atomic_store_n(depth_of, (uint8_t)depth, __ATOMIC_RELAXED); }

static void mark_vertices(int begin, int end, void *context)
{
    const contour *c = context;
    for (int v = begin; v < end; v++) {
        int32_t cell = c->x[v].w < (real)0.5 ? grid_cell(c->g, real3_of(c->x[v])) : -1;
        if (cell >= 0) set_depth(&c->depth_of[cell], 0);
    }
}

/* Gives the nodes around those of a depth the next one, unless they have a lower one. */
static void add_depth(int block, void *context)
{
    const contour *c = context;
    for (int k = 0; k < CELLS; k++) {
        if (__atomic_load_n(&c->depth_of[(size_t)block * CELLS + k], __ATOMIC_RELAXED) != c->depth) continue;
        int64_t around[AROUND];
        nodes_around(c->g, block * CELLS + k, around);
        for (int n = 0; n < AROUND; n++)
            if (around[n] >= 0 && __atomic_load_n(&c->depth_of[around[n]], __ATOMIC_RELAXED) > c->depth)
                set_depth(&c->depth_of[around[n]], c->depth + 1);
    }
}

dew_result depths_find(contour *c)
{
    size_t nodes = (size_t)c->g->block_count * CELLS;
    ARENA_TRY(c->g->memory, nodes, c->depth_of);
    memset(c->depth_of, DEEP, nodes);
    parallel_for(c->vertex_count, 1024, mark_vertices, c);
    for (c->depth = 0; c->depth + 1 < DEEP; c->depth++) each_block(c->g, add_depth, c);
    return DEW_OK;
}
