/* Linear least squares with few unknowns. */
#ifndef MEASURE_LEAST_SQUARES_H
#define MEASURE_LEAST_SQUARES_H

#include <stdbool.h>

enum { LEAST_SQUARES_MAX = 49 };

/* Normal equations, filled row by row: start it zeroed but for `unknowns`. */
typedef struct least_squares {
    int unknowns, rows;
    double a[LEAST_SQUARES_MAX][LEAST_SQUARES_MAX + 1];
} least_squares;

/* The equation row . x = value. */
void least_squares_add(least_squares *f, const double *row, double value, double weight);
/* False when the equations do not determine the unknowns. Destroys the equations. */
bool least_squares_solve(least_squares *f, double *x);

#endif
