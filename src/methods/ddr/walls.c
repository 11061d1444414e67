/* Solids as particles meet them (section 6 of the paper), and what they add to densities.
 *
 * A solid is thought filled with liquid at rest, which counts in rho and rho_near by the distance alone (half_space.h).
 * The energies of relax.c then push along its normal n by (P/4) slope + (P_near/6) slope_near. For the projections,
 * which keep the volume, it counts as liquid; for the pressures, of which tension comes, as its contact angle asks
 * (hold_of); and it may be sticky (equation 12). Where solids overlap, what both have counts once (near_walls.h). */
#include "methods/ddr/ddr.h"
#include "solids/contact.h"

enum { CHUNK = 256 };

/* The radius of the ring over which a solid's distance is taken: the square is the mean of r^2 over a plane through the
 * centre of w^2, by which solids count. */
static double sight_of(const ddr_step *k) { return sqrt(k->w->dimension == 3 ? 0.2 : 0.1) * (double)k->h; }

/* --- how they hold --- */

/* How dense a solid seems to pressures, by the cosine of its contact angle: what gives 150, 120, 90 degrees
 * (calibration.md). A liquid's mirror image, 1, holds liquid as liquid holds itself across a plane, less one side of
 * it: at 90 degrees; with the work of adhesion gamma (1 + cos theta) it falls to none. More than 1 saturates, since
 * densities near rho0 draw no more: below 90 degrees gamma cos theta an area is that of sticking. */
static const struct {
    double cosine, adherence;
} adherence[] = {{-1, 0}, {-0.866, 0.225}, {-0.5, 0.475}, {0, 0.98}, {1, 0.98}};

static real adherence_of(double cosine)
{
    int k = 0;
    while (k < 3 && cosine > adherence[k + 1].cosine) k++;
    double part = (cosine - adherence[k].cosine) / (adherence[k + 1].cosine - adherence[k].cosine);
    return (real)(adherence[k].adherence + part * (adherence[k + 1].adherence - adherence[k].adherence));
}

/* d_stick, in spacings; and over what a unit of k_stick gains for a layer that touches, d_stick^2/6, what it gains in
 * all: 1.5 by layers that lie a spacing apart. */
#define STICK_REACH 2
#define STICK_LAYERS 1.64

static ddr_hold hold_of(const ddr_step *k, int solid)
{
    const dew_material_def *m = &k->w->materials[0];
    double cosine = solids_info(k->w->solids, solid, m->surface_tension).cos_contact_angle, s = (double)k->p->s;
    double reach = STICK_REACH * s, gain = m->surface_tension * fmax(cosine, 0) / (m->density * s);
    if (k->n.is_paper) return (ddr_hold){1, (real)k->n.stick};
    return (ddr_hold){adherence_of(cosine), (real)(6 * gain / (STICK_LAYERS * reach * reach))};
}

dew_result ddr_find_walls(ddr_step *k)
{
    int number = solids_count(k->w->solids);
    if (number == 0) return DEW_OK;
    RESULT_TRY(near_walls_find(&k->near, k->w->solids, k->w->scratch, k->h, sight_of(k), k->count, k->x));
    ARENA_TRY_ZEROED(k->w->scratch, k->count, k->pressed);
    ARENA_TRY(k->w->scratch, number, k->hold);
    for (int s = 0; s < number; s++) k->hold[s] = hold_of(k, s);
    return DEW_OK;
}

/* --- densities --- */

static walls_here walls_at(const ddr_step *k, int i, real4 at)
{
    return near_walls_at(&k->near, i, real3_sub(real3_of(at), real3_of(k->x[i])), k->inv_h, &k->p->whole);
}

void ddr_add_walls(const ddr_step *k, int i, real4 at, const ddr_hold *hold, real *rho, real *rho_near)
{
    if (!near_walls_has(&k->near, i)) return;
    walls_here n = walls_at(k, i, at);
    for (int a = 0; a < n.count; a++) {
        real times = n.share[a] * (hold ? hold[k->near.solid[NEAR_WALLS * i + a]].adherence : 1);
        *rho += times * half_space_at(k->p->whole.sum, n.distance[a]);
        *rho_near += times * half_space_at(k->p->close.sum, n.distance[a]);
    }
}

