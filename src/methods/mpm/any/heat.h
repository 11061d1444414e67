/* Heat (paper, eq. 10): rho c dT/dt = div k grad T + H, k dT/dn = h (T_surroundings - T) + b on the surface. What
 * spreads is the temperature, K, with diffusivity k/(rho c), and through the surface h/(rho c), m/s. */
#ifndef METHODS_MPM_ANY_HEAT_H
#define METHODS_MPM_ANY_HEAT_H

#include "methods/mpm/any/diffuse.h"

typedef struct conduction {
    diffusion spread;
    const world *w;
    double capacity; /* rho c, J/(m3 K) */
} conduction;

/* Lists what each sample of the surface lets through. */
static dew_result list_heat(conduction *c, const samples *s)
{
    const heat *h = c->w->heat;
    arena *memory = c->spread.g->memory;
    ARENA_ARRAY_ZEROED(memory, s->count, real, flux);
    ARENA_ARRAY(memory, s->count, surface_law, laws);
    if (heat_has_flux(h)) heat_add_sources(h, s->count, s->x, flux, NULL);
    for (int k = 0; k < s->count; k++) {
        int32_t solid = s->solid ? s->solid[k] : -1;
        dew_heat_boundary b = heat_boundary(h, solid);
        if (solid < 0) b.flux += (double)flux[k];
        laws[k] = (surface_law){b.transfer / c->capacity, b.surroundings, b.flux / c->capacity};
    }
    /* A surface held at a temperature more firmly than conduction over a thousandth of a cell would is held as well. */
    return list_passages(&c->spread, s, laws, 1000 * c->spread.diffusivity * (double)c->spread.g->inverse);
}

static void find_power(int begin, int end, void *context)
{
    const conduction *c = context;
    real *power = c->spread.power;
    memset(power + begin, 0, (size_t)(end - begin) * sizeof *power);
    heat_add_sources(c->w->heat, end - begin, c->spread.x + begin, NULL, power + begin);
    for (int i = begin; i < end; i++) power[i] *= (real)(c->spread.dt / c->capacity);
}

static void melt(int begin, int end, void *context)
{
    const conduction *h = context;
    const diffusion *c = &h->spread;
    const dew_material_def *m = &h->w->materials[0];
    double latent = m->latent_heat / m->heat_capacity, melting = m->melting_point - c->reference;
    real *melted = heat_melted(h->w->heat, h->w->particles);
    for (int i = begin; i < end; i++) set_carried(c, i, heat_melt(melting, latent, carried_of(c, i), &melted[i]));
}

/* Conducts heat over dt between the particles as they stand in the grid, and through the samples of the surface. */
static dew_result conduct(mpm_state *p, world *w, const grid *g, const samples *s, double dt)
{
    const dew_material_def *m = &w->materials[0];
    mpm_arrays a = mpm_arrays_of(p, w);
    conduction c = {.w = w, .capacity = m->density * m->heat_capacity};
    heat_place(w->heat, w->time + dt / 2);
    RESULT_TRY(diffusion_open(&c.spread, w, g, dt, "the conduction of heat", a.temperature, a.warmth));
    c.spread.diffusivity = m->conductivity / c.capacity;
    RESULT_TRY(list_heat(&c, s));
    if (heat_has_power(w->heat)) {
        ARENA_TRY(g->memory, a.count, c.spread.power);
        parallel_for(a.count, 256, find_power, &c);
    }
    RESULT_TRY(diffuse(&c.spread, &p->saved_warmth));
    if (isfinite(m->melting_point)) parallel_for(a.count, 4096, melt, &c);
    return DEW_OK;
}

#endif
