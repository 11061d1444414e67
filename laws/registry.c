#include "law.h"

#include <string.h>

extern const law law_laplace, law_parasitic, law_relaxation, law_contact_angle, law_sessile, law_hydrostatic,
    law_oscillation, law_catenoid, law_pendant, law_robin_heat, law_heat_kept, law_marangoni_drop,
    law_thermocapillary_film, law_stefan, law_momentum, law_conservation, law_energy, law_capillary_wave, law_honey,
    law_galilei, law_thread, law_coalescence, law_dam_break, law_pool;

const law *const law_registry[] = {
    /* statics */
    &law_laplace,
    &law_parasitic,
    &law_relaxation,
    &law_contact_angle,
    &law_sessile,
    &law_hydrostatic,
    &law_pool,
    /* waves */
    &law_oscillation,
    &law_capillary_wave,
    &law_honey,
    &law_dam_break,
    /* threads */
    &law_catenoid,
    &law_thread,
    &law_coalescence,
    /* jets */
    &law_pendant,
    /* heat */
    &law_robin_heat,
    &law_heat_kept,
    &law_marangoni_drop,
    &law_thermocapillary_film,
    &law_stefan,
    /* conservation */
    &law_momentum,
    &law_conservation,
    &law_energy,
    &law_galilei,
    NULL,
};

const law *law_find(const char *name)
{
    for (int i = 0; law_registry[i]; i++)
        if (strcmp(law_registry[i]->name, name) == 0) return law_registry[i];
    return NULL;
}
