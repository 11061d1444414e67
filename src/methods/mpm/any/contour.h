/* The surface: a net around the liquid.
 *
 * Where the level changes sign between two nodes, a face of the net lies across. Each cube of nodes (square in 2D) with
 * both signs has a vertex at the mean of where its edges are crossed (Gibson 1998); a face joins the vertices of the
 * cubes around its edge: a quad in 3D, a segment in 2D. So the same text serves both. All passes go over blocks,
 * vertices or faces in parallel; each writes what is its own. */
#ifndef METHODS_MPM_ANY_CONTOUR_H
#define METHODS_MPM_ANY_CONTOUR_H

#include "methods/mpm/any/level.h"

/* SIDES and EDGES: of a cube. */
enum { SIDES = 2 * DIM, EDGES = DIM == 3 ? 12 : 4, FACE_CORNERS = DIM == 3 ? 4 : 2, CUBE_CORNERS = 1 << DIM };

typedef struct face {
    int32_t corner[FACE_CORNERS]; /* 3D: around, counter-clockwise from outside; 2D: liquid to the left */
    int32_t body;                 /* of liquid, that it bounds */
} face;

typedef struct contour {
    const grid *g;
    const real *level;  /* of the nodes */
    int32_t *vertex_of; /* of each cube (numbered as its lowest node), -1: none */
    int32_t *face_of;   /* DIM for each node: across the edge along each axis, -1: none */
    int *first;         /* for each block: how many vertices, or faces, it has; then which is its first */
    int8_t *side;       /* of each block: see find_side */
    int vertex_count, face_count;
    real4 *x, *other;   /* vertices, w: 1 for those on a wall; room for their next places */
    int32_t *neighbour; /* SIDES for each vertex, -1: none */
    int32_t *around;    /* EDGES for each vertex: faces that it is a corner of, -1: none */
    int32_t *body;      /* of each vertex */
    face *faces;
    real4 *area; /* of each face, outward; w: how much of it is at a wall */
    liquid_bodies bodies;
    double *sums; /* BODY_SUMS for each: see contour_measure */
    /* What passes over the vertices go by. */
    const double *inward; /* of each body: how far they move, m */
    real part;            /* of the way to the mean of their neighbours */
    const real4 *wall;    /* of each vertex, before it was put on it: normal and distance */
    const int32_t *which; /* solid */
    const real *look;     /* of each solid: see look_of */
    int depth;            /* whose neighbours are sought: see depth.h */
    uint8_t *depth_of;    /* of each node */
} contour;

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
    for (int k = 0; k < CELLS; k++)
        if (is_mixed(tile, cell_in(k, NET_SIDE, 1))) vertex[k] = c->first[block]++;
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
        c->x[v] = (real4){0, 0, 0, 0};
        for (int a = 0; a < DIM; a++)
            (&c->x[v].x)[a] = (real)((SIDE * c->g->block[block].at[a] + local[a] + (double)mean[a]) * c->g->dx);
        c->body[v] = body_of_cube(c, block, local);
    }
}

static inline int32_t vertex_at(const contour *c, int block, const int *at)
{
    int64_t cube = grid_node(c->g, block, at);
    return cube < 0 ? -1 : c->vertex_of[cube];
}

/* Finds the vertices that share an edge of a face with that of a cube: those of the cubes beyond its sides that are
 * crossed. */
static void find_neighbours(const contour *c, int block, const int *cube, int32_t *neighbour)
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
        find_neighbours(c, block, at, c->neighbour + (size_t)v * SIDES);
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
    if (!load_levels(c, block, tile)) return;
    for (int k = 0; k < CELLS * DIM; k++) {
        int at = cell_in(k / DIM, NET_SIDE, 1), axis = k % DIM, node[DIM];
        face f;
        if ((tile[at] < 0) == (tile[at + net_pitch(axis)] < 0)) continue; /* no face across the edge */
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
        f->body = c->bodies.of_node[grid_node(c->g, block, node)];
    }
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

