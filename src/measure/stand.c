/* Quantities of one solid: where it stands, how it moves, what the liquid gives it. */
#include "measure/quantities.h"

#include "solids/solids.h"

#include <string.h>

/* The solid that was asked for, or else the first rigid body; false: there is none, or it has been removed. */
static bool find_solid(const measurement *m, int *solid)
{
    *solid = m->solid;
    for (int k = 0; k < dew_frame_solid_count(m->frame) && *solid < 0; k++)
        if (solids_is_body(m->frame->solids, k)) *solid = k;
    return *solid >= 0 && !solids_is_removed(m->frame->solids, *solid);
}

dew_result measure_solid(const measurement *m, const char *name, double *values)
{
    int solid;
    if (!find_solid(m, &solid)) return DEW_OK;
    solid_stand stand = solids_stand(m->frame->solids, solid);
    dew_vec3 v = strcmp(name, "solid_centre") == 0     ? stand.centre
                 : strcmp(name, "solid_rotation") == 0 ? stand.rotation
                 : strcmp(name, "solid_velocity") == 0 ? stand.velocity
                                                       : stand.spin;
    for (int a = 0; a < 3; a++) values[a] = vec3_at(v, a);
    return DEW_OK;
}

dew_result measure_solid_momentum(const measurement *m, const char *name, double *values)
{
    int solid;
    double step;
    RESULT_TRY(measure_last_step(m, name, &step)); /* what files hold lacks what is in transit */
    if (!find_solid(m, &solid) || !solids_is_body(m->frame->solids, solid)) return DEW_OK;
    dew_vec3 p = solids_momentum(m->frame->solids, solid).linear;
    for (int a = 0; a < 3; a++) values[a] = vec3_at(p, a);
    return DEW_OK;
}

dew_result measure_solid_torque(const measurement *m, const char *name, double *values)
{
    int solid;
    double step;
    RESULT_TRY(measure_last_step(m, name, &step));
    if (!(step > 0) || !find_solid(m, &solid)) return DEW_OK;
    dew_vec3 centre = solids_stand(m->frame->solids, solid).centre;
    dew_vec3 got = solids_impulse(m->frame->solids, solid, centre).step.angular;
    for (int a = 0; a < 3; a++) values[a] = vec3_at(got, a) / step;
    return DEW_OK;
}
