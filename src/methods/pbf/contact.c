/* Solids as the particles meet them: who is near, and pushing out with friction. Solids stand where they are at the
 * step's end. */
#include "solids/contact.h"
#include "methods/pbf/physical.h"

pbf_contact pbf_contact_of(const pbf_state *p, const world *w, real dt, solid_pushes *to)
{
    real rate = (real)(w->particle_mass[0] / (double)dt);
    return (pbf_contact){.p = p, .w = w, .a = pbf_arrays_of(p, w), .dt = dt, .rate = rate, .to = to};
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
