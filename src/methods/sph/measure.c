/* What sph can tell of its liquid better than its particles' places: its own pressure. (Its area by rings of triangles
 * around surface particles was tried: where a void or a row of particles is taken for surface, it counts that, and next
 * to a solid of 180 degrees it has the underside, which the wetted area has again.) */
#include "methods/sph/sph.h"

#include <string.h>

bool sph_measure(const void *state, const world *w, const char *quantity, double *value)
{
    const sph_state *p = state;
    if (p->saved_started == 0 || strcmp(quantity, "pressure_jump") != 0) return false;
    sph_arrays a = sph_arrays_of(p, w);
    *value = world_inner_pressure(w, a.pressure, a.is_surface);
    return true;
}
