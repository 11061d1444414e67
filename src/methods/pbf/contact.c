/* Solids as the particles meet them: who is near, and pushing out with friction. Solids stand where they are at the
 * step's end. */
#include "base/parallel.h"
#include "methods/pbf/physical.h"

typedef struct contact {
    pbf_state *p;
    world *w;
    pbf_arrays a;
    real dt;
} contact;

static void find_nearest(int begin, int end, void *context)
{
    contact *c = context;
    solids_nearest(c->w->solids, (double)c->p->h, end - begin, c->a.x + begin, c->p->wall + begin,
                   c->p->wall_solid + begin);
}

dew_result pbf_find_walls(pbf_state *p, world *w)
{
    int count = w->particles->count;
    if (solids_count(w->solids) == 0) {
        p->wall = NULL, p->wall_solid = NULL;
        return DEW_OK;
    }
    if (!p->wall) {
        ARENA_TRY(w->scratch, count, p->wall, p->wall_solid);
    }
    contact c = {.p = p, .w = w, .a = pbf_arrays_of(p, w)};
    parallel_for(count, 512, find_nearest, &c);
    return DEW_OK;
}

real pbf_wall_density(const pbf_state *p, int i)
{
    return p->wall_solid[i] < 0 ? 0 : pbf_fraction(p->fractions, p->wall[i].w / p->h);
}

/* What friction takes of particle i's way along a solid that presses it off by `pressed` (m), by Coulomb's law. */
static real3 rub(const world *w, const pbf_arrays *a, real dt, int i, int solid, real3 n, real pressed)
{
    real friction = (real)solids_info(w->solids, solid, w->materials[0].surface_tension).friction;
    if (!(friction > 0)) return (real3){0, 0, 0};
    real3 slip = real3_sub(real3_of(a->move[i]), real3_scale(dt, solids_velocity(w->solids, solid, real3_of(a->x[i]))));
    slip = real3_madd(slip, -real3_dot(slip, n), n);
    real length = real3_length(slip), most = friction * pressed;
    return length > 0 ? real3_scale(-fmin(most / length, (real)1), slip) : (real3){0, 0, 0};
}

static void displace(const pbf_arrays *a, int i, real3 d)
{
    real4 *x = &a->x[i], *m = &a->move[i];
    x->x += d.x, x->y += d.y, x->z += d.z;
    m->x += d.x, m->y += d.y, m->z += d.z;
}

void pbf_push_particle(const pbf_state *p, const world *w, const pbf_arrays *a, real dt, int i, int solid, real4 wall)
{
    real depth = p->s / 2 - wall.w;
    if (depth <= 0) return;
    real3 n = real3_of(wall);
    displace(a, i, real3_madd(rub(w, a, dt, i, solid, n, depth), depth, n));
}

void pbf_adhere_particle(const pbf_state *p, const world *w, const pbf_arrays *a, real dt, int i, int solid, real4 wall,
                         real share)
{
    real out = fmax(wall.w / p->s - (real)0.5, (real)0);
    if (!(share > 0) || out >= 1) return;
    real3 n = real3_of(wall);
    real3 slip = real3_sub(real3_of(a->move[i]), real3_scale(dt, solids_velocity(w->solids, solid, real3_of(a->x[i]))));
    slip = real3_madd(slip, -fmin(real3_dot(slip, n), (real)0), n);
    displace(a, i, real3_scale(-share * (1 - out), slip));
}

real pbf_adhesion_share(double adhesion, double frames)
{
    return adhesion > 0 ? (real)(1 - pow(1 - fmin(adhesion, 1), frames)) : 0;
}

enum { CHUNK = 256 };

/* Most of what a wall carries it carries by the liquid's pressure, not by pushes: friction answers that too. */
static void rub_by_pressure(contact *c, int begin, int end)
{
    const pbf_state *p = c->p;
    for (int i = begin; i < end; i++) {
        if (p->wall_solid[i] < 0) continue;
        real pressed = p->h * c->a.lambda[i] * pbf_fraction_slope(p->fractions, p->wall[i].w / p->h);
        displace(&c->a, i, rub(c->w, &c->a, c->dt, i, p->wall_solid[i], real3_of(p->wall[i]), pressed));
    }
}

/* Every solid in turn, a few rounds: in the wedge of two solids each push may undo the other. */
static void push_out(int begin, int end, void *context)
{
    contact *c = context;
    real4 wall[CHUNK];
    int solid_number = solids_count(c->w->solids);
    rub_by_pressure(c, begin, end);
    for (int first = begin; first < end; first += CHUNK) {
        int n = end - first < CHUNK ? end - first : CHUNK;
        for (int round = 0; round < 2; round++)
            for (int solid = 0; solid < solid_number; solid++) {
                double adhesion = solids_info(c->w->solids, solid, c->w->materials[0].surface_tension).adhesion;
                real share = round ? 0 : pbf_adhesion_share(adhesion, (double)c->dt / c->w->frame_interval);
                solids_distance(c->w->solids, solid, 2 * (double)c->p->s, n, c->a.x + first, wall);
                for (int i = 0; i < n; i++) {
                    pbf_push_particle(c->p, c->w, &c->a, c->dt, first + i, solid, wall[i]);
                    pbf_adhere_particle(c->p, c->w, &c->a, c->dt, first + i, solid, wall[i], share);
                }
            }
    }
}

void pbf_push_out(pbf_state *p, world *w, real dt)
{
    if (solids_count(w->solids) == 0) return;
    contact c = {.p = p, .w = w, .a = pbf_arrays_of(p, w), .dt = dt};
    parallel_for(w->particles->count, 2 * CHUNK, push_out, &c);
}
