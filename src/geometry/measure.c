#include "base/parallel.h"
#include "geometry/shape_internal.h"

#include <stdlib.h>

/* The size of a region from its signed distance: cells wholly inside or outside are told by the distance of their
 * centre, in blocks first; the others are cut in PARTS^dimension, each of which is cut by the plane that the distance
 * and its gradient give there. */

enum { BLOCK_CELLS = 8, PARTS = 4 };

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
    dew_vec3 origin; /* lower corner */
    double cell;
    int blocks[3];
    int dimension;
} measuring;

/* A little lattice of cells of edge `cell`, side^dimension of them, measured by what their centres say; those that the
 * surface may cross are cut in PARTS further ones, down to `depth` 0, where planes cut them. */
static double measure_lattice(const measuring *m, dew_vec3 corner, double cell, int side, int depth)
{
    point_block p;
    distance_block d;
    int planar = m->dimension == 2, total = side * side * (planar ? 1 : side), count = 0;
    double size = planar ? cell * cell : cell * cell * cell, half_diagonal = cell * sqrt(planar ? 0.5 : 0.75), sum = 0;
    for (int k = 0; k < total; k++) {
        p.x[count] = corner.x + (k % side + 0.5) * cell;
        p.y[count] = corner.y + (k / side % side + 0.5) * cell;
        p.z[count] = planar ? 0 : corner.z + (k / (side * side) + 0.5) * cell;
        if (++count < SHAPE_BLOCK && k + 1 < total) continue;
        shape_distance_block(m->s, 2 * half_diagonal, count, &p, &d);
        for (int i = 0; i < count; i++) {
            if (d.d[i] >= half_diagonal) continue;
            if (d.d[i] <= -half_diagonal) {
                sum += size;
            } else if (depth == 0) {
                double n2 = planar ? sqrt(d.x[i] * d.x[i] + d.y[i] * d.y[i]) : 1, inverse = n2 > 1e-6 ? 1 / n2 : 0;
                sum += size *
                       cut_fraction(d.x[i] * inverse, d.y[i] * inverse, planar ? 0 : d.z[i], d.d[i] * inverse / cell);
            } else {
                dew_vec3 low = {p.x[i] - cell / 2, p.y[i] - cell / 2, p.z[i] - cell / 2};
                sum += measure_lattice(m, low, cell / PARTS, PARTS, depth - 1);
            }
        }
        count = 0;
    }
    return sum;
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
            sums[0] += m->dimension == 2 ? edge * edge : edge * edge * edge;
        else
            sums[0] += measure_lattice(m, corner, m->cell, BLOCK_CELLS, 1);
    }
}

double shape_measure(const shape *s, int dimension, double cell)
{
    bounds b = shape_bounds(s);
    if (dimension == 2) b.min.z = b.max.z = 0;
    if (!bounds_are_finite(b)) return INFINITY;
    measuring m = {.s = s, .origin = b.min, .dimension = dimension};
    dew_vec3 size = vec3_sub(b.max, b.min);
    double longest = fmax(size.x, fmax(size.y, size.z)), total = 1;
    if (fmin(size.x, fmin(size.y, size.z)) < 0) return 0;
    m.cell = fmax(cell, longest / 2000); /* very fine cells add time, no accuracy that matters */
    for (int k = 0; k < 3; k++) {
        m.blocks[k] = (int)fmax(1, ceil(vec3_at(size, k) / (m.cell * BLOCK_CELLS) - 1e-9));
        total *= m.blocks[k];
    }
    double sum;
    parallel_sum((int)total, 1, measure_blocks, &m, &sum);
    return sum;
}

double shape_volume(const shape *s, double cell) { return shape_measure(s, 3, cell); }
