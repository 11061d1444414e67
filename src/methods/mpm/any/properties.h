/* What depends on the material, on temperature and on what is dissolved: tension of the samples, viscosity of the
 * particles. */
#ifndef METHODS_MPM_ANY_PROPERTIES_H
#define METHODS_MPM_ANY_PROPERTIES_H

#include "methods/mpm/any/samples.h"

/* Values at the samples of what particles carry, by their gradients, not below 0; NULL of NULL. */
static dew_result at_samples(const grid *g, const samples *s, const real4 *x, const real *value, const real4 *slope,
                             real **out)
{
    *out = NULL;
    if (!value) return DEW_OK;
    ARENA_TRY(g->memory, s->count, *out);
    for (int k = 0; k < s->count; k++) {
        int32_t i = s->owner[k];
        real found =
            i < 0 ? value[0] : value[i] + real3_dot(real3_of(slope[i]), real3_sub(real3_of(s->x[k]), real3_of(x[i])));
        (*out)[k] = found > 0 ? found : 0;
    }
    return DEW_OK;
}

/* Gives each sample the tension of the nearest particle's material, one of several (section 4.3.1). */
static dew_result take_tensions(const mpm_state *p, const world *w, const grid *g, samples *s)
{
    mpm_arrays a = mpm_arrays_of(p, w);
    ARENA_TRY(g->memory, s->count, s->tension);
    for (int k = 0; k < s->count; k++)
        s->tension[k] = s->owner[k] < 0 ? 0 : (real)w->materials[a.material[s->owner[k]]].surface_tension;
    return DEW_OK;
}

static dew_result find_tensions(mpm_state *p, world *w, const grid *g, samples *s)
{
    mpm_arrays a = mpm_arrays_of(p, w);
    real *temperature, *concentration;
    RESULT_TRY(at_samples(g, s, a.x, a.temperature, a.warmth, &temperature));
    RESULT_TRY(at_samples(g, s, a.x, a.concentration, a.richness, &concentration));
    ARENA_TRY(g->memory, s->count, s->tension);
    RESULT_TRY(mpm_find_tensions(w, s->count, temperature, concentration, s->tension));
    p->most_tension = 0;
    for (int k = 0; k < s->count; k++) p->most_tension = fmax(p->most_tension, (double)s->tension[k]);
    return DEW_OK;
}

/* Finds the tensions of the samples and the viscosities of the particles. */
static dew_result find_properties(mpm_state *p, world *w, const grid *g, samples *s)
{
    const dew_material_def *m = &w->materials[0];
    if (w->material_count > 1)
        RESULT_TRY(take_tensions(p, w, g, s));
    else if (m->surface_tension_of_temperature.evaluate)
        RESULT_TRY(find_tensions(p, w, g, s));
    return p->viscosity >= 0 ? mpm_find_viscosities(p, w) : DEW_OK;
}

#endif
