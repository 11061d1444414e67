#include "solids/moving_line.h"

#include "base/parallel.h"
#include "surface/tension.h"

/* Who is bent, in spacings from the solid: all that a line may be made of (surface/tension.c). */
#define LINE_REACH ((real)2)

enum { GRAIN = 64 };

typedef struct bending {
    line_faces *f;
    const moving_line *m;
    real4 *sums; /* of the ways around, and of their weights; m */
} bending;

static bool is_on_line(const moving_line *m, int i)
{
    return m->is_surface[i] && near_walls_has(m->near, i) && m->near->wall[NEAR_WALLS * i].w < LINE_REACH * m->spacing;
}

static void sum_ways(int begin, int end, void *context)
{
    const bending *b = context;
    const moving_line *m = b->m;
    vreal inv_h = vset(1 / m->reach), nothing = vset(0);
    for (int block = begin; block < end; block++) {
        bool is_wanted = false;
        for (int i = PAIR_I * block; i < PAIR_I * (block + 1) && i < m->count; i++) is_wanted |= is_on_line(m, i);
        if (!is_wanted) continue;
        vreal4 i = pair_i(m->position, block);
        vreal x = nothing, y = nothing, z = nothing, weight = nothing;
        PAIRS(m->lists, block, j)
        {
            vreal4 at = pair_j(m->position, j), way = pair_j(m->way, j);
            vreal dx = (i.x - at.x) * inv_h, dy = (i.y - at.y) * inv_h, dz = (i.z - at.z) * inv_h;
            vreal near = vmax(1 - (dx * dx + dy * dy + dz * dz), nothing), w = near * near;
            x += w * way.x, y += w * way.y, z += w * way.z, weight += w;
        }
        pair_store4(b->sums, block, x, y, z, weight);
    }
}

/* The cosine of the angle of a line that advances by `speed` (m/s), of which `cosine` is that at rest. */
static real cosine_moving(const moving_line *m, int solid, real cosine, real speed)
{
    double slip = solids_info(m->solids, solid, m->surface_tension).slip_length;
    double decades = log((double)m->spacing / fmax(slip, LINE_SLIP));
    if (!(decades > 0)) return cosine;
    double rest = acos(fmin(fmax((double)cosine, -1), 1));
    double cube = rest * rest * rest + 9 * m->viscosity * (double)speed / m->surface_tension * decades;
    return (real)cos(fmin(cbrt(fmax(cube, 0)), PI));
}

static void bend(int begin, int end, void *context)
{
    const bending *b = context;
    const moving_line *m = b->m;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 2 && is_on_line(m, i); a++) {
            real *cosine = &b->f->cosine[a][i];
            if (!(*cosine < NO_SOLID)) break;
            int solid = m->near->solid[NEAR_WALLS * i + a];
            real3 wall = real3_of(b->f->wall[a][i]), with = solids_velocity(m->solids, solid, real3_of(m->position[i]));
            real3 outward = real3_normalise(real3_across(real3_of(m->normal[i]), wall));
            real3 way = real3_madd(real3_scale(1 / b->sums[i].w, real3_of(b->sums[i])), -m->time, with);
            *cosine = cosine_moving(m, solid, *cosine, real3_dot(way, outward) / m->time);
        }
}

dew_result line_faces_bend(line_faces *f, const moving_line *m, arena *memory)
{
    if (!m->near->wall || !(m->time > 0) || !(m->viscosity > 0 && m->surface_tension > 0) || !solids_hold(m->solids))
        return DEW_OK;
    int blocks = PAIR_BLOCKS(m->count);
    bending b = {.f = f, .m = m};
    ARENA_TRY(memory, PAIR_I * blocks, b.sums);
    parallel_for(blocks, GRAIN, sum_ways, &b);
    parallel_for(m->count, 1024, bend, &b);
    return DEW_OK;
}
