/* What is dissolved: dc/dt = D div grad c inside, -D dc/dn = k c through the free surface, k the material's
 * `evaporation`; nothing passes into solids. The liquid keeps its volume: what leaves is taken to be little of it. */
#ifndef METHODS_MPM_ANY_SOLUTE_H
#define METHODS_MPM_ANY_SOLUTE_H

#include "methods/mpm/any/diffuse.h"

/* Spreads what is dissolved over dt between the particles as they stand in the grid, and lets it leave through the
 * samples of the free surface. */
static dew_result dissolve(const fluid *f, const samples *s, double dt)
{
    const dew_material_def *m = &f->w->materials[0];
    diffusion c;
    RESULT_TRY(diffusion_open(&c, f, dt, MPM_CONCENTRATION, "the diffusion of what is dissolved"));
    ARENA_ARRAY_ZEROED(f->g.memory, s->count, surface_law, laws);
    for (int k = 0; k < s->count; k++)
        if (s->solid[k] < 0) laws[k].transfer = m->evaporation;
    c.diffusivity = m->diffusivity;
    RESULT_TRY(list_passages(&c, s, laws, INFINITY));
    return diffuse(&c);
}

#endif
