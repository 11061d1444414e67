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

static void set_rotation(shape *s, dew_vec3 axis, double angle)
{
    double c = cos(angle), o = 1 - c, n = sin(angle);
    s->row[0] = (dew_vec3){c + axis.x * axis.x * o, axis.x * axis.y * o - axis.z * n, axis.x * axis.z * o + axis.y * n};
    s->row[1] = (dew_vec3){axis.y * axis.x * o + axis.z * n, c + axis.y * axis.y * o, axis.y * axis.z * o - axis.x * n};
    s->row[2] = (dew_vec3){axis.z * axis.x * o - axis.y * n, axis.z * axis.y * o + axis.x * n, c + axis.z * axis.z * o};
}

static void prepare_placement(shape *s, const dew_shape_def *def)
{
    dew_vec3 axis = {0, 0, 1};
    if (def->rotation_angle != 0) axis = shape_direction(def->rotation_axis);
    s->scale = def->scale;
    s->translation = def->translation;
    set_rotation(s, axis, def->rotation_angle);
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
    dew_result result = s->kind->create(s, def, resolution / def->scale);
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

void shape_destroy(shape *s)
{
    if (!s) return;
    shape_release(s);
    free(s);
}

double shape_support(const shape *s, dew_vec3 u)
{
    dew_vec3 own = {s->row[0].x * u.x + s->row[1].x * u.y + s->row[2].x * u.z,
                    s->row[0].y * u.x + s->row[1].y * u.y + s->row[2].y * u.z,
                    s->row[0].z * u.x + s->row[1].z * u.y + s->row[2].z * u.z};
    return s->scale * s->kind->support(s, own) + vec3_dot(s->translation, u);
}

/* The smallest distance that any point of the block can have to the shape's bounds; 0 if they may touch. */
static double block_gap(const bounds *b, int count, const point_block *p)
{
    double gap = 0;
    const double *const axis[3] = {p->x, p->y, p->z};
    const double low[3] = {b->min.x, b->min.y, b->min.z}, high[3] = {b->max.x, b->max.y, b->max.z};
    for (int k = 0; k < 3; k++) {
        double min = axis[k][0], max = axis[k][0];
        for (int i = 1; i < count; i++) {
            min = axis[k][i] < min ? axis[k][i] : min;
            max = axis[k][i] > max ? axis[k][i] : max;
        }
        double between = fmax(fmax(min - high[k], low[k] - max), 0);
        gap += between * between;
    }
    return sqrt(gap);
}

static void distance_placed(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    point_block own;
    own.x[0] = 0; /* or compilers fear for an empty block */
    double inverse = 1 / s->scale;
    const dew_vec3 *row = s->row;
    for (int i = 0; i < count; i++) {
        double x = (p->x[i] - s->translation.x) * inverse, y = (p->y[i] - s->translation.y) * inverse,
               z = (p->z[i] - s->translation.z) * inverse;
        own.x[i] = row[0].x * x + row[1].x * y + row[2].x * z;
        own.y[i] = row[0].y * x + row[1].y * y + row[2].y * z;
        own.z[i] = row[0].z * x + row[1].z * y + row[2].z * z;
    }
    s->kind->distance(s, band * inverse, count, &own, out);
    for (int i = 0; i < count; i++) {
        double x = out->x[i], y = out->y[i], z = out->z[i];
        out->d[i] *= s->scale;
        out->x[i] = row[0].x * x + row[0].y * y + row[0].z * z;
        out->y[i] = row[1].x * x + row[1].y * y + row[1].z * z;
        out->z[i] = row[2].x * x + row[2].y * y + row[2].z * z;
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
    point_block p;
    distance_block d;
    p.x[0] = point.x, p.y[0] = point.y, p.z[0] = point.z;
    shape_distance_block(s, INFINITY, 1, &p, &d);
    if (gradient) *gradient = (dew_vec3){d.x[0], d.y[0], d.z[0]};
    return d.d[0];
}

bounds shape_bounds(const shape *s) { return s->limits; }
bool shape_is_plane(const shape *s) { return s->kind == &shape_plane; }
