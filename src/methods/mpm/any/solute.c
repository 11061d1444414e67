#include "methods/mpm/any/solute.h"

#include "methods/mpm/any/diffusion.h"

dew_result spread_solute(const fluid *f, const samples *s, double dt)
{
    const dew_material_def *m = &f->w->materials[0];
    diffusion c;
    RESULT_TRY(diffusion_open(&c, f, dt, MPM_CONCENTRATION, "the diffusion of what is dissolved"));
    ARENA_ARRAY_ZEROED(f->g.memory, s->count, surface_law, laws);
    for (int k = 0; k < s->count; k++)
        if (s->solid[k] < 0) laws[k].transfer = m->evaporation;
    c.diffusivity = m->diffusivity;
    RESULT_TRY(diffusion_list(&c, s, laws, INFINITY));
    return diffusion_solve(&c);
}
