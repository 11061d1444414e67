/* Implicit velocities: backward Euler of surface energy, elastic energy and viscosity (paper, 4.3.1), of those that the
 * scheme names. One Newton iteration from x^n,
 *
 *     (M + K) v = M v*,   K w = sum V C : sym(grad w) grad N
 *
 * v* being what the forces of x^n make of the nodes. K is made of symmetric strains alone, E = sym(dt grad w):
 *
 *   surface   (tension > 0)    k |a| sym(n c^T), c = (I - n n^T) E n       (Gauss-Newton; of k < 0 nothing)
 *   elastic                    the second derivative of psi along E F, its negative part taken off
 *   viscosity                  2 mu V E/dt
 *
 * so stresses stay symmetric, and angular momentum about x^n is kept as momentum is, at any tolerance: conjugate
 * gradients with the nodes' masses as preconditioner add forces of stresses only. */
#ifndef METHODS_MPM_ANY_VELOCITIES_H
#define METHODS_MPM_ANY_VELOCITIES_H

#include "methods/mpm/any/pressure.h"

enum { STRAINS = DIM == 3 ? 6 : 3, MOST_VELOCITY_ITERATIONS = 3000 };

/* Left of the residual over that at first, in the norm of the preconditioner; and over the momentum of all. */
#define VELOCITY_TOLERANCE 1e-3
#define VELOCITY_ROUNDING (sizeof(real) == 8 ? 1e-13 : 1e-7)

/* Stress, per cell, by strain, per cell: xx, yy, zz, yz, zx, xy (2D: xx, yy, xy); shear strains are e_xy, once. */
typedef struct tangent {
    real c[STRAINS][STRAINS];
} tangent;

typedef struct velocity_system {
    fluid *f;
    int count;                 /* nodes */
    real4 *r, *p, *Ap;         /* as conjugate gradients have them; w: nothing */
    real4 *inverse;            /* of the masses; w: 0 */
    tangent *solid;            /* of each slot; NULL without solids */
    const real4 *from;         /* what Ap is K of */
    real viscous, surface;     /* V dt/(m dx^2), dt^2/(m dx^2) */
    real4 left;                /* what walls give besides, over that of stresses: see push_by_velocities */
    pressure_system *pressure; /* in K too: lambda of the cubes; NULL: it is not */
} velocity_system;

static const int strain_row[6] = {0, 1, DIM == 3 ? 2 : 0, DIM == 3 ? 1 : 0, DIM == 3 ? 2 : 0, 0};
static const int strain_column[6] = {0, 1, DIM == 3 ? 2 : 1, DIM == 3 ? 2 : 0, 0, 1};

/* --- elastic --- */

/* Second derivatives of psi by stretches, times these, without their negative part; and for each pair of axes what
 * multiplies the square of a shear strain. */
static void stretch_stiffness(const mpm_elastic *e, const double *s, double a[DIM * DIM], matrix sheared)
{
    double volume = 1, values[DIM], vectors[DIM * DIM], copy[DIM * DIM];
    for (int i = 0; i < DIM; i++) volume *= s[i];
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            double beside = 1; /* J/(s_i s_j), also where J is 0 */
            for (int k = 0; k < DIM; k++) beside *= k == i || k == j ? 1 : s[k];
            if (i == j)
                copy[i * DIM + j] = 2 * e->mu + e->lambda * beside * beside;
            else
                copy[i * DIM + j] = e->lambda * (2 * volume - 1) * beside;
            double sum = fmax(s[i] + s[j], 1e-3), press = e->lambda * (volume - 1) * beside;
            double even = fmax(2 * e->mu - press, 0), odd = fmax(2 * e->mu * (1 - 2 / sum) + press, 0);
            sheared[i][j] = 0.5 * (even * (s[i] + s[j]) * (s[i] + s[j]) + odd * (s[i] - s[j]) * (s[i] - s[j]));
        }
    matrix_eigen(DIM, copy, values, vectors);
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            a[i * DIM + j] = 0;
            for (int k = 0; k < DIM; k++)
                a[i * DIM + j] += vectors[i * DIM + k] * fmax(values[k], 0) * vectors[j * DIM + k];
            a[i * DIM + j] *= s[i] * s[j];
        }
}

/* out = a b, each of the two transposed first where it is said to be turned. */
static void multiply_matrices(matrix a, bool is_a_turned, matrix b, bool is_b_turned, matrix out)
{
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            out[i][j] = 0;
            for (int k = 0; k < DIM; k++)
                out[i][j] += (is_a_turned ? a[k][i] : a[i][k]) * (is_b_turned ? b[j][k] : b[k][j]);
        }
}

