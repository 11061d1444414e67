#include "geometry/mesh_check.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static dew_result check_arrays(const char *name, const double *vertices, int vertex_count, const int32_t *triangles,
                               int triangle_count)
{
    if (vertex_count <= 0 || triangle_count <= 0 || !vertices || !triangles)
        return result_fail(DEW_INVALID, "mesh '%s': it is empty (%d vertices, %d triangles)", name, vertex_count,
                           triangle_count);
    for (int i = 0; i < vertex_count; i++) {
        const double *v = vertices + 3 * (size_t)i;
        if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
            return result_fail(DEW_INVALID, "mesh '%s': vertex %d is (%g, %g, %g); coordinates must be finite", name, i,
                               v[0], v[1], v[2]);
    }
    for (int t = 0; t < triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int32_t v = triangles[3 * (size_t)t + k];
            if (v < 0 || v >= vertex_count)
                return result_fail(DEW_INVALID, "mesh '%s': triangle %d refers to vertex %d, but vertices are 0 to %d",
                                   name, t, v, vertex_count - 1);
        }
    return DEW_OK;
}

static size_t table_size(size_t entries)
{
    size_t size = 64;
    while (size < 2 * entries) size *= 2;
    return size;
}

dew_result mesh_weld(const double *vertices, int count, int32_t *number)
{
    int next = 0;
    size_t size = table_size((size_t)count);
    int32_t *table = malloc(size * sizeof *table);
    if (!table) return result_fail(DEW_NO_MEMORY, "no memory for a mesh of %d vertices", count);
    memset(table, -1, size * sizeof *table);
    for (int i = 0; i < count; i++) {
        const double *v = vertices + 3 * (size_t)i;
        uint64_t hash = 0, bits[3];
        const double place[3] = {v[0] + 0.0, v[1] + 0.0, v[2] + 0.0}; /* -0 becomes 0 */
        memcpy(bits, place, sizeof bits);
        for (int k = 0; k < 3; k++) hash = hash_mix(hash, bits[k]);
        size_t at = hash & (size - 1);
        for (; table[at] >= 0; at = (at + 1) & (size - 1)) {
            const double *w = vertices + 3 * (size_t)table[at];
            if (v[0] == w[0] && v[1] == w[1] && v[2] == w[2]) break;
        }
        number[i] = table[at] < 0 ? next++ : number[table[at]];
        if (table[at] < 0) table[at] = i;
    }
    free(table);
    return DEW_OK;
}

int mesh_renumber(const int32_t *number, const int32_t *triangles, int triangle_count, int32_t *to)
{
    int kept = 0;
    for (int t = 0; t < triangle_count; t++, triangles += 3) {
        int32_t a = number[triangles[0]], b = number[triangles[1]], c = number[triangles[2]];
        if (a == b || b == c || c == a) continue;
        to[0] = a, to[1] = b, to[2] = c;
        to += 3, kept++;
    }
    return kept;
}

/* Takes one vertex of each place, scaled to [-1, 1], and the triangles between them. */
static dew_result gather(const double *vertices, int vertex_count, const int32_t *triangles, int triangle_count,
                         const int32_t *number, clean_mesh *clean)
{
    bounds box = bounds_empty();
    for (int i = 0; i < vertex_count; i++) {
        const double *v = vertices + 3 * (size_t)i;
        bounds_add(&box, (dew_vec3){v[0], v[1], v[2]});
    }
    dew_vec3 size = vec3_sub(box.max, box.min);
    clean->centre = bounds_centre(box);
    clean->size = 0.5 * fmax(size.x, fmax(size.y, size.z));
    if (!(clean->size > 0)) clean->size = 1;
    clean->vertices = malloc((size_t)vertex_count * 3 * sizeof *clean->vertices);
    clean->triangles = malloc((size_t)triangle_count * 3 * sizeof *clean->triangles);
    if (!clean->vertices || !clean->triangles)
        return result_fail(DEW_NO_MEMORY, "no memory for a mesh of %d triangles", triangle_count);
    for (int i = 0; i < vertex_count; i++) {
        if (number[i] < clean->vertex_count) continue; /* its place has been met */
        const double *v = vertices + 3 * (size_t)i;
        float *to = clean->vertices + 3 * (size_t)clean->vertex_count++;
        for (int k = 0; k < 3; k++) to[k] = (float)((v[k] - vec3_at(clean->centre, k)) / clean->size);
    }
    clean->triangle_count = mesh_renumber(number, triangles, triangle_count, clean->triangles);
    return DEW_OK;
}

