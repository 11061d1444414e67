/* Fields that only a step finds (pressure, is_surface), for a look at the very beginning: the first step is taken
 * aside. Whatever a method is, going on from a snapshot gives the same course, so going back to one leaves no trace. */
#include "base/parallel.h"
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

typedef struct copy {
    dew_snapshot_item *items;
    int count;
} copy;

static void copy_free(copy *c)
{
    for (int k = 0; c->items && k < c->count; k++) free((void *)c->items[k].name), free((void *)c->items[k].data);
    free(c->items);
}

static dew_result copy_make(copy *c, dew_simulation *s)
{
    const dew_snapshot_item *items;
    int count;
    *c = (copy){NULL, 0};
    RESULT_TRY(dew_simulation_snapshot(s, &items, &count));
    c->items = calloc((size_t)count, sizeof *c->items);
    bool is_whole = c->items;
    for (int k = 0; k < count && is_whole; k++) {
        size_t bytes = (size_t)items[k].count * snapshot_item_size(items[k].type);
        void *data = malloc(bytes + 1);
        char *name = strdup(items[k].name);
        c->items[c->count++] = (dew_snapshot_item){name, items[k].type, items[k].count, data};
        is_whole = data && name;
        if (is_whole) memcpy(data, items[k].data, bytes);
    }
    return is_whole ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory to look ahead");
}

static bool is_kept(const particles *p, int field)
{
    return field >= FIELD_CORE_COUNT && (p->info[field].flags & FIELD_OUTPUT);
}

/* What the step found, in the order of ids: at the beginning particles stand in that order. */
static dew_result keep_fields(dew_simulation *s)
{
    const particles *p = &s->particles;
    for (int f = 0; f < p->field_count; f++) {
        if (!is_kept(p, f)) continue;
        size_t size = field_size(p->info[f].type);
        char *kept = malloc((size_t)p->count * size + 1);
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
    copy before;
    dew_result result = copy_make(&before, s);
    if (result == DEW_OK) {
        dew_result kept = take_step_aside(s) ? keep_fields(s) : DEW_OK;
        void *ahead[MAX_FIELDS];
        memcpy(ahead, s->ahead, sizeof ahead);
        memset(s->ahead, 0, sizeof s->ahead); /* which going back would forget */
        result = dew_simulation_restore(s, before.items, before.count);
        memcpy(s->ahead, ahead, sizeof ahead);
        if (result == DEW_OK) result = kept;
    }
    if (result != DEW_OK) look_ahead_forget(s);
    copy_free(&before);
    return result;
}

void look_ahead_forget(dew_simulation *s)
{
    for (int f = 0; f < MAX_FIELDS; f++) {
        free(s->ahead[f]);
        s->ahead[f] = NULL;
    }
}
