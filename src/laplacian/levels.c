#include "laplacian/levels.h"

#include <string.h>

#include "base/parallel.h"
#include "base/union_find.h"

enum { SWEEPS = 1, LAST_SWEEPS = 8 };
#define DAMPING ((real)0.8)

/* Cells along an axis without period. Places farther apart than that share cells, which costs iterations at worst. */
#define MANY_CELLS (1 << 20)

/* --- what is occupied --- */

typedef struct numbered {
    uint64_t key;
    int32_t number;
} numbered;

typedef struct numbering {
    arena *scratch;
    numbered *entry;
    uint64_t mask;
    int count;
} numbering;

static dew_result numbering_open(numbering *n, arena *scratch, int expected)
{
    uint64_t room = 64;
    while (room < 2 * (uint64_t)expected) room *= 2;
    *n = (numbering){.scratch = scratch, .mask = room - 1};
    ARENA_TRY_ZEROED(scratch, room, n->entry);
    return DEW_OK;
}

enum { AXIS_BITS = 20 };
#define TAKEN ((uint64_t)1 << 63)
#define LOWEST_BITS ((uint64_t)1 | (uint64_t)1 << AXIS_BITS | (uint64_t)1 << 2 * AXIS_BITS)

/* Where a key is, or where it would be. Eight neighbours are found side by side: who asks goes from place to place. */
static numbered *find(const numbering *n, uint64_t key)
{
    uint64_t low = (key & 1) | (key >> (AXIS_BITS - 1) & 2) | (key >> (2 * AXIS_BITS - 2) & 4);
    uint64_t at = ((key & ~LOWEST_BITS) * 0x9e3779b97f4a7c15u >> 30 << 3 | low) & n->mask;
    while (n->entry[at].key && n->entry[at].key != key) at = (at + 9) & n->mask;
    return &n->entry[at];
}

static dew_result grow(numbering *n)
{
    numbering larger;
    RESULT_TRY(numbering_open(&larger, n->scratch, (int)n->mask + 1));
    for (uint64_t k = 0; k <= n->mask; k++)
        if (n->entry[k].key) *find(&larger, n->entry[k].key) = n->entry[k];
    n->entry = larger.entry, n->mask = larger.mask;
    return DEW_OK;
}

/* The number of a place; the next free one where it has none yet. */
static dew_result number_of(numbering *n, const uint32_t place[3], int32_t *number)
{
    uint64_t key = (uint64_t)place[0] | (uint64_t)place[1] << AXIS_BITS | (uint64_t)place[2] << 2 * AXIS_BITS | TAKEN;
    numbered *entry = find(n, key);
    if (!entry->key) {
        *entry = (numbered){key, n->count++};
        *number = entry->number;
        return 2 * (uint64_t)n->count > n->mask ? grow(n) : DEW_OK;
    }
    *number = entry->number;
    return DEW_OK;
}

/* --- making a level --- */

typedef struct making {
    level *to;
    const level *below; /* NULL: particles are */
    arena *scratch;
    int points;
    const real4 *position;
    double inverse[3];
    level_point *point; /* in the order of those below; index: cell */
    uint32_t (*place)[3];
} making;

/* Where particles are, in cells: place and point, but for the cells' numbers. */
static void find_places(int begin, int end, void *context)
{
    const making *m = context;
    for (int i = begin; i < end; i++) {
        const real *x = &m->position[i].x;
        real *within = &m->point[i].x;
        for (int a = 0; a < 3; a++) {
            double t = (double)x[a] * m->inverse[a], whole = floor(t);
            if (!(fabs(whole) < 1e9)) t = whole = 0;
            int count = m->to->count[a], cell = (int)whole % count;
            m->place[i][a] = (uint32_t)(cell < 0 ? cell + count : cell);
            within[a] = (real)(t - whole);
        }
    }
}

static dew_result cells_of_particles(making *m)
{
    numbering cells;
    level *l = m->to;
    ARENA_TRY(m->scratch, m->points, m->place, l->place);
    RESULT_TRY(numbering_open(&cells, m->scratch, m->points / 6));
    parallel_for(m->points, 4096, find_places, m);
    for (int i = 0; i < m->points; i++) {
        int32_t *cell = &m->point[i].index;
        RESULT_TRY(number_of(&cells, m->place[i], cell));
        if (*cell == l->cells) memcpy(l->place[l->cells++], m->place[i], sizeof *l->place);
    }
    return DEW_OK;
}

static bool is_halved(const level *below, int axis) { return below->count[axis] % 2 == 0; }

