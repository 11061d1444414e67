/* Something dissolved in the liquid, such as soap or alcohol: the field "concentration" (kg/m3) of the particles, that
 * methods spread and let leave through the free surface. */
#ifndef HEAT_SOLUTE_H
#define HEAT_SOLUTE_H

#include "heat/heat.h"

typedef struct solute solute;
extern const field_info solute_field;

/* *q is NULL, and nothing is added to the particles, where the definition has no solute. */
dew_result solute_create(solute **q, const dew_simulation_def *def, particles *p);
void solute_destroy(solute *q); /* accepts NULL */

/* The particles' concentrations, kg/m3. */
real *solute_concentrations(const solute *q, const particles *p);

/* Gives the particles from slot `begin` on the concentration of `liquid` (NULL: `concentration`, kg/m3). DEW_INVALID
 * where an expression gives none. */
dew_result solute_begin(const solute *q, particles *p, int begin, const dew_liquid_def *liquid, double concentration);

#endif
