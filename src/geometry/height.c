#include "geometry/mesh_distance.h"
#include "geometry/profile.h"

#include <stdlib.h>

/* Height fields: a surface z = level(x, y) + ridges over a rectangle, and below it the body down to the box's bottom.
 * It is made of triangles on a grid whose lines lie where the profiles bend, so that flat parts are exact and upright
 * walls are walls: they lean by STEEP resolutions, which keeps the surface a function of x and y and the mesh closed.
 * Where it does not change along one of both axes the distance is found exactly in the plane across it (profile.c),
 * else it is that to the triangles (mesh_distance.c). */

#define STEEP 2e-3
/* Chords may be off a sinusoid by this share of a resolution. */
#define SAG 5e-3
enum { MOST_LINES = 1500, LEAST_STEPS = 12 };

static double ridge_height(const dew_ridges *r, double x)
{
    double phase = (x - r->shift) / r->period;
    if (r->profile == DEW_PROFILE_SINUSOIDAL) return 0.5 * r->height * (1 + cos(2 * PI * phase));
    phase += 0.5 * r->width;
    return phase - floor(phase) < r->width ? r->height : 0;
}

/* --- lines of the grid --- */

typedef struct lines {
    double *at;
    int count;
    double min, max;
} lines;

/* Only counts the line while there is no room for any. */
static void add_line(lines *l, double at)
{
    if (!(at >= l->min && at <= l->max)) return;
    if (l->at) l->at[l->count] = at;
    l->count++;
}

static void add_ridge_lines(lines *l, const dew_ridges *r, double resolution)
{
    double first = floor((l->min - r->shift) / r->period) - 1, last = ceil((l->max - r->shift) / r->period) + 1;
    double bend = r->height / 2 * (2 * PI / r->period) * (2 * PI / r->period);
    int steps = (int)fmin(fmax(ceil(r->period / sqrt(8 * SAG * resolution / bend)), LEAST_STEPS), 400);
    for (double n = first; n <= last; n++) {
        double middle = r->shift + n * r->period, half = 0.5 * r->width * r->period, lean = 0.5 * STEEP * resolution;
        if (r->profile == DEW_PROFILE_SINUSOIDAL) {
            for (int k = 0; k < steps; k++) add_line(l, middle + r->period * k / steps);
        } else if (r->width < 1) {
            for (int k = 0; k < 4; k++) add_line(l, middle + (k < 2 ? -half : half) + (k % 2 ? lean : -lean));
        }
    }
}

