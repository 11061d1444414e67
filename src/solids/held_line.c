#include "solids/held_line.h"

#include "base/parallel.h"
#include "solids/contact.h"

/* w over the spacing: a line of particles has no place that is finer. */
#define HOLD_REACH ((real)1)

enum { GRAIN = 32 };

typedef struct pulling {
    held_line *h;
    line_faces *faces;
    int count;
    real4 *wall, *line, *hold; /* fields */
    real *depth, *strained, *weight;
} pulling;

int held_line_first(const solids *s, int material, double surface_tension)
{
    for (int n = 0; n < solids_count(s); n++) {
        solid_info info = solids_info_of(s, n, material, surface_tension);
        if (info.cos_receding > info.cos_advancing) return n;
    }
    return -1;
}

dew_result held_line_refuse(const solids *s, int material, double surface_tension, const char *method,
                            const char *needs)
{
    int holds = held_line_first(s, material, surface_tension);
    if (holds < 0) return DEW_OK;
    return result_under(result_fail(DEW_INVALID,
                                    "%s holds contact lines (advancing and receding angles) by the tension of the "
                                    "surface's area alone: %s",
                                    method, needs),
                        "solids[%d].contact_angle", holds);
}

static void put_walls(int begin, int end, void *context)
{
    const pulling *p = context;
    for (int i = begin; i < end; i++) p->wall[i] = p->faces->wall[0][i];
}

static void find_lines(int begin, int end, void *context)
{
    const pulling *p = context;
    line_find(p->h->table, p->h->lists, begin, end, p->h->all->position, p->wall, p->line, p->depth);
}

static void stretch(int begin, int end, void *context)
{
    const pulling *p = context;
    real most = HOLD_REACH * p->h->spacing;
    for (int i = begin; i < end; i++) {
        real4 *own = &p->hold[i];
        p->h->line[i] = p->line[i];
        if (!(p->line[i].w > 0)) {
            *own = (real4){0, 0, 0, 0};
            continue;
        }
        real e = own->z > 0 ? own->y + p->depth[i] - own->x : 0;
        *own = (real4){p->depth[i], real_max(real_min(e, most), -most), own->z, 0};
    }
}

/* The mean of e on the line that a particle is on or next to. */
static void find_strained(int begin, int end, void *context)
{
    const pulling *p = context;
    const held_line *h = p->h;
    const real4 *at = h->all->position;
    vreal inv_h = vset(1 / h->reach), nothing = vset(0), one = vset(1);
    for (int block = begin; block < end; block++) {
        vreal sum = nothing, weight = vset((real)1e-20);
        bool is_near = false;
        _Alignas(64) real4 facing[PAIR_I];
        for (int l = 0; l < PAIR_I; l++) {
            int i = PAIR_I * block + l;
            is_near |= i < p->count && h->solid[i] >= 0;
            facing[l] = i < p->count && p->line[i].w > 0 ? p->line[i] : h->normal[i < p->count ? i : 0];
        }
        vreal4 i = pair_i(at, block), o = pair_i(facing, 0);
        if (is_near) PAIRS(h->lists, block, j)
            {
                vreal4 b = pair_j(at, j), t = pair_j(p->line, j), e = pair_j(p->hold, j);
                vreal x = (b.x - i.x) * inv_h, y = (b.y - i.y) * inv_h, z = (b.z - i.z) * inv_h;
                vreal q = vmax(one - (x * x + y * y + z * z), nothing);
                vreal w = q * q * t.w * e.z * vmax(vdot3(o, t), nothing);
                sum += w * e.y, weight += w;
            }
        pair_store(p->strained, block, sum);
        pair_store(p->weight, block, weight);
        for (int n = PAIR_I * block; n < PAIR_I * (block + 1) && n < p->count; n++) p->strained[n] /= p->weight[n];
    }
}

static real cosine_to_set(const held_line *h, double cosine) { return h->cosine ? h->cosine(cosine) : (real)cosine; }

static void pull(int begin, int end, void *context)
{
    const pulling *p = context;
    const held_line *h = p->h;
    for (int i = begin; i < end; i++) {
        real4 *own = &p->hold[i];
        if (h->line[i].w > 0 && !(own->z > 0)) own->y = p->strained[i], own->z = 1;
        if (h->solid[i] < 0) continue;
        solid_info info = solids_info(h->solids, h->solid[i], h->surface_tension);
        real part = p->strained[i] / (HOLD_REACH * h->spacing);
        p->faces->cosine[0][i] -=
            part * (cosine_to_set(h, info.cos_receding) - cosine_to_set(h, info.cos_advancing)) / 2;
    }
}

dew_result held_line_pull(held_line *h, line_faces *faces, arena *memory)
{
    pulling p = {.h = h, .faces = faces, .count = h->all->count};
    p.wall = particles_field(h->all, h->first), p.line = particles_field(h->all, h->other);
    p.hold = particles_field(h->all, h->hold), h->solid = faces->solid[0];
    ARENA_TRY(memory, p.count, h->line, p.depth, p.strained, p.weight);
    parallel_for(p.count, 4096, put_walls, &p);
    particles_update_ghosts(h->all, h->first);
    parallel_for(PAIR_BLOCKS(p.count), GRAIN, find_lines, &p);
    parallel_for(p.count, 4096, stretch, &p);
    particles_update_ghosts(h->all, h->other);
    particles_update_ghosts(h->all, h->hold);
    parallel_for(PAIR_BLOCKS(p.count), GRAIN, find_strained, &p);
    parallel_for(p.count, 4096, pull, &p);
    return DEW_OK;
}

void held_line_moves(const held_line *h, int i, real3 way)
{
    if (!(h->line[i].w > 0)) return;
    real3 slip = contact_slip(h->solids, h->solid[i], h->all->position[i], (real4){0, 0, 0, 0});
    real4 *own = (real4 *)particles_field(h->all, h->hold) + i;
    own->y += real3_dot(real3_madd(way, h->dt, slip), real3_of(h->line[i]));
}
