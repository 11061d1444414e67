/* A map in blocks of nodes, s/2 apart, where liquid has been, in the solid's own frame, so that it goes along with a
 * solid that moves. The integral over the solid is a sum over a lattice of
 * points s/4 apart, each of which counts by how deep it lies; nodes lie on that lattice too, so that one table of the
 * kernel serves all. Interpolated linearly between nodes.
 *
 * Blocks within H of which the solid is a half space to a quarter of a spacing are not made: there the polynomials of
 * kernel.h are exact. */
#include "methods/sph/solid_map.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "geometry/shape.h"
#include "particles/kernels.h"

#include <stdlib.h>
#include <string.h>

/* In steps of the lattice, s/4: the kernel's support, the distance of nodes, the edge of a block, and of what the
 * kernels of its nodes reach. */
enum { SUPPORT = 12, NODE = 2, CELLS = 4, EDGE = CELLS * NODE, NODES = CELLS + 1, REACH = EDGE + 2 * SUPPORT + 1 };

typedef struct block {
    int solid, x, y, z;
    int nodes; /* -1: a half space, or not made yet */
} block;

typedef struct offset {
    int at; /* in the lattice of a block */
    real c, x, y, z;
} offset;

struct solid_map {
    const solids *all;
    double support, step;
    bool *is_mapped; /* of each solid */
    block *blocks;
    int count, made, made_nodes;
    real4 (*nodes)[NODES * NODES * NODES]; /* of the blocks that have any */
    int32_t *table;                        /* of blocks, by their places; -1: free */
    uint32_t mask;
    size_t room, node_room, table_room;
    offset *kernel;
    int kernel_count;
};

static void fill_kernel(solid_map *m)
{
    double sum = 0;
    for (int z = -SUPPORT; z <= SUPPORT; z++)
        for (int y = -SUPPORT; y <= SUPPORT; y++)
            for (int x = -SUPPORT; x <= SUPPORT; x++) {
                double q = sqrt(x * x + y * y + z * z) / SUPPORT, t = 1 - q;
                if (t <= 0) continue;
                double slope = 20 * t * t * t / SUPPORT; /* of W by the place of the centre, times H */
                m->kernel[m->kernel_count++] = (offset){x + REACH * (y + REACH * z), wendland((real)q),
                                                        (real)(slope * x), (real)(slope * y), (real)(slope * z)};
                sum += (double)wendland((real)q);
            }
    for (int k = 0; k < m->kernel_count; k++) {
        offset *o = &m->kernel[k];
        o->c /= (real)sum, o->x /= (real)sum, o->y /= (real)sum, o->z /= (real)sum;
    }
}

void solid_map_destroy(solid_map *m)
{
    if (!m) return;
    aligned_release(m->blocks);
    aligned_release(m->nodes);
    aligned_release(m->table);
    free(m->kernel);
    free(m->is_mapped);
    free(m);
}

/* --- blocks --- */

static uint32_t hash(int solid, int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    return (h ^ (uint32_t)solid * 0x7feb352du) * 0x9e3779b1u >> 7;
}

static int32_t *entry_of(const solid_map *m, int solid, int x, int y, int z)
{
    for (uint32_t at = hash(solid, x, y, z);; at++) {
        int32_t *e = &m->table[at & m->mask];
        if (*e < 0) return e;
        const block *b = &m->blocks[*e];
        if (b->solid == solid && b->x == x && b->y == y && b->z == z) return e;
    }
}

static dew_result grow(solid_map *m)
{
    size_t room = 2 * (size_t)m->count + 256, entries = 1024;
    RESULT_TRY(buffer_reserve(&m->blocks, &m->room, room, (size_t)m->count, sizeof *m->blocks, "the map of solids"));
    while (entries < 4 * m->room) entries *= 2;
    RESULT_TRY(buffer_reserve(&m->table, &m->table_room, entries, 0, sizeof *m->table, "the map of solids"));
    memset(m->table, 0xff, entries * sizeof *m->table);
    m->mask = (uint32_t)entries - 1;
    for (int k = 0; k < m->count; k++) {
        const block *b = &m->blocks[k];
        *entry_of(m, b->solid, b->x, b->y, b->z) = k;
    }
    return DEW_OK;
}

