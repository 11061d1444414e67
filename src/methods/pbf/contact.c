/* Solids as the particles meet them: who is near, and pushing out with friction. Solids stand where they are at the
 * step's end. */
#include "solids/contact.h"
#include "methods/pbf/physical.h"

pbf_contact pbf_contact_of(const pbf_state *p, const world *w, real dt, solid_pushes *to)
{
    real rate = (real)(w->particle_mass[0] / (double)dt);
    return (pbf_contact){.p = p, .w = w, .a = pbf_arrays_of(p, w), .dt = dt, .rate = rate, .to = to};
}

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
    RESULT_TRY(near_walls_find(&p->near, w->solids, w->scratch, p->h, 0, count, w->particles->position));
    if (!p->wall) ARENA_TRY(w->scratch, count, p->wall, p->wall_solid);
    parallel_for(count, 4096, take_nearest, p);
    return DEW_OK;
}

double pbf_cosine_at(const world *w, int solid)
{
    return solids_info(w->solids, solid, w->materials[0].surface_tension).cos_contact_angle;
}

/* How far particle i has moved in this step against the solid there, m. */
static inline real3 slip_of(const pbf_contact *c, int i, int solid)
{
    real3 with = solids_velocity(c->w->solids, solid, real3_of(c->a.x[i]));
    return real3_sub(real3_of(c->a.move[i]), real3_scale(c->dt, with));
}

/* What friction takes of particle i's way along a solid that presses it off by `pressed` (m). */
static inline real3 rub(const pbf_contact *c, int i, int solid, real3 n, real pressed)
{
    real friction = (real)solids_info(c->w->solids, solid, c->w->materials[0].surface_tension).friction;
    if (!(friction > 0)) return (real3){0, 0, 0};
    real3 slip = real3_across(slip_of(c, i, solid), n);
    return real3_scale(-contact_friction(slip, friction * pressed), slip);
}

void pbf_push_solid(const pbf_contact *c, push_kind kind, int i, int solid, real3 d)
{
    solids_push(c->to, kind, solid, real3_of(c->a.x[i]), real3_scale(-c->rate, d));
}

void pbf_press_solids(const pbf_contact *c, int i, real3 d)
{
    const near_walls *near = &c->p->near;
    int count = 0;
    while (count < NEAR_WALLS && near->solid[NEAR_WALLS * i + count] >= 0) count++;
    solids_push_together(c->to, PUSH_PRESSURE, count, near->solid + NEAR_WALLS * i, near->wall + NEAR_WALLS * i,
                         real3_of(c->a.x[i]), real3_scale(-c->rate, d));
}

/* What is along the solid is shear, what is along its normal n pressure. */
static inline void displace(const pbf_contact *c, int i, int solid, real3 n, real3 d)
{
    real3 before = real3_of(c->a.move[i]);
    real4_add(&c->a.x[i], d);
    real4_add(&c->a.move[i], d);
    real3 way = real3_sub(real3_of(c->a.move[i]), before), along = real3_across(way, n);
    pbf_push_solid(c, PUSH_PRESSURE, i, solid, real3_sub(way, along));
    pbf_push_solid(c, PUSH_SHEAR, i, solid, along);
}

void pbf_push_particle(const pbf_contact *c, int i, int solid, real4 wall)
{
    real depth = contact_depth(wall, c->p->s / 2);
    if (depth <= 0) return;
    real3 n = real3_of(wall);
    displace(c, i, solid, n, real3_madd(rub(c, i, solid, n, depth), depth, n));
}

void pbf_adhere_particle(const pbf_contact *c, int i, int solid, real4 wall, real share)
{
    real out = fmax(wall.w / c->p->s - (real)0.5, (real)0);
    if (!(share > 0) || out >= 1) return;
    real3 n = real3_of(wall), slip = slip_of(c, i, solid);
    slip = real3_madd(slip, -contact_into(slip, n), n);
    displace(c, i, solid, n, real3_scale(-share * (1 - out), slip));
}

real pbf_adhesion_share(double adhesion, double frames)
{
    return adhesion > 0 ? (real)(1 - pow(1 - fmin(adhesion, 1), frames)) : 0;
}

enum { CHUNK = 256 };

