/* Images of pairs in the solids that both of them are near.
 *
 * Across a plane the image of j is sqrt(r^2 + 4 d_i d_j) away from particle i, d their distances from it, and has j's
 * velocity mirrored; d j's own, so that each solid's own bend is in it. Of a pair with d = (x_i - x_j)/h, f = w/q and
 * f' = w/q of the image, e the mean of both normals, an image adds
 *
 *     W = f' (d - (d . e) e) to what pairs do along,    V = -f' (d_i + d_j) e to what they do across,
 *
 * W the other way round from j's side, V the same from both. Images of images add likewise in corners, each across
 * both of its solids or all three; they are as much as faces are at right angles. An image counts times what both
 * particles have of it. A solid's faces are the same where their normals are less than sixty degrees apart, and not at
 * right angles. */
#ifndef METHODS_FLOW_MIRRORS_H
#define METHODS_FLOW_MIRRORS_H

#include "particles/pairs.h"
#include "solids/near_walls.h"

/* By slot, ghosts' too, 0 where there is none, but d/h, which is far then. */
typedef struct mirrors {
    real4 *face[NEAR_WALLS];  /* n; w: d/h */
    real4 *share[NEAR_WALLS]; /* x: of images; y: of them what goes across; z: which solid */
    int most;                 /* that any particle has */
} mirrors;

/* Those of a block, repeated for every j. */
typedef struct block_mirrors {
    int count;
    vreal4 face[NEAR_WALLS], share[NEAR_WALLS];
} block_mirrors;

/* What images add to a pair, along and across. */
typedef struct pair_images {
    vreal4 along, across;
} pair_images;

/* Of a face of particle i and one of j: the part that is the same face, where the image is within h; e (w: d_i + d_j,
 * as far as it goes across), 4 d_i d_j. */
typedef struct mirror_match {
    vreal part, beyond;
    vreal4 e;
    bool is_any;
} mirror_match;

/* w/q of Laplacians by 1/q; at most 30: of particles a thirtieth of h apart, or of one next to its own image across a
 * plane of symmetry, which has no part in a Laplacian but would take all digits of it. */
static inline vreal flow_laplacian_weight(vreal inv_q) { return vmin(vmax(inv_q - 1, vset(0)), vset(30)); }

static inline block_mirrors mirrors_of_block(const mirrors *m, int block)
{
    block_mirrors b = {0};
    for (int a = 0; a < m->most; a++) {
        real has = 0;
        for (int i = PAIR_I * block; i < PAIR_I * (block + 1); i++) has += m->share[a][i].x;
        b.face[a] = pair_i(m->face[a], block), b.share[a] = pair_i(m->share[a], block);
        if (has > 0) b.count = a + 1;
    }
    return b;
}

/* How far images are seen, over h, squared: all of their weight, to the rounding of vrsqrt. */
#define MIRRORS_SEEN ((real)1.001)

/* Face a of the block of i and face b of j. */
static inline mirror_match mirror_match_of(const mirrors *m, const block_mirrors *own, int a, int b, pair_cursor j,
                                           vreal4 other, vreal q2)
{
    vreal seen = vset(MIRRORS_SEEN), half = vset((real)0.5), none = vset(0);
    mirror_match match = {none, 4 * own->face[a].w * other.w, {none, none, none, none}, false};
    vreal from = q2 + match.beyond;
    if (!vless(from, seen)) return match;
    vreal4 face = own->face[a], share = own->share[a], of_other = pair_j(m->share[b], j);
    vreal part = vmin(vmax(2 * vdot3(face, other), none), vset(1)) * share.x * of_other.x;
    match.part = vselect(share.z == of_other.z, vselect(from < seen, part, none), none);
    match.e = (vreal4){half * (face.x + other.x), half * (face.y + other.y), half * (face.z + other.z),
                       (face.w + other.w) * share.y * of_other.y};
    match.is_any = vless(none, match.part);
    return match;
}

/* The image across the faces a[0] to a[count - 1] of i, and what it adds to their S, f' (d_i + d_j). slope: NULL where
 * only what is along is asked for. */
static inline void add_image(vreal part, vreal q2, vreal4 d, int count, const int *a, const mirror_match *const *by,
                             pair_images *to, vreal *slope)
{
    for (int n = 0; n < count; n++) q2 += by[n]->beyond;
    vreal f = part * flow_laplacian_weight(vrsqrt(q2 + (real)1e-12));
    vreal4 along = d;
    for (int n = 0; n < count; n++) {
        vreal4 e = by[n]->e;
        vreal off = vdot3(d, e), across = f * e.w;
        along.x -= off * e.x, along.y -= off * e.y, along.z -= off * e.z;
        if (!slope) continue;
        to->across.x -= across * e.x, to->across.y -= across * e.y, to->across.z -= across * e.z;
        slope[a[n]] += across;
    }
    to->along.x += f * along.x, to->along.y += f * along.y, to->along.z += f * along.z;
}

/* By how much two faces are at right angles. */
static inline vreal mirrors_square(const mirror_match *a, const mirror_match *b)
{
    vreal skew = vdot3(a->e, b->e);
    return vmax(1 - vmax(skew, -skew), vset(0));
}

/* Images of images; match[a][b]: of face a of i and b of j. */
static inline void add_corner_images(const mirrors *m, const block_mirrors *own, vreal q2, vreal4 d,
                                     const mirror_match match[NEAR_WALLS][NEAR_WALLS], pair_images *to, vreal *slope)
{
    for (int a = 0; a < own->count; a++)
        for (int o = a + 1; o < own->count; o++)
            for (int b = 0; b < m->most; b++)
                for (int p = 0; p < m->most; p++) {
                    if (b == p || !match[a][b].is_any || !match[o][p].is_any) continue;
                    const mirror_match *by[] = {&match[a][b], &match[o][p]};
                    add_image(mirrors_square(by[0], by[1]) * by[0]->part * by[1]->part, q2, d, 2, (int[]){a, o}, by, to,
                              slope);
                }
    if (own->count < 3 || m->most < 3) return;
    for (int b = 0; b < 3; b++)
        for (int p = 0; p < 3; p++) {
            int q = 3 - b - p;
            if (b == p || !match[0][b].is_any || !match[1][p].is_any || !match[2][q].is_any) continue;
            const mirror_match *by[] = {&match[0][b], &match[1][p], &match[2][q]};
            vreal square = mirrors_square(by[0], by[1]) * mirrors_square(by[1], by[2]) * mirrors_square(by[2], by[0]);
            add_image(square * by[0]->part * by[1]->part * by[2]->part, q2, d, 3, (int[]){0, 1, 2}, by, to, slope);
        }
}

/* Adds those of the pair d/h apart, q2 = d^2; own: of the block of i. slope: of its faces, or NULL (add_image). */
static inline void add_pair_images(const mirrors *m, const block_mirrors *own, pair_cursor j, vreal q2, vreal4 d,
                                   pair_images *to, vreal *slope)
{
    mirror_match match[NEAR_WALLS][NEAR_WALLS];
    for (int b = 0; b < m->most; b++) {
        vreal4 other = pair_j(m->face[b], j);
        for (int a = 0; a < own->count; a++) {
            match[a][b] = mirror_match_of(m, own, a, b, j, other, q2);
            const mirror_match *by[] = {&match[a][b]};
            if (match[a][b].is_any) add_image(by[0]->part, q2, d, 1, (int[]){a}, by, to, slope);
        }
    }
    if (own->count > 1 && m->most > 1) add_corner_images(m, own, q2, d, match, to, slope);
}

#endif
