/* Triangle meshes from OBJ, STL and PLY files, by assimp. */
#ifndef SCENE_MESH_READ_H
#define SCENE_MESH_READ_H

#include "base/result.h"

#include <stdint.h>

typedef struct mesh_file {
    double *vertices;   /* vertex_count x 3, each place once, in the file's units */
    int32_t *triangles; /* triangle_count x 3 */
    int vertex_count, triangle_count;
    int open_edges;    /* edges that are not shared by just two triangles of the same sense: 0 = watertight */
    double open_at[3]; /* the middle of one of them */
} mesh_file;

/* Reads all triangles of a file; polygons are cut into triangles, vertices in the same place made one, triangles
 * without extent left out, a closed surface turned so that its triangles face outwards. Fails with a message (without
 * the path) on a file that is missing (DEW_IO), that is no mesh, is too large, has no triangles, or has coordinates
 * that are no numbers. A mesh that is open is no failure here. */
dew_result mesh_read(const char *path, mesh_file *mesh);
void mesh_file_free(mesh_file *mesh);

#endif
