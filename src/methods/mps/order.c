/* The order of particles: shifts (flow/shift.c) also push apart who are too near. */
#include "methods/mps/mps.h"

/* Pairs nearer than so many spacings part by a share of what is missing. */
#define LEAST_APART ((real)0.9)
#define APART_SHARE ((real)0.02)

dew_result mps_order(flow_step *k)
{
    RESULT_TRY(flow_begin_shift(k));
    flow_push_pairs(k, LEAST_APART, APART_SHARE);
    flow_finish_shift(k, k->change);
    return DEW_OK;
}
