/* How far a run is: a bar on a terminal, plain lines elsewhere. Written to standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "dew/simulation.h"

/* A line that is renewed: in place on a terminal, elsewhere at every tenth of the work and at least twice a minute. */
typedef struct progress_line {
    bool is_quiet, is_terminal;
    double shown; /* wall clock when last shown */
    int tenth;    /* of the work, shown */
} progress_line;

/* Whether to show it now that `part` of the work is done; a tenth counts only where `is_stage`. */
bool progress_is_due(progress_line *line, double part, bool is_stage);
/* Takes the line off the terminal, for other text. */
void progress_clear(const progress_line *line);

typedef struct progress {
    progress_line line;
    double duration;    /* s, simulated */
    double began, from; /* wall clock and simulated time when the run (or its resumption) began */
    int64_t first_step;
    double outside; /* s of wall time spent on pictures and files, not on steps */
} progress;

double wall_clock(void); /* s */
void progress_begin(progress *p, const dew_simulation *s, double duration, bool is_quiet);
/* After a step or a frame; shows itself not too often. */
void progress_update(progress *p, const dew_simulation *s, bool is_frame);
double progress_ms_per_step(const progress *p, const dew_simulation *s);
int terminal_width(void); /* of standard error, characters */
/* "12.3 ms", "2:05". */
void format_time(char *text, size_t size, double seconds);
void format_clock(char *text, size_t size, double seconds);

#endif
