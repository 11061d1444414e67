/* Solids by their signed distance: the kernel's part inside a solid is that beyond the plane through its nearest point,
 * so no wall particles are needed and any shape will do. Solids stand where they are at the step's end. */
#include "methods/sph/flow.h"

#include "base/parallel.h"

static void find_nearest(int begin, int end, void *context)
{
    flow *k = context;
    solids_nearest(k->w->solids, (double)k->p->support, end - begin, k->a.x + begin, k->wall + begin,
                   k->wall_solid + begin);
}

dew_result sph_find_walls(flow *k)
{
    k->wall = NULL, k->wall_solid = NULL;
    if (solids_count(k->w->solids) == 0) return DEW_OK;
    k->wall = arena_alloc(k->w->scratch, ((size_t)k->count + 8) * sizeof *k->wall);
    k->wall_solid = arena_alloc(k->w->scratch, ((size_t)k->count + 8) * sizeof *k->wall_solid);
    if (!k->wall || !k->wall_solid)
        return result_fail(DEW_NO_MEMORY, "no memory for contacts of %d particles", k->count);
    parallel_for(k->count, 512, find_nearest, k);
    return DEW_OK;
}

real sph_wall_fraction(const flow *k, int i) { return wendland_beyond(k->wall[i].w / k->p->support); }

real3 sph_wall_gradient(const flow *k, int i)
{
    return real3_scale(-wendland_slope(k->wall[i].w / k->p->support), real3_of(k->wall[i]));
}

real4 sph_wall_normal(const flow *k, int i)
{
    real4 s = k->filled[i];
    real filled = s.w / (1 - sph_wall_fraction(k, i)), share = fmin(filled, (real)1);
    real3 wall = real3_of(k->wall[i]), whole = real3_madd(real3_of(s), share, sph_wall_gradient(k, i));
    real size = real3_length(whole);
    real3 n = real3_normalise(real3_scale(-1, whole));
    real3 t = real3_normalise(real3_madd(n, -real3_dot(n, wall), wall));
    real cosine = (real)solids_info(k->w->solids, k->wall_solid[i], (double)k->gamma).cos_contact_angle;
    real sine = sqrt(fmax(1 - cosine * cosine, (real)0));
    real3 meeting = real3_madd(real3_scale(sine, t), cosine, wall);
    real blend = fmin(fmax(k->wall[i].w / ((real)0.9 * k->p->support), (real)0), (real)1);
    n = real3_normalise(real3_madd(real3_scale(blend, n), 1 - blend, meeting));
    return (real4){-size * n.x, -size * n.y, -size * n.z, filled};
}

static real3 slip_of(const flow *k, int i)
{
    real3 wall = solids_velocity(k->w->solids, k->wall_solid[i], real3_of(k->a.x[i]));
    return real3_sub(real3_of(k->a.v[i]), wall);
}

/* Flow that is linear and free of divergence sees none near a wall either: the liquid that would fill the solid, with
 * the same gradient, would add this. */
real sph_wall_rate(const flow *k, int i) { return real3_dot(slip_of(k, i), sph_wall_gradient(k, i)) / k->p->support; }

/* The wall's pressure is the particle's own, plus what the weight of the liquid that would fill it adds, and never
 * draws. */
real3 sph_wall_force(const flow *k, int i)
{
    real3 n = real3_of(k->wall[i]), g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    real slope = wendland_slope(k->wall[i].w / k->p->support) / k->p->support;
    real pressure = 2 * k->a.x[i].w - real3_dot(g, n) * k->wall[i].w;
    real push = fmax(pressure, (real)0) * slope;
    real3 force = real3_scale(push, n);
    real friction = (real)solids_info(k->w->solids, k->wall_solid[i], k->w->materials[0].surface_tension).friction;
    if (!(friction > 0)) return force;
    real3 slip = slip_of(k, i);
    slip = real3_madd(slip, -real3_dot(slip, n), n);
    real size = real3_length(slip), most = friction * push * k->dt;
    return size > 0 ? real3_madd(force, -fmin(most / size, (real)1) / k->dt, slip) : force;
}

typedef struct leaving {
    flow *k;
    real least;
} leaving;

enum { CHUNK = 256 };

/* Out of one solid to a distance of `least`; what velocity there is into it ends. */
static void leave(flow *k, int i, int solid, real4 wall, real least)
{
    real depth = least - wall.w;
    if (depth <= 0) return;
    real3 n = real3_of(wall),
          slip = real3_sub(real3_of(k->a.v[i]), solids_velocity(k->w->solids, solid, real3_of(k->a.x[i])));
    real into = fmin(real3_dot(slip, n), (real)0);
    real4 *x = &k->a.x[i], *v = &k->a.v[i];
    x->x += depth * n.x, x->y += depth * n.y, x->z += depth * n.z;
    v->x -= into * n.x, v->y -= into * n.y, v->z -= into * n.z;
}

static void leave_solids(int begin, int end, void *context)
{
    const leaving *l = context;
    flow *k = l->k;
    real4 wall[CHUNK];
    int number = solids_count(k->w->solids);
    for (int first = begin; first < end; first += CHUNK) {
        int n = end - first < CHUNK ? end - first : CHUNK;
        for (int round = 0; round < 2; round++) /* in a wedge each may undo the other */
            for (int solid = 0; solid < number; solid++) {
                solids_distance(k->w->solids, solid, (double)k->p->s, n, k->a.x + first, wall);
                for (int m = 0; m < n; m++) leave(k, first + m, solid, wall[m], l->least);
            }
    }
}

void sph_leave_walls(flow *k)
{
    if (!k->wall) return;
    leaving l = {k, (real)0.25 * k->p->s};
    parallel_for(k->count, 512, leave_solids, &l);
}
