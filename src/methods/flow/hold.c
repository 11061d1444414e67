/* Hysteresis: the wall holds the contact line. Between the receding and the advancing angle the line stays where it is,
 * as the wall ahead of it is dry and the wall behind it wet, and to wet the one gains less, gamma cos(theta_a), than to
 * part from the other costs, gamma cos(theta_r). So Young's pull goes with how far the line is from where it was held,
 *
 *     cos(theta) = (cos(theta_r) + cos(theta_a))/2 - (cos(theta_r) - cos(theta_a))/2 e/w,   |e| <= w,
 *
 * and beyond w the place where it is held comes along. A line moves by particles that go along the wall, and as well by
 * those that come down on it ahead or lift off behind: friction of particles holds against the first alone. What tells
 * both is the depth of a particle behind the line (surface/line.h) and its own way along the wall: e is what their sum
 * has changed by, so noise adds nothing to it in the long run. A spring of memory, unlike friction by velocities, does
 * not creep when particles tremble. */
#include "methods/flow/flow.h"

/* w over the spacing: a line of particles has no place that is finer. */
#define HOLD_REACH ((real)1)

typedef struct holding {
    flow_step *k;
    line_faces *faces;
    real *depth, *strained, *weight;
} holding;

static const solid_info none;

static solid_info info_of(const flow_step *k, int i)
{
    if (!near_walls_has(&k->near, i)) return none;
    return solids_info(k->w->solids, k->near.solid[NEAR_WALLS * i], k->w->materials[0].surface_tension);
}

static void put_walls(int begin, int end, void *context)
{
    const holding *h = context;
    for (int i = begin; i < end; i++) h->k->change[i] = h->faces->wall[0][i];
}

static void find_lines(int begin, int end, void *context)
{
    const holding *h = context;
    flow_step *k = h->k;
    line_find(&k->p->line_table, k->lists, begin, end, k->x, k->change, k->lean, h->depth);
}

/* hold: x depth, y e, z 1 where e is known. */
static void stretch(int begin, int end, void *context)
{
    const holding *h = context;
    flow_step *k = h->k;
    real most = HOLD_REACH * k->p->s;
    for (int i = begin; i < end; i++) {
        real4 *own = &k->hold[i];
        if (!(k->lean[i].w > 0)) {
            *own = (real4){0, 0, 0, 0};
            continue;
        }
        real e = own->z > 0 ? own->y + h->depth[i] - own->x : 0;
        *own = (real4){h->depth[i], real_max(real_min(e, most), -most), own->z, 0};
        k->hold_line[i] = k->lean[i];
    }
}

/* The mean of e on the line that a particle is on or next to. */
static void find_strained(int begin, int end, void *context)
{
    const holding *h = context;
    flow_step *k = h->k;
    vreal inv_h = vset(k->inv_h), nothing = vset(0), one = vset(1);
    for (int block = begin; block < end; block++) {
        vreal sum = nothing, weight = vset((real)1e-20);
        bool is_near = false;
        _Alignas(64) real4 facing[PAIR_I];
        for (int l = 0; l < PAIR_I; l++) {
            int i = PAIR_I * block + l;
            is_near |= i < k->count && near_walls_has(&k->near, i);
            facing[l] = i < k->count && k->lean[i].w > 0 ? k->lean[i] : k->normal[i < k->count ? i : 0];
        }
        vreal4 i = pair_i(k->x, block), o = pair_i(facing, 0);
        if (is_near) PAIRS(k->lists, block, j)
            {
                vreal4 b = pair_j(k->x, j), t = pair_j(k->lean, j), e = pair_j(k->hold, j);
                vreal x = (b.x - i.x) * inv_h, y = (b.y - i.y) * inv_h, z = (b.z - i.z) * inv_h;
                vreal q = vmax(one - (x * x + y * y + z * z), nothing);
                vreal w = q * q * t.w * e.z * vmax(o.x * t.x + o.y * t.y + o.z * t.z, nothing);
                sum += w * e.y, weight += w;
            }
        pair_store(h->strained, block, sum);
        pair_store(h->weight, block, weight);
        for (int n = PAIR_I * block; n < PAIR_I * (block + 1) && n < k->count; n++) h->strained[n] /= h->weight[n];
    }
}

static void pull(int begin, int end, void *context)
{
    const holding *h = context;
    flow_step *k = h->k;
    for (int i = begin; i < end; i++) {
        solid_info info = info_of(k, i);
        real4 *own = &k->hold[i];
        if (k->lean[i].w > 0 && !(own->z > 0)) own->y = h->strained[i], own->z = 1;
        real part = h->strained[i] / (HOLD_REACH * k->p->s);
        h->faces->cosine[0][i] -= part * (wetting_cosine(info.cos_receding) - wetting_cosine(info.cos_advancing)) / 2;
    }
}

int flow_first_that_holds(const world *w)
{
    for (int s = 0; s < solids_count(w->solids); s++) {
        solid_info info = solids_info(w->solids, s, w->materials[0].surface_tension);
        if (info.cos_receding > info.cos_advancing) return s;
    }
    return -1;
}

dew_result flow_hold_line(flow_step *k, line_faces *faces)
{
    if (!k->near.wall || flow_first_that_holds(k->w) < 0) return DEW_OK;
    arena *memory = k->w->scratch;
    holding h = {.k = k, .faces = faces};
    ARENA_TRY(memory, k->count, h.depth, h.strained, h.weight);
    ARENA_TRY_ZEROED(memory, k->count, k->hold_line);
    parallel_for(k->count, 4096, put_walls, &h);
    particles_update_ghosts(k->all, k->p->change);
    parallel_for(k->blocks, FLOW_GRAIN, find_lines, &h);
    parallel_for(k->count, 4096, stretch, &h);
    particles_update_ghosts(k->all, k->p->lean);
    particles_update_ghosts(k->all, k->p->hold);
    parallel_for(k->blocks, FLOW_GRAIN, find_strained, &h);
    parallel_for(k->count, 4096, pull, &h);
    return DEW_OK;
}

void flow_hold_moves(const flow_step *k, int i, real3 way)
{
    if (!k->hold_line || !(k->hold_line[i].w > 0)) return;
    real3 slip = contact_slip(k->w->solids, k->near.solid[NEAR_WALLS * i], k->x[i], (real4){0, 0, 0, 0});
    k->hold[i].y += real3_dot(real3_madd(way, k->dt, slip), real3_of(k->hold_line[i]));
}
