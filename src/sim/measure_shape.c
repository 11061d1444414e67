/* The liquid's shape: its thinnest place, its bodies. */
#include "particles/point_grid.h"
#include "sim/measure.h"

#include <stdlib.h>
#include <string.h>

/* --- the neck --- */

enum { SECTORS = 12, MAX_SLICES = 1000000 };

/* Against the axis: x and y across, z along. */
static dew_vec3 about_axis(real4 point, dew_vec3 centre, int dimension)
{
    dew_vec3 d = vec3_sub((dew_vec3){point.x, point.y, point.z}, centre);
    return dimension == 2 ? (dew_vec3){d.x, 0, d.y} : d;
}

static int sector_of(dew_vec3 d, int dimension)
{
    if (dimension == 2) return d.x > 0;
    int sector = (int)((atan2(d.y, d.x) / (2 * acos(-1.0)) + 0.5) * SECTORS);
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
    return neck;
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

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins particle i to those near `x`, its own place or an image of it. */
static void link_near(const point_grid *g, const real4 *points, int i, dew_vec3 x, double reach, int32_t *parent)
{
    point_cell middle = point_grid_cell(g, x.x, x.y, x.z);
    for (int k = 0; k < 27; k++) {
        point_cell c = {{middle.at[0] + k % 3 - 1, middle.at[1] + k / 3 % 3 - 1, middle.at[2] + k / 9 - 1}};
        POINTS_IN_CELL(g, c, e)
        {
            int32_t j = g->index[e];
            dew_vec3 d = vec3_sub((dew_vec3){points[j].x, points[j].y, points[j].z}, x);
            if (!(vec3_dot(d, d) < reach * reach)) continue;
            int32_t a = root_of(parent, i), b = root_of(parent, j);
            if (a != b) parent[a > b ? a : b] = a > b ? b : a;
        }
    }
}

static void link_all(const point_grid *g, const real4 *points, double reach, const double period[3], int32_t *parent)
{
    for (int i = 0; i < g->count; i++) {
        dew_vec3 x = {points[i].x, points[i].y, points[i].z};
        /* Where the domain is periodic, images too. */
        for (int k = 0; k < 27; k++) {
            const int turn[3] = {k % 3, k / 3 % 3, k / 9};
            dew_vec3 image = x;
            bool is_there = true;
            for (int a = 0; a < 3; a++) is_there = is_there && (turn[a] == 0 || period[a] > 0);
            if (!is_there) continue;
            image.x += (turn[0] == 2 ? -1 : turn[0]) * period[0];
            image.y += (turn[1] == 2 ? -1 : turn[1]) * period[1];
            image.z += (turn[2] == 2 ? -1 : turn[2]) * period[2];
            link_near(g, points, i, image, reach, parent);
        }
    }
}

static int descending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

int measure_bodies(const real4 *points, int count, double spacing, const double period[3], int smallest, int most,
                   int *sizes)
{
    size_t n = (size_t)count + 1;
    point_grid g;
    int32_t *parent = malloc(2 * n * sizeof *parent), *size = parent + n;
    if (!parent || !point_grid_create(&g, points, count, LINK * spacing)) {
        free(parent);
        return -1;
    }
    for (int i = 0; i < count; i++) parent[i] = i, size[i] = 0;
    link_all(&g, points, LINK * spacing, period, parent);
    for (int i = 0; i < count; i++) size[root_of(parent, i)]++;
    int bodies = 0;
    for (int i = 0; i < count; i++)
        if (size[i] >= smallest) size[bodies++] = size[i];
    qsort(size, (size_t)bodies, sizeof *size, descending);
    for (int k = 0; k < most; k++) sizes[k] = k < bodies ? size[k] : 0;
    point_grid_destroy(&g);
    free(parent);
    return bodies;
}
