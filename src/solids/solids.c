#include "base/arena.h"
#include "definition/definition.h"
#include "solids/corners.h"
#include "solids/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- making --- */

static const double degree = 0.017453292519943295;

static void set_angles(wetting *s, double advancing, double receding)
{
    s->advancing = advancing, s->cos_advancing = cos(advancing * degree);
    s->receding = receding, s->cos_receding = cos(receding * degree);
}

static void set_angle(wetting *s, world_property what, double value)
{
    bool is_advancing = what == WORLD_CONTACT_ANGLE;
    set_angles(s, is_advancing ? value : s->advancing, is_advancing ? s->receding : value);
}

static wetting wetting_of(const dew_solid_def *def)
{
    wetting w = {.has_surface_energy = def->has_surface_energy,
                 .solid_energy = def->solid_energy,
                 .between_energy = def->between_energy};
    if (def->has_hysteresis)
        set_angles(&w, def->hysteresis.advancing, def->hysteresis.receding);
    else
        set_angles(&w, def->contact_angle, def->contact_angle);
    return w;
}

static dew_result create_solid(solid *s, const dew_solid_def *def, const solids *of)
{
    RESULT_TRY(motion_create(&s->motion, &def->motion));
    dew_result result = shape_create(&s->shape, &def->shape, of->spacing);
    if (result != DEW_OK) return result_under(result, "shape");
    s->wetting = wetting_of(def);
    s->slip_length = definition_slip_length(def->slip_length, def->friction, of->method);
    s->friction = def->friction, s->adhesion = def->adhesion;
    s->is_visible = def->is_visible, s->body_friction = def->body_friction;
    return DEW_OK;
}

/* The arm of an unbounded body is that to its nearest point: its far points cannot bound anything. */
static double longest_arm(const solid *s)
{
    bounds b = shape_bounds(s->shape);
    dew_vec3 p = s->motion.pivot;
    double x = fmax(fabs(b.min.x - p.x), fabs(b.max.x - p.x)), y = fmax(fabs(b.min.y - p.y), fabs(b.max.y - p.y)),
           z = fmax(fabs(b.min.z - p.z), fabs(b.max.z - p.z)), arm = sqrt(x * x + y * y + z * z);
    return isfinite(arm) ? arm : fabs(shape_distance_at(s->shape, p, NULL));
}

static void clear_solid(solid *s)
{
    shape_destroy(s->shape);
    motion_release(&s->motion);
    triangle_mesh_free(&s->mesh);
    free(s->vertices);
    free(s->body);
    free(s->of_material);
    aligned_release(s->points);
    *s = (solid){.shape = NULL};
}

static dew_result add_solid(solids *s, const dew_solid_def *def)
{
    solid *made = &s->solid[s->count];
    memset(made, 0, sizeof *made);
    s->count++; /* counted first, so that a half-made one is released */
    const char *name = def->name ? def->name : "solid";
    snprintf(made->name, sizeof made->name, "%s", name);
    RESULT_TRY(create_solid(made, def, s));
    made->arm = longest_arm(made);
    return DEW_OK;
}

/* Of a solid that was added last. */
static dew_result add_wettings(solids *s, const dew_simulation_def *def, const dew_solid_def *of)
{
    solid *made = &s->solid[s->count - 1];
    made->of_material = calloc((size_t)def->material_count, sizeof *made->of_material);
    if (!made->of_material) return result_fail(DEW_NO_MEMORY, "no memory for how liquids wet a solid");
    made->materials = def->material_count;
    for (int m = 0; m < def->material_count; m++) {
        dew_solid_def one = definition_solid_of(of, m);
        made->of_material[m] = wetting_of(&one);
    }
    return DEW_OK;
}

