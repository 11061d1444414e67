/* How far the surface lies above the centres of its particles: half of the thickness of their layer, V/(2 A), A the
 * area that a particle has of it, the mean around. Where liquid flows together along the surface, as it does under a
 * crest, the layer grows thicker and the surface rises more than its centres, by the derivative of the velocity across:
 * so the mesh goes with the surface, and lift.c is the adjoint of how. Single cells are noise. */
#include "methods/flow/flow.h"
#include "particles/ghosts.h"
#include "surface/tension.h"

/* In spacings; what is beyond is no layer. */
#define LEAST ((real)0.3)
#define MOST ((real)0.8)

enum { ROUNDS = 2 }; /* of means */

/* change = n, w: 1 where the ring is closed; lean.w: its area. */
static void put_cells(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) k->change[i] = real4_of(real3_of(k->normal[i]), 0), k->lean[i].w = 0;
}

static void mark_closed(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int ring = begin; ring < end; ring++) {
        int i = k->rings.list[ring];
        if (k->rings.gaps[ring] == 0) k->change[i].w = 1, k->lean[i].w = k->rings.shift[ring].w;
    }
}

static bool has_surface(const flow_step *k, int block)
{
    for (int i = PAIR_I * block; i < flow_end_of(k, block); i++)
        if (k->is_surface[i]) return true;
    return false;
}

/* Means over the cells around, by k->force: x how many, y their area. */
static void find_mean(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h), none = vset(0), one = vset(1);
    for (int block = begin; block < end; block++) {
        if (!has_surface(k, block)) continue;
        vreal4 i = pair_i(k->x, block), n = pair_i(k->change, block);
        vreal cells = none, area = none;
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), m = pair_j(k->change, j);
            vreal x = (b.x - i.x) * inv_h, y = (b.y - i.y) * inv_h, z = (b.z - i.z) * inv_h;
            vreal q = vmax(one - (x * x + y * y + z * z), none);
            vreal w = q * q * vmax(vdot3(n, m), none); /* not the other side of a film */
            cells += w * m.w, area += w * pair_j(k->lean, j).w;
        }
        pair_store4(k->force, block, cells, area, none, none);
    }
}

static void take_mean(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        bool is_known = k->is_surface[i] && k->force[i].x > 0;
        k->change[i].w = is_known, k->lean[i].w = is_known ? k->force[i].y / k->force[i].x : 0;
    }
}

real flow_lies_on_solid(const flow_step *k, int i)
{
    real most = 0, first = half_space_at(k->p->crowd.sum, k->p->s / 2 * k->inv_h);
    for (int at = NEAR_WALLS * i; at < NEAR_WALLS * (i + 1) && k->near.wall && k->near.solid[at] >= 0; at++) {
        real here = half_space_at(k->p->crowd.sum, real_max(k->near.wall[at].w, 0) * k->inv_h);
        most = real_max(most, near_walls_wet(&k->near, at) * real_min(here / first, 1));
    }
    return most;
}

/* On a wall half a spacing stays, as all is that walls know of. It does so by and by: where the kernel ends a step of
 * the mesh is a kink of the surface, and lines that draw back stop at it. */
static void put_offsets(int begin, int end, void *context)
{
    flow_step *k = context;
    real s = k->p->s;
    for (int i = begin; i < end; i++) {
        real volume = flow_mass(k, i) / flow_density(k, i), depth = s / 2;
        if (k->change[i].w > 0) depth = real_min(real_max(volume / (2 * k->lean[i].w), LEAST * s), MOST * s);
        k->depth[i] = s / 2 + (1 - flow_lies_on_solid(k, i)) * (depth - s / 2);
        k->mesh[i] = real4_of(real3_scale(k->depth[i] - k->p->s / 2, real3_of(k->normal[i])), 0);
    }
}

static void put_places(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) real4_add(&k->mesh[i], real3_of(k->x[i]));
}

dew_result flow_find_depth(flow_step *k)
{
    ARENA_TRY(k->w->scratch, k->count, k->depth);
    ARENA_TRY(k->w->scratch, k->all->end, k->mesh);
    parallel_for(k->count, 4096, put_cells, k);
    parallel_for(k->rings.count, 1024, mark_closed, k);
    for (int round = 0; round < ROUNDS; round++) {
        particles_update_ghosts(k->all, k->p->change);
        particles_update_ghosts(k->all, k->p->lean);
        parallel_for(k->blocks, FLOW_GRAIN, find_mean, k);
        parallel_for(k->count, 4096, take_mean, k);
    }
    parallel_for(k->count, 4096, put_offsets, k);
    ghosts_copy_vectors(k->all, k->mesh);
    parallel_for(k->all->end, 4096, put_places, k);
    return DEW_OK;
}
