#include "methods/mpm/any/shift.h"

#include "base/group.h"
#include "methods/mpm/any/deformation.h"
#include "methods/mpm/any/displacement.h"
#include "particles/kernels.h"

void shift_face_point(const contour *c, const face *f, int k, real3 *x, real3 *area)
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

/* The same of a face whose corners may lie on either side of a periodic axis' seam. */
static void find_point(const contour *c, const face *f, int k, real3 *x, real3 *area)
{
    if (!c->g->is_periodic) {
        shift_face_point(c, f, k, x, area);
        return;
    }
    real4 near[FACE_CORNERS];
    face alone = {.body = f->body};
    for (int q = 0; q < FACE_CORNERS; q++) near[q] = real4_of(face_corner(c, f, q), 0), alone.corner[q] = q;
    shift_face_point(&(contour){.g = c->g, .x = near}, &alone, k, x, area);
}

dew_result shift_film(shift_work *w)
{
    const grid *g = &w->f->g;
    const contour *c = w->c;
    int count = c->face_count * FACE_POINTS;
    int32_t *order;
    real3 x, area;
    ARENA_ARRAY(g->memory, count, int32_t, node);
    for (int a = 0; a < DIM; a++) ARENA_TRY(g->memory, count, w->film[a], w->film_area[a]);
    for (int k = 0; k < count; k++) {
        find_point(c, &c->faces[k / FACE_POINTS], k % FACE_POINTS, &x, &area);
        node[k] = grid_cell(g, x);
    }
    RESULT_TRY(group_items(g->memory, node, 1, count, g->block_count * CELLS, &order, &w->film_begin));
    for (int to = 0; to < w->film_begin[g->block_count * CELLS]; to++) {
        int f = order[to] / FACE_POINTS;
        find_point(c, &c->faces[f], order[to] % FACE_POINTS, &x, &area);
        real at_wall = c->area[f].w, weight = (real)FILM_WEIGHT * (1 - at_wall) + at_wall;
        for (int a = 0; a < DIM; a++) w->film[a][to] = (&x.x)[a], w->film_area[a][to] = weight * (&area.x)[a];
    }
    return DEW_OK;
}

/* W reaches as many cells. */
enum { MOST_REACH = 2, WIDEST_REACH = 2 * MOST_REACH + 1 };
enum { REACHED = DIM == 3 ? WIDEST_REACH * WIDEST_REACH * WIDEST_REACH : WIDEST_REACH * WIDEST_REACH };

/* The parts of an array sorted by cell that a cell and those in reach of it hold, as ranges. */
typedef struct stretches {
    int count, begin[REACHED], end[REACHED];
    unsigned planes[REACHED]; /* of symmetry that they are seen in: bit 2 a the lower one across the axis a, 2 a + 1 the
                                 upper */
} stretches;

static void add_stretch(stretches *s, int begin, int end, unsigned planes)
{
    if (begin == end) return;
    if (s->count > 0 && s->end[s->count - 1] == begin && s->planes[s->count - 1] == planes) {
        s->end[s->count - 1] = end;
    } else {
        s->planes[s->count] = planes, s->begin[s->count] = begin, s->end[s->count++] = end;
    }
}

/* The planes that the node k of a box (grid_box) lies beyond. */
static unsigned planes_of(const grid *g, int block, const int *low, int side, int k)
{
    unsigned planes = 0, one;
    for (int a = DIM - 1; a >= 0 && g->has_planes; a--, k /= side) {
        grid_mirrored(g, block, a, low[a] + k % side, &one);
        planes |= one << 2 * a;
    }
    return planes;
}

static void find_stretches(const shift_work *w, int cell, stretches *liquid, stretches *film)
{
    const grid *g = &w->f->g;
    const int reach = w->support > (real)(1.001 * g->dx) ? MOST_REACH : 1, side = 2 * reach + 1;
    int64_t around[REACHED];
    int low[DIM];
    local_of(cell % CELLS, low);
    for (int a = 0; a < DIM; a++) low[a] -= reach;
    grid_box(g, cell / CELLS, low, side, around);
    liquid->count = film->count = 0;
    for (int k = 0; k < (DIM == 3 ? side * side * side : side * side); k++) {
        int64_t node = around[k];
        if (node < 0) continue;
        const unsigned planes = planes_of(g, cell / CELLS, low, side, k);
        add_stretch(film, w->film_begin[node], w->film_begin[node + 1], planes);
        if (node < (int64_t)g->home_count * CELLS)
            add_stretch(liquid, g->particle_begin[node], g->particle_begin[node + 1], planes);
    }
}

