#include "geometry/mesh_distance.h"

#include "base/arena.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* A coarse grid over the mesh's bounds holds distance and gradient at its nodes; each coarse cell that is near the
 * surface has a block of CELLS^3 fine cells with samples of its own. Between samples f_i with gradients g_i
 *
 *     f(x) = sum_i w_i (f_i + g_i . (x - x_i)/2),  w_i trilinear,
 *
 * which is exact for quadratic f: the errors of the values (f_i alone) and of the tangents (f_i + g_i . (x - x_i)) are
 * opposite. It fails where gradients jump: there a fine cell is marked, and points in it are asked of the mesh itself.
 * All lengths here are in the units of the clean mesh. */

enum { CELLS = 4, NODES = CELLS + 1, BLOCK_CELLS = CELLS * CELLS * CELLS, BLOCK_NODES = NODES * NODES * NODES };
enum { MAX_COARSE = 1500000, MAX_BLOCKS = 40000 };

static const double outer_band = 3, cells_per_resolution = 1, tolerance = 0.004;

typedef struct sample {
    float x, y, z, d; /* gradient, distance */
} sample;

typedef struct block {
    sample node[BLOCK_NODES];
    uint64_t is_marked[BLOCK_CELLS / 64];
    int place; /* of its coarse cell */
} block;

struct mesh_distance {
    const clean_mesh *mesh; /* of the shape's body */
    mesh_query *query;
    double resolution; /* in the mesh's units, as all else */
    double cell, edge; /* of fine and coarse cells */
    dew_vec3 origin;
    int size[3]; /* coarse cells */
    sample *coarse;
    int32_t *block_of; /* of each coarse cell, -1: none */
    block *blocks;
    int block_count;
};

/* --- sampling --- */

static sample sample_of(nearest n, bool is_inside)
{
    double sign = is_inside && !n.is_on_surface ? -1 : 1;
    return (sample){(float)(sign * n.away.x), (float)(sign * n.away.y), (float)(sign * n.away.z),
                    (float)(is_inside ? -n.distance : n.distance)};
}

/* Signed distance by asking the mesh. `near` is a sample at `place` of known sign (or NULL): its nearest point of the
 * surface is a bound for the search, and where the surface does not lie between, its sign holds here. */
static sample ask_mesh(const mesh_distance *m, dew_vec3 p, const sample *near, dew_vec3 place)
{
    double bound = INFINITY, apart = 0;
    if (near) {
        dew_vec3 step = vec3_sub(p, place);
        bound = vec3_length(vec3_madd(step, near->d, (dew_vec3){near->x, near->y, near->z}));
        apart = vec3_length(step);
    }
    nearest n = mesh_nearest(m->query, p, bound);
    bool is_inside;
    if (near && n.distance + fabs((double)near->d) > 1.0001 * apart + 1e-6)
        is_inside = near->d < 0;
    else if (near && n.distance > 1e-5 && fabs((double)near->d) > 1e-5 && mesh_sees(m->query, place, p))
        is_inside = near->d < 0;
    else
        is_inside = mesh_is_inside(m->query, p);
    return sample_of(n, is_inside);
}

/* Rows of a lattice of samples, each asked with the help of the neighbour before it that is farthest from the surface,
 * of those in the same row, the row before and the layer before that are at hand. */
static void sample_lattice(const mesh_distance *m, dew_vec3 origin, double step, const int size[3], int begin, int end,
                           sample *out)
{
    const dew_vec3 apart[3] = {{-step, 0, 0}, {0, -step, 0}, {0, 0, -step}};
    for (int row = begin; row < end; row++) {
        dew_vec3 low = vec3_add(origin, vec3_scale(step, (dew_vec3){0, row % size[1], row / size[1]}));
        sample *to = out + (size_t)row * (size_t)size[0];
        const int back[3] = {1, size[0], size[0] * size[1]};
        for (int i = 0; i < size[0]; i++) {
            const bool is_there[3] = {i > 0, row > begin && row % size[1], row - size[1] >= begin};
            dew_vec3 p = {low.x + i * step, low.y, low.z};
            int best = -1;
            for (int k = 0; k < 3; k++)
                if (is_there[k] && (best < 0 || fabsf(to[i - back[k]].d) > fabsf(to[i - back[best]].d))) best = k;
            to[i] = best < 0 ? ask_mesh(m, p, NULL, p) : ask_mesh(m, p, &to[i - back[best]], vec3_add(p, apart[best]));
        }
    }
}

