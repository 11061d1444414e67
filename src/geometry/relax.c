#include "base/arena.h"
#include "base/parallel.h"
#include "geometry/fill.h"
#include "particles/kernels.h"
#include "particles/pairs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Relaxed filling: as many sites as the region's size asks for, the deepest ones of a close-packed lattice, which then
 * repel each other until they are even. A pair at distance r < reach pushes with (1 - r/reach)^2; the region's surface
 * pushes like a half space full of sites, so that the outermost layer comes to rest about half a spacing inside.
 * Momentum lets a surplus travel from the surface inwards in as many turns as there are layers, where plain descent
 * would need their square.
 *
 * Of a lattice a narrow part of the region gets more or less than its share, a column 7.4 rows wide 7, and what it
 * lacks comes from other parts through the whole region. So a filling that is not even after the first round goes on,
 * with more momentum, as long as rounds make it evener: by the mean over cells of sum (1 - r/reach)^2 over the sites
 * around, those of the half space beyond the surface included. */

enum { ROUND = 45, MOST_ROUNDS = 10, SETTLING = 15, WALL_TABLE = 128 };

static const double reach_of_spacing = 1.8, skin_of_spacing = 0.3, stiffness = 0.3, jitter = 0.1;
/* Of the first round, and of those that follow. */
static const double inertia = 0.85, far_inertia = 0.95;
/* Rms over cells: after the first round balls, boxes, caps and figures have 0.001 to 0.0115, a column between two pools
 * 0.025 (in two dimensions 0.04), with 4 to 7 % more in the pools, and its uppermost layer parts under suction. Of the
 * last round, what is worth another. */
static const double even = 0.012, better = 0.97;
/* Edge of the cells. */
static const double cell_of_spacing = 6;

typedef struct relaxation {
    const fill_region *region;
    particles *p;
    arena *memory;
    pair_lists lists;
    int dimension;
    double spacing, reach, inertia;
    double wall[WALL_TABLE + 2]; /* push of the half space at depth k reach/WALL_TABLE */
    double full[WALL_TABLE + 2]; /* sum (1 - r/reach)^2 of its sites */
    real4 *push;                 /* w: sum (1 - r/reach)^2 of all sites, at a round's end as add_walls has it */
    double unevenness;           /* after a round */
    double *sums;                /* of cells */
    int *counts;
} relaxation;

/* The push at depth t of sites spread evenly over the half space (half plane) beyond the surface, and how many they
 * are: of each sphere (circle) the part that is beyond, as seen along the normal, and all of it. */
static void make_wall_tables(relaxation *r)
{
    bool is_flat = r->dimension == 2;
    double number = pow(r->reach / r->spacing, r->dimension);
    enum { PARTS = 400 };
    for (int k = 0; k <= WALL_TABLE + 1; k++) {
        double t = fmin((double)k / WALL_TABLE, 1), push = 0, full = 0;
        for (int m = 0; m < PARTS; m++) {
            double x = t + (m + 0.5) * (1 - t) / PARTS, f = (1 - x) * (1 - x);
            push += f * (is_flat ? 2 * sqrt(x * x - t * t) : PI * (x * x - t * t));
            full += f * (is_flat ? 2 * x * acos(t / x) : 2 * PI * x * (x - t));
        }
        r->wall[k] = push * (1 - t) / PARTS * number;
        r->full[k] = full * (1 - t) / PARTS * number;
    }
}

/* --- choice of the sites --- */