/* Most of what a wall carries it carries by the liquid's pressure, not by pushes: friction answers that too. */
static void rub_by_pressure(const pbf_contact *c, const physical *k, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        int solid = c->p->wall_solid[i];
        if (solid < 0) continue;
        real3 n = real3_of(c->p->wall[i]);
        real pressed = c->p->h * c->a.lambda[i] * real3_dot(real3_of(k->solid[i]), n);
        displace(c, i, solid, n, rub(c, i, solid, n, pressed));
    }
}

/* Every solid in turn, a few rounds: in the wedge of two solids each push may undo the other. */
static void push_out(int begin, int end, void *context, solid_pushes *to)
{
    const physical *k = context;
    const solids *all = k->w->solids;
    pbf_contact c = pbf_contact_of(k->p, k->w, k->dt, to);
    real4 wall[CHUNK];
    rub_by_pressure(&c, k, begin, end);
    for (int first = begin; first < end; first += CHUNK) {
        int n = end - first < CHUNK ? end - first : CHUNK;
        for (int round = 0; round < 2; round++)
            for (int solid = 0; solid < solids_count(all); solid++) {
                double adhesion = solids_info(all, solid, k->w->materials[0].surface_tension).adhesion;
                real share = round ? 0 : pbf_adhesion_share(adhesion, (double)k->dt / k->w->frame_interval);
                solids_distance(all, solid, 2 * (double)k->p->s, n, c.a.x + first, wall);
                for (int i = 0; i < n; i++) {
                    pbf_push_particle(&c, first + i, solid, wall[i]);
                    pbf_adhere_particle(&c, first + i, solid, wall[i], share);
                }
            }
    }
}

void pbf_push_out(physical *k)
{
    if (solids_count(k->w->solids) > 0) solids_each(k->w->solids, k->count, push_out, k);
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

static void find_solids(int begin, int end, void *context)
{
    physical *k = context;
    const pbf_state *p = k->p;
    for (int i = begin; i < end; i++) {
        k->solid[i] = (real4){0, 0, 0, 0};
        for (int n = 0; n < 3; n++) k->along[n][i] = (real4){0, 0, 0, 0};
        if (!near_walls_has(&p->near, i)) continue;
        walls_here here = near_walls_at(&p->near, i, (real3){0, 0, 0}, 1 / p->h, &p->half_space);
        real filled = 0;
        for (int a = 0; a < here.count; a++)
            filled += here.share[a] * half_space_at(p->half_space.sum, here.distance[a]);
        real wet = fmin(fmax((k->fullness[i] - filled) / (1 - filled), (real)0), (real)1);
        for (int a = 0; a < here.count; a++) {
            real3 n = real3_of(p->near.wall[NEAR_WALLS * i + a]);
            real slope = 2 * here.part[a] * half_space_at(p->half_space.slope, here.distance[a]);
            real3 v = solids_velocity(k->w->solids, p->near.solid[NEAR_WALLS * i + a], real3_of(k->a.x[i]));
            real4_add(&k->solid[i], real3_scale(slope, n));
            real u = half_space_at(p->half_space.slope, here.distance[a]);
            real share = wet * wet * here.part[a] * here.distance[a] * u /
                         (1 - half_space_at(p->half_space.sum, here.distance[a]));
            k->along[0][i].x += share * (1 - n.x * n.x), k->along[1][i].y += share * (1 - n.y * n.y),
                k->along[2][i].z += share * (1 - n.z * n.z);
            k->along[0][i].y -= share * n.x * n.y, k->along[0][i].z -= share * n.x * n.z,
                k->along[1][i].z -= share * n.y * n.z;
            k->along[1][i].x -= share * n.x * n.y, k->along[2][i].x -= share * n.x * n.z,
                k->along[2][i].y -= share * n.y * n.z;
            k->solid[i].w += slope * k->dt / p->h * real3_dot(n, v);
        }
    }
}

dew_result pbf_find_solids(physical *k)
{
    if (!k->p->wall) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->solid);
    ARENA_TRY_ZEROED(k->w->scratch, k->w->particles->end, k->along[0], k->along[1], k->along[2], k->leaning[0],
                     k->leaning[1], k->leaning[2]);
    parallel_for(k->count, 1024, find_solids, k);
    return DEW_OK;
}
