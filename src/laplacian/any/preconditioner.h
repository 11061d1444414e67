/* The two passes of a preconditioner over particles, for WIDTH numbers each. */
#include "laplacian/any/value.h"

/* D^-1 r of a particle. */
static inline VALUE ANY(smooth)(const preconditioner *m, int i, VALUE r)
{
#if WIDTH == 4
    if (m->mixed) {
        real3 z = laplacian_mix(&m->mixed[i], (real3){r[0], r[1], r[2]});
        return (vquad){z.x, z.y, z.z, 0};
    }
#endif
    return m->inverse[i] * r;
}

/* (A 1)^T D^-1 r of a particle. */
static inline SUMS ANY(balance_of)(const preconditioner *m, int i, VALUE r)
{
#if WIDTH == 4
    if (m->mixed) {
        vquad z = smooth_4(m, i, r);
        real4 a = m->balance.mixing[i].across;
        vquad across = {a.z * z[1] + a.y * z[2], a.z * z[0] + a.x * z[2], a.y * z[0] + a.x * z[1], 0};
        return value_sums_4(value_at_4(m->balance.hold, i) * z + across);
    }
#endif
    return ANY(value_sums)(ANY(value_at)(m->held, i) * r);
}

#if WIDTH == 4
/* What D^-1 r has in the balance of angular momentum, of a cell. */
static void add_spin(const preconditioner *m, int cell)
{
    const level *v = &m->grid.level[0];
    const turning *t = &m->turning;
    const body_turning *body = &t->body[m->grid.body[cell]];
    double *sum = t->of_cell[cell];
    sum[0] = sum[1] = sum[2] = 0;
    for (int k = v->begin[cell]; k < v->begin[cell + 1] && body->is_there; k++) {
        int i = v->point[k].index;
        vquad z = m->inverse[i] * value_at_4(m->balance.hold, i) * value_at_4(m->r, i);
        real3 spin = turning_spin(t, body, i, (real3){z[0], z[1], z[2]});
        sum[0] += (double)spin.x, sum[1] += (double)spin.y, sum[2] += (double)spin.z;
    }
}
#endif

/* P^T r, cell by cell, and what D^-1 r has in the balance. */
static void ANY(go_up)(int begin, int end, void *context)
{
    const preconditioner *m = context;
    const level *v = &m->grid.level[0];
    for (int c = begin; c < end; c++) {
        VALUE share[8] = {0};
        SUMS sum = {0};
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) {
            int i = v->point[k].index;
            real weight[8];
            corner_weights(&v->point[k], weight);
            VALUE r = ANY(value_at)(m->r, i);
            sum += ANY(balance_of)(m, i, r);
            for (int corner = 0; corner < 8; corner++) share[corner] += weight[corner] * r;
        }
        for (int corner = 0; corner < 8; corner++) ANY(value_put)(v->share, 8 * c + corner, share[corner]);
        __builtin_memcpy(m->balance.of_cell[c], &sum, sizeof sum);
#if WIDTH == 4
        if (m->turning.body) add_spin(m, c);
#endif
    }
}

/* z = D^-1 r + P x. sums: r . z. */
static void ANY(go_down)(int begin, int end, void *context, double *sums)
{
    const preconditioner *m = context;
    const level *v = &m->grid.level[0];
    for (int c = begin; c < end; c++) {
        VALUE x[8], all = {0};
        for (int corner = 0; corner < 8; corner++) x[corner] = ANY(value_at)(v->x, v->corner[c][corner]);
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) {
            int i = v->point[k].index;
            real weight[8];
            corner_weights(&v->point[k], weight);
            VALUE r = ANY(value_at)(m->r, i), z = ANY(smooth)(m, i, r);
            for (int corner = 0; corner < 8; corner++) z += weight[corner] * x[corner];
            if (!(m->inverse[i] > 0)) z = (VALUE){0};
            ANY(value_put)(m->z, i, z);
            all += r * z;
        }
        sums[0] += (double)ANY(value_sum)(all);
    }
}
