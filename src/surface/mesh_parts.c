#include "surface/mesh_parts.h"

#include "base/union_find.h"

dew_vec3 mesh_normal(const triangle_mesh *m, int k)
{
    const int32_t *t = m->triangles + 3 * k;
    dew_vec3 a = mesh_vertex(m, t[0]);
    return vec3_cross(vec3_sub(mesh_vertex(m, t[1]), a), vec3_sub(mesh_vertex(m, t[2]), a));
}

double mesh_volume(const triangle_mesh *m, int k, dew_vec3 from)
{
    return vec3_dot(mesh_normal(m, k), vec3_sub(mesh_vertex(m, m->triangles[3 * k]), from)) / 6;
}

dew_result mesh_parts_begin(mesh_parts *p, const triangle_mesh *m, arena *memory)
{
    p->mesh = m;
    ARENA_TRY(memory, m->vertex_count, p->parent);
    ARENA_TRY_ZEROED(memory, m->vertex_count, p->area, p->volume, p->from);
    union_find_begin(m->vertex_count, p->parent);
    return DEW_OK;
}

void mesh_parts_join(mesh_parts *p, int k)
{
    const int32_t *t = p->mesh->triangles + 3 * k;
    for (int e = 1; e < 3; e++) union_find_join(p->parent, t[0], t[e]);
}

int mesh_parts_root(mesh_parts *p, int vertex) { return union_find_root(p->parent, vertex); }

void mesh_parts_add(mesh_parts *p, int k)
{
    int root = mesh_parts_root(p, p->mesh->triangles[3 * k]);
    p->area[root] += vec3_length(mesh_normal(p->mesh, k)) / 2;
    p->volume[root] += mesh_volume(p->mesh, k, p->from[root]);
}
