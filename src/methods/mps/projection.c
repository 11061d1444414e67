/* The pressure where tension is the surface's energy: velocities without divergence, exactly. With f = w/q, d = e q,
 * w_ij = f C_ij d, C_ij = 1 + T_i + T_j,
 *
 *     (div v)_i = c sum (M_i w_ij) . (v_i - v_j) + 2 c S_i . (v_i - v_wall),    M_i = P A_i^-T + 1 - P,
 *     (G p)_i   = c sum (p_i M_i + p_j M_j) w_ij + 2 c p_i S_i,                 A_i = c h sum d w_ij^T,
 *
 * P what is left of space along the walls near. Where particles lie as they do, what pairs tell without M of a pure
 * shear has a divergence that changes as they go past each other, and to take that off step by step is a viscosity of
 * the order of the shear times s^2; next to air they tell half of what goes across the surface, and the uppermost
 * layers are sheared against each other by every wave. With M div is exact for linear flow in any arrangement. G is its
 * adjoint: a projection takes energy and gives none, and as div of a moving or turning body is 0, forces of pairs keep
 * both momenta however well what follows is solved.
 *
 * The last step's pressure acts before viscosity; how much it changes, q, follows from
 *
 *     (div dt/rho G + R L) q = -div v,
 *
 * by conjugate gradients. G hardly sees what alternates from particle to particle; the Laplacian model L, which stands
 * beside it with a small factor R, bounds that. Inside p has either sign; the surface bears suction up to gamma/s as
 * long as it holds together, or a trough's uppermost layer would leave the next one, half of each swing: p >= p_least
 * there, and div v >= 0 in place of the equation where p = p_least. Viscosity answers a push before the next step does:
 * mu times the right side comes to p beside q (Cahouet, Chabard 1988).
 *
 * Solids are filled with mirror images. Across a wall these have the particle's pressure and its mirrored velocity,
 * hence twice S, which balances one pressure exactly. Along it T makes pairs do as much as inside the liquid:
 *
 *     T = (t(z)/2) (1 - n n),    (1 + t(z)) (1 - D(z)) + integral over z' > 0 of S(|z - z'|) (1 + t(z')) = 2,
 *
 * D what the solid fills, S its slope. The sum over pairs along the wall is then that of a full kernel at every
 * distance, in G as in div, and M is near 1. Without it the weight of the layers next to a wall is not held, which no
 * pressure can mend, as it drives a flow without divergence: a pool turns over (calibration.md). Where there is a wall
 * and air M is 1: what an image stands for is not there to be fitted.
 */
#include "base/conjugate_gradient.h"
#include "laplacian/levels.h"
#include "methods/mps/mps.h"
#include "particles/ghosts.h"
#include "solids/bracing.h"

#include <string.h>

/* What may be left of a step's change of n/n0, rms. The grid leaves it otherwise in each frame of reference: with 3e-5
 * a drop that lands is 0.11 spacings elsewhere where it flies along. */
#define REST 1e-5
/* Edge of the preconditioner's cells, spacings. */
#define CELL 2.5
/* R. */
#define ROUGHNESS ((real)0.1)
/* Surface particles whose n is below the first of its target are let go nearer: spray, threads that part, liquid about
 * to meet. Below it the suction that they bear fades, and with the second there is none. */
#define LOOSE ((real)0.95)
#define LET_GO ((real)0.85)
/* Of n over its target, what is more parts by velocity: shifts do not keep up with a viscous inflow. The part of it
 * that a step as long as forces let it be ends. */
#define DENSE ((real)1.03)
#define PARTING ((real)0.1)
/* Squares of A's eigenvalues, 1 in a full kernel and 0.25 across a flat surface, that count for nothing. */
#define FAINT ((real)0.01)
/* Next to walls |F| over that of a plane through the particle: M is whole up to the one, 1 from the other on. */
#define FULL ((real)0.2)
#define NOT_FULL ((real)0.5)
enum { MOST_ITERATIONS = 400, MOST_ROUNDS = 8 };

