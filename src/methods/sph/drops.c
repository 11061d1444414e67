/* Connected bodies of liquid. The curvature's force is not exactly in balance over a closed surface; what is left over
 * is taken off each body as a whole, so that its momentum is kept.
 *
 * Particles lie in cubes 2 s wide; cubes that touch are connected. Bodies nearer to each other than that act on each
 * other anyway. */
#include "methods/sph/flow.h"
#include "particles/bodies.h"

#include "base/matrix.h"
#include "base/parallel.h"
#include "particles/ghosts.h"

#include <string.h>

dew_result sph_find_drops(sph_state *p, world *w)
{
    const particles *store = w->particles;
    sph_arrays a = sph_arrays_of(p, w);
    size_t mark = arena_mark(w->scratch);
    point_grid g;
    RESULT_TRY(point_grid_create(&g, a.x, store->end, 2 * (double)p->s, w->scratch));
    ARENA_ARRAY(w->scratch, store->end, int32_t, parent);
    union_find_begin(store->end, parent);
    for (int i = a.count; i < store->ghost_begin; i++) parent[i] = -1;
    bodies_join_cells(&g, parent);
    for (int i = 0; i < a.count; i++) a.drop[i] = i;
    ghosts_copy(store, FIELD_INT32, a.drop);
    for (int i = store->ghost_begin; i < store->end; i++) /* what lies across a face belongs together */
        union_find_join(parent, i, a.drop[i]);
    p->drop_count = union_find_number(store->end, parent);
    memcpy(a.drop, parent, (size_t)a.count * sizeof *parent);
    ghosts_copy(store, FIELD_INT32, a.drop);
    p->has_drops = true;
    arena_release(w->scratch, mark);
    return DEW_OK;
}

/* --- sums over each body --- */

/* Columns of the sums over a body. Places are relative to that of its first particle, so that no digits are lost. */
enum { FORCE, TORQUE = 3, PLACE = 6, SQUARE = 9, COUNT = 15, SHIFT = 16, SPEED = 19, SPIN = 22 };
/* Over those particles that touch a solid: how many, n n^T of their solids' normals n as SQUARE has it, what they
 * give these particles for themselves, of that what contact lines do, and the sum of its sizes. */
enum { TOUCHES = 25, WALL_SQUARE = 26, OWN = 32, LINE = 35, LINE_SIZE = 38, SUMS = 39 };

/* Curvature means nothing on a few particles: a body of so many is pulled together by no tension, and of SMALL + GROW
 * by all of it. */
enum { SMALL = 6, GROW = 20 };

/* Particles that are dealt with while what belongs to them is in the cache. */
enum { BALANCE_GRAIN = 512 };

/* The mean square of the part that the solids' normals have of a direction: no more is rounding. */
#define ALONG_SOLIDS 1e-6

typedef struct drop_sum {
    double sum[SUMS];
    real4 origin;
    bool is_cut[3];                     /* by a plane of symmetry on an axis */
    real3 given;                        /* by the solids to each particle that touches one, m/s: see find_given */
    double size;                        /* share of its tension that acts, see SMALL */
    double push[3], turn[3], centre[3]; /* acceleration to take off, and about what */
    double line_push[3];                /* of the line's forces what is to be taken off them */
    double shift[3];                    /* displacement to take off */
    double given_turn[3];               /* of `given` about the origin, m2/s times particles */
    double holds;                       /* particles that touch a solid which is no free body */
} drop_sum;

/* Particles of one body that follow each other in memory, within a piece of BALANCE_GRAIN. */
typedef struct drop_run {
    int32_t begin, body;
    double sum[SUMS];
    double given_turn[3], holds; /* as in drop_sum */
} drop_run;

typedef struct drop_sums {
    flow *k;
    drop_sum *list;
    drop_run *runs;
    int *first;           /* run of each piece, and how many runs there are */
    parallel_fcn *before; /* see sph_balance_tension */
    solids_pass *after;
} drop_sums;

static inline dquad vector_of(real4 a) { return (dquad){(double)a.x, (double)a.y, (double)a.z, 0}; }
/* A cross product whose z comes first, then x, y. */
static inline dquad turned_cross(dquad a, dquad b) { return a * dquad_turn(b) - dquad_turn(a) * b; }

