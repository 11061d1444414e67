#include "geometry/fill.h"
#include "base/arena.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* Lattices cut by a shape. A lattice is centred on the shape's bounds, so that symmetric shapes get symmetric fillings
 * and boxes of whole multiples of the spacing come out full. */

double fill_random(uint64_t counter)
{
    uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x243f6a8885a308d3u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Sites of a turned lattice that are looked at, at most: those of a long thin shape, most of which lie outside, are
 * shifted only. */
#define MOST_TURNED 1e9

/* Number density 1/spacing^dimension for each: rows along x, layers of rows along y, layers along z. Hexagonal: in
 * three dimensions close packing (abc), in two the triangular lattice. */
typedef struct lattice {
    dew_vec3 step;           /* between sites of a row, rows, layers */
    double row_shift;        /* along x, every second row */
    double layer_x, layer_y; /* shift of layers 1 and 2 of three */
    dew_vec3 origin;
    int count[3];
    bool is_turned;
    dew_vec3 turn[3], centre; /* rows of a rotation about the centre */
} lattice;

/* By any rotation as likely as by any other: a unit quaternion from three numbers (Shoemake 1992). In two dimensions
 * about z. */
static void turn_lattice(lattice *l, const double *random, int dimension)
{
    double a = sqrt(1 - random[0]), b = sqrt(random[0]), angle = 2 * PI * random[1], other = 2 * PI * random[2];
    double x = a * sin(angle), y = a * cos(angle), z = b * sin(other), w = b * cos(other);
    if (dimension == 2) x = y = 0, z = sin(angle / 2), w = cos(angle / 2);
    l->turn[0] = (dew_vec3){1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)};
    l->turn[1] = (dew_vec3){2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)};
    l->turn[2] = (dew_vec3){2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)};
    l->is_turned = true;
}

/* The number of steps along each axis of the lattice, so that it covers the bounds however it is turned. */
static void count_sites(lattice *l, dew_vec3 size, int extra, int dimension)
{
    for (int k = 0; k < 3; k++) {
        double length = vec3_at(size, k);
        if (l->is_turned) {
            length = 0;
            for (int j = 0; j < dimension; j++) length += fabs(vec3_at(l->turn[j], k)) * vec3_at(size, j);
        }
        l->count[k] = (int)floor(length / vec3_at(l->step, k) + 0.5 + 1e-6) + extra;
        if (l->count[k] < 1) l->count[k] = 1;
    }
    if (dimension == 2) l->count[2] = 1;
}

static lattice lattice_make(dew_fill fill, int filling, int dimension, double spacing, bounds b)
{
    enum { TURN = 3, NUMBERS = 6 }; /* a turn, then a shift */
    lattice l = {.step = {spacing, spacing, spacing}};
    if (fill != DEW_FILL_CUBIC) {
        double a = spacing * (dimension == 2 ? sqrt(2 / sqrt(3.0)) : cbrt(sqrt(2.0)));
        l.step = (dew_vec3){a, a * sqrt(0.75), a * sqrt(2.0 / 3)};
        l.row_shift = a / 2;
        l.layer_x = a / 2, l.layer_y = a * sqrt(1.0 / 12);
    }
    double random[NUMBERS] = {0};
    for (int k = 0; k < NUMBERS && filling != 0; k++)
        random[k] = fill_random(NUMBERS * (uint64_t)filling + (uint64_t)k + 0x200000000);
    dew_vec3 size = vec3_sub(b.max, b.min);
    /* One beyond on each side where shifted rows need it, and where all is shifted. */
    int extra = (fill == DEW_FILL_CUBIC ? 0 : 2) + (filling ? 2 : 0);
    if (filling != 0) {
        turn_lattice(&l, random, dimension);
        count_sites(&l, size, extra, dimension);
        l.is_turned = (double)l.count[0] * l.count[1] * l.count[2] < MOST_TURNED;
    }
    count_sites(&l, size, extra, dimension);
    for (int k = 0; k < 3; k++) {
        double step = vec3_at(l.step, k), middle = vec3_at(b.min, k) + vec3_at(size, k) / 2;
        (&l.centre.x)[k] = middle;
        (&l.origin.x)[k] = middle - (l.count[k] - 1) * step / 2;
        if (filling != 0) (&l.origin.x)[k] += (random[TURN + k] - 0.5) * step;
    }
    if (dimension == 2) l.origin.z = l.centre.z = 0;
    return l;
}

