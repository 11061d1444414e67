#include "methods/mpm/any/pressure_matrix.h"

#include "base/group.h"
#include "methods/mpm/any/split_merge.h"
#include "methods/mpm/any/transfer.h"

/* --- nodes in columns --- */

static int32_t block_beside(const grid *g, int b, const int *step)
{
    return g->neighbour[b * AROUND + around_of(step)];
}

static dew_result columns_make(pressure_system *q, const grid *g)
{
    ARENA_TRY(g->memory, g->block_count, q->start, q->stride, q->column, q->column_of, q->column_begin);
    ARENA_TRY(g->memory, 2 * ((size_t)g->block_count + 1), q->fold);
    ARENA_ARRAY(g->memory, g->block_count, int32_t, colour);
    int below[DIM] = {0}, above[DIM] = {0}, length = 0;
    below[ROW_AXIS] = -1, above[ROW_AXIS] = 1;
    q->column_count = q->node_count = 0;
    for (int b = 0; b < g->block_count; b++) q->column_of[b] = -1;
    for (int n = 0; n < (g->period[ROW_AXIS] > 0 ? 2 : 1) * g->block_count;
         n++) { /* what is left after one round is rings */
        const int b = n % g->block_count, room = n < g->block_count ? 0 : 1, first = length;
        if (room ? q->column_of[b] >= 0 : block_beside(g, b, below) >= 0) continue;
        for (int32_t k = b; k >= 0 && q->column_of[k] < 0; k = block_beside(g, k, above))
            q->column[length++] = k, q->column_of[k] = q->column_count;
        int stride = SIDE * room;
        for (int k = first; k < length; k++) {
            q->start[q->column[k]] = q->node_count + stride;
            stride += g->side[q->column[k]].at[ROW_AXIS];
        }
        stride += SIDE * room;
        for (int k = first; k < length; k++) q->stride[q->column[k]] = stride;
        colour[q->column_count] = colour_of(g, &g->block[b]) / 4;
        q->column_begin[q->column_count++] = first;
        q->node_count += stride * LINES;
    }
    q->column_begin[q->column_count] = length;
    return group_items(g->memory, colour, 1, q->column_count, COLUMN_COLOURS, &q->by_colour, &q->colour_begin);
}

/* Finds where columns go round, and where they go through planes of symmetry. */
static void find_folds(pressure_system *q, const grid *g)
{
    q->fold_count = 0;
    for (int c = 0; c < q->column_count; c++) {
        const int32_t low = q->column[q->column_begin[c]], high = q->column[q->column_begin[c + 1] - 1];
        const int stride = q->stride[low], first = q->start[low];
        const int end = q->start[high] + g->side[high].at[ROW_AXIS];
        column_fold *f = &q->fold[2 * q->fold_count];
        f[0] = f[1] = (column_fold){0};
        if (stride > end - first) { /* a ring */
            f[0] = (column_fold){end - SIDE, first - SIDE, stride, 1, 1, false};
            f[1] = (column_fold){first, end, stride, 1, 1, false};
        }
        for (int k = q->column_begin[c]; k < q->column_begin[c + 1]; k++) {
            const int32_t b = q->column[k];
            const int start = q->start[b], last = start + g->side[b].at[ROW_AXIS] - 1;
            if (b != low && has_plane(g, b, ROW_AXIS, false))
                f[0] = (column_fold){start, start - 1, stride, 1, -1, true};
            if (b != high && has_plane(g, b, ROW_AXIS, true)) f[1] = (column_fold){last, last + 1, stride, -1, 1, true};
        }
        if (f[0].stride || f[1].stride) q->fold_count++;
    }
}

typedef struct fold_pass {
    const pressure_system *q;
    real *nodes;
    int reals; /* of a node */
    bool is_sum;
} fold_pass;

