/* Lines that a wall with two angles holds (solids/held_line.h). */
#include "methods/flow/flow.h"

dew_result flow_hold_line(flow_step *k, line_faces *faces)
{
    if (!k->near.wall || held_line_first(k->w->solids, 0, k->w->materials[0].surface_tension) < 0) return DEW_OK;
    k->held = (held_line){.solids = k->w->solids,
                          .surface_tension = k->w->materials[0].surface_tension,
                          .table = &k->p->line_table,
                          .all = k->all,
                          .lists = k->lists,
                          .hold = k->p->hold,
                          .first = k->p->change,
                          .other = k->p->lean,
                          .spacing = k->p->s,
                          .reach = k->h,
                          .dt = k->dt,
                          .normal = k->normal};
    return held_line_pull(&k->held, faces, k->w->scratch);
}
