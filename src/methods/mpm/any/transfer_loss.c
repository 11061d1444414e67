#include "methods/mpm/any/transfer_loss.h"

#include "methods/mpm/any/passes.h"
#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/step.h"

/* The surface is so many cells away from a particle whose nodes are all of cells without it. */
enum { FULL_DEPTH = 2, OWNER_GRAIN = 32, PARTICLE_GRAIN = 4096 };

/* What particles have before T. */
typedef struct motion {
    fluid *f;
    real4 *v, *affine[DIM];
    real times; /* n */
} motion;

static void keep_motion(int begin, int end, void *context)
{
    const motion *m = context;
    const fluid *f = m->f;
    for (int i = begin; i < end; i++) {
        const int32_t cell = grid_cell(&f->g, real3_of(f->a.x[i]));
        m->v[i] = f->a.v[i];
        for (int a = 0; a < DIM; a++) m->affine[a][i] = f->a.affine[a][i];
        if (cell < 0 || f->depth[cell] < FULL_DEPTH || is_solid_slot(f, i)) f->points.kind[i] |= IS_LEFT_OUT;
    }
}

/* Next to inner edges, and to walls that are bent as much as mirrors bear, what stirs is damped by T alone: there it
 * takes what it takes (trial_cup gains 0.037 of its energy otherwise, so 0.008). */
static void leave_out_bent(int begin, int end, void *context)
{
    const motion *m = context;
    for (int k = begin; k < end; k++) {
        const owner *o = &m->f->points.owners[k];
        if (o->bend > (real)(0.99 * MPM_MOST_BEND)) m->f->points.kind[o->slot] |= IS_LEFT_OUT;
    }
}

/* x += times (x - T x), of a record that is T x now. */
static inline void give_back_record(real4 *now, const real4 *before, real times)
{
    const vquad x = quad_load(before);
    quad_store(now, x + times * (x - quad_load(now)));
}

static void give_back_motion(int begin, int end, void *context)
{
    const motion *m = context;
    const fluid *f = m->f;
    for (int i = begin; i < end; i++) {
        const bool is_left_out = f->points.kind[i] & IS_LEFT_OUT;
        if (is_left_out) { /* bytes stay as they were */
            f->a.v[i] = m->v[i];
            for (int a = 0; a < DIM; a++) f->a.affine[a][i] = m->affine[a][i];
            f->points.kind[i] &= (uint8_t)~IS_LEFT_OUT;
            continue;
        }
        give_back_record(&f->a.v[i], &m->v[i], m->times);
        for (int a = 0; a < DIM; a++) give_back_record(&f->a.affine[a][i], &m->affine[a][i], m->times);
    }
}

/* What the walls gave in T they take as many times. */
static void give_back_pushes(int begin, int end, void *context)
{
    const motion *m = context;
    for (int k = begin; k < end; k++) {
        for (int j = 0; j < MOST_WALLS; j++) {
            wall_seen *wall = &m->f->points.owners[k].wall[j];
            quad_store(&wall->push, -m->times * quad_load(&wall->push));
            wall->moment = real3_scale(-m->times, wall->moment);
        }
    }
}

dew_result transfer_loss_give_back(fluid *f, int substeps)
{
    if (f->implicit.pressure || mpm_has_friction(f->w)) return DEW_OK;
    const size_t mark = arena_mark(f->g.memory);
    const real dt = f->dt;
    const real4 kick = f->kick;
    motion m = {.f = f, .times = (real)substeps};
    ARENA_TRY(f->g.memory, f->a.count, m.v);
    for (int a = 0; a < DIM; a++) ARENA_TRY(f->g.memory, f->a.count, m.affine[a]);
    parallel_for(f->a.count, PARTICLE_GRAIN, keep_motion, &m);
    parallel_for(f->points.owner_count, OWNER_GRAIN, leave_out_bent, &m);
    f->dt = 0, f->kick = (real4){0, 0, 0, 1};
    RESULT_TRY(find_nodes(f));
    each_block(&f->g, particles_from_grid, f);
    parallel_for(f->points.owner_count, OWNER_GRAIN, merge_owners, f);
    f->dt = dt, f->kick = kick;
    parallel_for(f->points.owner_count, OWNER_GRAIN, give_back_pushes, &m);
    parallel_for(f->a.count, PARTICLE_GRAIN, give_back_motion, &m);
    arena_release(f->g.memory, mark);
    return DEW_OK;
}