static dew_vec3 lattice_site(const lattice *l, int64_t site)
{
    int ix = (int)(site % l->count[0]), iy = (int)(site / l->count[0] % l->count[1]),
        iz = (int)(site / l->count[0] / l->count[1]), layer = iz % 3;
    double x = ix * l->step.x + (iy % 2 ? 0.5 : -0.5) * l->row_shift + (layer - (l->count[2] > 1)) * l->layer_x;
    double y = iy * l->step.y + (layer - (l->count[2] > 1)) * l->layer_y;
    dew_vec3 at = {l->origin.x + x, l->origin.y + y, l->origin.z + iz * l->step.z};
    if (!l->is_turned) return at;
    dew_vec3 d = vec3_sub(at, l->centre);
    return vec3_add(l->centre, (dew_vec3){vec3_dot(l->turn[0], d), vec3_dot(l->turn[1], d), vec3_dot(l->turn[2], d)});
}

/* Sites are looked at in pieces; each piece counts its own first, then writes them at its place. */
enum { PIECE = 1 << 14 };

typedef struct sieve {
    const lattice *l;
    const fill_region *region;
    double spacing, limit, avoid_limit;
    int64_t sites;
    int *kept;        /* of each piece; then where it begins */
    real4 *positions; /* NULL while counting */
} sieve;

/* In spacings: what is thinner is no room. */
#define SEAM 0.05

/* Where the region's shape and what is avoided end at one face, as two liquids at a wall do, no room is left between
 * them, but both distances are 0. */
static bool is_seam(const distance_block *own, const distance_block *other, int i, double spacing)
{
    double facing = own->x[i] * other->x[i] + own->y[i] * other->y[i] + own->z[i] * other->z[i];
    return facing > 0.5 && other->d[i] - own->d[i] < SEAM * spacing;
}

static void sieve_pieces(int begin, int end, void *context)
{
    sieve *v = context;
    double band = 2 * v->spacing;
    for (int piece = begin; piece < end; piece++) {
        int64_t first = (int64_t)piece * PIECE, last = first + PIECE < v->sites ? first + PIECE : v->sites;
        int kept = v->positions ? v->kept[piece] : 0;
        for (int64_t at = first; at < last; at += SHAPE_BLOCK) {
            int n = last - at < SHAPE_BLOCK ? (int)(last - at) : SHAPE_BLOCK;
            point_block p;
            distance_block d, other;
            for (int i = 0; i < n; i++) {
                block_set(&p, i, lattice_site(v->l, at + i));
                other.d[i] = INFINITY;
            }
            shape_distance_block(v->region->inside, band, n, &p, &d);
            if (v->region->avoid) shape_distance_block(v->region->avoid, band, n, &p, &other);
            for (int i = 0; i < n; i++) {
                if (!(d.d[i] < v->limit && other.d[i] >= v->avoid_limit)) continue;
                if (v->region->avoid && is_seam(&d, &other, i, v->spacing)) continue;
                if (v->positions)
                    v->positions[kept] =
                        (real4){(real)p.x[i], (real)p.y[i], (real)p.z[i], (real)fmax(d.d[i], -other.d[i])};
                kept++;
            }
        }
        if (!v->positions) v->kept[piece] = kept;
    }
}