static void pass_folds(int begin, int end, void *context)
{
    const fold_pass *p = context;
    for (int n = 2 * begin; n < 2 * end; n++) {
        const column_fold *f = &p->q->fold[n];
        for (int k = 0; k < LINES * SIDE && f->stride; k++) {
            const int row = k / SIDE * f->stride;
            real *own = &p->nodes[(f->inner + row + f->inner_step * (k % SIDE)) * p->reals];
            real *image = &p->nodes[(f->image + row + f->image_step * (k % SIDE)) * p->reals];
            for (int d = 0; d < p->reals; d++) {
                const real sign = f->is_mirror && p->reals > 1 && d == ROW_AXIS ? -1 : 1;
                if (p->is_sum)
                    own[d] += sign * image[d];
                else
                    image[d] = sign * own[d];
            }
        }
    }
}

void folds_copy(const pressure_system *q, int reals, void *nodes)
{
    parallel_for(q->fold_count, 16, pass_folds, &(fold_pass){q, nodes, reals, false});
}

void folds_add(const pressure_system *q, real4 *nodes)
{
    parallel_for(q->fold_count, 16, pass_folds, &(fold_pass){q, &nodes->x, 4, true});
}

/* Finds where the rows of entries begin, for the first cube of each line of cubes: those of the cube k along the line
 * begin k further. */
static void find_rows(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int line = begin; line < end; line++) {
        int first[DIM], at[DIM] = {0};
        local_of(line % LINES * SIDE, first);
        for (int r = 0; r < ENTRY_ROWS; r++) {
            for (int a = 0; a < DIM - 1; a++) {
                at[a] = first[a] - 1 + (r >> 2 * (DIM - 2 - a)) % 4;
                at[a] = grid_mirrored(&q->f->g, line / LINES, a, at[a], NULL);
            }
            int64_t node = grid_cube_at(&q->f->g, line / LINES, at); /* along rows, images too */
            q->row[line * ENTRY_ROWS + r] = node < 0 ? -1 : column_node(q, (int)node) - 1;
        }
    }
}

/* Whether the grid has all nodes of an entry in the cube. */
static bool entry_fits(const grid *g, int32_t cube)
{
    int low[DIM];
    int64_t node[ENTRY];
    local_of(cube % CELLS, low);
    for (int a = 0; a < DIM; a++) low[a]--;
    grid_box(g, cube / CELLS, low, 4, node);
    for (int k = 0; k < ENTRY; k++)
        if (node[k] < 0) return false;
    return true;
}

/* --- unknowns --- */

static dew_result unknowns_make(pressure_system *q)
{
    const fluid *f = q->f;
    const grid *g = &f->g;
    size_t cubes = (size_t)g->block_count * CELLS;
    ARENA_TRY(g->memory, cubes, q->unknown);
    ARENA_TRY(g->memory, cubes + (size_t)q->push_count, q->cube);
    ARENA_TRY(g->memory, ((size_t)g->block_count * LINES + 1) * ENTRY_ROWS, q->row);
    ARENA_TRY(g->memory, q->column_count, q->unknown_begin);
    q->count = 0;
    for (int c = 0; c < q->column_count; c++) {
        q->unknown_begin[c] = q->count;
        for (int k = q->column_begin[c]; k < q->column_begin[c + 1]; k++) {
            int first = q->column[k] * CELLS;
            for (int i = first; i < first + CELLS; i++) {
                bool has_liquid = f->in_cube[i] > 0;
                q->unknown[i] = has_liquid ? q->count : -1;
                q->cube[q->count] = i;
                q->count += has_liquid;
            }
        }
    }
    q->unknown_begin[q->column_count] = q->count;
    parallel_for(g->block_count * LINES, 64, find_rows, q);
    return DEW_OK;
}

/* --- entries --- */

