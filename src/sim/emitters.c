#include "sim/emitters.h"

#include "base/arena.h"
#include "base/parallel.h"

#include <limits.h>
#include <stdlib.h>

/* The disc or rectangle, placed: centre, normal and the two half axes of the rectangle around it. */
typedef struct opening {
    dew_vec3 centre, normal, u, v; /* u, v: unit */
    double half_u, half_v, radius; /* radius: 0 for a rectangle */
} opening;

static dew_vec3 rotated(const dew_shape_def *s, dew_vec3 a)
{
    dew_vec3 k = vec3_normalise(s->rotation_axis);
    double c = cos(s->rotation_angle), d = sin(s->rotation_angle);
    return vec3_add(vec3_add(vec3_scale(c, a), vec3_scale(d, vec3_cross(k, a))),
                    vec3_scale((1 - c) * vec3_dot(k, a), k));
}

static opening opening_of(const dew_shape_def *s, int dimension)
{
    opening o = {.radius = 0};
    bool is_disc = s->kind == DEW_SHAPE_DISC;
    dew_vec3 centre = is_disc ? s->disc.centre : s->rectangle.centre;
    o.centre = vec3_add(rotated(s, vec3_scale(s->scale, centre)), s->translation);
    if (is_disc) {
        o.normal = vec3_normalise(rotated(s, s->disc.normal));
        o.radius = o.half_u = o.half_v = s->scale * s->disc.radius;
        dew_vec3 other = fabs(o.normal.z) < 0.9 ? (dew_vec3){0, 0, 1} : (dew_vec3){1, 0, 0};
        o.u = vec3_normalise(vec3_cross(other, o.normal));
    } else {
        dew_vec3 u = rotated(s, vec3_scale(s->scale, s->rectangle.half_u));
        dew_vec3 v = rotated(s, vec3_scale(s->scale, s->rectangle.half_v));
        if (dimension == 2 && fabs(u.z) > fabs(v.z)) {
            dew_vec3 t = u;
            u = v, v = vec3_scale(-1, t); /* the normal stays */
        }
        o.half_u = vec3_length(u), o.half_v = vec3_length(v);
        o.u = vec3_normalise(u), o.normal = vec3_normalise(vec3_cross(u, v));
    }
    o.v = vec3_cross(o.normal, o.u);
    return o;
}

/* Whether a place lies in the domain as planes of symmetry bound it; `clear`: at least so far from them, m. */
static bool is_on_this_side(const dew_domain_def *d, dew_vec3 x, double clear)
{
    for (int a = 0; a < 3; a++)
        if (d->axis[a] == DEW_SYMMETRY &&
            (vec3_at(x, a) < vec3_at(d->min, a) + clear || vec3_at(x, a) > vec3_at(d->max, a) - clear))
            return false;
    return true;
}

static dew_vec3 place_in(const opening *o, double a, double b)
{
    return vec3_add(o->centre, vec3_add(vec3_scale(a, o->u), vec3_scale(b, o->v)));
}

static bool is_in_opening(const opening *o, double a, double b)
{
    if (o->radius > 0) return a * a + b * b <= o->radius * o->radius;
    return fabs(a) <= o->half_u * (1 - 1e-9) && fabs(b) <= o->half_v * (1 - 1e-9);
}

/* How much of the opening planes of symmetry leave: 1 without them. */
static double share_of(const opening *o, const dew_domain_def *d, int dimension)
{
    enum { ACROSS = 256 };
    int all = 0, kept = 0;
    for (int j = 0; j < (dimension == 2 ? 1 : ACROSS); j++)
        for (int i = 0; i < ACROSS; i++) {
            double a = (2 * (i + 0.5) / ACROSS - 1) * o->half_u;
            double b = dimension == 2 ? 0 : (2 * (j + 0.5) / ACROSS - 1) * o->half_v;
            if (!is_in_opening(o, a, b)) continue;
            all++, kept += is_on_this_side(d, place_in(o, a, b), 0);
        }
    return (double)kept / all;
}

/* Particles begin no nearer to a plane of symmetry than this share of a spacing, for their images lie as near. */
#define FROM_PLANE 0.25

