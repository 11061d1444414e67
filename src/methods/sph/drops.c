/* Connected bodies of liquid. The curvature's force is not exactly in balance over a closed surface; what is left over
 * is taken off each body as a whole, so that its momentum is kept.
 *
 * Particles are put in cubes 1.5 s wide; cubes that touch are connected. Bodies nearer to each other than that act on
 * each other anyway. */
#include "methods/sph/flow.h"

#include "base/parallel.h"

#include <string.h>

typedef struct cube {
    int x, y, z, number; /* -1: an empty entry */
} cube;

typedef struct cubes {
    real inverse_width;
    uint32_t mask;
    cube *table;
    cube *list; /* in order of their numbers */
    int count;
    int32_t *parent; /* of each cube */
} cubes;

static uint32_t hash_cube(int x, int y, int z)
{
    return ((uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu) * 0x9e3779b1u >> 4;
}

/* Its entry, or the empty one where it would be. */
static cube *look_up(const cubes *c, int x, int y, int z)
{
    for (uint32_t at = hash_cube(x, y, z);; at++) {
        cube *e = &c->table[at & c->mask];
        if (e->number < 0 || (e->x == x && e->y == y && e->z == z)) return e;
    }
}

static int number_of(cubes *c, real4 place)
{
    int x = (int)floor(place.x * c->inverse_width), y = (int)floor(place.y * c->inverse_width);
    int z = (int)floor(place.z * c->inverse_width);
    cube *e = look_up(c, x, y, z);
    if (e->number < 0) {
        *e = (cube){x, y, z, c->count};
        c->parent[c->count] = c->count;
        c->list[c->count++] = *e;
    }
    return e->number;
}

static int root_of(int32_t *parent, int n)
{
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
}

/* The lower number stays root: the order of unions does not matter. */
static void join(int32_t *parent, int a, int b)
{
    a = root_of(parent, a), b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static void join_neighbours(cubes *c)
{
    for (int n = 0; n < c->count; n++) {
        cube e = c->list[n];
        for (int side = 14; side < 27; side++) { /* one of each two that face each other */
            const cube *other = look_up(c, e.x + side / 9 - 1, e.y + side / 3 % 3 - 1, e.z + side % 3 - 1);
            if (other->number >= 0) join(c->parent, n, other->number);
        }
    }
}

static dew_result open_cubes(cubes *c, const sph_state *p, world *w)
{
    size_t room = (size_t)(w->particles->end + 1), entries = 16;
    while (entries < 2 * room) entries *= 2;
    *c = (cubes){.inverse_width = 1 / ((real)1.5 * p->s), .mask = (uint32_t)(entries - 1)};
    c->table = arena_alloc(w->scratch, entries * sizeof *c->table);
    c->list = arena_alloc(w->scratch, room * sizeof *c->list);
    c->parent = arena_alloc(w->scratch, room * sizeof *c->parent);
    if (!c->table || !c->list || !c->parent) return result_fail(DEW_NO_MEMORY, "no memory to tell drops apart");
    memset(c->table, 0xff, entries * sizeof *c->table);
    return DEW_OK;
}

dew_result sph_find_drops(sph_state *p, world *w)
{
    const particles *store = w->particles;
    sph_arrays a = sph_arrays_of(p, w);
    size_t mark = arena_mark(w->scratch);
    cubes c;
    RESULT_TRY(open_cubes(&c, p, w));
    for (int i = 0; i < a.count; i++) a.drop[i] = number_of(&c, a.x[i]);
    for (int g = store->ghost_begin; g < store->end; g++) /* what lies across a face belongs together */
        join(c.parent, number_of(&c, a.x[g]), a.drop[store->ghosts[g - store->ghost_begin].owner]);
    join_neighbours(&c);
    p->drop_count = 0;
    for (int n = 0; n < c.count; n++) /* roots have the lowest numbers of theirs: they come first */
        c.list[n].number = root_of(c.parent, n) == n ? p->drop_count++ : c.list[root_of(c.parent, n)].number;
    for (int i = 0; i < a.count; i++) a.drop[i] = c.list[a.drop[i]].number;
    p->has_drops = true;
    arena_release(w->scratch, mark);
    return DEW_OK;
}

/* --- sums over each body --- */

typedef struct drop_sum {
    double force[3], curvature, weight, height;
    int count;
    bool is_held, is_cut[3]; /* touches a solid; a plane of symmetry on an axis */
} drop_sum;

typedef struct drop_sums {
    flow *k;
    drop_sum *list;
} drop_sums;

static dew_result sum_drops(flow *k, drop_sums *sums)
{
    const particles *store = k->w->particles;
    *sums = (drop_sums){k, arena_zeroed(k->w->scratch, ((size_t)k->p->drop_count + 1) * sizeof(drop_sum))};
    if (!sums->list) return result_fail(DEW_NO_MEMORY, "no memory for the sums over %d drops", k->p->drop_count);
    for (int i = 0; i < k->count; i++) {
        drop_sum *d = &sums->list[k->a.drop[i]];
        real4 f = k->pull[i];
        d->force[0] += (double)f.x, d->force[1] += (double)f.y, d->force[2] += (double)f.z;
        d->count++;
        if (k->wall && k->wall_solid[i] >= 0) d->is_held = true;
    }
    for (int g = store->ghost_begin; g < store->end; g++) {
        const ghost_image *image = &store->ghosts[g - store->ghost_begin];
        for (int axis = 0; axis < 3; axis++)
            if (image->mirror[axis]) sums->list[k->a.drop[image->owner]].is_cut[axis] = true;
    }
    return DEW_OK;
}

static void take_off(int begin, int end, void *context)
{
    const drop_sums *sums = context;
    flow *k = sums->k;
    for (int i = begin; i < end; i++) {
        const drop_sum *d = &sums->list[k->a.drop[i]];
        if (d->is_held) continue;
        real4 *f = &k->pull[i];
        f->x -= (real)d->force[0], f->y -= (real)d->force[1], f->z -= (real)d->force[2];
    }
}

dew_result sph_balance_tension(flow *k)
{
    if (!(k->gamma > 0)) return DEW_OK;
    drop_sums sums;
    RESULT_TRY(sum_drops(k, &sums));
    for (int n = 0; n < k->p->drop_count; n++)
        for (int axis = 0; axis < 3; axis++) {
            drop_sum *d = &sums.list[n];
            d->force[axis] = d->is_cut[axis] ? 0 : d->force[axis] / d->count;
        }
    parallel_for(k->count, 4096, take_off, &sums);
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
    drop_sums sums;
    for (int i = 0; i < k->count; i++) k->pull[i] = (real4){0, 0, 0, 0};
    RESULT_TRY(sum_drops(k, &sums));
    for (int n = 0; n < k->p->drop_count; n++) sums.list[n].height = -INFINITY;
    for (int i = 0; i < k->count; i++) {
        drop_sum *d = &sums.list[k->a.drop[i]];
        d->curvature += (double)k->a.tension[i].w, d->weight += (double)k->a.v[i].w;
        d->height = fmax(d->height, height_of(k, i));
    }
    for (int i = 0; i < k->count; i++) {
        const drop_sum *d = &sums.list[k->a.drop[i]];
        double jump = d->weight > 0 && k->gamma > 0 ? d->curvature / d->weight : 0;
        double above = d->is_held ? (double)k->rho * (d->height - height_of(k, i)) : 0;
        k->a.pressure[i] = (real)(jump + above);
        k->a.x[i].w = k->a.pressure[i] / k->rho;
    }
    k->p->saved_started = 1;
    return DEW_OK;
}