/* dtau by E of the solid i, times `scale`. */
static void solid_tangent(const mpm_elastic *elastic, const mpm_arrays *arrays, int i, double scale, tangent *t)
{
    matrix f, r, s, vectors, u, sheared;
    double stretch[DIM], a[DIM * DIM];
    load_deformation(arrays, i, f);
    matrix_rotation((const double(*)[DIM])f, r);
    multiply_matrices(r, true, f, false, s);
    matrix_eigen(DIM, &s[0][0], stretch, &vectors[0][0]);
    multiply_matrices(r, false, vectors, false, u);
    stretch_stiffness(elastic, stretch, a, sheared);
    for (int n = 0; n < STRAINS; n++) {
        matrix strain = {{0}}, half, own, stress;
        strain[strain_row[n]][strain_column[n]] = strain[strain_column[n]][strain_row[n]] = 1;
        multiply_matrices(u, true, strain, false, half), multiply_matrices(half, false, u, false, own);
        for (int j = 0; j < DIM; j++) {
            for (int k = 0; k < DIM; k++) stress[j][k] = 0.5 * sheared[j][k] * own[j][k];
            stress[j][j] = 0;
            for (int l = 0; l < DIM; l++) stress[j][j] += a[j * DIM + l] * own[l][l];
        }
        multiply_matrices(u, false, stress, false, half), multiply_matrices(half, false, u, true, strain);
        for (int m = 0; m < STRAINS; m++) t->c[m][n] = (real)(scale * strain[strain_row[m]][strain_column[m]]);
    }
}

static void find_tangents(int begin, int end, void *context)
{
    velocity_system *q = context;
    const fluid *f = q->f;
    double scale =
        (double)f->dt * (double)f->dt * (double)f->volume / ((double)f->mass * (double)f->dx * (double)f->dx);
    for (int i = begin; i < end; i++)
        if (is_solid(&f->a, i)) solid_tangent(&f->elastic[material_of(&f->a, i)], &f->a, i, scale, &q->solid[i]);
}

/* --- stresses --- */

/* The stress of a solid, columns `out`, by the gradient of a motion, columns g. */
static inline void stress_by_strain(const tangent *t, const vquad g[DIM], vquad out[DIM])
{
    real e[STRAINS], s[STRAINS];
    for (int n = 0; n < STRAINS; n++)
        e[n] = (real)0.5 * (g[strain_column[n]][strain_row[n]] + g[strain_row[n]][strain_column[n]]);
    for (int m = 0; m < STRAINS; m++) {
        s[m] = 0;
        for (int n = 0; n < STRAINS; n++) s[m] += t->c[m][n] * e[n];
    }
#if DIM == 3
    out[0] = (vquad){s[0], s[5], s[4], 0}, out[1] = (vquad){s[5], s[1], s[3], 0}, out[2] = (vquad){s[4], s[3], s[2], 0};
#else
    out[0] = (vquad){s[0], s[2], 0, 0}, out[1] = (vquad){s[2], s[1], 0, 0};
#endif
}

/* The viscous stress of a particle of the liquid, by the gradient of a velocity. */
static inline void stress_by_rate(const velocity_system *q, int i, const vquad g[DIM], vquad out[DIM])
{
    const fluid *f = q->f;
    real mu = q->viscous * (1 + f->a.strain[i]) * (f->a.viscosity ? f->a.viscosity[i] : f->viscosity);
    for (int a = 0; a < DIM; a++) {
        vquad row = {g[0][a], g[1][a], DIM == 3 ? g[DIM - 1][a] : 0, 0};
        out[a] = mu * (g[a] + row);
    }
}

/* The stress of a particle, solid (is_hard) or liquid. */
static inline void stress_by_motion(const velocity_system *q, bool is_hard, int i, const vquad g[DIM], vquad out[DIM])
{
    if (is_hard)
        stress_by_strain(&q->solid[i], g, out);
    else
        stress_by_rate(q, i, g, out);
}

/* Whether it is implicit. */
static inline bool has_stress(const fluid *f, bool is_hard)
{
    return is_hard ? f->implicit.energy : f->implicit.viscosity;
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
    tile_each(&f->g, block, tile, (void *)q->from, stretch_load);
    points_from_tile(&f->g, p, block, tile);
}