static dew_result add_walls(solids *s, const dew_simulation_def *def)
{
    const dew_domain_def *domain = &def->domain;
    static const char *const names[3][2] = {{"wall -x", "wall +x"}, {"wall -y", "wall +y"}, {"wall -z", "wall +z"}};
    for (int k = 0; k < 3 && k < def->dimension; k++) {
        if (domain->axis[k] != DEW_WALL) continue;
        for (int side = 0; side < 2; side++) {
            double at = vec3_at(side ? domain->max : domain->min, k);
            dew_solid_def wall = {.name = names[k][side],
                                  .shape = dew_plane(vec3_along(k, at), vec3_along(k, side ? -1 : 1)),
                                  .contact_angle = domain->contact_angle,
                                  .has_hysteresis = domain->has_hysteresis,
                                  .hysteresis = domain->hysteresis,
                                  .slip_length = domain->slip_length,
                                  .friction = domain->friction,
                                  .body_friction = dew_default_solid_def().body_friction};
            RESULT_TRY(add_solid(s, &wall));
        }
    }
    return DEW_OK;
}

static dew_result add_all(solids *s, const dew_simulation_def *def, failures *all)
{
    s->solid = calloc((size_t)def->solid_count + 6, sizeof *s->solid);
    if (!s->solid) return result_fail(DEW_NO_MEMORY, "no memory for %d solids", def->solid_count);
    s->spacing = def->spacing, s->dimension = def->dimension;
    for (int k = 0; k < def->solid_count; k++) {
        if (failures_concern(all, "solids[%d]", k)) continue;
        bool is_same;
        dew_solid_def plain = definition_plain_solid(def, &def->solids[k], &is_same);
        dew_result added = add_solid(s, &plain);
        if (added == DEW_OK && !is_same) added = add_wettings(s, def, &def->solids[k]);
        if (failures_add(all, added, "solids[%d]", k)) continue;
        clear_solid(&s->solid[--s->count]);
    }
    s->own = s->count;
    if (!failures_concern(all, "domain")) failures_add(all, add_walls(s, def), "domain");
    return DEW_OK;
}

dew_result solids_create_right(solids **s, const dew_simulation_def *def, const dew_method_info *method, failures *all)
{
    *s = calloc(1, sizeof **s);
    if (!*s) return result_fail(DEW_NO_MEMORY, "no memory for solids");
    (*s)->method = method;
    dew_result result = add_all(*s, def, all);
    if (result == DEW_OK) result = bodies_create(*s, def, all);
    if (result == DEW_OK && !((*s)->pushes = calloc((size_t)(*s)->count * PUSH_BLOCKS + 1, sizeof *(*s)->pushes)))
        result = result_fail(DEW_NO_MEMORY, "no memory for %d solids", (*s)->count);
    if (result == DEW_OK) {
        solids_place(*s, 0, 0);
        return DEW_OK;
    }
    solids_destroy(*s);
    *s = NULL;
    return result;
}

dew_result solids_create(solids **s, const dew_simulation_def *def)
{
    failures all = {.result = DEW_OK};
    definition_check_part(def, "solids", &all);
    definition_check_part(def, "domain", &all);
    definition_check_part(def, "joints", &all);
    dew_result result = solids_create_right(s, def, NULL, &all);
    if (result == DEW_OK) result = failures_end(&all);
    if (result == DEW_OK) return DEW_OK;
    solids_destroy(*s);
    *s = NULL;
    return result;
}

void solids_destroy(solids *s)
{
    if (!s) return;
    bodies_destroy(s);
    for (int k = 0; k < s->count; k++) clear_solid(&s->solid[k]);
    free(s->solid);
    free(s->pushes);
    free(s);
}

int solids_count(const solids *s) { return s->count; }
bool solids_is_in_place(const solids *s, int index) { return s->solid[index].pose.is_identity; }

const shape *solids_shape(const solids *s, int index) { return index < s->own ? s->solid[index].shape : NULL; }

