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
 * is free, on a wall, in a corner of walls or around a film. Particles move by -S.
 *
 * Where a body touches a wall, what the grid sees of its displacements, their mean around each node, is taken off:
 * it is a flow that no pressure or tension made, and drops on repelling walls stood 1 to 2 degrees too steep by it. So
 * it is where liquid is at rest: where it flows fast that flow is nothing beside it, and voids close by it (the energy
 * of a bouncing drop grew by 0.02 without, by 0.008 with it).
 *
 * At contact lines, next to a wall and to the free surface at once, particles stay: shifts there made drops of 120
 * degrees stand at 127 on a ball and those of 150 let go of a bowl.
 */
#ifndef METHODS_MPM_ANY_SHIFT_H
#define METHODS_MPM_ANY_SHIFT_H

#include "methods/mpm/any/depth.h"
#include "methods/mpm/any/split.h"
#include "particles/bodies.h"
#include "particles/kernels.h"

/* The free surface counts for a little more than its area: with that the outermost particles lie half a spacing deep.
 * Measured once, on a cube that becomes a ball (law relaxation: with 1 its volume, by these particles, is 4 % too
 * large); a lattice alone asks for 1.00 to 1.03. */
#define FILM_WEIGHT 1.15

/* Slower than this, over the scene's own speed, liquid is at rest. Currents reach 0.05. */
#define CALM ((real)0.14)

/* Spacings that a particle is shifted in a step at most. */
#define MOST_SHIFT 0.1

/* Points along each side of a face of the contour, at which its integral is taken. */
enum { FACE_SIDE = 3, FACE_POINTS = DIM == 3 ? FACE_SIDE * FACE_SIDE : FACE_SIDE };

