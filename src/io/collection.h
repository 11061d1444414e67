/* PVD: which files belong to which time, for ParaView. */
#ifndef IO_COLLECTION_H
#define IO_COLLECTION_H

#include "base/result.h"

typedef struct collection_entry {
    double time;
    int part;
    char file[512]; /* against the folder of the collection */
} collection_entry;

typedef struct collection {
    collection_entry *entries;
    int count, capacity;
} collection;

/* Adds the entries of a file. DEW_IO, DEW_INVALID: there is none, or it is damaged. */
dew_result collection_read(const char *path, collection *c);
dew_result collection_add(collection *c, double time, int part, const char *file);
dew_result collection_write(const char *path, const collection *c);
void collection_free(collection *c);

#endif
