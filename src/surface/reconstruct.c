#include "surface/reconstruct.h"

#include "geometry/surface_net.h"
#include "particles/point_grid.h"
#include "surface/mesh_parts.h"

#include <stdlib.h>
#include <string.h>

/* Cells that the net goes on into solids, before it is cut at their surface: edges of a net are less exact than faces.
 * In spacings, how far it goes on at the most: to less than the middle of a plate two of them thick, behind which it
 * would be cut at the other side. */
#define BEYOND 1
#define MOST_BEYOND 0.75
/* Within so many spacings of the solids the cut knows how far they are. */
#define REACH_OF_CUT 2
/* In spacings from both its sides, what of a corner particles may leave open. */
#define CORNER 0.8
enum { ORDER = 4, CHUNK = 256 };

typedef struct colour {
    const reconstruct_def *def;
    point_grid grid;
    real4 *points;     /* in the order of the grid's entries */
    point_grid coarse; /* cells as wide as a block of the net with its surroundings: tells empty space quickly */
    dew_vec3 origin;
    double reach, cell;
    real a, b; /* W = (a - b q^2)(1 - q^2)^ORDER, times spacing^dimension */
} colour;

/* Moments of (1 - q^2)^n over the ball of D dimensions: m_(k+1)/m_k = (k + D/2)/(k + D/2 + n + 1), m_k = int q^(2k). */
static void set_kernel(colour *c)
{
    double half = 0.5 * c->def->dimension;
    double sphere = c->def->dimension == 3 ? 4 * PI : 2 * PI; /* int r^(D-1) dr is left */
    double m0 = 0.5 * sphere * exp(lgamma(half) + lgamma(ORDER + 1.0) - lgamma(half + ORDER + 1));
    double m1 = m0 * half / (half + ORDER + 1), m2 = m1 * (half + 1) / (half + ORDER + 2);
    double ratio = m1 / m2; /* b/a of a vanishing second moment */
    double norm = pow(c->def->spacing / c->reach, c->def->dimension) / (m0 - ratio * m1);
    c->a = (real)norm, c->b = (real)(norm * ratio);
}

/* Points where the colour is asked, against their middle, in units of the reach; and what is found. */
typedef struct lanes {
    _Alignas(64) real x[SHAPE_BLOCK];
    real y[SHAPE_BLOCK], z[SHAPE_BLOCK];
    real value[SHAPE_BLOCK], gx[SHAPE_BLOCK], gy[SHAPE_BLOCK], gz[SHAPE_BLOCK];
} lanes;

static void add_chunk(const colour *c, lanes *l, int count, int near, real (*at)[3])
{
    real a = c->a, b = c->b;
    for (int k = 0; k < near; k++) {
        real x = at[k][0], y = at[k][1], z = at[k][2];
#pragma omp simd
        for (int i = 0; i < count; i++) {
            real dx = l->x[i] - x, dy = l->y[i] - y, dz = l->z[i] - z;
            real s = 1 - (dx * dx + dy * dy + dz * dz);
            s = s > 0 ? s : 0;
            real s3 = s * s * s, w = a - b + b * s; /* q^2 = 1 - s */
            real slope = -2 * s3 * (b * s + ORDER * w);
            l->value[i] += w * s * s3;
            l->gx[i] += slope * dx, l->gy[i] += slope * dy, l->gz[i] += slope * dz;
        }
    }
}

static bool is_empty(const colour *c, dew_vec3 low, dew_vec3 high)
{
    point_cell from = point_grid_cell(&c->coarse, low.x, low.y, low.z), at;
    point_cell to = point_grid_cell(&c->coarse, high.x, high.y, high.z);
    for (at.at[2] = from.at[2]; at.at[2] <= to.at[2]; at.at[2]++)
        for (at.at[1] = from.at[1]; at.at[1] <= to.at[1]; at.at[1]++)
            for (at.at[0] = from.at[0]; at.at[0] <= to.at[0]; at.at[0]++)
                POINTS_IN_CELL(&c->coarse, at, e) return false;
    return true;
}

