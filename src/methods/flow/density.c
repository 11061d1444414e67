/* The particle number density n, who is surface, and what n is to be.
 *
 * Solids count as filled with liquid (half_space.h). At a free surface a kernel is not full: on a plane at the depth d
 * the part D(d/h) of all space is missing from n, and |F| is n's derivative there; so |F| tells d, and the target of n
 * is that of liquid at rest less D. Inside, where F is next to nothing, D is nothing (it goes as |F|^(4/3)): a
 * stretched interior is not taken for surface, as it is where low density alone decides. */
#include "methods/flow/flow.h"
#include "particles/ghosts.h"

#include <math.h>

/* Of what |F| is on a plane through the particle it is more next to a free surface. */
#define FACING ((real)0.4)
/* What q = 0 in the air counts for: with 2 the change of the air's part is more than L bounds, so that steps swing. */
#define AIR 4
/* Of what |F| is on a plane, too: below the first it may be what arrangements of particles make, above the second it is
 * air. */
#define NOISE ((real)0.3)
#define SURE ((real)0.6)
/* Sum w F_j, over what |F| is on a plane, that tells whence air is. Arrangements make about half of it, the third layer
 * three times. */
#define AROUND ((real)0.5)

static void sum_density(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal n = vset(0), x = vset(0), y = vset(0), z = vset(0);
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j);
            vreal dx = (i.x - b.x) * inv_h, dy = (i.y - b.y) * inv_h, dz = (i.z - b.z) * inv_h;
            vreal q2 = dx * dx + dy * dy + dz * dz + (real)1e-12, inv_q = vrsqrt(q2);
            vreal w = vmax(1 - q2 * inv_q, vset(0)), f = w * inv_q;
            n += w * w, x += f * dx, y += f * dy, z += f * dz;
        }
        pair_store4(k->facing, block, x, y, z, n - vset((real)1 / PAIR_J)); /* less itself */
    }
}

/* What the a-th solid near particle i adds to F. */
static real3 facing_wall(const flow_step *k, const walls_here *here, int i, int a)
{
    real slope = walls_here_part(here, a) * half_space_at(k->p->slope, here->distance[a]) / 2;
    return real3_scale(slope, real3_of(k->near.wall[NEAR_WALLS * i + a]));
}

/* At the distance d from a solid of mean curvature H its surface has spread by (1 + H d)^2. As far as H goes F falls by
 * 1/(1 + H d) of that; for images of pairs along the solid (mirrors.h) bear what pushes along it, and so a part of what
 * F balances, the rest goes, too. Then what a wall that moves gives, summed over the layers, is its own flux: without
 * it a ball of 4 spacings seems to displace 15 % too much. How much farther a bent solid seems tells H/(1 + H d); at
 * edges nothing is changed. */
real flow_spread(const flow_step *k, int i, int a)
{
    if (!k->near.bend) return 1;
    real d = real_max(k->near.wall[NEAR_WALLS * i + a].w, 0), bent = k->near.bend[NEAR_WALLS * i + a].farther;
    return 1 - 2 * d * bent / (k->p->sight * k->p->sight);
}

real3 flow_wall_slope(const flow_step *k, const walls_here *here, int i, int a)
{
    return real3_scale(flow_spread(k, i, a), facing_wall(k, here, i, a));
}

void flow_add_slope(flow_step *k, int i, int a, real3 slope)
{
    real3 v = solids_velocity(k->w->solids, k->near.solid[NEAR_WALLS * i + a], real3_of(k->x[i]));
    real4_add(&k->wall[i], slope), k->wall[i].w += 2 * k->p->c.gradient * real3_dot(slope, v);
}

/* Adds to F, and without images to S; returns n of the walls: by images, where no air is near. */
static real add_walls(flow_step *k, int i)
{
    const flow_state *p = k->p;
    k->wall[i] = k->beyond[i] = (real4){0, 0, 0, 0};
    if (!near_walls_has(&k->near, i)) return 0;
    walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &p->crowd);
    real n = 0;
    for (int a = 0; a < here.count; a++) {
        if (!p->is_area) flow_add_slope(k, i, a, flow_wall_slope(k, &here, i, a));
        real4_add(&k->beyond[i], facing_wall(k, &here, i, a));
    }
    real4_add(&k->facing[i], real3_of(k->beyond[i]));
    real inside = flow_inside(k, i);
    for (int a = 0; a < here.count; a++) {
        real images = inside > 0 ? 1 + inside * (flow_image_share(k, &here, i, a) - 1) : 1;
        n += images * here.share[a] * half_space_at(p->filled, here.distance[a]);
    }
    return n;
}

static real by_facing(const real *table, real facing)
{
    real at = real_min(facing, 1) * FLOW_MISSING_STEPS;
    int k = (int)at;
    return table[k] + (at - (real)k) * (table[k + 1] - table[k]);
}

real3 flow_growth(const flow_state *p, real3 facing)
{
    real length = real3_length(facing);
    return real3_scale(by_facing(p->growth, length / (p->c.slope0 / 2)) / real_max(length, (real)1e-6), facing);
}

