/* The surface: a net around the liquid, and samples on it.
 *
 * The level of a node is its distance to the nearest particle less r; where it changes sign between two nodes, a face
 * of the net lies across. Each cube of nodes (square in 2D) with both signs has a vertex at the mean of where its edges
 * are crossed (Gibson 1998); a face joins the vertices of the cubes around its edge: a quad in 3D, a segment in 2D. So
 * the same text serves both.
 *
 * The union of balls is too big by r - s/2, s the particle spacing; vertices go inward by that along their normals, and
 * two passes of Taubin's smoothing take the balls' bumps away. */
#ifndef METHODS_MPM_ANY_CONTOUR_H
#define METHODS_MPM_ANY_CONTOUR_H

#include "methods/mpm/any/grid.h"

enum { SIDES = 2 * DIM, FACE_CORNERS = DIM == 3 ? 4 : 2, CUBE_CORNERS = 1 << DIM };

typedef struct face {
    int32_t corner[FACE_CORNERS]; /* 3D: around, counter-clockwise from outside; 2D: liquid to the left */
} face;

typedef struct contour {
    int vertex_count, face_count;
    real4 *x;           /* vertices */
    real4 *normal;      /* sums of area at the vertices, outward */
    int32_t *neighbour; /* SIDES for each vertex, -1: none */
    face *faces;
} contour;

/* --- levels --- */

typedef struct level_work {
    const grid *g;
    const real4 *x;
    real4 *sums;       /* for each node: of the weights of the particles around, times where they are from it, in cells;
                          w: of the weights */
    const real *at_wall; /* of each particle: 1 at a wall, 0 away from it; NULL without walls */
    real *near;          /* for each node: of the weights, times at_wall */
    real *square;        /* for each node: squared distance to the nearest particle at a wall, in cells */
    real *level;       /* for each node: height over the liquid, in cells, less that of the net */
    uint8_t *is_inner; /* for each cell: all cells within LEVEL_CELLS of it have particles */
    real height;       /* of the net over the liquid, in cells */
} level_work;

/* Reach of the weights, in cells. */
#define LEVEL_REACH ((real)2)
enum { LEVEL_CELLS = 3 };

static bool is_full(const grid *g, int block, const int *at)
{
    int64_t cell = grid_node(g, block, at);
    return cell >= 0 && cell < (int64_t)g->home_count * CELLS && g->particle_begin[cell + 1] > g->particle_begin[cell];
}

/* Whether the cells of a block lie so deep that their particles do not touch the surface. */
static void find_inner(int block, void *context)
{
    level_work *w = context;
    enum { WIDE = SIDE + 2 * LEVEL_CELLS, ALL = DIM == 3 ? WIDE * WIDE * WIDE : WIDE * WIDE };
    uint8_t full[ALL], *inner = w->is_inner + (size_t)block * CELLS;
    if (block >= w->g->home_count) {
        memset(inner, 0, CELLS);
        return;
    }
    for (int c = 0; c < ALL; c++) {
        int at[DIM], rest = c;
        for (int a = DIM - 1; a >= 0; a--, rest /= WIDE) at[a] = rest % WIDE - LEVEL_CELLS;
        full[c] = is_full(w->g, block, at);
    }
    /* Axis after axis: a cell stays if those on either side do. */
    for (int a = 0, pitch = 1; a < DIM; a++, pitch *= WIDE) {
        uint8_t kept[ALL];
        for (int c = 0; c < ALL; c++) {
            int along = c / pitch % WIDE;
            kept[c] = full[c];
            if (along < LEVEL_CELLS || along >= WIDE - LEVEL_CELLS) continue;
            for (int k = -LEVEL_CELLS; k <= LEVEL_CELLS; k++) kept[c] = kept[c] && full[c + k * pitch];
        }
        memcpy(full, kept, sizeof full);
    }
    for (int c = 0; c < CELLS; c++) {
        int at = 0, rest = c;
        for (int a = DIM - 1, pitch = 1; a >= 0; a--, rest /= SIDE, pitch *= WIDE)
            at += (rest % SIDE + LEVEL_CELLS) * pitch;
        inner[c] = full[at];
    }
}

