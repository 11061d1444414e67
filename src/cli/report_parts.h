/* What the report's files share. */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include "cli/report.h"
#include "io/atomic.h"

#define REPORT_MARK "<meta name=\"generator\" content=\"dew laws\">"

struct report {
    char folder[ATOMIC_PATH - 512]; /* leaves room for the names below it */
    char *command;
    int threads, failures;
    laws_picture *orders; /* plots of error against resolution; one a law and figure, see report_order_name */
    int order_count;
};

/* Tells what went wrong on standard error. */
void report_complain(report *r);
/* The name of a plot of a run, of the plot of a figure's order: without folder and ending. */
void report_plot_name(char *name, size_t size, const laws_run *run, int plot);
void report_order_name(char *name, size_t size, const law *l, const law_target *target);
bool report_has_order(const report *r, const law *l, const law_target *target);

/* Whether a solid hides the liquid from every side, so that a picture would show nothing. */
bool report_picture_is_hidden(const dew_simulation *simulation);
/* The picture of a simulation as a PNG file. */
dew_result report_picture_write(const char *path, const dew_simulation *simulation, int threads);
/* index.html of all that has been measured. */
dew_result report_page_write(const report *r, const laws_runs *runs, int of);

#endif
