/* The folder of a run: whose it is, what is in it, and that one run at a time writes there. */
#ifndef CLI_RUN_FOLDER_H
#define CLI_RUN_FOLDER_H

#include "cli/run.h"

#include <stdbool.h>

/* The path of a file of the run, valid until the next call. */
const char *run_folder_file(const run_request *q, const char *file);
bool run_folder_has(const run_request *q, const char *file);

/* Makes the folder, or sees that it is a run's that may be gone on with or replaced, and takes it for this run alone:
 * *lock is for `run_folder_release`, whatever is returned. A status, and what is wrong is said. */
int run_folder_claim(const run_request *q, int *lock);
void run_folder_release(int lock);
/* Removes what a run that was killed has left half written; its video is ended by a program that lives a little
 * longer. */
void run_folder_tidy(const run_request *q);

#endif