/* Points copied together from a cell and those around it, for all particles of that cell: loops over them go through
 * without a break, a full vector at a time. */
enum { GATHER_ROOM = 512, GATHER_WIDTH = 16 };

typedef struct gathered_points {
    int count;
    _Alignas(64) real x[3][GATHER_ROOM + GATHER_WIDTH], area[3][GATHER_ROOM + GATHER_WIDTH];
} gathered_points;

/* Copies so many reals, and what comes after them: for few of them a call costs more. */
static inline void copy_few(real *to, const real *from, int count)
{
    for (int k = 0; k < count; k += LANES) vstore(to + k, vload(from + k));
}

/* Turns the last points into their images in planes of symmetry. */
static void mirror_points(const grid *g, unsigned planes, bool has_area, int count, gathered_points *p)
{
    for (int a = 0; a < DIM; a++, planes >>= 2)
        for (int k = p->count - count; k < p->count && planes & 3; k++) {
            p->x[a][k] = 2 * g->face[a][planes & 1 ? 0 : 1] - p->x[a][k];
            if (has_area) p->area[a][k] = -p->area[a][k];
        }
}

/* Along periodic axes points go where `from` is. */
static void bring_near(const grid *g, real4 from, gathered_points *to)
{
    for (int a = 0; a < DIM; a++)
        for (int k = 0; k < to->count && g->period[a] > 0; k++)
            to->x[a][k] -= grid_turn(g, a, to->x[a][k] - (&from.x)[a]);
}

/* Takes what there is room for of the stretches from *k, *at on, next to the place `from`; false when nothing is left.
 */
static bool gather_points(const grid *g, real4 from, const stretches *s, real *const x[DIM], real *const area[DIM],
                          int *k, int *at, gathered_points *to)
{
    to->count = 0;
    while (*k < s->count && to->count < GATHER_ROOM) {
        int begin = s->begin[*k] + *at, n = s->end[*k] - begin, room = GATHER_ROOM - to->count;
        n = n < room ? n : room;
        for (int a = 0; a < DIM; a++) {
            copy_few(to->x[a] + to->count, x[a] + begin, n);
            if (area) copy_few(to->area[a] + to->count, area[a] + begin, n);
        }
        to->count += n, *at += n;
        if (s->planes[*k]) mirror_points(g, s->planes[*k], area != NULL, n, to);
        if (begin + n == s->end[*k]) *k += 1, *at = 0;
    }
    if (to->count == 0) return false;
    bring_near(g, from, to);
    for (; to->count % GATHER_WIDTH; to->count++) /* beyond the reach of W */
        for (int a = 0; a < DIM; a++) to->x[a][to->count] = (real)1e15, to->area[a][to->count] = 0;
    return true;
}

/* Distances over the reach of W of LANES points from `at`, and where it is from them. */
static inline vreal reach_of(const gathered_points *p, int j, real inverse, real4 at, vreal d[DIM])
{
    vreal square = vset(0);
    for (int a = 0; a < DIM; a++) {
        d[a] = vset((&at.x)[a]) - vload(&p->x[a][j]);
        square += d[a] * d[a];
    }
    return square * vrsqrt(vmax(square, vset((real)1e-30))) * vset(inverse);
}

/* Adds sum (1 - q)^3 (x - x_j). */
static inline void add_liquid(const gathered_points *p, real inverse, real4 at, real4 *sum)
{
    vreal s[DIM], d[DIM];
    for (int a = 0; a < DIM; a++) s[a] = vset(0);
    for (int j = 0; j < p->count; j += LANES) {
        vreal t = vmax(vset(1) - reach_of(p, j, inverse, at, d), vset(0));
        t = t * t * t;
        for (int a = 0; a < DIM; a++) s[a] += t * d[a];
    }
    for (int a = 0; a < DIM; a++) (&sum->x)[a] += vsum(s[a]);
}