typedef struct projection {
    mps_step *k;
    const real *from; /* the pressure of a product */
    real *change;     /* q, Pa */
    real *r, *p, *Ap, *rhs;
    real *rate;    /* div v, 1/s */
    real *norm;    /* one over the diagonal */
    real *inverse; /* the same, 0: p stays 0 */
    real *z;       /* of r, by the preconditioner */
    levels grid;
    bool is_first;
    conjugate_gradient cg;
} projection;

/* --- along walls --- */

static void find_bracing(int begin, int end, void *context)
{
    mps_step *k = context;
    const mps_state *p = k->p;
    for (int i = begin; i < end; i++) {
        if (!near_walls_has(&k->near, i) || (k->is_held && k->is_held[i])) continue;
        walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &p->crowd);
        real filled = 0;
        for (int a = 0; a < here.count; a++) filled += here.share[a] * half_space_at(p->crowd.sum, here.distance[a]);
        filled /= p->c.full;
        real wet = real_min(real_max((k->target[i] / p->c.n0 - filled) / (1 - filled), 0), 1);
        bracing_add(k->along, &k->near, i, &here, p->bracing, wet);
    }
}

static dew_result brace(mps_step *k)
{
    if (!k->near.wall) return DEW_OK;
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end, k->along[0], k->along[1], k->along[2]);
    parallel_for(k->count, 1024, find_bracing, k);
    ghosts_copy_matrices(k->all, k->along);
    return DEW_OK;
}

/* --- pairs --- */

/* C d f of each pair, and f, as both passes and every product ask for them: in 16 bits, to half the last of 11, and
 * the same from both sides of a pair but for the sign. */
static void weigh(int begin, int end, void *context)
{
    mps_step *k = context;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), none = {vset(0), vset(0), vset(0), vset(0)}, ti[3] = {none, none, none};
        for (int n = 0; n < 3 && k->near.wall; n++) ti[n] = pair_i(k->along[n], block);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal q2 = bracing_dot(d, d);
            vreal f = vselect(q2 > 0, mps_laplacian_weight(vrsqrt(q2 + (real)1e-12)), vset(0));
            if (k->near.wall) d = braced(k->along, ti, j, d);
            vreal of[] = {f * d.x, f * d.y, f * d.z, f};
            for (int n = 0; n < 4; n++) vstore_half(k->weight[n] + mps_at_pair(k, block, j), of[n]);
        }
    }
}

static dew_result weigh_pairs(mps_step *k)
{
    size_t entries = 4 * k->lists.count;
    ARENA_TRY(k->w->scratch, entries, k->weight[0], k->weight[1], k->weight[2], k->weight[3]);
    parallel_for(k->blocks, MPS_GRAIN, weigh, k);
    return DEW_OK;
}

/* --- M --- */

/* P of particle i. */
static void find_along(const mps_step *k, int i, real t[3][3])
{
    for (int n = 0; n < 9; n++) t[n / 3][n % 3] = n % 4 == 0;
    for (int w = 0; k->near.wall && w < NEAR_WALLS && k->near.solid[NEAR_WALLS * i + w] >= 0; w++) {
        real4 m = k->near.wall[NEAR_WALLS * i + w];
        real n[3] = {m.x, m.y, m.z}, left[3];
        for (int p = 0; p < 3; p++) left[p] = t[p][0] * n[0] + t[p][1] * n[1] + t[p][2] * n[2];
        real square = left[0] * left[0] + left[1] * left[1] + left[2] * left[2];
        if (square < (real)0.01) continue;
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) t[p][q] -= left[p] * left[q] / square;
    }
}

/* (1 + FAINT) a (a^T a + FAINT)^-1: the inverse of a^T, but for directions in which there is next to nothing. */
static void invert_transposed(const real a[3][3], real to[3][3])
{
    real b[3][3], c[3][3];
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
            b[p][q] = a[0][p] * a[0][q] + a[1][p] * a[1][q] + a[2][p] * a[2][q] + (p == q ? FAINT : 0);
    for (int n = 0; n < 3; n++)
        for (int m = 0; m < 3; m++) {
            int p = (m + 1) % 3, q = (m + 2) % 3, r = (n + 1) % 3, t = (n + 2) % 3;
            c[n][m] = b[p][r] * b[q][t] - b[p][t] * b[q][r];
        }
    real scale = (1 + FAINT) / (b[0][0] * c[0][0] + b[0][1] * c[1][0] + b[0][2] * c[2][0]);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) to[p][q] = scale * (a[p][0] * c[0][q] + a[p][1] * c[1][q] + a[p][2] * c[2][q]);
}

