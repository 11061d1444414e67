/* Plots as SVG by the program gnuplot. */
#ifndef CLI_REPORT_PLOT_H
#define CLI_REPORT_PLOT_H

#include "base/result.h"
#include "laws/law.h"

/* DEW_IO where gnuplot is missing or does not run: what to install. */
dew_result plot_check(void);
/* Whether there is anything to draw: a curve with a finite point (on logarithmic axes: a positive one). */
bool plot_has_points(const law_plot *plot, bool is_logarithmic);
/* Leaves folder/name.dat (the curves, one block each), folder/name.gp (the script) and folder/name.svg, which follows
 * the reader's light or dark colours. `name` is of letters, digits, '_' and '-'. On logarithmic axes measured curves
 * show their points. */
dew_result plot_write(const char *folder, const char *name, const law_plot *plot, bool is_logarithmic);

#endif
