/* All that a simulation needs to go on later to the same bytes: a list of named arrays, taken at a frame's end. Files
 * made of it are the business of dew/frames.h. */
#ifndef DEW_SNAPSHOT_H
#define DEW_SNAPSHOT_H

#include "simulation.h"

typedef enum dew_item_type {
    DEW_ITEM_FLOAT,
    DEW_ITEM_DOUBLE,
    DEW_ITEM_INT32,
    DEW_ITEM_INT64,
    DEW_ITEM_UINT8
} dew_item_type;

typedef struct dew_snapshot_item {
    const char *name; /* "clock/time", "particles/position", "method/state", ... */
    dew_item_type type;
    int64_t count;
    const void *data;
} dew_snapshot_item;

/* The items of the simulation as it stands, at a frame's end. *items belongs to the simulation, valid until it next
 * changes. */
DEW_API dew_result dew_simulation_snapshot(dew_simulation *simulation, const dew_snapshot_item **items, int *count);
/* A snapshot whose names and data are copies, so that they outlive changes of the simulation. It is one block,
 * which the caller frees; NULL where that fails. */
DEW_API dew_result dew_simulation_snapshot_copy(dew_simulation *simulation, dew_snapshot_item **items, int *count);
/* From now on dew_simulation_restore takes snapshots of a definition that differs from this one in what does not change
 * what a snapshot consists of: materials' properties, solids, parameters, gravity, but not the method, the spacing, the
 * frame rate, the number of emitters. */
DEW_API void dew_simulation_accept_changes(dew_simulation *simulation);
/* Puts a simulation, made from the same definition, where the snapshot was taken. DEW_INVALID, with the simulation as
 * it was, when an item is missing, of another type, or of another length than it must be. */
DEW_API dew_result dew_simulation_restore(dew_simulation *simulation, const dew_snapshot_item *items, int count);

#endif