static void find_areas(int begin, int end, void *context)
{
    contour *c = context;
    for (int f = begin; f < end; f++) {
        int at_wall = 0;
        for (int k = 0; k < FACE_CORNERS; k++) at_wall += c->x[c->faces[f].corner[k]].w != 0;
        real3 a = face_area(c, &c->faces[f]);
        c->area[f] = (real4){a.x, a.y, a.z, (real)at_wall / FACE_CORNERS};
    }
}

/* The outward normal at a vertex from the faces around, or (is_free) from those of them that touch no wall; 0: there
 * are none. */
static inline real3 vertex_normal(const contour *c, int v, bool is_free)
{
    real3 sum = {0, 0, 0};
    for (int k = 0; k < EDGES; k++) {
        int32_t f = c->around[(size_t)v * EDGES + (size_t)k];
        if (f >= 0 && !(is_free && c->area[f].w != 0)) sum = real3_add(sum, real3_of(c->area[f]));
    }
    return real3_normalise(sum);
}

/* Vertices go to the other places that a pass finds for them. */
static void move_to_others(contour *c, parallel_fcn *pass)
{
    real4 *now = c->other;
    parallel_for(c->vertex_count, 1024, pass, c);
    c->other = c->x, c->x = now;
}

static void move_vertices(int begin, int end, void *context)
{
    contour *c = context;
    for (int v = begin; v < end; v++) {
        real4 *x = &c->x[v];
        if (x->w != 0) continue;
        real3 n = vertex_normal(c, v, false);
        real inward = (real)c->inward[c->body[v]];
        x->x -= inward * n.x, x->y -= inward * n.y, x->z -= inward * n.z;
    }
}

/* Moves vertices along their normals, those of each body by its `inward`; those on walls stay. */
static void move_inward(contour *c, const double *inward)
{
    c->inward = inward;
    parallel_for(c->face_count, 1024, find_areas, c);
    parallel_for(c->vertex_count, 1024, move_vertices, c);
}

/* How near to a solid the surface is taken to lie on it, in cells. Where liquid repels, a wedge of air thinner than
 * that would be lost, and the angle with it: of a set angle of 150 degrees 145 to 147 are left on planes with 0.4 for
 * all. */
static real snap_of(double cosine) { return (real)(0.4 - 0.14 * fmax(0, -cosine - 0.5)); }

/* How far the surface at a vertex may look away from its wall, as the normals' cosine, for the vertex to be moved to
 * the contact line: by 30 degrees, but not at all where the liquid's wedge is thinner than about 40. Drops of 30
 * degrees and 16 000 particles flew apart while they drew back, with 30 degrees for all. */
static real look_of(double cosine) { return (real)(0.5 * fmin(1, fmax(0, (0.8 - cosine) / 0.3))); }

static inline void put_on_wall(real4 *x, real4 wall)
{
    *x = (real4){x->x - wall.w * wall.x, x->y - wall.w * wall.y, x->z - wall.w * wall.z, 1};
}

/* Where the free surface at the vertex v meets its wall when it goes on straight, and which way out of the liquid is
 * along the wall; false where it is as flat as the wall. */
static bool find_line(const contour *c, int v, real3 *at, real3 *out)
{
    const real least_sine = (real)0.2;
    real3 n = real3_of(c->wall[v]), m = vertex_normal(c, v, true);
    real cosine = real3_dot(m, n), height = c->wall[v].w;
    real3 flat = real3_madd(m, -cosine, n);
    real sine = real3_length(flat);
    if (!(sine > least_sine)) return false;
    *out = real3_scale(1 / sine, flat);
    *at = real3_madd(real3_madd(real3_of(c->x[v]), -height, n), height * cosine / sine, *out);
    return true;
}

