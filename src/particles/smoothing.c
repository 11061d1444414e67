#include "particles/smoothing.h"

#include "base/parallel.h"
#include "particles/ghosts.h"
#include "particles/kernels.h"

#include <string.h>

/* Blocks of particles that one piece of a parallel loop takes. */
enum { SMOOTHING_GRAIN = 32 };

typedef struct smoothing {
    const smoothing_params *how;
    real4 *x, *v;
    pair_lists lists;
    real4 *u;              /* what a round is of: v, then d */
    real4 *row[3];         /* its gradient B at each particle (rows), x, y, z */
    real4 *diagonal, *off; /* of sum W x x^T; w: sum W unrest, sum W */
    real4 *slope[3];       /* B of v */
    real4 *swirl;          /* of what fits leave */
    real4 *residual;       /* d, then S d */
    real way;              /* by which S u is added */
} smoothing;

/* What counts of a pair next to walls. */
static inline vreal along_layers(vreal4 g, vreal4 o, vreal dx, vreal dy, vreal dz)
{
    vreal a = g.x * dx + g.y * dy + g.z * dz, b = o.x * dx + o.y * dy + o.z * dz;
    return 1 - vmin(a * a + b * b, vset(1));
}

/* What counts of pairs that may be of two kinds; `gives`: times 2 m_j/(m_i + m_j). */
static inline vreal of_kinds(const smoothing_params *how, int block, pair_cursor j, bool gives)
{
    vreal light = pair_i1(how->lightness, block), other = pair_j1(how->lightness, j), one = vset(1);
    vreal share = gives ? 2 * light / (light + other) : one;
    vreal off = pair_i1(how->kind, block) - pair_j1(how->kind, j);
    return vselect(off * off > (real)0.25, vset(0), share);
}

/* Of u. Each particle's x.w holds how much it wants to be smoothed; a pair takes the mean. */
static void sum_smoothing(int begin, int end, void *context)
{
    smoothing *k = context;
    vreal inv_h = vset(1 / k->how->support), kernel = vset(k->how->kernel);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), vi = pair_i(k->u, block);
        vreal4 ai = pair_i(k->row[0], block), bi = pair_i(k->row[1], block), ci = pair_i(k->row[2], block), g = {0};
        if (k->how->layer) g = pair_i(k->how->layer, block);
        vreal x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), vb = pair_j(k->u, j);
            vreal4 aj = pair_j(k->row[0], j), bj = pair_j(k->row[1], j), cj = pair_j(k->row[2], j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal wgt = (i.w + b.w) * vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
            if (k->how->layer) wgt *= along_layers(g, pair_j(k->how->layer, j), dx, dy, dz);
            if (k->how->kind) wgt *= of_kinds(k->how, block, j, true);
            x += wgt * (vb.x - vi.x - (real)0.5 * ((ai.x + aj.x) * dx + (ai.y + aj.y) * dy + (ai.z + aj.z) * dz));
            y += wgt * (vb.y - vi.y - (real)0.5 * ((bi.x + bj.x) * dx + (bi.y + bj.y) * dy + (bi.z + bj.z) * dz));
            z += wgt * (vb.z - vi.z - (real)0.5 * ((ci.x + cj.x) * dx + (ci.y + cj.y) * dy + (ci.z + cj.z) * dz));
        }
        vreal half = (real)0.5 * kernel;
        pair_store4(k->residual, block, half * x, half * y, half * z, vset(0));
    }
}

/* Least-squares gradient: B = (sum W v_ji x_ji^T)(sum W x_ji x_ji^T + ridge)^-1, lengths over h; both
 * moments in one pass over pairs. */
static void sum_moments(int begin, int end, void *context)
{
    smoothing *k = context;
    vreal inv_h = vset(1 / k->how->support), zero = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), vi = pair_i(k->u, block);
        vreal xx = zero, yy = zero, zz = zero, xy = zero, xz = zero, yz = zero;
        vreal unrest = zero, all = zero;
        vreal ux = zero, uy = zero, uz = zero, vx = zero, vy = zero, vz = zero, wx = zero, wy = zero, wz = zero;
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), vb = pair_j(k->u, j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal wgt = vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
            if (k->how->kind) wgt *= of_kinds(k->how, block, j, false);
            unrest += wgt * b.w, all += wgt;
            vreal px = wgt * dx, py = wgt * dy, pz = wgt * dz;
            vreal u = vb.x - vi.x, v = vb.y - vi.y, w = vb.z - vi.z;
            xx += px * dx, yy += py * dy, zz += pz * dz, xy += px * dy, xz += px * dz, yz += py * dz;
            ux += px * u, uy += py * u, uz += pz * u;
            vx += px * v, vy += py * v, vz += pz * v;
            wx += px * w, wy += py * w, wz += pz * w;
        }
        pair_store4(k->diagonal, block, xx, yy, zz, unrest);
        pair_store4(k->off, block, xy, xz, yz, all);
        pair_store4(k->row[0], block, ux, uy, uz, zero);
        pair_store4(k->row[1], block, vx, vy, vz, zero);
        pair_store4(k->row[2], block, wx, wy, wz, zero);
    }
}