static void put_fit(mps_step *k, int i, const real a[3][3])
{
    real t[3][3], inverse[3][3];
    find_along(k, i, t);
    invert_transposed(a, inverse);
    real facing = real3_length(real3_of(k->facing[i])) / (k->p->c.slope0 / 2);
    real part = 1;
    if (near_walls_has(&k->near, i)) part = real_min(real_max((NOT_FULL - facing) / (NOT_FULL - FULL), 0), 1);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            real m = (p == q) - t[p][q];
            for (int r = 0; r < 3; r++) m += t[p][r] * inverse[r][q];
            m = part * m + (1 - part) * (p == q);
            (&k->fit[p][i].x)[q] = m;
        }
    for (int p = 0; p < 3; p++) k->fit[p][i].w = 0;
}

static void find_fit(int begin, int end, void *context)
{
    mps_step *k = context;
    vreal scale = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal a[9];
        for (int n = 0; n < 9; n++) a[n] = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            size_t at = mps_at_pair(k, block, j);
            vreal d[] = {i.x - b.x, i.y - b.y, i.z - b.z};
            for (int n = 0; n < 3; n++) {
                vreal f = vload_half(k->weight[n] + at);
                for (int p = 0; p < 3; p++) a[3 * p + n] += f * d[p];
            }
        }
        real A[PAIR_I][3][3];
        _Alignas(64) real lanes[PAIR_I];
        for (int n = 0; n < 9; n++) {
            pair_store(lanes, 0, scale * a[n]);
            for (int l = 0; l < PAIR_I; l++) A[l][n / 3][n % 3] = lanes[l];
        }
        for (int n = PAIR_I * block; n < mps_end_of(k, block); n++) put_fit(k, n, A[n - PAIR_I * block]);
    }
}

static dew_result fit(mps_step *k)
{
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, k->fit[0], k->fit[1], k->fit[2]);
    parallel_for(k->blocks, MPS_GRAIN, find_fit, k);
    ghosts_copy_matrices(k->all, k->fit);
    return DEW_OK;
}

/* --- G and div --- */

/* change = G p; w: sum f (p_i - p_j) */
static void sum_gradient(int begin, int end, void *context)
{
    const projection *m = context;
    mps_step *k = m->k;
    vreal c = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 i[3] = {pair_i(k->fit[0], block), pair_i(k->fit[1], block), pair_i(k->fit[2], block)};
        vreal p = i[0].w, sum[3] = {vset(0), vset(0), vset(0)}, rough = vset(0);
        PAIRS(k->lists, block, j)
        {
            size_t at = mps_at_pair(k, block, j);
            vreal x = vload_half(k->weight[0] + at), y = vload_half(k->weight[1] + at),
                  z = vload_half(k->weight[2] + at);
            vreal4 o[3] = {pair_j(k->fit[0], j), pair_j(k->fit[1], j), pair_j(k->fit[2], j)};
            vreal q = o[0].w;
            for (int n = 0; n < 3; n++)
                sum[n] += (p * i[n].x + q * o[n].x) * x + (p * i[n].y + q * o[n].y) * y + (p * i[n].z + q * o[n].z) * z;
            rough += vload_half(k->weight[3] + at) * (p - q);
        }
        pair_store4(k->change, block, c * sum[0], c * sum[1], c * sum[2], rough);
        for (int n = PAIR_I * block; k->near.wall && n < mps_end_of(k, block); n++)
            real4_add(&k->change[n], real3_scale(2 * k->p->c.gradient * m->from[n], real3_of(k->wall[n])));
    }
}