static int compare_reals(const void *a, const void *b)
{
    real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

/* Keeps the `wanted` deepest. Depths are blurred a little, so that of a layer that must be thinned sites go at random,
 * not all from one side. */
static dew_result keep_deepest(real4 *site, int *count, int wanted, double spacing)
{
    if (*count <= wanted) return DEW_OK;
    real *depth = malloc((size_t)*count * sizeof *depth);
    if (!depth) return result_fail(DEW_NO_MEMORY, "no memory for %d particles", *count);
    for (int i = 0; i < *count; i++) depth[i] = site[i].w += (real)(0.2 * spacing * (fill_random((uint64_t)i) - 0.5));
    qsort(depth, (size_t)*count, sizeof *depth, compare_reals);
    real limit = depth[wanted];
    free(depth);
    int kept = 0;
    for (int i = 0; i < *count && kept < wanted; i++)
        if (site[i].w < limit) site[kept++] = site[i];
    *count = kept;
    return DEW_OK;
}

/* What fits in the machine's memory at BYTES_A_PARTICLE (`dew bench memory`, and room for files and pictures). */
static double most_particles(void)
{
    enum { BYTES_A_PARTICLE = 450 };
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return fmin(memory > 0 ? memory / BYTES_A_PARTICLE : 1e9, 1e9);
}

static dew_result choose_sites(const fill_region *region, int dimension, double spacing, real4 **site, int *count)
{
    double wanted = shape_measure(region->whole, dimension, spacing) / pow(spacing, dimension);
    double room = most_particles();
    if (!(wanted < room))
        return result_fail(DEW_INVALID,
                           "at a spacing of %g m it holds %.3g particles, and this machine has memory for %.3g; "
                           "a spacing of %.2g m would fit",
                           spacing, wanted, room, spacing * pow(wanted / room, 1.0 / dimension) * 1.05);
    RESULT_TRY(fill_lattice(region, DEW_FILL_HEXAGONAL, dimension, spacing, spacing / 2, -spacing / 2, site, count));
    int number = (int)floor(wanted + 0.5);
    return keep_deepest(*site, count, number, spacing);
}

/* --- turns --- */

static void push_pairs(int begin, int end, void *context)
{
    relaxation *r = context;
    const real4 *position = r->p->position;
    vreal inverse = vset((real)(1 / r->reach)), zero = vset(0), least = vset((real)(1e-8 * r->spacing * r->spacing));
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(position, block);
        vreal x = zero, y = zero, z = zero, crowd = zero;
        PAIRS(r->lists, block, j)
        {
            vreal4 b = pair_j(position, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal r2 = dx * dx + dy * dy + dz * dz, one_by_r = vrsqrt(vmax(r2, least));
            vreal w = vmax(1 - r2 * one_by_r * inverse, zero), f = w * w * one_by_r;
            x += f * dx, y += f * dy, z += f * dz, crowd += w * w;
        }
        pair_store4(r->push, block, x, y, z, crowd);
    }
}

static double of_wall(const relaxation *r, const double *table, double depth)
{
    double at = fmax(depth, 0) / r->reach * WALL_TABLE;
    if (at >= WALL_TABLE) return 0;
    int k = (int)at;
    return table[k] + (at - k) * (table[k + 1] - table[k]);
}

static void find_distances(const relaxation *r, int first, int n, distance_block *d)
{
    point_block x;
    for (int i = 0; i < n; i++) {
        const real4 *from = &r->p->position[first + i];
        x.x[i] = from->x, x.y[i] = from->y, x.z[i] = from->z;
    }
    shape_distance_block(r->region->whole, 2 * r->spacing, n, &x, d);
}

/* Velocity (a displacement a turn) and place of every site. Inertia of the last turns is nil: they settle. */
static void move_sites(int begin, int end, void *context)
{
    relaxation *r = context;
    particles *p = r->p;
    double s = r->spacing, most = 0.2 * s, rim = 0.4 * s;
    for (int first = begin; first < end; first += SHAPE_BLOCK) {
        int n = end - first < SHAPE_BLOCK ? end - first : SHAPE_BLOCK;
        distance_block d;
        find_distances(r, first, n, &d);
        for (int i = 0; i < n; i++) {
            real4 *v = &p->velocity[first + i], *to = &p->position[first + i];
            const real4 *push = &r->push[first + i];
            double depth = -d.d[i], gz = r->dimension == 2 ? 0 : d.z[i];
            double wall = -of_wall(r, r->wall, depth), k = stiffness * s;
            double vx = r->inertia * v->x + k * (push->x + wall * d.x[i]),
                   vy = r->inertia * v->y + k * (push->y + wall * d.y[i]),
                   vz = r->inertia * v->z + k * (push->z + wall * gz);
            double speed = sqrt(vx * vx + vy * vy + vz * vz), limit = speed > most ? most / speed : 1;
            vx *= limit, vy *= limit, vz *= limit;
            /* Back from beyond the rim; by halves, so that sites of a thin film gather in its middle. */
            double beyond = rim - (depth - (vx * d.x[i] + vy * d.y[i] + vz * gz));
            if (beyond > 0) {
                beyond = fmin(beyond / 2, s / 4);
                vx -= beyond * d.x[i], vy -= beyond * d.y[i], vz -= beyond * gz;
            }
            *v = (real4){(real)vx, (real)vy, (real)vz, 0};
            to->x += (real)vx, to->y += (real)vy, to->z += (real)vz;
        }
    }
}

/* A site that a narrow place has pushed out comes back. */
static void bring_inside(int begin, int end, void *context)
{
    relaxation *r = context;
    for (int i = begin; i < end; i++) {
        real4 *x = &r->p->position[i];
        for (int turn = 0; turn < 8; turn++) {
            point_block p = {{x->x}, {x->y}, {x->z}};
            distance_block d;
            shape_distance_block(r->region->whole, 2 * r->spacing, 1, &p, &d);
            double out = d.d[0] + 0.02 * r->spacing;
            if (!(d.d[0] >= 0)) break;
            x->x -= (real)(out * d.x[0]), x->y -= (real)(out * d.y[0]);
            if (r->dimension == 3) x->z -= (real)(out * d.z[0]);
        }
    }
}

/* --- rounds --- */

/* push.w: the half space's part besides, less the site itself; 0 for those less than a spacing deep, where edges of the
 * region tell on it. */
static void add_walls(int begin, int end, void *context)
{
    relaxation *r = context;
    for (int first = begin; first < end; first += SHAPE_BLOCK) {
        int n = end - first < SHAPE_BLOCK ? end - first : SHAPE_BLOCK;
        distance_block d;
        find_distances(r, first, n, &d);
        for (int i = 0; i < n; i++) {
            real all = r->push[first + i].w + (real)of_wall(r, r->full, -d.d[i]) - 1;
            r->push[first + i].w = -d.d[i] < r->spacing ? 0 : all;
        }
    }
}

/* Of the sites' bounds: at most as many cells as there are sites. */
typedef struct cells {
    real3 origin;
    double edge;
    int count[3];
} cells;

static cells cells_of(const relaxation *r)
{
    const particles *p = r->p;
    real3 least = real3_of(p->position[0]), most = least;
    for (int i = 1; i < p->count; i++) {
        real4 x = p->position[i];
        least = (real3){real_min(least.x, x.x), real_min(least.y, x.y), real_min(least.z, x.z)};
        most = (real3){real_max(most.x, x.x), real_max(most.y, x.y), real_max(most.z, x.z)};
    }
    cells c = {.origin = least, .edge = cell_of_spacing * r->spacing};
    double size[3] = {(double)(most.x - least.x), (double)(most.y - least.y), (double)(most.z - least.z)}, all;
    do {
        all = 1;
        for (int a = 0; a < 3; a++) all *= c.count[a] = (int)fmin(size[a] / c.edge, 1e6) + 1;
        c.edge *= 2;
    } while (all > p->count);
    c.edge /= 2;
    return c;
}

/* Rms over the sites of their cell's mean over the mean of all, less 1. */
static double find_unevenness(relaxation *r)
{
    const particles *p = r->p;
    cells c = cells_of(r);
    int all = c.count[0] * c.count[1] * c.count[2], counted = 0;
    double sum = 0, square = 0;
    for (int k = 0; k < all; k++) r->sums[k] = 0, r->counts[k] = 0;
    parallel_for(p->count, 4 * SHAPE_BLOCK, add_walls, r);
    for (int i = 0; i < p->count; i++) {
        real3 x = real3_sub(real3_of(p->position[i]), c.origin);
        int at[3] = {(int)((double)x.x / c.edge), (int)((double)x.y / c.edge), (int)((double)x.z / c.edge)};
        int k = at[0] + c.count[0] * (at[1] + c.count[1] * at[2]);
        double crowd = (double)r->push[i].w;
        if (crowd > 0) r->sums[k] += crowd, r->counts[k]++, sum += crowd, counted++;
    }
    for (int k = 0; k < all; k++)
        if (r->counts[k]) square += r->counts[k] * pow(r->sums[k] / r->counts[k] * counted / sum - 1, 2);
    return counted ? sqrt(square / counted) : 0;
}

static dew_result turn(relaxation *r, neighbours *n, int turns, double momentum)
{
    particles *p = r->p;
    r->inertia = momentum;
    for (int k = 0; k < turns; k++) {
        if (!r->lists.count || neighbours_is_stale(n, p)) RESULT_TRY(neighbours_build(n, p, NULL));
        r->lists = neighbours_lists(n);
        parallel_for(PAIR_BLOCKS(p->count), 256, push_pairs, r);
        if (k == turns - 1 && momentum > 0) r->unevenness = find_unevenness(r);
        parallel_for(p->count, 4 * SHAPE_BLOCK, move_sites, r);
    }
    return DEW_OK;
}

static dew_result relax(relaxation *r, neighbours *n)
{
    RESULT_TRY(turn(r, n, ROUND, inertia));
    double last = INFINITY;
    for (int k = 1; k < MOST_ROUNDS && r->unevenness > even && r->unevenness < better * last; k++) {
        last = r->unevenness;
        RESULT_TRY(turn(r, n, ROUND, far_inertia));
    }
    RESULT_TRY(turn(r, n, SETTLING, 0));
    parallel_for(r->p->count, 1024, bring_inside, r);
    return DEW_OK;
}

static dew_result relax_sites(relaxation *r, real4 *site, int count)
{
    neighbours *n = NULL;
    ARENA_TRY(r->memory, count, r->push, r->sums, r->counts);
    make_wall_tables(r);
    for (int i = 0; i < count; i++) {
        double size = jitter * r->spacing;
        site[i].x += (real)(size * (fill_random(3 * (uint64_t)i + 0x100000000) - 0.5));
        site[i].y += (real)(size * (fill_random(3 * (uint64_t)i + 0x100000001) - 0.5));
        if (r->dimension == 3) site[i].z += (real)(size * (fill_random(3 * (uint64_t)i + 0x100000002) - 0.5));
    }
    dew_result result = particles_insert(r->p, count, site, NULL, 0);
    if (result == DEW_OK) result = neighbours_create(&n, r->reach, skin_of_spacing * r->spacing);
    if (result == DEW_OK) result = relax(r, n);
    if (result == DEW_OK) memcpy(site, r->p->position, (size_t)count * sizeof *site);
    neighbours_destroy(n);
    return result;
}

dew_result fill_relaxed(const fill_region *region, int dimension, double spacing, real4 **positions, int *count)
{
    *positions = NULL;
    particles store = {0};
    relaxation r = {.region = region,
                    .p = &store,
                    .memory = arena_create(),
                    .dimension = dimension,
                    .spacing = spacing,
                    .reach = reach_of_spacing * spacing};
    dew_result result =
        r.memory ? particles_create(&store) : result_fail(DEW_NO_MEMORY, "no memory to place particles");
    if (result == DEW_OK) result = choose_sites(region, dimension, spacing, positions, count);
    if (result == DEW_OK && *count > 0) result = relax_sites(&r, *positions, *count);
    particles_destroy(&store);
    arena_destroy(r.memory);
    if (result == DEW_OK) return DEW_OK;
    aligned_release(*positions);
    *positions = NULL;
    return result;
}
