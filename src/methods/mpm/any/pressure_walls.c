#include "methods/mpm/any/pressure_walls.h"

#include "base/group.h"
#include "methods/mpm/any/mirror.h"
#include "methods/mpm/any/stress.h"

/* A cube of which walls leave less counts as so much of one. */
#define LEAST_ROOM ((real)0.01)

bool is_inside(const fluid *f, int32_t cube)
{
    int at[DIM];
    local_of(cube % CELLS, at);
    for (int k = 0; k < CUBE_CORNERS; k++) {
        const int64_t node = corner_node(&f->g, cube / CELLS, at, k);
        if (node < 0 || f->depth[node] == 0) return false;
    }
    return true;
}

real cube_volume(const fluid *f) { return (real)pow(f->p->dx / f->w->spacing, DIM); }

/* --- places in a cube --- */

/* The axis along which a wall looks most. */
static int main_axis(const wall_seen *wall)
{
    int along = 0;
    for (int a = 1; a < DIM; a++)
        if (fabs((&wall->seen.x)[a]) > fabs((&wall->seen.x)[along])) along = a;
    return along;
}

/* Of the line x + t e_a, low <= t <= high in cells, keeps what is outside of the walls that look along a; false if that
 * is nothing. *is_mirrored: one of them mirrors a part of it. */
static bool clip_line(const fluid *f, const owner *o, int a, real4 x, real *low, real *high, bool *is_mirrored)
{
    for (int j = 0; j < o->wall_count; j++) {
        if (main_axis(&o->wall[j]) != a) continue;
        const real end[2] = {*low, *high};
        real s[2];
        for (int k = 0; k < 2; k++) {
            mirror m;
            real4 at = x;
            (&at.x)[a] += end[k] * f->dx;
            s[k] = mirror_of(f, o, j, at, &m) ? m.s : MIRROR_WIDTH;
        }
        if (s[0] >= MIRROR_WIDTH && s[1] >= MIRROR_WIDTH) continue;
        *is_mirrored = true;
        if (s[0] <= 0 && s[1] <= 0) return false;
        const real root = end[0] + (end[1] - end[0]) * s[0] / (s[0] - s[1]);
        if (s[0] < 0) *low = root;
        if (s[1] < 0) *high = root;
    }
    return *high > *low;
}

/* Adds the places of a box with its corner at x, axis by axis from a on. */
static void add_places(const fluid *f, const owner *o, int a, real4 x, real volume, real4 *place, int32_t *count)
{
    if (a == DIM) {
        x.w = volume;
        place[(*count)++] = x;
        return;
    }
    real low = 0, high = 1;
    real4 middle = x;
    bool is_mirrored = false;
    for (int b = a + 1; b < DIM; b++) (&middle.x)[b] += (real)0.5 * f->dx;
    if (!clip_line(f, o, a, middle, &low, &high, &is_mirrored)) return;
    const int n = is_mirrored ? 4 : 2;
    for (int k = 0; k < n; k++) {
        real4 at = x;
        (&at.x)[a] += (low + (high - low) * ((real)k + (real)0.5) / (real)n) * f->dx;
        add_places(f, o, a + 1, at, volume * (high - low) / (real)n, place, count);
    }
}

static real4 cube_corner(const grid *g, int32_t cube)
{
    int at[DIM];
    real4 x = {0, 0, 0, 0};
    local_of(cube % CELLS, at);
    for (int a = 0; a < DIM; a++) (&x.x)[a] = (real)((SIDE * g->block[cube / CELLS].at[a] + at[a]) * g->dx);
    return x;
}

/* --- which cubes --- */

typedef struct finding {
    pressure_walls *w;
    fluid *f;
    int32_t *cube_of;       /* of each owner that sees a wall; -1: of others */
    int32_t *order, *begin; /* such owners by cube */
    int32_t room;           /* of place[], so far */
} finding;

static bool has_owners(const finding *n, int64_t cube) { return n->begin[cube + 1] > n->begin[cube]; }

static void add_group(finding *n, int32_t seer, int32_t cube, int room)
{
    n->w->places[n->w->count++] = (wall_places){.owner = seer, .cube = cube, .begin = n->room};
    n->room += room;
}

/* Of the owners in some cubes the nearest to the middle of one. */
static int32_t nearest_owner(const finding *n, int32_t cube, int count, const int64_t *from)
{
    const fluid *f = n->f;
    const real half = (real)0.5 * f->dx;
    const real3 middle = real3_add(real3_of(cube_corner(&f->g, cube)), (real3){half, half, DIM == 3 ? half : 0});
    real least = INFINITY;
    int32_t best = -1;
    for (int j = 0; j < count; j++)
        for (int k = n->begin[from[j]]; k < n->begin[from[j] + 1]; k++) {
            const real3 d = real3_sub(real3_of(f->a.x[f->points.owners[n->order[k]].slot]), middle);
            if (real3_dot(d, d) < least) least = real3_dot(d, d), best = n->order[k];
        }
    return best;
}

