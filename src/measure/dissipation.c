/* How fast viscosity takes the liquid's energy: 2 mu D:D, D of the linear field that fits the velocities around a
 * particle best. A wall that holds liquid mirrors the particles beside it, so that D has the shear at the wall; where
 * it slips by a slip length b, mu/b u^2 of its area is taken besides, u the slip. */
#include "base/arena.h"
#include "base/matrix.h"
#include "base/parallel.h"
#include "measure/near.h"
#include "measure/samples.h"
#include "solids/solids.h"

enum { MOST_NEAR = 512, GRAIN = 16 };
/* Of velocity gradients, and the width of the grid's cells, in spacings. */
#define REACH 2.0
#define CELL 2.0

typedef struct sampling {
    const measurement *m;
    point_grid grid;
    const real *viscosity; /* of each particle; NULL: that of its material */
    int count;
    int32_t *sample;
    double *taken; /* by each sample, W; NaN: it tells nothing */
} sampling;

/* The sums of which a linear field follows: w d d, w dv d. */
typedef struct linear_fit {
    double reach, square[6], moment[3][3];
} linear_fit;

static void fit_add(linear_fit *f, dew_vec3 apart, dew_vec3 change)
{
    double fade = 1 - vec3_dot(apart, apart) / (f->reach * f->reach), w = fade * fade * fade * fade;
    const double d[3] = {apart.x, apart.y, apart.z}, dv[3] = {change.x, change.y, change.z};
    if (!(fade > 0)) return;
    f->square[0] += w * d[0] * d[0], f->square[1] += w * d[1] * d[1], f->square[2] += w * d[2] * d[2];
    f->square[3] += w * d[1] * d[2], f->square[4] += w * d[2] * d[0], f->square[5] += w * d[0] * d[1];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) f->moment[a][b] += w * dv[a] * d[b];
}

/* A wall that holds the liquid, as a plane. */
typedef struct holding_wall {
    bool is_there;
    dew_vec3 normal, velocity;    /* outward; of the wall beside the particle, m/s */
    double distance, slip_length; /* of the particle, m */
} holding_wall;

static holding_wall wall_at(const measurement *m, real4 x, double reach)
{
    real4 wall;
    int32_t which = -1;
    holding_wall none = {.is_there = false};
    if (!m->frame->solids || solids_count(m->frame->solids) == 0) return none;
    solids_nearest(m->frame->solids, reach, 1, &x, &wall, &which);
    if (which < 0 || !(wall.w > 0) || (double)wall.w >= reach) return none;
    double slip_length = solids_info(m->frame->solids, which, 0).slip_length;
    if (!isfinite(slip_length)) return none;
    real4 foot = {x.x - wall.w * wall.x, x.y - wall.w * wall.y, x.z - wall.w * wall.z, 0};
    real3 v = solids_velocity(m->frame->solids, which, real3_of(foot));
    return (holding_wall){true, {wall.x, wall.y, wall.z}, {v.x, v.y, v.z}, (double)wall.w, slip_length};
}

/* The image of a particle, h before the wall: what a linear profile that is 0 a slip length b behind the wall has h
 * behind it, (b - h)/(b + h) of its velocity along the wall; across the wall the opposite one. */
static void fit_add_image(linear_fit *f, const holding_wall *wall, dew_vec3 apart, dew_vec3 own, dew_vec3 velocity)
{
    double h = wall->distance + vec3_dot(apart, wall->normal), b = wall->slip_length;
    if (!wall->is_there || !(h > 0)) return;
    dew_vec3 slip = vec3_sub(velocity, wall->velocity);
    dew_vec3 across = vec3_scale(vec3_dot(slip, wall->normal), wall->normal);
    dew_vec3 there = vec3_sub(vec3_scale((b - h) / (b + h), vec3_sub(slip, across)), across);
    fit_add(f, vec3_sub(apart, vec3_scale(2 * h, wall->normal)), vec3_sub(vec3_add(wall->velocity, there), own));
}

