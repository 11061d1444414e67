#include "geometry/surface_net.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* Surface nets (Gibson 1998): one vertex for each cell of a grid that the surface crosses, one quadrilateral for each
 * edge of the grid that it crosses. The vertex is where the planes that the field gives on the cell's crossed edges
 * meet best (as in dual contouring, Ju et al. 2002), so that edges and corners of combinations stay sharp; then it is
 * drawn onto the surface. Blocks that the surface cannot reach are never looked into. */

/* A block's nodes are cubes of one point_block each, which what lies near is quickly found of. */
enum { CELLS = 7, NODES = CELLS + 1, BLOCK_CELLS = CELLS * CELLS * CELLS, BLOCK_NODES = NODES * NODES * NODES };
enum { SIDE = 4, CUBES = NODES / SIDE };
_Static_assert(SIDE *SIDE *SIDE == SHAPE_BLOCK && SIDE * CUBES == NODES, "cubes of nodes fill a block");

/* What was found in a block that holds surface. */
typedef struct net_block {
    int at[3];
    int vertex_count, first_vertex;
    float *vertices;
    int16_t vertex_of[BLOCK_CELLS]; /* of each cell: its vertex in the block, or -1 */
    /* Bit a of a cell: the edge along a from its lower corner is crossed; bit 3: that corner lies inside. */
    uint8_t crossing[BLOCK_CELLS];
} net_block;

typedef struct net {
    const net_def *def;
    dew_vec3 origin;
    int size[3]; /* in blocks */
    int total, count;
    int32_t *block_of; /* of each place; -1: none */
    net_block *block;
    triangle_mesh *mesh;
} net;

/* The field, or its level alone, cut to `within`. */
static void cut_field(const net *n, double band, int count, const point_block *p, distance_block *out, bool level_only)
{
    if (level_only && n->def->level)
        n->def->level(n->def->context, count, p, out->d);
    else
        n->def->field(n->def->context, band, count, p, out);
    const bounds *b = &n->def->within;
    for (int i = 0; i < count; i++) {
        const double beyond[6] = {b->min.x - p->x[i], p->x[i] - b->max.x, b->min.y - p->y[i],
                                  p->y[i] - b->max.y, b->min.z - p->z[i], p->z[i] - b->max.z};
        for (int k = 0; k < 6; k++) {
            if (out->d[i] >= beyond[k]) continue;
            out->d[i] = beyond[k];
            gradient_set(out, i, vec3_along(k / 2, k % 2 ? 1 : -1));
        }
    }
}

static dew_vec3 node_at(const net *n, const int block[3], int x, int y, int z)
{
    double c = n->def->cell;
    return (dew_vec3){n->origin.x + (block[0] * CELLS + x) * c, n->origin.y + (block[1] * CELLS + y) * c,
                      n->origin.z + (block[2] * CELLS + z) * c};
}

static int node_index(int x, int y, int z) { return x + NODES * (y + NODES * z); }

/* --- which blocks --- */

static void place_of(const net *n, int index, int at[3])
{
    at[0] = index % n->size[0], at[1] = index / n->size[0] % n->size[1], at[2] = index / n->size[0] / n->size[1];
}

/* Marks blocks near the surface by the estimate at their centre, and those whose corners disagree. */
static void mark_blocks(int begin, int end, void *context)
{
    net *n = context;
    double half = sqrt(3.0) * (CELLS - CELLS / 2) * n->def->cell; /* from the middle node to the farthest */
    for (int k = begin; k < end; k++) {
        int at[3], inside = 0;
        place_of(n, k, at);
        point_block p;
        distance_block d;
        for (int c = 0; c < 9; c++) {
            block_set(&p, c,
                      c == 8 ? node_at(n, at, CELLS / 2, CELLS / 2, CELLS / 2)
                             : node_at(n, at, c & 1 ? CELLS : 0, c & 2 ? CELLS : 0, c & 4 ? CELLS : 0));
        }
        cut_field(n, 3 * n->def->caution * half, 9, &p, &d, false);
        for (int c = 0; c < 9; c++) inside += d.d[c] < 0;
        n->block_of[k] = fabs(d.d[8]) <= n->def->caution * half || (inside > 0 && inside < 9);
    }
}

