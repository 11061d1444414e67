#include "methods/mpm/any/pressure.h"

#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/transfer.h"

/* Left of the residual, over the right side, both in the norm of the preconditioner. */
#define PRESSURE_TOLERANCE 1e-3

/* --- the matrix --- */

void pressure_take_nodes(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int k = begin; k < end; k++) {
        real4 n = q->from[k];
        real mass = q->f->node[k].w;
        int to = column_node(q, k);
        if (grid_is_void(&q->f->g, k)) continue;
        q->inverse_mass[to] = mass > LEAST_MASS ? 1 / mass : 0;
        q->u[to] = mass > LEAST_MASS ? (real4){n.x, n.y, n.z, 0} : (real4){0, 0, 0, 0};
    }
}

void pressure_give_nodes(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int k = begin; k < end; k++) {
        real4 *n = &q->f->node[k];
        const real4 *u = &q->u[column_node(q, k)];
        n->x -= q->step * u->x, n->y -= q->step * u->y, n->z -= q->step * u->z;
    }
}

void pressure_push_owners(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int k = begin; k < end; k++) {
        owner *o = &q->f->points.owners[k];
        if (!o->wall_count) continue;
        const wall_push *w = &q->push[q->first_push[k]];
        const real times = -q->step * q->z[w->unknown];
        point list[1 << MOST_WALLS];
        if (w->entry < 0) continue; /* a solid */
        list[0] = pressure_point(q->f->a.x[o->slot]);
        mirror_and_push(q->f, o, times, list, NULL);
        for (int j = 0; j < o->wall_count; j++) /* what lies beyond the grid was given to nothing */
            for (int c = 1 << j; c < 2 << j; c++)
                if (list[c].x.w > 0 && w[c].entry < 0) add_point(o, j, -times, q->f->dx, &list[c]);
    }
}

static void divide_by_mass(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int k = 4 * begin; k < 4 * end; k += 4)
        row_store(q->u + k, row_times(row_load(q->u + k), row_spread(quad_load_four(&q->inverse_mass[k]))));
}

/* What an entry is: its nodes begin at u + row[0], ... */
typedef struct entry_place {
    const real4 *g;
    const int32_t *row;
    real4 *u;
    real weight;
} entry_place;

static inline entry_place place_of(const pressure_system *q, int e)
{
    int32_t cube = q->cube[e];
    return (entry_place){q->entry + (size_t)(q->slot[e] > 0 ? q->slot[e] : 0) * ENTRY,
                         q->row + (size_t)(cube / SIDE) * ENTRY_ROWS, q->u + cube % SIDE, q->weight[e]};
}

static inline void entry_spread(const pressure_system *q, int e, real value)
{
    entry_place at = place_of(q, e);
    value *= at.weight;
    for (int r = 0; r < ENTRY_ROWS; r++) {
        real4 *u = at.u + at.row[r];
        row_store(u, row_madd(row_load(u), value, row_load(at.g + 4 * r)));
    }
}

static inline real entry_collect(const pressure_system *q, int e)
{
    entry_place at = place_of(q, e);
    vrow sum[4];
    for (int r = 0; r < 4; r++) sum[r] = row_times(row_load(at.u + at.row[r]), row_load(at.g + 4 * r));
    for (int r = 4; r < ENTRY_ROWS; r++)
        sum[r % 4] = row_plus(sum[r % 4], row_load(at.u + at.row[r]), row_load(at.g + 4 * r));
    for (int k = 0; k < ROW_PARTS; k++)
        sum[0].part[k] = (sum[0].part[k] + sum[1].part[k]) + (sum[2].part[k] + sum[3].part[k]);
    vquad total = row_sum(sum[0]);
    return at.weight * ((total[0] + total[1]) + total[2]);
}

/* Sum of g^2/M */
static real entry_square(const pressure_system *q, int e)
{
    entry_place at = place_of(q, e);
    vrow sum = row_repeat(quad_set(0));
    for (int r = 0; r < ENTRY_ROWS; r++) {
        vrow g = row_load(at.g + 4 * r);
        const real *inverse = q->inverse_mass + q->cube[e] % SIDE + at.row[r];
        sum = row_plus(sum, row_times(g, g), row_spread(quad_load_four(inverse)));
    }
    vquad total = row_sum(sum);
    return at.weight * at.weight * ((total[0] + total[1]) + total[2]);
}

real pressure_square(const pressure_system *q, int c)
{
    real square = entry_square(q, c);
    if (q->more_begin)
        for (int k = q->more_begin[c]; k < q->more_begin[c + 1]; k++) square += entry_square(q, q->count + q->more[k]);
    return square;
}

