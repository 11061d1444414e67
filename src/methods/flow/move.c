/* Particles move; what would come too near to a solid stops there. */
#include "methods/flow/flow.h"

enum { CHUNK = 256 };

typedef struct moving {
    flow_step *k;
    real4 *ahead, *below; /* places, and what is below their last digits */
    real *bears;          /* of each solid: what it presses in all over what presses the first layer; NULL: none rubs */
} moving;

/* A velocity that changes: the shift of pairs thought it was the old one. */
static void change_velocity(const flow_step *k, int i, real3 change)
{
    real4_add(&k->v[i], change);
    if (k->moment && k->pushed) flow_note_moment(k, i, real3_cross(real3_scale(k->h, real3_of(k->pushed[i])), change));
}

/* Returns the velocity that the solid has given for it, outwards. */
static real stop(const moving *m, int i, int solid, real4 wall, solid_pushes *to)
{
    flow_step *k = m->k;
    real depth = contact_depth(wall, flow_stop(k, i));
    if (depth <= 0) return 0;
    real3 n = real3_of(wall);
    real speed = contact_into(contact_slip(k->w->solids, solid, k->x[i], k->v[i]), n);
    change_velocity(k, i, real3_scale(-speed, n));
    real4_go(&m->ahead[i], &m->below[i], real3_scale(depth, n));
    flow_push_solid(k, i, PUSH_PRESSURE, solid, real3_scale(flow_mass(k, i) * speed, n), to);
    return -speed;
}

typedef struct bearing {
    const flow_step *k;
    int solid;
} bearing;

/* What a solid presses a particle of the layer next to it, m/s. */
static real pressed_by(const flow_step *k, int i, real4 wall)
{
    return wall.w > k->p->s ? 0 : real_max(real3_dot(real3_of(k->pressed[i]), real3_of(wall)), 0);
}

/* Of a solid: what it gives the liquid along its normal, and what of that presses the first layer, kg m/s. */
static void sum_pressed(int begin, int end, void *context, double *sums)
{
    const bearing *b = context;
    const flow_step *k = b->k;
    for (int i = begin; i < end; i++)
        for (int a = NEAR_WALLS * i; a < NEAR_WALLS * (i + 1); a++) {
            if (k->near.solid[a] != b->solid) continue;
            sums[0] += (double)(flow_mass(k, i) * real3_dot(real3_of(k->pressed[i]), real3_of(k->near.wall[a])));
            sums[1] += (double)(flow_mass(k, i) * pressed_by(k, i, k->near.wall[a]));
        }
}

static dew_result find_bearing(moving *m)
{
    const flow_step *k = m->k;
    int count = solids_count(k->w->solids);
    if (!k->pressed) return DEW_OK;
    ARENA_TRY_ZEROED(k->w->scratch, count, m->bears);
    for (int n = 0; n < count; n++) {
        double sums[2];
        if (!(solids_info(k->w->solids, n, 0).friction > 0)) continue;
        parallel_sum(k->count, 2, sum_pressed, &(bearing){k, n}, sums);
        m->bears[n] = sums[0] > 0 && sums[1] > 0 ? (real)(sums[0] / sums[1]) : 0;
    }
    return DEW_OK;
}

/* Coulomb's friction of walls that slip answers what they press. Pressures of single particles are noise of the size of
 * gamma/s, which may be a hundred times what a puddle weighs, and all layers within the kernel have a part of what a
 * wall presses: each of the first layer is rubbed by its share of what the solid bears in all. A solid's adhesion is
 * the share of a slip along it that it takes in a whole frame, of the first layer too. */
static void rub(const moving *m, int i, int solid, const solid_info *info, real4 wall, real stopped, solid_pushes *to)
{
    flow_step *k = m->k;
    real3 along = real3_across(contact_slip(k->w->solids, solid, k->x[i], k->v[i]), real3_of(wall));
    real pressed = m->bears ? m->bears[solid] * pressed_by(k, i, wall) : 0;
    real share = contact_friction(along, (real)info->friction * (pressed + stopped));
    if (info->adhesion > 0 && wall.w <= k->p->s)
        share += (1 - share) * (real)(1 - pow(1 - fmin(info->adhesion, 1), (double)k->dt / k->w->frame_interval));
    real3 change = real3_scale(-share, along);
    change_velocity(k, i, change);
    real4_go(&m->ahead[i], &m->below[i], real3_scale(k->dt, change));
    solids_push(to, PUSH_SHEAR, solid, real3_of(k->x[i]), real3_scale(-flow_mass(k, i), change));
}

