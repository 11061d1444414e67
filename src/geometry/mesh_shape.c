#include "geometry/mesh_distance.h"
#include "geometry/surface_net.h"

#include <stdlib.h>
#include <string.h>

/* Shapes that are triangles inside: meshes, and implicit functions, whose surface is polygonised once. height.c has
 * another. */

static dew_result mesh_create(shape *s, const dew_shape_def *def)
{
    RESULT_TRY(mesh_clean(def->mesh.name, def->mesh.vertices, def->mesh.vertex_count, def->mesh.triangles,
                          def->mesh.triangle_count, &s->body.mesh));
    return mesh_distance_create(s);
}

void shape_body_destroy(shape *s)
{
    mesh_distance_destroy(s->body.distance);
    free(s->body.profile);
    free(s->body.mesh.vertices);
    free(s->body.mesh.triangles);
}

double shape_body_support(const shape *s, dew_vec3 u)
{
    const clean_mesh *m = &s->body.mesh;
    double most = -INFINITY;
    for (int i = 0; i < m->vertex_count; i++) {
        const float *v = m->vertices + 3 * (size_t)i;
        most = fmax(most, vec3_dot(vec3_of_floats(v), u));
    }
    return vec3_dot(m->centre, u) + m->size * most;
}

dew_result shape_body_tessellate(const shape *s, double cell, triangle_mesh *mesh)
{
    (void)cell;
    const clean_mesh *m = &s->body.mesh;
    RESULT_TRY(triangle_mesh_obtain(mesh, (size_t)m->vertex_count, (size_t)m->triangle_count));
    mesh->vertex_count = m->vertex_count, mesh->triangle_count = m->triangle_count;
    memcpy(mesh->triangles, m->triangles, (size_t)m->triangle_count * 3 * sizeof *mesh->triangles);
    for (int i = 0; i < m->vertex_count; i++) {
        const float *v = m->vertices + 3 * (size_t)i;
        vec3_to_floats(vec3_madd(m->centre, m->size, vec3_of_floats(v)), mesh->vertices + 3 * (size_t)i);
    }
    return DEW_OK;
}

/* --- implicit --- */

typedef struct implicit_field {
    dew_function value;
    double step, farthest;
} implicit_field;

/* First-order distance: the value over its slope, by central differences. Where that is not a number: far outside. */
static void implicit_distance(void *context, double band, int count, const point_block *p, distance_block *out)
{
    (void)band;
    const implicit_field *f = context;
    enum { AROUND = 7 };
    double x[AROUND * SHAPE_BLOCK], y[AROUND * SHAPE_BLOCK], z[AROUND * SHAPE_BLOCK], v[AROUND * SHAPE_BLOCK];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < AROUND; k++) {
            int to = AROUND * i + k;
            double step = k % 2 ? f->step : -f->step;
            x[to] = p->x[i] + (k == 1 || k == 2 ? step : 0);
            y[to] = p->y[i] + (k == 3 || k == 4 ? step : 0);
            z[to] = p->z[i] + (k == 5 || k == 6 ? step : 0);
        }
    const double *const inputs[3] = {x, y, z};
    f->value.evaluate(f->value.context, AROUND * count, inputs, v);
    for (int i = 0; i < count; i++) {
        const double *a = v + AROUND * i;
        dew_vec3 slope = vec3_scale(0.5 / f->step, (dew_vec3){a[1] - a[2], a[3] - a[4], a[5] - a[6]});
        double steepness = vec3_length(slope), d = a[0] / steepness;
        bool is_good = steepness > 0 && isfinite(steepness) && isfinite(d);
        if (!is_good) d = a[0] < 0 ? -f->farthest : f->farthest;
        out->d[i] = fmin(fmax(d, -f->farthest), f->farthest);
        gradient_set(out, i,
                     is_good ? (dew_vec3){slope.x / steepness, slope.y / steepness, slope.z / steepness}
                             : (dew_vec3){0, 0, 0});
    }
}

static void implicit_level(void *context, int count, const point_block *p, double *out)
{
    const implicit_field *f = context;
    const double *const inputs[3] = {p->x, p->y, p->z};
    f->value.evaluate(f->value.context, count, inputs, out);
    for (int i = 0; i < count; i++)
        if (!isfinite(out[i])) out[i] = out[i] < 0 ? -f->farthest : f->farthest;
}

static dew_result polygonise(const dew_shape_def *def, double resolution, triangle_mesh *net)
{
    dew_vec3 min = def->implicit.min, max = def->implicit.max;
    double size = vec3_length(vec3_sub(max, min)), cell = resolution / 2;
    /* Not more cells than can be looked at: a box far larger than the spacing is cut more coarsely. */
    cell = fmax(cell, size / 2000);
    implicit_field field = {def->implicit.value, 0.02 * cell, size};
    net_def n = {.field = implicit_distance,
                 .level = implicit_level,
                 .context = &field,
                 .within = {min, max},
                 .cell = cell,
                 .is_serial = true,
                 .caution = 2.5};
    return surface_net(&n, net);
}

static dew_result implicit_create(shape *s, const dew_shape_def *def)
{
    triangle_mesh net;
    RESULT_TRY(polygonise(def, s->resolution, &net));
    double *vertices = malloc(((size_t)net.vertex_count * 3 + 1) * sizeof *vertices);
    if (!vertices) {
        triangle_mesh_free(&net);
        return result_fail(DEW_NO_MEMORY, "no memory for a surface of %d vertices", net.vertex_count);
    }
    for (int i = 0; i < 3 * net.vertex_count; i++) vertices[i] = net.vertices[i];
    dew_vec3 min = def->implicit.min, max = def->implicit.max;
    dew_result result = net.triangle_count > 0
                            ? mesh_clean("surface of the function", vertices, net.vertex_count, net.triangles,
                                         net.triangle_count, &s->body.mesh)
                            : result_fail(DEW_INVALID,
                                          "the function is nowhere negative (inside) between (%g, %g, %g) and "
                                          "(%g, %g, %g); check its sign and the box",
                                          min.x, min.y, min.z, max.x, max.y, max.z);
    free(vertices);
    triangle_mesh_free(&net);
    return result == DEW_OK ? mesh_distance_create(s) : result;
}

const shape_kind shape_mesh = {"mesh",           mesh_create,        shape_body_destroy,
                               mesh_distance_of, shape_body_support, shape_body_tessellate};
const shape_kind shape_implicit = {"implicit",       implicit_create,    shape_body_destroy,
                                   mesh_distance_of, shape_body_support, shape_body_tessellate};