dew_result fill_lattice(const fill_region *region, dew_fill fill, int dimension, double spacing, double limit,
                        double avoid_limit, real4 **positions, int *count)
{
    bounds b = shape_bounds(region->inside);
    lattice l = lattice_make(fill, region->filling, dimension, spacing, b);
    sieve v = {.l = &l, .region = region, .spacing = spacing, .limit = limit, .avoid_limit = avoid_limit};
    v.sites = (int64_t)l.count[0] * l.count[1] * l.count[2];
    int pieces = (int)((v.sites + PIECE - 1) / PIECE);
    v.kept = calloc((size_t)pieces + 1, sizeof *v.kept);
    if (!v.kept) return result_fail(DEW_NO_MEMORY, "no memory to fill a shape with %lld sites", (long long)v.sites);
    parallel_for(pieces, 1, sieve_pieces, &v);
    *count = parallel_prefix_sum(pieces + 1, v.kept);
    *positions = v.positions = aligned_obtain((size_t)(*count + 8) * sizeof(real4));
    if (v.positions) parallel_for(pieces, 1, sieve_pieces, &v);
    free(v.kept);
    if (!v.positions) return result_fail(DEW_NO_MEMORY, "no memory for %d particles", *count);
    return DEW_OK;
}

static dew_result check_region(const shape *s, int dimension, double spacing)
{
    RESULT_TRY(shape_check_positive("the spacing", spacing));
    bounds b = shape_bounds(s);
    if (dimension == 2 && isfinite(b.min.x + b.max.x + b.min.y + b.max.y)) {
        if (b.min.z <= 0 && b.max.z >= 0) return DEW_OK;
        return result_fail(DEW_INVALID,
                           "it lies between z = %g and %g m; in two dimensions a liquid's shape must cross the "
                           "plane z = 0",
                           b.min.z, b.max.z);
    }
    if (!bounds_are_finite(b))
        return result_fail(DEW_INVALID, "it has no end and cannot be filled; intersect it with a box");
    double sites = (b.max.x - b.min.x) * (b.max.y - b.min.y) * (b.max.z - b.min.z) / (spacing * spacing * spacing);
    if (sites > 4e9)
        return result_fail(DEW_INVALID,
                           "at a spacing of %g m its bounds hold %.3g particles, more than can be counted; make the "
                           "spacing larger",
                           spacing, sites);
    return DEW_OK;
}

static dew_result fill_region_of(const shape *s, dew_fill fill, int filling, int dimension, double spacing,
                                 const shape *avoid, real4 **positions, int *count)
{
    *positions = NULL, *count = 0;
    RESULT_TRY(check_region(s, dimension, spacing));
    shape *whole;
    const shape *const parts[2] = {s, avoid};
    RESULT_TRY(shape_join(&whole, DEW_SHAPE_DIFFERENCE, parts, avoid ? 2 : 1));
    fill_region region = {s, avoid, whole, filling};
    dew_result result = fill == DEW_FILL_RELAXED
                            ? fill_relaxed(&region, dimension, spacing, positions, count)
                            : fill_lattice(&region, fill, dimension, spacing, 0, spacing / 2, positions, count);
    shape_destroy(whole);
    RESULT_TRY(result);
    for (int i = 0; i < *count; i++) (*positions)[i].w = 0;
    if (*count > 0) return DEW_OK;
    aligned_release(*positions);
    *positions = NULL;
    return result_fail(DEW_INVALID,
                       "it holds no particle at a spacing of %g m; make it larger or the spacing smaller%s", spacing,
                       avoid ? ", and see that it does not lie within a solid or a liquid" : "");
}

dew_result shape_fill(const shape *s, dew_fill fill, int filling, int dimension, double spacing, const shape *avoid,
                      real4 **positions, int *count)
{
    dew_result result = fill_region_of(s, fill, filling, dimension, spacing, avoid, positions, count);
    return result == DEW_OK ? DEW_OK : result_under(result, "%s", s->kind->name);
}
