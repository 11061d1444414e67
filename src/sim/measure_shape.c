/* The liquid's shape: its thinnest place, its bodies. */
#include "sim/measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- the neck --- */

enum { SECTORS = 12, MAX_SLICES = 100000 };
#define SLICE 1.5 /* spacings: hardly a patch of surface one sector wide and this high is without a particle */

static void fill_profile(const real4 *points, int count, dew_vec3 centre, double spacing, double bottom, int slices,
                         double *outline, double *radius)
{
    for (int k = 0; k < slices * SECTORS; k++) outline[k] = 0;
    for (int i = 0; i < count; i++) {
        double x = points[i].x - centre.x, y = points[i].y - centre.y;
        int slice = (int)((points[i].z - bottom) / (SLICE * spacing) + 0.5);
        int sector = (int)((atan2(y, x) / (2 * acos(-1.0)) + 0.5) * SECTORS);
        if (slice >= slices) slice = slices - 1;
        if (sector >= SECTORS) sector = SECTORS - 1;
        double *o = &outline[slice * SECTORS + sector];
        *o = fmax(*o, sqrt(x * x + y * y) + 0.5 * spacing);
    }
    for (int k = 0; k < slices; k++) {
        radius[k] = 0;
        for (int j = 0; j < SECTORS; j++) radius[k] += outline[k * SECTORS + j] / SECTORS;
    }
}

/* The slice deepest below both its sides. */
static double deepest(const double *radius, int slices, double spacing, double *highest_after)
{
    highest_after[slices - 1] = 0;
    for (int k = slices - 2; k >= 0; k--) highest_after[k] = fmax(highest_after[k + 1], radius[k + 1]);
    double before = 0, depth = 0.5 * spacing, neck = NAN;
    for (int k = 0; k < slices; k++) {
        double here = fmin(before, highest_after[k]) - radius[k];
        if (here > depth) depth = here, neck = radius[k];
        before = fmax(before, radius[k]);
    }
    return neck;
}

double measure_neck(const real4 *points, int count, dew_vec3 centre, double spacing)
{
    double bottom = INFINITY, top = -INFINITY;
    for (int i = 0; i < count; i++) bottom = fmin(bottom, points[i].z), top = fmax(top, points[i].z);
    if (!((top - bottom) / spacing < MAX_SLICES)) return NAN;
    int slices = (int)((top - bottom) / (SLICE * spacing) + 0.5) + 1;
    double *memory = malloc((size_t)slices * (SECTORS + 2) * sizeof *memory);
    if (!memory) return NAN;
    double *radius = memory + (size_t)slices * SECTORS;
    fill_profile(points, count, centre, spacing, bottom, slices, memory, radius);
    double neck = deepest(radius, slices, spacing, radius + slices);
    free(memory);
    return neck;
}

/* --- bodies --- */

#define LINK 1.6 /* spacings */

/* Particles by cell in a hash table: first[slot] starts a list through next. Cells are LINK spacings wide. */
typedef struct cells {
    uint32_t mask;
    int32_t *first, *next, *parent;
    int32_t (*cell)[3];
} cells;

static uint32_t slot_of(const cells *c, const int32_t cell[3])
{
    uint64_t h = (uint64_t)(uint32_t)cell[0] * 0x9e3779b97f4a7c15u ^ (uint64_t)(uint32_t)cell[1] * 0xc2b2ae3d27d4eb4fu ^
                 (uint64_t)(uint32_t)cell[2] * 0x165667b19e3779f9u;
    return (uint32_t)(h >> 32) & c->mask;
}

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void link_near(cells *c, const real4 *points, int i, double reach)
{
    for (int k = 0; k < 27; k++) {
        int32_t cell[3] = {c->cell[i][0] + k % 3 - 1, c->cell[i][1] + k / 3 % 3 - 1, c->cell[i][2] + k / 9 - 1};
        for (int32_t j = c->first[slot_of(c, cell)]; j >= 0; j = c->next[j]) {
            double dx = points[i].x - points[j].x, dy = points[i].y - points[j].y, dz = points[i].z - points[j].z;
            if (dx * dx + dy * dy + dz * dz >= reach * reach) continue;
            int32_t a = root_of(c->parent, i), b = root_of(c->parent, j);
            if (a != b) c->parent[a > b ? a : b] = a > b ? b : a;
        }
    }
}

int measure_components(const real4 *points, int count, double spacing, int smallest)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)count) slots *= 2;
    size_t n = (size_t)count;
    int32_t *memory = malloc((slots + 5 * n) * sizeof *memory);
    if (!memory) return -1;
    cells c = {(uint32_t)(slots - 1), memory, memory + slots, memory + slots + n, NULL};
    c.cell = (int32_t(*)[3])(memory + slots + 2 * n);
    memset(c.first, 0xff, slots * sizeof *c.first);
    double reach = LINK * spacing;
    for (int i = 0; i < count; i++) {
        const double x[3] = {points[i].x, points[i].y, points[i].z};
        /* Each particle meets those before it: every pair once. */
        for (int a = 0; a < 3; a++) c.cell[i][a] = (int32_t)fmax(-1e9, fmin(1e9, floor(x[a] / reach)));
        c.parent[i] = i;
        link_near(&c, points, i, reach);
        uint32_t slot = slot_of(&c, c.cell[i]);
        c.next[i] = c.first[slot], c.first[slot] = i;
    }
    int32_t *size = c.next; /* the lists are done with */
    memset(size, 0, n * sizeof *size);
    int bodies = 0;
    for (int i = 0; i < count; i++) bodies += ++size[root_of(c.parent, i)] == smallest;
    free(memory);
    return bodies;
}
