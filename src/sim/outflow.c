#include "sim/outflow.h"

#include "base/arena.h"
#include "base/parallel.h"

typedef struct leaving {
    const world *w;
    uint8_t *is_gone;
} leaving;

enum { OUT_COUNT, OUT_MASS, OUT_KINETIC, OUT_POTENTIAL, OUT_X, OUT_Y, OUT_Z, OUT_SUMS };

static bool is_beyond(const dew_domain_def *d, real4 x)
{
    const double place[3] = {x.x, x.y, x.z};
    for (int a = 0; a < 3; a++)
        if (d->axis[a] == DEW_OUTFLOW && (place[a] < vec3_at(d->min, a) || place[a] > vec3_at(d->max, a))) return true;
    return false;
}

static void find_gone(int begin, int end, void *context, double *sums)
{
    const leaving *l = context;
    const particles *p = l->w->particles;
    for (int i = begin; i < end; i++) {
        real4 x = p->position[i], u = p->velocity[i];
        l->is_gone[i] = is_beyond(&l->w->domain, x);
        if (!l->is_gone[i]) continue;
        dew_vec3 v = {u.x, u.y, u.z};
        double mass = l->w->particle_mass[p->material[i]];
        sums[OUT_COUNT]++, sums[OUT_MASS] += mass, sums[OUT_KINETIC] += mass * vec3_dot(v, v) / 2;
        sums[OUT_POTENTIAL] -= mass * vec3_dot(l->w->gravity, (dew_vec3){x.x, x.y, x.z});
        sums[OUT_X] += mass * v.x, sums[OUT_Y] += mass * v.y, sums[OUT_Z] += mass * v.z;
    }
}

dew_result outflow_take(world *w, outflow *out)
{
    bool has_outflow = false;
    double sums[OUT_SUMS];
    *out = (outflow){0};
    for (int a = 0; a < 3; a++) has_outflow |= w->domain.axis[a] == DEW_OUTFLOW;
    if (!has_outflow || w->particles->count == 0) return DEW_OK;
    size_t mark = arena_mark(w->scratch);
    leaving l = {w, arena_alloc(w->scratch, (size_t)w->particles->count)};
    if (!l.is_gone) return result_fail(DEW_NO_MEMORY, "no memory to find what flows out");
    parallel_sum(w->particles->count, OUT_SUMS, find_gone, &l, sums);
    if (sums[OUT_COUNT] > 0) particles_remove(w->particles, l.is_gone);
    arena_release(w->scratch, mark);
    *out = (outflow){sums[OUT_COUNT],
                     sums[OUT_MASS],
                     sums[OUT_KINETIC],
                     sums[OUT_POTENTIAL],
                     {sums[OUT_X], sums[OUT_Y], sums[OUT_Z]}};
    return DEW_OK;
}
