/* Solids by their signed distance: the kernel's part inside a solid is that beyond the plane through its nearest point,
 * so no wall particles are needed and any shape will do. Solids stand where they are at the step's end. */
#include "methods/sph/flow.h"
#include "solids/contact.h"

enum { CHUNK = 256 };

/* A particle's least distance from a solid, in spacings: where the first layer stands. */
#define LEAST_DISTANCE ((real)0.5)

real sph_cosine(const flow *k, int solid)
{
    return (real)solids_info(k->w->solids, solid, (double)k->gamma).cos_contact_angle;
}

static real3 slip_of(const flow *k, int i, int solid)
{
    return contact_slip(k->w->solids, solid, k->a.x[i], k->a.v[i]);
}

void sph_push_solids(const flow *k, push_kind kind, int i, real3 kick, solid_pushes *to)
{
    const int32_t solid[2] = {k->wall_solid[i], k->other_solid[i]};
    const real4 wall[2] = {k->wall[i], k->other[i]};
    real mass = (real)k->w->particle_mass[0];
    solids_push_together(to, kind, solid[1] < 0 ? 1 : 2, solid, wall, real3_of(k->a.x[i]), real3_scale(-mass, kick));
}

/* The weight of the liquid that would fill the solid adds to the pressure, rho g . n times the distance: its force, of
 * the part of the kernel's gradient that a face has. */
static void add_weight(flow *k, int i, real4 wall, real3 gradient)
{
    real3 n = real3_of(wall), g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    real4_add(&k->solid_rest[i], real3_scale(real3_dot(g, n) * wall.w / k->p->support, gradient));
}

/* What the solids near a particle have of its kernel, each as a half space of layers so far away as its mean distance
 * is. The part that two planes at right angles share is nearly the product of their parts (exactly where one goes
 * through the centre), so what is left free is the product of what each leaves; it is never less than nothing between
 * faces that shut liquid in. The rate is 2 slip . S, the adjoint of the wall's pressure: that keeps energy. */
static void fill_kernel(flow *k, int i)
{
    real inv_h = 1 / k->p->support, thick = k->p->s * inv_h;
    real4 *filled = &k->solid[i], *rest = &k->solid_rest[i];
    *filled = *rest = (real4){0, 0, 0, 0};
    for (int at = NEAR_WALLS * i; at < NEAR_WALLS * (i + 1) && k->near.solid[at] >= 0; at++) {
        real4 wall = k->near.wall[at];
        real u = (wall.w + k->near.farther[at]) * inv_h, left = 1 - filled->w, free = 1 - sph_beyond(k, u);
        real slope = left * k->near.bend[at].slope * wendland_layers_slope(u, thick);
        real3 gradient = real3_scale(-slope, real3_of(wall));
        *filled = real4_of(real3_madd(gradient, free, real3_of(*filled)), 1 - left * free);
        *rest = (real4){free * rest->x, free * rest->y, free * rest->z,
                        free * rest->w + 2 * real3_dot(slip_of(k, i, k->near.solid[at]), gradient) * inv_h};
        add_weight(k, i, wall, gradient);
    }
}

static void find_parts(int begin, int end, void *context)
{
    flow *k = context;
    for (int i = begin; i < end; i++) {
        const int32_t *solid = k->near.solid + NEAR_WALLS * i;
        const real4 *wall = k->near.wall + NEAR_WALLS * i, none = {0, 0, 0, k->p->support};
        k->wall_solid[i] = solid[0], k->wall[i] = solid[0] < 0 ? none : wall[0];
        k->other_solid[i] = solid[0] < 0 ? -1 : solid[1], k->other[i] = k->other_solid[i] < 0 ? none : wall[1];
        fill_kernel(k, i);
    }
}

dew_result sph_find_walls(flow *k)
{
    RESULT_TRY(near_walls_find(&k->near, k->w->solids, k->w->scratch, k->p->support, SPH_SIGHT * (double)k->p->support,
                               k->count, k->a.x));
    if (!k->near.wall) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->wall, k->wall_solid, k->solid, k->touch, k->bare, k->solid_rest, k->other,
              k->other_solid);
    parallel_for(k->count, CHUNK, find_parts, k);
    return DEW_OK;
}

/* How much of a solid the surface takes for liquid: all up to 150 degrees, nothing at 180, where it is empty space to
 * the surface, which then is closed and free. */
static real counts_of(real cosine) { return real_min((real)7.5 * (1 + cosine), (real)1); }

real sph_wetted(const flow *k, int i) { return sph_is_held(k, i) ? counts_of(sph_cosine(k, k->wall_solid[i])) : 0; }

/* On solids that repel, drops come to rest some degrees below the angle that their normals are given: measured once on
 * a plane, and taken off. Where liquid wets, nothing need be. */
static real unbiased(real cosine) { return real_max(cosine + (real)0.2 * real_min(cosine, 0), (real)-0.99); }

/* Turns the normal n of a surface towards the one at which it meets the solid: wholly at the solid, not at all 0.9 H
 * away from it. Over so much a surface bends: along its line up the solid's normal, n . n_w changes by the line's
 * curvature times the height, so by as much the normal to turn to differs from that at the solid.
 *
 * What is tilted less than it would be at a contact line is turned less: a flat film's inside has no contact line, and
 * all turned alike, a foot of one layer had no curvature that would draw it back. */
