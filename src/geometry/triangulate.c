#include "geometry/surface_net.h"

#include <stdlib.h>
#include <string.h>

/* Triangles of a shape: its own where the kind has any and all of it is asked for, else those of a surface net. */

static void shape_field(void *context, double band, int count, const point_block *p, distance_block *out)
{
    shape_distance_block(context, band, count, p, out);
}

static void place_vertices(const shape *s, triangle_mesh *mesh)
{
    if (!s->is_placed) return;
    for (int i = 0; i < mesh->vertex_count; i++) {
        float *v = mesh->vertices + 3 * (size_t)i;
        dew_vec3 x = vec3_scale(s->scale, vec3_of_floats(v));
        vec3_to_floats(vec3_add(vec3_turned(s->row, x), s->translation), v);
    }
}

static bool holds(bounds outer, bounds inner, double tolerance)
{
    bool does = true;
    for (int k = 0; k < 3; k++)
        does &= vec3_at(outer.min, k) <= vec3_at(inner.min, k) + tolerance &&
                vec3_at(outer.max, k) >= vec3_at(inner.max, k) - tolerance;
    return does;
}

dew_result shape_triangulate(const shape *s, double cell, bounds within, triangle_mesh *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    RESULT_TRY(shape_check_positive("the edge of triangles", cell));
    bool is_whole = holds(within, s->limits, 1e-6 * cell);
    if (is_whole && s->kind->tessellate) {
        RESULT_TRY(s->kind->tessellate(s, cell / s->scale, mesh));
        place_vertices(s, mesh);
        if (mesh->triangle_count > 0) return DEW_OK;
    }
    /* What is cut off is closed there; where nothing is, no face of the bounds touches the surface. */
    bounds part = bounds_grown(s->limits, cell);
    if (!is_whole) part = bounds_common(part, within);
    if (!bounds_are_finite(part))
        return result_fail(DEW_INVALID, "%s: it has no end and cannot be polygonised whole", s->kind->name);
    if (part.min.x >= part.max.x || part.min.y >= part.max.y || part.min.z >= part.max.z) return DEW_OK;
    net_def def = {.field = shape_field, .context = (void *)s, .within = part, .cell = cell, .caution = 1};
    return surface_net(&def, mesh);
}

dew_result triangle_mesh_obtain(triangle_mesh *mesh, size_t vertices, size_t triangles)
{
    *mesh = (triangle_mesh){.vertices = malloc((3 * vertices + 1) * sizeof *mesh->vertices),
                            .triangles = malloc((3 * triangles + 1) * sizeof *mesh->triangles)};
    if (mesh->vertices && mesh->triangles) return DEW_OK;
    triangle_mesh_free(mesh);
    return result_fail(DEW_NO_MEMORY, "no memory for a mesh of %zu triangles", triangles);
}

void triangle_mesh_free(triangle_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}