real3 ddr_facing_of_walls(const ddr_step *k, int i)
{
    real3 sum = {0, 0, 0};
    for (int a = 0; a < NEAR_WALLS && k->near.solid[NEAR_WALLS * i + a] >= 0; a++) {
        real4 wall = k->near.wall[NEAR_WALLS * i + a];
        real away = wall.w + k->near.farther[NEAR_WALLS * i + a];
        sum = real3_madd(sum, half_space_at(k->p->whole.slope, away * k->inv_h) / 2, real3_of(wall));
    }
    return sum;
}

/* --- pushes --- */

typedef struct pushing {
    ddr_step *k;
    bool has_near;
} pushing;

/* Particle i gets a change of velocity along a solid's normal (m/s), the solid the opposite. */
static void press(ddr_step *k, int i, int solid, real3 n, real change, solid_pushes *to)
{
    real4_add(&k->v[i], real3_scale(change, n));
    k->pressed[i] += change;
    solids_push(to, PUSH_PRESSURE, solid, real3_of(k->x[i]), real3_scale(-(real)k->w->particle_mass[0] * change, n));
}

/* A layer of liquid next to a wall lies half a spacing from it, m. */
static real layer_of(const ddr_step *k) { return k->p->s / 2; }
/* A solid pushes by half of what liquid in its place would, its own density being fixed: less than the next layers,
 * which would press the first one against it. So what comes nearer than a layer is held off by a spring besides, which
 * liquid over a floor, pressing by half of its p, shortens by p/(2 rho s) over that: h^2/(96 s^2), a tenth of s. */
#define LAYER_STIFFNESS 48 /* pace^2 */

static real hold_off(const ddr_step *k, real distance)
{
    double stiffness = LAYER_STIFFNESS * k->n.pace * k->n.pace;
    return (real)stiffness * real_max(layer_of(k) - distance, 0);
}

/* A particle's collision radius R, m: what still comes as near as half of the layer's distance. With collisions in
 * place of that spring each particle of the layer collides in about every second step, which a body that moves feels
 * as 0.2 of the liquid it displaces more that it carries along, and as drag (calibration.md). */
static real radius_of(const ddr_step *k) { return layer_of(k) / 2; }

/* Equation 12, of the distance beyond that of the layer, m/s2. */
static real stick(const ddr_step *k, int solid, real distance)
{
    real reach = STICK_REACH * k->p->s, d = distance - layer_of(k);
    return d > 0 && d < reach ? k->hold[solid].stick * d * (1 - d / reach) : 0;
}

static void push_walls(int begin, int end, void *context, solid_pushes *to)
{
    const pushing *s = context;
    ddr_step *k = s->k;
    for (int i = begin; i < end; i++) {
        if (!near_walls_has(&k->near, i)) continue;
        walls_here n = walls_at(k, i, k->place[i]);
        for (int a = 0; a < n.count; a++) {
            int solid = k->near.solid[NEAR_WALLS * i + a];
            real times = k->dt * walls_here_part(&n, a) * (s->has_near ? k->hold[solid].adherence : 1);
            real push = k->place[i].w / 4 * half_space_at(k->p->whole.slope, n.distance[a]);
            if (s->has_near) push += k->near_pressure[i] / 6 * half_space_at(k->p->close.slope, n.distance[a]);
            push *= times;
            real away = n.distance[a] * k->h;
            if (s->has_near) push += k->dt * (walls_here_part(&n, a) * hold_off(k, away) - stick(k, solid, away));
            press(k, i, solid, real3_of(k->near.wall[NEAR_WALLS * i + a]), push, to);
        }
    }
}

void ddr_push_walls(ddr_step *k, bool has_near)
{
    solids_each(k->w->solids, k->count, push_walls, &(pushing){k, has_near});
}

/* --- collisions --- */

static real3 slip_of(const ddr_step *k, int i, int solid)
{
    return real3_sub(real3_of(k->v[i]), solids_velocity(k->w->solids, solid, real3_of(k->x[i])));
}