static real3 meet(const flow *k, real3 n, int solid, real4 wall, real bend)
{
    real3 w = real3_of(wall), t = real3_across(n, w);
    real tilt = real3_length(t);
    real angle_cosine = sph_cosine(k, solid);
    real at_solid = sqrt(real_max(1 - angle_cosine * angle_cosine, (real)0.01));
    real height = real_min(real_max(wall.w / ((real)0.9 * k->p->support), (real)0), (real)1);
    real turn = (1 - height) * counts_of(angle_cosine) * real_min(tilt / at_solid, 1);
    real cosine = real_min(real_max(unbiased(angle_cosine) + bend * wall.w, -1), 1);
    real sine = sqrt(real_max(1 - cosine * cosine, (real)0));
    real3 meeting = real3_madd(real3_scale(sine, real3_normalise(t)), cosine, w);
    return real3_normalise(real3_madd(real3_scale(1 - turn, n), turn, meeting));
}

static real wetting_of(const flow *k, real cosine)
{
    if (sph_tension_mode(k->p) == SPH_TENSION_AREA) return 1;
    return real_min(real_max(1 + 2 * cosine, 0), 1);
}

real3 sph_extend_liquid(flow *k, int i, real *filled)
{
    real4 s = k->bare[i] = k->filled[i], *solid = &k->solid[i], *rest = &k->solid_rest[i];
    real cosine = sph_cosine(k, k->wall_solid[i]);
    real counts = counts_of(cosine);
    *filled = s.w / real_max(1 - counts * solid->w, (real)0.05);
    real share = real_min(*filled, (real)1);
    real3 n = real3_normalise(real3_scale(-1, real3_madd(real3_of(s), counts * share, real3_of(*solid))));
    if (k->other_solid[i] >= 0) n = meet(k, n, k->other_solid[i], k->other[i], 0);
    n = meet(k, n, k->wall_solid[i], k->wall[i], k->a.bend[i]);
    real wetting = wetting_of(k, cosine), part = 1 - wetting * (1 - share);
    *solid = real4_of(real3_scale(part, real3_of(*solid)), solid->w);
    *rest = real4_of(real3_scale(part, real3_of(*rest)), rest->w);
    real3 whole = real3_madd(real3_of(s), counts, real3_of(*solid));
    whole = real3_madd(real3_scale(1 - wetting, whole), -wetting * real3_length(whole), n);
    k->filled[i] = real4_of(whole, wetting * *filled + (1 - wetting) * (s.w + counts * solid->w));
    return n;
}

real sph_least_pressure(const flow *k, int i)
{
    real cosine = sph_is_held(k, i) ? sph_cosine(k, k->wall_solid[i]) : 1;
    return -k->gamma * (1 + cosine) / k->p->s;
}

/* The part of a face in the kernel: all that solids have of it less what the other face has, as fill_kernel put them
 * together. Where a wall goes on unchanged, along a tube or a groove, it is also the part of the kernel's moment that
 * the wall takes that way, as one integrates by parts. On a crest it is less than a plane's, in a tube more. */
static real part_of_face(const flow *k, int i, real4 other)
{
    real its = real_min(sph_beyond(k, other.w / k->p->support), (real)0.5);
    return real_min(real_max(1 - (1 - k->solid[i].w) / (1 - its), 0), (real)0.5);
}

real sph_part_of_wall(const flow *k, int i)
{
    return part_of_face(k, i, k->other_solid[i] < 0 ? (real4){0, 0, 0, k->p->support} : k->other[i]);
}

/* What a solid's part of the kernel takes from gradients of pressure along it: without it a pool would sink at its
 * walls. Where liquid is crowded less is lacking. */
static real3 along_wall(const flow *k, int i, real3 gradient, real4 wall, real part)
{
    real lacking = real_max(1 / real_max(k->bare[i].w, (real)0.1) - 1, 0);
    return real3_scale(real_min(part / (1 - part), lacking), real3_across(gradient, real3_of(wall)));
}

real sph_touch(const flow *k, int i)
{
    real near = (1 - k->wall[i].w / k->p->s) * (real)2.5;
    real full = (k->filled[i].w + k->solid[i].w - (real)0.85) * 10;
    return real_max(real_min(real_max(real_max(near, full), (real)0), (real)1), sph_wetted(k, i));
}

real3 sph_mend_along_walls(const flow *k, int i, real3 gradient)
{
    real3 force = along_wall(k, i, gradient, k->wall[i], sph_part_of_wall(k, i));
    if (k->other_solid[i] < 0) return force;
    return real3_add(force, along_wall(k, i, gradient, k->other[i], part_of_face(k, i, k->wall[i])));
}

/* Suction at a surface by meshes, whose force is whole, is made whole with it: else menisci rise too high, by what the
 * solid's part takes of it. Pressure leaves that out: what spreads is slower by it (calibration.md). */
