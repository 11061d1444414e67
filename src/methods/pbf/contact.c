/* Solids as the particles meet them: who is near, and pushing out with friction. Solids stand where they are at the
 * step's end. */
#include "solids/contact.h"
#include "methods/pbf/pbf.h"

pbf_contact pbf_contact_of(const pbf_state *p, const world *w, real dt, solid_pushes *to)
{
    real rate = (real)(w->particle_mass[0] / (double)dt);
    return (pbf_contact){.p = p, .w = w, .a = pbf_arrays_of(p, w), .dt = dt, .rate = rate, .to = to};
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
