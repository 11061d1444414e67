/* Order among particles: displacements without velocity, once a step, to where there are fewer (particle shifting; Xu,
 * Stansby, Laurence 2009; Lind, Xu, Stansby, Rogers 2012).
 *
 * Particles that only follow the flow stretch into rows and leave voids; the grid feels volume, not place, so nothing
 * brings them back, and a surface whose outermost particles lie at all depths is rough by parts of a cell that no
 * force can level. What is missing around a particle is
 *
 *     S(x) = sum_j V grad W(x - x_j) + sum_r W(x - s_r) a_r,
 *
 * the second sum over the contour, outward areas: by Gauss' theorem it is the gradient that liquid beyond the contour
 * would have. So S = 0 where particles are even and the outermost lie half a spacing under the contour, whether that
 * is free, on a wall, in a corner of walls or around a film. Particles move by -S. */
#ifndef METHODS_MPM_ANY_SHIFT_H
#define METHODS_MPM_ANY_SHIFT_H

#include "methods/mpm/any/split.h"
#include <stdio.h>
#include <stdlib.h>

static double knob(const char *n, double d) { const char *t = getenv(n); return t ? atof(t) : d; }
/* Points along each side of a face of the contour, at which its integral is taken. */
enum { FACE_SIDE = 3, FACE_POINTS = DIM == 3 ? FACE_SIDE * FACE_SIDE : FACE_SIDE };

/* Streams of coordinates, by cell. */
typedef struct shift_work {
    flow *f;
    const contour *c;
    real support;            /* of W, m */
    real *x[DIM];            /* of the particles */
    int film_count;          /* points of the contour */
    real *film[DIM];         /* where they are */
    real *film_area[DIM];    /* and their areas */
    int32_t *film_begin;     /* by node, one more */
    real4 *shift;            /* m */
} shift_work;

/* The point of a face at (u, v) of its sides, and its share of area. */
static void face_point(const contour *c, const face *f, int k, real3 *x, real3 *area)
{
    real u = ((real)(k % FACE_SIDE) + (real)0.5) / FACE_SIDE;
#if DIM == 3
    real v = ((real)(k / FACE_SIDE) + (real)0.5) / FACE_SIDE;
    real3 p[4];
    for (int q = 0; q < 4; q++) p[q] = real3_of(c->x[f->corner[q]]);
    real3 low = real3_madd(p[0], u, real3_sub(p[1], p[0])), high = real3_madd(p[3], u, real3_sub(p[2], p[3]));
    real3 left = real3_madd(p[0], v, real3_sub(p[3], p[0])), right = real3_madd(p[1], v, real3_sub(p[2], p[1]));
    *x = real3_madd(low, v, real3_sub(high, low));
    *area = real3_scale((real)1 / FACE_POINTS, real3_cross(real3_sub(right, left), real3_sub(high, low)));
#else
    real3 p = real3_of(c->x[f->corner[0]]), q = real3_of(c->x[f->corner[1]]);
    *x = real3_madd(p, u, real3_sub(q, p));
    *area = real3_scale((real)1 / FACE_POINTS, face_area(c, f));
#endif
}

static int32_t node_of(const grid *g, real3 x)
{
    real4 at = {x.x, x.y, x.z, 0};
    block_place p = block_of_point(g, &at);
    int32_t b = grid_find(g, &p);
    if (b < 0) return -1;
    int local = 0;
    for (int a = 0; a < DIM; a++) local = local * SIDE + (cell_of((&at.x)[a], g->inverse) & (SIDE - 1));
    return b * CELLS + local;
}