real3 sph_along_wall(const flow *k, int i)
{
    real twice = 2 * real_max(k->a.x[i].w, sph_least_pressure(k, i) / k->rho) / k->p->support;
    real3 s = k->mesh && twice < 0 ? real3_scale(-k->touch[i], real3_of(k->solid[i])) : real3_of(k->bare[i]);
    return sph_mend_along_walls(k, i, real3_madd(real3_of(k->force[i]), twice, s));
}

real sph_pressed(const flow *k, int i)
{
    real cosine = sph_cosine(k, k->wall_solid[i]);
    real wetting = wetting_of(k, cosine);
    real share = real_min(k->filled[i].w / sph_free(k, i), 1);
    return 1 - wetting * (1 - share);
}

/* The wall's pressure is the particle's own, with the weight of what would fill it. */
real3 sph_wall_pressure(const flow *k, int i)
{
    real twice = 2 * real_max(k->a.x[i].w, sph_least_pressure(k, i) / k->rho) / k->p->support;
    real3 force = real3_madd(real3_of(k->solid_rest[i]), -twice, real3_of(k->solid[i]));
    return real3_scale(k->touch[i], force);
}

real3 sph_wall_friction(const flow *k, int i, real3 pressure)
{
    real friction = (real)solids_info(k->w->solids, k->wall_solid[i], (double)k->gamma).friction;
    if (!(friction > 0)) return (real3){0, 0, 0};
    real3 n = real3_of(k->wall[i]), slip = real3_across(slip_of(k, i, k->wall_solid[i]), n);
    real most = friction * real_max(real3_dot(pressure, n), (real)0) * k->dt;
    return real3_scale(-contact_friction(slip, most) / k->dt, slip);
}

void sph_rub(flow *k, int i, int solid, real3 n, real pressed, solid_pushes *to)
{
    real friction = (real)solids_info(k->w->solids, solid, (double)k->gamma).friction;
    if (!(friction > 0) || !(pressed > 0)) return;
    real3 slip = real3_across(slip_of(k, i, solid), n);
    real3 change = real3_scale(-contact_friction(slip, friction * pressed), slip);
    real4_add(&k->a.v[i], change);
    real mass = (real)k->w->particle_mass[0] * sph_relative_mass(k, i);
    solids_push(to, PUSH_SHEAR, solid, real3_of(k->a.x[i]), real3_scale(-mass, change));
}

/* What velocity there is into a solid ends. */
static void stop_at(flow *k, int i, int solid, real3 n, solid_pushes *to)
{
    real into = contact_into(slip_of(k, i, solid), n);
    real4 *v = &k->a.v[i];
    real3 before = real3_of(*v);
    v->x -= into * n.x, v->y -= into * n.y, v->z -= into * n.z;
    real3 kick = real3_sub(real3_of(*v), before);
    real mass = (real)k->w->particle_mass[0] * sph_relative_mass(k, i);
    solids_push(to, PUSH_PRESSURE, solid, real3_of(k->a.x[i]), real3_scale(-mass, kick));
    sph_rub(k, i, solid, n, -into, to);
}

/* Out of one solid to the least distance from it. */
static void leave(flow *k, int i, int solid, real4 wall, solid_pushes *to)
{
    real depth = contact_depth(wall, LEAST_DISTANCE * k->p->s);
    if (depth <= 0) return;
    stop_at(k, i, solid, real3_of(wall), to);
    real4_add(&k->a.x[i], real3_scale(depth, real3_of(wall)));
}

static void leave_solids(int begin, int end, void *context, solid_pushes *to)
{
    flow *k = context;
    real4 wall[CHUNK];
    int number = solids_count(k->w->solids);
    for (int first = begin; first < end; first += CHUNK) {
        int n = end - first < CHUNK ? end - first : CHUNK;
        for (int round = 0; round < 2; round++) /* in a wedge each may undo the other */
            for (int solid = 0; solid < number; solid++) {
                solids_distance(k->w->solids, solid, (double)k->p->s, n, k->a.x + first, wall);
                for (int m = 0; m < n; m++) leave(k, first + m, solid, wall[m], to);
            }
    }
}

static void stop(flow *k, int i, int solid, real4 wall, solid_pushes *to)
{
    if (solid < 0) return;
    real3 n = real3_of(wall);
    if (wall.w + k->dt * real3_dot(real3_of(k->a.v[i]), n) >= LEAST_DISTANCE * k->p->s) return;
    stop_at(k, i, solid, n, to);
}

/* Else the solver answers what presses a particle against its solid with more pressure in every step, though the solid
 * ends that velocity anyway: contact lines crept outward, flat puddles sank by a fifth. Solids stand where they
 * will be at the step's end. What comes nearer than the least distance in this step stops at once, not when it is
 * there. */
void sph_stop_at_walls(int begin, int end, void *context, solid_pushes *to)
{
    flow *k = context;
    for (int i = begin; i < end; i++) {
        stop(k, i, k->wall_solid[i], k->wall[i], to);
        stop(k, i, k->other_solid[i], k->other[i], to);
    }
}

void sph_leave_walls(flow *k)
{
    if (k->wall) solids_each(k->w->solids, k->count, leave_solids, k);
}
