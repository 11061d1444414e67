/* Rigid bodies among the solids: how they are made, what may be wrong with them, and their part of a step. */
#include "solids/inside.h"

#include "base/arena.h"
#include "base/parallel.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In spacings: bodies may overlap by as much at the start, as roundings of a scene's numbers make them. */
#define OVERLAP 0.05
/* Of an overlap of bodies, so much is taken away in a step. */
#define MEND 0.1
/* In spacings: so far beyond a face the centre of a body has left, and does not tremble on a plane of symmetry. */
#define LEFT 0.5
/* In spacings: so deep in another solid a body is crushed. Contacts that can hold leave a hundredth (touching.c) and,
 * for some steps, what a rounded edge or a blow brings, below a tenth; the start may bring a twentieth. */
#define CRUSHED 0.25
/* Contacts that a body has room for. */
enum { CONTACTS = 32 };

/* --- as constraints see them --- */

static dew_vec3 place_before(const solid *b)
{
    return b->body ? b->body->state.place : vec3_add(b->before.pivot, b->before.translation);
}

static constrained as_constrained(const solid *b)
{
    constrained c = {
        .is_removed = b->is_removed, .place = place_before(b), .velocity = b->twist.linear, .spin = b->twist.angular};
    if (b->body) {
        body_axes(b->body, c.axis);
        return c;
    }
    for (int i = 0; i < 3; i++) c.axis[i] = vec3_turned(b->before.row, vec3_along(i, 1));
    return c;
}

/* --- making --- */

static dew_result create_body(solids *s, solid *b, const dew_rigid_def *def)
{
    if (!(b->body = calloc(1, sizeof *b->body))) return result_fail(DEW_NO_MEMORY, "no memory for a body");
    RESULT_TRY(body_create(b->body, b->shape, def, s->dimension, s->spacing));
    bounds box = shape_bounds(b->shape);
    dew_vec3 c = b->body->centre;
    double x = fmax(box.max.x - c.x, c.x - box.min.x), y = fmax(box.max.y - c.y, c.y - box.min.y),
           z = s->dimension == 2 ? 0 : fmax(box.max.z - c.z, c.z - box.min.z);
    b->arm = sqrt(x * x + y * y + z * z);
    s->body_count++;
    return DEW_OK;
}

/* Points wherever something may touch: on bodies, and on solids that have an end. */
static dew_result sample_surfaces(solids *s)
{
    int most = 1;
    for (int k = 0; k < s->own; k++) {
        solid *b = &s->solid[k];
        bounds box = shape_bounds(b->shape);
        double x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z,
               size = s->dimension == 2 ? fmax(x, y) : fmax(x, fmax(y, z));
        if (!isfinite(size)) continue;
        RESULT_TRY(touching_sample(b->shape, s->dimension, fmax(s->spacing, size / 24), &b->points, &b->point_count));
        if (b->point_count > most) most = b->point_count;
    }
    s->candidates = aligned_obtain((size_t)most * sizeof *s->candidates);
    s->walls = aligned_obtain((size_t)most * sizeof *s->walls);
    s->contact_room = CONTACTS * s->body_count;
    s->contacts = calloc((size_t)s->contact_room, sizeof *s->contacts);
    s->held = calloc((size_t)s->count, sizeof *s->held);
    s->moves = calloc((size_t)s->own, sizeof *s->moves);
    bool has_all = s->candidates && s->walls && s->contacts && s->held && s->moves;
    return has_all ? DEW_OK : result_fail(DEW_NO_MEMORY, "no memory for %d bodies", s->body_count);
}

static dew_result create_constraints(solids *s, const dew_simulation_def *def)
{
    double length = 0, mass = 0;
    for (int k = 0; k < s->count; k++) {
        const solid *b = &s->solid[k];
        if (b->body) length = fmax(length, b->arm), mass = fmax(mass, b->body->mass);
        s->held[k] = as_constrained(b);
        s->held[k].is_free = b->body != NULL;
        if (b->body) s->held[k].mass = b->body->mass, memcpy(s->held[k].inertia, b->body->inertia, 3 * sizeof(double));
    }
    s->joints = calloc((size_t)def->joint_count + 1, sizeof *s->joints);
    if (!s->joints) return result_fail(DEW_NO_MEMORY, "no memory for %d joints", def->joint_count);
    s->joint_count = def->joint_count;
    if (def->joint_count > 0) memcpy(s->joints, def->joints, (size_t)def->joint_count * sizeof *s->joints);
    return constraints_create(&s->constraints, s->joints, s->joint_count, s->held, s->count, length, mass);
}

