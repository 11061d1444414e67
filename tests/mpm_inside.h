/* mpm from inside, in three dimensions unless DIM says otherwise: what its steps are made of. */
#ifndef MPM_INSIDE_H
#define MPM_INSIDE_H

#include "pbf_setup.h"

#ifndef DIM
#define DIM 3
#endif
#include "methods/mpm/any/density.h"
#include "methods/mpm/any/density_target.h"
#include "methods/mpm/any/level_set.h"
#include "methods/mpm/any/mirror.h"
#include "methods/mpm/any/passes.h"
#include "methods/mpm/any/pressure.h"
#include "methods/mpm/any/rounding.h"
#include "methods/mpm/any/shift.h"
#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/step.h"
#include "methods/mpm/any/surface.h"
#include "methods/mpm/any/transfer.h"
#include "methods/mpm/any/velocities.h"
#include "methods/mpm/any/walls.h"

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
    fluid_numbers(f, 1e-3);
}

#endif
