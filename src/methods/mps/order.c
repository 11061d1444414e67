/* The order of particles: shifts (flow/shift.c) also push apart who are too near. */
#include "methods/mps/mps.h"

/* Pairs nearer than so many spacings part by a share of what is missing. */
#define LEAST_APART ((real)0.9)
#define APART_SHARE ((real)0.02)

dew_result mps_order(flow_step *k)
{
    flow_parting part = {LEAST_APART, APART_SHARE * k->pace * LEAST_APART * k->p->s * k->inv_h, NULL};
    RESULT_TRY(flow_begin_shift(k));
    flow_push_pairs(k, &part);
    flow_finish_shift(k, &part, k->change);
    return DEW_OK;
}