/* Sites of a square lattice with a site at `phase` (in spacings) from the centre; only counts when `sites` is NULL. */
static int lattice(const opening *o, const dew_domain_def *domain, int dimension, double spacing, double phase_u,
                   double phase_v, dew_vec3 *sites)
{
    int count = 0, nu = (int)(o->half_u / spacing) + 1, nv = dimension == 2 ? 0 : (int)(o->half_v / spacing) + 1;
    for (int j = -nv; j <= nv; j++) {
        for (int i = -nu; i <= nu; i++) {
            double a = (i + phase_u) * spacing, b = dimension == 2 ? 0 : (j + phase_v) * spacing;
            dew_vec3 x = place_in(o, a, b);
            if (!is_in_opening(o, a, b) || !is_on_this_side(domain, x, FROM_PLANE * spacing)) continue;
            if (sites) sites[count] = x;
            count++;
        }
    }
    return count;
}

/* The lattice can be laid about the centre in four ways; it takes the one whose number of sites comes nearest to
 * area/spacing^2, so that layers are about a spacing apart. */
static dew_result place_sites(emitter *e, const opening *o, const dew_domain_def *domain, int dimension, double spacing)
{
    double area = dimension == 2  ? 2 * o->half_u / spacing
                  : o->radius > 0 ? PI * o->radius * o->radius / (spacing * spacing)
                                  : 4 * o->half_u * o->half_v / (spacing * spacing);
    area *= e->share;
    if (area > 1e7) {
        return result_fail(DEW_INVALID, "a layer would hold %.3g particles; make the shape smaller or spacing larger",
                           area);
    }
    int best = 0;
    double best_error = INFINITY;
    for (int k = 0; k < 4; k++) {
        double error = fabs(lattice(o, domain, dimension, spacing, 0.5 * (k & 1), 0.5 * (k >> 1), NULL) - area);
        if (error < best_error) best = k, best_error = error;
    }
    double phase_u = 0.5 * (best & 1), phase_v = 0.5 * (best >> 1);
    e->site_count = lattice(o, domain, dimension, spacing, phase_u, phase_v, NULL);
    if (e->site_count == 0) {
        return result_fail(DEW_INVALID, "the shape is too small for a single particle %g m wide", spacing);
    }
    e->sites = malloc((size_t)e->site_count * sizeof *e->sites);
    if (!e->sites) return result_fail(DEW_NO_MEMORY, "no memory for an emitter of %d sites", e->site_count);
    lattice(o, domain, dimension, spacing, phase_u, phase_v, e->sites);
    e->pitch = spacing * e->site_count / area;
    e->centre = o->centre, e->normal = o->normal,
    e->radius = o->radius > 0 ? o->radius : hypot(o->half_u, dimension == 2 ? 0 : o->half_v);
    return DEW_OK;
}

static real4 record_of(dew_vec3 a) { return (real4){(real)a.x, (real)a.y, (real)a.z, 0}; }

dew_result emitter_create(emitter *e, const dew_emitter_def *def, const dew_domain_def *domain, int dimension,
                          double spacing)
{
    *e = (emitter){.material = (uint8_t)def->material,
                   .from = def->from,
                   .to = def->to,
                   .velocity = def->velocity,
                   .temperature = def->temperature,
                   .concentration = def->concentration,
                   .held = {-1, -1, -1, -1}};
    opening o = opening_of(&def->shape, dimension);
    e->inflow = vec3_dot(def->velocity, o.normal);
    if (!(e->inflow > 0)) {
        dew_result result =
            result_fail(DEW_INVALID,
                        "the velocity (%g, %g, %g) m/s does not lead out along the shape's normal (%g, %g, %g); turn "
                        "one of them around",
                        def->velocity.x, def->velocity.y, def->velocity.z, o.normal.x, o.normal.y, o.normal.z);
        return result_under(result, "velocity");
    }
    e->share = share_of(&o, domain, dimension);
    dew_result result =
        e->share > 0 ? place_sites(e, &o, domain, dimension, spacing)
                     : result_fail(DEW_INVALID, "all of it lies beyond the domain's planes of symmetry; move it");
    if (result != DEW_OK) return result_under(result, "shape");
    double brought = e->inflow * (e->to - e->from) / e->pitch * e->site_count;
    if (brought >= 0.5) return DEW_OK;
    return result_under(
        result_fail(DEW_INVALID,
                    "what flows in from %g to %g s is %.2g of a particle; let it flow longer or faster, "
                    "or take a finer spacing",
                    e->from, e->to, brought),
        "to");
}