static solid_info info_of(const solid *b, const wetting *w, double surface_tension)
{
    solid_info info = {.name = b->name,
                       .cos_advancing = w->cos_advancing,
                       .cos_receding = w->cos_receding,
                       .slip_length = b->slip_length,
                       .friction = b->friction,
                       .adhesion = b->adhesion,
                       .is_moving = b->motion.is_moving || b->body,
                       .has_surface_energy = w->has_surface_energy};
    if (b->is_removed) { /* as one that nothing touches, neither wetting nor repelling */
        return (solid_info){.name = b->name, .slip_length = INFINITY};
    }
    if (w->has_surface_energy) {
        double gain = w->solid_energy - w->between_energy, cosine = surface_tension > 0 ? gain / surface_tension : gain;
        cosine = surface_tension > 0 || gain == 0 ? fmin(fmax(cosine, -1), 1) : copysign(1, gain);
        info.cos_advancing = info.cos_receding = cosine;
    }
    info.cos_contact_angle = (info.cos_advancing + info.cos_receding) / 2;
    info.adhesion_work = w->has_surface_energy ? w->solid_energy + surface_tension - w->between_energy
                                               : surface_tension * (1 + info.cos_contact_angle);
    return info;
}

solid_info solids_info(const solids *s, int index, double surface_tension)
{
    return info_of(&s->solid[index], &s->solid[index].wetting, surface_tension);
}

solid_info solids_info_of(const solids *s, int index, int material, double surface_tension)
{
    const solid *b = &s->solid[index];
    return info_of(b, b->of_material && material < b->materials ? &b->of_material[material] : &b->wetting,
                   surface_tension);
}

bool solids_hold(const solids *s)
{
    for (int k = 0; k < solids_count(s); k++)
        if (!s->solid[k].is_removed && !isinf(s->solid[k].slip_length)) return true;
    return false;
}

bool solids_is_removed(const solids *s, int index) { return s->solid[index].is_removed; }
int solids_first_wall(const solids *s) { return s->own; }

double solids_number(const solids *s, int index, world_property what)
{
    const solid *b = &s->solid[index];
    return what == WORLD_CONTACT_ANGLE    ? b->wetting.advancing
           : what == WORLD_RECEDING_ANGLE ? b->wetting.receding
           : what == WORLD_SLIP_LENGTH    ? b->slip_length
           : what == WORLD_FRICTION       ? b->friction
           : what == WORLD_ADHESION       ? b->adhesion
           : what == WORLD_IS_REMOVED     ? b->is_removed
           : what == WORLD_IS_HELD        ? b->body && b->body->state.is_held != 0
                                          : NAN;
}

void solids_set(solids *s, int index, world_property what, double value)
{
    solid *b = &s->solid[index];
    bool is_angle = what == WORLD_CONTACT_ANGLE || what == WORLD_RECEDING_ANGLE;
    if (is_angle && value != solids_number(s, index, what)) {
        set_angle(&b->wetting, what, value);
        for (int m = 0; m < b->materials; m++) set_angle(&b->of_material[m], what, value);
    }
    if (what == WORLD_SLIP_LENGTH) b->slip_length = value;
    if (what == WORLD_FRICTION) b->friction = value;
    if (what == WORLD_ADHESION) b->adhesion = value;
    if (what == WORLD_IS_REMOVED) b->is_removed = value != 0;
    if (what == WORLD_IS_HELD && b->body) body_hold(b->body, value != 0);
}

/* --- motion --- */

/* Where a solid is, and how it moves, in a frame that has gone so far. */
static void shift_solid(solid *b, dew_vec3 velocity, dew_vec3 way)
{
    b->pose.translation = vec3_sub(b->pose.translation, way);
    b->pose.is_identity = vec3_length(b->pose.rotation) == 0 && vec3_length(b->pose.translation) == 0;
    b->twist.linear = vec3_sub(b->twist.linear, velocity), b->twist.centre = vec3_sub(b->twist.centre, way);
}

static void shift_all(solids *s, double sign, double dt)
{
    dew_vec3 velocity = vec3_scale(sign, s->frame), way = vec3_scale(dt, velocity);
    if (vec3_length(velocity) == 0) return;
    for (int k = 0; k < s->count; k++)
        if (!s->solid[k].is_removed) shift_solid(&s->solid[k], velocity, way);
}