/* Changes the velocity of i, and the place where it will be, by what a solid does along its surface. */
static void drag(ddr_step *k, int i, int solid, real3 change, solid_pushes *to)
{
    real4_add(&k->v[i], change);
    real4_add(&k->ahead[i], real3_scale(k->dt, change));
    solids_push(to, PUSH_SHEAR, solid, real3_of(k->x[i]), real3_scale(-(real)k->w->particle_mass[0], change));
}

/* Equations 9 to 11: what moves into the solid stops R from it. What was within R of it before the spring of its layer
 * moves out: places that change without velocity, as by line 15 of algorithm 6, change the angular momentum. Where
 * there is no spring, that line is taken. `wall`: of the place ahead. */
static void collide(ddr_step *k, int i, int solid, real4 wall, solid_pushes *to)
{
    real depth = contact_depth(wall, radius_of(k));
    if (depth <= 0) return;
    real3 n = real3_of(wall);
    real speed = real3_dot(slip_of(k, i, solid), n), before = radius_of(k) - (wall.w - k->dt * speed);
    real most = -real_max(-before, 0) / k->dt; /* into the solid */
    if (speed < most) press(k, i, solid, n, most - speed, to);
    if (k->n.pace > 0) depth = k->dt * real_max(most - speed, 0);
    real4_add(&k->ahead[i], real3_scale(depth, n));
}

/* Coulomb's friction answers all that the solid pressed the particle by in this step. */
static void rub(ddr_step *k, int i, int solid, real4 wall, const solid_info *info, solid_pushes *to)
{
    if (wall.w > 2 * layer_of(k)) return;
    real3 along = real3_across(slip_of(k, i, solid), real3_of(wall));
    real share = contact_friction(along, (real)info->friction * real_max(k->pressed[i], 0));
    drag(k, i, solid, real3_scale(-share, along), to);
}

/* A solid's adhesion is the share of a slip along it that it takes in a whole frame, whatever the steps. */
static void adhere(ddr_step *k, int i, int solid, real4 wall, const solid_info *info, solid_pushes *to)
{
    real out = real_max((wall.w - layer_of(k)) / k->p->s, 0);
    if (out >= 1) return;
    real share = (real)(1 - pow(1 - fmin(info->adhesion, 1), (double)k->dt / k->w->frame_interval)) * (1 - out);
    drag(k, i, solid, real3_scale(-share, real3_across(slip_of(k, i, solid), real3_of(wall))), to);
}

/* All of a chunk with one solid; twice for all, since in a wedge each push may undo the other. */
static void meet(ddr_step *k, int begin, int end, int solid, bool is_first, solid_pushes *to)
{
    real4 wall[CHUNK];
    solid_info info = solids_info(k->w->solids, solid, k->w->materials[0].surface_tension);
    solids_distance(k->w->solids, solid, (double)k->h, end - begin, k->ahead + begin, wall);
    for (int i = begin; i < end; i++) {
        real4 at = wall[i - begin];
        if (at.w >= k->h) continue;
        collide(k, i, solid, at, to);
        if (!is_first) continue;
        if (info.friction > 0) rub(k, i, solid, at, &info, to);
        if (info.adhesion > 0) adhere(k, i, solid, at, &info, to);
    }
}

static void collide_and_move(int begin, int end, void *context, solid_pushes *to)
{
    ddr_step *k = context;
    for (int i = begin; i < end; i++)
        k->ahead[i] = real4_of(real3_madd(real3_of(k->x[i]), k->dt, real3_of(k->v[i])), k->x[i].w);
    for (int round = 0; k->near.wall && round < 2; round++)
        for (int first = begin; first < end; first += CHUNK) {
            int last = end - first < CHUNK ? end : first + CHUNK;
            for (int solid = 0; solid < solids_count(k->w->solids); solid++)
                if (near_walls_have(&k->near, first, last, solid)) meet(k, first, last, solid, round == 0, to);
        }
    for (int i = begin; i < end; i++) k->x[i] = k->ahead[i];
}

void ddr_collide_and_move(ddr_step *k) { solids_each(k->w->solids, k->count, collide_and_move, k); }
