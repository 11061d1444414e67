/* Shapes that are meshes in files. Each file is read once. */
#include "scene/reader.h"

#include <stdlib.h>
#include <string.h>

static const mesh_file *find_mesh(const reader *r, const char *path)
{
    for (const mesh_link *link = r->scene->meshes; link; link = link->next)
        if (strcmp(link->path, path) == 0) return &link->mesh;
    return NULL;
}

static const char *full_path(reader *r, const char *file)
{
    const char *joined = file[0] == '/' ? file : text_format(r->memory, "%s/%s", r->scene->directory, file);
    char *found = realpath(joined, NULL);
    const char *path = text_copy(r->memory, found ? found : joined, strlen(found ? found : joined));
    free(found);
    return path;
}

static const mesh_file *load_mesh(reader *r, node *n, const char *path)
{
    const mesh_file *known = find_mesh(r, path);
    if (known) return known;
    mesh_link *link = obtain(r, sizeof *link);
    if (!link) return NULL;
    dew_result result = mesh_read(path, &link->mesh);
    if (result != DEW_OK) {
        const char *hint =
            text_format(r->memory, "a path is relative to the scene file: %s/%s", r->scene->directory, n->text);
        wrong(r, n, result == DEW_IO ? hint : NULL, "mesh '%s': %s", n->text, dew_message());
        return NULL;
    }
    *link = (mesh_link){link->mesh, path, r->scene->meshes};
    r->scene->meshes = link;
    return &link->mesh;
}

void read_mesh(reader *r, const dew_property *p, node *n, dew_shape_def *def)
{
    if (!expect_kind(r, p->key, n, NODE_TEXT)) return;
    const char *path = full_path(r, n->text);
    const mesh_file *mesh = load_mesh(r, n, path);
    if (!mesh) return;
    if (mesh->open_edges > 0) {
        wrong(r, n,
              "close its holes and make its triangles face one way in a mesh editor, so that inside and outside differ",
              "mesh '%s' is not watertight: %d of its edges are open, one at (%.4g, %.4g, %.4g)", n->text,
              mesh->open_edges, mesh->open_at[0], mesh->open_at[1], mesh->open_at[2]);
        return;
    }
    def->mesh.vertices = mesh->vertices, def->mesh.triangles = mesh->triangles;
    def->mesh.vertex_count = mesh->vertex_count, def->mesh.triangle_count = mesh->triangle_count;
    def->mesh.name = path;
}
