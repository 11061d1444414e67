/* The physical mode: surface tension in N/m, by methods/flow. Of the paper's constraints on positions it has those of
 * distance (section 4.3), and even skins. */
#include "methods/pbf/pbf.h"

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
    RESULT_TRY(flow_begin_shift(&k));
    flow_find_shift(&k, &(flow_parting){.reach = (real)p->parameter[PBF_PUSH_DISTANCE],
                                        .share = (real)p->parameter[PBF_PUSH],
                                        .even = (real)p->parameter[PBF_LLOYD]});
    RESULT_TRY(flow_move(&k));
    RESULT_TRY(flow_smooth(&k));
    return flow_turn_around_bodies(&k), DEW_OK;
}
