/* Weights a_ij of pairs, for which div (projection.c) is exact for linear flow, with walls and air near, and next to
 * air for flow of second order, too:
 *
 *     a_ij = M_i w_ij + V_ij + f B_i dd,   w_ij = f d + W_ij,   f = w/q, d = e q,
 *     M_i = (1 - B_i S3^T) (P A_i^-T + 1 - P),   A_i = c h sum d w_ij^T,   S_i = -sum V_ij,
 *
 * P what is left of space along the walls near, B and S3 as bend.c has them, W and V of images (mirrors.h), which
 * solids are full of: sums over pairs along a wall and across it are those of a full kernel in every layer, and a
 * particle has as many images as neighbours, so that air has none and pressure does no work where a drop is stretched
 * along what it lies on. Where there is a wall and air M is 1, as with M that is exact there drops are drawn about by
 * their noise (mps/calibration.md, "Images as pairs"). S is what V is on planes; where a solid bends S has the normal
 * of the particle, V the mean of both. What has no images (mirrors.c) adds to S alone, as if it moved as the particle's
 * own image. */
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

/* Squares of A's eigenvalues, 1 in a full kernel and 0.25 across a flat surface, that count for nothing. */
#define FAINT ((real)0.01)

/* --- pairs --- */

/* w_ij of each pair, V in the room of a_ji, and f, in 16 bits, to half the last of 11, and the same from both sides of
 * a pair but for the sign. */
static void weigh(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal slope[NEAR_WALLS] = {vset(0), vset(0), vset(0)};
        block_mirrors faces = mirrors_of_block(&k->mirrors, block);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal4 d = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h, vset(0)};
            vreal f;
            pair_images w = flow_weigh_pair(k, &faces, j, d, &f, slope);
            size_t at = flow_at_pair(k, block, j);
            vreal of[] = {w.along.x, w.along.y, w.along.z, f}, across[] = {w.across.x, w.across.y, w.across.z};
            for (int n = 0; n < 4; n++) vstore_half(k->weight[n] + at, of[n]);
            for (int n = 0; n < 3 && k->near.wall; n++) vstore_half(k->other[n] + at, across[n]);
        }
        flow_add_image_slopes(k, block, faces.count, slope);
    }
}

static dew_result weigh_pairs(flow_step *k)
{
    size_t entries = 4 * k->lists.count;
    ARENA_TRY(k->w->scratch, entries, k->weight[0], k->weight[1], k->weight[2], k->weight[3]);
    ARENA_TRY(k->w->scratch, entries, k->other[0], k->other[1], k->other[2]);
    parallel_for(k->blocks, FLOW_GRAIN, weigh, k);
    return DEW_OK;
}

/* --- M --- */

/* P of particle i. */
static void find_along(const flow_step *k, int i, real t[3][3])
{
    for (int n = 0; n < 9; n++) t[n / 3][n % 3] = n % 4 == 0;
    for (int w = 0; k->near.wall && w < NEAR_WALLS && k->near.solid[NEAR_WALLS * i + w] >= 0; w++) {
        real4 m = k->near.wall[NEAR_WALLS * i + w];
        real n[3] = {m.x, m.y, m.z}, left[3];
        for (int p = 0; p < 3; p++) left[p] = t[p][0] * n[0] + t[p][1] * n[1] + t[p][2] * n[2];
        real square = left[0] * left[0] + left[1] * left[1] + left[2] * left[2];
        if (square < (real)0.01) continue;
        square /= near_walls_wet(&k->near, NEAR_WALLS * i + w);
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

static void put_fit(flow_step *k, int i, const real a[3][3], const real of_third[3][3])
{
    real t[3][3], inverse[3][3], fit[3][3];
    find_along(k, i, t);
    invert_transposed(a, inverse);
    real part = 1 - flow_touch(k, i) * (1 - flow_inside(k, i));
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            real m = (p == q) - t[p][q];
            for (int r = 0; r < 3; r++) m += t[p][r] * inverse[r][q];
            fit[p][q] = part * m + (1 - part) * (p == q);
        }
    const real n[3] = {k->normal[i].x, k->normal[i].y, k->normal[i].z};
    for (int q = 0; q < 3; q++)
        (&k->across[i].x)[q] = n[0] * inverse[0][q] + n[1] * inverse[1][q] + n[2] * inverse[2][q];
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            real m = fit[p][q];
            for (int r = 0; r < 3; r++) m -= of_third[p][r] * fit[r][q];
            (&k->fit[p][i].x)[q] = m;
        }
}

static void find_fit(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal scale = vset(k->p->c.gradient);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal a[9];
        for (int n = 0; n < 9; n++) a[n] = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            size_t at = flow_at_pair(k, block, j);
            vreal d[] = {i.x - b.x, i.y - b.y, i.z - b.z};
            for (int n = 0; n < 3; n++) {
                vreal f = vload_half(k->weight[n] + at);
                for (int p = 0; p < 3; p++) a[3 * p + n] += f * d[p];
            }
        }
        real A[PAIR_I][3][3], of_third[PAIR_I][3][3];
        _Alignas(64) real lanes[PAIR_I];
        for (int n = 0; n < 9; n++) {
            pair_store(lanes, 0, scale * a[n]);
            for (int l = 0; l < PAIR_I; l++) A[l][n / 3][n % 3] = lanes[l];
        }
        flow_find_bend(k, block, A, of_third);
        for (int lane = 0; PAIR_I * block + lane < flow_end_of(k, block); lane++)
            put_fit(k, PAIR_I * block + lane, A[lane], of_third[lane]);
    }
}