/* Calls fcn for all blocks, by one thread where the field asks for that. */
static void each_block(net *n, int count, int grain, parallel_fcn *fcn)
{
    parallel_for(count, n->def->is_serial ? count : grain, fcn, n);
}

static dew_result find_blocks(net *n)
{
    n->block_of = malloc((size_t)n->total * sizeof *n->block_of);
    if (!n->block_of) return result_fail(DEW_NO_MEMORY, "no memory to polygonise a shape");
    each_block(n, n->total, 64, mark_blocks);
    for (int k = 0; k < n->total; k++) n->block_of[k] = n->block_of[k] ? n->count++ : -1;
    n->block = calloc((size_t)n->count + 1, sizeof *n->block);
    if (!n->block) return result_fail(DEW_NO_MEMORY, "no memory to polygonise a shape");
    for (int k = 0; k < n->total; k++)
        if (n->block_of[k] >= 0) place_of(n, k, n->block[n->block_of[k]].at);
    return DEW_OK;
}

/* --- vertices --- */

/* Least squares of the planes (normal m, through q), held to their mean by a little: (sum m m^T + w) x = sum m (m . q),
 * x and q against the mean. */
static dew_vec3 meet_planes(int count, const dew_vec3 *q, const dew_vec3 *m)
{
    dew_vec3 mean = {0, 0, 0}, right = {0, 0, 0};
    for (int k = 0; k < count; k++) mean = vec3_madd(mean, 1.0 / count, q[k]);
    double w = 0.02 * count;
    dew_vec3 r[3] = {{w, 0, 0}, {0, w, 0}, {0, 0, w}};
    for (int k = 0; k < count; k++) {
        r[0] = vec3_madd(r[0], m[k].x, m[k]);
        r[1] = vec3_madd(r[1], m[k].y, m[k]);
        r[2] = vec3_madd(r[2], m[k].z, m[k]);
        right = vec3_madd(right, vec3_dot(m[k], vec3_sub(q[k], mean)), m[k]);
    }
    dew_vec3 c0 = vec3_cross(r[1], r[2]), c1 = vec3_cross(r[2], r[0]), c2 = vec3_cross(r[0], r[1]);
    double inverse = 1 / vec3_dot(r[0], c0);
    mean = vec3_madd(mean, right.x * inverse, c0);
    mean = vec3_madd(mean, right.y * inverse, c1);
    return vec3_madd(mean, right.z * inverse, c2);
}

static double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* Bit x of row y + NODES z: node x of it lies inside. */
typedef struct node_sides {
    uint8_t inside[NODES * NODES];
} node_sides;

static void find_sides(const float *node, node_sides *s)
{
    for (int row = 0; row < NODES * NODES; row++) {
        unsigned bits = 0;
        for (int x = 0; x < NODES; x++) bits |= (unsigned)(node[NODES * row + x] < 0) << x;
        s->inside[row] = (uint8_t)bits;
    }
}

/* Bit x: the edge along an axis from node x of a row is crossed. */
static unsigned crossed_edges(const node_sides *s, int y, int z, int axis)
{
    const uint8_t *row = s->inside + y + NODES * z;
    if (axis == 0) return (row[0] ^ row[0] >> 1) & ((1u << CELLS) - 1);
    if (axis == 1) return y == CELLS ? 0 : row[0] ^ row[1];
    return z == CELLS ? 0 : row[0] ^ row[NODES];
}

/* Bit x: cell x of a row has corners on both sides. */
static unsigned crossed_cells(const node_sides *s, int y, int z)
{
    const uint8_t *row = s->inside + y + NODES * z;
    unsigned any = row[0] | row[1] | row[NODES] | row[NODES + 1], all = row[0] & row[1] & row[NODES] & row[NODES + 1];
    return (any | any >> 1) & ~(all & all >> 1) & ((1u << CELLS) - 1);
}

/* Where the surface crosses a block's edges (against its first node, in cells), and the field's planes there. */
typedef struct crossings {
    int count;
    int16_t of[3 * BLOCK_NODES]; /* of the edge from a node along an axis: which; -1: none */
    dew_vec3 at[3 * BLOCK_NODES], plane[3 * BLOCK_NODES];
} crossings;

