/* The reference data in the laws' folders. */
#ifndef REFERENCE_FILE_H
#define REFERENCE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of the laws' folder, found from this file's place. */
static inline FILE *open_reference(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", __FILE__);
    char *slash = strrchr(path, '/');
    size_t used = slash ? (size_t)(slash - path) + 1 : 0;
    snprintf(path + used, sizeof path - used, "../laws/%s", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        abort();
    }
    return file;
}

/* The next row of numbers (missing ones: NaN); false at the end. */
static inline bool next_row(FILE *file, double *row, int columns)
{
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        char *at = line, *end;
        int k = 0;
        for (; k < columns; k++) {
            row[k] = strtod(at, &end);
            if (end == at) break;
            at = *end == ',' ? end + 1 : end;
        }
        if (k == columns) return true;
    }
    return false;
}

#endif