static inline void put_sum(double *sums, dquad a)
{
    for (int n = 0; n < 3; n++) sums[n] += a[n];
}

/* Adds the terms of [begin, end), all of one body. */
static void add_range(const flow *k, int begin, int end, real4 origin, double *sums)
{
    const dquad zero = {0, 0, 0, 0}, o = vector_of(origin);
    dquad force = zero, torque = zero, place = zero, square = zero;
    dquad mixed = zero, shift = zero, speed = zero, spin = zero;
    double count = 0, dt = (double)k->dt;
    for (int i = begin; i < end; i++) {
        double mass = (double)sph_relative_mass(k, i);
        dquad a = vector_of(k->pull[i]), e = vector_of(k->shift[i]), r = vector_of(k->a.x[i]) - o + e;
        dquad u = mass * vector_of(k->a.v[i]) + dt * vector_of(k->force[i]), moment = mass * r;
        force += a, torque += turned_cross(r, a);
        place += moment, square += moment * r, mixed += moment * dquad_turn(r);
        shift += mass * e, speed += u, spin += turned_cross(e, u);
        count += mass;
    }
    put_sum(sums + FORCE, force), put_sum(sums + TORQUE, dquad_turn(torque));
    put_sum(sums + PLACE, place), put_sum(sums + SQUARE, square), put_sum(sums + SQUARE + 3, dquad_turn(mixed));
    put_sum(sums + SHIFT, shift), put_sum(sums + SPEED, speed), put_sum(sums + SPIN, dquad_turn(spin));
    sums[COUNT] = count;
}

/* What is known of the solids' share in a particle's `pull`: at a contact line, and as pressure along them. */
static real3 own_of(const flow *k, int i)
{
    real3 line = k->of_line ? real3_of(k->of_line[i]) : (real3){0, 0, 0};
    return k->mended ? real3_add(line, real3_of(k->mended[i])) : line;
}

/* Adds to the columns of the solids what they are over [begin, end). */
static void add_touches(const flow *k, int begin, int end, double *sums)
{
    dquad square = {0, 0, 0, 0}, mixed = square, own = square, line = square;
    for (int i = begin; i < end; i++) {
        if (k->wall_solid[i] < 0) continue;
        dquad n = vector_of(k->wall[i]);
        sums[TOUCHES]++, square += n * n, mixed += n * dquad_turn(n);
        own += vector_of(real4_of(own_of(k, i), 0));
        if (!k->of_line) continue;
        line += vector_of(k->of_line[i]), sums[LINE_SIZE] += (double)real3_length(real3_of(k->of_line[i]));
    }
    put_sum(sums + OWN, own), put_sum(sums + LINE, line);
    put_sum(sums + WALL_SQUARE, square), put_sum(sums + WALL_SQUARE + 3, dquad_turn(mixed));
}

static bool begins_run(const flow *k, int i) { return i % BALANCE_GRAIN == 0 || k->a.drop[i] != k->a.drop[i - 1]; }

static void count_runs(int begin, int end, void *context)
{
    const drop_sums *d = context;
    for (int i = begin; i < end; i++) d->first[begin / BALANCE_GRAIN] += begins_run(d->k, i);
}

static void begin_runs(int begin, int end, void *context)
{
    const drop_sums *d = context;
    drop_run *run = d->runs + d->first[begin / BALANCE_GRAIN];
    for (int i = begin; i < end; i++)
        if (begins_run(d->k, i)) *run++ = (drop_run){.begin = i, .body = d->k->a.drop[i]};
}

static void sum_runs(int begin, int end, void *context)
{
    const drop_sums *d = context;
    const int *first = d->first + begin / BALANCE_GRAIN;
    d->before(begin, end, d->k);
    for (int r = first[0]; r < first[1]; r++) {
        drop_run *run = &d->runs[r];
        int run_end = r + 1 < first[1] ? run[1].begin : end;
        add_range(d->k, run->begin, run_end, d->list[run->body].origin, run->sum);
        if (d->k->wall) add_touches(d->k, run->begin, run_end, run->sum);
    }
}

