/* What the core does for a method in the middle of a step. */
#include "methods/method.h"

dew_result world_update_neighbours(world *w, bool always)
{
    if (!always && !neighbours_is_stale(w->neighbours, w->particles)) return DEW_OK;
    RESULT_TRY(neighbours_build(w->neighbours, w->particles, &w->domain));
    if (w->method->reorder) w->method->reorder(w->state, w);
    return DEW_OK;
}
