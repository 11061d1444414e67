#include "base/parallel.h"
#include "geometry/shape_internal.h"

#include <stdlib.h>
#include <string.h>

/* The size and the moments of a region from its signed distance: cells wholly inside or outside are told by the
 * distance of their centre, in blocks first; the others are cut in PARTS^dimension, each of which is cut by the plane
 * that the distance and its gradient give there. */

enum { BLOCK_CELLS = 8, PARTS = 4 };

/* Integrals over the region: of 1, of places, of their products. */
enum {
    MOMENT_SIZE,
    MOMENT_X,
    MOMENT_Y,
    MOMENT_Z,
    MOMENT_XX,
    MOMENT_YY,
    MOMENT_ZZ,
    MOMENT_YZ,
    MOMENT_ZX,
    MOMENT_XY,
    MOMENTS
};

/* The fraction of a cube of edge 1 (centre at the origin) that lies in n . x < -d; n is a unit vector, in any octant.
 * Inclusion and exclusion of the corners (Scardovelli and Zaleski 2000). In two dimensions n.z is ignored. */
static double cut_fraction(double nx, double ny, double nz, double d)
{
    double n[3] = {fabs(nx), fabs(ny), fabs(nz)}, reach = n[0] + n[1] + n[2];
    double a = reach / 2 - d; /* the plane's offset from the corner that is deepest */
    if (a <= 0) return 0;
    if (a >= reach) return 1;
    /* A component near zero makes the formula 0/0: bounded from below, at an error of its order. */
    double least = 1e-5;
    for (int k = 0; k < 3; k++) n[k] = fmax(n[k], least);
    double scale = (n[0] + n[1] + n[2]) / reach, sum = 0;
    a *= scale;
    for (int corner = 0; corner < 8; corner++) {
        double left = a, sign = 1;
        for (int k = 0; k < 3; k++)
            if (corner >> k & 1) left -= n[k], sign = -sign;
        if (left > 0) sum += sign * left * left * left;
    }
    return fmin(fmax(sum / (6 * n[0] * n[1] * n[2]), 0), 1);
}

typedef struct measuring {
    const shape *s;
    dew_vec3 origin, middle; /* lower corner; where places are counted from */
    double cell;
    int blocks[3];
    int dimension;
} measuring;

/* A piece of the region: so much of a cube (or square) of edge `cell` about `centre`. A cell that the plane cuts counts
 * as a whole one that is lighter, which costs its moments the order that cutting it again makes good. */
static void add_piece(const measuring *m, double size, dew_vec3 centre, double cell, double *sums)
{
    dew_vec3 x = vec3_sub(centre, m->middle);
    double own = cell * cell / 12;
    sums[MOMENT_SIZE] += size;
    sums[MOMENT_X] += size * x.x, sums[MOMENT_Y] += size * x.y, sums[MOMENT_Z] += size * x.z;
    sums[MOMENT_XX] += size * (x.x * x.x + own), sums[MOMENT_YY] += size * (x.y * x.y + own);
    sums[MOMENT_ZZ] += size * (x.z * x.z + (m->dimension == 2 ? 0 : own));
    sums[MOMENT_YZ] += size * x.y * x.z, sums[MOMENT_ZX] += size * x.z * x.x, sums[MOMENT_XY] += size * x.x * x.y;
}

/* A little lattice of cells of edge `cell`, side^dimension of them, measured by what their centres say; those that the
 * surface may cross are cut in PARTS further ones, down to `depth` 0, where planes cut them. */
static void measure_lattice(const measuring *m, dew_vec3 corner, double cell, int side, int depth, double *sums)
{
    point_block p;
    distance_block d;
    int planar = m->dimension == 2, total = side * side * (planar ? 1 : side), count = 0;
    double size = planar ? cell * cell : cell * cell * cell, half_diagonal = cell * sqrt(planar ? 0.5 : 0.75);
    for (int k = 0; k < total; k++) {
        p.x[count] = corner.x + (k % side + 0.5) * cell;
        p.y[count] = corner.y + (k / side % side + 0.5) * cell;
        p.z[count] = planar ? 0 : corner.z + (k / (side * side) + 0.5) * cell;
        if (++count < SHAPE_BLOCK && k + 1 < total) continue;
        shape_distance_block(m->s, 2 * half_diagonal, count, &p, &d);
        for (int i = 0; i < count; i++) {
            if (d.d[i] >= half_diagonal) continue;
            if (d.d[i] <= -half_diagonal) {
                add_piece(m, size, block_at(&p, i), cell, sums);
            } else if (depth == 0) {
                double n2 = planar ? sqrt(d.x[i] * d.x[i] + d.y[i] * d.y[i]) : 1, inverse = n2 > 1e-6 ? 1 / n2 : 0;
                double part =
                    cut_fraction(d.x[i] * inverse, d.y[i] * inverse, planar ? 0 : d.z[i], d.d[i] * inverse / cell);
                add_piece(m, part * size, block_at(&p, i), cell, sums);
            } else {
                dew_vec3 low = {p.x[i] - cell / 2, p.y[i] - cell / 2, p.z[i] - cell / 2};
                measure_lattice(m, low, cell / PARTS, PARTS, depth - 1, sums);
            }
        }
        count = 0;
    }
}