/* Fills in the colour at the lanes' points; false when no particle is near any of them. */
static bool find_colour(const colour *c, int count, lanes *l, dew_vec3 centre, dew_vec3 half)
{
    double reach = c->reach;
    const reconstruct_def *def = c->def;
    dew_vec3 around = vec3_add(half, (dew_vec3){reach, reach, reach});
    dew_vec3 low = vec3_sub(centre, around), high = vec3_add(centre, around);
    if (is_empty(c, low, high)) return false;
    point_cell from = point_grid_cell(&c->grid, low.x, low.y, low.z);
    point_cell to = point_grid_cell(&c->grid, high.x, high.y, high.z), at;
    real chunk[CHUNK][3], to_unit = (real)(1 / reach), zs = def->dimension == 2 ? 0 : to_unit;
    real x0 = (real)centre.x, y0 = (real)centre.y, z0 = (real)centre.z;
    real hx = (real)(half.x / reach), hy = (real)(half.y / reach), hz = (real)(half.z / reach);
    int near = 0;
    bool is_near = false;
    for (at.at[2] = from.at[2]; at.at[2] <= to.at[2]; at.at[2]++)
        for (at.at[1] = from.at[1]; at.at[1] <= to.at[1]; at.at[1]++)
            for (at.at[0] = from.at[0]; at.at[0] <= to.at[0]; at.at[0]++) POINTS_IN_CELL(&c->grid, at, e)
                {
                    real4 p = c->points[e];
                    real x = (p.x - x0) * to_unit, y = (p.y - y0) * to_unit, z = (p.z - z0) * zs;
                    real ox = (real)fabs(x) - hx, oy = (real)fabs(y) - hy, oz = (real)fabs(z) - hz;
                    ox = ox > 0 ? ox : 0, oy = oy > 0 ? oy : 0, oz = oz > 0 ? oz : 0;
                    chunk[near][0] = x, chunk[near][1] = y, chunk[near][2] = z;
                    near += ox * ox + oy * oy + oz * oz < 1;
                    if (near < CHUNK) continue;
                    add_chunk(c, l, count, near, chunk);
                    is_near = true, near = 0;
                }
    add_chunk(c, l, count, near, chunk);
    return is_near || near > 0;
}

/* Solids' distances at points against the origin. */
static void ask_solids(const colour *c, double band, int count, const point_block *p, real4 *solid)
{
    real4 points[SHAPE_BLOCK];
    for (int i = 0; i < count; i++) {
        points[i] =
            (real4){(real)(p->x[i] + c->origin.x), (real)(p->y[i] + c->origin.y), (real)(p->z[i] + c->origin.z), 0};
        if (c->def->dimension == 2) points[i].z = 0;
    }
    c->def->solid(c->def->solid_context, band, count, points, solid);
}

/* The distance to as far within the solids as the net goes on, if that is nearer than the liquid's surface (as an
 * intersection has it). */
static void cut_by_solids(const colour *c, double band, int count, const point_block *p, distance_block *out)
{
    real4 solid[SHAPE_BLOCK];
    double beyond = fmin(BEYOND * c->cell, MOST_BEYOND * c->def->spacing);
    ask_solids(c, band, count, p, solid);
    for (int i = 0; i < count; i++) {
        double d = -(double)solid[i].w - beyond;
        if (d <= out->d[i]) continue;
        out->d[i] = d;
        out->x[i] = -(double)solid[i].x, out->y[i] = -(double)solid[i].y, out->z[i] = -(double)solid[i].z;
    }
}

