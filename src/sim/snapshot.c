/* All that decides how a simulation goes on, as named arrays, and the way back. */
#include "dew/snapshot.h"

#include "base/number.h"
#include "base/parallel.h"
#include "sim/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dew_item_type item_type(field_type type)
{
    if (type == FIELD_INT32) return DEW_ITEM_INT32;
    if (type == FIELD_UINT8) return DEW_ITEM_UINT8;
    return sizeof(real) == sizeof(float) ? DEW_ITEM_FLOAT : DEW_ITEM_DOUBLE;
}

/* Items of the method's state are named by it, within "method/". */
typedef struct state_visit {
    state_array_fcn *visit;
    void *context;
} state_visit;

static void visit_array(void *context, const char *name, dew_item_type type, int64_t count, void *data)
{
    const state_visit *v = context;
    char whole[64];
    snprintf(whole, sizeof whole, "method/%s", name);
    v->visit(v->context, whole, type, count, data);
}

/* Every item is written down once, here, as a place in the simulation; saving points at it, restoring copies to it. */
static void visit_items(dew_simulation *s, state_array_fcn *visit, void *context)
{
    particles *p = &s->particles;
    visit(context, "definition/fingerprint", DEW_ITEM_INT64, 1, &s->fingerprint);
    visit(context, "clock/time", DEW_ITEM_DOUBLE, 1, &s->time);
    visit(context, "clock/time_step", DEW_ITEM_DOUBLE, 1, &s->time_step);
    visit(context, "clock/frame_and_steps", DEW_ITEM_INT64, 2, s->clock);
    visit(context, "particles/next_id", DEW_ITEM_INT32, 1, &p->next_id);
    for (int e = 0; e < s->emitter_count; e++) {
        char name[64];
        snprintf(name, sizeof name, "emitters/%d/travel", e);
        visit(context, name, DEW_ITEM_DOUBLE, 1, &s->emitters[e].travel);
        snprintf(name, sizeof name, "emitters/%d/layers", e);
        visit(context, name, DEW_ITEM_INT64, 1, &s->emitters[e].layers);
        snprintf(name, sizeof name, "emitters/%d/held", e);
        visit(context, name, DEW_ITEM_INT32, EMITTER_MOST_HELD, s->emitters[e].held);
    }
    for (int k = 0, count; k < solids_count(s->w.solids); k++) {
        char name[64];
        double *state = solids_state(s->w.solids, k, &count);
        snprintf(name, sizeof name, "solids/%d/body", k);
        if (state) visit(context, name, DEW_ITEM_DOUBLE, count, state);
    }
    visit(context, "watch", DEW_ITEM_DOUBLE, WATCH_VALUES, &s->watch.record);
    if (!s->is_changed) visit(context, "world/properties", DEW_ITEM_DOUBLE, s->property_count, s->properties);
    if (s->method->visit) s->method->visit(s->state, visit_array, &(state_visit){visit, context});
    for (int f = 0; f < p->field_count; f++) {
        const field_info *info = &p->info[f];
        if (f >= FIELD_CORE_COUNT && !(info->flags & FIELD_RESTART)) continue;
        char name[64];
        snprintf(name, sizeof name, "particles/%s", info->name);
        visit(context, name, item_type(info->type), (int64_t)p->count * (info->type == FIELD_REAL4 ? 4 : 1),
              p->data[f]);
    }
}

static void count_item(void *context, const char *name, dew_item_type type, int64_t count, void *data)
{
    (void)name, (void)type, (void)count, (void)data;
    ++*(int *)context;
}

typedef struct writing {
    dew_simulation *s;
    int count;
} writing;

static void write_item(void *context, const char *name, dew_item_type type, int64_t count, void *data)
{
    writing *w = context;
    char *kept = w->s->item_names[w->count];
    snprintf(kept, sizeof *w->s->item_names, "%s", name);
    w->s->items[w->count++] = (dew_snapshot_item){kept, type, count, data};
}