/* Which cell of this level a node below belongs to: that in which the first cell at it lies. */
static void place_node(const making *m, int node)
{
    const level *below = m->below;
    int k = 0;
    while (below->around[node][k] == below->cells) k++;
    int cell = below->around[node][k];
    real *within = &m->point[node].x;
    for (int a = 0; a < 3; a++) {
        int side = k >> a & 1;
        within[a] = is_halved(below, a) ? (real)0.5 * (real)((int)(below->place[cell][a] & 1) + side) : (real)side;
    }
    m->point[node].index = below->parent[cell];
}

static dew_result cells_of_cells(making *m)
{
    numbering cells;
    const level *below = m->below;
    level *l = m->to;
    ARENA_TRY(m->scratch, below->cells, l->place);
    RESULT_TRY(numbering_open(&cells, m->scratch, below->cells / 6));
    for (int c = 0; c < below->cells; c++) {
        uint32_t *place = l->place[l->cells];
        for (int a = 0; a < 3; a++) place[a] = below->place[c][a] >> is_halved(below, a);
        RESULT_TRY(number_of(&cells, place, &below->parent[c]));
        l->cells = cells.count;
    }
    for (int v = 0; v < m->points; v++) place_node(m, v);
    return DEW_OK;
}

/* Points by their cells. */
static dew_result sort_points(making *m)
{
    level *l = m->to;
    ARENA_TRY_ZEROED(m->scratch, l->cells + 1, l->begin);
    ARENA_TRY(m->scratch, m->points, l->point);
    int32_t *next = l->begin + 1; /* of cell c - 1 where it ends at last */
    for (int i = 0; i < m->points; i++) next[m->point[i].index]++;
    for (int c = 0, sum = 0; c < l->cells; c++) {
        int count = next[c];
        next[c] = sum, sum += count;
    }
    for (int i = 0; i < m->points; i++) {
        level_point *p = &l->point[next[m->point[i].index]++];
        *p = m->point[i], p->index = i;
    }
    return DEW_OK;
}

static dew_result find_nodes(making *m)
{
    numbering nodes;
    level *l = m->to;
    ARENA_TRY(m->scratch, l->cells, l->corner);
    RESULT_TRY(numbering_open(&nodes, m->scratch, l->cells + l->cells / 4));
    for (int c = 0; c < l->cells; c++)
        for (int k = 0; k < 8; k++) {
            uint32_t place[3];
            for (int a = 0; a < 3; a++) {
                place[a] = l->place[c][a] + (uint32_t)(k >> a & 1);
                if (place[a] == (uint32_t)l->count[a]) place[a] = 0;
            }
            RESULT_TRY(number_of(&nodes, place, &l->corner[c][k]));
        }
    l->nodes = nodes.count;
    ARENA_TRY(m->scratch, l->nodes, l->around, l->near);
    for (int v = 0; v < l->nodes; v++) {
        for (int k = 0; k < 8; k++) l->around[v][k] = l->cells;
        for (int k = 0; k < 6; k++) l->near[v][k] = l->nodes;
    }
    for (int c = 0; c < l->cells; c++)
        for (int k = 0; k < 8; k++) {
            int v = l->corner[c][k];
            l->around[v][k] = c;
            for (int a = 0; a < 3; a++) l->near[v][2 * a + (k >> a & 1 ? 0 : 1)] = l->corner[c][k ^ 1 << a];
        }
    return DEW_OK;
}

static dew_result level_make(making *m, int width)
{
    level *l = m->to;
    ARENA_TRY(m->scratch, m->points, m->point);
    RESULT_TRY(m->below ? cells_of_cells(m) : cells_of_particles(m));
    RESULT_TRY(sort_points(m));
    RESULT_TRY(find_nodes(m));
    ARENA_TRY(m->scratch, l->cells, l->parent);
    ARENA_TRY_ZEROED(m->scratch, l->cells, l->stiffness);
    ARENA_TRY_ZEROED(m->scratch, 8 * width * (l->cells + 1), l->share);
    ARENA_TRY(m->scratch, l->nodes, l->spring);
    ARENA_TRY_ZEROED(m->scratch, width * (l->nodes + 1), l->hold, l->inverse, l->b, l->x, l->other);
    return DEW_OK;
}

/* Cells are so long that they fit a period, in a number that can be halved until three or fewer are left. */
static int fitting_count(double period, double h)
{
    int best = 1;
    for (int odd = 1; odd <= 3; odd += 2)
        for (int n = odd; n < MANY_CELLS; n *= 2)
            if (fabs(log(period / n / h)) < fabs(log(period / best / h))) best = n;
    return best;
}

