/* The liquid's shape: its thinnest place, its bodies. */
#include "measure/points.h"
#include "particles/bodies.h"

#include <stdlib.h>
#include <string.h>

/* --- the neck --- */

enum { SECTORS = 12, MAX_SLICES = 1000000 };

/* A place seen from the axis: x and y lie across it, z along it. */
static dew_vec3 about_axis(real4 point, dew_vec3 centre, int dimension)
{
    dew_vec3 d = vec3_sub((dew_vec3){point.x, point.y, point.z}, centre);
    return dimension == 2 ? (dew_vec3){d.x, 0, d.y} : d;
}

static int sector_of(dew_vec3 d, int dimension)
{
    if (dimension == 2) return d.x > 0;
    int sector = (int)((atan2(d.y, d.x) / (2 * PI) + 0.5) * SECTORS);
    return sector >= SECTORS ? SECTORS - 1 : sector;
}

static void fill_profile(const real4 *points, int count, int dimension, dew_vec3 centre, double slice, double bottom,
                         int slices, double *outline, double *radius)
{
    int sectors = dimension == 2 ? 2 : SECTORS;
    for (int k = 0; k < slices * SECTORS; k++) outline[k] = 0;
    for (int i = 0; i < count; i++) {
        dew_vec3 d = about_axis(points[i], centre, dimension);
        int at = (int)((d.z - bottom) / slice + 0.5);
        if (at >= slices) at = slices - 1;
        double *o = &outline[at * SECTORS + sector_of(d, dimension)];
        *o = fmax(*o, hypot(d.x, d.y));
    }
    for (int k = 0; k < slices; k++) {
        radius[k] = 0;
        for (int j = 0; j < sectors; j++) radius[k] += outline[k * SECTORS + j] / sectors;
    }
}

/* The slice deepest below both its sides. */
static double deepest(const double *radius, int slices, double depth, double *highest_after)
{
    highest_after[slices - 1] = 0;
    for (int k = slices - 2; k >= 0; k--) highest_after[k] = fmax(highest_after[k + 1], radius[k + 1]);
    double before = 0, neck = NAN;
    for (int k = 0; k < slices; k++) {
        double here = fmin(before, highest_after[k]) - radius[k];
        if (here > depth) depth = here, neck = radius[k];
        before = fmax(before, radius[k]);
    }
    return isnan(neck) ? before : neck;
}

double measure_neck(const real4 *points, int count, int dimension, dew_vec3 centre, double slice, double depth)
{
    double bottom = INFINITY, top = -INFINITY;
    for (int i = 0; i < count; i++) {
        double z = about_axis(points[i], centre, dimension).z;
        bottom = fmin(bottom, z), top = fmax(top, z);
    }
    if (!((top - bottom) / slice < MAX_SLICES)) return NAN;
    int slices = (int)((top - bottom) / slice + 0.5) + 1;
    double *memory = malloc((size_t)slices * (SECTORS + 2) * sizeof *memory);
    if (!memory) return NAN;
    double *radius = memory + (size_t)slices * SECTORS;
    fill_profile(points, count, dimension, centre, slice, bottom, slices, memory, radius);
    double neck = deepest(radius, slices, depth, radius + slices);
    free(memory);
    return neck;
}

/* --- bodies --- */

#define LINK 1.6 /* spacings */

static int descending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

dew_result measure_body_numbers(const real4 *points, int count, double spacing, const double period[3], arena *memory,
                                int32_t **body, int32_t **size)
{
    point_grid g;
    RESULT_TRY(point_grid_create(&g, points, count, LINK * spacing, memory));
    ARENA_TRY(memory, count, *body);
    ARENA_TRY_ZEROED(memory, count, *size);
    union_find_begin(count, *body);
    bodies_join_near(&g, points, LINK * spacing, period, *body);
    union_find_number(count, *body);
    for (int i = 0; i < count; i++) (*size)[(*body)[i]]++;
    return DEW_OK;
}

int measure_bodies(const real4 *points, int count, double spacing, const double period[3], int smallest, int most,
                   int *sizes)
{
    int32_t *body, *size;
    arena *memory = arena_create();
    bool is_found = memory && measure_body_numbers(points, count, spacing, period, memory, &body, &size) == DEW_OK;
    int bodies = is_found ? 0 : -1;
    for (int i = 0; bodies >= 0 && i < count; i++)
        if (size[i] >= smallest) size[bodies++] = size[i];
    if (bodies > 0) qsort(size, (size_t)bodies, sizeof *size, descending);
    for (int k = 0; k < most; k++) sizes[k] = k < bodies ? size[k] : 0;
    arena_destroy(memory);
    return bodies;
}

dew_result measure_body(const real4 *points, int count, double spacing, const double period[3], int body, bool *is_in)
{
    int32_t *size, *number, last = -1;
    arena *memory = arena_create();
    dew_result result = memory ? measure_body_numbers(points, count, spacing, period, memory, &number, &size)
                               : result_fail(DEW_NO_MEMORY, "no memory to find a body");
    for (int k = 0; result == DEW_OK && k < body; k++) {
        if (last >= 0) size[last] = 0;
        last = -1;
        for (int i = 0; i < count; i++)
            if (size[i] > 0 && (last < 0 || size[i] > size[last])) last = i;
        if (last < 0) break;
    }
    for (int i = 0; result == DEW_OK && i < count; i++) is_in[i] = last >= 0 && number[i] == last;
    arena_destroy(memory);
    return result;
}

void measure_period(const dew_domain_def *d, double period[3])
{
    for (int a = 0; a < 3; a++) period[a] = d->axis[a] == DEW_PERIODIC ? vec3_at(d->max, a) - vec3_at(d->min, a) : 0;
}