static void measure_blocks(int begin, int end, void *context, double *sums)
{
    const measuring *m = context;
    double edge = m->cell * BLOCK_CELLS, half_diagonal = edge * sqrt(m->dimension == 2 ? 0.5 : 0.75);
    for (int b = begin; b < end; b++) {
        dew_vec3 corner = {m->origin.x + b % m->blocks[0] * edge, m->origin.y + b / m->blocks[0] % m->blocks[1] * edge,
                           m->origin.z + b / m->blocks[0] / m->blocks[1] * edge};
        dew_vec3 centre = {corner.x + edge / 2, corner.y + edge / 2, m->dimension == 2 ? 0 : corner.z + edge / 2};
        point_block p = {{centre.x}, {centre.y}, {centre.z}};
        distance_block d;
        shape_distance_block(m->s, 2 * half_diagonal, 1, &p, &d);
        if (d.d[0] >= half_diagonal) continue;
        if (d.d[0] <= -half_diagonal)
            add_piece(m, m->dimension == 2 ? edge * edge : edge * edge * edge, centre, edge, sums);
        else
            measure_lattice(m, corner, m->cell, BLOCK_CELLS, 1, sums);
    }
}

/* False for a region without an end. */
static bool sum_moments(const shape *s, int dimension, double cell, dew_vec3 *middle, double *sums)
{
    bounds b = shape_bounds(s);
    if (dimension == 2) b.min.z = b.max.z = 0;
    memset(sums, 0, MOMENTS * sizeof *sums);
    if (!bounds_are_finite(b)) return false;
    *middle = bounds_centre(b);
    measuring m = {.s = s, .origin = b.min, .middle = *middle, .dimension = dimension};
    dew_vec3 size = vec3_sub(b.max, b.min);
    double longest = fmax(size.x, fmax(size.y, size.z)), total = 1;
    if (fmin(size.x, fmin(size.y, size.z)) < 0) return true;
    m.cell = fmax(cell, longest / 2000); /* very fine cells add time, no accuracy that matters */
    for (int k = 0; k < 3; k++) {
        m.blocks[k] = (int)fmax(1, ceil(vec3_at(size, k) / (m.cell * BLOCK_CELLS) - 1e-9));
        total *= m.blocks[k];
        /* About the middle, so that what is symmetric stays so. */
        (&m.origin.x)[k] -= (m.blocks[k] * m.cell * BLOCK_CELLS - vec3_at(size, k)) / 2;
    }
    parallel_sum((int)total, MOMENTS, measure_blocks, &m, sums);
    return true;
}

double shape_measure(const shape *s, int dimension, double cell)
{
    double sums[MOMENTS];
    dew_vec3 middle;
    return sum_moments(s, dimension, cell, &middle, sums) ? sums[MOMENT_SIZE] : INFINITY;
}

double shape_volume(const shape *s, double cell) { return shape_measure(s, 3, cell); }

/* --- moments --- */

/* The same integrals of what triangles that face outwards enclose: each spans with the middle a tetrahedron, of which
 * they are known (its volume times sums over its corners). Exact. */
static void sum_triangles(const triangle_mesh *mesh, dew_vec3 middle, double *sums)
{
    memset(sums, 0, MOMENTS * sizeof *sums);
    for (int t = 0; t < mesh->triangle_count; t++) {
        dew_vec3 x[3], all = {0, 0, 0};
        double product[6] = {0};
        for (int k = 0; k < 3; k++) {
            x[k] = vec3_sub(vec3_of_floats(mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k]), middle);
            all = vec3_add(all, x[k]);
        }
        double volume = vec3_dot(x[0], vec3_cross(x[1], x[2])) / 6;
        for (int k = 0; k < 4; k++) { /* the corners, and their sum */
            dew_vec3 a = k < 3 ? x[k] : all;
            product[0] += a.x * a.x, product[1] += a.y * a.y, product[2] += a.z * a.z;
            product[3] += a.y * a.z, product[4] += a.z * a.x, product[5] += a.x * a.y;
        }
        sums[MOMENT_SIZE] += volume;
        sums[MOMENT_X] += volume / 4 * all.x, sums[MOMENT_Y] += volume / 4 * all.y;
        sums[MOMENT_Z] += volume / 4 * all.z;
        for (int k = 0; k < 6; k++) sums[MOMENT_XX + k] += volume / 20 * product[k];
    }
}

static shape_moments moments_of(const double *sums, dew_vec3 middle)
{
    double size = sums[MOMENT_SIZE];
    if (!(size > 0)) return (shape_moments){.size = 0, .centre = middle};
    dew_vec3 c = {sums[MOMENT_X] / size, sums[MOMENT_Y] / size, sums[MOMENT_Z] / size};
    double xx = sums[MOMENT_XX] - size * c.x * c.x, yy = sums[MOMENT_YY] - size * c.y * c.y,
           zz = sums[MOMENT_ZZ] - size * c.z * c.z, yz = sums[MOMENT_YZ] - size * c.y * c.z,
           zx = sums[MOMENT_ZX] - size * c.z * c.x, xy = sums[MOMENT_XY] - size * c.x * c.y;
    return (shape_moments){.size = size,
                           .centre = vec3_add(middle, c),
                           .inertia = {{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}}};
}

dew_result shape_find_moments(const shape *s, int dimension, double cell, shape_moments *moments)
{
    double sums[MOMENTS];
    dew_vec3 middle;
    if (!bounds_are_finite(shape_bounds(s)) && dimension == 3)
        return result_fail(DEW_INVALID, "%s: it has no end, and so no volume; intersect it with a box", s->kind->name);
    if (s->kind == &shape_mesh && dimension == 3) {
        triangle_mesh mesh;
        RESULT_TRY(shape_triangulate(s, cell, s->limits, &mesh));
        middle = bounds_centre(s->limits);
        sum_triangles(&mesh, middle, sums);
        triangle_mesh_free(&mesh);
    } else if (!sum_moments(s, dimension, cell, &middle, sums)) {
        return result_fail(DEW_INVALID, "%s: it has no end, and so no volume; intersect it with a box", s->kind->name);
    }
    *moments = moments_of(sums, middle);
    return DEW_OK;
}
