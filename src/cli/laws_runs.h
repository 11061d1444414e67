/* What `dew laws` has measured so far: one run for each law, method and resolution, kept for the order of convergence,
 * the summary and the report. */
#ifndef CLI_LAWS_RUNS_H
#define CLI_LAWS_RUNS_H

#include "base/json.h"
#include "laws/law.h"

typedef struct laws_picture {
    char file[160]; /* in the report's folder */
    char caption[160];
} laws_picture;

typedef struct laws_run {
    const law *law;
    const dew_method_info *method;
    law_resolution resolution;
    bool is_absent;     /* the method lacks a feature that the law needs */
    char *failure;      /* why the run failed; NULL: it did not. What it measured before stays */
    double cpu_seconds; /* all of it */
    law_results results;
    laws_picture *pictures;
    int picture_count;
} laws_run;

typedef struct laws_runs {
    laws_run *list; /* law by law, in these method by method */
    int count;
    bool is_fine; /* of all: at a finer spacing than the laws' own, and the liquids' filling */
    int filling;
} laws_runs;

/* The new run, or NULL for want of memory. Valid until the next one is added. */
laws_run *laws_runs_add(laws_runs *runs, const law *l, const dew_method_info *method, law_resolution resolution);
void laws_runs_free(laws_runs *runs);

/* p of |error| ~ spacing^p for a result of `run`: by least squares of the logarithms over this run and those before it,
 * of the same law, method, figure and case; the spacing is particles^(-1/3). NaN with fewer than two spacings or an
 * error of 0. */
double laws_order(const laws_runs *runs, const laws_run *run, const law_result *result);

/* "+1.9 %", "-5.7 deg", "0.0051"; "4 %". */
void laws_format_error(char *text, size_t size, const law_result *result);
void laws_format_limit(char *text, size_t size, const law_result *result);

extern const char *const laws_level_names[2]; /* "normal", "fine" */
extern const char *const laws_error_kinds[];  /* of law_error: "relative", "absolute", "degrees" */
/* A result of the run as an object; NULL: that the run measured nothing, and why. */
void laws_put_figure(json *j, const laws_runs *runs, const laws_run *run, const law_result *result);
/* One such object a line for everything that the run measured. */
void laws_print_json(FILE *stream, const laws_runs *runs, const laws_run *run);

#endif
