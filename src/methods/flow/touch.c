/* Which solids the liquid touches. A solid counts as filled with liquid at rest, with its mirror image (density.c,
 * projection.c), where liquid lies on it; where there is a gap it counts as the air that is in it. Else a drop that
 * hangs above a plate presses on it through the gap, with its whole pressure, and is thrown off.
 *
 * What a particle's solid has of liquid next to it is told by the layer around the particle's foot, itself included:
 * c = sum chi(d_j) w(t_j), d_j the distance of j from the plane of the face, t_j from the foot along it, w = (1 -
 * (t/R)^2)^2, chi = 1 up to WHOLE, 0 from GONE spacings on. A particle alone that lies on a solid touches it, and one
 * above the line at the edge of a layer does.
 *
 * Beyond an edge of the solid, as below the mouth of a pipe, both of its faces have to be wet: images are those of
 * liquid that lies on faces, each with the face's normal. If the edge had them on account of the particle itself, what
 * goes by along one face would seem to leave a wall: suction below the mouth takes a tenth of a jet's momentum. */
#include "methods/flow/flow.h"

/* In spacings: of the first layer, a half from the solid, what lies on it, and what no longer does. */
#define WHOLE LINE_LAYER_WHOLE
#define GONE LINE_LAYER_END
/* Of a jelly. Liquid that is held off by a gap closes it, as the order of its particles fills it up; a jelly keeps its
 * order, and what rests on it would stay where it first pressed. So nothing presses before it lies on the jelly, as
 * near as what a solid holds off (hold.c), and what does is whole from there on. */
#define WHOLE_OF_JELLY ((real)0.5)
#define GONE_OF_JELLY WHOLE
/* R. */
#define FOOT ((real)1.8)
/* What lies as deep within the plane is on the other side of a thin solid. */
#define BEHIND ((real)-0.5)
/* c from which on a solid is wet: a little less than what a particle has of itself. Next to an edge a face ends at the
 * foot, and has half of it. */
#define ENOUGH ((real)0.95)
/* Of the mean distance's slope: below it a solid may have an edge. */
#define EVEN ((real)0.98)

/* A solid of each of a block's particles: the normal of the face that is looked at, and beyond an edge of which other
 * face liquid has to lie behind. */
typedef struct faces {
    _Alignas(64) real4 wall[PAIR_I], face[PAIR_I], behind[PAIR_I];
    bool is_edge[PAIR_I];
} faces;

/* The a-th ones; false where no particle has one. */
static bool gather_solids(const flow_step *k, int block, int a, faces *f)
{
    bool has_any = false;
    for (int l = 0, i = PAIR_I * block; l < PAIR_I; l++, i++) {
        int at = NEAR_WALLS * i + a;
        bool has = i < k->count && k->near.solid[at] >= 0;
        f->wall[l] = f->face[l] = has ? k->near.wall[at] : (real4){0, 0, 0, k->h};
        f->behind[l] = (real4){0, 0, 0, 0}, f->is_edge[l] = false;
        has_any |= has;
        if (!has || !k->near.bend || k->near.bend[at].slope > EVEN) continue;
        real3 face[2];
        f->is_edge[l] = solids_edge(k->w->solids, k->near.solid[at], k->x[i], k->near.wall[at], face);
        if (f->is_edge[l]) f->face[l] = real4_of(face[0], 0), f->behind[l] = real4_of(face[1], 0);
    }
    return has_any;
}

/* c of the faces. */
static void sum_layer(const flow_step *k, int block, const faces *f, real *layer)
{
    vreal of_spacing = vset(1 / k->p->s), of_foot = vset(1 / (FOOT * FOOT)), none = vset(0), one = vset(1);
    real whole = k->p->is_solid ? WHOLE_OF_JELLY : WHOLE, end = k->p->is_solid ? GONE_OF_JELLY : GONE;
    vreal fall = vset(1 / (end - whole)), gone = vset(end), behind = vset(BEHIND), c = none;
    vreal4 i = pair_i(k->x, block), n = pair_i(f->wall, 0), m = pair_i(f->face, 0), o = pair_i(f->behind, 0);
    i.x -= n.w * n.x, i.y -= n.w * n.y, i.z -= n.w * n.z; /* the foot */
    PAIRS(k->lists, block, j)
    {
        vreal4 b = pair_j(k->x, j);
        vreal x = (b.x - i.x) * of_spacing, y = (b.y - i.y) * of_spacing, z = (b.z - i.z) * of_spacing;
        vreal away = x * m.x + y * m.y + z * m.z;
        vreal chi = vmin(vmax((gone - away) * fall, none), one);
        vreal q = vmax(one - (x * x + y * y + z * z - away * away) * of_foot, none);
        vreal counts = vselect(x * o.x + y * o.y + z * o.z > 0, none, chi * q * q);
        c += vselect(away > behind, counts, none);
    }
    pair_store(layer, 0, c);
}

