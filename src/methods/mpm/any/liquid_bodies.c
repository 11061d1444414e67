#include "methods/mpm/any/liquid_bodies.h"

#include "base/union_find.h"

/* The body of the particles of a cell: that of its node or, where this is outside of the surface, of a node around; -1:
 * none. */
static int32_t body_of_cell(const liquid_bodies *b, int cell)
{
    int64_t around[AROUND];
    int32_t body = b->of_node[cell];
    if (body < 0) nodes_around(b->g, cell, around);
    for (int k = 0; k < AROUND && body < 0; k++)
        if (around[k] >= 0) body = b->of_node[around[k]];
    return body;
}

static void find_body(int block, void *context)
{
    const liquid_bodies *b = context;
    for (int c = block * CELLS; c < (block + 1) * CELLS; c++) {
        int begin = b->g->particle_begin[c], end = b->g->particle_begin[c + 1];
        if (begin == end) continue;
        int32_t body = body_of_cell(b, c);
        for (int i = begin; i < end; i++) b->of_particle[i] = body;
    }
}

dew_result liquid_bodies_find(const grid *g, const real *level, int particle_count, liquid_bodies *b)
{
    size_t nodes = (size_t)g->block_count * CELLS;
    ARENA_ARRAY(g->memory, nodes, int32_t, parent);
    ARENA_TRY(g->memory, particle_count, b->of_particle);
    for (size_t k = 0; k < nodes; k++) parent[k] = level[k] < 0 ? (int32_t)k : -1;
    for (size_t k = 0; k < nodes; k++) {
        int at[DIM];
        if (parent[k] < 0) continue;
        local_of((int)(k % CELLS), at);
        for (int a = 0; a < DIM; a++) {
            int64_t other = corner_node(g, (int)(k / CELLS), at, 1 << a);
            if (other >= 0 && parent[other] >= 0) union_find_join(parent, (int32_t)k, (int32_t)other);
        }
    }
    b->g = g, b->of_node = parent, b->count = union_find_number((int)nodes, parent);
    each_home(g, find_body, b);
    return DEW_OK;
}

void liquid_bodies_sum(int bodies_count, int particle_count, int columns, parallel_sum_fcn *fcn, void *context,
                       double *sums)
{
    enum { MOST_COLUMNS = 32 };
    if (bodies_count == 0) return;
    if (bodies_count * columns <= MOST_COLUMNS) {
        parallel_sum(particle_count, bodies_count * columns, fcn, context, sums);
    } else {
        memset(sums, 0, (size_t)bodies_count * (size_t)columns * sizeof *sums);
        fcn(0, particle_count, context, sums);
    }
}
