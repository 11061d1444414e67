/* The net of a contour: a vertex for each cube of nodes that the level crosses, a face for each edge, and who is next
 * to whom. All passes go over blocks in parallel; each writes what is its own. */
#include "methods/mpm/any/contour.h"

/* --- the net --- */

/* The tile of the net: levels of a block with one node before and two behind it along each axis; outside where there is
 * no node. */
enum { NET_SIDE = SIDE + 3, NET = DIM == 3 ? NET_SIDE * NET_SIDE * NET_SIDE : NET_SIDE * NET_SIDE };

/* Whether the net has nothing in a block, because it and all around it are on one side. */
static bool is_beside(const contour *c, int block)
{
    const int8_t own = c->side[block], outside = -1;
    for (int k = 0; k < AROUND; k++) {
        int32_t other = c->g->neighbour[block * AROUND + k];
        if ((other < 0 ? outside : c->side[other]) != own) return false;
    }
    return own != 0;
}

/* Loads the tile of a block; false where the net has nothing in it. */
static bool load_levels(const contour *c, int block, real *tile)
{
    int64_t node[NET];
    const int low[3] = {-1, -1, -1};
    if (is_beside(c, block)) return false;
    grid_box(c->g, block, low, NET_SIDE, node);
    for (int k = 0; k < NET; k++) tile[k] = node[k] >= 0 ? c->level[node[k]] : 1;
    return true;
}

/* Pitch of an axis in the tile of load_levels, and of a corner of a cube (bit a: one further along axis a). */
static inline int net_pitch(int axis)
{
    return DIM == 2 ? (axis ? 1 : NET_SIDE) : (axis == 2 ? 1 : axis == 1 ? NET_SIDE : NET_SIDE * NET_SIDE);
}

static inline int net_corner(int corner)
{
    int at = 0;
    for (int a = 0; a < DIM; a++) at += (corner >> a & 1) * net_pitch(a);
    return at;
}

/* Whether the surface passes between the corners of the cube. */
static inline bool is_mixed(const real *tile, int at)
{
    int inside = 0;
    for (int k = 0; k < CUBE_CORNERS; k++) inside += tile[at + net_corner(k)] < 0;
    return inside > 0 && inside < CUBE_CORNERS;
}

/* Mean of where the edges of the cube are crossed, in cells from its lowest corner. */
static void cube_vertex(const real *tile, int at, real mean[DIM])
{
    int crossed = 0;
    for (int a = 0; a < DIM; a++) mean[a] = 0;
    for (int a = 0; a < DIM; a++)
        for (int k = 0; k < CUBE_CORNERS; k++) {
            if (k >> a & 1) continue;
            real low = tile[at + net_corner(k)], high = tile[at + net_corner(k | 1 << a)];
            if ((low < 0) == (high < 0)) continue;
            crossed++;
            for (int b = 0; b < DIM; b++) mean[b] += b == a ? low / (low - high) : (real)(k >> b & 1);
        }
    for (int a = 0; a < DIM; a++) mean[a] /= (real)crossed;
}

/* Whether a block lies beyond a plane of symmetry: its nodes are images. */
static bool is_beyond(const grid *g, int block)
{
    for (int a = 0; a < DIM; a++) {
        const int32_t at = g->block[block].at[a];
        if (g->is_mirrored[a] && (at < 0 || at >= g->blocks[a])) return true;
    }
    return false;
}

/* Finds whether the net has a vertex in the cube k of a block: not in those that are void, and beyond planes only in
 * those that they halve. *on_planes becomes which planes do. */
static bool has_cube(const grid *g, int block, int k, unsigned *on_planes)
{
    int local[DIM];
    *on_planes = 0;
    if (grid_is_void(g, block * CELLS + k)) return false;
    if (!g->has_planes) return true;
    local_of(k, local);
    for (int a = 0; a < DIM; a++) {
        const int at = g->first[block].at[a] + local[a], last = g->nodes[a] - 1;
        if (g->is_mirrored[a] && (at < -1 || at > last)) return false;
        if (g->is_mirrored[a] && (at == -1 || at == last)) *on_planes |= 1u << a;
    }
    return true;
}