static dew_vec3 velocity_of(const measurement *m, int i)
{
    return (dew_vec3){m->velocity[i].x, m->velocity[i].y, m->velocity[i].z};
}

/* D:D, 1/s^2; NaN with too few particles around. */
static double square_rate_at(const sampling *s, int i, near_point *near)
{
    const measurement *m = s->m;
    real4 x = m->position[i];
    dew_vec3 v = velocity_of(m, i);
    linear_fit f = {.reach = REACH * m->frame->spacing};
    holding_wall wall = wall_at(m, x, f.reach);
    int count = near_points(&s->grid, m->position, (dew_vec3){x.x, x.y, x.z}, f.reach, MOST_NEAR, near);
    int dimension = m->frame->dimension;
    for (int k = 0; k < count; k++) {
        dew_vec3 u = velocity_of(m, near[k].index);
        fit_add(&f, near[k].d, vec3_sub(u, v));
        fit_add_image(&f, &wall, near[k].d, v, u);
    }
    if (dimension == 2) f.square[2] = f.square[0] + f.square[1];
    double g[3][3] = {{0}}, sum = 0;
    for (int a = 0; a < dimension; a++)
        if (!matrix_solve_symmetric(f.square, f.moment[a], 1e-4, g[a])) return NAN;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double rate = 0.5 * (g[a][b] + g[b][a]);
            sum += rate * rate;
        }
    return sum;
}

/* What slip takes over 2 mu, as if spread over the liquid: by layers next to the wall, whose weights over R sum to 1.
 */
static double slip_rate_at(const sampling *s, int i)
{
    const double reach = REACH * s->m->frame->spacing;
    holding_wall wall = wall_at(s->m, s->m->position[i], reach);
    if (!wall.is_there || !(wall.slip_length > 0)) return 0;
    dew_vec3 slip = vec3_sub(velocity_of(s->m, i), wall.velocity);
    slip = vec3_sub(slip, vec3_scale(vec3_dot(slip, wall.normal), wall.normal));
    double from = wall.slip_length + wall.distance; /* where the profile is 0 */
    return (1 - wall.distance / reach) / reach * vec3_dot(slip, slip) * wall.slip_length / (from * from);
}

static void find_rates(int begin, int end, void *context)
{
    const sampling *s = context;
    const measurement *m = s->m;
    near_point near[MOST_NEAR];
    double volume = pow(m->frame->spacing, m->frame->dimension);
    for (int k = begin; k < end; k++) {
        int i = s->sample[k];
        double mu = s->viscosity ? (double)s->viscosity[i] : m->frame->materials[material_of(m, i)].viscosity;
        s->taken[k] = 2 * mu * volume * (square_rate_at(s, i, near) + slip_rate_at(s, i));
    }
}

static dew_result dissipation_in(const measurement *m, int samples, arena *memory, double *rate)
{
    sampling s = {.m = m};
    dew_field viscosity = {0};
    ARENA_TRY(memory, m->count, s.sample, s.taken);
    s.count = samples_choose(m, samples, s.sample);
    RESULT_TRY(point_grid_create(&s.grid, m->position, m->count, CELL * m->frame->spacing, memory));
    bool has_own = dew_frame_field(m->frame, "viscosity", &viscosity) && viscosity.type == DEW_FIELD_REAL;
    s.viscosity = has_own && viscosity.stride == 1 ? viscosity.data : NULL;
    parallel_for(s.count, GRAIN, find_rates, &s);
    double sum = 0;
    int count = 0;
    for (int k = 0; k < s.count; k++)
        if (!isnan(s.taken[k])) sum += s.taken[k], count++;
    *rate = count > 0 ? sum / count * m->count : 0;
    return DEW_OK;
}

dew_result measure_dissipation(const measurement *m, int samples, double *rate)
{
    *rate = 0;
    if (m->count == 0 || !m->velocity) return DEW_OK;
    arena *memory = arena_create();
    dew_result result =
        memory ? dissipation_in(m, samples, memory, rate) : result_fail(DEW_NO_MEMORY, "no memory to measure");
    arena_destroy(memory);
    return result;
}
