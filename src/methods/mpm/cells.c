/* Cells between faces. An axis that is periodic, or has liquid at both of its planes of symmetry, is a whole number of
 * cells long, four at least. Where liquid is at one plane at most the cells begin there, at the lower one if at none,
 * and the other plane lies up to a cell farther out. */
#include "methods/mpm/mpm.h"

enum { LEAST_ACROSS = 4, LOWER = 1, UPPER = 2 };

/* What may be left of a length, in cells: order among particles makes more uneven. */
#define SEAM 0.02

/* Smaller cells, in spacings, hold too few particles (calibration.md, "Smaller cells"): only who asks gets them, and
 * where no other fits as small ones as a spacing. */
#define LEAST_CELL 1.2

/* The planes of symmetry across an axis that liquid is at. */
static unsigned planes_at_liquid(const world *w, int axis)
{
    const double min = vec3_at(w->domain.min, axis), max = vec3_at(w->domain.max, axis);
    unsigned planes = 0;
    if (axis >= w->dimension || w->domain.axis[axis] != DEW_SYMMETRY) return 0;
    for (int i = 0; i < w->particles->count && planes != (LOWER | UPPER); i++) {
        const double x = (double)(&w->particles->position[i].x)[axis];
        planes |= (x < min + w->spacing ? LOWER : 0) | (x > max - w->spacing ? UPPER : 0);
    }
    return planes;
}

double mpm_parts_of_liquid(const world *w)
{
    double parts = 1;
    for (int a = 0; a < w->dimension; a++)
        if (planes_at_liquid(w, a)) parts *= 2;
    return parts;
}

static double misfit(double length, double cell)
{
    return fabs(length / cell - fmax(LEAST_ACROSS, round(length / cell)));
}

/* Of the cells, at least so wide, that go into the shortest of the lengths, the nearest to the one wanted that goes
 * into the others too; 0: there is none. */
static double cell_of_lengths(const double length[3], double shortest, double wanted, double least)
{
    double best = 0;
    for (int across = LEAST_ACROSS; shortest / across > 0.999 * least; across++) {
        const double cell = shortest / across;
        bool fits = true;
        for (int a = 0; a < 3; a++) fits = fits && (length[a] == 0 || misfit(length[a], cell) < SEAM);
        if (fits && (best == 0 || fabs(log(cell / wanted)) < fabs(log(best / wanted)))) best = cell;
    }
    return best;
}

/* Finds the cell for lengths of axes; 0: any cell fits it. */
static dew_result find_cell(mpm_state *p, const world *w, const double length[3])
{
    const double wanted = p->dx;
    double shortest = INFINITY;
    for (int a = 0; a < 3; a++)
        if (length[a] > 0) shortest = fmin(shortest, length[a]);
    if (!isfinite(shortest)) return DEW_OK;
    p->dx = cell_of_lengths(length, shortest, wanted, fmin(wanted, LEAST_CELL * w->spacing));
    if (p->dx == 0) p->dx = cell_of_lengths(length, shortest, wanted, w->spacing);
    if (p->dx > 0) return DEW_OK;
    return result_fail(DEW_INVALID,
                       "axes of %g, %g, %g m (0: neither periodic nor with liquid at both planes of symmetry) have no "
                       "cell in common: mpm's cells are cubes, at least %g m wide, and a whole number of them, %d or "
                       "more, must go into each of these lengths; let the others be multiples of the shortest",
                       length[0], length[1], length[2], w->spacing, LEAST_ACROSS);
}

dew_result mpm_fit_cells(mpm_state *p, const world *w)
{
    double length[3] = {0, 0, 0};
    p->domain = w->domain;
    for (int a = 0; a < w->dimension; a++)
        if (w->domain.axis[a] == DEW_PERIODIC || planes_at_liquid(w, a) == (LOWER | UPPER))
            length[a] = vec3_at(w->domain.max, a) - vec3_at(w->domain.min, a);
    RESULT_TRY(find_cell(p, w, length));
    for (int a = 0; a < w->dimension; a++) {
        const unsigned planes = planes_at_liquid(w, a);
        if (w->domain.axis[a] != DEW_SYMMETRY || planes == (LOWER | UPPER)) continue;
        const double min = vec3_at(w->domain.min, a), max = vec3_at(w->domain.max, a);
        const double whole = p->dx * fmax(LEAST_ACROSS, ceil((max - min) / p->dx - 1e-6));
        if (planes == UPPER)
            (&p->domain.min.x)[a] = max - whole;
        else
            (&p->domain.max.x)[a] = min + whole;
    }
    return DEW_OK;
}
