#include "scene/mesh_read.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Beyond these a file is surely not what was meant; memory would go before the message. */
static const long long max_bytes = 2LL << 30;
enum { MAX_TRIANGLES = 20000000 };

/* A PLY that promises more elements than it has bytes has been cut short; assimp would count to the end of the promise.
 */
static dew_result check_ply(const char *path, long long bytes)
{
    FILE *in = fopen(path, "rb");
    if (!in) return result_fail(DEW_IO, "%s", strerror(errno));
    char line[256];
    dew_result result = DEW_OK;
    for (int k = 0; k < 1000 && result == DEW_OK && fgets(line, sizeof line, in); k++) {
        char name[64];
        long long count = 0;
        if (strncmp(line, "end_header", 10) == 0) break;
        if (sscanf(line, "element %63s %lld", name, &count) == 2 && (count < 0 || count > bytes))
            result = result_fail(DEW_INVALID, "it says it has %lld of '%s', but has only %lld bytes: was it cut short?",
                                 count, name, bytes);
    }
    fclose(in);
    return result;
}

static dew_result check_file(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) return result_fail(DEW_IO, "%s", strerror(errno));
    if (!S_ISREG(info.st_mode)) return result_fail(DEW_INVALID, "it is not a file");
    if (info.st_size == 0) return result_fail(DEW_INVALID, "the file is empty");
    if (info.st_size > max_bytes)
        return result_fail(DEW_INVALID, "the file has %.1f GB, more than the %.0f GB that are read",
                           (double)info.st_size / 1073741824.0, (double)max_bytes / 1073741824.0);
    const char *dot = strrchr(path, '.');
    if (!dot || (strcasecmp(dot, ".obj") != 0 && strcasecmp(dot, ".stl") != 0 && strcasecmp(dot, ".ply") != 0))
        return result_fail(DEW_INVALID, "its name does not end in .obj, .stl or .ply");
    return strcasecmp(dot, ".ply") == 0 ? check_ply(path, info.st_size) : DEW_OK;
}

/* One line of a library's text. */
static const char *first_line(const char *text, char *line, size_t size)
{
    size_t length = strcspn(text, "\r\n");
    if (length >= size) length = size - 1;
    memcpy(line, text, length);
    line[length] = 0;
    return line;
}

static dew_result copy_scene(const struct aiScene *scene, mesh_file *mesh)
{
    long long vertices = 0, triangles = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        vertices += scene->mMeshes[m]->mNumVertices, triangles += scene->mMeshes[m]->mNumFaces;
    if (triangles == 0) return result_fail(DEW_INVALID, "it has no triangles");
    if (triangles > MAX_TRIANGLES || vertices > 3LL * MAX_TRIANGLES)
        return result_fail(DEW_INVALID, "it has %lld triangles, more than the %d that are read", triangles,
                           MAX_TRIANGLES);
    mesh->vertices = malloc((size_t)vertices * 3 * sizeof *mesh->vertices);
    mesh->triangles = malloc((size_t)triangles * 3 * sizeof *mesh->triangles);
    if (!mesh->vertices || !mesh->triangles) return result_fail(DEW_NO_MEMORY, "no memory for its triangles");
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *part = scene->mMeshes[m];
        for (unsigned f = 0; f < part->mNumFaces; f++) {
            if (part->mFaces[f].mNumIndices != 3) continue;
            for (int k = 0; k < 3; k++)
                mesh->triangles[3 * mesh->triangle_count + k] =
                    (int32_t)part->mFaces[f].mIndices[k] + mesh->vertex_count;
            mesh->triangle_count++;
        }
        for (unsigned v = 0; v < part->mNumVertices; v++) {
            const struct aiVector3D *p = &part->mVertices[v];
            if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
                return result_fail(DEW_INVALID, "vertex %d has a coordinate that is no number", mesh->vertex_count);
            double *to = &mesh->vertices[3 * mesh->vertex_count++];
            /* + 0 makes -0 and 0 the same bytes. */
            to[0] = (double)p->x + 0.0, to[1] = (double)p->y + 0.0, to[2] = (double)p->z + 0.0;
        }
    }
    return DEW_OK;
}

static uint64_t hash_bytes(const void *data, size_t size)
{
    const unsigned char *p = data;
    uint64_t hash = 14695981039346656037u;
    for (size_t k = 0; k < size; k++) hash = (hash ^ p[k]) * 1099511628211u;
    return hash ^ (hash >> 29);
}

static size_t table_size(size_t entries)
{
    size_t size = 16;
    while (size < 2 * entries) size *= 2;
    return size;
}

/* Makes one vertex of all that lie in the same place: STL repeats them for every triangle, OBJ for every normal.
 * (assimp's own joining takes points within 10 um for the same, too coarse for drops.) */
