/* Solids in the paper mode: a swept prediction, so that a step of many spacings does not pass through a thin solid; a
 * push to s/2 from the surface; the adhesion constraint (section 6.2, after Bender et al. 2017). A solid of a contact
 * angle below 90 degrees adheres with cos(theta) at least, one of more than 90 degrees not at all. */
#include "methods/pbf/paper.h"
#include "solids/contact.h"

enum { CHUNK = 256, MAX_PARTS = 256 };

/* --- a particle and a solid --- */

/* A pass in which particles meet solids. Solids stand where they are at the step's end. */
typedef struct contact {
    const pbf_state *p;
    const world *w;
    pbf_arrays a;
    real dt, rate; /* s; kg/s, from a displacement to an impulse */
    solid_pushes *to;
} contact;

static contact contact_of(const pbf_state *p, const world *w, real dt, solid_pushes *to)
{
    real rate = (real)(w->particle_mass[0] / (double)dt);
    return (contact){.p = p, .w = w, .a = pbf_arrays_of(p, w), .dt = dt, .rate = rate, .to = to};
}

/* How far particle i has moved in this step against the solid there, m. */
static inline real3 slip_of(const contact *c, int i, int solid)
{
    real3 with = solids_velocity(c->w->solids, solid, real3_of(c->a.x[i]));
    return real3_sub(real3_of(c->a.move[i]), real3_scale(c->dt, with));
}

/* What friction takes of particle i's way along a solid that presses it off by `pressed` (m). */
static inline real3 rub(const contact *c, int i, int solid, real3 n, real pressed)
{
    real friction = (real)solids_info(c->w->solids, solid, c->w->materials[0].surface_tension).friction;
    if (!(friction > 0)) return (real3){0, 0, 0};
    real3 slip = real3_across(slip_of(c, i, solid), n);
    return real3_scale(-contact_friction(slip, friction * pressed), slip);
}

/* Particle i has been moved by d (m) on behalf of a solid: the solid takes the impulse. */
static void push_solid(const contact *c, push_kind kind, int i, int solid, real3 d)
{
    solids_push(c->to, kind, solid, real3_of(c->a.x[i]), real3_scale(-c->rate, d));
}

/* What is along the solid is shear, what is along its normal n pressure. */
static inline void displace(const contact *c, int i, int solid, real3 n, real3 d)
{
    real3 before = real3_of(c->a.move[i]);
    real4_add(&c->a.x[i], d);
    real4_add(&c->a.move[i], d);
    real3 way = real3_sub(real3_of(c->a.move[i]), before), along = real3_across(way, n);
    push_solid(c, PUSH_PRESSURE, i, solid, real3_sub(way, along));
    push_solid(c, PUSH_SHEAR, i, solid, along);
}

/* Moves particle i (x and move alike) to s/2 from a solid whose normal and distance are `wall`; what it had along the
 * surface against the solid is lessened by friction. Does nothing where it is that far already. */
static void push_particle(const contact *c, int i, int solid, real4 wall)
{
    real depth = contact_depth(wall, c->p->s / 2);
    if (depth <= 0) return;
    real3 n = real3_of(wall);
    displace(c, i, solid, n, real3_madd(rub(c, i, solid, n, depth), depth, n));
}

/* The adhesion constraint: a particle at s/2 from a solid keeps its place on it, up to a share of its way along the
 * surface or off it; the share fades to nothing a spacing farther out. Nobody is drawn nearer: that would heat the
 * liquid. */
static void adhere_particle(const contact *c, int i, int solid, real4 wall, real share)
{
    real out = fmax(wall.w / c->p->s - (real)0.5, (real)0);
    if (!(share > 0) || out >= 1) return;
    real3 n = real3_of(wall), slip = slip_of(c, i, solid);
    slip = real3_madd(slip, -contact_into(slip, n), n);
    displace(c, i, solid, n, real3_scale(-share * (1 - out), slip));
}

/* The share of adhere_particle for steps of so many frames: a solid's adhesion is what a whole frame takes, whatever
 * the steps (Mueller et al. 2007). */
static real share_in_frames(double adhesion, double frames)
{
    return adhesion > 0 ? (real)(1 - pow(1 - fmin(adhesion, 1), frames)) : 0;
}

/* --- prediction --- */