/* rate = div of change, solids at rest */
static void sum_divergence(int begin, int end, void *context)
{
    const projection *m = context;
    const mps_step *k = m->k;
    vreal c = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 u = pair_i(k->change, block);
        vreal U[3][3];
        for (int n = 0; n < 9; n++) U[n / 3][n % 3] = vset(0);
        PAIRS(k->lists, block, j)
        {
            size_t at = mps_at_pair(k, block, j);
            vreal4 o = pair_j(k->change, j);
            vreal v[3] = {u.x - o.x, u.y - o.y, u.z - o.z};
            for (int q = 0; q < 3; q++) {
                vreal w = vload_half(k->weight[q] + at);
                for (int p = 0; p < 3; p++) U[p][q] += w * v[p];
            }
        }
        vreal sum = vset(0);
        for (int p = 0; p < 3; p++) {
            vreal4 row = pair_i(k->fit[p], block);
            sum += row.x * U[p][0] + row.y * U[p][1] + row.z * U[p][2];
        }
        pair_store(m->rate, block, c * sum);
        for (int n = PAIR_I * block; k->near.wall && n < mps_end_of(k, block); n++)
            m->rate[n] += 2 * k->p->c.gradient * real3_dot(real3_of(k->wall[n]), real3_of(k->change[n]));
    }
}

static void put_from(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->k->fit[0][i].w = m->from[i];
}

static void find_gradient(projection *m, real *from)
{
    mps_step *k = m->k;
    m->from = from;
    ghosts_copy(k->all, FIELD_REAL, from);
    parallel_for(k->all->end, 4096, put_from, m);
    parallel_for(k->blocks, MPS_GRAIN, sum_gradient, m);
}

static void find_divergence(projection *m)
{
    particles_update_ghosts(m->k->all, m->k->p->change);
    parallel_for(m->k->blocks, MPS_GRAIN, sum_divergence, m);
}

static void take_change(int begin, int end, void *context, solid_pushes *to)
{
    const projection *m = context;
    mps_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real scale = k->dt / mps_density(k, i);
        real4_add(&k->v[i], real3_scale(scale, real3_of(k->change[i])));
        if (!near_walls_has(&k->near, i)) continue;
        real impulse = 2 * k->p->c.gradient * m->from[i] * scale * mps_mass(k, i);
        mps_push_walls(k, i, PUSH_PRESSURE, real3_scale(impulse, real3_of(k->wall[i])), to);
    }
}

/* v += dt/rho G p; solids get the opposite of theirs. */
static void push(projection *m, real *pressure)
{
    find_gradient(m, pressure);
    solids_each(m->k->w->solids, m->k->count, take_change, m);
}

dew_result mps_push_as_before(mps_step *k)
{
    RESULT_TRY(brace(k));
    RESULT_TRY(weigh_pairs(k));
    RESULT_TRY(fit(k));
    real *pressure;
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, pressure);
    memcpy(pressure, k->pressure, (size_t)k->count * sizeof *pressure);
    push(&(projection){.k = k}, pressure);
    return DEW_OK;
}

/* --- the system --- */

static void take_product(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    const mps_step *k = m->k;
    real scale = k->dt / mps_density(k, 0), rough = ROUGHNESS * k->p->c.laplacian;
    for (int i = begin; i < end; i++) {
        m->Ap[i] = m->inverse[i] > 0 ? scale * (m->rate[i] + rough * k->change[i].w) : 0;
        sums[0] += (double)(m->from[i] * m->Ap[i]);
    }
}

/* What is held to an inflow goes its way whatever presses: of div G it is no part. */
static void keep_held(int begin, int end, void *context)
{
    mps_step *k = context;
    for (int i = begin; i < end; i++)
        if (k->is_held[i]) k->change[i] = (real4){0, 0, 0, k->change[i].w};
}

static double multiply_by(projection *m, real *from)
{
    double product;
    find_gradient(m, from);
    if (m->k->is_held) parallel_for(m->k->count, 4096, keep_held, m->k);
    find_divergence(m);
    parallel_sum(m->k->count, 1, take_product, m, &product);
    return product;
}

