/* The report of `dew laws`: a folder with one page, its data and its pictures. The page is report.html with the data in
 * it, from which its script draws tables and plots. The report holds nothing but what was measured, so that the same
 * measurements make the same bytes. What goes wrong with it after report_open is told on standard error and counted;
 * measuring goes on. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "base/result.h"
#include "cli/laws_runs.h"

typedef struct report report;

/* Makes the folder and an empty page, before anything is measured. The command line (argv[0]: "laws") is shown on the
 * page. DEW_IO; DEW_INVALID: the folder holds a page that is not ours. */
dew_result report_open(report **r, const char *folder, int argc, char **argv, int threads);
/* Draws the simulation for the page. */
void report_add_picture(report *r, laws_run *run, const dew_simulation *simulation, const char *caption);
/* One more of `runs` is done: writes the page, laws.json and results.jsonl anew. `of`: how many there will be. */
void report_add_run(report *r, const laws_runs *runs, int of);
/* Whether all went well. Says on standard error where the page is. */
bool report_close(report *r);

#endif