static dew_result find_fits(flow_step *k)
{
    ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, k->fit[0], k->fit[1], k->fit[2]);
    ARENA_TRY(k->w->scratch, k->count, k->across);
    if (flow_has_bends(k)) {
        ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, k->bend[0], k->bend[1], k->bend[2]);
        ARENA_TRY_ZEROED(k->w->scratch, k->all->end + 4, k->bend[3], k->bend[4], k->bend[5]);
    }
    parallel_for(k->blocks, FLOW_GRAIN, find_fit, k);
    ghosts_copy_matrices(k->all, k->fit);
    if (k->bend[0]) ghosts_copy_bends(k->all, k->bend);
    return DEW_OK;
}

/* What an emitter holds goes its way whatever presses: it has no equation, and no pressure but that of the particle
 * that it meets, which has both sides of the pair. */
static inline void meet_piston(const flow_step *k, int block, pair_cursor j, vreal *own, vreal *other)
{
    vreal one = vset(1), hi = pair_i1(k->piston, block), hj = pair_j1(k->piston, j);
    for (int n = 0; n < 3; n++) {
        vreal mine = own[n], its = other[n];
        own[n] = (one - hi) * (mine + hj * its), other[n] = (one - hj) * (its + hi * mine);
    }
    uint16_t *rough = k->weight[3] + flow_at_pair(k, block, j);
    vstore_half(rough, (one - hi) * (one - hj) * vload_half(rough));
}

/* a_ij and -a_ji in place of w_ij, as all that follows asks for them. */
static void take_sides(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), M[3], B[6];
        for (int n = 0; n < 3; n++) M[n] = pair_i(k->fit[n], block);
        for (int n = 0; n < 6 && k->bend[0]; n++) B[n] = pair_i(k->bend[n], block);
        vreal swirl[3] = {vset(0), vset(0), vset(0)}, square = vset(0);
        vreal ease = k->ease ? pair_i1(k->ease, block) : vset(k->dt / flow_density(k, 0));
        vreal sum[4] = {vset(0), vset(0), vset(0), vset(0)};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            size_t at = flow_at_pair(k, block, j);
            vreal4 w = {vload_half(k->weight[0] + at), vload_half(k->weight[1] + at), vload_half(k->weight[2] + at),
                        vset(0)};
            vreal d[3] = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h}, dd[6];
            vreal f = vload_half(k->weight[3] + at), own[3], other[3];
            for (int n = 0; n < 3; n++) {
                vreal across = k->near.wall ? vload_half(k->other[n] + at) : vset(0);
                own[n] = vdot3(M[n], w) + across, other[n] = vdot3(pair_j(k->fit[n], j), w) - across;
            }
            if (k->bend[0]) flow_products(d, dd);
            for (int m = 0; m < 6 && k->bend[0]; m++) {
                vreal4 o = pair_j(k->bend[m], j);
                vreal e = f * dd[m];
                own[0] += e * B[m].x, own[1] += e * B[m].y, own[2] += e * B[m].z;
                other[0] -= e * o.x, other[1] -= e * o.y, other[2] -= e * o.z;
            }
            if (k->piston) meet_piston(k, block, j, own, other);
            for (int n = 0; n < 3; n++) {
                vstore_half(k->weight[n] + at, own[n]), vstore_half(k->other[n] + at, other[n]);
                own[n] = vload_half(k->weight[n] + at), sum[n] += own[n];
            }
            vreal size = own[0] * own[0] + own[1] * own[1] + own[2] * own[2];
            square += size * (k->ease ? pair_j1(k->ease, j) : ease);
            f = vload_half(k->weight[3] + at);
            sum[3] += k->ease ? f * flow_ease_of_pair(ease, pair_j1(k->ease, j)) : f * ease;
            for (int n = 0; n < 3; n++)
                swirl[n] += d[(n + 1) % 3] * own[(n + 2) % 3] - d[(n + 2) % 3] * own[(n + 1) % 3];
        }
        pair_store4(k->swirl, block, k->h * swirl[0], k->h * swirl[1], k->h * swirl[2], square);
        pair_store4(k->own, block, sum[0], sum[1], sum[2], sum[3]);
    }
}

static void put_ease(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) k->ease[i] = flow_ease(k, i);
}

static dew_result find_ease(flow_step *k)
{
    if (k->w->material_count == 1) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->all->end + 4, k->ease);
    for (int i = k->count; i < k->all->end + 4; i++) k->ease[i] = 1;
    parallel_for(k->count, 4096, put_ease, k);
    ghosts_copy(k->all, FIELD_REAL, k->ease);
    return DEW_OK;
}

dew_result flow_fit(flow_step *k)
{
    RESULT_TRY(find_ease(k));
    RESULT_TRY(flow_find_mirrors(k));
    RESULT_TRY(weigh_pairs(k));
    RESULT_TRY(find_fits(k));
    parallel_for(k->blocks, FLOW_GRAIN, take_sides, k);
    return DEW_OK;
}
