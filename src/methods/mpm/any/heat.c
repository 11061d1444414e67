#include "methods/mpm/any/heat.h"

#include "methods/mpm/any/diffusion.h"

/* Lists what each sample of the surface lets through. */
static dew_result list_heat(diffusion *c, const samples *s)
{
    const heat *h = c->w->heat;
    ARENA_ARRAY_ZEROED(c->g->memory, s->count, real, flux);
    ARENA_ARRAY(c->g->memory, s->count, surface_law, laws);
    heat_add_sources(h, s->count, s->x, flux, NULL);
    for (int k = 0; k < s->count; k++) {
        dew_heat_boundary b = heat_boundary(h, s->solid[k]);
        if (s->solid[k] < 0) b.flux += (double)flux[k];
        laws[k] = (surface_law){b.transfer / c->capacity, b.surroundings, b.flux / c->capacity};
    }
    /* A surface held at a temperature more firmly than conduction over a thousandth of a cell would is held as well. */
    return diffusion_list(c, s, laws, 1000 * c->diffusivity * (double)c->g->inverse);
}

static void find_power(int begin, int end, void *context)
{
    const diffusion *c = context;
    memset(c->power + begin, 0, (size_t)(end - begin) * sizeof *c->power);
    heat_add_sources(c->w->heat, end - begin, c->x + begin, NULL, c->power + begin);
    for (int i = begin; i < end; i++) c->power[i] *= (real)(c->dt / c->capacity);
}

static void melt(int begin, int end, void *context)
{
    const diffusion *c = context;
    const dew_material_def *m = &c->w->materials[0];
    double latent = m->latent_heat / m->heat_capacity, melting = m->melting_point - c->reference;
    real *melted = heat_melted(c->w->heat, c->w->particles);
    for (int i = begin; i < end; i++) set_carried(c, i, heat_melt(melting, latent, carried_of(c, i), &melted[i]));
}

dew_result conduct_heat(const fluid *f, const samples *s, double dt)
{
    const world *w = f->w;
    const dew_material_def *m = &w->materials[0];
    diffusion c;
    heat_place(w->heat, w->time + dt / 2);
    RESULT_TRY(diffusion_open(&c, f, dt, MPM_TEMPERATURE, "the conduction of heat"));
    c.capacity = m->density * m->heat_capacity, c.diffusivity = m->conductivity / c.capacity;
    RESULT_TRY(list_heat(&c, s));
    if (heat_has_power(w->heat)) {
        ARENA_TRY(f->g.memory, c.count, c.power);
        parallel_for(c.count, 256, find_power, &c);
    }
    RESULT_TRY(diffusion_solve(&c));
    if (isfinite(m->melting_point)) parallel_for(c.count, 4096, melt, &c);
    return DEW_OK;
}
