#include "methods/mpm/any/deformation.h"

#include "methods/mpm/any/fluid.h"

void solid_stress(const mpm_elastic *e, const mpm_arrays *a, int i, matrix tau)
{
    matrix f, rotation;
    load_deformation(a, i, f);
    matrix_rotation((const double(*)[DIM])f, rotation);
    double strain = volume_strain(a, i), pressure = e->lambda * strain * (1 + strain);
    for (int r = 0; r < DIM; r++)
        for (int c = 0; c < DIM; c++) {
            double sum = 0;
            for (int k = 0; k < DIM; k++) sum += (f[r][k] - rotation[r][k]) * f[c][k];
            tau[r][c] = 2 * e->mu * sum + (r == c ? pressure : 0);
        }
    for (int r = 0; r < DIM; r++) /* symmetric but for rounding; exactly so, angular momentum is kept */
        for (int c = 0; c < r; c++) tau[r][c] = tau[c][r] = 0.5 * (tau[r][c] + tau[c][r]);
}

/* --- melting and freezing --- */

void change_phases(int begin, int end, void *context)
{
    const fluid *f = context;
    const mpm_arrays *a = &f->a;
    for (int i = begin; i < end; i++) {
        bool is_now = f->elastic[material_of(a, i)].mu > 0 && (!a->melted || a->melted[i] < (real)0.5);
        if (is_now == is_solid(a, i)) continue;
        matrix shape = {{0}};
        double stretch = is_now ? pow(1 + (double)a->strain[i], 1.0 / DIM) : 1;
        for (int c = 0; c < DIM; c++) shape[c][c] = stretch;
        if (!is_now) a->strain[i] = (real)volume_strain(a, i);
        store_deformation(a, i, shape);
        a->deformation[0][i].w = is_now;
    }
}