/* Finds the stresses of the points by their velocities; balance points have none. */
static void stress_points(int begin, int end, void *context)
{
    const velocity_system *q = context;
    const fluid *f = q->f;
    const points *p = &f->points;
    for (int k = begin; k < end; k++) {
        const owner *o = &p->owners[k];
        for (int t = 0; t < transfers_of(o); t++) {
            point *at = &p->list[o->first_point + (t << o->wall_count)];
            const landed *got = &p->found[o->first_point + (t << o->wall_count)];
            bool is_sample = t > 0 && t <= o->sample_count, is_hard = is_solid_slot(f, o->slot);
            vquad g[DIM], stress[DIM];
            for (int c = 0; c < 1 << o->wall_count; c++) {
                at[c].p = (real4){0, 0, 0, 0};
                for (int a = 0; a < DIM; a++) at[c].b[a] = at[c].f[a] = (real4){0, 0, 0, 0};
            }
            if (t > 0 && !(is_sample && f->implicit.energy)) continue;
            if (t == 0 && !has_stress(f, is_hard)) continue;
            join_transfer(f, o, t);
            for (int a = 0; a < DIM; a++) g[a] = quad_load(&got->g[a]);
            if (is_sample) {
                int sample = o->first_sample + t - 1;
                stress_by_turning(q, p->sample[sample].w, p->area[sample], got->g, at->f);
            } else {
                stress_by_motion(q, is_hard, o->slot, g, stress);
                for (int a = 0; a < DIM; a++) quad_store(&at->f[a], stress[a]);
            }
            mirror_copies(f, o, at);
        }
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
    bool has_plain = f->implicit.viscosity || (f->has_solids && f->implicit.energy);
    if (block < g->home_count && has_plain) begin = first_in(g, block), end = first_in(g, block + 1);
    if (begin == end && !are_points) return;
    real4 in[TILE_ROOM], out[TILE_ROOM];
    tile_clear(in), tile_clear(out);
    if (begin < end) tile_each(g, block, in, (void *)q->from, stretch_load);
    batch near;
    patch from, to;
    gathered got;
    static const vrow none[DIM]; /* 0 */
    patch_load(&from, in, 0), patch_load(&to, out, 0);
    for (int i = begin; batch_take(&near, f->a.x, p->kind, 0, 0, &i, end);) {
        batch_weigh(&near, g->inverse, &g->block[block], 1);
        for (int l = 0; l < near.count; l++) {
            int k = near.which[l];
            vquad slope[DIM], stress[DIM];
            vrow s[DIM];
            bool is_hard = p->kind[k] == IS_SOLID;
            if (!is_straight(p->kind[k]) || !has_stress(f, is_hard)) continue;
            gather(&from, in, &near, l, 1, &got);
            for (int a = 0; a < DIM; a++) slope[a] = row_record(got.g, a);
            stress_by_motion(q, is_hard, k, slope, stress);
            for (int a = 0; a < DIM; a++) s[a] = row_repeat(stress[a]);
            deposit(&to, out, &near, l, 1, none[0], none, s);
        }
    }
    patch_store(&to, out);
    if (are_points) points_to_tile(g, p, block, out);
    tile_each(g, block, out, q->Ap, stretch_add);
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
    parallel_for(v->count, NODE_GRAIN, take_nodes, q);
    q->from = v->f->node;
    collect(q);
    parallel_for(q->count, 4096, divide_by_shift, q);
    spread(q, q->p);
    parallel_for(v->count, NODE_GRAIN, add_pushes, v);
}

/* Finds the stresses of the points by velocities of the nodes. */
static void find_stresses(velocity_system *q, const real4 *from)
{
    q->from = from;
    each_block(&q->f->g, reach_points, q);
    parallel_for(q->f->points.owner_count, 32, stress_points, q);
}

/* Ap = K from; walls that move are at rest for differences of velocities. */
static void multiply_velocities(velocity_system *q, const real4 *from, bool is_difference)
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
    multiply_velocities(q, q->p, true);
    parallel_sum(q->count, 1, add_mass, q, &product);
    return product;
}

static dew_result velocities_make(velocity_system *q, fluid *f, pressure_system *pressure)
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

static void give_stresses(int begin, int end, void *context, double *sums)
{
    const velocity_system *q = context;
    points *p = &q->f->points;
    for (int k = begin; k < end; k++) {
        owner *o = &p->owners[k];
        real3 before = real3_of(o->push);
        if (!o->wall_count) continue;
        for (int t = 0; t < transfers_of(o); t++) push_copies(p, o, o->first_point + (t << o->wall_count), -1);
        o->push.w = real3_length(real3_sub(real3_of(o->push), before));
        sums[0] += (double)o->push.w;
    }
}

static void sum_rest(int begin, int end, void *context, double *sums)
{
    const velocity_system *q = context;
    for (int k = begin; k < end; k++)
        for (int a = 0; a < DIM; a++) sums[a] += (double)(&q->r[k].x)[a];
}

static void give_left(int begin, int end, void *context)
{
    const velocity_system *q = context;
    for (int k = begin; k < end; k++) {
        owner *o = &q->f->points.owners[k];
        if (o->wall_count) add_push(o, o->push.w, q->left);
    }
}

/* M (v - v*) = -K v less what is left of the residual, whose sum is the walls' too, as K has none elsewhere: owners
 * take of it as they do of the rest. */
