/* What sph can tell of its liquid: its own pressure, and area and volume by rings of triangles around the surface
 * particles, half a spacing outside of them. */
#include "base/parallel.h"
#include "methods/sph/sph.h"
#include "surface/area.h"

#include <string.h>

/* sums: pressure inside, particles inside. */
static void add_pressure(int begin, int end, void *context, double *sums)
{
    const sph_arrays *a = context;
    for (int i = begin; i < end; i++) {
        if (a->is_surface[i]) continue;
        sums[0] += (double)a->pressure[i];
        sums[1] += 1;
    }
}

static bool measure_pressure(const sph_arrays *a, double *value)
{
    double sums[2];
    parallel_sum(a->count, 2, add_pressure, (void *)a, sums);
    *value = sums[1] > 0 ? sums[0] / sums[1] : NAN;
    return true;
}

static bool measure_mesh(const sph_state *p, const world *w, bool wants_volume, double *value)
{
    particles *store = w->particles;
    sph_arrays a = sph_arrays_of(p, w);
    size_t mark = arena_mark(w->scratch);
    int32_t *list = arena_alloc(w->scratch, ((size_t)a.count + 8) * sizeof *list);
    ring_params params = {.reach = p->support, .box = 3 * p->s, .film_check = true};
    rings r;
    particles_update_ghosts(store, p->is_surface);
    particles_update_ghosts(store, p->normal);
    bool done = list && surface_rings(&params, w->neighbours, store, a.x, a.normal, a.is_surface, list,
                                      surface_compact(a.is_surface, a.count, list), w->scratch, &r) == DEW_OK;
    if (done && wants_volume) {
        bool is_closed = store->end == store->ghost_begin;
        for (int n = 0; is_closed && n < r.count; n++) is_closed = !r.gaps[n];
        *value = is_closed ? rings_volume(&r, a.x, a.normal, p->s / 2) : NAN;
    } else if (done) {
        *value = rings_area(&r, a.x, a.normal, p->s / 2);
    }
    arena_release(w->scratch, mark);
    return done;
}

bool sph_measure(const void *state, const world *w, const char *quantity, double *value)
{
    const sph_state *p = state;
    /* Before the first step, of a run or of a resumed one, there is no list. */
    if (p->saved_started == 0 || !neighbours_order(w->neighbours)) return false;
    sph_arrays a = sph_arrays_of(p, w);
    if (!strcmp(quantity, "pressure_jump")) return measure_pressure(&a, value);
    if (!strcmp(quantity, "surface_area")) return measure_mesh(p, w, false, value);
    if (!strcmp(quantity, "volume")) return measure_mesh(p, w, true, value);
    return false;
}
