#include "surface/reconstruct.h"

#include "base/union_find.h"
#include "geometry/surface_net.h"
#include "particles/point_grid.h"

#include <stdlib.h>
#include <string.h>

/* REACH: measured on lattices and on relaxed fills (tests/test_quantities.c). Wider, edges of a cube lose more area and
 * thin sheets vanish; narrower, every row of particles is a ridge on the surface. */
#define REACH 2.5 /* of the kernel, spacings */
enum { ORDER = 4, CHUNK = 256 };

typedef struct colour {
    const reconstruct_def *def;
    point_grid grid;
    point_grid coarse; /* cells as wide as a block of the net with its surroundings: tells empty space quickly */
    dew_vec3 origin;
    double reach;
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
    real chunk[CHUNK][3];
    int near = 0;
    bool is_near = false;
    for (at.at[2] = from.at[2]; at.at[2] <= to.at[2]; at.at[2]++)
        for (at.at[1] = from.at[1]; at.at[1] <= to.at[1]; at.at[1]++)
            for (at.at[0] = from.at[0]; at.at[0] <= to.at[0]; at.at[0]++) POINTS_IN_CELL(&c->grid, at, e)
                {
                    real4 p = def->points[c->grid.index[e]];
                    double x = p.x - centre.x, y = p.y - centre.y, z = def->dimension == 2 ? 0 : p.z - centre.z;
                    double ox = fmax(fabs(x) - half.x, 0), oy = fmax(fabs(y) - half.y, 0),
                           oz = fmax(fabs(z) - half.z, 0);
                    if (ox * ox + oy * oy + oz * oz >= reach * reach) continue;
                    if (near == CHUNK) add_chunk(c, l, count, near, chunk), near = 0;
                    chunk[near][0] = (real)(x / reach), chunk[near][1] = (real)(y / reach);
                    chunk[near++][2] = (real)(z / reach);
                    is_near = true;
                }
    add_chunk(c, l, count, near, chunk);
    return is_near;
}

