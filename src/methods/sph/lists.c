/* Lists of neighbours for as many steps as pay, and bodies of liquid told apart anew. */
#include "methods/sph/flow.h"

#include "particles/ghosts.h"

/* Lists that are to hold for many steps are long, and slow every pass; a build costs about a third of a step. So the
 * best number of steps goes with the root of 1/(motion in a step). Each particle is allowed its own motion, as few are
 * fast: by its velocity, or by how far it went while the lists before held, as it is shifted too. */
#define STEPS_OF_MOTION 0.43
/* What a particle is allowed: so many times that motion, as it may come to be faster, and so many spacings in each step
 * besides. */
#define MOTION_MARGIN 1.5
#define LEAST_MOTION 0.003
/* In their place where how far it went is not known, besides its velocity. */
#define UNKNOWN_MOTION 0.004
/* In spacings: the most that a particle is allowed. */
#define MOST_ALLOWED 0.4

/* In spacings: when the fastest particle has gone so far, bodies of liquid are told apart anew. Until then two that
 * meet may count as two, one that parts as one. */
#define BODIES_TRAVEL 2

typedef struct allowing {
    const sph_arrays *a;
    real3 mean; /* velocity of all, which does not change who is near to whom */
    real rate;  /* from `allowance`, how far each went, to a speed; 0 where that is not known */
    real time, least, most;
} allowing;

/* sums: velocity. */
static void add_velocity(int begin, int end, void *context, double *sums)
{
    const real4 *v = ((const allowing *)context)->a->v;
    for (int i = begin; i < end; i++) sums[0] += (double)v[i].x, sums[1] += (double)v[i].y, sums[2] += (double)v[i].z;
}

/* From distances to speeds. sums: of these. */
static void find_speeds(int begin, int end, void *context, double *sums)
{
    const allowing *s = context;
    for (int i = begin; i < end; i++) {
        real speed = real3_length(real3_sub(real3_of(s->a->v[i]), s->mean)), *allowance = &s->a->allowance[i];
        *allowance = s->rate > 0 ? real_max(speed, s->rate * *allowance) : speed;
        sums[0] += (double)*allowance;
    }
}

/* In |S| H: who has more may come to the surface while lists hold. */
#define FRONT_GRADIENT ((real)0.5)

/* From speeds to allowances; who is in front. maxima: the largest allowance. */
static void allow(int begin, int end, void *context, double *maxima)
{
    const allowing *s = context;
    real most = 0;
    for (int i = begin; i < end; i++) {
        real allowance = real_min(s->time * s->a->allowance[i] + s->least, s->most);
        s->a->allowance[i] = allowance;
        s->a->is_front[i] = s->a->v[i].w > 0 || s->a->normal[i].w > FRONT_GRADIENT;
        most = real_max(most, allowance);
    }
    if ((double)most > maxima[0]) maxima[0] = (double)most;
}

dew_result sph_update_lists(sph_state *p, world *w, double dt)
{
    particles *store = w->particles;
    if (!neighbours_is_stale(w->neighbours, store)) return DEW_OK;
    sph_arrays a = sph_arrays_of(p, w);
    allowing s = {.a = &a, .most = (real)MOST_ALLOWED * p->s};
    double sums[3], motion = 0, most = 0, spacing = (double)p->s, since = w->time - p->listed;
    if (!ghosts_may_exist(&w->domain)) {
        parallel_sum(store->count, 3, add_velocity, &s, sums);
        for (int axis = 0; axis < 3; axis++) (&s.mean.x)[axis] = (real)(sums[axis] / store->count);
    }
    bool is_known = since > 0 && neighbours_motion(w->neighbours, store, a.allowance);
    if (is_known) s.rate = (real)(1 / since);
    double least = is_known ? LEAST_MOTION : UNKNOWN_MOTION, margin = is_known ? MOTION_MARGIN : 1;
    parallel_sum(store->count, 1, find_speeds, &s, &motion);
    motion = margin * motion / fmax(store->count, 1) * dt / spacing + least;
    double steps = sqrt(STEPS_OF_MOTION / motion);
    s.time = (real)(margin * steps * dt), s.least = (real)(steps * least * spacing);
    parallel_max(store->count, 1, allow, &s, &most);
    neighbours_set_allowance(w->neighbours, p->allowance, fmax(most, 0));
    neighbours_set_front(w->neighbours, p->is_front);
    neighbours_set_reach(w->neighbours, (double)p->support, 2 * steps * motion * spacing);
    if (!is_known || p->travelled + most > BODIES_TRAVEL * spacing) p->has_drops = false, p->travelled = 0;
    p->listed = w->time, p->travelled += fmax(most, 0);
    return world_update_neighbours(w, true);
}