/* Cells that share a node are of one body. */
static void join_around_nodes(const level *v, int32_t *body)
{
    for (int n = 0; n < v->nodes; n++)
        for (int k = 0, first = -1; k < 8; k++) {
            int cell = v->around[n][k];
            if (cell == v->cells) continue;
            if (first >= 0) union_find_join(body, first, cell);
            first = cell;
        }
}

/* Whether a point of cell a has one of cell b, `way` cells on, within reach. */
static bool do_reach(const level *v, int a, int b, const int way[3], double reach)
{
    for (int i = v->begin[a]; i < v->begin[a + 1]; i++)
        for (int j = v->begin[b]; j < v->begin[b + 1]; j++) {
            const real *p = &v->point[i].x, *q = &v->point[j].x;
            double square = 0;
            for (int n = 0; n < 3; n++) {
                double d = (way[n] + (double)q[n] - (double)p[n]) * v->h[n];
                square += d * d;
            }
            if (square < reach * reach) return true;
        }
    return false;
}

/* And those with one cell between them across which points reach each other. */
static dew_result join_across(const level *v, arena *scratch, double reach, int32_t *body)
{
    enum { SIDE = 5, HALF = SIDE * SIDE * SIDE / 2 }; /* of the cells around one, one of each two opposite ones */
    numbering cells;
    int32_t number;
    RESULT_TRY(numbering_open(&cells, scratch, v->cells));
    for (int c = 0; c < v->cells; c++) RESULT_TRY(number_of(&cells, v->place[c], &number));
    for (int c = 0; c < v->cells; c++)
        for (int n = 0; n < HALF; n++) {
            int way[3] = {n % SIDE - 2, n / SIDE % SIDE - 2, n / (SIDE * SIDE) - 2};
            uint64_t key = TAKEN;
            for (int a = 0; a < 3; a++)
                key |= (uint64_t)(((int)v->place[c][a] + way[a] + 2 * v->count[a]) % v->count[a]) << a * AXIS_BITS;
            const numbered *other = find(&cells, key);
            if (!other->key || union_find_root(body, c) == union_find_root(body, other->number)) continue;
            if (do_reach(v, c, other->number, way, reach)) union_find_join(body, c, other->number);
        }
    return DEW_OK;
}

static bool is_one(int count, const int32_t *parent)
{
    int roots = 0;
    for (int k = 0; k < count; k++) roots += parent[k] == k;
    return roots <= 1;
}

static dew_result find_bodies(levels *l, arena *scratch, double reach)
{
    const level *v = &l->level[0];
    ARENA_TRY(scratch, v->cells, l->body);
    union_find_begin(v->cells, l->body);
    join_around_nodes(v, l->body);
    if (!is_one(v->cells, l->body)) RESULT_TRY(join_across(v, scratch, reach, l->body));
    l->bodies = union_find_number(v->cells, l->body);
    ARENA_TRY(scratch, v->begin[v->cells], l->body_of);
    for (int c = 0; c < v->cells; c++)
        for (int k = v->begin[c]; k < v->begin[c + 1]; k++) l->body_of[v->point[k].index] = l->body[c];
    return DEW_OK;
}

dew_result levels_open(levels *l, arena *scratch, int width, int count, const real4 *position, double h,
                       const double period[3], double reach)
{
    *l = (levels){.count = 1, .width = width};
    making m = {.to = &l->level[0], .scratch = scratch, .points = count, .position = position};
    for (int a = 0; a < 3; a++) {
        m.to->count[a] = period[a] > 0 ? fitting_count(period[a], h) : MANY_CELLS;
        m.to->h[a] = period[a] > 0 ? period[a] / m.to->count[a] : h;
        m.inverse[a] = 1 / m.to->h[a];
    }
    RESULT_TRY(level_make(&m, width));
    RESULT_TRY(find_bodies(l, scratch, reach));
    while (l->count < MOST_LEVELS) {
        level *below = &l->level[l->count - 1], *next = below + 1;
        for (int a = 0; a < 3; a++) {
            next->count[a] = is_halved(below, a) ? below->count[a] / 2 : below->count[a];
            next->h[a] = is_halved(below, a) ? 2 * below->h[a] : below->h[a];
        }
        m = (making){.to = next, .below = below, .scratch = scratch, .points = below->nodes};
        RESULT_TRY(level_make(&m, width));
        if (4 * next->cells > 3 * below->cells) break; /* bodies far apart: a cell each */
        l->count++;
    }
    return DEW_OK;
}