/* The distance to where the solids begin, if that is nearer than the liquid's surface (as an intersection has it). */
static void cut_by_solids(const colour *c, double band, int count, const point_block *p, distance_block *out)
{
    real4 points[SHAPE_BLOCK], solid[SHAPE_BLOCK];
    for (int i = 0; i < count; i++) {
        points[i] =
            (real4){(real)(p->x[i] + c->origin.x), (real)(p->y[i] + c->origin.y), (real)(p->z[i] + c->origin.z), 0};
        if (c->def->dimension == 2) points[i].z = 0;
    }
    c->def->solid(c->def->solid_context, band, count, points, solid);
    for (int i = 0; i < count; i++) {
        if (-(double)solid[i].w <= out->d[i]) continue;
        out->d[i] = -(double)solid[i].w;
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

/* --- cavities --- */

static dew_vec3 mesh_vertex(const triangle_mesh *m, int v)
{
    return (dew_vec3){m->vertices[3 * v], m->vertices[3 * v + 1], m->vertices[3 * v + 2]};
}

/* Twice the area as a vector, and, in *six, six times the volume over the origin. */
static dew_vec3 triangle_of(const triangle_mesh *m, int k, double *six)
{
    const int32_t *t = m->triangles + 3 * k;
    dew_vec3 a = mesh_vertex(m, t[0]), b = mesh_vertex(m, t[1]), c = mesh_vertex(m, t[2]);
    if (six) *six = vec3_dot(a, vec3_cross(b, c));
    return vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
}

/* Takes out closed parts that hold between -most and 0: gaps between particles. Vertices that no triangle needs any
 * more go too. */
static dew_result drop_cavities(triangle_mesh *m, double most, arena *memory)
{
    int vertices = m->vertex_count, triangles = 0, kept = 0;
    ARENA_ARRAY(memory, vertices, int32_t, parent);
    ARENA_ARRAY_ZEROED(memory, vertices, double, volume);
    union_find_begin(vertices, parent);
    for (int k = 0; k < 3 * m->triangle_count; k++) union_find_join(parent, m->triangles[k], m->triangles[k - k % 3]);
    for (int k = 0; k < m->triangle_count; k++) {
        double six;
        triangle_of(m, k, &six);
        volume[union_find_root(parent, m->triangles[3 * k])] += six / 6;
    }
    for (int k = 0; k < m->triangle_count; k++) {
        int32_t *t = m->triangles + 3 * k;
        double v = volume[union_find_root(parent, t[0])];
        if (v > 0 || v < -most) memmove(m->triangles + 3 * triangles++, t, 3 * sizeof *t);
    }
    m->triangle_count = triangles;
    for (int v = 0; v < vertices; v++)
        volume[v] = volume[union_find_root(parent, v)]; /* roots come first, and keep theirs */
    for (int v = 0; v < vertices; v++) {
        bool is_kept = volume[v] > 0 || volume[v] < -most;
        parent[v] = is_kept ? kept : -1;
        if (is_kept) memmove(m->vertices + 3 * kept++, m->vertices + 3 * v, 3 * sizeof *m->vertices);
    }
    m->vertex_count = kept;
    for (int k = 0; k < 3 * triangles; k++) m->triangles[k] = parent[m->triangles[k]];
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
static void find_parts(const colour *c, const bounds *cut, double cell, liquid_mesh *out)
{
    for (int k = 0; k < out->mesh.triangle_count; k++) {
        const int32_t *t = out->mesh.triangles + 3 * k;
        dew_vec3 x = vec3_add(vec3_add(mesh_vertex(&out->mesh, t[0]), mesh_vertex(&out->mesh, t[1])),
                              mesh_vertex(&out->mesh, t[2]));
        x = vec3_scale(1.0 / 3, x);
        dew_vec3 n = vec3_normalise(triangle_of(&out->mesh, k, NULL));
        out->part[k] = is_on_cut(cut, x, n, 0.1 * cell) ? MESH_CUT : MESH_FREE;
        if (!c->def->solid || out->part[k] == MESH_CUT) continue;
        dew_vec3 at = vec3_add(x, c->origin);
        real4 point = {(real)at.x, (real)at.y, c->def->dimension == 2 ? 0 : (real)at.z, 0}, solid;
        c->def->solid(c->def->solid_context, c->def->spacing, 1, &point, &solid);
        double facing = n.x * (double)solid.x + n.y * (double)solid.y + n.z * (double)solid.z;
        if (fabs((double)solid.w) < 0.15 * cell && facing < -0.5) out->part[k] = MESH_SOLID;
    }
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
    double cell = def->cell > 0 ? def->cell : 0.5 * def->spacing;
    bounds liquid = {vec3_sub(occupied->min, c->origin), vec3_sub(occupied->max, c->origin)};
    bounds cut = {vec3_sub(def->within.min, c->origin), vec3_sub(def->within.max, c->origin)};
    if (def->dimension == 2) cut.min.z = -0.5 * def->spacing, cut.max.z = 0.5 * def->spacing;
    bounds within = bounds_common(cut, bounds_grown(liquid, 1.5 * def->spacing));
    net_def net = {.field = colour_field, .context = c, .within = within, .cell = cell, .caution = 1};
    RESULT_TRY(point_grid_create(&c->grid, def->points, def->count, 0.6 * c->reach, memory));
    RESULT_TRY(point_grid_create(&c->coarse, def->points, def->count, 4 * c->reach, memory));
    RESULT_TRY(surface_net(&net, &out->mesh));
    RESULT_TRY(drop_cavities(&out->mesh, 4 * pow(def->spacing, 3), memory));
    out->part = malloc((size_t)out->mesh.triangle_count + 1);
    if (!out->part) return result_fail(DEW_NO_MEMORY, "no memory for the liquid's mesh");
    find_parts(c, &cut, cell, out);
    return DEW_OK;
}

dew_result reconstruct(const reconstruct_def *def, liquid_mesh *out)
{
    *out = (liquid_mesh){0};
    if (def->count == 0) return DEW_OK;
    bounds occupied = bounds_of(def);
    if (!bounds_are_finite(occupied)) return result_fail(DEW_INVALID, "a particle of the liquid is at no place");
    colour c = {.def = def, .reach = REACH * def->spacing};
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

dew_vec3 liquid_mesh_normal(const liquid_mesh *m, int k) { return triangle_of(&m->mesh, k, NULL); }

mesh_size liquid_mesh_size(const liquid_mesh *m, int dimension, double spacing)
{
    mesh_size size = {{0}, 0};
    double depth = dimension == 2 ? spacing : 1;
    for (int k = 0; k < m->mesh.triangle_count; k++) {
        double six;
        size.area[m->part[k]] += 0.5 * vec3_length(triangle_of(&m->mesh, k, &six)) / depth;
        size.volume += six / 6 / depth;
    }
    if (dimension == 2) size.area[MESH_CUT] = 0;
    return size;
}
