/* The physical mode: surface tension in N/m. All but the order of particles is methods/flow. */
#include "methods/pbf/physical.h"

dew_result pbf_physical_step(pbf_state *p, world *w, double dt)
{
    flow_step k;
    RESULT_TRY(flow_update_lists(w, p->flow.h, dt));
    RESULT_TRY(flow_open(&p->flow, w, dt, &k));
    RESULT_TRY(flow_begin(&k));
    RESULT_TRY(flow_force(&k));
    size_t mark = arena_mark(w->scratch);
    RESULT_TRY(flow_resist(&k));
    arena_release(w->scratch, mark);
    RESULT_TRY(flow_project(&k));
    RESULT_TRY(pbf_order(p, &k));
    flow_move(&k);
    return flow_smooth(&k);
}
