#include "methods/mpm/any/points.h"

#include "base/group.h"
#include "methods/mpm/any/transfer.h"

dew_result points_make(fluid *f, const samples *s)
{
    points *p = &f->points;
    int32_t *begin, *order;
    RESULT_TRY(group_items(f->g.memory, s->owner, 1, s->count, f->a.count, &order, &begin));
    ARENA_TRY_ZEROED(f->g.memory, f->a.count, p->kind);
    ARENA_TRY(f->g.memory, s->count, p->sample, p->area, p->pull, p->lies_on, p->pulled_by);
    ARENA_TRY(f->g.memory, s->count + (f->near_count ? f->a.count : 0), p->owners);
    p->owner_count = p->count = 0;
    for (int i = 0; i < f->a.count; i++) {
        owner o = {.slot = i, .first_sample = begin[i], .sample_count = begin[i + 1] - begin[i], .wet = -1, .edge = -1};
        o.wall_count = f->near_count ? f->near_count[i] : 0, o.first_point = p->count;
        if (!o.sample_count && !o.wall_count) continue;
        vquad line = quad_set(0);
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            line += quad_load(&s->line[order[k]]);
            const int32_t from = order[k], solid = s->solid[from] >= 0 ? s->solid[from] : s->edge[from];
            if (solid >= 0) o.wet = solid;
        }
        quad_store(&o.line, line);
        p->owners[p->owner_count++] = o;
        p->kind[i] = o.wall_count ? IS_NEAR_WALL : IS_OWNER;
        p->count += transfers_of(&o) << o.wall_count;
    }
    for (int k = 0; k < begin[f->a.count]; k++) {
        const int from = order[k];
        p->sample[k] = s->x[from], p->area[k] = s->area[from], p->pull[k] = s->band[from];
        p->lies_on[k] = s->solid[from];
        p->pulled_by[k] = s->solid[from] >= 0 ? s->solid[from] : s->edge[from];
    }
    ARENA_TRY(f->g.memory, p->count, p->list, p->found, p->cell);
    ARENA_TRY(f->g.memory, f->near_count ? 2 * (size_t)p->count : 0, p->mass);
    return DEW_OK;
}

/* Points are near their owner: one look at the table serves them all. */
static void find_cells(int begin, int end, void *context)
{
    fluid *f = context;
    for (int o = begin; o < end; o++) {
        const owner *own = &f->points.owners[o];
        int first = own->first_point, last = first + (transfers_of(own) << own->wall_count);
        block_place home = block_of_point(&f->g, &f->points.list[first].x);
        int32_t block = grid_find(&f->g, &home);
        for (int k = first; k < last; k++) {
            real4 x = f->points.list[k].x;
            f->points.cell[k] = x.w > 0 ? grid_cell_near(&f->g, &home, block, real3_of(x)) : NO_POINT;
        }
    }
}

dew_result points_sort(fluid *f)
{
    points *p = &f->points;
    parallel_for(p->owner_count, 64, find_cells, f);
    for (int k = 0; k < p->count; k++)
        if (p->cell[k] < 0 && p->cell[k] != NO_POINT)
            return result_fail(DEW_FAILED,
                               "liquid has left the grid: a part of its surface moves by more than four cells a step.\n"
                               "Likely cause: the step is too long for the forces.\n"
                               "What to change: lower mpm.cfl or mpm.reuse");
    return group_items(f->g.memory, p->cell, 1, p->count, f->g.block_count * CELLS, &p->order, &p->cell_begin);
}

/* Takes the next points of a block from *k on; false when none is left. */
static inline bool batch_points(batch *q, const grid *g, const points *p, int block, int *k)
{
    const int end = points_begin(p, block + 1);
    q->count = 0;
    for (; *k < end && q->count < BATCH; ++*k) {
        const real4 x = grid_in_block(g, block, p->list[p->order[*k]].x);
        batch_add(q, p->order[*k], grid_arm(g, &x));
    }
    return q->count > 0;
}

void points_to_tile(const grid *g, const points *p, int block, real4 *tile)
{
    batch q;
    patch at;
    patch_load(&at, tile, 0);
    for (int k = points_begin(p, block); batch_points(&q, g, p, block, &k);) {
        batch_weigh(&q, g->inverse, &g->first[block], 1);
        for (int l = 0; l < q.count; l++) {
            const point *from = &p->list[q.which[l]];
            vrow b[DIM], f[DIM];
            for (int a = 0; a < DIM; a++)
                b[a] = row_repeat(quad_load(&from->b[a])), f[a] = row_repeat(quad_load(&from->f[a]));
            deposit(&at, tile, &q, l, 1, row_repeat(quad_load(&from->p)), b, f);
        }
    }
    patch_store(&at, tile);
}

void points_from_tile(const grid *g, const points *p, int block, const real4 *tile)
{
    batch q;
    patch at;
    gathered got;
    patch_load(&at, tile, 0);
    for (int k = points_begin(p, block); batch_points(&q, g, p, block, &k);) {
        batch_weigh(&q, g->inverse, &g->first[block], 1);
        for (int l = 0; l < q.count; l++) {
            landed *to = &p->found[q.which[l]];
            gather(&at, tile, &q, l, 1, &got);
            quad_store(&to->v, gathered_v(&got));
            for (int a = 0; a < DIM; a++)
                quad_store(&to->b[a], row_record(got.b, a)), quad_store(&to->g[a], row_record(got.g, a));
        }
    }
}
