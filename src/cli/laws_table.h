/* How `dew laws` talks to a terminal: the table, and how far it is. */
#ifndef CLI_LAWS_TABLE_H
#define CLI_LAWS_TABLE_H

#include "cli/laws_runs.h"
#include "cli/progress.h"

typedef struct laws_table {
    bool is_coloured; /* set by laws_table_begin: standard output is a terminal that shows colours */
    int law_width, method_width;
} laws_table;

void laws_table_begin(laws_table *table, const law *const *laws, int law_count);
/* Prints all that a run measured, a line each. */
void laws_table_print(const laws_table *table, const laws_runs *runs, const laws_run *run);
/* Prints the closing line. */
void laws_table_end(const laws_table *table, const laws_runs *runs);

/* A law's progress on standard error. */
typedef struct laws_progress {
    const laws_run *run;
    int number, of; /* this run, of how many */
    double began;   /* wall clock, s */
    progress_line line;
} laws_progress;

/* Shows how far the run is; for law_settings.progress. context: the laws_progress. */
void laws_progress_show(void *context, const char *what, double part);

#endif