static dew_result weld(mesh_file *mesh)
{
    size_t size = table_size((size_t)mesh->vertex_count);
    int32_t *table = malloc(size * sizeof *table), *new_index = malloc((size_t)mesh->vertex_count * sizeof *new_index);
    if (!table || !new_index) {
        free(table), free(new_index);
        return result_fail(DEW_NO_MEMORY, "no memory for its triangles");
    }
    memset(table, -1, size * sizeof *table);
    int kept = 0;
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double *p = &mesh->vertices[3 * v];
        size_t slot = hash_bytes(p, 3 * sizeof *p) & (size - 1);
        while (table[slot] >= 0 && memcmp(&mesh->vertices[3 * table[slot]], p, 3 * sizeof *p) != 0)
            slot = (slot + 1) & (size - 1);
        if (table[slot] < 0) {
            table[slot] = kept;
            memmove(&mesh->vertices[3 * kept], p, 3 * sizeof *p);
            kept++;
        }
        new_index[v] = table[slot];
    }
    mesh->vertex_count = kept;
    int triangles = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        int32_t a = new_index[mesh->triangles[3 * t]], b = new_index[mesh->triangles[3 * t + 1]],
                c = new_index[mesh->triangles[3 * t + 2]];
        if (a == b || b == c || c == a) continue;
        int32_t *to = &mesh->triangles[3 * triangles++];
        to[0] = a, to[1] = b, to[2] = c;
    }
    mesh->triangle_count = triangles;
    free(table), free(new_index);
    return triangles ? DEW_OK : result_fail(DEW_INVALID, "it has no triangles with an area");
}

typedef struct edge {
    int32_t a, b; /* a < b; -1: none */
    int balance;  /* +1 for each triangle that runs from a to b, -1 for each from b to a */
} edge;

/* A surface is closed when every edge is run along as often one way as the other. */
static dew_result count_open_edges(mesh_file *mesh)
{
    size_t size = table_size((size_t)mesh->triangle_count * 3 / 2 + 1);
    edge *table = malloc(size * sizeof *table);
    if (!table) return result_fail(DEW_NO_MEMORY, "no memory for its edges");
    memset(table, -1, size * sizeof *table);
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            int32_t from = mesh->triangles[3 * t + k], to = mesh->triangles[3 * t + (k + 1) % 3];
            int32_t key[2] = {from < to ? from : to, from < to ? to : from};
            size_t slot = hash_bytes(key, sizeof key) & (size - 1);
            while (table[slot].a >= 0 && (table[slot].a != key[0] || table[slot].b != key[1]))
                slot = (slot + 1) & (size - 1);
            if (table[slot].a < 0) table[slot] = (edge){key[0], key[1], 0};
            table[slot].balance += from < to ? 1 : -1;
        }
    }
    int32_t lowest = INT32_MAX;
    for (size_t s = 0; s < size; s++) {
        if (table[s].a < 0 || table[s].balance == 0) continue;
        mesh->open_edges++;
        if (table[s].a >= lowest) continue;
        lowest = table[s].a;
        for (int k = 0; k < 3; k++)
            mesh->open_at[k] = 0.5 * (mesh->vertices[3 * table[s].a + k] + mesh->vertices[3 * table[s].b + k]);
    }
    free(table);
    return DEW_OK;
}

/* Turns a closed mesh that is inside out. */
static void turn_outwards(mesh_file *mesh)
{
    double volume = 0;
    const double *o = mesh->vertices;
    for (int t = 0; t < mesh->triangle_count; t++) {
        double d[3][3];
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < 3; m++) d[k][m] = mesh->vertices[3 * mesh->triangles[3 * t + k] + m] - o[m];
        volume += d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                  d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) + d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    }
    if (volume >= 0) return;
    for (int t = 0; t < mesh->triangle_count; t++) {
        int32_t swap = mesh->triangles[3 * t];
        mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
        mesh->triangles[3 * t + 1] = swap;
    }
}

dew_result mesh_read(const char *path, mesh_file *mesh)
{
    *mesh = (mesh_file){0};
    RESULT_TRY(check_file(path));
    const struct aiScene *scene = aiImportFile(path, aiProcess_Triangulate);
    if (!scene) {
        char line[200];
        return result_fail(DEW_INVALID, "it cannot be read as a mesh (%s)",
                           first_line(aiGetErrorString(), line, sizeof line));
    }
    dew_result result = copy_scene(scene, mesh);
    aiReleaseImport(scene);
    if (result == DEW_OK) result = weld(mesh);
    if (result == DEW_OK) result = count_open_edges(mesh);
    if (result == DEW_OK && mesh->open_edges == 0) turn_outwards(mesh);
    if (result != DEW_OK) mesh_file_free(mesh);
    return result;
}

void mesh_file_free(mesh_file *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (mesh_file){0};
}