/* Adds a particle to the nodes of the tile within LEVEL_REACH: w (x - node) and w = (1 - (r/reach)^2)^3. */
static inline void splat_weights(real4 *tile, real4 x, real inverse, const block_place *p)
{
    enum { WIDTH = 5 };
    real arm[DIM][WIDTH], square[DIM][WIDTH];
    int low[DIM];
    for (int a = 0; a < DIM; a++) {
        real t = (&x.x)[a] * inverse - (real)(SIDE * p->at[a] - HALO);
        int cell = (int)(t + (real)0.5) - 2;
        low[a] = cell < 0 ? 0 : cell > TILE_SIDE - WIDTH ? TILE_SIDE - WIDTH : cell;
        for (int k = 0; k < WIDTH; k++) {
            arm[a][k] = t - (real)(low[a] + k);
            square[a][k] = arm[a][k] * arm[a][k] * (1 / (LEVEL_REACH * LEVEL_REACH));
        }
    }
#if DIM == 3
    for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j < WIDTH; j++) {
            real rest = 1 - square[0][i] - square[1][j];
            real4 *row = tile + ((low[0] + i) * TILE_SIDE + low[1] + j) * TILE_SIDE + low[2];
            vquad d = {arm[0][i], arm[1][j], 0, 1};
#else
    for (int i = 0; i < WIDTH; i++) {
        {
            real rest = 1 - square[0][i];
            real4 *row = tile + (low[0] + i) * TILE_SIDE + low[1];
            vquad d = {arm[0][i], 0, 0, 1};
#endif
            for (int k = 0; k < WIDTH; k++) {
                real t = rest - square[DIM - 1][k];
                t = t > 0 ? t * t * t : 0;
                d[DIM - 1] = arm[DIM - 1][k];
                quad_store(&row[k], quad_load(&row[k]) + t * d);
            }
        }
#if DIM == 2
}
#endif
}

/* Farther than any node whose level matters: in cells, squared. */
#define LEVEL_FAR ((real)9)

static void stretch_least(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    real *to = (real *)nodes + in_grid;
    const real *from = (const real *)tile + in_tile;
    for (int k = 0; k < count; k++) to[k] = to[k] < from[k] ? to[k] : from[k];
}

static void stretch_add_real(void *tile, void *nodes, int in_tile, size_t in_grid, int count)
{
    real *to = (real *)nodes + in_grid;
    const real *from = (const real *)tile + in_tile;
    for (int k = 0; k < count; k++) to[k] += from[k];
}

/* Squared distances from a particle to the nodes of the tile within two of its cell; and its weights there, times how
 * near to a wall it is. */
