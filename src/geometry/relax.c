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
 * would need their square. */

enum { TURNS = 60, SETTLING = 15, WALL_TABLE = 128 };

static const double reach_of_spacing = 1.8, skin_of_spacing = 0.3, stiffness = 0.3, inertia = 0.85, jitter = 0.1;

typedef struct relaxation {
    const fill_region *region;
    particles *p;
    pair_lists lists;
    int dimension;
    double spacing, reach, inertia;
    double wall[WALL_TABLE + 2]; /* push of the half space at depth k reach/WALL_TABLE */
    real4 *push;
} relaxation;

/* The push at depth t of sites spread evenly over the half space (half plane) beyond the surface. */
static void make_wall_table(relaxation *r)
{
    double reach = r->reach / r->spacing;
    enum { PARTS = 400 };
    for (int k = 0; k <= WALL_TABLE + 1; k++) {
        double t = fmin((double)k / WALL_TABLE, 1), sum = 0;
        for (int m = 0; m < PARTS; m++) {
            double x = t + (m + 0.5) * (1 - t) / PARTS, f = (1 - x) * (1 - x);
            sum += f * (r->dimension == 2 ? 2 * sqrt(x * x - t * t) : PI * (x * x - t * t));
        }
        r->wall[k] = sum * (1 - t) / PARTS * pow(reach, r->dimension);
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
        vreal x = zero, y = zero, z = zero;
        PAIRS(r->lists, block, j)
        {
            vreal4 b = pair_j(position, j);
            vreal dx = i.x - b.x, dy = i.y - b.y, dz = i.z - b.z;
            vreal r2 = dx * dx + dy * dy + dz * dz, one_by_r = vrsqrt(vmax(r2, least));
            vreal w = vmax(1 - r2 * one_by_r * inverse, zero), f = w * w * one_by_r;
            x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(r->push, block, x, y, z, zero);
    }
}

static double wall_push(const relaxation *r, double depth)
{
    double at = fmax(depth, 0) / r->reach * WALL_TABLE;
    if (at >= WALL_TABLE) return 0;
    int k = (int)at;
    return r->wall[k] + (at - k) * (r->wall[k + 1] - r->wall[k]);
}

/* Velocity (a displacement a turn) and place of every site. Inertia of the last turns is nil: they settle. */
static void move_sites(int begin, int end, void *context)
{
    relaxation *r = context;
    particles *p = r->p;
    double s = r->spacing, most = 0.2 * s, rim = 0.4 * s;
    for (int first = begin; first < end; first += SHAPE_BLOCK) {
        int n = end - first < SHAPE_BLOCK ? end - first : SHAPE_BLOCK;
        point_block x;
        distance_block d;
        for (int i = 0; i < n; i++) {
            const real4 *from = &p->position[first + i];
            x.x[i] = from->x, x.y[i] = from->y, x.z[i] = from->z;
        }
        shape_distance_block(r->region->whole, 2 * s, n, &x, &d);
        for (int i = 0; i < n; i++) {
            real4 *v = &p->velocity[first + i], *to = &p->position[first + i];
            const real4 *push = &r->push[first + i];
            double depth = -d.d[i], gz = r->dimension == 2 ? 0 : d.z[i];
            double wall = -wall_push(r, depth), k = stiffness * s;
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

static dew_result relax(relaxation *r, neighbours *n)
{
    particles *p = r->p;
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn == 0 || neighbours_is_stale(n, p)) RESULT_TRY(neighbours_build(n, p, NULL));
        r->lists = neighbours_lists(n);
        r->inertia = turn < TURNS - SETTLING ? inertia : 0;
        parallel_for(PAIR_BLOCKS(p->count), 256, push_pairs, r);
        parallel_for(p->count, 4 * SHAPE_BLOCK, move_sites, r);
    }
    parallel_for(p->count, 1024, bring_inside, r);
    return DEW_OK;
}

static dew_result relax_sites(const fill_region *region, int dimension, double spacing, real4 *site, int count)
{
    relaxation r = {.region = region, .dimension = dimension, .spacing = spacing, .reach = reach_of_spacing * spacing};
    particles store = {0};
    neighbours *n = NULL;
    r.p = &store;
    r.push = aligned_obtain((size_t)(count + 8) * sizeof(real4));
    make_wall_table(&r);
    for (int i = 0; i < count; i++) {
        double size = jitter * spacing;
        site[i].x += (real)(size * (fill_random(3 * (uint64_t)i + 0x100000000) - 0.5));
        site[i].y += (real)(size * (fill_random(3 * (uint64_t)i + 0x100000001) - 0.5));
        if (dimension == 3) site[i].z += (real)(size * (fill_random(3 * (uint64_t)i + 0x100000002) - 0.5));
    }
    dew_result result =
        r.push ? particles_create(&store) : result_fail(DEW_NO_MEMORY, "no memory to relax %d particles", count);
    if (result == DEW_OK) result = particles_insert(&store, count, site, NULL, 0);
    if (result == DEW_OK) result = neighbours_create(&n, r.reach, skin_of_spacing * spacing);
    if (result == DEW_OK) result = relax(&r, n);
    if (result == DEW_OK) memcpy(site, store.position, (size_t)count * sizeof *site);
    neighbours_destroy(n);
    particles_destroy(&store);
    aligned_release(r.push);
    return result;
}

dew_result fill_relaxed(const fill_region *region, int dimension, double spacing, real4 **positions, int *count)
{
    dew_result result = choose_sites(region, dimension, spacing, positions, count);
    if (result == DEW_OK && *count > 0) result = relax_sites(region, dimension, spacing, *positions, *count);
    if (result == DEW_OK) return DEW_OK;
    aligned_release(*positions);
    *positions = NULL;
    return result;
}
