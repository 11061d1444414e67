#include "methods/mpm/any/piston.h"

#include "methods/mpm/any/stress.h"
#include "methods/mpm/any/transfer.h"

/* Mass of the ballast, in that of a held particle. `jet`, `drip` and trial_nozzle are alike with 30 and 1000. */
#define HELD_BALLAST ((real)100)

dew_result piston_find(fluid *f)
{
    const world *w = f->w;
    int most = 0;
    f->held_count = 0;
    for (int k = 0; k < w->held_count; k++) most += w->held[k].is_in_pipe ? w->held[k].count : 0;
    if (most == 0) return DEW_OK;
    ARENA_TRY(w->scratch, most, f->held);
    for (int i = 0; i < f->a.count && f->held_count < most; i++) {
        const held_layer *layer = world_held(w, i);
        if (layer && layer->is_in_pipe)
            f->held[f->held_count++] = (held_particle){.slot = i, .velocity = real4_of(layer->velocity, 1)};
    }
    return DEW_OK;
}

/* The nodes around a held particle and its ballast there, in particles' masses. */
static void ballast_of(const fluid *f, const held_particle *h, int64_t node[AROUND], real mass[AROUND])
{
    const grid *g = &f->g;
    const real4 x = f->a.x[h->slot];
    const block_place home = block_of_point(g, &x);
    const int32_t block = grid_find(g, &home); /* there is one: the particle is sorted into it */
    int low[DIM];
    stencil s;
    const vquad arm = grid_arm(g, &x);
    stencil_of(&s, arm, g->inverse, &g->first[block]);
    for (int a = 0; a < DIM; a++) low[a] = cell_of(arm[a], g->inverse) - g->first[block].at[a] - 1;
    grid_box(g, block, low, 3, node);
    for (int k = 0; k < AROUND; k++) {
        mass[k] = node[k] < 0 ? 0 : HELD_BALLAST * mass_of(f, h->slot);
        for (int a = DIM - 1, at = k; a >= 0; a--, at /= 3) mass[k] *= (&s.n[a].x)[at % 3];
    }
}

void piston_move_nodes(fluid *f)
{
    for (int k = 0; k < f->held_count; k++) {
        int64_t node[AROUND];
        real mass[AROUND];
        ballast_of(f, &f->held[k], node, mass);
        for (int j = 0; j < AROUND; j++) {
            if (!(mass[j] > 0)) continue;
            real4 *n = &f->node[node[j]];
            const real all = n->w + mass[j], share = mass[j] / all;
            quad_store(n, quad_load(n) + share * (quad_load(&f->held[k].velocity) - quad_load(n)));
            n->w = all;
        }
    }
}

void piston_add_given(fluid *f)
{
    const vquad xyz = {1, 1, 1, 0};
    for (int k = 0; k < f->held_count; k++) {
        int64_t node[AROUND];
        real mass[AROUND];
        held_particle *h = &f->held[k];
        vquad given = quad_load(&h->given);
        ballast_of(f, h, node, mass);
        for (int j = 0; j < AROUND; j++)
            if (mass[j] > 0)
                given += mass[j] / mass_of(f, h->slot) * xyz * (quad_load(&f->node[node[j]]) - quad_load(&h->velocity));
        quad_store(&h->given, given);
    }
}

void piston_take_given(fluid *f)
{
    for (int k = 0; k < f->held_count; k++) {
        real4 *v = &f->a.v[f->held[k].slot];
        quad_store(v, quad_load(v) + quad_load(&f->held[k].given));
    }
}
