/* Files that are whole or not there: written under a temporary name beside their place, synced, then renamed over it.
 * Whatever goes wrong, the file that was there before stays. */
#ifndef IO_ATOMIC_H
#define IO_ATOMIC_H

#include "base/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { ATOMIC_PATH = 4096 };

typedef struct atomic_file {
    char path[ATOMIC_PATH], temporary[ATOMIC_PATH];
    FILE *stream; /* NULL where another library writes the temporary file */
    int error;    /* errno of the first write that failed */
} atomic_file;

/* Chooses the temporary name and makes an empty file of that name, so that a folder that cannot be written is found out
 * here. For libraries that open files themselves. */
dew_result atomic_begin(atomic_file *file, const char *path);
/* As atomic_begin, and opens the stream to write to. */
dew_result atomic_open(atomic_file *file, const char *path);
/* Write to the stream; errors stay with the file and come out at the commit. */
void atomic_write(atomic_file *file, const void *data, size_t bytes);
__attribute__((format(printf, 2, 3))) void atomic_print(atomic_file *file, const char *format, ...);
/* Syncs and renames; on failure removes the temporary file. Either way the file is done with. */
dew_result atomic_commit(atomic_file *file);
/* Drops the temporary file, keeps errno. Accepts a file never begun (all zero). */
void atomic_abandon(atomic_file *file);
/* Whether a file's name is one of the temporary ones: left by a process that was killed. */
bool atomic_is_temporary(const char *name);

/* DEW_IO: what could not be done with the file, why (an errno) and what to do about it. */
dew_result io_failure(const char *doing, const char *path, int error);
/* Makes a folder and those above it, where they are not there. */
dew_result io_make_folder(const char *path);
/* A path of names (printf); what is too long for any file is cut off. */
typedef struct io_path {
    char text[ATOMIC_PATH + 1024];
} io_path;
__attribute__((format(printf, 1, 2))) io_path io_path_of(const char *format, ...);
/* Makes a file of these bytes. */
dew_result io_write_file(const char *path, const void *data, size_t bytes);
/* The whole of a file, with a zero behind it; the caller frees *data. */
dew_result io_read_file(const char *path, char **data, size_t *size);

#endif