static void sample_coarse(int begin, int end, void *context)
{
    mesh_distance *m = context;
    const int size[3] = {m->size[0] + 1, m->size[1] + 1, m->size[2] + 1};
    sample_lattice(m, m->origin, m->edge, size, begin, end, m->coarse);
}

static int coarse_node(const mesh_distance *m, int x, int y, int z)
{
    return x + (m->size[0] + 1) * (y + (m->size[1] + 1) * z);
}

/* The node of a cell with corner k (bits x, y, z) in a lattice of rows and layers. */
static int corner_of(int k, int row, int layer) { return (k & 1) + (k >> 1 & 1) * row + (k >> 2) * layer; }

static void set_origin(mesh_distance *m, bounds b, double cell)
{
    m->cell = cell, m->edge = CELLS * cell;
    double slack[3];
    for (int k = 0; k < 3; k++) {
        double size = vec3_at(b.max, k) - vec3_at(b.min, k);
        m->size[k] = (int)fmin(fmax(ceil(size / m->edge), 1), 100000);
        slack[k] = (m->size[k] * m->edge - size) / 2;
    }
    m->origin = vec3_sub(b.min, (dew_vec3){slack[0], slack[1], slack[2]});
}

static dew_result make_coarse(mesh_distance *m)
{
    bounds b = bounds_empty();
    for (int i = 0; i < m->mesh->vertex_count; i++) bounds_add(&b, vec3_of_floats(m->mesh->vertices + 3 * (size_t)i));
    b = bounds_grown(b, outer_band * m->resolution);
    double cell = fmax(m->cell, m->resolution / cells_per_resolution);
    do {
        set_origin(m, b, cell);
        cell *= 1.25; /* a mesh that is huge against the resolution gets coarser cells, more of them marked */
    } while ((double)(m->size[0] + 1) * (m->size[1] + 1) * (m->size[2] + 1) > MAX_COARSE);
    size_t nodes = (size_t)coarse_node(m, m->size[0], m->size[1], m->size[2]) + 1;
    free(m->coarse);
    m->coarse = malloc(nodes * sizeof *m->coarse);
    if (!m->coarse) return result_fail(DEW_NO_MEMORY, "no memory for the distance field of a mesh");
    parallel_for((m->size[1] + 1) * (m->size[2] + 1), 16, sample_coarse, m);
    return DEW_OK;
}

/* A coarse cell is refined if it can hold surface (no point of it is farther from all its nodes than half its diagonal)
 * or if a node of it is within the bands. */
static bool is_near(const mesh_distance *m, int x, int y, int z)
{
    double reach = fmax(0.5 * sqrt(3.0) * m->edge, outer_band * m->resolution);
    int row = m->size[0] + 1, layer = row * (m->size[1] + 1), first = coarse_node(m, x, y, z);
    for (int k = 0; k < 8; k++)
        if (fabs((double)m->coarse[first + corner_of(k, row, layer)].d) <= 1.001 * reach) return true;
    return false;
}

static dew_result find_blocks(mesh_distance *m)
{
    int total = m->size[0] * m->size[1] * m->size[2];
    free(m->block_of);
    m->block_of = malloc((size_t)total * sizeof *m->block_of);
    if (!m->block_of) return result_fail(DEW_NO_MEMORY, "no memory for the distance field of a mesh");
    m->block_count = 0;
    for (int k = 0; k < total; k++) {
        int x = k % m->size[0], y = k / m->size[0] % m->size[1], z = k / m->size[0] / m->size[1];
        m->block_of[k] = is_near(m, x, y, z) ? m->block_count++ : -1;
    }
    return DEW_OK;
}

/* --- interpolation --- */

/* At u in [0, 1]^3 of a cell of edge h, whose corners are node[corner_of(k, row, layer)]. The gradient is made unit. */
static sample interpolate(const sample *node, int row, int layer, double h, dew_vec3 u)
{
    double d = 0, x = 0, y = 0, z = 0, half = 0.5 * h;
    for (int k = 0; k < 8; k++) {
        const sample *s = &node[corner_of(k, row, layer)];
        double ux = u.x - (k & 1), uy = u.y - (k >> 1 & 1), uz = u.z - (k >> 2);
        double w = (1 - fabs(ux)) * (1 - fabs(uy)) * (1 - fabs(uz));
        d += w * (s->d + half * (s->x * ux + s->y * uy + s->z * uz));
        x += w * s->x, y += w * s->y, z += w * s->z;
    }
    double length = sqrt(x * x + y * y + z * z), inverse = length > 1e-6 ? 1 / length : 0;
    return (sample){(float)(x * inverse), (float)(y * inverse), (float)(length > 1e-6 ? z * inverse : 1), (float)d};
}