/* Points of the contour, sorted by cell. */
static dew_result make_film(shift_work *w)
{
    const grid *g = &w->f->g;
    const contour *c = w->c;
    int nodes = g->block_count * CELLS;
    size_t n = (size_t)c->face_count * FACE_POINTS + 16;
    int32_t *node = arena_alloc(g->memory, n * sizeof *node);
    w->film_begin = arena_zeroed(g->memory, ((size_t)nodes + 2) * sizeof *w->film_begin);
    for (int a = 0; a < DIM; a++) {
        w->film[a] = arena_alloc(g->memory, n * sizeof(real)), w->film_area[a] = arena_alloc(g->memory, n * sizeof(real));
        if (!w->film[a] || !w->film_area[a]) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    }
    if (!node || !w->film_begin) return result_fail(DEW_NO_MEMORY, "no memory for the surface");
    for (int f = 0; f < c->face_count; f++)
        for (int k = 0; k < FACE_POINTS; k++) {
            real3 x, area;
            face_point(c, &c->faces[f], k, &x, &area);
            int32_t at = node[f * FACE_POINTS + k] = node_of(g, x);
            if (at >= 0) w->film_begin[at + 2]++;
        }
    for (int k = 0; k < nodes; k++) w->film_begin[k + 2] += w->film_begin[k + 1];
    for (int f = 0; f < c->face_count; f++)
        for (int k = 0; k < FACE_POINTS; k++) {
            real3 x, area;
            if (node[f * FACE_POINTS + k] < 0) continue;
            face_point(c, &c->faces[f], k, &x, &area);
            int to = w->film_begin[node[f * FACE_POINTS + k] + 1]++;
            for (int a = 0; a < DIM; a++) w->film[a][to] = (&x.x)[a], w->film_area[a][to] = (&area.x)[a];
        }
    return DEW_OK;
}

/* Stretches of a stream that the cells around one hold. */
typedef struct stretches {
    int count, begin[AROUND], end[AROUND];
} stretches;

static void add_stretch(stretches *s, int begin, int end)
{
    if (begin == end) return;
    if (s->count > 0 && s->end[s->count - 1] == begin) {
        s->end[s->count - 1] = end;
    } else {
        s->begin[s->count] = begin, s->end[s->count++] = end;
    }
}

static void find_stretches(const shift_work *w, int block, int local, stretches *liquid, stretches *film)
{
    const grid *g = &w->f->g;
    liquid->count = film->count = 0;
    for (int k = 0; k < AROUND; k++) {
        int at[DIM], rest = k;
        local_of(local, at);
        for (int a = DIM - 1; a >= 0; a--, rest /= 3) at[a] += rest % 3 - 1;
        int64_t node = grid_node(g, block, at);
        if (node < 0) continue;
        add_stretch(film, w->film_begin[node], w->film_begin[node + 1]);
        if (node < (int64_t)g->home_count * CELLS)
            add_stretch(liquid, g->particle_begin[node], g->particle_begin[node + 1]);
    }
}

/* sum (1 - q)^3 (x - x_j) */
static inline real3 add_liquid(const shift_work *w, real4 at, int begin, int end, real3 sum)
{
    const real inverse = 1 / w->support, *x = w->x[0], *y = w->x[1];
    real sx = 0, sy = 0, sz = 0;
#if DIM == 3
    const real *z = w->x[2];
#endif
#pragma omp simd reduction(+ : sx, sy, sz)
    for (int j = begin; j < end; j++) {
        real dx = at.x - x[j], dy = at.y - y[j], square = dx * dx + dy * dy;
#if DIM == 3
        real dz = at.z - z[j];
        square += dz * dz;
#endif
        real t = 1 - sqrtf(square) * inverse;
        t = t > 0 ? t : 0;
        t = t * t * t;
        sx += t * dx, sy += t * dy;
#if DIM == 3
        sz += t * dz;
#endif
    }
    return (real3){sum.x + sx, sum.y + sy, sum.z + sz};
}

/* sum (1 - q)^4 (1 + 4 q) a_r */
static inline real3 add_film(const shift_work *w, real4 at, int begin, int end, real3 sum)
{
    const real inverse = 1 / w->support, *x = w->film[0], *y = w->film[1];
    const real *ax = w->film_area[0], *ay = w->film_area[1];
    real sx = 0, sy = 0, sz = 0;
#if DIM == 3
    const real *z = w->film[2], *az = w->film_area[2];
#endif
#pragma omp simd reduction(+ : sx, sy, sz)
    for (int j = begin; j < end; j++) {
        real dx = at.x - x[j], dy = at.y - y[j], square = dx * dx + dy * dy;
#if DIM == 3
        real dz = at.z - z[j];
        square += dz * dz;
#endif
        real q = sqrtf(square) * inverse, t = 1 - q;
        t = t > 0 ? t : 0;
        t = t * t * t * t * (1 + 4 * q);
        sx += t * ax[j], sy += t * ay[j];
#if DIM == 3
        sz += t * az[j];
#endif
    }
    return (real3){sum.x + sx, sum.y + sy, sum.z + sz};
}

