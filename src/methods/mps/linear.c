/* div v that is exact for linear flow. What pairs tell, c sum f d . v_ij, is so on a lattice; where particles lie as
 * they do, a pure shear has a divergence that changes as they go past each other. To take that off, step by step, costs
 * the flow its energy: a viscosity of the order of the shear times s^2, whatever the material's. So it is not asked to
 * go. With U = sum f v_ij d^T and A = sum f d d^T the gradient of velocity that fits a linear flow whatever the
 * arrangement is L = U A^-1, and of c tr U, the part along the walls near,
 *
 *     div v += tr(T L) - c tr(T U),   T = 1 - n n^T.
 *
 * The pressure's matrix, and so G, stay what they are: forces of pairs, opposite and along the way between them. Next
 * to air that would let energy come from nothing: in sheets and splashes, whose flow is not linear, what is not asked
 * to go is not small. So it is for those whose kernel is full, and in part for those that see little air. */
#include "methods/mps/mps.h"

/* |F| over that of a plane through the particle: whole up to the one, none from the other on. */
#define FULL ((real)0.2)
#define NOT_FULL ((real)0.5)
#define BENT ((real)0.2)

typedef struct linear {
    mps_step *k;
    real *rate;
} linear;

/* The inverse, or 0s: of what has its neighbours in a plane. */
static bool invert(const real a[3][3], real least, real to[3][3])
{
    for (int n = 0; n < 3; n++)
        for (int m = 0; m < 3; m++) {
            int p = (m + 1) % 3, q = (m + 2) % 3, r = (n + 1) % 3, t = (n + 2) % 3;
            to[n][m] = a[p][r] * a[q][t] - a[p][t] * a[q][r];
        }
    real determinant = a[0][0] * to[0][0] + a[0][1] * to[1][0] + a[0][2] * to[2][0];
    if (!(determinant > least)) return false;
    for (int n = 0; n < 9; n++) to[n / 3][n % 3] /= determinant;
    return true;
}

/* tr(T L) - c tr(T U) of particle i; U and A by rows. */
static real difference(const mps_step *k, int i, const real u[3][3], const real a[3][3])
{
    real c = k->p->c.gradient * k->h, inverse[3][3], t[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sum = 0;
    if (!invert(a, (real)0.02 / (c * c * c), inverse)) return 0;
    for (int w = 0; k->near.wall && w < NEAR_WALLS && k->near.solid[NEAR_WALLS * i + w] >= 0; w++) {
        real4 m = k->near.wall[NEAR_WALLS * i + w];
        real n[3] = {m.x, m.y, m.z};
        real left[3];
        for (int p = 0; p < 3; p++) left[p] = t[p][0] * n[0] + t[p][1] * n[1] + t[p][2] * n[2];
        real square = left[0] * left[0] + left[1] * left[1] + left[2] * left[2];
        if (square < (real)0.01) continue;
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) t[p][q] -= left[p] * left[q] / square;
    }
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            real l = u[q][0] * inverse[0][p] + u[q][1] * inverse[1][p] + u[q][2] * inverse[2][p];
            sum += t[p][q] * (l - c * u[q][p]);
        }
    return sum * k->inv_h;
}

/* 1 next to a wall that is flat or bends inwards, 0 from a bend outwards on by which it seems BENT spacings farther
 * off: on a fibre pairs reach across the solid to liquid that does not flow as a part of the same. */
static real flat_part(const mps_step *k, int i)
{
    real bend = k->near.farther ? k->near.farther[NEAR_WALLS * i] / (BENT * k->p->s) : 0;
    return real_min(real_max(1 - bend, 0), 1);
}

static void add_difference(int begin, int end, void *context)
{
    const linear *m = context;
    const mps_step *k = m->k;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), o = pair_i(k->change, block);
        vreal a[9], u[9];
        for (int n = 0; n < 9; n++) a[n] = u[n] = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), v = pair_j(k->change, j);
            size_t at = mps_at_pair(k, block, j);
            vreal d[] = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h};
            vreal w[] = {o.x - v.x, o.y - v.y, o.z - v.z};
            for (int n = 0; n < 3; n++) {
                vreal f = vload_half(k->weight[n] + at);
                for (int p = 0; p < 3; p++) a[3 * p + n] += f * d[p], u[3 * p + n] += f * w[p];
            }
        }
        real A[PAIR_I][3][3], U[PAIR_I][3][3];
        _Alignas(64) real lanes[PAIR_I];
        for (int n = 0; n < 9; n++) {
            pair_store(lanes, 0, a[n]);
            for (int l = 0; l < PAIR_I; l++) A[l][n / 3][n % 3] = lanes[l];
            pair_store(lanes, 0, u[n]);
            for (int l = 0; l < PAIR_I; l++) U[l][n / 3][n % 3] = lanes[l];
        }
        for (int n = PAIR_I * block; n < mps_end_of(k, block); n++) {
            real facing = real3_length(real3_of(k->facing[n])) / (k->p->c.slope0 / 2);
            if (k->is_surface[n] || facing > NOT_FULL) continue;
            real part = real_min((NOT_FULL - facing) / (NOT_FULL - FULL), 1);
            if (near_walls_has(&k->near, n)) part *= flat_part(k, n);
            m->rate[n] += part * difference(k, n, U[n - PAIR_I * block], A[n - PAIR_I * block]);
        }
    }
}

void mps_add_linear(mps_step *k, real *rate)
{
    if (k->is_held) return;
    parallel_for(k->blocks, MPS_GRAIN, add_difference, &(linear){k, rate});
}
