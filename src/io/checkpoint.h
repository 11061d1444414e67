/* What a checkpoint holds: what `dew info` shows, and the items to restore. */
#ifndef IO_CHECKPOINT_H
#define IO_CHECKPOINT_H

#include "dew/snapshot.h"

typedef struct checkpoint {
    char method[32], dew_version[32];
    double time, spacing;
    int32_t frame, particles;
    int64_t steps;
    dew_snapshot_item *items;
    int count;
} checkpoint;

dew_result checkpoint_save(const char *path, const checkpoint *c); /* dew_version is not asked for */
dew_result checkpoint_load(const char *path, checkpoint *c);
void checkpoint_free(checkpoint *c);

#endif
