/* Solids by their signed distance: the kernel's part inside a solid is that beyond the plane through its nearest point,
 * so no wall particles are needed and any shape will do. Solids stand where they are at the step's end. */
#include "methods/sph/flow.h"
#include "methods/sph/solid_map.h"
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

static void note_other(flow *k, int i, int solid, real4 wall)
{
    if (k->other_solid[i] >= 0 && k->other[i].w <= wall.w) return;
    k->other[i] = wall, k->other_solid[i] = solid;
}

/* The weight of the liquid that would fill the solid adds to the pressure, rho g . n times the distance: its force, of
 * the part of the kernel's gradient that a face has. */
static void add_weight(flow *k, int i, real4 wall, real3 gradient)
{
    real3 n = real3_of(wall), g = {(real)k->w->gravity.x, (real)k->w->gravity.y, (real)k->w->gravity.z};
    real4_add(&k->solid_rest[i], real3_scale(real3_dot(g, n) * wall.w / k->p->support, gradient));
}

/* Adds to what others fill of the kernel: the part `inside.w`, whose gradient times H is inside.xyz. The part that two
 * planes at right angles share is nearly the product of their parts (exactly where one goes through the centre), so
 * what is left free is the product of what each leaves.
 *
 * The rate is 2 slip . S, the adjoint of the wall's pressure: that keeps energy. Returns the gradient that counts. */
static real3 fill_kernel(flow *k, int i, int solid, real4 inside)
{
    real4 *filled = &k->solid[i], *rest = &k->solid_rest[i];
    real left = 1 - filled->w, free = 1 - inside.w;
    real3 gradient = real3_scale(left, real3_of(inside));
    *filled = real4_of(real3_madd(gradient, free, real3_of(*filled)), 1 - left * free);
    *rest = (real4){free * rest->x, free * rest->y, free * rest->z,
                    free * rest->w + 2 * real3_dot(slip_of(k, i, solid), gradient) / k->p->support};
    return gradient;
}

static real4 half_space_of(const flow *k, real4 wall, real u)
{
    real slope = wendland_layers_slope(u, k->p->s / k->p->support);
    return real4_of(real3_scale(-slope, real3_of(wall)), sph_beyond(k, u));
}

/* The solids within the support of a particle, the nearest of them. */
enum { MOST_NEAR = 8 };
typedef struct near_solid {
    int solid;
    real4 wall;
} near_solid;
typedef struct near_solids {
    int count;
    near_solid of[MOST_NEAR];
} near_solids;

static void note_near(near_solids *near, near_solid s)
{
    near_solid *to = near->of;
    for (int n = 1; near->count == MOST_NEAR && n < MOST_NEAR; n++)
        if (near->of[n].wall.w > to->wall.w) to = near->of + n;
    if (near->count < MOST_NEAR)
        near->of[near->count++] = s;
    else if (s.wall.w < to->wall.w)
        *to = s;
}

/* What a solid has of the kernel, as a half space or by its map. That is an integral: by as much as layers differ from
 * it behind the nearest face it is made theirs. */
static solid_look look_at(const flow *k, int i, const near_solid *s, real4 *part)
{
    real u = s->wall.w / k->p->support, beyond = wendland_beyond(u);
    solid_look look = solid_map_at(k->p->map, s->solid, real3_of(k->a.x[i]), part);
    if (look != SOLID_MAPPED || !(beyond > 0)) {
        *part = half_space_of(k, s->wall, u);
        return look;
    }
    real slope = wendland_layers_slope(u, k->p->s / k->p->support) / wendland_beyond_slope(u);
    *part = real4_of(real3_scale(slope, real3_of(*part)), part->w * sph_beyond(k, u) / beyond);
    return look;
}

/* Of solids whose faces are one there (a disc let into a plate) that which has most of the kernel counts. */
static bool counts(const flow *k, int i, const near_solids *near, const near_solid *s)
{
    for (const near_solid *other = near->of; other < near->of + near->count; other++) {
        if (other == s) continue;
        bool is_nearer = other->wall.w < s->wall.w || (other->wall.w == s->wall.w && other->solid < s->solid);
        const near_solid *first = is_nearer ? other : s, *second = is_nearer ? s : other;
        if (!solids_share_face(k->w->solids, (double)k->p->support, k->a.x[i], first->solid, first->wall, second->solid,
                               second->wall))
            continue;
        real4 own, its;
        look_at(k, i, s, &own), look_at(k, i, other, &its);
        if (own.w < its.w || (own.w == its.w && is_nearer)) return false;
    }
    return true;
}