static void colour_field(void *context, double band, int count, const point_block *p, distance_block *out)
{
    const colour *c = context;
    bounds b = bounds_empty();
    for (int i = 0; i < count; i++) bounds_add(&b, (dew_vec3){p->x[i], p->y[i], p->z[i]});
    if (c->def->dimension == 2) b.min.z = b.max.z = -c->origin.z;
    dew_vec3 middle = bounds_centre(b), half = vec3_scale(0.5, vec3_sub(b.max, b.min));
    int whole = (count + 15) / 16 * 16;
    lanes l;
    memset(&l, 0, sizeof l);
    for (int i = 0; i < count; i++) {
        l.x[i] = (real)((p->x[i] - middle.x) / c->reach), l.y[i] = (real)((p->y[i] - middle.y) / c->reach);
        l.z[i] = c->def->dimension == 2 ? 0 : (real)((p->z[i] - middle.z) / c->reach);
    }
    /* Beyond a spacing the estimate says which side only. A whole block without particles is told so. */
    double limit = c->def->spacing;
    if (!find_colour(c, whole, &l, vec3_add(middle, c->origin), half))
        limit = isfinite(band) ? fmax(limit, band) : limit;
    for (int i = 0; i < count; i++) {
        double x = l.gx[i], y = l.gy[i], z = l.gz[i], slope = sqrt(x * x + y * y + z * z),
               miss = 0.5 - (double)l.value[i];
        double d = slope * limit > fabs(miss) * c->reach ? miss * c->reach / slope : copysign(limit, miss);
        double inverse = slope > 0 ? -1 / slope : 0;
        out->d[i] = d, out->x[i] = x * inverse, out->y[i] = y * inverse, out->z[i] = z * inverse;
    }
    if (c->def->solid) cut_by_solids(c, fmin(band, 2 * c->def->spacing), count, p, out);
}

/* --- gaps --- */

/* Hollows and dents less than three spacings wide are gaps between particles that lie unevenly: no method resolves
 * liquid as thin (least_across), nor gas. In spacings, their radius: D times volume over area. */
#define GAP 1.5

static bool is_gap(const mesh_parts *p, int root, double spacing)
{
    return p->volume[root] < 0 && -3 * p->volume[root] < GAP * spacing * p->area[root];
}

/* Takes out closed parts that are gaps, and vertices that no triangle needs any more. */
static dew_result drop_hollows(triangle_mesh *m, double spacing, arena *memory)
{
    int vertices = m->vertex_count, triangles = 0, kept = 0;
    mesh_parts p;
    RESULT_TRY(mesh_parts_begin(&p, m, memory));
    for (int k = 0; k < m->triangle_count; k++) mesh_parts_join(&p, k);
    for (int k = 0; k < m->triangle_count; k++) mesh_parts_add(&p, k);
    for (int k = 0; k < m->triangle_count; k++)
        if (!is_gap(&p, mesh_parts_root(&p, m->triangles[3 * k]), spacing))
            memmove(m->triangles + 3 * triangles++, m->triangles + 3 * k, 3 * sizeof *m->triangles);
    m->triangle_count = triangles;
    ARENA_ARRAY(memory, vertices, int32_t, moved);
    for (int v = 0; v < vertices; v++) {
        bool is_kept = !is_gap(&p, mesh_parts_root(&p, v), spacing);
        moved[v] = is_kept ? kept : -1;
        if (is_kept) memmove(m->vertices + 3 * kept++, m->vertices + 3 * v, 3 * sizeof *m->vertices);
    }
    m->vertex_count = kept;
    for (int k = 0; k < 3 * triangles; k++) m->triangles[k] = moved[m->triangles[k]];
    return DEW_OK;
}

/* --- parts --- */

static bool is_on_cut(const bounds *b, dew_vec3 x, dew_vec3 n, double near)
{
    const double beyond[6] = {x.x - b->min.x, b->max.x - x.x, x.y - b->min.y,
                              b->max.y - x.y, x.z - b->min.z, b->max.z - x.z};
    const double towards[6] = {-n.x, n.x, -n.y, n.y, -n.z, n.z};
    for (int k = 0; k < 6; k++)
        if (beyond[k] < near && towards[k] > 0.7) return true;
    return false;
}