/* Moves particle i along its way in parts of less than half a spacing, each ended outside of every solid. */
static void sweep(const paper *k, const contact *c, int i, real3 way)
{
    real length = real3_length(way), longest = (real)0.4 * k->p->s;
    int parts = length < MAX_PARTS * longest ? (int)ceil(length / longest) : MAX_PARTS;
    if (parts < 1) parts = 1;
    real3 part = real3_scale(1 / (real)parts, way);
    for (int n = 0; n < parts; n++) {
        real4_add(&k->a.x[i], part);
        real4_add(&k->a.move[i], part);
        for (int solid = 0; solid < solids_count(k->w->solids); solid++) {
            real4 wall;
            solids_distance(k->w->solids, solid, (double)k->p->s, 1, &k->a.x[i], &wall);
            if (!(contact_depth(wall, k->p->s / 2) > 0)) continue;
            push_particle(c, i, solid, wall);
            /* What is left of the way goes along the surface. */
            real3 normal = real3_of(wall), along = real3_madd(part, -contact_into(part, normal), normal);
            push_solid(c, PUSH_PRESSURE, i, solid, real3_scale((real)(parts - 1 - n), real3_sub(along, part)));
            part = along;
        }
    }
}

static void predict(int begin, int end, void *context, solid_pushes *to)
{
    const paper *k = context;
    contact c = contact_of(k->p, k->w, k->dt, to);
    const solids *all = k->w->solids;
    bool has_solids = solids_count(all) > 0;
    real4 wall[CHUNK];
    int32_t which[CHUNK];
    for (int first = begin; first < end; first += CHUNK) {
        int n = end - first < CHUNK ? end - first : CHUNK;
        real longest = 0;
        for (int i = 0; i < n; i++) longest = fmax(longest, real3_length(real3_of(k->a.v[first + i])) * k->dt);
        if (has_solids) solids_nearest(all, (double)(longest + k->p->s), n, k->a.x + first, wall, which);
        for (int i = 0; i < n; i++) {
            real3 way = real3_scale(k->dt, real3_of(k->a.v[first + i]));
            if (has_solids && which[i] >= 0 && wall[i].w < real3_length(way) + k->p->s / 2) {
                k->a.move[first + i] = (real4){0, 0, 0, 0};
                sweep(k, &c, first + i, way);
            } else {
                k->a.move[first + i] = real4_of(way, 0);
                real4_add(&k->a.x[first + i], way);
            }
        }
    }
}

void pbf_paper_predict(paper *k) { solids_each(k->w->solids, k->count, predict, k); }

/* --- contacts --- */

static void find_near(int begin, int end, void *context)
{
    paper *k = context;
    real4 wall[CHUNK];
    int32_t which[CHUNK];
    solids_nearest(k->w->solids, 2 * (double)k->p->s, end - begin, k->a.x + begin, wall, which);
    for (int i = begin; i < end; i++) k->is_near[i] = which[i - begin] >= 0;
}

/* Finds the particles within two spacings of a solid: nobody moves farther than the difference to contact between two
 * resets. */
dew_result pbf_paper_find_contacts(paper *k)
{
    k->near_count = 0;
    if (solids_count(k->w->solids) == 0) return DEW_OK;
    ARENA_TRY(k->w->scratch, k->count, k->near, k->is_near);
    parallel_for(k->count, CHUNK, find_near, k);
    k->near_count = surface_compact(k->is_near, k->count, k->near);
    return DEW_OK;
}

/* The share of its distance from its place that a particle is brought back in a round. */
static real adhesion_share(const paper *k, int solid)
{
    solid_info info = solids_info(k->w->solids, solid, k->w->materials[0].surface_tension);
    if (info.cos_contact_angle < -1e-9) return 0;
    double rounds = k->iterations * k->w->frame_interval / (double)k->dt;
    return share_in_frames(fmax(info.adhesion, info.cos_contact_angle), 1 / rounds);
}

static void meet_solids(int begin, int end, void *context, solid_pushes *to)
{
    const paper *k = context;
    contact c = contact_of(k->p, k->w, k->dt, to);
    real4 place[CHUNK], wall[CHUNK];
    int solid_number = solids_count(k->w->solids);
    for (int solid = 0; solid < solid_number; solid++) {
        real share = adhesion_share(k, solid);
        for (int first = begin; first < end; first += CHUNK) {
            int n = end - first < CHUNK ? end - first : CHUNK;
            for (int i = 0; i < n; i++) place[i] = k->a.x[k->near[first + i]];
            solids_distance(k->w->solids, solid, 2 * (double)k->p->s, n, place, wall);
            for (int i = 0; i < n; i++) {
                push_particle(&c, k->near[first + i], solid, wall[i]);
                adhere_particle(&c, k->near[first + i], solid, wall[i], share);
            }
        }
    }
}

void pbf_paper_project_contacts(paper *k) { solids_each(k->w->solids, k->near_count, meet_solids, k); }
