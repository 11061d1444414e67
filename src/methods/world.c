/* What the core does for every method. */
#include "methods/method.h"

#include "base/parallel.h"
#include "particles/kernels.h"
#include "solids/body.h"
#include "solids/held_line.h"

dew_result world_update_neighbours(world *w, bool always)
{
    if (!always && !neighbours_is_stale(w->neighbours, w->particles)) return DEW_OK;
    RESULT_TRY(neighbours_build(w->neighbours, w->particles, &w->domain));
    if (w->method->reorder) w->method->reorder(w->state, w);
    return DEW_OK;
}

/* Of several liquids the one that is hardest to move along. */
static body_surroundings surroundings_of(const world *w)
{
    body_surroundings around = {.gravity = w->gravity, .spacing = w->spacing};
    for (int k = 0; k < w->material_count; k++) {
        around.density = fmax(around.density, w->materials[k].density);
        around.viscosity = fmax(around.viscosity, w->materials[k].viscosity);
    }
    if (w->dimension == 2) around.gravity.z = 0;
    return around;
}

/* Liquid answers a body's velocity a step late. Where drag would stop the body in a small part of a step that swings:
 * a ball in honey went at five times its speed, and back. So many of the times in which drag acts (solids_drag_time) a
 * step may last; but it is shortened by no more than this. */
#define DRAG_STEPS 2
#define LEAST_OF_STEP 0.05

double world_drag_step(const world *w, double limit)
{
    body_surroundings around = surroundings_of(w);
    return fmin(limit, fmax(DRAG_STEPS * solids_drag_time(w->solids, &around), LEAST_OF_STEP * limit));
}

void world_advance_bodies(world *w, double dt)
{
    body_surroundings around = surroundings_of(w);
    solids_find_touching(w->solids, w->particles->count, w->particles->position);
    solids_advance_bodies(w->solids, &around, dt);
}

double world_tension_between(const world *w, int first, int second)
{
    return definition_tension_between(w->materials, w->interfaces, w->interface_count, first, second);
}

dew_result world_refuse_held_lines(const world *w, const char *needs)
{
    for (int m = 0; m < w->material_count; m++)
        RESULT_TRY(held_line_refuse(w->solids, m, w->materials[m].surface_tension, w->method->info.name, needs));
    return DEW_OK;
}

dew_result world_refuse_slip_lengths(const world *w, const char *needs)
{
    int which = -1, count = solids_count(w->solids);
    for (int k = 0; k < count && which < 0; k++) {
        double slip = solids_info(w->solids, k, 0).slip_length;
        if (slip > 0 && isfinite(slip)) which = k;
    }
    if (which < 0 && !(w->will_change & 1u << WORLD_SLIP_LENGTH)) return DEW_OK;
    dew_result result =
        result_fail(DEW_INVALID, "in the paper's mode liquid slips freely on all solids; slip lengths need %s", needs);
    return which < 0                              ? result_under(result, "changes")
           : which < solids_first_wall(w->solids) ? result_under(result, "solids[%d].slip_length", which)
                                                  : result_under(result, "domain.slip_length");
}

typedef struct falling {
    real4 *v;
    real3 change; /* m/s */
} falling;

static void fall(int begin, int end, void *context)
{
    const falling *f = context;
    for (int i = begin; i < end; i++) real4_add(&f->v[i], f->change);
}

void world_fall(world *w, double dt)
{
    dew_vec3 g = vec3_scale(dt, w->gravity);
    falling f = {w->particles->velocity, {(real)g.x, (real)g.y, (real)g.z}};
    parallel_for(w->particles->count, 4096, fall, &f);
}

static void largest_square(int begin, int end, void *context, double *maxima)
{
    const real4 *v = context;
    double most = maxima[0];
    for (int i = begin; i < end; i++) {
        double square = (double)(v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
        if (square > most) most = square;
    }
    maxima[0] = most;
}

double world_largest_speed(const world *w)
{
    double square;
    parallel_max(w->particles->count, 1, largest_square, w->particles->velocity, &square);
    return square > 0 ? sqrt(square) : 0;
}

/* The liquid's box: greatest places, and the least with their signs changed. */
static void find_box(int begin, int end, void *context, double *maxima)
{
    const real4 *x = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) {
            double place = (double)(&x[i].x)[a];
            maxima[a] = fmax(maxima[a], place), maxima[3 + a] = fmax(maxima[3 + a], -place);
        }
}