/* What shifts are found from. Coordinates stand in an array for each axis, sorted by cell. */
typedef struct shift_work {
    fluid *f;
    const contour *c;
    real support;         /* of W, m */
    real *x[DIM];         /* of the particles */
    real *film[DIM];      /* points of the contour: where they are */
    real *film_area[DIM]; /* and their areas */
    int32_t *film_begin;  /* by node, one more */
    real4 *shift;         /* of each particle, m */
    real4 *node;          /* what the grid has of the shifts; w: of their weights */
    struct rigid *bodies;
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

/* Makes the points of the contour, sorted by cell. */
static dew_result make_film(shift_work *w)
{
    const grid *g = &w->f->g;
    const contour *c = w->c;
    int count = c->face_count * FACE_POINTS;
    int32_t *order;
    real3 x, area;
    ARENA_ARRAY(g->memory, count, int32_t, node);
    for (int a = 0; a < DIM; a++) ARENA_TRY(g->memory, count, w->film[a], w->film_area[a]);
    for (int k = 0; k < count; k++) {
        face_point(c, &c->faces[k / FACE_POINTS], k % FACE_POINTS, &x, &area);
        node[k] = grid_cell(g, x);
    }
    RESULT_TRY(group_items(g->memory, node, 1, count, g->block_count * CELLS, &order, &w->film_begin));
    for (int to = 0; to < w->film_begin[g->block_count * CELLS]; to++) {
        int f = order[to] / FACE_POINTS;
        face_point(c, &c->faces[f], order[to] % FACE_POINTS, &x, &area);
        real at_wall = c->area[f].w, weight = (real)FILM_WEIGHT * (1 - at_wall) + at_wall;
        for (int a = 0; a < DIM; a++) w->film[a][to] = (&x.x)[a], w->film_area[a][to] = weight * (&area.x)[a];
    }
    return DEW_OK;
}

/* The parts of an array sorted by cell that a cell and those around it hold, as ranges. */
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

static void find_stretches(const shift_work *w, int cell, stretches *liquid, stretches *film)
{
    const grid *g = &w->f->g;
    int64_t around[AROUND];
    nodes_around(g, cell, around);
    liquid->count = film->count = 0;
    for (int k = 0; k < AROUND; k++) {
        int64_t node = around[k];
        if (node < 0) continue;
        add_stretch(film, w->film_begin[node], w->film_begin[node + 1]);
        if (node < (int64_t)g->home_count * CELLS)
            add_stretch(liquid, g->particle_begin[node], g->particle_begin[node + 1]);
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

/* Takes what there is room for of the stretches from *k, *at on; false when nothing is left. */
static bool gather_points(const stretches *s, real *const x[DIM], real *const area[DIM], int *k, int *at,
                          gathered_points *to)
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
        if (begin + n == s->end[*k]) *k += 1, *at = 0;
    }
    if (to->count == 0) return false;
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

static void shift_block(int block, void *context)
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
        for (int k = 0, at = 0; gather_points(&liquid, w->x, NULL, &k, &at, &near);)
            for (int i = begin; i < end; i++) add_liquid(&near, 1 / w->support, f->a.x[i], &w->shift[i]);
        for (int k = 0, at = 0; gather_points(&film, w->film, w->film_area, &k, &at, &near);)
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

static void load_streams(int begin, int end, void *context)
{
    shift_work *w = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < DIM; a++) w->x[a][i] = (&w->f->a.x[i].x)[a];
}

/* --- what a body keeps --- */

/* A body keeps its momentum, its angular momentum and what it carries, and where it touches no wall its centre of mass:
 * the mean of its shifts is taken off, else the mean around each node; then from its velocities what the shifts have
 * added, as of a rigid body. */
typedef struct rigid {
    bool is_held;                      /* by a wall */
    double mass, centre[3], shift[3];  /* mass: in particles of the heaviest material */
    double velocity[3], spin[3];       /* m/s, 1/s: to take off */
    double carried[MPM_CARRIED_COUNT]; /* K, kg/m3: to take off */
} rigid;

enum { CENTRE_MASS, CENTRE_WALL, CENTRE_X, CENTRE_SHIFT = CENTRE_X + 3, CENTRE_SUMS = CENTRE_SHIFT + 3 };

static void sum_centres(int begin, int end, void *context, double *sums)
{
    const shift_work *w = context;
    for (int i = begin; i < end; i++) {
        if (w->f->body[i] < 0) continue;
        double *own = sums + (size_t)CENTRE_SUMS * (size_t)w->f->body[i];
        double mass = (double)mass_of(w->f, i);
        own[CENTRE_MASS] += mass;
        own[CENTRE_WALL] += w->f->at_wall && w->f->at_wall[i] > 0;
        for (int a = 0; a < DIM; a++) {
            own[CENTRE_X + a] += mass * (double)(&w->f->a.x[i].x)[a];
            own[CENTRE_SHIFT + a] += mass * (double)(&w->shift[i].x)[a];
        }
    }
}

static void find_centres(int count, const double *sums, rigid *bodies)
{
    for (int b = 0; b < count; b++, sums += CENTRE_SUMS) {
        rigid *r = &bodies[b];
        *r = (rigid){.is_held = sums[CENTRE_WALL] > 0, .mass = sums[CENTRE_MASS]};
        for (int a = 0; a < DIM && r->mass > 0; a++) {
            r->centre[a] = sums[CENTRE_X + a] / r->mass;
            r->shift[a] = r->is_held ? 0 : sums[CENTRE_SHIFT + a] / r->mass;
        }
    }
}

static void shifts_to_grid(int block, void *context)
{
    const shift_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    static const vrow none[DIM]; /* 0 */
    real4 tile[TILE_ROOM];
    batch q;
    patch at;
    tile_clear(tile);
    patch_load(&at, tile, 0);
    for (int i = first_in(g, block); batch_take(&q, f->a.x, NULL, 0, 0, &i, first_in(g, block + 1));) {
        batch_weigh(&q, g->inverse, &g->block[block], 1);
        for (int l = 0; l < q.count; l++) {
            real4 shift = w->shift[q.which[l]];
            shift.w = 1;
            deposit(&at, tile, &q, l, 1, row_repeat(quad_load(&shift)), none, none);
        }
    }
    patch_store(&at, tile);
    tile_each(g, block, tile, w->node, stretch_add);
}

/* 1 at rest, 0 where liquid is fast. */
static inline real calm_of(const fluid *f, int i)
{
    real v = real3_length(real3_of(f->a.v[i])) / (CALM * (real)f->p->least_speed + (real)1e-30);
    return 1 / (1 + v * v * v * v);
}

static void take_off_seen(int block, void *context)
{
    const shift_work *w = context;
    const fluid *f = w->f;
    const grid *g = &f->g;
    const vquad xyz = {1, 1, 1, 0};
    gathered seen;
    real4 tile[TILE_ROOM];
    batch q;
    patch at;
    tile_clear(tile);
    tile_each(g, block, tile, w->node, stretch_load);
    patch_load(&at, tile, 0);
    for (int i = first_in(g, block); batch_take(&q, f->a.x, NULL, 0, 0, &i, first_in(g, block + 1));) {
        batch_weigh(&q, g->inverse, &g->block[block], 1);
        for (int l = 0; l < q.count; l++) {
            int k = q.which[l];
            if (w->f->body[k] < 0 || !w->bodies[w->f->body[k]].is_held || (f->has_solids && is_solid(&f->a, k)))
                continue;
            gather(&at, tile, &q, l, 1, &seen);
            quad_store(&w->shift[k], quad_load(&w->shift[k]) - calm_of(f, k) * xyz * gathered_v(&seen));
        }
    }
}

/* Takes off the shifts of bodies at walls what the grid sees of them, so far as the liquid is at rest. */
static dew_result keep_unseen(shift_work *w, int count)
{
    const grid *g = &w->f->g;
    int nodes = g->block_count * CELLS;
    bool is_any_held = false;
    for (int b = 0; b < count; b++) is_any_held = is_any_held || w->bodies[b].is_held;
    if (!is_any_held) return DEW_OK;
    ARENA_TRY_ZEROED(g->memory, nodes, w->node);
    each_home_colour(g, shifts_to_grid, w);
    parallel_for(nodes, 2048, nodes_divide, w->node);
    each_home(g, take_off_seen, w);
    return DEW_OK;
}

/* SPIN_CHANGE: of the angular momentum; SPIN_SQUARE: xx, yy, zz, yz, zx, xy; SPIN_ARM: where the centre has gone, as
 * walls let it; per mass, about the centre as it was. */
enum {
    SPIN_VELOCITY,
    SPIN_CHANGE = SPIN_VELOCITY + 3,
    SPIN_SQUARE = SPIN_CHANGE + 3,
    SPIN_ARM = SPIN_SQUARE + 6,
    SPIN_CARRIED = SPIN_ARM + 3,
    SPIN_SUMS = SPIN_CARRIED + MPM_CARRIED_COUNT
};

/* Changes what particle i carries to what there is at d from it; returns the change. */
static double carry_along(const mpm_carried *c, int i, const double d[3])
{
    if (!c->value) return 0;
    double change = (double)c->slope[i].x * d[0] + (double)c->slope[i].y * d[1] + (double)c->slope[i].z * d[2];
    mpm_carry(c, i, mpm_carried_by(c, i) + change);
    return change;
}

/* Moves a particle by its shift d, v += A d, and adds what that changes to its body's sums. */
static void move_shifted(const shift_work *w, int i, double *own)
{
    const rigid *r = &w->bodies[w->f->body[i]];
    real4 *x = &w->f->a.x[i], *v = &w->f->a.v[i];
    double mass = (double)mass_of(w->f, i), before[3], arm[3], d[3] = {0, 0, 0},
           old[3] = {(double)v->x, (double)v->y, (double)v->z}, change[3];
    vquad velocity = quad_load(v);
    for (int a = 0; a < 3; a++) before[a] = (double)(&x->x)[a] - r->centre[a];
    for (int a = 0; a < DIM; a++) {
        d[a] = (double)(&w->shift[i].x)[a] - r->shift[a];
        velocity += (real)d[a] * quad_load(&w->f->a.affine[a][i]);
        (&x->x)[a] += (real)d[a];
    }
    quad_store(v, velocity);
    for (int k = 0; k < MPM_CARRIED_COUNT; k++) own[SPIN_CARRIED + k] += carry_along(&w->f->a.carried[k], i, d);
    for (int a = 0; a < 3; a++) {
        arm[a] = (double)(&x->x)[a] - r->centre[a];
        change[a] = (double)(&v->x)[a] - old[a];
        own[SPIN_VELOCITY + a] += mass * change[a];
        own[SPIN_SQUARE + a] += mass * arm[a] * arm[a];
        own[SPIN_ARM + a] += mass * arm[a];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        own[SPIN_CHANGE + a] += mass * (arm[b] * change[c] - arm[c] * change[b] + (arm[b] - before[b]) * old[c] -
                                        (arm[c] - before[c]) * old[b]);
    }
    own[SPIN_SQUARE + 3] += mass * arm[1] * arm[2];
    own[SPIN_SQUARE + 4] += mass * arm[0] * arm[2];
    own[SPIN_SQUARE + 5] += mass * arm[0] * arm[1];
}

static void sum_spins(int begin, int end, void *context, double *sums)
{
    const shift_work *w = context;
    for (int i = begin; i < end; i++)
        if (w->f->body[i] >= 0) move_shifted(w, i, sums + (size_t)SPIN_SUMS * (size_t)w->f->body[i]);
}

static void find_turnings(int count, const double *sums, rigid *bodies)
{
    for (int b = 0; b < count; b++, sums += SPIN_SUMS) {
        rigid *r = &bodies[b];
        if (!(r->mass > 0)) continue;
        for (int a = 0; a < 3; a++) r->velocity[a] = sums[SPIN_VELOCITY + a] / r->mass;
        for (int k = 0; k < MPM_CARRIED_COUNT; k++) r->carried[k] = sums[SPIN_CARRIED + k] / r->mass;
        const double *square = sums + SPIN_SQUARE, *change = sums + SPIN_CHANGE, inertia = square[0] + square[1];
        if (DIM == 3)
            bodies_turn(square, change, r->spin);
        else if (inertia > 0)
            r->spin[2] = change[2] / inertia;
        const double *arm = sums + SPIN_ARM;
        for (int a = 0; a < 3; a++) {
            int next = (a + 1) % 3, last = (a + 2) % 3;
            r->velocity[a] -= (r->spin[next] * arm[last] - r->spin[last] * arm[next]) / r->mass;
        }
    }
}

static void give_back(int begin, int end, void *context)
{
    const shift_work *w = context;
    for (int i = begin; i < end; i++) {
        if (w->f->body[i] < 0) continue;
        const rigid *r = &w->bodies[w->f->body[i]];
        double arm[3];
        for (int k = 0; k < MPM_CARRIED_COUNT; k++) {
            const mpm_carried *c = &w->f->a.carried[k];
            if (c->value) mpm_carry(c, i, mpm_carried_by(c, i) - r->carried[k]);
        }
        for (int a = 0; a < 3; a++) arm[a] = (double)(&w->f->a.x[i].x)[a] - r->centre[a];
        for (int a = 0; a < DIM; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            double off = r->velocity[a] + r->spin[b] * arm[c] - r->spin[c] * arm[b];
            (&w->f->a.v[i].x)[a] = (real)((double)(&w->f->a.v[i].x)[a] - off);
        }
    }
}

/* Moves the particles by their shifts, less what the grid sees of them where `is_unseen`; bodies keep their momenta. */
static dew_result settle(shift_work *w, int count, bool is_unseen)
{
    arena *memory = w->f->g.memory;
    int particles_count = w->f->a.count;
    ARENA_ARRAY(memory, (size_t)count * SPIN_SUMS, double, sums);
    ARENA_TRY(memory, count, w->bodies);
    sum_bodies(count, particles_count, CENTRE_SUMS, sum_centres, w, sums);
    find_centres(count, sums, w->bodies);
    if (is_unseen) RESULT_TRY(keep_unseen(w, count));
    sum_bodies(count, particles_count, SPIN_SUMS, sum_spins, w, sums);
    find_turnings(count, sums, w->bodies);
    parallel_for(particles_count, 4096, give_back, w);
    return DEW_OK;
}

static dew_result shift_particles(fluid *f, const contour *c)
{
    arena *memory = f->g.memory;
    size_t mark = arena_mark(memory);
    shift_work w = {.f = f, .c = c, .support = (real)fmin(2 * f->w->spacing, f->p->dx)};
    ARENA_TRY(memory, f->a.count, w.shift);
    for (int a = 0; a < DIM; a++) ARENA_TRY(memory, f->a.count, w.x[a]);
    RESULT_TRY(make_film(&w));
    parallel_for(f->a.count, 4096, load_streams, &w);
    each_home(&f->g, shift_block, &w);
    RESULT_TRY(settle(&w, c->bodies.count, true));
    arena_release(memory, mark);
    return DEW_OK;
}

#endif