inflow_mouth emitter_mouth(const emitter *e) { return (inflow_mouth){e->centre, e->normal, e->radius, e->from, e->to}; }

dew_result emitter_check_clear(const emitter *e, solids *s, double spacing)
{
    /* A disc may be flush with a wall, and overlap the rim of the pipe that it closes. */
    enum { BLOCK = 64 };
    real4 points[BLOCK], nearest[BLOCK];
    int32_t which[BLOCK], solid = -1;
    int buried = 0;
    solids_place(s, e->from, e->from);
    for (int first = 0; first < e->site_count; first += BLOCK) {
        int n = e->site_count - first < BLOCK ? e->site_count - first : BLOCK;
        for (int k = 0; k < n; k++) points[k] = record_of(e->sites[first + k]);
        solids_nearest(s, spacing, n, points, nearest, which);
        for (int k = 0; k < n; k++)
            if (which[k] >= 0 && (double)nearest[k].w < -spacing / 2) buried++, solid = which[k];
    }
    solids_place(s, 0, 0);
    if (2 * buried <= e->site_count) return DEW_OK;
    dew_result result = result_fail(
        DEW_INVALID,
        "the shape lies within solid '%s' (%d of the %d places where its particles begin); move it out of it, or cut a "
        "channel into the solid",
        solids_info(s, solid, 0).name, buried, e->site_count);
    return result_under(result, "shape");
}

/* Of the side that a rim leaves per length along the normal, over what it would were the flow along that: t the rim's
 * direction at an angle about the middle. */
static double slant_of(const emitter *e, const opening *o, int dimension, double x, double y)
{
    dew_vec3 t = dimension == 2       ? (dew_vec3){0, 0, 1}
                 : o->radius > 0      ? vec3_add(vec3_scale(-y, o->u), vec3_scale(x, o->v))
                 : fabs(x) >= fabs(y) ? o->v
                                      : o->u;
    return vec3_length(vec3_cross(e->velocity, t)) / e->inflow;
}

void emitter_find_surface(emitter *e, const dew_emitter_def *def, solids *s, int dimension, double spacing,
                          double surface_tension)
{
    enum { RIM = 64 };
    opening o = opening_of(&def->shape, dimension);
    real4 point[RIM], nearest[RIM];
    int32_t which[RIM];
    double slant[RIM];
    int count = dimension == 2 ? 2 : RIM;
    for (int k = 0; k < count; k++) {
        double angle = 2 * PI * k / count, x = cos(angle), y = dimension == 2 ? 0 : sin(angle);
        slant[k] = slant_of(e, &o, dimension, x, y);
        double most = o.radius > 0 ? 1 : fmax(fabs(x), fabs(y)); /* a rectangle's rim goes around in the same turn */
        point[k] = record_of(
            vec3_add(o.centre, vec3_add(vec3_scale(x / most * o.half_u, o.u), vec3_scale(y / most * o.half_v, o.v))));
    }
    int walls = 0;
    double around = dimension == 2 ? 2 : o.radius > 0 ? 2 * PI * o.radius : 4 * (o.half_u + o.half_v), side = 0;
    double area = dimension == 2 ? 2 * o.half_u : o.radius > 0 ? PI * o.radius * o.radius : 4 * o.half_u * o.half_v;
    solids_place(s, e->from, e->from);
    solids_nearest(s, spacing, count, point, nearest, which);
    for (int k = 0; k < count; k++) {
        /* A pipe's wall leads along the flow; one that the emitter stands on does not. */
        dew_vec3 n = {nearest[k].x, nearest[k].y, nearest[k].z};
        bool is_wall = which[k] >= 0 && (double)nearest[k].w < spacing && fabs(vec3_dot(n, o.normal)) < 0.5;
        walls += is_wall;
        side += slant[k] * (is_wall ? -solids_info(s, which[k], surface_tension).cos_contact_angle : 1);
    }
    real4 centre = record_of(o.centre), behind;
    solids_nearest(s, spacing, 1, &centre, &behind, which);
    solids_place(s, 0, 0);
    e->is_flush = which[0] >= 0 && fabs(vec3_dot((dew_vec3){behind.x, behind.y, behind.z}, o.normal)) > 0.7;
    e->is_closed = 4 * walls > 3 * count;
    e->side = e->share * surface_tension * around * e->pitch * side / count;
    e->end = e->share * surface_tension * area;
}

