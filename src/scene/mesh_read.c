#include "scene/mesh_read.h"

#include "geometry/mesh_check.h"

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

/* Makes one vertex of all that lie in the same place: STL repeats them for every triangle, OBJ for every normal.
 * (assimp's own joining takes points within 10 um for the same, too coarse for drops.) */
static dew_result weld(mesh_file *mesh)
{
    int32_t *number = malloc((size_t)mesh->vertex_count * sizeof *number);
    if (!number) return result_fail(DEW_NO_MEMORY, "no memory for its triangles");
    dew_result result = mesh_weld(mesh->vertices, mesh->vertex_count, number);
    int kept = 0;
    for (int v = 0; v < mesh->vertex_count && result == DEW_OK; v++)
        if (number[v] == kept) memmove(&mesh->vertices[3 * kept++], &mesh->vertices[3 * v], 3 * sizeof *mesh->vertices);
    mesh->vertex_count = kept;
    if (result == DEW_OK)
        mesh->triangle_count = mesh_renumber(number, mesh->triangles, mesh->triangle_count, mesh->triangles);
    free(number);
    if (result == DEW_OK && mesh->triangle_count == 0)
        result = result_fail(DEW_INVALID, "it has no triangles with an area");
    return result;
}

/* A surface is closed when every edge is run along as often one way as the other. */
static dew_result count_open_edges(mesh_file *mesh)
{
    open_edges found;
    RESULT_TRY(mesh_find_open(mesh->triangles, mesh->triangle_count, &found));
    mesh->open_edges = found.open + found.turned;
    for (int k = 0; k < 3 && mesh->open_edges > 0; k++)
        mesh->open_at[k] = 0.5 * (mesh->vertices[3 * found.low + k] + mesh->vertices[3 * found.high + k]);
    return DEW_OK;
}

/* Turns a closed mesh that is inside out. */
static void turn_outwards(mesh_file *mesh)
{
    double volume = 0;
    const double *o = mesh->vertices;
    for (int t = 0; t < mesh->triangle_count; t++) {
        dew_vec3 d[3];
        for (int k = 0; k < 3; k++) {
            const double *v = &mesh->vertices[3 * mesh->triangles[3 * t + k]];
            d[k] = (dew_vec3){v[0] - o[0], v[1] - o[1], v[2] - o[2]};
        }
        volume += vec3_dot(d[0], vec3_cross(d[1], d[2]));
    }
    for (int t = 0; t < mesh->triangle_count && volume < 0; t++) {
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
        const char *why = aiGetErrorString();
        int length = (int)strcspn(why, "\r\n");
        return result_fail(DEW_INVALID, "it cannot be read as a mesh (%.*s)", length < 200 ? length : 199, why);
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