/* How often an edge is walked from its lower to its higher vertex, and back. */
typedef struct edge {
    int32_t low, high;
    int32_t up, down;
} edge;

static edge *find_edge(edge *table, size_t size, int32_t low, int32_t high)
{
    size_t at = hash_mix(0, (uint64_t)low << 32 | (uint32_t)high) & (size - 1);
    while (table[at].up + table[at].down > 0 && (table[at].low != low || table[at].high != high))
        at = (at + 1) & (size - 1);
    table[at].low = low, table[at].high = high;
    return &table[at];
}

dew_result mesh_find_open(const int32_t *triangles, int triangle_count, open_edges *found)
{
    size_t size = table_size((size_t)triangle_count * 3 / 2 + 1); /* there is room even where no edge is shared */
    edge *table = calloc(size, sizeof *table);                    /* up + down = 0: free */
    if (!table) return result_fail(DEW_NO_MEMORY, "no memory for the edges of %d triangles", triangle_count);
    for (int t = 0; t < triangle_count; t++) {
        const int32_t *v = triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) {
            int32_t from = v[k], to = v[(k + 1) % 3];
            if (from < to)
                find_edge(table, size, from, to)->up++;
            else
                find_edge(table, size, to, from)->down++;
        }
    }
    *found = (open_edges){0};
    for (const edge *e = table; e < table + size; e++) {
        if (e->up == e->down) continue;
        if (found->open + found->turned == 0 || e->low < found->low || (e->low == found->low && e->high < found->high))
            found->low = e->low, found->high = e->high;
        *((e->up + e->down) % 2 ? &found->open : &found->turned) += 1;
    }
    free(table);
    return DEW_OK;
}

static dew_result check_closed(const clean_mesh *m)
{
    open_edges found;
    RESULT_TRY(mesh_find_open(m->triangles, m->triangle_count, &found));
    if (found.open + found.turned == 0) return DEW_OK;
    const float *a = m->vertices + 3 * (size_t)found.low, *b = m->vertices + 3 * (size_t)found.high;
    double s = m->size, x = m->centre.x, y = m->centre.y, z = m->centre.z;
    return result_fail(DEW_INVALID,
                       "it is not watertight: %d open edges, %d edges whose triangles face opposite ways, the first "
                       "from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g); %s",
                       found.open, found.turned, x + s * a[0], y + s * a[1], z + s * a[2], x + s * b[0], y + s * b[1],
                       z + s * b[2], found.open ? "close its holes" : "let all triangles face outwards");
}

/* Six times the volume, in the mesh's own units. */
static double six_volumes(const clean_mesh *m)
{
    double sum = 0;
    for (int t = 0; t < m->triangle_count; t++) {
        const int32_t *v = m->triangles + 3 * (size_t)t;
        dew_vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = vec3_of_floats(m->vertices + 3 * (size_t)v[k]);
        sum += vec3_dot(corner[0], vec3_cross(corner[1], corner[2]));
    }
    return sum;
}

static dew_result face_outwards(clean_mesh *m)
{
    double volume = six_volumes(m);
    if (m->triangle_count < 4 || fabs(volume) < 1e-12)
        return result_fail(DEW_INVALID, "it encloses no volume (%d triangles that have an area)", m->triangle_count);
    for (int t = 0; t < m->triangle_count && volume < 0; t++) {
        int32_t *v = m->triangles + 3 * (size_t)t, keep = v[1];
        v[1] = v[2], v[2] = keep;
    }
    return DEW_OK;
}

dew_result mesh_clean(const char *name, const double *vertices, int vertex_count, const int32_t *triangles,
                      int triangle_count, clean_mesh *clean)
{
    if (!name) name = "unnamed";
    RESULT_TRY(check_arrays(name, vertices, vertex_count, triangles, triangle_count));
    int32_t *number = malloc((size_t)vertex_count * sizeof *number);
    if (!number) return result_fail(DEW_NO_MEMORY, "no memory for a mesh of %d vertices", vertex_count);
    dew_result result = mesh_weld(vertices, vertex_count, number);
    if (result == DEW_OK) result = gather(vertices, vertex_count, triangles, triangle_count, number, clean);
    free(number);
    if (result == DEW_OK) result = check_closed(clean);
    if (result == DEW_OK) result = face_outwards(clean);
    return result == DEW_OK ? DEW_OK : result_within(result, "mesh '%s': ", name);
}
