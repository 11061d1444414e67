/* mpm from inside, in three dimensions: what its steps are made of. */
#ifndef MPM_INSIDE_H
#define MPM_INSIDE_H

#include "pbf_setup.h"

#define DIM 3
#define MPM_DIMENSION mpm_here
#include "methods/mpm/any/step.h"

extern const mpm_dimension mpm_here;

static inline dew_simulation *create_mpm(setup *u, int dimension)
{
    u->def.method = "mpm", u->def.dimension = dimension;
    return create(u);
}

/* A step as it begins: particles sorted, numbers set. */
static inline void open_step(dew_simulation *s, fluid *f)
{
    int32_t *order;
    mpm_state *p = s->state;
    *f = (fluid){.p = p, .w = &s->w};
    p->saved_sound = p->saved_sound > 0 ? p->saved_sound : 1;
    check_ok(grid_make(&f->g, s->w.particles, p->dx, rings_of(&s->w), s->w.scratch, &order));
    f->a = mpm_arrays_of(p, &s->w);
    set_numbers(f, 1e-3);
}

#endif
