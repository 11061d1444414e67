#include "methods/mpm/any/velocities.h"

#include "base/conjugate_gradient.h"
#include "methods/mpm/any/points.h"
#include "methods/mpm/any/pressure.h"
#include "methods/mpm/any/rigid.h"
#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/transfer.h"

enum { MOST_VELOCITY_ITERATIONS = 3000 };

/* Left of the residual over that at first, in the norm of the preconditioner; and over the momentum of all. */
#define VELOCITY_TOLERANCE 1e-3
#define VELOCITY_ROUNDING (sizeof(real) == 8 ? 1e-13 : 1e-7)

static void find_tangents(int begin, int end, void *context)
{
    velocity_system *q = context;
    const fluid *f = q->f;
    double scale =
        (double)f->dt * (double)f->dt * (double)f->volume / ((double)f->mass * (double)f->dx * (double)f->dx);
    for (int i = begin; i < end; i++)
        if (is_solid(&f->a, i)) solid_tangent(&f->elastic[material_of(&f->a, i)], &f->a, i, scale, &q->solid[i]);
}

/* Adds a share of the viscous stress of a particle, by the gradient of a velocity. */
static inline void add_stress_by_rate(const velocity_system *q, real share, int i, const vquad g[DIM], vquad out[DIM])
{
    const fluid *f = q->f;
    real mu = share * q->viscous * (1 + f->a.strain[i]) * (f->a.viscosity ? f->a.viscosity[i] : f->viscosity);
    for (int a = 0; a < DIM; a++) {
        vquad row = {g[0][a], g[1][a], DIM == 3 ? g[DIM - 1][a] : 0, 0};
        out[a] += mu * (g[a] + row);
    }
}

/* What of the stress of a particle, solid (is_hard) or liquid, is implicit; of its viscous one so large a share. */
static inline void stress_by_motion(const velocity_system *q, bool is_hard, real share, int i, const vquad g[DIM],
                                    vquad out[DIM])
{
    for (int a = 0; a < DIM; a++) out[a] = quad_set(0);
    if (is_hard && q->f->implicit.energy) stress_by_strain(&q->solid[i], g, out);
    if (q->f->implicit.viscosity) add_stress_by_rate(q, share, i, g, out);
}

/* Whether any is. */
static inline bool has_stress(const fluid *f, bool is_hard)
{
    return f->implicit.viscosity || (is_hard && f->implicit.energy);
}

/* The stress of a sample, by the gradient of a motion: it turns the surface. */
static void stress_by_turning(const velocity_system *q, real tension, real4 area, const real4 g[DIM], real4 out[DIM])
{
    real3 n = real3_of(area), c = {0, 0, 0};
    real length = real3_length(n);
    for (int a = 0; a < DIM; a++) out[a] = (real4){0, 0, 0, 0};
    if (!(tension > 0 && length > 0)) return;
    n = real3_scale(1 / length, n);
    for (int a = 0; a < DIM; a++) { /* c = sym(g) n */
        c = real3_madd(c, (real)0.5 * (&n.x)[a], real3_of(g[a]));
        (&c.x)[a] += (real)0.5 * real3_dot(real3_of(g[a]), n);
    }
    c = real3_madd(c, -real3_dot(c, n), n);
    real scale = (real)0.5 * q->surface * tension * length;
    for (int a = 0; a < DIM; a++) {
        real3 column = real3_add(real3_scale(scale * (&c.x)[a], n), real3_scale(scale * (&n.x)[a], c));
        out[a] = (real4){column.x, column.y, column.z, 0};
    }
}

/* --- the matrix --- */

/* Finds the velocities that points have from the nodes. */
static void reach_points(int block, void *context)
{
    const velocity_system *q = context;
    const fluid *f = q->f;
    const points *p = &f->points;
    if (!has_points(p, block)) return;
    real4 tile[TILE_ROOM];
    tile_clear(tile);
    tile_load(&f->g, block, tile, q->from);
    points_from_tile(&f->g, p, block, tile);
}