static bool are_joined(const solids *s, int a, int b)
{
    for (int k = 0; k < s->joint_count; k++) {
        const dew_joint_def *j = &s->joints[k];
        if ((j->first == a && j->second == b) || (j->first == b && j->second == a)) return true;
    }
    return false;
}

/* Whether two solids may touch: one of them is a body, both are there, and no joint holds them. */
static bool may_touch(const solids *s, int a, int b)
{
    if (s->solid[a].is_removed || s->solid[b].is_removed) return false;
    return (free_body(&s->solid[a]) || free_body(&s->solid[b])) && !are_joined(s, a, b);
}

static void check_overlaps(const solids *s, failures *all)
{
    for (int a = 0; a < s->own; a++)
        for (int b = 0; b < s->count; b++) {
            const solid *first = &s->solid[a], *second = &s->solid[b];
            if (!first->body || a == b || (second->body && b < a) || are_joined(s, a, b)) continue;
            double depth = touching_depth(s, a, b);
            if (!(depth > OVERLAP * s->spacing)) continue;
            char path[64];
            snprintf(path, sizeof path, "solids[%d]", a);
            failures_note(all, path, 0, "move them apart, or join them where they are to hold each other",
                          "the body '%s' overlaps '%s' by %.3g m", first->name, second->name, depth);
        }
}

dew_result bodies_create(solids *s, const dew_simulation_def *def, failures *all)
{
    bool is_whole = s->own == def->solid_count && !failures_concern(all, "joints");
    for (int k = 0, from = 0; k < s->own && from < def->solid_count; k++, from++) {
        while (!is_whole && from < def->solid_count && def->solids[from].name &&
               strcmp(def->solids[from].name, s->solid[k].name) != 0)
            from++; /* those that could not be made */
        if (from >= def->solid_count || !def->solids[from].has_rigid) continue;
        dew_result result = create_body(s, &s->solid[k], &def->solids[from].rigid);
        if (result == DEW_OK) continue;
        failures_add(all, result_under(result, "rigid"), "solids[%d]", from);
        s->solid[k].is_removed = true; /* liquids that are tried next are not cut by what is no body */
        is_whole = false;
    }
    if (s->body_count == 0 || !is_whole) return DEW_OK;
    for (int k = 0; k < def->change_count; k++) {
        int which = def->changes[k].release;
        if (which >= 0 && which < s->own && s->solid[which].body) body_hold(s->solid[which].body, true);
    }
    solids_place(s, 0, 0);
    RESULT_TRY(sample_surfaces(s));
    RESULT_TRY(create_constraints(s, def));
    check_overlaps(s, all);
    return DEW_OK;
}

void bodies_destroy(solids *s)
{
    constraints_destroy(s->constraints);
    aligned_release(s->candidates);
    aligned_release(s->walls);
    free(s->joints);
    free(s->held);
    free(s->moves);
    free(s->contacts);
}

/* --- a step --- */

static int find_contacts(const solids *s, double dt)
{
    int count = 0;
    for (int a = 0; a < s->own; a++)
        for (int b = 0; b < s->count; b++)
            if (s->solid[a].body && b != a && !(s->solid[b].body && b < a) && may_touch(s, a, b))
                count += touching_find(s, a, b, dt, s->contacts + count, s->contact_room - count);
    return count;
}

/* Marks the bodies that contacts or joints may act on. */
static bool mark_constrained(solids *s, int contact_count)
{
    for (int k = 0; k < s->count; k++) s->held[k] = as_constrained(&s->solid[k]);
    bool is_any = contact_count > 0;
    for (int k = 0; k < contact_count; k++)
        s->held[s->contacts[k].first].is_free = s->held[s->contacts[k].second].is_free = true;
    for (int k = 0; k < s->joint_count; k++) {
        if (constraints_have_ended(&s->joints[k], s->held)) continue;
        is_any = s->held[s->joints[k].first].is_free = true;
        if (s->joints[k].second >= 0) s->held[s->joints[k].second].is_free = true;
    }
    for (int k = 0; k < s->count; k++)
        if (!free_body(&s->solid[k]) || s->solid[k].is_removed) s->held[k].is_free = false;
    return is_any;
}

/* Moves apart what overlaps, by a share of it, without giving it velocities that would make it hop; of two bodies each
 * by the other's share of their mass, so that their common centre stays. */