dew_result dew_simulation_snapshot(dew_simulation *s, const dew_snapshot_item **items, int *count)
{
    if (!s->is_canonical) {
        return result_fail(DEW_INVALID, "a snapshot can be taken at a frame's end only; the time is %g s, in frame %d",
                           s->time, s->frame + 1);
    }
    int needed = 0;
    s->is_changed = false;
    visit_items(s, count_item, &needed);
    if (needed > s->item_capacity) {
        free(s->items);
        free(s->item_names);
        s->items = calloc((size_t)needed, sizeof *s->items);
        s->item_names = calloc((size_t)needed, sizeof *s->item_names);
        s->item_capacity = s->items && s->item_names ? needed : 0;
        if (s->item_capacity == 0) return result_fail(DEW_NO_MEMORY, "no memory for a snapshot");
    }
    s->clock[0] = s->frame, s->clock[1] = s->steps;
    writing w = {s, 0};
    visit_items(s, write_item, &w);
    *items = s->items, *count = w.count;
    return DEW_OK;
}

dew_result dew_simulation_snapshot_copy(dew_simulation *s, dew_snapshot_item **copies, int *count)
{
    const dew_snapshot_item *items;
    *copies = NULL;
    RESULT_TRY(dew_simulation_snapshot(s, &items, count));
    size_t total = (size_t)*count * sizeof *items;
    for (int i = 0; i < *count; i++)
        total += (size_t)items[i].count * number_size(items[i].type) + strlen(items[i].name) + 1 + 8;
    dew_snapshot_item *to = malloc(total + 1);
    if (!to) return result_fail(DEW_NO_MEMORY, "no memory for a copy of all that the simulation holds");
    char *at = (char *)(to + *count);
    for (int i = 0; i < *count; i++) {
        size_t bytes = (size_t)items[i].count * number_size(items[i].type);
        to[i] = items[i], to[i].data = at;
        if (bytes) memcpy(at, items[i].data, bytes);
        at += bytes, to[i].name = at;
        at += strlen(strcpy(at, items[i].name)) + 1;
        at += -(uintptr_t)at % 8; /* numbers are aligned */
    }
    *copies = to;
    return DEW_OK;
}

/* --- the way back --- */

typedef struct reading {
    const dew_snapshot_item *items;
    int count;
    int64_t old_particles, new_particles;
    bool is_any_length; /* the method's arrays take these lengths, in its order */
    int64_t lengths[MOST_STATE_ARRAYS];
    int length_count;
    dew_result result;
} reading;

static const dew_snapshot_item *find(const reading *r, const char *name)
{
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->items[i].name, name) == 0) return &r->items[i];
    }
    return NULL;
}

static bool is_per_particle(const char *name)
{
    return strncmp(name, "particles/", 10) == 0 && strcmp(name, "particles/next_id") != 0;
}

static void check_item(void *context, const char *name, dew_item_type type, int64_t count, void *data)
{
    (void)data;
    reading *r = context;
    if (r->result != DEW_OK) return;
    const dew_snapshot_item *item = find(r, name);
    if (!item) {
        r->result = result_fail(DEW_INVALID, "the snapshot lacks \"%s\", which this simulation needs", name);
        return;
    }
    if (is_per_particle(name)) {
        /* Reals and bytes by the particle; records come in fours. */
        count = r->old_particles > 0 ? count / r->old_particles * r->new_particles
                : (item->count % 4 == 0 && item->count == 4 * r->new_particles) ? item->count
                                                                                : r->new_particles;
    }
    if (r->is_any_length && strncmp(name, "method/", 7) == 0 && r->length_count < MOST_STATE_ARRAYS)
        count = r->lengths[r->length_count++] = item->count;
    if (item->type != type) {
        r->result = result_fail(DEW_INVALID, "\"%s\" in the snapshot is of type %s; this build of dew needs %s", name,
                                number_names[item->type], number_names[type]);
    } else if (item->count != count) {
        r->result = result_fail(DEW_INVALID, "\"%s\" in the snapshot has %lld values; there must be %lld", name,
                                (long long)item->count, (long long)count);
    }
}