/* What walls add to the change of D: F of a wall falls with the distance. */
static void lean_walls(flow_step *k, int i)
{
    const flow_state *p = k->p;
    walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &p->crowd);
    for (int a = 0; a < here.count; a++) {
        real4 wall = k->near.wall[NEAR_WALLS * i + a];
        real step = (real)1 / HALF_SPACE_STEPS, u = here.distance[a];
        real bend = (half_space_at(p->crowd.slope, u + step) - half_space_at(p->crowd.slope, u - step)) / (2 * step);
        real more = -bend / 4 * walls_here_part(&here, a) * real3_dot(real3_of(k->grow[i]), real3_of(wall));
        flow_add_slope(k, i, a, real3_scale(more, real3_of(wall)));
    }
}

static void finish(int begin, int end, void *context)
{
    flow_step *k = context;
    const flow_state *p = k->p;
    real *density = particles_field(k->all, p->density);
    for (int i = begin; i < end; i++) {
        k->facing[i].w += add_walls(k, i);
        real facing = real3_length(real3_of(k->facing[i])) / (p->c.slope0 / 2), air = by_facing(p->missing, facing);
        k->target[i] = p->c.n0 * (1 - air);
        k->grow[i] = real4_of(flow_growth(p, real3_of(k->facing[i])), 0);
        if (near_walls_has(&k->near, i) && !p->is_area) lean_walls(k, i);
        k->air[i] = AIR * by_facing(p->air, facing);
        density[i] = k->facing[i].w / k->target[i];
    }
}

/* Liquid that is stirred lies less evenly than at rest, F is nowhere quite nothing, and as D has the same sign
 * whichever way F points, the target was too low all over, by 1.3 % in a dam break. What air makes of F points where
 * the F of those around point, what arrangement makes does not: so where |F| is small its part along their sum tells D.
 *
 * force = sum w F_j, F of particle i itself included. */
static void sum_facing(int begin, int end, void *context)
{
    flow_step *k = context;
    vreal inv_h = vset(k->inv_h);
    for (int block = begin; block < end; block++) {
        vreal4 i = pair_i(k->x, block);
        vreal sum[3] = {vset(0), vset(0), vset(0)};
        PAIRS(k->lists, block, j)
        {
            vreal4 b = pair_j(k->x, j), f = pair_j(k->facing, j);
            vreal d[3] = {(i.x - b.x) * inv_h, (i.y - b.y) * inv_h, (i.z - b.z) * inv_h};
            vreal w = vmax(1 - vsqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), vset(0));
            sum[0] += w * f.x, sum[1] += w * f.y, sum[2] += w * f.z;
        }
        pair_store4(k->force, block, sum[0], sum[1], sum[2], vset(0));
    }
}

static void even_out(int begin, int end, void *context)
{
    flow_step *k = context;
    const flow_state *p = k->p;
    real *density = particles_field(k->all, p->density);
    for (int i = begin; i < end; i++) {
        real3 own = real3_scale(1 / (p->c.slope0 / 2), real3_of(k->facing[i]));
        real3 around = real3_sub(real3_scale(1 / (p->c.slope0 / 2), real3_of(k->force[i])), own);
        real facing = real3_length(own),
             along = real3_dot(own, around) / (real)sqrt((double)(real3_dot(around, around) + AROUND * AROUND));
        real part = real_min(real_max((facing - NOISE) / (SURE - NOISE), 0), 1);
        real even = by_facing(p->missing, real_max(along, 0));
        k->target[i] += (1 - part) * p->c.n0 * (by_facing(p->missing, facing) - even);
        density[i] = k->facing[i].w / k->target[i];
    }
}

dew_result flow_find_density(flow_step *k)
{
    parallel_for(k->blocks, FLOW_GRAIN, sum_density, k);
    RESULT_TRY(flow_find_images(k));
    parallel_for(k->count, 1024, finish, k);
    if (!k->p->is_area) return DEW_OK;
    ghosts_copy_vectors(k->all, k->facing);
    const real4 none = {0, 0, 0, 0}; /* where lists have no particle */
    for (int i = k->count; i < k->all->ghost_begin; i++) k->facing[i] = none;
    for (int i = k->all->end; i < k->all->end + 4; i++) k->facing[i] = none;
    parallel_for(k->blocks, FLOW_GRAIN, sum_facing, k);
    parallel_for(k->count, 4096, even_out, k);
    return flow_find_films(k);
}

static void mark_surface(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++)
        k->is_surface[i] = real3_length(real3_of(k->facing[i])) > FACING * k->p->c.slope0 / 2;
}

void flow_mark_surface(flow_step *k) { parallel_for(k->count, 4096, mark_surface, k); }

void flow_press_walls(flow_step *k, int i, real3 impulse, solid_pushes *to)
{
    flow_push_walls(k, i, PUSH_PRESSURE, impulse, to);
    if (k->pressed) real4_add(&k->pressed[i], real3_scale(1 / flow_mass(k, i), impulse));
}

void flow_push_walls(const flow_step *k, int i, push_kind kind, real3 impulse, solid_pushes *to)
{
    int count = 0;
    while (count < NEAR_WALLS && k->near.solid[NEAR_WALLS * i + count] >= 0) count++;
    solids_push_together(to, kind, count, k->near.solid + NEAR_WALLS * i, k->near.wall + NEAR_WALLS * i,
                         real3_of(k->x[i]), real3_scale(-1, impulse));
    bool is_one = true;
    for (int a = 1; a < count; a++) is_one &= k->near.solid[NEAR_WALLS * i + a] == k->near.solid[NEAR_WALLS * i];
    if (is_one)
        solids_take_idle(k->w->solids, k->near.solid[NEAR_WALLS * i], real3_of(k->x[i]), real3_scale(-1, impulse), to);
}
