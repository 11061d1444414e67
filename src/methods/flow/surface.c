/* The liquid's surface where tension is the energy of its area (surface/tension.h): who lies on it, normals, the rings
 * of triangles around each. */
#include "surface/tension.h"

#include "base/parallel.h"
#include "methods/flow/flow.h"
#include "solids/moving_line.h"
#include "solids/wall_strip.h"

#include <string.h>

enum { TANGENTIAL_ROUNDS = 2 };

/* Of what |F| is on a plane through the particle, a surface particle's least. */
#define LEAST_FACING ((real)0.45)
/* Of all directions, what one has to see that comes to the surface: from 0.08 on it stays. With a ninth hollows of
 * liquid that is stirred are inside, whose suction keeps them open (a dam break 0.3 to 0.4 % thinner), with 0.08 more
 * come and go (calibration.md of pbf). */
#define COMES ((real)0.095)

typedef struct skin {
    flow_step *k;
    uint8_t *is_candidate;
    real *ease; /* of what it takes to be on the surface, next to a solid */
    line_faces faces;
    real *box, *friction;
    real tension, *relative; /* the most of a liquid's at the air, N/m; each particle's over it, or NULL */
    real4 *force, *of_wall;
    real4 *force_there, *moment; /* before it is lifted; of handing on, N m */
} skin;

static double cosine_of(const flow_step *k, int i, int a)
{
    int material = k->all->material[i], solid = k->near.solid[NEAR_WALLS * i + a];
    return solids_info_of(k->w->solids, solid, material, flow_material(k, i)->surface_tension).cos_contact_angle;
}

static void judge(int begin, int end, void *context)
{
    skin *s = context;
    flow_step *k = s->k;
    const flow_state *p = k->p;
    for (int i = begin; i < end; i++) {
        real3 whole = real3_of(k->facing[i]), normal = whole;
        s->ease[i] = 1;
        if (near_walls_has(&k->near, i)) {
            walls_here here = near_walls_at(&k->near, i, (real3){0, 0, 0}, k->inv_h, &p->crowd);
            for (int a = 0; a < here.count; a++) {
                real4 wall = k->near.wall[NEAR_WALLS * i + a];
                real slope = here.part[a] * half_space_at(p->crowd.slope, here.distance[a]) / 2;
                real dry = 1 - wetted_share(p->fractions, p->h, p->s, wall.w, (real)cosine_of(k, i, a));
                normal = real3_madd(normal, -slope * dry, real3_of(wall));
            }
            if (k->near.wall[NEAR_WALLS * i].w < (real)1.5 * p->s)
                s->ease[i] -= near_walls_wet(&k->near, NEAR_WALLS * i) * (1 - wetting_ease((real)cosine_of(k, i, 0)));
        }
        real facing = real3_length(whole) / (p->c.slope0 / 2);
        k->normal[i] = real4_of(real3_normalise(normal), facing);
        s->is_candidate[i] = facing > LEAST_FACING * s->ease[i] || k->facing[i].w < (real)0.55 * p->c.n0;
    }
}

static void find_boxes(int begin, int end, void *context)
{
    skin *s = context;
    flow_step *k = s->k;
    for (int i = begin; i < end; i++) {
        s->box[i] = 0;
        if (near_walls_has(&k->near, i) && near_walls_wet(&k->near, NEAR_WALLS * i) > 0)
            s->box[i] = ring_box_at_solid(k->near.wall[NEAR_WALLS * i].w, cosine_of(k, i, 0), k->p->s);
    }
}

static dew_result open_skin(skin *s, flow_step *k)
{
    *s = (skin){.k = k};
    arena *memory = k->w->scratch;
    if (!k->near.wall) return DEW_OK;
    ARENA_TRY(memory, k->count, s->box);
    parallel_for(k->count, 1024, find_boxes, s);
    return line_faces_find(&s->faces, &k->near, k->w->solids, flow_liquids(k), memory, k->count);
}

static dew_result find_rings(skin *s)
{
    flow_step *k = s->k;
    arena *memory = k->w->scratch;
    ARENA_ARRAY(memory, k->count, int32_t, list);
    int found = surface_compact(k->is_surface, k->count, list);
    ring_params how = {.reach = k->h, .box = 3 * k->p->s, .box_of = s->box, .film_check = true};
    return (k->w->dimension == 2 ? surface_outline : surface_rings)(&how, k->w->neighbours, k->all, k->x, k->normal,
                                                                    k->is_surface, list, found, memory, &k->rings);
}

dew_result flow_find_surface(flow_step *k)
{
    skin s;
    int count = k->count;
    arena *memory = k->w->scratch;
    RESULT_TRY(open_skin(&s, k));
    ARENA_TRY(memory, count, s.is_candidate, s.ease);
    parallel_for(count, 1024, judge, &s);
    bool is_flat = k->w->dimension == 2;
    surface_detection d = {k->p->s,       s.faces.wall[0], s.ease,  s.is_candidate,
                           k->is_surface, k->unrest,       is_flat, is_flat ? 0 : COMES};
    RESULT_TRY(surface_detect(&d, k->w->neighbours, k->x, count, memory));
    particles_update_ghosts(k->all, k->p->is_surface);
    particles_update_ghosts(k->all, k->p->normal);
    return find_rings(&s);
}