/* The way from a place `x` from the middle of layers `half` wide towards it. */
static double packing(double x, double half, double spacing, double skin)
{
    double within = fmax(half - fabs(x) - spacing / 2, 0);
    return x == 0 ? 0 : -copysign(skin * exp(-within / spacing), x);
}

void emitter_pack(emitter *e, const dew_emitter_def *def, int dimension, double spacing, double skin)
{
    opening o = opening_of(&def->shape, dimension);
    if (e->is_closed) return;
    for (int k = 0; k < e->site_count; k++) {
        dew_vec3 from = vec3_sub(e->sites[k], o.centre);
        double a = vec3_dot(from, o.u), b = vec3_dot(from, o.v), r = hypot(a, b);
        double radial = o.radius > 0 && r > 0 ? packing(r, o.radius, spacing, skin) / r : 0;
        double along = o.radius > 0 ? radial * a : packing(a, o.half_u, spacing, skin);
        double across = dimension == 2 ? 0 : o.radius > 0 ? radial * b : packing(b, o.half_v, spacing, skin);
        e->sites[k] = vec3_add(e->sites[k], vec3_add(vec3_scale(along, o.u), vec3_scale(across, o.v)));
    }
}

void emitter_destroy(emitter *e)
{
    free(e->sites);
    e->sites = NULL;
}

/* Where layer `layer`, or a share of it, stands: moved by the inflow for as long as it took to travel from the disc. */
static dew_vec3 layer_shift(const emitter *e, int64_t layer, double share)
{
    double along = e->travel - ((double)layer + share / 2) * e->pitch;
    return vec3_scale(along / e->inflow, e->velocity);
}

/* How far one place is from another along the inflow, in layers. */
static double layers_between(const emitter *e, real4 from, real4 to, double spacing)
{
    dew_vec3 d = {(double)(to.x - from.x), (double)(to.y - from.y), (double)(to.z - from.z)};
    return vec3_dot(d, e->velocity) * e->inflow / (vec3_dot(e->velocity, e->velocity) * spacing);
}

typedef struct holding {
    const emitter *e;
    world *w;
    dew_vec3 shift[EMITTER_MOST_HELD];
    int foremost; /* which held layer borders on the liquid */
    double front; /* its place along the normal, m; NaN: nothing is held */
} holding;

/* Adds what a place and a velocity bring, times `sign`. */
enum { IN_MASS, IN_KINETIC, IN_POTENTIAL, IN_X, IN_Y, IN_Z, IN_SUMS };
static void add_inflow(double *sums, const world *w, double mass, double sign, real4 x, real4 v)
{
    dew_vec3 place = {x.x, x.y, x.z}, velocity = {v.x, v.y, v.z};
    mass *= sign;
    sums[IN_KINETIC] += mass * vec3_dot(velocity, velocity) / 2;
    sums[IN_POTENTIAL] -= mass * vec3_dot(w->gravity, place);
    sums[IN_X] += mass * velocity.x, sums[IN_Y] += mass * velocity.y, sums[IN_Z] += mass * velocity.z;
}

static void add_sums(inflow *in, const double *sums)
{
    in->mass += sums[IN_MASS], in->kinetic += sums[IN_KINETIC], in->potential += sums[IN_POTENTIAL];
    in->momentum = vec3_add(in->momentum, (dew_vec3){sums[IN_X], sums[IN_Y], sums[IN_Z]});
}

/* Puts a particle elsewhere, with another velocity, and adds what that brings. is_pushing: into liquid, and not into
 * the place that a held layer before it leaves; in a pipe the method knows of a piston. */
static void move_particle(const holding *h, int i, dew_vec3 to, dew_vec3 v, bool is_pushing, double *sums)
{
    world *w = h->w;
    particles *p = w->particles;
    real4 place = record_of(to), velocity = record_of(v);
    double mass = w->particle_mass[p->material[i]];
    if (w->method->emitter_moved && is_pushing)
        w->method->emitter_moved(w->state, w, i, layers_between(h->e, p->position[i], place, w->spacing));
    place.w = p->position[i].w, velocity.w = p->velocity[i].w;
    add_inflow(sums, w, mass, -1, p->position[i], p->velocity[i]);
    add_inflow(sums, w, mass, 1, place, velocity);
    p->position[i] = place, p->velocity[i] = velocity;
}

