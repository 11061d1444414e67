#include "methods/mpm/any/contour.h"

#include "methods/mpm/any/walls.h"

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

real3 contour_along_planes(const contour *c, int v, real3 n)
{
    for (int a = 0; a < DIM; a++)
        if (c->on_planes[v] >> a & 1) (&n.x)[a] = 0;
    return n;
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
    const real3 n = real3_normalise(sum);
    return c->g->has_planes ? real3_normalise(contour_along_planes(c, v, n)) : n;
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

/* How much of a thin wedge liquid of a contact angle makes: nothing from 37 degrees on, all of it below 20. */
static real thin_of(double cosine) { return (real)fmin(1, fmax(0, (cosine - 0.8) / 0.14)); }

/* The share of snap_of that counts for a vertex near a wall. The upper side of a thin wedge, where the surface at the
 * vertex and all around it looks away from the wall, is not laid on it: the wedge would end in a step a cell too early,
 * and as steep a front drives liquid on (caps of 15 degrees ran out over their plate and fell into 200 bodies). */
static real share_of_snap(const contour *c, int v)
{
    const int32_t *near = c->neighbour + (size_t)v * SIDES;
    real3 n = real3_of(c->wall[v]);
    real least = real3_dot(vertex_normal(c, v, false), n);
    for (int k = 0; k < SIDES; k++)
        if (near[k] >= 0) least = real_min(least, real3_dot(vertex_normal(c, near[k], false), n));
    real upper = (least - (real)0.5) / (real)0.3;
    return 1 - c->thin[c->which[v]] * (upper < 0 ? 0 : upper < 1 ? upper : 1);
}

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
            at = grid_nearest(c->g, at, real3_of(c->x[v]));
            sum = real3_add(sum, at), out = real3_add(out, way), count++;
        }
        if (count == 0) continue;
        out = real3_normalise(out);
        real along = real3_dot(out, real3_sub(real3_scale(1 / (real)count, sum), real3_of(c->x[v])));
        along = real_min(real_max(along, -most), most);
        c->other[v].x += along * out.x, c->other[v].y += along * out.y, c->other[v].z += along * out.z;
    }
}

/* Whether a vertex lies before an outer edge, not before a face: put onto the edge, the surface would lack what liquid
 * that hangs over has on its lower side, and with it what draws it back. */
static bool is_over_edge(const contour *c, const solids *walls, int v)
{
    real3 faces[2];
    return c->wall[v].w > 0 && solids_edge(walls, c->which[v], c->x[v], c->wall[v], faces);
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
    ARENA_ARRAY(g->memory, solids_count(walls), real, thin);
    for (int s = 0; s < solids_count(walls); s++) {
        double cosine = solids_info(walls, s, tension).cos_contact_angle;
        snap[s] = snap_of(cosine) * (real)g->dx, look[s] = look_of(cosine), thin[s] = thin_of(cosine);
    }
    solids_nearest(walls, 2 * g->dx, c->vertex_count, c->x, found, which);
    c->wall = found, c->which = which, c->look = look, c->thin = thin;
    parallel_for(c->face_count, 1024, find_areas, c);
    for (int v = 0; v < c->vertex_count; v++)
        if (which[v] >= 0 && found[v].w < snap[which[v]] && found[v].w < share_of_snap(c, v) * snap[which[v]] &&
            !is_over_edge(c, walls, v))
            put_on_wall(&c->x[v], found[v]);
    parallel_for(c->face_count, 1024, find_areas, c);
    move_to_others(c, meet_line);
    /* A vertex on a wall that is near another wall too goes into the corner. */
    for (int v = 0; v < c->vertex_count; v++)
        for (int s = 0; s < solids_count(walls) && c->x[v].w != 0; s++) {
            real4 side[MOST_WALLS];
            int count = solid_faces(walls, s, 2 * (real)g->dx, c->x[v], side);
            for (int k = 0; k < count; k++)
                if (side[k].w < snap[s]) put_on_wall(&c->x[v], side[k]);
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
            if (n >= 0) sum = real3_add(sum, grid_nearest(c->g, real3_of(c->x[n]), x)), count++;
        }
        if (count > 1) x = real3_madd(x, c->part, along_planes(c, v, real3_sub(real3_scale(1 / (real)count, sum), x)));
        c->other[v] = (real4){x.x, x.y, x.z, c->x[v].w};
    }
}