/* entry_spread for the four full cubes from e on. */
static inline void line_spread(const pressure_system *q, int e, const real *value)
{
    entry_place at = place_of(q, e);
    const full_line *l = &q->line;
    vrow near = row_repeat(quad_set(0)), far = near;
    for (int k = 0; k < SIDE; k++) {
        real v = q->weight[e + k] * value[e + k];
        near = row_madd(near, v, row_load(l->along[k])), far = row_madd(far, v, row_load(l->along[k] + 4));
    }
    for (int r = 0; r < ENTRY_ROWS; r++) {
        real4 *u = at.u + at.row[r];
        vrow across = row_repeat(quad_load(&l->across[r]));
        row_store(u, row_plus(row_load(u), across, near));
        row_store(u + 4, row_plus(row_load(u + 4), across, far));
    }
}

static inline void line_collect(const pressure_system *q, int e, real *sum)
{
    entry_place at = place_of(q, e);
    const full_line *l = &q->line;
    vrow near[2], far[2];
    near[0] = near[1] = far[0] = far[1] = row_repeat(quad_set(0));
    for (int r = 0; r < ENTRY_ROWS; r++) {
        const real4 *u = at.u + at.row[r];
        vrow across = row_repeat(quad_load(&l->across[r]));
        near[r % 2] = row_plus(near[r % 2], across, row_load(u)),
                 far[r % 2] = row_plus(far[r % 2], across, row_load(u + 4));
    }
    for (int k = 0; k < ROW_PARTS; k++) near[0].part[k] += near[1].part[k], far[0].part[k] += far[1].part[k];
    for (int k = 0; k < SIDE; k++) {
        vquad total = row_sum(row_plus(row_times(near[0], row_load(l->along[k])), far[0], row_load(l->along[k] + 4)));
        sum[k] = q->weight[e + k] * ((total[0] + total[1]) + total[2]);
    }
}

static void spread_columns(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int k = begin; k < end; k++) {
        int c = q->by_colour[q->first + k];
        for (int e = q->unknown_begin[c]; e < q->unknown_begin[c + 1]; e++)
            if (q->slot[e] < 0)
                line_spread(q, e, q->value), e += SIDE - 1;
            else
                entry_spread(q, e, q->value[e]);
        if (!q->lying_begin) continue;
        for (int j = q->lying_begin[c]; j < q->lying_begin[c + 1]; j++)
            entry_spread(q, q->count + q->lying[j], q->value[q->owner[q->lying[j]]]);
    }
}

void pressure_spread(pressure_system *q, const real *value)
{
    memset(q->u, 0, (size_t)q->node_count * sizeof *q->u);
    q->value = value;
    for (int c = 0; c < COLUMN_COLOURS; c++) {
        q->first = q->colour_begin[c];
        parallel_for(q->colour_begin[c + 1] - q->first, 1, spread_columns, q);
    }
    folds_add(q, q->u);
    parallel_for(q->node_count / 4, 1024, divide_by_mass, q);
}

static void collect_columns(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int c = begin; c < end; c++)
        for (int e = q->unknown_begin[c]; e < q->unknown_begin[c + 1]; e++) {
            if (q->slot[e] < 0) {
                line_collect(q, e, q->Ap + e), e += SIDE - 1;
                continue;
            }
            q->Ap[e] = entry_collect(q, e);
            if (!q->more_begin) continue;
            for (int k = q->more_begin[e]; k < q->more_begin[e + 1]; k++)
                q->Ap[e] += entry_collect(q, q->count + q->more[k]);
        }
}

void pressure_collect(pressure_system *q)
{
    folds_copy(q, 4, q->u);
    parallel_for(q->column_count, 1, collect_columns, q);
}

/* The divergence per cell that an owner has of its walls' own motion, with all nodes at rest. */
static real walls_divergence(const fluid *f, const owner *o)
{
    landed *found = &f->points.found[o->first_point];
    real sum = 0;
    memset(found, 0, sizeof *found << o->wall_count);
    join_transfer(f, o, 0);
    for (int a = 0; a < DIM; a++) sum += (&found->g[a].x)[a];
    return sum;
}

static bool has_moving_wall(const owner *o)
{
    for (int j = 0; j < o->wall_count; j++)
        if (o->wall[j].seen.w < INFINITY && o->wall[j].is_moving) return true;
    return false;
}

void pressure_collect_flow(pressure_system *q)
{
    const fluid *f = q->f;
    pressure_collect(q);
    for (int k = 0; k < f->points.owner_count && q->push_count > 0; k++) {
        const owner *o = &f->points.owners[k];
        if (!has_moving_wall(o) || is_solid_slot(f, o->slot)) continue;
        q->Ap[q->push[q->first_push[k]].unknown] += walls_divergence(f, o);
    }
}