static void add_crossing(crossings *c, const float *node, int x, int y, int z, int axis)
{
    int here = node_index(x, y, z);
    double from = (double)node[here], to = (double)node[here + (axis == 0 ? 1 : axis == 1 ? NODES : NODES * NODES)];
    c->of[3 * here + axis] = (int16_t)c->count;
    c->at[c->count++] = vec3_madd((dew_vec3){x, y, z}, from / (from - to), vec3_along(axis, 1));
}

/* Those from the nodes x to x + SIDE of a row. */
static void add_row(crossings *c, const float *node, const node_sides *s, int x, int y, int z)
{
    unsigned along[3], any = 0;
    for (int axis = 0; axis < 3; axis++) any |= along[axis] = crossed_edges(s, y, z, axis) >> x;
    for (int i = 0; i < SIDE && any >> i; i++)
        for (int axis = 0; axis < 3; axis++)
            if (along[axis] >> i & 1) add_crossing(c, node, x + i, y, z, axis);
}

/* The planes are those at the crossings: nodes beyond a sharp edge look at the edge, not at a face. */
static void find_planes(const net *n, dew_vec3 origin, crossings *c, int first)
{
    point_block p;
    distance_block d;
    for (; first < c->count; first += SHAPE_BLOCK) {
        int size = c->count - first < SHAPE_BLOCK ? c->count - first : SHAPE_BLOCK;
        for (int k = 0; k < size; k++) block_set(&p, k, vec3_madd(origin, n->def->cell, c->at[first + k]));
        cut_field(n, 3 * n->def->cell, size, &p, &d, false);
        for (int k = 0; k < size; k++) {
            dew_vec3 m = c->plane[first + k] = gradient_at(&d, k);
            c->at[first + k] = vec3_madd(c->at[first + k], -clamped(d.d[k] / n->def->cell, -1, 1), m);
        }
    }
}

/* Cube by cube, as what lies near is found of points that are. */
static void find_crossings(const net *n, const net_block *b, const float *node, const node_sides *s, crossings *c)
{
    c->count = 0;
    memset(c->of, -1, sizeof c->of);
    for (int cube = 0; cube < CUBES * CUBES * CUBES; cube++) {
        int first = c->count, x = SIDE * (cube % CUBES), y = SIDE * (cube / CUBES % CUBES),
            z = SIDE * (cube / (CUBES * CUBES));
        for (int row = 0; row < SIDE * SIDE; row++) add_row(c, node, s, x, y + row % SIDE, z + row / SIDE);
        find_planes(n, node_at(n, b->at, 0, 0, 0), c, first);
    }
}

/* The crossings of a cell's edges, against its corner, and their planes; how many. */
static int cell_crossings(const crossings *c, const int cell[3], dew_vec3 *q, dew_vec3 *m)
{
    int count = 0;
    for (int edge = 0; edge < 12; edge++) {
        int axis = edge / 4, at[3] = {cell[0], cell[1], cell[2]};
        at[(axis + 1) % 3] += edge % 2, at[(axis + 2) % 3] += edge / 2 % 2;
        int which = c->of[3 * node_index(at[0], at[1], at[2]) + axis];
        if (which < 0) continue;
        q[count] = vec3_sub(c->at[which], (dew_vec3){cell[0], cell[1], cell[2]});
        m[count++] = c->plane[which];
    }
    return count;
}

/* Draws vertices onto the surface, each by at most half a cell a turn. */
static void draw_vertices(const net *n, int count, float *vertices)
{
    double most = n->def->cell / 2;
    for (int first = 0; first < count; first += SHAPE_BLOCK) {
        int size = count - first < SHAPE_BLOCK ? count - first : SHAPE_BLOCK;
        point_block p;
        distance_block d;
        for (int i = 0; i < size; i++) block_set(&p, i, vec3_of_floats(vertices + 3 * (first + i)));
        for (int turn = 0; turn < 3; turn++) {
            cut_field(n, INFINITY, size, &p, &d, false);
            for (int i = 0; i < size; i++) {
                double step = clamped(d.d[i], -most, most);
                p.x[i] -= step * d.x[i], p.y[i] -= step * d.y[i], p.z[i] -= step * d.z[i];
            }
        }
        for (int i = 0; i < size; i++) vec3_to_floats(block_at(&p, i), vertices + 3 * (first + i));
    }
}

