#include "law.h"

#include <string.h>

extern const law law_oscillation, law_relaxation, law_momentum, law_contact_angle, law_catenoid, law_sessile;

const law *const law_registry[] = {&law_oscillation, &law_relaxation, &law_momentum, &law_contact_angle,
                                   &law_catenoid,    &law_sessile,    NULL};

const law *law_find(const char *name)
{
    for (int i = 0; law_registry[i]; i++)
        if (strcmp(law_registry[i]->name, name) == 0) return law_registry[i];
    return NULL;
}
