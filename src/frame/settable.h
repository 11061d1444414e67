/* The numbers of a world that may be set during a run, wherever they are, as one row: what a simulation changes and
 * keeps in checkpoints, and what a frame from files is at its time. */
#ifndef FRAME_SETTABLE_H
#define FRAME_SETTABLE_H

#include "definition/changes.h"
#include "solids/solids.h"

/* Where they are. */
typedef struct settable {
    dew_vec3 *gravity;
    dew_material_def *materials;
    int material_count;
    solids *solids;
} settable;

/* How many there are; of how many materials or solids one is, and where the first's value stands in the row (gravity
 * has three). */
int settable_count(const settable *s);
int settable_owners(const settable *s, world_property what, int *first);
void settable_read(const settable *s, double *values);
void settable_write(const settable *s, const double *values);
/* Changes values of the row. */
void settable_change(const settable *s, double *values, const change_step *change);

#endif
