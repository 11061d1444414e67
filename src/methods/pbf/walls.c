/* The solids near particles, and what they are to the pressure: filled with liquid at rest, with mirror images.
 *
 * Across a wall the image has the particle's pressure and its mirrored way: S is twice the slope of what the solid
 * fills, which balances one pressure exactly. Along it pairs count C_ij = 1 + T_i + T_j, which makes them do as much as
 * inside the liquid (half_space_brace); without that nothing holds up the layers next to a wall, and a pool turns over
 * (calibration.md). Next to air there is as much less of the image as of liquid. */
#include "methods/pbf/physical.h"
#include "particles/ghosts.h"
#include "solids/bracing.h"

/* The square is the mean of q^2 over a plane through the kernel's centre: so bent solids fill what they do. */
#define SIGHT 0.398

static void take_nearest(int begin, int end, void *context)
{
    const pbf_state *p = context;
    for (int i = begin; i < end; i++) {
        p->wall_solid[i] = p->near.solid[NEAR_WALLS * i];
        p->wall[i] = p->wall_solid[i] < 0 ? (real4){0, 0, 0, p->h} : p->near.wall[NEAR_WALLS * i];
    }
}

dew_result pbf_find_walls(pbf_state *p, world *w)
{
    int count = w->particles->count;
    if (solids_count(w->solids) == 0) return DEW_OK;
    RESULT_TRY(
        near_walls_find(&p->near, w->solids, w->scratch, p->h, SIGHT * (double)p->h, count, w->particles->position));
    if (!p->wall) ARENA_TRY(w->scratch, count, p->wall, p->wall_solid);
    parallel_for(count, 4096, take_nearest, p);
    return DEW_OK;
}

/* Solids stand where the step ends, so what they will travel in it is not counted. */
static void leave_solids(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++)
        for (int a = NEAR_WALLS * i; a < NEAR_WALLS * (i + 1) && p->near.solid[a] >= 0; a++) {
            real4 *wall = &p->near.wall[a];
            if (wall->w >= p->s / 2) continue;
            real3 velocity = solids_velocity(k->w->solids, p->near.solid[a], real3_of(k->a.x[i]));
            real depth = p->s / 2 - (wall->w + fmax(k->dt * real3_dot(velocity, real3_of(*wall)), (real)0));
            if (depth <= 0) continue;
            real4_add(&k->a.x[i], real3_scale(depth, real3_of(*wall)));
            wall->w += depth;
        }
    take_nearest(begin, end, k->p);
}

void pbf_leave_solids(physical *k)
{
    if (k->p->wall) parallel_for(k->count, 4096, leave_solids, k);
}

/* Of who may be on a dry wall, at the most. */
#define FULL ((real)0.999)
/* To the square of a wall's slope: how far what is along the surface is believed. */
#define DOUBT ((real)0.3)

/* The share of its walls that liquid lies at next to particle i, `slope` the gradient of what they fill. The gradient
 * of what liquid fills is that of the walls it lies at less that of its surface, own = share slope - a n, so what of it
 * is along the surface tells the share. Where next to nothing is along it, as under a flat overhang, what of the walls
 * is on the liquid's side of the surface does. A dry wall, as past the edge of a mouth, neither draws nor is left
 * behind. */
static real wetted(const physical *k, int i, real3 slope)
{
    if (k->fullness[i] > FULL) return 1;
    real3 n = k->a.is_surface[i] ? real3_of(k->a.normal[i]) : real3_normalise(real3_of(k->shift[i]));
    real3 along = real3_across(slope, n);
    real doubt = DOUBT * real3_dot(slope, slope) + (real)1e-12;
    real share = (real3_dot(real3_of(k->own[i]), along) + doubt * k->wet[i]) / (real3_dot(along, along) + doubt);
    return fmin(fmax(share, (real)0), (real)1);
}

/* At the distance d from a solid of mean curvature H its surface has spread by (1 + H d)^2, and what a wall presses
 * there acts on that much less of it. How much farther a bent solid seems tells H/(1 + H d); at edges nothing is
 * changed. */
real pbf_spread(const pbf_state *p, int i, int a)
{
    real sight = (real)SIGHT * p->h, d = fmax(p->near.wall[NEAR_WALLS * i + a].w, (real)0);
    return 1 - 2 * d * p->near.bent[NEAR_WALLS * i + a] / (sight * sight);
}

static void find_solids(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++) {
        k->solid[i] = (real4){0, 0, 0, 0};
        for (int n = 0; n < 3; n++) k->along[n][i] = (real4){0, 0, 0, 0};
        if (!near_walls_has(&p->near, i) || (k->is_held && k->is_held[i])) continue;
        walls_here here = near_walls_at(&p->near, i, (real3){0, 0, 0}, 1 / p->h, &p->half_space);
        real filled = 0;
        real3 whole = {0, 0, 0};
        for (int a = 0; a < here.count; a++)
            filled += here.share[a] * half_space_at(p->half_space.sum, here.distance[a]);
        real wet = fmin(fmax((k->fullness[i] - filled) / (1 - filled), (real)0), (real)1);
        real t[NEAR_WALLS];
        for (int a = 0; a < here.count; a++) {
            real3 n = real3_of(p->near.wall[NEAR_WALLS * i + a]);
            real slope = half_space_at(p->half_space.slope, here.distance[a]);
            real mirror = near_walls_mirror(&p->near, &here, i, a, &p->half_space);
            real3 v = solids_velocity(k->w->solids, p->near.solid[NEAR_WALLS * i + a], real3_of(k->a.x[i]));
            whole = real3_madd(whole, here.part[a] * slope, n);
            t[a] = wet * wet * mirror * half_space_at(p->bracing, here.distance[a]);
            slope *= mirror * pbf_spread(p, i, a);
            real4_add(&k->solid[i], real3_scale(2 * slope, n));
            k->solid[i].w += 2 * slope * k->dt / p->h * real3_dot(n, v);
        }
        real share = wetted(k, i, whole);
        k->solid[i] = real4_of(real3_scale(share, real3_of(k->solid[i])), share * k->solid[i].w);
        bracing_put(k->along, &p->near, i, here.count, t);
    }
}

dew_result pbf_find_solids(physical *k)
{
    if (!k->p->wall) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->solid);
    ARENA_TRY_ZEROED(k->w->scratch, k->w->particles->end, k->along[0], k->along[1], k->along[2]);
    parallel_for(k->count, 1024, find_solids, k);
    ghosts_copy_matrices(k->w->particles, k->along);
    return DEW_OK;
}
