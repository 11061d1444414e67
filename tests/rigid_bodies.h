/* Rigid bodies for tests. */
#ifndef TESTS_RIGID_BODIES_H
#define TESTS_RIGID_BODIES_H

#include "dew/simulation.h"
#include "solids/solids.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static inline void near_to(double value, double right, double share)
{
    if (!(fabs(value - right) <= share * fabs(right))) fail_msg("%.10g is not %.10g to %g", value, right, share);
}

static inline dew_solid_def body_of(const char *name, dew_shape_def form, double density)
{
    dew_solid_def d = dew_default_solid_def();
    d.name = name, d.shape = form, d.has_rigid = true, d.rigid.density = density;
    return d;
}

#endif