/* Adds N p + f dN of a point to the entry of the cube it is in. */
static inline void entry_add(const grid *g, real4 *node, const real4 *place, vquad p, const vquad f[DIM])
{
    enum { Z = DIM - 1, Y = DIM - 2 };
    const block_place nowhere = {{0}};
    stencil s;
    const vquad arm = grid_arm(g, place), t = arm * g->inverse;
    stencil_of(&s, arm, g->inverse, &nowhere);
    const vquad skip = quad_floor(t + (real)0.5) - quad_floor(t); /* 0 or 1 along each axis */
    vquad n = quad_load(&s.n[Z]), slope = quad_load(&s.slope[Z]);
    if (skip[Z] > 0) n = (vquad){0, n[0], n[1], n[2]}, slope = (vquad){0, slope[0], slope[1], slope[2]};
    vrow wz = row_spread(n);
    vrow flat = row_plus(row_times(wz, row_repeat(p)), row_spread(slope), row_repeat(f[Z]));
    vrow fy = row_times(wz, row_repeat(f[Y]));
    const real *nx = &s.n[0].x, *sx = &s.slope[0].x, *ny = &s.n[Y].x, *sy = &s.slope[Y].x;
    vrow fx = row_times(wz, row_repeat(f[0]));
    node += 4 * (int)skip[Y] + (DIM == 3 ? 16 * (int)skip[0] : 0);
    for (int i = 0; i < (DIM == 3 ? 3 : 1); i++, node += 16) {
        vrow plane = DIM == 3 ? row_madd(row_scale(nx[i], flat), sx[i], fx) : flat;
        vrow f_row = DIM == 3 ? row_scale(nx[i], fy) : fy;
        for (int j = 0; j < 3; j++) {
            vrow row = row_madd(row_madd(row_load(node + 4 * j), ny[j], plane), sy[j], f_row);
            row_store(node + 4 * j, row);
        }
    }
}