static inline void splat_distance(real *square, real *near, real4 x, real at_wall, real inverse, const block_place *p)
{
    real along[DIM][TILE_SIDE];
    int low[DIM];
    for (int a = 0; a < DIM; a++) {
        real t = (&x.x)[a] * inverse - (real)(SIDE * p->at[a] - HALO);
        int cell = (int)(t + (real)0.5) - 2;
        low[a] = cell < 0 ? 0 : cell > TILE_SIDE - 5 ? TILE_SIDE - 5 : cell;
        for (int k = 0; k < TILE_SIDE; k++) along[a][k] = (t - (real)k) * (t - (real)k);
    }
#if DIM == 3
    for (int i = low[0]; i < low[0] + 5; i++)
        for (int j = low[1]; j < low[1] + 5; j++) {
            real across = along[0][i] + along[1][j];
            int row = (i * TILE_SIDE + j) * TILE_SIDE;
#else
    for (int i = low[0]; i < low[0] + 5; i++) {
        {
            real across = along[0][i];
            int row = i * TILE_SIDE;
#endif
            for (int k = 0; k < TILE_SIDE; k++) {
                real d = across + along[DIM - 1][k], t = 1 - d / (LEVEL_REACH * LEVEL_REACH);
                t = t > 0 ? t * t * t : 0;
                square[row + k] = square[row + k] < d ? square[row + k] : d;
                near[row + k] += at_wall * t;
            }
        }
#if DIM == 2
}
#endif
}

static void splat_walls(int block, void *context)
{
    level_work *w = context;
    const grid *g = w->g;
    if (block >= g->home_count) return;
    real square[TILE], near[TILE];
    bool is_empty = true;
    for (int k = 0; k < TILE; k++) square[k] = LEVEL_FAR, near[k] = 0;
    for (int c = block * CELLS; c < (block + 1) * CELLS; c++) {
        if (w->is_inner[c]) continue;
        for (int i = g->particle_begin[c]; i < g->particle_begin[c + 1]; i++) {
            is_empty = false;
            splat_distance(square, near, w->x[i], w->at_wall[i], g->inverse, &g->block[block]);
        }
    }
    if (is_empty) return;
    tile_each(g, block, square, w->square, stretch_least);
    tile_each(g, block, near, w->near, stretch_add_real);
}

static void splat_block(int block, void *context)
{
    level_work *w = context;
    const grid *g = w->g;
    if (block >= g->home_count) return;
    real4 tile[TILE_ROOM];
    bool is_empty = true;
    tile_clear(tile);
    for (int c = block * CELLS; c < (block + 1) * CELLS; c++) {
        if (w->is_inner[c]) continue;
        for (int i = g->particle_begin[c]; i < g->particle_begin[c + 1]; i++) {
            is_empty = false;
            splat_weights(tile, w->x[i], g->inverse, &g->block[block]);
        }
    }
    if (!is_empty) tile_each(g, block, tile, w->sums, stretch_add);
}

/* Height over a flat surface from which the weighted mean of the particles is d away, both over the reach: a fit for
 * -0.4 .. 0.8, to 0.009. */
static inline real height_of(real d)
{
#if DIM == 3
    static const real c[5] = {-0.5543, 3.1001, -4.5889, 5.3756, -2.4041};
#else
    static const real c[5] = {-0.5789, 3.0616, -4.2763, 4.8666, -2.1318};
#endif
    return c[0] + d * (c[1] + d * (c[2] + d * (c[3] + d * c[4])));
}

/* Of the height over balls around the particles; see contour_make. */
#define BALLS_RADIUS ((real)(DIM == 3 ? 0.867 : 0.73))

static void finish_levels(int begin, int end, void *context)
{
    level_work *w = context;
    for (int k = begin; k < end; k++) {
        real4 q = w->sums[k];
        real d = q.w > 0 ? real3_length(real3_of(q)) / (q.w * LEVEL_REACH) : 1;
        real level = LEVEL_REACH * height_of(d < 1 ? d : 1) - w->height;
        if (w->near && w->near[k] > 0 && q.w > 0)
            level += fmin(w->near[k] / q.w, 1) * (sqrt(w->square[k]) - BALLS_RADIUS - level);
        w->level[k] = w->is_inner[k] ? -1 : level;
    }
}

static dew_result find_levels(const grid *g, const real4 *x, const real *at_wall, real height, real **level)
{
    size_t nodes = (size_t)g->block_count * CELLS;
    level_work w = {.g = g, .x = x, .at_wall = at_wall, .height = height};
    w.sums = arena_zeroed(g->memory, nodes * sizeof *w.sums);
    w.level = arena_alloc(g->memory, nodes * sizeof(real)), w.is_inner = arena_alloc(g->memory, nodes);
    if (!w.sums || !w.level || !w.is_inner) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    if (at_wall) {
        w.near = arena_zeroed(g->memory, nodes * sizeof(real));
        w.square = arena_alloc(g->memory, nodes * sizeof(real));
        if (!w.near || !w.square) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
        for (size_t k = 0; k < nodes; k++) w.square[k] = LEVEL_FAR;
    }
    each_block(g, find_inner, &w);
    each_colour(g, splat_block, &w);
    if (at_wall) each_colour(g, splat_walls, &w);
    parallel_for((int)nodes, 4096, finish_levels, &w);
    *level = w.level;
    return DEW_OK;
}

/* --- the net --- */

/* Levels of a block with one node before and two behind it along each axis; outside where there is no node. */
enum { NET_SIDE = SIDE + 3, NET = DIM == 3 ? NET_SIDE * NET_SIDE * NET_SIDE : NET_SIDE * NET_SIDE };

static void load_levels(const grid *g, int block, const real *level, real *tile)
{
    for (int c = 0; c < NET; c++) {
        int at[DIM], rest = c;
        for (int a = DIM - 1; a >= 0; a--, rest /= NET_SIDE) at[a] = rest % NET_SIDE - 1;
        int64_t node = grid_node(g, block, at);
        tile[c] = node >= 0 ? level[node] : 1;
    }
}

/* Whether all nodes of a block are on one side: 1 inside, -1 outside, 0 neither. */
static int side_of_block(const real *level)
{
    int inside = 0;
    for (int k = 0; k < CELLS; k++) inside += level[k] < 0;
    return inside == CELLS ? 1 : inside == 0 ? -1 : 0;
}

/* Whether the net has nothing in a block, because it and all around it are on one side. */
static bool is_beside(const grid *g, const int8_t *side, int block)
{
    int own = side[block];
    for (int k = 0; k < AROUND && own; k++) {
        int32_t other = g->neighbour[block * AROUND + k];
        if ((other < 0 ? -1 : side[other]) != own) own = 0;
    }
    return own != 0;
}

/* Pitch of an axis in that tile, and of a corner of a cube (bit a: one further along axis a). */
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

/* Which corners of the cube are inside. */
static inline unsigned cube_inside(const real *tile, int at)
{
    unsigned inside = 0;
    for (int k = 0; k < CUBE_CORNERS; k++) inside |= (unsigned)(tile[at + net_corner(k)] < 0) << k;
    return inside;
}

static inline bool is_mixed(unsigned inside) { return inside && inside != (1u << CUBE_CORNERS) - 1; }

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

typedef struct net_work {
    const grid *g;
    const real *level;
    int32_t *vertex; /* for each cube (numbered as its lowest node), -1: none */
    int8_t *side;    /* of each block */
    contour *c;
} net_work;

/* Position in the net's tile of the local node c. */
static inline int net_at(int c)
{
    int at = 0;
    for (int a = 0, shift = DIM - 1; a < DIM; a++, shift--) at += ((c >> 2 * shift & (SIDE - 1)) + 1) * net_pitch(a);
    return at;
}

static inline void local_of(int c, int *at)
{
    for (int a = 0, shift = DIM - 1; a < DIM; a++, shift--) at[a] = c >> 2 * shift & (SIDE - 1);
}

/* Whether a face lies across the edge from the local node along an axis. */
static inline bool is_crossed(const real *tile, int at, int axis)
{
    return (tile[at] < 0) != (tile[at + net_pitch(axis)] < 0);
}

/* Counts and numbers (is_counting) or makes the vertices of all blocks; returns how many it counted. */
static int make_vertices(net_work *w, bool is_counting)
{
    const grid *g = w->g;
    int count = 0;
    real tile[NET];
    for (int b = 0; b < g->block_count; b++) {
        if (is_beside(g, w->side, b)) {
            for (int c = 0; c < CELLS && is_counting; c++) w->vertex[(size_t)b * CELLS + (size_t)c] = -1;
            continue;
        }
        load_levels(g, b, w->level, tile);
        for (int c = 0; c < CELLS; c++) {
            int at = net_at(c);
            size_t cube = (size_t)b * CELLS + (size_t)c;
            if (is_counting) {
                w->vertex[cube] = is_mixed(cube_inside(tile, at)) ? count++ : -1;
                continue;
            }
            int32_t v = w->vertex[cube];
            if (v < 0) continue;
            real mean[DIM];
            int local[DIM];
            cube_vertex(tile, at, mean);
            local_of(c, local);
            w->c->x[v] = w->c->normal[v] = (real4){0, 0, 0, 0};
            for (int a = 0; a < DIM; a++)
                (&w->c->x[v].x)[a] = (real)((SIDE * g->block[b].at[a] + local[a] + (double)mean[a]) * g->dx);
        }
    }
    return count;
}

static inline int32_t vertex_at(const net_work *w, int block, const int *at)
{
    int64_t cube = grid_node(w->g, block, at);
    return cube < 0 ? -1 : w->vertex[cube];
}

/* Vertices that share an edge of a face: of the cubes beyond each side of a cube that is crossed. */
static void find_neighbours(net_work *w)
{
    const grid *g = w->g;
    for (int b = 0; b < g->block_count; b++)
        for (int c = 0; c < CELLS; c++) {
            int32_t v = w->vertex[(size_t)b * CELLS + (size_t)c];
            if (v < 0) continue;
            for (int side = 0; side < SIDES; side++) {
                int at[DIM];
                unsigned inside = 0;
                local_of(c, at);
                int axis = side >> 1, is_high = side & 1, corners = 0;
                for (int k = 0; k < CUBE_CORNERS; k++) {
                    if ((k >> axis & 1) != is_high) continue;
                    int node[DIM];
                    for (int a = 0; a < DIM; a++) node[a] = at[a] + (k >> a & 1);
                    int64_t n = grid_node(g, b, node);
                    inside += n >= 0 && w->level[n] < 0;
                    corners++;
                }
                at[axis] += is_high ? 1 : -1;
                bool is_shared = inside > 0 && inside < (unsigned)corners;
                w->c->neighbour[v * SIDES + side] = is_shared ? vertex_at(w, b, at) : -1;
            }
        }
}

/* The face across the edge from a node along an axis; false where a cube around it is missing. */
static bool make_face(const net_work *w, int block, const int *node, int axis, bool is_inside, face *f)
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
        f->corner[k] = vertex_at(w, block, at);
        if (f->corner[k] < 0) return false;
    }
    return true;
}