static void sample_block(const net *n, const net_block *b, float *node)
{
    point_block p;
    distance_block d;
    for (int cube = 0; cube < CUBES * CUBES * CUBES; cube++) {
        int x = SIDE * (cube % CUBES), y = SIDE * (cube / CUBES % CUBES), z = SIDE * (cube / (CUBES * CUBES));
        for (int i = 0; i < SHAPE_BLOCK; i++)
            block_set(&p, i, node_at(n, b->at, x + i % SIDE, y + i / SIDE % SIDE, z + i / (SIDE * SIDE)));
        cut_field(n, 3 * n->def->cell, SHAPE_BLOCK, &p, &d, true);
        for (int i = 0; i < SHAPE_BLOCK; i++)
            node[node_index(x + i % SIDE, y + i / SIDE % SIDE, z + i / (SIDE * SIDE))] = (float)d.d[i];
    }
}

/* The vertex of a cell, against its lower corner, in cells. */
static dew_vec3 vertex_of_cell(const crossings *all, const int cell[3])
{
    dew_vec3 q[12], m[12];
    int count = cell_crossings(all, cell, q, m);
    dew_vec3 r = meet_planes(count, q, m);
    return (dew_vec3){clamped(r.x, 0, 1), clamped(r.y, 0, 1), clamped(r.z, 0, 1)};
}

static void find_vertices(const net *n, net_block *b, const node_sides *s, const crossings *all, float *vertices)
{
    memset(b->vertex_of, -1, sizeof b->vertex_of);
    for (int row = 0; row < CELLS * CELLS; row++) {
        int c[3] = {0, row % CELLS, row / CELLS};
        unsigned crossed = crossed_cells(s, c[1], c[2]), inside = s->inside[c[1] + NODES * c[2]], edges[3];
        for (int axis = 0; axis < 3; axis++) edges[axis] = crossed_edges(s, c[1], c[2], axis);
        for (; c[0] < CELLS; c[0]++) {
            int k = c[0] + CELLS * row, x = c[0];
            b->crossing[k] = (uint8_t)((edges[0] >> x & 1) | (edges[1] >> x & 1) << 1 | (edges[2] >> x & 1) << 2 |
                                       (inside >> x & 1) << 3);
            if (!(crossed >> x & 1)) continue;
            dew_vec3 at = vec3_madd(node_at(n, b->at, c[0], c[1], c[2]), n->def->cell, vertex_of_cell(all, c));
            vec3_to_floats(at, vertices + 3 * b->vertex_count);
            b->vertex_of[k] = (int16_t)b->vertex_count++;
        }
    }
}

static void look_into_block(const net *n, net_block *b)
{
    float node[BLOCK_NODES], vertices[3 * BLOCK_CELLS];
    node_sides sides;
    crossings all;
    sample_block(n, b, node);
    find_sides(node, &sides);
    find_crossings(n, b, node, &sides, &all);
    find_vertices(n, b, &sides, &all, vertices);
    if (!b->vertex_count) return;
    draw_vertices(n, b->vertex_count, vertices);
    b->vertices = malloc((size_t)b->vertex_count * 3 * sizeof(float));
    if (b->vertices) memcpy(b->vertices, vertices, (size_t)b->vertex_count * 3 * sizeof(float));
}

static void look_into_blocks(int begin, int end, void *context)
{
    net *n = context;
    for (int k = begin; k < end; k++) look_into_block(n, &n->block[k]);
}

/* --- triangles --- */

/* The vertex of a cell, given against a block; -1 where there is none. */
static int vertex_at(const net *n, const net_block *b, int x, int y, int z)
{
    int cell[3] = {x, y, z}, at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = b->at[k] - (cell[k] < 0);
        if (at[k] < 0) return -1;
        cell[k] = (cell[k] + CELLS) % CELLS;
    }
    int block = n->block_of[at[0] + n->size[0] * (at[1] + n->size[1] * at[2])];
    if (block < 0) return -1;
    int vertex = n->block[block].vertex_of[cell[0] + CELLS * (cell[1] + CELLS * cell[2])];
    return vertex < 0 ? -1 : n->block[block].first_vertex + vertex;
}

static double squared(const float *v, int a, int b)
{
    double x = v[3 * a] - v[3 * b], y = v[3 * a + 1] - v[3 * b + 1], z = v[3 * a + 2] - v[3 * b + 2];
    return x * x + y * y + z * z;
}

/* Two triangles across the shorter diagonal; those that have shrunk to a line are kept, so that the net stays closed.
 */
