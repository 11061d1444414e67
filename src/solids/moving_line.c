#include "solids/moving_line.h"

#include "base/parallel.h"

#include <string.h>

/* Who is bent, in spacings from the solid: all that a line may be made of (surface/tension.c). */
#define LINE_REACH ((real)2)

enum { GRAIN = 64 };

typedef struct bending {
    const line_faces *f;
    const moving_line *m;
    real *friction;
    real4 *sums; /* of the ways around, and of their weights; m */
} bending;

static const dew_material_def *liquid_of(const moving_line *m, int i)
{
    return &m->liquids.materials[liquid_at(m->liquids, i)];
}

static bool is_on_line(const bending *b, int i)
{
    const dew_material_def *liquid = liquid_of(b->m, i);
    return b->m->is_surface[i] && liquid->viscosity > 0 && liquid->surface_tension > 0 && b->f->solid[0][i] >= 0 &&
           b->f->wall[0][i].w < LINE_REACH * b->m->spacing;
}

static void sum_ways(int begin, int end, void *context)
{
    const bending *b = context;
    const moving_line *m = b->m;
    vreal inv_h = vset(1 / m->reach), nothing = vset(0);
    for (int block = begin; block < end; block++) {
        bool is_wanted = false;
        for (int i = PAIR_I * block; i < PAIR_I * (block + 1) && i < m->count; i++) is_wanted |= is_on_line(b, i);
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

/* The most that the cosine may lose: the line's particles, whose weights in the mean sum to 16/15 reach/s, get so much
 * then that the mean is 0. */
static double most_lost(const moving_line *m, const dew_material_def *liquid, double speed, double weights)
{
    double s = (double)m->spacing, line = 16.0 / 15 * (double)m->reach / s;
    return liquid->density * s * s * fabs(speed) * weights / (line * liquid->surface_tension * (double)m->dt);
}

double moving_line_scales(double spacing, double slip_length) { return log(spacing / fmax(slip_length, LINE_SLIP)); }

double moving_line_lost(double cosine, double viscosity, double speed, double surface_tension, double scales)
{
    if (!(scales > 0)) return 0;
    double rest = acos(fmin(fmax(cosine, -1), 1));
    double cube = rest * rest * rest + 9 * viscosity * speed / surface_tension * scales;
    return cos(rest) - cos(fmin(cbrt(fmax(cube, 0)), PI));
}

/* How fast the line of particle i advances on its a-th solid, m/s. */
static double speed_of(const bending *b, int i, int a)
{
    const moving_line *m = b->m;
    real3 wall = real3_of(b->f->wall[a][i]);
    real3 with = solids_velocity(m->solids, b->f->solid[a][i], real3_of(m->position[i]));
    real3 outward = real3_normalise(real3_across(real3_of(m->normal[i]), wall));
    real4 sum = b->sums[i];
    real3 way = real3_madd(real3_scale(1 / sum.w, real3_of(sum)), -m->time, with);
    return (double)real3_dot(way, outward) / (double)m->time;
}

static double scales_at(const moving_line *m, int solid)
{
    double slip = solids_info(m->solids, solid, 0).slip_length;
    return moving_line_scales((double)m->spacing, slip);
}

/* The cosine of the angle of a line that advances by `speed` (m/s), of which `cosine` is that at rest. */
static real cosine_moving(const moving_line *m, const dew_material_def *liquid, int solid, real cosine, double speed,
                          double weights)
{
    double scales = scales_at(m, solid), most = most_lost(m, liquid, speed, weights);
    if (!(scales > 0)) return cosine;
    double lost = moving_line_lost((double)cosine, liquid->viscosity, speed, liquid->surface_tension, scales);
    double rest = acos(fmin(fmax((double)cosine, -1), 1));
    return (real)(cos(rest) - fmax(fmin(lost, most), -most));
}

static void bend(int begin, int end, void *context)
{
    const bending *b = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 2 && is_on_line(b, i); a++) {
            int solid = b->f->solid[a][i];
            if (solid < 0) break;
            b->f->drawn[a][i] = cosine_moving(b->m, liquid_of(b->m, i), solid, b->f->cosine[a][i], speed_of(b, i, a),
                                              (double)b->sums[i].w);
        }
}

static bool has_friction(const line_faces *f, const moving_line *m)
{
    return f->wall[0] && m->time > 0 && solids_hold(m->solids);
}

static dew_result open_bending(bending *b, const line_faces *f, const moving_line *m, arena *memory)
{
    int blocks = PAIR_BLOCKS(m->count);
    *b = (bending){.f = f, .m = m};
    ARENA_TRY(memory, PAIR_I * blocks, b->sums);
    parallel_for(blocks, GRAIN, sum_ways, b);
    return DEW_OK;
}

dew_result line_faces_bend(line_faces *f, const moving_line *m, arena *memory)
{
    bending b;
    if (!has_friction(f, m)) return DEW_OK;
    RESULT_TRY(open_bending(&b, f, m, memory));
    ARENA_TRY(memory, m->count, f->drawn[0], f->drawn[1]);
    for (int a = 0; a < 2; a++) memcpy(f->drawn[a], f->cosine[a], (size_t)m->count * sizeof *f->drawn[a]);
    parallel_for(m->count, 1024, bend, &b);
    return DEW_OK;
}

/* --- as friction --- */

double moving_line_friction(double cosine, double viscosity, double speed, double surface_tension, double scales)
{
    if (!(scales > 0)) return 0;
    double rest = acos(fmin(fmax(cosine, -1), 1)), unit = surface_tension / (9 * viscosity * scales);
    double least = LINE_SLOW * fmin(rest * rest * rest, 1) * unit, lowest = 1e-9 * unit;
    if (fabs(speed) < fmax(least, lowest)) speed = copysign(fmax(least, lowest), speed);
    return surface_tension * moving_line_lost(cosine, viscosity, speed, surface_tension, scales) / speed;
}

static void rub(int begin, int end, void *context)
{
    const bending *b = context;
    const moving_line *m = b->m;
    for (int i = begin; i < end; i++) {
        b->friction[i] = 0;
        if (!is_on_line(b, i)) continue;
        const dew_material_def *liquid = liquid_of(m, i);
        b->friction[i] = (real)moving_line_friction((double)b->f->cosine[0][i], liquid->viscosity, speed_of(b, i, 0),
                                                    liquid->surface_tension, scales_at(m, b->f->solid[0][i]));
    }
}

dew_result line_faces_rub(const line_faces *f, const moving_line *m, arena *memory, real *friction)
{
    bending b;
    memset(friction, 0, (size_t)m->count * sizeof *friction);
    if (!has_friction(f, m)) return DEW_OK;
    RESULT_TRY(open_bending(&b, f, m, memory));
    b.friction = friction;
    parallel_for(m->count, 1024, rub, &b);
    return DEW_OK;
}