/* To the other face of each edge; false where there is none. */
static bool turn_edges(faces *f)
{
    bool has_any = false;
    for (int l = 0; l < PAIR_I; l++) {
        if (!f->is_edge[l]) continue;
        real4 face = f->face[l];
        f->face[l] = f->behind[l], f->behind[l] = face, has_any = true;
    }
    return has_any;
}

static void find_touch(int begin, int end, void *context)
{
    flow_step *k = context;
    faces f;
    _Alignas(64) real layer[PAIR_I > 4 ? PAIR_I : 4], other[PAIR_I > 4 ? PAIR_I : 4];
    for (int block = begin; block < end; block++)
        for (int a = 0; a < NEAR_WALLS && gather_solids(k, block, a, &f); a++) {
            sum_layer(k, block, &f, layer);
            if (turn_edges(&f)) sum_layer(k, block, &f, other);
            for (int i = PAIR_I * block, l = 0; i < flow_end_of(k, block); i++, l++) {
                real c = f.is_edge[l] ? 2 * real_min(layer[l], other[l]) : layer[l];
                k->near.wet[NEAR_WALLS * i + a] = real_min(c / ENOUGH, 1);
            }
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
    flow_step *k;
    real *wet, *fresh;
    int32_t *nearest;
} nearest_touch;

/* Beyond so many spacings from a solid a particle has left it. */
#define LEFT ((real)1.3)

/* Liquid that has slid along a wall for a time t has shear in a layer of sqrt(pi nu t) alone (Rayleigh), which may be
 * thinner than a particle: the wall takes mu u over that (the mean over the step), where the sum over layers would take
 * mu u all_shear. How many times as much the first layer takes for it. A slip length lies behind either. */
static real fresh_layer(flow_step *k, int i)
{
    real away = near_walls_has(&k->near, i) ? k->near.wall[NEAR_WALLS * i].w : k->h, t = k->wall_time[i], dt = k->dt;
    if (away > LEFT * k->p->s) k->wall_time[i] = 0;
    if (away > k->p->s) return 1;
    k->wall_time[i] = t + dt;
    real nu = (real)flow_material(k, i)->viscosity / flow_density(k, i);
    double slip = solids_info(k->w->solids, k->near.solid[NEAR_WALLS * i], 0).slip_length;
    if (!(nu > 0) || !isfinite(slip)) return 1;
    real layer = sqrt((real)PI * nu) * dt / (2 * (sqrt(t + dt) - sqrt(t))), all = 1 / k->p->all_shear;
    real more = 1 / (layer + (real)slip) - 1 / (all + (real)slip);
    return 1 + real_max(more, 0) * (all + (real)slip) / (all * k->p->first_shear);
}

/* At the distance d from a solid of mean curvature H what it gives has spread over (1 + H d)^2 of its area (density.c),
 * and so much more liquid is there to take it. */
static void take_nearest(int begin, int end, void *context)
{
    const nearest_touch *t = context;
    for (int i = begin; i < end; i++) {
        real spread = flow_spread(t->k, i, 0);
        t->wet[i] = t->k->near.wet[NEAR_WALLS * i] * spread * spread;
        t->nearest[i] = t->k->near.solid[NEAR_WALLS * i];
        t->fresh[i] = fresh_layer(t->k, i);
    }
}

dew_result flow_touch_shear(flow_step *k, shear *s)
{
    if (!k->near.wet) return DEW_OK;
    nearest_touch t = {.k = k};
    ARENA_TRY(k->w->scratch, k->count, t.wet, t.fresh, t.nearest);
    parallel_for(k->count, 4096, take_nearest, &t);
    s->lack = t.wet, s->fresh = t.fresh, s->nearest = t.nearest;
    return DEW_OK;
}
