/* What a run's watch over itself has to say. */
#ifndef CLI_WATCHING_H
#define CLI_WATCHING_H

#include "cli/progress.h"

typedef struct watching {
    bool is_told[DEW_WATCHED];
    double time; /* what bodies did before has been told, s */
} watching;

/* What has gone beyond its limit before a run is resumed has been told by that run. */
void watching_begin(watching *w, const dew_simulation *s);
/* Warns of what has gone beyond its limit, each once; returns how many that were. */
int watching_tell(watching *w, const dew_simulation *s, const progress_line *line);
/* A line for each of what was watched: the worst, and when. */
void watching_print(const dew_simulation *s);

#endif