/* w of (sum W (x^2 - x x^T)) w = swirl. */
static real3 turn_of(const smoothing *k, int i, real3 swirl, real ridge)
{
    real4 d = k->diagonal[i], o = k->off[i];
    real xx = d.y + d.z + ridge, yy = d.x + d.z + ridge, zz = d.x + d.y + ridge, xy = -o.x, xz = -o.y, yz = -o.z;
    real a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
    real inv = 1 / (xx * a + xy * b + xz * c);
    return (real3){inv * (a * swirl.x + b * swirl.y + c * swirl.z),
                   inv * (b * swirl.x + (xx * zz - xz * xz) * swirl.y + (xy * xz - xx * yz) * swirl.z),
                   inv * (c * swirl.x + (xy * xz - xx * yz) * swirl.y + (xx * yy - xy * xy) * swirl.z)};
}

static void add_turn(smoothing *k, int i, real3 w)
{
    real4_add(&k->row[0][i], (real3){0, -w.z, w.y});
    real4_add(&k->row[1][i], (real3){w.z, 0, -w.x});
    real4_add(&k->row[2][i], (real3){-w.y, w.x, 0});
}

/* B of the rotation w that has the moment of momentum of all pairs, sum W x_ji x v_ji = (sum W (x^2 - x x^T)) w. */
static void turn_alone(smoothing *k, int i, real ridge)
{
    real4 r[3] = {k->row[0][i], k->row[1][i], k->row[2][i]};
    real3 w = turn_of(k, i, (real3){r[2].y - r[1].z, r[0].z - r[2].x, r[1].x - r[0].y}, ridge);
    for (int n = 0; n < 3; n++) k->row[n][i] = (real4){0, 0, 0, 0};
    add_turn(k, i, w);
}

static void solve_gradients(int begin, int end, void *context)
{
    smoothing *k = context;
    real s_over_h = k->how->spacing / k->how->support, ridge = (real)0.01 * s_over_h * s_over_h;
    for (int i = begin; i < end; i++) {
        real xx = k->diagonal[i].x + ridge, yy = k->diagonal[i].y + ridge, zz = k->diagonal[i].z + ridge;
        real xy = k->off[i].x, xz = k->off[i].y, yz = k->off[i].z;
        real a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
        real d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
        real inv = 1 / (xx * a + xy * b + xz * c);
        if (k->how->is_tip && k->how->is_tip[i]) {
            inv = 0;
            if (k->how->keeps_turning) {
                turn_alone(k, i, ridge);
                continue;
            }
        }
        for (int n = 0; n < 3; n++) {
            real4 r = k->row[n][i];
            k->row[n][i] = (real4){inv * (a * r.x + b * r.y + c * r.z), inv * (b * r.x + d * r.y + e * r.z),
                                   inv * (c * r.x + e * r.y + f * r.z), 0};
        }
    }
}

/* --- angular momentum --- */

/* What pairs give each other turns the liquid by nothing where each fit leaves nothing that turns, sum W' x_ji x (v_ji
 * - B x_ji) = 0, W' what counts of a pair when it is smoothed. Of the fit's own W it is so; layers and unrest change
 * it, so B takes a rotation as well: what is left turns the liquid by kernel h/4 times itself, over mass, and so a
 * moment is given, too. */
static void sum_swirl(int begin, int end, void *context)
{
    smoothing *k = context;
    vreal inv_h = vset(1 / k->how->support), zero = vset(0);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block), vi = pair_i(k->u, block), g = {0};
        vreal4 ai = pair_i(k->row[0], block), bi = pair_i(k->row[1], block), ci = pair_i(k->row[2], block);
        if (k->how->layer) g = pair_i(k->how->layer, block);
        vreal xx = zero, yy = zero, zz = zero, xy = zero, xz = zero, yz = zero, sx = zero, sy = zero, sz = zero;
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), vb = pair_j(k->u, j);
            vreal dx = (b.x - i.x) * inv_h, dy = (b.y - i.y) * inv_h, dz = (b.z - i.z) * inv_h;
            vreal wgt = (i.w + b.w) * vcubic_spline(vsqrt(dx * dx + dy * dy + dz * dz));
            if (k->how->layer) wgt *= along_layers(g, pair_j(k->how->layer, j), dx, dy, dz);
            if (k->how->kind) wgt *= of_kinds(k->how, block, j, true);
            vreal u = vb.x - vi.x - (ai.x * dx + ai.y * dy + ai.z * dz);
            vreal v = vb.y - vi.y - (bi.x * dx + bi.y * dy + bi.z * dz);
            vreal w = vb.z - vi.z - (ci.x * dx + ci.y * dy + ci.z * dz);
            vreal px = wgt * dx, py = wgt * dy, pz = wgt * dz;
            xx += px * dx, yy += py * dy, zz += pz * dz, xy += px * dy, xz += px * dz, yz += py * dz;
            sx += py * w - pz * v, sy += pz * u - px * w, sz += px * v - py * u;
        }
        pair_store4(k->diagonal, block, xx, yy, zz, zero);
        pair_store4(k->off, block, xy, xz, yz, zero);
        pair_store4(k->swirl, block, sx, sy, sz, zero);
    }
}