dew_result solid_map_create(solid_map **map, const solids *all, double support)
{
    solid_map *m = *map = calloc(1, sizeof *m);
    if (!m) return result_fail(DEW_NO_MEMORY, "no memory for the map of solids");
    int count = solids_count(all), room = 2 * SUPPORT + 1;
    m->all = all, m->support = support, m->step = support / SUPPORT;
    m->is_mapped = calloc((size_t)count + 1, sizeof *m->is_mapped);
    m->kernel = malloc((size_t)room * room * room * sizeof *m->kernel);
    if (!m->is_mapped || !m->kernel) return result_fail(DEW_NO_MEMORY, "no memory for the map of solids");
    RESULT_TRY(grow(m));
    for (int k = 0; k < count; k++) {
        const shape *s = solids_shape(all, k);
        m->is_mapped[k] = s && !shape_is_plane(s);
    }
    fill_kernel(m);
    return DEW_OK;
}

static void place_of(const solid_map *m, real3 x, int place[3], real3 *rest)
{
    double scale = 1 / (m->step * NODE);
    double u[3] = {(double)x.x * scale, (double)x.y * scale, (double)x.z * scale};
    for (int k = 0; k < 3; k++) {
        place[k] = (int)floor(u[k] / CELLS);
        u[k] -= (double)CELLS * place[k];
    }
    *rest = (real3){(real)u[0], (real)u[1], (real)u[2]};
}

dew_result solid_map_want(solid_map *m, int solid, real3 x)
{
    int p[3];
    real3 rest;
    place_of(m, solids_undo(m->all, solid, x), p, &rest);
    if (*entry_of(m, solid, p[0], p[1], p[2]) >= 0) return DEW_OK;
    if ((size_t)m->count == m->room) RESULT_TRY(grow(m));
    *entry_of(m, solid, p[0], p[1], p[2]) = m->count;
    m->blocks[m->count++] = (block){.solid = solid, .x = p[0], .y = p[1], .z = p[2], .nodes = -1};
    return DEW_OK;
}

/* --- making --- */

static real4 lattice_point(const solid_map *m, const block *b, int x, int y, int z)
{
    return (real4){(real)(m->step * (EDGE * b->x + x - SUPPORT)), (real)(m->step * (EDGE * b->y + y - SUPPORT)),
                   (real)(m->step * (EDGE * b->z + z - SUPPORT)), 0};
}

/* Whether the distance is that to a plane, a quarter of a spacing (a step) off at most, over all that the kernels see.
 */
static bool is_half_space(const solid_map *m, const block *b)
{
    enum { SIDE = 5, POINTS = SIDE * SIDE * SIDE };
    real4 x[POINTS], d[POINTS];
    int count = 0;
    for (int k = 0; k < POINTS; k++)
        x[count++] =
            lattice_point(m, b, k % SIDE * (REACH - 1) / (SIDE - 1), k / SIDE % SIDE * (REACH - 1) / (SIDE - 1),
                          k / (SIDE * SIDE) * (REACH - 1) / (SIDE - 1));
    shape_distance(solids_shape(m->all, b->solid), INFINITY, count, x, d);
    real4 middle = d[POINTS / 2], origin = x[POINTS / 2];
    real3 n = real3_of(middle);
    for (int k = 0; k < POINTS; k++) {
        real3 away = real3_sub(real3_of(x[k]), real3_of(origin));
        real plane = middle.w + real3_dot(away, n), bound = (real)(1.5 * m->step);
        /* Far from the surface it does not matter which way that lies. */
        if (fmin(plane, d[k].w) > bound + (real)m->step || fmax(plane, d[k].w) < -bound - (real)m->step) continue;
        if (fabs(plane - d[k].w) > (real)m->step) return false;
    }
    return true;
}