/* Finds the stresses of the points by their velocities; balance points have none. */
static void stress_points(int begin, int end, void *context)
{
    const velocity_system *q = context;
    const fluid *f = q->f;
    const points *p = &f->points;
    for (int k = begin; k < end; k++) {
        owner *o = &p->owners[k];
        real3 given[MOST_WALLS];
        for (int j = 0; j < o->wall_count; j++) given[j] = real3_of(o->wall[j].push);
        for (int t = 0; t < transfers_of(o); t++) {
            point *at = &p->list[o->first_point + (t << o->wall_count)];
            const landed *got = &p->found[o->first_point + (t << o->wall_count)];
            bool is_sample = t > 0 && t <= o->sample_count, is_hard = is_solid_slot(f, o->slot);
            bool has_turning = is_sample && f->implicit.energy;
            vquad g[DIM], stress[DIM];
            for (int c = 0; c < 1 << o->wall_count; c++) {
                at[c].p = (real4){0, 0, 0, 0};
                for (int a = 0; a < DIM; a++) at[c].b[a] = at[c].f[a] = (real4){0, 0, 0, 0};
            }
            if (!has_turning && !has_stress(f, t == 0 && is_hard)) continue;
            join_transfer(f, o, t);
            for (int a = 0; a < DIM; a++) g[a] = quad_load(&got->g[a]);
            if (has_turning) {
                int sample = o->first_sample + t - 1;
                stress_by_turning(q, p->sample[sample].w, p->area[sample], got->g, at->f);
            }
            stress_by_motion(q, t == 0 && is_hard, share_of(o, t), o->slot, g, stress);
            for (int a = 0; a < DIM; a++) quad_store(&at->f[a], quad_load(&at->f[a]) + stress[a]);
            if (q->walls_give)
                mirror_and_push(f, o, -1, at, NULL);
            else
                mirror_copies(f, o, at);
        }
        for (int j = 0; j < o->wall_count; j++)
            o->wall[j].push.w = real3_length(real3_sub(real3_of(o->wall[j].push), given[j]));
    }
}

static void add_stresses(int block, void *context)
{
    const velocity_system local = *(const velocity_system *)context, *q = &local;
    const fluid *f = q->f;
    const grid *g = &f->g;
    const points *p = &f->points;
    int begin = 0, end = 0;
    bool are_points = has_points(p, block);
    bool has_plain = has_stress(f, f->has_solids);
    if (block < g->home_count && has_plain) begin = first_in(g, block), end = first_in(g, block + 1);
    if (begin == end && !are_points) return;
    real4 in[TILE_ROOM], out[TILE_ROOM];
    tile_clear(in), tile_clear(out);
    if (begin < end) tile_load(g, block, in, q->from);
    batch near;
    patch from, to;
    gathered got;
    static const vrow none[DIM]; /* 0 */
    patch_load(&from, in, 0), patch_load(&to, out, 0);
    for (int i = begin; batch_take(&near, g, f->a.x, p->kind, 0, 0, &i, end);) {
        batch_weigh(&near, g->inverse, &g->first[block], 1);
        for (int l = 0; l < near.count; l++) {
            int k = near.which[l];
            vquad slope[DIM], stress[DIM];
            vrow s[DIM];
            bool is_hard = p->kind[k] == IS_SOLID;
            if (!is_straight(p->kind[k]) || !has_stress(f, is_hard)) continue;
            gather(&from, in, &near, l, 1, &got);
            for (int a = 0; a < DIM; a++) slope[a] = row_record(got.g, a);
            stress_by_motion(q, is_hard, 1, k, slope, stress);
            for (int a = 0; a < DIM; a++) s[a] = row_repeat(stress[a]);
            deposit(&to, out, &near, l, 1, none[0], none, s);
        }
    }
    patch_store(&to, out);
    if (are_points) points_to_tile(g, p, block, out);
    tile_add(g, block, out, q->Ap);
}

/* Ap += a^2 m u */
static void add_pushes(int begin, int end, void *context)
{
    const velocity_system *v = context;
    const pressure_system *q = v->pressure;
    for (int k = begin; k < end; k++) {
        real4 *to = &v->Ap[k];
        const real4 *u = &q->u[column_node(q, k)];
        real scale = q->stiffness * v->f->node[k].w;
        to->x += scale * u->x, to->y += scale * u->y, to->z += scale * u->z;
    }
}

static void divide_by_shift(int begin, int end, void *context)
{
    pressure_system *q = context;
    for (int c = begin; c < end; c++) q->p[c] = q->Ap[c] / q->shift[c];
}

/* Ap += a^2 g (1 + e)^2/n g^T from */
static void add_pressures(velocity_system *v)
{
    pressure_system *q = v->pressure;
    q->from = v->from;
    parallel_for(v->count, NODE_GRAIN, pressure_take_nodes, q);
    q->from = v->f->node;
    pressure_collect(q);
    parallel_for(q->count, 4096, divide_by_shift, q);
    pressure_spread(q, q->p);
    parallel_for(v->count, NODE_GRAIN, add_pushes, v);
}

/* Finds the stresses of the points by velocities of the nodes. */
static void find_stresses(velocity_system *q, const real4 *from)
{
    q->from = from;
    each_block(&q->f->g, reach_points, q);
    parallel_for(q->f->points.owner_count, 32, stress_points, q);
}