/* Where a solid bends inwards it has further faces, of which the map knows already: to each of them belongs what the
 * gradient has along its normal. */
static void add_solid(flow *k, int i, const near_solid *s)
{
    real support = k->p->support;
    real4 further[SOLID_FURTHER_FACES], part;
    int count = solids_further_faces(k->w->solids, s->solid, (double)support, k->a.x[i], s->wall, further);
    if (s->solid != k->wall_solid[i]) note_other(k, i, s->solid, s->wall);
    solid_look look = look_at(k, i, s, &part);
    real3 gradient = fill_kernel(k, i, s->solid, part);
    for (int f = 0; f < count; f++) {
        real3 n = real3_of(further[f]), own = real3_scale(real3_dot(gradient, n), n);
        note_other(k, i, s->solid, further[f]);
        add_weight(k, i, further[f], own);
        gradient = real3_sub(gradient, own);
    }
    add_weight(k, i, s->wall, gradient);
    if (look == SOLID_UNKNOWN) k->solid_rest[i].w = NAN; /* found by find_unknown */
}

static void find_near_solids(int begin, int end, void *context)
{
    flow *k = context;
    real4 wall[CHUNK];
    near_solids near[CHUNK];
    int number = solids_count(k->w->solids), count = end - begin;
    double support = (double)k->p->support;
    solids_nearest(k->w->solids, support, count, k->a.x + begin, k->wall + begin, k->wall_solid + begin);
    for (int n = 0; n < count; n++) near[n].count = 0;
    for (int solid = 0; solid < number; solid++) {
        const real4 *seen = number == 1 ? k->wall + begin : wall;
        if (number > 1) solids_distance(k->w->solids, solid, support, count, k->a.x + begin, wall);
        for (int n = 0; n < count; n++)
            if (seen[n].w < k->p->support) note_near(&near[n], (near_solid){solid, seen[n]});
    }
    for (int n = 0; n < count; n++) {
        int i = begin + n;
        k->solid[i] = k->solid_rest[i] = (real4){0, 0, 0, 0};
        k->other_solid[i] = -1;
        for (const near_solid *s = near[n].of; s < near[n].of + near[n].count; s++)
            if (counts(k, i, &near[n], s)) add_solid(k, i, s);
    }
}

/* --- maps of solids that are no half spaces --- */

static void find_unknown(int begin, int end, void *context, double *maxima)
{
    const flow *k = context;
    for (int i = begin; i < end; i++)
        if (isnan(k->solid_rest[i].w)) maxima[0] = 1;
}

/* Makes what is missing of the maps; true in *is_grown if anything was. */
static dew_result extend_map(flow *k, bool *is_grown)
{
    double is_unknown;
    parallel_max(k->count, 1, find_unknown, k, &is_unknown);
    *is_grown = is_unknown > 0;
    if (!*is_grown) return DEW_OK;
    for (int i = 0; i < k->count; i++) {
        if (!isnan(k->solid_rest[i].w)) continue;
        for (int solid = 0; solid < solids_count(k->w->solids); solid++) {
            real4 wall, ignored;
            solids_distance(k->w->solids, solid, (double)k->p->support, 1, k->a.x + i, &wall);
            real3 x = real3_of(k->a.x[i]);
            if (wall.w < k->p->support && solid_map_at(k->p->map, solid, x, &ignored) == SOLID_UNKNOWN)
                RESULT_TRY(solid_map_want(k->p->map, solid, x));
        }
    }
    return solid_map_make(k->p->map);
}

dew_result sph_find_walls(flow *k)
{
    if (solids_count(k->w->solids) == 0) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->wall, k->wall_solid, k->solid, k->touch, k->bare, k->solid_rest, k->other,
              k->other_solid);
    bool is_grown = true;
    for (int turn = 0; turn < 2 && is_grown; turn++) {
        parallel_for(k->count, CHUNK, find_near_solids, k);
        RESULT_TRY(extend_map(k, &is_grown));
    }
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
