#include "geometry/shape_internal.h"

#include "definition/definition.h"

#include <stdlib.h>

/* Creation, placement and the way from arrays of particles to blocks. The kinds are in analytic.c, ellipsoid.c,
 * combination.c, and mesh_shape.c. */

dew_result shape_check_positive(const char *name, double value)
{
    if (isfinite(value) && value > 0) return DEW_OK;
    return result_fail(DEW_INVALID, "%s is %g; it must be a positive number", name, value);
}

dew_vec3 shape_direction(dew_vec3 v)
{
    double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
    return vec3_normalise(vec3_scale(1 / largest, v));
}

static const shape_kind *const kinds[DEW_SHAPE_KINDS] = {
    [DEW_SHAPE_SPHERE] = &shape_sphere,
    [DEW_SHAPE_BOX] = &shape_box,
    [DEW_SHAPE_ELLIPSOID] = &shape_ellipsoid,
    [DEW_SHAPE_CYLINDER] = &shape_cylinder,
    [DEW_SHAPE_CONE] = &shape_cone,
    [DEW_SHAPE_CAPSULE] = &shape_capsule,
    [DEW_SHAPE_TORUS] = &shape_torus,
    [DEW_SHAPE_PLANE] = &shape_plane,
    [DEW_SHAPE_UNION] = &shape_union,
    [DEW_SHAPE_DIFFERENCE] = &shape_difference,
    [DEW_SHAPE_INTERSECTION] = &shape_intersection,
    [DEW_SHAPE_SHELL] = &shape_shell,
    [DEW_SHAPE_MESH] = &shape_mesh,
    [DEW_SHAPE_IMPLICIT] = &shape_implicit,
    [DEW_SHAPE_HEIGHT] = &shape_height,
};

static void prepare_placement(shape *s, const dew_shape_def *def)
{
    dew_vec3 axis = {0, 0, 1};
    if (def->rotation_angle != 0) axis = shape_direction(def->rotation_axis);
    s->scale = def->scale;
    s->translation = def->translation;
    vec3_rotation(axis, cos(def->rotation_angle), sin(def->rotation_angle), 1 - cos(def->rotation_angle), s->row);
    s->is_placed = def->scale != 1 || def->rotation_angle != 0 || vec3_dot(def->translation, def->translation) != 0;
}

void shape_set_limits(shape *s)
{
    s->limits.max = (dew_vec3){shape_support(s, (dew_vec3){1, 0, 0}), shape_support(s, (dew_vec3){0, 1, 0}),
                               shape_support(s, (dew_vec3){0, 0, 1})};
    s->limits.min = (dew_vec3){-shape_support(s, (dew_vec3){-1, 0, 0}), -shape_support(s, (dew_vec3){0, -1, 0}),
                               -shape_support(s, (dew_vec3){0, 0, -1})};
}

dew_result shape_prepare(shape *s, const dew_shape_def *def, double resolution)
{
    s->kind = kinds[def->kind];
    const char *name = s->kind->name;
    prepare_placement(s, def);
    s->resolution = resolution / def->scale;
    dew_result result = s->kind->create(s, def);
    if (result != DEW_OK) return result_under(result, "%s", name);
    shape_set_limits(s);
    return DEW_OK;
}

void shape_release(shape *s)
{
    if (s->kind && s->kind->destroy) s->kind->destroy(s);
}

dew_result shape_create(shape **s, const dew_shape_def *def, double resolution)
{
    *s = NULL;
    RESULT_TRY(shape_check_positive("the resolution of a shape", resolution));
    RESULT_TRY(definition_check_shape(def));
    shape *made = calloc(1, sizeof *made);
    if (!made) return result_fail(DEW_NO_MEMORY, "no memory for a shape");
    dew_result result = shape_prepare(made, def, resolution);
    if (result != DEW_OK) {
        shape_destroy(made);
        return result;
    }
    *s = made;
    return DEW_OK;
}

