/* Pictures of the report. */
#ifndef CLI_REPORT_PICTURE_H
#define CLI_REPORT_PICTURE_H

#include "dew/simulation.h"

/* Whether a solid hides the liquid from every side, so that a picture would show nothing. */
bool report_picture_is_hidden(const dew_simulation *simulation);
/* The picture of a simulation as a PNG file. */
dew_result report_picture_write(const char *path, const dew_simulation *simulation, int threads);

#endif