void velocities_multiply(velocity_system *q, const real4 *from, bool is_difference)
{
    fluid *f = q->f;
    f->walls_rest = is_difference;
    memset(q->Ap, 0, (size_t)q->count * sizeof *q->Ap);
    find_stresses(q, from);
    each_colour(&f->g, add_stresses, q);
    f->walls_rest = false;
    if (q->pressure) add_pressures(q);
}

/* --- solving --- */

static inline double quad_square(vquad a)
{
    return (double)a[0] * (double)a[0] + (double)a[1] * (double)a[1] + (double)a[2] * (double)a[2];
}

/* r = -K v*; its size by the preconditioner, and that of the momentum. */
static void begin_velocities(int begin, int end, void *context, double *sums)
{
    velocity_system *q = context;
    for (int k = begin; k < end; k++) {
        vquad v = quad_load(&q->f->node[k]);
        real m = v[3];
        vquad r = m > LEAST_MASS ? -quad_load(&q->Ap[k]) : quad_set(0);
        quad_store(&q->r[k], r);
        real inverse = m > LEAST_MASS ? 1 / m : 0;
        q->inverse[k] = (real4){inverse, inverse, inverse, 0}, q->p[k] = (real4){0, 0, 0, 0};
        if (!(m > LEAST_MASS)) continue;
        sums[0] += quad_square(r) / (double)m;
        sums[1] += quad_square(v) * (double)m;
    }
}

typedef struct rigid_start {
    velocity_system *q;
    rigid_motion motion;
} rigid_start;

/* sums: the size of M (v* - v) as residuals are measured, v that of the rigid motion. */
static void sum_from_rigid(int begin, int end, void *context, double *sums)
{
    const rigid_start *s = context;
    const fluid *f = s->q->f;
    for (int k = begin; k < end; k++) {
        if (!(f->node[k].w > LEAST_MASS)) continue;
        sums[0] += quad_square(quad_load(&f->node[k]) - rigid_velocity(f, &s->motion, k)) * (double)f->node[k].w;
    }
}

/* v = that of the rigid motion, r = M (v* - v) */
static void start_rigid(int begin, int end, void *context)
{
    const rigid_start *s = context;
    velocity_system *q = s->q;
    for (int k = begin; k < end; k++) {
        real4 *to = &q->f->node[k];
        const real m = to->w;
        if (!(m > LEAST_MASS)) continue;
        const vquad v = rigid_velocity(q->f, &s->motion, k);
        quad_store(&q->r[k], m * (quad_load(to) - v));
        q->r[k].w = 0;
        quad_store(to, v), to->w = m;
    }
}

/* r -= Ap. sums: the size of r. */
static void take_stresses(int begin, int end, void *context, double *sums)
{
    velocity_system *q = context;
    for (int k = begin; k < end; k++) {
        vquad r = quad_load(&q->r[k]);
        const real m = q->f->node[k].w;
        if (!(m > LEAST_MASS)) continue;
        r -= quad_load(&q->Ap[k]);
        quad_store(&q->r[k], r), q->r[k].w = 0;
        sums[0] += quad_square(r) / (double)m;
    }
}

/* Where viscosity leaves little of what forces make of the nodes, v* is a bad place to start from: its own residual is
 * so large that a share of it is as much as all that is left, and what is left drowns in the rounding of what goes. A
 * rigid motion strains nothing: whichever residual is the smaller, that of v* or that of it, has to come down. */
static void begin_rigid(velocity_system *q, double *size)
{
    rigid_start s = {q, nodes_rigid_motion(q->f)};
    double from_rigid;
    parallel_sum(q->count, 1, sum_from_rigid, &s, &from_rigid);
    if (from_rigid >= *size) return;
    parallel_for(q->count, NODE_GRAIN, start_rigid, &s);
    velocities_multiply(q, q->f->node, false);
    parallel_sum(q->count, 1, take_stresses, q, size);
}

/* Ap = (M + K) p. sums: p . Ap. */
static void add_mass(int begin, int end, void *context, double *sums)
{
    velocity_system *q = context;
    for (int k = begin; k < end; k++) {
        vquad p = quad_load(&q->p[k]), Ap = quad_load(&q->Ap[k]) + q->f->node[k].w * p;
        quad_store(&q->Ap[k], Ap);
        sums[0] += (double)p[0] * (double)Ap[0] + (double)p[1] * (double)Ap[1] + (double)p[2] * (double)Ap[2];
    }
}

static double multiply_for_velocities(void *context)
{
    velocity_system *q = context;
    double product;
    velocities_multiply(q, q->p, true);
    parallel_sum(q->count, 1, add_mass, q, &product);
    return product;
}