static void meet(const moving *m, int begin, int end, int solid, bool is_first, solid_pushes *to)
{
    flow_step *k = m->k;
    real4 wall[CHUNK];
    solid_info info = solids_info(k->w->solids, solid, k->w->materials[0].surface_tension);
    solids_distance(k->w->solids, solid, (double)k->h, end - begin, m->ahead + begin, wall);
    for (int i = begin; i < end; i++) {
        if (wall[i - begin].w >= k->h) continue;
        real stopped = stop(m, i, solid, wall[i - begin], to);
        if (is_first && (info.friction > 0 || info.adhesion > 0)) rub(m, i, solid, &info, wall[i - begin], stopped, to);
    }
}

static int solid_near(const flow_step *k, int i)
{
    return near_walls_has(&k->near, i) ? k->near.solid[NEAR_WALLS * i] : -1;
}

static int body_near(const flow_step *k, int i)
{
    int solid = solid_near(k, i);
    return solid >= 0 && solids_is_body(k->w->solids, solid) ? solid : -1;
}

/* Against a solid's centre. */
static real3 slip_of(const flow_step *k, int i, int solid)
{
    dew_vec3 v = solids_stand(k->w->solids, solid).velocity;
    return real3_sub(real3_of(k->v[i]), (real3){(real)v.x, (real)v.y, (real)v.z});
}

/* What a solid shifts is what pairs do not: next to a wall they push towards it as it pushes back, and what one turns
 * the other takes back. For bodies it goes to k->arm, which has done its work. */
static void note_shift(const flow_step *k, int i, real3 way, solid_pushes *to)
{
    int solid = solid_near(k, i);
    if (solid < 0) return;
    real3 by_force = real3_scale(k->dt, real3_of(k->v[i]));
    if (k->pushed) by_force = real3_madd(by_force, k->h, real3_of(k->pushed[i]));
    real3 shift = real3_sub(way, by_force);
    if (!solids_is_body(k->w->solids, solid)) {
        flow_note_moment(k, i, real3_cross(shift, slip_of(k, i, solid)));
        return;
    }
    k->arm[i] = real4_of(shift, 0);
    solids_shift(to, solid, flow_mass(k, i), shift);
}

/* A body shifts liquid as it cannot shift itself: not on the whole, or their common centre would move without a
 * velocity. */
static void stay_on_the_whole(int begin, int end, void *context)
{
    flow_step *k = context;
    for (int i = begin; i < end; i++) {
        int body = body_near(k, i);
        if (body < 0) continue;
        real3 back = real3_scale(-1, solids_mean_shift(k->w->solids, body));
        flow_note_moment(k, i, real3_cross(real3_add(real3_of(k->arm[i]), back), slip_of(k, i, body)));
        real4_go(&k->x[i], &k->all->below[i], back), real4_add(&k->went[i], real3_scale(1 / k->dt, back));
    }
}

/* From where it is to where it will be, to what places have below their last digits. */
static real3 way_of(const moving *m, int i)
{
    const flow_step *k = m->k;
    return real3_add(real3_sub(real3_of(m->ahead[i]), real3_of(k->x[i])),
                     real3_sub(real3_of(m->below[i]), real3_of(k->all->below[i])));
}

static void move(int begin, int end, void *context, solid_pushes *to)
{
    moving *m = context;
    flow_step *k = m->k;
    for (int i = begin; i < end; i++) {
        real3 way = real3_scale(k->dt, real3_of(k->v[i]));
        if (k->shift) way = real3_add(way, real3_of(k->shift[i]));
        m->ahead[i] = real4_of(real3_of(k->x[i]), 0), m->below[i] = k->all->below[i];
        real4_go(&m->ahead[i], &m->below[i], way);
    }
    for (int round = 0; k->near.wall && round < 2; round++)
        for (int first = begin; first < end; first += CHUNK) {
            int last = end - first < CHUNK ? end : first + CHUNK;
            for (int solid = 0; solid < solids_count(k->w->solids); solid++)
                if (near_walls_have(&k->near, first, last, solid)) meet(m, first, last, solid, round == 0, to);
        }
    for (int i = begin; i < end && k->held.line; i++) held_line_moves(&k->held, i, way_of(m, i));
    for (int i = begin; i < end; i++) {
        real3 way = way_of(m, i);
        k->went[i] = real4_of(real3_scale(1 / k->dt, way), 0);
        if (k->moment) note_shift(k, i, way, to);
        k->x[i] = m->ahead[i], k->all->below[i] = m->below[i];
    }
}

dew_result flow_move(flow_step *k)
{
    moving m = {.k = k, .ahead = k->facing}; /* which has done its work */
    ARENA_TRY(k->w->scratch, k->count, m.below);
    RESULT_TRY(find_bearing(&m));
    solids_each(k->w->solids, k->count, move, &m);
    if (k->moment && solids_has_bodies(k->w->solids)) parallel_for(k->count, 4096, stay_on_the_whole, k);
    return DEW_OK;
}