static void move_apart(solids *s, int contact_count)
{
    for (int k = 0; k < contact_count; k++) {
        const contact_point *c = &s->contacts[k];
        body *a = free_body(&s->solid[c->first]), *b = free_body(&s->solid[c->second]);
        bool is_deepest = c->depth > 0;
        for (int i = 0; i < contact_count && is_deepest; i++) {
            const contact_point *o = &s->contacts[i];
            if (o->first == c->first && o->second == c->second)
                is_deepest = o->depth < c->depth || (o->depth == c->depth && i >= k);
        }
        if (!is_deepest) continue;
        double share = !b ? 1 : !a ? 0 : b->mass / (a->mass + b->mass);
        if (a) body_shift(a, vec3_scale(MEND * share * c->depth, c->normal));
        if (b) body_shift(b, vec3_scale(-MEND * (1 - share) * c->depth, c->normal));
    }
}

typedef struct touching_pass {
    const solids *s;
    const real4 *x;
    int solid;
} touching_pass;

static void count_touching(int begin, int end, void *context, double *sums)
{
    enum { BLOCK = 64 };
    const touching_pass *p = context;
    const solid *b = &p->s->solid[p->solid];
    const dew_vec3 c = b->body->state.place;
    const double near = b->arm + 2 * p->s->spacing, spacing = p->s->spacing;
    real4 points[BLOCK], walls[BLOCK];
    for (int i = begin, taken = 0; i < end; i++) {
        dew_vec3 way = {p->x[i].x - c.x, p->x[i].y - c.y, p->x[i].z - c.z};
        if (vec3_dot(way, way) < near * near) points[taken++] = p->x[i];
        if (taken < BLOCK && i + 1 < end) continue;
        solids_distance(p->s, p->solid, spacing, taken, points, walls);
        for (int k = 0; k < taken; k++) sums[0] += (double)walls[k].w < spacing;
        taken = 0;
    }
}

void solids_find_touching(solids *s, int count, const real4 *positions)
{
    if (s->body_count == 0 || s->has_moved_bodies) return;
    for (int k = 0; k < s->own; k++) {
        double touching = 0;
        if (!free_body(&s->solid[k])) continue;
        parallel_sum(count, 1, count_touching, &(touching_pass){s, positions, k}, &touching);
        s->solid[k].body->touching = (int)touching;
    }
}

static void show(solid *b)
{
    b->pose = body_pose(b->body);
    b->twist = (twist){b->body->state.velocity, body_spin(b->body), b->body->state.place};
    if (b->body->state.is_held != 0) b->twist.linear = (dew_vec3){0, 0, 0};
}

void solids_advance_bodies(solids *s, const body_surroundings *around, double dt)
{
    if (s->body_count == 0 || s->has_moved_bodies) return;
    s->has_moved_bodies = true;
    int contact_count = s->contact_count = find_contacts(s, dt);
    bool is_any = mark_constrained(s, contact_count);
    body_move *move = s->moves;
    for (int k = 0; k < s->own; k++) {
        const body *b = free_body(&s->solid[k]);
        if (!b) continue;
        constrained *c = &s->held[k];
        body_begin_move(b, around, dt, c->is_free, &move[k]);
        c->mass = move[k].mass, memcpy(c->inertia, move[k].inertia, sizeof c->inertia);
        c->velocity = move[k].velocity, c->spin = move[k].spin;
    }
    if (is_any) constraints_solve(s->constraints, s->held, s->contacts, contact_count, dt);
    for (int k = 0; k < s->own; k++) {
        body *b = free_body(&s->solid[k]);
        if (!b || s->solid[k].is_removed) continue;
        if (s->held[k].is_free) move[k].velocity = s->held[k].velocity, move[k].spin = s->held[k].spin;
        body_end_move(b, &move[k]);
        s->work += move[k].work;
    }
    move_apart(s, contact_count);
    for (int k = 0; k < s->own; k++)
        if (s->solid[k].body) show(&s->solid[k]);
}

double solids_drag_time(const solids *s, const body_surroundings *around)
{
    double least = INFINITY;
    for (int k = 0; k < s->own; k++)
        if (free_body(&s->solid[k])) least = fmin(least, body_drag_time(s->solid[k].body, around));
    return least;
}

void bodies_place(solids *s, double dt)
{
    s->has_moved_bodies = false;
    for (int k = 0; k < s->own; k++) {
        solid *b = &s->solid[k];
        if (!b->body) continue;
        show(b);
        if (!(dt > 0) || b->body->state.is_held != 0) continue;
        b->pose = body_predicted_pose(b->body, dt);
        b->twist.centre = vec3_add(b->pose.pivot, b->pose.translation);
    }
}