static const vquad unit_stress[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

/* Fills the entries of a block's cubes with those of its particles that no wall is near. */
static void fill_entries(int block, void *context)
{
    const pressure_system *q = context;
    const fluid *f = q->f;
    const grid *g = &f->g;
    const vquad none = quad_set(0);
    for (int i = first_in(g, block); i < first_in(g, block + 1); i++) {
        if (f->points.kind[i] > IS_OWNER) continue;
        int slot = q->slot[q->unknown[cube_in(g, block, &f->a.x[i])]];
        real4 *entry = q->entry + (size_t)slot * ENTRY;
        if (slot > 0) entry_add(g, entry, &f->a.x[i], none, unit_stress);
    }
}

/* --- walls --- */

/* Finds the images of particles next to walls under a pressure of 1. */
static void find_pushes(int begin, int end, void *context)
{
    pressure_system *q = context;
    const fluid *f = q->f;
    for (int k = begin; k < end; k++) {
        const owner *o = &f->points.owners[k];
        if (!o->wall_count) continue;
        int copies = 1 << o->wall_count;
        wall_push *to = &q->push[q->first_push[k]];
        real4 x = f->a.x[o->slot];
        point list[1 << MOST_WALLS];
        list[0] = pressure_point(x);
        mirror_copies(f, o, list);
        int32_t cube = grid_cube(&f->g, real3_of(x)), unknown = q->unknown[cube];
        for (int c = 0; c < copies; c++) {
            to[c] = (wall_push){.at = list[c], .cube = -1, .unknown = unknown, .entry = -1};
            /* A solid has no share in a cube's pressure. */
            if (list[c].x.w > 0 && !is_solid_slot(f, o->slot)) to[c].cube = grid_cube(&f->g, real3_of(list[c].x));
        }
    }
}

/* Finds which entry each push goes to: its unknown's own, or one more for the cube it lies in. */
static dew_result link_pushes(pressure_system *q)
{
    const grid *g = &q->f->g;
    size_t cubes = (size_t)g->block_count * CELLS;
    ARENA_ARRAY(g->memory, cubes, int32_t, head);
    ARENA_ARRAY(g->memory, q->push_count, int32_t, next);
    ARENA_TRY(g->memory, q->push_count, q->owner);
    memset(head, 0xff, cubes * sizeof *head);
    q->entry_count = q->count;
    for (int k = 0; k < q->push_count; k++) {
        wall_push *w = &q->push[k];
        if (w->cube < 0) continue;
        if (w->cube == q->cube[w->unknown]) {
            w->entry = w->unknown;
            continue;
        }
        int32_t j = head[w->cube];
        while (j >= 0 && q->owner[j] != w->unknown) j = next[j];
        if (j < 0) {
            if (!entry_fits(g, w->cube)) continue;
            j = q->entry_count - q->count;
            q->cube[q->entry_count++] = w->cube, q->owner[j] = w->unknown;
            next[j] = head[w->cube], head[w->cube] = j;
        }
        w->entry = q->count + j;
    }
    return DEW_OK;
}

/* Sorts the entries beyond the unknowns' own by their unknowns, and by the columns in which they lie. */
static dew_result sort_more(pressure_system *q)
{
    const grid *g = &q->f->g;
    int count = q->entry_count - q->count;
    ARENA_ARRAY(g->memory, count, int32_t, lies_in);
    for (int k = 0; k < count; k++) lies_in[k] = q->column_of[q->cube[q->count + k] / CELLS];
    RESULT_TRY(group_items(g->memory, q->owner, 1, count, q->count, &q->more, &q->more_begin));
    return group_items(g->memory, lies_in, 1, count, q->column_count, &q->lying, &q->lying_begin);
}

/* Counts the images that there may be. */
static dew_result count_pushes(pressure_system *q)
{
    const points *p = &q->f->points;
    q->push_count = 0, q->more_begin = q->lying_begin = q->push_begin = NULL;
    if (solids_count(q->f->w->solids) == 0) return DEW_OK;
    ARENA_TRY(q->f->g.memory, p->owner_count, q->first_push);
    for (int k = 0; k < p->owner_count; k++) {
        q->first_push[k] = q->push_count;
        if (p->owners[k].wall_count) q->push_count += 1 << p->owners[k].wall_count;
    }
    return DEW_OK;
}

static dew_result pushes_make(pressure_system *q)
{
    arena *memory = q->f->g.memory;
    q->entry_count = q->count;
    if (q->push_count == 0) return DEW_OK;
    ARENA_TRY(memory, q->push_count, q->push);
    parallel_for(q->f->points.owner_count, 32, find_pushes, q);
    RESULT_TRY(link_pushes(q));
    RESULT_TRY(sort_more(q));
    return group_items(memory, &q->push[0].entry, (int)(sizeof(wall_push) / sizeof(int32_t)), q->push_count,
                       q->entry_count, &q->push_order, &q->push_begin);
}

static void fill_pushes(int begin, int end, void *context)
{
    const pressure_system *q = context;
    for (int e = begin; e < end; e++)
        for (int k = q->push_begin[e]; k < q->push_begin[e + 1]; k++) {
            const point *at = &q->push[q->push_order[k]].at;
            vquad f[DIM];
            for (int a = 0; a < DIM; a++) f[a] = quad_load(&at->f[a]);
            entry_add(&q->f->g, q->entry + (size_t)q->slot[e] * ENTRY, &at->x, quad_load(&at->p), f);
        }
}

/* --- planes of symmetry --- */

/* Along one axis, whether node n (0 .. 3) of an entry in the cube k of a block lies beyond a plane. */
static bool is_node_beyond(const grid *g, int cube, int axis, int n)
{
    int at[DIM];
    unsigned planes;
    local_of(cube % CELLS, at);
    grid_mirrored(g, cube / CELLS, axis, at[axis] + n - 1, &planes);
    return planes != 0;
}

/* Whether an entry has nodes beyond planes. */
static bool is_at_plane(const grid *g, int cube)
{
    for (int a = 0; a < DIM && g->has_planes; a++)
        if (is_node_beyond(g, cube, a, 0) || is_node_beyond(g, cube, a, 3)) return true;
    return false;
}

/* Rows of entries beyond planes are the rows before: what they give turns round. Along rows there is room beyond. */
static void turn_entries(int begin, int end, void *context)
{
    const pressure_system *q = context;
    const grid *g = &q->f->g;
    for (int e = begin; e < end; e++)
        for (int k = 0; k < ENTRY && q->slot[e] > 0; k++)
            for (int a = 0, pitch = ENTRY / 4; a < ROW_AXIS; a++, pitch /= 4) {
                real *to = &q->entry[(size_t)q->slot[e] * ENTRY + (size_t)k].x + a;
                if (is_node_beyond(g, q->cube[e], a, k / pitch % 4)) *to = -*to;
            }
}

/* --- full cubes --- */

/* Gives the weight n to cubes that are full and whose neighbours are, 1 to others. */
static void find_full(int block, void *context)
{
    const pressure_system *q = context;
    const grid *g = &q->f->g;
    bool is_empty = true;
    for (int k = block * CELLS; k < (block + 1) * CELLS; k++) is_empty = is_empty && q->unknown[k] < 0;
    if (is_empty) return;
    real counts[TILE];
    memset(counts, 0, sizeof counts);
    tile_cubes(g, block, counts, q->f->in_cube, stretch_load_real);
    for (int k = 0; k < CELLS; k++) {
        int e = q->unknown[block * CELLS + k], at = cell_in(k, TILE_SIDE, HALO);
        if (e < 0) continue;
        real least = FULL;
        for (int j = 0; j < AROUND; j++) {
            int beside = 0;
            for (int a = 0, i = j; a < DIM; a++, i /= 3) beside = beside * TILE_SIDE + i % 3 - 1;
            least = real_min(least, counts[at + beside]);
        }
        bool is_full = least >= FULL && !is_at_plane(g, block * CELLS + k) &&
                       !(q->push_begin && q->push_begin[e] < q->push_begin[e + 1]);
        q->weight[e] = is_full ? counts[at] : 1;
        q->slot[e] = !is_full;
    }
    for (int line = block * CELLS; line < (block + 1) * CELLS; line += SIDE) {
        bool are_full = true;
        for (int k = line; k < line + SIDE; k++) are_full = are_full && q->unknown[k] >= 0 && !q->slot[q->unknown[k]];
        if (are_full) q->slot[q->unknown[line]] = -1;
    }
}

/* Means over a cube of a spline and of its slope, for the nodes before, at, behind and after the cube. */
static const real mean_n[4] = {(real)(1 / 48.0), (real)(23 / 48.0), (real)(23 / 48.0), (real)(1 / 48.0)};
static const real mean_slope[4] = {(real)-0.125, (real)-0.625, (real)0.625, (real)0.125};

static void fill_full_line(full_line *l)
{
    memset(l, 0, sizeof *l);
    for (int r = 0; r < ENTRY_ROWS; r++) {
        real value[4] = {0, 0, 0, 0};
        for (int d = 0; d < DIM; d++) {
            value[d] = 1;
            for (int a = 0; a < DIM - 1; a++) {
                int node = (r >> 2 * (DIM - 2 - a)) % 4;
                value[d] *= a == d ? mean_slope[node] : mean_n[node];
            }
        }
        l->across[r] = (real4){value[0], value[1], value[2], 0};
    }
    for (int k = 0; k < SIDE; k++)
        for (int node = 0; node < 4; node++) {
            real *to = &l->along[k][k + node].x;
            for (int d = 0; d < DIM; d++) to[d] = d == ROW_AXIS ? mean_slope[node] : mean_n[node];
        }
}

static dew_result entries_make(pressure_system *q)
{
    const grid *g = &q->f->g;
    ARENA_TRY(g->memory, q->entry_count, q->slot, q->weight);
    each_block(g, find_full, q);
    for (int e = q->count; e < q->entry_count; e++) q->slot[e] = 1, q->weight[e] = 1;
    int slots = 1;
    for (int e = 0; e < q->entry_count; e++)
        if (q->slot[e] > 0) q->slot[e] = slots++;
    ARENA_TRY_ZEROED(g->memory, (size_t)slots * ENTRY, q->entry);
    fill_full_line(&q->line);
    for (int k = 0; k < ENTRY; k++) /* the mean over a cube of the gradient of a product of splines */
        quad_store(&q->entry[k], quad_load(&q->line.across[k / 4]) * quad_load(&q->line.along[0][k % 4]));
    each_home_colour(g, fill_entries, q);
    if (q->push_begin) parallel_for(q->entry_count, 32, fill_pushes, q);
    if (g->has_planes) parallel_for(q->entry_count, 256, turn_entries, q);
    return DEW_OK;
}

dew_result pressure_matrix_make(pressure_system *q)
{
    RESULT_TRY(columns_make(q, &q->f->g));
    find_folds(q, &q->f->g);
    RESULT_TRY(count_pushes(q));
    RESULT_TRY(unknowns_make(q));
    RESULT_TRY(pushes_make(q));
    return entries_make(q);
}