double world_solid_speed(const world *w)
{
    double most = solids_max_speed(w->solids, w->time, w->frame_interval), box[6];
    if (!(most > 0) || w->particles->count == 0) return most;
    parallel_max(w->particles->count, 6, find_box, w->particles->position, box);
    bounds liquid = {{-box[3], -box[4], -box[5]}, {box[0], box[1], box[2]}};
    return solids_speed_beside(w->solids, w->time, w->frame_interval, liquid);
}

/* The highest place and the lowest, its sign changed. */
static void find_heights(int begin, int end, void *context, double *maxima)
{
    const world *w = context;
    dew_vec3 g = w->gravity;
    double length = vec3_length(g);
    for (int i = begin; i < end; i++) {
        real4 x = w->particles->position[i];
        double height = -((double)x.x * g.x + (double)x.y * g.y + (double)x.z * g.z) / length;
        maxima[0] = fmax(maxima[0], height), maxima[1] = fmax(maxima[1], -height);
    }
}

double world_liquid_depth(const world *w)
{
    double heights[2];
    if (!(vec3_length(w->gravity) > 0) || w->particles->count == 0) return w->spacing;
    parallel_max(w->particles->count, 2, find_heights, (void *)w, heights);
    return heights[0] + heights[1] + w->spacing;
}

double world_ball_radius(const world *w)
{
    double count = fmax(w->particles->count, 1);
    return w->spacing * (w->dimension == 2 ? sqrt(count / PI) : cbrt(3 * count / (4 * PI)));
}

typedef struct pressure_sum {
    const real *pressure;
    const uint8_t *is_surface;
} pressure_sum;

static void sum_pressing(int begin, int end, void *context, double *sums)
{
    const real *pressure = ((pressure_sum *)context)->pressure;
    for (int i = begin; i < end; i++) {
        double p = (double)real_max(pressure[i], 0);
        sums[0] += p, sums[1] += p * p;
    }
}

double world_typical_pressure(const world *w, const real *pressure)
{
    double sums[2];
    parallel_sum(w->particles->count, 2, sum_pressing, &(pressure_sum){pressure, NULL}, sums);
    return sums[0] > 0 ? sums[1] / sums[0] : 0;
}

static void sum_inner(int begin, int end, void *context, double *sums)
{
    const pressure_sum *s = context;
    for (int i = begin; i < end; i++)
        if (!s->is_surface[i]) sums[0] += (double)s->pressure[i], sums[1] += 1;
}

double world_inner_pressure(const world *w, const real *pressure, const uint8_t *is_surface)
{
    double sums[2];
    parallel_sum(w->particles->count, 2, sum_inner, &(pressure_sum){pressure, is_surface}, sums);
    return sums[1] > 0 ? sums[0] / sums[1] : NAN;
}

typedef struct deep_sum {
    const world *w;
    const uint8_t *is_surface;
    const real *pressure;
    real reach2;
} deep_sum;

static bool is_deep(const deep_sum *d, int i)
{
    const real4 *x = d->w->particles->position;
    int32_t near[64];
    int first = 0, got;
    do {
        got = neighbours_list(d->w->neighbours, i / 4, first, 64, near), first += got;
        for (int j = 0; j < got; j++) {
            real3 way = real3_sub(real3_of(x[near[j]]), real3_of(x[i]));
            if (d->is_surface[near[j]] && real3_dot(way, way) < d->reach2) return false;
        }
    } while (got == 64);
    return true;
}

static void sum_deep(int begin, int end, void *context, double *sums)
{
    const deep_sum *d = context;
    for (int i = begin; i < end; i++)
        if (is_deep(d, i)) sums[0] += (double)d->pressure[i], sums[1] += 1;
}

double world_deep_pressure(const world *w, const real *pressure, const uint8_t *is_surface, real depth)
{
    double sums[2];
    deep_sum d = {w, is_surface, pressure, depth * depth};
    parallel_sum(w->particles->count, 2, sum_deep, &d, sums);
    return sums[1] > 0 ? sums[0] / sums[1] : NAN;
}

double world_pressure_between(const world *w, const real *pressure, const uint8_t *is_surface)
{
    double sum[2] = {0, 0}, count[2] = {0, 0};
    for (int i = 0; i < w->particles->count; i++) {
        int of = w->particles->material[i] > 0;
        if (!is_surface[i]) sum[of] += (double)pressure[i], count[of]++;
    }
    int inner = count[1] < count[0];
    return sum[inner] / count[inner] - sum[1 - inner] / count[1 - inner];
}
