#include "methods/mpm/any/grid.h"

#include "base/group.h"
#include "particles/ghosts.h"

static inline block_place place_around(const block_place *p, int around)
{
    block_place q = *p;
    for (int a = DIM - 1; a >= 0; a--, around /= 3) q.at[a] += around % 3 - 1;
    return q;
}

static inline block_place first_node(const grid *g, const block_place *block)
{
    block_place p;
    for (int a = 0; a < DIM; a++) p.at[a] = grid_first(g, a, block->at[a]);
    return p;
}

/* Which cell of its block a point is in. */
static inline int local_cell(const grid *g, const block_place *first, const real4 *x)
{
    const vquad arm = grid_arm(g, x);
    int local = 0;
    for (int a = 0; a < DIM; a++) local = local * SIDE + (cell_of(arm[a], g->inverse) - first->at[a]);
    return local;
}

/* --- making it --- */

/* Enters all blocks into the table. */
static void grid_index(grid *g)
{
    memset(g->table, 0, ((size_t)g->table_mask + 1) * sizeof *g->table);
    for (int b = 0; b < g->block_count; b++) *grid_slot(g, &g->block[b]) = b + 1;
}

static dew_result grid_grow(grid *g)
{
    int room = g->block_room ? 2 * g->block_room : 256;
    ARENA_ARRAY(g->memory, room, block_place, block);
    ARENA_TRY(g->memory, 4 * room, g->table);
    if (g->block_count > 0) memcpy(block, g->block, (size_t)g->block_count * sizeof *block);
    g->block = block, g->table_mask = 4 * (uint32_t)room - 1, g->block_room = room;
    grid_index(g);
    return DEW_OK;
}

/* The block at a place, made if it is not there. */
static dew_result grid_add(grid *g, const block_place *p, int32_t *block)
{
    if (g->block_count == g->block_room) RESULT_TRY(grid_grow(g));
    int32_t *slot = grid_slot(g, p);
    if (!*slot) {
        g->block[g->block_count++] = *p;
        *slot = g->block_count;
    }
    *block = *slot - 1;
    return DEW_OK;
}

static inline bool place_less(const block_place *a, const block_place *b)
{
    for (int k = 0; k < DIM; k++)
        if (a->at[k] != b->at[k]) return a->at[k] < b->at[k];
    return false;
}

/* Puts blocks in the order of their places (Shell's sort: blocks are few). */
static void sort_places(block_place *block, int count)
{
    int gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < count; i++) {
            block_place moved = block[i];
            int k = i;
            for (; k >= gap && place_less(&moved, &block[k - gap]); k -= gap) block[k] = block[k - gap];
            block[k] = moved;
        }
}

/* Particles one behind the other that lie in the same block; the next run's begin is their end. */
typedef struct slot_run {
    int32_t home, begin;
} slot_run;

/* What sorts particles by block, then by cell. Particles that were sorted before come in few and long runs. */
typedef struct sorting {
    grid *g;
    real4 *x;
    slot_run *run; /* by their begin */
    int run_count, *chunk_runs;
    int32_t *of_home, *home_begin; /* runs by home, of each in order; where those of a home begin */
    int32_t *first;                /* particles in the homes before each */
    int32_t *order;
} sorting;

enum { RUN_CHUNK = 4096 };

/* Finds the runs of a chunk of particles; they stand in s->run from the chunk's first particle on. */
static void find_runs(int begin, int end, void *context)
{
    sorting *s = context;
    block_place last = {{0}};
    int count = 0;
    for (int i = begin; i < end; i++) {
        block_place p = block_of_point(s->g, &s->x[i]);
        if (i == begin || !place_equal(&p, &last)) s->run[begin + count++].begin = i;
        last = p;
    }
    s->chunk_runs[begin / RUN_CHUNK] = count;
}

static dew_result list_runs(sorting *s, int count)
{
    int chunks = (count + RUN_CHUNK - 1) / RUN_CHUNK;
    ARENA_TRY(s->g->memory, count, s->run);
    ARENA_TRY(s->g->memory, chunks, s->chunk_runs);
    parallel_for(count, RUN_CHUNK, find_runs, s);
    for (int c = 0; c < chunks; c++) {
        memmove(s->run + s->run_count, s->run + (size_t)c * RUN_CHUNK, (size_t)s->chunk_runs[c] * sizeof *s->run);
        s->run_count += s->chunk_runs[c];
    }
    s->run[s->run_count].begin = count;
    return DEW_OK;
}

/* Makes the blocks that hold particles, in the order of their places. */
static dew_result find_homes(sorting *s)
{
    grid *g = s->g;
    for (int k = 0; k < s->run_count; k++) {
        block_place p = block_of_point(g, &s->x[s->run[k].begin]);
        RESULT_TRY(grid_add(g, &p, &s->run[k].home));
    }
    g->home_count = g->block_count;
    sort_places(g->block, g->home_count);
    grid_index(g);
    for (int k = 0; k < s->run_count; k++) {
        block_place p = block_of_point(g, &s->x[s->run[k].begin]);
        s->run[k].home = grid_find(g, &p);
    }
    return group_items(g->memory, &s->run[0].home, 2, s->run_count, g->home_count, &s->of_home, &s->home_begin);
}