static void shift_block(int block, void *context)
{
    const shift_work *w = context;
    const flow *f = w->f;
    const grid *g = &f->g;
    if (block >= g->home_count) return;
    const double pi = 3.14159265358979, h = (double)w->support, s = f->w->spacing;
    /* W = unit (1 - q)^4 (1 + 4 q) (Wendland 1995); grad W = -20 unit/h^2 (1 - q)^3 (x - x_j) */
    const double unit = DIM == 3 ? 21 / (2 * pi * h * h * h) : 7 / (pi * h * h);
    const double rate = f->p->parameter[MPM_SHIFT] * s * s;
    const real of_liquid = (real)(rate * 20 * unit / (h * h) * (double)f->volume), of_film = (real)(-rate * unit);
    const real most = (real)(0.1 * s);
    for (int local = 0; local < CELLS; local++) {
        int cell = block * CELLS + local, begin = g->particle_begin[cell], end = g->particle_begin[cell + 1];
        if (begin == end) continue;
        stretches liquid, film;
        find_stretches(w, block, local, &liquid, &film);
        for (int i = begin; i < end; i++) {
            real3 sum = {0, 0, 0}, other = {0, 0, 0};
            real4 x = f->a.x[i];
            for (int k = 0; k < liquid.count; k++) sum = add_liquid(w, x, liquid.begin[k], liquid.end[k], sum);
            for (int k = 0; k < film.count; k++) other = add_film(w, x, film.begin[k], film.end[k], other);
            sum = real3_madd(real3_scale(of_liquid, sum), (real)knob("KF", 1) * of_film, other);
            if (real3_dot(other, other) > 0) {
                real3 nn = real3_normalise(other);
                sum = real3_madd(sum, (real)(knob("KN", 1) - 1) * real3_dot(sum, nn), nn);
            }
            real size = real3_length(sum);
            if (knob("KQ", 0) > 0) {
                real part = size / (real)(f->p->parameter[MPM_SHIFT] * s * knob("KQ", 0));
                if (part < 1) sum = real3_scale(part, sum), size *= part;
            }
            if (size > most) sum = real3_scale(most / size, sum);
            w->shift[i] = (real4){sum.x, sum.y, sum.z, 0};
        }
    }
}

static void load_streams(int begin, int end, void *context)
{
    shift_work *w = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < DIM; a++) w->x[a][i] = (&w->f->a.x[i].x)[a];
}

static void sum_shift(int begin, int end, void *context, double *sums)
{
    const real4 *v = context;
    for (int i = begin; i < end; i++) sums[0] += (double)v[i].x, sums[1] += (double)v[i].y, sums[2] += (double)v[i].z;
}

static dew_result shift_particles(flow *f, const contour *c, bool is_free)
{
    size_t n = (size_t)f->a.count + 16, mark = arena_mark(f->g.memory);
    shift_work w = {.f = f, .c = c, .support = (real)fmin(2 * f->w->spacing, f->p->dx)};
    for (int a = 0; a < DIM; a++) {
        w.x[a] = arena_alloc(f->g.memory, n * sizeof(real));
        if (!w.x[a]) return result_fail(DEW_NO_MEMORY, "no memory to shift particles");
    }
    w.shift = arena_alloc(f->g.memory, n * sizeof *w.shift);
    if (!w.shift) return result_fail(DEW_NO_MEMORY, "no memory to shift particles");
    RESULT_TRY(make_film(&w));
    parallel_for(f->a.count, 4096, load_streams, &w);
    each_block(&f->g, shift_block, &w);
    real4 drift = {0, 0, 0, 0};
    if (is_free) {
        double sums[3];
        parallel_sum(f->a.count, 3, sum_shift, w.shift, sums);
        drift = (real4){(real)(sums[0] / f->a.count), (real)(sums[1] / f->a.count), (real)(sums[2] / f->a.count), 0};
    }
    double rms = 0, largest = 0;
    for (int i = 0; i < f->a.count; i++) {
        real4 *x = &f->a.x[i];
        real3 d = real3_sub(real3_of(w.shift[i]), real3_of(drift));
        rms += real3_dot(d, d), largest = fmax(largest, real3_length(d));
        vquad v = quad_load(&f->a.v[i]);
        for (int a = 0; a < DIM; a++) v += (real)knob("KA", 1) * (&d.x)[a] * quad_load(&f->a.affine[a][i]);
        quad_store(&f->a.v[i], v);
        x->x += d.x, x->y += d.y, x->z += d.z;
    }
    if (getenv("DEW_SHIFT")) printf("shift rms %g largest %g\n", sqrt(rms / f->a.count) / f->w->spacing, largest / f->w->spacing);
    arena_release(f->g.memory, mark);
    return DEW_OK;
}

#endif