static void add_lines(lines *l, const dew_shape_def *def, int axis, double resolution)
{
    l->count = 0;
    add_line(l, l->min), add_line(l, l->max);
    for (int k = 0; k < def->height.ridge_count; k++)
        if (def->height.ridges[k].across == axis) add_ridge_lines(l, &def->height.ridges[k], resolution);
    double length = l->max - l->min;
    int parts = def->height.level_of.evaluate ? (int)fmin(ceil(2 * length / resolution), MOST_LINES) : 1;
    for (int k = 1; k < parts; k++) add_line(l, l->min + length * k / parts);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the lines, both ends among them, and keeps those that are `least` apart. */
static void finish_lines(lines *l, double least)
{
    qsort(l->at, (size_t)l->count, sizeof *l->at, compare);
    int kept = 1;
    for (int k = 1; k < l->count; k++)
        if (l->at[k] - l->at[kept - 1] > least && l->max - l->at[k] > least) l->at[kept++] = l->at[k];
    l->at[kept] = l->max;
    l->count = kept + 1;
}

static dew_result make_lines(lines *l, const dew_shape_def *def, int axis, double resolution)
{
    dew_vec3 min = def->height.min, max = def->height.max;
    *l = (lines){.min = axis ? min.y : min.x, .max = axis ? max.y : max.x};
    double length = l->max - l->min, periods = 0;
    for (int k = 0; k < def->height.ridge_count; k++)
        if (def->height.ridges[k].across == axis) periods += length / def->height.ridges[k].period;
    if (!(periods < MOST_LINES))
        return result_fail(DEW_INVALID, "%g periods of ridges fit along %c; more than %d are too many", periods,
                           'x' + axis, MOST_LINES);
    add_lines(l, def, axis, resolution);
    l->at = malloc((size_t)l->count * sizeof *l->at);
    if (!l->at) return result_fail(DEW_NO_MEMORY, "no memory for a height field");
    add_lines(l, def, axis, resolution);
    finish_lines(l, fmax(0.1 * STEEP * resolution, 1e-7 * length));
    return DEW_OK;
}

/* --- the mesh --- */

typedef struct field {
    const dew_shape_def *def;
    lines x, y;
    double *vertices; /* the surface's, row by row in y, then the bottom's */
    int32_t *triangles;
    int triangle_count;
} field;

/* Rows of levels by the expression, then what ridges add. */
static dew_result find_heights(field *f)
{
    const dew_shape_def *def = f->def;
    int nx = f->x.count, ny = f->y.count;
    double *in = malloc(2 * (size_t)nx * sizeof *in), *out = malloc((size_t)nx * sizeof *out);
    dew_result result = in && out ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory for a height field");
    for (int j = 0; j < ny && result == DEW_OK; j++) {
        for (int i = 0; i < nx; i++) in[i] = f->x.at[i], in[nx + i] = f->y.at[j], out[i] = def->height.level;
        dew_function level = def->height.level_of;
        if (level.evaluate) level.evaluate(level.context, nx, (const double *const[]){in, in + nx}, out);
        for (int i = 0; i < nx && result == DEW_OK; i++) {
            double x = f->x.at[i], y = f->y.at[j], z = out[i];
            for (int k = 0; k < def->height.ridge_count; k++)
                z += ridge_height(&def->height.ridges[k], def->height.ridges[k].across ? y : x);
            if (!(z > def->height.min.z && z <= def->height.max.z))
                result = result_fail(DEW_INVALID,
                                     "the surface is at z = %g m at (%g, %g) m, which is not between min and "
                                     "max of the box, %g and %g m",
                                     z, x, y, def->height.min.z, def->height.max.z);
            double *top = f->vertices + 3 * ((size_t)j * nx + i), *bottom = top + 3 * (size_t)nx * ny;
            top[0] = bottom[0] = x, top[1] = bottom[1] = y, top[2] = z, bottom[2] = def->height.min.z;
        }
    }
    free(in);
    free(out);
    return result;
}

static void add_quad(field *f, int a, int b, int c, int d)
{
    int32_t *t = f->triangles + 3 * (size_t)f->triangle_count;
    t[0] = a, t[1] = b, t[2] = c, t[3] = a, t[4] = c, t[5] = d;
    f->triangle_count += 2;
}

static void add_faces(field *f)
{
    int nx = f->x.count, ny = f->y.count, below = nx * ny;
    for (int j = 0; j + 1 < ny; j++)
        for (int i = 0; i + 1 < nx; i++) {
            int a = j * nx + i, b = a + 1, c = b + nx, d = a + nx;
            add_quad(f, a, b, c, d);
            add_quad(f, below + a, below + d, below + c, below + b);
        }
    for (int i = 0; i + 1 < nx; i++) {
        int a = i, b = (ny - 1) * nx + i;
        add_quad(f, below + a, below + a + 1, a + 1, a);
        add_quad(f, below + b + 1, below + b, b, b + 1);
    }
    for (int j = 0; j + 1 < ny; j++) {
        int a = j * nx, b = a + nx - 1;
        add_quad(f, below + a + nx, below + a, a, a + nx);
        add_quad(f, below + b, below + b + nx, b + nx, b);
    }
}

static dew_result make_mesh(field *f, double resolution, clean_mesh *clean)
{
    RESULT_TRY(make_lines(&f->x, f->def, 0, resolution));
    RESULT_TRY(make_lines(&f->y, f->def, 1, resolution));
    size_t nodes = (size_t)f->x.count * (size_t)f->y.count;
    f->vertices = malloc(6 * nodes * sizeof *f->vertices);
    f->triangles = malloc(12 * (nodes + (size_t)f->x.count + (size_t)f->y.count) * sizeof *f->triangles);
    if (!f->vertices || !f->triangles) return result_fail(DEW_NO_MEMORY, "no memory for a height field");
    RESULT_TRY(find_heights(f));
    add_faces(f);
    return mesh_clean("surface of the height field", f->vertices, (int)(2 * nodes), f->triangles, f->triangle_count,
                      clean);
}

/* --- profiles --- */

/* The axis across which all ridges lie; -1: there is none. */
static int axis_of(const dew_shape_def *def)
{
    int axis = def->height.ridge_count > 0 ? def->height.ridges[0].across : 0;
    for (int k = 0; k < def->height.ridge_count; k++)
        if (def->height.ridges[k].across != axis) return -1;
    return def->height.level_of.evaluate ? -1 : axis;
}

static const shape_kind shape_profile = {
    "height", NULL, shape_body_destroy, profile_distance, shape_body_support, shape_body_tessellate};

static dew_result make_profile(shape *s, const field *f, int axis)
{
    const lines *across = axis ? &f->y : &f->x;
    profile *p = malloc(sizeof *p + 2 * (size_t)across->count * sizeof *p->place);
    if (!p) return result_fail(DEW_NO_MEMORY, "no memory for a height field");
    s->kind = &shape_profile, s->body.profile = p;
    dew_vec3 min = f->def->height.min, max = f->def->height.max;
    *p = (profile){.across = axis,
                   .count = across->count,
                   .x = p->place,
                   .z = p->place + across->count,
                   .bottom = min.z,
                   .low = axis ? min.x : min.y,
                   .high = axis ? max.x : max.y};
    for (int k = 0; k < p->count; k++)
        p->x[k] = across->at[k], p->z[k] = f->vertices[3 * (size_t)k * (axis ? (size_t)f->x.count : 1) + 2];
    return DEW_OK;
}

static dew_result height_create(shape *s, const dew_shape_def *def)
{
    field f = {.def = def};
    dew_result result = make_mesh(&f, s->resolution, &s->body.mesh);
    int axis = axis_of(def);
    if (result == DEW_OK) result = axis >= 0 ? make_profile(s, &f, axis) : mesh_distance_create(s);
    free(f.x.at);
    free(f.y.at);
    free(f.vertices);
    free(f.triangles);
    return result;
}

const shape_kind shape_height = {"height",         height_create,      shape_body_destroy,
                                 mesh_distance_of, shape_body_support, shape_body_tessellate};