/* Calls `before` for all particles and finds the sums over each body. */
static dew_result sum_bodies(drop_sums *sums)
{
    flow *k = sums->k;
    const particles *store = k->w->particles;
    int pieces = (k->count + BALANCE_GRAIN - 1) / BALANCE_GRAIN;
    ARENA_TRY_ZEROED(k->w->scratch, k->p->drop_count, sums->list);
    ARENA_TRY_ZEROED(k->w->scratch, pieces + 1, sums->first);
    parallel_for(k->count, BALANCE_GRAIN, count_runs, sums);
    int runs = parallel_prefix_sum(pieces + 1, sums->first);
    ARENA_TRY(k->w->scratch, runs, sums->runs);
    parallel_for(k->count, BALANCE_GRAIN, begin_runs, sums);
    for (int r = runs - 1; r >= 0; r--) sums->list[sums->runs[r].body].origin = k->a.x[sums->runs[r].begin];
    parallel_for(k->count, BALANCE_GRAIN, sum_runs, sums);
    for (int r = 0; r < runs; r++)
        for (int n = 0; n < SUMS; n++) sums->list[sums->runs[r].body].sum[n] += sums->runs[r].sum[n];
    for (int g = store->ghost_begin; g < store->end; g++) {
        unsigned axes = ghosts_axes(store, g);
        for (int axis = 0; axis < 3; axis++) sums->list[k->a.drop[g]].is_cut[axis] |= axes >> axis & 1;
    }
    return DEW_OK;
}

/* Along a direction that no normal of the solids has a part of, the body is as well off wherever it is: on a plane,
 * along a fibre or a tube. There tension has no net force, and what its sum leaves, and that of the shifts, would push
 * the body about. What lines leave is taken off them: taken off all liquid alike it would stir it, and walls that hold
 * would set the body in motion. Where solids hold lines these have a force: `is_held`. */
static void hold_along_solids(drop_sum *d, bool is_held)
{
    const double *n = d->sum + WALL_SQUARE;
    double square[9] = {n[0], n[5], n[4], n[5], n[1], n[3], n[4], n[3], n[2]}, part[3], axis[9];
    matrix_eigen(3, square, part, axis);
    for (int e = 0; e < 3; e++) {
        double force = 0, shift = 0, line = 0, share = 1 / d->sum[COUNT];
        if (part[e] > ALONG_SOLIDS * d->sum[TOUCHES]) continue;
        for (int a = 0; a < 3; a++) {
            line += axis[3 * a + e] * d->size * d->sum[LINE + a];
            force += axis[3 * a + e] * d->sum[FORCE + a], shift += axis[3 * a + e] * d->sum[SHIFT + a];
        }
        for (int a = 0; a < 3; a++) {
            if (d->is_cut[a]) continue;
            d->push[a] += share * (force - line) * axis[3 * a + e], d->shift[a] += share * shift * axis[3 * a + e];
            if (!is_held) d->line_push[a] += line * axis[3 * a + e];
        }
    }
}

static void solve_body(drop_sum *d, bool is_held)
{
    double n = d->sum[COUNT];
    if (!(n > 0)) return;
    d->size = fmin(fmax((n - SMALL) / GROW, 0), 1);
    for (int a = 0; a < 3; a++) d->sum[FORCE + a] *= d->size, d->sum[TORQUE + a] *= d->size;
    for (int a = 0; a < 3; a++) d->centre[a] = d->sum[PLACE + a] / n;
    if (d->sum[TOUCHES] > 0) {
        hold_along_solids(d, is_held);
        return;
    }
    for (int a = 0; a < 3; a++) {
        d->push[a] = d->is_cut[a] ? 0 : d->sum[FORCE + a] / n;
        d->shift[a] = d->is_cut[a] ? 0 : d->sum[SHIFT + a] / n;
    }
}

/* Takes off what turns a body of liquid that no other than free solids hold: of the torque what these do not get.
 * Places are those after the shifts e, and the torque counts what these turn, e x u/dt with the velocity u that
 * pressure leaves: so the angular momentum of liquid and solids is kept to rounding. */