bool solids_has_bodies(const solids *s) { return s->body_count > 0; }
void solids_enter_frame(solids *s, dew_vec3 velocity) { s->frame = velocity; }

/* Points that were pushed have come along with the frame. */
void solids_leave_frame(solids *s, double dt)
{
    if (dt > 0) shift_all(s, -1, dt);
    for (int k = 0; k < s->count; k++) {
        dew_solid_impulse *got = &s->solid[k].got;
        dew_vec3 more = vec3_cross(vec3_scale(dt, s->frame), got->step.linear);
        got->step.angular = vec3_add(got->step.angular, more), got->run.angular = vec3_add(got->run.angular, more);
    }
    s->frame = (dew_vec3){0, 0, 0};
}

dew_vec3 solids_coming_velocity(const solids *s, int index, dew_vec3 point, double time, double interval)
{
    const solid *b = &s->solid[index];
    twist t = b->body ? b->twist : motion_twist(&b->motion, time, time + interval);
    return vec3_add(t.linear, vec3_cross(t.angular, vec3_sub(point, t.centre)));
}

void solids_place(solids *s, double begin, double end)
{
    for (int k = 0; k < s->count; k++) {
        s->solid[k].before = motion_pose(&s->solid[k].motion, begin);
        s->solid[k].pose = motion_pose(&s->solid[k].motion, end);
        s->solid[k].twist = s->solid[k].is_removed ? (twist){0} : motion_twist(&s->solid[k].motion, begin, end);
        s->solid[k].got.step = (dew_impulse){{0, 0, 0}, {0, 0, 0}};
        s->solid[k].shift = (dew_vec3){0, 0, 0}, s->solid[k].shifted = 0, s->solid[k].idle = (dew_vec3){0, 0, 0};
        if (s->solid[k].body) s->solid[k].body->tied = (body_tied){0};
        memset(s->solid[k].part, 0, sizeof s->solid[k].part);
    }
    s->work = 0;
    bodies_place(s, end - begin);
    shift_all(s, 1, end - begin);
}

/* Of a body: as it is now, and as the last step's gain may come again. */
static double body_speed(const solid *b)
{
    const body_state *s = &b->body->state;
    if (s->is_held != 0) return 0;
    return vec3_length(s->velocity) + vec3_length(s->gain) + b->arm * vec3_length(body_spin(b->body));
}

static double speed_of(const solids *s, const solid *b, double time, double interval)
{
    if (b->is_removed) return 0;
    return b->body ? body_speed(b) : motion_max_speed(&b->motion, time, time + interval, b->arm, s->frame);
}

int solids_fastest(const solids *s, double time, double interval, double *speed)
{
    int fastest = -1;
    *speed = 0;
    for (int k = 0; k < s->count; k++) {
        double own = speed_of(s, &s->solid[k], time, interval);
        if (own > *speed) *speed = own, fastest = k;
    }
    return fastest;
}

/* From the ball that a body turns in to the nearest other solid, which it must not pass in a step. */
static double gap_to_others(const solids *s, int index)
{
    const solid *b = &s->solid[index];
    dew_vec3 c = b->body->state.place;
    real4 point = {(real)c.x, (real)c.y, (real)c.z, 0}, wall;
    double gap = INFINITY;
    for (int k = 0; k < s->count; k++) {
        if (k == index || s->solid[k].is_removed) continue;
        solids_distance(s, k, INFINITY, 1, &point, &wall);
        gap = fmin(gap, (double)wall.w - b->arm);
    }
    return gap;
}

/* From a box to the ball that a solid turns in; below 0 where it has no end. */
static double gap_to(const solid *b, bounds box)
{
    bounds own = shape_bounds(b->shape);
    if (!isfinite(vec3_length(vec3_sub(own.max, own.min)))) return -1;
    dew_vec3 c = b->body ? b->body->state.place : vec3_add(b->pose.pivot, b->pose.translation);
    double square = 0;
    for (int a = 0; a < 3; a++) {
        double off = fmax(fmax(vec3_at(box.min, a) - vec3_at(c, a), vec3_at(c, a) - vec3_at(box.max, a)), 0);
        square += off * off;
    }
    return sqrt(square) - b->arm;
}