static void add_quadrilateral(triangle_mesh *mesh, const int v[4], bool is_turned)
{
    int first = squared(mesh->vertices, v[0], v[2]) <= squared(mesh->vertices, v[1], v[3]) ? 0 : 1;
    for (int half = 0; half < 2; half++) {
        int32_t *t = mesh->triangles + 3 * mesh->triangle_count++;
        int a = v[first], b = v[(first + 1 + half) % 4], c = v[(first + 2 + half) % 4];
        t[0] = a, t[1] = is_turned ? c : b, t[2] = is_turned ? b : c;
    }
}

static void add_triangles(net *n, const net_block *b)
{
    for (int k = 0; k < BLOCK_CELLS; k++) {
        int c[3] = {k % CELLS, k / CELLS % CELLS, k / (CELLS * CELLS)};
        for (int axis = 0; axis < 3; axis++) {
            if (!(b->crossing[k] >> axis & 1)) continue;
            int u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
            u[(axis + 1) % 3] = 1, v[(axis + 2) % 3] = 1;
            int corner[4] = {vertex_at(n, b, c[0] - u[0] - v[0], c[1] - u[1] - v[1], c[2] - u[2] - v[2]),
                             vertex_at(n, b, c[0] - v[0], c[1] - v[1], c[2] - v[2]), vertex_at(n, b, c[0], c[1], c[2]),
                             vertex_at(n, b, c[0] - u[0], c[1] - u[1], c[2] - u[2])};
            if (corner[0] < 0 || corner[1] < 0 || corner[2] < 0 || corner[3] < 0) continue;
            add_quadrilateral(n->mesh, corner, !(b->crossing[k] >> 3));
        }
    }
}

static dew_result assemble(net *n)
{
    int vertices = 0;
    int64_t quads = 0;
    for (int k = 0; k < n->count; k++) {
        net_block *b = &n->block[k];
        if (b->vertex_count && !b->vertices) return result_fail(DEW_NO_MEMORY, "no memory to polygonise a shape");
        b->first_vertex = vertices;
        vertices += b->vertex_count;
        for (int c = 0; c < BLOCK_CELLS; c++)
            quads += (b->crossing[c] & 1) + (b->crossing[c] >> 1 & 1) + (b->crossing[c] >> 2 & 1);
    }
    if (quads > 1000000000)
        return result_fail(DEW_INVALID, "the shape has too many triangles; make the spacing larger");
    triangle_mesh *mesh = n->mesh;
    RESULT_TRY(triangle_mesh_obtain(mesh, (size_t)vertices, 2 * (size_t)quads));
    mesh->vertex_count = vertices;
    for (int k = 0; k < n->count; k++)
        if (n->block[k].vertex_count)
            memcpy(mesh->vertices + 3 * (size_t)n->block[k].first_vertex, n->block[k].vertices,
                   (size_t)n->block[k].vertex_count * 3 * sizeof(float));
    for (int k = 0; k < n->count; k++) add_triangles(n, &n->block[k]);
    return DEW_OK;
}

static dew_result make_net(net *n)
{
    const bounds *b = &n->def->within;
    double edge = n->def->cell * CELLS, total = 1;
    /* Half a cell beyond on every side, so that faces of `within` do not fall on nodes. */
    n->origin = vec3_madd(b->min, -0.57 * n->def->cell, (dew_vec3){1, 1, 1});
    for (int k = 0; k < 3; k++) {
        double blocks = ceil((vec3_at(b->max, k) - vec3_at(b->min, k) + 1.3 * n->def->cell) / edge);
        total *= fmax(blocks, 1);
        if (!(total < 5e7))
            return result_fail(DEW_INVALID, "the shape is too large to be polygonised with cells of %g m",
                               n->def->cell);
        n->size[k] = (int)fmax(blocks, 1);
    }
    n->total = (int)total;
    RESULT_TRY(find_blocks(n));
    each_block(n, n->count, 16, look_into_blocks);
    return assemble(n);
}

dew_result surface_net(const net_def *def, triangle_mesh *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    net n = {.def = def, .mesh = mesh};
    dew_result result = make_net(&n);
    for (int k = 0; k < n.count && n.block; k++) free(n.block[k].vertices);
    free(n.block);
    free(n.block_of);
    if (result != DEW_OK) triangle_mesh_free(mesh);
    return result;
}
