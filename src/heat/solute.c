#include "heat/solute.h"

#include <stdlib.h>

struct solute {
    int concentration; /* field */
};

const field_info solute_field = {
    "concentration", "kg/m3", "mass of what is dissolved in a volume of liquid",
    FIELD_REAL,      1,       FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST | FIELD_OF_SOLUTE};

dew_result solute_create(solute **q, const dew_simulation_def *def, particles *p)
{
    *q = NULL;
    if (!def->has_solute) return DEW_OK;
    *q = calloc(1, sizeof **q);
    if (!*q) return result_fail(DEW_NO_MEMORY, "no memory for what is dissolved");
    return particles_add_field(p, &solute_field, &(*q)->concentration);
}

void solute_destroy(solute *q) { free(q); }

real *solute_concentrations(const solute *q, const particles *p) { return particles_field(p, q->concentration); }

dew_result solute_begin(const solute *q, particles *p, int begin, const dew_liquid_def *liquid, double concentration)
{
    real *c = solute_concentrations(q, p);
    if (liquid && liquid->concentration_of.evaluate)
        return heat_fill(liquid->concentration_of, p, begin, c, "concentration", "kg/m3");
    for (int i = begin; i < p->count; i++) c[i] = (real)(liquid ? liquid->concentration : concentration);
    return DEW_OK;
}