static int make_faces(const net_work *w, face *faces)
{
    const grid *g = w->g;
    int count = 0;
    real tile[NET];
    for (int b = 0; b < g->block_count; b++) {
        if (is_beside(g, w->side, b)) continue;
        load_levels(g, b, w->level, tile);
        for (int c = 0; c < CELLS; c++)
            for (int a = 0; a < DIM; a++) {
                int at = net_at(c), node[DIM];
                if (!is_crossed(tile, at, a)) continue;
                local_of(c, node);
                face f;
                if (!make_face(w, b, node, a, tile[at] < 0, &f)) continue;
                if (faces) faces[count] = f;
                count++;
            }
    }
    return count;
}

/* Area as a vector outward: m^2; 2D: m, of the length. */
static inline real3 face_area(const contour *c, const face *f)
{
#if DIM == 3
    real3 p = real3_of(c->x[f->corner[0]]), q = real3_of(c->x[f->corner[1]]), r = real3_of(c->x[f->corner[2]]);
    real3 s = real3_of(c->x[f->corner[3]]);
    return real3_scale((real)0.5, real3_cross(real3_sub(r, p), real3_sub(s, q)));
#else
        real4 p = c->x[f->corner[0]], q = c->x[f->corner[1]];
        return (real3){q.y - p.y, p.x - q.x, 0};
#endif
}