static void stop_turning(drop_sum *d, double inv_dt)
{
    double n = d->sum[COUNT], square[6], torque[3];
    const double *place = d->sum + PLACE, *speed = d->sum + SPEED;
    if (!(n > 0) || d->holds > 0 || d->is_cut[0] || d->is_cut[1] || d->is_cut[2]) return;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        square[a] = d->sum[SQUARE + a] - n * d->centre[a] * d->centre[a];
        square[3 + a] = d->sum[SQUARE + 3 + a] - n * d->centre[b] * d->centre[c];
        torque[a] = d->sum[TORQUE + a] - place[b] * d->push[c] + place[c] * d->push[b];
        torque[a] += inv_dt * (d->sum[SPIN + a] - d->shift[b] * speed[c] + d->shift[c] * speed[b] - d->given_turn[a]);
    }
    bodies_turn(square, torque, d->turn);
}

/* What tension leaves of a net force on a body its solids give: each what is known of it, and of the rest alike much
 * for each particle that touches one. */
static void find_given(drop_sum *d, double dt)
{
    double rest[3] = {0, 0, 0};
    for (int a = 0; a < 3 && d->sum[TOUCHES] > 0; a++) {
        rest[a] = d->sum[FORCE + a] - d->sum[COUNT] * d->push[a] - d->size * d->sum[OWN + a];
        rest[a] *= dt / d->sum[TOUCHES];
    }
    d->given = (real3){(real)rest[0], (real)rest[1], (real)rest[2]};
}

/* What of the line's forces is taken off particle i. */
static real3 line_taken(const flow *k, const drop_sum *d, int i)
{
    if (!k->of_line || k->wall_solid[i] < 0 || !(d->sum[LINE_SIZE] > 0)) return (real3){0, 0, 0};
    real share = (real)((double)real3_length(real3_of(k->of_line[i])) / d->sum[LINE_SIZE]);
    return (real3){share * (real)d->line_push[0], share * (real)d->line_push[1], share * (real)d->line_push[2]};
}

/* What solids give to particle i at a contact line and beyond what is known of it, m/s; as pressure, if it mends that.
 */
static real3 line_given(const flow *k, const drop_sum *d, int i)
{
    if (!k->of_line) return d->given;
    real3 own = real3_sub(real3_scale((real)d->size, real3_of(k->of_line[i])), line_taken(k, d, i));
    return real3_madd(d->given, k->dt, own);
}
static real3 pressure_given(const flow *k, const drop_sum *d, int i)
{
    return k->mended ? real3_scale(k->dt * (real)d->size, real3_of(k->mended[i])) : (real3){0, 0, 0};
}

static bool is_free(const solids *s, int solid)
{
    return solids_is_body(s, solid) && solids_number(s, solid, WORLD_IS_HELD) == 0;
}

/* Of each run: the torque of what solids give, at the places where they are told of it, and who else holds. */
static void sum_given(int begin, int end, void *context)
{
    const drop_sums *sums = context;
    const flow *k = sums->k;
    const int *first = sums->first + begin / BALANCE_GRAIN;
    for (int r = first[0]; r < first[1]; r++) {
        drop_run *run = &sums->runs[r];
        const drop_sum *d = &sums->list[run->body];
        dquad torque = {0, 0, 0, 0};
        int run_end = r + 1 < first[1] ? run[1].begin : end;
        run->holds = 0;
        for (int i = run->begin; i < run_end; i++) {
            if (k->wall_solid[i] < 0) continue;
            real3 given = real3_add(line_given(k, d, i), pressure_given(k, d, i));
            torque += turned_cross(vector_of(k->a.x[i]) - vector_of(d->origin), vector_of(real4_of(given, 0)));
            run->holds += !is_free(k->w->solids, k->wall_solid[i]);
            if (k->other_solid[i] >= 0) run->holds += !is_free(k->w->solids, k->other_solid[i]);
        }
        torque = dquad_turn(torque);
        for (int a = 0; a < 3; a++) run->given_turn[a] = torque[a];
    }
}

static void add_given(const drop_sums *sums)
{
    const flow *k = sums->k;
    int pieces = (k->count + BALANCE_GRAIN - 1) / BALANCE_GRAIN;
    parallel_for(k->count, BALANCE_GRAIN, sum_given, (void *)sums);
    for (int r = 0; r < sums->first[pieces]; r++) {
        const drop_run *run = &sums->runs[r];
        drop_sum *d = &sums->list[run->body];
        for (int a = 0; a < 3; a++) d->given_turn[a] += run->given_turn[a];
        d->holds += run->holds;
    }
}