/* Whether interpolation cannot be trusted in a cell: gradients at its corners that differ by more than 30 degrees
 * cannot belong to one smooth sheet; if they differ by more than 8 the mesh is asked at some points of the cell. */
static bool must_ask(const mesh_distance *m, const sample *node, dew_vec3 low)
{
    dew_vec3 mean = {0, 0, 0};
    double least = 1, farthest = INFINITY;
    for (int k = 0; k < 8; k++) {
        const sample *s = &node[corner_of(k, NODES, NODES * NODES)];
        mean = vec3_add(mean, (dew_vec3){s->x, s->y, s->z});
        farthest = fmin(farthest, fabs((double)s->d));
    }
    /* Farther from the surface than the bands nothing is promised. */
    if (farthest > outer_band * m->resolution) return false;
    mean = vec3_normalise(mean);
    for (int k = 0; k < 8; k++) {
        const sample *s = &node[corner_of(k, NODES, NODES * NODES)];
        least = fmin(least, s->x * mean.x + s->y * mean.y + s->z * mean.z);
    }
    if (least < 0.866) return true;
    if (least > 0.9976) return false;
    static const dew_vec3 places[5] = {
        {0.5, 0.5, 0.5}, {0.2, 0.2, 0.2}, {0.8, 0.8, 0.2}, {0.8, 0.2, 0.8}, {0.2, 0.8, 0.8}};
    for (int k = 0; k < 5; k++) {
        double d = interpolate(node, NODES, NODES * NODES, m->cell, places[k]).d;
        nearest n = mesh_nearest(m->query, vec3_madd(low, m->cell, places[k]), farthest + 2 * m->cell);
        if (fabs(fabs(d) - n.distance) > tolerance * m->resolution) return true;
    }
    return false;
}

static void fill_blocks(int begin, int end, void *context)
{
    mesh_distance *m = context;
    const int size[3] = {NODES, NODES, NODES};
    for (int k = begin; k < end; k++) {
        block *b = &m->blocks[k];
        dew_vec3 place = {b->place % m->size[0], b->place / m->size[0] % m->size[1],
                          b->place / m->size[0] / m->size[1]};
        dew_vec3 low = vec3_madd(m->origin, m->edge, place);
        sample_lattice(m, low, m->cell, size, 0, NODES * NODES, b->node);
        memset(b->is_marked, 0, sizeof b->is_marked);
        for (int c = 0; c < BLOCK_CELLS; c++) {
            int x = c % CELLS, y = c / CELLS % CELLS, z = c / (CELLS * CELLS);
            const sample *node = &b->node[x + NODES * (y + NODES * z)];
            if (must_ask(m, node, vec3_madd(low, m->cell, (dew_vec3){x, y, z})))
                b->is_marked[c / 64] |= (uint64_t)1 << c % 64;
        }
    }
}

static dew_result make_blocks(mesh_distance *m)
{
    m->blocks = aligned_obtain((size_t)m->block_count * sizeof *m->blocks);
    if (!m->blocks) return result_fail(DEW_NO_MEMORY, "no memory for the distance field of a mesh");
    int total = m->size[0] * m->size[1] * m->size[2];
    for (int k = 0; k < total; k++)
        if (m->block_of[k] >= 0) m->blocks[m->block_of[k]].place = k;
    parallel_for(m->block_count, 1, fill_blocks, m);
    return DEW_OK;
}

static dew_result make_grids(mesh_distance *m)
{
    do {
        if (m->block_count > MAX_BLOCKS) m->cell *= 1.3;
        RESULT_TRY(make_coarse(m));
        RESULT_TRY(find_blocks(m));
    } while (m->block_count > MAX_BLOCKS);
    return make_blocks(m);
}

dew_result mesh_distance_create(shape *s)
{
    mesh_distance *m = s->body.distance = calloc(1, sizeof *m);
    if (!m) return result_fail(DEW_NO_MEMORY, "no memory for the distance field of a mesh");
    m->mesh = &s->body.mesh;
    /* Finer than this single precision tells nothing apart. */
    m->resolution = fmax(s->resolution / m->mesh->size, 1e-5);
    RESULT_TRY(mesh_query_create(&m->query, m->mesh));
    return make_grids(m);
}

