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

/* How far the ball around all liquid is from the nearest solid, and which that is. */
static double gap_of(cloud *c, int *nearest)
{
    solids *s = c->w->solids;
    double square, gap = INFINITY;
    if (solids_count(s) == 0) return gap;
    parallel_max(c->w->particles->count, 1, farthest, c, &square);
    real4 at = {(real)c->centre.x, (real)c->centre.y, (real)c->centre.z, 0}, seen;
    for (int k = 0; k < solids_count(s); k++) {
        solids_distance(s, k, 4 * sqrt(square) + FAR_FROM_SOLIDS * c->w->spacing, 1, &at, &seen);
        if ((double)seen.w - sqrt(square) < gap) gap = (double)seen.w - sqrt(square), *nearest = k;
    }
    return gap;
}

drift drift_of(const world *w, bool has_emitters)
{
    drift d = {.is_alone = false};
    int nearest = -1;
    cloud c = {.w = w};
    double sums[7];
    int count = w->particles->count;
    if (count == 0 || has_emitters || solids_has_bodies(w->solids) || ghosts_may_exist(&w->domain)) return d;
    parallel_sum(count, 7, sum_cloud, &c, sums);
    c.centre = vec3_scale(1.0 / count, (dew_vec3){sums[3], sums[4], sums[5]});
    d.gap = gap_of(&c, &nearest);
    d.is_alone = d.gap > FAR_FROM_SOLIDS * w->spacing;
    dew_vec3 u = d.is_alone ? vec3_scale(1 / sums[6], (dew_vec3){sums[0], sums[1], sums[2]})
                            : solids_coming_velocity(w->solids, nearest, c.centre, w->time, w->frame_interval / 64);
    d.velocity = (dew_vec3){(real)u.x, (real)u.y, (real)u.z}; /* as particles keep it */
    return d;
}

bool drift_may_last(const drift *d, const world *w, double dt)
{
    if (!d->is_alone || solids_count(w->solids) == 0) return true;
    double speed =
        vec3_length(d->velocity) + vec3_length(d->gravity) * dt / 2 + solids_max_speed(w->solids, w->time, dt);
    return d->gap - speed * dt > FAR_FROM_SOLIDS * w->spacing;
}

typedef struct moving {
    real4 *x, *below, *v;
    real3 velocity, way;
} moving;

static void move(int begin, int end, void *context)
{
    const moving *m = context;
    for (int i = begin; i < end; i++) real4_add(&m->v[i], m->velocity), real4_go(&m->x[i], &m->below[i], m->way);
}

static void move_all(world *w, dew_vec3 velocity, dew_vec3 way)
{
    moving m = {.x = w->particles->position, .below = w->particles->below, .v = w->particles->velocity};
    if (vec3_length(velocity) == 0 && vec3_length(way) == 0) return;
    m.velocity = (real3){(real)velocity.x, (real)velocity.y, (real)velocity.z};
    m.way = (real3){(real)way.x, (real)way.y, (real)way.z};
    parallel_for(w->particles->count, 4096, move, &m);
}

void drift_leave(drift *d, world *w)
{
    move_all(w, vec3_scale(-1, d->velocity), (dew_vec3){0, 0, 0});
    d->gravity = w->gravity;
    if (d->is_alone)
        w->gravity = (dew_vec3){0, 0, 0};
    else
        solids_enter_frame(w->solids, d->velocity);
}

void drift_return(const drift *d, world *w, double dt)
{
    dew_vec3 fall = vec3_scale(d->is_alone ? dt : 0, d->gravity);
    move_all(w, vec3_add(d->velocity, fall), vec3_scale(dt, vec3_add(d->velocity, vec3_scale(0.5, fall))));
    w->gravity = d->gravity;
    if (!d->is_alone) solids_leave_frame(w->solids, dt);
}