/* Finds whether all nodes of a block are on one side: 1 inside, -1 outside, 0 neither. */
static void find_side(int block, void *context)
{
    contour *c = context;
    const real *level = c->level + (size_t)block * CELLS;
    int inside = 0;
    for (int k = 0; k < CELLS; k++) inside += level[k] < 0;
    c->side[block] = inside == CELLS ? 1 : inside == 0 ? -1 : 0;
}

/* Numbers the vertices of a block, from 0. */
static void number_vertices(int block, void *context)
{
    contour *c = context;
    int32_t *vertex = c->vertex_of + (size_t)block * CELLS;
    real tile[NET];
    c->first[block] = 0;
    for (int k = 0; k < CELLS; k++) vertex[k] = -1;
    if (!load_levels(c, block, tile)) return;
    for (int k = 0; k < CELLS; k++) {
        unsigned on_planes;
        if (has_cube(c->g, block, k, &on_planes) && is_mixed(tile, cell_in(k, NET_SIDE, 1)))
            vertex[k] = c->first[block]++;
    }
}

/* The body of the first corner of a cube that is inside. */
static int32_t body_of_cube(const contour *c, int block, const int *cube)
{
    for (int k = 0; k < CUBE_CORNERS; k++) {
        int64_t node = corner_node(c->g, block, cube, k);
        if (node >= 0 && c->bodies.of_node[node] >= 0) return c->bodies.of_node[node];
    }
    return 0;
}

static void make_vertices(int block, void *context)
{
    contour *c = context;
    int32_t *vertex = c->vertex_of + (size_t)block * CELLS;
    real tile[NET];
    if (!load_levels(c, block, tile)) return;
    for (int k = 0; k < CELLS; k++) {
        if (vertex[k] < 0) continue;
        int32_t v = vertex[k] += c->first[block];
        real mean[DIM];
        int local[DIM];
        cube_vertex(tile, cell_in(k, NET_SIDE, 1), mean);
        local_of(k, local);
        unsigned on_planes;
        has_cube(c->g, block, k, &on_planes);
        c->on_planes[v] = (uint8_t)on_planes;
        c->x[v] = (real4){0, 0, 0, 0};
        for (int a = 0; a < DIM; a++)
            (&c->x[v].x)[a] =
                (&c->g->origin.x)[a] + (real)((c->g->first[block].at[a] + local[a] + (double)mean[a]) * c->g->dx);
        c->body[v] = body_of_cube(c, block, local);
    }
}

static inline int32_t vertex_at(const contour *c, int block, const int *at)
{
    int64_t cube = grid_cube_at(c->g, block, at);
    return cube < 0 ? -1 : c->vertex_of[cube];
}

/* Finds the vertices that share an edge of a face with that of a cube: those of the cubes beyond its sides that are
 * crossed. Of a vertex on a plane of symmetry the one beyond is the image of that before. */
static void find_neighbours(const contour *c, int block, const int *cube, int v, int32_t *neighbour)
{
    for (int side = 0; side < SIDES; side++) {
        int at[DIM], axis = side >> 1, is_high = side & 1, inside = 0;
        for (int k = 0; k < CUBE_CORNERS; k++) {
            if ((k >> axis & 1) != is_high) continue;
            int64_t n = corner_node(c->g, block, cube, k);
            inside += n >= 0 && c->level[n] < 0;
        }
        memcpy(at, cube, sizeof at);
        at[axis] += is_high ? 1 : -1;
        neighbour[side] = inside > 0 && inside < CUBE_CORNERS / 2 ? vertex_at(c, block, at) : -1;
    }
    for (int a = 0; a < DIM; a++) {
        int32_t *below = &neighbour[2 * a], *above = below + 1;
        if (c->on_planes[v] >> a & 1) *below = *above = *below < 0 ? *above : *below;
    }
}

/* Finds the faces across the edges of a cube. */
static void find_around(const contour *c, int block, const int *cube, int32_t *around)
{
    int count = 0;
    for (int axis = 0; axis < DIM; axis++)
        for (int k = 0; k < CUBE_CORNERS; k++) {
            if (k >> axis & 1) continue;
            int64_t node = corner_node(c->g, block, cube, k);
            around[count++] = node < 0 ? -1 : c->face_of[node * DIM + axis];
        }
}