static dew_result rub_line(skin *s)
{
    flow_step *k = s->k;
    if (!k->near.wall) return DEW_OK;
    moving_line line = {.solids = k->w->solids,
                        .liquids = flow_liquids(k),
                        .dt = k->dt,
                        .spacing = k->p->s,
                        .reach = k->h,
                        .lists = k->lists,
                        .count = k->count,
                        .position = k->x,
                        .way = k->went,
                        .time = 1,
                        .normal = k->normal,
                        .is_surface = k->is_surface};
    particles_update_ghosts(k->all, k->p->went);
    ARENA_TRY_ZEROED(k->w->scratch, k->count, k->line);
    ARENA_TRY(k->w->scratch, k->count, s->friction);
    return line_faces_rub(&s->faces, &line, k->w->scratch, s->friction);
}

/* What the mesh pulls at its corners has no moment; what is made of it acts where lift.c has it, and on solids at
 * centres. */
static void note_moment(const skin *s, int i)
{
    flow_step *k = s->k;
    real3 force = real3_of(s->force_there[i]), of_mesh = force;
    if (s->of_wall) of_mesh = real3_sub(of_mesh, real3_of(s->of_wall[i]));
    real3 at = real3_of(k->arm[i]), corner = real3_scale(k->depth[i], real3_of(k->normal[i]));
    real3 moment = real3_sub(real3_cross(at, force), real3_cross(corner, of_mesh));
    flow_note_moment(k, i, real3_scale(k->dt / flow_mass(k, i), real3_add(moment, real3_of(s->moment[i]))));
}

static void add_force(int begin, int end, void *context, solid_pushes *to)
{
    skin *s = context;
    flow_step *k = s->k;
    for (int i = begin; i < end; i++) {
        real4_add(&k->v[i], real3_scale(k->dt / flow_mass(k, i), real3_of(s->force[i])));
        if (s->friction) k->line[i].w = s->friction[i];
        if (k->moment && k->is_surface[i]) note_moment(s, i);
        if (s->of_wall && near_walls_has(&k->near, i))
            flow_push_solid(k, i, PUSH_LINE, k->near.solid[NEAR_WALLS * i],
                            real3_scale(-k->dt, real3_of(s->of_wall[i])), to);
    }
}

static void put_relative(int begin, int end, void *context)
{
    const skin *s = context;
    for (int i = begin; i < end; i++) s->relative[i] = (real)flow_material(s->k, i)->surface_tension / s->tension;
}

static dew_result find_tension(skin *s)
{
    const world *w = s->k->w;
    for (int m = 0; m < w->material_count; m++)
        s->tension = real_max(s->tension, (real)w->materials[m].surface_tension);
    if (w->material_count == 1 || !(s->tension > 0)) return DEW_OK;
    ARENA_TRY(w->scratch, s->k->count, s->relative);
    parallel_for(s->k->count, 4096, put_relative, s);
    return DEW_OK;
}

dew_result flow_tension(flow_step *k)
{
    skin s;
    RESULT_TRY(open_skin(&s, k));
    RESULT_TRY(find_tension(&s));
    if (!(s.tension > 0)) return DEW_OK;
    RESULT_TRY(flow_hold_line(k, &s.faces));
    RESULT_TRY(rub_line(&s));
    strip_search ends = {k->w->solids, &k->rings, k->x, k->normal, k->p->s, k->p->s / 2, k->count};
    RESULT_TRY(line_faces_meet(&s.faces, &ends, k->w->scratch));
    ARENA_TRY(k->w->scratch, k->all->end, s.force);
    RESULT_TRY(flow_find_depth(k));
    if (k->near.wall) ARENA_TRY_ZEROED(k->w->scratch, k->count, s.of_wall);
    if (k->moment) {
        ARENA_TRY(k->w->scratch, k->count, s.force_there);
        ARENA_TRY_ZEROED(k->w->scratch, k->count, s.moment);
    }
    area_tension t = {.is_flat = k->w->dimension == 2,
                      .surface_tension = s.tension,
                      .relative = s.relative,
                      .spacing = k->p->s,
                      .lift = k->p->s / 2,
                      .rounds = TANGENTIAL_ROUNDS,
                      .draws_lines_together = true,
                      .is_spread = true,
                      .wall = s.faces.wall[0],
                      .cosine = s.faces.cosine[0],
                      .other_wall = s.faces.wall[1],
                      .other_cosine = s.faces.cosine[1],
                      .meets = s.faces.meets[0],
                      .other_meets = s.faces.meets[1],
                      .drawn = s.faces.drawn[0],
                      .other_drawn = s.faces.drawn[1],
                      .line = k->line,
                      .moment = s.moment,
                      .of_wall = s.of_wall};
    RESULT_TRY(surface_area_force(&t, &k->rings, k->all, k->mesh, k->normal, k->w->scratch, s.force));
    if (s.force_there) memcpy(s.force_there, s.force, (size_t)k->count * sizeof *s.force);
    flow_lift(k, s.force);
    solids_each(k->w->solids, k->count, add_force, &s);
    return DEW_OK;
}
