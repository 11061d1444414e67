/* Where the surface bends more than sums over the lists' reach can tell, and who is near. */
#include "surface/bends.h"

#include "base/parallel.h"
#include "particles/pairs.h"

/* Cosine of the angle between normals from which on the surface is bent: a radian. */
#define BENT ((real)0.54)

typedef struct bends {
    surface_points *s;
    pair_lists lists;
    real reach;
    const real4 *normal;
    real4 *near; /* w: not 0 where a point is near enough to a bend, for the pass that comes next */
    uint8_t *away;
    int pass;
} bends;

/* To `away`: MESH_BENT or MESH_FAR. Normals of points that are no surface tell nothing. */
static void find_bent(int begin, int end, void *context)
{
    const bends *m = context;
    const real4 *x = m->s->store.position;
    int count = m->s->store.count;
    vreal reach2 = vset(m->reach * m->reach), one = vset(1);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(x, block), n = pair_i(m->normal, block);
        vreal least = one;
        PAIRS(m->lists, block, j)
        {
            vreal4 b = pair_j(x, j), o = pair_j(m->normal, j);
            vreal dx = b.x - i.x, dy = b.y - i.y, dz = b.z - i.z, cosine = vdot3(n, o);
            vreal told = vselect(dx * dx + dy * dy + dz * dz < reach2, cosine, one);
            least = vmin(least, vselect(b.w > 0, told, one));
        }
        pair_store4(m->near, block, least, vset(0), vset(0), vset(0));
        for (int k = PAIR_I * block; k < PAIR_I * block + PAIR_I && k < count; k++)
            m->away[k] = x[k].w > 0 && m->near[k].x < BENT ? MESH_BENT : MESH_FAR;
    }
}

static void mark_near(int begin, int end, void *context)
{
    const bends *m = context;
    for (int i = begin; i < end; i++) m->near[i] = (real4){0, 0, 0, m->away[i] < m->pass};
}

/* Who is within the lists' reach of those marked. */
static void widen(int begin, int end, void *context)
{
    const bends *m = context;
    int count = m->s->store.count;
    for (int block = begin; block < end; block++) {
        vreal near = vset(0);
        PAIRS(m->lists, block, j) near += pair_j(m->near, j).w;
        real lane[PAIR_I];
        pair_store(lane, 0, near);
        for (int k = 0; k < PAIR_I && PAIR_I * block + k < count; k++) {
            uint8_t *away = &m->away[PAIR_I * block + k];
            if (lane[k] > 0 && *away > m->pass) *away = (uint8_t)m->pass;
        }
    }
}

static void find_any(int begin, int end, void *context, double *maxima)
{
    const bends *m = context;
    for (int i = begin; i < end; i++)
        if (m->away[i] == MESH_BENT) maxima[0] = 1;
}

void surface_find_bends(surface_points *s, uint8_t *away, bool *is_bent)
{
    particles *store = &s->store;
    bends m = {.s = s,
               .lists = neighbours_lists(s->lists),
               .reach = (real)neighbours_cutoff(s->lists),
               .normal = particles_field(store, s->sharp),
               .near = particles_field(store, s->smooth),
               .away = away};
    double any;
    parallel_for(PAIR_BLOCKS(store->count), 16, find_bent, &m);
    parallel_max(store->count, 1, find_any, &m, &any);
    *is_bent = any > 0;
    for (m.pass = MESH_RINGS; *is_bent && m.pass < MESH_FAR; m.pass++) {
        parallel_for(store->count, 1024, mark_near, &m);
        particles_update_ghosts(store, s->smooth);
        parallel_for(PAIR_BLOCKS(store->count), 16, widen, &m);
    }
}