static double multiply(void *context)
{
    projection *m = context;
    return multiply_by(m, m->p);
}

/* --- the preconditioner --- */

/* z = D^-1 r */
static void smooth(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->z[i] = m->inverse[i] * m->r[i];
}

/* What takes no part is 0. sums: r . z. */
static void finish_smoothing(int begin, int end, void *context, double *sums)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) {
        if (!(m->inverse[i] > 0)) m->z[i] = 0;
        sums[0] += (double)m->r[i] * (double)m->z[i];
    }
}

/* Of what takes no part r counts for nothing. */
static void take_rest(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->Ap[i] = m->inverse[i] > 0 ? m->r[i] : 0;
}

/* z = D^-1 r + P B P^T r: the grid is what is smooth, as in laplacian/preconditioner.h. */
static double precondition(void *context)
{
    projection *m = context;
    double product;
    parallel_for(m->k->count, 4096, smooth, m);
    parallel_for(m->k->count, 4096, take_rest, m);
    levels_sum_up(&m->grid, m->Ap, m->grid.level[0].b);
    levels_cycle(&m->grid);
    levels_hand_down(&m->grid, m->z);
    parallel_sum(m->k->count, 1, finish_smoothing, m, &product);
    return product;
}

static void put_ones(int begin, int end, void *context)
{
    const projection *m = context;
    for (int i = begin; i < end; i++) m->z[i] = m->inverse[i] > 0;
}

/* z: the energy of 1, which is had where G 1 is; Ap: of a gradient, over its square. */
static void find_stiffness(int begin, int end, void *context)
{
    const projection *m = context;
    const mps_step *k = m->k;
    real rough = ROUGHNESS * k->p->c.laplacian;
    for (int i = begin; i < end; i++) {
        bool is_part = m->inverse[i] > 0;
        real3 g = real3_of(k->change[i]);
        real scale = k->dt / mps_density(k, i);
        m->z[i] = scale * (real3_dot(g, g) + (is_part ? rough * k->change[i].w : 0));
        m->Ap[i] = is_part ? (1 + ROUGHNESS) * scale : 0;
    }
}

/* maxima: minus the least place along each axis. */
static void find_corner(int begin, int end, void *context, double *maxima)
{
    const real4 *x = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) maxima[a] = fmax(maxima[a], -(double)(&x[i].x)[a]);
}

typedef struct placing {
    const real4 *x;
    real4 *place;
    double corner[3];
} placing;

static void place_within(int begin, int end, void *context)
{
    const placing *p = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) (&p->place[i].x)[a] = (real)((double)(&p->x[i].x)[a] + p->corner[a]);
}

/* The grid goes with the liquid, from half a cell outside of it on: what it leaves of the equations is the same however
 * the liquid flies. */
static dew_result open_grid(projection *m)
{
    mps_step *k = m->k;
    const dew_domain_def *domain = &k->w->domain;
    double period[3] = {0}, cell = CELL * k->w->spacing;
    placing p = {.x = k->x, .corner = {-INFINITY, -INFINITY, -INFINITY}};
    ARENA_TRY(k->w->scratch, k->count, p.place);
    parallel_max(k->count, 3, find_corner, k->x, p.corner);
    for (int a = 0; a < 3; a++) {
        if (domain->axis[a] == DEW_PERIODIC) period[a] = (&domain->max.x)[a] - (&domain->min.x)[a], p.corner[a] = 0;
        p.corner[a] += cell / 2;
    }
    parallel_for(k->count, 4096, place_within, &p);
    return levels_open(&m->grid, k->w->scratch, 1, k->count, p.place, cell, period);
}

static void set_grid(projection *m)
{
    parallel_for(m->k->count, 4096, put_ones, m);
    find_gradient(m, m->z);
    parallel_for(m->k->count, 4096, find_stiffness, m);
    levels_set(&m->grid, m->Ap, m->z);
}

