#include "methods/mpm/any/fluid.h"

#include "methods/mpm/any/deformation.h"
#include "methods/mpm/any/mirror.h"
#include "methods/mpm/any/piston.h"

/* --- the step --- */

dew_result fluid_room(fluid *f)
{
    size_t nodes = (size_t)f->g.block_count * CELLS;
    arena *memory = f->g.memory;
    ARENA_TRY(memory, nodes, f->node, f->in_cube, f->strain);
    ARENA_TRY(memory, f->g.block_count, f->has_strayed);
    return DEW_OK;
}

dew_result fluid_sort(fluid *f, int32_t **order)
{
    const int around = solids_count(f->w->solids) > 0 ? 2 : 1;
    RESULT_TRY(grid_make(&f->g, f->w->particles, &f->p->domain, f->p->dx, around, f->w->scratch, order));
    f->a = mpm_arrays_of(f->p, f->w);
    return DEW_OK;
}

static void find_strayed(int block, void *context)
{
    const fluid *f = context;
    for (int i = first_in(&f->g, block); i < first_in(&f->g, block + 1) && !f->has_strayed[block]; i++)
        f->has_strayed[block] = !is_served(f, block, quad_load(&f->a.x[i]));
}

bool have_strayed(fluid *f, bool is_displaced)
{
    if (is_displaced) each_home(&f->g, find_strayed, f);
    for (int b = 0; b < f->g.block_count; b++)
        if (f->has_strayed[b]) return true;
    for (int b = 0, k = 0; b < f->g.home_count; b++) {
        int end = f->g.particle_begin[(b + 1) * CELLS];
        for (; k < f->points.owner_count && f->points.owners[k].slot < end; k++)
            if (!is_served(f, b, quad_load(&f->a.x[f->points.owners[k].slot]))) return true;
    }
    return false;
}

void mark_solids(int begin, int end, void *context)
{
    fluid *f = context;
    for (int i = begin; i < end; i++)
        if (is_solid(&f->a, i)) f->points.kind[i] |= IS_SOLID;
}

/* What belongs to an owner goes round periodic axes with it. */
static void follow_round(fluid *f, owner *o)
{
    const real3 x = real3_of(f->a.x[o->slot]);
    o->from = real4_of(grid_nearest(&f->g, real3_of(o->from), x), o->from.w);
    for (int q = o->first_sample; q < o->first_sample + o->sample_count; q++) {
        real4 *s = &f->points.sample[q];
        *s = real4_of(grid_nearest(&f->g, real3_of(*s), x), s->w);
    }
}

dew_result fluid_sort_again(fluid *f)
{
    points *p = &f->points;
    int32_t *order;
    arena_release(f->w->scratch, f->mark);
    RESULT_TRY(fluid_sort(f, &order));
    ARENA_ARRAY(f->g.memory, f->a.count, int32_t, now);
    for (int k = 0; k < f->a.count; k++) now[order[k]] = k;
    for (int k = 0; k < f->held_count; k++) f->held[k].slot = now[f->held[k].slot];
    memset(p->kind, 0, (size_t)f->a.count);
    for (int k = 0; k < p->owner_count; k++) {
        p->owners[k].slot = now[p->owners[k].slot];
        p->kind[p->owners[k].slot] = p->owners[k].wall_count ? IS_NEAR_WALL : IS_OWNER;
        follow_round(f, &p->owners[k]);
    }
    if (f->has_solids) parallel_for(f->a.count, 4096, mark_solids, f);
    /* Owners stand in the order of slots again: an insertion sort, since few are out of it. */
    for (int k = 1; k < p->owner_count; k++) {
        owner moved = p->owners[k];
        int j = k;
        for (; j > 0 && p->owners[j - 1].slot > moved.slot; j--) p->owners[j] = p->owners[j - 1];
        p->owners[j] = moved;
    }
    return fluid_room(f);
}

dew_result fluid_elasticities(fluid *f)
{
    const world *w = f->w;
    f->has_solids = f->a.deformation[0] != NULL;
    if (!f->has_solids) return DEW_OK;
    ARENA_TRY(w->scratch, w->material_count, f->elastic);
    for (int k = 0; k < w->material_count; k++) f->elastic[k] = mpm_elastic_of(&w->materials[k]);
    parallel_for(f->a.count, 1024, change_phases, f);
    return DEW_OK;
}

/* A layer that a wall holds back is 5 sqrt(nu x/U) wide after a way of x (Blasius 1908): whether after a cell that is
 * as wide as mirrors are, or viscosity goes so far within a substep. Mirrors that let slip take the gradient from such
 * a layer by each transfer to the grid, as if its viscosity were twice or three times what it is; where all of it lies
 * within a particle, those that hold would brake far more than the liquid does. */
static bool layers_are_resolved(const fluid *f)
{
    const double widest = 5 / (double)MIRROR_WIDTH, fastest = f->p->saved_sound / f->p->parameter[MPM_SOUND];
    return f->implicit.viscosity || f->p->density * fastest * f->p->dx <= widest * widest * f->p->most_viscosity;
}

void fluid_numbers(fluid *f, double dt)
{
    const world *w = f->w;
    const dew_material_def *m = &w->materials[0];
    f->dt = (real)dt, f->dx = (real)f->p->dx, f->viscosity = (real)m->viscosity;
    f->bulk = (real)(f->p->density * f->p->saved_sound * f->p->saved_sound);
    f->implicit = mpm_scheme_of(f->p, f->w), f->modulus = f->implicit.pressure ? 0 : f->bulk;
    f->walls_stick = layers_are_resolved(f);
    f->volume = (real)pow(w->spacing, DIM), f->mass = (real)(f->p->density * pow(w->spacing, DIM));
    f->kick = (real4){(real)(dt * w->gravity.x), (real)(dt * w->gravity.y), (real)(dt * w->gravity.z), 1};
}

void fluid_write_pressures(int begin, int end, void *context)
{
    fluid *f = context;
    for (int i = begin; i < end; i++) f->a.pressure[i] = -f->bulk * f->a.strain[i];
    for (int i = begin; i < end && f->has_solids; i++) {
        matrix tau;
        double trace = 0;
        if (!is_solid(&f->a, i)) continue;
        solid_stress(&f->elastic[material_of(&f->a, i)], &f->a, i, tau);
        for (int a = 0; a < DIM; a++) trace += tau[a][a];
        f->a.pressure[i] = (real)(-trace / (DIM * (1 + (double)f->a.strain[i])));
    }
}