static void link_vertices(int block, void *context)
{
    contour *c = context;
    for (int k = 0; k < CELLS; k++) {
        int32_t v = c->vertex_of[(size_t)block * CELLS + (size_t)k];
        if (v < 0) continue;
        int at[DIM];
        local_of(k, at);
        find_neighbours(c, block, at, v, c->neighbour + (size_t)v * SIDES);
        find_around(c, block, at, c->around + (size_t)v * EDGES);
    }
}

/* The face across the edge from a node along an axis; false where a cube around it is missing. */
static bool make_face(const contour *c, int block, const int *node, int axis, bool is_inside, face *f)
{
#if DIM == 3
    static const int around[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
#else
    static const int around[2][2] = {{0, 0}, {-1, 0}};
#endif
    /* Liquid at the lower end of the edge: the face looks along the axis. */
    for (int k = 0; k < FACE_CORNERS; k++) {
        int at[DIM], corner = is_inside == (DIM == 3 || axis == 1) ? k : FACE_CORNERS - 1 - k;
        memcpy(at, node, sizeof at);
        at[(axis + 1) % DIM] += around[corner][0];
        if (DIM == 3) at[(axis + 2) % DIM] += around[corner][1];
        f->corner[k] = vertex_at(c, block, at);
        if (f->corner[k] < 0) return false;
    }
    return true;
}

/* Numbers the faces of a block, from 0. */
static void number_faces(int block, void *context)
{
    contour *c = context;
    int32_t *number = c->face_of + (size_t)block * CELLS * DIM;
    real tile[NET];
    c->first[block] = 0;
    for (int k = 0; k < CELLS * DIM; k++) number[k] = -1;
    if (is_beyond(c->g, block) || !load_levels(c, block, tile)) return;
    for (int k = 0; k < CELLS * DIM; k++) {
        int at = cell_in(k / DIM, NET_SIDE, 1), axis = k % DIM, node[DIM];
        face f;
        if ((tile[at] < 0) == (tile[at + net_pitch(axis)] < 0)) continue; /* no face across the edge */
        if (grid_is_void(c->g, block * CELLS + k / DIM)) continue;
        local_of(k / DIM, node);
        if (make_face(c, block, node, axis, tile[at] < 0, &f)) number[k] = c->first[block]++;
    }
}

static void make_faces(int block, void *context)
{
    contour *c = context;
    int32_t *number = c->face_of + (size_t)block * CELLS * DIM;
    for (int k = 0; k < CELLS * DIM; k++) {
        if (number[k] < 0) continue;
        int node[DIM];
        local_of(k / DIM, node);
        bool is_inside = c->level[(size_t)block * CELLS + (size_t)(k / DIM)] < 0;
        face *f = &c->faces[number[k] += c->first[block]];
        make_face(c, block, node, k % DIM, is_inside, f);
        if (!is_inside) node[k % DIM]++;
        f->node = (int32_t)grid_node(c->g, block, node), f->body = c->bodies.of_node[f->node];
    }
}

dew_result contour_net(contour *c)
{
    const grid *g = c->g;
    size_t nodes = (size_t)g->block_count * CELLS;
    ARENA_TRY(g->memory, nodes, c->vertex_of);
    ARENA_TRY(g->memory, nodes * DIM, c->face_of);
    ARENA_TRY(g->memory, g->block_count, c->first, c->side);
    each_block(g, find_side, c);
    each_block(g, number_vertices, c);
    c->vertex_count = parallel_prefix_sum(g->block_count, c->first);
    size_t n = (size_t)c->vertex_count;
    ARENA_TRY(g->memory, n, c->x, c->other, c->body, c->on_planes);
    ARENA_TRY(g->memory, n * SIDES, c->neighbour);
    ARENA_TRY(g->memory, n * EDGES, c->around);
    each_block(g, make_vertices, c);
    each_block(g, number_faces, c);
    c->face_count = parallel_prefix_sum(g->block_count, c->first);
    ARENA_TRY(g->memory, c->face_count, c->faces, c->area);
    each_block(g, make_faces, c);
    each_block(g, link_vertices, c);
    return DEW_OK;
}
