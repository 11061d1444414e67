/* The pieces of a physical step that are pbf's own. Order and reasons: physical.c. */
#ifndef METHODS_PBF_PHYSICAL_H
#define METHODS_PBF_PHYSICAL_H

#include "methods/pbf/pbf.h"

/* --- order.c --- */
/* Finds k->shift: towards the target of n, apart, and to an even skin. */
dew_result pbf_order(pbf_state *p, flow_step *k);

#endif