/* The diagonal: c^2 dt/rho (|M sum w + 2 S|^2 + sum |M w|^2) and R times that of L. */
static void find_norm(int begin, int end, void *context)
{
    const projection *m = context;
    mps_step *k = m->k;
    real c = k->p->c.gradient, rough = ROUGHNESS * k->p->c.laplacian, least = (real)0.3 * c * c * k->p->c.n0;
    for (int block = begin; block < end; block++) {
        vreal4 row[3] = {pair_i(k->fit[0], block), pair_i(k->fit[1], block), pair_i(k->fit[2], block)};
        vreal x = vset(0), y = vset(0), z = vset(0), square = vset(0), sum = vset(0);
        PAIRS(k->lists, block, j)
        {
            size_t at = mps_at_pair(k, block, j);
            vreal4 d = {vload_half(k->weight[0] + at), vload_half(k->weight[1] + at), vload_half(k->weight[2] + at),
                        vset(0)};
            vreal4 e = {bracing_dot(row[0], d), bracing_dot(row[1], d), bracing_dot(row[2], d), vset(0)};
            x += e.x, y += e.y, z += e.z, square += bracing_dot(e, e), sum += vload_half(k->weight[3] + at);
        }
        pair_store4(k->change, block, x, y, z, square);
        pair_store(m->norm, block, sum);
        for (int n = PAIR_I * block; n < mps_end_of(k, block); n++) {
            real3 own = real3_of(k->change[n]);
            if (k->near.wall) own = real3_madd(own, 2, real3_of(k->wall[n]));
            real all = c * c * (k->change[n].w + real3_dot(own, own)) + rough * m->norm[n];
            m->norm[n] = mps_density(k, n) / (k->dt * real_max(all, least));
        }
    }
}

static void put_velocity(int begin, int end, void *context)
{
    mps_step *k = context;
    for (int i = begin; i < end; i++) k->change[i] = real4_of(real3_of(k->v[i]), 0);
    for (int i = begin; i < end && k->is_held; i++)
        if (k->is_held[i]) k->change[i] = real4_of(world_held(k->w, i)->velocity, 0);
}

/* How much a particle at the surface may add to n. It is continuous in n, or particles that cross the bound would lose
 * all their pressure at once and start to bounce. */
static real room_of(real n, real target)
{
    real loose = LOOSE * target - n;
    return loose <= 0 ? 0 : real_min(2 * loose, target - n);
}

static void find_source(int begin, int end, void *context)
{
    projection *m = context;
    const mps_step *k = m->k;
    real unit = k->p->c.gradient * k->h / (2 * k->dt); /* div v that changes n by 1 in a step */
    real parting = PARTING * real_min(k->dt / k->calm_dt, 1);
    for (int i = begin; i < end; i++) {
        m->rhs[i] = k->wall[i].w - m->rate[i], m->change[i] = 0;
        if (k->is_surface[i] && !k->p->is_solid)
            m->rhs[i] -= unit * room_of(k->facing[i].w, k->target[i]);
        else
            m->rhs[i] += unit * parting * real_max(k->facing[i].w - DENSE * k->target[i], 0);
    }
}

/* The least pressure at the surface, Pa. */
static real least_of(const mps_step *k, int i)
{
    if (k->p->is_solid) return -(real)INFINITY;
    real whole = (k->facing[i].w / k->target[i] - LET_GO) / (LOOSE - LET_GO);
    return -(real)k->w->materials[0].surface_tension / k->p->s * real_min(real_max(whole, 0), 1);
}

/* r, and who takes part: inside all, at the surface who presses or has to. sums: r . r over the diagonal. */
static void find_rest(int begin, int end, void *context, double *sums)
{
    projection *m = context;
    const mps_step *k = m->k;
    for (int i = begin; i < end; i++) {
        m->r[i] = m->rhs[i] - (m->is_first ? 0 : m->Ap[i]);
        bool is_free = k->is_surface[i] && !(k->pressure[i] + m->change[i] > least_of(k, i)) && !(m->r[i] > 0);
        m->inverse[i] = is_free ? 0 : m->norm[i];
        sums[0] += (double)(m->r[i] * m->r[i] * m->inverse[i]);
    }
}