/* The outermost of the vertices on a wall go along it, by a cell at most, to the line where the free surface meets it:
 * those that happen to be near enough to count as on it end up to a cell short of that, and what lies between would be
 * neither wet nor free. Those whose surface looks away from the wall (look_of) are of the upper side of a thin wedge,
 * which lies on it too: moved, they would fold it. */
static void meet_line(int begin, int end, void *context)
{
    const contour *c = context;
    const real most = (real)c->g->dx;
    for (int v = begin; v < end; v++) {
        real3 sum = {0, 0, 0}, out = {0, 0, 0}, at, way;
        int count = 0;
        c->other[v] = c->x[v];
        if (c->x[v].w == 0) continue;
        if (real3_dot(vertex_normal(c, v, false), real3_of(c->wall[v])) >= c->look[c->which[v]]) continue;
        for (int k = 0; k < SIDES; k++) {
            int32_t near = c->neighbour[(size_t)v * SIDES + (size_t)k];
            if (near < 0 || c->x[near].w != 0 || c->which[near] != c->which[v]) continue;
            if (!find_line(c, near, &at, &way)) continue;
            sum = real3_add(sum, at), out = real3_add(out, way), count++;
        }
        if (count == 0) continue;
        out = real3_normalise(out);
        real along = real3_dot(out, real3_sub(real3_scale(1 / (real)count, sum), real3_of(c->x[v])));
        along = real_min(real_max(along, -most), most);
        c->other[v].x += along * out.x, c->other[v].y += along * out.y, c->other[v].z += along * out.z;
    }
}

/* Vertices that are near a solid, or inside, go onto its wall; their w is set. */
static dew_result meet_walls(const solids *walls, double tension, contour *c)
{
    const grid *g = c->g;
    size_t mark = arena_mark(g->memory);
    ARENA_ARRAY(g->memory, c->vertex_count, real4, found);
    ARENA_ARRAY(g->memory, c->vertex_count, int32_t, which);
    ARENA_ARRAY(g->memory, solids_count(walls), real, snap);
    ARENA_ARRAY(g->memory, solids_count(walls), real, look);
    for (int s = 0; s < solids_count(walls); s++) {
        double cosine = solids_info(walls, s, tension).cos_contact_angle;
        snap[s] = snap_of(cosine) * (real)g->dx, look[s] = look_of(cosine);
    }
    solids_nearest(walls, 2 * g->dx, c->vertex_count, c->x, found, which);
    for (int v = 0; v < c->vertex_count; v++)
        if (which[v] >= 0 && found[v].w < snap[which[v]]) put_on_wall(&c->x[v], found[v]);
    c->wall = found, c->which = which, c->look = look;
    parallel_for(c->face_count, 1024, find_areas, c);
    move_to_others(c, meet_line);
    /* A vertex on a wall that is near another wall too goes into the corner. */
    for (int s = 0; s < solids_count(walls); s++) {
        solids_distance(walls, s, 2 * g->dx, c->vertex_count, c->x, found);
        for (int v = 0; v < c->vertex_count; v++)
            if (c->x[v].w != 0 && found[v].w < snap[s]) put_on_wall(&c->x[v], found[v]);
    }
    arena_release(g->memory, mark);
    return DEW_OK;
}

static void smooth_vertices(int begin, int end, void *context)
{
    const contour *c = context;
    for (int v = begin; v < end; v++) {
        real3 sum = {0, 0, 0}, x = real3_of(c->x[v]);
        int count = 0;
        for (int k = 0; k < SIDES; k++) {
            int32_t n = c->neighbour[v * SIDES + k];
            if (n >= 0) sum = real3_add(sum, real3_of(c->x[n])), count++;
        }
        if (count > 1) x = real3_madd(x, c->part, real3_sub(real3_scale(1 / (real)count, sum), x));
        c->other[v] = (real4){x.x, x.y, x.z, c->x[v].w};
    }
}

