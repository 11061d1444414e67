/* `tension: area`: gamma times the area of the local meshes as an energy, the same as pbf's (surface/tension.c), in
 * place of the curvature's force. Each point of the mesh gives its force to the particles around by the kernel's own
 * weights, which one pressure balances however they lie (surface/spread.c). Rings are found in the store of surface
 * particles, whose lists are short.
 *
 * The mesh goes through the centres, not s/2 above them: a force that is spread acts about so deep, and what balances
 * it at rest is the pressure on a surface there. In motion, pressure gradients lack the part 1 - c along the surface,
 * where the kernel is not filled, so what does their work is added, -gamma (1 - c) grad_t kappa (forces.c). */
#include "methods/sph/flow.h"
#include "solids/moving_line.h"
#include "solids/wall_strip.h"
#include "surface/tension.h"

enum { TANGENTIAL_ROUNDS = 6 };

/* In s, half the side of the square that a ring starts from. */
#define BOX 3

/* Drops on solids that repel come to rest too low by as much in the cosine: measured once on a plane, and taken off. */
#define REPELLED_BIAS 0.05

/* Of what |S| is on a plane through the particle, a surface particle's least; and the part of a kernel below which it
 * is in no liquid's inside. */
#define LEAST_FACING ((real)0.45)
#define FEW ((real)0.55)

/* --- who lies on the mesh --- */

static real ease_of(const flow *k, int i)
{
    bool is_next = sph_is_held(k, i) && k->wall[i].w < (real)1.5 * k->p->s;
    return is_next ? wetting_ease(sph_cosine(k, k->wall_solid[i])) : 1;
}

bool sph_may_see(const flow *k, int i)
{
    real size = real3_length(sph_whole_gradient(k, i)), filled = k->filled[i].w + (k->wall ? k->solid[i].w : 0);
    return size > LEAST_FACING * wendland_beyond_slope(0) * ease_of(k, i) || filled < FEW;
}

typedef struct seeing {
    const flow *k;
    const uint8_t *may_see;
    uint8_t *sees;
    real *ease;
} seeing;

static void begin_to_see(int begin, int end, void *context)
{
    const seeing *s = context;
    for (int i = begin; i < end; i++) s->sees[i] = s->may_see[i], s->ease[i] = ease_of(s->k, i);
}

dew_result sph_see_out(const flow *k, const uint8_t *may_see, uint8_t *is_surface)
{
    arena *memory = k->w->scratch;
    size_t mark = arena_mark(memory);
    seeing s = {.k = k, .may_see = may_see};
    ARENA_TRY(memory, k->count, s.sees, s.ease);
    ARENA_ARRAY_ZEROED(memory, k->count, uint8_t, unrest);
    parallel_for(k->count, 4096, begin_to_see, &s);
    surface_detection d = {k->p->s, k->wall, s.ease, s.sees, is_surface, unrest, false, 0};
    RESULT_TRY(surface_detect(&d, k->w->neighbours, k->a.x, k->count, memory));
    arena_release(memory, mark);
    return DEW_OK;
}

typedef struct mesh {
    flow *k;
    const int32_t *slot; /* of each of the surface store, in the particles' own */
    uint8_t *is_surface;
    line_faces faces, own; /* by the particles' own slots, and by the store's */
    real *box;
    real4 *force;   /* N, of the surface store */
    real4 *of_wall; /* what of it solids give; NULL without solids */
    real4 *whole;   /* the same, by the particles' own slots; then as acceleration */
} mesh;

static real cosine_to_set(double cosine)
{
    double repels = fmin(cosine, 0);
    return (real)fmax(cosine - REPELLED_BIAS * repels * repels, -1);
}

static real cosine_at(const flow *k, int solid)
{
    return solid < 0 ? NO_SOLID : cosine_to_set((double)sph_cosine(k, solid));
}

static void find_cosines(int begin, int end, void *context)
{
    mesh *m = context;
    for (int i = begin; i < end; i++)
        for (int a = 0; a < 2; a++) m->faces.cosine[a][i] = cosine_at(m->k, m->faces.solid[a][i]);
}

static dew_result hold_line(mesh *m)
{
    flow *k = m->k;
    if (held_line_first(k->w->solids, 0, (double)k->gamma) < 0) return DEW_OK;
    k->held = (held_line){.solids = k->w->solids,
                          .surface_tension = (double)k->gamma,
                          .table = &k->p->line,
                          .all = k->w->particles,
                          .lists = k->lists,
                          .hold = k->p->hold,
                          .first = k->p->change,
                          .other = k->p->tension,
                          .spacing = k->p->s,
                          .reach = k->p->support,
                          .dt = k->dt,
                          .normal = k->a.normal,
                          .cosine = cosine_to_set};
    return held_line_pull(&k->held, &m->faces, k->w->scratch);
}