/* Adds scale times sum (1 - q)^4 (1 + 4 q) a_r. */
static inline void add_film(const gathered_points *p, real inverse, real scale, real4 at, real4 *sum)
{
    vreal s[DIM], d[DIM];
    for (int a = 0; a < DIM; a++) s[a] = vset(0);
    for (int j = 0; j < p->count; j += LANES) {
        vreal w = vwendland(reach_of(p, j, inverse, at, d));
        for (int a = 0; a < DIM; a++) s[a] += w * vload(&p->area[a][j]);
    }
    for (int a = 0; a < DIM; a++) (&sum->x)[a] += scale * vsum(s[a]);
}

/* How much a particle stays that is at the free surface too: all the way within half a cell of a wall, not at all from
 * 1.25 cells on. Within one and two cells instead, drops of 120 degrees stood 1 degree higher on a tilted plane. */
static real stay_at_line(real at_wall)
{
    real stay = (at_wall - (real)0.75) / (real)0.75;
    return stay < 0 ? 0 : stay < 1 ? stay : 1;
}

void shift_block(int block, void *context)
{
    const shift_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    const double h = (double)w->support, s = f->w->spacing;
    const double unit = wendland_norm(DIM, h); /* W is Wendland's: kernels.h */
    const double rate = f->p->parameter[MPM_SHIFT] * s * s;
    const real of_liquid = (real)(rate * 20 * unit / (h * h) * (double)f->volume), of_film = (real)(-rate * unit);
    const real most = (real)(MOST_SHIFT * s);
    gathered_points near;
    for (int cell = block * CELLS; cell < (block + 1) * CELLS; cell++) {
        int begin = g->particle_begin[cell], end = g->particle_begin[cell + 1];
        if (begin == end) continue;
        bool is_at_line = f->at_wall && w->c->depth_of[cell] <= 1;
        stretches liquid, film;
        find_stretches(w, cell, &liquid, &film);
        memset(w->shift + begin, 0, (size_t)(end - begin) * sizeof *w->shift);
        for (int k = 0, at = 0; gather_points(g, f->a.x[begin], &liquid, w->x, NULL, &k, &at, &near);)
            for (int i = begin; i < end; i++) add_liquid(&near, 1 / w->support, f->a.x[i], &w->shift[i]);
        for (int k = 0, at = 0; gather_points(g, f->a.x[begin], &film, w->film, w->film_area, &k, &at, &near);)
            for (int i = begin; i < end; i++)
                add_film(&near, 1 / w->support, of_film / of_liquid, f->a.x[i], &w->shift[i]);
        for (int i = begin; i < end; i++) {
            real3 sum = real3_scale(of_liquid, real3_of(w->shift[i]));
            real size = real3_length(sum);
            if (size > most) sum = real3_scale(most / size, sum);
            if (is_at_line) sum = real3_scale(1 - stay_at_line(f->at_wall[i]), sum);
            if (f->has_solids && is_solid(&f->a, i)) sum = (real3){0, 0, 0}; /* it knows where its neighbours belong */
            w->shift[i] = (real4){sum.x, sum.y, sum.z, 0};
        }
    }
}

void shift_streams(int begin, int end, void *context)
{
    shift_work *w = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < DIM; a++) w->x[a][i] = (&w->f->a.x[i].x)[a];
}

dew_result shift_particles(fluid *f, const contour *c)
{
    arena *memory = f->g.memory;
    size_t mark = arena_mark(memory);
    shift_work w = {.f = f, .c = c, .support = (real)(2 * f->w->spacing)};
    ARENA_TRY(memory, f->a.count, w.shift);
    for (int a = 0; a < DIM; a++) ARENA_TRY(memory, f->a.count, w.x[a]);
    RESULT_TRY(shift_film(&w));
    parallel_for(f->a.count, 4096, shift_streams, &w);
    each_home(&f->g, shift_block, &w);
    RESULT_TRY(displace_particles(f, c->bodies.count, w.shift, true));
    arena_release(memory, mark);
    return DEW_OK;
}