/* Ap, of Ap = g^T M^-1 g p; sums: p . Ap. */
static void add_shift(int begin, int end, void *context, double *sums)
{
    pressure_system *q = context;
    for (int c = begin; c < end; c++) {
        q->Ap[c] = q->shift[c] * q->p[c] + q->stiffness * q->Ap[c];
        sums[0] += (double)q->Ap[c] * (double)q->p[c];
    }
}

double pressure_multiply(void *context)
{
    pressure_system *q = context;
    double product;
    pressure_spread(q, q->p);
    pressure_collect(q);
    parallel_sum(q->count, 1, add_shift, q, &product);
    return product;
}

/* --- solving --- */

void pressure_begin(int begin, int end, void *context, double *sums)
{
    pressure_system *q = context;
    const fluid *f = q->f;
    for (int c = begin; c < end; c++) {
        real e = f->strain[q->cube[c]], n = f->in_cube[q->cube[c]];
        q->inverse[c] = 1 / (q->shift[c] + q->stiffness * pressure_square(q, c));
        q->r[c] = n * e / (1 + e) + f->dt * f->g.inverse * q->Ap[c];
        q->p[c] = q->z[c] = (1 + e) * e;
        sums[0] += (double)q->r[c] * (double)q->r[c] * (double)q->inverse[c];
    }
}

void pressure_strains(int begin, int end, void *context)
{
    const pressure_system *q = context;
    fluid *f = q->f;
    for (int c = begin; c < end; c++) {
        real e = f->strain[q->cube[c]], n = f->in_cube[q->cube[c]];
        f->strain[q->cube[c]] = q->z[c] / (1 + e) + (1 + e) * q->r[c] / n;
    }
}

conjugate_gradient pressure_gradients(pressure_system *q)
{
    return (conjugate_gradient){.count = q->count,
                                .x = q->z,
                                .r = q->r,
                                .p = q->p,
                                .Ap = q->Ap,
                                .inverse = q->inverse,
                                .multiply = pressure_multiply,
                                .context = q};
}

dew_result pressure_solve(pressure_system *q, double size)
{
    conjugate_gradient c = pressure_gradients(q);
    memset(q->z, 0, (size_t)q->count * sizeof *q->z); /* the guess is in p */
    double rest = conjugate_gradient_guess(&c), least = PRESSURE_TOLERANCE * PRESSURE_TOLERANCE * size;
    q->f->p->iterations += conjugate_gradient_solve(&c, &rest, least, MOST_PRESSURE_ITERATIONS), q->f->p->solves++;
    if (rest <= least) return DEW_OK;
    if (!isfinite(rest)) return result_fail(DEW_FAILED, "the pressure is not a number");
    return result_fail(DEW_FAILED, "the pressure has not been found in %d iterations", MOST_PRESSURE_ITERATIONS);
}

static void find_shifts(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int c = begin; c < end; c++) {
        real e = q->f->strain[q->cube[c]], n = q->f->in_cube[q->cube[c]];
        q->shift[c] = n / ((1 + e) * (1 + e));
    }
}

dew_result pressure_make(pressure_system *q, fluid *f)
{
    *q = (pressure_system){.f = f, .from = f->node};
    double courant = (double)f->dt * f->p->saved_sound / f->p->dx;
    q->stiffness = (real)(courant * courant);
    RESULT_TRY(pressure_matrix_make(q));
    ARENA_TRY(f->g.memory, q->node_count, q->inverse_mass, q->u);
    ARENA_TRY(f->g.memory, q->count, q->z, q->r, q->p, q->Ap, q->shift, q->inverse);
    parallel_for(f->g.block_count * CELLS, NODE_GRAIN, pressure_take_nodes, q);
    folds_copy(q, 1, q->inverse_mass);
    parallel_for(q->count, 4096, find_shifts, q);
    return DEW_OK;
}

void pressure_take_strains(int block, void *context)
{
    const fluid *f = context;
    const grid *g = &f->g;
    real strains[TILE];
    batch q;
    tile_cubes(g, block, strains, f->strain, stretch_load_real);
    for (int i = first_in(g, block);
         batch_take(&q, g, f->a.x, f->points.kind, IS_SOLID, 0, &i, first_in(g, block + 1));) {
        batch_cubes(&q, g->inverse, &g->first[block]);
        for (int l = 0; l < q.count; l++) f->a.strain[q.which[l]] = strains[q.cube[l]];
    }
}