dew_result shape_join(shape **s, dew_shape_kind kind, const shape *const *parts, int count)
{
    shape *joined = calloc(1, sizeof *joined), *children = calloc((size_t)count, sizeof *children);
    *s = NULL;
    if (!joined || !children) {
        free(joined), free(children);
        return result_fail(DEW_NO_MEMORY, "no memory for %d shapes", count);
    }
    for (int k = 0; k < count; k++) children[k] = *parts[k];
    *joined = (shape){.kind = kinds[kind],
                      .scale = 1,
                      .row = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                      .combination = {children, count, 0, true}};
    shape_set_limits(joined);
    *s = joined;
    return DEW_OK;
}

void shape_destroy(shape *s)
{
    if (!s) return;
    shape_release(s);
    free(s);
}

double shape_support(const shape *s, dew_vec3 u)
{
    return s->scale * s->kind->support(s, vec3_turned_back(s->row, u)) + vec3_dot(s->translation, u);
}

/* The smallest distance that any point of the block can have to the shape's bounds; 0 if they may touch. */
static double block_gap(const bounds *b, int count, const point_block *p)
{
    double gap = 0;
    const double *const axis[3] = {p->x, p->y, p->z};
    for (int k = 0; k < 3; k++) {
        double min = axis[k][0], max = axis[k][0];
        for (int i = 1; i < count; i++) {
            min = axis[k][i] < min ? axis[k][i] : min;
            max = axis[k][i] > max ? axis[k][i] : max;
        }
        double between = fmax(fmax(min - vec3_at(b->max, k), vec3_at(b->min, k) - max), 0);
        gap += between * between;
    }
    return sqrt(gap);
}

static void distance_placed(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    point_block own;
    own.x[0] = 0; /* or compilers fear for an empty block */
    double inverse = 1 / s->scale;
    for (int i = 0; i < count; i++)
        block_set(&own, i, vec3_turned_back(s->row, vec3_scale(inverse, vec3_sub(block_at(p, i), s->translation))));
    s->kind->distance(s, band * inverse, count, &own, out);
    for (int i = 0; i < count; i++) {
        out->d[i] *= s->scale;
        gradient_set(out, i, vec3_turned(s->row, gradient_at(out, i)));
    }
}

void shape_distance_block(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    double gap = band < INFINITY ? block_gap(&s->limits, count, p) : 0;
    if (gap > band) {
        for (int i = 0; i < count; i++) out->d[i] = gap, out->x[i] = out->y[i] = out->z[i] = 0;
    } else if (s->is_placed) {
        distance_placed(s, band, count, p, out);
    } else {
        s->kind->distance(s, band, count, p, out);
    }
}

void shape_distance(const shape *s, double band, int count, const real4 *points, real4 *out)
{
    point_block p;
    distance_block d;
    for (int first = 0; first < count; first += SHAPE_BLOCK) {
        int n = count - first < SHAPE_BLOCK ? count - first : SHAPE_BLOCK;
        const real4 *from = points + first;
        real4 *to = out + first;
        for (int i = 0; i < n; i++) p.x[i] = from[i].x, p.y[i] = from[i].y, p.z[i] = from[i].z;
        shape_distance_block(s, band, n, &p, &d);
        for (int i = 0; i < n; i++) to[i] = (real4){(real)d.x[i], (real)d.y[i], (real)d.z[i], (real)d.d[i]};
    }
}

double shape_distance_at(const shape *s, dew_vec3 point, dew_vec3 *gradient)
{
    point_block p = {{point.x}, {point.y}, {point.z}};
    distance_block d;
    shape_distance_block(s, INFINITY, 1, &p, &d);
    if (gradient) *gradient = gradient_at(&d, 0);
    return d.d[0];
}

bounds shape_bounds(const shape *s) { return s->limits; }
bool shape_is_plane(const shape *s) { return s->kind == &shape_plane; }

bool shape_is_convex(const shape *s)
{
    const shape_kind *const convex[] = {&shape_plane,    &shape_sphere, &shape_box,    &shape_ellipsoid,
                                        &shape_cylinder, &shape_cone,   &shape_capsule};
    for (size_t k = 0; k < sizeof convex / sizeof *convex; k++)
        if (s->kind == convex[k]) return true;
    bool whole = s->kind == &shape_intersection;
    for (int k = 0; whole && k < s->combination.count; k++) whole = shape_is_convex(&s->combination.children[k]);
    return whole;
}