double solids_speed_beside(const solids *s, double time, double interval, bounds liquid)
{
    double most = 0;
    for (int k = 0; k < s->count; k++) {
        double speed = speed_of(s, &s->solid[k], time, interval);
        if (!(speed > most)) continue;
        double gap = gap_to(&s->solid[k], liquid);
        if (s->solid[k].body) gap = fmin(gap, gap_to_others(s, k));
        most = fmax(most, speed * s->spacing / fmax(gap, s->spacing));
    }
    return most;
}

double solids_max_speed(const solids *s, double time, double interval)
{
    double speed;
    solids_fastest(s, time, interval, &speed);
    return speed;
}

real3 solids_velocity(const solids *s, int index, real3 point)
{
    const twist *t = &s->solid[index].twist;
    dew_vec3 x = {point.x - t->centre.x, point.y - t->centre.y, point.z - t->centre.z};
    dew_vec3 v = vec3_add(t->linear, vec3_cross(t->angular, x));
    return (real3){(real)v.x, (real)v.y, (real)v.z};
}

bool solids_is_moving(const solids *s, int index)
{
    const twist *t = &s->solid[index].twist;
    return vec3_dot(t->linear, t->linear) > 0 || vec3_dot(t->angular, t->angular) > 0;
}

real3 solids_spin(const solids *s, int index)
{
    const twist *t = &s->solid[index].twist;
    return (real3){(real)t->angular.x, (real)t->angular.y, (real)t->angular.z};
}

/* --- distances --- */

enum { BLOCK = 64 };
/* The distance of what is not there, m. */
#define NOWHERE ((real)1e17)

void solids_distance(const solids *s, int index, double band, int count, const real4 *points,
                     real4 *normal_and_distance)
{
    const solid *b = &s->solid[index];
    if (b->is_removed)
        for (int i = 0; i < count; i++) normal_and_distance[i] = (real4){0, 0, 0, NOWHERE};
    else if (b->pose.is_identity)
        shape_distance(b->shape, band, count, points, normal_and_distance);
    else
        pose_distance(&b->pose, b->shape, band, count, points, normal_and_distance);
}

static void nearest_of_block(const solids *s, double band, int count, const real4 *points, real4 *nearest,
                             int32_t *which)
{
    real4 other[BLOCK];
    for (int i = 0; i < count; i++) nearest[i] = (real4){0, 0, 0, NOWHERE}, which[i] = -1;
    for (int k = 0; k < s->count; k++) {
        solids_distance(s, k, band, count, points, other);
        for (int i = 0; i < count; i++)
            if (other[i].w < nearest[i].w) nearest[i] = other[i], which[i] = k;
    }
    for (int i = 0; i < count; i++)
        if (!(nearest[i].w <= (real)band)) which[i] = -1;
}

void solids_nearest(const solids *s, double band, int count, const real4 *points, real4 *normal_and_distance,
                    int32_t *which)
{
    for (int i = 0; i < count; i += BLOCK) {
        int n = count - i < BLOCK ? count - i : BLOCK;
        nearest_of_block(s, band, n, points + i, normal_and_distance + i, which + i);
    }
}

/* Half way along a face that bends its normal has turned, which one that ends at an edge has not, or all at once. */
#define TURNED ((real)0.99)

/* Whether the face at this place still is the one that is seen from `way` aside of it. */
static bool is_bend(const solids *s, int index, real3 x, real4 wall, real3 way)
{
    real3 n = real3_of(wall);
    real4 half = real4_of(real3_madd(real3_madd(x, -wall.w, n), (real)0.5, way), 0), seen;
    solids_distance(s, index, INFINITY, 1, &half, &seen);
    real turned = real3_dot(real3_of(seen), n);
    return turned > CORNER_COSINE && turned < TURNED;
}