void mesh_distance_destroy(mesh_distance *d)
{
    if (!d) return;
    mesh_query_destroy(d->query);
    free(d->coarse);
    free(d->block_of);
    aligned_release(d->blocks);
    free(d);
}

/* --- asking --- */

static int cell_index(double *u, int size)
{
    int k = (int)*u;
    k = k < 0 ? 0 : k >= size ? size - 1 : k;
    *u -= k;
    return k;
}

/* v: place in the block, in fine cells. In a marked cell each corner's sample bounds what p can be: the one that leaves
 * the least room tells whether p is beyond the band, and else helps to ask the mesh. */
static sample ask_block(const mesh_distance *m, const block *b, double band, dew_vec3 v, dew_vec3 p)
{
    int x = cell_index(&v.x, CELLS), y = cell_index(&v.y, CELLS), z = cell_index(&v.z, CELLS);
    int c = x + CELLS * (y + CELLS * z);
    const sample *node = &b->node[x + NODES * (y + NODES * z)], *best = node;
    if (!(b->is_marked[c / 64] >> c % 64 & 1)) return interpolate(node, NODES, NODES * NODES, m->cell, v);
    dew_vec3 place = p;
    double bound = -INFINITY;
    for (int k = 0; k < 8; k++) {
        const sample *s = &node[corner_of(k, NODES, NODES * NODES)];
        dew_vec3 apart = vec3_scale(m->cell, (dew_vec3){v.x - (k & 1), v.y - (k >> 1 & 1), v.z - (k >> 2)});
        double here = fabs((double)s->d) - vec3_length(apart);
        if (here > bound) bound = here, best = s, place = vec3_sub(p, apart);
    }
    if (bound >= band) return (sample){best->x, best->y, best->z, (float)(best->d < 0 ? -bound : bound)};
    return ask_mesh(m, p, best, place);
}

static sample ask_sign_known(const mesh_distance *m, dew_vec3 p, bool is_inside)
{
    return sample_of(mesh_nearest(m->query, p, INFINITY), is_inside);
}

static sample ask_point(const mesh_distance *m, double band, dew_vec3 p)
{
    dew_vec3 u = vec3_scale(1 / m->edge, vec3_sub(p, m->origin));
    double out_x = fmax(fmax(-u.x, u.x - m->size[0]), 0), out_y = fmax(fmax(-u.y, u.y - m->size[1]), 0),
           out_z = fmax(fmax(-u.z, u.z - m->size[2]), 0);
    double gap = m->edge * sqrt(out_x * out_x + out_y * out_y + out_z * out_z);
    if (!(gap <= 0)) { /* outside of the grid, or not a number */
        /* The grid keeps the outer band from the mesh. */
        gap += outer_band * m->resolution;
        if (gap >= band || !(gap < 1e15)) return (sample){0, 0, 0, (float)gap};
        return ask_sign_known(m, p, false);
    }
    int x = cell_index(&u.x, m->size[0]), y = cell_index(&u.y, m->size[1]), z = cell_index(&u.z, m->size[2]);
    int b = m->block_of[x + m->size[0] * (y + m->size[1] * z)];
    if (b >= 0) {
        sample s = ask_block(m, &m->blocks[b], band, vec3_scale(CELLS, u), p);
        /* Blocks reach beyond the bands, where no cell is marked. */
        if (s.d <= outer_band * m->resolution || s.d >= band) return s;
        return ask_sign_known(m, p, s.d < 0);
    }
    int row = m->size[0] + 1, layer = row * (m->size[1] + 1);
    sample s = interpolate(&m->coarse[coarse_node(m, x, y, z)], row, layer, m->edge, u);
    if (fabs((double)s.d) >= band) return s;
    return ask_sign_known(m, p, s.d < 0);
}

void mesh_distance_of(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    const mesh_distance *m = s->body.distance;
    double inverse = 1 / m->mesh->size;
    for (int i = 0; i < count; i++) {
        dew_vec3 x = vec3_scale(inverse, vec3_sub((dew_vec3){p->x[i], p->y[i], p->z[i]}, m->mesh->centre));
        sample found = ask_point(m, band * inverse, x);
        out->d[i] = found.d * m->mesh->size;
        out->x[i] = found.x, out->y[i] = found.y, out->z[i] = found.z;
    }
}
