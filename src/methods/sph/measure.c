/* What sph can tell of its liquid better than its particles' places: its own pressure. (Its area by rings of triangles
 * around surface particles was tried: where a void or a row of particles is taken for surface, it counts that, and next
 * to a solid of 180 degrees it has the underside, which the wetted area has again.) */
#include "base/parallel.h"
#include "methods/sph/sph.h"

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

bool sph_measure(const void *state, const world *w, const char *quantity, double *value)
{
    const sph_state *p = state;
    if (p->saved_started == 0 || strcmp(quantity, "pressure_jump") != 0) return false;
    sph_arrays a = sph_arrays_of(p, w);
    double sums[2];
    parallel_sum(a.count, 2, add_pressure, &a, sums);
    *value = sums[1] > 0 ? sums[0] / sums[1] : NAN;
    return true;
}
