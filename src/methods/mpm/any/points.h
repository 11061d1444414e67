/* Split and merge (section 4.1.3, 5): a particle that owns n samples shares its mass evenly with them and with n
 * balance points b = 2 x - s; all carry its velocity and affine part. Such particles are handled as a list of points,
 * sorted anew by block in every substep; all others go straight from their slots to the grid.
 *
 * Merged: v = mean of the points' v; A = (4/dx^2) mean of sum N v (node - x)^T, arms from the particle. So mass, centre
 * of mass, linear and angular momentum are kept. */
#ifndef METHODS_MPM_ANY_POINTS_H
#define METHODS_MPM_ANY_POINTS_H

#include "methods/mpm/any/samples.h"
#include "methods/mpm/any/transfer.h"

enum { MOST_WALLS = 3 };

typedef struct wall_seen {
    real4 seen; /* its outward normal; w: distance, in cells */
    int32_t solid;
    real friction; /* Coulomb's coefficient */
    bool is_moving, is_sticky;
} wall_seen;

/* A particle with samples, or near walls. It makes 1 + 2 n transfers: itself, its samples, their balance points; each
 * is one point, and twice as many for each wall near: copy c of transfer q is point first_point + (q << wall_count) +
 * c, bit j of c set in what wall j mirrors. */
typedef struct owner {
    int32_t slot;
    int32_t first_sample, sample_count;
    int32_t first_point;
    int32_t wall_count;
    real curvature; /* of the nearest wall's surface, per cell */
    real4 from;     /* where the walls were seen from, m */
    wall_seen wall[MOST_WALLS];
} owner;

static inline int transfers_of(const owner *o) { return 1 + 2 * o->sample_count; }

typedef struct point {
    real4 x;      /* m; w: 0 for a point that is not there */
    real4 p;      /* momentum over the mass of a particle, m/s; w: mass, of the particle's */
    real4 b[DIM]; /* its affine part per cell */
    real4 f[DIM]; /* momentum by stress per cell */
} point;

/* What came back to a point: see gathered. */
typedef struct landed {
    real4 v, b[DIM], g[DIM];
} landed;

/* What is not IS_PLAIN does not go straight from its slot to the grid; IS_SOLID is besides. */
enum point_kind { IS_PLAIN, IS_OWNER, IS_NEAR_WALL, IS_SOLID = 4 };

typedef struct points {
    int owner_count, count;
    owner *owners;
    uint8_t *is_owner;    /* by slot: of point_kind */
    real4 *sample, *area; /* sorted by owner; as in samples */
    point *list;
    landed *found;
    int32_t *block;       /* of each point; -1: none */
    int32_t *order;       /* points by block */
    int32_t *block_begin; /* block_count + 1 */
} points;

/* is_near: particles with walls near; NULL without walls. `walls`: how many one may have. */
static dew_result points_make(const grid *g, const samples *s, int particle_count, const uint8_t *is_near, int walls,
                              points *p)
{
    arena *memory = g->memory;
    size_t slots = (size_t)particle_count + 1, n = (size_t)s->count + 1, most = n + (is_near ? slots : 0);
    int32_t *begin = arena_zeroed(memory, (slots + 1) * sizeof *begin);
    p->is_owner = arena_zeroed(memory, slots);
    p->sample = arena_alloc(memory, n * sizeof *p->sample), p->area = arena_alloc(memory, n * sizeof *p->area);
    p->owners = arena_alloc(memory, most * sizeof *p->owners);
    if (!begin || !p->is_owner || !p->sample || !p->area || !p->owners)
        return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    for (int k = 0; k < s->count; k++)
        if (s->owner[k] >= 0) begin[s->owner[k] + 1]++;
    p->owner_count = p->count = 0;
    for (int i = 0; i < particle_count; i++) {
        int count = begin[i + 1];
        begin[i + 1] += begin[i];
        owner o = {.wall_count = is_near && is_near[i] ? walls : 0};
        if (!count && !o.wall_count) continue;
        o.slot = i, o.first_sample = begin[i], o.sample_count = count, o.first_point = p->count;
        p->owners[p->owner_count++] = o;
        p->is_owner[i] = o.wall_count ? IS_NEAR_WALL : IS_OWNER;
        p->count += transfers_of(&o) << o.wall_count;
    }
    for (int k = 0; k < s->count; k++) {
        if (s->owner[k] < 0) continue;
        int to = begin[s->owner[k]]++;
        p->sample[to] = s->x[k], p->area[to] = s->area[k];
    }
    size_t all = (size_t)p->count + 1;
    p->list = arena_alloc(memory, all * sizeof *p->list), p->found = arena_alloc(memory, all * sizeof *p->found);
    p->block = arena_alloc(memory, all * sizeof *p->block), p->order = arena_alloc(memory, all * sizeof *p->order);
    if (!p->list || !p->found || !p->block || !p->order) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    return DEW_OK;
}

enum { NO_POINT = -2 };

typedef struct point_work {
    const grid *g;
    points *p;
} point_work;

static void find_blocks(int begin, int end, void *context)
{
    point_work *w = context;
    for (int k = begin; k < end; k++) {
        const point *q = &w->p->list[k];
        block_place at = block_of_point(w->g, &q->x);
        w->p->block[k] = q->x.w > 0 ? grid_find(w->g, &at) : NO_POINT;
    }
}

/* Orders the points by block. A point beyond the grid has moved by more than a block: it is left out, and told. */
static dew_result points_sort(const grid *g, points *p)
{
    point_work w = {g, p};
    parallel_for(p->count, 256, find_blocks, &w);
    p->block_begin = arena_zeroed(g->memory, ((size_t)g->block_count + 2) * sizeof *p->block_begin);
    if (!p->block_begin) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    for (int k = 0; k < p->count; k++) {
        if (p->block[k] == NO_POINT) continue;
        if (p->block[k] < 0)
            return result_fail(DEW_FAILED,
                               "liquid has left the grid: a part of its surface moves by more than four cells a step.\n"
                               "Likely cause: the step is too long for the forces.\n"
                               "What to change: lower mpm.cfl or mpm.reuse");
        p->block_begin[p->block[k] + 2]++;
    }
    for (int b = 0; b < g->block_count; b++) p->block_begin[b + 2] += p->block_begin[b + 1];
    for (int k = 0; k < p->count; k++)
        if (p->block[k] >= 0) p->order[p->block_begin[p->block[k] + 1]++] = k;
    return DEW_OK;
}

/* b = 2 x - s: the place of a point that is there */
static inline real4 balance_of(real4 x, real4 s) { return (real4){2 * x.x - s.x, 2 * x.y - s.y, 2 * x.z - s.z, 1}; }

#endif