/* `cut`: the faces, infinite where there are none, against the origin. */
static bool is_cut(const colour *c, const bounds *cut, const triangle_mesh *m, int k)
{
    const int32_t *t = m->triangles + 3 * k;
    dew_vec3 sum = vec3_add(vec3_add(mesh_vertex(m, t[0]), mesh_vertex(m, t[1])), mesh_vertex(m, t[2]));
    return is_on_cut(cut, vec3_scale(1.0 / 3, sum), vec3_normalise(mesh_normal(m, k)), 0.1 * c->cell);
}

/* --- the cut at the solids --- */

/* The net with solids' distances at its vertices: those within a solid are to be moved onto its surface, in new
 * vertices on the edges that go through it both sides meet. */
typedef struct line_cut {
    const colour *c;
    triangle_mesh net;
    int64_t *edges; /* (lower vertex, higher vertex), ascending */
    int edge_count;
    real4 *solid;
} line_cut;

static int64_t edge_key(int32_t a, int32_t b) { return a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a; }

static int compare_edges(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void find_distances(line_cut *l, int first, int count, const triangle_mesh *m)
{
    point_block p;
    for (; count > 0; first += SHAPE_BLOCK, count -= SHAPE_BLOCK) {
        int size = count < SHAPE_BLOCK ? count : SHAPE_BLOCK;
        for (int i = 0; i < size; i++) block_set(&p, i, mesh_vertex(m, first + i));
        ask_solids(l->c, REACH_OF_CUT * l->c->def->spacing, size, &p, l->solid + first);
    }
}

/* Ways through the solids' surface along triangles' edges; half as many triangles go through it. edges: NULL, or where
 * to put them. (A net may lack a triangle where the field is no distance, so ways out alone would not do.) */
static int find_ways(const line_cut *l, int64_t *edges)
{
    int count = 0;
    for (int k = 0; k < 3 * l->net.triangle_count; k++) {
        int32_t a = l->net.triangles[k], b = l->net.triangles[k % 3 == 2 ? k - 2 : k + 1];
        if ((l->solid[a].w < 0) == (l->solid[b].w < 0)) continue;
        if (edges) edges[count] = edge_key(a, b);
        count++;
    }
    return count;
}

static void find_edges(line_cut *l)
{
    int count = find_ways(l, l->edges);
    qsort(l->edges, (size_t)count, sizeof *l->edges, compare_edges);
    for (int k = 0; k < count; k++)
        if (k == 0 || l->edges[k] != l->edges[k - 1]) l->edges[l->edge_count++] = l->edges[k];
}

/* The vertex where an edge goes through the solid's surface. */
static int32_t vertex_of_edge(const line_cut *l, int32_t a, int32_t b)
{
    int64_t key = edge_key(a, b);
    const int64_t *at = bsearch(&key, l->edges, (size_t)l->edge_count, sizeof *l->edges, compare_edges);
    return l->net.vertex_count + (int32_t)(at - l->edges);
}

static void add_triangle(liquid_mesh *out, int32_t a, int32_t b, int32_t c, mesh_part part)
{
    int32_t *t = out->mesh.triangles + 3 * (size_t)out->mesh.triangle_count;
    t[0] = a, t[1] = b, t[2] = c;
    out->part[out->mesh.triangle_count++] = (uint8_t)part;
}

static void cut_triangle(const line_cut *l, const bounds *cut, int k, liquid_mesh *out)
{
    const int32_t *t = l->net.triangles + 3 * k;
    int within = 0, alone = 0;
    for (int e = 0; e < 3; e++) within += l->solid[t[e]].w < 0;
    mesh_part outer = within < 3 && is_cut(l->c, cut, &l->net, k) ? MESH_CUT : MESH_FREE;
    if (within % 3 == 0) {
        add_triangle(out, t[0], t[1], t[2], within ? MESH_SOLID : outer);
        return;
    }
    while ((l->solid[t[alone]].w < 0) != (within == 1)) alone++;
    int32_t a = t[alone], b = t[(alone + 1) % 3], c = t[(alone + 2) % 3];
    int32_t ab = vertex_of_edge(l, a, b), ca = vertex_of_edge(l, c, a);
    add_triangle(out, a, ab, ca, within == 1 ? MESH_SOLID : outer);
    add_triangle(out, ab, b, c, within == 1 ? outer : MESH_SOLID);
    add_triangle(out, ab, c, ca, within == 1 ? outer : MESH_SOLID);
}

/* Moves a vertex to the nearest place of the solids' surface. */
static void move_to_solid(const line_cut *l, triangle_mesh *m, int v)
{
    real4 d = l->solid[v];
    vec3_to_floats(vec3_madd(mesh_vertex(m, v), -(double)d.w, (dew_vec3){d.x, d.y, d.z}), m->vertices + 3 * v);
}

/* Moves what lies within a solid, and new vertices, onto its surface. */
static void move_vertices(line_cut *l, triangle_mesh *m)
{
    int old = l->net.vertex_count;
    for (int k = 0; k < l->edge_count; k++) {
        int32_t a = (int32_t)(l->edges[k] >> 32), b = (int32_t)(l->edges[k] & INT32_MAX);
        double from = (double)l->solid[a].w, to = (double)l->solid[b].w;
        dew_vec3 x = mesh_vertex(m, a);
        vec3_to_floats(vec3_madd(x, from / (from - to), vec3_sub(mesh_vertex(m, b), x)), m->vertices + 3 * (old + k));
    }
    m->vertex_count = old + l->edge_count;
    find_distances(l, old, l->edge_count, m);
    for (int v = 0; v < m->vertex_count; v++)
        if (v >= old || l->solid[v].w < 0) move_to_solid(l, m, v);
}

/* What of the free surface is a gap is none: dents at a solid where particles are missing are filled, as liquid lies
 * on the solid there; the walls of holes through the slab of two dimensions are joined by its faces. */
static dew_result fill_gaps(const line_cut *l, arena *memory, liquid_mesh *out)
{
    triangle_mesh *m = &out->mesh;
    const reconstruct_def *def = l->c->def;
    bool is_flat = def->dimension == 2;
    mesh_parts p;
    if (!is_flat && !def->solid) return DEW_OK;
    RESULT_TRY(mesh_parts_begin(&p, m, memory));
    ARENA_ARRAY_ZEROED(memory, m->vertex_count, bool, is_at_solid);
    for (int k = 0; k < m->triangle_count; k++)
        if (out->part[k] == MESH_FREE) mesh_parts_join(&p, k);
    for (int k = 0; k < m->triangle_count; k++)
        for (int e = 0; e < 3 && out->part[k] == MESH_SOLID; e++) {
            int v = m->triangles[3 * k + e], root = mesh_parts_root(&p, v);
            is_at_solid[root] = true, p.from[root] = mesh_vertex(m, v);
        }
    for (int k = 0; k < m->triangle_count; k++)
        if (out->part[k] == MESH_FREE) mesh_parts_add(&p, k);
    for (int v = 0; v < m->vertex_count; v++) /* too deep: it is not known how far it is to the solid */
        if (def->solid && !(l->solid[v].w < REACH_OF_CUT * def->spacing)) p.volume[mesh_parts_root(&p, v)] = 0;
    for (int k = 0; k < m->triangle_count; k++) {
        int root = mesh_parts_root(&p, m->triangles[3 * k]);
        if (out->part[k] != MESH_FREE || !is_gap(&p, root, def->spacing)) continue;
        if (is_at_solid[root])
            out->part[k] = MESH_SOLID;
        else if (is_flat)
            out->part[k] = MESH_CUT;
    }
    for (int v = 0; v < m->vertex_count; v++) {
        int root = mesh_parts_root(&p, v);
        if (is_at_solid[root] && is_gap(&p, root, def->spacing)) move_to_solid(l, m, v);
    }
    return DEW_OK;
}

/* Whether a place x of the free surface with the normal n lies in a corner between two solids, or two faces of one, and
 * looks into it: `first` is the face that is nearest. The other one is the nearest of a place farther from the first.
 */
static bool looks_into_corner(const line_cut *l, dew_vec3 x, dew_vec3 n, real4 first)
{
    double s = l->c->def->spacing, d = (double)first.w;
    dew_vec3 a = {first.x, first.y, first.z};
    point_block p;
    real4 seen;
    block_set(&p, 0, vec3_madd(x, s - d, a));
    ask_solids(l->c, REACH_OF_CUT * s, 1, &p, &seen);
    dew_vec3 b = {seen.x, seen.y, seen.z};
    if ((double)seen.w - (s - d) * vec3_dot(a, b) > CORNER * s || fabs(vec3_dot(a, b)) > 0.7) return false;
    return vec3_dot(n, vec3_normalise(vec3_add(a, b))) < -0.5;
}

/* Whether a place x of the free surface that looks at a solid (`wall`: its normal and how far it is) lies in a furrow:
 * GAP to both sides, half as far off the solid, there is liquid. */
static bool is_furrow(const line_cut *l, dew_vec3 x, real4 wall)
{
    enum { PAIRS = 4 };
    double s = l->c->def->spacing, d = (double)wall.w, half = fmax(d / 2, 0.25 * s);
    dew_vec3 n = {wall.x, wall.y, wall.z}, u = vec3_perpendicular(n), v = vec3_cross(n, u);
    dew_vec3 foot = vec3_madd(x, -d, n);
    point_block p;
    real4 seen[2 * PAIRS];
    lanes at;
    memset(&at, 0, sizeof at);
    for (int k = 0; k < 2 * PAIRS; k++) {
        double angle = PI * (k / 2) / PAIRS + PI * (k % 2);
        block_set(&p, k, vec3_madd(vec3_madd(foot, GAP * s * cos(angle), u), GAP * s * sin(angle), v));
    }
    ask_solids(l->c, REACH_OF_CUT * s, 2 * PAIRS, &p, seen);
    for (int k = 0; k < 2 * PAIRS; k++) {
        dew_vec3 y = {p.x[k] - x.x, p.y[k] - x.y, p.z[k] - x.z};
        y = vec3_madd(y, half - (double)seen[k].w, (dew_vec3){seen[k].x, seen[k].y, seen[k].z});
        at.x[k] = (real)(y.x / l->c->reach), at.y[k] = (real)(y.y / l->c->reach), at.z[k] = (real)(y.z / l->c->reach);
    }
    double wide = (GAP + 2) * s;
    if (!find_colour(l->c, 16, &at, vec3_add(x, l->c->origin), (dew_vec3){wide, wide, wide})) return false;
    for (int k = 0; k < 2 * PAIRS; k += 2)
        if (at.value[k] > (real)0.5 && at.value[k + 1] > (real)0.5) return true;
    return false;
}

/* Whether a triangle of the free surface looks at a solid less than CORNER away across what no air gets into: a corner,
 * or a furrow between rows of particles. */
static bool is_filled(const line_cut *l, const triangle_mesh *m, int k)
{
    const int32_t *t = m->triangles + 3 * (size_t)k;
    real4 nearest = {0, 0, 0, INFINITY};
    double most = 0, sum = 0;
    dew_vec3 x = {0, 0, 0}, n = vec3_normalise(mesh_normal(m, k));
    for (int e = 0; e < 3; e++) {
        real4 d = l->solid[t[e]];
        most = fmax(most, (double)d.w), sum += (double)d.w / 3;
        x = vec3_madd(x, 1.0 / 3, mesh_vertex(m, t[e]));
        if (d.w < nearest.w) nearest = d;
    }
    if (most >= CORNER * l->c->def->spacing) return false;
    if (vec3_dot(n, (dew_vec3){nearest.x, nearest.y, nearest.z}) > -0.3) return false;
    return looks_into_corner(l, x, n, nearest) || is_furrow(l, x, (real4){nearest.x, nearest.y, nearest.z, (real)sum});
}

/* Particles do not go into corners and furrows as far as liquid does, more so where it moves: what they leave open
 * there is filled. Which triangles look into one is found before any is moved. */
static dew_result fill_corners(const line_cut *l, arena *memory, liquid_mesh *out)
{
    triangle_mesh *m = &out->mesh;
    if (!l->c->def->solid) return DEW_OK;
    ARENA_ARRAY_ZEROED(memory, m->triangle_count, bool, is_to_fill);
    for (int k = 0; k < m->triangle_count; k++) is_to_fill[k] = out->part[k] == MESH_FREE && is_filled(l, m, k);
    for (int k = 0; k < m->triangle_count; k++) {
        if (!is_to_fill[k]) continue;
        out->part[k] = MESH_SOLID;
        for (int e = 0; e < 3; e++) {
            int32_t v = m->triangles[3 * (size_t)k + e];
            move_to_solid(l, m, v);
            l->solid[v].w = 0;
        }
    }
    return DEW_OK;
}

/* What the cut moves onto a solid covers it as it is seen along the solid's normal: folds count against the rest. */
static void find_folds(const line_cut *l, liquid_mesh *out)
{
    for (int k = 0; k < out->mesh.triangle_count; k++) {
        if (out->part[k] != MESH_SOLID) continue;
        dew_vec3 n = mesh_normal(&out->mesh, k), towards = {0, 0, 0};
        for (int e = 0; e < 3; e++) {
            real4 d = l->solid[out->mesh.triangles[3 * k + e]];
            towards = vec3_add(towards, (dew_vec3){d.x, d.y, d.z});
        }
        if (vec3_dot(n, towards) > 0) out->part[k] = MESH_FOLD;
    }
}

/* Cuts the net where the solids begin: what is beyond is moved onto them. The result is as closed as the net. */
static dew_result cut_at_solids(const colour *c, const bounds *cut, arena *memory, liquid_mesh *out)
{
    line_cut l = {.c = c, .net = out->mesh};
    ARENA_ARRAY(memory, l.net.vertex_count, real4, solid);
    l.solid = solid;
    if (c->def->solid) find_distances(&l, 0, l.net.vertex_count, &l.net);
    for (int v = 0; v < l.net.vertex_count && !c->def->solid; v++) solid[v].w = INFINITY;
    int ways = find_ways(&l, NULL);
    size_t triangles = (size_t)l.net.triangle_count + (size_t)ways;
    ARENA_TRY(memory, ways, l.edges);
    ARENA_TRY(memory, l.net.vertex_count + ways, l.solid);
    memcpy(l.solid, solid, (size_t)l.net.vertex_count * sizeof *solid);
    find_edges(&l);
    out->mesh = (triangle_mesh){0};
    dew_result result = triangle_mesh_obtain(&out->mesh, (size_t)(l.net.vertex_count + l.edge_count), triangles);
    out->part = malloc(triangles + 1);
    if (result == DEW_OK && !out->part) result = result_fail(DEW_NO_MEMORY, "no memory for the liquid's mesh");
    if (result == DEW_OK) {
        memcpy(out->mesh.vertices, l.net.vertices, 3 * (size_t)l.net.vertex_count * sizeof *l.net.vertices);
        for (int k = 0; k < l.net.triangle_count; k++) cut_triangle(&l, cut, k, out);
        move_vertices(&l, &out->mesh);
        result = fill_gaps(&l, memory, out);
        if (result == DEW_OK) result = fill_corners(&l, memory, out);
        if (result == DEW_OK) find_folds(&l, out);
    }
    out->line_vertex = l.net.vertex_count;
    triangle_mesh_free(&l.net);
    return result;
}

/* --- the whole --- */

static bounds bounds_of(const reconstruct_def *def)
{
    bounds b = bounds_empty();
    for (int i = 0; i < def->count; i++) {
        real4 x = def->points[i];
        bounds_add(&b, (dew_vec3){x.x, x.y, def->dimension == 2 ? 0 : x.z});
    }
    return b;
}

static dew_result make_mesh(colour *c, const bounds *occupied, arena *memory, liquid_mesh *out)
{
    const reconstruct_def *def = c->def;
    bounds liquid = {vec3_sub(occupied->min, c->origin), vec3_sub(occupied->max, c->origin)};
    bounds cut = {vec3_sub(def->within.min, c->origin), vec3_sub(def->within.max, c->origin)};
    if (def->dimension == 2) cut.min.z = -0.5 * def->spacing, cut.max.z = 0.5 * def->spacing;
    bounds within = bounds_common(cut, bounds_grown(liquid, 1.5 * def->spacing));
    net_def net = {.field = colour_field, .context = c, .within = within, .cell = c->cell, .caution = 1};
    RESULT_TRY(point_grid_create(&c->grid, def->points, def->count, c->reach, memory));
    ARENA_TRY(memory, def->count, c->points);
    for (int e = 0; e < def->count; e++) c->points[e] = def->points[c->grid.index[e]];
    RESULT_TRY(point_grid_create(&c->coarse, def->points, def->count, 4 * c->reach, memory));
    RESULT_TRY(surface_net(&net, &out->mesh));
    RESULT_TRY(drop_hollows(&out->mesh, def->spacing, memory));
    return cut_at_solids(c, &cut, memory, out);
}

dew_result reconstruct(const reconstruct_def *def, liquid_mesh *out)
{
    *out = (liquid_mesh){0};
    if (def->count == 0) return DEW_OK;
    bounds occupied = bounds_of(def);
    if (!bounds_are_finite(occupied)) return result_fail(DEW_INVALID, "a particle of the liquid is at no place");
    double reach = def->reach > 0 ? def->reach : RECONSTRUCT_REACH * def->spacing;
    colour c = {.def = def, .reach = reach, .cell = def->cell > 0 ? def->cell : 0.5 * def->spacing};
    c.origin = bounds_centre(occupied);
    out->origin = c.origin;
    set_kernel(&c);
    arena *memory = arena_create();
    dew_result result =
        memory ? make_mesh(&c, &occupied, memory, out) : result_fail(DEW_NO_MEMORY, "no memory for the liquid's mesh");
    arena_destroy(memory);
    if (result != DEW_OK) liquid_mesh_free(out);
    return result;
}

void liquid_mesh_free(liquid_mesh *m)
{
    triangle_mesh_free(&m->mesh);
    free(m->part);
    *m = (liquid_mesh){0};
}

dew_vec3 liquid_mesh_normal(const liquid_mesh *m, int k) { return mesh_normal(&m->mesh, k); }

mesh_size liquid_mesh_size(const liquid_mesh *m, int dimension, double spacing)
{
    mesh_size size = {{0}, 0};
    double depth = dimension == 2 ? spacing : 1;
    for (int k = 0; k < m->mesh.triangle_count; k++) {
        size.area[m->part[k]] += 0.5 * vec3_length(mesh_normal(&m->mesh, k)) / depth;
        size.volume += mesh_volume(&m->mesh, k, (dew_vec3){0}) / depth;
    }
    size.area[MESH_SOLID] -= size.area[MESH_FOLD];
    if (dimension == 2) size.area[MESH_CUT] = 0;
    return size;
}