static int face_left_by(const dew_domain_def *d, dew_vec3 centre, double margin)
{
    for (int a = 0; a < 3; a++) {
        if (d->axis[a] == DEW_OPEN || d->axis[a] == DEW_WALL) continue;
        double at = vec3_at(centre, a);
        if (at < vec3_at(d->min, a) - margin) return 1 + 2 * a;
        if (at > vec3_at(d->max, a) + margin) return 2 + 2 * a;
    }
    return 0;
}

void solids_note_leaving(solids *s, const dew_domain_def *domain, double time)
{
    for (int k = 0; k < s->own && s->body_count > 0; k++) {
        body *b = free_body(&s->solid[k]);
        int face = b && !s->solid[k].is_removed && b->state.left_by == 0
                       ? face_left_by(domain, b->state.place, LEFT * s->spacing)
                       : 0;
        if (face) b->state.left_by = face, b->state.left_at = time;
    }
}

/* The way in which a contact pushes one of its two. */
static dew_vec3 push_on(const contact_point *c, int index) { return vec3_scale(c->first == index ? 1 : -1, c->normal); }

/* The solid that presses a body against the push of a contact: of those that touch it the one that pushes the most the
 * other way, by more than it pushes aside; -1: there is none. */
static int find_presser(const solids *s, int index, dew_vec3 push)
{
    double most = sqrt(0.5);
    int presser = -1;
    for (int k = 0; k < s->contact_count; k++) {
        const contact_point *c = &s->contacts[k];
        if (c->first != index && c->second != index) continue;
        double against = -vec3_dot(push, push_on(c, index));
        if (against > most) most = against, presser = c->first == index ? c->second : c->first;
    }
    return presser;
}

void solids_note_crushed(solids *s, double time)
{
    for (int k = 0; k < s->contact_count; k++) {
        const contact_point *c = &s->contacts[k];
        if (!(c->depth > CRUSHED * s->spacing)) continue;
        for (int side = 0; side < 2; side++) {
            int index = side ? c->second : c->first, other = side ? c->first : c->second;
            body *b = free_body(&s->solid[index]);
            if (!b || b->state.crushed_into != 0) continue;
            b->state.crushed_at = time, b->state.crushed_into = 1 + other, b->state.crushed_depth = c->depth;
            b->state.crushed_by = 1 + find_presser(s, index, push_on(c, index));
        }
    }
}

/* --- what may be asked and set --- */

bool solids_is_body(const solids *s, int index) { return s->solid[index].body != NULL; }

double *solids_state(const solids *s, int index, int *count)
{
    *count = BODY_VALUES;
    return s->solid[index].body ? (double *)&s->solid[index].body->state : NULL;
}

_Static_assert(offsetof(body_state, gain) == SOLIDS_STANCE * sizeof(double), "a stance begins a body's state");

bool solids_set_stance(solids *s, int index, const double *stance)
{
    body *b = s->solid[index].body;
    double turn = 0;
    for (int k = 0; k < SOLIDS_STANCE; k++)
        if (!(fabs(stance[k]) < 1e18)) return false;
    for (int k = 6; k < 10; k++) turn += stance[k] * stance[k];
    if (!b || fabs(turn - 1) > 1e-6) return false;
    memcpy(&b->state, stance, SOLIDS_STANCE * sizeof *stance);
    return true;
}

dew_impulse solids_momentum(const solids *s, int index)
{
    const body *b = s->solid[index].is_removed ? NULL : s->solid[index].body;
    return b ? body_momentum(b) : (dew_impulse){{0, 0, 0}, {0, 0, 0}};
}

solid_stand solids_stand(const solids *s, int index)
{
    const solid *b = &s->solid[index];
    return (solid_stand){.centre = b->twist.centre,
                         .rotation = b->pose.rotation,
                         .velocity = b->twist.linear,
                         .spin = b->twist.angular,
                         .mass = b->body ? b->body->mass : INFINITY,
                         .energy = b->body ? body_energy(b->body) : 0,
                         .is_body = b->body != NULL,
                         .is_free = free_body(b) != NULL,
                         .left_by = b->body ? (int)b->body->state.left_by : 0,
                         .left_at = b->body ? b->body->state.left_at : 0,
                         .crushed_into = b->body ? (int)b->body->state.crushed_into : 0,
                         .crushed_by = b->body ? (int)b->body->state.crushed_by : 0,
                         .crushed_at = b->body ? b->body->state.crushed_at : 0,
                         .crushed_depth = b->body ? b->body->state.crushed_depth : 0,
                         .size = b->body ? b->body->size : NAN};
}
