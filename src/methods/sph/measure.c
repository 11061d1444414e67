/* What sph can tell of its liquid. */
#include "base/parallel.h"
#include "methods/sph/sph.h"

#include <string.h>

/* sums: pressure inside, particles inside, sum of |S| H. */
static void add_up(int begin, int end, void *context, double *sums)
{
    const sph_arrays *a = context;
    for (int i = begin; i < end; i++) {
        sums[2] += (double)a->normal[i].w;
        if (a->is_surface[i]) continue;
        sums[0] += (double)a->pressure[i];
        sums[1] += 1;
    }
}

bool sph_measure(const void *state, const world *w, const char *quantity, double *value)
{
    const sph_state *p = state;
    bool wants_pressure = !strcmp(quantity, "pressure_jump"), wants_area = !strcmp(quantity, "surface_area");
    if (p->saved_started == 0 || (!wants_pressure && !wants_area)) return false;
    sph_arrays a = sph_arrays_of(p, w);
    double sums[3];
    parallel_sum(a.count, 3, add_up, &a, sums);
    /* The integral of |S| over the liquid is half of that across the surface, which is its area. */
    double volume = pow(w->spacing, 3);
    *value = wants_area ? 2 * volume * sums[2] / (double)p->support : sums[1] > 0 ? sums[0] / sums[1] : NAN;
    return true;
}