/* On the ring of each of `which`, `ends` points. */
static void mean_of_rings(const solids *s, int index, double radius, double band, int count, const int *which,
                          const real4 *points, real4 *walls, solids_bend *bend)
{
    enum { MOST_ENDS = 4 };
    real4 ring[MOST_ENDS * BLOCK] = {{0}}, found[MOST_ENDS * BLOCK];
    int ends = s->dimension == 2 ? 2 : MOST_ENDS;
    for (int i = 0; i < count; i++) {
        real3 n = real3_of(walls[which[i]]), x = real3_of(points[which[i]]);
        real3 u = s->dimension == 2 ? (real3){-n.y, n.x, 0} : real3_perpendicular(n), v = real3_cross(n, u);
        for (int k = 0; k < ends; k++)
            ring[ends * i + k] = real4_of(real3_madd(x, (real)(k % 2 ? -radius : radius), k < 2 ? u : v), 0);
    }
    solids_distance(s, index, band, ends * count, ring, found);
    solids_find_edges(s, index, band, ends * count, ring, found);
    for (int i = 0; i < count; i++) {
        real4 wall = walls[which[i]];
        real sum = 0, off[MOST_ENDS], even = 0, own = wall.w, along = 0;
        for (int k = 0; k < ends; k++) {
            real3 x = real3_of(points[which[i]]);
            bool is_other = corner_is_other(found[ends * i + k], real3_of(wall), own) &&
                            !is_bend(s, index, x, wall, real3_sub(real3_of(ring[ends * i + k]), x));
            off[k] = is_other ? 0 : found[ends * i + k].w - own, sum += own + off[k];
            along += is_other ? 1 : real3_dot(real3_of(found[ends * i + k]), real3_of(wall));
        }
        for (int k = 0; k < ends; k += 2) even += fabs(off[k]) < fabs(off[k + 1]) ? off[k] : off[k + 1];
        if (bend) bend[which[i]] = (solids_bend){even / (real)(ends / 2), along / (real)ends};
        walls[which[i]].w = sum / (real)ends;
    }
}

void solids_mean_distance(const solids *s, int index, double radius, double band, int count, const real4 *points,
                          real4 *walls, solids_bend *bend)
{
    int which[BLOCK], near = 0;
    for (int i = 0; bend && i < count; i++) bend[i] = (solids_bend){0, 1};
    if (shape_is_plane(s->solid[index].shape)) return;
    for (int i = 0; i < count; i++) {
        if (walls[i].w <= (real)band) which[near++] = i;
        if (near < BLOCK && i + 1 < count) continue;
        mean_of_rings(s, index, radius, band + radius, near, which, points, walls, bend);
        near = 0;
    }
}

/* --- pictures --- */

static dew_result make_mesh(solid *b)
{
    bounds box = shape_bounds(b->shape);
    double size = vec3_length(vec3_sub(box.max, box.min));
    if (isfinite(size)) RESULT_TRY(shape_triangulate(b->shape, size / 80, box, &b->mesh));
    b->vertices = malloc(((size_t)b->mesh.vertex_count * 3 + 1) * sizeof *b->vertices);
    if (!b->vertices) return result_fail(DEW_NO_MEMORY, "no memory for the triangles of solid '%s'", b->name);
    b->has_mesh = true;
    return DEW_OK;
}

dew_result solids_mesh(const solids *s, int index, dew_solid_mesh *mesh)
{
    solid *b = &s->solid[index];
    *mesh = (dew_solid_mesh){.name = b->name};
    if (b->is_removed) return DEW_OK;
    if (!b->has_mesh) RESULT_TRY(make_mesh(b));
    for (int i = 0; i < b->mesh.vertex_count; i++) {
        vec3_to_floats(pose_apply(&b->pose, vec3_of_floats(b->mesh.vertices + 3 * i)), b->vertices + 3 * i);
    }
    *mesh = (dew_solid_mesh){.name = b->name,
                             .vertices = b->vertices,
                             .triangles = b->mesh.triangles,
                             .vertex_count = b->mesh.vertex_count,
                             .triangle_count = b->mesh.triangle_count,
                             .is_visible = b->is_visible};
    return DEW_OK;
}