static void find_normals(contour *c)
{
    for (int v = 0; v < c->vertex_count; v++) c->normal[v] = (real4){0, 0, 0, 0};
    for (int f = 0; f < c->face_count; f++) {
        real3 a = face_area(c, &c->faces[f]);
        for (int k = 0; k < FACE_CORNERS; k++) {
            real4 *n = &c->normal[c->faces[f].corner[k]];
            n->x += a.x, n->y += a.y, n->z += a.z;
        }
    }
}

/* Moves vertices along their normals by `inward`; those whose w is set stay. */
static void move_inward(contour *c, real inward)
{
    find_normals(c);
    for (int v = 0; v < c->vertex_count; v++) {
        real3 n = real3_normalise(real3_of(c->normal[v]));
        real4 *x = &c->x[v];
        if (x->w != 0) continue;
        x->x -= inward * n.x, x->y -= inward * n.y, x->z -= inward * n.z;
    }
}

/* How near to a solid the surface is taken to lie on it, in cells. Where liquid repels, a wedge of air thinner than
 * that would be lost, and the angle with it: of a set angle of 135 and 150 degrees, 132 and 142 are left with 0.4 for
 * all. */
static real snap_of(double cosine) { return (real)(0.4 - 0.55 * fmax(0, -cosine - 0.5)); }