/* Holds a particle to the inflow. What the step's forces changed of its velocity, u, the holder takes back by an
 * impulse -m u on what moves with v, whose work is -m u . v: that of u^2/2, which the particle never went by, is no
 * one's. */
static void hold_particle(const holding *h, int i, int layer, dew_vec3 to, double *sums)
{
    const particles *p = h->w->particles;
    real4 v = p->velocity[i];
    dew_vec3 u = vec3_sub((dew_vec3){v.x, v.y, v.z}, h->e->velocity);
    move_particle(h, i, to, h->e->velocity, layer == h->foremost && !h->e->is_closed, sums);
    sums[IN_KINETIC] += h->w->particle_mass[p->material[i]] * vec3_dot(u, u) / 2;
}

/* How far a place is from the disc along its normal, and from its axis. */
static void seen_from_disc(const emitter *e, dew_vec3 x, double *along, double *across)
{
    dew_vec3 d = vec3_sub(x, e->centre);
    *along = vec3_dot(d, e->normal);
    *across = vec3_length(vec3_sub(d, vec3_scale(*along, e->normal)));
}

/* Liquid that has come behind the end of a pipe, the foremost layer that is held, is mirrored there, and moves with it
 * at least: a wall that holds keeps back what lies at it, and a piston that went by would fill with that. */
static void turn_back(const holding *h, int i, double *sums)
{
    const emitter *e = h->e;
    const particles *p = h->w->particles;
    double end = isnan(h->front) ? 0 : h->front, speed = isnan(h->front) ? 0 : e->inflow;
    dew_vec3 x = {p->position[i].x, p->position[i].y, p->position[i].z};
    dew_vec3 v = {p->velocity[i].x, p->velocity[i].y, p->velocity[i].z};
    double along, across;
    seen_from_disc(e, x, &along, &across);
    if (along >= end || along < end - (EMITTER_MOST_HELD + 2) * h->w->spacing || across > e->radius + h->w->spacing / 2)
        return;
    double faster = fmax(speed - vec3_dot(v, e->normal), 0);
    x = vec3_add(x, vec3_scale(2 * (end - along), e->normal));
    move_particle(h, i, x, vec3_add(v, vec3_scale(faster, e->normal)), false, sums);
}

/* Which held layer a particle is of, -1: none; its site there. */
static int layer_of(const emitter *e, int32_t id, uint32_t *site)
{
    for (int k = 0; k < EMITTER_MOST_HELD && e->held[k] >= 0; k++)
        if ((*site = (uint32_t)id - (uint32_t)e->held[k]) < (uint32_t)e->site_count) return k;
    return -1;
}

static void hold_particles(int begin, int end, void *context, double *sums)
{
    const holding *h = context;
    const emitter *e = h->e;
    for (int i = begin; i < end; i++) {
        uint32_t site;
        int layer = layer_of(e, h->w->particles->id[i], &site);
        if (layer >= 0)
            hold_particle(h, i, layer, vec3_add(e->sites[site], h->shift[layer]), sums);
        else if (e->is_closed)
            turn_back(h, i, sums);
    }
}

/* The column has an end in the open from then on. */
static void let_go(emitter *e, inflow *in)
{
    in->surface += e->held[0] >= 0 && !e->is_flush ? e->end : 0;
    for (int k = 0; k < EMITTER_MOST_HELD; k++) e->held[k] = -1;
}

static void hold_new(emitter *e, int32_t first, int most)
{
    for (int k = EMITTER_MOST_HELD; k-- > 1;) e->held[k] = k < most ? e->held[k - 1] : -1;
    e->held[0] = first;
}

/* Whether the first layer comes to liquid that lies at the mouth: else it has an end in the open. */
static bool has_liquid_before(const emitter *e, const world *w)
{
    const particles *p = w->particles;
    for (int i = 0; i < p->count; i++) {
        double along, across;
        seen_from_disc(e, (dew_vec3){p->position[i].x, p->position[i].y, p->position[i].z}, &along, &across);
        if (fabs(along) < 1.5 * w->spacing && across < e->radius) return true;
    }
    return false;
}

/* How much of its next layer still comes before it ends: less than 1 of the last one. */
static double share_of_next(const emitter *e)
{
    return fmin(e->inflow * (e->to - e->from) / e->pitch - (double)e->layers, 1);
}