static void make_nodes(const solid_map *m, const block *b, real4 *node)
{
    real inside[REACH * REACH * REACH];
    real4 x[REACH], d[REACH];
    for (int k = 0; k < REACH * REACH; k++) {
        for (int n = 0; n < REACH; n++) x[n] = lattice_point(m, b, n, k % REACH, k / REACH);
        shape_distance(solids_shape(m->all, b->solid), 2 * m->step, REACH, x, d);
        for (int n = 0; n < REACH; n++)
            inside[k * REACH + n] = fmin(fmax((real)0.5 - d[n].w / (real)m->step, (real)0), (real)1);
    }
    for (int k = 0; k < NODES * NODES * NODES; k++) {
        int at = SUPPORT + NODE * (k % NODES) + REACH * (SUPPORT + NODE * (k / NODES % NODES)) +
                 REACH * REACH * (SUPPORT + NODE * (k / NODES / NODES));
        real4 sum = {0, 0, 0, 0};
        for (int n = 0; n < m->kernel_count; n++) {
            const offset *o = &m->kernel[n];
            real f = inside[at + o->at];
            sum.x += f * o->x, sum.y += f * o->y, sum.z += f * o->z, sum.w += f * o->c;
        }
        node[k] = sum;
    }
}

static void find_half_spaces(int begin, int end, void *context)
{
    solid_map *m = context;
    for (block *b = m->blocks + m->made + begin; b < m->blocks + m->made + end; b++)
        b->nodes = is_half_space(m, b) ? -1 : 0;
}

static void make_blocks(int begin, int end, void *context)
{
    solid_map *m = context;
    for (const block *b = m->blocks + m->made + begin; b < m->blocks + m->made + end; b++)
        if (b->nodes >= 0) make_nodes(m, b, m->nodes[b->nodes]);
}

dew_result solid_map_make(solid_map *m)
{
    int kept = m->made_nodes;
    parallel_for(m->count - m->made, 1, find_half_spaces, m);
    for (int k = m->made; k < m->count; k++)
        if (m->blocks[k].nodes >= 0) m->blocks[k].nodes = m->made_nodes++;
    RESULT_TRY(buffer_reserve(&m->nodes, &m->node_room, (size_t)m->made_nodes, (size_t)kept, sizeof *m->nodes,
                              "the map of solids"));
    parallel_for(m->count - m->made, 1, make_blocks, m);
    m->made = m->count;
    return DEW_OK;
}

/* --- asking --- */

solid_look solid_map_at(const solid_map *m, int solid, real3 x, real4 *inside)
{
    if (!m->is_mapped[solid]) return SOLID_PLANE;
    int p[3];
    real3 u;
    place_of(m, solids_undo(m->all, solid, x), p, &u);
    int32_t found = *entry_of(m, solid, p[0], p[1], p[2]);
    if (found < 0) return SOLID_UNKNOWN;
    int nodes = m->blocks[found].nodes;
    if (nodes < 0) return SOLID_PLANE;
    int cx = (int)fmin(u.x, (real)(CELLS - 1)), cy = (int)fmin(u.y, (real)(CELLS - 1)),
        cz = (int)fmin(u.z, (real)(CELLS - 1));
    const real4 *node = m->nodes[nodes] + cx + NODES * (cy + NODES * cz);
    u.x -= (real)cx, u.y -= (real)cy, u.z -= (real)cz;
    real4 sum = {0, 0, 0, 0};
    for (int k = 0; k < 8; k++) {
        real3 away = {u.x - (real)(k & 1), u.y - (real)(k >> 1 & 1), u.z - (real)(k >> 2)};
        real w = (1 - fabs(away.x)) * (1 - fabs(away.y)) * (1 - fabs(away.z));
        real4 a = node[(k & 1) + NODES * ((k >> 1 & 1) + NODES * (k >> 2))];
        /* With half of what the gradient adds, c is right to second order. */
        real c = a.w + (real)NODE / (2 * SUPPORT) * real3_dot(real3_of(a), away);
        sum.x += w * a.x, sum.y += w * a.y, sum.z += w * a.z, sum.w += w * c;
    }
    *inside = real4_of(solids_direction_now(m->all, solid, real3_of(sum)), sum.w);
    return SOLID_MAPPED;
}