/* Adds what is inside and has no particles of its own, around a full cube, each once. */
static void add_empty(finding *n, int32_t cube, bool *is_added)
{
    const grid *g = &n->f->g;
    int64_t around[AROUND], beside[AROUND];
    nodes_around(g, cube, around);
    for (int k = 0; k < AROUND; k++) {
        const int64_t e = around[k];
        if (e < 0 || is_added[e] || n->f->in_cube[e] > 0 || !is_inside(n->f, (int32_t)e)) continue;
        int count = 0;
        is_added[e] = true;
        nodes_around(g, (int32_t)e, beside);
        for (int j = 0; j < AROUND; j++)
            if (beside[j] >= 0 && n->w->is_full[beside[j]]) beside[count++] = beside[j];
        add_group(n, nearest_owner(n, (int32_t)e, count, beside), (int32_t)e, MOST_PLACES);
    }
}

static void find_places(int begin, int end, void *context)
{
    const finding *n = context;
    const fluid *f = n->f;
    const real volume = cube_volume(f);
    for (int k = begin; k < end; k++) {
        wall_places *p = &n->w->places[k];
        const owner *o = &f->points.owners[p->owner];
        if (n->w->is_full[n->cube_of[p->owner]]) {
            add_places(f, o, 0, cube_corner(&f->g, p->cube), volume, &n->w->place[p->begin], &p->count);
        } else {
            n->w->place[p->begin] = f->a.x[o->slot];
            n->w->place[p->begin].w = 1, p->count = 1;
        }
    }
}

static dew_result find_cubes(finding *n)
{
    const fluid *f = n->f;
    const int cubes = f->g.block_count * CELLS, owners = f->points.owner_count;
    ARENA_TRY(f->g.memory, owners, n->cube_of);
    for (int k = 0; k < owners; k++) {
        const owner *o = &f->points.owners[k];
        const bool sees = o->wall_count > 0 && !is_solid_slot(f, o->slot);
        n->cube_of[k] = sees ? grid_cube(&f->g, real3_of(f->a.x[o->slot])) : -1;
    }
    RESULT_TRY(group_items(f->g.memory, n->cube_of, 1, owners, cubes, &n->order, &n->begin));
    ARENA_TRY_ZEROED(f->g.memory, cubes, n->w->is_full);
    for (int c = 0; c < cubes; c++) n->w->is_full[c] = has_owners(n, c) && is_inside(f, c);
    return DEW_OK;
}

dew_result pressure_walls_find(pressure_walls *w, fluid *f, real *volume)
{
    const int cubes = f->g.block_count * CELLS;
    finding n = {.w = w, .f = f};
    *w = (pressure_walls){0};
    memcpy(volume, f->in_cube, (size_t)cubes * sizeof *volume);
    if (solids_count(f->w->solids) == 0) return DEW_OK;
    RESULT_TRY(find_cubes(&n));
    int most = f->points.owner_count;
    for (int c = 0; c < cubes; c++) most += w->is_full[c] ? AROUND : 0;
    bool *is_added;
    ARENA_TRY(f->g.memory, most, w->places);
    ARENA_TRY_ZEROED(f->g.memory, cubes, is_added);
    for (int32_t c = 0; c < cubes; c++) {
        const int64_t own = c;
        if (w->is_full[c])
            add_group(&n, nearest_owner(&n, c, 1, &own), c, MOST_PLACES), add_empty(&n, c, is_added);
        else
            for (int k = n.begin[c]; k < n.begin[c + 1]; k++) add_group(&n, n.order[k], c, 1);
    }
    ARENA_TRY(f->g.memory, n.room, w->place);
    parallel_for(w->count, 16, find_places, &n);
    for (int32_t c = 0; c < cubes; c++)
        if (w->is_full[c]) volume[c] = LEAST_ROOM * f->in_cube[c];
    for (int k = 0; k < w->count; k++) {
        wall_places *p = &w->places[k];
        const int32_t cube = n.cube_of[p->owner];
        for (int i = p->begin; i < p->begin + p->count && w->is_full[cube]; i++) volume[cube] += w->place[i].w;
        p->first_push = w->push_count;
        w->push_count += p->count << f->points.owners[p->owner].wall_count;
    }
    return DEW_OK;
}
