/* What `dew laws` has measured so far: one run for each law, method and resolution, kept for the order of convergence,
 * the summary and the report. */
#ifndef CLI_LAWS_RUNS_H
#define CLI_LAWS_RUNS_H

#include "laws/law.h"

#include <stdio.h>

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
    bool *has_plot; /* of results.plots: drawn in the report's folder */
} laws_run;

typedef struct laws_runs {
    laws_run *list;
    int count;
} laws_runs;

/* The new run, or NULL for want of memory. Valid until the next one is added. */
laws_run *laws_runs_add(laws_runs *runs, const law *l, const dew_method_info *method, law_resolution resolution);
void laws_runs_free(laws_runs *runs);

/* The spacing of a result's particles over the size of their liquid: particles^(-1/3). */
double laws_spacing(const law_result *result);

/* A figure and case by a method, at the resolutions at which it was measured. */
typedef struct laws_series {
    int count;
    double spacing[LAW_RESOLUTIONS], error[LAW_RESOLUTIONS], limit[LAW_RESOLUTIONS];
} laws_series;
/* Of that result's figure and case in runs [0, last]. */
laws_series laws_series_of(const laws_runs *runs, int last, const laws_run *run, const law_result *result);
/* p of |error| ~ spacing^p by least squares of the logarithms; NaN with fewer than two spacings or an error of 0. */
double laws_order(const laws_series *series);

typedef struct laws_sum {
    int measured, passed, failed_runs, absent_runs, runs;
    double cpu_seconds;
} laws_sum;
/* Of one law (NULL: all) by one method (NULL: all) at one resolution (negative: all). */
laws_sum laws_sum_of(const laws_runs *runs, const law *l, const dew_method_info *method, int resolution);
/* |error| over target: at most 1 passes; infinite for NaN, and for an error where the target is 0. */
double laws_ratio(const law_result *result);

/* "+1.9 %", "-5.7 deg", "0.0051"; "4 %". */
void laws_format_error(char *text, size_t size, const law_result *result);
void laws_format_limit(char *text, size_t size, const law_result *result);
/* The features that the method lacks for the law, by name: "2D, contact angle". */
void laws_format_lack(char *text, size_t size, const law *l, const dew_method_info *method);

/* One object a line for everything that the run measured; the orders over runs [0, its own]. */
void laws_print_json(FILE *stream, const laws_runs *runs, const laws_run *run);

#endif
