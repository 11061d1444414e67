/* How much of the liquid lies in films, threads, drops and rims that are narrower than its method resolves: where no
 * ball of liquid has it that is so many spacings wide (least_across). */
#include "base/arena.h"
#include "base/parallel.h"
#include "measure/cloud.h"
#include "measure/near.h"
#include "measure/samples.h"
#include "solids/solids.h"

enum { MOST_NEAR = 2048, BLOCK = 16, GRAIN = 4 };
/* In spacings: how wide the ball is where the frame tells no method; how far a place of the liquid is from a particle
 * at most (0.87 in a lattice), by which the liquid reaches 0.4 farther than it is; the width of the grid's cells. */
#define USUAL_ACROSS 4.0
#define AIR_FROM 1.15
#define BEYOND 0.4
#define CELL 2.5

typedef struct sampling {
    const measurement *m;
    const real4 *points; /* the particles, and their images in faces of the domain */
    point_grid grid;
    /* In spacings: how wide the ball is; how far a particle may be from its middle, half a spacing within it; how near
     * a solid may come to the middle, which a layer moves off by a quarter. */
    double across, deep, solid_from;
    int count;
    int32_t *sample;
    bool *is_narrow;
    int direction_count;
    dew_vec3 direction[MOST_DIRECTIONS];
} sampling;

/* Particles about a place x, from which they are counted, in spacings; filled up to whole blocks by some far away. */
typedef struct around {
    int count;
    float x[MOST_NEAR], y[MOST_NEAR], z[MOST_NEAR];
} around;

static void gather_around(const sampling *s, dew_vec3 x, near_point *near, around *a, dew_vec3 *inward)
{
    double spacing = s->m->frame->spacing, reach = s->deep + 0.5 * s->across + BEYOND + AIR_FROM;
    int count = near_points(&s->grid, s->points, x, reach * spacing, MOST_NEAR - BLOCK, near);
    *inward = (dew_vec3){0, 0, 0};
    for (int k = 0; k < count; k++) {
        if (near[k].r2 < s->across * s->across * spacing * spacing) *inward = vec3_add(*inward, near[k].d);
        a->x[k] = (float)(near[k].d.x / spacing), a->y[k] = (float)(near[k].d.y / spacing);
        a->z[k] = (float)(near[k].d.z / spacing);
    }
    for (; count % BLOCK != 0; count++) a->x[count] = a->y[count] = a->z[count] = 1e3f;
    a->count = count;
}

static bool is_liquid(const around *a, dew_vec3 at)
{
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z, most = (float)(AIR_FROM * AIR_FROM);
    for (int from = 0; from < a->count; from += BLOCK) {
        int hit = 0;
        for (int k = from; k < from + BLOCK; k++) {
            float dx = a->x[k] - x, dy = a->y[k] - y, dz = a->z[k] - z;
            hit |= dx * dx + dy * dy + dz * dz < most;
        }
        if (hit) return true;
    }
    return false;
}

/* Whether the ball about x + middle (in spacings) is free of air and solids. */
static bool has_ball(const sampling *s, dew_vec3 x, dew_vec3 middle, const around *a)
{
    double spacing = s->m->frame->spacing, radius = 0.5 * s->across + BEYOND;
    real4 place[1 + MOST_DIRECTIONS] = {{0}}, wall[1 + MOST_DIRECTIONS];
    int32_t which[1 + MOST_DIRECTIONS];
    dew_vec3 at[1 + MOST_DIRECTIONS] = {middle};
    for (int u = 0; u < s->direction_count; u++) at[1 + u] = vec3_add(middle, vec3_scale(radius, s->direction[u]));
    for (int k = 0; k <= s->direction_count; k++) {
        dew_vec3 p = vec3_add(x, vec3_scale(spacing, at[k]));
        place[k] = (real4){(real)p.x, (real)p.y, (real)p.z, 0}, which[k] = -1;
    }
    if (dew_frame_solid_count(s->m->frame) > 0) {
        solids_nearest(s->m->frame->solids, radius * spacing, 1, place, wall, which);
        if (which[0] >= 0 && (double)wall[0].w < s->solid_from * spacing) return false;
        if (which[0] >= 0)
            solids_nearest(s->m->frame->solids, spacing, s->direction_count, place + 1, wall + 1, which + 1);
    }
    for (int k = 0; k <= s->direction_count; k++) {
        bool is_solid = k > 0 && which[k] >= 0 && !(wall[k].w > 0);
        if (!is_solid && !is_liquid(a, at[k])) return false;
    }
    return true;
}

static bool is_narrow_at(const sampling *s, dew_vec3 x, near_point *near, around *a)
{
    dew_vec3 inward;
    gather_around(s, x, near, a, &inward);
    double length = vec3_length(inward);
    if (has_ball(s, x, (dew_vec3){0, 0, 0}, a)) return false;
    for (double r = s->deep; r > 0 && length > 0; r -= 0.5)
        if (has_ball(s, x, vec3_scale(r / length, inward), a)) return false;
    for (int u = 0; u < s->direction_count; u++)
        for (double r = s->deep; r > 0.5; r -= 0.75)
            if (has_ball(s, x, vec3_scale(r, s->direction[u]), a)) return false;
    return true;
}

static void look_at_samples(int begin, int end, void *context)
{
    const sampling *s = context;
    near_point near[MOST_NEAR];
    around a;
    for (int k = begin; k < end; k++) {
        real4 x = s->m->position[s->sample[k]];
        s->is_narrow[k] = is_narrow_at(s, (dew_vec3){x.x, x.y, x.z}, near, &a);
    }
}

static dew_result narrow_in(const measurement *m, int samples, cloud *c, arena *memory, double *share)
{
    double across = m->frame->method ? m->frame->method->least_across : USUAL_ACROSS;
    sampling s = {.m = m, .across = across, .deep = 0.5 * across - 0.5, .solid_from = 0.5 * across - 0.25};
    bounds within;
    double narrow = 0, all = 0;
    RESULT_TRY(cloud_gather(m, (across + BEYOND + AIR_FROM) * m->frame->spacing, false, c, &within));
    s.points = c->points;
    RESULT_TRY(point_grid_create(&s.grid, c->points, c->count, CELL * m->frame->spacing, memory));
    ARENA_TRY(memory, m->count, s.sample, s.is_narrow);
    s.count = samples_choose(m, samples, s.sample);
    s.direction_count = samples_directions(m->frame->dimension, s.direction, NULL);
    parallel_for(s.count, GRAIN, look_at_samples, &s);
    for (int k = 0; k < s.count; k++) {
        double mass = m->mass[material_of(m, s.sample[k])];
        all += mass, narrow += s.is_narrow[k] ? mass : 0;
    }
    *share = all > 0 ? narrow / all : 0;
    return DEW_OK;
}

dew_result measure_narrow_share(const measurement *m, int samples, double *share)
{
    *share = 0;
    if (m->count == 0) return DEW_OK;
    cloud c = {0};
    arena *memory = arena_create();
    dew_result result = memory ? narrow_in(m, samples, &c, memory, share)
                               : result_fail(DEW_NO_MEMORY, "no memory to measure narrow liquid");
    arena_destroy(memory);
    aligned_release(c.points);
    return result;
}

dew_result measure_narrow(const measurement *m, const char *name, double *values)
{
    (void)name;
    return measure_narrow_share(m, m->count, values);
}
