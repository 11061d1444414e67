/* mpm from inside, in three dimensions: what its steps are made of. */
#ifndef MPM_INSIDE_H
#define MPM_INSIDE_H

#include "pbf_setup.h"

#define DIM 3
#define MPM_STEP_HERE mpm_step_here
#include "methods/mpm/any/step.h"

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
    check_ok(fluid_sort(f, &order));
    set_numbers(f, 1e-3);
}

#endif