static void push_by_velocities(velocity_system *q)
{
    fluid *f = q->f;
    double size, rest[3] = {0, 0, 0};
    find_stresses(q, f->node);
    if (q->pressure) add_pressures(q);
    parallel_sum(f->points.owner_count, 1, give_stresses, q, &size);
    parallel_sum(q->count, DIM, sum_rest, q, rest);
    q->left = (real4){(real)(-rest[0] / size), (real)(-rest[1] / size), (real)(-rest[2] / size), 0};
    if (size > 0) parallel_for(f->points.owner_count, 256, give_left, q);
    if (!q->pressure || q->pressure->push_count == 0) return;
    q->pressure->z = q->pressure->p, q->pressure->step = q->pressure->stiffness;
    parallel_for(f->points.owner_count, 64, push_owners, q->pressure);
}

/* Nodes with velocities v* get those of backward Euler; with pressures, v* has the last ones in it. */
static dew_result find_velocities_to_come(fluid *f, pressure_system *pressure)
{
    velocity_system q;
    size_t mark = arena_mark(f->g.memory);
    double size[2];
    RESULT_TRY(velocities_make(&q, f, pressure));
    multiply_velocities(&q, f->node, false);
    parallel_sum(q.count, 2, begin_velocities, &q, size);
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
    if (solids_count(f->w->solids) > 0) push_by_velocities(&q);
    f->p->velocity_iterations += iterations, f->p->velocity_solves++;
    arena_release(f->g.memory, mark);
    return DEW_OK;
}

static void last_pressures(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int c = begin; c < end; c++) {
        real e = q->f->strain[q->cube[c]];
        q->z[c] = (1 + e) * e;
    }
}

/* Adds to the nodes' velocities `times` what the pressures z make of them, and to the owners what walls give by it. */
static void push_nodes(pressure_system *q, real times)
{
    const fluid *f = q->f;
    spread(q, q->z);
    q->step = times * f->dt * (real)(f->p->saved_sound * f->p->saved_sound / f->p->dx);
    parallel_for(f->g.block_count * CELLS, NODE_GRAIN, give_nodes, q);
    if (q->push_count > 0) parallel_for(f->points.owner_count, 64, push_owners, q);
}

/* push_nodes by the pressures of the substep before. */
static void push_by_last(pressure_system *q, real times)
{
    parallel_for(q->count, 4096, last_pressures, q);
    push_nodes(q, times);
}

/* Viscosity is implicit too, under the last pressures, which are taken off again: what pressures of this substep change
 * it does not see. */
static dew_result between_pressures(pressure_system *q)
{
    fluid *f = q->f;
    push_by_last(q, 1);
    RESULT_TRY(find_velocities_to_come(f, NULL));
    push_by_last(q, -1);
    parallel_for(f->g.block_count * CELLS, NODE_GRAIN, take_nodes, q);
    return DEW_OK;
}

/* Nodes with velocities v* get those of the end of the substep, cubes their strains. */
static dew_result find_pressures(fluid *f)
{
    pressure_system q;
    double size;
    RESULT_TRY(pressure_make(&q, f));
    if (f->implicit.viscosity) RESULT_TRY(between_pressures(&q));
    collect(&q);
    parallel_sum(q.count, 1, begin_solving, &q, &size);
    RESULT_TRY(solve_pressure(&q, size));
    push_nodes(&q, 1);
    parallel_for(q.count, 4096, new_strains, &q);
    return DEW_OK;
}

/* e += (1 + e)/n (dt/dx) g^T v */
static void strains_by_velocity(int begin, int end, void *context)
{
    const pressure_system *q = context;
    fluid *f = q->f;
    for (int c = begin; c < end; c++) {
        real *e = &f->strain[q->cube[c]], n = f->in_cube[q->cube[c]];
        *e += (1 + *e) / n * f->dt * f->g.inverse * q->Ap[c];
    }
}

/* Surface, elastic solids, viscosity and pressures together. Two systems, as with viscosity alone, blow up from four
 * times the capillary limit on: tension has to see what pressures leave of its motion. */
static dew_result find_whole(fluid *f)
{
    pressure_system q;
    RESULT_TRY(pressure_make(&q, f));
    push_by_last(&q, 1);
    RESULT_TRY(find_velocities_to_come(f, &q));
    parallel_for(f->g.block_count * CELLS, NODE_GRAIN, take_nodes, &q);
    collect(&q);
    parallel_for(q.count, 4096, strains_by_velocity, &q);
    return DEW_OK;
}

/* Nodes with the velocities that explicit forces give them get those of the end of the substep, by all that is
 * implicit. */
static dew_result find_implicit(fluid *f)
{
    if (f->implicit.pressure && f->implicit.energy) return find_whole(f);
    if (f->implicit.pressure) return find_pressures(f);
    return f->implicit.energy || f->implicit.viscosity ? find_velocities_to_come(f, NULL) : DEW_OK;
}

#endif