static dew_result find_faces(mesh *m)
{
    flow *k = m->k;
    m->faces = (line_faces){.wall = {k->wall, k->other}, .solid = {k->wall_solid, k->other_solid}};
    ARENA_TRY(k->w->scratch, k->count, m->faces.cosine[0], m->faces.cosine[1]);
    parallel_for(k->count, 1024, find_cosines, m);
    moving_line line = {.solids = k->w->solids,
                        .liquids = {k->w->materials, NULL},
                        .dt = k->dt,
                        .spacing = k->p->s,
                        .reach = k->p->support,
                        .lists = k->lists,
                        .count = k->count,
                        .position = k->a.x,
                        .way = k->a.v,
                        .time = 1,
                        .normal = k->a.normal,
                        .is_surface = k->a.is_surface};
    RESULT_TRY(hold_line(m));
    return line_faces_bend(&m->faces, &line, k->w->scratch);
}

static void copy_face(mesh *m, int a, int n, int i)
{
    const line_faces *from = &m->faces;
    line_faces *to = &m->own;
    to->wall[a][n] = from->wall[a][i], to->solid[a][n] = from->solid[a][i], to->cosine[a][n] = from->cosine[a][i];
    to->drawn[a][n] = from->drawn[a] ? from->drawn[a][i] : from->cosine[a][i];
}

static void copy_points(int begin, int end, void *context)
{
    mesh *m = context;
    const flow *k = m->k;
    for (int n = begin; n < end; n++) {
        int i = m->slot[n];
        m->is_surface[n] = k->a.is_surface[i];
        if (!k->wall) continue;
        for (int a = 0; a < 2; a++) copy_face(m, a, n, i);
        m->box[n] = k->wall_solid[i] < 0 ? 0 : ring_box_at_solid(k->wall[i].w, (double)m->own.cosine[0][n], k->p->s);
    }
}

static void put_forces(int begin, int end, void *context)
{
    mesh *m = context;
    real inv_mass = (real)(1 / m->k->w->particle_mass[0]);
    for (int n = begin; n < end; n++) {
        m->whole[m->slot[n]] = m->force[n];
        if (m->of_wall) m->k->of_line[m->slot[n]] = real4_of(real3_scale(inv_mass, real3_of(m->of_wall[n])), 0);
    }
}

static dew_result open_mesh(mesh *m, flow *k)
{
    sph_state *p = k->p;
    particles *store = &p->surface.store;
    arena *memory = k->w->scratch;
    *m = (mesh){.k = k,
                .slot = particles_field(store, p->surface.slot),
                .is_surface = particles_field(store, p->surface.is_surface),
                .whole = k->mesh};
    ARENA_TRY(memory, store->end, m->force);
    if (k->wall) ARENA_TRY(memory, store->end, m->box);
    for (int a = 0; a < 2 && k->wall; a++)
        ARENA_TRY(memory, store->end, m->own.wall[a], m->own.solid[a], m->own.cosine[a], m->own.drawn[a]);
    if (k->wall) ARENA_TRY_ZEROED(memory, store->end, m->of_wall);
    if (k->wall) ARENA_TRY_ZEROED(memory, k->count, k->of_line);
    if (k->wall) RESULT_TRY(find_faces(m));
    parallel_for(store->count, 1024, copy_points, m);
    particles_update_ghosts(store, p->surface.is_surface);
    return DEW_OK;
}

static dew_result find_forces(mesh *m)
{
    flow *k = m->k;
    sph_state *p = k->p;
    particles *store = &p->surface.store;
    arena *memory = k->w->scratch;
    const real4 *normal = particles_field(store, p->surface.sharp);
    ARENA_ARRAY(memory, store->count, int32_t, list);
    int count = surface_compact(m->is_surface, store->count, list);
    ring_params how = {.reach = p->support, .box = BOX * p->s, .box_of = m->box, .film_check = true};
    rings r;
    RESULT_TRY(
        surface_rings(&how, p->surface.lists, store, store->position, normal, m->is_surface, list, count, memory, &r));
    strip_search ends = {k->w->solids, &r, store->position, normal, p->s, p->s / 2, store->count};
    RESULT_TRY(line_faces_meet(&m->own, &ends, memory));
    area_tension tension = {.surface_tension = k->gamma,
                            .spacing = p->s,
                            .rounds = TANGENTIAL_ROUNDS,
                            .is_spread = true,
                            .wall = m->own.wall[0],
                            .cosine = m->own.cosine[0],
                            .other_wall = m->own.wall[1],
                            .other_cosine = m->own.cosine[1],
                            .meets = m->own.meets[0],
                            .other_meets = m->own.meets[1],
                            .drawn = m->own.drawn[0],
                            .other_drawn = m->own.drawn[1],
                            .of_wall = m->of_wall};
    return surface_area_force(&tension, &r, store, store->position, normal, memory, m->force);
}

dew_result sph_find_area_tension(flow *k)
{
    sph_state *p = k->p;
    ARENA_TRY_ZEROED(k->w->scratch, k->count, k->mesh);
    if (!(k->gamma > 0) || p->surface.store.count == 0) return DEW_OK;
    mesh m;
    RESULT_TRY(open_mesh(&m, k));
    RESULT_TRY(find_forces(&m));
    parallel_for(p->surface.store.count, 1024, put_forces, &m);
    particles_update_ghosts(k->w->particles, p->is_surface);
    spread_params spread = {
        .support = p->support, .spacing = p->s, .is_wendland = true, .is_near = k->is_near, .share = p->share};
    return surface_spread_force(&spread, k->lists, k->w->particles, k->a.normal, k->a.is_surface, k->w->scratch,
                                k->mesh);
}
