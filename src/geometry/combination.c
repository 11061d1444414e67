#include "geometry/shape_internal.h"

#include <stdlib.h>

/* Union, difference, intersection and shell: minima and maxima of the children's distances. */

static dew_result children_create(shape *s, const dew_shape_def *defs, int count)
{
    s->combination.children = calloc((size_t)count, sizeof(shape));
    if (!s->combination.children) return result_fail(DEW_NO_MEMORY, "no memory for %d shapes", count);
    s->combination.count = count;
    for (int k = 0; k < count; k++) {
        dew_result result = shape_prepare(&s->combination.children[k], &defs[k], s->resolution);
        if (result == DEW_OK) continue;
        return s->kind == &shape_shell ? result_under(result, "shape") : result_under(result, "[%d]", k);
    }
    return DEW_OK;
}

static dew_result combination_create(shape *s, const dew_shape_def *def)
{
    return children_create(s, def->combination.children, def->combination.count);
}

static dew_result shell_create(shape *s, const dew_shape_def *def)
{
    RESULT_TRY(children_create(s, def->shell.child, 1));
    s->combination.thickness = def->shell.thickness;
    return DEW_OK;
}

static void combination_destroy(shape *s)
{
    for (int k = 0; !s->combination.is_lent && k < s->combination.count; k++)
        shape_release(&s->combination.children[k]);
    free(s->combination.children);
}

/* Starts from the first child with sign `first`; then out = max(out, rest * child) for every other; all of it times
 * `first` once more. A union is -max(-a, -b). */
static void combined_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    double first = s->kind == &shape_union ? -1 : 1, rest = s->kind == &shape_intersection ? 1 : -1;
    shape_distance_block(&s->combination.children[0], band, count, p, out);
    for (int i = 0; i < count; i++) {
        out->d[i] *= first, out->x[i] *= first, out->y[i] *= first, out->z[i] *= first;
    }
    distance_block other;
    for (int k = 1; k < s->combination.count; k++) {
        shape_distance_block(&s->combination.children[k], band, count, p, &other);
        for (int i = 0; i < count; i++) {
            double d = rest * other.d[i];
            int is_other = d > out->d[i];
            out->d[i] = is_other ? d : out->d[i];
            out->x[i] = is_other ? rest * other.x[i] : out->x[i];
            out->y[i] = is_other ? rest * other.y[i] : out->y[i];
            out->z[i] = is_other ? rest * other.z[i] : out->z[i];
        }
    }
    for (int i = 0; i < count; i++) {
        out->d[i] *= first, out->x[i] *= first, out->y[i] *= first, out->z[i] *= first;
    }
}

static void shell_distance(const shape *s, double band, int count, const point_block *p, distance_block *out)
{
    double half = s->combination.thickness / 2;
    shape_distance_block(&s->combination.children[0], band, count, p, out);
    for (int i = 0; i < count; i++) {
        double middle = out->d[i] + half, sign = middle < 0 ? -1 : 1;
        out->d[i] = fabs(middle) - half;
        out->x[i] *= sign, out->y[i] *= sign, out->z[i] *= sign;
    }
}

static double first_support(const shape *s, dew_vec3 u) { return shape_support(&s->combination.children[0], u); }

static double union_support(const shape *s, dew_vec3 u)
{
    double most = -INFINITY;
    for (int k = 0; k < s->combination.count; k++) most = fmax(most, shape_support(&s->combination.children[k], u));
    return most;
}

static double intersection_support(const shape *s, dew_vec3 u)
{
    double least = INFINITY;
    for (int k = 0; k < s->combination.count; k++) least = fmin(least, shape_support(&s->combination.children[k], u));
    return least;
}

const shape_kind shape_union = {"union",           combination_create, combination_destroy,
                                combined_distance, union_support,      NULL};
const shape_kind shape_difference = {"difference",      combination_create, combination_destroy,
                                     combined_distance, first_support,      NULL};
const shape_kind shape_intersection = {"intersection",    combination_create,   combination_destroy,
                                       combined_distance, intersection_support, NULL};
const shape_kind shape_shell = {"shell", shell_create, combination_destroy, shell_distance, first_support, NULL};