dew_result velocities_make(velocity_system *q, fluid *f, pressure_system *pressure)
{
    arena *memory = f->g.memory;
    *q = (velocity_system){.f = f, .pressure = pressure, .count = f->g.block_count * CELLS};
    ARENA_TRY(memory, q->count, q->r, q->p, q->Ap, q->inverse);
    if (f->has_solids && f->implicit.energy) ARENA_TRY(memory, f->a.count, q->solid);
    q->surface = f->dt * f->dt / (f->mass * f->dx * f->dx);
    q->viscous = f->dt * f->volume / (f->mass * f->dx * f->dx);
    if (q->solid) parallel_for(f->a.count, 256, find_tangents, q);
    return DEW_OK;
}

/* --- what walls have given --- */

static void sum_given(int begin, int end, void *context, double *sums)
{
    const velocity_system *q = context;
    for (int k = begin; k < end; k++) {
        const owner *o = &q->f->points.owners[k];
        for (int j = 0; j < o->wall_count; j++) sums[0] += (double)o->wall[j].push.w;
    }
}

static void sum_momentum(int begin, int end, void *context, double *sums)
{
    const velocity_system *q = context;
    for (int k = begin; k < end; k++)
        for (int a = 0; a < DIM; a++) sums[a] += (double)q->f->node[k].w * (double)(&q->f->node[k].x)[a];
}

static void sum_stresses(int begin, int end, void *context, double *sums)
{
    const velocity_system *q = context;
    for (int k = begin; k < end; k++)
        for (int a = 0; a < DIM; a++) sums[a] += (double)(&q->Ap[k].x)[a];
}

static void give_left(int begin, int end, void *context)
{
    const velocity_system *q = context;
    for (int k = begin; k < end; k++) {
        owner *o = &q->f->points.owners[k];
        for (int j = 0; j < o->wall_count; j++) add_push(o, j, o->wall[j].push.w, o->from, q->left);
    }
}

/* M (v - v*) = -K v less what is left of the residual, whose sum is the walls' too, as K has none elsewhere: owners
 * take of it, wall by wall, as they do of the rest. What is left is asked of the nodes, as residuals that are carried
 * from iteration to iteration lose what rounds off at walls that move. `before`: the sum of M v*. */
static void push_by_velocities(velocity_system *q, const double before[3])
{
    fluid *f = q->f;
    double size, after[3] = {0, 0, 0}, given[3] = {0, 0, 0}, rest[3];
    q->walls_give = true;
    velocities_multiply(q, f->node, false);
    parallel_sum(f->points.owner_count, 1, sum_given, q, &size);
    parallel_sum(q->count, DIM, sum_momentum, q, after);
    parallel_sum(q->count, DIM, sum_stresses, q, given);
    for (int a = 0; a < 3; a++) rest[a] = before[a] - after[a] - given[a];
    q->left = (real4){(real)(-rest[0] / size), (real)(-rest[1] / size), (real)(-rest[2] / size), 0};
    if (size > 0) parallel_for(f->points.owner_count, 256, give_left, q);
    if (!q->pressure || q->pressure->push_count == 0) return;
    q->pressure->z = q->pressure->p, q->pressure->step = q->pressure->stiffness;
    parallel_for(f->points.owner_count, 64, pressure_push_owners, q->pressure);
}

dew_result velocities_solve(fluid *f, pressure_system *pressure)
{
    velocity_system q;
    size_t mark = arena_mark(f->g.memory);
    double size[2], before[3] = {0, 0, 0};
    RESULT_TRY(velocities_make(&q, f, pressure));
    parallel_sum(q.count, DIM, sum_momentum, &q, before);
    velocities_multiply(&q, f->node, false);
    parallel_sum(q.count, 2, begin_velocities, &q, size);
    if (f->implicit.viscosity) begin_rigid(&q, size);
    double least =
        fmax(VELOCITY_TOLERANCE * VELOCITY_TOLERANCE * size[0], VELOCITY_ROUNDING * VELOCITY_ROUNDING * size[1]);
    conjugate_gradient c = {.count = 4 * q.count,
                            .x = &f->node->x, /* of which masses do not move, as p has no w */
                            .r = &q.r->x,
                            .p = &q.p->x,
                            .Ap = &q.Ap->x,
                            .inverse = &q.inverse->x,
                            .multiply = multiply_for_velocities,
                            .context = &q};
    int iterations = conjugate_gradient_solve(&c, &size[0], least, MOST_VELOCITY_ITERATIONS);
    if (!(size[0] <= least))
        return result_fail(DEW_FAILED,
                           "the velocities have not been found in %d iterations.\n"
                           "Likely cause: the step is too long for the forces.\n"
                           "What to change: lower mpm.cfl, or set mpm.solver to explicit",
                           iterations);
    if (solids_count(f->w->solids) > 0) push_by_velocities(&q, before);
    f->p->velocity_iterations += iterations, f->p->velocity_solves++;
    arena_release(f->g.memory, mark);
    return DEW_OK;
}