static void report_given(const flow *k, const drop_sum *d, int i, solid_pushes *to)
{
    real mass = (real)k->w->particle_mass[0];
    if (k->mended) sph_push_solids(k, PUSH_PRESSURE, i, pressure_given(k, d, i), to);
    solids_push(to, PUSH_LINE, k->wall_solid[i], real3_of(k->a.x[i]), real3_scale(-mass, line_given(k, d, i)));
}

static void take_off(int begin, int end, void *context, solid_pushes *to)
{
    const drop_sums *sums = context;
    flow *k = sums->k;
    for (int i = begin; i < end; i++) {
        const drop_sum *d = &sums->list[k->a.drop[i]];
        real4 *f = &k->pull[i], *e = &k->shift[i], x = k->a.x[i];
        real3 r = {(x.x - d->origin.x) + e->x - (real)d->centre[0], (x.y - d->origin.y) + e->y - (real)d->centre[1],
                   (x.z - d->origin.z) + e->z - (real)d->centre[2]};
        real3 turn = real3_cross((real3){(real)d->turn[0], (real)d->turn[1], (real)d->turn[2]}, r);
        real size = (real)d->size, m = sph_relative_mass(k, i);
        real3 push = real3_add(turn, (real3){(real)d->push[0], (real)d->push[1], (real)d->push[2]});
        *f = real4_of(real3_sub(real3_madd(real3_scale(size, real3_of(*f)), -m, push), line_taken(k, d, i)), 0);
        e->x -= (real)d->shift[0], e->y -= (real)d->shift[1], e->z -= (real)d->shift[2];
        if (k->wall && k->wall_solid[i] >= 0) report_given(k, d, i, to);
    }
    sums->after(begin, end, k, to);
}

dew_result sph_balance_tension(flow *k, parallel_fcn *before, solids_pass *after)
{
    drop_sums sums = {.k = k, .before = before, .after = after};
    RESULT_TRY(sum_bodies(&sums));
    for (int n = 0; n < k->p->drop_count; n++) {
        solve_body(&sums.list[n], k->held.line != NULL);
        find_given(&sums.list[n], (double)k->dt);
    }
    if (k->wall) add_given(&sums);
    for (int n = 0; n < k->p->drop_count; n++) stop_turning(&sums.list[n], 1 / (double)k->dt);
    solids_each(k->w->solids, k->count, take_off, &sums);
    return DEW_OK;
}

/* --- the start --- */

static double height_of(const flow *k, int i)
{
    dew_vec3 g = k->w->gravity;
    real4 x = k->a.x[i];
    return -((double)x.x * g.x + (double)x.y * g.y + (double)x.z * g.z); /* times g */
}

dew_result sph_start_pressure(flow *k)
{
    struct start {
        double curvature, weight, height;
        bool is_held; /* touches a solid */
    } * starts;
    ARENA_TRY(k->w->scratch, k->p->drop_count, starts);
    for (int n = 0; n < k->p->drop_count; n++) starts[n] = (struct start){0, 0, -INFINITY, false};
    for (int i = 0; i < k->count; i++) {
        struct start *d = &starts[k->a.drop[i]];
        d->curvature += (double)k->a.tension[i].w, d->weight += (double)k->a.v[i].w;
        d->height = fmax(d->height, height_of(k, i));
        d->is_held |= k->wall && k->wall_solid[i] >= 0;
    }
    for (int i = 0; i < k->count; i++) {
        const struct start *d = &starts[k->a.drop[i]];
        double jump = d->weight > 0 && k->gamma > 0 ? d->curvature / d->weight : 0;
        double above = d->is_held ? (double)k->rho * (d->height - height_of(k, i)) : 0;
        k->a.pressure[i] = k->a.lasting[i] = (real)(jump + above);
        k->a.x[i].w = k->a.pressure[i] / k->rho;
    }
    k->p->saved_started = 1;
    return DEW_OK;
}