/* --- passes --- */

/* From one array to another; b, hold and inverse are the level's. */
typedef struct passing {
    level *l;
    const real *from;
    real *to;
} passing;

#define WIDTH 1
#include "laplacian/any/levels.h"
#undef WIDTH
#define WIDTH 4
#include "laplacian/any/levels.h"
#undef WIDTH

static void run(const levels *l, int count, parallel_fcn *number, parallel_fcn *vector, passing q)
{
    parallel_for(count, LEVEL_GRAIN, l->width == 1 ? number : vector, &q);
}

static void gather_nodes(const levels *l, level *to, real *nodes)
{
    run(l, to->nodes, gather_1, gather_4, (passing){to, NULL, nodes});
}

static void sum_up(const levels *l, level *to, const real *from, real *nodes)
{
    run(l, to->cells, share_out_1, share_out_4, (passing){to, from, NULL});
    gather_nodes(l, to, nodes);
}

static void hand_down(const levels *l, level *from, real *to)
{
    run(l, from->cells, interpolate_1, interpolate_4, (passing){from, from->x, to});
}

static void step(const levels *l, level *v)
{
    run(l, v->nodes, step_on_1, step_on_4, (passing){v, v->x, v->other});
    real *x = v->other;
    v->other = v->x, v->x = x;
}

static void cycle(levels *l, int k)
{
    level *v = &l->level[k], *above = v + 1;
    bool is_last = k + 1 == l->count;
    run(l, v->nodes, begin_steps_1, begin_steps_4, (passing){v, NULL, v->x});
    for (int s = 1; s < (is_last ? LAST_SWEEPS : SWEEPS); s++) step(l, v);
    if (is_last) return;
    run(l, v->nodes, rest_of_1, rest_of_4, (passing){v, v->x, v->other});
    sum_up(l, above, v->other, above->b);
    cycle(l, k + 1);
    hand_down(l, above, v->x);
    for (int s = 0; s < SWEEPS; s++) step(l, v);
}

void levels_sum_up(levels *l, const real *from, real *nodes) { sum_up(l, &l->level[0], from, nodes); }
void levels_gather(levels *l) { gather_nodes(l, &l->level[0], l->level[0].b); }
void levels_cycle(levels *l) { cycle(l, 0); }
void levels_hand_down(levels *l, real *to) { hand_down(l, &l->level[0], to); }

/* --- setting --- */

typedef struct stiffening {
    const levels *levels;
    level *l;
    const real *k;
} stiffening;

static void stiffen_cells(int begin, int end, void *context)
{
    const stiffening *s = context;
    for (int c = begin; c < end; c++) {
        double sum = 0;
        for (int i = s->l->begin[c]; i < s->l->begin[c + 1]; i++) sum += (double)s->k[s->l->point[i].index];
        s->l->stiffness[c] = (real)sum;
    }
}

static void set_springs(int begin, int end, void *context)
{
    const stiffening *s = context;
    level *l = s->l;
    int width = s->levels->width;
    for (int v = begin; v < end; v++) {
        real sum = 0;
        for (int k = 0; k < 6; k++) {
            int axis = k / 2, side = k % 2;
            double stiffness = 0;
            for (int c = 0; c < 8; c++)
                if ((c >> axis & 1) != side && l->around[v][c] < l->cells && l->near[v][k] != v)
                    stiffness += (double)l->stiffness[l->around[v][c]];
            sum += l->spring[v][k] = (real)(stiffness / (4 * l->h[axis] * l->h[axis]));
        }
        for (int n = width * v; n < width * (v + 1); n++) {
            real diagonal = l->hold[n] + sum;
            l->inverse[n] = diagonal > 0 ? DAMPING / diagonal : 0;
        }
    }
}

void levels_set(levels *l, const real *k, const real *d)
{
    for (int n = 0; n < l->count; n++) {
        level *v = &l->level[n], *below = v - 1;
        stiffening s = {l, v, k};
        sum_up(l, v, n ? below->hold : d, v->hold);
        if (n == 0)
            parallel_for(v->cells, LEVEL_GRAIN, stiffen_cells, &s);
        else {
            memset(v->stiffness, 0, (size_t)v->cells * sizeof *v->stiffness);
            for (int c = 0; c < below->cells; c++) v->stiffness[below->parent[c]] += below->stiffness[c];
        }
        parallel_for(v->nodes, LEVEL_GRAIN, set_springs, &s);
    }
}
