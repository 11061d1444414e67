#include "laplacian/preconditioner.h"

#include <string.h>

#include "base/parallel.h"

/* D^-1 r of a particle. */
static inline void smooth(const preconditioner *m, int i, real *z, int width)
{
    const real *r = m->r + width * i, *inverse = m->inverse + width * i;
    for (int n = 0; n < width; n++) z[n] = inverse[n] * r[n];
    if (width == 1 || !m->mixed) return;
    real3 mixed = laplacian_mix(&m->mixed[i], (real3){r[0], r[1], r[2]});
    z[0] = mixed.x, z[1] = mixed.y, z[2] = mixed.z;
}

/* P^T r, cell by cell, and the part of D^-1 r in the balance. */
static inline void go_up(int begin, int end, const preconditioner *m, int width)
{
    const level *v = &m->grid.level[0];
    for (int c = begin; c < end; c++) {
        real share[8 * 4] = {0};
        double sum[6] = {0};
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) {
            int i = v->point[k].index;
            real weight[8], z[4] = {0};
            corner_weights(&v->point[k], weight);
            smooth(m, i, z, width);
            balance_add_particle(&m->balance, i, z, sum, width);
            for (int corner = 0; corner < 8; corner++)
                for (int n = 0; n < width; n++) share[width * corner + n] += weight[corner] * m->r[width * i + n];
        }
        memcpy(v->share + 8 * width * c, share, 8 * (size_t)width * sizeof *share);
        memcpy(m->balance.of_cell[c], sum, sizeof sum);
    }
}

/* z = D^-1 r + P x. sums: r . z. */
static inline void go_down(int begin, int end, const preconditioner *m, double *sums, int width)
{
    const level *v = &m->grid.level[0];
    for (int c = begin; c < end; c++) {
        real x[8 * 4];
        for (int corner = 0; corner < 8; corner++)
            for (int n = 0; n < width; n++) x[width * corner + n] = v->x[width * v->corner[c][corner] + n];
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) {
            int i = v->point[k].index;
            real weight[8], z[4] = {0};
            corner_weights(&v->point[k], weight);
            smooth(m, i, z, width);
            for (int corner = 0; corner < 8; corner++)
                for (int n = 0; n < width; n++) z[n] += weight[corner] * x[width * corner + n];
            for (int n = 0; n < width; n++) {
                if (!(m->inverse[width * i + n] > 0)) z[n] = 0;
                m->z[width * i + n] = z[n];
                sums[0] += (double)m->r[width * i + n] * (double)z[n];
            }
        }
    }
}

static void go_up_1(int begin, int end, void *context) { go_up(begin, end, context, 1); }
static void go_up_4(int begin, int end, void *context) { go_up(begin, end, context, 4); }
static void go_down_1(int begin, int end, void *context, double *sums) { go_down(begin, end, context, sums, 1); }
static void go_down_4(int begin, int end, void *context, double *sums) { go_down(begin, end, context, sums, 4); }

double preconditioner_apply(preconditioner *m)
{
    double product;
    bool is_number = m->grid.width == 1;
    int cells = m->grid.level[0].cells;
    parallel_for(cells, LEVEL_GRAIN, is_number ? go_up_1 : go_up_4, m);
    levels_gather(&m->grid);
    levels_cycle(&m->grid);
    balance_shift_nodes(&m->balance);
    parallel_sum(cells, 1, is_number ? go_down_1 : go_down_4, m, &product);
    return product;
}