/* Where a face is along the first axis, from the axis' beginning on, as seen from the node before it. */
static double place_of_face(const contour *c, const face *f)
{
    const real3 from = grid_place(c->g, f->node);
    double sum = 0;
    for (int k = 0; k < FACE_CORNERS; k++)
        sum += (double)(grid_nearest(c->g, real3_of(c->x[f->corner[k]]), from).x - c->g->face[0][0]);
    return sum / FACE_CORNERS;
}

/* Adds up, for each body, area, what of it is free, and volume within: by Gauss' theorem the integral of places over
 * area, along all axes that are open; where none is, along the first one, less what add_sections gives. */
static void add_faces(int begin, int end, void *context, double *sums)
{
    const contour *c = context;
    const grid *g = c->g;
    int axes = 0;
    for (int a = 0; a < DIM; a++) axes += g->blocks[a] == 0;
    for (int f = begin; f < end; f++) {
        const face *q = &c->faces[f];
        real3 mean = {0, 0, 0}, a = real3_of(c->area[f]);
        for (int k = 0; k < FACE_CORNERS; k++) mean = real3_add(mean, real3_of(c->x[q->corner[k]]));
        double *own = sums + (size_t)BODY_SUMS * (size_t)q->body, area = (double)real3_length(a);
        own[BODY_AREA] += area;
        own[BODY_FREE] += area * (1 - (double)c->area[f].w);
        if (axes == 0) {
            own[BODY_VOLUME] += (double)a.x * place_of_face(c, q);
            continue;
        }
        for (int k = 0; k < DIM; k++)
            if (g->blocks[k]) (&a.x)[k] = 0;
        own[BODY_VOLUME] += (double)real3_dot(a, mean) / (FACE_CORNERS * axes);
    }
}

/* A corner of the section around a node across the first axis, at its cube (0 or -1 along the others): the vertex
 * there or, where all around is liquid, the cube's middle. */
static real3 section_corner(const contour *c, int node, const int *offset)
{
    const real3 x = grid_place(c->g, node);
    real3 middle = x;
    int at[DIM];
    local_of(node % CELLS, at);
    for (int a = 1; a < DIM; a++)
        at[a] += offset[a - 1], (&middle.x)[a] += ((real)offset[a - 1] + (real)0.5) * (real)c->g->dx;
    const int64_t cube = grid_cube_at(c->g, node / CELLS, at);
    const int32_t v = cube < 0 ? -1 : c->vertex_of[cube];
    return v < 0 ? middle : grid_nearest(c->g, real3_of(c->x[v]), x);
}

/* Adds what the end of the first axis cuts from the bodies, times the axis' length. */
static void add_sections(contour *c)
{
    const grid *g = c->g;
    static const int lower[2] = {-1, -1}, upper[2] = {0, 0}, right[2] = {0, -1}, left[2] = {-1, 0};
    for (int node = 0; node < g->block_count * CELLS; node++) {
        int at[DIM];
        const int32_t body = c->bodies.of_node[node];
        local_of(node % CELLS, at);
        if (g->first[node / CELLS].at[0] + at[0] != g->nodes[0] - 1 || body < 0 || grid_is_void(g, node)) continue;
        at[0]++;
        const int64_t next = grid_node(g, node / CELLS, at);
        if (next < 0 || c->bodies.of_node[next] < 0) continue; /* a face lies there */
        const real3 one = real3_sub(section_corner(c, node, upper), section_corner(c, node, lower));
        const real3 two = real3_sub(section_corner(c, node, left), section_corner(c, node, right));
        const double area = DIM == 3 ? 0.5 * (double)(one.y * two.z - one.z * two.y) : (double)one.y;
        c->sums[BODY_SUMS * body + BODY_VOLUME] += area * (double)(g->face[0][1] - g->face[0][0]);
    }
}

dew_result contour_measure(contour *c)
{
    ARENA_TRY(c->g->memory, (size_t)c->bodies.count * BODY_SUMS, c->sums);
    parallel_for(c->face_count, 1024, find_areas, c);
    liquid_bodies_sum(c->bodies.count, c->face_count, BODY_SUMS, add_faces, c, c->sums);
    bool is_open = false;
    for (int a = 0; a < DIM; a++) is_open |= c->g->blocks[a] == 0;
    if (!is_open) add_sections(c);
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

dew_result contour_make(const grid *g, const real *level, double height, const liquid_bodies *b, const double *volume,
                        const solids *walls, double tension, contour *c)
{
    const double parts[] = {0.5, -0.53, 0.5, -0.53, -0.8};
    *c = (contour){.g = g, .level = level, .bodies = *b};
    RESULT_TRY(contour_net(c));
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