static inline void put_on_wall(real4 *x, real4 wall)
{
    *x = (real4){x->x - wall.w * wall.x, x->y - wall.w * wall.y, x->z - wall.w * wall.z, 1};
}

/* Vertices that are near a solid, or inside, go onto its wall; their w is set. */
static dew_result meet_walls(const grid *g, const solids *walls, double tension, contour *c)
{
    size_t n = (size_t)c->vertex_count + 1, mark = arena_mark(g->memory);
    real4 *found = arena_alloc(g->memory, n * sizeof *found);
    int32_t *which = arena_alloc(g->memory, n * sizeof *which);
    real *snap = arena_alloc(g->memory, (size_t)solids_count(walls) * sizeof *snap);
    if (!found || !which || !snap) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    for (int s = 0; s < solids_count(walls); s++)
        snap[s] = snap_of(solids_info(walls, s, tension).cos_contact_angle) * (real)g->dx;
    solids_nearest(walls, 2 * g->dx, c->vertex_count, c->x, found, which);
    for (int v = 0; v < c->vertex_count; v++)
        if (which[v] >= 0 && found[v].w < snap[which[v]]) put_on_wall(&c->x[v], found[v]);
    /* Of those, what is near another wall too goes into the corner. */
    for (int s = 0; s < solids_count(walls); s++) {
        solids_distance(walls, s, 2 * g->dx, c->vertex_count, c->x, found);
        for (int v = 0; v < c->vertex_count; v++)
            if (c->x[v].w != 0 && found[v].w < snap[s]) put_on_wall(&c->x[v], found[v]);
    }
    arena_release(g->memory, mark);
    return DEW_OK;
}

/* Each vertex goes towards the mean of its neighbours by `part` of the way. */
static void smooth(contour *c, real part, real4 *from)
{
    memcpy(from, c->x, (size_t)c->vertex_count * sizeof *from);
    for (int v = 0; v < c->vertex_count; v++) {
        real3 sum = {0, 0, 0};
        int count = 0;
        for (int k = 0; k < SIDES; k++) {
            int32_t n = c->neighbour[v * SIDES + k];
            if (n >= 0) sum = real3_add(sum, real3_of(from[n])), count++;
        }
        if (count < 2) continue;
        real3 x = real3_of(from[v]), mean = real3_scale(1 / (real)count, sum);
        x = real3_madd(x, part, real3_sub(mean, x));
        c->x[v] = (real4){x.x, x.y, x.z, from[v].w};
    }
}