/* Sorts the particles of blocks by cell; within a cell they keep their order. */
static void sort_homes(int begin, int end, void *context)
{
    const sorting *s = context;
    for (int b = begin; b < end; b++) {
        const block_place first = first_node(s->g, &s->g->block[b]);
        int32_t next[CELLS] = {0}, total = s->first[b], *cell = s->g->particle_begin + (size_t)b * CELLS;
        for (int k = s->home_begin[b]; k < s->home_begin[b + 1]; k++)
            for (int i = s->run[s->of_home[k]].begin; i < s->run[s->of_home[k] + 1].begin; i++)
                next[local_cell(s->g, &first, &s->x[i])]++;
        for (int c = 0; c < CELLS; c++) {
            int32_t count = next[c];
            cell[c] = next[c] = total;
            total += count;
        }
        for (int k = s->home_begin[b]; k < s->home_begin[b + 1]; k++)
            for (int i = s->run[s->of_home[k]].begin; i < s->run[s->of_home[k] + 1].begin; i++)
                s->order[next[local_cell(s->g, &first, &s->x[i])]++] = i;
    }
}

/* Sorts the particles by block, then by cell: s->order[k] is the slot from which the new slot k takes its particle. */
static dew_result sort_particles(sorting *s, int count)
{
    grid *g = s->g;
    size_t homes = (size_t)g->home_count;
    ARENA_TRY(g->memory, homes * CELLS, g->particle_begin);
    ARENA_TRY_ZEROED(g->memory, homes, s->first);
    for (int k = 0; k < s->run_count; k++) s->first[s->run[k].home + 1] += s->run[k + 1].begin - s->run[k].begin;
    for (size_t b = 0; b < homes; b++) s->first[b + 1] += s->first[b];
    parallel_for(g->home_count, 4, sort_homes, s);
    g->particle_begin[homes * CELLS] = count;
    return DEW_OK;
}

/* Adds the blocks around all that there are. */
static dew_result add_around(grid *g)
{
    for (int b = 0, end = g->block_count; b < end; b++)
        for (int k = 0; k < AROUND; k++) {
            block_place q = place_in_round(g, place_around(&g->block[b], k));
            int32_t found;
            RESULT_TRY(grid_add(g, &q, &found));
        }
    return DEW_OK;
}

int colour_of(const grid *g, const block_place *p)
{
    int colour = 0;
    for (int a = 0; a < DIM; a++) {
        const int32_t left = g->blocks[a] - 1 - p->at[a];
        const bool is_round = g->period[a] > 0, is_cut = is_axis_cut(g, a);
        const bool is_last = left == 0 && (is_cut || (is_round && g->blocks[a] & 1)), is_next = left == 1 && is_cut;
        colour = 4 * colour + (is_last ? 2 : is_next ? 3 : p->at[a] & 1);
    }
    return colour;
}

static dew_result link_blocks(grid *g)
{
    ARENA_TRY(g->memory, (size_t)g->block_count * AROUND, g->neighbour);
    ARENA_TRY(g->memory, g->block_count, g->first, g->side);
    ARENA_ARRAY(g->memory, g->block_count, int32_t, colour);
    for (int b = 0; b < g->block_count; b++) {
        for (int k = 0; k < AROUND; k++) {
            block_place q = place_around(&g->block[b], k);
            g->neighbour[b * AROUND + k] = grid_find(g, &q);
        }
        colour[b] = colour_of(g, &g->block[b]);
        g->first[b] = first_node(g, &g->block[b]);
        for (int a = 0; a < DIM; a++) g->side[b].at[a] = grid_first(g, a, g->block[b].at[a] + 1) - g->first[b].at[a];
    }
    return group_items(g->memory, colour, 1, g->block_count, COLOURS, &g->by_colour, &g->colour_begin);
}

/* --- periodic axes, planes of symmetry --- */

real3 grid_image(const grid *g, real3 x, real3 to)
{
    for (int a = 0; a < DIM; a++)
        if (g->period[a] > 0) (&x.x)[a] -= grid_turn(g, a, (&x.x)[a] - (&to.x)[a]);
    return x;
}

/* By the last digits, or what is left of a length, a place on a face may be of neither side: it goes inside. */
static void keep_inside(int begin, int end, void *context)
{
    const sorting *s = context;
    const grid *g = s->g;
    const double digit = sizeof(real) == 8 ? 2.2e-16 : 1.2e-7;
    for (int a = 0; a < DIM; a++) {
        const int count = g->nodes[a];
        const double origin = (double)(&g->origin.x)[a], margin = 8 * digit * (count + fabs(origin) / g->dx);
        const real low = (real)(origin + (margin - 0.5) * g->dx),
                   high = (real)(origin + (count - 0.5 - margin) * g->dx);
        for (int i = begin; i < end && count > 0; i++) {
            real *x = &s->x[i].x + a;
            const int cell = cell_of(*x - (&g->origin.x)[a], g->inverse);
            if (cell < 0) *x = low;
            if (cell >= count) *x = high;
        }
    }
}

