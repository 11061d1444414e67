#include "sim/drift.h"

#include "base/parallel.h"
#include "particles/ghosts.h"

/* In spacings: farther than any method looks for solids. */
#define FAR_FROM_SOLIDS 8

typedef struct cloud {
    const world *w;
    dew_vec3 centre;
} cloud;

static void sum_cloud(int begin, int end, void *context, double *sums)
{
    const world *w = ((const cloud *)context)->w;
    for (int i = begin; i < end; i++) {
        real4 x = w->particles->position[i], v = w->particles->velocity[i];
        double mass = w->particle_mass[w->particles->material[i]];
        sums[0] += mass * (double)v.x, sums[1] += mass * (double)v.y, sums[2] += mass * (double)v.z;
        sums[3] += (double)x.x, sums[4] += (double)x.y, sums[5] += (double)x.z;
        sums[6] += mass;
    }
}

static void farthest(int begin, int end, void *context, double *maxima)
{
    const cloud *c = context;
    for (int i = begin; i < end; i++) {
        real4 x = c->w->particles->position[i];
        dew_vec3 d = {(double)x.x - c->centre.x, (double)x.y - c->centre.y, (double)x.z - c->centre.z};
        maxima[0] = fmax(maxima[0], vec3_dot(d, d));
    }
}

/* Where solids move unlike each other there is no frame in which they rest: off by more than this of the speed. */
#define ALIKE 1e-6

/* How far the ball around all liquid is from the nearest solid, and how those move that are as near as methods look:
 * all alike, or not (0: those that are at rest then stay so). */
static double gap_of(cloud *c, dew_vec3 *velocity)
{
    const world *w = c->w;
    double square, gap = INFINITY;
    *velocity = (dew_vec3){0, 0, 0};
    if (solids_count(w->solids) == 0) return gap;
    parallel_max(w->particles->count, 1, farthest, c, &square);
    real4 at = {(real)c->centre.x, (real)c->centre.y, (real)c->centre.z, 0}, seen;
    double radius = sqrt(square), far = FAR_FROM_SOLIDS * w->spacing;
    bool is_near = false, are_alike = true;
    for (int k = 0; k < solids_count(w->solids); k++) {
        solids_distance(w->solids, k, 4 * radius + far, 1, &at, &seen);
        double apart = (double)seen.w - radius;
        gap = fmin(gap, apart);
        if (apart > far) continue;
        dew_vec3 u = solids_coming_velocity(w->solids, k, c->centre, w->time, w->frame_interval / 64);
        if (!is_near) is_near = true, *velocity = u;
        are_alike = are_alike && vec3_length(vec3_sub(u, *velocity)) <= ALIKE * vec3_length(*velocity);
    }
    if (!are_alike) *velocity = (dew_vec3){0, 0, 0};
    return gap;
}

drift drift_of(const world *w, bool has_emitters)
{
    drift d = {.is_alone = false};
    cloud c = {.w = w};
    double sums[7];
    int count = w->particles->count;
    if (count == 0 || has_emitters || solids_has_bodies(w->solids) || ghosts_may_exist(&w->domain)) return d;
    parallel_sum(count, 7, sum_cloud, &c, sums);
    c.centre = vec3_scale(1.0 / count, (dew_vec3){sums[3], sums[4], sums[5]});
    dew_vec3 u;
    d.gap = gap_of(&c, &u);
    d.is_alone = d.gap > FAR_FROM_SOLIDS * w->spacing;
    if (d.is_alone) u = vec3_scale(1 / sums[6], (dew_vec3){sums[0], sums[1], sums[2]});
    d.velocity = (dew_vec3){(real)u.x, (real)u.y, (real)u.z}; /* as particles keep it */
    return d;
}

bool drift_may_last(const drift *d, const world *w, double dt)
{
    if (!d->is_alone || solids_count(w->solids) == 0) return true;
    double speed = vec3_length(d->velocity) + solids_max_speed(w->solids, w->time, dt);
    return d->gap - speed * dt > FAR_FROM_SOLIDS * w->spacing;
}

typedef struct moving {
    real4 *x, *v;
    real3 velocity, way;
} moving;

static void move(int begin, int end, void *context)
{
    const moving *m = context;
    for (int i = begin; i < end; i++) real4_add(&m->v[i], m->velocity), real4_add(&m->x[i], m->way);
}

static void move_all(const drift *d, world *w, double sign, double dt)
{
    dew_vec3 u = d->velocity;
    moving m = {.x = w->particles->position, .v = w->particles->velocity};
    if (vec3_dot(u, u) == 0) return;
    m.velocity = (real3){(real)(sign * u.x), (real)(sign * u.y), (real)(sign * u.z)};
    m.way = (real3){(real)(dt * u.x), (real)(dt * u.y), (real)(dt * u.z)};
    parallel_for(w->particles->count, 4096, move, &m);
}

void drift_leave(const drift *d, world *w)
{
    move_all(d, w, -1, 0);
    if (!d->is_alone) solids_enter_frame(w->solids, d->velocity);
}

void drift_return(const drift *d, world *w, double dt)
{
    move_all(d, w, 1, dt);
    if (!d->is_alone) solids_leave_frame(w->solids, dt);
}