static dew_result make_net(const grid *g, const real *level, contour *c)
{
    size_t nodes = (size_t)g->block_count * CELLS;
    net_work w = {g, level, arena_alloc(g->memory, nodes * sizeof(int32_t)),
                  arena_alloc(g->memory, (size_t)g->block_count + 1), c};
    if (!w.vertex || !w.side) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    for (int b = 0; b < g->block_count; b++) w.side[b] = (int8_t)side_of_block(level + (size_t)b * CELLS);
    c->vertex_count = make_vertices(&w, true);
    size_t n = (size_t)c->vertex_count + 1;
    c->x = arena_alloc(g->memory, n * sizeof *c->x);
    c->normal = arena_alloc(g->memory, n * sizeof *c->normal);
    c->neighbour = arena_alloc(g->memory, n * SIDES * sizeof *c->neighbour);
    c->face_count = make_faces(&w, NULL);
    c->faces = arena_alloc(g->memory, ((size_t)c->face_count + 1) * sizeof *c->faces);
    if (!c->x || !c->normal || !c->neighbour || !c->faces)
        return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    make_vertices(&w, false);
    find_neighbours(&w);
    make_faces(&w, c->faces);
    return DEW_OK;
}

/* Area (2D: length) and volume (2D: area) within: m^2, m^3. */
static void contour_measure(const contour *c, double *area, double *volume)
{
    *area = *volume = 0;
    for (int f = 0; f < c->face_count; f++) {
        const face *q = &c->faces[f];
        real3 a = face_area(c, q), mean = {0, 0, 0};
        for (int k = 0; k < FACE_CORNERS; k++) mean = real3_add(mean, real3_of(c->x[q->corner[k]]));
        *area += (double)real3_length(a);
        *volume += (double)real3_dot(a, mean) / (FACE_CORNERS * DIM);
    }
}

#include <stdlib.h>
static double kn(const char *n, double d) { const char *t = getenv(n); return t ? atof(t) : d; }
enum { TAUBIN_PASSES = 2 };

/* Moves the free surface until `volume` is inside; by a quarter of a cell at most, lest voids make much of it. */
static void keep_volume(const grid *g, double volume, contour *c)
{
    double all, enclosed, free_area = 0;
    contour_measure(c, &all, &enclosed);
    for (int f = 0; f < c->face_count; f++) {
        int at_wall = 0;
        for (int k = 0; k < FACE_CORNERS; k++) at_wall += c->x[c->faces[f].corner[k]].w != 0;
        free_area += (double)real3_length(face_area(c, &c->faces[f])) * (1 - at_wall / (double)FACE_CORNERS);
    }
    double excess = free_area > 0 ? (enclosed - volume) / free_area : 0;
    move_inward(c, (real)fmax(-0.25 * g->dx, fmin(excess, 0.25 * g->dx)));
}

/* The surface of particles that stand in the grid, s apart at rest, whose volume is `volume` together.
 *
 * What the union of balls, the net and its smoothing get wrong was measured on balls and discs: it is put right by 0.02
 * cells at any curvature, by a pass of smoothing backwards (half a vertex' distance from the mean of its neighbours) in
 * proportion to curvature. What is left, and what grows as particles lose their first order, is taken away by moving
 * the whole surface until it holds the particles' volume.
 *
 * At solids the union reaches inside: what is there goes onto the wall, and so does what is nearer to it than 0.4
 * cells, so that contact is flat. */
static dew_result contour_make(const grid *g, const real4 *x, const real *at_wall, double s, double volume, const solids *walls,
                               double tension, contour *c)
{
    /* So that the node next to a particle that is alone, half the diagonal of a cell away at most, is inside. */
    double height = DIM == 3 ? 0.56 : 0.34;
    real *level = NULL;
    RESULT_TRY(find_levels(g, x, at_wall, (real)height, &level));
    RESULT_TRY(make_net(g, level, c));
    real4 *from = arena_alloc(g->memory, ((size_t)c->vertex_count + 1) * sizeof *from);
    if (!from) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    move_inward(c, (real)(height * g->dx));
    (void)s;
    for (int k = 0; k < (int)kn("KT", TAUBIN_PASSES); k++) smooth(c, (real)0.5, from), smooth(c, (real)-0.53, from);
    if (kn("KB", -0.5) != 0) smooth(c, (real)kn("KB", -0.5), from);
    if (solids_count(walls) > 0) RESULT_TRY(meet_walls(g, walls, tension, c));
    keep_volume(g, volume, c);
    return DEW_OK;
}

#endif