static void add_turns(int begin, int end, void *context)
{
    smoothing *k = context;
    real s_over_h = k->how->spacing / k->how->support, ridge = (real)1e-4 * s_over_h * s_over_h;
    real per_moment = 4 / (k->how->kernel * k->how->support);
    for (int i = begin; i < end; i++) {
        real3 swirl = real3_of(k->swirl[i]);
        if (k->how->moment) swirl = real3_madd(swirl, -k->way * per_moment, real3_of(k->how->moment[i]));
        add_turn(k, i, turn_of(k, i, swirl, ridge));
    }
}

static void add_residual(int begin, int end, void *context)
{
    smoothing *k = context;
    for (int i = begin; i < end; i++) real4_add(&k->v[i], real3_scale(k->way, real3_of(k->residual[i])));
}

/* What a particle in unrest is smoothed by more, and the share of its neighbours in unrest from which on it is not: in
 * a thin film or a splash all come and go, it is flow, and smoothing would tear it. About 0.01 are in unrest in a drop
 * at rest, 0.2 in a drop that is squashed. */
#define CALMING ((real)3)
#define CROWD ((real)0.06)

static void put_unrest(int begin, int end, void *context)
{
    const smoothing *k = context;
    for (int i = begin; i < end; i++) k->x[i].w = k->how->unrest ? k->how->unrest[i] : 0;
}

static void put_wishes(int begin, int end, void *context)
{
    const smoothing *k = context;
    real self = cubic_spline(0);
    for (int i = begin; i < end; i++) {
        real own = k->x[i].w;
        real others = (k->diagonal[i].w - self * own) / fmax(k->off[i].w - self, (real)1e-6) / CROWD;
        k->x[i].w = k->how->amount[i] + CALMING * own / (1 + others * others * others * others);
    }
}

static void put_ones(int begin, int end, void *context)
{
    const smoothing *k = context;
    for (int i = begin; i < end; i++) k->x[i].w = 1;
}

/* B of u. */
static void fit(smoothing *k, particles *p)
{
    parallel_for(p->count, 4096, put_unrest, k);
    particles_update_ghosts(p, FIELD_POSITION_INDEX);
    parallel_for(PAIR_BLOCKS(p->count), SMOOTHING_GRAIN, sum_moments, k);
    parallel_for(p->count, 4096, solve_gradients, k);
}

/* S u, by what puts shares into places. */
static void draw_pairs(smoothing *k, particles *p, parallel_fcn *put_shares, real4 *residual)
{
    parallel_for(p->count, 4096, put_shares, k);
    particles_update_ghosts(p, FIELD_POSITION_INDEX);
    if (k->swirl) {
        parallel_for(PAIR_BLOCKS(p->count), SMOOTHING_GRAIN, sum_swirl, k);
        parallel_for(p->count, 4096, add_turns, k);
    }
    ghosts_copy_matrices(p, k->row);
    k->residual = residual;
    parallel_for(PAIR_BLOCKS(p->count), SMOOTHING_GRAIN, sum_smoothing, k);
}

/* d = S_1 v, and the gradient that is asked for. */
static dew_result filter_before(smoothing *k, particles *p, arena *memory)
{
    real4 *d;
    ARENA_TRY_ZEROED(memory, p->end, d);
    fit(k, p);
    draw_pairs(k, p, put_ones, d);
    for (int n = 0; n < 3; n++) {
        ARENA_TRY(memory, p->count, k->slope[n]);
        memcpy(k->slope[n], k->row[n], (size_t)p->count * sizeof *k->slope[n]);
    }
    ghosts_copy_vectors(p, d);
    return k->u = d, k->way = -1, DEW_OK;
}

dew_result smoothing_apply(const smoothing_params *how, particles *p, pair_lists lists, arena *memory)
{
    smoothing k = {.how = how, .x = p->position, .v = p->velocity, .u = p->velocity, .lists = lists, .way = 1};
    ARENA_TRY_ZEROED(memory, p->end, k.row[0], k.row[1], k.row[2], k.diagonal, k.off);
    for (int n = 0; n < 3; n++) k.slope[n] = k.row[n];
    if (how->layer) ghosts_copy_vectors(p, how->layer);
    particles_update_ghosts(p, FIELD_VELOCITY_INDEX);
    if (how->is_sharp) RESULT_TRY(filter_before(&k, p, memory));
    fit(&k, p);
    if (how->keeps_turning) ARENA_TRY(memory, p->count, k.swirl);
    draw_pairs(&k, p, put_wishes, k.diagonal); /* the moments have done their work */
    parallel_for(p->count, 4096, add_residual, &k);
    for (int n = 0; n < 3 && how->gradient; n++) how->gradient[n] = k.slope[n];
    return DEW_OK;
}
