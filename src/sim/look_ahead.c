/* Fields that only a step finds (pressure, is_surface), for a look at the very beginning: the first step is taken
 * aside. Whatever a method is, going on from a snapshot gives the same course, so going back to one leaves no trace. */
#include "base/parallel.h"
#include "sim/drift.h"
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

static bool is_kept(const dew_simulation *s, int field)
{
    unsigned flags = s->particles.info[field].flags;
    return field >= s->scene_fields && (flags & FIELD_OUTPUT) && !(flags & FIELD_CARRIED);
}

/* What the step found, in the order of ids: at the beginning particles stand in that order. What it removed has 0. */
static dew_result keep_fields(dew_simulation *s)
{
    const particles *p = &s->particles;
    for (int f = 0; f < p->field_count; f++) {
        if (!is_kept(s, f)) continue;
        size_t size = field_size(p->info[f].type);
        char *kept = calloc((size_t)p->next_id + 1, size);
        if (!kept) return result_fail(DEW_NO_MEMORY, "no memory to look ahead");
        const char *found = p->data[f];
        for (int i = 0; i < p->count; i++) memcpy(kept + (size_t)p->id[i] * size, found + (size_t)i * size, size);
        s->ahead[f] = kept;
    }
    return DEW_OK;
}

static bool take_step_aside(dew_simulation *s)
{
    world *w = &s->w;
    drift frame = drift_of(w, s->emitter_count > 0);
    drift_leave(&frame, w); /* going back takes care of the rest */
    double dt = s->method->max_time_step ? s->method->max_time_step(s->state, w) : INFINITY;
    dt = fmin(dt, w->frame_interval);
    if (!(dt > 0)) return false;
    solids_place(w->solids, 0, dt);
    size_t mark = arena_mark(w->scratch);
    dew_result result = s->method->step(s->state, w, dt);
    arena_release(w->scratch, mark);
    return result == DEW_OK; /* if it fails, so will the run, and say why */
}

static bool is_at_the_beginning(const dew_simulation *s)
{
    const particles *p = &s->particles;
    if (s->steps > 0 || s->time > 0 || p->count == 0 || p->next_id != p->count) return false;
    for (int i = 0; i < p->count; i++)
        if (p->id[i] != i) return false;
    return true;
}

dew_result dew_simulation_look_ahead(dew_simulation *s)
{
    look_ahead_forget(s);
    if (!is_at_the_beginning(s)) return DEW_OK;
    parallel_set_threads(s->threads);
    dew_snapshot_item *before;
    int count;
    dew_result result = dew_simulation_snapshot_copy(s, &before, &count);
    if (result == DEW_OK) {
        dew_result kept = take_step_aside(s) ? keep_fields(s) : DEW_OK;
        void *ahead[MAX_FIELDS];
        memcpy(ahead, s->ahead, sizeof ahead);
        memset(s->ahead, 0, sizeof s->ahead); /* which going back would forget */
        result = dew_simulation_restore(s, before, count);
        memcpy(s->ahead, ahead, sizeof ahead);
        if (result == DEW_OK) result = kept;
    }
    if (result != DEW_OK) look_ahead_forget(s);
    free(before);
    return result;
}

void look_ahead_forget(dew_simulation *s)
{
    for (int f = 0; f < MAX_FIELDS; f++) {
        free(s->ahead[f]);
        s->ahead[f] = NULL;
    }
}
