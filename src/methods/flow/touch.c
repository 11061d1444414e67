/* Which solids the liquid touches. A solid counts as filled with liquid at rest, with its mirror image (density.c,
 * projection.c), where liquid lies on it; where there is a gap it counts as the air that is in it. Else a drop that
 * hangs above a plate presses on it through the gap, with its whole pressure, and is thrown off.
 *
 * What a particle's solid has of liquid next to it is told by the layer around the particle's foot, itself included:
 * c = sum chi(d_j) w(t_ij), d_j the distance of j from the plane of the solid, t_ij the way along it, w = (1 -
 * (t/R)^2)^2, chi = 1 up to WHOLE, 0 from GONE spacings on. A particle alone that lies on a solid touches it, and one
 * above the line at the edge of a layer does. */
#include "methods/flow/flow.h"

/* In spacings: of the first layer, a half from the solid, what lies on it, and what no longer does. */
#define WHOLE LINE_LAYER_WHOLE
#define GONE LINE_LAYER_END
/* R. */
#define FOOT ((real)1.5)
/* What lies as deep within the plane is on the other side of a thin solid. */
#define BEHIND ((real)-0.5)
/* c from which on a solid is wet: a little less than what a particle has of itself. */
#define ENOUGH ((real)0.95)

/* The a-th solid of each of a block's particles; false where none has one. */
static bool gather_solids(const flow_step *k, int block, int a, real4 *wall)
{
    bool has_any = false;
    for (int l = 0, i = PAIR_I * block; l < PAIR_I; l++, i++) {
        bool has = i < k->count && k->near.solid[NEAR_WALLS * i + a] >= 0;
        wall[l] = has ? k->near.wall[NEAR_WALLS * i + a] : (real4){0, 0, 0, k->h};
        has_any |= has;
    }
    return has_any;
}

/* c, of the a-th solids. */
static void sum_layer(const flow_step *k, int block, const real4 *wall, real *layer)
{
    vreal of_spacing = vset(1 / k->p->s), of_foot = vset(1 / (FOOT * FOOT)), none = vset(0), one = vset(1);
    vreal fall = vset(1 / (GONE - WHOLE)), gone = vset(GONE), behind = vset(BEHIND), c = none;
    vreal4 i = pair_i(k->x, block), n = pair_i(wall, 0);
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->x, j);
        vreal x = (b.x - i.x) * of_spacing, y = (b.y - i.y) * of_spacing, z = (b.z - i.z) * of_spacing;
        vreal up = x * n.x + y * n.y + z * n.z, away = n.w * of_spacing + up;
        vreal chi = vmin(vmax((gone - away) * fall, none), one);
        vreal q = vmax(one - (x * x + y * y + z * z - up * up) * of_foot, none);
        c += vselect(away > behind, chi * q * q, none);
    }
    pair_store(layer, 0, c);
}

static void find_touch(int begin, int end, void *context)
{
    flow_step *k = context;
    _Alignas(64) real4 wall[PAIR_I];
    _Alignas(64) real layer[PAIR_I > 4 ? PAIR_I : 4];
    for (int block = begin; block < end; block++)
        for (int a = 0; a < NEAR_WALLS && gather_solids(k, block, a, wall); a++) {
            sum_layer(k, block, wall, layer);
            for (int i = PAIR_I * block; i < flow_end_of(k, block); i++)
                k->near.wet[NEAR_WALLS * i + a] = real_min(layer[i - PAIR_I * block] / ENOUGH, 1);
        }
}

dew_result flow_find_touch(flow_step *k)
{
    if (!k->near.wall) return DEW_OK;
    ARENA_TRY(k->w->scratch, NEAR_WALLS * k->count, k->near.wet);
    parallel_for(k->blocks, FLOW_GRAIN, find_touch, k);
    return DEW_OK;
}

typedef struct nearest_touch {
    const flow_step *k;
    real *wet;
    int32_t *nearest;
} nearest_touch;

/* At the distance d from a solid of mean curvature H what it gives has spread over (1 + H d)^2 of its area (density.c),
 * and so much more liquid is there to take it. */
static void take_nearest(int begin, int end, void *context)
{
    const nearest_touch *t = context;
    for (int i = begin; i < end; i++) {
        real spread = flow_spread(t->k, i, 0);
        t->wet[i] = t->k->near.wet[NEAR_WALLS * i] * spread * spread;
        t->nearest[i] = t->k->near.solid[NEAR_WALLS * i];
    }
}

dew_result flow_touch_shear(flow_step *k, shear *s)
{
    if (!k->near.wet) return DEW_OK;
    nearest_touch t = {.k = k};
    ARENA_TRY(k->w->scratch, k->count, t.wet, t.nearest);
    parallel_for(k->count, 4096, take_nearest, &t);
    s->lack = t.wet, s->nearest = t.nearest;
    return DEW_OK;
}
