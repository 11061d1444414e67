/* Who lies on the surface: of the candidates those that see out far enough (Xing et al. 2022, section 4.1), and easier
 * who was on it, or those at the bound would come and go. */
#include "base/parallel.h"
#include "surface/surface.h"

/* Of all directions, what a surface particle sees at least: one that was not on the surface, and one that was; in the
 * plane the cone that is as wide, acos(1 - 2 x)/pi. */
static const real least_seen[2][2] = {{(real)(1.0 / 9), (real)0.08}, {(real)0.216, (real)0.183}};

typedef struct detecting {
    const surface_detection *d;
    const int32_t *tested;
    const real *seen;
} detecting;

static void look(int begin, int end, void *context)
{
    const detecting *k = context;
    const surface_detection *d = k->d;
    for (int m = begin; m < end; m++) {
        int i = k->tested[m];
        real least = least_seen[d->is_flat][d->is_surface[i] != 0];
        if (d->comes > 0 && !d->is_surface[i]) least = d->comes;
        if (d->ease) least *= d->ease[i];
        if (k->seen[m] <= least) d->is_candidate[i] = 0;
    }
}

static void keep(int begin, int end, void *context)
{
    const surface_detection *d = ((const detecting *)context)->d;
    for (int i = begin; i < end; i++) {
        if (d->is_surface[i] != d->is_candidate[i])
            d->unrest[i] = SURFACE_UNREST;
        else if (d->unrest[i] > 0)
            d->unrest[i]--;
        d->is_surface[i] = d->is_candidate[i];
    }
}

dew_result surface_detect(const surface_detection *d, const neighbours *n, const real4 *position, int count,
                          arena *memory)
{
    size_t mark = arena_mark(memory);
    ARENA_ARRAY(memory, count, int32_t, tested);
    ARENA_ARRAY(memory, count, real, seen);
    int candidates = surface_compact(d->is_candidate, count, tested);
    surface_visibility(d->is_flat, d->spacing, d->wall, n, position, tested, candidates, seen);
    detecting k = {d, tested, seen};
    parallel_for(candidates, 1024, look, &k);
    parallel_for(count, 4096, keep, &k);
    arena_release(memory, mark);
    return DEW_OK;
}