static dew_result make_net(contour *c)
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
    ARENA_TRY(g->memory, n, c->x, c->other, c->body);
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

enum { BODY_AREA, BODY_FREE, BODY_VOLUME, BODY_SUMS };

/* Adds up, for each body, area, what of it is free, and volume within. */
static void add_faces(int begin, int end, void *context, double *sums)
{
    const contour *c = context;
    for (int f = begin; f < end; f++) {
        const face *q = &c->faces[f];
        real3 mean = {0, 0, 0}, a = real3_of(c->area[f]);
        for (int k = 0; k < FACE_CORNERS; k++) mean = real3_add(mean, real3_of(c->x[q->corner[k]]));
        double *own = sums + (size_t)BODY_SUMS * (size_t)q->body, area = (double)real3_length(a);
        own[BODY_AREA] += area;
        own[BODY_FREE] += area * (1 - (double)c->area[f].w);
        own[BODY_VOLUME] += (double)real3_dot(a, mean) / (FACE_CORNERS * DIM);
    }
}

/* Finds the sums of each body, m^2, m^3 (2D: m, m^2). */
static dew_result contour_measure(contour *c)
{
    ARENA_TRY(c->g->memory, (size_t)c->bodies.count * BODY_SUMS, c->sums);
    parallel_for(c->face_count, 1024, find_areas, c);
    sum_bodies(c->bodies.count, c->face_count, BODY_SUMS, add_faces, c, c->sums);
    return DEW_OK;
}

/* Moves the free surface of each body until its volume is inside; by a quarter of a cell at most, lest voids make much
 * of it. */
static dew_result keep_volumes(const double *volume, contour *c)
{
    const double most = 0.25 * c->g->dx;
    RESULT_TRY(contour_measure(c));
    ARENA_ARRAY(c->g->memory, c->bodies.count, double, inward);
    for (int b = 0; b < c->bodies.count; b++) {
        const double *sums = c->sums + (size_t)BODY_SUMS * (size_t)b;
        double excess = sums[BODY_FREE] > 0 ? (sums[BODY_VOLUME] - volume[b]) / sums[BODY_FREE] : 0;
        inward[b] = fmax(-most, fmin(excess, most));
    }
    move_inward(c, inward);
    return DEW_OK;
}

/* The surface of the liquid whose levels are given, over which the net lies `height` cells; volume: of each body.
 *
 * Two passes of Taubin's smoothing (1995: 0.5, -0.53) take the net's bumps away, one backwards (-0.8) puts right, in
 * proportion to curvature, what the level and the net blunt; measured on swinging drops. Together they leave no bump
 * larger than it was by more than a twentieth: one pass and -0.7, by 0.3, and a thin wedge of liquid folded. What is
 * left is taken away by moving the surface of each body until it holds the volume of its particles.
 *
 * At solids the net reaches inside: what is there goes onto the wall, and so does what is nearer to it than 0.4
 * cells, so that contact is flat. */
static dew_result contour_make(const grid *g, const real *level, double height, const liquid_bodies *b,
                               const double *volume, const solids *walls, double tension, contour *c)
{
    const double parts[] = {0.5, -0.53, 0.5, -0.53, -0.8};
    *c = (contour){.g = g, .level = level, .bodies = *b};
    RESULT_TRY(make_net(c));
    size_t mark = arena_mark(g->memory);
    ARENA_ARRAY(g->memory, b->count, double, inward);
    for (int k = 0; k < b->count; k++) inward[k] = height * g->dx;
    move_inward(c, inward);
    for (int k = 0; k < 5; k++) {
        c->part = (real)parts[k];
        move_to_others(c, smooth_vertices);
    }
    if (solids_count(walls) > 0) RESULT_TRY(meet_walls(walls, tension, c));
    RESULT_TRY(keep_volumes(volume, c));
    arena_release(g->memory, mark);
    return DEW_OK;
}

#endif