static void read_item(void *context, const char *name, dew_item_type type, int64_t count, void *data)
{
    const dew_snapshot_item *item = find(context, name);
    if (count > 0) memcpy(data, item->data, (size_t)count * number_size(type));
}

static dew_result check_materials(const dew_simulation *s, const reading *r)
{
    const dew_snapshot_item *item = find(r, "particles/material");
    const uint8_t *which = item->data;
    for (int64_t i = 0; i < item->count; i++) {
        if (which[i] < s->w.material_count) continue;
        return result_fail(DEW_INVALID, "particles in the snapshot are of material %d; this simulation has %d",
                           which[i], s->w.material_count);
    }
    return DEW_OK;
}

/* Frames are numbered by time: with another frame rate the next would lie in the past, or far ahead. */
static dew_result check_frame_rate(const dew_simulation *s, const reading *r)
{
    double time = *(const double *)find(r, "clock/time")->data;
    int64_t frame = *(const int64_t *)find(r, "clock/frame_and_steps")->data;
    if (fabs(time * s->frame_rate - (double)frame) < 1e-3) return DEW_OK;
    return result_fail(DEW_INVALID,
                       "frame %d of the snapshot is at %g s, so its frame_rate is %g; this simulation has a frame_rate "
                       "of %g, which cannot change on the way",
                       (int)frame, time, (double)frame / time, s->frame_rate);
}

/* Checks that every item is there, of its type and its length; arrays of the method's that may be of any length get
 * that of the snapshot's. Nothing else is touched. */
static dew_result check_items(dew_simulation *s, reading *r)
{
    r->is_any_length = s->method->resize != NULL;
    visit_items(s, check_item, r);
    RESULT_TRY(r->result);
    RESULT_TRY(check_materials(s, r));
    RESULT_TRY(check_frame_rate(s, r));
    if (!r->is_any_length) return DEW_OK;
    RESULT_TRY(s->method->resize(s->state, r->lengths));
    r->is_any_length = false;
    visit_items(s, check_item, r);
    return r->result;
}

void dew_simulation_accept_changes(dew_simulation *s) { s->accepts_changes = true; }

dew_result dew_simulation_restore(dew_simulation *s, const dew_snapshot_item *items, int count)
{
    parallel_set_threads(s->threads);
    reading r = {.items = items, .count = count, .old_particles = s->particles.count, .result = DEW_OK};
    const dew_snapshot_item *id = find(&r, "particles/id"), *mark = find(&r, "definition/fingerprint");
    if (!id || !mark || mark->count != 1 || mark->type != DEW_ITEM_INT64) {
        return result_fail(DEW_INVALID, "the snapshot lacks \"%s\"", id ? "definition/fingerprint" : "particles/id");
    }
    uint64_t fingerprint = s->fingerprint;
    s->is_changed = memcmp(mark->data, &fingerprint, sizeof fingerprint) != 0;
    if (s->is_changed && !s->accepts_changes) {
        return result_fail(DEW_INVALID, "the snapshot is of another scene, or of the same one with other parameters");
    }
    r.new_particles = id->count;
    RESULT_TRY(check_items(s, &r));
    RESULT_TRY(particles_resize(&s->particles, (int)id->count));
    look_ahead_forget(s);
    visit_items(s, read_item, &r);
    s->fingerprint = fingerprint;
    s->frame = (int)s->clock[0], s->steps = s->clock[1];
    s->w.time = s->time, s->watch.is_peeked = false;
    solids_place(s->w.solids, s->time, s->time);
    solids_forget_impulses(s->w.solids, s->time);
    neighbours_invalidate(s->w.neighbours);
    s->is_canonical = true;
    changes_resume(s);
    properties_apply(s);
    /* What the method then computed anew is what it was at this time, where that is in the snapshot. */
    if (!s->is_changed && s->method->visit) s->method->visit(s->state, visit_array, &(state_visit){read_item, &r});
    return DEW_OK;
}
