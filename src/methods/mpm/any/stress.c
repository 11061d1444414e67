#include "methods/mpm/any/stress.h"

#include "methods/mpm/any/deformation.h"

vrow elastic_stress(const fluid *f, int i)
{
    matrix tau;
    vquad out[3] = {{0}};
    double scale = -(double)f->dt * (double)f->volume / ((double)f->mass * (double)f->dx);
    solid_stress(&f->elastic[material_of(&f->a, i)], &f->a, i, tau);
    for (int c = 0; c < DIM; c++)
        for (int r = 0; r < DIM; r++) out[c][r] = (real)(scale * tau[r][c]);
    return row_join(out[0], out[1], out[2], quad_set(0));
}
