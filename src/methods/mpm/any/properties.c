#include "methods/mpm/any/properties.h"

/* Finds the values at the samples of what particles carry, by their gradients, not below 0; NULL where there are none.
 */
static dew_result at_samples(const fluid *f, const samples *s, int what, real **out)
{
    const mpm_carried *c = &f->a.carried[what];
    *out = NULL;
    if (!c->value) return DEW_OK;
    ARENA_TRY(f->g.memory, s->count, *out);
    for (int k = 0; k < s->count; k++) {
        int32_t i = s->owner[k];
        real found =
            i < 0 ? c->value[0]
                  : c->value[i] + real3_dot(real3_of(c->slope[i]), real3_sub(real3_of(s->x[k]), real3_of(f->a.x[i])));
        (*out)[k] = found > 0 ? found : 0;
    }
    return DEW_OK;
}

/* Finds the tension of each sample: that of the nearest particle's material, one of several (section 4.3.1), or by what
 * the liquid carries. */
static dew_result find_tensions(const fluid *f, samples *s)
{
    real *temperature, *concentration;
    ARENA_TRY(f->g.memory, s->count, s->tension);
    if (f->a.material) {
        for (int k = 0; k < s->count; k++)
            s->tension[k] = s->owner[k] < 0 ? 0 : (real)f->w->materials[f->a.material[s->owner[k]]].surface_tension;
        return DEW_OK;
    }
    RESULT_TRY(at_samples(f, s, MPM_TEMPERATURE, &temperature));
    RESULT_TRY(at_samples(f, s, MPM_CONCENTRATION, &concentration));
    RESULT_TRY(mpm_find_tensions(f->w, s->count, temperature, concentration, s->tension));
    f->p->most_tension = 0;
    for (int k = 0; k < s->count; k++) f->p->most_tension = fmax(f->p->most_tension, (double)s->tension[k]);
    return DEW_OK;
}

dew_result find_properties(const fluid *f, samples *s)
{
    if (f->a.material || f->w->materials[0].surface_tension_of_temperature.evaluate) RESULT_TRY(find_tensions(f, s));
    return f->a.viscosity ? mpm_find_viscosities(f->p, f->w) : DEW_OK;
}
