/* Weights of second order, next to air, where all pairs are on one side: a flow that bends by B has there half of the
 * third moments times B for divergence if weights are right for linear flow alone, and what obeys that resists more
 * than the liquid does. With the fit of both orders by least squares,
 *
 *     v_i - v_j = L d - Q dd,   dd the six products of two of d's components, Q's square counted by FAINT,
 *
 * the gradient is sum f N (d - K dd) (v_i - v_j), by the moments of c h f
 *
 *     S2 = sum d d^T,   S3 = sum d dd^T,   S4 = sum dd dd^T,
 *     K = S3 (S4 + FAINT)^-1,   N = (S2 - K S3^T + FAINT^2)^-1,   B = -N K.
 *
 * B counts as much as there is air around and as viscosity rules; then M is times 1 - B S3^T (fit.c), so that linear
 * flow is as exact as without. Where products cannot be told apart (a film a layer thick) FAINT leaves no B. */
#include "methods/flow/flow.h"

#include "base/matrix.h"

#include <string.h>

/* What squares count for nothing: of the fourth moments of a full kernel, 0.29 along an axis and 0.1 across. */
#define FAINT 0.01
/* |F| over that of a plane through the particle: no B up to the one, all of it from the other on. */
#define NO_AIR ((real)0.2)
#define AIR ((real)0.5)

enum { MOMENTS = 18 + 21 }; /* S3; S4, its lower half */

bool flow_has_bends(const flow_step *k) { return !k->near.wall && flow_viscous_part(k) > 0; }

static real part_of(const flow_step *k, int i)
{
    real facing = real3_length(real3_of(k->facing[i])) / (k->p->c.slope0 / 2);
    return real_min(real_max((facing - NO_AIR) / (AIR - NO_AIR), 0), 1) * flow_viscous_part(k);
}

/* (S4 + FAINT)^-1 in its Cholesky factor. */
static void factor(const real *fourth, double l[6][6])
{
    for (int n = 0, at = 0; n < 6; n++)
        for (int m = 0; m <= n; m++, at++) {
            double sum = (double)fourth[at] + (n == m ? n < 3 ? FAINT : FAINT / 2 : 0);
            for (int q = 0; q < m; q++) sum -= l[n][q] * l[m][q];
            l[n][m] = n == m ? sqrt(sum) : sum / l[m][m];
        }
}

static void solve(const double l[6][6], const real *b, double x[6])
{
    for (int n = 0; n < 6; n++) {
        x[n] = (double)b[n];
        for (int m = 0; m < n; m++) x[n] -= l[n][m] * x[m];
        x[n] /= l[n][n];
    }
    for (int n = 5; n >= 0; n--) {
        for (int m = n + 1; m < 6; m++) x[n] -= l[m][n] * x[m];
        x[n] /= l[n][n];
    }
}

/* B and B S3^T of particle i, by S2 and its other moments. */
static void find_bend(flow_step *k, int i, const real second[3][3], const real *moments, real of_third[3][3])
{
    double l[6][6], K[3][6], left[3][3], N[3][3], part = (double)part_of(k, i);
    const real *third = moments;
    factor(moments + 18, l);
    for (int p = 0; p < 3; p++) solve(l, third + 6 * p, K[p]);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            left[p][q] = (double)second[p][q] + (p == q ? FAINT * FAINT : 0);
            for (int m = 0; m < 6; m++) left[p][q] -= K[p][m] * (double)third[6 * q + m];
        }
    matrix_invert_3(left, N);
    for (int p = 0; p < 3; p++) {
        for (int q = 0; q < 3; q++) of_third[p][q] = 0;
        for (int m = 0; m < 6; m++) {
            real b = -(real)(part * (N[p][0] * K[0][m] + N[p][1] * K[1][m] + N[p][2] * K[2][m]));
            (&k->bend[m][i].x)[p] = b;
            for (int q = 0; q < 3; q++) of_third[p][q] += b * third[6 * q + m];
        }
    }
}

static void sum_moments(const flow_step *k, int block, real moments[MOMENTS][PAIR_I])
{
    vreal inv_h = vset(k->inv_h), scale = vset(k->p->c.gradient * k->h), sum[MOMENTS];
    vreal4 i = pair_i(k->x, block);
    for (int n = 0; n < MOMENTS; n++) sum[n] = vset(0);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->x, j);
        vreal f = vload_half(k->weight[3] + flow_at_pair(k, block, j));
        vreal d[3] = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h}, dd[6];
        flow_products(d, dd);
        for (int p = 0, at = 0; p < 3; p++)
            for (int m = 0; m < 6; m++, at++) sum[at] += f * d[p] * dd[m];
        for (int n = 0, at = 18; n < 6; n++)
            for (int m = 0; m <= n; m++, at++) sum[at] += f * dd[n] * dd[m];
    }
    _Alignas(64) real lanes[PAIR_I > 4 ? PAIR_I : 4];
    for (int n = 0; n < MOMENTS; n++) {
        pair_store(lanes, 0, scale * sum[n]);
        for (int lane = 0; lane < PAIR_I; lane++) moments[n][lane] = lanes[lane];
    }
}

void flow_find_bend(flow_step *k, int block, const real second[PAIR_I][3][3], real of_third[PAIR_I][3][3])
{
    real moments[MOMENTS][PAIR_I], own[MOMENTS];
    bool has_air = false;
    memset(of_third, 0, PAIR_I * sizeof *of_third);
    if (!k->bend[0]) return;
    for (int i = PAIR_I * block; i < flow_end_of(k, block); i++) has_air |= part_of(k, i) > 0;
    if (!has_air) return;
    sum_moments(k, block, moments);
    for (int lane = 0; PAIR_I * block + lane < flow_end_of(k, block); lane++) {
        if (!(part_of(k, PAIR_I * block + lane) > 0)) continue;
        for (int n = 0; n < MOMENTS; n++) own[n] = moments[n][lane];
        find_bend(k, PAIR_I * block + lane, second[lane], own, of_third[lane]);
    }
}