/* Its first `count` sites of those of a layer that is not whole, evenly spread. */
static int site_of(const emitter *e, int k, int count)
{
    return (int)(((int64_t)2 * k + 1) * e->site_count / (2 * (int64_t)count));
}

/* The last layer has as many particles as bring the mass to that of the rate; it is not held, as nothing follows it. */
static dew_result release_layer(emitter *e, world *w, inflow *in)
{
    particles *p = w->particles;
    size_t mark = arena_mark(w->scratch);
    const double share = share_of_next(e);
    const int count = (int)floor(share * e->site_count + 0.5);
    real4 *place = arena_alloc(w->scratch, 2 * (size_t)e->site_count * sizeof *place);
    real4 *velocity = place + e->site_count;
    if (!place) return result_fail(DEW_NO_MEMORY, "no memory for a layer of %d particles", e->site_count);
    dew_vec3 shift = layer_shift(e, e->layers, share);
    double sums[IN_SUMS] = {0};
    for (int k = 0; k < count; k++) {
        place[k] = record_of(vec3_add(e->sites[site_of(e, k, count)], shift));
        velocity[k] = record_of(e->velocity);
        add_inflow(sums, w, w->particle_mass[e->material], 1, place[k], velocity[k]);
    }
    in->surface += share * e->side;
    if (e->layers == 0 && !has_liquid_before(e, w)) in->surface += e->end;
    sums[IN_MASS] = w->particle_mass[e->material] * count;
    add_sums(in, sums);
    if (share < 1)
        let_go(e, in);
    else
        hold_new(e, p->next_id, w->method->held_layers);
    e->layers++;
    dew_result result = particles_insert(p, count, place, velocity, e->material);
    arena_release(w->scratch, mark);
    if (result == DEW_OK && w->heat) result = heat_begin(w->heat, p, p->count - count, NULL, e->temperature);
    if (result == DEW_OK && w->solute) result = solute_begin(w->solute, p, p->count - count, NULL, e->concentration);
    return result;
}

/* Moves what is held and turns back what is behind; an emitter that does not flow closes its pipe, too. */
static void hold(const emitter *e, world *w, inflow *in)
{
    double sums[IN_SUMS];
    if (e->held[0] < 0 && !e->is_closed) return;
    holding h = {.e = e, .w = w, .front = NAN};
    for (int k = 0; k < EMITTER_MOST_HELD && e->held[k] >= 0; k++) {
        h.shift[k] = layer_shift(e, e->layers - 1 - k, 1);
        h.foremost = k, h.front = vec3_dot(h.shift[k], e->normal);
    }
    parallel_sum(w->particles->count, IN_SUMS, hold_particles, &h, sums);
    add_sums(in, sums);
}

dew_result emitters_advance(emitter *emitters, int count, world *w, double begin, double end, int max_particles,
                            bool *is_full, inflow *in)
{
    int limit = max_particles > 0 ? max_particles : INT_MAX - 1024;
    *is_full = false, *in = (inflow){0};
    for (int k = 0; k < count; k++) {
        emitter *e = &emitters[k];
        double flowing = fmin(end, e->to) - fmax(begin, e->from);
        if (!(flowing > 0)) {
            if (end > e->to) let_go(e, in);
            hold(e, w, in);
            continue;
        }
        e->travel += e->inflow * flowing;
        hold(e, w, in);
        for (double share; (share = share_of_next(e)) * e->site_count >= 0.5 &&
                           e->travel >= ((double)e->layers + share / 2) * e->pitch;) {
            if (w->particles->count > limit - e->site_count) {
                *is_full = true;
                e->travel = -INFINITY, let_go(e, in); /* for good: a gap in the column would be wrong */
                break;
            }
            RESULT_TRY(release_layer(e, w, in));
        }
    }
    return DEW_OK;
}

int emitters_list_held(const emitter *emitters, int count, held_layer *held)
{
    int listed = 0;
    for (int n = 0; n < count; n++) {
        const emitter *e = &emitters[n];
        for (int k = 0; k < EMITTER_MOST_HELD && e->held[k] >= 0; k++)
            held[listed++] = (held_layer){e->held[k], e->site_count, real3_of(record_of(e->velocity)), e->is_closed};
    }
    return listed;
}
