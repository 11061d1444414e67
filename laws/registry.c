#include "law.h"

#include <string.h>

extern const law law_laplace, law_oscillation, law_parasitic, law_energy, law_hydrostatic, law_relaxation, law_momentum,
    law_conservation, law_contact_angle, law_catenoid, law_sessile, law_pendant, law_robin_heat, law_heat_kept,
    law_marangoni_drop, law_thermocapillary_film, law_stefan;

const law *const law_registry[] = {&law_laplace,        &law_oscillation,
                                   &law_parasitic,      &law_relaxation,
                                   &law_momentum,       &law_conservation,
                                   &law_contact_angle,  &law_catenoid,
                                   &law_sessile,        &law_pendant,
                                   &law_energy,         &law_hydrostatic,
                                   &law_robin_heat,     &law_heat_kept,
                                   &law_marangoni_drop, &law_thermocapillary_film,
                                   &law_stefan,         NULL};

const law *law_find(const char *name)
{
    for (int i = 0; law_registry[i]; i++)
        if (strcmp(law_registry[i]->name, name) == 0) return law_registry[i];
    return NULL;
}