/* sums: how many had to leave. */
static void cut(int begin, int end, void *context, double *sums)
{
    projection *m = context;
    const mps_step *k = m->k;
    for (int i = begin; i < end; i++)
        if (k->is_surface[i] && m->change[i] < least_of(k, i) - k->pressure[i])
            m->change[i] = least_of(k, i) - k->pressure[i], sums[0] += 1;
}

static void add_pressure(int begin, int end, void *context)
{
    projection *m = context;
    mps_step *k = m->k;
    for (int i = begin; i < end; i++) {
        k->pressure[i] += m->change[i] + (real)mps_material(k, i)->viscosity * m->rhs[i];
        if (k->is_surface[i]) k->pressure[i] = real_max(k->pressure[i], least_of(k, i));
    }
}

/* Multipliers at the surface that come out negative leave, and the rest is solved anew. */
static void solve(projection *m)
{
    mps_step *k = m->k;
    const mps_constants *c = &k->p->c;
    /* REST of n0, as div v, over the diagonal of a particle inside. */
    double rest = REST * (double)(c->n0 * c->gradient * k->h / (2 * k->dt)), square, left = 1;
    double least = rest * rest * k->count * (double)(mps_density(k, 0) / (k->dt * c->gradient * c->gradient * c->n0));
    k->p->iterations = 0;
    for (int round = 0; round < MOST_ROUNDS && left > 0; round++) {
        m->is_first = round == 0;
        memcpy(m->inverse, m->norm, (size_t)k->count * sizeof *m->inverse);
        if (round > 0) multiply_by(m, m->change);
        parallel_sum(k->count, 1, find_rest, m, &square);
        if (square <= least && round > 0) break;
        if (round == 0) set_grid(m);
        k->p->iterations += conjugate_gradient_solve(&m->cg, &square, least, MOST_ITERATIONS);
        parallel_sum(k->count, 1, cut, m, &left);
    }
}

static void put_pressure(int begin, int end, void *context)
{
    mps_step *k = context;
    for (int i = begin; i < end; i++) k->x[i].w = k->pressure[i];
}

/* What is told of the pressure: the mean over a kernel of pairs' pressures, (p_i + p_j)/2. */
static void tell_pressure(int begin, int end, void *context)
{
    const projection *m = context;
    const mps_step *k = m->k;
    vreal inv_h = vset(k->inv_h);
    real *told = particles_field(k->all, k->p->pressure);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal sum = vset(0), weight = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal w = vmax(1 - vsqrt(bracing_dot(d, d)), vset(0));
            w *= w, weight += w, sum += w * (i.w + b.w);
        }
        pair_store4(k->change, block, sum, weight, vset(0), vset(0));
        for (int n = PAIR_I * block; n < mps_end_of(k, block); n++) told[n] = k->change[n].x / (2 * k->change[n].y);
    }
}

dew_result mps_project(mps_step *k)
{
    arena *memory = k->w->scratch;
    projection m = {.k = k};
    ARENA_TRY(memory, k->count, m.r, m.Ap, m.rate, m.rhs, m.norm, m.inverse);
    ARENA_TRY_ZEROED(memory, k->all->end + 4, m.change, m.p, m.z);
    m.cg = (conjugate_gradient){.count = k->count,
                                .x = m.change,
                                .r = m.r,
                                .p = m.p,
                                .Ap = m.Ap,
                                .inverse = m.inverse,
                                .multiply = multiply,
                                .z = m.z,
                                .precondition = precondition,
                                .context = &m};
    parallel_for(k->blocks, MPS_GRAIN, find_norm, &m);
    parallel_for(k->count, 4096, put_velocity, k);
    find_divergence(&m);
    parallel_for(k->count, 4096, find_source, &m);
    RESULT_TRY(open_grid(&m));
    solve(&m);
    push(&m, m.change);
    parallel_for(k->count, 4096, add_pressure, &m);
    parallel_for(k->count, 4096, put_pressure, k);
    particles_update_ghosts(k->all, FIELD_POSITION_INDEX);
    parallel_for(k->blocks, MPS_GRAIN, tell_pressure, &m);
    return DEW_OK;
}