/* Lays the first cells at the domain's lower faces, and brings particles into it. */
static void begin_domain(sorting *s, particles *p, const dew_domain_def *domain)
{
    grid *g = s->g;
    for (int a = 0; a < DIM; a++) {
        const double min = vec3_at(domain->min, a), max = vec3_at(domain->max, a);
        if (!ghosts_of_boundary(domain->axis[a])) continue;
        g->is_mirrored[a] = domain->axis[a] == DEW_SYMMETRY, g->face[a][0] = (real)min, g->face[a][1] = (real)max;
        g->period[a] = (real)(g->is_mirrored[a] ? 0 : max - min);
        (&g->origin.x)[a] = (real)(min + 0.5 * g->dx), g->nodes[a] = (int32_t)lround((max - min) / g->dx);
        g->blocks[a] = (g->nodes[a] + SIDE - 1) / SIDE;
        g->fours[a] = g->nodes[a] - (SIDE - 1) * g->blocks[a]; /* below 0: five cells, in blocks of three and two */
        if (g->fours[a] < 0) g->fours[a] = 0;
        g->is_cut |= g->fours[a] < g->blocks[a];
        g->is_periodic |= !g->is_mirrored[a], g->has_planes |= g->is_mirrored[a];
    }
    if (!g->is_periodic && !g->has_planes) return;
    particles_wrap(p, domain);
    parallel_for(p->count, 4096, keep_inside, s);
}

dew_result grid_make(grid *g, particles *p, const dew_domain_def *domain, double dx, int around, arena *memory,
                     int32_t **order)
{
    *g = (grid){.dx = dx, .inverse = (real)(1 / dx), .memory = memory};
    ARENA_TRY(memory, p->count, *order);
    sorting s = {.g = g, .x = p->position, .order = *order};
    begin_domain(&s, p, domain);
    RESULT_TRY(grid_grow(g));
    RESULT_TRY(list_runs(&s, p->count));
    RESULT_TRY(find_homes(&s));
    RESULT_TRY(sort_particles(&s, p->count));
    RESULT_TRY(particles_reorder(p, *order));
    for (int r = 0; r < around; r++) RESULT_TRY(add_around(g));
    return link_blocks(g);
}

typedef struct block_loop {
    const int32_t *blocks; /* which ones; NULL: all from 0 on */
    int limit;             /* blocks from this one on are left out */
    block_fcn *fcn;
    void *context;
} block_loop;

static void loop_blocks(int begin, int end, void *context)
{
    block_loop *l = context;
    for (int k = begin; k < end; k++) {
        int block = l->blocks ? l->blocks[k] : k;
        if (block < l->limit) l->fcn(block, l->context);
    }
}

static void loop(const int32_t *blocks, int count, int limit, block_fcn *fcn, void *context)
{
    block_loop l = {blocks, limit, fcn, context};
    parallel_for(count, 1, loop_blocks, &l);
}

static void loop_colours(const grid *g, int limit, block_fcn *fcn, void *context)
{
    for (int c = 0; c < COLOURS; c++)
        loop(g->by_colour + g->colour_begin[c], g->colour_begin[c + 1] - g->colour_begin[c], limit, fcn, context);
}

void each_colour(const grid *g, block_fcn *fcn, void *context) { loop_colours(g, g->block_count, fcn, context); }

void each_home_colour(const grid *g, block_fcn *fcn, void *context) { loop_colours(g, g->home_count, fcn, context); }

void each_block(const grid *g, block_fcn *fcn, void *context)
{
    loop(NULL, g->block_count, g->block_count, fcn, context);
}

void each_home(const grid *g, block_fcn *fcn, void *context) { loop(NULL, g->home_count, g->home_count, fcn, context); }

void tile_turn(const grid *g, int block, real4 *tile)
{
    for (int a = 0, pitch = TILE / TILE_SIDE; a < DIM; a++, pitch /= TILE_SIDE)
        for (int k = 0; k < TILE && g->is_mirrored[a]; k++) {
            unsigned planes;
            grid_mirrored(g, block, a, k / pitch % TILE_SIDE - HALO, &planes);
            if (planes) (&tile[k].x)[a] = -(&tile[k].x)[a];
        }
}

void nodes_divide(int begin, int end, void *context)
{
    real4 *node = context;
    for (int k = begin; k < end; k++) {
        real4 n = node[k];
        real inverse = n.w > 0 ? 1 / n.w : 0;
        node[k] = (real4){n.x * inverse, n.y * inverse, n.z * inverse, n.w};
    }
}
