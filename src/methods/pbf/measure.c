/* What pbf can tell of its liquid: in the paper's mode the mesh it pulls with is its surface. */
#include "methods/pbf/pbf.h"
#include "surface/area.h"

#include <string.h>

/* Nothing but the pressure holds up the liquid against its tension: then the virial theorem gives the mean pressure,
 * without the scatter of pressures from particle to particle (surface particles carry more than inner ones). */
static bool is_free(const pbf_state *p, const world *w)
{
    return !pbf_is_paper(p) && solids_count(w->solids) == 0 && w->particles->end == w->particles->ghost_begin;
}

/* The mesh at the present places, by the surface particles and normals of the last step. Nothing of the simulation
 * changes: rings go to scratch memory. */
static dew_result find_mesh(const pbf_state *p, world *w, rings *r, rings_size *size)
{
    pbf_state q = *p;
    pbf_arrays a = pbf_arrays_of(p, w);
    ARENA_TRY(w->scratch, a.count, q.surface_list);
    q.surface_count = surface_compact(a.is_surface, a.count, q.surface_list);
    RESULT_TRY(pbf_find_rings(&q, w, NULL));
    *r = q.rings, *size = rings_measure(r, a.x, a.normal, p->s / 2);
    return DEW_OK;
}

static bool measure_mesh(const pbf_state *p, const world *w, bool wants_volume, double *value)
{
    world v = *w;
    rings r;
    rings_size size;
    size_t mark = arena_mark(w->scratch);
    bool done = find_mesh(p, &v, &r, &size) == DEW_OK;
    if (done) {
        bool is_closed = w->particles->end == w->particles->ghost_begin;
        for (int n = 0; is_closed && n < r.count; n++) is_closed = !r.gaps[n];
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
        *value = is_free(p, w) ? flow_mean_pressure(&p->flow, w) : world_inner_pressure(w, a.pressure, a.is_surface);
        return true;
    }
    if (!pbf_is_paper(p)) return false;
    if (!strcmp(quantity, "surface_area")) return measure_mesh(p, w, false, value);
    if (!strcmp(quantity, "own_volume")) return measure_mesh(p, w, true, value);
    return false;
}
