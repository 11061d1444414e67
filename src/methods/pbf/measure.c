/* What pbf can tell of its liquid: the mesh it pulls with is its surface, its multipliers are its pressure. */
#include "methods/pbf/pbf.h"
#include "surface/area.h"

#include <string.h>

/* The mesh at the present positions, by the surface particles and normals of the last step. Nothing of the simulation
 * changes: rings and walls go to scratch memory. */
static dew_result find_mesh(pbf_state *q, world *w)
{
    pbf_arrays a = pbf_arrays_of(q, w);
    q->wall = NULL, q->wall_solid = NULL, q->near = (near_walls){0};
    ARENA_TRY(w->scratch, a.count, q->surface_list);
    RESULT_TRY(pbf_find_walls(q, w));
    q->surface_count = surface_compact(a.is_surface, a.count, q->surface_list);
    return pbf_find_rings(q, w, NULL);
}

static bool measure_mesh(const pbf_state *p, const world *w, bool wants_volume, double *value)
{
    pbf_state q = *p;
    world v = *w;
    size_t mark = arena_mark(w->scratch);
    pbf_arrays a = pbf_arrays_of(p, w);
    bool done = find_mesh(&q, &v) == DEW_OK;
    if (done) {
        rings_size size = rings_measure(&q.rings, a.x, a.normal, p->s / 2);
        bool is_closed = w->particles->end == w->particles->ghost_begin;
        for (int n = 0; is_closed && n < q.rings.count; n++) is_closed = !q.rings.gaps[n];
        *value = !wants_volume ? size.area : is_closed ? size.volume : NAN;
    }
    arena_release(w->scratch, mark);
    return done;
}

bool pbf_measure(const void *state, const world *w, const char *quantity, double *value)
{
    const pbf_state *p = state;
    /* Before the first step, of a run or of a resumed one, there is neither mesh nor list. */
    if (p->saved_dt <= 0 || !neighbours_order(w->neighbours)) return false;
    if (!strcmp(quantity, "pressure_jump")) {
        pbf_arrays a = pbf_arrays_of(p, w);
        bool is_paper = p->parameter[PBF_TENSION] > 0.5;
        *value = is_paper ? world_inner_pressure(w, a.pressure, a.is_surface) : flow_mean_pressure(&p->flow, w);
        return true;
    }
    if (!strcmp(quantity, "surface_area")) return measure_mesh(p, w, false, value);
    if (!strcmp(quantity, "own_volume")) return measure_mesh(p, w, true, value);
    return false;
}
